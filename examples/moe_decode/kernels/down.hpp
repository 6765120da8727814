/// @file
/// Second projection of all experts in int8: the cube core multiplies tile after tile, its two vector cores turn each
/// finished tile into half, one half of the columns each. Device-safe.
#pragma once

#include "matmul_tile.hpp"

namespace moe {

/// Raised by the cube core once per tile.
inline constexpr uint16_t down_tile_ready = 8;

class down {
public:
    /// `act` [rows, expert_width] int8 with `act_scale` [rows] and `weights` [experts, hidden, expert_width] int8 with
    /// `weight_scale` [experts, hidden] give `out` [rows, hidden] half. `tiles` is room for the sums on their way from
    /// the cube core to the vector cores, `down_rounds` tiles per block.
    __aicore__ inline void Init(GM_ADDR act, GM_ADDR act_scale, GM_ADDR first_row, GM_ADDR weights,
                                GM_ADDR weight_scale, GM_ADDR tiles, GM_ADDR out)
    {
        act_ = tensor_at<int8_t>(act);
        act_scale_ = tensor_at<float>(act_scale);
        first_row_ = tensor_at<int32_t>(first_row);
        weights_ = tensor_at<int8_t>(weights);
        weight_scale_ = tensor_at<float>(weight_scale);
        tiles_ = tensor_at<int32_t>(tiles);
        out_ = tensor_at<half>(out);
        block_ = static_cast<uint32_t>(AscendC::GetBlockIdx());
        if ASCEND_IS_AIV {
            block_ /= 2;
        }
        blocks_ = static_cast<uint32_t>(AscendC::GetBlockNum());
    }

    __aicore__ inline void Process()
    {
        if ASCEND_IS_AIC {
            multiply();
        }
        if ASCEND_IS_AIV {
            dequantise();
        }
    }

private:
    static constexpr uint32_t tiles_per_expert = hidden / down_columns;
    static constexpr uint32_t columns = down_columns / 2; ///< Of one vector core.

    /// What a block does in one round.
    struct work {
        uint32_t expert;
        uint32_t column;
        uint32_t row;
        uint32_t rows; ///< 0: nothing.
    };
    __aicore__ inline work work_of(uint32_t round) const
    {
        const uint32_t i = round * blocks_ + block_;
        if (i >= experts * tiles_per_expert) {
            return {0, 0, 0, 0};
        }
        const uint32_t expert = i / tiles_per_expert;
        const auto first = static_cast<uint32_t>(first_row_.GetValue(expert));
        const auto last = static_cast<uint32_t>(first_row_.GetValue(expert + 1));
        return {expert, i % tiles_per_expert * down_columns, first, last - first};
    }
    __aicore__ inline AscendC::GlobalTensor<int32_t> tile_of(uint32_t round) const
    {
        return tiles_[(block_ * down_rounds + round) * down_tile];
    }

    __aicore__ inline void multiply()
    {
        AscendC::TPipe pipe;
        matmul_tile<int8_t, int32_t, down_columns, expert_width, 128> tile;
        tile.Init(pipe);
        for (uint32_t round = 0; round < down_rounds; ++round) {
            const work w = work_of(round);
            if (w.rows > 0) {
                tile.LoadRows(act_[w.row * expert_width], w.rows);
                tile.Multiply(weights_[(uint64_t{w.expert} * hidden + w.column) * expert_width]);
                tile.Store(tile_of(round), down_columns);
                tile.FreeRows();
            }
            // Also for an empty tile: the vector cores count on one flag per round.
            AscendC::CrossCoreSetFlag<2, PIPE_FIX>(down_tile_ready);
        }
    }

    __aicore__ inline void dequantise()
    {
        const auto half_of_tile = static_cast<uint32_t>(AscendC::GetSubBlockIdx()) * columns;
        AscendC::TPipe pipe;
        AscendC::TQue<AscendC::TPosition::VECIN, 2> sums_in;
        AscendC::TQue<AscendC::TPosition::VECIN, 2> scale_in;
        AscendC::TQue<AscendC::TPosition::VECOUT, 2> rows_out;
        AscendC::TBuf<AscendC::TPosition::VECCALC> work_buffer;
        pipe.InitBuffer(sums_in, 2, max_tokens * columns * sizeof(int32_t));
        pipe.InitBuffer(scale_in, 2, columns * sizeof(float));
        pipe.InitBuffer(rows_out, 2, max_tokens * columns * sizeof(half));
        pipe.InitBuffer(work_buffer, max_tokens * columns * sizeof(float));
        const AscendC::LocalTensor<float> v = work_buffer.Get<float>();
        constexpr auto n = static_cast<int32_t>(columns);
        for (uint32_t round = 0; round < down_rounds; ++round) {
            const work w = work_of(round);
            AscendC::CrossCoreWaitFlag(down_tile_ready);
            if (w.rows == 0) {
                continue;
            }
            const auto rows = static_cast<uint16_t>(w.rows);
            AscendC::LocalTensor<int32_t> sums = sums_in.AllocTensor<int32_t>();
            AscendC::DataCopy(sums, tile_of(round)[half_of_tile],
                              AscendC::DataCopyParams(rows, columns * sizeof(int32_t) / 32,
                                                      (down_columns - columns) * sizeof(int32_t) / 32, 0));
            sums_in.EnQue(sums);
            AscendC::LocalTensor<float> scale = scale_in.AllocTensor<float>();
            AscendC::DataCopy(scale, weight_scale_[w.expert * hidden + w.column + half_of_tile], columns);
            scale_in.EnQue(scale);
            sums = sums_in.DeQue<int32_t>();
            scale = scale_in.DeQue<float>();
            AscendC::Cast(v, sums, AscendC::RoundMode::CAST_RINT, w.rows * columns);
            next_vector();
            for (uint32_t r = 0; r < w.rows; ++r) {
                AscendC::Muls(v[r * columns], v[r * columns], act_scale_.GetValue(w.row + r), n);
            }
            next_vector();
            for (uint32_t r = 0; r < w.rows; ++r) {
                AscendC::Mul(v[r * columns], v[r * columns], scale, n);
            }
            next_vector();
            sums_in.FreeTensor(sums);
            scale_in.FreeTensor(scale);
            AscendC::LocalTensor<half> t = rows_out.AllocTensor<half>();
            AscendC::Cast(t, v, AscendC::RoundMode::CAST_RINT, w.rows * columns);
            next_vector();
            rows_out.EnQue(t);
            t = rows_out.DeQue<half>();
            AscendC::DataCopy(
                out_[w.row * hidden + w.column + half_of_tile], t,
                AscendC::DataCopyParams(rows, columns * sizeof(half) / 32, 0, (hidden - columns) * sizeof(half) / 32));
            rows_out.FreeTensor(t);
        }
    }

    AscendC::GlobalTensor<int8_t> act_;
    AscendC::GlobalTensor<float> act_scale_;
    AscendC::GlobalTensor<int32_t> first_row_;
    AscendC::GlobalTensor<int8_t> weights_;
    AscendC::GlobalTensor<float> weight_scale_;
    AscendC::GlobalTensor<int32_t> tiles_;
    AscendC::GlobalTensor<half> out_;
    uint32_t block_ = 0;
    uint32_t blocks_ = 0;
};

} // namespace moe
