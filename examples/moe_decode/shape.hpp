/// @file
/// Sizes of the layer. Device-safe.
#pragma once

#include <cstdint>

namespace moe {

inline constexpr uint32_t max_tokens = 32; ///< Tokens of one decode step, at most.
inline constexpr uint32_t hidden = 1024;
inline constexpr uint32_t experts = 32;
inline constexpr uint32_t top_k = 4;
inline constexpr uint32_t expert_width = 512; ///< Columns between the two projections of an expert.
inline constexpr uint32_t shared_width = 512; ///< The same for the expert that every token passes through.
inline constexpr uint32_t max_rows = max_tokens * top_k;

/// Elements kept per token in the routing tables: a 32-byte block, the least that a plain DataCopy moves.
inline constexpr uint32_t route_stride = 8;
/// First row of each expert, and one past the last row behind them, in whole 32-byte blocks.
inline constexpr uint32_t first_row_count = (experts + 1 + 7) / 8 * 8;

// Block counts of the sub-kernels. Those over tokens share one, so that they depend on each other token by token.
inline constexpr int token_blocks = 32;
inline constexpr int router_blocks = 2;
inline constexpr int gate_up_blocks = 24;
inline constexpr int swiglu_blocks = 48;
inline constexpr int down_blocks = 24;
inline constexpr int shared_blocks = 16;

// Column tiles of the matmuls.
inline constexpr uint32_t router_columns = experts / router_blocks;
inline constexpr uint32_t gate_up_columns = 128;
inline constexpr uint32_t down_columns = 256;
inline constexpr uint32_t shared_columns = shared_width / shared_blocks;
inline constexpr uint32_t shared_down_columns = hidden / shared_blocks;

/// Tiles that each block of the second grouped matmul works off, some of them perhaps empty: a number that does not
/// depend on the routing, because its cube core raises one flag per tile.
inline constexpr uint32_t down_rounds = (experts * (hidden / down_columns) + down_blocks - 1) / down_blocks;
inline constexpr uint32_t down_tile = max_tokens * down_columns;

/// What changes from step to step; passed to the kernels by value.
struct decode_step {
    uint32_t tokens; ///< 1 to max_tokens.
    float epsilon;   ///< Of the norms.
};

/// Rows that one block of a kernel over rows takes: [first, last).
struct row_range {
    uint32_t first;
    uint32_t last;
};

} // namespace moe
