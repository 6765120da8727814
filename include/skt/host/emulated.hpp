/// @file
/// Tells the emulator which sub-kernel runs on a core and what it declares, so that findings name kernels and buffers
/// and undeclared accesses are found. Included by the backend in emulator builds only. Host only.
#pragma once

#include <skt/describe/params.hpp>
#include <skt/emu/hooks.hpp>
#include <skt/report/names.hpp>
#include <skt/super_kernel.hpp>

#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace skt::host {

namespace detail {

/// Bytes of one slice, if the partition says it: `static constexpr std::uint64_t slice_bytes = ...;`.
template <class P, class = void>
struct slice_bytes_of : std::integral_constant<std::uint64_t, 0> {
};
template <class P>
struct slice_bytes_of<P, std::void_t<decltype(P::slice_bytes)>>
    : std::integral_constant<std::uint64_t, P::slice_bytes> {
};

constexpr emu::declared_access declared(access a)
{
    switch (a) {
    case access::in:
        return emu::declared_access::in;
    case access::out:
        return emu::declared_access::out;
    case access::inout:
        return emu::declared_access::inout;
    case access::accumulate:
        return emu::declared_access::accumulate;
    case access::opaque:
        return emu::declared_access::opaque;
    }
    return emu::declared_access::opaque;
}

/// The name of the `Index`-th kernel of a plan; lives as long as the program.
template <class Plan, int Index>
const char* kernel_name_of()
{
    static const std::string name =
        report::kernel_name<boost::mp11::mp_at_c<typename Plan::kernels, static_cast<std::size_t>(Index)>>::value();
    return name.c_str();
}

template <class P, class Address>
emu::declared_effect declare(Address address)
{
    static const std::string name = report::tag_name<typename P::tag>::value();
    constexpr effect e = P::make_effect();
    emu::declared_effect d;
    d.name = name.c_str();
    d.base = address;
    d.bytes = static_cast<std::uint64_t>(skt::detail::temp_bytes<typename P::tag>::value);
    d.what = declared(e.what);
    d.how = static_cast<std::uint8_t>(e.how);
    d.on_aic = (e.sides & on_aic_bit) != 0;
    d.on_aiv = (e.sides & on_aiv_bit) != 0;
    d.slice_bytes = slice_bytes_of<typename P::partition>::value;
    return d;
}

template <class Plan, int First, class Params, class Indices>
struct announcer;
template <class Plan, int First, class... Ps, std::size_t... Is>
struct announcer<Plan, First, boost::mp11::mp_list<Ps...>, std::index_sequence<Is...>> {
    template <class Pack>
    static void announce(const Pack& pack)
    {
        // Every core of a launch passes the same addresses, so one array serves them all.
        static thread_local emu::declared_effect effects[sizeof...(Ps) + 1];
        int count = 0;
        (add<Ps, First + static_cast<int>(Is)>(pack, effects, count), ...);
        if (count > 0) {
            emu::kernel_declares(effects, count);
        }
    }

private:
    template <class P, int Number, class Pack>
    static void add(const Pack& pack, emu::declared_effect* effects, int& count)
    {
        if constexpr (P::has_effect) {
            effects[count++] = declare<P>(skt::detail::parameter_value<Plan, P, Number>(pack));
        }
    }
};

} // namespace detail

/// The current core enters kernel `Index` of a plan.
template <class Plan, int Index, class K, class Pack>
void enter_kernel(const Pack& pack)
{
    using params = typename skt::detail::facts_of<K>::params;
    emu::kernel_begin(detail::kernel_name_of<Plan, Index>(), Index);
    detail::announcer<Plan, Plan::data.first_param[Index], params,
                      std::make_index_sequence<boost::mp11::mp_size<params>::value>>::announce(pack);
}

/// The current core stands in for kernel `Index`, which it does not run.
template <class Plan, int Index>
void stand_in_for_kernel()
{
    emu::kernel_begin(detail::kernel_name_of<Plan, Index>(), Index);
}

/// The current core leaves the kernel.
inline void leave_kernel()
{
    emu::kernel_end();
}

} // namespace skt::host
