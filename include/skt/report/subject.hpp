/// @file
/// What a report is about: a graph with names and its plan, made from a `SuperKernel` type. Host only.
#pragma once

#include <skt/host/plan.hpp>
#include <skt/report/names.hpp>
#include <skt/super_kernel.hpp>

#include <boost/mp11/list.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace skt::report {

/// A graph whose kernels, buffers and partitions have names. Copies share one set of arrays.
class named_graph_data {
public:
    /// Takes a copy of `g` and gives its parts these names; a part beyond the end of its list keeps its own.
    named_graph_data(const graph& g, std::vector<std::string> kernels, std::vector<std::string> buffers,
                     std::vector<std::string> partitions)
        : data_(std::make_shared<arrays>())
    {
        arrays& a = *data_;
        a.g = g;
        a.kernel_names = std::move(kernels);
        a.buffer_names = std::move(buffers);
        a.partition_names = std::move(partitions);
        a.kernels.assign(g.kernels, g.kernels + g.kernel_count);
        a.effects.assign(g.effects, g.effects + g.effect_count);
        a.buffers.assign(g.buffers, g.buffers + g.buffer_count);
        a.partitions.assign(g.partitions, g.partitions + g.partition_count);
        a.cross_core.assign(g.cross_core, g.cross_core + g.cross_core_count);
        name_parts(a.kernels, a.kernel_names);
        name_parts(a.buffers, a.buffer_names);
        name_parts(a.partitions, a.partition_names);
        a.g.kernels = a.kernels.data();
        a.g.effects = a.effects.data();
        a.g.buffers = a.buffers.data();
        a.g.partitions = a.partitions.data();
        a.g.cross_core = a.cross_core.data();
    }

    /// The graph, valid as long as this object or a copy of it lives.
    const graph& view() const { return data_->g; }
    operator const graph&() const { return data_->g; }

private:
    struct arrays {
        graph g;
        std::vector<kernel_desc> kernels;
        std::vector<effect> effects;
        std::vector<buffer_desc> buffers;
        std::vector<partition_desc> partitions;
        std::vector<cross_core_use> cross_core;
        std::vector<std::string> kernel_names;
        std::vector<std::string> buffer_names;
        std::vector<std::string> partition_names;
    };
    template <class Parts>
    static void name_parts(Parts& parts, const std::vector<std::string>& names)
    {
        for (std::size_t i = 0; i < parts.size() && i < names.size(); ++i) {
            parts[i].name = names[i].c_str();
        }
    }
    std::shared_ptr<arrays> data_;
};

namespace detail {

template <class Kernels>
struct names_of_kernels;
template <class... Ks>
struct names_of_kernels<boost::mp11::mp_list<Ks...>> {
    static std::vector<std::string> value() { return {kernel_name<Ks>::value()...}; }
};

template <class P>
std::string name_of_param()
{
    if constexpr (std::is_void_v<typename P::tag>) {
        return {};
    } else {
        return tag_name<typename P::tag>::value();
    }
}
template <class P>
std::string name_of_partition()
{
    if constexpr (P::has_effect) {
        if constexpr (!std::is_void_v<typename P::partition>) {
            return tag_name<typename P::partition>::value();
        }
    }
    return {};
}
template <class Params>
struct names_of_params;
template <class... Ps>
struct names_of_params<boost::mp11::mp_list<Ps...>> {
    static std::vector<std::string> tags() { return {name_of_param<Ps>()...}; }
    static std::vector<std::string> partitions() { return {name_of_partition<Ps>()...}; }
};

} // namespace detail

/// The names of the arguments that `SK::run` takes, in order; "workspace" last if there are temp buffers.
template <class SK>
std::vector<std::string> argument_names()
{
    using plan = typename SK::details;
    const std::vector<std::string> tags = detail::names_of_params<typename plan::info::all_params>::tags();
    std::vector<std::string> names;
    for (int i = 0; i < plan::info::map.argument_count; ++i) {
        names.push_back(tags[static_cast<std::size_t>(plan::info::map.first_of_argument[i])]);
    }
    make_unique(names);
    if (plan::info::map.has_temps) {
        names.push_back("workspace");
    }
    return names;
}

/// The graph of a `SuperKernel`, with names.
template <class SK>
named_graph_data named_graph()
{
    using plan = typename SK::details;
    using params = detail::names_of_params<typename plan::info::all_params>;
    std::vector<std::string> kernels = detail::names_of_kernels<typename SK::kernels>::value();
    make_unique(kernels);

    const std::vector<std::string> tags = params::tags();
    std::vector<std::string> buffers;
    for (int b = 0; b < plan::info::map.buffer_count; ++b) {
        buffers.push_back(tags[static_cast<std::size_t>(plan::info::map.first_of_buffer[b])]);
    }
    make_unique(buffers);

    using pool = typename plan::info::pool;
    const std::vector<std::string> cuts = params::partitions();
    const auto numbers = skt::detail::number_types<pool::param_count>(pool::partitions);
    std::vector<std::string> partitions;
    for (int p = 0; p < numbers.count; ++p) {
        partitions.push_back(cuts[static_cast<std::size_t>(numbers.first[p])]);
    }
    return {plan::input, std::move(kernels), std::move(buffers), std::move(partitions)};
}

/// The plan of a `SuperKernel` in the form that reports read: exactly the program that runs.
template <class SK>
host::planned planned_of()
{
    using plan = typename SK::details;
    host::planned p;
    p.launch = SK::launch;
    for (int s = 0; s < 2; ++s) {
        p.steps[s].assign(SK::program.steps[s], SK::program.steps[s] + SK::program.count[s]);
    }
    p.barriers.assign(plan::plan.barriers, plan::plan.barriers + plan::plan.result.barrier_count);
    p.hazards = host::hazards_of(plan::input, SK::launch);
    p.counts = SK::counts;
    p.fell_back = plan::plan.result.fell_back;
    return p;
}

} // namespace skt::report
