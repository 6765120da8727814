/// @file
/// A plan played through with the times of its kernels: when each core runs what. Host only.
///
/// Coarser than the emulator (a kernel is one block of time on every core that runs it) but needs no kernel code: times
/// may come from the emulator, from a profiler, or be guessed.
#pragma once

#include <skt/emu/cost_table.hpp>
#include <skt/host/plan.hpp>
#include <skt/report/summary.hpp>
#include <skt/report/timeline.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace skt::report {

/// Where the time of a kernel comes from.
enum class time_source {
    emulated, ///< Modelled by the emulator.
    measured, ///< Given by the user.
    nominal   ///< The same made-up time for every kernel.
};
inline const char* to_string(time_source s)
{
    return s == time_source::emulated ? "emulated" : s == time_source::measured ? "measured" : "nominal";
}

/// How long a kernel runs on a core of each side, in nanoseconds, without its launch.
struct kernel_time {
    double ns[2] = {0, 0}; ///< By side; 0 where it does not run.
    time_source source = time_source::nominal;
};

/// The same time for every kernel of `g`.
inline std::vector<kernel_time> nominal_times(const graph& g, double ns)
{
    std::vector<kernel_time> out(static_cast<std::size_t>(g.kernel_count));
    for (int k = 0; k < g.kernel_count; ++k) {
        for (int s = 0; s < 2; ++s) {
            out[static_cast<std::size_t>(k)].ns[s] = runs_on(g.kernels[k].type, static_cast<side>(s)) ? ns : 0;
        }
    }
    return out;
}

/// The times of kernels that the emulator ran by themselves, one run per kernel of `g`, in order. With a trace each
/// side has its own time, else both have the whole.
inline std::vector<kernel_time> emulated_times(const graph& g, const std::vector<kernel_run>& runs,
                                               const emu::cost_table& cost = {})
{
    std::vector<kernel_time> out(static_cast<std::size_t>(g.kernel_count));
    for (std::size_t k = 0; k < out.size() && k < runs.size(); ++k) {
        const emu::run_result& run = *runs[k].run;
        const kernel_desc& kernel = g.kernels[k];
        std::vector<std::pair<double, double>> span(run.cores.size(), {-1, -1}); // per core
        for (const emu::trace_event& e : run.trace) {
            auto& [first, last] = span[static_cast<std::size_t>(e.core)];
            first = first < 0 ? e.start : std::min(first, e.start);
            last = std::max(last, e.end);
        }
        for (std::size_t c = 0; c < span.size(); ++c) {
            double& longest = out[k].ns[detail::is_cube_core(run.cores[c]) ? 0 : 1];
            longest = std::max(longest, span[c].second - span[c].first);
        }
        for (int s = 0; s < 2 && run.trace.empty(); ++s) {
            if (runs_on(kernel.type, static_cast<side>(s))) {
                const double launch = cost.launch + (is_mix(kernel.type) ? cost.launch_mix_extra : 0);
                out[k].ns[s] = std::max(run.virtual_ns - launch, 0.0);
            }
        }
        out[k].source = time_source::emulated;
    }
    return out;
}

/// Replaces the time of kernel `k` by one that was measured on the device (its own time, without the launch). Where the
/// kernel runs on both sides, the longer side takes that long and the other keeps its share.
inline void set_measured(std::vector<kernel_time>& times, const graph& g, int k, double ns)
{
    kernel_time& t = times[static_cast<std::size_t>(k)];
    const double longer = std::max(t.ns[0], t.ns[1]);
    for (int s = 0; s < 2; ++s) {
        if (runs_on(g.kernels[k].type, static_cast<side>(s))) {
            t.ns[s] = longer > 0 ? t.ns[s] / longer * ns : ns;
        }
    }
    t.source = time_source::measured;
}

namespace detail {

/// Plays a program on all cores.
class schedule_player {
public:
    schedule_player(const graph& g, const host::planned& p, const std::vector<kernel_time>& times,
                    const emu::cost_table& cost, bool keep_bars)
        : g_(g), p_(p), times_(times), cost_(cost), keep_(keep_bars), sets_(barrier_count(p))
    {
        const int c = cores_of(p.launch, side::aic);
        const int v = cores_of(p.launch, side::aiv);
        for (int i = 0; i < c + v; ++i) {
            const side s = i < c ? side::aic : side::aiv;
            cores_.push_back({s, s == side::aic ? i : i - c, i, 0, cost.launch});
            cores_.back().now += c > 0 && v > 0 ? cost.launch_mix_extra : 0;
            cores_.back().now += c + v > 1 ? cost.start_skew * i / (c + v - 1) : 0;
            out_.cores.push_back(fmt::format("{}{}", skt::to_string(s), cores_.back().number));
            put(cores_.back(), bar_kind::launch, "launch", "launch", 0, cores_.back().now, -1);
        }
        for (auto& s : sets_) {
            s.at.resize(static_cast<std::size_t>(std::max(c, v)), 0);
        }
        for (int k = 0; k < g.kernel_count; ++k) {
            out_.kernels.push_back(kernel_text(g, k));
        }
        out_.launches = 1;
    }

    timeline play()
    {
        for (bool moved = true; moved;) {
            moved = false;
            for (core_state& c : cores_) {
                const std::vector<step>& steps = p_.steps[static_cast<int>(c.where)];
                while (c.next < steps.size() && take(c, steps[c.next])) {
                    ++c.next;
                    moved = true;
                }
            }
        }
        for (const core_state& c : cores_) {
            out_.ns = std::max(out_.ns, c.now);
        }
        sort_bars(out_.bars);
        return std::move(out_);
    }

private:
    struct core_state {
        side where;
        int number;
        int index;
        std::size_t next;
        double now;
    };
    /// The sets of one barrier.
    struct set_state {
        int count = 0;
        double latest = 0;
        std::vector<double> at; ///< Per AI core (mode 2): the latest set.
        std::vector<int> from;  ///< Per AI core: how many have set.
    };

    static std::size_t barrier_count(const host::planned& p)
    {
        std::size_t n = p.barriers.size();
        for (const auto& steps : p.steps) {
            for (const step& x : steps) {
                n = std::max(n, static_cast<std::size_t>(x.barrier + 1));
            }
        }
        return n;
    }

    void put(const core_state& c, bar_kind kind, const char* lane, std::string name, double start, double end,
             int kernel)
    {
        if (keep_) {
            out_.bars.push_back({c.index, kind, lane, std::move(name), start, end, kernel, start});
        }
    }
    void work(core_state& c, const char* name, double ns)
    {
        put(c, bar_kind::instruction, "S", name, c.now, c.now + ns, -1);
        c.now += ns;
    }
    int ai_core(const core_state& c) const
    {
        return c.where == side::aic ? c.number : c.number / aiv_per_ai_core(p_.launch);
    }

    void arrive(core_state& c, const step& x)
    {
        set_state& s = sets_[static_cast<std::size_t>(x.barrier)];
        if (s.from.empty()) {
            s.from.resize(s.at.size(), 0);
        }
        ++s.count;
        s.latest = std::max(s.latest, c.now);
        const auto a = static_cast<std::size_t>(ai_core(c));
        s.at[a] = std::max(s.at[a], c.now);
        ++s.from[a];
        put(c, bar_kind::set, "set", fmt::format("set {}", x.flag), c.now, c.now + cost_.issue, -1);
        c.now += cost_.issue;
    }

    bool wait(core_state& c, const step& x)
    {
        const set_state& s = sets_[static_cast<std::size_t>(x.barrier)];
        const side source = source_of(x.kind);
        double ready = 0;
        if (mode_of(x.kind) == 0) {
            if (s.count < cores_of(p_.launch, source)) {
                return false;
            }
            ready = s.latest;
        } else {
            const auto a = static_cast<std::size_t>(ai_core(c));
            const int needed = source == side::aiv ? aiv_per_ai_core(p_.launch) : 1;
            if (s.from.empty() || s.from[a] < needed) {
                return false;
            }
            ready = s.at[a];
        }
        const double end = std::max(c.now, ready + cost_.cross_core_flag) + cost_.issue;
        put(c, bar_kind::wait, "wait", fmt::format("wait {}", x.flag), c.now, end, -1);
        c.now = end;
        return true;
    }

    /// Does one step on one core; false if it must wait for others.
    bool take(core_state& c, const step& x)
    {
        if (!contains(x.cores, c.number)) {
            return true;
        }
        switch (x.what) {
        case op::call: {
            const double ns = times_[static_cast<std::size_t>(x.kernel)].ns[static_cast<int>(c.where)];
            put(c, bar_kind::kernel, "kernel", kernel_text(g_, x.kernel), c.now, c.now + ns, x.kernel);
            c.now += ns;
            return true;
        }
        case op::arrive:
            arrive(c, x);
            return true;
        case op::wait:
            return wait(c, x);
        case op::drain:
            work(c, "drain", cost_.drain);
            return true;
        case op::flush:
            if (x.buffer >= 0) {
                work(c, "flush", x.lines * cost_.cache_line_flush);
            } else {
                // Lines are dirty if the kernel just run has written by its scalar unit.
                work(c, "flush", cost_.cache_flush + (dirties(c, x) ? cost_.cache_flush_dirty : 0));
            }
            return true;
        case op::feed:
            if (!contains(x.skip, c.number)) {
                work(c, "feed", 2 * cost_.cross_core_flag * x.times);
            }
            return true;
        case op::preload:
            work(c, "preload", cost_.issue);
            return true;
        }
        return true;
    }

    /// Whether a whole flush comes right after a kernel of this core that may have written by its scalar unit.
    bool dirties(const core_state& c, const step& x) const
    {
        const kernel_desc& k = g_.kernels[x.kernel];
        if (!contains(cores_of(k, p_.launch, c.where), c.number)) {
            return false;
        }
        const std::vector<step>& steps = p_.steps[static_cast<int>(c.where)];
        for (std::size_t i = c.next; i-- > 0;) {
            if (steps[i].what == op::call) {
                return steps[i].kernel == x.kernel && (k.opaque || writes_by_scalar(k));
            }
        }
        return false;
    }
    bool writes_by_scalar(const kernel_desc& k) const
    {
        for (int i = 0; i < k.effect_count; ++i) {
            const effect& e = g_.effects[k.first_effect + i];
            if (uses_scalar(e.how) && writes(e.what)) {
                return true;
            }
        }
        return false;
    }

    const graph& g_;
    const host::planned& p_;
    const std::vector<kernel_time>& times_;
    emu::cost_table cost_;
    bool keep_;
    std::vector<core_state> cores_;
    std::vector<set_state> sets_;
    timeline out_;
};

} // namespace detail

/// Plays a plan of `g` through on all cores of its launch.
/// @param times One per kernel.
/// @pre The plan is proved: a program that hangs ends where it hangs.
inline timeline modelled_schedule(const graph& g, const host::planned& p, const std::vector<kernel_time>& times,
                                  const emu::cost_table& cost = {}, std::string title = "planned")
{
    timeline t = detail::schedule_player(g, p, times, cost, true).play();
    t.title = std::move(title);
    return t;
}

/// Only how long it takes, in nanoseconds with the launch.
inline double modelled_ns(const graph& g, const host::planned& p, const std::vector<kernel_time>& times,
                          const emu::cost_table& cost = {})
{
    return detail::schedule_player(g, p, times, cost, false).play().ns;
}

} // namespace skt::report
