// An edited program that calls a kernel on too few cores.
// EXPECT: \[skt malformed-program\]
// EXPECT: kernel<skt::kernel<skt::fn<&?write>
#include <skt/skt.hpp>

struct x;
struct y;
struct z;

void write(GM_ADDR, GM_ADDR);
void read(GM_ADDR, GM_ADDR);
using Write = skt::kernel<skt::fn<&write>, skt::aiv<48>, skt::in<x>, skt::out<y>>;
using Read = skt::kernel<skt::fn<&read>, skt::mix<1, 2, 24>, skt::in<y>, skt::out<z>>;

/// Takes a core away from a call.
struct spoil {
    template <class Program>
    static constexpr void edit([[maybe_unused]] Program& p)
    {
#ifdef SKT_EXPECT_FAIL
        --p.aiv[0].cores.count;
#endif
    }
};
constexpr auto shape = skt::SuperKernel<Write, Read>::with<skt::edited<spoil>>::launch;
