/// @file
/// Small tools of the kernels: order between pipes, and which rows a block takes. Device-safe.
#pragma once

#include "../shape.hpp"

#include <skt/skt.hpp>

namespace moe {

/// Whatever the second pipe of `Event` is given from now on waits for what the first one has been given so far.
template <AscendC::HardEvent Event>
__aicore__ inline void order(AscendC::TPipe& pipe)
{
    const auto id = static_cast<int32_t>(pipe.FetchEventID(Event));
    AscendC::SetFlag<Event>(id);
    AscendC::WaitFlag<Event>(id);
}

/// Vector instructions after it see the results of those before it.
__aicore__ inline void next_vector()
{
    AscendC::PipeBarrier<PIPE_V>();
}

/// Equal contiguous shares of `rows` rows; blocks behind the last row get none.
__aicore__ inline row_range rows_of_block(uint32_t rows)
{
    const auto blocks = static_cast<uint32_t>(AscendC::GetBlockNum());
    const auto block = static_cast<uint32_t>(AscendC::GetBlockIdx());
    const uint32_t share = (rows + blocks - 1) / blocks;
    const uint32_t first = block * share < rows ? block * share : rows;
    const uint32_t last = first + share < rows ? first + share : rows;
    return {first, last};
}

/// A buffer of GM as a tensor.
template <class T>
__aicore__ inline AscendC::GlobalTensor<T> tensor_at(GM_ADDR address)
{
    AscendC::GlobalTensor<T> t;
    t.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address));
    return t;
}

} // namespace moe
