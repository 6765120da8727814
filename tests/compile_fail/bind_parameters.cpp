// The __global__ function takes a length that the description lacks.
// EXPECT: \[skt bind-parameters\] the __global__ function does not take what the sub-kernel is described with
#include <skt/device/sk_bind.hpp>

struct x;
struct h;
struct length;
__aicore__ void body(GM_ADDR x, GM_ADDR h, std::uint32_t length);
#ifdef SKT_EXPECT_FAIL
using norm_kernel =
    skt::kernel<skt::fn<&body>, skt::aiv<40>, skt::in<x>, skt::out<h>, skt::scalar<length, std::uint16_t>>;
#else
using norm_kernel =
    skt::kernel<skt::fn<&body>, skt::aiv<40>, skt::in<x>, skt::out<h>, skt::scalar<length, std::uint32_t>>;
#endif
extern "C" __global__ void norm(GM_ADDR x, GM_ADDR h, std::uint32_t length)
{
    body(x, h, length);
}

SKT_SK_BIND(norm_kernel, norm, norm_sk, vector);
