// An alias of a buffer that no kernel names.
// EXPECT: \[skt unknown-alias\]
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<8>, skt::in<x>, skt::out<y>>;
#ifdef SKT_EXPECT_FAIL
using Fused = skt::SuperKernel<Copy>::with<skt::alias<x, z>>;
#else
using Fused = skt::SuperKernel<Copy>::with<skt::alias<x, y>>;
#endif
constexpr auto shape = Fused::launch;
