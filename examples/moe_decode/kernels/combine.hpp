/// @file
/// Back from rows by expert to rows by token. Vector cores. Device-safe.
#pragma once

#include "order.hpp"

namespace moe {

/// out [tokens, hidden] float = shared + the token's expert rows, weighted.
__aicore__ inline void combine(GM_ADDR shared, GM_ADDR expert_rows, GM_ADDR row_of, GM_ADDR weight_of, GM_ADDR out,
                               decode_step step)
{
    const row_range mine = rows_of_block(step.tokens);
    const AscendC::GlobalTensor<int32_t> rows = tensor_at<int32_t>(row_of);
    const AscendC::GlobalTensor<float> weights = tensor_at<float>(weight_of);
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> shared_in;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> row_in;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> sum_out;
    AscendC::TBuf<AscendC::TPosition::VECCALC> work;
    pipe.InitBuffer(shared_in, 1, hidden * sizeof(float));
    pipe.InitBuffer(row_in, 2, hidden * sizeof(half));
    pipe.InitBuffer(sum_out, 1, hidden * sizeof(float));
    pipe.InitBuffer(work, hidden * sizeof(float));
    const AscendC::LocalTensor<float> v = work.Get<float>();
    constexpr auto n = static_cast<int32_t>(hidden);
    for (uint32_t token = mine.first; token < mine.last; ++token) {
        AscendC::LocalTensor<float> s = shared_in.AllocTensor<float>();
        AscendC::DataCopy(s, tensor_at<float>(shared)[token * hidden], hidden);
        shared_in.EnQue(s);
        s = shared_in.DeQue<float>();
        AscendC::LocalTensor<float> sum = sum_out.AllocTensor<float>();
        AscendC::Muls(sum, s, 1.0f, n);
        shared_in.FreeTensor(s);
        for (uint32_t k = 0; k < top_k; ++k) {
            const auto row = static_cast<uint32_t>(rows.GetValue(token * route_stride + k));
            const float weight = weights.GetValue(token * route_stride + k);
            AscendC::LocalTensor<half> t = row_in.AllocTensor<half>();
            AscendC::DataCopy(t, tensor_at<half>(expert_rows)[row * hidden], hidden);
            row_in.EnQue(t);
            t = row_in.DeQue<half>();
            AscendC::Cast(v, t, AscendC::RoundMode::CAST_NONE, hidden);
            row_in.FreeTensor(t);
            next_vector();
            AscendC::Axpy(sum, v, weight, n);
            next_vector();
        }
        sum_out.EnQue(sum);
        sum = sum_out.DeQue<float>();
        AscendC::DataCopy(tensor_at<float>(out)[token * hidden], sum, hidden);
        sum_out.FreeTensor(sum);
    }
}

/// out = x + delta, half rows plus float rows.
__aicore__ inline void residual(GM_ADDR x, GM_ADDR delta, GM_ADDR out, decode_step step)
{
    const row_range mine = rows_of_block(step.tokens);
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> x_in;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> delta_in;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> sum_out;
    AscendC::TBuf<AscendC::TPosition::VECCALC> work;
    pipe.InitBuffer(x_in, 2, hidden * sizeof(half));
    pipe.InitBuffer(delta_in, 2, hidden * sizeof(float));
    pipe.InitBuffer(sum_out, 2, hidden * sizeof(half));
    pipe.InitBuffer(work, hidden * sizeof(float));
    const AscendC::LocalTensor<float> v = work.Get<float>();
    for (uint32_t token = mine.first; token < mine.last; ++token) {
        AscendC::LocalTensor<half> a = x_in.AllocTensor<half>();
        AscendC::DataCopy(a, tensor_at<half>(x)[token * hidden], hidden);
        x_in.EnQue(a);
        AscendC::LocalTensor<float> b = delta_in.AllocTensor<float>();
        AscendC::DataCopy(b, tensor_at<float>(delta)[token * hidden], hidden);
        delta_in.EnQue(b);
        a = x_in.DeQue<half>();
        b = delta_in.DeQue<float>();
        AscendC::Cast(v, a, AscendC::RoundMode::CAST_NONE, hidden);
        next_vector();
        AscendC::Add(v, v, b, static_cast<int32_t>(hidden));
        next_vector();
        x_in.FreeTensor(a);
        delta_in.FreeTensor(b);
        AscendC::LocalTensor<half> t = sum_out.AllocTensor<half>();
        AscendC::Cast(t, v, AscendC::RoundMode::CAST_RINT, hidden);
        next_vector();
        sum_out.EnQue(t);
        t = sum_out.DeQue<half>();
        AscendC::DataCopy(tensor_at<half>(out)[token * hidden], t, hidden);
        sum_out.FreeTensor(t);
    }
}

} // namespace moe
