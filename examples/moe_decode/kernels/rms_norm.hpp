/// @file
/// Root-mean-square norm of half rows: y = x / sqrt(mean(x²) + epsilon) · gamma. Vector cores. Device-safe.
#pragma once

#include "order.hpp"

namespace moe {

class rms_norm {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, decode_step step)
    {
        x_ = tensor_at<half>(x);
        gamma_ = tensor_at<half>(gamma);
        y_ = tensor_at<half>(y);
        rows_ = rows_of_block(step.tokens);
        epsilon_ = step.epsilon;
        pipe_.InitBuffer(in_, 2, hidden * sizeof(half));
        pipe_.InitBuffer(out_, 2, hidden * sizeof(half));
        pipe_.InitBuffer(work_, 3 * hidden * sizeof(float));
        pipe_.InitBuffer(small_, 2 * 32);
    }

    __aicore__ inline void Process()
    {
        if (rows_.first == rows_.last) {
            return;
        }
        const AscendC::LocalTensor<float> gamma = work_.GetWithOffset<float>(hidden, 0);
        load(gamma, gamma_);
        for (uint32_t row = rows_.first; row < rows_.last; ++row) {
            norm(row, gamma);
        }
    }

private:
    /// One row of halves as floats in UB.
    __aicore__ inline void load(const AscendC::LocalTensor<float>& to, const AscendC::GlobalTensor<half>& from)
    {
        AscendC::LocalTensor<half> t = in_.AllocTensor<half>();
        AscendC::DataCopy(t, from, hidden);
        in_.EnQue(t);
        t = in_.DeQue<half>();
        AscendC::Cast(to, t, AscendC::RoundMode::CAST_NONE, hidden);
        in_.FreeTensor(t);
    }

    __aicore__ inline void norm(uint32_t row, const AscendC::LocalTensor<float>& gamma)
    {
        constexpr auto n = static_cast<int32_t>(hidden);
        const AscendC::LocalTensor<float> x = work_.GetWithOffset<float>(hidden, hidden * sizeof(float));
        const AscendC::LocalTensor<float> square = work_.GetWithOffset<float>(hidden, 2 * hidden * sizeof(float));
        const AscendC::LocalTensor<float> sum = small_.GetWithOffset<float>(8, 0);
        const AscendC::LocalTensor<float> root = small_.GetWithOffset<float>(8, 32);
        load(x, x_[row * hidden]);
        next_vector();
        AscendC::Mul(square, x, x, n);
        next_vector();
        AscendC::ReduceSum(sum, square, square, n);
        next_vector();
        AscendC::Muls(sum, sum, 1.0f / static_cast<float>(hidden), 1);
        next_vector();
        AscendC::Adds(sum, sum, epsilon_, 1);
        next_vector();
        order<AscendC::HardEvent::S_V>(pipe_); // the last row's root has been read
        AscendC::Sqrt(root, sum, 1);
        order<AscendC::HardEvent::V_S>(pipe_);
        AscendC::Muls(x, x, 1.0f / root.GetValue(0), n);
        next_vector();
        AscendC::Mul(x, x, gamma, n);
        next_vector();
        AscendC::LocalTensor<half> y = out_.AllocTensor<half>();
        AscendC::Cast(y, x, AscendC::RoundMode::CAST_RINT, hidden);
        out_.EnQue(y);
        y = out_.DeQue<half>();
        AscendC::DataCopy(y_[row * hidden], y, hidden);
        out_.FreeTensor(y);
    }

    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> out_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> work_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> small_;
    AscendC::GlobalTensor<half> x_;
    AscendC::GlobalTensor<half> gamma_;
    AscendC::GlobalTensor<half> y_;
    row_range rows_{};
    float epsilon_ = 0;
};

} // namespace moe
