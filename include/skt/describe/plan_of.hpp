/// @file
/// From a list of sub-kernel types to a planned and proved program, all at class scope. Device-safe.
#pragma once

#include <skt/describe/describe.hpp>
#include <skt/model/reset.hpp>
#include <skt/plan/check.hpp>
#include <skt/plan/planner.hpp>
#include <skt/plan/prover.hpp>

namespace skt::detail {

/// The plan of `N` kernels, with its arrays.
template <int N>
struct plan_storage {
    static constexpr int size = N > 0 ? N : 1;
    barrier barriers[4 * size] = {};
    flush_point before[2][size] = {};
    flush_point after[2][size] = {};
    int index[4][4 * size + 2] = {};
    plan_result result{};

    constexpr plan_storage()
    {
        reset(barriers);
        for (int s = 0; s < 2; ++s) {
            reset(before[s]);
            reset(after[s]);
        }
    }
    constexpr plan_view view() const
    {
        return {result.launch, barriers, result.barrier_count, {before[0], before[1]}, {after[0], after[1]}};
    }
};

/// What the first half of planning finds. A constant of its own: compilers limit the steps of one constant expression
/// (clang: about a million), and 512 kernels need more than that for both halves.
template <int N>
struct need_storage {
    static constexpr int size = N > 0 ? N : 1;
    launch_shape launch{kernel_type::mix_aiv_1_0, 0};
    start_need needs[size] = {};
    bool publishes_all[2][size] = {};
    flush_point before[2][size] = {};
    flush_point after[2][size] = {};

    constexpr need_storage()
    {
        reset(needs);
        for (int s = 0; s < 2; ++s) {
            reset(before[s]);
            reset(after[s]);
        }
    }
};

template <int N, int Effects, int Buffers>
constexpr need_storage<N> make_need_storage(const graph& g)
{
    need_storage<N> p{};
    access_record records[need_storage<N>::size + Effects] = {};
    access_runs runs[Buffers + 1] = {};
    cache_record cache[Buffers + 1] = {};
    reset(records);
    reset(runs);
    reset(cache);
    plan_memory m{};
    m.records = records;
    m.runs = runs;
    m.needs = p.needs;
    m.cache = cache;
    for (int s = 0; s < 2; ++s) {
        m.publishes_all[s] = p.publishes_all[s];
        m.before[s] = p.before[s];
        m.after[s] = p.after[s];
    }
    p.launch = launch_of(g);
    find_needs(g, p.launch, m);
    return p;
}

template <int N>
constexpr plan_storage<N> make_plan_storage(const graph& g, need_storage<N> found)
{
    constexpr int n = plan_storage<N>::size;
    constexpr int trace_capacity = 6 * n + 64;
    plan_storage<N> p{};
    trace_entry trace[trace_capacity] = {};
    source_life life[n] = {};
    barrier_duty duties[4 * n] = {};
    knowledge known[4 * n] = {};
    reset(trace);
    reset(life);
    reset(duties);
    reset(known);
    plan_memory m{};
    m.needs = found.needs;
    m.trace = trace;
    m.trace_capacity = trace_capacity;
    m.life = life;
    m.barriers = p.barriers;
    m.duties = duties;
    m.known = known;
    for (int s = 0; s < 2; ++s) {
        m.publishes_all[s] = found.publishes_all[s];
        m.before[s] = p.before[s];
        m.after[s] = p.after[s];
        for (int k = 0; k < n; ++k) {
            p.before[s][k] = found.before[s][k];
            p.after[s][k] = found.after[s][k];
        }
    }
    for (int i = 0; i < 4; ++i) {
        m.index[i] = p.index[i];
    }
    p.result = place_and_split(g, found.launch, m);
    return p;
}

template <int N, class Sink>
constexpr void lay_out_stored(const graph& g, const plan_storage<N>& p, Sink& sink)
{
    lay_out(g, p.view(), {p.index[0], p.index[1], p.index[2], p.index[3]}, sink);
}

/// A program with its arrays: `Aic` and `Aiv` steps.
template <int Aic, int Aiv>
struct program_storage {
    launch_shape launch{kernel_type::mix_aiv_1_0, 0};
    step aic[Aic > 0 ? Aic : 1] = {};
    step aiv[Aiv > 0 ? Aiv : 1] = {};

    constexpr program_storage()
    {
        reset(aic);
        reset(aiv);
    }
    constexpr program_view view() const { return {launch, {aic, aiv}, {Aic, Aiv}}; }
};

template <class Sink, int N>
constexpr Sink counted(const graph& g, const plan_storage<N>& p)
{
    Sink sink{};
    lay_out_stored(g, p, sink);
    return sink;
}

template <int Aic, int Aiv, int N>
constexpr program_storage<Aic, Aiv> stored(const graph& g, const plan_storage<N>& p)
{
    program_storage<Aic, Aiv> out{};
    out.launch = p.result.launch;
    store_sink sink{{out.aic, out.aiv}};
    lay_out_stored(g, p, sink);
    return out;
}

template <int N, int Effects, int Buffers, int Steps>
constexpr finding_table checked(const graph& g, const program_view& program, int argument_count)
{
    finding_table table{};
    check_graph(g, program.launch, table);
    if (argument_count > argument_limit) {
        table(finding{rule::too_many_arguments, -1, -1, -1, argument_count, argument_limit});
    }
    if (table.total == 0) {
        proof::arrival arrivals[Steps + 1] = {};
        int places[4][N + 1] = {};
        reset(arrivals);
        int kernels[Effects + 1] = {};
        int before[Effects + 1] = {};
        int last[Buffers + 1] = {};
        prove(g, program, {arrivals, {places[0], places[1]}, {places[2], places[3]}, kernels, before, last}, table);
    }
    return table;
}

template <class Option>
struct editor_of {
    template <class Program>
    static constexpr void edit(Program&)
    {
    }
};
template <class Editor>
struct editor_of<edited<Editor>> : Editor {
};

/// Applies the editors among the options to a program.
template <class Options>
struct edits;
template <class... Os>
struct edits<options<Os...>> {
    template <class Program>
    static constexpr Program apply(Program p)
    {
        (editor_of<Os>::edit(p), ...);
        return p;
    }
};

/// Everything that is computed about a super kernel.
template <class SuperOptions, class... Ks>
struct plan_of {
    using described = graph_of<SuperOptions, Ks...>;
    using info = typename described::info;
    using kernels = boost::mp11::mp_list<Ks...>;
    static constexpr int kernel_count = sizeof...(Ks);
    static constexpr typename described::storage_type data = described::make();
    static constexpr graph input = data.view();
    static constexpr need_storage<kernel_count> needs =
        make_need_storage<kernel_count, info::map.effect_count, info::map.buffer_count>(input);
    static constexpr plan_storage<kernel_count> plan = make_plan_storage<kernel_count>(input, needs);
    static constexpr count_sink size = counted<count_sink>(input, plan);
    static constexpr program_storage<size.steps[0], size.steps[1]> program =
        edits<SuperOptions>::apply(stored<size.steps[0], size.steps[1]>(input, plan));
    static constexpr int argument_count = info::map.argument_count + (info::map.has_temps ? 1 : 0);
    static constexpr finding_table findings =
        checked<kernel_count, info::map.effect_count, info::map.buffer_count, size.steps[0] + size.steps[1]>(
            input, program.view(), argument_count);
};

} // namespace skt::detail
