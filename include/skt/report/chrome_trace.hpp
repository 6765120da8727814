/// @file
/// Timelines in the Trace Event format that Perfetto and chrome://tracing open. Host only.
///
/// One process per core and run, one thread per pipe, one complete event ("X") per interval.
#pragma once

#include <skt/report/timeline.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace skt::report {

namespace detail {

/// Text as a JSON string, with its quotes.
inline std::string json_string(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Writes events one by one: a long run has hundreds of thousands.
class trace_writer {
public:
    void name_process(int pid, const std::string& name)
    {
        add("{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"tid\":0,\"args\":{{\"name\":{}}}}}", pid,
            json_string(name));
        add("{{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":{0},\"tid\":0,\"args\":{{\"sort_index\":{0}}}}}",
            pid);
    }
    void name_thread(int pid, int tid, const std::string& name)
    {
        add("{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}}}", pid, tid,
            json_string(name));
    }
    void add_bar(int pid, int tid, const bar& b, const std::vector<std::string>& kernels)
    {
        const std::string args = b.kernel < 0
                                     ? std::string()
                                     : fmt::format(",\"args\":{{\"kernel\":{},\"index\":{}}}",
                                                   json_string(kernels[static_cast<std::size_t>(b.kernel)]), b.kernel);
        add("{{\"ph\":\"X\",\"name\":{},\"cat\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{}{}}}", json_string(b.name),
            json_string(b.lane), pid, tid, b.start / 1000, (b.end - b.start) / 1000, args);
    }
    std::string finish()
    {
        return fmt::format("{{\"traceEvents\":[{}\n],\"displayTimeUnit\":\"ns\",\"otherData\":{{\"time\":{}}}}}\n",
                           events_, json_string(modelled_note));
    }

private:
    template <class... Args>
    void add(fmt::format_string<Args...> text, Args&&... args)
    {
        events_ += events_.empty() ? "\n" : ",\n";
        fmt::format_to(std::back_inserter(events_), text, std::forward<Args>(args)...);
    }
    std::string events_;
};

} // namespace detail

/// The trace of several runs, to be written to a `.json` file. Times are microseconds, modelled.
inline std::string chrome_trace(const std::vector<timeline>& runs)
{
    detail::trace_writer out;
    int processes = 0;
    for (const timeline& t : runs) {
        std::vector<int> process_of;
        for (const std::string& core : t.cores) {
            process_of.push_back(++processes);
            out.name_process(processes, t.title + " " + core);
        }
        std::map<std::pair<int, std::string>, int> threads; // by core and lane
        for (const bar& b : t.bars) {
            const int pid = process_of[static_cast<std::size_t>(b.core)];
            const auto [at, fresh] = threads.try_emplace({b.core, b.lane}, static_cast<int>(threads.size()) + 1);
            if (fresh) {
                out.name_thread(pid, at->second, b.lane);
            }
            out.add_bar(pid, at->second, b, t.kernels);
        }
    }
    return out.finish();
}

} // namespace skt::report
