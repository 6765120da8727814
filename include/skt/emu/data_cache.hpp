/// @file
/// The data cache of one core's scalar unit: 64-byte lines, write-back, not coherent with anything. Host only.
#pragma once

#include <skt/emu/clock.hpp>
#include <skt/emu/where.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace skt::emu {

/// One line that a core holds, or may still hold.
struct cache_line {
    std::array<std::byte, 64> data{};
    std::uint64_t dirty = 0; ///< Bytes written here and not yet in GM.
    bool present = false;    ///< False: dropped by the random mode; a real cache might have kept it.
    knowledge loaded;        ///< What the core knew when the line first came in.
    event_number stored = 0; ///< Scalar event of the latest store.
    const char* kernel = ""; ///< Sub-kernel of the latest access.
    const char* what = "";
    where at;
};

/// Lines by address / 64.
using data_cache = std::unordered_map<std::uintptr_t, cache_line>;

} // namespace skt::emu
