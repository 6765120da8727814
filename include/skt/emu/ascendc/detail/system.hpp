/// @file
/// System variables, cache control and odds and ends. Part of the drop-in kernel_operator.h. Host only.
#pragma once

#include <skt/emu/ascendc/detail/queue.hpp>

#include <cstdarg>

namespace AscendC {

/// AI cores launched (vector cores for a vector-only launch), or the sub-kernel's own block count inside a super
/// kernel.
inline int64_t GetBlockNum()
{
#if defined(__SUPER_KERNEL_STATIC_BLOCK_NUM__)
    return __SUPER_KERNEL_STATIC_BLOCK_NUM__;
#else
    const std::uint32_t own = g_super_kernel_dynamic_block_num;
    return own != 0 ? static_cast<int64_t>(own) : skt::emu::current_machine().shape().blocks;
#endif
}
/// On a vector core: AI core times vector cores per AI core, plus the sub-block index.
inline int64_t GetBlockIdx()
{
    const skt::emu::core& c = skt::emu::current_core();
    return c.is_aic() ? c.ai_core : int64_t{c.ai_core} * c.sub_count + c.sub;
}
inline int64_t GetSubBlockIdx()
{
    return skt::emu::current_core().sub;
}
inline int64_t GetSubBlockNum()
{
    return skt::emu::current_core().sub_count;
}
inline int64_t GetTaskRatio()
{
    return skt::emu::current_core().sub_count;
}
/// Modelled time, in the 50 ticks per microsecond of the device's system counter.
inline int64_t GetSystemCycle()
{
    return static_cast<int64_t>(skt::emu::current_core().control_time / 20);
}

/// Ends the run with a finding.
inline void Trap(skt::emu::where at = skt::emu::where::here())
{
    skt::emu::core& c = skt::emu::current_core();
    skt::emu::machine& m = skt::emu::current_machine();
    m.step(c, "Trap", at);
    m.report({skt::emu::finding_kind::misuse, fmt::format("{} called Trap", c.name),
              "see the kernel's own reason for it", m.here(c)});
    m.cancel();
    m.step(c, "Trap", at);
}
inline void InitSocState() {}
inline void ICachePreLoad(const int64_t) {}
inline void PreLoad(const int64_t) {}
inline int64_t GetICachePreloadStatus()
{
    return 0;
}
inline void SetHF32Mode(bool) {}

template <typename T, CacheLine entireType, DcciDst dcciDst>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::cache_flush(entireType == CacheLine::SINGLE_CACHE_LINE ? dst.GetPhyAddr() : nullptr, at);
}
template <typename T, CacheLine entireType>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::cache_flush(entireType == CacheLine::SINGLE_CACHE_LINE ? dst.GetPhyAddr() : nullptr, at);
}
template <typename T>
inline void DataCachePreload(const GlobalTensor<uint64_t>&, const T)
{
}

/// GM past the data cache.
template <typename T>
inline void WriteGmByPassDCache(__gm__ T* addr, T value, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::uncached_store(addr, value, at);
}
template <typename T>
inline T ReadGmByPassDCache(__gm__ T* addr, skt::emu::where at = skt::emu::where::here())
{
    return skt::emu::uncached_load(addr, at);
}

/// printf of the device: the host's, with the core's name in front.
inline void printf(const char* format, ...)
{
    std::printf("[%s] ", skt::emu::current_core().name.c_str());
    std::va_list list;
    va_start(list, format);
    std::vprintf(format, list);
    va_end(list);
}
#define PRINTF ::AscendC::printf
template <typename Tensor>
inline void DumpTensor(const Tensor&, uint32_t, uint32_t)
{
}

} // namespace AscendC
