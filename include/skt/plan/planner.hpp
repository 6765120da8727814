/// @file
/// The planner: from a graph to a plan. Plain values. Device-safe.
#pragma once

#include <skt/plan/barrier.hpp>
#include <skt/plan/cache.hpp>
#include <skt/plan/flags.hpp>
#include <skt/plan/layout.hpp>
#include <skt/plan/split.hpp>

namespace skt {

/// All memory of the planner. The arrays belong to the caller, zero-initialised; sizes as stated, n kernels, e effects,
/// b buffers.
struct plan_memory {
    access_record* records = nullptr;            ///< n + e
    access_runs* runs = nullptr;                 ///< b + 1
    start_need* needs = nullptr;                 ///< n
    bool* publishes_all[2] = {nullptr, nullptr}; ///< n each: later kernels wait for more of it than its DMA writes
    trace_entry* trace = nullptr;                ///< trace_capacity
    int trace_capacity = 0;                      ///< at least n
    source_life* life = nullptr;                 ///< n
    barrier* barriers = nullptr;                 ///< 4 n
    barrier_duty* duties = nullptr;              ///< 4 n
    knowledge* known = nullptr;                  ///< 4 n
    flush_point* before[2] = {nullptr, nullptr}; ///< n each
    flush_point* after[2] = {nullptr, nullptr};  ///< n each
    cache_record* cache = nullptr;               ///< b
    int* index[4] = {nullptr, nullptr, nullptr, nullptr}; ///< n + 2, 4 n, n + 2, 4 n
};

/// What the planner decided; the arrays are those of its memory.
struct plan_result {
    launch_shape launch{kernel_type::mix_aiv_1_0, 0};
    int barrier_count = 0;
    bool fell_back = false; ///< Flag ids ran out: neighbours are ordered pair by pair instead.
};

namespace detail {

struct plan_sink {
    need_sink needs;
    scalar_write_sink cache;
    bool* publishes_all[2];
    constexpr void operator()(const hazard& h)
    {
        needs(h);
        cache(h);
        if (!h.by_write_pipe && !need_of(h.from_side, h.to_side, h.scope).free) {
            publishes_all[static_cast<int>(h.from_side)][h.from] = true;
        }
    }
};

/// The last kernel before boundary `b` that runs on side `s`, or -1.
constexpr int last_on(const graph& g, int b, side s)
{
    int k = b - 1;
    while (k >= 0 && !runs_on(g.kernels[k].type, s)) {
        --k;
    }
    return k;
}

/// Matmul objects of different kernels talk over the same ids, which their authors cannot choose: each side of the
/// later kernel must know the other side to have left the earlier one.
constexpr void order_matmul_objects(const graph& g, start_need* needs)
{
    int previous = -1;
    for (int k = 0; k < g.kernel_count; ++k) {
        if (g.kernels[k].matmul_objects == 0 || !is_mix(g.kernels[k].type)) {
            continue;
        }
        constexpr fact across[2] = {fact::aic_by_aiv_core, fact::aiv_by_aic_core};
        for (int i = 0; i < 2; ++i) {
            int& newest = needs[k].newest[static_cast<int>(across[i])];
            newest = larger(newest, previous);
        }
        previous = k;
    }
}

/// Decides what each arrival must wait for and which halves move into kernel bodies.
constexpr void finish_barriers(const graph& g, const plan_memory& m, int count)
{
    int early_wait_at[barrier_kind_count] = {-1, -1, -1, -1};
    int early_arrival_at[barrier_kind_count] = {-1, -1, -1, -1};
    for (int i = 0; i < count; ++i) {
        barrier& b = m.barriers[i];
        const side s = source_of(b.kind);
        b.pipe = write_pipe(s);
        const int last = last_on(g, b.arrive_at, s);
        b.drained = last >= 0 && last <= b.source && m.publishes_all[static_cast<int>(s)][last];
        if (!g.policy.early_start) {
            continue;
        }
        const int source = b.arrive_at - 1;
        b.arrive_early = mode_of(b.kind) == 0 && b.after < 0 && !b.drained && source == last && source >= 0 &&
                         g.kernels[source].signals_next && !any(m.after[static_cast<int>(s)][source]) &&
                         early_arrival_at[static_cast<int>(b.kind)] != b.arrive_at;
        early_arrival_at[static_cast<int>(b.kind)] =
            b.arrive_early ? b.arrive_at : early_arrival_at[static_cast<int>(b.kind)];
        // The flush ahead of the kernel must not come before the wait; and one call waits once per kind.
        int& newest = early_wait_at[static_cast<int>(b.kind)];
        b.wait_early = b.wait_at < g.kernel_count && g.kernels[b.wait_at].awaits_previous && newest != b.wait_at &&
                       runs_on(g.kernels[b.wait_at].type, target_of(b.kind)) &&
                       !any(m.before[static_cast<int>(target_of(b.kind))][b.wait_at]);
        newest = b.wait_early ? b.wait_at : newest;
    }
    // A wait that another arrival hangs on stays outside: the arrival comes before the kernel's body.
    for (int i = 0; i < count; ++i) {
        if (m.barriers[i].after >= 0) {
            m.barriers[m.barriers[i].after].wait_early = false;
        }
    }
}

/// The incumbent's arrivals across sides follow its waits among all cores.
constexpr void link_every_pair(barrier* barriers, int count)
{
    for (int i = 0; i < count; ++i) {
        barrier& b = barriers[i];
        b.source = b.arrive_at - 1;
        for (int j = i - 1; mode_of(b.kind) == 2 && j >= 0 && barriers[j].wait_at == b.wait_at; --j) {
            if (mode_of(barriers[j].kind) == 0 && source_of(barriers[j].kind) == source_of(b.kind)) {
                b.after = j;
            }
        }
    }
}

} // namespace detail

/// First half of planning: what each kernel must know when it starts, what arrivals must wait for, and the cache
/// flushes. Fills `needs`, `publishes_all`, `before` and `after` of the memory.
constexpr void find_needs(const graph& g, launch_shape l, const plan_memory& m)
{
    const cache_memory cache{{m.before[0], m.before[1]}, {m.after[0], m.after[1]}, m.cache};
    measure_lines(g, cache);
    detail::plan_sink sink{{m.needs}, {&g, &cache}, {m.publishes_all[0], m.publishes_all[1]}};
    for_each_hazard(g, l, {m.records, m.runs}, sink);
    plan_policy_flushes(g, cache);
    plan_stale_lines(g, l, cache);
    detail::order_matmul_objects(g, m.needs);
    if (g.policy.sync_after_each) {
        const bool two = cores_of(l, side::aic) > 0 && cores_of(l, side::aiv) > 0;
        const bool cube = cores_of(l, side::aic) > 0;
        for (int k = 1; k < g.kernel_count; ++k) {
            for (int f = 0; f < fact_count; ++f) {
                const bool one_side = f == static_cast<int>(cube ? fact::aic_by_aic_all : fact::aiv_by_aiv_all);
                m.needs[k].newest[f] = two || one_side ? k - 1 : -1;
            }
        }
    }
}

/// Second half: barriers, their halves and their flag ids, for needs already found.
constexpr plan_result place_and_split(const graph& g, launch_shape l, const plan_memory& m)
{
    plan_result result{};
    result.launch = l;
    bool planned = g.policy.sync == sync_policy::planned || g.policy.sync_after_each;
    const barrier_memory search{m.needs, m.trace, m.trace_capacity, m.barriers, m.life};
    for (int attempt = 0; attempt < 2; ++attempt) {
        if (planned) {
            result.barrier_count = place_barriers(g, l, search);
            split_barriers(g, m.needs, m.barriers, result.barrier_count, {m.duties, m.known});
        } else {
            result.barrier_count = place_every_pair(g, search);
            detail::link_every_pair(m.barriers, result.barrier_count);
        }
        detail::finish_barriers(g, m, result.barrier_count);
        if (allocate_flags(g, l, m.barriers, result.barrier_count) || !planned) {
            break;
        }
        planned = false;
        result.fell_back = true;
    }
    index_boundaries(m.barriers, result.barrier_count, g.kernel_count,
                     {m.index[0], m.index[1], m.index[2], m.index[3]});
    return result;
}

/// Plans a super kernel.
constexpr plan_result make_plan(const graph& g, const plan_memory& m)
{
    const launch_shape l = launch_of(g);
    find_needs(g, l, m);
    return place_and_split(g, l, m);
}

/// The plan as `lay_out` reads it.
constexpr plan_view view_of(const plan_result& r, const plan_memory& m)
{
    return {r.launch, m.barriers, r.barrier_count, {m.before[0], m.before[1]}, {m.after[0], m.after[1]}};
}

/// Counts steps per side, and what plans are compared by.
struct count_sink {
    int steps[2] = {0, 0};
    plan_counts counts{};
    constexpr void operator()(side s, const step& x)
    {
        ++steps[static_cast<int>(s)];
        counts.barriers[static_cast<int>(x.kind)] += x.what == op::arrive;
        counts.flush += x.what == op::flush;
        counts.drain += x.what == op::drain;
        counts.fed_sync_all += x.what == op::feed && x.flag < 0 ? x.times : 0;
    }
};

/// Writes steps into arrays.
struct store_sink {
    step* steps[2];
    int count[2] = {0, 0};
    constexpr void operator()(side s, const step& x)
    {
        const int i = static_cast<int>(s);
        steps[i][count[i]++] = x;
    }
};

} // namespace skt
