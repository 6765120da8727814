// Two kernels, one launch: an RMS norm on vector cores feeds a linear layer on cube cores.
//
// Read from top to bottom: the kernels as an Ascend C author writes them, what they do to memory as types, the super
// kernel, and a host program that runs it on the emulator. Up to the host program this is a device source: it needs
// nothing but <skt/skt.hpp>, which brings kernel_operator.h along.
#include <skt/skt.hpp>

// ---- 1. The kernels ----

constexpr uint32_t rows = 32;
constexpr uint32_t depth = 128;  // columns of x
constexpr uint32_t width = 64;   // columns of y
constexpr int norm_blocks = 16;  // vector cores of the norm
constexpr int linear_blocks = 4; // cube cores of the linear layer

// The second pipe of `Event` starts what it is given from now on only after what the first was given so far.
template <AscendC::HardEvent Event>
__aicore__ inline void order(AscendC::TPipe& pipe)
{
    const auto id = static_cast<int32_t>(pipe.FetchEventID(Event));
    AscendC::SetFlag<Event>(id);
    AscendC::WaitFlag<Event>(id);
}

// h = x / sqrt(mean(x²)) row by row; each block takes an equal share of the rows.
__aicore__ inline void norm(GM_ADDR x, GM_ADDR h)
{
    using namespace AscendC;
    GlobalTensor<half> from;
    GlobalTensor<half> to;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x));
    to.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(h));
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    TBuf<TPosition::VECCALC> work;
    pipe.InitBuffer(in, 2, depth * sizeof(half));
    pipe.InitBuffer(out, 2, depth * sizeof(half));
    pipe.InitBuffer(work, (2 * depth + 8) * sizeof(float));
    const LocalTensor<float> v = work.Get<float>(depth);
    const LocalTensor<float> square = work.GetWithOffset<float>(depth, depth * sizeof(float));
    const LocalTensor<float> root = work.GetWithOffset<float>(8, 2 * depth * sizeof(float));

    // GetBlockNum is this kernel's own 16, also when the launch around it is wider.
    const auto share = rows / static_cast<uint32_t>(GetBlockNum());
    const auto first = static_cast<uint32_t>(GetBlockIdx()) * share;
    for (uint32_t row = first; row < first + share; ++row) {
        LocalTensor<half> a = in.AllocTensor<half>();
        DataCopy(a, from[row * depth], depth);
        in.EnQue(a);
        a = in.DeQue<half>();
        Cast(v, a, RoundMode::CAST_NONE, depth);
        in.FreeTensor(a);
        PipeBarrier<PIPE_V>();
        Mul(square, v, v, static_cast<int32_t>(depth));
        PipeBarrier<PIPE_V>();
        order<HardEvent::S_V>(pipe); // the root of the row before has been read
        ReduceSum(root, square, square, static_cast<int32_t>(depth));
        PipeBarrier<PIPE_V>();
        Muls(root, root, 1.0f / static_cast<float>(depth), 1);
        PipeBarrier<PIPE_V>();
        Sqrt(root, root, 1);
        order<HardEvent::V_S>(pipe); // the scalar unit reads what the vector unit wrote
        Muls(v, v, 1.0f / root.GetValue(0), static_cast<int32_t>(depth));
        PipeBarrier<PIPE_V>();
        LocalTensor<half> b = out.AllocTensor<half>();
        Cast(b, v, RoundMode::CAST_RINT, depth);
        out.EnQue(b);
        b = out.DeQue<half>();
        DataCopy(to[row * depth], b, depth);
        out.FreeTensor(b);
    }
}

// y = h · wᵀ, with one row of w per column of y; each block takes an equal share of the columns.
__aicore__ inline void linear(GM_ADDR h, GM_ADDR w, GM_ADDR y)
{
    using namespace AscendC;
    constexpr uint32_t columns = width / linear_blocks;
    const auto first = static_cast<uint32_t>(GetBlockIdx()) * columns;
    GlobalTensor<half> left;
    GlobalTensor<half> right;
    GlobalTensor<float> to;
    left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(h));
    right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(w) + first * depth);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y) + first);
    TPipe pipe;
    TQue<TPosition::A1, 1> a1_queue;
    TQue<TPosition::B1, 1> b1_queue;
    TQue<TPosition::A2, 1> a2_queue;
    TQue<TPosition::B2, 1> b2_queue;
    TQue<TPosition::CO1, 1> c_queue;
    pipe.InitBuffer(a1_queue, 1, rows * depth * sizeof(half));
    pipe.InitBuffer(b1_queue, 1, columns * depth * sizeof(half));
    pipe.InitBuffer(a2_queue, 1, rows * depth * sizeof(half));
    pipe.InitBuffer(b2_queue, 1, columns * depth * sizeof(half));
    pipe.InitBuffer(c_queue, 1, rows * columns * sizeof(float));

    // GM to L1, in the cube unit's blocks of 16 rows by 32 bytes.
    LocalTensor<half> a1 = a1_queue.AllocTensor<half>();
    LocalTensor<half> b1 = b1_queue.AllocTensor<half>();
    DataCopy(a1, left, Nd2NzParams(1, rows, depth, 0, depth, rows, 1, 0));
    DataCopy(b1, right, Nd2NzParams(1, columns, depth, 0, depth, columns, 1, 0));
    a1_queue.EnQue(a1);
    b1_queue.EnQue(b1);
    a1 = a1_queue.DeQue<half>();
    b1 = b1_queue.DeQue<half>();

    // L1 to L0A and L0B.
    LocalTensor<half> a2 = a2_queue.AllocTensor<half>();
    LocalTensor<half> b2 = b2_queue.AllocTensor<half>();
    LoadData2DParams p;
    p.repeatTimes = depth / 16;
    p.srcStride = rows / 16;
    for (uint32_t i = 0; i < rows / 16; ++i) {
        LoadData(a2[i * 16 * depth], a1[i * 256], p);
    }
    p.repeatTimes = depth / 16 * (columns / 16);
    p.srcStride = 1;
    LoadData(b2, b1, p);
    a1_queue.FreeTensor(a1);
    b1_queue.FreeTensor(b1);
    a2_queue.EnQue(a2);
    b2_queue.EnQue(b2);
    a2 = a2_queue.DeQue<half>();
    b2 = b2_queue.DeQue<half>();

    // The product, and its way to GM.
    LocalTensor<float> c = c_queue.AllocTensor<float>();
    MmadParams m;
    m.m = rows;
    m.n = columns;
    m.k = depth;
    Mmad(c, a2, b2, m);
    a2_queue.FreeTensor(a2);
    b2_queue.FreeTensor(b2);
    c_queue.EnQue(c);
    c = c_queue.DeQue<float>();
    Fixpipe(to, c, FixpipeParamsV220(columns, rows, rows, width, false));
    c_queue.FreeTensor(c);
}

// ---- 2. What they do to memory, as types ----

struct x; // GM buffers by name; the types stay empty
struct h;
struct w;
struct y;

using Norm = skt::kernel<skt::fn<&norm>, skt::aiv<norm_blocks>, skt::in<x>, skt::out<h>>;
using Linear = skt::kernel<skt::fn<&linear>, skt::aic<linear_blocks>, skt::in<h>, skt::in<w>, skt::out<y>>;

// ---- 3. The super kernel ----

// Planned and proved while this file compiles: Linear reads what Norm writes, so the plan orders the two.
using Layer = skt::SuperKernel<Norm, Linear>;

// 16 vector cores and 4 cube cores: eight AI cores with two vector cores each.
static_assert(Layer::launch == skt::launch_shape{skt::kernel_type::mix_aic_1_2, 8});

// The entry names the planned cores, and "batch": its blocks start together, since some wait for all others.
SKT_ENTRY(Layer, mix_1_2, batch)
layer(GM_ADDR x, GM_ADDR h, GM_ADDR w, GM_ADDR y)
{
    Layer::run(x, h, w, y); // each buffer once, in order of first appearance
}

// ---- 4. A host program, on the emulator ----

#include <skt/host.hpp>
#include <skt/report/explain.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main()
{
    std::puts(skt::report::explain<Layer>(skt::report::style_for(stdout)).c_str());

    std::vector<half> host_x(rows * depth);
    std::vector<half> host_w(width * depth);
    for (std::size_t i = 0; i < host_x.size(); ++i) {
        host_x[i] = half(static_cast<float>(i * 37 % 101) / 50.0f - 1.0f);
    }
    for (std::size_t i = 0; i < host_w.size(); ++i) {
        host_w[i] = half(static_cast<float>(i * 53 % 89) / 44.0f - 1.0f);
    }

    skt::emu::device npu;
    const auto gm_x = npu.from(host_x, "x");
    const auto gm_w = npu.from(host_w, "w");
    const auto h_fused = npu.alloc<half>(rows * depth, "h");
    const auto h_unfused = npu.alloc<half>(rows * depth, "h");
    const auto y_fused = npu.alloc<float>(rows * width, "y");
    const auto y_unfused = npu.alloc<float>(rows * width, "y");

    // On a device: layer<<<8, nullptr, stream>>>(x, h, w, y);
    const auto fused = npu.launch(Layer::launch, layer)(gm_x, h_fused, gm_w, y_fused);
    // The same kernels, one launch each.
    const skt::launch_shape norm_shape{skt::kernel_type::aiv_only, norm_blocks};
    const skt::launch_shape linear_shape{skt::kernel_type::aic_only, linear_blocks};
    const auto first = npu.launch(norm_shape, norm)(gm_x, h_unfused);
    const auto second = npu.launch(linear_shape, linear)(h_unfused, gm_w, y_unfused);

    std::printf("y[0][0..3] = %g %g %g %g\n", static_cast<double>(y_fused.get(0)), static_cast<double>(y_fused.get(1)),
                static_cast<double>(y_fused.get(2)), static_cast<double>(y_fused.get(3)));
    const bool clean = fused.ok() && first.ok() && second.ok();
    if (clean) {
        std::puts("the emulator has no findings");
    } else {
        std::printf("THE EMULATOR HAS FINDINGS\n%s%s%s", fused.text().c_str(), first.text().c_str(),
                    second.text().c_str());
    }
    const bool equal = y_fused.get() == y_unfused.get();
    std::puts(equal ? "fused equals unfused" : "FUSED DIFFERS FROM UNFUSED");
    return clean && equal ? 0 : 1;
}
