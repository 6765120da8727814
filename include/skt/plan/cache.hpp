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
    int scalar[2] = {-1, -1};  ///< Per side: newest kernel whose scalar unit touched it.
    int exposed[2] = {-1, -1}; ///< Per side: newest kernel whose lines somebody has written since; -1: none.
    int own[2] = {-1, -1};     ///< Per side: the effect by which that kernel alone wrote them itself; -1: it did not.
    int carried[2] = {-1, -1}; ///< Per side: newest kernel that read back dirty lines on the core that wrote them.
    int next = -1;             ///< Next in the list of buffers that overlap others and that scalar units touch.
    bool listed = false;       ///< In that list.
    int lines = -1;            ///< Lines that any kernel's scalar unit may touch; 0: unknown, -1: none.
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
        const int s = static_cast<int>(h.from_side);
        if (!uses_scalar(from.how) || (sides_of(k, from) & mask_of(h.from_side)) == 0) {
            return;
        }
        cache_record& r = m->records[from.buffer];
        const bool dirty = (writes(from.what) && k.cache == cache_policy::planned) || r.carried[s] == h.from;
        if (dirty && (!same_core || seen_by_dma)) {
            add_lines(m->after[s][h.from], from.buffer, r.lines);
        } else if (dirty && h.to_effect >= 0 && g->effects[h.to_effect].buffer == from.buffer) {
            // Read back where they were written, the lines stay dirty; whoever comes next finds the reader, not the
            // writer.
            r.carried[s] = h.to;
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

namespace detail {

/// Whether lines of buffer `b` that side `s` holds may differ from what effect `e` of kernel `k` must see; forgets
/// lines that were flushed since.
constexpr bool may_be_stale(const graph& g, launch_shape l, const cache_memory& m, int s, int k, const effect& e, int b)
{
    cache_record& r = m.records[b];
    if (r.exposed[s] < 0) {
        return false;
    }
    if (b == e.buffer && r.own[s] >= 0) {
        const kernel_desc& writer = g.kernels[r.exposed[s]];
        const effect& w = g.effects[r.own[s]];
        const int partition = w.partition == e.partition ? e.partition : -1;
        if (scope_of(l, writer, static_cast<side>(s), partition, g.kernels[k], static_cast<side>(s), partition) ==
            hazard_scope::core) {
            return false; // the core reads back its own writes
        }
    }
    if (flushed_since(m, s, r.exposed[s], k, b, r.lines)) {
        r.exposed[s] = -1;
        r.own[s] = -1;
        return false;
    }
    return b != e.buffer || !flushed_since(m, s, r.exposed[s], k, e.buffer, r.lines);
}

/// Notes that kernel `k` wrote buffer `b`, by effect `e` or (-1) by itself being opaque.
constexpr void expose(const graph& g, const cache_memory& m, int k, int e, int b)
{
    cache_record& r = m.records[b];
    for (int s = 0; s < 2; ++s) {
        if (r.scalar[s] < 0) {
            continue;
        }
        const bool alone = e >= 0 && g.effects[e].buffer == b && r.scalar[s] == k && g.effects[e].how == via::scalar &&
                           sides_of(g.kernels[k], g.effects[e]) == mask_of(static_cast<side>(s));
        const bool first = r.exposed[s] < 0 || flushed_since(m, s, r.exposed[s], k, b, r.lines);
        r.own[s] = alone && first ? e : -1;
        r.exposed[s] = r.scalar[s];
    }
}

/// Notes what kernel `k` left in the caches and what it wrote.
constexpr void note_kernel(const graph& g, const cache_memory& m, int k, int& overlapping)
{
    const kernel_desc& kernel = g.kernels[k];
    const int end = kernel.first_effect + (kernel.opaque ? 0 : kernel.effect_count);
    for (int i = kernel.first_effect; i < end; ++i) {
        const effect& e = g.effects[i];
        for (int s = 0; s < 2; ++s) {
            if (uses_scalar(e.how) && (sides_of(kernel, e) & mask_of(static_cast<side>(s))) != 0) {
                cache_record& r = m.records[e.buffer];
                r.scalar[s] = k;
                if (g.buffers[e.buffer].shared && !r.listed) {
                    r.listed = true;
                    r.next = overlapping;
                    overlapping = e.buffer;
                }
            }
        }
    }
    for (int i = kernel.first_effect; i < end; ++i) {
        const effect& e = g.effects[i];
        if (!writes(e.what) || sides_of(kernel, e) == 0) {
            continue;
        }
        if (!g.buffers[e.buffer].shared) {
            expose(g, m, k, i, e.buffer);
            continue;
        }
        for (int b = overlapping; b >= 0; b = m.records[b].next) {
            if (overlap(g.buffers[e.buffer], g.buffers[b])) {
                expose(g, m, k, i, b);
            }
        }
    }
    for (int b = 0; kernel.opaque && b < g.buffer_count; ++b) {
        expose(g, m, k, -1, b);
    }
}

} // namespace detail

/// Adds, as few and as late as possible, the flushes that keep scalar accesses from hitting stale lines.
constexpr void plan_stale_lines(const graph& g, launch_shape l, const cache_memory& m)
{
    bool any_scalar = false;
    for (int i = 0; i < g.effect_count; ++i) {
        any_scalar = any_scalar || uses_scalar(g.effects[i].how);
    }
    int opaque_on[2] = {-1, -1};
    int overlapping = -1; // list of buffers that overlap others and that scalar units have touched
    for (int k = 0; any_scalar && k < g.kernel_count; ++k) {
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
            for (int s = 0; s < 2; ++s) {
                if ((sides & mask_of(static_cast<side>(s))) == 0) {
                    continue;
                }
                const int own_lines = m.records[e.buffer].lines;
                if (opaque_on[s] >= 0 && !detail::flushed_since(m, s, opaque_on[s], k, e.buffer, own_lines)) {
                    add_lines(m.before[s][k], e.buffer, own_lines);
                }
                for (int b = shared ? overlapping : e.buffer; b >= 0; b = shared ? m.records[b].next : -1) {
                    if (overlap(g.buffers[e.buffer], g.buffers[b]) && detail::may_be_stale(g, l, m, s, k, e, b)) {
                        add_lines(m.before[s][k], e.buffer, b == e.buffer ? own_lines : 0);
                    }
                }
            }
        }
        detail::note_kernel(g, m, k, overlapping);
        for (int s = 0; kernel.opaque && s < 2; ++s) {
            opaque_on[s] = runs_on(kernel.type, static_cast<side>(s)) ? k : opaque_on[s];
        }
    }
}

} // namespace skt
