// Two sub-kernels: a vector kernel, then a 1:2 kernel that reads what it wrote.
#pragma once

#include "kernel_operator.h"

__aicore__ void rms_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR h);
__aicore__ void matmul(GM_ADDR h, GM_ADDR w, GM_ADDR y);

#define LISTING_PARAMETERS GM_ADDR x, GM_ADDR gamma, GM_ADDR h, GM_ADDR w, GM_ADDR y
#define LISTING_ARGUMENTS x, gamma, h, w, y
