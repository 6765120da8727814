/// @file
/// Reductions, broadcasts, gathers and sorting. Part of the drop-in kernel_operator.h. Host only.
#pragma once

#include <skt/emu/ascendc/detail/convert.hpp>

#include <vector>

namespace skt::emu {

/// Sum of `n` elements the way the vector unit adds: pairwise, so that the rounding error grows with log n. Kept in the
/// type itself.
template <class T, class Get>
T tree_sum(std::uint64_t n, Get get)
{
    if (n == 0) {
        return T(0);
    }
    std::vector<T> v(n);
    for (std::uint64_t k = 0; k < n; ++k) {
        v[k] = get(k);
    }
    for (; n > 1; n = (n + 1) / 2) {
        for (std::uint64_t k = 0; k < n / 2; ++k) {
            v[k] = static_cast<T>(wide(v[2 * k]) + wide(v[2 * k + 1]));
        }
        if (n % 2 != 0) {
            v[n / 2] = v[n - 1];
        }
    }
    return v[0];
}

/// An index in the bits of a value of T: the device stores it that way.
template <class T>
T index_bits(std::uint64_t index)
{
    T v{};
    std::memcpy(static_cast<void*>(&v), &index, sizeof(T));
    return v;
}

/// The best of `count` elements and, if asked for, its index behind it.
template <bool Max, class T>
void reduce_best(const char* what, where at, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                 std::int64_t count, bool with_index)
{
    instr i(pipe::v, what, at);
    const auto n = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
    const std::byte* s = i.reads(src.memory(), src.byte(), {n * sizeof(T)});
    std::byte* d = i.writes(dst.memory(), dst.byte(), {sizeof(T) * (with_index ? 2 : 1)});
    vector_cost(i, n * sizeof(T));
    if (s == nullptr || d == nullptr) {
        return;
    }
    std::uint64_t best = 0;
    for (std::uint64_t k = 1; k < n; ++k) {
        const auto x = wide(load<T>(s + k * sizeof(T)));
        const auto y = wide(load<T>(s + best * sizeof(T)));
        best = (Max ? x > y : x < y) ? k : best;
    }
    store<T>(d, load<T>(s + best * sizeof(T)));
    if (with_index) {
        store<T>(d + sizeof(T), index_bits<T>(best));
    }
}

/// One result per repeat: `f(begin of lanes, lane list)`.
template <class T, class F>
void reduce_repeats(const char* what, where at, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                    const lanes& l, std::int64_t repeats, std::uint64_t dst_step, std::uint64_t results, layout from,
                    F f)
{
    instr i(pipe::v, what, at);
    const auto n = static_cast<std::uint64_t>(std::max<std::int64_t>(repeats, 0));
    const std::byte* s = touch<false>(i, src, l, from, n);
    std::byte* d = i.writes(dst.memory(), dst.byte(), {results * sizeof(T), n, dst_step});
    vector_cost(i, n * repeat_bytes);
    if (s == nullptr || d == nullptr) {
        return;
    }
    for (std::uint64_t r = 0; r < n; ++r) {
        f(d + r * dst_step, [&](std::uint32_t lane) { return load<T>(s + from.byte(r, lane, sizeof(T))); });
    }
}

template <class T, class Get>
T sum_lanes(const lanes& l, std::uint32_t first, std::uint32_t last, Get get)
{
    std::vector<T> v;
    for (std::uint32_t e = std::max(first, l.first); e < std::min(last, l.last); ++e) {
        if (l.on(e)) {
            v.push_back(get(e));
        }
    }
    return tree_sum<T>(v.size(), [&](std::uint64_t k) { return v[k]; });
}
template <bool Max, class T, class Get>
std::pair<T, std::uint64_t> best_lane(const lanes& l, std::uint32_t first, std::uint32_t last, Get get)
{
    std::pair<T, std::uint64_t> best{T(0), 0};
    bool any = false;
    for (std::uint32_t e = std::max(first, l.first); e < std::min(last, l.last); ++e) {
        if (l.on(e)) {
            const T v = get(e);
            if (!any || (Max ? wide(v) > wide(best.first) : wide(v) < wide(best.first))) {
                best = {v, e};
                any = true;
            }
        }
    }
    return best;
}

template <bool Max, class T>
void whole_best(const char* what, where at, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                const lanes& l, std::int32_t repeats, std::int32_t dst_step, std::int32_t src_blk, std::int32_t src_rep,
                AscendC::ReduceOrder order)
{
    const bool pair =
        order == AscendC::ReduceOrder::ORDER_VALUE_INDEX || order == AscendC::ReduceOrder::ORDER_INDEX_VALUE;
    const std::uint64_t results = pair ? 2 : 1;
    reduce_repeats(what, at, dst, src, l, repeats, static_cast<std::uint64_t>(dst_step) * results * sizeof(T), results,
                   {static_cast<std::uint64_t>(src_blk), static_cast<std::uint64_t>(src_rep)},
                   [&](std::byte* d, auto get) {
                       const auto b = best_lane<Max, T>(l, 0, l.last, get);
                       const T index = index_bits<T>(b.second);
                       switch (order) {
                       case AscendC::ReduceOrder::ORDER_VALUE_INDEX:
                           store<T>(d, b.first);
                           store<T>(d + sizeof(T), index);
                           break;
                       case AscendC::ReduceOrder::ORDER_INDEX_VALUE:
                           store<T>(d, index);
                           store<T>(d + sizeof(T), b.first);
                           break;
                       case AscendC::ReduceOrder::ORDER_ONLY_VALUE:
                           store<T>(d, b.first);
                           break;
                       case AscendC::ReduceOrder::ORDER_ONLY_INDEX:
                           store<T>(d, index);
                           break;
                       }
                   });
}

/// The eight-byte record that sorting works on: value, then index.
template <class T>
struct sort_record {
    T value;
    std::uint32_t index;
};
template <class T>
sort_record<T> load_record(const std::byte* p)
{
    return {load<T>(p), load<std::uint32_t>(p + 4)};
}
template <class T>
void store_record(std::byte* p, const sort_record<T>& r)
{
    std::memset(p, 0, 8);
    store<T>(p, r.value);
    store<std::uint32_t>(p + 4, r.index);
}

} // namespace skt::emu

namespace AscendC {

// ---- over all elements ----

template <typename T, bool isSetMask = true>
inline void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
                      const int32_t count, skt::emu::where at = skt::emu::where::here())
{
    static_cast<void>(sharedTmpBuffer);
    skt::emu::instr i(skt::emu::pipe::v, "ReduceSum", at);
    const auto n = static_cast<uint64_t>(std::max(count, 0));
    const std::byte* s = i.reads(src.memory(), src.byte(), {n * sizeof(T)});
    std::byte* d = i.writes(dst.memory(), dst.byte(), {sizeof(T)});
    skt::emu::vector_cost(i, n * sizeof(T));
    if (s != nullptr && d != nullptr) {
        skt::emu::store<T>(d,
                           skt::emu::tree_sum<T>(n, [&](uint64_t k) { return skt::emu::load<T>(s + k * sizeof(T)); }));
    }
}
template <typename T>
inline void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
                      const int32_t count, bool calIndex = false, skt::emu::where at = skt::emu::where::here())
{
    static_cast<void>(sharedTmpBuffer);
    skt::emu::reduce_best<true>("ReduceMax", at, dst, src, count, calIndex);
}
template <typename T>
inline void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
                      const int32_t count, bool calIndex = false, skt::emu::where at = skt::emu::where::here())
{
    static_cast<void>(sharedTmpBuffer);
    skt::emu::reduce_best<false>("ReduceMin", at, dst, src, count, calIndex);
}

// ---- per repeat ----

template <typename T, bool isSetMask = true>
inline void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,
                           const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                           const int32_t srcRepStride, skt::emu::where at = skt::emu::where::here())
{
    const auto l = skt::emu::lanes::count(static_cast<uint64_t>(mask));
    skt::emu::reduce_repeats(
        "WholeReduceSum", at, dst, src, l, repeatTime, static_cast<uint64_t>(dstRepStride) * sizeof(T), 1,
        {static_cast<uint64_t>(srcBlkStride), static_cast<uint64_t>(srcRepStride)},
        [&](std::byte* d, auto get) { skt::emu::store<T>(d, skt::emu::sum_lanes<T>(l, 0, l.last, get)); });
}
template <typename T, bool isSetMask = true>
inline void WholeReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,
                           const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                           const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX,
                           skt::emu::where at = skt::emu::where::here())
{
    skt::emu::whole_best<true>("WholeReduceMax", at, dst, src, skt::emu::lanes::count(static_cast<uint64_t>(mask)),
                               repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
}
template <typename T, bool isSetMask = true>
inline void WholeReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,
                           const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                           const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX,
                           skt::emu::where at = skt::emu::where::here())
{
    skt::emu::whole_best<false>("WholeReduceMin", at, dst, src, skt::emu::lanes::count(static_cast<uint64_t>(mask)),
                                repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
}
/// Eight results per repeat, one for each 32-byte block.
template <typename T, bool isSetMask = true>
inline void BlockReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                           const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride,
                           const int32_t srcRepStride, skt::emu::where at = skt::emu::where::here())
{
    constexpr uint32_t per = 32 / sizeof(T);
    const auto l = skt::emu::lanes::count(static_cast<uint64_t>(mask));
    skt::emu::reduce_repeats(
        "BlockReduceSum", at, dst, src, l, repeatTime, static_cast<uint64_t>(dstRepStride) * 8 * sizeof(T), 8,
        {static_cast<uint64_t>(srcBlkStride), static_cast<uint64_t>(srcRepStride)}, [&](std::byte* d, auto get) {
            for (uint32_t b = 0; b < 8; ++b) {
                skt::emu::store<T>(d + b * sizeof(T), skt::emu::sum_lanes<T>(l, b * per, (b + 1) * per, get));
            }
        });
}
template <typename T, bool isSetMask = true>
inline void BlockReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                           const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride,
                           const int32_t srcRepStride, skt::emu::where at = skt::emu::where::here())
{
    constexpr uint32_t per = 32 / sizeof(T);
    const auto l = skt::emu::lanes::count(static_cast<uint64_t>(mask));
    skt::emu::reduce_repeats(
        "BlockReduceMax", at, dst, src, l, repeatTime, static_cast<uint64_t>(dstRepStride) * 8 * sizeof(T), 8,
        {static_cast<uint64_t>(srcBlkStride), static_cast<uint64_t>(srcRepStride)}, [&](std::byte* d, auto get) {
            for (uint32_t b = 0; b < 8; ++b) {
                skt::emu::store<T>(d + b * sizeof(T),
                                   skt::emu::best_lane<true, T>(l, b * per, (b + 1) * per, get).first);
            }
        });
}

// ---- broadcast and gather ----

/// Element k of `src` fills block k: eight blocks per repeat.
template <typename T>
inline void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint8_t repeatTime,
                 const BrcbRepeatParams& p, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::v, "Brcb", at);
    constexpr uint64_t per = 32 / sizeof(T);
    const std::byte* s = i.reads(src.memory(), src.byte(), {repeatTime * 8 * sizeof(T)});
    skt::emu::vector_cost(i, repeatTime * skt::emu::repeat_bytes);
    for (uint64_t r = 0; r < repeatTime; ++r) {
        std::byte* d = i.writes(dst.memory(), dst.byte() + r * p.dstRepStride * 32, {32, 8, p.dstBlkStride * 32u});
        for (uint64_t b = 0; s != nullptr && d != nullptr && b < 8; ++b) {
            for (uint64_t e = 0; e < per; ++e) {
                skt::emu::store<T>(d + b * p.dstBlkStride * 32 + e * sizeof(T),
                                   skt::emu::load<T>(s + (r * 8 + b) * sizeof(T)));
            }
        }
    }
}
/// dst[k] = src at byte srcBaseOffset + srcOffset[k].
template <typename T>
inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
                   const uint32_t srcBaseOffset, const uint32_t count, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::v, "Gather", at);
    const std::byte* o = i.reads(srcOffset.memory(), srcOffset.byte(), {count * sizeof(uint32_t)});
    skt::emu::vector_cost(i, count * sizeof(T) * 4);
    if (o == nullptr) {
        return;
    }
    uint64_t low = ~uint64_t{0};
    uint64_t high = 0;
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t x = srcBaseOffset + skt::emu::load<uint32_t>(o + k * 4);
        low = std::min(low, x);
        high = std::max(high, x + sizeof(T));
    }
    const std::byte* s = count == 0 ? nullptr : i.reads(src.memory(), src.byte() + low, {high - low});
    std::byte* d = i.writes(dst.memory(), dst.byte(), {count * sizeof(T)});
    if (s == nullptr || d == nullptr) {
        return;
    }
    std::vector<T> result(count);
    for (uint64_t k = 0; k < count; ++k) {
        result[k] = skt::emu::load<T>(s + (srcBaseOffset + skt::emu::load<uint32_t>(o + k * 4) - low));
    }
    std::memcpy(d, static_cast<const void*>(result.data()), count * sizeof(T));
}
/// The elements of `src0` that a pattern picks, packed: patterns 1 to 7 are 01, 10, 0001, 0010, 0100, 1000 and all.
template <typename T>
inline void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern,
                       const bool reduceMode, const uint32_t mask, const GatherMaskParams& p, uint64_t& rsvdCnt,
                       skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::v, "GatherMask", at);
    const uint64_t per_repeat = reduceMode ? mask : skt::emu::lanes_per_repeat(sizeof(T));
    const skt::emu::layout from{p.src0BlockStride, p.src0RepeatStride};
    std::vector<T> picked;
    for (uint64_t r = 0; r < p.repeatTimes; ++r) {
        const std::byte* s = i.reads(src0.memory(), src0.byte() + from.byte(r, 0, sizeof(T)),
                                     {from.byte(0, per_repeat - 1, sizeof(T)) + sizeof(T)});
        for (uint64_t e = 0; s != nullptr && e < per_repeat; ++e) {
            const bool take = src1Pattern == 7   ? true
                              : src1Pattern <= 2 ? e % 2 == src1Pattern - 1u
                                                 : e % 4 == src1Pattern - 3u;
            if (take) {
                picked.push_back(skt::emu::load<T>(s + from.byte(0, e, sizeof(T))));
            }
        }
    }
    skt::emu::vector_cost(i, p.repeatTimes * skt::emu::repeat_bytes);
    rsvdCnt = picked.size();
    if (std::byte* d = i.writes(dst.memory(), dst.byte(), {picked.size() * sizeof(T)})) {
        std::memcpy(d, static_cast<const void*>(picked.data()), picked.size() * sizeof(T));
    }
}

// ---- sorting: descending, by value; equal values keep their order ----

/// Sorts groups of 32 values with their indices into eight-byte records.
template <typename T>
inline void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1,
                   const int32_t repeatTime, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::v, "Sort32", at);
    const uint64_t n = static_cast<uint64_t>(std::max(repeatTime, 0)) * 32;
    const std::byte* v = i.reads(src0.memory(), src0.byte(), {n * sizeof(T)});
    const std::byte* x = i.reads(src1.memory(), src1.byte(), {n * 4});
    std::byte* d = i.writes(dst.memory(), dst.byte(), {n * 8});
    skt::emu::vector_cost(i, n * 8);
    if (v == nullptr || x == nullptr || d == nullptr) {
        return;
    }
    for (uint64_t g = 0; g < n; g += 32) {
        std::vector<skt::emu::sort_record<T>> r(32);
        for (uint64_t k = 0; k < 32; ++k) {
            r[k] = {skt::emu::load<T>(v + (g + k) * sizeof(T)), skt::emu::load<uint32_t>(x + (g + k) * 4)};
        }
        std::stable_sort(r.begin(), r.end(), [](const auto& a, const auto& b) {
            return skt::emu::wide(a.value) > skt::emu::wide(b.value);
        });
        for (uint64_t k = 0; k < 32; ++k) {
            skt::emu::store_record<T>(d + (g + k) * 8, r[k]);
        }
    }
}
/// Elements of T that `elemCount` records take.
template <typename T>
inline uint32_t GetSortLen(const uint32_t elemCount)
{
    return elemCount * static_cast<uint32_t>(8 / sizeof(T));
}
template <typename T>
inline uint32_t GetSortOffset(const uint32_t elemOffset)
{
    return elemOffset * static_cast<uint32_t>(8 / sizeof(T));
}
/// Prepares values for Sort; on dav-2201 they are taken as they are.
template <typename T>
inline void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>&, const int32_t)
{
    concat = src;
}
/// Sorts `repeatTime` groups of 32, as a whole if isFullSort.
template <typename T, bool isFullSort>
inline void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat, const LocalTensor<uint32_t>& index,
                 LocalTensor<T>&, const int32_t repeatTime, skt::emu::where at = skt::emu::where::here())
{
    Sort32(dst, concat, index, repeatTime, at);
    if constexpr (isFullSort) {
        skt::emu::instr i(skt::emu::pipe::v, "Sort", at);
        const uint64_t n = static_cast<uint64_t>(std::max(repeatTime, 0)) * 32;
        std::byte* d = i.writes(dst.memory(), dst.byte(), {n * 8});
        if (d == nullptr) {
            return;
        }
        std::vector<skt::emu::sort_record<T>> r(n);
        for (uint64_t k = 0; k < n; ++k) {
            r[k] = skt::emu::load_record<T>(d + k * 8);
        }
        std::stable_sort(r.begin(), r.end(), [](const auto& a, const auto& b) {
            return skt::emu::wide(a.value) > skt::emu::wide(b.value);
        });
        for (uint64_t k = 0; k < n; ++k) {
            skt::emu::store_record<T>(d + k * 8, r[k]);
        }
    }
}
/// Splits sorted records into values and indices.
template <typename T>
inline void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex, const LocalTensor<T>& sorted,
                    const int32_t repeatTime, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::v, "Extract", at);
    const uint64_t n = static_cast<uint64_t>(std::max(repeatTime, 0)) * 32;
    const std::byte* s = i.reads(sorted.memory(), sorted.byte(), {n * 8});
    std::byte* v = i.writes(dstValue.memory(), dstValue.byte(), {n * sizeof(T)});
    std::byte* x = i.writes(dstIndex.memory(), dstIndex.byte(), {n * 4});
    skt::emu::vector_cost(i, n * 8);
    for (uint64_t k = 0; s != nullptr && v != nullptr && x != nullptr && k < n; ++k) {
        const auto r = skt::emu::load_record<T>(s + k * 8);
        skt::emu::store<T>(v + k * sizeof(T), r.value);
        skt::emu::store<uint32_t>(x + k * 4, r.index);
    }
}

} // namespace AscendC
