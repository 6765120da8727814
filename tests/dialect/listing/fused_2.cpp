#include <skt/skt.hpp>

#include "listing_2.hpp"

struct x;
struct gamma;
struct h;
struct w;
struct y;

using norm = skt::kernel<skt::fn<&rms_norm>, skt::aiv<48>, skt::in<x>, skt::in<gamma>, skt::out<h>>;
using linear = skt::kernel<skt::fn<&matmul>, skt::mix<1, 2, 24>, skt::in<h>, skt::in<w>, skt::out<y>>;
using fused = skt::SuperKernel<norm, linear>;

extern "C" __global__ __mix__(1, 2) void listing(LISTING_PARAMETERS)
{
    fused::run(LISTING_ARGUMENTS);
}
