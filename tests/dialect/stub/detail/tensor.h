/// @file
/// Views of global and local memory.
#pragma once

#include "types.h"

namespace AscendC {

template <class T>
class GlobalTensor {
public:
    using PrimType = T;
    __aicore__ GlobalTensor();
    __aicore__ void SetGlobalBuffer(__gm__ T* buffer, uint64_t size);
    __aicore__ void SetGlobalBuffer(__gm__ T* buffer);
    __aicore__ const __gm__ T* GetPhyAddr() const;
    __aicore__ __gm__ T* GetPhyAddr(uint64_t offset) const;
    __aicore__ T GetValue(uint64_t offset) const;
    __aicore__ __gm__ T& operator()(uint64_t offset) const;
    __aicore__ void SetValue(uint64_t offset, T value);
    __aicore__ uint64_t GetSize() const;
    __aicore__ GlobalTensor operator[](uint64_t offset) const;

private:
    __gm__ T* address_;
    uint64_t size_;
};

template <class T>
class LocalTensor {
public:
    using PrimType = T;
    __aicore__ LocalTensor();
    __aicore__ LocalTensor(TPosition position, uint32_t address, uint32_t count);
    __aicore__ uint64_t GetPhyAddr() const;
    __aicore__ uint64_t GetPhyAddr(uint32_t offset) const;
    __aicore__ T GetValue(uint32_t index) const;
    __aicore__ __ubuf__ T& operator()(uint32_t offset) const;
    template <class U>
    __aicore__ LocalTensor<U> ReinterpretCast() const;
    template <class U>
    __aicore__ void SetValue(uint32_t index, U value) const;
    __aicore__ LocalTensor operator[](uint32_t offset) const;
    __aicore__ int32_t GetPosition() const;
    __aicore__ void SetSize(uint32_t size);
    __aicore__ uint32_t GetSize() const;

private:
    uint32_t address_;
    uint32_t size_;
};

} // namespace AscendC
