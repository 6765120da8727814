/// @file
/// Runs of the emulator as bars over cores and pipes, ready to be drawn. Host only.
///
/// All times are modelled by the emulator from its table of costs; they are assumptions, never measurements.
#pragma once

#include <skt/emu/run_result.hpp>
#include <skt/report/names.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skt::report {

/// What every drawing of modelled time says.
inline constexpr const char* modelled_note =
    "Modelled time, not measured: from the emulator's table of assumed costs (skt::emu::cost_table).";

/// What a bar shows.
enum class bar_kind {
    kernel,      ///< A sub-kernel on a core.
    instruction, ///< An instruction on a pipe.
    wait,        ///< A core waits for a cross-core flag.
    set,         ///< A core sets a cross-core flag.
    launch       ///< From the launch to the core's start.
};

/// One interval on one core, in nanoseconds from the start of the timeline.
struct bar {
    int core = 0;
    bar_kind kind = bar_kind::instruction;
    const char* lane = ""; ///< The pipe; "kernel", "wait", "set" or "launch".
    std::string name;
    double start = 0;
    double end = 0;
    int kernel = -1; ///< Index into `timeline::kernels`, -1 between sub-kernels.
    double idle_from =
        0; ///< wait: when the core's pipes had finished what they were given before; `end` at the latest.
};

/// One run, or several launches one after the other, on one axis.
struct timeline {
    std::string title;
    std::vector<std::string> cores;   ///< Cube cores first.
    std::vector<std::string> kernels; ///< Names, each different.
    std::vector<bar> bars;            ///< By core, then by start.
    double ns = 0;                    ///< Modelled time of everything.
    int launches = 0;
};

/// One launch of one kernel by itself.
struct kernel_run {
    std::string name;
    const emu::run_result* run = nullptr; ///< Made with `device_options::trace`.
};

namespace detail {

/// A time in the unit that suits it.
inline std::string time_text(double ns)
{
    return ns < 1000  ? fmt::format("{:.0f} ns", ns)
           : ns < 1e6 ? fmt::format("{:.{}f} µs", ns / 1000, ns < 1e5 ? 1 : 0)
                      : fmt::format("{:.2f} ms", ns / 1e6);
}

inline bool is_cube_core(const std::string& core)
{
    return core.rfind("aic", 0) == 0 || core.rfind("AIC", 0) == 0;
}
inline int core_number(const std::string& core)
{
    const std::size_t digit = core.find_first_of("0123456789");
    return digit == std::string::npos ? 0 : std::stoi(core.substr(digit));
}
inline bool core_before(const std::string& a, const std::string& b)
{
    return is_cube_core(a) != is_cube_core(b) ? is_cube_core(a) : core_number(a) < core_number(b);
}

inline bar_kind kind_of(const emu::trace_event& e)
{
    if (std::strcmp(e.pipe, "kernel") == 0) {
        return bar_kind::kernel;
    }
    if (std::strcmp(e.pipe, "flag") == 0) {
        return e.name.rfind("wait", 0) == 0 ? bar_kind::wait : bar_kind::set;
    }
    return bar_kind::instruction;
}
inline const char* lane_of(bar_kind k, const char* pipe)
{
    switch (k) {
    case bar_kind::kernel:
        return "kernel";
    case bar_kind::wait:
        return "wait";
    case bar_kind::set:
        return "set";
    case bar_kind::launch:
        return "launch";
    case bar_kind::instruction:
        break;
    }
    return pipe;
}

inline void sort_bars(std::vector<bar>& bars)
{
    std::stable_sort(bars.begin(), bars.end(), [](const bar& a, const bar& b) {
        return a.core != b.core ? a.core < b.core : a.start != b.start ? a.start < b.start : a.end > b.end;
    });
}

/// Adds one launch that begins at `offset`. Kernel indices of the trace are mapped by `kernel_of`.
template <class KernelOf>
void add_run(timeline& t, const emu::run_result& run, double offset, const std::vector<int>& core_of,
             const KernelOf& kernel_of)
{
    struct span {
        double first = -1;
        double last = 0;
        double pipes = 0; ///< When everything issued so far is done.
        bool has_kernel = false;
    };
    std::vector<span> seen(run.cores.size());
    for (const emu::trace_event& e : run.trace) {
        const auto c = static_cast<std::size_t>(e.core);
        const bar_kind kind = kind_of(e);
        seen[c].first = seen[c].first < 0 ? e.start : std::min(seen[c].first, e.start);
        seen[c].last = std::max(seen[c].last, e.end);
        seen[c].has_kernel = seen[c].has_kernel || kind == bar_kind::kernel;
        // The trace of a core is in program order: what was issued before a wait may end after the wait begins.
        const double idle = std::min(std::max(e.start, seen[c].pipes), e.end);
        t.bars.push_back({core_of[c], kind, lane_of(kind, e.pipe), e.name, offset + e.start, offset + e.end,
                          kernel_of(e.kernel), offset + idle});
        seen[c].pipes = kind == bar_kind::instruction ? std::max(seen[c].pipes, e.end) : seen[c].pipes;
        if (kind == bar_kind::kernel) {
            t.bars.back().name = t.kernels[static_cast<std::size_t>(t.bars.back().kernel)];
        }
    }
    for (std::size_t c = 0; c < seen.size(); ++c) {
        if (seen[c].first < 0) {
            continue;
        }
        const int alone = kernel_of(-1);
        if (!seen[c].has_kernel && alone >= 0) { // a plain kernel, launched without the kit
            t.bars.push_back({core_of[c], bar_kind::kernel, "kernel", t.kernels[static_cast<std::size_t>(alone)],
                              offset + seen[c].first, offset + seen[c].last, alone, 0});
        }
        t.bars.push_back({core_of[c], bar_kind::launch, "launch", "launch", offset, offset + seen[c].first, -1, 0});
    }
    t.ns = std::max(t.ns, offset + run.virtual_ns);
    ++t.launches;
}

} // namespace detail

/// The timeline of one launch of a super kernel.
inline timeline timeline_of(const emu::run_result& run, std::string title = "fused")
{
    timeline t;
    t.title = std::move(title);
    t.cores = run.cores;
    for (const emu::trace_event& e : run.trace) {
        if (e.kernel >= 0 && static_cast<std::size_t>(e.kernel) >= t.kernels.size()) {
            t.kernels.resize(static_cast<std::size_t>(e.kernel) + 1, "(not run)");
        }
        if (e.kernel >= 0 && std::strcmp(e.pipe, "kernel") == 0) {
            t.kernels[static_cast<std::size_t>(e.kernel)] = e.name;
        }
    }
    make_unique(t.kernels);
    std::vector<int> core_of;
    for (std::size_t c = 0; c < run.cores.size(); ++c) {
        core_of.push_back(static_cast<int>(c));
    }
    detail::add_run(t, run, 0, core_of, [](int kernel) { return kernel; });
    detail::sort_bars(t.bars);
    return t;
}

/// The timeline of kernels launched one after the other.
inline timeline timeline_of(const std::vector<kernel_run>& runs, std::string title = "unfused")
{
    timeline t;
    t.title = std::move(title);
    for (const kernel_run& r : runs) {
        t.kernels.push_back(r.name);
        t.cores.insert(t.cores.end(), r.run->cores.begin(), r.run->cores.end());
    }
    make_unique(t.kernels);
    std::sort(t.cores.begin(), t.cores.end(), detail::core_before);
    t.cores.erase(std::unique(t.cores.begin(), t.cores.end()), t.cores.end());
    std::unordered_map<std::string, int> index;
    for (std::size_t c = 0; c < t.cores.size(); ++c) {
        index[t.cores[c]] = static_cast<int>(c);
    }
    for (std::size_t k = 0; k < runs.size(); ++k) {
        std::vector<int> core_of;
        for (const std::string& c : runs[k].run->cores) {
            core_of.push_back(index[c]);
        }
        detail::add_run(t, *runs[k].run, t.ns, core_of, [k](int) { return static_cast<int>(k); });
    }
    detail::sort_bars(t.bars);
    return t;
}

} // namespace skt::report
