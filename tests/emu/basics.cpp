// The emulator's ground floor: launches, identity of cores, copies, vector and cube work, flags, deadlocks.
#include "kernel_operator.h"

#include <skt/host.hpp>

#include <catch.hpp>

#include <cstdint>
#include <vector>

using namespace AscendC;
namespace emu = skt::emu;

namespace {

void add_kernel(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total)
{
    const auto n = static_cast<uint32_t>(total / GetBlockNum());
    const auto first = static_cast<uint64_t>(GetBlockIdx()) * n;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> qx;
    TQue<TPosition::VECIN, 1> qy;
    TQue<TPosition::VECOUT, 1> qz;
    GlobalTensor<float> gx;
    GlobalTensor<float> gy;
    GlobalTensor<float> gz;
    gx.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x) + first, n);
    gy.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y) + first, n);
    gz.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(z) + first, n);
    pipe.InitBuffer(qx, 1, n * static_cast<uint32_t>(sizeof(float)));
    pipe.InitBuffer(qy, 1, n * static_cast<uint32_t>(sizeof(float)));
    pipe.InitBuffer(qz, 1, n * static_cast<uint32_t>(sizeof(float)));
    LocalTensor<float> lx = qx.AllocTensor<float>();
    LocalTensor<float> ly = qy.AllocTensor<float>();
    DataCopy(lx, gx, n);
    DataCopy(ly, gy, n);
    qx.EnQue(lx);
    qy.EnQue(ly);
    lx = qx.DeQue<float>();
    ly = qy.DeQue<float>();
    LocalTensor<float> lz = qz.AllocTensor<float>();
    Add(lz, lx, ly, static_cast<int32_t>(n));
    qz.EnQue(lz);
    qx.FreeTensor(lx);
    qy.FreeTensor(ly);
    lz = qz.DeQue<float>();
    DataCopy(gz, lz, n);
    qz.FreeTensor(lz);
}

std::vector<float> ramp(std::size_t n, float step)
{
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) {
        v[i] = static_cast<float>(i) * step;
    }
    return v;
}

} // namespace

TEST_CASE("vector add on eight cores gives the sum under every schedule")
{
    emu::device npu;
    const auto hx = ramp(4096, 0.5f);
    const auto hy = ramp(4096, 0.25f);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        auto x = npu.from(hx, "x");
        auto y = npu.from(hy, "y");
        auto z = npu.alloc<float>(4096, "z");
        const auto r = npu.seed(seed).launch(emu::vector_cores(8), add_kernel)(x, y, z, 4096u);
        INFO(r.text());
        REQUIRE(r.ok());
        const auto out = z.get();
        for (std::size_t i = 0; i < out.size(); ++i) {
            REQUIRE(out[i] == hx[i] + hy[i]);
        }
        REQUIRE(r.virtual_ns > 0);
    }
}

TEST_CASE("every core of a launch knows who it is")
{
    struct seen {
        bool aic;
        int64_t block, sub, subs, blocks, ratio;
    };
    emu::device npu;
    std::vector<seen> all;
    const auto note = [&] {
        bool aic = false;
        if ASCEND_IS_AIC {
            aic = true;
        }
        all.push_back({aic, GetBlockIdx(), GetSubBlockIdx(), GetSubBlockNum(), GetBlockNum(), GetTaskRatio()});
    };
    REQUIRE(npu.launch(emu::mix_cores<2>(3), note).ok());
    REQUIRE(all.size() == 9);
    int cube = 0;
    for (const seen& s : all) {
        REQUIRE(s.blocks == 3);
        if (s.aic) {
            ++cube;
            REQUIRE(s.sub == 0);
            REQUIRE(s.ratio == 1);
        } else {
            REQUIRE(s.subs == 2);
            REQUIRE(s.block % 2 == s.sub);
        }
    }
    REQUIRE(cube == 3);

    all.clear();
    REQUIRE(npu.launch(emu::mix_cores<1>(4), note).ok());
    REQUIRE(all.size() == 8);
    all.clear();
    REQUIRE(npu.launch(emu::cube_cores(5), note).ok());
    REQUIRE(all.size() == 5);
    all.clear();
    REQUIRE(npu.launch(emu::vector_cores(48), note).ok());
    REQUIRE(all.size() == 48);
    REQUIRE_THROWS_AS(npu.launch(emu::vector_cores(49), note), std::invalid_argument);
}

TEST_CASE("a super kernel's block count answers GetBlockNum on its own core only")
{
    emu::device npu;
    std::vector<int64_t> seen(8, 0);
    npu.launch(emu::vector_cores(8), [&] {
        if (GetBlockIdx() == 3) {
            g_super_kernel_dynamic_block_num = 5;
        }
        SyncAll();
        seen[static_cast<std::size_t>(GetBlockIdx())] = GetBlockNum();
    });
    for (std::size_t i = 0; i < 8; ++i) {
        REQUIRE(seen[i] == (i == 3 ? 5 : 8));
    }
}

TEST_CASE("SyncAll joins all vector cores, and both sides in its second form")
{
    emu::device npu;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        npu.seed(seed);
        int arrived = 0;
        bool early = false;
        const auto r = npu.launch(emu::vector_cores(20), [&] {
            ++arrived;
            SyncAll();
            early = early || arrived != 20;
        });
        INFO(r.text());
        REQUIRE(r.ok());
        REQUIRE_FALSE(early);
        arrived = 0;
        const auto q = npu.launch(emu::mix_cores<2>(10), [&] {
            ++arrived;
            SyncAll<false>();
            early = early || arrived != 30;
        });
        INFO(q.text());
        REQUIRE(q.ok());
        REQUIRE_FALSE(early);
    }
}

TEST_CASE("SyncAll on 20 of 24 cores is a deadlock report, not a hang")
{
    emu::device npu;
    const auto r = npu.launch(emu::vector_cores(24), [] {
        emu::kernel_begin("partial", 0);
        if (GetBlockIdx() < 20) {
            SyncAll();
        }
        emu::kernel_end();
    });
    INFO(r.text());
    const emu::finding* f = r.find(emu::finding_kind::deadlock);
    REQUIRE(f != nullptr);
    REQUIRE(f->message.find("aiv0-aiv19 wait for flag 14 in partial") != std::string::npos);
    REQUIRE(f->message.find("aiv20-aiv23 never set it") != std::string::npos);
    REQUIRE(f->first.core == "aiv20");
}

TEST_CASE("flags in mode 2 count once both vector cores have set, and reach both")
{
    emu::device npu;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::vector<int> done(4, 0);
        bool early = false;
        const auto r = npu.seed(seed).launch(emu::mix_cores<2>(4), [&] {
            if ASCEND_IS_AIV {
                ++done[static_cast<std::size_t>(GetBlockIdx() / 2)];
                CrossCoreSetFlag<2, PIPE_MTE3>(3);
                CrossCoreWaitFlag(4);
                early = early || done[static_cast<std::size_t>(GetBlockIdx() / 2)] < 10;
            }
            if ASCEND_IS_AIC {
                CrossCoreWaitFlag(3);
                early = early || done[static_cast<std::size_t>(GetBlockIdx())] != 2;
                done[static_cast<std::size_t>(GetBlockIdx())] = 10;
                CrossCoreSetFlag<2, PIPE_FIX>(4);
            }
        });
        INFO(r.text());
        REQUIRE(r.ok());
        REQUIRE_FALSE(early);
    }
}

TEST_CASE("cross-core flags are refused in launches without their scheduler")
{
    emu::device npu;
    const auto r = npu.launch({skt::kernel_type::aiv_only, 2}, [] { CrossCoreSetFlag<0, PIPE_MTE3>(1); });
    REQUIRE(r.has(emu::finding_kind::misuse));
}

namespace {

// C[64, 48] = A[64, 32] * B[32, 48] on one cube core.
void small_matmul(GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
    constexpr uint16_t m = 64;
    constexpr uint16_t k = 32;
    constexpr uint16_t n = 48;
    GlobalTensor<half> ga;
    GlobalTensor<half> gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a));
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c));
    LocalMemAllocator<Hardware::L1> l1;
    const auto a1 = l1.Alloc<TPosition::A1, half>(m * k);
    const auto b1 = l1.Alloc<TPosition::B1, half>(k * n);
    const LocalTensor<half> a2(TPosition::A2, 0, m * k);
    const LocalTensor<half> b2(TPosition::B2, 0, k * n);
    const LocalTensor<float> co(TPosition::CO1, 0, m * n);
    DataCopy(a1, ga, Nd2NzParams(1, m, k, 0, k, m, 1, 0));
    DataCopy(b1, gb, Nd2NzParams(1, k, n, 0, n, k, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    for (uint32_t i = 0; i < m / 16; ++i) {
        LoadData(a2[i * k * 16], a1[i * 256], LoadData2DParams(0, k / 16, m / 16, 0, 0, false, 0));
    }
    for (uint32_t i = 0; i < k / 16; ++i) {
        LoadData(b2[i * n * 16], b1[i * 256], LoadData2DParams(0, n / 16, k / 16, 0, 0, true, 0));
    }
    SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
    WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
    Mmad(co, a2, b2, MmadParams(m, n, k, 0, false, true));
    SetFlag<HardEvent::M_FIX>(EVENT_ID0);
    WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
    Fixpipe(gc, co, FixpipeParamsV220(n, m, m, n, false));
    PipeBarrier<PIPE_ALL>();
}

} // namespace

TEST_CASE("the cube path multiplies")
{
    emu::device npu;
    std::vector<half> a(64 * 32);
    std::vector<half> b(32 * 48);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = half(static_cast<int>(i * 7 % 13) - 6);
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
        b[i] = half(static_cast<int>(i * 5 % 11) - 5);
    }
    auto ga = npu.from(a, "a");
    auto gb = npu.from(b, "b");
    auto gc = npu.alloc<float>(64 * 48, "c");
    const auto r = npu.launch(emu::cube_cores(1), small_matmul, ga, gb, gc);
    INFO(r.text());
    REQUIRE(r.ok());
    const auto c = gc.get();
    for (std::size_t i = 0; i < 64; ++i) {
        for (std::size_t j = 0; j < 48; ++j) {
            float sum = 0;
            for (std::size_t x = 0; x < 32; ++x) {
                sum += float(a[i * 32 + x]) * float(b[x * 48 + j]);
            }
            REQUIRE(c[i * 48 + j] == sum);
        }
    }
}

TEST_CASE("half and bfloat16 round to nearest even")
{
    REQUIRE(half(1.0f).bits() == 0x3c00);
    REQUIRE(half(65504.0f).bits() == 0x7bff);
    REQUIRE(half(65519.0f).bits() == 0x7bff);
    REQUIRE(half(65520.0f).bits() == 0x7c00);
    REQUIRE(half(1.0f + 1.0f / 2048).bits() == 0x3c00); // a tie goes to the even neighbour
    REQUIRE(half(1.0f + 3.0f / 2048).bits() == 0x3c02);
    REQUIRE(half(5.9604645e-8f).bits() == 1); // the smallest subnormal
    REQUIRE(half(2.9802322e-8f).bits() == 0); // half of it: a tie, to even
    REQUIRE(half(2.9802326e-8f).bits() == 1);
    for (unsigned i = 0; i < 0x7c00; ++i) {
        const half h = half::from_bits(static_cast<std::uint16_t>(i));
        REQUIRE(half(float(h)).bits() == i);
        if (i + 1 < 0x7c00) { // exactly between two neighbours: the even one
            const float next = float(half::from_bits(static_cast<std::uint16_t>(i + 1)));
            REQUIRE(half((float(h) + next) / 2).bits() == (i % 2 == 0 ? i : i + 1));
        }
    }
    REQUIRE(bfloat16_t(1.0f).bits() == 0x3f80);
    REQUIRE(bfloat16_t(1.00390625f).bits() == 0x3f80);
    REQUIRE(bfloat16_t(1.01171875f).bits() == 0x3f82);
}

TEST_CASE("out of bounds is reported for GM and for on-chip memory")
{
    emu::device npu;
    auto x = npu.zeros<float>(64, "x");
    auto r = npu.launch(emu::vector_cores(1), [&] {
        GlobalTensor<float> g;
        g.SetGlobalBuffer(x.ptr());
        const LocalTensor<float> t(TPosition::VECCALC, 0, 128);
        DataCopy(t, g, 128);
    });
    REQUIRE(r.has(emu::finding_kind::out_of_bounds));
    REQUIRE(r.findings[0].buffer == "x");
    REQUIRE(r.findings[0].first.line > 0);
    r = npu.launch(emu::vector_cores(1), [&] {
        const LocalTensor<float> t(TPosition::VECCALC, 192 * 1024 - 32, 16);
        Duplicate(t, 1.0f, 16);
    });
    REQUIRE(r.has(emu::finding_kind::out_of_bounds));
    REQUIRE(r.findings[0].buffer == "UB");
    r = npu.launch(emu::vector_cores(1), [&] {
        TPipe pipe;
        TBuf<TPosition::VECCALC> buf;
        pipe.InitBuffer(buf, 200 * 1024);
    });
    REQUIRE(r.has(emu::finding_kind::buffer_overflow));
}

TEST_CASE("what a kernel throws comes out of launch, and the device works on")
{
    emu::device npu;
    REQUIRE_THROWS_AS(npu.launch(emu::vector_cores(4),
                                 [] {
                                     if (GetBlockIdx() == 2) {
                                         throw std::runtime_error("no");
                                     }
                                     SyncAll();
                                 }),
                      std::runtime_error);
    REQUIRE(npu.launch(emu::vector_cores(4), [] { SyncAll(); }).ok());
}

TEST_CASE("a seed replays its schedule exactly")
{
    emu::device npu;
    const auto order = [&](std::uint64_t seed) {
        std::vector<int64_t> v;
        npu.seed(seed).launch(emu::vector_cores(12), [&] {
            for (int i = 0; i < 3; ++i) {
                v.push_back(GetBlockIdx());
                CrossCoreSetFlag<1, PIPE_MTE3>(2);
                CrossCoreWaitFlag(2);
            }
        });
        return v;
    };
    REQUIRE(order(7) == order(7));
    REQUIRE(order(7) != order(8));
}

TEST_CASE("software SyncAll, IBSet and IBWait, turns of blocks")
{
    emu::device npu;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        npu.seed(seed);
        auto work = npu.zeros<std::int32_t>(8 * 8 * 2, "work");
        int arrived = 0;
        bool early = false;
        auto r = npu.launch(emu::vector_cores(8), [&] {
            GlobalTensor<int32_t> g;
            g.SetGlobalBuffer(work.ptr(), 8 * 8);
            const LocalTensor<int32_t> u(TPosition::VECCALC, 0, 64);
            for (int round = 1; round <= 2; ++round) {
                ++arrived;
                SyncAll(g, u);
                early = early || arrived < 8 * round;
            }
        });
        INFO(r.text());
        REQUIRE(r.ok());
        REQUIRE_FALSE(early);

        work.fill(0);
        std::vector<int64_t> turn;
        r = npu.launch(emu::vector_cores(8), [&] {
            GlobalTensor<int32_t> g;
            g.SetGlobalBuffer(work.ptr());
            LocalTensor<int32_t> u(TPosition::VECCALC, 0, 8 * 8 + 8);
            InitDetermineComputeWorkspace(g, u);
            for (int round = 0; round < 2; ++round) {
                WaitPreBlock(g, u);
                turn.push_back(GetBlockIdx());
                NotifyNextBlock(g, u);
            }
        });
        INFO(r.text());
        REQUIRE(r.ok());
        REQUIRE(turn == std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7});
    }
}
