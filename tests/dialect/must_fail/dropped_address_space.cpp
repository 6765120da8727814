// A GM pointer loses its address space.
// EXPECT: cannot initialize a variable of type .uint8_t \*.*address_space\(1\)
#include "kernel_operator.h"

__aicore__ void kernel(GM_ADDR out)
{
#ifdef SKT_EXPECT_FAIL
    uint8_t* bytes = out;
#else
    __gm__ uint8_t* bytes = out;
#endif
    bytes[0] = 1;
}
