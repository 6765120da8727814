/// @file
/// Where barriers go: the fewest that give every kernel what its hazards need. Plain values. Device-safe.
///
/// A barrier that is not needed yet can always be put off, keeping the order of barriers, and knows more later. So
/// barriers are placed only where a kernel's needs are unmet, and a search over the undominated states of knowledge
/// finds the fewest.
#pragma once

#include <skt/plan/knowledge.hpp>

namespace skt {

/// What one kernel must know when it starts: the newest kernel per fact.
using start_need = knowledge;

/// A barrier sequence of up to three barriers, as the search tries them.
struct barrier_sequence {
    int count = 0;
    barrier_kind kinds[3] = {};
};

/// States kept per boundary. Realistic graphs have about ten that matter; adversarial ones are cut off here.
inline constexpr int frontier_capacity = 48;

/// One state of the search.
struct search_state {
    knowledge known{};
    int cost = 0;
    int trace = -1;             ///< Newest trace entry that led here.
    barrier_sequence pending{}; ///< Barriers chosen at the present boundary, not traced yet.
};

/// One choice of the search: these barriers, after the choice `before`.
struct trace_entry {
    int before = -1;
    int boundary = 0;
    barrier_sequence sequence{};
};

/// Until when somebody still needs to learn of a kernel's work, per side. What nobody needs any more does not tell
/// states apart.
struct source_life {
    int last_need[2] = {-1, -1}; ///< Last kernel that needs the work of this kernel's cube, vector side; -1: none.
    int alive_at[2] = {-1,
                       -1}; ///< This kernel or the newest before it whose work is still needed; followed and shortened.
};

/// Memory of the search; arrays belong to the caller.
struct barrier_memory {
    const start_need* needs = nullptr; ///< Per kernel.
    trace_entry* trace = nullptr;
    int trace_capacity =
        0; ///< One per kernel is the least; with `frontier_capacity` per kernel nothing is ever cut off.
    barrier* barriers = nullptr; ///< Four per kernel is always enough.
    source_life* life = nullptr; ///< One per kernel.
};

/// Collects, per kernel, what its hazards need.
struct need_sink {
    start_need* needs;
    constexpr void operator()(const hazard& h)
    {
        const fact_need n = need_of(h.from_side, h.to_side, h.scope);
        if (!n.free) {
            int& newest = needs[h.to].newest[static_cast<int>(n.what)];
            newest = larger(newest, h.from);
        }
    }
};

/// The side whose work a fact is about.
constexpr int subject_of(int f)
{
    return f >= static_cast<int>(fact::aiv_by_aiv_all) ? 1 : 0;
}

namespace detail {

/// The newest kernel up to `k` whose work on side `s` is still needed, or -1.
constexpr int newest_alive(source_life* life, int k, int s)
{
    int root = k;
    while (root >= 0 && life[root].alive_at[s] != root) {
        root = life[root].alive_at[s];
    }
    while (k >= 0 && k != root) {
        const int up = life[k].alive_at[s];
        life[k].alive_at[s] = root;
        k = up;
    }
    return root;
}

/// Forgets what nobody will ask for.
constexpr knowledge only_needed(source_life* life, const knowledge& n)
{
    return {{newest_alive(life, n.newest[0], 0), newest_alive(life, n.newest[1], 0), newest_alive(life, n.newest[2], 0),
             newest_alive(life, n.newest[3], 1), newest_alive(life, n.newest[4], 1),
             newest_alive(life, n.newest[5], 1)}};
}

constexpr void begin_life(const start_need* needs, source_life* life, int count)
{
    for (int k = 0; k < count; ++k) {
        life[k] = source_life{};
        for (int f = 0; f < fact_count; ++f) {
            const int source = needs[k].newest[f];
            if (source >= 0) {
                life[source].last_need[subject_of(f)] = k;
            }
        }
    }
    for (int k = 0; k < count; ++k) {
        for (int s = 0; s < 2; ++s) {
            life[k].alive_at[s] = life[k].last_need[s] >= 0 ? k : k - 1;
        }
    }
}

/// Kernel `k` has started: sources that only it was waiting for are of no interest any more.
constexpr void end_life(const start_need& need, source_life* life, int k)
{
    for (int f = 0; f < fact_count; ++f) {
        const int source = need.newest[f];
        if (source >= 0 && life[source].last_need[subject_of(f)] == k) {
            life[source].alive_at[subject_of(f)] = source - 1;
        }
    }
}

/// Whether a kernel with this need may start.
constexpr bool meets(const knowledge& known, const start_need& need)
{
    return covers(known, need);
}

struct frontier {
    search_state states[frontier_capacity] = {};
    int count = 0; ///< States beyond it are left from before and never read.
};

/// Adds a state unless one at least as good is there; drops those it makes useless.
constexpr void insert(frontier& f, const search_state& s)
{
    for (int i = 0; i < f.count; ++i) {
        if (f.states[i].cost <= s.cost && covers(f.states[i].known, s.known)) {
            return;
        }
    }
    int kept = 0;
    for (int i = 0; i < f.count; ++i) {
        if (!(s.cost <= f.states[i].cost && covers(s.known, f.states[i].known))) {
            if (kept != i) {
                f.states[kept] = f.states[i];
            }
            ++kept;
        }
    }
    f.count = kept;
    if (f.count == frontier_capacity) {
        // Full: the dearest state makes room, so that the cheapest plans stay in reach.
        int worst = 0;
        for (int i = 1; i < f.count; ++i) {
            worst = f.states[i].cost > f.states[worst].cost ? i : worst;
        }
        if (f.states[worst].cost > s.cost) {
            f.states[worst] = s;
        }
        return;
    }
    f.states[f.count++] = s;
}

constexpr int cheapest(const frontier& f)
{
    int best = 0;
    for (int i = 1; i < f.count; ++i) {
        best = f.states[i].cost < f.states[best].cost ? i : best;
    }
    return best;
}

/// The states of a frontier without what nobody will ask for; many become alike.
constexpr void merge(const frontier& f, frontier& out, source_life* life)
{
    out.count = 0;
    for (int i = 0; i < f.count; ++i) {
        search_state s = f.states[i];
        s.known = only_needed(life, s.known);
        insert(out, s);
    }
}

/// Tries every useful sequence of barriers from one state until the need is met.
struct extension {
    int last[2]; ///< Per side: the newest kernel before the boundary whose work is still needed.
    start_need need;
    bool possible[barrier_kind_count]; ///< Whether the launch has the cores for it.
};

constexpr void extend(const extension& x, frontier& out, const search_state& from, const knowledge& known,
                      const barrier_sequence& so_far)
{
    // all_aic and all_aiv commute: one order is enough.
    const bool after_all_aiv = so_far.count > 0 && so_far.kinds[so_far.count - 1] == barrier_kind::all_aiv;
    for (int i = after_all_aiv ? 1 : 0; i < barrier_kind_count; ++i) {
        const barrier_kind k = static_cast<barrier_kind>(i);
        const knowledge next = apply(k, known, x.last[static_cast<int>(source_of(k))]);
        if (!x.possible[i] || covers(known, next)) {
            continue;
        }
        barrier_sequence sequence = so_far;
        sequence.kinds[sequence.count++] = k;
        if (meets(next, x.need)) {
            insert(out, {next, from.cost + sequence.count, from.trace, sequence});
        } else if (sequence.count < 3) {
            extend(x, out, from, next, sequence);
        }
    }
}

} // namespace detail

/// Finds the barriers. Answers their number; they stand in execution order, `wait_at` being the boundary of the kernel
/// that needs them, `arrive_at` the same.
constexpr int place_barriers(const graph& g, launch_shape l, const barrier_memory& m)
{
    detail::frontier front{};
    front.states[0] = search_state{};
    front.count = 1;
    detail::frontier next{};
    detail::begin_life(m.needs, m.life, g.kernel_count);
    int traced = 0;
    const bool has[2] = {cores_of(l, side::aic) > 0, cores_of(l, side::aiv) > 0};
    detail::extension x{{-1, -1}, {}, {has[0], has[1], has[0] && has[1], has[0] && has[1]}};
    for (int k = 1; k < g.kernel_count; ++k) {
        x.need = m.needs[k];
        bool all_met = true;
        for (int i = 0; i < front.count; ++i) {
            all_met = all_met && detail::meets(front.states[i].known, x.need);
        }
        if (all_met) {
            detail::end_life(x.need, m.life, k);
            continue;
        }
        x.last[0] = detail::newest_alive(m.life, k - 1, 0);
        x.last[1] = detail::newest_alive(m.life, k - 1, 1);
        next.count = 0;
        for (int i = 0; i < front.count; ++i) {
            if (detail::meets(front.states[i].known, x.need)) {
                detail::insert(next, front.states[i]);
            } else {
                detail::extend(x, next, front.states[i], front.states[i].known, {});
            }
        }
        detail::end_life(x.need, m.life, k);
        detail::merge(next, front, m.life);
        if (traced + front.count + g.kernel_count - k > m.trace_capacity) {
            front.states[0] = front.states[detail::cheapest(front)];
            front.count = 1;
        }
        for (int i = 0; i < front.count; ++i) {
            search_state& s = front.states[i];
            if (s.pending.count > 0) {
                m.trace[traced] = {s.trace, k, s.pending};
                s.trace = traced++;
                s.pending.count = 0;
            }
        }
    }
    const int best = detail::cheapest(front);
    const int total = front.states[best].cost;
    int at = total;
    for (int t = front.states[best].trace; t >= 0; t = m.trace[t].before) {
        const trace_entry& e = m.trace[t];
        at -= e.sequence.count;
        for (int i = 0; i < e.sequence.count; ++i) {
            barrier& b = m.barriers[at + i];
            b = barrier{};
            b.kind = e.sequence.kinds[i];
            b.arrive_at = e.boundary;
            b.wait_at = e.boundary;
        }
    }
    return total;
}

/// The barriers of the incumbent's rule: between each two neighbours, chosen by their kinds of core alone.
constexpr int place_every_pair(const graph& g, const barrier_memory& m)
{
    int count = 0;
    for (int k = 1; k < g.kernel_count; ++k) {
        const kernel_desc& a = g.kernels[k - 1];
        const kernel_desc& b = g.kernels[k];
        const bool from_aic = runs_on(a.type, side::aic);
        const bool from_aiv = runs_on(a.type, side::aiv);
        const bool wanted[barrier_kind_count] = {from_aic, from_aiv, from_aic && runs_on(b.type, side::aiv),
                                                 from_aiv && runs_on(b.type, side::aic)};
        for (int i = 0; i < barrier_kind_count; ++i) {
            if (wanted[i]) {
                barrier& x = m.barriers[count++];
                x = barrier{};
                x.kind = static_cast<barrier_kind>(i);
                x.arrive_at = k;
                x.wait_at = k;
            }
        }
    }
    return count;
}

} // namespace skt
