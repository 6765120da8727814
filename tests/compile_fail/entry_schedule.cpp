// All vector cores meet, so all blocks have to start at once.
// EXPECT: \[skt entry-schedule\] the super kernel joins all cores, and would hang if some blocks started later than
// others: say batch in SKT_ENTRY
#include <skt/skt.hpp>

struct h;
struct y;
__aicore__ void norm(GM_ADDR h);
__aicore__ void scale(GM_ADDR h, GM_ADDR y);
using pair = skt::SuperKernel<skt::kernel<skt::fn<&norm>, skt::aiv<40>, skt::out<h>>,
                              skt::kernel<skt::fn<&scale>, skt::aiv<40>, skt::in<h>, skt::out<y>>>;

#ifdef SKT_EXPECT_FAIL
SKT_ENTRY(pair, mix_0_1, normal) fused(GM_ADDR h, GM_ADDR y)
{
    pair::run(h, y);
}
#else
SKT_ENTRY(pair, mix_0_1, batch) fused(GM_ADDR h, GM_ADDR y)
{
    pair::run(h, y);
}
#endif
