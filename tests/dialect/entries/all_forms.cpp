// Every form of body, parameter and step that device code can have, in one super kernel of each kind of launch.
#include <skt/device/sided_functor.hpp>
#include <skt/device/sk_bind.hpp>
#include <skt/skt.hpp>

namespace tag {
struct x;
struct y;
struct z;
struct index;
struct sum;
struct scratch;
struct tile_data;
struct shape;
struct count;
struct blocks;
} // namespace tag

struct tiling_data {
    std::uint32_t rows;
    std::uint32_t columns;
    std::uint64_t stride;
};

// ---- bodies --------------------------------------------------------------------------------------------------------

/// A plain function: a copy through UB, scalar access to GM and a SyncAll.
__aicore__ inline void copy_rows(GM_ADDR x, GM_ADDR index, GM_ADDR y, tiling_data shape)
{
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::QuePosition::VECIN, 1> in;
    AscendC::GlobalTensor<half> source;
    AscendC::GlobalTensor<half> target;
    AscendC::GlobalTensor<int32_t> rows;
    pipe.InitBuffer(in, 2, shape.columns * sizeof(half));
    source.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x));
    target.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(y));
    rows.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(index));
    for (int64_t i = AscendC::GetBlockIdx(); i < shape.rows; i += AscendC::GetBlockNum()) {
        AscendC::LocalTensor<half> row = in.AllocTensor<half>();
        AscendC::DataCopy(row, source[static_cast<uint64_t>(rows.GetValue(static_cast<uint64_t>(i))) * shape.stride],
                          shape.columns);
        in.EnQue(row);
        row = in.DeQue<half>();
        AscendC::DataCopy(target[static_cast<uint64_t>(i) * shape.stride], row, shape.columns);
        in.FreeTensor(row);
    }
    AscendC::SyncAll<true>();
}

/// A class with Init and Process, two TPipe objects with a drain between, and tiling behind a GM address.
class two_pipes {
public:
    __aicore__ inline void Init(GM_ADDR tiling, GM_ADDR y, GM_ADDR scratch)
    {
        tiling_ = reinterpret_cast<__gm__ tiling_data*>(tiling);
        y_ = y;
        scratch_ = scratch;
    }
    __aicore__ inline void Process()
    {
        stage(y_);
        AscendC::PipeBarrier<PIPE_ALL>();
        stage(scratch_);
    }

private:
    __aicore__ inline void stage(GM_ADDR out)
    {
        AscendC::TPipe pipe;
        AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
        pipe.InitBuffer(buffer, 256);
        AscendC::LocalTensor<float> values = buffer.Get<float>();
        AscendC::Duplicate(values, 1.0f, 64);
        AscendC::GlobalTensor<float> target;
        target.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out));
        AscendC::DataCopy(target, values, tiling_->columns);
    }
    __gm__ tiling_data* tiling_;
    GM_ADDR y_;
    GM_ADDR scratch_;
};

/// Params by value and an operator() for both sides.
class by_params {
public:
    struct Params {
        GM_ADDR y;
        GM_ADDR z;
        std::uint32_t count;
    };
    __aicore__ inline void operator()(const Params& params)
    {
        if ASCEND_IS_AIV {
            AscendC::GlobalTensor<uint32_t> target;
            target.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t*>(params.z));
            target.SetValue(0, params.count);
        }
        AscendC::SetNextTaskStart();
    }
};

/// An operator() per side, as Catlass has it.
class by_side {
public:
    struct Params {
        GM_ADDR z;
        GM_ADDR sum;
    };
    template <std::int32_t CoreType>
    __aicore__ inline void operator()(const Params& params)
    {
        AscendC::WaitPreTaskEnd();
        AscendC::GlobalTensor<float> target;
        target.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(params.sum));
        if constexpr (CoreType == AscendC::AIC) {
            AscendC::LocalTensor<float> result;
            AscendC::Fixpipe<float, float>(target, result, AscendC::FixpipeParamsV220());
            AscendC::CrossCoreSetFlag<2, PIPE_FIX>(3);
        } else {
            AscendC::CrossCoreWaitFlag<2>(3);
        }
    }
};

/// The view of its own blocks, for a 1:1 kernel in a 1:2 launch.
struct halves {
    __aicore__ static inline void run(const skt::task_view& task, GM_ADDR sum, std::uint32_t count)
    {
        AscendC::GlobalTensor<float> target;
        target.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(sum));
        if ASCEND_IS_AIV {
            AscendC::CrossCoreSetFlag<2, PIPE_MTE3>(4);
            target.SetValue(static_cast<uint64_t>(task.block_idx()), static_cast<float>(count));
        }
        if ASCEND_IS_AIC {
            AscendC::CrossCoreWaitFlag<2>(4);
        }
    }
};

__aicore__ inline void unknown(GM_ADDR sum);
__aicore__ inline int blocks_wanted(GM_ADDR sum, GM_ADDR blocks)
{
    (void)sum;
    return static_cast<int>(*reinterpret_cast<__gm__ int32_t*>(blocks));
}
__aicore__ inline void dynamic(GM_ADDR sum, GM_ADDR blocks)
{
    (void)sum;
    (void)blocks;
}
__aicore__ inline void unknown(GM_ADDR sum)
{
    (void)sum;
}

// ---- sub-kernels ---------------------------------------------------------------------------------------------------

using scratch = skt::temp<tag::scratch, 4096>;

using copied = skt::kernel<skt::fn<&copy_rows>, skt::aiv<40>, skt::in<tag::x>,
                           skt::in<tag::index, skt::via_scalar, skt::scalar_lines<2>>, skt::out<tag::y>,
                           skt::tiling<tag::shape, tiling_data>, skt::sync_all<1>, skt::idle<skt::idle_policy::feed>>;
using piped = skt::kernel<skt::init_process<two_pipes>, skt::mix_aiv<48>, skt::tiling_gm<tag::tile_data>,
                          skt::out<tag::y>, skt::out<scratch>, skt::pipes<2, skt::drained>>;
using signalling = skt::kernel<skt::functor<by_params>, skt::mix<1, 2, 24>, skt::in<tag::y>,
                               skt::out<tag::z, skt::via_scalar, skt::on_aiv>, skt::scalar<tag::count, std::uint32_t>,
                               skt::signals_next>;
using sided = skt::kernel<skt::sided_functor<by_side>, skt::mix<1, 2, 24>, skt::in<tag::z>, skt::accumulate<tag::sum>,
                          skt::cross_core<3, 2, skt::side::aic>, skt::awaits_previous>;
using halved = skt::kernel<skt::task_fn<halves>, skt::mix<1, 1, 16>, skt::inout<tag::sum, skt::via_both>,
                           skt::constant<std::uint32_t{7}>, skt::cross_core<4, 2, skt::side::aiv>,
                           skt::ratio<skt::ratio_policy::aiv0_only>>;
using anything = skt::kernel<skt::fn<&unknown>, skt::aiv<1>, skt::opaque<tag::sum>>;

using everything = skt::SuperKernel<copied, piped, signalling, sided, halved,
                                    anything>::with<skt::preload<skt::preload_policy::per_kernel>>;
using debugged = everything::with<skt::sync_after_each, skt::flush_after_each>;
using sunk = skt::SuperKernel<skt::kernel<skt::fn<&dynamic>, skt::aiv<40>, skt::inout<tag::sum>,
                                          skt::in<tag::blocks, skt::via_scalar>, skt::blocks_from<&blocks_wanted>>,
                              anything>;

// ---- entries -------------------------------------------------------------------------------------------------------

SKT_ENTRY(everything, mix_1_2, batch)
all_forms(GM_ADDR x, GM_ADDR index, GM_ADDR y, tiling_data shape, GM_ADDR tile_data, GM_ADDR z, std::uint32_t count,
          GM_ADDR sum, GM_ADDR workspace)
{
    everything::run(x, index, y, shape, tile_data, z, count, sum, workspace);
}

SKT_ENTRY(debugged, mix_1_2, batch)
all_forms_debugged(GM_ADDR x, GM_ADDR index, GM_ADDR y, tiling_data shape, GM_ADDR tile_data, GM_ADDR z,
                   std::uint32_t count, GM_ADDR sum, GM_ADDR workspace)
{
    debugged::run(x, index, y, shape, tile_data, z, count, sum, workspace);
}

SKT_ENTRY(sunk, mix_0_1, batch) tiling_sink(GM_ADDR sum, GM_ADDR blocks)
{
    sunk::run(sum, blocks);
}

// The same sub-kernels by themselves, and bound for the vendor's fusion.
extern "C" __global__ __vector__ void copied_alone(GM_ADDR x, GM_ADDR index, GM_ADDR y, tiling_data shape)
{
    skt::device::launched_alone<copied>();
    copy_rows(x, index, y, shape);
}
SKT_SK_BIND(copied, copied_alone, copied_sk, vector);

extern "C" __global__ __mix__(1, 2) void signalling_alone(GM_ADDR y, GM_ADDR z, std::uint32_t count)
{
    skt::device::launched_alone<signalling>();
    by_params body;
    body({y, z, count});
}
SKT_SK_BIND(signalling, signalling_alone, signalling_sk, mix_1_2);
