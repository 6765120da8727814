// An edited program that waits for a flag nobody sets.
// EXPECT: \[skt no-progress\]
// EXPECT: kernel<skt::kernel<skt::fn<&?read>
// EXPECT: flag_id<10>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void write(GM_ADDR, GM_ADDR);
void read(GM_ADDR, GM_ADDR);
using Write = skt::kernel<skt::fn<&write>, skt::aiv<48>, skt::in<x>, skt::out<y>>;
using Read = skt::kernel<skt::fn<&read>, skt::mix<1, 2, 24>, skt::in<y>, skt::out<z>>;

/// Drops the arrival that the cube cores wait for.
struct spoil {
    template <class Program>
    static constexpr void edit([[maybe_unused]] Program& p)
    {
#ifdef SKT_EXPECT_FAIL
        for (skt::step& s : p.aiv) {
            if (s.what == skt::op::arrive && s.kind == skt::barrier_kind::aiv_to_aic) {
                s.what = skt::op::drain;
            }
        }
#endif
    }
};
constexpr auto shape = skt::SuperKernel<Write, Read>::with<skt::edited<spoil>>::launch;
