// A buffer of the kit's workspace, which the vendor's fusion does not have.
// EXPECT: \[skt bind-temp\] the vendor's fusion has no workspace of the kit
#include <skt/device/sk_bind.hpp>

struct x;
struct h;
__aicore__ void body(GM_ADDR x, GM_ADDR h);
#ifdef SKT_EXPECT_FAIL
using h_buffer = skt::temp<h, 4096>;
extern "C" __global__ void norm(GM_ADDR x)
{
    body(x, x);
}
#else
using h_buffer = h;
extern "C" __global__ void norm(GM_ADDR x, GM_ADDR h)
{
    body(x, h);
}
#endif
using norm_kernel = skt::kernel<skt::fn<&body>, skt::aiv<40>, skt::in<x>, skt::out<h_buffer>>;

SKT_SK_BIND(norm_kernel, norm, norm_sk, vector);
