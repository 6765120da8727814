// A kernel that does not say where it runs.
// EXPECT: \[skt no-cores\]
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
#ifdef SKT_EXPECT_FAIL
using Copy = skt::kernel<skt::fn<&copy>, skt::in<x>, skt::out<y>>;
#else
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<8>, skt::in<x>, skt::out<y>>;
#endif
constexpr auto shape = skt::SuperKernel<Copy>::launch;
