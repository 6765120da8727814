// A super kernel of nothing.
// EXPECT: \[skt no-kernels\] SuperKernel<> fuses nothing
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<8>, skt::in<x>, skt::out<y>>;

#ifdef SKT_EXPECT_FAIL
using Fused = skt::SuperKernel<>;
#else
using Fused = skt::SuperKernel<Copy>;
#endif
constexpr auto shape = Fused::launch;
