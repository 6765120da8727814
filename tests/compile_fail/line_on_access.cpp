// A kernel relies on GetValue and SetValue flushing their lines, which the build does not ask for.
// EXPECT: \[skt line-on-access\] a sub-kernel leaves its scalar accesses to GetValue and SetValue
// EXPECT: lines_flush_on_access<false, *skt::check::kernel<
#ifndef SKT_EXPECT_FAIL
#define __ASCENDC_SUPER_KERNEL_ENABLE_GM_GET_SET_VALUE_DCCI__
#endif
#include <skt/skt.hpp>

struct h;
__aicore__ void count(GM_ADDR h);
using counting = skt::SuperKernel<skt::kernel<skt::fn<&count>, skt::aiv<1>, skt::inout<h, skt::via_scalar>,
                                              skt::cache<skt::cache_policy::line_on_access>>>;

SKT_ENTRY(counting, mix_0_1, normal) counting_entry(GM_ADDR h)
{
    counting::run(h);
}
