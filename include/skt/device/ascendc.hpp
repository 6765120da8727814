/// @file
/// The backend on the Ascend C API: emits each step as the call that an author would write by hand. The same code
/// drives the device and the emulator, whose `kernel_operator.h` offers the same names. Device-safe.
#pragma once

#include <skt/device/api.hpp>
#include <skt/super_kernel.hpp>
#if defined(SKT_EMULATED)
#include <skt/host/emulated.hpp>
#endif

namespace skt {

namespace device {

template <class Plan>
constexpr bool find_early_start()
{
    for (int i = 0; i < Plan::kernel_count; ++i) {
        if (Plan::data.kernels[i].signals_next || Plan::data.kernels[i].awaits_previous) {
            return true;
        }
    }
    return false;
}
/// Whether a sub-kernel of a plan calls SetNextTaskStart or WaitPreTaskEnd.
template <class Plan>
inline constexpr bool uses_early_start = find_early_start<Plan>();

/// Whether GetValue and SetValue of GM flush their lines themselves: the vendor's headers do so where the build asks
/// for it.
#if defined(__ASCENDC_SUPER_KERNEL_ENABLE_GM_GET_SET_VALUE_DCCI__) || defined(SKT_EMULATED)
inline constexpr bool lines_flush_on_access = true;
#else
inline constexpr bool lines_flush_on_access = false;
#endif

} // namespace device

namespace check {
template <bool Holds, class... Facts>
struct lines_flush_on_access {
    static constexpr bool value = Holds;
};
} // namespace check

template <>
struct backend<device::ascendc> {
    /// Runs `Code` once per side that this compilation has.
    template <class Code, class Pack>
    SKT_AICORE static SKT_INLINE void run_sides(const Pack& pack)
    {
        // Whatever the last launch left there must not make an undeclared SetNextTaskStart set flags.
        g_super_kernel_early_start_config = 0;
        if ASCEND_IS_AIC {
            Code::template run<side::aic>(pack);
        }
        if ASCEND_IS_AIV {
            Code::template run<side::aiv>(pack);
        }
    }

    /// Index of this core among the cores of its side in the launch, as wide as the API answers it: narrowing costs an
    /// instruction.
    SKT_AICORE static SKT_INLINE std::int64_t core_index() { return AscendC::GetBlockIdx(); }

    template <int Mode, arrive_pipe Pipe, int Flag>
    SKT_AICORE static SKT_INLINE void arrive()
    {
        AscendC::CrossCoreSetFlag<Mode, Pipe == arrive_pipe::fix ? PIPE_FIX : PIPE_MTE3>(Flag);
    }
    template <int Mode, int Flag>
    SKT_AICORE static SKT_INLINE void wait()
    {
        AscendC::CrossCoreWaitFlag<Mode>(Flag);
    }
    SKT_AICORE static SKT_INLINE void drain() { AscendC::PipeBarrier<PIPE_ALL>(); }
    SKT_AICORE static SKT_INLINE void preload() { AscendC::ICachePreLoad(8); }

    SKT_AICORE static SKT_INLINE void flush_all()
    {
        AscendC::GlobalTensor<uint64_t> anywhere;
        AscendC::DataCacheCleanAndInvalid<uint64_t, AscendC::CacheLine::ENTIRE_DATA_CACHE,
                                          AscendC::DcciDst::CACHELINE_OUT>(anywhere);
    }
    template <int Lines, class Address>
    SKT_AICORE static SKT_INLINE void flush_lines(Address buffer)
    {
        AscendC::GlobalTensor<uint8_t> line;
        for (int i = 0; i < Lines; ++i) {
            line.SetGlobalBuffer((__gm__ uint8_t*)buffer + i * cache_line_bytes);
            AscendC::DataCacheCleanAndInvalid<uint8_t, AscendC::CacheLine::SINGLE_CACHE_LINE,
                                              AscendC::DcciDst::CACHELINE_OUT>(line);
        }
    }

    /// Stands in for a kernel's SyncAll calls.
    template <bool BothSides, int Times>
    SKT_AICORE static SKT_INLINE void feed_sync_all()
    {
        for (int i = 0; i < Times; ++i) {
            AscendC::SyncAll<!BothSides>();
        }
    }
    template <int Flag, int Times>
    SKT_AICORE static SKT_INLINE void feed_sets()
    {
        for (int i = 0; i < Times; ++i) {
            AscendC::CrossCoreSetFlag<2, PIPE_MTE3>(Flag);
        }
    }
    template <int Flag, int Times>
    SKT_AICORE static SKT_INLINE void feed_waits()
    {
        for (int i = 0; i < Times; ++i) {
            AscendC::CrossCoreWaitFlag<2>(Flag);
        }
    }

    /// Called on a core just before a sub-kernel's body: GetBlockNum becomes the sub-kernel's own, and early start
    /// reads its mask. The emulator is told what runs and what it may touch.
    template <class Plan, int Index, class K, class Pack>
    SKT_AICORE static SKT_INLINE void begin_kernel(const Pack& pack, int blocks, int early)
    {
        static_assert(
            check::lines_flush_on_access < device::lines_flush_on_access ||
                Plan::data.kernels[Index].cache != cache_policy::line_on_access,
            check::kernel < K >> ::value,
            "[skt line-on-access] a sub-kernel leaves its scalar accesses to GetValue and SetValue, and this build "
            "does not make them flush: define __ASCENDC_SUPER_KERNEL_ENABLE_GM_GET_SET_VALUE_DCCI__ for the whole "
            "build, or use skt::cache_policy::planned");
        g_super_kernel_dynamic_block_num = static_cast<std::uint32_t>(blocks);
        if constexpr (device::uses_early_start<Plan>) {
            g_super_kernel_early_start_config = static_cast<std::uint32_t>(early);
        }
        static_cast<void>(early);
        static_cast<void>(pack);
#if defined(SKT_EMULATED)
        host::enter_kernel<Plan, Index, K>(pack);
#endif
    }
    SKT_AICORE static SKT_INLINE void end_kernel()
    {
#if defined(SKT_EMULATED)
        host::leave_kernel();
#endif
    }

    /// Called before and after a core stands in for a sub-kernel, for the emulator's sake.
    template <class Plan, int Index>
    SKT_AICORE static SKT_INLINE void begin_feed()
    {
#if defined(SKT_EMULATED)
        host::stand_in_for_kernel<Plan, Index>();
#endif
    }
    SKT_AICORE static SKT_INLINE void end_feed()
    {
#if defined(SKT_EMULATED)
        host::leave_kernel();
#endif
    }
};

} // namespace skt
