// Two TPipe objects, one after the other.
// EXPECT: \[skt several-pipes\]
// EXPECT: tpipes<2>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void twice(GM_ADDR, GM_ADDR);
#ifdef SKT_EXPECT_FAIL
using Twice = skt::kernel<skt::fn<&twice>, skt::aiv<48>, skt::in<x>, skt::out<y>, skt::pipes<2>>;
#else
using Twice = skt::kernel<skt::fn<&twice>, skt::aiv<48>, skt::in<x>, skt::out<y>, skt::pipes<2, skt::drained>>;
#endif
constexpr auto shape = skt::SuperKernel<Twice>::launch;
