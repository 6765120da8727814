/// @file
/// Copies each token's row to its places among the rows grouped by expert. Vector cores. Device-safe.
#pragma once

#include "order.hpp"

namespace moe {

__aicore__ inline void dispatch(GM_ADDR x, GM_ADDR row_of, GM_ADDR grouped, decode_step step)
{
    const row_range mine = rows_of_block(step.tokens);
    const AscendC::GlobalTensor<half> from = tensor_at<half>(x);
    const AscendC::GlobalTensor<half> to = tensor_at<half>(grouped);
    const AscendC::GlobalTensor<int32_t> rows = tensor_at<int32_t>(row_of);
    AscendC::TPipe pipe;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, hidden * sizeof(half));
    for (uint32_t token = mine.first; token < mine.last; ++token) {
        AscendC::LocalTensor<half> t = queue.AllocTensor<half>();
        AscendC::DataCopy(t, from[token * hidden], hidden);
        queue.EnQue(t);
        t = queue.DeQue<half>();
        for (uint32_t k = 0; k < top_k; ++k) {
            const auto row = static_cast<uint32_t>(rows.GetValue(token * route_stride + k));
            AscendC::DataCopy(to[row * hidden], t, hidden);
        }
        queue.FreeTensor(t);
    }
}

} // namespace moe
