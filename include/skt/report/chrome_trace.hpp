/// @file
/// Timelines in the Trace Event format that Perfetto and chrome://tracing open. Host only.
///
/// One process per core and run, one thread per pipe, one complete event ("X") per interval.
#pragma once

#include <skt/report/timeline.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace skt::report {

/// The trace of several runs, to be written to a `.json` file. Times are microseconds, modelled.
inline std::string chrome_trace(const std::vector<timeline>& runs)
{
    using nlohmann::json;
    json events = json::array();
    int process = 0;
    for (const timeline& t : runs) {
        std::vector<int> process_of;
        for (const std::string& core : t.cores) {
            process_of.push_back(++process);
            events.push_back({{"ph", "M"},
                              {"name", "process_name"},
                              {"pid", process},
                              {"tid", 0},
                              {"args", {{"name", t.title + " " + core}}}});
            events.push_back({{"ph", "M"},
                              {"name", "process_sort_index"},
                              {"pid", process},
                              {"tid", 0},
                              {"args", {{"sort_index", process}}}});
        }
        std::map<std::pair<int, std::string>, int> threads; // by core and lane
        for (const bar& b : t.bars) {
            const int pid = process_of[static_cast<std::size_t>(b.core)];
            const auto [at, fresh] = threads.try_emplace({b.core, b.lane}, static_cast<int>(threads.size()) + 1);
            if (fresh) {
                events.push_back({{"ph", "M"},
                                  {"name", "thread_name"},
                                  {"pid", pid},
                                  {"tid", at->second},
                                  {"args", {{"name", b.lane}}}});
            }
            json e{{"ph", "X"},
                   {"name", b.name},
                   {"cat", b.lane},
                   {"pid", pid},
                   {"tid", at->second},
                   {"ts", b.start / 1000},
                   {"dur", (b.end - b.start) / 1000}};
            if (b.kernel >= 0) {
                e["args"] = {{"kernel", t.kernels[static_cast<std::size_t>(b.kernel)]}, {"index", b.kernel}};
            }
            events.push_back(std::move(e));
        }
    }
    return json{{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}, {"otherData", {{"time", modelled_note}}}}
        .dump();
}

} // namespace skt::report
