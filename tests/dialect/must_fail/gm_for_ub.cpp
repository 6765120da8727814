// A pointer to UB is passed where one to GM is wanted.
// EXPECT: cannot initialize a variable of type .__gm__ float \*.
#include "kernel_operator.h"

#ifdef SKT_EXPECT_FAIL
#define SPACE __ubuf__
#else
#define SPACE __gm__
#endif

__aicore__ void store(__gm__ float* out);

__aicore__ void kernel(SPACE float* out)
{
    __gm__ float* target = out;
    store(target);
}
