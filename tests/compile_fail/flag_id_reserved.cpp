// A flag id that SyncAll owns.
// EXPECT: \[skt flag-id-reserved\]
// EXPECT: flag_id<12>, *skt::check::highest_free_id<10>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void attend(GM_ADDR, GM_ADDR);
#ifdef SKT_EXPECT_FAIL
using Attend = skt::kernel<skt::fn<&attend>, skt::mix<1, 2, 24>, skt::in<x>, skt::out<y>, skt::cross_core<12>>;
#else
using Attend = skt::kernel<skt::fn<&attend>, skt::mix<1, 2, 24>, skt::in<x>, skt::out<y>, skt::cross_core<6>>;
#endif
constexpr auto shape = skt::SuperKernel<Attend>::launch;
