// More cores than the chip has.
// EXPECT: \[skt launch-exceeds-soc\]
// EXPECT: cores_wanted<49>, *skt::check::cores_on_the_chip<48>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void copy(GM_ADDR, GM_ADDR);
#ifdef SKT_EXPECT_FAIL
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<49>, skt::in<x>, skt::out<y>>;
#else
using Copy = skt::kernel<skt::fn<&copy>, skt::aiv<48>, skt::in<x>, skt::out<y>>;
#endif
constexpr auto shape = skt::SuperKernel<Copy>::launch;
