// A scalar write that another core reads, and a policy that flushes nothing.
// EXPECT: \[skt missing-flush\]
// EXPECT: first_kernel<skt::kernel<skt::fn<&?write>
// EXPECT: then_kernel<skt::kernel<skt::fn<&?read>
// EXPECT: check::buffer<y>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void write(GM_ADDR, GM_ADDR);
void read(GM_ADDR, GM_ADDR);
#ifdef SKT_EXPECT_FAIL
using Write = skt::kernel<skt::fn<&write>, skt::aiv<1>, skt::in<x>, skt::out<y, skt::via_scalar>,
                          skt::cache<skt::cache_policy::none>>;
#else
using Write = skt::kernel<skt::fn<&write>, skt::aiv<1>, skt::in<x>, skt::out<y, skt::via_scalar>>;
#endif
using Read = skt::kernel<skt::fn<&read>, skt::aiv<48>, skt::in<y>, skt::out<z>>;
constexpr auto shape = skt::SuperKernel<Write, Read>::launch;
