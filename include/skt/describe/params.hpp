/// @file
/// Parameters of a sub-kernel, as types: what is passed, and what the kernel does to it. Device-safe.
#pragma once

#include <skt/model/effect.hpp>

#include <cstdint>
#include <type_traits>

namespace skt {

// ---- refinements of an effect
// ------------------------------------------------------------------------------------------------

/// The bytes move by DMA only (the default).
struct via_dma {
    static constexpr void refine(effect& e) { e.how = via::dma; }
};
/// The scalar unit touches the bytes, through the data cache: GetValue, SetValue, `operator()`, raw pointers.
struct via_scalar {
    static constexpr void refine(effect& e) { e.how = via::scalar; }
};
/// Both DMA and the scalar unit touch the bytes.
struct via_both {
    static constexpr void refine(effect& e) { e.how = via::both; }
};
/// The scalar unit touches at most the first `N` 64-byte lines of the buffer, so that flushing those is enough.
template <int N>
struct scalar_lines {
    static_assert(N > 0,
                  "skt::scalar_lines<N>: N counts 64-byte lines from the start of the buffer and must be at least 1");
    static constexpr void refine(effect& e) { e.scalar_lines = N; }
};
/// Only the cube side of a mix kernel touches the buffer.
struct on_aic {
    static constexpr void refine(effect& e) { e.sides = on_aic_bit; }
};
/// Only the vector side of a mix kernel touches the buffer.
struct on_aiv {
    static constexpr void refine(effect& e) { e.sides = on_aiv_bit; }
};
/// Block i touches slice i only, as `Partition` cuts the buffer. Two kernels with one partition, one side and one block
/// count depend on each other block by block and need no cross-core barrier.
///
/// `Partition` is any type; `static constexpr bool line_aligned = true;` in it says that slices start and end on
/// 64-byte lines.
template <class Partition>
struct sliced {
    using partition = Partition;
    static constexpr void refine(effect&) {}
};

namespace detail {

template <class T, class = void>
struct partition_of_refinement {
    static constexpr bool present = false;
    using type = void;
};
template <class P>
struct partition_of_refinement<sliced<P>, void> {
    static constexpr bool present = true;
    using type = P;
};

/// The partition among refinements, or void.
template <class... Refinements>
struct find_partition {
    using type = void;
};
template <class First, class... Rest>
struct find_partition<First, Rest...> {
    using type =
        std::conditional_t<partition_of_refinement<First>::present, typename partition_of_refinement<First>::type,
                           typename find_partition<Rest...>::type>;
};

template <class P, class = void>
struct is_line_aligned : std::false_type {
};
template <class P>
struct is_line_aligned<P, std::void_t<decltype(P::line_aligned)>> : std::bool_constant<P::line_aligned> {
};

} // namespace detail

/// How a parameter is passed.
enum class passing : std::uint8_t {
    buffer,   ///< A GM address.
    value,    ///< By value.
    constant, ///< Known at compile time: no argument.
    temp      ///< An address inside the workspace.
};

// ---- buffers
// -----------------------------------------------------------------------------------------------------------------

/// A temp buffer: `Bytes` bytes of the super kernel's workspace, placed by the kit. Used as the tag of an effect:
/// `using h = skt::temp<struct h_, 8192>;` then `skt::out<h>` in one kernel and `skt::in<h>` in another.
template <class Tag, std::int64_t Bytes>
struct temp {
    static_assert(Bytes > 0, "skt::temp<Tag, Bytes>: a temp buffer needs at least one byte");
    using tag = Tag;
    static constexpr std::int64_t bytes = Bytes;
};

namespace detail {

template <class T>
struct temp_bytes : std::integral_constant<std::int64_t, 0> {
};
template <class Tag, std::int64_t Bytes>
struct temp_bytes<temp<Tag, Bytes>> : std::integral_constant<std::int64_t, Bytes> {
};

template <access What, class Tag, class... Refinements>
struct buffer_param {
    using tag = Tag;
    using partition = typename find_partition<Refinements...>::type;
    static constexpr passing how = temp_bytes<Tag>::value > 0 ? passing::temp : passing::buffer;
    static constexpr bool has_effect = true;
    static constexpr effect make_effect()
    {
        effect e{};
        e.what = What;
        e.how = What == access::opaque ? via::both : via::dma;
        (Refinements::refine(e), ...);
        return e;
    }
};

} // namespace detail

/// The kernel reads the buffer named `Tag`.
template <class Tag, class... Refinements>
struct in : detail::buffer_param<access::in, Tag, Refinements...> {
};
/// The kernel writes the buffer named `Tag`, all of it or part.
template <class Tag, class... Refinements>
struct out : detail::buffer_param<access::out, Tag, Refinements...> {
};
/// The kernel reads and writes the buffer named `Tag`.
template <class Tag, class... Refinements>
struct inout : detail::buffer_param<access::inout, Tag, Refinements...> {
};
/// The kernel adds to the buffer named `Tag` atomically; it commutes with other accumulations.
template <class Tag, class... Refinements>
struct accumulate : detail::buffer_param<access::accumulate, Tag, Refinements...> {
};
/// A GM address whose use is unknown: ordered and flushed as read and written by every unit.
template <class Tag, class... Refinements>
struct opaque : detail::buffer_param<access::opaque, Tag, Refinements...> {
};
/// Tiling data behind a GM address, read by the scalar unit.
template <class Tag>
struct tiling_gm : detail::buffer_param<access::in, Tag, via_scalar> {
};

// ---- values
// ------------------------------------------------------------------------------------------------------------------

namespace detail {
template <class Tag, class T>
struct value_param {
    using tag = Tag;
    using type = T;
    static constexpr passing how = passing::value;
    static constexpr bool has_effect = false;
};
} // namespace detail

/// A scalar passed by value.
template <class Tag, class T>
struct scalar : detail::value_param<Tag, T> {
    static_assert(
        std::is_arithmetic_v<T> || std::is_enum_v<T>,
        "skt::scalar<Tag, T>: T must be an arithmetic type or an enum; pass structs with skt::tiling<Tag, T>");
};
/// A tiling struct passed by value.
template <class Tag, class T>
struct tiling : detail::value_param<Tag, T> {
    static_assert(std::is_trivially_copyable_v<T>,
                  "skt::tiling<Tag, T>: T is copied to the device byte by byte and must be trivially copyable");
};
/// A value known at compile time; takes no argument.
template <auto V>
struct constant {
    using tag = void;
    static constexpr passing how = passing::constant;
    static constexpr bool has_effect = false;
    static constexpr auto value = V;
};

/// Whether `T` is a parameter.
template <class T, class = void>
struct is_param : std::false_type {
};
template <class T>
struct is_param<T, std::void_t<decltype(T::how)>> : std::is_same<const passing, decltype(T::how)> {
};

} // namespace skt
