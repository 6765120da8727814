/// @file
/// How a device of the emulator behaves. Host only.
#pragma once

#include <skt/emu/cost_table.hpp>
#include <skt/model/soc.hpp>

#include <cstddef>
#include <cstdint>

namespace skt::emu {

/// What the data cache does with lines that nobody flushes.
enum class cache_mode : std::uint8_t {
    keep,  ///< Lines stay until they are flushed: stale data lives as long as it can. The worst case for readers.
    evict, ///< Lines are written back and dropped at random moments: the worst case for writers.
    seeded ///< One of the two, by the seed.
};

/// Everything that can be chosen about a device.
struct device_options {
    soc chip = socs::atlas_a2_24;
    std::uint64_t seed = 0;     ///< One seed is one schedule. 0 runs cores in order, each as far as it gets.
    bool checks = true;         ///< Race, hazard, cache, initialisation and declaration checks.
    bool scalar_hazards = true; ///< Order between the scalar unit and the pipes is checked as well. A build that
                                ///< lets the compiler place those flags (auto sync) may turn it off.
    bool trace = false;         ///< Keep the event trace.
    cache_mode cache = cache_mode::seeded;
    std::uint64_t step_limit = 200'000'000;           ///< API calls of all cores together before a run is stopped.
    std::uint64_t poll_limit = 1'000;                 ///< Polls per core without any progress before a run is stopped.
    std::size_t finding_limit = 100;                  ///< Different findings kept per run.
    std::size_t stack_bytes = 256 << 10;              ///< Stack of one core.
    std::uint64_t gm_bytes = std::uint64_t{16} << 30; ///< Address space for GM; pages are taken when used.
    bool shared_gm =
        false; ///< GM stays shared with processes forked later (a baseline of one process per core needs that).
    cost_table cost{};
};

} // namespace skt::emu
