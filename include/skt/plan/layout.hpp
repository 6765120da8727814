/// @file
/// Lays a plan out as steps, side by side. Plain values. Device-safe.
///
/// In the gap of one side between two calls: drain if an arrival needs it, flush behind the kernel, arrivals that
/// depend on no wait, waits in barrier order with the arrivals they enable, the drain that two kernels on one core
/// need, flush ahead of the kernel, the waits that the kernel's own cores do in its body, feeds.
#pragma once

#include <skt/plan/cache.hpp>
#include <skt/plan/program.hpp>

namespace skt {

/// A plan before it is laid out.
struct plan_view {
    launch_shape launch{kernel_type::mix_aiv_1_0, 0};
    const barrier* barriers = nullptr;
    int barrier_count = 0;
    const flush_point* before[2] = {nullptr, nullptr};
    const flush_point* after[2] = {nullptr, nullptr};
};

/// Barrier halves sorted by boundary: `arrive_first[b]`..`arrive_first[b+1]` index `arrivals`, the same for waits.
/// All arrays belong to the caller; the `first` ones have kernel_count + 2 entries.
struct boundary_index {
    int* arrive_first = nullptr;
    int* arrivals = nullptr;
    int* wait_first = nullptr;
    int* waits = nullptr;
};

/// A sorted `boundary_index`, to read.
struct boundary_view {
    const int* arrive_first = nullptr;
    const int* arrivals = nullptr;
    const int* wait_first = nullptr;
    const int* waits = nullptr;
};

/// Sorts the halves, keeping barrier order inside a boundary.
constexpr void index_boundaries(const barrier* barriers, int count, int kernel_count, const boundary_index& x)
{
    for (int b = 0; b <= kernel_count + 1; ++b) {
        x.arrive_first[b] = 0;
        x.wait_first[b] = 0;
    }
    for (int i = 0; i < count; ++i) {
        ++x.arrive_first[barriers[i].arrive_at + 1];
        ++x.wait_first[barriers[i].wait_at + 1];
    }
    for (int b = 1; b <= kernel_count + 1; ++b) {
        x.arrive_first[b] += x.arrive_first[b - 1];
        x.wait_first[b] += x.wait_first[b - 1];
    }
    for (int i = count - 1; i >= 0; --i) {
        x.arrivals[--x.arrive_first[barriers[i].arrive_at + 1]] = i;
        x.waits[--x.wait_first[barriers[i].wait_at + 1]] = i;
    }
    // Filling moved each start down by its own count: the start of boundary b now stands one place up.
    for (int b = 0; b <= kernel_count; ++b) {
        x.arrive_first[b] = x.arrive_first[b + 1];
        x.wait_first[b] = x.wait_first[b + 1];
    }
    x.arrive_first[kernel_count + 1] = count;
    x.wait_first[kernel_count + 1] = count;
}

namespace detail {

/// The cores of side `s` in a launch, all of them.
constexpr core_range everyone(launch_shape l, side s)
{
    return {0, cores_of(l, s), 1};
}

template <class Sink>
constexpr void put_flush(const flush_point& f, launch_shape l, side s, int kernel, Sink& sink)
{
    const int parts = f.whole ? 1 : flush_point::most_buffers;
    for (int i = 0; i < parts; ++i) {
        if (f.whole || f.buffers[i] >= 0) {
            step x{};
            x.what = op::flush;
            x.kernel = kernel;
            x.cores = everyone(l, s);
            x.buffer = f.whole ? -1 : f.buffers[i];
            x.lines = f.whole ? 0 : f.lines[i];
            sink(s, x);
        }
    }
}

template <class Sink>
constexpr void put_drain(launch_shape l, side s, int kernel, Sink& sink)
{
    step x{};
    x.what = op::drain;
    x.kernel = kernel;
    x.cores = everyone(l, s);
    sink(s, x);
}

constexpr step half(const graph& g, launch_shape l, const barrier& b, int index, op what)
{
    step x{};
    x.what = what;
    x.barrier = index;
    x.kind = b.kind;
    x.flag = b.flag;
    x.pipe = b.pipe;
    const side s = what == op::arrive ? source_of(b.kind) : target_of(b.kind);
    x.cores = everyone(l, s);
    x.kernel = what == op::arrive ? b.arrive_at - 1 : b.wait_at;
    if (what == op::arrive ? b.arrive_early : b.wait_early) {
        x.skip = cores_of(g.kernels[x.kernel], l, s);
    }
    return x;
}

/// The mask a kernel's early-start calls read.
constexpr int early_bits(const barrier& b, op what)
{
    const bool set = what == op::arrive;
    switch (b.kind) {
    case barrier_kind::all_aic:
        return set ? early::aic_to_aic_set : early::aic_to_aic_wait;
    case barrier_kind::all_aiv:
        return set ? early::aiv_to_aiv_set : early::aiv_to_aiv_wait;
    case barrier_kind::aic_to_aiv:
        return set ? early::aic_to_aiv_set : early::aic_to_aiv_wait;
    case barrier_kind::aiv_to_aic:
        return set ? early::aiv_to_aic_set : early::aiv_to_aic_wait;
    }
    return 0;
}

/// Whether cores of side `s` may stand idle while kernel `k` runs.
constexpr bool has_idle(const kernel_desc& k, launch_shape l, side s)
{
    return k.dynamic || cores_of(k, l, s).count < cores_of(l, s);
}

/// The odd vector cores beside a 1:1 kernel's own answer its mode-2 flags: those they set, or those they await.
template <class Sink>
constexpr void put_flag_feeds(const graph& g, int index, core_range own, side from, Sink& sink)
{
    const kernel_desc& k = g.kernels[index];
    for (int i = 0; own.stride == 2 && i < k.cross_core_count; ++i) {
        const cross_core_use& c = g.cross_core[k.first_cross_core + i];
        if (c.mode == 2 && c.from == from) {
            step x{};
            x.what = op::feed;
            x.kernel = index;
            x.kind = from == side::aiv ? barrier_kind::aiv_to_aic : barrier_kind::aic_to_aiv;
            x.flag = c.flag;
            x.times = c.times;
            x.cores = {1, own.count, 2};
            sink(side::aiv, x);
        }
    }
}

/// The steps by which idle cores stand in for kernel `k`. Whatever the order of flags and SyncAll in the body, nobody
/// blocks for ever if all sets come first and all waits for flags last.
template <class Sink>
constexpr void put_feeds(const graph& g, launch_shape l, side s, int index, Sink& sink)
{
    const kernel_desc& k = g.kernels[index];
    const core_range own = cores_of(k, l, s);
    if (s == side::aiv) {
        put_flag_feeds(g, index, own, side::aiv, sink);
    }
    const bool joins = k.scope == sync_scope::all || (runs_on(k.type, side::aiv) ? s == side::aiv : s == side::aic);
    if (k.sync_all > 0 && k.idle == idle_policy::feed && joins && has_idle(k, l, s)) {
        step x{};
        x.what = op::feed;
        x.kernel = index;
        x.times = k.sync_all;
        x.cores = everyone(l, s);
        x.skip = own;
        sink(s, x);
    }
    if (s == side::aiv) {
        put_flag_feeds(g, index, own, side::aic, sink);
    }
}

} // namespace detail

/// Calls `sink(side, step)` for every step of the program, each side's in its order.
template <class Sink>
constexpr void lay_out(const graph& g, const plan_view& p, const boundary_view& index, Sink& sink)
{
    const launch_shape l = p.launch;
    for (int si = 0; si < 2; ++si) {
        const side s = static_cast<side>(si);
        if (cores_of(l, s) == 0) {
            continue;
        }
        int previous = -1;   // last kernel called on this side
        bool drained = true; // since that call
        if (g.policy.preload == preload_policy::first) {
            step x{};
            x.what = op::preload;
            x.kernel = 0;
            x.cores = detail::everyone(l, s);
            sink(s, x);
        }
        for (int k = 0; k <= g.kernel_count; ++k) {
            // Arrivals that hang on no wait, with what must come before them.
            const bool fresh = previous == k - 1 && previous >= 0;
            bool need_drain = fresh && k <= g.kernel_count && g.policy.flush_after_each;
            for (int i = index.arrive_first[k]; i < index.arrive_first[k + 1]; ++i) {
                const barrier& b = p.barriers[index.arrivals[i]];
                need_drain = need_drain || (b.drained && source_of(b.kind) == s);
            }
            if (need_drain && !drained) {
                detail::put_drain(l, s, previous, sink);
                drained = true;
            }
            if (fresh) {
                detail::put_flush(p.after[si][previous], l, s, previous, sink);
            }
            for (int i = index.arrive_first[k]; i < index.arrive_first[k + 1]; ++i) {
                const int b = index.arrivals[i];
                if (source_of(p.barriers[b].kind) == s && p.barriers[b].after < 0) {
                    sink(s, detail::half(g, l, p.barriers[b], b, op::arrive));
                }
            }
            if (k < g.kernel_count && g.policy.preload == preload_policy::per_kernel && runs_on(g.kernels[k].type, s)) {
                step x{};
                x.what = op::preload;
                x.kernel = k;
                x.cores = detail::everyone(l, s);
                sink(s, x);
            }
            // Waits in barrier order; each may enable arrivals at this same boundary.
            int w = index.wait_first[k];
            for (int a = index.arrive_first[k]; a <= index.arrive_first[k + 1]; ++a) {
                const bool last = a == index.arrive_first[k + 1];
                const int b = last ? p.barrier_count : index.arrivals[a];
                if (!last && (source_of(p.barriers[b].kind) != s || p.barriers[b].after < 0)) {
                    continue;
                }
                const int until = last ? p.barrier_count : p.barriers[b].after;
                for (; w < index.wait_first[k + 1] && index.waits[w] <= until; ++w) {
                    const barrier& x = p.barriers[index.waits[w]];
                    if (target_of(x.kind) == s && !x.wait_early) {
                        sink(s, detail::half(g, l, x, index.waits[w], op::wait));
                    }
                }
                if (!last) {
                    sink(s, detail::half(g, l, p.barriers[b], b, op::arrive));
                }
            }
            if (k == g.kernel_count) {
                break;
            }
            const bool runs_here = runs_on(g.kernels[k].type, s);
            if (runs_here) {
                if (!drained) {
                    detail::put_drain(l, s, previous, sink);
                }
                detail::put_flush(p.before[si][k], l, s, k, sink);
            }
            for (int i = index.wait_first[k]; i < index.wait_first[k + 1]; ++i) {
                const barrier& b = p.barriers[index.waits[i]];
                if (b.wait_early && target_of(b.kind) == s) {
                    sink(s, detail::half(g, l, b, index.waits[i], op::wait));
                }
            }
            detail::put_feeds(g, l, s, k, sink);
            if (runs_here) {
                step x{};
                x.what = op::call;
                x.kernel = k;
                x.cores = cores_of(g.kernels[k], l, s);
                for (int i = index.wait_first[k]; i < index.wait_first[k + 1]; ++i) {
                    const barrier& b = p.barriers[index.waits[i]];
                    x.early |= b.wait_early && target_of(b.kind) == s ? detail::early_bits(b, op::wait) : 0;
                }
                for (int i = index.arrive_first[k + 1]; i < index.arrive_first[k + 2]; ++i) {
                    const barrier& b = p.barriers[index.arrivals[i]];
                    x.early |= b.arrive_early && source_of(b.kind) == s ? detail::early_bits(b, op::arrive) : 0;
                }
                sink(s, x);
                previous = k;
                drained = false;
            }
        }
    }
}

} // namespace skt
