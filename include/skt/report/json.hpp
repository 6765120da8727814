/// @file
/// Explained plans as JSON: what `skt-plan` prints for a plan, and beside it why. Host only.
#pragma once

#include <skt/host/plan_json.hpp>
#include <skt/report/subject.hpp>
#include <skt/report/summary.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace skt::report {

namespace detail {

inline const char* to_string(flush_cause c)
{
    switch (c) {
    case flush_cause::policy:
        return "policy";
    case flush_cause::opaque:
        return "opaque";
    case flush_cause::dynamic:
        return "dynamic";
    case flush_cause::written_by_scalar:
        return "written_by_scalar";
    case flush_cause::carried_lines:
        return "carried_lines";
    case flush_cause::stale_lines:
        return "stale_lines";
    case flush_cause::unknown:
        break;
    }
    return "unknown";
}

inline nlohmann::ordered_json barrier_json(const graph& g, const host::planned& p, int index)
{
    const barrier& b = p.barriers[static_cast<std::size_t>(index)];
    nlohmann::ordered_json j{{"barrier", index}, {"kind", skt::to_string(b.kind)}, {"flag", b.flag}};
    j["arrive_behind"] = b.arrive_at > 0 ? nlohmann::json(kernel_text(g, b.arrive_at - 1)) : nlohmann::json(nullptr);
    return j;
}

inline nlohmann::ordered_json hazard_json(const graph& g, const hazard_group& h)
{
    return {{"kind", skt::to_string(h.what.kind)},
            {"buffer", h.what.buffer < 0 ? nlohmann::json(nullptr) : nlohmann::json(buffer_text(g, h.what.buffer))},
            {"from", kernel_text(g, h.what.from)},
            {"on_one_core", h.on_one_core},
            {"ordered_by", h.barriers},
            {"text", hazard_phrase(g, h).text()}};
}

} // namespace detail

/// Why the plan is as it is: reasons of the launch shape, of every boundary and of every flush.
inline nlohmann::ordered_json why_json(const graph& g, const host::planned& p)
{
    nlohmann::ordered_json out;
    out["launch"] = nlohmann::json::array();
    if (g.kernel_count == 0) {
        return out;
    }
    for (const phrase& line : detail::launch_reasons(g, p.launch)) {
        out["launch"].push_back(line.text());
    }
    const reasons r = reasons_of(g, p);
    out["boundaries"] = nlohmann::json::array();
    for (int k = 1; k < g.kernel_count; ++k) {
        nlohmann::ordered_json b;
        b["after"] = kernel_text(g, k - 1);
        b["before"] = kernel_text(g, k);
        b["waits"] = nlohmann::json::array();
        for (const int i : r.waits_at[static_cast<std::size_t>(k)]) {
            b["waits"].push_back(detail::barrier_json(g, p, i));
        }
        b["hazards"] = nlohmann::json::array();
        for (const detail::hazard_group& h : detail::groups_into(r, k)) {
            b["hazards"].push_back(detail::hazard_json(g, h));
        }
        b["text"] = nlohmann::json::array();
        for (const phrase& line : detail::boundary_item(g, p, r, k).details) {
            const std::string text = line.text();
            b["text"].push_back(text.substr(text.find_first_not_of(' ')));
        }
        out["boundaries"].push_back(std::move(b));
    }
    out["flushes"] = nlohmann::json::array();
    for (const flush_reason& f : flush_reasons_of(g, p)) {
        out["flushes"].push_back(
            {{"side", skt::to_string(f.where)},
             {f.after ? "after" : "before", kernel_text(g, f.kernel)},
             {"buffer", f.buffer < 0 ? nlohmann::json(nullptr) : nlohmann::json(buffer_text(g, f.buffer))},
             {"cause", detail::to_string(f.cause)},
             {"text", detail::flush_phrase(g, f).text()}});
    }
    return out;
}

/// The plan as `skt-plan --format json` prints it, with a member "why" behind.
inline nlohmann::ordered_json json(const graph& g, const host::planned& p, const std::vector<finding>& findings = {})
{
    nlohmann::ordered_json out = host::plan_json(g, p, findings);
    out["why"] = why_json(g, p);
    return out;
}

/// The same for a `SuperKernel` type. "arguments" are those of `run`, in its order.
template <class SK>
nlohmann::ordered_json json()
{
    const named_graph_data g = named_graph<SK>();
    nlohmann::ordered_json out = json(g.view(), planned_of<SK>());
    out["arguments"] = argument_names<SK>();
    return out;
}

} // namespace skt::report
