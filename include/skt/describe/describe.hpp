/// @file
/// From a list of sub-kernel types to a graph of plain values. Device-safe.
#pragma once

#include <skt/describe/kernel.hpp>
#include <skt/describe/super_policy.hpp>
#include <skt/describe/type_id.hpp>
#include <skt/model/graph.hpp>
#include <skt/model/reset.hpp>
#include <skt/model/workspace.hpp>

#include <boost/mp11/list.hpp>

#include <initializer_list>

namespace skt::detail {

/// One parameter of one sub-kernel as a plain value.
struct param_row {
    passing how = passing::constant;
    bool has_effect = false;
    effect what{};
    type_key tag{};
    bool has_partition = false;
    bool line_aligned = false;
    type_key partition{};
    std::int64_t temp_bytes = 0;
};

template <class P>
constexpr param_row make_row()
{
    param_row r{};
    r.how = P::how;
    r.has_effect = P::has_effect;
    r.tag = key_of<typename P::tag>;
    if constexpr (P::has_effect) {
        r.what = P::make_effect();
        r.temp_bytes = temp_bytes<typename P::tag>::value;
        r.has_partition = !std::is_void_v<typename P::partition>;
        r.partition = key_of<typename P::partition>;
        r.line_aligned = is_line_aligned<typename P::partition>::value;
    }
    return r;
}
template <class P>
inline constexpr param_row row_of = make_row<P>();

constexpr int at_least_one(int n)
{
    return n > 0 ? n : 1;
}

template <class Params, class CrossCore>
struct pools;
template <class... Ps, class... Cs>
struct pools<boost::mp11::mp_list<Ps...>, boost::mp11::mp_list<Cs...>> {
    static constexpr int param_count = sizeof...(Ps);
    static constexpr int cross_core_count = sizeof...(Cs);
    static constexpr param_row rows[at_least_one(param_count)] = {row_of<Ps>...};
    static constexpr cross_core_use cross_core[at_least_one(cross_core_count)] = {Cs::use...};
    static constexpr type_key tags[at_least_one(param_count)] = {row_of<Ps>.tag...};
    static constexpr type_key partitions[at_least_one(param_count)] = {row_of<Ps>.partition...};
};

/// How the parameters of all kernels map to arguments, buffers and effects.
template <int Params>
struct param_map {
    static constexpr int size = Params > 0 ? Params : 1;
    int argument[size] = {};        ///< Per parameter: index among the super kernel's arguments, or -1.
    int buffer[size] = {};          ///< Per parameter: index among the graph's buffers, or -1.
    int first_of_buffer[size] = {}; ///< Per buffer: the parameter that named it first.
    int first_of_argument[size] = {};
    int argument_count = 0;
    int buffer_count = 0;
    int effect_count = 0;
    int mixed_use = -1; ///< A parameter whose tag is passed in another way elsewhere, or -1.
    bool has_temps = false;
};

template <class Pools>
constexpr param_map<Pools::param_count> map_params()
{
    constexpr int n = Pools::param_count;
    const type_numbers<n> numbers = number_types<n>(Pools::tags);
    param_map<n> m{};
    int argument_of[at_least_one(n)] = {};
    int buffer_of[at_least_one(n)] = {};
    for (int i = 0; i < n; ++i) {
        const param_row& r = Pools::rows[i];
        const int number = numbers.number[i];
        if (numbers.first[number] == i) {
            const bool is_argument = r.how == passing::buffer || r.how == passing::value;
            argument_of[number] = is_argument ? m.argument_count : -1;
            if (is_argument) {
                m.first_of_argument[m.argument_count++] = i;
            }
            buffer_of[number] = r.has_effect ? m.buffer_count : -1;
            if (r.has_effect) {
                m.first_of_buffer[m.buffer_count++] = i;
            }
            m.has_temps = m.has_temps || r.how == passing::temp;
        } else if (r.how != Pools::rows[numbers.first[number]].how && r.how != passing::constant) {
            m.mixed_use = i;
        }
        m.argument[i] = r.how == passing::constant ? -1 : argument_of[number];
        m.buffer[i] = r.has_effect ? buffer_of[number] : -1;
        m.effect_count += r.has_effect;
    }
    return m;
}

/// A graph with its arrays.
template <int Kernels, int Effects, int Buffers, int Partitions, int CrossCore>
struct graph_storage {
    kernel_desc kernels[at_least_one(Kernels)] = {};
    effect effects[at_least_one(Effects)] = {};
    buffer_desc buffers[at_least_one(Buffers)] = {};
    partition_desc partitions[at_least_one(Partitions)] = {};
    cross_core_use cross_core[at_least_one(CrossCore)] = {};
    int first_param[Kernels + 1] = {}; ///< Per kernel: its first parameter.
    soc chip = socs::atlas_a2_24;
    graph_policy policy{};
    std::int64_t workspace_bytes = 0;
    option_result wrong_option{}; ///< The first fault of an option string.
    bool unknown_alias = false;   ///< An alias names a buffer that no kernel has.

    constexpr graph_storage()
    {
        reset(kernels);
        reset(effects);
        reset(buffers);
        reset(partitions);
        reset(cross_core);
    }

    constexpr graph view() const
    {
        return {kernels,    Kernels,    effects,    Effects,   buffers, Buffers,
                partitions, Partitions, cross_core, CrossCore, chip,    policy};
    }
};

/// Applies the super kernel's own options to a graph.
template <class Graph, class Pools, int N>
struct option_target {
    Graph& g;
    const param_map<N>& map;

    /// The buffer named by a tag, or -1.
    constexpr int buffer_of(type_key tag) const
    {
        for (int b = 0; b < map.buffer_count; ++b) {
            const type_key& key = Pools::tags[map.first_of_buffer[b]];
            if (key.hash == tag.hash && key.address == tag.address) {
                return b;
            }
        }
        return -1;
    }
};

template <class SuperOptions, class... Ks>
struct description;

template <class... Os, class... Ks>
struct description<options<Os...>, Ks...> {
    using all_params = boost::mp11::mp_append<boost::mp11::mp_list<>, typename facts_of<Ks>::params...>;
    using pool =
        pools<all_params, boost::mp11::mp_append<boost::mp11::mp_list<>, typename facts_of<Ks>::cross_core...>>;
    static constexpr int kernel_count = sizeof...(Ks);
    static constexpr param_map<pool::param_count> map = map_params<pool>();
    static constexpr int param_counts[at_least_one(kernel_count)] = {
        static_cast<int>(boost::mp11::mp_size<typename facts_of<Ks>::params>::value)...};
    static constexpr kernel_desc kernels[at_least_one(kernel_count)] = {facts_of<Ks>::value...};
};

/// Position of the first condition that fails, or -1.
constexpr int first_false(std::initializer_list<bool> holds)
{
    int i = 0;
    for (const bool h : holds) {
        if (!h) {
            return i;
        }
        ++i;
    }
    return -1;
}

/// Mistakes in descriptions that come before any plan: the position of the first, or -1.
template <class... Ks>
struct description_faults {
    static constexpr int no_kernel = first_false({facts_of<Ks>::is_kernel...});
    static constexpr int no_cores = first_false({facts_of<Ks>::core_specs == 1 ...});
};

template <class SuperOptions, class... Ks>
struct graph_of;

template <class... Os, class... Ks>
struct graph_of<options<Os...>, Ks...> {
    using info = description<options<Os...>, Ks...>;
    using pool = typename info::pool;
    using storage_type = graph_storage<info::kernel_count, info::map.effect_count, info::map.buffer_count,
                                       pool::param_count, pool::cross_core_count>;

    static constexpr storage_type make()
    {
        storage_type g{};
        const type_numbers<pool::param_count> partitions = number_types<pool::param_count>(pool::partitions);
        int param = 0;
        int effects = 0;
        int cross_core = 0;
        for (int k = 0; k < info::kernel_count; ++k) {
            kernel_desc& kernel = g.kernels[k];
            kernel = info::kernels[k];
            kernel.first_effect = effects;
            kernel.first_cross_core = cross_core;
            cross_core += kernel.cross_core_count;
            g.first_param[k] = param;
            for (int i = 0; i < info::param_counts[k]; ++i, ++param) {
                const param_row& r = pool::rows[param];
                if (r.has_effect) {
                    effect& e = g.effects[effects++];
                    e = r.what;
                    e.buffer = info::map.buffer[param];
                    e.partition = r.has_partition ? partitions.number[param] : -1;
                    g.partitions[partitions.number[param]].line_aligned = r.line_aligned;
                }
            }
        }
        g.first_param[info::kernel_count] = param;
        for (int i = 0; i < pool::cross_core_count; ++i) {
            g.cross_core[i] = pool::cross_core[i];
        }
        for (int b = 0; b < info::map.buffer_count; ++b) {
            const param_row& r = pool::rows[info::map.first_of_buffer[b]];
            g.buffers[b].region = b;
            g.buffers[b].temp = r.how == passing::temp;
            g.buffers[b].bytes = r.temp_bytes;
        }
        const option_target<storage_type, pool, pool::param_count> target{g, info::map};
        (Os::apply(target), ...);
        (void)target;
        if (info::map.has_temps) {
            g.workspace_bytes = place_temps(g.buffers, info::map.buffer_count, g.kernels, info::kernel_count, g.effects,
                                            g.policy.share_workspace);
        }
        return g;
    }
};

} // namespace skt::detail
