// The twins' core type is not the sub-kernel's.
// EXPECT: \[skt bind-cores\] SKT_SK_BIND names other cores than the sub-kernel is described with
// EXPECT: twin_declared<.*aic_only.*kernel_described<.*aiv_only
#include <skt/device/sk_bind.hpp>

struct x;
struct h;
__aicore__ void body(GM_ADDR x, GM_ADDR h);
using norm_kernel = skt::kernel<skt::fn<&body>, skt::aiv<40>, skt::in<x>, skt::out<h>>;
extern "C" __global__ void norm(GM_ADDR x, GM_ADDR h)
{
    body(x, h);
}

#ifdef SKT_EXPECT_FAIL
SKT_SK_BIND(norm_kernel, norm, norm_sk, cube);
#else
SKT_SK_BIND(norm_kernel, norm, norm_sk, vector);
#endif
