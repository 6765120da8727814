// An edited program without the barrier that a hazard needs.
// EXPECT: \[skt unordered-hazard\]
// EXPECT: first_kernel<skt::kernel<skt::fn<&?write>
// EXPECT: then_kernel<skt::kernel<skt::fn<&?read>
// EXPECT: check::buffer<y>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void write(GM_ADDR, GM_ADDR);
void read(GM_ADDR, GM_ADDR);
using Write = skt::kernel<skt::fn<&write>, skt::aiv<48>, skt::in<x>, skt::out<y>>;
using Read = skt::kernel<skt::fn<&read>, skt::mix<1, 2, 24>, skt::in<y>, skt::out<z>>;

/// Sets the flag before the kernel has run.
struct spoil {
    template <class Program>
    static constexpr void edit([[maybe_unused]] Program& p)
    {
#ifdef SKT_EXPECT_FAIL
        const skt::step call = p.aiv[0];
        p.aiv[0] = p.aiv[1];
        p.aiv[1] = p.aiv[2];
        p.aiv[2] = call;
#endif
    }
};
constexpr auto shape = skt::SuperKernel<Write, Read>::with<skt::edited<spoil>>::launch;
