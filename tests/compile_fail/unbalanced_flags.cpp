// An edited program that sets a flag nobody waits for.
// EXPECT: \[skt unbalanced-flags\]
// EXPECT: flag_id<9>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void write(GM_ADDR, GM_ADDR);
void read(GM_ADDR, GM_ADDR);
using Write = skt::kernel<skt::fn<&write>, skt::aiv<48>, skt::in<x>, skt::out<y>>;
using Read = skt::kernel<skt::fn<&read>, skt::mix<1, 2, 24>, skt::in<y>, skt::out<z>>;

/// Sets a flag in place of a preload.
struct spoil {
    template <class Program>
    static constexpr void edit([[maybe_unused]] Program& p)
    {
#ifdef SKT_EXPECT_FAIL
        for (skt::step& s : p.aiv) {
            if (s.what == skt::op::preload && s.kernel == 1) {
                s.what = skt::op::arrive;
                s.kind = skt::barrier_kind::aiv_to_aic;
                s.flag = 9;
            }
        }
#endif
    }
};
constexpr auto shape =
    skt::SuperKernel<Write, Read>::with<skt::preload<skt::preload_policy::per_kernel>, skt::edited<spoil>>::launch;
