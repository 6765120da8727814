/// @file
/// Planning at run time: the same functions as at compile time, over vectors. Host only.
#pragma once

#include <skt/plan/check.hpp>
#include <skt/plan/planner.hpp>
#include <skt/plan/prover.hpp>

#include <cstddef>
#include <vector>

namespace skt::host {

/// A planned super kernel with everything its consumers read. Owns its memory; the graph it came from is not kept.
struct planned {
    launch_shape launch{kernel_type::mix_aiv_1_0, 0};
    std::vector<step> steps[2]; ///< By side.
    std::vector<barrier> barriers;
    std::vector<hazard> hazards;
    plan_counts counts{};
    bool fell_back = false; ///< Flag ids ran out; neighbours are ordered pair by pair.

    program_view view() const
    {
        return {launch,
                {steps[0].data(), steps[1].data()},
                {static_cast<int>(steps[0].size()), static_cast<int>(steps[1].size())}};
    }
};

/// Collects findings.
struct finding_list {
    std::vector<finding> found;
    void operator()(const finding& f) { found.push_back(f); }
};

/// Sets `shared` for every buffer that another one may overlap.
inline void mark_shared(std::vector<buffer_desc>& buffers)
{
    for (std::size_t a = 0; a < buffers.size(); ++a) {
        for (std::size_t b = a + 1; b < buffers.size(); ++b) {
            if (overlap(buffers[a], buffers[b])) {
                buffers[a].shared = true;
                buffers[b].shared = true;
            }
        }
    }
}

/// The hazards of a graph in launch shape `l`, in order of the later kernel.
inline std::vector<hazard> hazards_of(const graph& g, launch_shape l)
{
    std::vector<access_record> records(static_cast<std::size_t>(g.kernel_count + g.effect_count));
    std::vector<access_runs> runs(static_cast<std::size_t>(g.buffer_count + 1));
    std::vector<hazard> found;
    auto sink = [&found](const hazard& h) { found.push_back(h); };
    for_each_hazard(g, l, {records.data(), runs.data()}, sink);
    return found;
}

/// Plans a super kernel.
/// @pre Every index in `g` is in range; `g.kernel_count` may be 0.
inline planned plan(const graph& g)
{
    const auto n = static_cast<std::size_t>(g.kernel_count);
    const auto e = static_cast<std::size_t>(g.effect_count);
    const auto b = static_cast<std::size_t>(g.buffer_count);
    std::vector<access_record> records(n + e);
    std::vector<access_runs> runs(b + 1);
    std::vector<start_need> needs(n);
    std::vector<char> full[2] = {std::vector<char>(n), std::vector<char>(n)};
    static_assert(sizeof(bool) == sizeof(char));
    std::vector<trace_entry> trace(n * frontier_capacity + 1);
    std::vector<source_life> life(n);
    std::vector<barrier> barriers(4 * n);
    std::vector<barrier_duty> duties(4 * n);
    std::vector<knowledge> known(4 * n);
    std::vector<flush_point> flush[4];
    for (auto& f : flush) {
        f.resize(n);
    }
    std::vector<cache_record> cache(b);
    std::vector<int> index[4] = {std::vector<int>(n + 2), std::vector<int>(4 * n), std::vector<int>(n + 2),
                                 std::vector<int>(4 * n)};
    plan_memory m{};
    m.records = records.data();
    m.runs = runs.data();
    m.needs = needs.data();
    m.publishes_all[0] = reinterpret_cast<bool*>(full[0].data());
    m.publishes_all[1] = reinterpret_cast<bool*>(full[1].data());
    m.trace = trace.data();
    m.trace_capacity = static_cast<int>(trace.size());
    m.life = life.data();
    m.barriers = barriers.data();
    m.duties = duties.data();
    m.known = known.data();
    for (int s = 0; s < 2; ++s) {
        m.before[s] = flush[s].data();
        m.after[s] = flush[2 + s].data();
    }
    m.cache = cache.data();
    for (int i = 0; i < 4; ++i) {
        m.index[i] = index[i].data();
    }

    planned out;
    const plan_result result = make_plan(g, m);
    out.launch = result.launch;
    out.fell_back = result.fell_back;
    barriers.resize(static_cast<std::size_t>(result.barrier_count));
    count_sink counter;
    const boundary_view boundaries{m.index[0], m.index[1], m.index[2], m.index[3]};
    lay_out(g, view_of(result, m), boundaries, counter);
    out.counts = counter.counts;
    for (int s = 0; s < 2; ++s) {
        out.steps[s].resize(static_cast<std::size_t>(counter.steps[s]));
    }
    store_sink store{{out.steps[0].data(), out.steps[1].data()}};
    lay_out(g, view_of(result, m), boundaries, store);
    out.barriers = std::move(barriers);
    out.hazards = hazards_of(g, out.launch);
    return out;
}

/// Proves a program; answers what it breaks, in the order of the walk.
inline std::vector<finding> prove(const graph& g, const program_view& p)
{
    const auto n = static_cast<std::size_t>(g.kernel_count);
    const auto e = static_cast<std::size_t>(g.effect_count);
    std::vector<proof::arrival> arrivals(static_cast<std::size_t>(p.count[0] + p.count[1]));
    std::vector<int> places[4] = {std::vector<int>(n), std::vector<int>(n), std::vector<int>(n), std::vector<int>(n)};
    std::vector<int> kernel(e);
    std::vector<int> before(e);
    std::vector<int> last(static_cast<std::size_t>(g.buffer_count));
    const proof_memory m{arrivals.data(),
                         {places[0].data(), places[1].data()},
                         {places[2].data(), places[3].data()},
                         kernel.data(),
                         before.data(),
                         last.data()};
    finding_list list;
    skt::prove(g, p, m, list);
    return std::move(list.found);
}

/// The rules that need no plan.
inline std::vector<finding> check(const graph& g)
{
    finding_list list;
    check_graph(g, launch_of(g), list);
    // A compiler counts the arguments of run(), values included; here they are the buffers outside the workspace.
    int arguments = 0;
    bool temps = false;
    for (int b = 0; b < g.buffer_count; ++b) {
        arguments += !g.buffers[b].temp;
        temps = temps || g.buffers[b].temp;
    }
    arguments += temps;
    if (arguments > argument_limit) {
        list(finding{rule::too_many_arguments, -1, -1, -1, arguments, argument_limit});
    }
    return std::move(list.found);
}

} // namespace skt::host
