/// @file
/// First projection of all experts: each multiplies its own rows with its gate and up weights. Cube cores; a block
/// takes every n-th tile of (expert, columns). Written as Catlass writes kernels. Device-safe.
#pragma once

#include "matmul_tile.hpp"

namespace moe {

struct gate_up {
    struct Params {
        GM_ADDR grouped;   ///< [rows, hidden], rows grouped by expert.
        GM_ADDR first_row; ///< [experts + 1]
        GM_ADDR weights;   ///< [experts, 2 · expert_width, hidden]: gate, then up.
        GM_ADDR out;       ///< [rows, 2 · expert_width]
    };

    __aicore__ inline void operator()(const Params& p)
    {
        constexpr uint32_t width = 2 * expert_width;
        constexpr uint32_t tiles = width / gate_up_columns;
        const AscendC::GlobalTensor<half> grouped = tensor_at<half>(p.grouped);
        const AscendC::GlobalTensor<int32_t> first_row = tensor_at<int32_t>(p.first_row);
        const AscendC::GlobalTensor<half> weights = tensor_at<half>(p.weights);
        const AscendC::GlobalTensor<half> out = tensor_at<half>(p.out);
        AscendC::TPipe pipe;
        matmul_tile<half, float, gate_up_columns, hidden, 128> tile;
        tile.Init(pipe);
        const auto blocks = static_cast<uint32_t>(AscendC::GetBlockNum());
        for (auto i = static_cast<uint32_t>(AscendC::GetBlockIdx()); i < experts * tiles; i += blocks) {
            const uint32_t expert = i / tiles;
            const uint32_t column = i % tiles * gate_up_columns;
            const auto first = static_cast<uint32_t>(first_row.GetValue(expert));
            const auto last = static_cast<uint32_t>(first_row.GetValue(expert + 1));
            if (first == last) {
                continue; // no token chose this expert
            }
            tile.LoadRows(grouped[first * hidden], last - first);
            tile.Multiply(weights[(uint64_t{expert} * width + column) * hidden]);
            tile.Store(out[first * width + column], width);
            tile.FreeRows();
        }
    }
};

} // namespace moe
