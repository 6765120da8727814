/// @file
/// Blocks of bytes at equal distances: what one operand of an instruction touches. Host only.
#pragma once

#include <cstdint>

namespace skt::emu {

/// `count` blocks of `bytes` bytes, their starts `stride` bytes apart.
struct span {
    std::uint64_t bytes = 0;
    std::uint64_t count = 1;
    std::uint64_t stride = 0;

    /// Bytes from the first to one past the last.
    std::uint64_t extent() const { return empty() ? 0 : (count - 1) * stride + bytes; }
    bool empty() const { return count == 0 || bytes == 0; }
    /// True if the blocks touch one another.
    bool dense() const { return count <= 1 || stride <= bytes; }
    friend bool operator==(const span& a, const span& b)
    {
        return a.bytes == b.bytes && a.count == b.count && (a.count <= 1 || a.stride == b.stride);
    }
};

/// Whether bytes [first, last) meet a block of `s` placed at `at`.
inline bool meets(std::uint64_t first, std::uint64_t last, std::uint64_t at, const span& s)
{
    if (s.empty() || first >= at + s.extent() || last <= at) {
        return false;
    }
    if (s.dense()) {
        return true;
    }
    const std::uint64_t low = first <= at ? 0 : (first - at) / s.stride;
    for (std::uint64_t k = low; k < s.count && at + k * s.stride < last; ++k) {
        if (at + k * s.stride + s.bytes > first) {
            return true;
        }
    }
    return false;
}
/// Whether two placed spans share a byte.
inline bool overlap(std::uint64_t a_at, const span& a, std::uint64_t b_at, const span& b)
{
    if (a.empty() || b.empty() || a_at >= b_at + b.extent() || b_at >= a_at + a.extent()) {
        return false;
    }
    if (a.dense() && b.dense()) {
        return true;
    }
    const bool walk_a = !a.dense() && (b.dense() || a.count <= b.count);
    const span& walked = walk_a ? a : b;
    const std::uint64_t at = walk_a ? a_at : b_at;
    for (std::uint64_t k = 0; k < walked.count; ++k) {
        const std::uint64_t first = at + k * walked.stride;
        if (meets(first, first + walked.bytes, walk_a ? b_at : a_at, walk_a ? b : a)) {
            return true;
        }
    }
    return false;
}

} // namespace skt::emu
