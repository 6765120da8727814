/// @file
/// Which kernels must be ordered, and how widely. Plain values. Device-safe.
///
/// Per buffer the accesses, in list order, fall into runs whose members commute: reads, accumulations, or a single
/// write. Every member of a run conflicts with every member of the run before it, so order between neighbouring runs
/// implies all other order.
#pragma once

#include <skt/model/graph.hpp>
#include <skt/model/launch.hpp>

namespace skt {

constexpr int larger(int a, int b)
{
    return a > b ? a : b;
}

/// Read after write, write after read, write after write.
enum class hazard_kind : std::uint8_t { raw, war, waw };
constexpr const char* to_string(hazard_kind k)
{
    return k == hazard_kind::raw ? "raw" : k == hazard_kind::war ? "war" : "waw";
}

/// How much of the source must be done before a core of the target may start.
enum class hazard_scope : std::uint8_t {
    core, ///< The source's work in the same AI core (on one side: on the very same core).
    all   ///< The source's work on all cores.
};
constexpr const char* to_string(hazard_scope s)
{
    return s == hazard_scope::core ? "block" : "all";
}

/// One conflict between two kernels on one side each.
struct hazard {
    hazard_kind kind = hazard_kind::raw;
    int buffer = -1; ///< The target's buffer; -1 where an opaque kernel may touch any.
    int from = -1;
    int to = -1;
    side from_side = side::aic;
    side to_side = side::aic;
    hazard_scope scope = hazard_scope::all;
    bool by_write_pipe = false; ///< The source is done when its DMA writes are: true if it wrote, and by DMA alone.
    int from_effect = -1;       ///< The source's effect; -1 for an opaque kernel.
    int to_effect = -1;         ///< The target's effect; -1 for an opaque kernel.
};

/// The sides on which kernel `k` has effect `e`.
constexpr side_mask sides_of(const kernel_desc& k, const effect& e)
{
    return static_cast<side_mask>(e.sides & (runs_on(k.type, side::aic) ? on_aic_bit : 0)) |
           static_cast<side_mask>(e.sides & (runs_on(k.type, side::aiv) ? on_aiv_bit : 0));
}

/// Every side a kernel runs on.
constexpr side_mask sides_of(const kernel_desc& k)
{
    return static_cast<side_mask>((runs_on(k.type, side::aic) ? on_aic_bit : 0) |
                                  (runs_on(k.type, side::aiv) ? on_aiv_bit : 0));
}

/// How widely kernel `a` on side `sa` must be done before kernel `b` on side `sb` starts, given the partitions (or -1)
/// by which they touch the data in conflict.
constexpr hazard_scope scope_of(launch_shape l, const kernel_desc& a, side sa, int partition_a, const kernel_desc& b,
                                side sb, int partition_b)
{
    if (a.dynamic || b.dynamic) {
        return hazard_scope::all;
    }
    const core_range ra = cores_of(a, l, sa);
    const core_range rb = cores_of(b, l, sb);
    const bool one_slice_each = partition_a >= 0 && partition_a == partition_b;
    if (sa == sb) {
        return ra == rb && (one_slice_each || ra.count == 1) ? hazard_scope::core : hazard_scope::all;
    }
    const core_range v = sa == side::aiv ? ra : rb;
    const core_range c = sa == side::aiv ? rb : ra;
    const int per_core = aiv_per_ai_core(l);
    const bool both_in_first = c.count == 1 && v.first + (v.count - 1) * v.stride < per_core;
    const bool block_by_block = one_slice_each && v.count == c.count && (v.stride == per_core || v.count == 1);
    return both_in_first || block_by_block ? hazard_scope::core : hazard_scope::all;
}

/// One access as the hazard walk remembers it.
struct access_record {
    int kernel = -1;
    int effect = -1; ///< -1: the whole of an opaque kernel, or of a kernel as an opaque one sees it.
    int next = -1;   ///< Next record of the same run.
};

/// Two neighbouring runs of one buffer.
struct access_runs {
    int current = -1;         ///< First record of the newest run.
    int previous = -1;        ///< First record of the run before.
    access what = access::in; ///< The newest: in: reads; accumulate: accumulations; out: one kernel that writes.
    access previous_what = access::in;
    side_mask sides = 0;          ///< Sides of the newest run's members.
    side_mask previous_sides = 0; ///< Sides of the members of the run before.
    bool scalar = false;          ///< The newest run touches the buffer by scalar, and later kernels may be the first
                                  ///< to tell whether it must be flushed.
    bool previous_scalar = false; ///< The same of the run before.
    bool listed = false;          ///< In the list of buffers that overlap others and have been touched.
    int next = -1;                ///< Next buffer in that list.
};

/// Memory of the hazard walk; arrays belong to the caller.
struct hazard_memory {
    access_record* records = nullptr; ///< effect_count + kernel_count of them.
    access_runs* runs = nullptr;      ///< buffer_count + 1 of them.
};

namespace detail {

/// The class of run an access belongs to.
constexpr access run_class(access a)
{
    return a == access::in || a == access::accumulate ? a : access::out;
}

/// Whether an access reads besides writing, so that its end is not the end of its writes alone.
constexpr bool reads_back(access a)
{
    return a == access::in || a == access::inout || a == access::opaque;
}

constexpr hazard_kind kind_of(access from, access to)
{
    return !writes(to) ? hazard_kind::raw : !writes(from) ? hazard_kind::war : hazard_kind::waw;
}

/// An access as its run sees it: in a run of a writing kernel everything that kernel does counts as written.
constexpr access seen_as(access run, access what)
{
    return run == access::out && run_class(what) != access::out ? access::inout : what;
}

/// The access that one record stands for.
constexpr access access_of(const graph& g, int kernel, int effect_index)
{
    return effect_index >= 0 ? g.effects[effect_index].what : g.kernels[kernel].opaque ? access::opaque : access::in;
}

constexpr side_mask sides_of(const graph& g, int kernel, int effect_index)
{
    const kernel_desc& k = g.kernels[kernel];
    if (effect_index >= 0) {
        return skt::sides_of(k, g.effects[effect_index]);
    }
    if (k.opaque) {
        return skt::sides_of(k);
    }
    side_mask touched = 0; // what an opaque kernel must respect is what is declared
    for (int e = k.first_effect; e < k.first_effect + k.effect_count; ++e) {
        touched = static_cast<side_mask>(touched | skt::sides_of(k, g.effects[e]));
    }
    return touched;
}

/// Whether everything that a record stands for on side `s` is done when the DMA writes are.
constexpr bool ends_with_writes(const graph& g, int kernel, int effect_index, side s, access as_seen)
{
    if (effect_index >= 0) {
        return g.effects[effect_index].how == via::dma && !reads_back(as_seen);
    }
    const kernel_desc& k = g.kernels[kernel];
    bool writes_alone = !k.opaque;
    for (int e = k.first_effect; writes_alone && e < k.first_effect + k.effect_count; ++e) {
        writes_alone = (skt::sides_of(k, g.effects[e]) & mask_of(s)) == 0 ||
                       (g.effects[e].how == via::dma && !reads_back(g.effects[e].what));
    }
    return writes_alone;
}

/// The partition that two effects share, or -1. Slices of different buffers need not coincide, even where the buffers
/// overlap.
constexpr int common_partition(const graph& g, int a, int b)
{
    return a >= 0 && b >= 0 && g.effects[a].buffer == g.effects[b].buffer &&
                   g.effects[a].partition == g.effects[b].partition
               ? g.effects[a].partition
               : -1;
}

/// The pairs of a side of the source and a side of the target, as bits.
constexpr int side_pairs(side_mask from, side_mask to)
{
    return ((from & on_aic_bit) != 0 ? to : 0) | ((from & on_aiv_bit) != 0 ? to << 2 : 0);
}

/// Reports the hazards from the records of a run into one access, newest source first; answers whether the run holds
/// the access's own kernel. Stops once older sources are implied: a side that waits for a newer kernel on all cores
/// waits for the older ones as well. Sources with scalar accesses are all named to the first kernel that makes their
/// flush needed.
template <class Sink>
constexpr bool report_run(const graph& g, launch_shape l, const hazard_memory& m, int first, access run_what,
                          side_mask run_sides, bool& run_scalar, access what, int buffer, int to, int to_effect,
                          Sink& sink)
{
    bool saw_self = false;
    int open = side_pairs(run_sides, sides_of(g, to, to_effect));
    const side_mask to_sides = sides_of(g, to, to_effect);
    bool all_flushed = true;
    const access to_what = seen_as(what, access_of(g, to, to_effect));
    int newest = -1; // kernel of the record before: all its records count
    for (int r = first; r >= 0; r = m.records[r].next) {
        const int from = m.records[r].kernel;
        if (!run_scalar && open == 0 && from != newest) {
            break;
        }
        newest = from;
        if (from == to) {
            saw_self = true;
            continue;
        }
        const int from_effect = m.records[r].effect;
        const side_mask from_sides = sides_of(g, from, from_effect);
        const access from_what = seen_as(run_what, access_of(g, from, from_effect));
        const int partition = common_partition(g, from_effect, to_effect);
        for (int s = 0; s < 4; ++s) {
            const side from_side = s < 2 ? side::aic : side::aiv;
            const side to_side = s % 2 == 0 ? side::aic : side::aiv;
            if ((from_sides & mask_of(from_side)) != 0 && (to_sides & mask_of(to_side)) != 0) {
                hazard h{};
                h.kind = kind_of(from_what, to_what);
                h.buffer = buffer;
                h.from = from;
                h.to = to;
                h.from_side = from_side;
                h.to_side = to_side;
                h.scope = scope_of(l, g.kernels[from], from_side, partition, g.kernels[to], to_side, partition);
                h.by_write_pipe = ends_with_writes(g, from, from_effect, from_side, from_what);
                h.from_effect = from_effect;
                h.to_effect = to_effect;
                sink(h);
                const bool wide = h.scope == hazard_scope::all;
                open &= wide ? ~side_pairs(mask_of(from_side), mask_of(to_side)) : ~0;
                all_flushed = all_flushed &&
                              (wide || from_side != to_side || to_effect < 0 || uses_dma(g.effects[to_effect].how));
            }
        }
    }
    run_scalar = run_scalar && (saw_self || !all_flushed);
    return saw_self;
}

/// Reports the hazards of one access against the runs of one buffer.
template <class Sink>
constexpr void report_against(const graph& g, launch_shape l, const hazard_memory& m, access_runs& runs, access what,
                              int buffer, int kernel, int effect_index, Sink& sink)
{
    const bool joins = runs.current >= 0 && runs.what == what && what != access::out;
    if (joins || report_run(g, l, m, runs.current, runs.what, runs.sides, runs.scalar, what, buffer, kernel,
                            effect_index, sink)) {
        report_run(g, l, m, runs.previous, runs.previous_what, runs.previous_sides, runs.previous_scalar, what, buffer,
                   kernel, effect_index, sink);
    }
}

/// Adds an access to the runs of its buffer.
constexpr void record(const graph& g, const hazard_memory& m, access_runs& runs, access what, int kernel,
                      int effect_index, int slot)
{
    const side_mask sides = sides_of(g, kernel, effect_index);
    const bool scalar = effect_index < 0 || uses_scalar(g.effects[effect_index].how);
    m.records[slot].kernel = kernel;
    m.records[slot].effect = effect_index;
    if (runs.current >= 0 && runs.what == what && (what != access::out || m.records[runs.current].kernel == kernel)) {
        m.records[slot].next = runs.current;
        runs.sides = static_cast<side_mask>(runs.sides | sides);
        runs.scalar = runs.scalar || scalar;
    } else {
        runs.previous_sides = runs.sides;
        runs.previous_scalar = runs.scalar;
        runs.sides = sides;
        runs.scalar = scalar;
        runs.previous = runs.current;
        runs.previous_what = runs.what;
        runs.what = what;
        m.records[slot].next = -1;
    }
    runs.current = slot;
}

/// The class of effect `e` of a kernel whose effects are [begin, end): a kernel that touches one buffer in different
/// ways counts as writing it.
constexpr access class_in_kernel(const graph& g, const kernel_desc& kernel, int begin, int end, int e)
{
    const access own = run_class(g.effects[e].what);
    for (int other = begin; other < end; ++other) {
        if (g.effects[other].buffer == g.effects[e].buffer && run_class(g.effects[other].what) != own &&
            skt::sides_of(kernel, g.effects[other]) != 0) {
            return access::out;
        }
    }
    return own;
}

/// Whether every buffer that overlaps `y` overlaps `x` too, given that no two buffers share a region.
constexpr bool lies_within(const buffer_desc& y, const buffer_desc& x)
{
    return y.temp && x.temp && x.offset <= y.offset && y.offset + y.bytes <= x.offset + x.bytes;
}

/// Forgets buffers that lie within `x`, which kernel `k` has just written: whoever touches them next touches `x`. Lines
/// that a scalar unit wrote keep their buffer, as their flush is told by its name.
constexpr void forget_within(const graph& g, const hazard_memory& m, int& head, int x, int k)
{
    int before = -1;
    for (int y = head; y >= 0;) {
        access_runs& runs = m.runs[y];
        const int next = runs.next;
        if (y != x && !runs.scalar && !runs.previous_scalar && m.records[runs.current].kernel != k &&
            lies_within(g.buffers[y], g.buffers[x])) {
            (before < 0 ? head : m.runs[before].next) = next;
            runs = access_runs{};
        } else {
            before = y;
        }
        y = next;
    }
}

} // namespace detail

/// Calls `sink(hazard)` for every hazard that is not implied by others, in order of the later kernel.
template <class Sink>
constexpr void for_each_hazard(const graph& g, launch_shape l, const hazard_memory& m, Sink& sink)
{
    bool any_opaque = false;
    for (int k = 0; k < g.kernel_count; ++k) {
        any_opaque = any_opaque || g.kernels[k].opaque;
    }
    bool any_alias = false;
    for (int b = 0; b < g.buffer_count; ++b) {
        any_alias = any_alias || g.buffers[b].region != b;
    }
    access_runs& anything = m.runs[g.buffer_count];
    int overlapping = -1; // list of touched buffers that overlap others
    int slot = 0;
    for (int k = 0; k < g.kernel_count; ++k) {
        const kernel_desc& kernel = g.kernels[k];
        const int begin = kernel.first_effect;
        const int end = kernel.opaque ? begin : begin + kernel.effect_count;
        for (int e = begin; e < end; ++e) {
            if (sides_of(kernel, g.effects[e]) == 0) {
                continue; // declared for a side that the kernel does not have
            }
            const int buffer = g.effects[e].buffer;
            const access what = detail::class_in_kernel(g, kernel, begin, end, e);
            detail::report_against(g, l, m, m.runs[buffer], what, buffer, k, e, sink);
            if (g.buffers[buffer].shared) {
                for (int other = overlapping; other >= 0; other = m.runs[other].next) {
                    if (other != buffer && overlap(g.buffers[buffer], g.buffers[other])) {
                        detail::report_against(g, l, m, m.runs[other], what, buffer, k, e, sink);
                    }
                }
            }
        }
        if (any_opaque && detail::sides_of(g, k, -1) != 0) {
            const access what = kernel.opaque ? access::out : access::in;
            detail::report_against(g, l, m, anything, what, -1, k, -1, sink);
            detail::record(g, m, anything, what, k, -1, slot++);
        }
        for (int e = begin; e < end; ++e) {
            if (sides_of(kernel, g.effects[e]) == 0) {
                continue;
            }
            const int buffer = g.effects[e].buffer;
            access_runs& runs = m.runs[buffer];
            detail::record(g, m, runs, detail::class_in_kernel(g, kernel, begin, end, e), k, e, slot++);
            if (g.buffers[buffer].shared && !runs.listed) {
                runs.listed = true;
                runs.next = overlapping;
                overlapping = buffer;
            }
        }
        for (int e = begin; e < end && overlapping >= 0 && !any_alias; ++e) {
            const int buffer = g.effects[e].buffer;
            if (g.buffers[buffer].shared && sides_of(kernel, g.effects[e]) != 0 && m.runs[buffer].what == access::out) {
                detail::forget_within(g, m, overlapping, buffer, k);
            }
        }
    }
}

} // namespace skt
