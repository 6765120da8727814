/// @file
/// The cube unit: loads to L0, multiplication, the way out through the fix pipe.
#pragma once

#include "tensor.h"

namespace AscendC {

template <class T>
__aicore__ void LoadData(const LocalTensor<T>& target, const LocalTensor<T>& source, const LoadData2DParams& params);
template <class T>
__aicore__ void LoadData(const LocalTensor<T>& target, const GlobalTensor<T>& source, const LoadData2DParams& params);
template <class T>
__aicore__ void LoadDataWithTranspose(const LocalTensor<T>& target, const LocalTensor<T>& source,
                                      const LoadData2dTransposeParams& params);
template <class T>
__aicore__ void Fill(const LocalTensor<T>& target, const InitConstValueParams<T>& params);
template <class T>
__aicore__ void InitConstValue(const LocalTensor<T>& target, const InitConstValueParams<T>& params);
template <class T, class U, class S>
__aicore__ void Mmad(const LocalTensor<T>& target, const LocalTensor<U>& left, const LocalTensor<S>& right,
                     const MmadParams& params);
template <class T, class U, class S, class V>
__aicore__ void Mmad(const LocalTensor<T>& target, const LocalTensor<U>& left, const LocalTensor<S>& right,
                     const LocalTensor<V>& bias, const MmadParams& params);
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
__aicore__ void Fixpipe(const GlobalTensor<T>& target, const LocalTensor<U>& source, const FixpipeParamsV220& params);
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
__aicore__ void Fixpipe(const LocalTensor<T>& target, const LocalTensor<U>& source, const FixpipeParamsV220& params);
__aicore__ void SetFixpipeNz2ndFlag(uint16_t count, uint16_t source_stride, uint16_t target_stride);

} // namespace AscendC
