/// @file
/// The scalar unit's data cache and the instruction cache.
#pragma once

#include "tensor.h"

namespace AscendC {

template <class T, CacheLine line, DcciDst destination>
__aicore__ void DataCacheCleanAndInvalid(const GlobalTensor<T>& tensor);
template <class T, CacheLine line, DcciDst destination>
__aicore__ void DataCacheCleanAndInvalid(const LocalTensor<T>& tensor);
template <class T, CacheLine line>
__aicore__ void DataCacheCleanAndInvalid(const GlobalTensor<T>& tensor);
template <class T>
__aicore__ void DataCachePreload(const GlobalTensor<uint64_t>& source, const T offset);
template <class T>
__aicore__ void WriteGmByPassDCache(__gm__ T* address, T value);
template <class T>
__aicore__ T ReadGmByPassDCache(__gm__ T* address);
__aicore__ void ICachePreLoad(const int64_t length);
__aicore__ int64_t GetICachePreloadStatus();

} // namespace AscendC
