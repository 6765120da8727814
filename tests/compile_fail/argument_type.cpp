// run() with an address where a scalar belongs.
// EXPECT: \[skt argument-type\]
// EXPECT: argument_number<3>
// EXPECT: check::buffer<n>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

struct n;
void copy(GM_ADDR, GM_ADDR, int);
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<8>, skt::in<x>, skt::out<y>, skt::scalar<n, int>>;

void entry(GM_ADDR a, GM_ADDR b)
{
#ifdef SKT_EXPECT_FAIL
    skt::SuperKernel<Copy>::run(a, b, a);
#else
    skt::SuperKernel<Copy>::run(a, b, 3);
#endif
}
