// The entries of the layer: what a device build compiles as its kernel source.
#include "layer.hpp"

#include "entries.hpp"

// All blocks start at once: the layer has barriers of all cores.
SKT_ENTRY(moe::layer, mix_1_2, batch)
moe_layer(GM_ADDR x, GM_ADDR gamma, moe::decode_step step, GM_ADDR router_weights, GM_ADDR expert_of, GM_ADDR weight_of,
          GM_ADDR shared_gate_up_weights, GM_ADDR gate_up_weights, GM_ADDR shared_down_weights, GM_ADDR down_weights,
          GM_ADDR down_scale, GM_ADDR out, GM_ADDR next_gamma, GM_ADDR next, GM_ADDR workspace)
{
    moe::layer::run(x, gamma, step, router_weights, expert_of, weight_of, shared_gate_up_weights, gate_up_weights,
                    shared_down_weights, down_weights, down_scale, out, next_gamma, next, workspace);
}

// The sub-kernels by themselves. launched_alone: this source reads GetBlockNum from a per-core variable, as the layer
// needs.
extern "C" __global__ __vector__ void moe_rms_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, moe::decode_step step)
{
    skt::device::launched_alone<moe::norm_kernel>();
    moe::rms_norm body;
    body.Init(x, gamma, y, step);
    body.Process();
}

extern "C" __global__ __cube__ void moe_router(GM_ADDR x, GM_ADDR weights, GM_ADDR logits, moe::decode_step step)
{
    skt::device::launched_alone<moe::router_kernel>();
    moe::router(x, weights, logits, step);
}

extern "C" __global__ __mix__(0, 1)
    __schedmode__(1) void moe_route(GM_ADDR logits, GM_ADDR expert_of, GM_ADDR weight_of, GM_ADDR row_of,
                                    GM_ADDR first_row, moe::decode_step step)
{
    skt::device::launched_alone<moe::route_kernel>();
    moe::route body;
    body.Init(logits, expert_of, weight_of, row_of, first_row, step);
    body.Process();
}

extern "C" __global__ __mix__(1, 1) void moe_shared_gate_up(GM_ADDR x, GM_ADDR weights, GM_ADDR tiles, GM_ADDR out,
                                                            moe::decode_step step)
{
    skt::device::launched_alone<moe::shared_gate_up_kernel>();
    const skt::task_view task(static_cast<int>(AscendC::GetBlockIdx()), static_cast<int>(AscendC::GetBlockNum()), 0, 1);
    moe::shared_gate_up::run(task, x, weights, tiles, out, step);
}

extern "C" __global__ __vector__ void moe_dispatch(GM_ADDR x, GM_ADDR row_of, GM_ADDR grouped, moe::decode_step step)
{
    skt::device::launched_alone<moe::dispatch_kernel>();
    moe::dispatch(x, row_of, grouped, step);
}

extern "C" __global__ __mix__(1, 0) void moe_gate_up(GM_ADDR grouped, GM_ADDR first_row, GM_ADDR weights, GM_ADDR out)
{
    skt::device::launched_alone<moe::gate_up_kernel>();
    moe::gate_up body;
    body({grouped, first_row, weights, out});
}

extern "C" __global__ __vector__ void moe_swiglu_quant(GM_ADDR gate_up, GM_ADDR out, GM_ADDR scale,
                                                       moe::decode_step step)
{
    skt::device::launched_alone<moe::swiglu_kernel>();
    moe::swiglu_quant(gate_up, out, scale, step);
}

extern "C" __global__ __cube__ void moe_shared_down(GM_ADDR act, GM_ADDR weights, GM_ADDR out, moe::decode_step step)
{
    skt::device::launched_alone<moe::shared_down_kernel>();
    moe::shared_down(act, weights, out, step);
}

extern "C" __global__ __mix__(1, 2) void moe_down(GM_ADDR act, GM_ADDR act_scale, GM_ADDR first_row, GM_ADDR weights,
                                                  GM_ADDR weight_scale, GM_ADDR tiles, GM_ADDR out)
{
    skt::device::launched_alone<moe::down_kernel>();
    moe::down body;
    body.Init(act, act_scale, first_row, weights, weight_scale, tiles, out);
    body.Process();
}

extern "C" __global__ __vector__ void moe_combine(GM_ADDR shared, GM_ADDR expert_rows, GM_ADDR row_of,
                                                  GM_ADDR weight_of, GM_ADDR out, moe::decode_step step)
{
    skt::device::launched_alone<moe::combine_kernel>();
    moe::combine(shared, expert_rows, row_of, weight_of, out, step);
}

extern "C" __global__ __vector__ void moe_residual(GM_ADDR x, GM_ADDR delta, GM_ADDR out, moe::decode_step step)
{
    skt::device::launched_alone<moe::residual_kernel>();
    moe::residual(x, delta, out, step);
}
