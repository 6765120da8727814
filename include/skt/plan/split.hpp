/// @file
/// Splits placed barriers: arrive as early, wait as late as the needs allow. Plain values. Device-safe.
#pragma once

#include <skt/model/reset.hpp>
#include <skt/plan/barrier.hpp>

namespace skt {

/// What one barrier has to hand on, beside its direct fact.
struct barrier_duty {
    int lifted[2] = {-1, -1}; ///< Newest kernel that each lift must carry; -1: the lift is not relied on.
};

/// Memory of the split; arrays belong to the caller, one entry per barrier.
struct split_memory {
    barrier_duty* duties = nullptr;
    knowledge* before = nullptr; ///< What was known just before each barrier.
};

namespace detail {

/// Newest barrier that gives `newest` of a fact; the last few givers of each fact are kept, oldest first.
struct giver_list {
    int barrier[4] = {-1, -1, -1, -1};
    int newest[4] = {-1, -1, -1, -1};
};

constexpr void give(giver_list& g, int barrier_index, int newest)
{
    for (int i = 0; i < 3; ++i) {
        g.barrier[i] = g.barrier[i + 1];
        g.newest[i] = g.newest[i + 1];
    }
    g.barrier[3] = barrier_index;
    g.newest[3] = newest;
}

constexpr int giver_of(const giver_list& g, int needed)
{
    for (int i = 0; i < 4; ++i) {
        if (g.barrier[i] >= 0 && g.newest[i] >= needed) {
            return g.barrier[i];
        }
    }
    return -1;
}

constexpr void wait_by(barrier& b, int boundary)
{
    b.wait_at = b.wait_at < boundary ? b.wait_at : boundary;
}

/// A barrier that arrives late enough may be asked for newer sources than it was placed for.
constexpr void rely_on(barrier& b, fact f, int newest)
{
    b.source = f == direct_fact(b.kind) ? larger(b.source, newest) : b.source;
}

/// Walks back from the last kernel and finds, per barrier, the oldest source that still serves every need.
constexpr void assign_duties(const graph& g, const start_need* needs, barrier* barriers, int count,
                             const split_memory& m)
{
    knowledge required{};
    int next = count - 1;
    for (int k = g.kernel_count - 1; k >= 0; --k) {
        for (int f = 0; f < fact_count; ++f) {
            required.newest[f] = larger(required.newest[f], needs[k].newest[f]);
        }
        for (; next >= 0 && barriers[next].wait_at == k; --next) {
            barrier& b = barriers[next];
            barrier_duty& duty = m.duties[next];
            duty = barrier_duty{};
            int& direct = required.newest[static_cast<int>(direct_fact(b.kind))];
            b.source = direct;
            direct = -1;
            const lift_pair lifts = lifts_of(b.kind);
            for (int i = 0; i < 2; ++i) {
                int& gained = required.newest[static_cast<int>(lifts.of[i].gained)];
                if (gained > m.before[next][lifts.of[i].gained]) {
                    int& given = required.newest[static_cast<int>(lifts.of[i].given)];
                    given = larger(given, gained);
                    duty.lifted[i] = gained;
                    gained = -1;
                }
            }
        }
    }
}

} // namespace detail

/// Moves the halves of the barriers apart. On entry each barrier stands whole at the boundary in `wait_at`.
constexpr void split_barriers(const graph& g, const start_need* needs, barrier* barriers, int count,
                              const split_memory& m)
{
    knowledge known{};
    for (int i = 0; i < count; ++i) {
        m.before[i] = known;
        known = apply(barriers[i].kind, known, barriers[i].wait_at - 1);
    }
    detail::assign_duties(g, needs, barriers, count, m);

    detail::giver_list givers[fact_count] = {};
    reset(givers);
    int next = 0;
    for (int k = 0; k < g.kernel_count; ++k) {
        for (; next < count && barriers[next].wait_at == k; ++next) {
            barrier& b = barriers[next];
            const barrier_duty& duty = m.duties[next];
            const lift_pair lifts = lifts_of(b.kind);
            b.arrive_at = b.source + 1;
            int from[2] = {-1, -1};
            for (int i = 0; i < 2; ++i) {
                if (duty.lifted[i] >= 0) {
                    from[i] = detail::giver_of(givers[static_cast<int>(lifts.of[i].given)], duty.lifted[i]);
                }
                if (from[i] >= 0) {
                    detail::rely_on(barriers[from[i]], lifts.of[i].given, duty.lifted[i]);
                    b.after = larger(b.after, from[i]);
                    b.arrive_at = larger(b.arrive_at, barriers[from[i]].arrive_at);
                }
            }
            for (int i = 0; i < 2; ++i) {
                if (from[i] >= 0) {
                    detail::wait_by(barriers[from[i]], b.arrive_at);
                    detail::give(givers[static_cast<int>(lifts.of[i].gained)], next, duty.lifted[i]);
                }
            }
            detail::give(givers[static_cast<int>(direct_fact(b.kind))], next, b.arrive_at - 1);
            b.wait_at = g.kernel_count; // as late as the needs found below allow
        }
        for (int f = 0; f < fact_count; ++f) {
            if (needs[k].newest[f] >= 0) {
                const int giver = detail::giver_of(givers[f], needs[k].newest[f]);
                if (giver >= 0) {
                    detail::rely_on(barriers[giver], static_cast<fact>(f), needs[k].newest[f]);
                    detail::wait_by(barriers[giver], k);
                }
            }
        }
    }
    for (int i = 0; i < count; ++i) {
        if (barriers[i].wait_at == g.kernel_count) {
            barriers[i].wait_at = barriers[i].arrive_at;
        }
    }
}

} // namespace skt
