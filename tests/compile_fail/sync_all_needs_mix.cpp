// SyncAll<false> without cube cores.
// EXPECT: \[skt sync-all-needs-mix\]
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void meet(GM_ADDR, GM_ADDR);
#ifdef SKT_EXPECT_FAIL
using Meet = skt::kernel<skt::fn<&meet>, skt::aiv<48>, skt::in<x>, skt::out<y>, skt::sync_all<1, skt::sync_scope::all>>;
#else
using Meet = skt::kernel<skt::fn<&meet>, skt::aiv<48>, skt::in<x>, skt::out<y>, skt::sync_all<1>>;
#endif
constexpr auto shape = skt::SuperKernel<Meet>::launch;
