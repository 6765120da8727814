// An option string with a value that the option cannot have.
// EXPECT: \[skt option-string\] an option string gives an option a value
// EXPECT: check::position<12>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
inline constexpr char first[] = "first";
inline constexpr char settings[] =
#ifdef SKT_EXPECT_FAIL
    "early-start=7";
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
