// SyncAll on 20 of 24 cores.
// EXPECT: \[skt sync-all-on-fewer-cores\]
// EXPECT: cores_of_the_kernel<20>, *skt::check::cores_launched<24>
// EXPECT: fn<&?meet>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
void meet(GM_ADDR, GM_ADDR);
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<24>, skt::in<x>, skt::out<y>>;
#ifdef SKT_EXPECT_FAIL
using Meet = skt::kernel<skt::fn<&meet>, skt::aiv<20>, skt::in<y>, skt::out<z>, skt::sync_all<1>>;
#else
using Meet = skt::kernel<skt::fn<&meet>, skt::aiv<20>, skt::in<y>, skt::out<z>, skt::sync_all<1>,
                         skt::idle<skt::idle_policy::feed>>;
#endif
constexpr auto shape = skt::SuperKernel<Copy, Meet>::launch;
