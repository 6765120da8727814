/// @file
/// What a kernel does to a GM buffer. Plain values. Device-safe.
#pragma once

#include <skt/model/kernel_type.hpp>

#include <cstdint>

namespace skt {

/// What happens to the bytes.
enum class access : std::uint8_t {
    in,         ///< Read.
    out,        ///< Written.
    inout,      ///< Read and written.
    accumulate, ///< Added to atomically; accumulations commute with each other.
    opaque      ///< Unknown: treated as read and written, by DMA and by the scalar unit.
};

/// Which units touch the bytes.
enum class via : std::uint8_t {
    dma = 1,    ///< Copies between GM and on-chip memory; they bypass the data cache.
    scalar = 2, ///< GetValue, SetValue, raw pointers: through the core's write-back data cache.
    both = 3
};

/// A set of sides, as bits.
using side_mask = std::uint8_t;
inline constexpr side_mask on_aic_bit = 1;
inline constexpr side_mask on_aiv_bit = 2;
inline constexpr side_mask on_both_bits = 3;
/// The mask that holds `s` alone.
constexpr side_mask mask_of(side s)
{
    return s == side::aic ? on_aic_bit : on_aiv_bit;
}

constexpr const char* to_string(access a)
{
    switch (a) {
    case access::in:
        return "in";
    case access::out:
        return "out";
    case access::inout:
        return "inout";
    case access::accumulate:
        return "accumulate";
    case access::opaque:
        return "opaque";
    }
    return "?";
}

constexpr const char* to_string(via v)
{
    return v == via::dma ? "dma" : v == via::scalar ? "scalar" : "both";
}

/// One kernel's effect on one buffer.
struct effect {
    int buffer = 0;                 ///< Index into the graph's buffers.
    access what = access::opaque;   ///< What happens.
    via how = via::dma;             ///< By which unit.
    side_mask sides = on_both_bits; ///< Sides that touch it; bits outside the kernel's own sides mean nothing.
    int partition = -1;             ///< Index into the graph's partitions: block i touches slice i only. -1: anywhere.
    int scalar_lines = 0; ///< Data-cache lines, from the buffer's start, that the scalar unit may touch; 0: unknown.
};

constexpr bool reads(access a)
{
    return a != access::out;
}
constexpr bool writes(access a)
{
    return a != access::in;
}
constexpr bool uses_scalar(via v)
{
    return v != via::dma;
}
constexpr bool uses_dma(via v)
{
    return v != via::scalar;
}

/// How a buffer is cut so that block i touches slice i only. Two kernels that name one partition cut alike.
struct partition_desc {
    const char* name = "";
    bool line_aligned =
        false; ///< Slices start and end on 64-byte lines, so that scalar writes of neighbours never share one.
};

/// One GM buffer of a super kernel.
struct buffer_desc {
    const char* name = "";
    int region = 0;          ///< Buffers with one region may overlap (declared aliases).
    bool shared = false;     ///< Another buffer of the graph may overlap it.
    bool temp = false;       ///< Lives in the workspace; `offset` and `bytes` say where.
    std::int64_t bytes = 0;  ///< Size of a temp buffer; 0 for an argument (its size is the caller's).
    std::int64_t offset = 0; ///< Place of a temp buffer in the workspace, bytes.
};

/// Whether two buffers may share a byte.
constexpr bool overlap(const buffer_desc& a, const buffer_desc& b)
{
    return a.region == b.region || (a.temp && b.temp && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes);
}

} // namespace skt
