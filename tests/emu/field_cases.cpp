// Faults met in the field: the faulty kernel gets the finding, with the right culprit, under every one of 200 seeds;
// the mended one runs clean under every one of them.
#include "kernel_operator.h"

#include <skt/host.hpp>

#include <catch.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace AscendC;
namespace emu = skt::emu;

namespace {

constexpr std::uint64_t seeds = 200;

/// One sub-kernel of a fused sequence.
template <class F>
void part(const char* name, int index, F&& body)
{
    emu::kernel_begin(name, index);
    body();
    emu::kernel_end();
}
/// The order between two sub-kernels: all cores of both sides, drained.
void barrier()
{
    PipeBarrier<PIPE_ALL>();
    if (emu::current_machine().shape().type == skt::kernel_type::mix_aiv_1_0) {
        SyncAll();
    } else {
        SyncAll<false>();
    }
}

using round_fn = std::function<emu::run_result(emu::device&)>;

void always_finds(const round_fn& round, emu::finding_kind kind, const std::string& culprit_kernel,
                  const std::string& says = {})
{
    emu::device npu;
    for (std::uint64_t s = 0; s < seeds; ++s) {
        const emu::run_result r = round(npu.seed(s));
        INFO(r.text());
        const emu::finding* f = r.find(kind);
        REQUIRE(f != nullptr);
        REQUIRE(f->first.kernel == culprit_kernel);
        REQUIRE(f->message.find(says) != std::string::npos);
        REQUIRE_FALSE(f->fix.empty());
    }
}
void always_clean(const round_fn& round)
{
    emu::device npu;
    for (std::uint64_t s = 0; s < seeds; ++s) {
        const emu::run_result r = round(npu.seed(s));
        INFO(r.text());
        REQUIRE(r.ok());
    }
}

} // namespace

TEST_CASE("field case 1: a prologue takes the flag that the kernel before it left raised")
{
    const auto round = [](bool mended) {
        return [mended](emu::device& npu) {
            return npu.launch(emu::mix_cores<2>(3), [mended] {
                part("matmul", 0, [&] {
                    if ASCEND_IS_AIC {
                        CrossCoreSetFlag<2, PIPE_FIX>(0);
                        CrossCoreSetFlag<2, PIPE_FIX>(0); // one credit more than is taken
                    } else {
                        CrossCoreWaitFlag(0);
                        if (mended) {
                            CrossCoreWaitFlag(0);
                        }
                    }
                });
                part("attention", 1, [&] {
                    if ASCEND_IS_AIC {
                        CrossCoreSetFlag<2, PIPE_FIX>(0);
                    } else {
                        CrossCoreWaitFlag(0);
                    }
                });
            });
        };
    };
    always_finds(round(false), emu::finding_kind::unbalanced_flags, "matmul", "taken by attention");
    always_clean(round(true));
}

TEST_CASE("field case 2: 22 sets before anybody waits")
{
    const auto round = [](int blocks) {
        return [blocks](emu::device& npu) {
            return npu.launch(emu::mix_cores<2>(blocks), [blocks] {
                part("prologue", 0, [&] {
                    const int tiles = 132 / blocks;
                    for (int i = 0; i < tiles; ++i) {
                        if ASCEND_IS_AIC {
                            CrossCoreSetFlag<2, PIPE_FIX>(3);
                        }
                    }
                    for (int i = 0; i < tiles; ++i) {
                        if ASCEND_IS_AIV {
                            CrossCoreWaitFlag(3);
                        }
                    }
                });
            });
        };
    };
    always_finds(round(6), emu::finding_kind::counter_overflow, "prologue", "flag 3");
    always_clean(round(12));
}

TEST_CASE("field case 3: SyncAll on 20 of 24 cores")
{
    const auto round = [](bool feed) {
        return [feed](emu::device& npu) {
            return npu.launch(emu::vector_cores(24), [feed] {
                if (GetBlockIdx() < 20) {
                    part("norm", 0, [] { SyncAll(); });
                } else if (feed) {
                    part("norm", 0, [] { SyncAll(); });
                }
            });
        };
    };
    always_finds(round(false), emu::finding_kind::deadlock, "", "aiv20-aiv23 never set it");
    always_clean(round(true));
}

TEST_CASE("field case 4: a 1:1 kernel at 1:2, the second vector core never answers")
{
    const auto round = [](bool answer) {
        return [answer](emu::device& npu) {
            return npu.launch(emu::mix_cores<2>(4), [answer] {
                part("matmul_1_1", 0, [&] {
                    if ASCEND_IS_AIC {
                        CrossCoreWaitFlag(5);
                    } else if (GetSubBlockIdx() == 0 || answer) {
                        CrossCoreSetFlag<2, PIPE_MTE3>(5);
                    }
                });
            });
        };
    };
    always_finds(round(false), emu::finding_kind::deadlock, "matmul_1_1", "never set it in mode 2");
    always_clean(round(true));
}

TEST_CASE("field case 5: a write through a reference or a raw pointer stays in the cache")
{
    for (const bool raw : {false, true}) {
        const auto round = [raw](bool flush) {
            return [raw, flush](emu::device& npu) {
                auto x = npu.zeros<float>(16, "x");
                auto y = npu.zeros<float>(16, "y");
                const auto r = npu.launch(emu::vector_cores(2), [&] {
                    GlobalTensor<float> gx;
                    gx.SetGlobalBuffer(x.ptr(), 16);
                    part("writer", 0, [&] {
                        if (GetBlockIdx() == 0) {
                            if (raw) {
                                x.ptr()[0] = 3.0f;
                            } else {
                                gx(0) = 3.0f;
                            }
                            if (flush) {
                                DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(
                                    gx);
                            }
                        }
                    });
                    barrier();
                    part("reader", 1, [&] {
                        if (GetBlockIdx() == 1) {
                            GlobalTensor<float> gy;
                            gy.SetGlobalBuffer(y.ptr(), 16);
                            const LocalTensor<float> t(TPosition::VECCALC, 0, 16);
                            DataCopy(t, gx, 16);
                            SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
                            WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
                            DataCopy(gy, t, 16);
                        }
                    });
                });
                if (flush) {
                    REQUIRE(y.get(0) == 3.0f);
                }
                return r;
            };
        };
        always_finds(round(false), emu::finding_kind::stale_read, "writer", "still in that core's cache");
        always_clean(round(true));
    }
}

TEST_CASE("field case 6: SetNextTaskStart on one branch only, or twice")
{
    const auto round = [](int how) {
        return [how](emu::device& npu) {
            return npu.launch(emu::vector_cores(8), [how] {
                g_super_kernel_early_start_config =
                    emu::early_start::aiv_to_aiv_set | emu::early_start::aiv_to_aiv_wait;
                part("branchy", 0, [&] {
                    if (how != 1 || GetBlockIdx() % 4 != 3) {
                        SetNextTaskStart<PIPE_MTE3, PIPE_FIX, true>();
                    }
                    if (how == 2 && GetBlockIdx() == 5) {
                        SetNextTaskStart<PIPE_MTE3, PIPE_FIX, true>();
                    }
                });
                part("next", 1, [&] { WaitPreTaskEnd<true>(); });
            });
        };
    };
    always_finds(round(1), emu::finding_kind::deadlock, "next", "aiv3, aiv7 never set it");
    always_finds(round(2), emu::finding_kind::unbalanced_flags, "", "aiv5 set flag 14");
    always_clean(round(0));
}

TEST_CASE("field case 7: a second TPipe right after the first, without the drain")
{
    const auto round = [](bool drain) {
        return [drain](emu::device& npu) {
            auto x = npu.zeros<float>(64, "x");
            auto y = npu.zeros<float>(64, "y");
            return npu.launch(emu::vector_cores(1), [&, drain] {
                GlobalTensor<float> gx;
                GlobalTensor<float> gy;
                gx.SetGlobalBuffer(x.ptr(), 64);
                gy.SetGlobalBuffer(y.ptr(), 64);
                const auto pass = [&] {
                    TPipe pipe;
                    TQue<TPosition::VECIN, 1> in;
                    TQue<TPosition::VECOUT, 1> out;
                    pipe.InitBuffer(in, 1, 256);
                    pipe.InitBuffer(out, 1, 256);
                    LocalTensor<float> a = in.AllocTensor<float>();
                    DataCopy(a, gx, 64);
                    in.EnQue(a);
                    a = in.DeQue<float>();
                    LocalTensor<float> b = out.AllocTensor<float>();
                    Adds(b, a, 1.0f, 64);
                    in.FreeTensor(a);
                    out.EnQue(b);
                    b = out.DeQue<float>();
                    DataCopy(gy, b, 64);
                    out.FreeTensor(b);
                };
                part("twice", 0, [&] {
                    pass();
                    if (drain) {
                        PipeBarrier<PIPE_ALL>();
                    }
                    pass();
                });
            });
        };
    };
    always_finds(round(false), emu::finding_kind::pipe_hazard, "twice");
    always_clean(round(true));
}

TEST_CASE("field case 8: two cores write scalars of one cache line")
{
    const auto round = [](std::size_t distance) {
        return [distance](emu::device& npu) {
            auto x = npu.zeros<std::int32_t>(64, "x");
            return npu.launch(emu::vector_cores(2), [&, distance] {
                part("count", 0, [&] {
                    GlobalTensor<int32_t> g;
                    g.SetGlobalBuffer(x.ptr(), 64);
                    const auto mine = static_cast<std::uint64_t>(GetBlockIdx()) * distance;
                    g.SetValue(mine, 7);
                    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(g[mine]);
                });
            });
        };
    };
    always_finds(round(1), emu::finding_kind::false_sharing, "count", "one cache line");
    always_clean(round(16));
}

TEST_CASE("field case 9: software SyncAll with a workspace that is too small or not zeroed")
{
    const auto round = [](std::size_t words, bool zero) {
        return [words, zero](emu::device& npu) {
            auto w = npu.alloc<std::int32_t>(words, "workspace");
            if (zero) {
                w.fill(0);
            }
            return npu.launch(emu::vector_cores(8), [&] {
                part("soft", 0, [&] {
                    GlobalTensor<int32_t> g;
                    g.SetGlobalBuffer(w.ptr());
                    const LocalTensor<int32_t> u(TPosition::VECCALC, 0, 64);
                    SyncAll(g, u);
                });
            });
        };
    };
    always_finds(round(40, true), emu::finding_kind::out_of_bounds, "soft", "workspace");
    always_finds(round(64, false), emu::finding_kind::uninitialised_read, "soft", "nobody has written");
    always_clean(round(64, true));
}

TEST_CASE("field case 10: an early return on cores without work, before a flag")
{
    const auto round = [](bool early) {
        return [early](emu::device& npu) {
            return npu.launch(emu::vector_cores(6), [early] {
                part("tail", 0, [&] {
                    const bool idle = GetBlockIdx() >= 4;
                    if (early && idle) {
                        return;
                    }
                    CrossCoreSetFlag<0, PIPE_MTE3>(2);
                    CrossCoreWaitFlag(2);
                });
            });
        };
    };
    always_finds(round(true), emu::finding_kind::deadlock, "tail", "aiv4-aiv5 never set it");
    always_clean(round(false));
}

TEST_CASE("field case 11: the block count is the sub-kernel's own, fused or not")
{
    constexpr std::uint32_t rows = 100;
    const auto double_rows = [](GM_ADDR in, GM_ADDR out) {
        GlobalTensor<float> gi;
        GlobalTensor<float> go;
        for (auto row = static_cast<std::uint64_t>(GetBlockIdx()); row < rows;
             row += static_cast<std::uint64_t>(GetBlockNum())) {
            gi.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in) + row * 8, 8);
            go.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out) + row * 8, 8);
            const LocalTensor<float> t(TPosition::VECCALC, 0, 8);
            DataCopy(t, gi, 8);
            SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
            Muls(t, t, 2.0f, 8);
            SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
            WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
            DataCopy(go, t, 8);
            SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
            WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        }
    };
    std::vector<float> data(rows * 8);
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<float>(i);
    }
    emu::device npu;
    auto x = npu.from(data, "x");
    auto alone = npu.zeros<float>(data.size(), "alone");
    REQUIRE(npu.launch(emu::vector_cores(20), double_rows, x, alone).ok());
    always_clean([&](emu::device& d) {
        auto in = d.from(data, "x");
        auto fused = d.zeros<float>(data.size(), "fused");
        const auto r = d.launch(emu::vector_cores(24), [&] {
            if (GetBlockIdx() < 20) {
                g_super_kernel_dynamic_block_num = 20;
                part("rows", 0, [&] { double_rows(in, fused); });
            }
        });
        REQUIRE(fused.get() == alone.get());
        return r;
    });
}

TEST_CASE("field case 12: a scalar read of a local tensor right after a vector instruction")
{
    const auto round = [](bool flag) {
        return [flag](emu::device& npu) {
            return npu.launch(emu::vector_cores(1), [flag] {
                part("reduce", 0, [&] {
                    const LocalTensor<float> t(TPosition::VECCALC, 0, 8);
                    Duplicate(t, 2.0f, 8);
                    if (flag) {
                        SetFlag<HardEvent::V_S>(EVENT_ID0);
                        WaitFlag<HardEvent::V_S>(EVENT_ID0);
                    }
                    t.GetValue(0);
                });
            });
        };
    };
    always_finds(round(false), emu::finding_kind::pipe_hazard, "reduce", "S of aiv0 reads UB");
    always_clean(round(true));
}

TEST_CASE("field case 13: a counter left at one is taken by the next kernel; the culprit is named, not the victim")
{
    const auto round = [](bool balanced) {
        return [balanced](emu::device& npu) {
            return npu.launch(emu::mix_cores<2>(2), [balanced] {
                part("leaver", 0, [&] {
                    if ASCEND_IS_AIV {
                        CrossCoreSetFlag<2, PIPE_MTE3>(6);
                    } else if (balanced) {
                        CrossCoreWaitFlag(6);
                    }
                });
                barrier();
                part("victim", 1, [&] {
                    if ASCEND_IS_AIV {
                        CrossCoreSetFlag<2, PIPE_MTE3>(6);
                    } else {
                        CrossCoreWaitFlag(6);
                    }
                });
            });
        };
    };
    always_finds(round(false), emu::finding_kind::unbalanced_flags, "leaver", "left the counter above zero");
    always_clean(round(true));
}
