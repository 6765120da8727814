/// @file
/// Order inside a core and between cores. Part of the drop-in kernel_operator.h. Host only.
#pragma once

#include <skt/emu/ascendc/detail/tensor.hpp>

namespace skt::emu {

/// What a flag set on pipe `p` now would carry to whoever waits for it.
inline knowledge knowledge_of(core& c, pipe p)
{
    knowledge k = c.pipes[static_cast<std::size_t>(p)];
    k.learn(c.control);
    k.own[static_cast<std::size_t>(p)] = c.latest[static_cast<std::size_t>(p)];
    return k;
}
/// Lets pipe `p` start only after what `k` knows.
inline void teach(core& c, pipe p, const knowledge& k)
{
    (p == pipe::s ? c.control : c.pipes[static_cast<std::size_t>(p)]).learn(k);
}
/// The moment pipe `p` will have done what it was given.
inline double time_of(const core& c, pipe p)
{
    return std::max(c.pipe_time[static_cast<std::size_t>(p)], c.control_time);
}
/// Pipe `p` waits until `t`.
inline void wait_until(core& c, pipe p, double t)
{
    double& mine = p == pipe::s ? c.control_time : c.pipe_time[static_cast<std::size_t>(p)];
    mine = std::max(mine, t);
}

inline void set_event(AscendC::HardEvent e, int id, where at)
{
    core& c = current_core();
    machine& m = current_machine();
    m.step(c, "SetFlag", at);
    const pipe_pair p = pipes_of(e);
    if (id < 0 || id > 7) {
        m.report({finding_kind::misuse, fmt::format("SetFlag with event id {}: ids are 0 to 7", id),
                  "use an id from AllocEventID", m.here(c)});
        return;
    }
    local_event& v = c.event(p.from, p.to, static_cast<std::size_t>(id));
    if (v.set) {
        m.report({finding_kind::unbalanced_flags,
                  fmt::format("{} sets event {} from {} to {} again although nobody has waited for it", c.name, id,
                              to_string(p.from), to_string(p.to)),
                  "one WaitFlag for each SetFlag",
                  {c.name, v.kernel_name, "SetFlag", v.at.file, v.at.line},
                  m.here(c)});
    }
    v = {true, c.kernel, c.kernel_name, at, knowledge_of(c, p.from), time_of(c, p.from) + m.options.cost.flag};
}

inline void wait_event(AscendC::HardEvent e, int id, where at)
{
    core& c = current_core();
    machine& m = current_machine();
    m.step(c, "WaitFlag", at);
    const pipe_pair p = pipes_of(e);
    if (id < 0 || id > 7) {
        m.report({finding_kind::misuse, fmt::format("WaitFlag with event id {}: ids are 0 to 7", id),
                  "use an id from AllocEventID", m.here(c)});
        return;
    }
    local_event& v = c.event(p.from, p.to, static_cast<std::size_t>(id));
    if (!v.set) {
        m.report({finding_kind::deadlock,
                  fmt::format("{} waits on {} for event {} of {}, which was not set before", c.name, to_string(p.to),
                              id, to_string(p.from)),
                  "put the SetFlag before the WaitFlag, with the same event and id", m.here(c)});
        return;
    }
    if (v.kernel != c.kernel) {
        m.report({finding_kind::unbalanced_flags,
                  fmt::format("event {} from {} to {} was set in {} and is taken by {}", id, to_string(p.from),
                              to_string(p.to), v.kernel >= 0 ? v.kernel_name : "the code between sub-kernels",
                              c.kernel >= 0 ? c.kernel_name : "the code between sub-kernels"),
                  "wait for every event inside the kernel that sets it",
                  {c.name, v.kernel_name, "SetFlag", v.at.file, v.at.line},
                  m.here(c)});
    }
    teach(c, p.to, v.known);
    wait_until(c, p.to, v.time);
    v.set = false;
}

inline void drain_core(where at, const char* what)
{
    core& c = current_core();
    machine& m = current_machine();
    m.step(c, what, at);
    m.drain(c);
}

} // namespace skt::emu

namespace AscendC {

template <HardEvent event>
inline void SetFlag(int32_t eventID, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::set_event(event, eventID, at);
}
template <HardEvent event>
inline void WaitFlag(int32_t eventID, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::wait_event(event, eventID, at);
}
template <pipe_t src, pipe_t dst>
class TQueSync {
public:
    void SetFlag(TEventID id, skt::emu::where at = skt::emu::where::here()) { skt::emu::set_event(event(), id, at); }
    void WaitFlag(TEventID id, skt::emu::where at = skt::emu::where::here()) { skt::emu::wait_event(event(), id, at); }

private:
    static constexpr HardEvent event()
    {
        for (int e = 0; e < static_cast<int>(HardEvent::MAX); ++e) {
            const skt::emu::pipe_pair p = skt::emu::pipes_of(static_cast<HardEvent>(e));
            if (p.from == skt::emu::to_pipe(src) && p.to == skt::emu::to_pipe(dst)) {
                return static_cast<HardEvent>(e);
            }
        }
        return HardEvent::MAX;
    }
};

/// PIPE_ALL waits for everything; a single pipe keeps its own order anyway, as the emulator runs it.
template <pipe_t pipe>
inline void PipeBarrier(skt::emu::where at = skt::emu::where::here())
{
    if constexpr (pipe == PIPE_ALL) {
        skt::emu::drain_core(at, "PipeBarrier<PIPE_ALL>");
    } else {
        skt::emu::current_machine().step(skt::emu::current_core(), "PipeBarrier", at);
    }
}

/// Waits until memory accesses issued before are done.
template <MemDsbT arg0>
inline void DataSyncBarrier(skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::s, "DataSyncBarrier", at);
    i.on().control.own[static_cast<std::size_t>(skt::emu::pipe::s)] =
        i.on().latest[static_cast<std::size_t>(skt::emu::pipe::s)];
}

template <uint8_t modeId, pipe_t pipe>
inline void CrossCoreSetFlag(uint16_t flagId, skt::emu::where at = skt::emu::where::here())
{
    static_assert(pipe != PIPE_S && pipe != PIPE_ALL,
                  "CrossCoreSetFlag: the set belongs to one pipe other than PIPE_S");
    static_assert(modeId <= 2, "CrossCoreSetFlag: dav-2201 has modes 0, 1 and 2");
    skt::emu::current_machine().set_flag(skt::emu::current_core(), modeId, skt::emu::to_pipe(pipe), flagId, at);
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
inline void CrossCoreWaitFlag(uint16_t flagId, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::current_machine().wait_flag(skt::emu::current_core(), flagId, at);
}

/// The hard form: all vector cores, or all cores of both sides. Drains the core first.
template <bool isAIVOnly = true>
inline void SyncAll(skt::emu::where at = skt::emu::where::here())
{
    using skt::emu::pipe;
    skt::emu::core& c = skt::emu::current_core();
    skt::emu::machine& m = skt::emu::current_machine();
    skt::emu::drain_core(at, "SyncAll");
    if constexpr (isAIVOnly) {
        m.set_flag(c, 0, pipe::mte3, skt::flag_ids::all_aiv, at);
        m.wait_flag(c, skt::flag_ids::all_aiv, at);
    } else if (c.is_aic()) {
        m.wait_flag(c, skt::flag_ids::aiv_to_aic, at);
        m.set_flag(c, 0, pipe::fix, skt::flag_ids::all_aic, at);
        m.wait_flag(c, skt::flag_ids::all_aic, at);
        m.set_flag(c, 2, pipe::mte3, skt::flag_ids::aic_to_aiv, at);
    } else {
        m.set_flag(c, 2, pipe::mte3, skt::flag_ids::aiv_to_aic, at);
        m.wait_flag(c, skt::flag_ids::aic_to_aiv, at);
    }
}

} // namespace AscendC

namespace skt::emu {

/// Bits of `g_super_kernel_early_start_config`.
namespace early_start {
inline constexpr std::uint32_t aic_to_aic_set = 1;
inline constexpr std::uint32_t aic_to_aic_wait = 2;
inline constexpr std::uint32_t aic_to_aiv_set = 4;
inline constexpr std::uint32_t aiv_to_aic_wait = 8;
inline constexpr std::uint32_t aiv_to_aiv_set = 16;
inline constexpr std::uint32_t aiv_to_aiv_wait = 32;
inline constexpr std::uint32_t aiv_to_aic_set = 64;
inline constexpr std::uint32_t aic_to_aiv_wait = 128;
} // namespace early_start

/// The set of SetNextTaskStart under a mask.
inline void signal_next(std::uint32_t mask, pipe aiv_pipe, pipe aic_pipe, where at)
{
    core& c = current_core();
    machine& m = current_machine();
    if (c.is_aic() && (mask & early_start::aic_to_aic_set) != 0) {
        m.set_flag(c, 0, aic_pipe, flag_ids::all_aic, at, true);
    }
    if (!c.is_aic() && (mask & early_start::aiv_to_aiv_set) != 0) {
        m.set_flag(c, 0, aiv_pipe, flag_ids::all_aiv, at, true);
    }
}
/// The waits and onward sets of WaitPreTaskEnd under a mask.
inline void await_previous(std::uint32_t mask, where at)
{
    core& c = current_core();
    machine& m = current_machine();
    if (c.is_aic()) {
        if ((mask & early_start::aic_to_aic_wait) != 0) {
            m.wait_flag(c, flag_ids::all_aic, at, true);
        }
        if ((mask & early_start::aic_to_aiv_set) != 0) {
            m.set_flag(c, 2, pipe::mte3, flag_ids::aic_to_aiv, at, true);
        }
        if ((mask & early_start::aiv_to_aic_wait) != 0) {
            m.wait_flag(c, flag_ids::aiv_to_aic, at, true);
        }
    } else {
        if ((mask & early_start::aiv_to_aiv_wait) != 0) {
            m.wait_flag(c, flag_ids::all_aiv, at, true);
        }
        if ((mask & early_start::aiv_to_aic_set) != 0) {
            m.set_flag(c, 2, pipe::mte3, flag_ids::aiv_to_aic, at, true);
        }
        if ((mask & early_start::aic_to_aiv_wait) != 0) {
            m.wait_flag(c, flag_ids::aic_to_aiv, at, true);
        }
    }
}

/// Under version 2 the register holds a pair of kernel kinds, (previous << 2) | current with cube 0, vector 1, mix 2:
/// the mask of that pair. Version 1 is always mix to mix.
constexpr std::uint32_t wait_mask_of_pair(std::uint32_t pair)
{
    using namespace early_start;
    const std::uint32_t previous = pair >> 2;
    const std::uint32_t current = pair & 3;
    std::uint32_t mask = 0;
    if (previous != 1) { // cube cores worked before
        mask |= aic_to_aic_wait;
        mask |= current != 0 ? aic_to_aiv_set | aic_to_aiv_wait : 0;
    }
    if (previous != 0) { // vector cores worked before
        mask |= aiv_to_aiv_wait;
        mask |= current != 1 ? aiv_to_aic_set | aiv_to_aic_wait : 0;
    }
    return mask;
}

} // namespace skt::emu

namespace AscendC {

/// Tells the next sub-kernel of a super kernel that this core's part is done. Does nothing unless the build enables
/// early start or FORCE is true.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false>
inline void SetNextTaskStart(skt::emu::where at = skt::emu::where::here())
{
    [[maybe_unused]] constexpr auto v = skt::emu::to_pipe(AIV_PIPE);
    [[maybe_unused]] constexpr auto c = skt::emu::to_pipe(AIC_PIPE);
#if defined(__ASCENDC_ENABLE_SET_NEXT_TASK_START) &&                                                                   \
    (defined(__ASCENDC_SUPERKERNEL_EARLY_START_V1) || defined(__ASCENDC_SUPERKERNEL_EARLY_START_V2))
    skt::emu::signal_next(skt::emu::early_start::aic_to_aic_set | skt::emu::early_start::aiv_to_aiv_set, v, c, at);
#elif defined(__ASCENDC_ENABLE_SET_NEXT_TASK_START) && defined(__ASCENDC_SUPERKERNEL_EARLY_START_V3)
    skt::emu::signal_next(g_super_kernel_early_start_config, v, c, at);
#else
    if constexpr (FORCE) {
        skt::emu::signal_next(g_super_kernel_early_start_config, v, c, at);
    }
#endif
    static_cast<void>(at);
}
/// Waits for the previous sub-kernel of a super kernel. Does nothing unless the build enables early start or FORCE is
/// true.
template <bool FORCE = false>
inline void WaitPreTaskEnd(skt::emu::where at = skt::emu::where::here())
{
#if defined(__ASCENDC_ENABLE_WAIT_PRE_TASK_END) && defined(__ASCENDC_SUPERKERNEL_EARLY_START_V1)
    skt::emu::await_previous(skt::emu::wait_mask_of_pair(10), at);
#elif defined(__ASCENDC_ENABLE_WAIT_PRE_TASK_END) && defined(__ASCENDC_SUPERKERNEL_EARLY_START_V2)
    skt::emu::await_previous(skt::emu::wait_mask_of_pair(g_super_kernel_early_start_config), at);
#elif defined(__ASCENDC_ENABLE_WAIT_PRE_TASK_END) && defined(__ASCENDC_SUPERKERNEL_EARLY_START_V3)
    skt::emu::await_previous(g_super_kernel_early_start_config, at);
#else
    if constexpr (FORCE) {
        skt::emu::await_previous(g_super_kernel_early_start_config, at);
    }
#endif
    static_cast<void>(at);
}

} // namespace AscendC
