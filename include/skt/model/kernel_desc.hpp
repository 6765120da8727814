/// @file
/// The description of one sub-kernel. Plain values. Device-safe.
#pragma once

#include <skt/model/effect.hpp>
#include <skt/model/kernel_type.hpp>

#include <cstdint>

namespace skt {

/// How a kernel's scalar accesses are kept coherent.
enum class cache_policy : std::uint8_t {
    planned,        ///< Flush where the declared effects ask for it.
    around,         ///< Flush before and after the kernel.
    before,         ///< Flush before the kernel.
    after,          ///< Flush after the kernel.
    line_on_access, ///< The build makes GetValue and SetValue flush their lines; the plan adds nothing.
    none            ///< Flush nothing; the prover says if that is wrong.
};

/// What a 1:1 kernel does in a 1:2 launch.
enum class ratio_policy : std::uint8_t {
    reject,    ///< Compile error.
    aiv0_only, ///< Vector core 0 of each AI core runs it, core 1 stands in for its cross-core flags.
    adaptive   ///< Both vector cores run it; the body itself copes with the ratio.
};

/// What cores outside a kernel do when the kernel calls SyncAll.
enum class idle_policy : std::uint8_t {
    reject, ///< Compile error when there are such cores.
    feed    ///< They call SyncAll as often as the kernel does.
};

/// Which cores a kernel's SyncAll joins.
enum class sync_scope : std::uint8_t {
    aiv, ///< `SyncAll<true>`: every core of the kernel's vector side.
    all  ///< `SyncAll<false>`: every core of both sides.
};

constexpr const char* to_string(cache_policy c)
{
    switch (c) {
    case cache_policy::planned:
        return "planned";
    case cache_policy::around:
        return "around";
    case cache_policy::before:
        return "before";
    case cache_policy::after:
        return "after";
    case cache_policy::line_on_access:
        return "line_on_access";
    case cache_policy::none:
        return "none";
    }
    return "?";
}
constexpr const char* to_string(ratio_policy r)
{
    return r == ratio_policy::reject ? "reject" : r == ratio_policy::aiv0_only ? "aiv0_only" : "adaptive";
}
constexpr const char* to_string(idle_policy i)
{
    return i == idle_policy::reject ? "reject" : "feed";
}
constexpr const char* to_string(sync_scope s)
{
    return s == sync_scope::aiv ? "aiv" : "all";
}

/// A cross-core flag that a kernel uses by itself, balanced inside the kernel.
struct cross_core_use {
    int flag = 0; ///< Flag id, 0 to 15.
    int mode = 2; ///< 0: all cores of the side; 1: the vector cores of an AI core; 2: across sides in an AI core.
    side from = side::aiv; ///< Who sets it. In mode 2 the other side waits, else the same side.
    int times = 1; ///< Sets by each core on every path, all of which may come before the first of as many waits.
};

/// One sub-kernel, everything the planner and the prover need to know. `first_*` and `*_count` index the graph's pools.
struct kernel_desc {
    const char* name = "";
    kernel_type type = kernel_type::aiv_only;
    int blocks = 0;       ///< The kernel's own block count; the most it can be if `dynamic`.
    bool dynamic = false; ///< The block count is known on the device only (tiling sink).
    bool opaque = false;  ///< Nothing is declared: conflicts with everything, by every unit.
    int first_effect = 0;
    int effect_count = 0;
    int first_cross_core = 0;
    int cross_core_count = 0;
    int sync_all = 0; ///< SyncAll calls on every path.
    sync_scope scope = sync_scope::aiv;
    int matmul_objects = 0;       ///< Matmul objects; they own flag ids 0 to 2n-1.
    int pipes = 1;                ///< TPipe objects alive one after the other.
    bool pipes_drained = false;   ///< The author drains between his TPipe objects.
    bool signals_next = false;    ///< Calls SetNextTaskStart exactly once on every core and path.
    bool awaits_previous = false; ///< Calls WaitPreTaskEnd exactly once on every core and path, before it touches what
                                  ///< other kernels touch and before it uses flags of its own or Matmul objects.
    bool task_view = false;       ///< The body reads its block index from the task view, not from GetBlockIdx().
    cache_policy cache = cache_policy::planned;
    ratio_policy ratio = ratio_policy::reject;
    idle_policy idle = idle_policy::reject;
    bool unchecked = false; ///< The author takes the blame: rules about this kernel are not enforced.
};

/// The cores of one side that run a step: `first`, `first + stride`, ..., `count` of them.
struct core_range {
    int first = 0;
    int count = 0;
    int stride = 1;
};
constexpr bool operator==(core_range a, core_range b)
{
    return a.count == b.count && (a.count == 0 || (a.first == b.first && (a.count == 1 || a.stride == b.stride)));
}
constexpr bool operator!=(core_range a, core_range b)
{
    return !(a == b);
}
/// Whether core `c` is in the range.
constexpr bool contains(core_range r, int c)
{
    return c >= r.first && (c - r.first) % r.stride == 0 && (c - r.first) / r.stride < r.count;
}

/// The cores of side `s` that run kernel `k` in launch `l`.
/// A 1:1 kernel in a 1:2 launch takes every second vector core under `aiv0_only` and all of its AI cores' under
/// `adaptive`.
constexpr core_range cores_of(const kernel_desc& k, launch_shape l, side s)
{
    if (!runs_on(k.type, s)) {
        return {};
    }
    if (s == side::aiv && k.type == kernel_type::mix_aic_1_1 && aiv_per_ai_core(l) == 2) {
        return k.ratio == ratio_policy::adaptive ? core_range{0, 2 * k.blocks, 1} : core_range{0, k.blocks, 2};
    }
    return {0, cores_of(k.type, k.blocks, s), 1};
}

} // namespace skt
