// A kernel calls an unmarked constexpr function at run time; at class scope the same call is fine.
// EXPECT: no matching function for call
// EXPECT: call to __host__ function from __device__ function
#include "kernel_operator.h"

constexpr int64_t rows_per_block(int64_t rows)
{
    return rows / 20;
}

struct shape {
    static constexpr int64_t rows = rows_per_block(1024);
};

__aicore__ void kernel(GM_ADDR out)
{
    AscendC::GlobalTensor<int64_t> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t*>(out));
#ifdef SKT_EXPECT_FAIL
    tensor.SetValue(0, rows_per_block(AscendC::GetBlockNum()));
#else
    tensor.SetValue(0, shape::rows);
#endif
}
