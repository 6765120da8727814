/// @file
/// Copies between GM and on-chip memory, and atomics. Part of the drop-in kernel_operator.h. Host only.
#pragma once

#include <skt/emu/ascendc/detail/queue.hpp>

namespace skt::emu {

/// How a copy to GM combines with what is there. Kept in `core::atomic`: operation in the low bits, type above.
enum class atomic_op : std::uint8_t { none, add, max, min };
enum class atomic_type : std::uint8_t { f32, f16, bf16, s32, s16, s8 };

template <class T>
constexpr atomic_type atomic_type_of()
{
    if constexpr (std::is_same_v<T, float>) {
        return atomic_type::f32;
    } else if constexpr (std::is_same_v<T, half>) {
        return atomic_type::f16;
    } else if constexpr (std::is_same_v<T, bfloat16>) {
        return atomic_type::bf16;
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
        return atomic_type::s32;
    } else if constexpr (std::is_same_v<T, std::int16_t>) {
        return atomic_type::s16;
    } else {
        static_assert(std::is_same_v<T, std::int8_t>,
                      "atomic copies exist for float, half, bfloat16_t, int32_t, int16_t and int8_t");
        return atomic_type::s8;
    }
}
constexpr std::uint8_t atomic_code(atomic_op op, atomic_type t)
{
    return static_cast<std::uint8_t>(static_cast<unsigned>(op) | static_cast<unsigned>(t) << 4);
}

template <class T>
void combine(std::byte* to, const std::byte* from, std::uint64_t bytes, atomic_op op)
{
    for (std::uint64_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
        T a;
        T b;
        std::memcpy(static_cast<void*>(&a), to + i, sizeof(T));
        std::memcpy(static_cast<void*>(&b), from + i, sizeof(T));
        if (op == atomic_op::add) {
            a = static_cast<T>(a + b);
        } else if (op == atomic_op::max ? a < b : b < a) {
            a = b;
        }
        std::memcpy(to + i, static_cast<const void*>(&a), sizeof(T));
    }
}
/// Stores into GM under the core's atomic mode.
inline void store_gm(const core& c, std::byte* to, const std::byte* from, std::uint64_t bytes)
{
    const auto op = static_cast<atomic_op>(c.atomic & 15u);
    if (op == atomic_op::none) {
        std::memcpy(to, from, bytes);
        return;
    }
    switch (static_cast<atomic_type>(c.atomic >> 4)) {
    case atomic_type::f32:
        return combine<float>(to, from, bytes, op);
    case atomic_type::f16:
        return combine<half>(to, from, bytes, op);
    case atomic_type::bf16:
        return combine<bfloat16>(to, from, bytes, op);
    case atomic_type::s32:
        return combine<std::int32_t>(to, from, bytes, op);
    case atomic_type::s16:
        return combine<std::int16_t>(to, from, bytes, op);
    case atomic_type::s8:
        return combine<std::int8_t>(to, from, bytes, op);
    }
}

/// The pipe that moves bytes from GM into a memory: always MTE2. From a memory to GM: FIX out of L0C, else MTE3.
constexpr pipe pipe_to_gm(mem from)
{
    return from == mem::l0c ? pipe::fix : pipe::mte3;
}
/// The pipe that moves bytes between two on-chip memories.
constexpr pipe pipe_between(mem from, mem to)
{
    return from == mem::ub && to == mem::ub ? pipe::v
           : from == mem::ub                ? pipe::mte3
           : from == mem::l0c               ? pipe::fix
           : to == mem::fixbuf              ? pipe::fix
                                            : pipe::mte1;
}

/// GM to on-chip: `from` and `to` give block size, count and distance on each side.
inline void copy_in(mem m, std::uint64_t addr, span to, const void* p, span from, const char* what, where at)
{
    instr i(pipe::mte2, what, at);
    const std::byte* src = i.gm_reads(p, from);
    std::byte* dst = i.writes(m, addr, to);
    i.cost(i.at().options.cost.dma_start + static_cast<double>(from.bytes * from.count) / i.at().options.cost.gm_rate);
    if (src != nullptr && dst != nullptr) {
        for (std::uint64_t b = 0; b < from.count; ++b) {
            std::memcpy(dst + b * to.stride, src + b * from.stride, from.bytes);
        }
        i.moved_in(m, addr, to, p, from);
    }
    i.yield();
}
/// On-chip to GM.
inline void copy_out(const void* p, span to, mem m, std::uint64_t addr, span from, const char* what, where at)
{
    instr i(pipe_to_gm(m), what, at);
    const std::byte* src = i.reads(m, addr, from);
    std::byte* dst = i.gm_writes(p, to);
    i.cost(i.at().options.cost.dma_start + static_cast<double>(to.bytes * to.count) / i.at().options.cost.gm_rate);
    if (src != nullptr && dst != nullptr) {
        for (std::uint64_t b = 0; b < from.count; ++b) {
            store_gm(i.on(), dst + b * to.stride, src + b * from.stride, to.bytes);
        }
        i.moved_out(p, to, m, addr, from);
    }
    i.yield();
}
/// On-chip to on-chip.
inline void copy_local(mem to_mem, std::uint64_t to_addr, span to, mem from_mem, std::uint64_t from_addr, span from,
                       const char* what, where at)
{
    instr i(pipe_between(from_mem, to_mem), what, at);
    const std::byte* src = i.reads(from_mem, from_addr, from);
    std::byte* dst = i.writes(to_mem, to_addr, to);
    i.cost(i.at().options.cost.vector_start +
           static_cast<double>(to.bytes * to.count) / i.at().options.cost.local_rate);
    if (src != nullptr && dst != nullptr) {
        for (std::uint64_t b = 0; b < from.count; ++b) {
            std::memmove(dst + b * to.stride, src + b * from.stride, from.bytes);
        }
        i.moved_local(to_mem, to_addr, to, from_mem, from_addr, from);
    }
}

/// Checks that a copy without padding moves whole 32-byte blocks.
inline void check_blocks(std::uint64_t bytes, where at)
{
    if (bytes % 32 != 0) {
        core& c = current_core();
        machine& m = current_machine();
        m.step(c, "DataCopy", at);
        m.report({finding_kind::misuse,
                  fmt::format("DataCopy of {} bytes: it moves whole 32-byte blocks, the last {} bytes stay behind",
                              bytes, bytes % 32),
                  "use DataCopyPad for lengths that are no multiple of 32 bytes", m.here(c)});
    }
}
constexpr std::uint64_t whole_blocks(std::uint64_t bytes)
{
    return bytes / 32 * 32;
}

} // namespace skt::emu

namespace AscendC {

// ---- contiguous ----

template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count,
                     skt::emu::where at = skt::emu::where::here())
{
    const std::uint64_t n = std::uint64_t{count} * sizeof(T);
    skt::emu::check_blocks(n, at);
    const skt::emu::span s{skt::emu::whole_blocks(n)};
    skt::emu::copy_in(dst.memory(), dst.byte(), s, src.GetPhyAddr(), s, "DataCopy", at);
}
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count,
                     skt::emu::where at = skt::emu::where::here())
{
    const std::uint64_t n = std::uint64_t{count} * sizeof(T);
    skt::emu::check_blocks(n, at);
    const skt::emu::span s{skt::emu::whole_blocks(n)};
    skt::emu::copy_out(dst.GetPhyAddr(), s, src.memory(), src.byte(), s, "DataCopy", at);
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count,
                     skt::emu::where at = skt::emu::where::here())
{
    const std::uint64_t n = std::uint64_t{count} * sizeof(T);
    skt::emu::check_blocks(n, at);
    const skt::emu::span s{skt::emu::whole_blocks(n)};
    skt::emu::copy_local(dst.memory(), dst.byte(), s, src.memory(), src.byte(), s, "DataCopy", at);
}

// ---- blocks at equal distances; lengths and gaps in 32-byte units ----

template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& p,
                     skt::emu::where at = skt::emu::where::here())
{
    const std::uint64_t n = std::uint64_t{p.blockLen} * 32;
    skt::emu::copy_in(dst.memory(), dst.byte(), {n, p.blockCount, n + p.dstGap * 32u}, src.GetPhyAddr(),
                      {n, p.blockCount, n + p.srcGap * 32u}, "DataCopy", at);
}
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p,
                     skt::emu::where at = skt::emu::where::here())
{
    const std::uint64_t n = std::uint64_t{p.blockLen} * 32;
    skt::emu::copy_out(dst.GetPhyAddr(), {n, p.blockCount, n + p.dstGap * 32u}, src.memory(), src.byte(),
                       {n, p.blockCount, n + p.srcGap * 32u}, "DataCopy", at);
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p,
                     skt::emu::where at = skt::emu::where::here())
{
    const std::uint64_t n = std::uint64_t{p.blockLen} * 32;
    skt::emu::copy_local(dst.memory(), dst.byte(), {n, p.blockCount, n + p.dstGap * 32u}, src.memory(), src.byte(),
                         {n, p.blockCount, n + p.srcGap * 32u}, "DataCopy", at);
}

// ---- any number of bytes: lengths in bytes, gaps in bytes on the GM side and in 32-byte units on chip ----

template <typename T>
inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& p,
                        const DataCopyPadExtParams<T>& pad, skt::emu::where at = skt::emu::where::here())
{
    const std::uint64_t left = pad.isPad ? pad.leftPadding * sizeof(T) : 0;
    const std::uint64_t right = pad.isPad ? pad.rightPadding * sizeof(T) : 0;
    const std::uint64_t room = (left + p.blockLen + right + 31) / 32 * 32;
    const std::uint64_t step = room + std::uint64_t{p.dstStride} * 32;
    skt::emu::copy_in(dst.memory(), dst.byte() + left, {p.blockLen, p.blockCount, step}, src.GetPhyAddr(),
                      {p.blockLen, p.blockCount, p.blockLen + std::uint64_t{p.srcStride}}, "DataCopyPad", at);
    if (pad.isPad && room > p.blockLen) {
        skt::emu::instr i(skt::emu::pipe::mte2, "DataCopyPad", at);
        const std::uint64_t tail = room - left - p.blockLen;
        const auto put = [&](std::uint64_t first, std::uint64_t bytes) {
            if (std::byte* b = i.writes(dst.memory(), dst.byte() + first, {bytes, p.blockCount, step})) {
                for (std::uint64_t k = 0; k < p.blockCount; ++k) {
                    for (std::uint64_t e = 0; e < bytes / sizeof(T); ++e) {
                        std::memcpy(b + k * step + e * sizeof(T), static_cast<const void*>(&pad.paddingValue),
                                    sizeof(T));
                    }
                }
            }
        };
        put(0, left);
        put(left + p.blockLen, tail);
    }
}
template <typename T>
inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& p,
                        const DataCopyPadParams& pad, skt::emu::where at = skt::emu::where::here())
{
    T value{};
    std::memcpy(static_cast<void*>(&value), &pad.paddingValue, sizeof(T) < 8 ? sizeof(T) : 8);
    DataCopyPad(dst, src, DataCopyExtParams(p.blockCount, p.blockLen, p.srcStride, p.dstStride, 0),
                DataCopyPadExtParams<T>(pad.isPad, pad.leftPadding, pad.rightPadding, value), at);
}
template <typename T>
inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& p,
                        skt::emu::where at = skt::emu::where::here())
{
    const std::uint64_t room = (std::uint64_t{p.blockLen} + 31) / 32 * 32;
    skt::emu::copy_out(dst.GetPhyAddr(), {p.blockLen, p.blockCount, p.blockLen + std::uint64_t{p.dstStride}},
                       src.memory(), src.byte(), {p.blockLen, p.blockCount, room + std::uint64_t{p.srcStride} * 32},
                       "DataCopyPad", at);
}
template <typename T>
inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p,
                        skt::emu::where at = skt::emu::where::here())
{
    DataCopyPad(dst, src, DataCopyExtParams(p.blockCount, p.blockLen, p.srcStride, p.dstStride, 0), at);
}

// ---- rows to the 16-row blocks of the cube unit ----

/// Rows of `dValue` elements become columns of 32-byte blocks; a partial block is filled with zeros.
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Nd2NzParams& p,
                     skt::emu::where at = skt::emu::where::here())
{
    constexpr std::uint64_t c0 = 32 / sizeof(T);
    const std::uint64_t blocks = (p.dValue + c0 - 1) / c0;
    skt::emu::instr i(skt::emu::pipe::mte2, "DataCopy (ND to NZ)", at);
    for (std::uint64_t nd = 0; nd < p.ndNum; ++nd) {
        const T* from = src.GetPhyAddr() + nd * p.srcNdMatrixStride;
        const skt::emu::span rows{p.dValue * sizeof(T), p.nValue, p.srcDValue * sizeof(T)};
        const std::byte* s = i.gm_reads(from, rows);
        const std::uint64_t base = dst.byte(nd * p.dstNzMatrixStride);
        i.cost(i.at().options.cost.dma_start +
               static_cast<double>(rows.bytes * rows.count) / i.at().options.cost.gm_rate);
        for (std::uint64_t b = 0; b < blocks; ++b) {
            const std::uint64_t addr = base + b * p.dstNzC0Stride * 32;
            const skt::emu::span column{32, p.nValue, p.dstNzNStride * 32u};
            std::byte* d = i.writes(dst.memory(), addr, column);
            if (s == nullptr || d == nullptr) {
                continue;
            }
            const std::uint64_t bytes = std::min<std::uint64_t>(32, rows.bytes - b * 32);
            for (std::uint64_t n = 0; n < p.nValue; ++n) {
                std::memcpy(d + n * column.stride, s + n * rows.stride + b * 32, bytes);
                std::memset(d + n * column.stride + bytes, 0, 32 - bytes);
            }
            i.moved_in(dst.memory(), addr, {bytes, p.nValue, column.stride},
                       reinterpret_cast<const std::byte*>(from) + b * 32, {bytes, p.nValue, rows.stride});
        }
    }
    i.yield();
}

// ---- atomics ----

template <typename T>
inline void SetAtomicAdd()
{
    skt::emu::current_core().atomic = skt::emu::atomic_code(skt::emu::atomic_op::add, skt::emu::atomic_type_of<T>());
}
template <typename T>
inline void SetAtomicMax()
{
    skt::emu::current_core().atomic = skt::emu::atomic_code(skt::emu::atomic_op::max, skt::emu::atomic_type_of<T>());
}
template <typename T>
inline void SetAtomicMin()
{
    skt::emu::current_core().atomic = skt::emu::atomic_code(skt::emu::atomic_op::min, skt::emu::atomic_type_of<T>());
}
inline void SetAtomicNone()
{
    skt::emu::current_core().atomic = 0;
}
inline void DisableDmaAtomic()
{
    SetAtomicNone();
}

// ---- constants to GM ----

/// Fills `size` elements of GM with one value.
template <typename T>
inline void InitGlobalMemory(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value,
                             skt::emu::where at = skt::emu::where::here())
{
    skt::emu::drain_core(at, "InitGlobalMemory");
    {
        skt::emu::instr i(skt::emu::pipe::mte3, "InitGlobalMemory", at);
        const skt::emu::span s{size * sizeof(T)};
        if (std::byte* d = i.gm_writes(gmWorkspaceAddr.GetPhyAddr(), s)) {
            for (uint64_t k = 0; k < size; ++k) {
                std::memcpy(d + k * sizeof(T), static_cast<const void*>(&value), sizeof(T));
            }
        }
        i.yield();
    }
    skt::emu::drain_core(at, "InitGlobalMemory");
}
template <typename T>
inline void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, T value = 0,
                       skt::emu::where at = skt::emu::where::here())
{
    InitGlobalMemory(gmWorkspaceAddr, uint64_t{size}, value, at);
}

} // namespace AscendC
