/// @file
/// What each side knows of the other's work, and how barriers spread it. Plain values. Device-safe.
///
/// Per source side and knowing side there are levels: the source's work in the knower's own AI core, or on all cores.
/// What is known of a kernel is known of every earlier kernel of that side, so one index per level says everything. A
/// side always knows its own core.
#pragma once

#include <skt/plan/hazard.hpp>
#include <skt/plan/program.hpp>

namespace skt {

/// The facts: newest kernel whose work on one side is known to another side at a level.
enum class fact : std::uint8_t {
    aic_by_aic_all,  ///< Cube work everywhere, known to the cube side.
    aic_by_aiv_core, ///< Cube work of the AI core, known to its vector cores.
    aic_by_aiv_all,  ///< Cube work everywhere, known to the vector side.
    aiv_by_aiv_all,
    aiv_by_aic_core,
    aiv_by_aic_all
};
inline constexpr int fact_count = 6;

/// One kernel index per fact; -1 where nothing is known.
struct knowledge {
    int newest[fact_count] = {-1, -1, -1, -1, -1, -1};
    constexpr int operator[](fact f) const { return newest[static_cast<int>(f)]; }
};

/// Whether `a` knows at least what `b` does.
constexpr bool covers(const knowledge& a, const knowledge& b)
{
    return a.newest[0] >= b.newest[0] && a.newest[1] >= b.newest[1] && a.newest[2] >= b.newest[2] &&
           a.newest[3] >= b.newest[3] && a.newest[4] >= b.newest[4] && a.newest[5] >= b.newest[5];
}

/// The fact that a hazard needs; `free` is true where program order on one core is enough.
struct fact_need {
    fact what = fact::aic_by_aic_all;
    bool free = false;
};
constexpr fact_need need_of(side from, side to, hazard_scope scope)
{
    if (from == to) {
        return {from == side::aic ? fact::aic_by_aic_all : fact::aiv_by_aiv_all, scope == hazard_scope::core};
    }
    if (from == side::aic) {
        return {scope == hazard_scope::core ? fact::aic_by_aiv_core : fact::aic_by_aiv_all, false};
    }
    return {scope == hazard_scope::core ? fact::aiv_by_aic_core : fact::aiv_by_aic_all, false};
}

/// The fact that a barrier establishes by itself, up to the kernel before its arrival.
constexpr fact direct_fact(barrier_kind k)
{
    switch (k) {
    case barrier_kind::all_aic:
        return fact::aic_by_aic_all;
    case barrier_kind::all_aiv:
        return fact::aiv_by_aiv_all;
    case barrier_kind::aic_to_aiv:
        return fact::aic_by_aiv_core;
    case barrier_kind::aiv_to_aic:
        return fact::aiv_by_aic_core;
    }
    return fact::aic_by_aic_all;
}

/// A fact that a barrier hands on: who knew `given` before it knows `gained` after it.
struct lift {
    fact gained;
    fact given;
};
/// The lifts of a barrier. Those of all-core barriers have one, listed twice.
struct lift_pair {
    lift of[2];
};
constexpr lift_pair lifts_of(barrier_kind k)
{
    switch (k) {
    case barrier_kind::all_aic:
        return {{{fact::aiv_by_aic_all, fact::aiv_by_aic_core}, {fact::aiv_by_aic_all, fact::aiv_by_aic_core}}};
    case barrier_kind::all_aiv:
        return {{{fact::aic_by_aiv_all, fact::aic_by_aiv_core}, {fact::aic_by_aiv_all, fact::aic_by_aiv_core}}};
    case barrier_kind::aic_to_aiv:
        return {{{fact::aic_by_aiv_all, fact::aic_by_aic_all}, {fact::aiv_by_aiv_all, fact::aiv_by_aic_all}}};
    case barrier_kind::aiv_to_aic:
        return {{{fact::aiv_by_aic_all, fact::aiv_by_aiv_all}, {fact::aic_by_aic_all, fact::aic_by_aiv_all}}};
    }
    return {{{fact::aic_by_aic_all, fact::aic_by_aic_all}, {fact::aic_by_aic_all, fact::aic_by_aic_all}}};
}

/// What is known after barrier `k` at the boundary behind kernel `last`.
constexpr knowledge apply(barrier_kind k, const knowledge& n, int last)
{
    const int* w = n.newest;
    switch (k) {
    case barrier_kind::all_aic:
        return {{last, w[1], w[2], w[3], w[4], larger(w[5], w[4])}};
    case barrier_kind::all_aiv:
        return {{w[0], w[1], larger(w[2], w[1]), last, w[4], w[5]}};
    case barrier_kind::aic_to_aiv:
        return {{w[0], last, larger(w[2], w[0]), larger(w[3], w[5]), w[4], w[5]}};
    case barrier_kind::aiv_to_aic:
        return {{larger(w[0], w[2]), w[1], w[2], w[3], last, larger(w[5], w[3])}};
    }
    return n;
}

} // namespace skt
