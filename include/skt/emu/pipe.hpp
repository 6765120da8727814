/// @file
/// The pipes and on-chip memories of a core (dav-2201). Host only.
#pragma once

#include <cstdint>

namespace skt::emu {

/// One instruction queue of a core. Queues run side by side; flags and barriers order them.
enum class pipe : std::uint8_t {
    s,    ///< Scalar unit.
    v,    ///< Vector unit.
    m,    ///< Cube unit.
    mte1, ///< L1 to L0A, L0B.
    mte2, ///< GM to on-chip memory.
    mte3, ///< UB to GM, UB to L1.
    fix   ///< L0C to GM or L1.
};
inline constexpr int pipe_count = 7;

constexpr const char* to_string(pipe p)
{
    switch (p) {
    case pipe::s:
        return "S";
    case pipe::v:
        return "V";
    case pipe::m:
        return "M";
    case pipe::mte1:
        return "MTE1";
    case pipe::mte2:
        return "MTE2";
    case pipe::mte3:
        return "MTE3";
    case pipe::fix:
        return "FIX";
    }
    return "?";
}

/// One on-chip memory of a core.
enum class mem : std::uint8_t { ub, l1, l0a, l0b, l0c, bias, fixbuf };
inline constexpr int mem_count = 7;

constexpr const char* to_string(mem m)
{
    switch (m) {
    case mem::ub:
        return "UB";
    case mem::l1:
        return "L1";
    case mem::l0a:
        return "L0A";
    case mem::l0b:
        return "L0B";
    case mem::l0c:
        return "L0C";
    case mem::bias:
        return "bias table";
    case mem::fixbuf:
        return "fixpipe buffer";
    }
    return "?";
}

} // namespace skt::emu
