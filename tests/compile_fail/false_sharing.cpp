// Neighbouring blocks write scalars into slices that end inside a line.
// EXPECT: \[skt false-sharing\]
// EXPECT: check::buffer<y>
// EXPECT: cores_writing<48>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

struct rows {
#ifndef SKT_EXPECT_FAIL
    static constexpr bool line_aligned = true;
#endif
};
void count(GM_ADDR, GM_ADDR);
using Count = skt::kernel<skt::fn<&count>, skt::aiv<48>, skt::in<x>, skt::out<y, skt::via_scalar, skt::sliced<rows>>>;
constexpr auto shape = skt::SuperKernel<Count>::launch;
