// The super kernel of listing_64.hpp.
#pragma once

#include <skt/skt.hpp>

#include "listing_64.hpp"

#include <type_traits>
#include <utility>

inline constexpr int chain_length = 64;
inline constexpr int ring = 8;

template <int I>
struct ring_buffer;

template <int Pattern>
struct cores_of_pattern;
template <>
struct cores_of_pattern<0> {
    using type = skt::aiv<48>;
};
template <>
struct cores_of_pattern<1> {
    using type = skt::aic<24>;
};
template <>
struct cores_of_pattern<2> {
    using type = skt::mix<1, 2, 20>;
};
template <>
struct cores_of_pattern<3> {
    using type = skt::aiv<40>;
};
template <>
struct cores_of_pattern<4> {
    using type = skt::mix_aic<20>;
};

template <class Number>
using stage_kernel =
    skt::kernel<skt::fn<&stage<Number::value>>, typename cores_of_pattern<Number::value % 5>::type,
                skt::in<ring_buffer<Number::value % ring>>, skt::out<ring_buffer<(Number::value + 1) % ring>>>;

template <class Numbers>
struct chain;
template <std::size_t... Is>
struct chain<std::index_sequence<Is...>> {
    using type = skt::SuperKernel<stage_kernel<std::integral_constant<int, static_cast<int>(Is)>>...>;
};
using fused = chain<std::make_index_sequence<chain_length>>::type;
