/// @file
/// The expert that every token passes through. Device-safe.
#pragma once

#include "matmul_tile.hpp"
#include "swiglu.hpp"

namespace moe {

/// Raised by the cube core when its gate and up tiles are in GM.
inline constexpr uint16_t shared_tiles_ready = 9;

/// First projection and activation: the cube core of a block multiplies its columns of gate and up, one vector core
/// applies the activation. It asks `task` who it is and not GetBlockIdx, which counts two vector cores per block in a
/// launch that has two.
struct shared_gate_up {
    /// `weights` [2 · shared_width, hidden]: gate, then up. `tiles` is room for two float tiles per block. `out`
    /// [tokens, shared_width] half.
    template <class Task>
    __aicore__ static inline void run(const Task& task, GM_ADDR x, GM_ADDR weights, GM_ADDR tiles, GM_ADDR out,
                                      decode_step step)
    {
        const auto block = static_cast<uint32_t>(task.block_idx());
        const AscendC::GlobalTensor<float> tile = tensor_at<float>(tiles)[block * 2 * tile_size];
        const uint32_t column = block * shared_columns;
        if ASCEND_IS_AIC {
            multiply(x, tensor_at<half>(weights)[column * hidden], tile, step.tokens);
        }
        if ASCEND_IS_AIV {
            activate(tile, tensor_at<half>(out)[column], step.tokens);
        }
    }

    static constexpr uint32_t tile_size = max_tokens * shared_columns;

private:
    __aicore__ static inline void multiply(GM_ADDR x, const AscendC::GlobalTensor<half>& weights,
                                           const AscendC::GlobalTensor<float>& tiles, uint32_t tokens)
    {
        AscendC::TPipe pipe;
        matmul_tile<half, float, shared_columns, hidden, 256> tile;
        tile.Init(pipe);
        tile.LoadRows(tensor_at<half>(x), tokens);
        tile.Multiply(weights);
        tile.Store(tiles, shared_columns);
        tile.Multiply(weights[shared_width * hidden]);
        tile.Store(tiles[tile_size], shared_columns);
        tile.FreeRows();
        AscendC::CrossCoreSetFlag<2, PIPE_FIX>(shared_tiles_ready);
    }

    __aicore__ static inline void activate(const AscendC::GlobalTensor<float>& tiles,
                                           const AscendC::GlobalTensor<half>& out, uint32_t tokens)
    {
        const uint32_t count = tokens * shared_columns;
        AscendC::TPipe pipe;
        AscendC::TQue<AscendC::TPosition::VECIN, 2> in;
        AscendC::TQue<AscendC::TPosition::VECOUT, 1> rows_out;
        AscendC::TBuf<AscendC::TPosition::VECCALC> work;
        pipe.InitBuffer(in, 2, tile_size * sizeof(float));
        pipe.InitBuffer(rows_out, 1, tile_size * sizeof(half));
        pipe.InitBuffer(work, tile_size * sizeof(float));
        const AscendC::LocalTensor<float> v = work.Get<float>();
        AscendC::CrossCoreWaitFlag(shared_tiles_ready);
        AscendC::LocalTensor<float> gate = in.AllocTensor<float>();
        AscendC::DataCopy(gate, tiles, count);
        in.EnQue(gate);
        AscendC::LocalTensor<float> up = in.AllocTensor<float>();
        AscendC::DataCopy(up, tiles[tile_size], count);
        in.EnQue(up);
        gate = in.DeQue<float>();
        up = in.DeQue<float>();
        silu_times(v, gate, up, static_cast<int32_t>(count));
        in.FreeTensor(gate);
        in.FreeTensor(up);
        AscendC::LocalTensor<half> t = rows_out.AllocTensor<half>();
        AscendC::Cast(t, v, AscendC::RoundMode::CAST_RINT, count);
        rows_out.EnQue(t);
        t = rows_out.DeQue<half>();
        AscendC::DataCopy(out, t,
                          AscendC::DataCopyParams(static_cast<uint16_t>(tokens), shared_columns * sizeof(half) / 32, 0,
                                                  (shared_width - shared_columns) * sizeof(half) / 32));
        rows_out.FreeTensor(t);
    }
};

/// Second projection: out [tokens, hidden] float = act [tokens, shared_width] · weights [hidden, shared_width]ᵀ. Cube
/// cores.
__aicore__ inline void shared_down(GM_ADDR act, GM_ADDR weights, GM_ADDR out, decode_step step)
{
    const auto first = static_cast<uint32_t>(AscendC::GetBlockIdx()) * shared_down_columns;
    AscendC::TPipe pipe;
    matmul_tile<half, float, shared_down_columns, shared_width, 128> tile;
    tile.Init(pipe);
    tile.LoadRows(tensor_at<half>(act), step.tokens);
    tile.Multiply(tensor_at<half>(weights)[first * shared_width]);
    tile.Store(tensor_at<float>(out)[first], hidden);
    tile.FreeRows();
}

} // namespace moe
