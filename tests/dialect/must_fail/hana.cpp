// Hana at work in device code: its functions are host functions.
// EXPECT: no matching function for call
// EXPECT: call to __host__ function from __device__ function
#include "kernel_operator.h"

#include <boost/hana/core/is_a.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/plus.hpp>

__aicore__ void kernel(GM_ADDR out)
{
#ifdef SKT_EXPECT_FAIL
    out[boost::hana::plus(1, 2)] = 1;
#else
    out[decltype(boost::hana::int_c<3>)::value] = 1;
#endif
}
