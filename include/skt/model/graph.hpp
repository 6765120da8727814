/// @file
/// The planner's whole input: kernels in order, their effects, the chip and the policies of the super kernel. Plain
/// views, so that arrays of any length, at compile time or at run time, look alike. Device-safe.
#pragma once

#include <skt/model/effect.hpp>
#include <skt/model/kernel_desc.hpp>
#include <skt/model/soc.hpp>

#include <cstdint>

namespace skt {

/// How neighbouring sub-kernels are ordered.
enum class sync_policy : std::uint8_t {
    planned,   ///< The fewest barriers that order every hazard.
    every_pair ///< A barrier of all cores between each two neighbours, as the incumbent places them.
};
constexpr const char* to_string(sync_policy s)
{
    return s == sync_policy::planned ? "planned" : "every_pair";
}

/// When code of a coming sub-kernel is loaded into the instruction cache.
enum class preload_policy : std::uint8_t {
    none,       ///< Never.
    per_kernel, ///< Ahead of the wait before each sub-kernel.
    first       ///< Once, at the start.
};
constexpr const char* to_string(preload_policy p)
{
    return p == preload_policy::none ? "none" : p == preload_policy::per_kernel ? "per_kernel" : "first";
}

/// Policies of a super kernel as a whole.
struct graph_policy {
    sync_policy sync = sync_policy::planned;
    preload_policy preload = preload_policy::none;
    int at_least_aic = 0;          ///< Launch at least so many cube cores.
    int at_least_aiv = 0;          ///< Launch at least so many vector cores.
    bool sync_after_each = false;  ///< Debugging: all cores meet after every sub-kernel.
    bool flush_after_each = false; ///< Debugging: drain and flush after every sub-kernel.
    bool early_start = true;       ///< Use `signals_next` and `awaits_previous` where kernels offer them.
    bool share_workspace = true;   ///< Let temp buffers that are never alive together share bytes.
};

/// A super kernel to plan. Every pointer may be null when its count is zero.
struct graph {
    const kernel_desc* kernels = nullptr;
    int kernel_count = 0;
    const effect* effects = nullptr;
    int effect_count = 0;
    const buffer_desc* buffers = nullptr;
    int buffer_count = 0;
    const partition_desc* partitions = nullptr;
    int partition_count = 0;
    const cross_core_use* cross_core = nullptr;
    int cross_core_count = 0;
    soc chip = socs::atlas_a2_24;
    graph_policy policy{};
};

} // namespace skt
