#define __SUPER_KERNEL_DYNAMIC_BLOCK_NUM__
#include "listing_8.hpp"

using namespace AscendC;

__aicore__ inline void flush_data_cache()
{
    GlobalTensor<uint64_t> anywhere;
    DataCacheCleanAndInvalid<uint64_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(anywhere);
}

extern "C" __global__ __mix__(1, 2) __schedmode__(1) void listing(LISTING_PARAMETERS)
{
    g_super_kernel_early_start_config = 0;
    if ASCEND_IS_AIC {
        CrossCoreWaitFlag<2>(10);
        if (GetBlockIdx() < 8) {
            g_super_kernel_dynamic_block_num = 8;
            router(h, router_weight, logits);
        }
        CrossCoreSetFlag<0, PIPE_FIX>(9);
        CrossCoreWaitFlag<0>(9);
        CrossCoreSetFlag<2, PIPE_FIX>(9);
        CrossCoreWaitFlag<2>(10);
        PipeBarrier<PIPE_ALL>();
        if (GetBlockIdx() < 20) {
            g_super_kernel_dynamic_block_num = 20;
            expert_up(h, experts, up_weight, up, rows);
        }
        CrossCoreSetFlag<2, PIPE_FIX>(9);
        CrossCoreWaitFlag<2>(10);
        PipeBarrier<PIPE_ALL>();
        g_super_kernel_dynamic_block_num = 24;
        expert_down(act, experts, down_weight, down);
        PipeBarrier<PIPE_ALL>();
        if (GetBlockIdx() < 16) {
            g_super_kernel_dynamic_block_num = 16;
            shared_expert(static_cast<int32_t>(GetBlockIdx()), 16, h, shared_weight, shared);
        }
        CrossCoreSetFlag<2, PIPE_FIX>(9);
    }
    if ASCEND_IS_AIV {
        if (GetBlockIdx() < 40) {
            g_super_kernel_dynamic_block_num = 40;
            rms_norm(x, h);
        }
        PipeBarrier<PIPE_ALL>();
        CrossCoreSetFlag<0, PIPE_MTE3>(10);
        CrossCoreWaitFlag<0>(10);
        CrossCoreSetFlag<2, PIPE_MTE3>(10);
        CrossCoreWaitFlag<2>(9);
        if (GetBlockIdx() < 1) {
            g_super_kernel_dynamic_block_num = 1;
            top_k(logits, experts);
        }
        PipeBarrier<PIPE_ALL>();
        flush_data_cache();
        CrossCoreSetFlag<0, PIPE_MTE3>(10);
        CrossCoreWaitFlag<0>(10);
        CrossCoreSetFlag<2, PIPE_MTE3>(10);
        if (GetBlockIdx() < 40) {
            g_super_kernel_dynamic_block_num = 20;
            expert_up(h, experts, up_weight, up, rows);
        }
        CrossCoreWaitFlag<2>(9);
        CrossCoreSetFlag<0, PIPE_MTE3>(10);
        CrossCoreWaitFlag<0>(10);
        PipeBarrier<PIPE_ALL>();
        if (GetBlockIdx() < 40) {
            g_super_kernel_dynamic_block_num = 40;
            activate(up, act);
        } else {
            SyncAll<true>();
        }
        CrossCoreSetFlag<0, PIPE_MTE3>(10);
        CrossCoreWaitFlag<0>(10);
        CrossCoreSetFlag<2, PIPE_MTE3>(10);
        PipeBarrier<PIPE_ALL>();
        if (GetBlockIdx() < 32 && GetBlockIdx() % 2 == 0) {
            g_super_kernel_dynamic_block_num = 16;
            shared_expert(static_cast<int32_t>(GetBlockIdx() / 2), 16, h, shared_weight, shared);
        }
        CrossCoreWaitFlag<2>(9);
        CrossCoreSetFlag<0, PIPE_MTE3>(10);
        CrossCoreWaitFlag<0>(10);
        PipeBarrier<PIPE_ALL>();
        g_super_kernel_dynamic_block_num = 48;
        combine(down, shared, x);
    }
}
