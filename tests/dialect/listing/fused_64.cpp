#include "chain_64.hpp"

extern "C" __global__ __mix__(1, 2) __schedmode__(1) void listing(LISTING_PARAMETERS)
{
    fused::run(LISTING_ARGUMENTS);
}
