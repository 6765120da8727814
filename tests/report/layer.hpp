/// @file
/// The super kernel that the report tests look at: five sub-kernels with one of everything that reports explain.
#pragma once

#include <skt/super_kernel.hpp>

namespace layer {

struct x;
struct gamma;
struct h;
struct w;
struct w2;
struct y;
struct z;
struct offsets;
struct rows;
using side_sum = skt::temp<struct side_sum_, 4096>;

inline void rms_norm(unsigned char*, unsigned char*, unsigned char*) {}
inline void quantise(unsigned char*, unsigned char*) {}
inline void side_product(unsigned char*, unsigned char*, unsigned char*) {}
struct matmul {
    static void run(const skt::task_view&, unsigned char*, unsigned char*, unsigned char*) {}
};
struct combine {
    void Init(unsigned char*, unsigned char*, unsigned char*, unsigned char*) {}
    void Process() {}
};

/// Writes h row by row.
using norm = skt::kernel<skt::fn<&rms_norm>, skt::aiv<48>, skt::in<x>, skt::in<gamma>, skt::out<h, skt::sliced<rows>>>;
/// Works on the same rows: no barrier; writes offsets by the scalar unit.
using quant = skt::kernel<skt::fn<&quantise>, skt::aiv<48>, skt::inout<h, skt::sliced<rows>>,
                          skt::out<offsets, skt::via_scalar, skt::scalar_lines<1>>>;
/// Reads h on the cube side: a barrier among all vector cores and across.
using linear = skt::kernel<skt::task_fn<matmul>, skt::mix<1, 2, 24>, skt::in<h, skt::on_aic>, skt::in<w>,
                           skt::out<y, skt::on_aic>>;
/// Touches nothing of the others: no barrier.
using side = skt::kernel<skt::fn<&side_product>, skt::aic<8>, skt::in<x>, skt::in<w2>, skt::out<side_sum>>;
/// Needs both cube kernels: one pair of barriers for two hazards.
using join = skt::kernel<skt::init_process<combine>, skt::aiv<20>, skt::in<y>, skt::in<side_sum>,
                         skt::in<offsets, skt::via_scalar, skt::scalar_lines<1>>, skt::out<z>>;

using super = skt::SuperKernel<norm, quant, linear, side, join>;

} // namespace layer
