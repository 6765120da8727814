// A 1:1 kernel beside wider vector kernels.
// EXPECT: \[skt ratio-1-1-in-1-2\]
// EXPECT: check::kernel<skt::kernel<skt::fn<&?pair>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
void pair(GM_ADDR, GM_ADDR);
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<48>, skt::in<x>, skt::out<y>>;
#ifdef SKT_EXPECT_FAIL
using Pair = skt::kernel<skt::fn<&pair>, skt::mix<1, 1, 24>, skt::in<y>, skt::out<z>>;
#else
using Pair =
    skt::kernel<skt::fn<&pair>, skt::mix<1, 1, 24>, skt::in<y>, skt::out<z>, skt::ratio<skt::ratio_policy::adaptive>>;
#endif
constexpr auto shape = skt::SuperKernel<Copy, Pair>::launch;
