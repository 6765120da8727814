/// @file
/// Element-wise vector instructions. Part of the drop-in kernel_operator.h. Host only.
///
/// Three forms each, as on the device: the first `count` elements; repeats of 256 bytes with the first `mask` lanes of
/// each; repeats with one bit per lane. Half and bfloat16 are computed in float and rounded once, to nearest even.
#pragma once

#include <skt/emu/ascendc/detail/queue.hpp>

namespace skt::emu {

inline constexpr std::uint64_t repeat_bytes = 256;
inline constexpr std::uint64_t block_bytes = 32;

/// Which lanes of a repeat take part.
struct lanes {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t first = 0; ///< The first lane that takes part.
    std::uint32_t last = 0;  ///< One past the last lane that takes part.

    static lanes count(std::uint64_t n)
    {
        lanes l;
        l.low = n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
        l.high = n >= 128 ? ~std::uint64_t{0} : n > 64 ? (std::uint64_t{1} << (n - 64)) - 1 : 0;
        l.last = static_cast<std::uint32_t>(n);
        return l;
    }
    static lanes bits(const std::uint64_t* mask, std::size_t lane_count)
    {
        lanes l;
        l.low = mask[0];
        l.high = lane_count > 64 ? mask[1] : 0;
        l.first = static_cast<std::uint32_t>(lane_count);
        for (std::uint32_t i = 0; i < lane_count; ++i) {
            if (l.on(i)) {
                l.first = std::min(l.first, i);
                l.last = i + 1;
            }
        }
        return l;
    }
    bool on(std::uint32_t lane) const
    {
        return lane < 64 ? (low >> lane & 1u) != 0 : lane < 128 ? (high >> (lane - 64) & 1u) != 0 : lane < last;
    }
    bool none() const { return last == 0; }
};

/// Where the lanes of one operand lie.
struct layout {
    std::uint64_t block_stride = 1;  ///< 32-byte units.
    std::uint64_t repeat_stride = 8; ///< 32-byte units.

    /// Byte of lane `lane` in repeat `repeat`, elements of `size` bytes.
    std::uint64_t byte(std::uint64_t repeat, std::uint64_t lane, std::uint64_t size) const
    {
        const std::uint64_t per_block = block_bytes / size;
        return repeat * repeat_stride * block_bytes + lane / per_block * block_stride * block_bytes +
               lane % per_block * size;
    }
};

/// Announces the bytes that the lanes of an operand cover and gives the operand's first byte, or null.
template <bool Write, class T>
auto touch(instr& i, const AscendC::LocalTensor<T>& t, const lanes& l, layout where_, std::uint64_t repeats)
{
    using pointer = std::conditional_t<Write, std::byte*, const std::byte*>;
    const auto one = [&](std::uint64_t addr, span s) -> pointer {
        if constexpr (Write) {
            return i.writes(t.memory(), addr, s);
        } else {
            return i.reads(t.memory(), addr, s);
        }
    };
    if (l.none() || repeats == 0) {
        return pointer{nullptr};
    }
    constexpr std::uint64_t per_block = block_bytes / sizeof(T);
    const std::uint64_t first_block = l.first / per_block;
    const std::uint64_t last_block = (l.last - 1) / per_block;
    bool ok = true;
    if (where_.block_stride == 1) {
        const std::uint64_t first = l.first * sizeof(T);
        ok =
            one(t.byte() + first, {l.last * sizeof(T) - first, repeats, where_.repeat_stride * block_bytes}) != nullptr;
    } else {
        for (std::uint64_t b = first_block; b <= last_block && ok; ++b) {
            const std::uint64_t first = std::max<std::uint64_t>(l.first, b * per_block);
            const std::uint64_t last = std::min<std::uint64_t>(l.last, (b + 1) * per_block);
            ok = one(t.byte() + where_.byte(0, first, sizeof(T)),
                     {(last - first) * sizeof(T), repeats, where_.repeat_stride * block_bytes}) != nullptr;
        }
    }
    return ok ? static_cast<pointer>(i.on().local(t.memory()).data.get() + t.byte()) : pointer{nullptr};
}

template <class T>
T load(const std::byte* p)
{
    T v;
    std::memcpy(static_cast<void*>(&v), p, sizeof(T));
    return v;
}
template <class T>
void store(std::byte* p, T v)
{
    std::memcpy(p, static_cast<const void*>(&v), sizeof(T));
}

/// Modelled cost of a vector instruction over `bytes` bytes.
inline void vector_cost(instr& i, std::uint64_t bytes)
{
    i.cost(i.at().options.cost.vector_start + static_cast<double>(bytes) / i.at().options.cost.vector_rate);
}

/// dst = f(src...), first `count` elements.
template <class D, class F, class... S>
void map_count(const char* what, where at, std::int64_t count, F f, const AscendC::LocalTensor<D>& dst,
               const AscendC::LocalTensor<S>&... src)
{
    instr i(pipe::v, what, at);
    if (count <= 0) {
        return;
    }
    const auto n = static_cast<std::uint64_t>(count);
    const bool readable = (... && (i.reads(src.memory(), src.byte(), {n * sizeof(S)}) != nullptr));
    std::byte* d = i.writes(dst.memory(), dst.byte(), {n * sizeof(D)});
    vector_cost(i, n * std::max({sizeof(D), sizeof(S)...}));
    if (!readable || d == nullptr) {
        return;
    }
    // 256 bytes at a time, as the device does, so that operands in place behave alike.
    constexpr std::uint64_t chunk = repeat_bytes / std::max({sizeof(D), sizeof(S)...});
    D result[chunk];
    for (std::uint64_t base = 0; base < n; base += chunk) {
        const std::uint64_t k = std::min(chunk, n - base);
        [&](const auto*... from) {
            if (k == chunk) { // a fixed length lets the compiler use vector instructions
                for (std::uint64_t e = 0; e < chunk; ++e) {
                    result[e] = f(from[base + e]...);
                }
                return;
            }
            for (std::uint64_t e = 0; e < k; ++e) {
                result[e] = f(from[base + e]...);
            }
        }(reinterpret_cast<const S*>(i.on().local(src.memory()).data.get() + src.byte())...);
        std::memcpy(d + base * sizeof(D), static_cast<const void*>(result), k * sizeof(D));
    }
    (i.element_wise(dst.memory(), dst.byte(), sizeof(D), src.memory(), src.byte(), sizeof(S), n), ...);
}

/// dst = f(src...), lanes `l` of `repeats` repeats.
template <class D, class F, class... S>
void map_lanes(const char* what, where at, const lanes& l, std::uint64_t repeats, F f,
               const AscendC::LocalTensor<D>& dst, layout to, std::pair<const AscendC::LocalTensor<S>&, layout>... src)
{
    instr i(pipe::v, what, at);
    const bool readable = (... && (touch<false>(i, src.first, l, src.second, repeats) != nullptr));
    std::byte* d = touch<true>(i, dst, l, to, repeats);
    vector_cost(i, repeats * repeat_bytes);
    if (!readable || d == nullptr) {
        return;
    }
    constexpr std::uint64_t width = repeat_bytes;
    D result[width];
    for (std::uint64_t r = 0; r < repeats; ++r) {
        for (std::uint32_t e = l.first; e < l.last; ++e) {
            if (l.on(e)) {
                result[e] = f(load<S>(i.on().local(src.first.memory()).data.get() + src.first.byte() +
                                      src.second.byte(r, e, sizeof(S)))...);
            }
        }
        for (std::uint32_t e = l.first; e < l.last; ++e) {
            if (l.on(e)) {
                store<D>(d + to.byte(r, e, sizeof(D)), result[e]);
            }
        }
    }
}
template <class T>
std::pair<const AscendC::LocalTensor<T>&, layout> operand(const AscendC::LocalTensor<T>& t, layout l)
{
    return {t, l};
}

/// Lanes of one repeat for elements of at most `size` bytes.
constexpr std::size_t lanes_per_repeat(std::size_t size)
{
    return repeat_bytes / size;
}

/// The type in which T is computed.
template <class T>
using compute_t = std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, float, T>;
template <class T>
compute_t<T> wide(T v)
{
    return static_cast<compute_t<T>>(v);
}

} // namespace skt::emu

namespace AscendC {

// One name, three forms. Local to this file: names cannot be template parameters.
#define SKT_EMU_BINARY(Name)                                                                                           \
    template <typename T>                                                                                              \
    inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                \
                     const int32_t& count, skt::emu::where at = skt::emu::where::here())                               \
    {                                                                                                                  \
        skt::emu::map_count(                                                                                           \
            #Name, at, count, [](T x, T y) { return detail::Name<T>(x, y); }, dst, src0, src1);                        \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask, \
                     const uint8_t repeatTime, const BinaryRepeatParams& p,                                            \
                     skt::emu::where at = skt::emu::where::here())                                                     \
    {                                                                                                                  \
        detail::binary_lanes(                                                                                          \
            #Name, at, skt::emu::lanes::count(mask), repeatTime, p, [](T x, T y) { return detail::Name<T>(x, y); },    \
            dst, src0, src1);                                                                                          \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                \
                     uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& p,                           \
                     skt::emu::where at = skt::emu::where::here())                                                     \
    {                                                                                                                  \
        detail::binary_lanes(                                                                                          \
            #Name, at, skt::emu::lanes::bits(mask, skt::emu::lanes_per_repeat(sizeof(T))), repeatTime, p,              \
            [](T x, T y) { return detail::Name<T>(x, y); }, dst, src0, src1);                                          \
    }

#define SKT_EMU_UNARY(Name)                                                                                            \
    template <typename T>                                                                                              \
    inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count,                       \
                     skt::emu::where at = skt::emu::where::here())                                                     \
    {                                                                                                                  \
        skt::emu::map_count(                                                                                           \
            #Name, at, count, [](T x) { return detail::Name<T>(x); }, dst, src);                                       \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,    \
                     const UnaryRepeatParams& p, skt::emu::where at = skt::emu::where::here())                         \
    {                                                                                                                  \
        detail::unary_lanes(                                                                                           \
            #Name, at, skt::emu::lanes::count(mask), repeatTime, p, [](T x) { return detail::Name<T>(x); }, dst, src); \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,  \
                     const UnaryRepeatParams& p, skt::emu::where at = skt::emu::where::here())                         \
    {                                                                                                                  \
        detail::unary_lanes(                                                                                           \
            #Name, at, skt::emu::lanes::bits(mask, skt::emu::lanes_per_repeat(sizeof(T))), repeatTime, p,              \
            [](T x) { return detail::Name<T>(x); }, dst, src);                                                         \
    }

#define SKT_EMU_SCALAR(Name)                                                                                           \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count, \
                     skt::emu::where at = skt::emu::where::here())                                                     \
    {                                                                                                                  \
        skt::emu::map_count(                                                                                           \
            #Name, at, count, [s = scalarValue](T x) { return detail::Name<T>(x, s); }, dst, src);                     \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask,        \
                     const uint8_t repeatTime, const UnaryRepeatParams& p,                                             \
                     skt::emu::where at = skt::emu::where::here())                                                     \
    {                                                                                                                  \
        detail::unary_lanes(                                                                                           \
            #Name, at, skt::emu::lanes::count(mask), repeatTime, p,                                                    \
            [s = scalarValue](T x) { return detail::Name<T>(x, s); }, dst, src);                                       \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask[],      \
                     const uint8_t repeatTime, const UnaryRepeatParams& p,                                             \
                     skt::emu::where at = skt::emu::where::here())                                                     \
    {                                                                                                                  \
        detail::unary_lanes(                                                                                           \
            #Name, at, skt::emu::lanes::bits(mask, skt::emu::lanes_per_repeat(sizeof(T))), repeatTime, p,              \
            [s = scalarValue](T x) { return detail::Name<T>(x, s); }, dst, src);                                       \
    }

namespace detail {

template <class T, class F>
void binary_lanes(const char* what, skt::emu::where at, const skt::emu::lanes& l, uint64_t repeats,
                  const BinaryRepeatParams& p, F f, const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                  const LocalTensor<T>& src1)
{
    skt::emu::map_lanes(what, at, l, repeats, f, dst, {p.dstBlkStride, p.dstRepStride},
                        skt::emu::operand(src0, {p.src0BlkStride, p.src0RepStride}),
                        skt::emu::operand(src1, {p.src1BlkStride, p.src1RepStride}));
}
template <class D, class S, class F>
void unary_lanes(const char* what, skt::emu::where at, const skt::emu::lanes& l, uint64_t repeats,
                 const UnaryRepeatParams& p, F f, const LocalTensor<D>& dst, const LocalTensor<S>& src)
{
    skt::emu::map_lanes(what, at, l, repeats, f, dst, {p.dstBlkStride, p.dstRepStride},
                        skt::emu::operand(src, {p.srcBlkStride, p.srcRepStride}));
}

using skt::emu::wide;

template <class T>
T Add(T x, T y)
{
    return static_cast<T>(wide(x) + wide(y));
}
template <class T>
T Sub(T x, T y)
{
    return static_cast<T>(wide(x) - wide(y));
}
template <class T>
T Mul(T x, T y)
{
    return static_cast<T>(wide(x) * wide(y));
}
template <class T>
T Div(T x, T y)
{
    return static_cast<T>(wide(x) / wide(y));
}
template <class T>
T Max(T x, T y)
{
    return wide(x) < wide(y) ? y : x;
}
template <class T>
T Min(T x, T y)
{
    return wide(y) < wide(x) ? y : x;
}
template <class T>
T AddRelu(T x, T y)
{
    return Max<T>(Add<T>(x, y), T(0));
}
template <class T>
T SubRelu(T x, T y)
{
    return Max<T>(Sub<T>(x, y), T(0));
}
template <class T>
T And(T x, T y)
{
    return static_cast<T>(x & y);
}
template <class T>
T Or(T x, T y)
{
    return static_cast<T>(x | y);
}

template <class T>
T Exp(T x)
{
    return static_cast<T>(std::exp(wide(x)));
}
template <class T>
T Ln(T x)
{
    return static_cast<T>(std::log(wide(x)));
}
template <class T>
T Sqrt(T x)
{
    return static_cast<T>(std::sqrt(wide(x)));
}
template <class T>
T Rsqrt(T x)
{
    return static_cast<T>(1.0f / std::sqrt(wide(x)));
}
template <class T>
T Reciprocal(T x)
{
    return static_cast<T>(1.0f / wide(x));
}
template <class T>
T Abs(T x)
{
    return wide(x) < 0 ? static_cast<T>(-wide(x)) : x;
}
template <class T>
T Relu(T x)
{
    return Max<T>(x, T(0));
}
template <class T>
T Not(T x)
{
    return static_cast<T>(~x);
}

template <class T>
T Adds(T x, T s)
{
    return Add<T>(x, s);
}
template <class T>
T Muls(T x, T s)
{
    return Mul<T>(x, s);
}
template <class T>
T Maxs(T x, T s)
{
    return Max<T>(x, s);
}
template <class T>
T Mins(T x, T s)
{
    return Min<T>(x, s);
}
template <class T>
T LeakyRelu(T x, T s)
{
    return wide(x) < 0 ? Mul<T>(x, s) : x;
}
template <class T>
T ShiftLeft(T x, T s)
{
    return static_cast<T>(x << s);
}
template <class T>
T ShiftRight(T x, T s)
{
    return static_cast<T>(x >> s);
}

} // namespace detail

SKT_EMU_BINARY(Add)
SKT_EMU_BINARY(Sub)
SKT_EMU_BINARY(Mul)
SKT_EMU_BINARY(Div)
SKT_EMU_BINARY(Max)
SKT_EMU_BINARY(Min)
SKT_EMU_BINARY(AddRelu)
SKT_EMU_BINARY(SubRelu)
SKT_EMU_BINARY(And)
SKT_EMU_BINARY(Or)
SKT_EMU_UNARY(Exp)
SKT_EMU_UNARY(Ln)
SKT_EMU_UNARY(Sqrt)
SKT_EMU_UNARY(Rsqrt)
SKT_EMU_UNARY(Reciprocal)
SKT_EMU_UNARY(Abs)
SKT_EMU_UNARY(Relu)
SKT_EMU_UNARY(Not)
SKT_EMU_SCALAR(Adds)
SKT_EMU_SCALAR(Muls)
SKT_EMU_SCALAR(Maxs)
SKT_EMU_SCALAR(Mins)
SKT_EMU_SCALAR(LeakyRelu)
SKT_EMU_SCALAR(ShiftLeft)
SKT_EMU_SCALAR(ShiftRight)

#undef SKT_EMU_BINARY
#undef SKT_EMU_UNARY
#undef SKT_EMU_SCALAR

/// dst += src0 * src1, rounded once.
template <typename T, typename U>
inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                      const int32_t& count, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::map_count(
        "MulAddDst", at, count,
        [](U x, U y, T z) { return static_cast<T>(skt::emu::wide(x) * skt::emu::wide(y) + skt::emu::wide(z)); }, dst,
        src0, src1, dst);
}
/// dst = dst * src0 + src1.
template <typename T>
inline void FusedMulAdd(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                        const int32_t& count, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::map_count(
        "FusedMulAdd", at, count,
        [](T x, T y, T z) { return static_cast<T>(skt::emu::wide(z) * skt::emu::wide(x) + skt::emu::wide(y)); }, dst,
        src0, src1, dst);
}
/// dst += src * scalar.
template <typename T, typename U>
inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, const int32_t& count,
                 skt::emu::where at = skt::emu::where::here())
{
    skt::emu::map_count(
        "Axpy", at, count,
        [s = scalarValue](U x, T z) {
            return static_cast<T>(skt::emu::wide(x) * skt::emu::wide(s) + skt::emu::wide(z));
        },
        dst, src, dst);
}

// ---- one value everywhere ----

template <typename T>
inline void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const int32_t& count,
                      skt::emu::where at = skt::emu::where::here())
{
    skt::emu::map_count(
        "Duplicate", at, count, [s = scalarValue] { return s; }, dst);
}
template <typename T, bool isSetMask = true>
inline void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask, const uint8_t repeatTime,
                      const uint16_t dstBlockStride, const uint8_t dstRepeatStride,
                      skt::emu::where at = skt::emu::where::here())
{
    skt::emu::map_lanes("Duplicate", at, skt::emu::lanes::count(mask), repeatTime, [s = scalarValue] { return s; }, dst,
                        {dstBlockStride, dstRepeatStride});
}
template <typename T, bool isSetMask = true>
inline void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask[], const uint8_t repeatTime,
                      const uint16_t dstBlockStride, const uint8_t dstRepeatStride,
                      skt::emu::where at = skt::emu::where::here())
{
    skt::emu::map_lanes("Duplicate", at, skt::emu::lanes::bits(mask, skt::emu::lanes_per_repeat(sizeof(T))), repeatTime,
                        [s = scalarValue] { return s; }, dst, {dstBlockStride, dstRepeatStride});
}
/// firstValue, firstValue + 1, ...
template <typename T>
inline void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, uint32_t count,
                           skt::emu::where at = skt::emu::where::here())
{
    skt::emu::compute_t<T> next = skt::emu::wide(firstValue);
    skt::emu::map_count(
        "CreateVecIndex", at, count,
        [&next] {
            const T v = static_cast<T>(next);
            next = static_cast<skt::emu::compute_t<T>>(next + 1);
            return v;
        },
        dst);
}
template <typename T>
inline void ArithProgression(const LocalTensor<T>& dst, const T firstValue, const T diffValue, const int32_t count,
                             skt::emu::where at = skt::emu::where::here())
{
    int64_t k = 0;
    skt::emu::map_count(
        "ArithProgression", at, count,
        [&] {
            return static_cast<T>(skt::emu::wide(firstValue) +
                                  skt::emu::wide(diffValue) * static_cast<skt::emu::compute_t<T>>(k++));
        },
        dst);
}

// ---- copies inside UB ----

template <typename T, bool isSetMask = true>
inline void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask, const uint8_t repeatTime,
                 const CopyRepeatParams& p, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::map_lanes(
        "Copy", at, skt::emu::lanes::count(mask), repeatTime, [](T x) { return x; }, dst,
        {p.dstStride, p.dstRepeatSize}, skt::emu::operand(src, {p.srcStride, p.srcRepeatSize}));
}

} // namespace AscendC
