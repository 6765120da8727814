/// @file
/// The program of a super kernel: what each side's cores do, step by step. Device code, emulator, reports and prover
/// all read this one structure. Plain values. Device-safe.
#pragma once

#include <skt/model/graph.hpp>

#include <cstdint>

namespace skt {

/// What a step does.
enum class op : std::uint8_t {
    call,   ///< Run a sub-kernel.
    arrive, ///< Set a cross-core flag: "my part up to here is done".
    wait,   ///< Wait for a cross-core flag.
    drain,  ///< Wait until all pipes of this core are idle.
    flush,  ///< Clean and invalidate the data cache, whole or some lines of one buffer.
    feed,   ///< Stand in for a kernel that this core does not run, at its SyncAll calls and cross-core flags.
    preload ///< Load code of the coming sub-kernel into the instruction cache.
};
constexpr const char* to_string(op o)
{
    switch (o) {
    case op::call:
        return "call";
    case op::arrive:
        return "arrive";
    case op::wait:
        return "wait";
    case op::drain:
        return "drain";
    case op::flush:
        return "flush";
    case op::feed:
        return "feed";
    case op::preload:
        return "preload";
    }
    return "?";
}

/// The four primitive barriers.
enum class barrier_kind : std::uint8_t {
    all_aic,    ///< Every cube core of the launch meets every other (mode 0).
    all_aiv,    ///< Every vector core of the launch meets every other (mode 0).
    aic_to_aiv, ///< Inside each AI core the vector cores learn what the cube core knows (mode 2).
    aiv_to_aic  ///< Inside each AI core the cube core learns what its vector cores know (mode 2).
};
inline constexpr int barrier_kind_count = 4;
constexpr const char* to_string(barrier_kind k)
{
    switch (k) {
    case barrier_kind::all_aic:
        return "all_aic";
    case barrier_kind::all_aiv:
        return "all_aiv";
    case barrier_kind::aic_to_aiv:
        return "aic_to_aiv";
    case barrier_kind::aiv_to_aic:
        return "aiv_to_aic";
    }
    return "?";
}
/// The side that sets the flag.
constexpr side source_of(barrier_kind k)
{
    return k == barrier_kind::all_aic || k == barrier_kind::aic_to_aiv ? side::aic : side::aiv;
}
/// The side that waits for the flag.
constexpr side target_of(barrier_kind k)
{
    return k == barrier_kind::all_aic || k == barrier_kind::aiv_to_aic ? side::aic : side::aiv;
}
/// The cross-core flag mode: 0 for all cores of a side, 2 across the sides of an AI core.
constexpr int mode_of(barrier_kind k)
{
    return k == barrier_kind::all_aic || k == barrier_kind::all_aiv ? 0 : 2;
}

/// The pipe a flag is set on: the set takes effect when what this pipe was given before is done.
enum class arrive_pipe : std::uint8_t { mte3, fix };
constexpr const char* to_string(arrive_pipe p)
{
    return p == arrive_pipe::mte3 ? "mte3" : "fix";
}
/// The pipe that carries a side's DMA writes to GM.
constexpr arrive_pipe write_pipe(side s)
{
    return s == side::aic ? arrive_pipe::fix : arrive_pipe::mte3;
}

/// Bits of the mask that early start reads (vendor's version 3 of early start): what SetNextTaskStart sets and what
/// WaitPreTaskEnd waits for and sets.
namespace early {
inline constexpr int aic_to_aic_set = 1 << 0;
inline constexpr int aic_to_aic_wait = 1 << 1;
inline constexpr int aic_to_aiv_set = 1 << 2;
inline constexpr int aiv_to_aic_wait = 1 << 3;
inline constexpr int aiv_to_aiv_set = 1 << 4;
inline constexpr int aiv_to_aiv_wait = 1 << 5;
inline constexpr int aiv_to_aic_set = 1 << 6;
inline constexpr int aic_to_aiv_wait = 1 << 7;
} // namespace early

/// One step of one side. Members that an op does not use keep their defaults.
struct step {
    op what = op::drain;
    int kernel = -1; ///< call, feed, preload: the kernel. arrive: the last kernel before it. wait, flush: the next one.
    int barrier = -1;                          ///< arrive, wait: which barrier of the program this is a half of.
    barrier_kind kind = barrier_kind::all_aic; ///< arrive, wait; feed of a flag: its direction.
    int flag = -1;                             ///< arrive, wait: flag id. feed: the flag to set or await; -1: SyncAll.
    arrive_pipe pipe = arrive_pipe::mte3;      ///< arrive: the pipe the flag is set on.
    core_range cores{};                        ///< Cores of this side that do it,
    core_range skip{}; ///< less these: under early start they do it in a kernel's body; for a feed they
                       ///< run the kernel.
    int early = 0;     ///< call: mask that SetNextTaskStart and WaitPreTaskEnd read in this body.
    int times = 1;     ///< feed: how often.
    int buffer = -1;   ///< flush: the buffer whose lines are flushed; -1: the whole cache.
    int lines = 0;     ///< flush: how many lines of it, from its start.
};

/// One barrier: its halves are the arrive and wait steps that carry its number.
struct barrier {
    barrier_kind kind = barrier_kind::all_aic;
    int source = -1;   ///< The last kernel whose work it publishes.
    int arrive_at = 0; ///< Boundary of the arrival; boundary b lies before kernel b.
    int wait_at = 0;   ///< Boundary of the wait.
    int flag = -1;     ///< Flag id.
    int after = -1;    ///< A barrier whose wait must precede this arrival on the same core, -1 for none.
    arrive_pipe pipe = arrive_pipe::mte3;
    bool drained = false;      ///< The arrival needs all pipes idle, not the write pipe alone.
    bool arrive_early = false; ///< Cores of kernel `source` arrive in its body.
    bool wait_early = false;   ///< Cores of kernel `wait_at` wait in its body.
};

/// Counts that plans are compared by.
struct plan_counts {
    int barriers[barrier_kind_count] = {}; ///< By kind.
    int flush = 0;
    int drain = 0;
    int fed_sync_all = 0; ///< SyncAll calls that idle cores replay.
};
constexpr int barrier_total(const plan_counts& c)
{
    return c.barriers[0] + c.barriers[1] + c.barriers[2] + c.barriers[3];
}

/// A program as the consumers see it.
struct program_view {
    launch_shape launch{kernel_type::mix_aiv_1_0, 0};
    const step* steps[2] = {nullptr, nullptr}; ///< By side.
    int count[2] = {0, 0};
};

} // namespace skt
