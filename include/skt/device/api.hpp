/// @file
/// The device API: the vendor's `kernel_operator.h` on the device, the emulator's drop-in on the host. Device-safe.
///
/// The vendor's header reads a few macros once, when it is first included. A super kernel needs them set, so this
/// header sets them and must come first; a source that included the vendor's header before is told so.
///
/// | macro | why |
/// |---|---|
/// | `__SUPER_KERNEL_DYNAMIC_BLOCK_NUM__` | GetBlockNum() answers a per-core variable, so that each sub-kernel sees its
/// own count | | `__ASCENDC_ENABLE_SUPER_KERNEL__` | TPipe::Destroy() does not drain, the program does; the matmul
/// service clears its flags | | `__ASCENDC_SUPERKERNEL_EARLY_START_V3` | SetNextTaskStart and WaitPreTaskEnd obey a
/// per-core mask | | `__ASCENDC_ENABLE_SET_NEXT_TASK_START`, `__ASCENDC_ENABLE_WAIT_PRE_TASK_END` | ... and are
/// compiled in at all |
///
/// Names and meanings as the public headers of Ascend C have them (revision of July 2026).
#pragma once

#include <skt/config.hpp>

// Guards of the vendor's headers that read the macros.
#if defined(ASCENDC_MODULE_OPERATOR_H) || defined(ASCENDC_MODULE_OPERATOR_SYS_VAR_INTERFACE_H) ||                      \
    defined(ASCENDC_MODULE_OPERATOR_COMMON_INTERFACE_H) || defined(ASCENDC_KERNEL_COMMON_H)
#if !defined(__SUPER_KERNEL_DYNAMIC_BLOCK_NUM__) || !defined(__ASCENDC_ENABLE_SUPER_KERNEL__) ||                       \
    !defined(__ASCENDC_SUPERKERNEL_EARLY_START_V3) || !defined(__ASCENDC_ENABLE_SET_NEXT_TASK_START) ||                \
    !defined(__ASCENDC_ENABLE_WAIT_PRE_TASK_END)
#error "[skt include-order] include skt/skt.hpp before kernel_operator.h: it sets what a super kernel needs"
// So that this stays the only error.
extern SKT_AICORE unsigned g_super_kernel_dynamic_block_num;
#endif
#endif

#if defined(__SUPER_KERNEL_STATIC_BLOCK_NUM__)
#error "[skt static-block-num] remove __SUPER_KERNEL_STATIC_BLOCK_NUM__: each sub-kernel gets its own block count"
#endif
#if defined(__ASCENDC_SUPERKERNEL_EARLY_START_V1) || defined(__ASCENDC_SUPERKERNEL_EARLY_START_V2)
#error "[skt early-start-version] remove __ASCENDC_SUPERKERNEL_EARLY_START_V1 and _V2: skt drives version 3's mask"
#endif
#if !__has_include("kernel_operator.h")
#error "[skt no-api] kernel_operator.h is not found: add the CANN toolkit's headers, or link skt::host for the emulator"
#endif

#if !defined(__SUPER_KERNEL_DYNAMIC_BLOCK_NUM__)
#define __SUPER_KERNEL_DYNAMIC_BLOCK_NUM__
#endif
#if !defined(__ASCENDC_ENABLE_SUPER_KERNEL__)
#define __ASCENDC_ENABLE_SUPER_KERNEL__
#endif
#if !defined(__ASCENDC_SUPERKERNEL_EARLY_START_V3)
#define __ASCENDC_SUPERKERNEL_EARLY_START_V3
#endif
#if !defined(__ASCENDC_ENABLE_SET_NEXT_TASK_START)
#define __ASCENDC_ENABLE_SET_NEXT_TASK_START
#endif
#if !defined(__ASCENDC_ENABLE_WAIT_PRE_TASK_END)
#define __ASCENDC_ENABLE_WAIT_PRE_TASK_END
#endif

#include "kernel_operator.h"
