/// @file
/// Cast with its rounding modes, compare and select. Part of the drop-in kernel_operator.h. Host only.
#pragma once

#include <skt/emu/ascendc/detail/vector.hpp>

namespace skt::emu {

template <class T>
inline constexpr bool is_real_v = std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

/// A whole number near `x`.
inline double round_to_whole(double x, AscendC::RoundMode mode)
{
    switch (mode) {
    case AscendC::RoundMode::CAST_FLOOR:
        return std::floor(x);
    case AscendC::RoundMode::CAST_CEIL:
        return std::ceil(x);
    case AscendC::RoundMode::CAST_ROUND:
        return std::round(x);
    case AscendC::RoundMode::CAST_TRUNC:
        return std::trunc(x);
    default:
        return std::nearbyint(x); // the host rounds to even unless told otherwise
    }
}

/// float to a 16-bit type under a mode other than nearest even: the neighbours are one bit pattern apart.
template <class T>
T round_to_16(float x, AscendC::RoundMode mode)
{
    const T nearest(x);
    const float n = nearest;
    if (std::isnan(x) || n == x || mode == AscendC::RoundMode::CAST_NONE || mode == AscendC::RoundMode::CAST_RINT) {
        return nearest;
    }
    const auto bits = nearest.bits();
    const bool away = std::fabs(n) > std::fabs(x);
    const T inner = away ? T::from_bits(static_cast<std::uint16_t>(bits - 1)) : nearest; // toward zero
    const T outer = away ? nearest : T::from_bits(static_cast<std::uint16_t>(bits + 1));
    switch (mode) {
    case AscendC::RoundMode::CAST_TRUNC:
        return inner;
    case AscendC::RoundMode::CAST_FLOOR:
        return x < 0 ? outer : inner;
    case AscendC::RoundMode::CAST_CEIL:
        return x < 0 ? inner : outer;
    case AscendC::RoundMode::CAST_ODD:
        return (inner.bits() & 1u) != 0 ? inner : outer;
    default: { // CAST_ROUND: ties away from zero
        const float middle = (static_cast<float>(inner) + static_cast<float>(outer)) / 2;
        return std::fabs(x) >= std::fabs(middle) ? outer : inner;
    }
    }
}

/// One conversion, saturating where the target is whole.
template <class D, class S>
D convert(S v, AscendC::RoundMode mode)
{
    if constexpr (std::is_same_v<D, S>) {
        if constexpr (is_real_v<D>) { // to a whole number of the same type
            return mode == AscendC::RoundMode::CAST_NONE
                       ? v
                       : static_cast<D>(static_cast<float>(round_to_whole(static_cast<double>(wide(v)), mode)));
        } else {
            return v;
        }
    } else if constexpr (is_real_v<D>) {
        const auto x = static_cast<float>(v);
        if constexpr (std::is_same_v<D, float>) {
            return x;
        } else {
            return round_to_16<D>(x, mode);
        }
    } else if constexpr (is_real_v<S>) {
        const double x = round_to_whole(static_cast<double>(wide(v)), mode);
        if (std::isnan(x)) {
            return D(0);
        }
        const auto low = static_cast<double>(std::numeric_limits<D>::lowest());
        const auto high = static_cast<double>(std::numeric_limits<D>::max());
        return x <= low    ? std::numeric_limits<D>::lowest()
               : x >= high ? std::numeric_limits<D>::max()
                           : static_cast<D>(x);
    } else {
        const auto x = static_cast<std::int64_t>(v);
        const auto low = static_cast<std::int64_t>(std::numeric_limits<D>::lowest());
        const auto high = static_cast<std::int64_t>(std::numeric_limits<D>::max());
        return static_cast<D>(x < low ? low : x > high ? high : x);
    }
}

template <class T>
bool compare(T a, T b, AscendC::CMPMODE mode)
{
    const auto x = wide(a);
    const auto y = wide(b);
    switch (mode) {
    case AscendC::CMPMODE::LT:
        return x < y;
    case AscendC::CMPMODE::GT:
        return x > y;
    case AscendC::CMPMODE::LE:
        return x <= y;
    case AscendC::CMPMODE::GE:
        return x >= y;
    case AscendC::CMPMODE::EQ:
        return !(x < y) && !(y < x);
    case AscendC::CMPMODE::NE:
        return x < y || y < x;
    }
    return false;
}

/// Comparison of `count` elements into bits, lowest bit first.
template <class U, class T, class F>
void compare_bits(const char* what, where at, const AscendC::LocalTensor<U>& dst, std::uint64_t count, F f,
                  const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>* src1)
{
    instr i(pipe::v, what, at);
    const std::byte* a = i.reads(src0.memory(), src0.byte(), {count * sizeof(T)});
    const std::byte* b = src1 == nullptr ? a : i.reads(src1->memory(), src1->byte(), {count * sizeof(T)});
    std::byte* d = i.writes(dst.memory(), dst.byte(), {(count + 7) / 8});
    vector_cost(i, count * sizeof(T));
    if (a == nullptr || b == nullptr || d == nullptr) {
        return;
    }
    for (std::uint64_t base = 0; base < count; base += 8) {
        unsigned bits = 0;
        for (std::uint64_t e = 0; e < std::min<std::uint64_t>(8, count - base); ++e) {
            bits |= static_cast<unsigned>(f(load<T>(a + (base + e) * sizeof(T)), load<T>(b + (base + e) * sizeof(T))))
                    << e;
        }
        d[base / 8] = static_cast<std::byte>(bits);
    }
}

/// dst = bit ? src0 : src1.
template <class T, class U>
void select_bits(where at, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& mask,
                 const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>* src1, T scalar,
                 std::uint64_t count)
{
    instr i(pipe::v, "Select", at);
    const std::byte* m = i.reads(mask.memory(), mask.byte(), {(count + 7) / 8});
    const std::byte* a = i.reads(src0.memory(), src0.byte(), {count * sizeof(T)});
    const std::byte* b = src1 == nullptr ? a : i.reads(src1->memory(), src1->byte(), {count * sizeof(T)});
    std::byte* d = i.writes(dst.memory(), dst.byte(), {count * sizeof(T)});
    vector_cost(i, count * sizeof(T));
    if (m == nullptr || a == nullptr || b == nullptr || d == nullptr) {
        return;
    }
    for (std::uint64_t e = 0; e < count; ++e) {
        const bool yes = (std::to_integer<unsigned>(m[e / 8]) >> (e % 8) & 1u) != 0;
        store<T>(d + e * sizeof(T), yes               ? load<T>(a + e * sizeof(T))
                                    : src1 == nullptr ? scalar
                                                      : load<T>(b + e * sizeof(T)));
    }
}

} // namespace skt::emu

namespace AscendC {

template <typename T, typename U>
inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint32_t count,
                 skt::emu::where at = skt::emu::where::here())
{
    skt::emu::map_count(
        "Cast", at, count, [m = roundMode](U x) { return skt::emu::convert<T>(x, m); }, dst, src);
}
template <typename T, typename U, bool isSetMask = true>
inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask,
                 const uint8_t repeatTime, const UnaryRepeatParams& p, skt::emu::where at = skt::emu::where::here())
{
    detail::unary_lanes(
        "Cast", at, skt::emu::lanes::count(mask), repeatTime, p,
        [m = roundMode](U x) { return skt::emu::convert<T>(x, m); }, dst, src);
}
template <typename T, typename U, bool isSetMask = true>
inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
                 const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams& p,
                 skt::emu::where at = skt::emu::where::here())
{
    constexpr std::size_t n = skt::emu::lanes_per_repeat(std::max(sizeof(T), sizeof(U)));
    detail::unary_lanes(
        "Cast", at, skt::emu::lanes::bits(mask, n), repeatTime, p,
        [m = roundMode](U x) { return skt::emu::convert<T>(x, m); }, dst, src);
}

template <typename T, typename U>
inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                    uint32_t count, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::compare_bits(
        "Compare", at, dst, count, [cmpMode](T a, T b) { return skt::emu::compare(a, b, cmpMode); }, src0, &src1);
}
template <typename T, typename U>
inline void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,
                          uint32_t count, skt::emu::where at = skt::emu::where::here())
{
    const LocalTensor<T>* none = nullptr;
    skt::emu::compare_bits(
        "CompareScalar", at, dst, count,
        [cmpMode, src1Scalar](T a, T) { return skt::emu::compare(a, src1Scalar, cmpMode); }, src0, none);
}
template <typename T, typename U>
inline void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,
                     uint32_t count, skt::emu::where at = skt::emu::where::here())
{
    CompareScalar(dst, src0, src1Scalar, cmpMode, count, at);
}
template <typename T, typename U>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, SELMODE, uint32_t count, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::select_bits(at, dst, selMask, src0, &src1, T{}, count);
}
template <typename T, typename U>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1,
                   SELMODE, uint32_t count, skt::emu::where at = skt::emu::where::here())
{
    const LocalTensor<T>* none = nullptr;
    skt::emu::select_bits(at, dst, selMask, src0, none, src1, count);
}

} // namespace AscendC
