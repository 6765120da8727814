// An edited program without the drain between two kernels on one core.
// EXPECT: \[skt missing-drain\]
// EXPECT: kernel<skt::kernel<skt::fn<&?read>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void write(GM_ADDR, GM_ADDR);
void read(GM_ADDR, GM_ADDR);
using Write = skt::kernel<skt::fn<&write>, skt::aiv<48>, skt::in<x>, skt::out<y>>;
using Read = skt::kernel<skt::fn<&read>, skt::mix<1, 2, 24>, skt::in<y>, skt::out<z>>;

/// Drops the drain.
struct spoil {
    template <class Program>
    static constexpr void edit([[maybe_unused]] Program& p)
    {
#ifdef SKT_EXPECT_FAIL
        for (skt::step& s : p.aiv) {
            if (s.what == skt::op::drain) {
                s.what = skt::op::preload;
            }
        }
#endif
    }
};
constexpr auto shape = skt::SuperKernel<Write, Read>::with<skt::edited<spoil>>::launch;
