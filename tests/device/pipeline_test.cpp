// The kernel source of the device example, on the emulator.
#include "../../examples/device/pipeline.hpp"

#include <skt/host.hpp>

#include <catch.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

TEST_CASE("the device example's pipeline gives the host's results under every schedule")
{
    constexpr std::size_t count = std::size_t{pipeline::rows} * pipeline::columns;
    constexpr float factor = 0.5f;
    std::vector<float> input(count);
    for (std::size_t i = 0; i < count; ++i) {
        input[i] = static_cast<float>(i % 97) * 0.1f;
    }
    skt::emu::device npu;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto x = npu.from(input, "x");
        auto squared = npu.alloc<float>(count, "squared");
        auto y = npu.alloc<float>(count, "y");
        auto workspace =
            npu.alloc<std::uint8_t>(static_cast<std::size_t>(pipeline::fused::workspace_bytes), "workspace");
        const auto r = npu.seed(seed).launch(pipeline::fused::launch, pipeline_fused)(x, factor, squared, y, workspace);
        INFO(r.text());
        REQUIRE(r.ok());
        const auto out = y.get();
        bool same = true;
        for (std::size_t i = 0; i < count; ++i) {
            const float scaled = input[i] * factor;
            same = same && out[i] == std::min(scaled * scaled, 4.0f);
        }
        REQUIRE(same);
    }
}
