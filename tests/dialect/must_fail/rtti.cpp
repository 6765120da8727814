// Device code has no RTTI.
// EXPECT: use of typeid requires -frtti
#include "kernel_operator.h"

#include <typeinfo>

__aicore__ bool same(GM_ADDR out)
{
#ifdef SKT_EXPECT_FAIL
    return typeid(out).hash_code() == 0;
#else
    return out == nullptr;
#endif
}
