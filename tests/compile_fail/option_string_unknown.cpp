// An option string with an option that there is not.
// EXPECT: \[skt option-string\] an option string names an option that there is not
// EXPECT: check::position<0>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
inline constexpr char first[] = "first";
inline constexpr char settings[] =
#ifdef SKT_EXPECT_FAIL
    "quickly=1";
#else
    "feed-sync-all=1:dcci-after-kernel-end=first:early-start=0";
#endif
using First = skt::kernel<skt::fn<&copy>, skt::aiv<8>, skt::in<x>, skt::out<y>, skt::named<first>>;
using Second = skt::kernel<skt::fn<&copy>, skt::aiv<8>, skt::in<y>, skt::out<z>>;
using Fused = skt::SuperKernel<First, Second>::with<skt::option_string<settings>>;
constexpr auto shape = Fused::launch;
#ifndef SKT_EXPECT_FAIL
static_assert(Fused::counts.flush == 1);
#endif
