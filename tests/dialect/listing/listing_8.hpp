// Eight sub-kernels of all six types, as a decoder layer has them.
#pragma once

#include "kernel_operator.h"

__aicore__ void rms_norm(GM_ADDR x, GM_ADDR h);
__aicore__ void router(GM_ADDR h, GM_ADDR router_weight, GM_ADDR logits);
__aicore__ void top_k(GM_ADDR logits, GM_ADDR experts);
__aicore__ void expert_up(GM_ADDR h, GM_ADDR experts, GM_ADDR up_weight, GM_ADDR up, uint32_t rows);
__aicore__ void activate(GM_ADDR up, GM_ADDR act);
__aicore__ void expert_down(GM_ADDR act, GM_ADDR experts, GM_ADDR down_weight, GM_ADDR down);
__aicore__ void shared_expert(int32_t block, int32_t blocks, GM_ADDR h, GM_ADDR shared_weight, GM_ADDR shared);
__aicore__ void combine(GM_ADDR down, GM_ADDR shared, GM_ADDR x);

#define LISTING_PARAMETERS                                                                                             \
    GM_ADDR x, GM_ADDR h, GM_ADDR router_weight, GM_ADDR logits, GM_ADDR experts, GM_ADDR up_weight, GM_ADDR up,       \
        uint32_t rows, GM_ADDR act, GM_ADDR down_weight, GM_ADDR down, GM_ADDR shared_weight, GM_ADDR shared
#define LISTING_ARGUMENTS                                                                                              \
    x, h, router_weight, logits, experts, up_weight, up, rows, act, down_weight, down, shared_weight, shared
