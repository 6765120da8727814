// A kernel on no block.
// EXPECT: \[skt block-count-zero\]
// EXPECT: check::blocks<0>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
#ifdef SKT_EXPECT_FAIL
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<0>, skt::in<x>, skt::out<y>>;
#else
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<1>, skt::in<x>, skt::out<y>>;
#endif
constexpr auto shape = skt::SuperKernel<Copy>::launch;
