// The build fixes one block count for all sub-kernels.
// EXPECT: \[skt static-block-num\] remove __SUPER_KERNEL_STATIC_BLOCK_NUM__
#ifdef SKT_EXPECT_FAIL
#define __SUPER_KERNEL_STATIC_BLOCK_NUM__ 20
#endif

#include <skt/skt.hpp>
