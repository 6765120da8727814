/// @file
/// The rules that need no plan: launch shape, SyncAll, flag ids, early start, pipes, false sharing. Plain values.
/// Device-safe.
#pragma once

#include <skt/plan/flags.hpp>
#include <skt/plan/rules.hpp>

namespace skt {

namespace detail {

template <class Sink>
constexpr void check_launch(const graph& g, launch_shape l, Sink& sink)
{
    for (int s = 0; s < 2; ++s) {
        const side where = static_cast<side>(s);
        const int has = where == side::aic ? g.chip.aic_cores : g.chip.aiv_cores;
        bool blamed = false;
        for (int k = 0; k < g.kernel_count; ++k) {
            const int wants = cores_of(g.kernels[k].type, g.kernels[k].blocks, where);
            if (wants > has) {
                sink(finding{rule::launch_exceeds_soc, k, -1, -1, wants, has, where});
                blamed = true;
            }
        }
        if (!blamed && cores_of(l, where) > has) {
            sink(finding{rule::launch_exceeds_soc, -1, -1, -1, cores_of(l, where), has, where});
        }
    }
}

template <class Sink>
constexpr void check_sync_all(const graph& g, launch_shape l, int k, Sink& sink)
{
    const kernel_desc& kernel = g.kernels[k];
    if (kernel.sync_all == 0) {
        return;
    }
    const bool all = kernel.scope == sync_scope::all;
    if (all && (cores_of(l, side::aic) == 0 || cores_of(l, side::aiv) == 0)) {
        sink(finding{rule::sync_all_needs_mix, k, -1, -1, cores_of(l, side::aic), cores_of(l, side::aiv)});
        return;
    }
    if (kernel.idle == idle_policy::feed) {
        return;
    }
    for (int s = 1; s >= 0; --s) {
        const side where = static_cast<side>(s);
        const bool joins = all || (runs_on(kernel.type, side::aiv) ? where == side::aiv : where == side::aic);
        const int own = kernel.dynamic ? 0 : cores_of(kernel, l, where).count;
        if (joins && own < cores_of(l, where)) {
            sink(finding{rule::sync_all_on_fewer_cores, k, -1, -1, own, cores_of(l, where), where});
            return;
        }
    }
}

/// Cores of side `s` that a flag in mode `mode` needs beside those that run the kernel; 0 if all partners are there.
constexpr int missing_partners(const graph& g, launch_shape l, int k, const cross_core_use& c)
{
    const kernel_desc& kernel = g.kernels[k];
    const core_range own = cores_of(kernel, l, c.from);
    if (own.count == 0) {
        return 1; // nobody sets it
    }
    if (c.mode == 0) {
        return cores_of(l, c.from) - own.count;
    }
    if (c.mode == 1) {
        const int per_core = c.from == side::aiv ? aiv_per_ai_core(l) : 1;
        return own.stride > 1 ? own.count : own.count % per_core;
    }
    return is_mix(kernel.type) ? 0 : own.count;
}

template <class Sink>
constexpr void check_flags(const graph& g, launch_shape l, int k, Sink& sink)
{
    const kernel_desc& kernel = g.kernels[k];
    if (2 * kernel.matmul_objects > flag_ids::all_aic) {
        sink(finding{rule::flag_id_reserved, k, -1, -1, 2 * kernel.matmul_objects - 1, flag_ids::all_aic - 1});
    }
    for (int i = 0; i < kernel.cross_core_count; ++i) {
        const cross_core_use& c = g.cross_core[kernel.first_cross_core + i];
        if (c.flag < 0 || c.flag >= flag_ids::all_aic) {
            sink(finding{rule::flag_id_reserved, k, -1, -1, c.flag, flag_ids::all_aic - 1});
        } else if (c.flag < 2 * kernel.matmul_objects) {
            sink(finding{rule::flag_id_clash, k, k, -1, c.flag, 2 * kernel.matmul_objects - 1});
        }
        if (c.mode < 0 || c.mode > 2 || missing_partners(g, l, k, c) > 0) {
            sink(finding{rule::unbalanced_flags, k, -1, -1, c.flag, missing_partners(g, l, k, c), c.from});
        }
        if (c.times > flag_counter_max) {
            sink(finding{rule::flag_overflow, k, -1, -1, c.times, flag_counter_max});
        }
    }
}

template <class Sink>
constexpr void check_effects(const graph& g, launch_shape l, int k, Sink& sink)
{
    const kernel_desc& kernel = g.kernels[k];
    for (int i = 0; !kernel.opaque && i < kernel.effect_count; ++i) {
        const effect& e = g.effects[kernel.first_effect + i];
        if (!uses_scalar(e.how) || !writes(e.what)) {
            continue;
        }
        int cores = 0;
        for (int s = 0; s < 2; ++s) {
            if ((sides_of(kernel, e) & mask_of(static_cast<side>(s))) != 0) {
                cores += cores_of(kernel, l, static_cast<side>(s)).count;
            }
        }
        const bool cut_inside_lines = e.partition >= 0 && !g.partitions[e.partition].line_aligned;
        if (cores > 1 && (cut_inside_lines || e.what == access::accumulate)) {
            sink(finding{rule::false_sharing, k, -1, e.buffer, cores, cache_line_bytes});
        }
    }
}

} // namespace detail

/// Calls `sink(finding)` for every rule that is broken before any plan is made.
template <class Sink>
constexpr void check_graph(const graph& g, launch_shape l, Sink& sink)
{
    if (g.kernel_count == 0) {
        sink(finding{rule::no_kernels});
        return;
    }
    detail::check_launch(g, l, sink);
    for (int k = 0; k < g.kernel_count; ++k) {
        const kernel_desc& kernel = g.kernels[k];
        if (kernel.unchecked) {
            continue;
        }
        if (kernel.blocks <= 0) {
            sink(finding{rule::block_count_zero, k, -1, -1, kernel.blocks, 1});
        }
        if (kernel.type == kernel_type::mix_aic_1_1 && aiv_per_ai_core(l) == 2 &&
            (kernel.ratio == ratio_policy::reject || (kernel.ratio == ratio_policy::aiv0_only && !kernel.task_view))) {
            sink(finding{rule::ratio_1_1_in_1_2, k, -1, -1, 2, 1, side::aiv});
        }
        detail::check_sync_all(g, l, k, sink);
        detail::check_flags(g, l, k, sink);
        detail::check_effects(g, l, k, sink);
        if (kernel.pipes > 1 && !kernel.pipes_drained) {
            sink(finding{rule::several_pipes, k, -1, -1, kernel.pipes, 1});
        }
        if (kernel.dynamic && (kernel.signals_next || kernel.awaits_previous)) {
            sink(finding{rule::dynamic_blocks_early_start, k});
        }
    }
}

} // namespace skt
