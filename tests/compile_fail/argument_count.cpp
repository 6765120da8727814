// run() with an argument too few.
// EXPECT: \[skt argument-count\]
// EXPECT: arguments_taken<2>, *skt::check::arguments_given<1>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<8>, skt::in<x>, skt::out<y>>;

void entry(GM_ADDR a, GM_ADDR b)
{
#ifdef SKT_EXPECT_FAIL
    skt::SuperKernel<Copy>::run(a);
    (void)b;
#else
    skt::SuperKernel<Copy>::run(a, b);
#endif
}
