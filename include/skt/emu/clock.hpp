/// @file
/// Who knows of whose work: vector clocks, cheap enough to keep for every instruction. Host only.
///
/// Every pipe of every core is a line of events, numbered from 1; slot 7 of a core numbers its cross-core waits. What a
/// pipe knows splits in two. About its own core: eight numbers, copied at every flag. About the rest of the machine: a
/// table that changes at cross-core waits only; all pipes of a core hold some version of one growing table, so the
/// newer of two versions contains the older and no merging is needed inside a core.
#pragma once

#include <skt/emu/pipe.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace skt::emu {

using event_number = std::uint32_t;
inline constexpr int slots_per_core = 8;
inline constexpr int wait_slot = 7; ///< Numbers a core's cross-core waits.

/// Event numbers of the eight slots of one core.
using own_clock = std::array<event_number, slots_per_core>;

inline void join(own_clock& a, const own_clock& b)
{
    for (std::size_t i = 0; i < slots_per_core; ++i) {
        a[i] = std::max(a[i], b[i]);
    }
}

/// One version of a core's knowledge about all cores.
struct world_clock {
    std::uint64_t version = 0;    ///< Grows within one core.
    std::vector<event_number> at; ///< By core * 8 + slot.
};
using world_ptr = std::shared_ptr<const world_clock>;

/// What one pipe knows.
struct knowledge {
    own_clock own{};
    world_ptr world;

    /// Takes in what another pipe of the same core knows.
    void learn(const knowledge& k)
    {
        join(own, k.own);
        if (k.world && (!world || world->version < k.world->version)) {
            world = k.world;
        }
    }
};

/// What a cross-core set carries: a complete table, joined over all cores that took part.
using snapshot = std::vector<event_number>;

} // namespace skt::emu
