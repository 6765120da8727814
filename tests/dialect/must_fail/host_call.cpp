// A kernel calls a function that was not marked for the device.
// EXPECT: no matching function for call
// EXPECT: call to __host__ function from __device__ function
#include "kernel_operator.h"

#ifdef SKT_EXPECT_FAIL
int64_t rows_per_block(int64_t rows)
{
    return rows / 20;
}
#else
__aicore__ int64_t rows_per_block(int64_t rows)
{
    return rows / 20;
}
#endif

__aicore__ void kernel(GM_ADDR out)
{
    AscendC::GlobalTensor<int64_t> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t*>(out));
    tensor.SetValue(0, rows_per_block(1024));
}
