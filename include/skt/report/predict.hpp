/// @file
/// Does fusing pay? Fused against unfused against the incumbent's schedule, in modelled time. Host only.
#pragma once

#include <skt/emu/cost_table.hpp>
#include <skt/host/plan.hpp>
#include <skt/report/document.hpp>
#include <skt/report/schedule.hpp>
#include <skt/report/subject.hpp>
#include <skt/report/summary.hpp>
#include <skt/report/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skt::report {

/// What the super kernel would replace.
enum class unfused_as {
    stream, ///< One launch per kernel on one stream, at `cost_table::launch` each.
    graph   ///< One captured graph: one launch, then `graph_gap_ns` between kernels.
};

/// What a prediction assumes beside the times of the kernels.
struct predict_options {
    emu::cost_table cost{};
    unfused_as against = unfused_as::stream;
    /// Gap between two kernels of a captured graph (0.7 to 0.9 µs, inferred from a vendor blog: 18 µs per layer of more
    /// than 20 operators).
    double graph_gap_ns = 800;
    double margin = 0.02; ///< A gain below this share is called a tie: the costs are not known better.
    /// Bytes of code per kernel and side, where known: `code[k][side]`. Empty: not looked at.
    std::vector<std::array<std::int64_t, 2>> code;
    std::int64_t instruction_cache[2] = {32 << 10, 16 << 10}; ///< Bytes, cube and vector core (dav-2201).
    /// The emulator's own run of the super kernel, nanoseconds; 0: none. Shown beside the model, and used instead of it
    /// when every kernel's time is emulated too.
    double emulated_fused_ns = 0;
};

enum class verdict { fuse, tie, do_not_fuse };
inline const char* to_string(verdict v)
{
    return v == verdict::fuse ? "fuse" : v == verdict::tie ? "tie" : "do not fuse";
}

/// What becomes of one kernel chain. Nanoseconds, all modelled.
struct prediction {
    double fused = 0;          ///< With this plan.
    double every_pair = 0;     ///< With the incumbent's barriers.
    double stream = 0;         ///< Launched one by one.
    double graph = 0;          ///< In a captured graph.
    double against = 0;        ///< The one of the last two that the verdict compares with.
    double saved_launches = 0; ///< Launches and gaps that fusing removes.
    double sync = 0;           ///< What arrivals, waits and drains add to the fused run.
    double flush = 0;          ///< What cache flushes add.
    double overlap = 0;        ///< What cube and vector kernels gain by running at the same time.
    verdict says = verdict::tie;
    std::string because;            ///< One sentence.
    std::vector<std::string> notes; ///< More that speaks for or against, one sentence each.
};

namespace detail {

inline double longer_side(const kernel_time& t)
{
    return std::max(t.ns[0], t.ns[1]);
}

inline double launch_cost(const emu::cost_table& cost, kernel_type type, int cores)
{
    return cost.launch + (is_mix(type) ? cost.launch_mix_extra : 0) + (cores > 1 ? cost.start_skew : 0);
}

/// The table without one kind of cost, to see what that kind adds.
inline emu::cost_table without_flush(emu::cost_table c)
{
    c.cache_flush = c.cache_flush_dirty = c.cache_line_flush = 0;
    return c;
}
inline emu::cost_table without_sync(emu::cost_table c)
{
    c.cross_core_flag = c.drain = c.issue = 0;
    return c;
}

inline void compare(const graph& g, const std::vector<kernel_time>& times, const predict_options& o, prediction& r)
{
    for (int k = 0; k < g.kernel_count; ++k) {
        const kernel_desc& kernel = g.kernels[k];
        const double own = longer_side(times[static_cast<std::size_t>(k)]);
        const int cores =
            cores_of(kernel.type, kernel.blocks, side::aic) + cores_of(kernel.type, kernel.blocks, side::aiv);
        const double launch = launch_cost(o.cost, kernel.type, cores);
        r.stream += launch + own;
        r.graph += (k == 0 ? launch : o.graph_gap_ns) + own;
    }
    r.against = o.against == unfused_as::stream ? r.stream : r.graph;
}

/// Single kernels that hold the launch while most of its cores stand idle.
inline void note_tails(const graph& g, const host::planned& p, const std::vector<kernel_time>& times, double total,
                       prediction& r)
{
    for (int k = 0; k < g.kernel_count; ++k) {
        const kernel_desc& kernel = g.kernels[k];
        const double own = longer_side(times[static_cast<std::size_t>(k)]);
        const int runs = cores_of(kernel, p.launch, side::aic).count + cores_of(kernel, p.launch, side::aiv).count;
        const int launched = cores_of(p.launch, side::aic) + cores_of(p.launch, side::aiv);
        if (runs * 4 <= launched && own > 0.15 * total) {
            r.notes.push_back(fmt::format("{} runs on {} of the {} launched cores for {:.0f} % of the time: a narrow "
                                          "kernel beside wide ones keeps "
                                          "cores that another stream could use while it runs alone",
                                          kernel_text(g, k), runs, launched, 100 * own / total));
        }
    }
}

inline void note_code(const graph& g, const predict_options& o, prediction& r)
{
    for (int s = 0; s < 2 && !o.code.empty(); ++s) {
        std::int64_t sum = 0;
        for (const auto& bytes : o.code) {
            sum += bytes[static_cast<std::size_t>(s)];
        }
        if (sum > o.instruction_cache[s]) {
            r.notes.push_back(fmt::format(
                "the {} side has {} KiB of code and its instruction cache {} KiB: code is loaded again on every run{}",
                side_text(static_cast<side>(s)), sum >> 10, o.instruction_cache[s] >> 10,
                g.policy.preload == preload_policy::none
                    ? "; skt::preload<skt::preload_policy::per_kernel> loads it ahead of each wait"
                    : ""));
        }
    }
}

/// The largest single cost in a fused run, in words.
inline std::string largest_cost(const prediction& r, const graph& g, const host::planned& p)
{
    const double mix = r.saved_launches < 0 ? -r.saved_launches : 0;
    if (r.flush >= r.sync && r.flush >= mix) {
        const auto opaque = std::count_if(g.kernels, g.kernels + g.kernel_count, [](auto& k) { return k.opaque; });
        return fmt::format(
            "its {} cache flush{} cost {}{}", p.counts.flush, p.counts.flush == 1 ? "" : "es", time_text(r.flush),
            opaque > 0 ? fmt::format(" ({} sub-kernel{} declare{} no data and {} flushed around)", opaque,
                                     opaque == 1 ? "" : "s", opaque == 1 ? "s" : "", opaque == 1 ? "is" : "are")
                       : "");
    }
    if (r.sync >= mix) {
        return fmt::format("its {} barriers and {} drains cost {}", barrier_total(p.counts), p.counts.drain,
                           time_text(r.sync));
    }
    return fmt::format("one launch of both cube and vector cores costs {} more than the launches it replaces",
                       time_text(mix));
}

inline void judge(const graph& g, const host::planned& p, const predict_options& o, double fused, prediction& r)
{
    const double gain = r.against - fused;
    const std::string baseline =
        o.against == unfused_as::stream
            ? fmt::format("{} launch{} one after the other", g.kernel_count, g.kernel_count == 1 ? "" : "es")
            : std::string("a captured graph");
    if (gain > o.margin * r.against) {
        r.says = verdict::fuse;
        r.because = fmt::format("fused {} instead of {} in {}: ", time_text(fused), time_text(r.against), baseline);
        r.because += r.overlap > r.saved_launches
                         ? fmt::format("cube and vector kernels overlap for {}", time_text(r.overlap))
                         : fmt::format("launches and gaps worth {} go away", time_text(r.saved_launches));
        r.because += fmt::format(", and barriers, drains and flushes cost {}", time_text(r.sync + r.flush));
    } else if (gain > -o.margin * r.against) {
        r.says = verdict::tie;
        r.because = fmt::format("fused {} and {} in {} are the same within {:.0f} %: what goes away with the launches "
                                "({}) comes back, {}",
                                time_text(fused), time_text(r.against), baseline, 100 * o.margin,
                                time_text(std::max(r.saved_launches, 0.0)), largest_cost(r, g, p));
    } else {
        r.says = verdict::do_not_fuse;
        r.because = fmt::format("fused {} instead of {} in {}: the launches it saves are worth {}, but {}",
                                time_text(fused), time_text(r.against), baseline,
                                time_text(std::max(r.saved_launches, 0.0)), largest_cost(r, g, p));
    }
}

} // namespace detail

/// Predicts what fusing the kernels of `g` by plan `p` brings.
/// @param times One per kernel: emulated, measured, or both mixed.
inline prediction predict(const graph& g, const host::planned& p, const std::vector<kernel_time>& times,
                          const predict_options& o = {})
{
    prediction r;
    if (g.kernel_count == 0) {
        r.because = "there is nothing to fuse";
        return r;
    }
    detail::compare(g, times, o, r);
    r.fused = modelled_ns(g, p, times, o.cost);
    graph pairwise = g;
    pairwise.policy.sync = sync_policy::every_pair;
    r.every_pair = modelled_ns(pairwise, host::plan(pairwise), times, o.cost);

    const double no_flush = modelled_ns(g, p, times, detail::without_flush(o.cost));
    const double ideal = modelled_ns(g, p, times, detail::without_sync(detail::without_flush(o.cost)));
    r.flush = r.fused - no_flush;
    r.sync = no_flush - ideal;
    double own = 0;
    for (const kernel_time& t : times) {
        own += detail::longer_side(t);
    }
    const int cores = cores_of(p.launch, side::aic) + cores_of(p.launch, side::aiv);
    const double launch = detail::launch_cost(o.cost, p.launch.type, cores);
    r.saved_launches = r.against - own - launch;
    r.overlap = std::max(own + launch - ideal, 0.0);

    const bool emulated = o.emulated_fused_ns > 0 && std::all_of(times.begin(), times.end(), [](const kernel_time& t) {
                              return t.source == time_source::emulated;
                          });
    detail::judge(g, p, o, emulated ? o.emulated_fused_ns : r.fused, r);
    detail::note_tails(g, p, times, r.fused, r);
    detail::note_code(g, o, r);
    if (o.against == unfused_as::stream && r.says == verdict::fuse && r.fused > r.graph) {
        r.notes.push_back(fmt::format("in a captured graph with gaps of {} the kernels would take {}: against that, do "
                                      "not fuse",
                                      detail::time_text(o.graph_gap_ns), detail::time_text(r.graph)));
    }
    return r;
}

/// Predicts for a `SuperKernel` type.
template <class SK>
prediction predict(const std::vector<kernel_time>& times, const predict_options& o = {})
{
    const named_graph_data g = named_graph<SK>();
    return predict(g.view(), planned_of<SK>(), times, o);
}

/// A prediction as a report: verdict, schedules, what fusing saves and costs, the times used, every assumption.
inline document prediction_document(const graph& g, const prediction& r, const std::vector<kernel_time>& times,
                                    const predict_options& o = {})
{
    using detail::time_text;
    document d;
    d.title = "does fusing pay? (modelled, not measured)";
    section says;
    says.lines.push_back(phrase()
                             .add(to_string(r.says), r.says == verdict::do_not_fuse ? tone::bad
                                                     : r.says == verdict::fuse      ? tone::good
                                                                                    : tone::strong)
                             .add(": " + r.because));
    for (const std::string& n : r.notes) {
        says.lines.push_back("note: " + n);
    }
    d.sections.push_back(std::move(says));

    section schedules;
    schedules.title = "schedules (modelled)";
    schedules.table.header = {"schedule", "time", "against this plan"};
    schedules.table.right = {false, true, true};
    const auto row = [&](const char* name, double ns) {
        schedules.table.rows.push_back({name, time_text(ns), fmt::format("{:+.1f} %", 100 * (ns / r.fused - 1))});
    };
    row("super kernel, this plan", r.fused);
    row("super kernel, a barrier at every pair", r.every_pair);
    row("unfused, one launch each on a stream", r.stream);
    row("unfused, in a captured graph", r.graph);
    if (o.emulated_fused_ns > 0) {
        row("super kernel, as the emulator ran it", o.emulated_fused_ns);
    }
    d.sections.push_back(std::move(schedules));

    section parts;
    parts.title = "what fusing changes (modelled)";
    parts.table.header = {"", "time"};
    parts.table.right = {false, true};
    const auto part = [&parts](const char* name, double ns) {
        parts.table.rows.push_back({name, fmt::format("{}{}",
                                                      ns > 0   ? "+"
                                                      : ns < 0 ? "-"
                                                               : "",
                                                      time_text(std::fabs(ns)))});
    };
    part("launches and gaps", -r.saved_launches);
    part("cube and vector kernels at the same time", -r.overlap);
    part("arrivals, waits and drains", r.sync);
    part("cache flushes", r.flush);
    d.sections.push_back(std::move(parts));

    section kernels;
    kernels.title = "times of the kernels, without launch";
    kernels.table.header = {"kernel", "AIC", "AIV", "source"};
    kernels.table.right = {false, true, true, false};
    for (int k = 0; k < g.kernel_count; ++k) {
        const kernel_time& t = times[static_cast<std::size_t>(k)];
        kernels.table.rows.push_back({detail::kernel_phrase(g, k), t.ns[0] > 0 ? time_text(t.ns[0]) : "-",
                                      t.ns[1] > 0 ? time_text(t.ns[1]) : "-", to_string(t.source)});
    }
    d.sections.push_back(std::move(kernels));

    section assumed;
    assumed.title = "assumptions";
    const emu::cost_table& c = o.cost;
    assumed.lines.push_back(
        fmt::format("launch on a stream {}, on both sides {} more, start of the cores spread over {}",
                    time_text(c.launch), time_text(c.launch_mix_extra), time_text(c.start_skew)));
    assumed.lines.push_back(fmt::format("gap in a captured graph {}", time_text(o.graph_gap_ns)));
    assumed.lines.push_back(
        fmt::format("cross-core flag {} from set to wait, drain {}", time_text(c.cross_core_flag), time_text(c.drain)));
    assumed.lines.push_back(fmt::format("cache flush {}, with dirty lines {} more, one line {}",
                                        time_text(c.cache_flush), time_text(c.cache_flush_dirty),
                                        time_text(c.cache_line_flush)));
    assumed.lines.push_back(
        "a kernel takes the same time on each of its cores, alone or fused; contention for memory is "
        "not modelled");
    assumed.lines.push_back("nothing here was measured on a device unless a time says so: replace any cost in "
                            "skt::emu::cost_table and any kernel's time by what you measured");
    d.sections.push_back(std::move(assumed));
    return d;
}

/// The prediction for a `SuperKernel` type as text.
template <class SK>
std::string prediction_text(const std::vector<kernel_time>& times, const predict_options& o = {},
                            style s = style::plain)
{
    const named_graph_data g = named_graph<SK>();
    return to_text(prediction_document(g, predict(g.view(), planned_of<SK>(), times, o), times, o), s);
}

} // namespace skt::report
