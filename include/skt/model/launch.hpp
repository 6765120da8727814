/// @file
/// The launch rule: which shape a list of kernels is launched with. Plain values. Device-safe.
#pragma once

#include <skt/model/graph.hpp>

namespace skt {

/// The launch shape of a super kernel.
///
/// Only vector kernels: `mix_aiv_1_0` at the widest; only cube kernels: `mix_aic_1_0` at the widest. Otherwise 1:1 if
/// no kernel is 1:2 and the vector cores asked for fit beside the cube cores asked for, else 1:2. The `*_only` types
/// are never launched: the scheduler that carries cross-core flags is off for them (vendor documentation of
/// CrossCoreSetFlag).
constexpr launch_shape launch_of(const graph& g)
{
    int aic = g.policy.at_least_aic;
    int aiv = g.policy.at_least_aiv;
    bool two_to_one = false;
    for (int i = 0; i < g.kernel_count; ++i) {
        const kernel_desc& k = g.kernels[i];
        const int c = cores_of(k.type, k.blocks, side::aic);
        const int v = cores_of(k.type, k.blocks, side::aiv);
        aic = c > aic ? c : aic;
        aiv = v > aiv ? v : aiv;
        two_to_one = two_to_one || k.type == kernel_type::mix_aic_1_2;
    }
    if (aic == 0) {
        return {kernel_type::mix_aiv_1_0, aiv};
    }
    if (aiv == 0) {
        return {kernel_type::mix_aic_1_0, aic};
    }
    if (!two_to_one && aiv <= aic) {
        return {kernel_type::mix_aic_1_1, aic};
    }
    const int half = (aiv + 1) / 2;
    return {kernel_type::mix_aic_1_2, aic > half ? aic : half};
}

} // namespace skt
