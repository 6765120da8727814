/// @file
/// The costs behind virtual time. Host only.
///
/// Assumptions, not measurements: no public figure exists for most of them. They rank schedules; a modelled time is
/// never a measured one. Replace any entry by what you measured yourself. Times are nanoseconds, rates bytes (or
/// multiply-adds, or elements) per nanosecond and core.
#pragma once

namespace skt::emu {

struct cost_table {
    double launch = 4000;            ///< Kernel after kernel on one stream (a guess).
    double launch_mix_extra = 1000;  ///< More for a launch on both sides (Catlass notes: 1 to 5 µs).
    double start_skew = 300;         ///< Spread of core starts (public task-runtime measurements: 0.3 to 5.6 µs).
    double cross_core_flag = 500;    ///< From set to wait; an all-core barrier of two hops is then 1 µs (a guess).
    double flag = 20;                ///< SetFlag to WaitFlag inside a core (a guess).
    double drain = 300;              ///< PipeBarrier<PIPE_ALL> (public operator notes).
    double issue = 5;                ///< One scalar instruction or one issue (a guess).
    double cache_miss = 200;         ///< Data-cache miss, a few hundred cycles (vendor blog).
    double cache_line_flush = 200;   ///< One line (public task-runtime measurements: 150 to 300 ns).
    double cache_flush = 300;        ///< Whole cache without dirty lines (public source: 0.3 µs).
    double cache_flush_dirty = 2000; ///< More with dirty lines (public source: 2 to 3 µs).
    double dma_start = 200;          ///< Start of a copy (a guess).
    double gm_rate = 32;             ///< GM bandwidth per core: about 1.6 TB/s over 48 cores.
    double local_rate = 128;         ///< Copies between on-chip memories.
    double vector_start = 20;        ///< Start of a vector instruction (a guess).
    double vector_rate = 256;        ///< Bytes per nanosecond of the vector unit.
    double cube_rate = 4096;         ///< Half-precision multiply-adds per nanosecond and core.
};

} // namespace skt::emu
