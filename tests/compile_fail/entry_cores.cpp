// The entry declares 1:1, the plan is 1:2.
// EXPECT: \[skt entry-cores\] the entry declares other cores than the super kernel is planned for: name the launch type
// in SKT_ENTRY EXPECT: mix_aic_1_1.*mix_aic_1_2
#include <skt/skt.hpp>

struct h;
struct y;
__aicore__ void norm(GM_ADDR h);
__aicore__ void linear(GM_ADDR h, GM_ADDR y);
using layer_kernel = skt::SuperKernel<skt::kernel<skt::fn<&norm>, skt::aiv<48>, skt::out<h>>,
                                      skt::kernel<skt::fn<&linear>, skt::aic<24>, skt::in<h>, skt::out<y>>>;

#ifdef SKT_EXPECT_FAIL
SKT_ENTRY(layer_kernel, mix_1_1, batch) layer(GM_ADDR h, GM_ADDR y)
{
    layer_kernel::run(h, y);
}
#else
SKT_ENTRY(layer_kernel, mix_1_2, batch) layer(GM_ADDR h, GM_ADDR y)
{
    layer_kernel::run(h, y);
}
#endif
