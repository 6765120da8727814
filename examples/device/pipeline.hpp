/// @file
/// Three vector sub-kernels fused into one launch: the kernel source of the device example. It includes nothing but the
/// kit and the device API, so it compiles for the device, in the dialect check and on the emulator.
#pragma once

#include <skt/skt.hpp>

#include <cstdint>

namespace pipeline {

inline constexpr std::uint32_t rows = 960;
inline constexpr std::uint32_t columns = 256;

/// Copies rows in, applies `Step` to a row in UB, copies it out; a core takes every GetBlockNum()-th row.
template <class Step>
__aicore__ inline void by_row(GM_ADDR in, GM_ADDR out, const Step& step)
{
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_queue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_queue;
    pipe.InitBuffer(in_queue, 2, columns * static_cast<std::uint32_t>(sizeof(float)));
    pipe.InitBuffer(out_queue, 2, columns * static_cast<std::uint32_t>(sizeof(float)));
    AscendC::GlobalTensor<float> source;
    AscendC::GlobalTensor<float> target;
    source.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in), std::uint64_t{rows} * columns);
    target.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), std::uint64_t{rows} * columns);
    for (std::int64_t row = AscendC::GetBlockIdx(); row < rows; row += AscendC::GetBlockNum()) {
        const std::uint64_t first = static_cast<std::uint64_t>(row) * columns;
        AscendC::LocalTensor<float> x = in_queue.AllocTensor<float>();
        AscendC::DataCopy(x, source[first], columns);
        in_queue.EnQue(x);
        x = in_queue.DeQue<float>();
        AscendC::LocalTensor<float> y = out_queue.AllocTensor<float>();
        step(y, x);
        out_queue.EnQue(y);
        in_queue.FreeTensor(x);
        y = out_queue.DeQue<float>();
        AscendC::DataCopy(target[first], y, columns);
        out_queue.FreeTensor(y);
    }
}

struct scale_step {
    float factor;
    __aicore__ inline void operator()(const AscendC::LocalTensor<float>& y, const AscendC::LocalTensor<float>& x) const
    {
        AscendC::Muls(y, x, factor, static_cast<std::int32_t>(columns));
    }
};
struct square_step {
    __aicore__ inline void operator()(const AscendC::LocalTensor<float>& y, const AscendC::LocalTensor<float>& x) const
    {
        AscendC::Mul(y, x, x, static_cast<std::int32_t>(columns));
    }
};
struct clamp_step {
    __aicore__ inline void operator()(const AscendC::LocalTensor<float>& y, const AscendC::LocalTensor<float>& x) const
    {
        AscendC::Mins(y, x, 4.0f, static_cast<std::int32_t>(columns));
    }
};

__aicore__ inline void scale(GM_ADDR in, GM_ADDR out, float factor)
{
    by_row(in, out, scale_step{factor});
}
__aicore__ inline void square(GM_ADDR in, GM_ADDR out)
{
    by_row(in, out, square_step{});
}
__aicore__ inline void clamp(GM_ADDR in, GM_ADDR out)
{
    by_row(in, out, clamp_step{});
}

// Buffers by name. The first result stays in the workspace.
struct x;
struct factor;
struct squared;
struct y;
using scaled = skt::temp<struct scaled_, std::int64_t{rows} * columns * 4>;

/// Block i of 40 touches every 40th row: two kernels that share this cut depend block by block.
struct every_40th_row {
    static constexpr bool line_aligned = true;
};

using scale_kernel = skt::kernel<skt::fn<&scale>, skt::aiv<40>, skt::in<x>,
                                 skt::out<scaled, skt::sliced<every_40th_row>>, skt::scalar<factor, float>>;
using square_kernel =
    skt::kernel<skt::fn<&square>, skt::aiv<40>, skt::in<scaled, skt::sliced<every_40th_row>>, skt::out<squared>>;
using clamp_kernel = skt::kernel<skt::fn<&clamp>, skt::aiv<32>, skt::in<squared>, skt::out<y>>;

/// scale and square need no barrier between them; square and clamp do, because 32 cores cut the rows in another way.
using fused = skt::SuperKernel<scale_kernel, square_kernel, clamp_kernel>;

static_assert(fused::launch == skt::launch_shape{skt::kernel_type::mix_aiv_1_0, 40});
static_assert(skt::barrier_total(fused::counts) == 1);

} // namespace pipeline

/// The entry. The ratio and the batch mode are checked against the plan.
SKT_ENTRY(pipeline::fused, mix_0_1, batch)
pipeline_fused(GM_ADDR x, float factor, GM_ADDR squared, GM_ADDR y, GM_ADDR workspace)
{
    pipeline::fused::run(x, factor, squared, y, workspace);
}
