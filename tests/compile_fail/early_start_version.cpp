// The build asks for another version of early start.
// EXPECT: \[skt early-start-version\] remove __ASCENDC_SUPERKERNEL_EARLY_START_V1 and _V2
// __ASCENDC_SUPERKERNEL_EARLY_START_V1 or _V2
#ifdef SKT_EXPECT_FAIL
#define __ASCENDC_SUPERKERNEL_EARLY_START_V2
#endif

#include <skt/skt.hpp>
