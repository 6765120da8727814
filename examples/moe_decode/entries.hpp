/// @file
/// The kernels that a host launches: the whole layer in one, and each of its sub-kernels by itself. In a device build
/// entries.cpp is the kernel source; here it runs on the emulator.
#pragma once

#include "shape.hpp"

#include <kernel_operator.h>

/// The layer in one launch of shape `moe::layer::launch`; parameters in the order of their first use by a sub-kernel.
extern "C" __global__ __mix__(1, 2)
    __schedmode__(1) void moe_layer(GM_ADDR x, GM_ADDR gamma, moe::decode_step step, GM_ADDR router_weights,
                                    GM_ADDR expert_of, GM_ADDR weight_of, GM_ADDR shared_gate_up_weights,
                                    GM_ADDR gate_up_weights, GM_ADDR shared_down_weights, GM_ADDR down_weights,
                                    GM_ADDR down_scale, GM_ADDR out, GM_ADDR next_gamma, GM_ADDR next,
                                    GM_ADDR workspace);

// The same bodies unfused, one launch each.
extern "C" __global__ __vector__ void moe_rms_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, moe::decode_step step);
extern "C" __global__ __cube__ void moe_router(GM_ADDR x, GM_ADDR weights, GM_ADDR logits, moe::decode_step step);
extern "C" __global__ __mix__(0, 1)
    __schedmode__(1) void moe_route(GM_ADDR logits, GM_ADDR expert_of, GM_ADDR weight_of, GM_ADDR row_of,
                                    GM_ADDR first_row, moe::decode_step step);
extern "C" __global__ __mix__(1, 1) void moe_shared_gate_up(GM_ADDR x, GM_ADDR weights, GM_ADDR tiles, GM_ADDR out,
                                                            moe::decode_step step);
extern "C" __global__ __vector__ void moe_dispatch(GM_ADDR x, GM_ADDR row_of, GM_ADDR grouped, moe::decode_step step);
extern "C" __global__ __mix__(1, 0) void moe_gate_up(GM_ADDR grouped, GM_ADDR first_row, GM_ADDR weights, GM_ADDR out);
extern "C" __global__ __vector__ void moe_swiglu_quant(GM_ADDR gate_up, GM_ADDR out, GM_ADDR scale,
                                                       moe::decode_step step);
extern "C" __global__ __cube__ void moe_shared_down(GM_ADDR act, GM_ADDR weights, GM_ADDR out, moe::decode_step step);
extern "C" __global__ __mix__(1, 2) void moe_down(GM_ADDR act, GM_ADDR act_scale, GM_ADDR first_row, GM_ADDR weights,
                                                  GM_ADDR weight_scale, GM_ADDR tiles, GM_ADDR out);
extern "C" __global__ __vector__ void moe_combine(GM_ADDR shared, GM_ADDR expert_rows, GM_ADDR row_of,
                                                  GM_ADDR weight_of, GM_ADDR out, moe::decode_step step);
extern "C" __global__ __vector__ void moe_residual(GM_ADDR x, GM_ADDR delta, GM_ADDR out, moe::decode_step step);
