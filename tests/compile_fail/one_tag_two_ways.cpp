// A tag that is a buffer for one kernel and a scalar for another.
// EXPECT: \[skt one-tag-two-ways\]
// EXPECT: check::buffer<x>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
void scale(int, GM_ADDR);
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<8>, skt::in<x>, skt::out<y>>;
#ifdef SKT_EXPECT_FAIL
using Scale = skt::kernel<skt::fn<&scale>, skt::aiv<8>, skt::scalar<x, int>, skt::inout<y>>;
#else
using Scale = skt::kernel<skt::fn<&scale>, skt::aiv<8>, skt::scalar<z, int>, skt::inout<y>>;
#endif
constexpr auto shape = skt::SuperKernel<Copy, Scale>::launch;
