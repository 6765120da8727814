/// @file
/// The 16-bit floating-point types of the device, on the host: IEEE binary16 and bfloat16, rounded to nearest even.
/// Host only.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace skt::emu {

namespace detail {

inline std::uint32_t float_bits(float f)
{
    std::uint32_t u;
    std::memcpy(&u, &f, sizeof u);
    return u;
}
inline float bits_float(std::uint32_t u)
{
    float f;
    std::memcpy(&f, &u, sizeof f);
    return f;
}

/// binary32 to binary16, nearest even; overflow to infinity, NaN stays NaN.
inline std::uint16_t half_from_float(float f)
{
    const std::uint32_t x = float_bits(f);
    const std::uint32_t sign = (x >> 16) & 0x8000u;
    const std::uint32_t a = x & 0x7fffffffu;
    if (a >= 0x7f800000u) { // infinity or NaN
        return static_cast<std::uint16_t>(sign | (a > 0x7f800000u ? 0x7e00u : 0x7c00u));
    }
    if (a >= 0x477ff000u) { // 65520 and beyond round to infinity
        return static_cast<std::uint16_t>(sign | 0x7c00u);
    }
    if (a >= 0x38800000u) { // normal
        const std::uint32_t r = a - 0x38000000u;
        return static_cast<std::uint16_t>(sign | ((r + 0xfffu + ((r >> 13) & 1u)) >> 13));
    }
    if (a < 0x33000000u) { // at most half of the smallest subnormal, and a tie goes to zero
        return static_cast<std::uint16_t>(sign);
    }
    const std::uint32_t shift = 126u - (a >> 23);
    const std::uint32_t m = (a & 0x7fffffu) | 0x800000u;
    const std::uint32_t q = m >> shift;
    const std::uint32_t rest = m & ((1u << shift) - 1u);
    const std::uint32_t tie = 1u << (shift - 1u);
    return static_cast<std::uint16_t>(sign | (q + ((rest > tie || (rest == tie && (q & 1u) != 0)) ? 1u : 0u)));
}

inline float half_to_float_slow(std::uint16_t h)
{
    const std::uint32_t sign = (h & 0x8000u) << 16;
    const std::uint32_t e = (h >> 10) & 0x1fu;
    std::uint32_t m = h & 0x3ffu;
    if (e == 0x1f) {
        return bits_float(sign | 0x7f800000u | (m << 13));
    }
    if (e != 0) {
        return bits_float(sign | ((e + 112u) << 23) | (m << 13));
    }
    if (m == 0) {
        return bits_float(sign);
    }
    std::uint32_t shift = 0;
    while ((m & 0x400u) == 0) {
        m <<= 1;
        ++shift;
    }
    return bits_float(sign | ((113u - shift) << 23) | ((m & 0x3ffu) << 13));
}

/// All 65,536 values: conversion is the emulator's most frequent operation, a table is the fastest portable way.
inline const float* half_table()
{
    static const auto table = [] {
        static std::array<float, 65536> t;
        for (std::uint32_t i = 0; i < 65536; ++i) {
            t[i] = half_to_float_slow(static_cast<std::uint16_t>(i));
        }
        return t.data();
    }();
    return table;
}
inline float half_to_float(std::uint16_t h)
{
    return half_table()[h];
}

/// binary32 to bfloat16, nearest even.
inline std::uint16_t bf16_from_float(float f)
{
    const std::uint32_t x = float_bits(f);
    if ((x & 0x7fffffffu) > 0x7f800000u) {
        return static_cast<std::uint16_t>((x >> 16) | 0x40u);
    }
    return static_cast<std::uint16_t>((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
}
inline float bf16_to_float(std::uint16_t b)
{
    return bits_float(static_cast<std::uint32_t>(b) << 16);
}

} // namespace detail

/// IEEE binary16. Arithmetic is done in binary32 and rounded once per operation.
class half {
public:
    half() = default;
    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    half(T v) : bits_(detail::half_from_float(static_cast<float>(v)))
    {
    }
    operator float() const { return detail::half_to_float(bits_); }

    /// The value whose bit pattern is `b`.
    static half from_bits(std::uint16_t b)
    {
        half h;
        h.bits_ = b;
        return h;
    }
    /// The bit pattern.
    std::uint16_t bits() const { return bits_; }

    half& operator+=(half b) { return *this = half(float(*this) + float(b)); }
    half& operator-=(half b) { return *this = half(float(*this) - float(b)); }
    half& operator*=(half b) { return *this = half(float(*this) * float(b)); }
    half& operator/=(half b) { return *this = half(float(*this) / float(b)); }

private:
    std::uint16_t bits_;
};

/// bfloat16: the upper half of a binary32.
class bfloat16 {
public:
    bfloat16() = default;
    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    bfloat16(T v) : bits_(detail::bf16_from_float(static_cast<float>(v)))
    {
    }
    operator float() const { return detail::bf16_to_float(bits_); }

    /// The value whose bit pattern is `b`.
    static bfloat16 from_bits(std::uint16_t b)
    {
        bfloat16 h;
        h.bits_ = b;
        return h;
    }
    /// The bit pattern.
    std::uint16_t bits() const { return bits_; }

    bfloat16& operator+=(bfloat16 b) { return *this = bfloat16(float(*this) + float(b)); }
    bfloat16& operator-=(bfloat16 b) { return *this = bfloat16(float(*this) - float(b)); }
    bfloat16& operator*=(bfloat16 b) { return *this = bfloat16(float(*this) * float(b)); }
    bfloat16& operator/=(bfloat16 b) { return *this = bfloat16(float(*this) / float(b)); }

private:
    std::uint16_t bits_;
};

static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half>);
static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);

} // namespace skt::emu
