// kernel_operator.h before skt: the macros that a super kernel needs come too late.
// EXPECT: \[skt include-order\] include skt/skt.hpp before kernel_operator.h
#ifdef SKT_EXPECT_FAIL
#include "kernel_operator.h"
#endif

#include <skt/skt.hpp>
