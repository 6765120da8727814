// Every shape of kernel body, every way of passing a parameter, run on the emulator.
#include <skt/skt.hpp>

#include <skt/host.hpp>

#include <catch.hpp>

#include <cstdint>
#include <vector>

namespace emu = skt::emu;

namespace {

struct a;
struct b;
struct c;
struct n;
struct shape;
using middle = skt::temp<struct middle_, 4096>;

/// Adds `by` to this core's share of int32 numbers.
void add_range(GM_ADDR from, GM_ADDR to, int total, int by, int core, int cores)
{
    const int share = total / cores;
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
    AscendC::GlobalTensor<int32_t> source;
    AscendC::GlobalTensor<int32_t> target;
    source.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(from) + core * share);
    target.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(to) + core * share);
    const auto bytes = static_cast<uint32_t>(share) * static_cast<uint32_t>(sizeof(int32_t));
    pipe.InitBuffer(in, 1, bytes);
    pipe.InitBuffer(out, 1, bytes);
    AscendC::LocalTensor<int32_t> x = in.AllocTensor<int32_t>();
    AscendC::DataCopy(x, source, static_cast<uint32_t>(share));
    in.EnQue(x);
    x = in.DeQue<int32_t>();
    AscendC::LocalTensor<int32_t> y = out.AllocTensor<int32_t>();
    AscendC::Adds(y, x, by, share);
    out.EnQue(y);
    in.FreeTensor(x);
    y = out.DeQue<int32_t>();
    AscendC::DataCopy(target, y, static_cast<uint32_t>(share));
    out.FreeTensor(y);
}

void by_function(GM_ADDR from, GM_ADDR to, int total)
{
    add_range(from, to, total, 1, static_cast<int>(AscendC::GetBlockIdx()), static_cast<int>(AscendC::GetBlockNum()));
}

class by_class {
public:
    void Init(GM_ADDR from, GM_ADDR to, int total)
    {
        from_ = from;
        to_ = to;
        total_ = total;
    }
    void Process()
    {
        add_range(from_, to_, total_, 10, static_cast<int>(AscendC::GetBlockIdx()),
                  static_cast<int>(AscendC::GetBlockNum()));
    }

private:
    GM_ADDR from_ = nullptr;
    GM_ADDR to_ = nullptr;
    int total_ = 0;
};

struct by_task {
    template <class Task>
    static void run(const Task& task, GM_ADDR from, GM_ADDR to, int total)
    {
        add_range(from, to, total, 100, task.block_idx(), task.block_num());
    }
};

struct by_functor {
    struct Params {
        GM_ADDR from;
        GM_ADDR to;
        int total;
    };
    void operator()(const Params& p) const
    {
        add_range(p.from, p.to, p.total, 1000, static_cast<int>(AscendC::GetBlockIdx()),
                  static_cast<int>(AscendC::GetBlockNum()));
    }
};

struct numbers {
    int total;
    int by;
};
void by_tiling(GM_ADDR from, GM_ADDR to, numbers t, int extra)
{
    add_range(from, to, t.total, t.by + extra, static_cast<int>(AscendC::GetBlockIdx()),
              static_cast<int>(AscendC::GetBlockNum()));
}

/// The author's own type with nested members.
struct own_type {
    using cores = skt::aiv<8>;
    using params = skt::params<skt::in<a>, skt::out<b>, skt::scalar<n, int>>;
    template <class Task>
    static void run(const Task& task, GM_ADDR from, GM_ADDR to, int total)
    {
        add_range(from, to, total, 7, task.block_idx(), task.block_num());
    }
};

/// Writes what the task view answers.
struct halved {
    template <class Task>
    static void run(const Task& task, GM_ADDR to)
    {
        if ASCEND_IS_AIV {
            AscendC::GlobalTensor<int32_t> out;
            out.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(to));
            AscendC::TPipe pipe;
            AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
            pipe.InitBuffer(buffer, 32);
            AscendC::LocalTensor<int32_t> v = buffer.Get<int32_t>();
            AscendC::Duplicate(v, task.block_idx() * 100 + task.block_num() * 10 + task.ratio(), 8);
            AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
            AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
            AscendC::DataCopy(out[static_cast<uint64_t>(task.block_idx()) * 8], v, 8);
        }
    }
};

/// A type that cannot be changed, described from outside.
struct third_party {};

template <class Fused>
std::vector<int32_t> run_on(int total, int expected_by)
{
    emu::device npu;
    std::vector<int32_t> host(static_cast<std::size_t>(total));
    for (int i = 0; i < total; ++i) {
        host[static_cast<std::size_t>(i)] = i;
    }
    auto from = npu.from(host, "a");
    auto to = npu.zeros<int32_t>(host.size(), "b");
    const auto r = npu.launch(Fused::launch, [&] { Fused::run(from.addr(), to.addr(), total); });
    INFO(r.text());
    CHECK(r.ok());
    const auto out = to.get();
    for (int i = 0; i < total; ++i) {
        REQUIRE(out[static_cast<std::size_t>(i)] == i + expected_by);
    }
    return out;
}

} // namespace

template <>
struct skt::kernel_traits<third_party> {
    using description = skt::kernel<skt::fn<&by_function>, skt::aiv<4>, skt::in<a>, skt::out<b>, skt::scalar<n, int>>;
};

TEST_CASE("a function, a class, a task function and a functor run the same way")
{
    using in = skt::in<a>;
    using out = skt::out<b>;
    using total = skt::scalar<n, int>;
    run_on<skt::SuperKernel<skt::kernel<skt::fn<&by_function>, skt::aiv<8>, in, out, total>>>(512, 1);
    run_on<skt::SuperKernel<skt::kernel<skt::init_process<by_class>, skt::aiv<8>, in, out, total>>>(512, 10);
    run_on<skt::SuperKernel<skt::kernel<skt::task_fn<by_task>, skt::aiv<8>, in, out, total>>>(512, 100);
    run_on<skt::SuperKernel<skt::kernel<skt::functor<by_functor>, skt::aiv<8>, in, out, total>>>(512, 1000);
    run_on<skt::SuperKernel<own_type>>(512, 7);
    run_on<skt::SuperKernel<third_party>>(512, 1);
}

TEST_CASE("tiling by value, constants and temp buffers reach the bodies")
{
    using first = skt::kernel<skt::fn<&by_tiling>, skt::aiv<8>, skt::in<a>, skt::out<middle>,
                              skt::tiling<shape, numbers>, skt::constant<5>>;
    using second = skt::kernel<skt::fn<&by_function>, skt::aiv<4>, skt::in<middle>, skt::out<b>, skt::scalar<n, int>>;
    using fused = skt::SuperKernel<first, second>;
    STATIC_REQUIRE(fused::argument_count == 5); // a, tiling, b, n, workspace
    STATIC_REQUIRE(fused::workspace_bytes >= 4096);

    emu::device npu;
    std::vector<int32_t> host(512, 3);
    auto from = npu.from(host, "a");
    auto to = npu.zeros<int32_t>(host.size(), "b");
    auto workspace = npu.alloc<uint8_t>(static_cast<std::size_t>(fused::workspace_bytes), "workspace");
    const auto r = npu.launch(fused::launch, [&] {
        fused::run(from.addr(), numbers{512, 20}, to.addr(), 512, workspace.addr());
    });
    INFO(r.text());
    CHECK(r.ok());
    for (const int32_t v : to.get()) {
        REQUIRE(v == 3 + 20 + 5 + 1);
    }
}

TEST_CASE("a kernel that divides by GetBlockNum does the same alone on 20 cores and among 24")
{
    using all = skt::kernel<skt::fn<&by_function>, skt::aiv<24>, skt::in<a>, skt::out<c>, skt::scalar<n, int>>;
    using some = skt::kernel<skt::fn<&by_function>, skt::aiv<20>, skt::in<a>, skt::out<b>, skt::scalar<n, int>>;
    using fused = skt::SuperKernel<all, some>;
    STATIC_REQUIRE(fused::launch.blocks == 24);

    constexpr int total = 960;
    const auto alone = run_on<skt::SuperKernel<some>>(total, 1);

    emu::device npu;
    std::vector<int32_t> host(static_cast<std::size_t>(total));
    for (int i = 0; i < total; ++i) {
        host[static_cast<std::size_t>(i)] = i;
    }
    auto from = npu.from(host, "a");
    auto other = npu.zeros<int32_t>(host.size(), "c");
    auto to = npu.zeros<int32_t>(host.size(), "b");
    const auto r = npu.launch(fused::launch, [&] { fused::run(from.addr(), other.addr(), total, to.addr()); });
    INFO(r.text());
    CHECK(r.ok());
    CHECK(to.get() == alone);
}

TEST_CASE("a 1:1 kernel in a 1:2 launch sees its own blocks on vector core 0 of each AI core")
{
    using wide = skt::kernel<skt::fn<&by_function>, skt::aiv<8>, skt::in<a>, skt::out<c>, skt::scalar<n, int>>;
    using pair =
        skt::kernel<skt::task_fn<halved>, skt::mix<1, 1, 4>, skt::out<b>, skt::ratio<skt::ratio_policy::aiv0_only>>;
    using fused = skt::SuperKernel<wide, pair>;
    STATIC_REQUIRE(fused::launch == skt::launch_shape{skt::kernel_type::mix_aic_1_2, 4});

    emu::device npu;
    auto from = npu.from(std::vector<int32_t>(64, 1), "a");
    auto other = npu.zeros<int32_t>(64, "c");
    auto to = npu.zeros<int32_t>(64, "b");
    const auto r = npu.launch(fused::launch, [&] { fused::run(from.addr(), other.addr(), 64, to.addr()); });
    INFO(r.text());
    CHECK(r.ok());
    const auto out = to.get();
    for (int block = 0; block < 4; ++block) {
        CHECK(out[static_cast<std::size_t>(block) * 8] == block * 100 + 4 * 10 + 1);
    }
    CHECK(out[32] == 0);
}
