/// @file
/// Why the steps of a program are there: which barriers order which hazard, and what each flush is for. Host only.
///
/// The reasons are read off the program by walking it, as the prover does, so that they also hold for programs that
/// were edited by hand and for the incumbent's policy.
#pragma once

#include <skt/host/plan.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace skt::report {

/// One hazard and what orders it.
struct hazard_reason {
    hazard what;
    bool on_one_core = false;  ///< Program order on the core is enough.
    bool ordered = false;      ///< Something orders it.
    std::vector<int> barriers; ///< The barriers that order it, in the order they take effect.
};

/// All reasons of a plan.
struct reasons {
    std::vector<hazard_reason> hazards;        ///< In the order of `planned::hazards`.
    std::vector<std::vector<int>> into;        ///< Per kernel: hazards into it, as indices into `hazards`.
    std::vector<std::vector<int>> demanded_by; ///< Per barrier: hazards, as indices into `hazards`, that it orders.
    std::vector<std::vector<int>> waits_at;    ///< Per boundary: barriers waited for there.
    std::vector<std::vector<int>> arrivals_at; ///< Per boundary: barriers arrived at there.
};

namespace detail {

/// What the sides of a walked program know, and from which barrier.
class knowledge_walk {
public:
    explicit knowledge_walk(std::size_t barriers) : sent_(barriers) {}

    /// A side sets the flag of a barrier behind kernel `last`.
    void arrive(const step& x)
    {
        sending& s = sent_[static_cast<std::size_t>(x.barrier)];
        s.made = true;
        s.last = x.kernel;
        const lift_pair lifts = lifts_of(x.kind);
        for (std::size_t i = 0; i < 2; ++i) {
            s.given[i] = newest(lifts.of[i].given);
        }
    }
    bool arrived(int barrier) const { return sent_[static_cast<std::size_t>(barrier)].made; }

    /// A side waits for the flag of a barrier.
    void wait(const step& x)
    {
        const sending& s = sent_[static_cast<std::size_t>(x.barrier)];
        learn(direct_fact(x.kind), {x.barrier, s.last, -1});
        const lift_pair lifts = lifts_of(x.kind);
        for (std::size_t i = 0; i < 2; ++i) {
            learn(lifts.of[i].gained, {x.barrier, s.given[i], static_cast<int>(lifts.of[i].given)});
        }
    }

    /// The barriers through which `f` came to hold for kernel `k`; empty if it does not hold.
    std::vector<int> chain(fact f, int k) const
    {
        std::vector<int> out;
        int at = static_cast<int>(f);
        while (at >= 0) {
            const std::vector<learned>& list = known_[static_cast<std::size_t>(at)];
            const auto first =
                std::partition_point(list.begin(), list.end(), [k](const learned& x) { return x.newest < k; });
            if (first == list.end()) {
                return {};
            }
            out.push_back(first->barrier);
            at = first->given;
        }
        std::reverse(out.begin(), out.end());
        return out;
    }

private:
    struct sending {
        bool made = false;
        int last = -1;
        int given[2] = {-1, -1};
    };
    struct learned {
        int barrier;
        int newest;
        int given; ///< The fact this was lifted from, or -1.
    };
    int newest(fact f) const
    {
        const std::vector<learned>& list = known_[static_cast<std::size_t>(f)];
        return list.empty() ? -1 : list.back().newest;
    }
    void learn(fact f, learned x)
    {
        if (x.newest > newest(f)) {
            known_[static_cast<std::size_t>(f)].push_back(x);
        }
    }

    std::vector<sending> sent_;
    std::vector<learned> known_[fact_count];
};

} // namespace detail

/// Finds for every hazard of `p` what orders it.
inline reasons reasons_of(const graph& g, const host::planned& p)
{
    reasons out;
    out.hazards.reserve(p.hazards.size());
    for (const hazard& h : p.hazards) {
        out.hazards.push_back({h, need_of(h.from_side, h.to_side, h.scope).free, false, {}});
    }
    out.into.resize(static_cast<std::size_t>(g.kernel_count));
    for (std::size_t i = 0; i < p.hazards.size(); ++i) {
        out.into[static_cast<std::size_t>(p.hazards[i].to)].push_back(static_cast<int>(i));
    }
    out.waits_at.resize(static_cast<std::size_t>(g.kernel_count + 1));
    out.arrivals_at.resize(static_cast<std::size_t>(g.kernel_count + 1));
    for (std::size_t b = 0; b < p.barriers.size(); ++b) {
        out.waits_at[static_cast<std::size_t>(p.barriers[b].wait_at)].push_back(static_cast<int>(b));
        out.arrivals_at[static_cast<std::size_t>(p.barriers[b].arrive_at)].push_back(static_cast<int>(b));
    }
    std::size_t barriers = p.barriers.size();
    for (const std::vector<step>& steps : p.steps) {
        for (const step& x : steps) {
            barriers = std::max(barriers, static_cast<std::size_t>(x.barrier + 1));
        }
    }
    out.demanded_by.resize(barriers);

    std::vector<std::vector<std::size_t>> into[2]; // per side and kernel: its hazards
    for (int s = 0; s < 2; ++s) {
        into[s].resize(static_cast<std::size_t>(g.kernel_count));
    }
    for (std::size_t i = 0; i < p.hazards.size(); ++i) {
        const hazard& h = p.hazards[i];
        into[static_cast<int>(h.to_side)][static_cast<std::size_t>(h.to)].push_back(i);
    }

    detail::knowledge_walk walk(barriers);
    std::size_t at[2] = {0, 0};
    for (bool moved = true; moved;) {
        moved = false;
        for (int s = 0; s < 2; ++s) {
            for (; at[s] < p.steps[s].size(); ++at[s], moved = true) {
                const step& x = p.steps[s][at[s]];
                if (x.what == op::wait && !walk.arrived(x.barrier)) {
                    break;
                }
                if (x.what == op::arrive) {
                    walk.arrive(x);
                } else if (x.what == op::wait) {
                    walk.wait(x);
                } else if (x.what == op::call) {
                    for (const std::size_t i : into[s][static_cast<std::size_t>(x.kernel)]) {
                        hazard_reason& r = out.hazards[i];
                        if (!r.on_one_core) {
                            r.barriers =
                                walk.chain(need_of(r.what.from_side, r.what.to_side, r.what.scope).what, r.what.from);
                        }
                        r.ordered = r.on_one_core || !r.barriers.empty();
                    }
                }
            }
        }
    }
    for (std::size_t i = 0; i < out.hazards.size(); ++i) {
        for (const int b : out.hazards[i].barriers) {
            out.demanded_by[static_cast<std::size_t>(b)].push_back(static_cast<int>(i));
        }
    }
    return out;
}

/// Why a flush stands where it does.
enum class flush_cause {
    policy,            ///< A cache policy, or the debugging policy, asks for it.
    opaque,            ///< Nothing is declared about the kernel.
    dynamic,           ///< A block count is known on the device only.
    written_by_scalar, ///< The kernel's scalar writes are still in the cache and someone else needs them.
    carried_lines, ///< The kernel read back what an earlier one wrote by its scalar unit on the same core; the lines
                   ///< are still dirty and someone else needs them.
    stale_lines,   ///< The kernel's scalar reads could hit lines cached before someone else changed them.
    unknown        ///< Nothing in the graph asks for it.
};

/// One flush step and its cause.
struct flush_reason {
    side where = side::aic;
    bool after = false; ///< After `kernel`; else before it.
    int kernel = -1;
    int buffer = -1; ///< Flushed buffer; -1: the whole cache.
    int lines = 0;
    flush_cause cause = flush_cause::unknown;
    int cause_buffer = -1; ///< The buffer whose bytes are at stake, or -1.
    int cause_kernel = -1; ///< written_by_scalar, carried_lines: who needs them. stale_lines: who cached them first.
    int writer = -1;       ///< stale_lines: who changed them since. carried_lines: who wrote them.
};

namespace detail {

inline bool has_scalar_effect(const graph& g, int kernel, side s, int buffer)
{
    const kernel_desc& k = g.kernels[kernel];
    if (k.opaque) {
        return runs_on(k.type, s);
    }
    for (int i = 0; i < k.effect_count; ++i) {
        const effect& e = g.effects[k.first_effect + i];
        if (uses_scalar(e.how) && (sides_of(k, e) & mask_of(s)) != 0 &&
            overlap(g.buffers[e.buffer], g.buffers[buffer])) {
            return true;
        }
    }
    return false;
}
inline bool writes_buffer(const graph& g, int kernel, int buffer)
{
    const kernel_desc& k = g.kernels[kernel];
    if (k.opaque) {
        return true;
    }
    for (int i = 0; i < k.effect_count; ++i) {
        const effect& e = g.effects[k.first_effect + i];
        if (writes(e.what) && overlap(g.buffers[e.buffer], g.buffers[buffer])) {
            return true;
        }
    }
    return false;
}

/// The last kernel before `kernel` whose scalar unit wrote `buffer` on side `s`, or -1.
inline int scalar_writer_before(const graph& g, int kernel, side s, int buffer)
{
    for (int j = kernel - 1; j >= 0; --j) {
        const kernel_desc& k = g.kernels[j];
        for (int i = 0; i < k.effect_count; ++i) {
            const effect& e = g.effects[k.first_effect + i];
            if (e.buffer == buffer && uses_scalar(e.how) && writes(e.what) && (sides_of(k, e) & mask_of(s)) != 0) {
                return j;
            }
        }
    }
    return -1;
}

inline void explain_after(const graph& g, const std::vector<hazard>& hazards, const std::vector<int>& from,
                          flush_reason& r)
{
    const kernel_desc& k = g.kernels[r.kernel];
    for (const bool own : {true, false}) {
        for (const int index : from) {
            const hazard& h = hazards[static_cast<std::size_t>(index)];
            for (int i = 0; h.from_side == r.where && i < k.effect_count; ++i) {
                const effect& e = g.effects[k.first_effect + i];
                const bool this_one = h.from_effect < 0 || h.from_effect == k.first_effect + i;
                if (!this_one || !uses_scalar(e.how) || (r.buffer >= 0 && r.buffer != e.buffer)) {
                    continue;
                }
                if (own ? writes(e.what) : (r.writer = scalar_writer_before(g, r.kernel, r.where, e.buffer)) >= 0) {
                    r.cause = own ? flush_cause::written_by_scalar : flush_cause::carried_lines;
                    r.cause_buffer = e.buffer;
                    r.cause_kernel = h.to;
                    return;
                }
            }
        }
    }
}

inline void explain_before(const graph& g, flush_reason& r)
{
    const kernel_desc& k = g.kernels[r.kernel];
    for (int i = 0; i < k.effect_count; ++i) {
        const effect& e = g.effects[k.first_effect + i];
        if (!uses_scalar(e.how) || (sides_of(k, e) & mask_of(r.where)) == 0 ||
            (r.buffer >= 0 && r.buffer != e.buffer)) {
            continue;
        }
        int writer = -1;
        for (int j = r.kernel - 1; j >= 0; --j) {
            writer = writer < 0 && writes_buffer(g, j, e.buffer) ? j : writer;
            if (writer >= 0 && has_scalar_effect(g, j, r.where, e.buffer)) {
                r.cause = flush_cause::stale_lines;
                r.cause_buffer = e.buffer;
                r.cause_kernel = j;
                r.writer = writer;
                return;
            }
        }
    }
}

} // namespace detail

/// Finds the cause of every flush step, cube side first, in program order.
inline std::vector<flush_reason> flush_reasons_of(const graph& g, const host::planned& p)
{
    bool any_dynamic = false;
    for (int k = 0; k < g.kernel_count; ++k) {
        any_dynamic = any_dynamic || g.kernels[k].dynamic;
    }
    std::vector<std::vector<int>> from(
        static_cast<std::size_t>(g.kernel_count)); // per kernel: hazards it is the source of
    for (std::size_t i = 0; i < p.hazards.size(); ++i) {
        from[static_cast<std::size_t>(p.hazards[i].from)].push_back(static_cast<int>(i));
    }
    std::vector<flush_reason> out;
    for (int s = 0; s < 2; ++s) {
        int called = -1;
        for (const step& x : p.steps[s]) {
            called = x.what == op::call ? x.kernel : called;
            if (x.what != op::flush) {
                continue;
            }
            flush_reason r;
            r.where = static_cast<side>(s);
            r.after = x.kernel == called;
            r.kernel = x.kernel;
            r.buffer = x.buffer;
            r.lines = x.lines;
            const kernel_desc& k = g.kernels[x.kernel];
            const cache_policy c = k.cache;
            if (any_dynamic) {
                r.cause = flush_cause::dynamic;
            } else if (c == cache_policy::around || c == (r.after ? cache_policy::after : cache_policy::before) ||
                       (r.after && g.policy.flush_after_each)) {
                r.cause = flush_cause::policy;
            } else if (k.opaque) {
                r.cause = flush_cause::opaque;
            } else if (r.after) {
                detail::explain_after(g, p.hazards, from[static_cast<std::size_t>(x.kernel)], r);
            } else {
                detail::explain_before(g, r);
            }
            out.push_back(r);
        }
    }
    return out;
}

} // namespace skt::report
