/// @file
/// Plan files: a graph from JSON, a plan and its findings to JSON. Host only.
///
/// Input that cannot be used is reported by `input_error`, whose text is one sentence that names the place.
#pragma once

#include <skt/host/graph_data.hpp>
#include <skt/host/plan.hpp>
#include <skt/host/sentence.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace skt::host {

/// A plan file that cannot be used. `what()` is one sentence.
class input_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Limits of plan files, so that a typing error cannot exhaust the machine.
namespace plan_file {
inline constexpr int most_kernels = 20000;
inline constexpr int most_arguments = 256; ///< Of one kernel.
inline constexpr int most_blocks = 65535;
inline constexpr int most_count = 65535; ///< Of SyncAll calls, flag sets and the like.
} // namespace plan_file

namespace detail {

using json = nlohmann::json;

/// A name as it may appear in a message: what cannot be printed is left out, and long ones are cut.
inline std::string printable(std::string_view text)
{
    std::string out;
    for (const char c : text.substr(0, 60)) {
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
    // A cut inside a character would not be UTF-8.
    while (text.size() > 60 && !out.empty() && (static_cast<unsigned char>(out.back()) & 0x80u) != 0) {
        out.pop_back();
    }
    return text.size() > 60 ? out + "..." : out;
}

inline const json& object_at(const json& j, const std::string& where)
{
    if (!j.is_object()) {
        throw input_error(fmt::format("{} must be an object, and is {}.", where, j.type_name()));
    }
    return j;
}

inline void only_members(const json& j, const std::string& where, std::initializer_list<const char*> known)
{
    for (const auto& [name, value] : j.items()) {
        if (std::none_of(known.begin(), known.end(), [&n = name](const char* k) { return n == k; })) {
            throw input_error(fmt::format("{} has an unknown member '{}': the members are {}.", where, printable(name),
                                          fmt::join(known, ", ")));
        }
    }
}

inline const json& member(const json& j, const std::string& where, const char* name)
{
    const auto it = j.find(name);
    if (it == j.end()) {
        throw input_error(fmt::format("{} lacks the member '{}'.", where, name));
    }
    return *it;
}

inline std::string name_in(const json& j, const std::string& where)
{
    if (!j.is_string()) {
        throw input_error(fmt::format("{} must be a name, and is {}.", where, j.type_name()));
    }
    const std::string& text = j.get_ref<const std::string&>();
    const bool control =
        std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (text.empty() || text.size() > 200 || control) {
        throw input_error(fmt::format("{} must be a name of 1 to 200 bytes without control characters.", where));
    }
    return text;
}

inline int int_in(const json& j, const std::string& where, int least, int most)
{
    if (!j.is_number_integer()) {
        throw input_error(
            fmt::format("{} must be a whole number, and is {}.", where, j.is_number() ? "a fraction" : j.type_name()));
    }
    const bool large = j.is_number_unsigned() && j.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
    const std::int64_t value = large ? std::int64_t{0} : j.get<std::int64_t>();
    if (large || value < least || value > most) {
        throw input_error(fmt::format("{} must be {} to {}, and is {}.", where, least, most, j.dump()));
    }
    return static_cast<int>(value);
}

inline bool bool_in(const json& j, const std::string& where)
{
    if (!j.is_boolean()) {
        throw input_error(fmt::format("{} must be true or false, and is {}.", where, j.type_name()));
    }
    return j.get<bool>();
}

/// A value of an enumeration by its name.
template <class T>
T one_of(const json& j, const std::string& where, std::initializer_list<std::pair<const char*, T>> values)
{
    std::vector<const char*> names;
    for (const auto& [name, value] : values) {
        if (j.is_string() && j.get_ref<const std::string&>() == name) {
            return value;
        }
        names.push_back(name);
    }
    throw input_error(fmt::format("{} must be one of {}, and is {}.", where, fmt::join(names, ", "),
                                  j.is_string() ? "'" + printable(j.get_ref<const std::string&>()) + "'"
                                                : std::string(j.type_name())));
}

/// A value of an enumeration whose names `to_string` gives.
template <class T>
T enum_in(const json& j, const std::string& where, std::initializer_list<T> values)
{
    std::vector<const char*> names;
    for (const T value : values) {
        if (j.is_string() && j.get_ref<const std::string&>() == to_string(value)) {
            return value;
        }
        names.push_back(to_string(value));
    }
    throw input_error(fmt::format("{} must be one of {}, and is {}.", where, fmt::join(names, ", "),
                                  j.is_string() ? "'" + printable(j.get_ref<const std::string&>()) + "'"
                                                : std::string(j.type_name())));
}

inline const json& array_in(const json& j, const std::string& where, int most)
{
    if (!j.is_array()) {
        throw input_error(fmt::format("{} must be a list, and is {}.", where, j.type_name()));
    }
    if (j.size() > static_cast<std::size_t>(most)) {
        throw input_error(fmt::format("{} has {} entries, and at most {} are planned.", where, j.size(), most));
    }
    return j;
}

/// Turns a plan file into a graph.
class plan_reader {
public:
    graph_data read(const json& j)
    {
        object_at(j, "The plan");
        only_members(j, "The plan", {"soc", "kernels", "aliases", "policy"});
        if (const auto it = j.find("soc"); it != j.end()) {
            data_.chip = one_of<soc>(*it, "'soc'",
                                     {{"atlas_a2_20", socs::atlas_a2_20},
                                      {"atlas_a2_24", socs::atlas_a2_24},
                                      {"atlas_a2_25", socs::atlas_a2_25},
                                      {"atlas_a3", socs::atlas_a3}});
        }
        for (const json& k : array_in(member(j, "The plan", "kernels"), "'kernels'", plan_file::most_kernels)) {
            read_kernel(k);
        }
        if (const auto it = j.find("aliases"); it != j.end()) {
            read_aliases(*it);
        }
        if (const auto it = j.find("policy"); it != j.end()) {
            read_policy(*it);
        }
        data_.place_workspace();
        return std::move(data_);
    }

private:
    void read_kernel(const json& j)
    {
        const std::string number = fmt::format("Kernel number {}", data_.kernels.size());
        object_at(j, number);
        const std::string name = name_in(member(j, number, "name"), "The name of " + lower(number));
        const std::string where = fmt::format("Kernel '{}'", printable(name));
        if (!kernel_names_.insert(name).second) {
            throw input_error(fmt::format("{} is there twice: give each kernel a name of its own.", where));
        }
        only_members(j, where,
                     {"name", "type", "blocks", "dynamic", "args", "sync_all", "sync_all_scope", "cross_core",
                      "matmul_objects", "pipes", "signals_next", "awaits_previous", "cache", "ratio",
                      "idle_at_sync_all"});
        const auto place = [&](const char* what) { return fmt::format("'{}' of {}", what, lower(where)); };
        const kernel_type type =
            enum_in(member(j, where, "type"), place("type"),
                    {kernel_type::aiv_only, kernel_type::aic_only, kernel_type::mix_aiv_1_0, kernel_type::mix_aic_1_0,
                     kernel_type::mix_aic_1_1, kernel_type::mix_aic_1_2});
        const json& blocks = member(j, where, "blocks");
        kernel_desc& k = data_.add_kernel(name, type, 0);
        if (blocks.is_string() && blocks.get_ref<const std::string&>() == "dynamic") {
            k.dynamic = true; // it may take all there is
            k.blocks = runs_on(type, side::aic) ? data_.chip.aic_cores : data_.chip.aiv_cores;
        } else {
            k.blocks = int_in(blocks, place("blocks"), 0, plan_file::most_blocks);
        }
        k.task_view = true; // a body of which nothing but its declarations is known
        read_flags(j, k, place);
        read_policies(j, k, place);
        if (const auto it = j.find("cross_core"); it != j.end()) {
            for (const json& c : array_in(*it, place("cross_core"), plan_file::most_arguments)) {
                read_cross_core(c, fmt::format("An entry of {}", place("cross_core")));
            }
        }
        const auto args = j.find("args");
        data_.kernels.back().opaque = args == j.end();
        if (args != j.end()) {
            for (const json& a : array_in(*args, place("args"), plan_file::most_arguments)) {
                read_argument(a,
                              fmt::format("Argument number {} of {}", data_.kernels.back().effect_count, lower(where)));
            }
        }
    }

    template <class Place>
    static void read_flags(const json& j, kernel_desc& k, const Place& place)
    {
        for (const auto& [name, value] : {std::pair<const char*, bool*>{"dynamic", &k.dynamic},
                                          {"signals_next", &k.signals_next},
                                          {"awaits_previous", &k.awaits_previous}}) {
            if (const auto it = j.find(name); it != j.end()) {
                *value = bool_in(*it, place(name)) || *value;
            }
        }
        for (const auto& [name, value] : {std::pair<const char*, int*>{"sync_all", &k.sync_all},
                                          {"matmul_objects", &k.matmul_objects},
                                          {"pipes", &k.pipes}}) {
            if (const auto it = j.find(name); it != j.end()) {
                *value = int_in(*it, place(name), 0, plan_file::most_count);
            }
        }
    }

    template <class Place>
    static void read_policies(const json& j, kernel_desc& k, const Place& place)
    {
        if (const auto it = j.find("sync_all_scope"); it != j.end()) {
            k.scope = enum_in(*it, place("sync_all_scope"), {sync_scope::aiv, sync_scope::all});
        }
        if (const auto it = j.find("cache"); it != j.end()) {
            k.cache = enum_in(*it, place("cache"),
                              {cache_policy::planned, cache_policy::around, cache_policy::before, cache_policy::after,
                               cache_policy::line_on_access, cache_policy::none});
        }
        if (const auto it = j.find("ratio"); it != j.end()) {
            k.ratio =
                enum_in(*it, place("ratio"), {ratio_policy::aiv0_only, ratio_policy::adaptive, ratio_policy::reject});
        }
        if (const auto it = j.find("idle_at_sync_all"); it != j.end()) {
            k.idle = enum_in(*it, place("idle_at_sync_all"), {idle_policy::feed, idle_policy::reject});
        }
    }

    void read_cross_core(const json& j, const std::string& where)
    {
        object_at(j, where);
        only_members(j, where, {"flag", "mode", "from", "times"});
        cross_core_use c;
        c.flag = int_in(member(j, where, "flag"), fmt::format("'flag' in {}", lower(where)), -1, plan_file::most_count);
        c.mode = int_in(member(j, where, "mode"), fmt::format("'mode' in {}", lower(where)), 0, 2);
        c.from = side_in(member(j, where, "from"), fmt::format("'from' in {}", lower(where)));
        if (const auto it = j.find("times"); it != j.end()) {
            c.times = int_in(*it, fmt::format("'times' in {}", lower(where)), 1, plan_file::most_count);
        }
        data_.add_cross_core(c);
    }

    static side side_in(const json& j, const std::string& where) { return enum_in(j, where, {side::aic, side::aiv}); }

    void read_argument(const json& j, const std::string& where)
    {
        object_at(j, where);
        only_members(j, where, {"buffer", "effect", "via", "side", "slice"});
        const std::string name = name_in(member(j, where, "buffer"), fmt::format("'buffer' of {}", lower(where)));
        const access what = enum_in(member(j, where, "effect"), fmt::format("'effect' of {}", lower(where)),
                                    {access::in, access::out, access::inout, access::accumulate, access::opaque});
        effect& e = data_.add_effect(buffer_index(name), what);
        if (const auto it = j.find("via"); it != j.end()) {
            e.how = enum_in(*it, fmt::format("'via' of {}", lower(where)), {via::dma, via::scalar, via::both});
        }
        e.how = what == access::opaque ? via::both : e.how;
        if (const auto it = j.find("side"); it != j.end()) {
            e.sides = one_of<side_mask>(*it, fmt::format("'side' of {}", lower(where)),
                                        {{"aic", on_aic_bit}, {"aiv", on_aiv_bit}, {"both", on_both_bits}});
        }
        if (const auto it = j.find("slice"); it != j.end()) {
            e.partition = partition_index(name_in(*it, fmt::format("'slice' of {}", lower(where))));
        }
        if (sides_of(data_.kernels.back(), e) == 0) {
            throw input_error(fmt::format("{} is on a side that the kernel's type does not have.", where));
        }
    }

    int buffer_index(const std::string& name)
    {
        const auto [it, fresh] = buffer_indices_.try_emplace(name, static_cast<int>(data_.buffers.size()));
        if (fresh) {
            data_.add_buffer(name);
        }
        return it->second;
    }

    int partition_index(const std::string& name)
    {
        const auto [it, fresh] = partition_indices_.try_emplace(name, static_cast<int>(data_.partitions.size()));
        if (fresh) {
            data_.partitions.push_back({data_.keep(name), false});
        }
        return it->second;
    }

    void read_aliases(const json& j)
    {
        for (const json& pair : array_in(j, "'aliases'", plan_file::most_count)) {
            array_in(pair, "An entry of 'aliases'", 2);
            if (pair.size() != 2) {
                throw input_error("An entry of 'aliases' must name two buffers.");
            }
            int index[2] = {0, 0};
            for (std::size_t i = 0; i < 2; ++i) {
                const std::string name = name_in(pair[i], "A buffer in 'aliases'");
                const auto it = buffer_indices_.find(name);
                if (it == buffer_indices_.end()) {
                    throw input_error(
                        fmt::format("'aliases' names a buffer '{}' that no kernel has.", printable(name)));
                }
                index[i] = it->second;
            }
            data_.alias(index[0], index[1]);
        }
    }

    void read_policy(const json& j)
    {
        object_at(j, "'policy'");
        only_members(j, "'policy'", {"sync", "launch_at_least"});
        if (const auto it = j.find("sync"); it != j.end()) {
            data_.policy.sync = enum_in(*it, "'sync' of 'policy'", {sync_policy::planned, sync_policy::every_pair});
        }
        if (const auto it = j.find("launch_at_least"); it != j.end()) {
            object_at(*it, "'launch_at_least'");
            only_members(*it, "'launch_at_least'", {"aic", "aiv"});
            for (const auto& [name, value] : {std::pair<const char*, int*>{"aic", &data_.policy.at_least_aic},
                                              {"aiv", &data_.policy.at_least_aiv}}) {
                if (const auto n = it->find(name); n != it->end()) {
                    *value = int_in(*n, fmt::format("'{}' of 'launch_at_least'", name), 0, plan_file::most_blocks);
                }
            }
        }
    }

    /// A place as it stands inside a sentence.
    static std::string lower(std::string where)
    {
        where[0] = where[0] >= 'A' && where[0] <= 'Z' ? static_cast<char>(where[0] - 'A' + 'a') : where[0];
        return where;
    }

    graph_data data_;
    std::set<std::string> kernel_names_;
    std::map<std::string, int> buffer_indices_;
    std::map<std::string, int> partition_indices_;
};

/// Parses text, refusing what JSON leaves open: a member named twice.
inline json parse_strictly(const std::string& text)
{
    std::vector<std::set<std::string>> open;
    std::string twice;
    const json::parser_callback_t watch = [&](int, json::parse_event_t event, json& parsed) {
        if (event == json::parse_event_t::object_start) {
            open.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            open.pop_back();
        } else if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second &&
                   twice.empty()) {
            twice = parsed.get<std::string>();
        }
        return true;
    };
    json j;
    try {
        j = json::parse(text, watch);
    } catch (const json::parse_error& e) {
        const std::size_t at = e.byte < text.size() ? e.byte : text.size();
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        throw input_error(fmt::format("The plan is not JSON: line {}, byte {} of the file cannot be read.", line, at));
    } catch (const json::exception&) {
        throw input_error("The plan is not JSON: it holds a number that is out of range.");
    }
    if (!twice.empty()) {
        throw input_error(fmt::format("The member '{}' is there twice in one object.", printable(twice)));
    }
    return j;
}

inline json range_json(core_range r)
{
    return json{{"first", r.first}, {"count", r.count}, {"stride", r.stride}};
}

} // namespace detail

/// Reads a plan file. Throws `input_error` for whatever cannot be used.
inline graph_data read_plan(const std::string& text)
{
    return detail::plan_reader().read(detail::parse_strictly(text));
}

/// Every finding about a graph and its program: rules that need no plan first.
inline std::vector<finding> findings_of(const graph& g, const program_view& p)
{
    std::vector<finding> all = check(g);
    if (g.kernel_count > 0) {
        for (const finding& f : prove(g, p)) {
            const bool known = std::any_of(all.begin(), all.end(), [&f](const finding& x) {
                return x.broken == f.broken && x.kernel == f.kernel;
            });
            if (!known) {
                all.push_back(f);
            }
        }
    }
    return all;
}

/// One step, with the operands that its kind has.
inline nlohmann::json step_json(const graph& g, const step& x)
{
    using detail::range_json;
    const auto kernel = [&]() -> nlohmann::json {
        return x.kernel >= 0 && x.kernel < g.kernel_count ? nlohmann::json(g.kernels[x.kernel].name)
                                                          : nlohmann::json(nullptr);
    };
    nlohmann::json j{{"op", to_string(x.what)}, {"cores", range_json(x.cores)}};
    switch (x.what) {
    case op::call:
        j["kernel"] = kernel();
        if (x.early != 0) {
            j["early"] = x.early;
        }
        break;
    case op::arrive:
    case op::wait:
        j["barrier"] = x.barrier;
        j["kind"] = to_string(x.kind);
        j["mode"] = mode_of(x.kind);
        j["flag"] = x.flag;
        if (x.what == op::arrive) {
            j["pipe"] = to_string(x.pipe);
        }
        if (x.skip.count > 0) {
            j["in_body"] = range_json(x.skip);
        }
        break;
    case op::flush:
        j["lines"] = x.buffer < 0 ? nlohmann::json("all") : nlohmann::json(x.lines);
        if (x.buffer >= 0) {
            j["buffer"] = g.buffers[x.buffer].name;
        }
        break;
    case op::feed:
        j["kernel"] = kernel();
        j["times"] = x.times;
        if (x.flag < 0) {
            j["sync_all"] = to_string(g.kernels[x.kernel].scope);
            j["except"] = range_json(x.skip);
        } else {
            j["flag"] = x.flag;
            j["kind"] = to_string(x.kind);
        }
        break;
    case op::preload:
        j["kernel"] = kernel();
        break;
    case op::drain:
        break;
    }
    return j;
}

/// A finding as plan files show it.
inline nlohmann::json finding_json(const graph& g, const finding& f)
{
    nlohmann::json kernels = nlohmann::json::array();
    for (const int k : {f.kernel, f.other}) {
        if (k >= 0 && k < g.kernel_count && (kernels.empty() || k != f.kernel)) {
            kernels.push_back(g.kernels[k].name);
        }
    }
    return {{"rule", name_of(f.broken)},
            {"severity", severity_of(f.broken)},
            {"kernels", kernels},
            {"message", sentence(g, f)}};
}

/// The hazards of a plan, one per pair of kernels, buffer and kind, the widest scope of each.
inline nlohmann::json hazards_json(const graph& g, const std::vector<hazard>& hazards)
{
    nlohmann::json list = nlohmann::json::array();
    std::map<std::tuple<int, int, int, int>, std::size_t> seen;
    std::vector<hazard> merged;
    for (const hazard& h : hazards) {
        const auto [it, fresh] = seen.try_emplace({h.to, h.from, h.buffer, static_cast<int>(h.kind)}, merged.size());
        if (fresh) {
            merged.push_back(h);
        } else if (h.scope == hazard_scope::all) {
            merged[it->second].scope = hazard_scope::all;
        }
    }
    for (const hazard& h : merged) {
        list.push_back({{"kind", to_string(h.kind)},
                        {"buffer", h.buffer < 0 ? nlohmann::json(nullptr) : nlohmann::json(g.buffers[h.buffer].name)},
                        {"from", g.kernels[h.from].name},
                        {"to", g.kernels[h.to].name},
                        {"scope", to_string(h.scope)}});
    }
    return list;
}

/// The whole output of a plan.
inline nlohmann::ordered_json plan_json(const graph& g, const planned& p, const std::vector<finding>& findings)
{
    nlohmann::ordered_json out;
    out["launch"] = {{"type", to_string(p.launch.type)}, {"blocks", p.launch.blocks}};
    out["arguments"] = nlohmann::json::array();
    for (int b = 0; b < g.buffer_count; ++b) {
        if (!g.buffers[b].temp) {
            out["arguments"].push_back(g.buffers[b].name);
        }
    }
    out["hazards"] = hazards_json(g, p.hazards);
    for (int s = 0; s < 2; ++s) {
        nlohmann::json steps = nlohmann::json::array();
        for (const step& x : p.steps[s]) {
            steps.push_back(step_json(g, x));
        }
        out["program"][to_string(static_cast<side>(s))] = std::move(steps);
    }
    for (int i = 0; i < barrier_kind_count; ++i) {
        out["counts"][to_string(static_cast<barrier_kind>(i))] = p.counts.barriers[i];
    }
    out["counts"]["flush"] = p.counts.flush;
    out["counts"]["drain"] = p.counts.drain;
    out["counts"]["fed_sync_all"] = p.counts.fed_sync_all;
    nlohmann::json found = nlohmann::json::array();
    for (const finding& f : findings) {
        found.push_back(finding_json(g, f));
    }
    out["findings"] = std::move(found);
    return out;
}

} // namespace skt::host
