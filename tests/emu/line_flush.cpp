// The build's single-line mode, in a program of its own: GetValue and SetValue flush the lines they touch.
#define __ASCENDC_SUPER_KERNEL_ENABLE_GM_GET_SET_VALUE_DCCI__
#include "kernel_operator.h"

#include <skt/host.hpp>

#include <catch.hpp>

using namespace AscendC;
namespace emu = skt::emu;

TEST_CASE("in the single-line mode scalar accesses keep themselves coherent, references do not")
{
    for (const bool reference : {false, true}) {
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            emu::device npu;
            auto x = npu.zeros<std::int32_t>(64, "x");
            std::int32_t seen[2] = {-1, -1};
            const auto r = npu.seed(seed).launch(emu::vector_cores(2), [&] {
                GlobalTensor<int32_t> g;
                g.SetGlobalBuffer(x.ptr(), 64);
                if (GetBlockIdx() == 1) {
                    g.GetValue(0); // caches the line early
                }
                SyncAll();
                if (GetBlockIdx() == 0) {
                    GlobalTensor<int32_t> w;
                    w.SetGlobalBuffer(x.ptr(), 64);
                    if (reference) {
                        w(0) = 4;
                    } else {
                        w.SetValue(0, 4);
                        w.SetValue(40, 5); // another line: the first one goes out
                    }
                }
                SyncAll();
                if (GetBlockIdx() == 1) {
                    seen[0] = g.GetValue(0);
                    seen[1] = g.GetValue(40);
                }
            });
            INFO(r.text());
            REQUIRE(r.ok() == !reference);
            if (!reference) {
                REQUIRE(seen[0] == 4);
                REQUIRE(seen[1] == 5);
            } else {
                REQUIRE(r.has(emu::finding_kind::stale_read));
            }
        }
    }
}
