// A type that is no kernel.
// EXPECT: \[skt no-sub-kernel\]
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

struct stranger {};
#ifndef SKT_EXPECT_FAIL
void copy(GM_ADDR, GM_ADDR);
template <>
struct skt::kernel_traits<stranger> {
    using description = skt::kernel<skt::fn<&copy>, skt::aiv<8>, skt::in<x>, skt::out<y>>;
};
#endif
constexpr auto shape = skt::SuperKernel<stranger>::launch;
