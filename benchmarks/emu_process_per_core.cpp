// The emulator against one process per core, the way the vendor's CPU mode runs kernels: a launch forks a process for
// each of the 72 cores, GM is shared, cores meet at a barrier between processes. Both run the same kernel source
// through the same kernel_operator.h, twelve kernels with a meeting of all cores after each; the processes without any
// check. `tiles`: tiles of 4 KiB that each vector core adds to and scales in each kernel; 0 leaves the launch and the
// meetings alone.
#include "kernel_operator.h"

#include <skt/emu/device.hpp>

#include <benchmark/benchmark.h>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace {

constexpr int ai_cores = 24;
constexpr int vector_cores = 48;
constexpr int kernels = 12;
constexpr int most_tiles = 4;
constexpr int tile = 1024; // elements

/// The work of vector block `block`; `meet` joins all cores. Cube cores have nothing but the meeting.
template <class Meet>
void fused(float* x, float* y, bool vector, std::int64_t block, int tiles, Meet meet)
{
    using namespace AscendC;
    for (int k = 0; k < kernels; ++k) {
        if (vector && tiles > 0) {
            GlobalTensor<float> gx;
            GlobalTensor<float> gy;
            gx.SetGlobalBuffer(x + block * most_tiles * tile);
            gy.SetGlobalBuffer(y + block * most_tiles * tile);
            TPipe pipe;
            TQue<TPosition::VECIN, 2> in;
            TQue<TPosition::VECOUT, 2> out;
            pipe.InitBuffer(in, 2, tile * sizeof(float));
            pipe.InitBuffer(out, 2, tile * sizeof(float));
            for (int t = 0; t < tiles; ++t) {
                const auto first = static_cast<std::uint64_t>(t) * tile;
                LocalTensor<float> a = in.AllocTensor<float>();
                DataCopy(a, gx[first], tile);
                in.EnQue(a);
                a = in.DeQue<float>();
                LocalTensor<float> b = out.AllocTensor<float>();
                Adds(b, a, 1.0f, tile);
                Muls(b, b, 0.5f, tile);
                in.FreeTensor(a);
                out.EnQue(b);
                b = out.DeQue<float>();
                DataCopy(gy[first], b, tile);
                out.FreeTensor(b);
            }
        }
        meet();
    }
}

void report(benchmark::State& state, int who, const char* memory)
{
    state.counters["kernels/s"] = benchmark::Counter(kernels, benchmark::Counter::kIsIterationInvariantRate);
    rusage u{};
    getrusage(who, &u);
    state.counters[memory] = static_cast<double>(u.ru_maxrss) / 1024;
}

void emulator(benchmark::State& state)
{
    const auto tiles = static_cast<int>(state.range(0));
    skt::emu::device_options o;
    o.checks = state.range(1) != 0;
    skt::emu::device npu(o);
    auto x = npu.zeros<float>(vector_cores * most_tiles * tile, "x");
    auto y = npu.zeros<float>(vector_cores * most_tiles * tile, "y");
    for (auto _ : state) {
        const auto r = npu.launch(skt::emu::mix_cores<2>(ai_cores), [&] {
            const bool vector = !skt::emu::current_core().is_aic();
            fused(x.ptr(), y.ptr(), vector, AscendC::GetBlockIdx(), tiles, [] { AscendC::SyncAll<false>(); });
        });
        if (!r.ok()) {
            state.SkipWithError(r.text().c_str());
        }
    }
    report(state, RUSAGE_SELF, "MiB");
}

void process_per_core(benchmark::State& state)
{
    const auto tiles = static_cast<int>(state.range(0));
    const int cores = ai_cores + vector_cores;
    skt::emu::device_options o;
    o.checks = false;
    o.shared_gm = true;
    skt::emu::device npu(o);
    auto x = npu.zeros<float>(vector_cores * most_tiles * tile, "x");
    auto y = npu.zeros<float>(vector_cores * most_tiles * tile, "y");
    void* p = mmap(nullptr, sizeof(pthread_barrier_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto* all = static_cast<pthread_barrier_t*>(p);
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(all, &attributes, static_cast<unsigned>(cores));
    for (auto _ : state) {
        std::vector<pid_t> children;
        for (int c = 0; c < cores; ++c) {
            const pid_t child = fork();
            if (child == 0) {
                const bool vector = c < vector_cores;
                npu.launch(vector ? skt::emu::vector_cores(1) : skt::emu::cube_cores(1), [&] {
                    fused(x.ptr(), y.ptr(), vector, c, tiles, [&] {
                        AscendC::PipeBarrier<PIPE_ALL>();
                        pthread_barrier_wait(all);
                    });
                });
                _exit(0);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) {
            waitpid(child, nullptr, 0);
        }
    }
    pthread_barrier_destroy(all);
    munmap(p, sizeof(pthread_barrier_t));
    report(state, RUSAGE_CHILDREN, "MiB per core");
}

} // namespace

BENCHMARK(process_per_core)->Arg(0)->Arg(1)->Arg(4)->ArgName("tiles")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(emulator)
    ->ArgsProduct({{0, 1, 4}, {0, 1}})
    ->ArgNames({"tiles", "checks"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

BENCHMARK_MAIN();
