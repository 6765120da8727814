// hand_2.cpp with one barrier too many.
#define __SUPER_KERNEL_DYNAMIC_BLOCK_NUM__
#include "listing_2.hpp"

using namespace AscendC;

extern "C" __global__ __mix__(1, 2) void listing(LISTING_PARAMETERS)
{
    g_super_kernel_early_start_config = 0;
    if ASCEND_IS_AIC {
        CrossCoreWaitFlag<2>(10);
        g_super_kernel_dynamic_block_num = 24;
        matmul(h, w, y);
    }
    if ASCEND_IS_AIV {
        g_super_kernel_dynamic_block_num = 48;
        rms_norm(x, gamma, h);
        CrossCoreSetFlag<0, PIPE_MTE3>(10);
        CrossCoreWaitFlag<0>(10);
        CrossCoreSetFlag<2, PIPE_MTE3>(10);
        PipeBarrier<PIPE_ALL>();
        PipeBarrier<PIPE_ALL>();
        g_super_kernel_dynamic_block_num = 24;
        matmul(h, w, y);
    }
}
