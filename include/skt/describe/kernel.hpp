/// @file
/// `skt::kernel`: one sub-kernel as a type, and `skt::kernel_traits`, the only reader of such types. Device-safe.
#pragma once

#include <skt/describe/body.hpp>
#include <skt/describe/options.hpp>
#include <skt/describe/params.hpp>

#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <type_traits>

namespace skt {

/// One sub-kernel: what runs (`skt::fn`, `skt::init_process`, `skt::task_fn`, `skt::functor`), where (`skt::aiv<48>`,
/// `skt::mix<1, 2, 24>`, ...), its parameters in the order of the body's, and its options, in any order among each
/// other.
template <class Body, class... Items>
struct kernel {
};

/// Options added to kernel `K` from outside: specialise it with `using type = skt::options<...>;`. They apply after the
/// kernel's own.
template <class K>
struct kernel_policy {
    using type = options<>;
};

namespace detail {

template <class T, class = void>
struct has_description : std::false_type {
};
template <class T>
struct has_description<T, std::void_t<typename T::description>> : std::true_type {
};

template <class T, class = void>
struct has_members : std::false_type {
};
template <class T>
struct has_members<T, std::void_t<typename T::cores, typename T::params>> : std::true_type {
};

template <class T, class List>
struct kernel_from_members;
template <class T, template <class...> class List, class... Params>
struct kernel_from_members<T, List<Params...>> {
    using type = kernel<task_fn<T>, typename T::cores, Params...>;
};

} // namespace detail

/// A list of parameters, for kernels that are the author's own types.
template <class... Params>
struct params {
};

/// Describes the sub-kernel type `K`: `using description = skt::kernel<...>;`.
///
/// The primary template accepts a `skt::kernel` as it is, a class with a nested `description`, and a class with nested
/// `cores`, `params` and a static `run(task, args...)`. Specialise it for a type that cannot be changed.
template <class K, class = void>
struct kernel_traits {
    using description = void; // SuperKernel says what to do about it
};
template <class Body, class... Items>
struct kernel_traits<kernel<Body, Items...>, void> {
    using description = kernel<Body, Items...>;
};
template <class K>
struct kernel_traits<K, std::enable_if_t<detail::has_description<K>::value>> {
    using description = typename K::description;
};
template <class K>
struct kernel_traits<K, std::enable_if_t<!detail::has_description<K>::value && detail::has_members<K>::value>> {
    using description = typename detail::kernel_from_members<K, typename K::params>::type;
};

namespace detail {

template <class T, class = void>
struct is_core_spec : std::false_type {
};
template <class T>
struct is_core_spec<T, std::void_t<decltype(T::is_core_spec)>> : std::true_type {
};

template <class T, class = void>
struct is_cross_core : std::false_type {
};
template <class T>
struct is_cross_core<T, std::void_t<decltype(T::use)>> : std::true_type {
};

template <class T>
struct is_block_source : std::false_type {
};
template <auto F>
struct is_block_source<blocks_from<F>> : std::true_type {
};

/// Everything about one sub-kernel that the rest of the kit reads.
template <class K, class Description, class Policy>
struct facts;
template <class K, class Body, class... Items, class... Extra>
struct facts<K, kernel<Body, Items...>, options<Extra...>> {
    using body = Body;
    using params = boost::mp11::mp_copy_if<boost::mp11::mp_list<Items...>, is_param>;
    using cross_core = boost::mp11::mp_copy_if<boost::mp11::mp_list<Items...>, is_cross_core>;
    using block_source = boost::mp11::mp_copy_if<boost::mp11::mp_list<Items...>, is_block_source>;
    static constexpr bool is_kernel = true;
    static constexpr int core_specs = (0 + ... + (is_core_spec<Items>::value ? 1 : 0));

    template <class Item>
    static constexpr void describe_item(kernel_desc& k)
    {
        if constexpr (!is_param<Item>::value) {
            Item::describe(k);
        } else if constexpr (Item::has_effect) {
            ++k.effect_count;
        }
    }
    static constexpr kernel_desc make()
    {
        kernel_desc k{};
        // No fold: clang limits folds to 256 operands.
        const int done[] = {0, (describe_item<Items>(k), 0)..., (describe_item<Extra>(k), 0)...};
        static_cast<void>(done);
        k.blocks = core_specs == 1 ? k.blocks : 1; // SuperKernel reports it
        k.opaque = k.effect_count == 0;
        k.task_view = Body::task_view;
        return k;
    }
    static constexpr kernel_desc value = make();
};

/// What is read of a type that is no sub-kernel, until the error is reported.
template <class K, class Policy>
struct facts<K, void, Policy> {
    using params = boost::mp11::mp_list<>;
    using cross_core = boost::mp11::mp_list<>;
    static constexpr bool is_kernel = false;
    static constexpr int core_specs = 1;
    static constexpr kernel_desc value{"", kernel_type::aiv_only, 1};
};

template <class K>
using facts_of = facts<K, typename kernel_traits<K>::description, typename kernel_policy<K>::type>;

} // namespace detail

} // namespace skt
