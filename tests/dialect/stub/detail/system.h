/// @file
/// System variables. Those that read a register that does not change in a launch are marked `const`, so that a compiler
/// reads them once, as it does on the device.
#pragma once

#include "types.h"

namespace AscendC {

__aicore__ int64_t GetBlockNum();
__aicore__ __attribute__((const)) int64_t GetBlockIdx();
__aicore__ __attribute__((const)) int64_t GetSubBlockIdx();
__aicore__ __attribute__((const)) int64_t GetSubBlockNum();
__aicore__ __attribute__((const)) int64_t GetTaskRatio();
__aicore__ int64_t GetSystemCycle();
__aicore__ int64_t GetProgramCounter();
__aicore__ void Trap();

} // namespace AscendC
