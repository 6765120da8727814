/// @file
/// The vendor's own route: a described sub-kernel bound to its `__global__` function with SK_BIND, for fusion by the
/// graph framework. One description serves both routes. Device-safe.
///
///     using Norm = skt::kernel<skt::fn<&rms_norm>, skt::aiv<48>, skt::in<x>, skt::in<gamma>, skt::out<h>>;
///     extern "C" __global__ __vector__ void norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR h) { rms_norm(x, gamma, h); }
///     SKT_SK_BIND(Norm, norm, norm_sk, vector)
///
/// Rules of the vendor's route (public documentation of SK_BIND): an argument struct with the members in parameter
/// order, those smaller than 4 bytes aligned to 4; twins of the same core type; at most four; TPipe must not drain at
/// its end, which device/api.hpp sees to; cap bits 1 waits early, 2 signals early, 4 no cache flush around, 8 no
/// batch-mode check.
#pragma once

#include <skt/describe/describe.hpp>
#include <skt/describe/rule_checks.hpp>
#include <skt/device/api.hpp>
#include <skt/device/cores.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace skt::device {

namespace detail {

template <class P, class = void>
struct sk_argument_type {
    using type = GM_ADDR;
};
template <class P>
struct sk_argument_type<P, std::enable_if_t<P::how == passing::value>> {
    using type = typename P::type;
};

/// Offsets of the members of a struct with members `Ts`, each aligned to at least 4 bytes.
template <class... Ts>
struct sk_layout {
    static constexpr int count = sizeof...(Ts);
    int offset[count + 1] = {};
    int alignment = 4;
    int size = 0;

    static constexpr sk_layout make()
    {
        const int sizes[] = {static_cast<int>(sizeof(Ts))..., 0};
        const int alignments[] = {static_cast<int>(alignof(Ts))..., 0};
        sk_layout l{};
        for (int i = 0; i < count; ++i) {
            const int a = alignments[i] < 4 ? 4 : alignments[i];
            l.offset[i] = (l.size + a - 1) / a * a;
            l.size = l.offset[i] + sizes[i];
            l.alignment = a > l.alignment ? a : l.alignment;
        }
        l.size = l.size == 0 ? l.alignment : (l.size + l.alignment - 1) / l.alignment * l.alignment;
        return l;
    }
};

template <class K, class Indices>
struct sk_arguments;
template <class K, std::size_t... Is>
struct sk_arguments<K, std::index_sequence<Is...>> {
    using info = skt::detail::description<options<>, K>;
    template <int I>
    using type =
        typename sk_argument_type<boost::mp11::mp_at_c<typename info::all_params,
                                                       static_cast<std::size_t>(info::map.first_of_argument[I])>>::type;
    using layout_type = sk_layout<type<static_cast<int>(Is)>...>;
    static constexpr layout_type layout = layout_type::make();
    using function = void(type<static_cast<int>(Is)>...);
};

template <class K>
using sk_arguments_of = sk_arguments<
    K, std::make_index_sequence<static_cast<std::size_t>(skt::detail::description<options<>, K>::map.argument_count)>>;

} // namespace detail

/// What the vendor's fusion passes to a twin of sub-kernel `K`: the arguments as the author's struct would hold them.
template <class K>
struct sk_args {
    using arguments = detail::sk_arguments_of<K>;
    alignas(arguments::layout.alignment) unsigned char bytes[arguments::layout.size];
};

/// Argument `I` of a twin.
template <class K, int I>
SKT_AICORE SKT_INLINE auto sk_argument(const sk_args<K>* args)
{
    using arguments = typename sk_args<K>::arguments;
    return *reinterpret_cast<const typename arguments::template type<I>*>(args->bytes + arguments::layout.offset[I]);
}

namespace detail {

template <class K>
constexpr std::uint64_t make_sk_caps()
{
    constexpr kernel_desc k = skt::detail::facts_of<K>::value;
    bool scalar = k.opaque || k.dynamic;
    bool all_cores = k.sync_all > 0;
    for (const auto& row : skt::detail::description<options<>, K>::pool::rows) {
        scalar = scalar || (row.has_effect && row.what.how != via::dma);
    }
    for (const auto& use : skt::detail::description<options<>, K>::pool::cross_core) {
        all_cores = all_cores || (k.cross_core_count > 0 && use.mode == 0);
    }
    const bool flushed = k.cache == cache_policy::around || k.cache == cache_policy::before ||
                         k.cache == cache_policy::after || (k.cache == cache_policy::planned && scalar);
    return (k.awaits_previous ? 1u : 0u) | (k.signals_next ? 2u : 0u) | (flushed ? 0u : 4u) | (all_cores ? 0u : 8u);
}

} // namespace detail

/// The cap bits of SK_BIND that follow from the traits of sub-kernel `K`.
template <class K>
inline constexpr std::uint64_t sk_caps = detail::make_sk_caps<K>();

namespace detail {

/// The body of a twin.
template <class K, class Indices>
struct sk_twin;
template <class K, std::size_t... Is>
struct sk_twin<K, std::index_sequence<Is...>> {
    using facts = skt::detail::facts_of<K>;
    using info = skt::detail::description<options<>, K>;
    static constexpr kernel_desc desc = facts::value;
    /// On a vector core of a 1:2 kernel the vendor's route counts vector cores where GetBlockNum counts blocks.
    static constexpr int per_block = desc.type == kernel_type::mix_aic_1_2 ? 2 : 1;

    template <int I>
    SKT_AICORE static SKT_INLINE auto value(const sk_args<K>* args)
    {
        using param = boost::mp11::mp_at_c<typename info::all_params, static_cast<std::size_t>(I)>;
        if constexpr (param::how == passing::constant) {
            (void)args;
            return param::value;
        } else {
            return sk_argument<K, info::map.argument[I]>(args);
        }
    }

    template <class System>
    SKT_AICORE static SKT_INLINE void run(const sk_args<K>* args, System* system)
    {
        int blocks = system->skNumBlocks;
        int vectors = 1;
        if ASCEND_IS_AIV {
            blocks /= per_block;
            vectors = per_block;
        }
        g_super_kernel_dynamic_block_num = static_cast<std::uint32_t>(blocks);
        g_super_kernel_early_start_config = system->skTaskSyncCfg;
        facts::body::call(task_view(static_cast<int>(AscendC::GetBlockIdx()), blocks,
                                    static_cast<int>(AscendC::GetSubBlockIdx()), vectors),
                          value<static_cast<int>(Is)>(args)...);
    }
};

} // namespace detail

/// Runs sub-kernel `K` as a twin. `System` is the vendor's `sk::SkSystemArgs`.
template <class K, class System>
SKT_AICORE SKT_INLINE void run_sk(const sk_args<K>* args, System* system)
{
    using params = typename skt::detail::facts_of<K>::params;
    if constexpr (!skt::detail::description<options<>, K>::map.has_temps) { // SKT_SK_BIND refuses the others
        detail::sk_twin<K, std::make_index_sequence<boost::mp11::mp_size<params>::value>>::run(args, system);
    }
}

} // namespace skt::device

namespace skt::check {

template <kernel_type T>
struct twin_declared;
template <kernel_type T>
struct kernel_described;
template <class F>
struct function_given;
template <class F>
struct function_described;

template <bool Holds, class... Facts>
struct twin_has_the_cores_of_its_kernel {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct function_takes_the_arguments {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct twin_needs_no_workspace {
    static constexpr bool value = Holds;
};

/// The rules of a binding of sub-kernel `K` to a function of type `F`, one `static_assert` each.
template <class K, class F, kernel_type Cores>
struct enforce_binding {
    static constexpr kernel_type described = skt::detail::facts_of<K>::value.type;
    static constexpr bool has_temps = skt::detail::description<options<>, K>::map.has_temps;
    using function = typename device::sk_args<K>::arguments::function;
    static_assert(
        twin_has_the_cores_of_its_kernel<Cores == described, kernel<K>, twin_declared<Cores>,
                                         kernel_described<described>>::value,
        "[skt bind-cores] SKT_SK_BIND names other cores than the sub-kernel is described with: name vector, cube or "
        "mix_c_v as its description does");
    static_assert(
        twin_needs_no_workspace<!has_temps, kernel<K>>::value,
        "[skt bind-temp] the vendor's fusion has no workspace of the kit: describe the buffer with a tag of its own "
        "in place of skt::temp");
    static_assert(
        function_takes_the_arguments < has_temps || std::is_same_v<F, function>, kernel<K>, function_given<F>,
        function_described < function >> ::value,
        "[skt bind-parameters] the __global__ function does not take what the sub-kernel is described with: one GM "
        "address per buffer, scalars and tiling structs by value, each tag once");
};

} // namespace skt::check

/// Binds sub-kernel `K` to its own `__global__` function for the vendor's fusion, with four twins named `twin<0>` to
/// `twin<3>`. `cores` is one of the names of device/cores.hpp and must be the kernel's type.
#define SKT_SK_BIND(K, global_function, twin, cores_name)                                                              \
    static_assert(                                                                                                     \
        sizeof(::skt::check::enforce_binding<K, decltype(global_function), ::skt::device::cores::cores_name>) > 0);    \
    template <int Copy>                                                                                                \
    __sk__ SKT_CORES_ATTRIBUTE_##cores_name void twin(const ::skt::device::sk_args<K>* args,                           \
                                                      ::sk::SkSystemArgs* system)                                      \
    {                                                                                                                  \
        ::skt::device::run_sk<K>(args, system);                                                                        \
    }                                                                                                                  \
    SK_BIND(global_function, ::skt::device::sk_caps<K>, twin<0>, twin<1>, twin<2>, twin<3>)
