/// @file
/// TPipe, its queues and buffers.
#pragma once

#include "tensor.h"

namespace AscendC {

struct TBufType;
using TBufHandle = TBufType*;

template <TPosition source, TPosition target, int32_t depth, auto mask = 0>
class TQueBind {
public:
    __aicore__ TQueBind();
    template <class T>
    __aicore__ LocalTensor<T> AllocTensor();
    template <class T>
    __aicore__ void AllocTensor(LocalTensor<T>& tensor);
    template <class T>
    __aicore__ void FreeTensor(LocalTensor<T>& tensor);
    template <class T>
    __aicore__ bool EnQue(const LocalTensor<T>& tensor);
    template <class T>
    __aicore__ void DeQue(LocalTensor<T>& tensor);
    template <class T>
    __aicore__ LocalTensor<T> DeQue();
    __aicore__ bool VacantInQue();
    __aicore__ bool HasTensorInQue();
    __aicore__ int32_t GetTensorCountInQue();
    __aicore__ bool HasIdleBuffer();
    __aicore__ void FreeAllEvent();

private:
    uint64_t state_;
};

template <TPosition position, int32_t depth, auto mask = 0>
class TQue : public TQueBind<position, position, depth, mask> {
public:
    __aicore__ TQue();
};

template <TPosition position = TPosition::LCM>
class TBuf : public TQueBind<position, position, 0, 0> {
public:
    __aicore__ TBuf();
    template <class T>
    __aicore__ LocalTensor<T> Get();
    template <class T>
    __aicore__ LocalTensor<T> Get(uint32_t count);
    template <class T>
    __aicore__ LocalTensor<T> GetWithOffset(uint32_t size, uint32_t offset);
};

class TPipe {
public:
    __aicore__ TPipe();
    __aicore__ ~TPipe();
    __aicore__ void Init();
    template <class Queue>
    __aicore__ bool InitBuffer(Queue& queue, uint8_t count, uint32_t bytes);
    template <TPosition position>
    __aicore__ bool InitBuffer(TBuf<position>& buffer, uint32_t bytes);
    template <HardEvent event>
    __aicore__ TEventID AllocEventID();
    template <HardEvent event>
    __aicore__ void ReleaseEventID(TEventID id);
    template <HardEvent event>
    __aicore__ TEventID FetchEventID();
    __aicore__ TEventID FetchEventID(HardEvent event);
    __aicore__ void Destroy();
    __aicore__ void DestroyWithoutPipeAll();
    __aicore__ void Reset();

private:
    uint64_t state_;
};

__aicore__ TPipe* GetTPipePtr();

} // namespace AscendC
