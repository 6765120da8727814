/// @file
/// Order inside a core and across cores.
#pragma once

#include "tensor.h"

namespace AscendC {

template <HardEvent event>
__aicore__ void SetFlag(int32_t id);
template <HardEvent event>
__aicore__ void WaitFlag(int32_t id);
template <pipe_t pipe>
__aicore__ void PipeBarrier();
template <MemDsbT scope>
__aicore__ void DataSyncBarrier();

template <uint8_t mode, pipe_t pipe>
__aicore__ void CrossCoreSetFlag(uint16_t id);
template <uint8_t mode = 0, pipe_t pipe = PIPE_S>
__aicore__ void CrossCoreWaitFlag(uint16_t id);
template <bool aiv_only = true>
__aicore__ void SyncAll();
template <bool aiv_only = true>
__aicore__ void SyncAll(const GlobalTensor<int32_t>& gm, const LocalTensor<int32_t>& ub, const int32_t cores = 0);
template <bool aiv_only = true>
__aicore__ void IBSet(const GlobalTensor<int32_t>& gm, const LocalTensor<int32_t>& ub, int32_t block, int32_t id);
template <bool aiv_only = true>
__aicore__ void IBWait(const GlobalTensor<int32_t>& gm, const LocalTensor<int32_t>& ub, int32_t block, int32_t id);
__aicore__ void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gm, LocalTensor<int32_t>& ub);
__aicore__ void WaitPreBlock(GlobalTensor<int32_t>& gm, LocalTensor<int32_t>& ub);
__aicore__ void NotifyNextBlock(GlobalTensor<int32_t>& gm, LocalTensor<int32_t>& ub);

template <pipe_t aiv_pipe = PIPE_MTE3, pipe_t aic_pipe = PIPE_FIX, bool force = false>
__aicore__ void SetNextTaskStart();
template <bool force = false>
__aicore__ void WaitPreTaskEnd();

} // namespace AscendC
