/// @file
/// Routing: softmax over the experts, the best four, their weights, and a place for each (token, expert) pair among
/// rows grouped by expert. Vector cores, one token each; all of them meet once in between. Device-safe.
#pragma once

#include "order.hpp"

namespace moe {

class route {
public:
    /// `expert_of`, `weight_of` and `row_of` hold `route_stride` elements per token, the first `top_k` of them used.
    /// Rows [first_row[e], first_row[e + 1]) belong to expert e.
    __aicore__ inline void Init(GM_ADDR logits, GM_ADDR expert_of, GM_ADDR weight_of, GM_ADDR row_of, GM_ADDR first_row,
                                decode_step step)
    {
        logits_ = tensor_at<float>(logits);
        expert_of_ = tensor_at<int32_t>(expert_of);
        weight_of_ = tensor_at<float>(weight_of);
        row_of_ = tensor_at<int32_t>(row_of);
        first_row_ = tensor_at<int32_t>(first_row);
        tokens_ = step.tokens;
        mine_ = rows_of_block(tokens_);
        pipe_.InitBuffer(in_, 1, experts * sizeof(float));
        pipe_.InitBuffer(expert_out_, 1, route_stride * sizeof(int32_t));
        pipe_.InitBuffer(weight_out_, 1, route_stride * sizeof(float));
        pipe_.InitBuffer(row_out_, 1, route_stride * sizeof(int32_t));
        pipe_.InitBuffer(first_row_out_, 1, first_row_count * sizeof(int32_t));
        pipe_.InitBuffer(work_, experts * sizeof(float));
        pipe_.InitBuffer(index_, experts * sizeof(int32_t));
        pipe_.InitBuffer(sorted_, experts * 2 * sizeof(float));
        pipe_.InitBuffer(small_, 2 * 32);
        pipe_.InitBuffer(all_, max_tokens * route_stride * sizeof(int32_t));
    }

    __aicore__ inline void Process()
    {
        AscendC::ArithProgression(index_.Get<int32_t>(), 0, 1, static_cast<int32_t>(experts));
        for (uint32_t token = mine_.first; token < mine_.last; ++token) {
            choose(token);
        }
        AscendC::SyncAll(); // the places depend on the choices of all tokens
        place();
    }

private:
    /// The best experts of one token and their weights, which add up to one.
    __aicore__ inline void choose(uint32_t token)
    {
        constexpr auto n = static_cast<int32_t>(experts);
        const AscendC::LocalTensor<float> p = work_.Get<float>();
        const AscendC::LocalTensor<float> sorted = sorted_.Get<float>();
        softmax(p, token);
        order<AscendC::HardEvent::S_V>(pipe_); // the last token's records have been read
        AscendC::Sort32(sorted, p, index_.Get<uint32_t>(), n / 32);

        AscendC::LocalTensor<int32_t> expert = expert_out_.AllocTensor<int32_t>();
        AscendC::LocalTensor<float> weight = weight_out_.AllocTensor<float>();
        AscendC::Duplicate(expert, 0, static_cast<int32_t>(route_stride));
        AscendC::Duplicate(weight, 0.0f, static_cast<int32_t>(route_stride));
        order<AscendC::HardEvent::V_S>(pipe_);
        const AscendC::LocalTensor<uint32_t> record = sorted.ReinterpretCast<uint32_t>();
        float total = 0;
        for (uint32_t k = 0; k < top_k; ++k) {
            total += sorted.GetValue(2 * k);
        }
        for (uint32_t k = 0; k < top_k; ++k) {
            weight.SetValue(k, sorted.GetValue(2 * k) / total);
            expert.SetValue(k, static_cast<int32_t>(record.GetValue(2 * k + 1)));
        }
        order<AscendC::HardEvent::S_MTE3>(pipe_);
        store(expert_of_[token * route_stride], expert, expert_out_, route_stride);
        store(weight_of_[token * route_stride], weight, weight_out_, route_stride);
    }

    __aicore__ inline void softmax(const AscendC::LocalTensor<float>& p, uint32_t token)
    {
        constexpr auto n = static_cast<int32_t>(experts);
        const AscendC::LocalTensor<float> top = small_.GetWithOffset<float>(8, 0);
        const AscendC::LocalTensor<float> sum = small_.GetWithOffset<float>(8, 32);
        AscendC::LocalTensor<float> logits = in_.AllocTensor<float>();
        AscendC::DataCopy(logits, logits_[token * experts], experts);
        in_.EnQue(logits);
        logits = in_.DeQue<float>();
        order<AscendC::HardEvent::S_V>(pipe_);
        AscendC::ReduceMax(top, logits, p, n);
        order<AscendC::HardEvent::V_S>(pipe_);
        AscendC::Adds(p, logits, -top.GetValue(0), n);
        in_.FreeTensor(logits);
        next_vector();
        AscendC::Exp(p, p, n);
        next_vector();
        AscendC::ReduceSum(sum, p, sorted_.Get<float>(), n);
        order<AscendC::HardEvent::V_S>(pipe_);
        AscendC::Muls(p, p, 1.0f / sum.GetValue(0), n);
        next_vector();
    }

    /// Rows are numbered expert by expert, within an expert by token. Every core counts all choices by itself: 128
    /// reads cost less than another meeting of all cores.
    __aicore__ inline void place()
    {
        const bool writes_first_row = AscendC::GetBlockIdx() == 0;
        if (mine_.first == mine_.last && !writes_first_row) {
            return;
        }
        const AscendC::LocalTensor<int32_t> all = all_.Get<int32_t>();
        AscendC::DataCopy(all, expert_of_, tokens_ * route_stride);
        order<AscendC::HardEvent::MTE2_S>(pipe_);
        int32_t first_row[experts + 1] = {};
        for (uint32_t token = 0; token < tokens_; ++token) {
            for (uint32_t k = 0; k < top_k; ++k) {
                ++first_row[all.GetValue(token * route_stride + k) + 1];
            }
        }
        for (uint32_t e = 0; e < experts; ++e) {
            first_row[e + 1] += first_row[e];
        }
        if (writes_first_row) {
            AscendC::LocalTensor<int32_t> out = first_row_out_.AllocTensor<int32_t>();
            for (uint32_t e = 0; e < first_row_count; ++e) {
                out.SetValue(e, first_row[e < experts ? e : experts]);
            }
            order<AscendC::HardEvent::S_MTE3>(pipe_);
            store(first_row_, out, first_row_out_, first_row_count);
        }
        int32_t next[experts];
        for (uint32_t e = 0; e < experts; ++e) {
            next[e] = first_row[e];
        }
        for (uint32_t token = 0; token < mine_.last; ++token) {
            if (token < mine_.first) {
                for (uint32_t k = 0; k < top_k; ++k) {
                    ++next[all.GetValue(token * route_stride + k)];
                }
                continue;
            }
            AscendC::LocalTensor<int32_t> rows = row_out_.AllocTensor<int32_t>();
            order<AscendC::HardEvent::MTE3_S>(pipe_); // the last token's rows have left
            for (uint32_t k = 0; k < route_stride; ++k) {
                rows.SetValue(k, k < top_k ? next[all.GetValue(token * route_stride + k)]++ : 0);
            }
            order<AscendC::HardEvent::S_MTE3>(pipe_);
            store(row_of_[token * route_stride], rows, row_out_, route_stride);
        }
    }

    template <class T, class Queue>
    __aicore__ inline void store(const AscendC::GlobalTensor<T>& to, AscendC::LocalTensor<T>& from, Queue& queue,
                                 uint32_t count)
    {
        queue.EnQue(from);
        from = queue.template DeQue<T>();
        AscendC::DataCopy(to, from, count);
        queue.FreeTensor(from);
    }

    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> expert_out_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> weight_out_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> row_out_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> first_row_out_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> work_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> index_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> sorted_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> small_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> all_;
    AscendC::GlobalTensor<float> logits_;
    AscendC::GlobalTensor<int32_t> expert_of_;
    AscendC::GlobalTensor<float> weight_of_;
    AscendC::GlobalTensor<int32_t> row_of_;
    AscendC::GlobalTensor<int32_t> first_row_;
    uint32_t tokens_ = 0;
    row_range mine_{};
};

} // namespace moe
