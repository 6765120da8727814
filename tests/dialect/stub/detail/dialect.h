/// @file
/// Function attributes, address spaces and the side that is being compiled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__CUDA__)
#define __aicore__ __attribute__((device))
#define __global__ __attribute__((global))
#else
#define __aicore__
#define __global__
#endif

// Memories are told apart where device code is compiled; a host program passes plain pointers to a launch.
#if defined(__CUDA_ARCH__)
#define __gm__ __attribute__((address_space(1)))
#define __ubuf__ __attribute__((address_space(3)))
#define __cbuf__ __attribute__((address_space(5)))
#else
#define __gm__
#define __ubuf__
#define __cbuf__
#endif

#define __cube__
#define __vector__
#define __mix__(cube, vector)
#define __schedmode__(mode)
#define __sk__ __aicore__

#define GM_ADDR __gm__ std::uint8_t*

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

namespace AscendC {
constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;
constexpr int32_t MIX = 0;
} // namespace AscendC

#if defined(__DAV_CUBE__)
constexpr int32_t g_coreType = AscendC::AIC;
#elif defined(__DAV_VEC__)
constexpr int32_t g_coreType = AscendC::AIV;
#else
constexpr int32_t g_coreType = AscendC::MIX;
#endif
#define ASCEND_IS_AIC constexpr(g_coreType == AscendC::AIC)
#define ASCEND_IS_AIV constexpr(g_coreType == AscendC::AIV)

/// Per-core variables of the super kernel route. The first exists only where the build asks for it.
#if defined(__CUDA__)
#define SKT_STUB_PER_CORE extern __aicore__
#else
#define SKT_STUB_PER_CORE extern
#endif
#if defined(__SUPER_KERNEL_DYNAMIC_BLOCK_NUM__)
SKT_STUB_PER_CORE uint32_t g_super_kernel_dynamic_block_num;
#endif
SKT_STUB_PER_CORE uint32_t g_super_kernel_early_start_config;
