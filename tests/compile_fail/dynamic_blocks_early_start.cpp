// A kernel whose block count only the device knows signals early.
// EXPECT: \[skt dynamic-blocks-early-start\]
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void grow(GM_ADDR, GM_ADDR);
int how_many(GM_ADDR, GM_ADDR);
#ifdef SKT_EXPECT_FAIL
using Grow =
    skt::kernel<skt::fn<&grow>, skt::aiv<48>, skt::blocks_from<&how_many>, skt::in<x>, skt::out<y>, skt::signals_next>;
#else
using Grow = skt::kernel<skt::fn<&grow>, skt::aiv<48>, skt::blocks_from<&how_many>, skt::in<x>, skt::out<y>>;
#endif
constexpr auto shape = skt::SuperKernel<Grow>::launch;
