// Sixty-four sub-kernels of changing types and block counts on a ring of eight buffers.
#pragma once

#include "kernel_operator.h"

template <int I>
__aicore__ void stage(GM_ADDR in, GM_ADDR out);

#define LISTING_PARAMETERS                                                                                             \
    GM_ADDR b0, GM_ADDR b1, GM_ADDR b2, GM_ADDR b3, GM_ADDR b4, GM_ADDR b5, GM_ADDR b6, GM_ADDR b7
#define LISTING_ARGUMENTS b0, b1, b2, b3, b4, b5, b6, b7
