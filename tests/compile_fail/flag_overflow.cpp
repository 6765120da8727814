// One flag set 22 times before anyone waits.
// EXPECT: \[skt flag-overflow\]
// EXPECT: sets_outstanding<22>, *skt::check::counter_limit<15>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void attend(GM_ADDR, GM_ADDR);
#ifdef SKT_EXPECT_FAIL
using Attend = skt::kernel<skt::fn<&attend>, skt::mix<1, 2, 6>, skt::in<x>, skt::out<y>,
                           skt::cross_core<6, 2, skt::side::aiv, 22>>;
#else
using Attend = skt::kernel<skt::fn<&attend>, skt::mix<1, 2, 24>, skt::in<x>, skt::out<y>,
                           skt::cross_core<6, 2, skt::side::aiv, 6>>;
#endif
constexpr auto shape = skt::SuperKernel<Attend>::launch;
