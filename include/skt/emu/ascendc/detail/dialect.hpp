/// @file
/// The dialect of device sources on the host: qualifiers that mean nothing here, and names the device compiler has
/// built in. Part of the drop-in kernel_operator.h. Host only.
#pragma once

// The standard headers must be read before the qualifiers below become macros.
#include <skt/emu/device.hpp>
#include <skt/emu/half.hpp>
#include <skt/emu/instr.hpp>
#include <skt/emu/scalar.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

/// Tells the backend that it runs on the emulator.
#define SKT_EMULATED 1

#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif

#define __aicore__
#define __global__
#define __host__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#define __sk__
#define __cube__
#define __vector__
#define __mix__(cube, vector)
#define __schedmode__(mode)
#define __inout_pipe__(pipe)
#define __in_pipe__(pipe)
#define __out_pipe__(pipe)
#define __sync_alias__
#define __sync_noalias__
#define KERNEL_TASK_TYPE_DEFAULT(type)
#define KERNEL_TASK_TYPE(key, type)

#define GM_ADDR __gm__ uint8_t*

/// Conditions that carry their own parentheses: `if ASCEND_IS_AIV {`. On the host they are decided while the kernel
/// runs.
#define ASCEND_IS_AIC (::skt::emu::current_core().is_aic())
#define ASCEND_IS_AIV (!::skt::emu::current_core().is_aic())
#define ASCEND_IS_NOT_AIC (!::skt::emu::current_core().is_aic())
#define ASCEND_IS_NOT_AIV (::skt::emu::current_core().is_aic())

/// Names of the sides, as template arguments of kernels that are specialised by side.
namespace AscendC {
inline constexpr std::int32_t MIX = 0;
inline constexpr std::int32_t AIC = 1;
inline constexpr std::int32_t AIV = 2;
} // namespace AscendC

using half = skt::emu::half;
using bfloat16_t = skt::emu::bfloat16;

/// Pipes, with the values of the vendor's headers.
enum pipe_t {
    PIPE_S = 0,
    PIPE_V = 1,
    PIPE_M = 2,
    PIPE_MTE1 = 3,
    PIPE_MTE2 = 4,
    PIPE_MTE3 = 5,
    PIPE_ALL = 6,
    PIPE_FIX = 10
};

/// Event ids between two pipes.
enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

/// What FIX does to the numbers on their way out of L0C.
enum class QuantMode_t { NoQuant = 0, F322F16, F322BF16, DEQF16, VDEQF16, QF322B8_PRE, VQF322B8_PRE, REQ8, VREQ8 };
inline constexpr QuantMode_t NoQuant = QuantMode_t::NoQuant;

namespace skt::emu {

/// A per-core variable of the device's global namespace: every core reads and writes its own.
template <std::uint32_t core::*Member, std::uint32_t Mask>
class per_core_register {
public:
    per_core_register& operator=(std::uint32_t v)
    {
        current_core().*Member = v & Mask;
        return *this;
    }
    operator std::uint32_t() const { return current_core().*Member; }
};

/// The pipe behind a vendor constant; PIPE_ALL is none of them.
constexpr pipe to_pipe(pipe_t p)
{
    return p == PIPE_V      ? pipe::v
           : p == PIPE_M    ? pipe::m
           : p == PIPE_MTE1 ? pipe::mte1
           : p == PIPE_MTE2 ? pipe::mte2
           : p == PIPE_MTE3 ? pipe::mte3
           : p == PIPE_FIX  ? pipe::fix
                            : pipe::s;
}

} // namespace skt::emu

/// Block count that GetBlockNum answers while it is not zero: a super kernel sets it before each sub-kernel.
inline skt::emu::per_core_register<&skt::emu::core::dynamic_block_num, 0xffffffffu> g_super_kernel_dynamic_block_num;
/// Which flags SetNextTaskStart and WaitPreTaskEnd use; eight bits.
inline skt::emu::per_core_register<&skt::emu::core::early_start_config, 0xffu> g_super_kernel_early_start_config;

#if defined(SKT_EMU_BUILTIN_VARIABLES)
namespace skt::emu {
/// A read-only variable that every core sees with its own value.
template <std::int64_t (*Value)(const core&)>
struct builtin_variable {
    operator std::int64_t() const { return Value(current_core()); }
};
inline std::int64_t builtin_block_idx(const core& c)
{
    return c.ai_core;
}
inline std::int64_t builtin_block_num(const core&)
{
    return current_machine().shape().blocks;
}
} // namespace skt::emu
/// The device compiler's own variables. Asked for by a macro, for on the host these common names would hide nothing and
/// be hidden often.
inline constexpr skt::emu::builtin_variable<&skt::emu::builtin_block_idx> block_idx{};
inline constexpr skt::emu::builtin_variable<&skt::emu::builtin_block_num> block_num{};
#endif
