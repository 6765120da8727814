/// @file
/// Writes everything there is to say about a super kernel into a folder. Host only.
#pragma once

#include <skt/report/chrome_trace.hpp>
#include <skt/report/dot.hpp>
#include <skt/report/explain.hpp>
#include <skt/report/flow_svg.hpp>
#include <skt/report/html.hpp>
#include <skt/report/json.hpp>
#include <skt/report/markdown.hpp>
#include <skt/report/predict.hpp>
#include <skt/report/timeline_svg.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace skt::report {

/// Runs of the emulator that a report may show. Any part may be missing.
struct report_runs {
    const emu::run_result* fused = nullptr; ///< The super kernel, made with `device_options::trace`.
    std::vector<kernel_run> unfused;        ///< Each sub-kernel by itself, in order, made with the trace.
    predict_options options{};
};

namespace detail {

inline void write_file(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        throw std::runtime_error(fmt::format("cannot write {}", file.string()));
    }
}

} // namespace detail

/// Writes `explain.txt`, `report.md`, `plan.json`, `flow.svg`, `flow.dot` and, as far as there are runs,
/// `timeline.svg`, `trace.json` and `predict.txt`, and all of it as one page `index.html`. Makes the folder if needed;
/// answers the page's path.
/// @throws std::runtime_error or std::filesystem::filesystem_error if a file cannot be written.
inline std::filesystem::path write_report(const std::filesystem::path& folder, const graph& g, const host::planned& p,
                                          const report_runs& runs = {})
{
    std::filesystem::create_directories(folder);
    const document summary = summary_of(g, p);
    const std::string flow = flow_svg(g, p);
    detail::write_file(folder / "explain.txt", to_text(summary));
    detail::write_file(folder / "report.md", to_markdown(summary));
    detail::write_file(folder / "plan.json", json(g, p).dump(2) + "\n");
    detail::write_file(folder / "flow.svg", flow);
    detail::write_file(folder / "flow.dot", dot(g, p));
    std::vector<std::string> parts;

    std::vector<timeline> timelines;
    if (runs.fused != nullptr) {
        timelines.push_back(timeline_of(*runs.fused));
    }
    if (!runs.unfused.empty()) {
        timelines.push_back(timeline_of(runs.unfused));
    }
    if (runs.unfused.size() == static_cast<std::size_t>(g.kernel_count)) {
        predict_options options = runs.options;
        if (runs.fused != nullptr && options.emulated_fused_ns <= 0) {
            options.emulated_fused_ns = runs.fused->virtual_ns;
        }
        const std::vector<kernel_time> times = emulated_times(g, runs.unfused, options.cost);
        const document d = prediction_document(g, predict(g, p, times, options), times, options);
        detail::write_file(folder / "predict.txt", to_text(d));
        parts.push_back(to_html(d));
    }
    if (!timelines.empty()) {
        const std::string drawing = timeline_svg(timelines);
        detail::write_file(folder / "timeline.svg", drawing);
        detail::write_file(folder / "trace.json", chrome_trace(timelines));
        parts.push_back("<h2>timeline</h2>\n");
        parts.push_back(drawing);
    }
    parts.push_back("<h2>data flow</h2>\n");
    parts.push_back(flow);
    parts.push_back(to_html(summary));
    detail::write_file(folder / "index.html", html_page(summary.title, parts));
    return folder / "index.html";
}

/// The same for a `SuperKernel` type.
template <class SK>
std::filesystem::path write_report(const std::filesystem::path& folder, const report_runs& runs = {})
{
    const named_graph_data g = named_graph<SK>();
    return write_report(folder, g.view(), planned_of<SK>(), runs);
}

} // namespace skt::report
