// Two kernels that nothing orders use one flag id.
// EXPECT: \[skt flag-id-clash\]
// EXPECT: first_kernel<skt::kernel<skt::fn<&?prologue>
// EXPECT: then_kernel<skt::kernel<skt::fn<&?attend>
// EXPECT: flag_id<1>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void prologue(GM_ADDR);
void attend(GM_ADDR);
using Prologue = skt::kernel<skt::fn<&prologue>, skt::mix<1, 2, 24>, skt::inout<x>, skt::cross_core<1>>;
#ifdef SKT_EXPECT_FAIL
using Attend = skt::kernel<skt::fn<&attend>, skt::mix<1, 2, 24>, skt::inout<y>, skt::cross_core<1>>;
#else
using Attend = skt::kernel<skt::fn<&attend>, skt::mix<1, 2, 24>, skt::inout<y>, skt::cross_core<6>>;
#endif
constexpr auto shape = skt::SuperKernel<Prologue, Attend>::launch;
