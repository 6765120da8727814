// Device code has no exceptions.
// EXPECT: cannot use 'throw' (with exceptions disabled|in __device__ function)
#include "kernel_operator.h"

__aicore__ void kernel(GM_ADDR out)
{
    if (out == nullptr) {
#ifdef SKT_EXPECT_FAIL
        throw 1;
#else
        AscendC::Trap();
#endif
    }
}
