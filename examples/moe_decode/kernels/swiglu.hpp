/// @file
/// The experts' activation, silu(gate) · up, quantised to int8 with one scale per row. Vector cores. Device-safe.
#pragma once

#include "order.hpp"

namespace moe {

/// v = gate / (1 + exp(-gate)) · up, over `n` floats; `gate` is used up.
__aicore__ inline void silu_times(const AscendC::LocalTensor<float>& v, const AscendC::LocalTensor<float>& gate,
                                  const AscendC::LocalTensor<float>& up, int32_t n)
{
    AscendC::Muls(v, gate, -1.0f, n);
    next_vector();
    AscendC::Exp(v, v, n);
    next_vector();
    AscendC::Adds(v, v, 1.0f, n);
    AscendC::Mul(gate, gate, up, n);
    next_vector();
    AscendC::Div(v, gate, v, n);
    next_vector();
}

/// `gate_up` [rows, 2 · expert_width] half to `out` [rows, expert_width] int8 and `scale` [rows] float: the value is
/// out · scale.
__aicore__ inline void swiglu_quant(GM_ADDR gate_up, GM_ADDR out, GM_ADDR scale, decode_step step)
{
    constexpr auto n = static_cast<int32_t>(expert_width);
    constexpr float largest = 127.0f;
    const row_range mine = rows_of_block(step.tokens * top_k);
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> in;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> value_out;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> scale_out;
    AscendC::TBuf<AscendC::TPosition::VECCALC> work;
    AscendC::TBuf<AscendC::TPosition::VECCALC> rounded_buffer;
    AscendC::TBuf<AscendC::TPosition::VECCALC> small;
    pipe.InitBuffer(in, 2, 2 * expert_width * sizeof(half));
    pipe.InitBuffer(value_out, 2, expert_width * sizeof(int8_t));
    pipe.InitBuffer(scale_out, 2, 32);
    pipe.InitBuffer(work, 3 * expert_width * sizeof(float));
    pipe.InitBuffer(rounded_buffer, expert_width * sizeof(half));
    pipe.InitBuffer(small, 32);
    const AscendC::LocalTensor<float> both = work.Get<float>(2 * expert_width);
    const AscendC::LocalTensor<float> v = work.GetWithOffset<float>(expert_width, 2 * expert_width * sizeof(float));
    const AscendC::LocalTensor<half> rounded = rounded_buffer.Get<half>();
    const AscendC::LocalTensor<float> top = small.Get<float>();
    for (uint32_t row = mine.first; row < mine.last; ++row) {
        AscendC::LocalTensor<half> t = in.AllocTensor<half>();
        AscendC::DataCopy(t, tensor_at<half>(gate_up)[row * 2 * expert_width], 2 * expert_width);
        in.EnQue(t);
        t = in.DeQue<half>();
        AscendC::Cast(both, t, AscendC::RoundMode::CAST_NONE, 2 * expert_width);
        in.FreeTensor(t);
        next_vector();
        silu_times(v, both, both[expert_width], n);

        AscendC::Abs(both, v, n);
        order<AscendC::HardEvent::S_V>(pipe); // the last row's maximum has been read
        AscendC::ReduceMax(top, both, both[expert_width], n);
        order<AscendC::HardEvent::V_S>(pipe);
        const float s = top.GetValue(0) > 0 ? top.GetValue(0) / largest : 1.0f;
        AscendC::Muls(v, v, 1.0f / s, n);
        next_vector();
        AscendC::Cast(rounded, v, AscendC::RoundMode::CAST_RINT, expert_width);
        next_vector();
        AscendC::LocalTensor<int8_t> q = value_out.AllocTensor<int8_t>();
        AscendC::Cast(q, rounded, AscendC::RoundMode::CAST_RINT, expert_width);
        value_out.EnQue(q);
        q = value_out.DeQue<int8_t>();
        AscendC::DataCopy(tensor_at<int8_t>(out)[row * expert_width], q, expert_width);
        value_out.FreeTensor(q);

        AscendC::LocalTensor<float> one = scale_out.AllocTensor<float>();
        AscendC::Duplicate(one, s, 8);
        scale_out.EnQue(one);
        one = scale_out.DeQue<float>();
        AscendC::DataCopyPad(tensor_at<float>(scale)[row], one, AscendC::DataCopyExtParams(1, sizeof(float), 0, 0, 0));
        scale_out.FreeTensor(one);
    }
}

} // namespace moe
