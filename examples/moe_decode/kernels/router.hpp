/// @file
/// Scores of every expert for every token: logits = x · Wᵀ. Cube cores; each block scores its share of the experts.
/// Device-safe.
#pragma once

#include "matmul_tile.hpp"

namespace moe {

__aicore__ inline void router(GM_ADDR x, GM_ADDR weights, GM_ADDR logits, decode_step step)
{
    const auto first = static_cast<uint32_t>(AscendC::GetBlockIdx()) * router_columns;
    AscendC::TPipe pipe;
    matmul_tile<half, float, router_columns, hidden, 256> tile;
    tile.Init(pipe);
    tile.LoadRows(tensor_at<half>(x), step.tokens);
    tile.Multiply(tensor_at<half>(weights)[first * hidden]);
    tile.Store(tensor_at<float>(logits)[first], experts);
    tile.FreeRows();
}

} // namespace moe
