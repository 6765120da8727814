// Changing one kernel's type changes the launch; the entry has to follow.
// EXPECT: \[skt entry-cores\] the entry declares other cores
#include <skt/skt.hpp>

struct h;
struct y;
__aicore__ void norm(GM_ADDR h);
__aicore__ void scale(GM_ADDR h, GM_ADDR y);
#ifdef SKT_EXPECT_FAIL
using scale_cores = skt::mix<1, 1, 20>;
#else
using scale_cores = skt::aiv<20>;
#endif
using pair = skt::SuperKernel<skt::kernel<skt::fn<&norm>, skt::aiv<20>, skt::out<h>>,
                              skt::kernel<skt::fn<&scale>, scale_cores, skt::in<h>, skt::out<y>>>;

SKT_ENTRY(pair, mix_0_1, batch) fused(GM_ADDR h, GM_ADDR y)
{
    pair::run(h, y);
}
