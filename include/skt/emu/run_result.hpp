/// @file
/// What a launch returns. Host only.
#pragma once

#include <skt/emu/finding.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace skt::emu {

/// One bar of the timeline, in modelled nanoseconds from the launch.
struct trace_event {
    int core = 0;          ///< Index into `run_result::cores`.
    const char* pipe = ""; ///< "V", "MTE2", ...; "flag" for cross-core flags, "kernel" for a sub-kernel.
    std::string name;      ///< The instruction, or the sub-kernel.
    double start = 0;
    double end = 0;
    int kernel = -1; ///< Index of the sub-kernel, -1 between sub-kernels.
};

/// The outcome of one launch under one seed.
struct run_result {
    std::vector<finding> findings;
    std::uint64_t seed = 0;         ///< Replays exactly this run.
    std::uint64_t steps = 0;        ///< API calls made by all cores.
    double virtual_ns = 0;          ///< Modelled time of the launch: an assumption, see cost_table.hpp.
    std::vector<std::string> cores; ///< Names, by core index: cube cores first.
    std::vector<trace_event> trace; ///< Empty unless asked for.

    /// True if there is no finding.
    bool ok() const { return findings.empty(); }
    /// The first finding of `kind`, or null.
    const finding* find(finding_kind kind) const
    {
        for (const finding& f : findings) {
            if (f.kind == kind) {
                return &f;
            }
        }
        return nullptr;
    }
    /// True if there is a finding of `kind`.
    bool has(finding_kind kind) const { return find(kind) != nullptr; }

    /// Every finding in several lines, or one line that says there is none.
    std::string text() const
    {
        if (findings.empty()) {
            return fmt::format("no findings (seed {}, {} steps)\n", seed, steps);
        }
        std::string s = fmt::format("{} finding{} (seed {}, {} steps)\n", findings.size(),
                                    findings.size() == 1 ? "" : "s", seed, steps);
        for (const finding& f : findings) {
            s += f.text();
        }
        return s;
    }
    /// The same as JSON.
    std::string json() const
    {
        nlohmann::json j;
        j["seed"] = seed;
        j["steps"] = steps;
        j["virtual_ns"] = virtual_ns;
        j["virtual_ns_is"] = "modelled from assumptions, not measured";
        j["findings"] = findings;
        return j.dump(2);
    }
    /// The event trace in the Trace Event format of chrome://tracing and Perfetto.
    std::string trace_json() const
    {
        nlohmann::json events = nlohmann::json::array();
        for (const trace_event& e : trace) {
            events.push_back({{"name", e.name},
                              {"ph", "X"},
                              {"pid", cores[static_cast<std::size_t>(e.core)]},
                              {"tid", e.pipe},
                              {"ts", e.start / 1000},
                              {"dur", (e.end - e.start) / 1000}});
        }
        return nlohmann::json{{"traceEvents", std::move(events)},
                              {"otherData", {{"time", "modelled from assumptions, not measured"}}}}
            .dump();
    }
};

} // namespace skt::emu
