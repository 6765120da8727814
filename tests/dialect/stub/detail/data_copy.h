/// @file
/// Copies between memories, and atomic stores.
#pragma once

#include "tensor.h"

namespace AscendC {

template <class T>
__aicore__ void DataCopy(const LocalTensor<T>& target, const GlobalTensor<T>& source, const uint32_t count);
template <class T>
__aicore__ void DataCopy(const GlobalTensor<T>& target, const LocalTensor<T>& source, const uint32_t count);
template <class T>
__aicore__ void DataCopy(const LocalTensor<T>& target, const LocalTensor<T>& source, const uint32_t count);
template <class T>
__aicore__ void DataCopy(const LocalTensor<T>& target, const GlobalTensor<T>& source, const DataCopyParams& params);
template <class T>
__aicore__ void DataCopy(const GlobalTensor<T>& target, const LocalTensor<T>& source, const DataCopyParams& params);
template <class T>
__aicore__ void DataCopy(const LocalTensor<T>& target, const LocalTensor<T>& source, const DataCopyParams& params);
template <class T>
__aicore__ void DataCopy(const LocalTensor<T>& target, const GlobalTensor<T>& source, const Nd2NzParams& params);

template <class T>
__aicore__ void DataCopyPad(const LocalTensor<T>& target, const GlobalTensor<T>& source, const DataCopyParams& params,
                            const DataCopyPadParams& pad);
template <class T>
__aicore__ void DataCopyPad(const GlobalTensor<T>& target, const LocalTensor<T>& source, const DataCopyParams& params);
template <class T>
__aicore__ void DataCopyPad(const LocalTensor<T>& target, const GlobalTensor<T>& source,
                            const DataCopyExtParams& params, const DataCopyPadExtParams<T>& pad);
template <class T>
__aicore__ void DataCopyPad(const GlobalTensor<T>& target, const LocalTensor<T>& source,
                            const DataCopyExtParams& params);

template <class T>
__aicore__ void SetAtomicType();
template <class T>
__aicore__ void SetAtomicAdd();
template <class T>
__aicore__ void SetAtomicMax();
template <class T>
__aicore__ void SetAtomicMin();
__aicore__ void SetAtomicNone();
__aicore__ void DisableDmaAtomic();

template <class T>
__aicore__ void InitOutput(GlobalTensor<T> target, uint32_t size, T value = 0);

} // namespace AscendC
