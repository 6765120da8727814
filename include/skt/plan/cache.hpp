/// @file
/// Where the data cache must be cleaned and invalidated. Plain values. Device-safe.
///
/// The scalar unit of each core reads and writes GM through a write-back cache of 64-byte lines that sees neither other
/// cores nor DMA. So a scalar write is lost to others until its line is cleaned, and a line once loaded hides what
/// others write later.
#pragma once

#include <skt/plan/hazard.hpp>
#include <skt/plan/program.hpp>

namespace skt {

/// One flush of one side, before or after a kernel.
struct flush_point {
    static constexpr int most_buffers = 2;
    static constexpr int most_lines = 4; ///< Beyond so many lines one whole flush is cheaper (default costs).

    bool whole = false;
    int buffers[most_buffers] = {-1, -1};
    int lines[most_buffers] = {0, 0};
};
constexpr bool any(const flush_point& f)
{
    return f.whole || f.buffers[0] >= 0;
}
constexpr int count_of(const flush_point& f)
{
    return f.whole ? 1 : (f.buffers[0] >= 0) + (f.buffers[1] >= 0);
}

/// Adds lines of a buffer to a flush point; becomes a whole flush when the lines are unknown or too many.
constexpr void add_lines(flush_point& f, int buffer, int lines)
{
    if (f.whole) {
        return;
    }
    int sum = lines;
    int slot = -1;
    for (int i = flush_point::most_buffers - 1; i >= 0; --i) {
        if (f.buffers[i] == buffer || f.buffers[i] < 0) {
            slot = i;
        }
    }
    for (int i = 0; i < flush_point::most_buffers; ++i) {
        sum += i == slot ? 0 : f.lines[i];
    }
    if (buffer < 0 || lines <= 0 || slot < 0 || sum > flush_point::most_lines) {
        f.whole = true;
        f.buffers[0] = f.buffers[1] = -1;
        f.lines[0] = f.lines[1] = 0;
        return;
    }
    f.buffers[slot] = buffer;
    f.lines[slot] = larger(f.lines[slot], lines);
}

/// Whether a flush takes care of these lines.
constexpr bool includes(const flush_point& f, int buffer, int lines)
{
    return f.whole || (lines > 0 && ((f.buffers[0] == buffer && f.lines[0] >= lines) ||
                                     (f.buffers[1] == buffer && f.lines[1] >= lines)));
}

/// What is remembered per buffer while walking the kernels.
struct cache_record {
    int scalar[2] = {-1, -1}; ///< Per side: newest kernel whose scalar unit touched it.
    int writer = -1;          ///< Newest kernel that wrote it.
    int writer_effect = -1;
    int lines = -1; ///< Lines that any kernel's scalar unit may touch; 0: unknown, -1: none.
};

/// Memory of the cache rule; arrays belong to the caller.
struct cache_memory {
    flush_point* before[2] = {nullptr, nullptr}; ///< Per side and kernel.
    flush_point* after[2] = {nullptr, nullptr};
    cache_record* records = nullptr; ///< One per buffer.
};

/// Marks the flushes that hazards of scalar writes ask for: right behind the source.
struct scalar_write_sink {
    const graph* g;
    const cache_memory* m;
    constexpr void operator()(const hazard& h)
    {
        const kernel_desc& k = g->kernels[h.from];
        if (h.from_effect >= 0) {
            flush_behind(h, g->effects[h.from_effect]);
        }
        // An opaque kernel is the target and looks at everything (an opaque source is flushed around anyway).
        for (int i = 0; h.from_effect < 0 && !k.opaque && i < k.effect_count; ++i) {
            flush_behind(h, g->effects[k.first_effect + i]);
        }
    }

    constexpr void flush_behind(const hazard& h, const effect& from) const
    {
        const kernel_desc& k = g->kernels[h.from];
        const bool seen_by_dma = h.to_effect < 0 || uses_dma(g->effects[h.to_effect].how);
        const bool same_core = h.from_side == h.to_side && h.scope == hazard_scope::core;
        if (uses_scalar(from.how) && writes(from.what) && (sides_of(k, from) & mask_of(h.from_side)) != 0 &&
            (!same_core || seen_by_dma) && k.cache == cache_policy::planned) {
            add_lines(m->after[static_cast<int>(h.from_side)][h.from], from.buffer, m->records[from.buffer].lines);
        }
    }
};

namespace detail {

constexpr bool flushes_before(const graph& g, const kernel_desc& k, bool any_dynamic)
{
    (void)g;
    return any_dynamic || (k.opaque && k.cache == cache_policy::planned) || k.cache == cache_policy::around ||
           k.cache == cache_policy::before;
}
constexpr bool flushes_after(const graph& g, const kernel_desc& k, bool any_dynamic)
{
    return any_dynamic || g.policy.flush_after_each || (k.opaque && k.cache == cache_policy::planned) ||
           k.cache == cache_policy::around || k.cache == cache_policy::after;
}

/// Whether a flush of side `s` between kernel `since` and kernel `k` takes care of these lines already.
constexpr bool flushed_since(const cache_memory& m, int s, int since, int k, int buffer, int lines)
{
    for (int i = k; i > since; --i) {
        if (includes(m.before[s][i], buffer, lines) || includes(m.after[s][i - 1], buffer, lines)) {
            return true;
        }
    }
    return false;
}

} // namespace detail

/// Notes per buffer how many lines its scalar accesses reach, so that one line flush always takes care of all of them.
constexpr void measure_lines(const graph& g, const cache_memory& m)
{
    for (int i = 0; i < g.effect_count; ++i) {
        const effect& e = g.effects[i];
        int& lines = m.records[e.buffer].lines;
        if (uses_scalar(e.how)) {
            lines = lines == 0 || e.scalar_lines == 0 ? 0 : larger(lines, e.scalar_lines);
        }
    }
}

/// Fills the flush points after kernels: those policies ask for, and those hazards of scalar writes need (run before
/// `plan_stale_lines`; the hazards are given to `scalar_write_sink`).
constexpr void plan_policy_flushes(const graph& g, const cache_memory& m)
{
    bool any_dynamic = false;
    for (int k = 0; k < g.kernel_count; ++k) {
        any_dynamic = any_dynamic || g.kernels[k].dynamic;
    }
    for (int k = 0; k < g.kernel_count; ++k) {
        const kernel_desc& kernel = g.kernels[k];
        for (int s = 0; s < 2; ++s) {
            if (runs_on(kernel.type, static_cast<side>(s))) {
                m.before[s][k].whole = m.before[s][k].whole || detail::flushes_before(g, kernel, any_dynamic);
                m.after[s][k].whole = m.after[s][k].whole || detail::flushes_after(g, kernel, any_dynamic);
            }
        }
    }
}

/// Adds, as few and as late as possible, the flushes that keep scalar accesses from hitting stale lines.
constexpr void plan_stale_lines(const graph& g, launch_shape l, const cache_memory& m)
{
    int opaque_on[2] = {-1, -1};
    int opaque_any = -1;
    for (int k = 0; k < g.kernel_count; ++k) {
        const kernel_desc& kernel = g.kernels[k];
        const int end = kernel.opaque ? 0 : kernel.effect_count;
        for (int i = 0; i < end; ++i) {
            const effect& e = g.effects[kernel.first_effect + i];
            if (!uses_scalar(e.how) || kernel.cache == cache_policy::line_on_access ||
                kernel.cache == cache_policy::none || kernel.cache == cache_policy::after) {
                continue;
            }
            const side_mask sides = sides_of(kernel, e);
            const bool shared = g.buffers[e.buffer].shared;
            const int last = shared ? g.buffer_count : e.buffer + 1;
            int writer = -1; // newest kernel that wrote any of the bytes
            for (int b = shared ? 0 : e.buffer; b < last; ++b) {
                if (m.records[b].writer > writer && overlap(g.buffers[e.buffer], g.buffers[b])) {
                    writer = m.records[b].writer;
                }
            }
            for (int b = shared ? 0 : e.buffer; b < last; ++b) {
                if (!overlap(g.buffers[e.buffer], g.buffers[b])) {
                    continue;
                }
                const cache_record& r = m.records[b];
                for (int s = 0; s < 2; ++s) {
                    const int cached = larger(r.scalar[s], opaque_on[s]);
                    const int written = larger(writer, opaque_any);
                    if ((sides & mask_of(static_cast<side>(s))) == 0 || cached < 0 || written < cached) {
                        continue;
                    }
                    if (b == e.buffer && r.writer == written && r.writer == cached) {
                        const effect& w = g.effects[r.writer_effect];
                        const kernel_desc& wk = g.kernels[r.writer];
                        const bool alone = sides_of(wk, w) == mask_of(static_cast<side>(s)) && w.how == via::scalar;
                        if (alone && scope_of(l, wk, static_cast<side>(s), w.partition, kernel, static_cast<side>(s),
                                              e.partition) == hazard_scope::core) {
                            continue; // the core reads back its own writes
                        }
                    }
                    const int lines = b == e.buffer ? m.records[b].lines : 0;
                    if (!detail::flushed_since(m, s, cached, k, e.buffer, lines)) {
                        add_lines(m.before[s][k], e.buffer, lines);
                    }
                }
            }
        }
        for (int i = 0; i < end; ++i) {
            const effect& e = g.effects[kernel.first_effect + i];
            cache_record& r = m.records[e.buffer];
            const side_mask sides = sides_of(kernel, e);
            for (int s = 0; s < 2; ++s) {
                if (uses_scalar(e.how) && (sides & mask_of(static_cast<side>(s))) != 0) {
                    r.scalar[s] = k;
                }
            }
            if (writes(e.what) && sides != 0) {
                r.writer = k;
                r.writer_effect = kernel.first_effect + i;
            }
        }
        if (kernel.opaque) {
            opaque_any = k;
            for (int s = 0; s < 2; ++s) {
                opaque_on[s] = runs_on(kernel.type, static_cast<side>(s)) ? k : opaque_on[s];
            }
        }
    }
}

} // namespace skt
