// Each check by itself: the smallest kernel that breaks a rule, and its neighbour that does not.
#include "kernel_operator.h"

#include <skt/host.hpp>

#include <catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace AscendC;
namespace emu = skt::emu;
using kind = emu::finding_kind;

namespace {

GlobalTensor<float> global(const emu::gm_buffer<float>& b, std::uint64_t first = 0)
{
    GlobalTensor<float> g;
    g.SetGlobalBuffer(b.ptr() + first);
    return g;
}
LocalTensor<float> local(std::uint32_t addr, std::uint32_t n = 16)
{
    return {TPosition::VECCALC, addr, n};
}
template <class T>
void flush(const GlobalTensor<T>& g)
{
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(g);
}
template <HardEvent e>
void order()
{
    SetFlag<e>(EVENT_ID0);
    WaitFlag<e>(EVENT_ID0);
}

} // namespace

TEST_CASE("a race between two cores names both places, the buffer and the bytes")
{
    emu::device npu;
    for (const bool barrier : {false, true}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            auto x = npu.zeros<float>(64, "x");
            const auto r = npu.seed(seed).launch(emu::vector_cores(2), [&] {
                if (GetBlockIdx() == 0) {
                    Duplicate(local(0), 1.0f, 16);
                    order<HardEvent::V_MTE3>();
                    DataCopy(global(x, 8), local(0), 16);
                }
                if (barrier) {
                    SyncAll();
                }
                if (GetBlockIdx() == 1) {
                    DataCopy(local(0), global(x), 16);
                }
            });
            INFO(r.text());
            REQUIRE(r.ok() == barrier);
            if (!barrier) {
                const emu::finding* f = r.find(kind::data_race);
                REQUIRE(f != nullptr);
                REQUIRE(f->buffer == "x");
                REQUIRE(f->offset == 32); // the overlap begins at element 8
                REQUIRE(f->bytes == 32);
                REQUIRE(f->first.line != f->second.line);
                REQUIRE(f->first.file.find("checks.cpp") != std::string::npos);
                REQUIRE(r.json().find("\"data_race\"") != std::string::npos);
            }
        }
    }
}

TEST_CASE("a flag carries only what its own pipe has done")
{
    emu::device npu;
    for (const bool drain : {false, true}) {
        auto x = npu.zeros<float>(16, "x");
        const auto r = npu.launch(emu::vector_cores(2), [&] {
            if (GetBlockIdx() == 0) {
                DataCopy(local(0), global(x), 16); // on MTE2
                if (drain) {
                    PipeBarrier<PIPE_ALL>();
                }
            }
            CrossCoreSetFlag<0, PIPE_MTE3>(1);
            CrossCoreWaitFlag(1);
            if (GetBlockIdx() == 1) {
                Duplicate(local(0), 1.0f, 16);
                order<HardEvent::V_MTE3>();
                DataCopy(global(x), local(0), 16);
            }
        });
        INFO(r.text());
        REQUIRE(r.has(kind::data_race) == !drain);
    }
}

TEST_CASE("interleaved blocks do not clash, overlapping ones do")
{
    emu::device npu;
    auto x = npu.zeros<float>(64, "x");
    for (const std::uint32_t shift : {0u, 8u}) {
        const auto r = npu.launch(emu::vector_cores(1), [&] {
            // MTE2 fills blocks 0, 2, 4, 6 of UB while V works on 1, 3, 5, 7 (or on the same ones).
            DataCopy(local(0), global(x), DataCopyParams(4, 1, 0, 1));
            Duplicate(LocalTensor<float>(TPosition::VECCALC, shift * 4, 64), 1.0f, 8, 4, 1, 2);
        });
        INFO(r.text());
        REQUIRE(r.has(kind::pipe_hazard) == (shift == 0));
    }
}

TEST_CASE("a cached line hides what another core writes later")
{
    emu::device npu;
    for (const bool flushed : {false, true}) {
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            auto x = npu.zeros<float>(16, "x");
            float seen = -1;
            const auto r = npu.seed(seed).launch(emu::vector_cores(2), [&] {
                if (GetBlockIdx() == 1) {
                    global(x).GetValue(0);
                }
                SyncAll();
                if (GetBlockIdx() == 0) {
                    Duplicate(local(0), 5.0f, 16);
                    order<HardEvent::V_MTE3>();
                    DataCopy(global(x), local(0), 16);
                }
                SyncAll();
                if (GetBlockIdx() == 1) {
                    if (flushed) {
                        flush(global(x));
                    }
                    seen = global(x).GetValue(1);
                }
            });
            INFO(r.text());
            REQUIRE(r.has(kind::stale_read) == !flushed);
            if (flushed) {
                REQUIRE(seen == 5.0f);
            } else if (seed % 3 != 2) { // the lines stay: the number is old
                REQUIRE(seen == 0.0f);
            }
        }
    }
}

TEST_CASE("a dirty line overwrites a copy into the same line")
{
    emu::device npu;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto x = npu.zeros<float>(16, "x");
        const auto r = npu.seed(seed).launch(emu::vector_cores(2), [&] {
            if (GetBlockIdx() == 0) {
                global(x).SetValue(0, 1.0f);
            } else {
                Duplicate(local(0), 2.0f, 8);
                order<HardEvent::V_MTE3>();
                DataCopy(global(x, 8), local(0), 8);
            }
        });
        INFO(r.text());
        REQUIRE(r.has(kind::lost_write));
    }
}

TEST_CASE("bytes that nobody wrote: in GM, on chip, under an addition; a tail that is only carried along is no fault")
{
    emu::device npu;
    auto fresh = npu.alloc<float>(16, "fresh");
    auto y = npu.alloc<float>(16, "y");
    auto r = npu.launch(emu::vector_cores(1), [&] { DataCopy(local(0), global(fresh), 16); });
    REQUIRE(r.has(kind::uninitialised_read));
    r = npu.launch(emu::vector_cores(1), [&] { Adds(local(0), local(64), 1.0f, 16); });
    REQUIRE(r.has(kind::uninitialised_read));
    r = npu.launch(emu::vector_cores(1), [&] {
        Duplicate(local(0), 1.0f, 16);
        order<HardEvent::V_MTE3>();
        SetAtomicAdd<float>();
        DataCopy(global(fresh), local(0), 16);
        SetAtomicNone();
    });
    REQUIRE(r.has(kind::uninitialised_read));
    auto x = npu.from(std::vector<float>(5, 3.0f), "x");
    r = npu.launch(emu::vector_cores(1), [&] {
        DataCopyPad(local(0), global(x), DataCopyExtParams(1, 20, 0, 0, 0), DataCopyPadExtParams<float>());
        order<HardEvent::MTE2_V>();
        Adds(local(0), local(0), 1.0f, 8); // three lanes of it are garbage
        order<HardEvent::V_MTE3>();
        DataCopyPad(global(y), local(0), DataCopyExtParams(1, 20, 0, 0, 0));
    });
    INFO(r.text());
    REQUIRE(r.ok());
    REQUIRE(y.get(4) == 4.0f);
    r = npu.launch(emu::vector_cores(1), [&] { // what an earlier sub-kernel left in UB is no input
        emu::kernel_begin("first", 0);
        Duplicate(local(0), 1.0f, 16);
        emu::kernel_end();
        PipeBarrier<PIPE_ALL>();
        emu::kernel_begin("second", 1);
        Adds(local(64), local(0), 1.0f, 16);
        emu::kernel_end();
    });
    REQUIRE(r.has(kind::uninitialised_read));
    REQUIRE(r.find(kind::uninitialised_read)->first.kernel == "second");
}

TEST_CASE("a kernel that does not do what it declares")
{
    emu::device npu;
    auto x = npu.zeros<float>(64, "x");
    auto y = npu.zeros<float>(64, "y");
    const auto run = [&](emu::declared_effect e, auto body) {
        return npu.launch(emu::vector_cores(2), [&] {
            emu::kernel_begin("k", 0);
            emu::kernel_declares(&e, 1);
            body();
            emu::kernel_end();
        });
    };
    const auto read_x = [&] { DataCopy(local(0), global(x), 16); };
    const auto own_slice = [&] { DataCopy(local(0), global(x, static_cast<std::uint64_t>(GetBlockIdx()) * 32), 32); };
    emu::declared_effect e;
    e.name = "X";
    e.base = x.ptr();
    e.what = emu::declared_access::in;
    e.how = emu::declared_dma;
    REQUIRE(run(e, read_x).ok());
    e.what = emu::declared_access::out;
    REQUIRE(run(e, read_x).has(kind::undeclared_access));
    e.what = emu::declared_access::in;
    e.how = emu::declared_scalar;
    REQUIRE(run(e, read_x).has(kind::undeclared_access));
    e.how = emu::declared_dma;
    e.on_aiv = false;
    REQUIRE(run(e, read_x).has(kind::undeclared_access));
    e.on_aiv = true;
    e.slice_bytes = 128;
    REQUIRE(run(e, own_slice).ok());
    REQUIRE(run(e, read_x).has(kind::undeclared_access)); // block 1 reads the slice of block 0
    e.slice_bytes = 0;
    e.base = y.ptr();
    const auto r = run(e, read_x);
    const emu::finding* f = r.find(kind::undeclared_access);
    REQUIRE(f != nullptr);
    REQUIRE(f->message.find("none of its declared arguments") != std::string::npos);
    REQUIRE(f->buffer == "x");
}

TEST_CASE("raw pointers go through the cache: own stores are seen, other cores' only after a flush, and the host reads "
          "the end")
{
    emu::device npu;
    auto x = npu.zeros<float>(32, "x");
    float own = 0;
    const auto r = npu.launch(emu::vector_cores(1), [&] {
        x.ptr()[3] = 7.0f;
        own = global(x).GetValue(3);
        global(x).SetValue(20, 9.0f);
        own += x.ptr()[20];
    });
    INFO(r.text());
    REQUIRE(r.ok());
    REQUIRE(own == 16.0f);
    REQUIRE(x.get(3) == 7.0f);
    REQUIRE(x.get(20) == 9.0f);
    x.ptr()[0] = 2.5f; // the host, between launches
    REQUIRE(x.get(0) == 2.5f);
    REQUIRE(x.ptr()[3] == 7.0f);
}

TEST_CASE("events between pipes must balance")
{
    emu::device npu;
    REQUIRE(npu.launch(emu::vector_cores(1), [] { SetFlag<HardEvent::V_MTE3>(0); }).has(kind::unbalanced_flags));
    REQUIRE(npu.launch(emu::vector_cores(1), [] { WaitFlag<HardEvent::V_MTE3>(0); }).has(kind::deadlock));
    REQUIRE(npu.launch(emu::vector_cores(1),
                       [] {
                           SetFlag<HardEvent::V_MTE3>(0);
                           SetFlag<HardEvent::V_MTE3>(0);
                           WaitFlag<HardEvent::V_MTE3>(0);
                       })
                .has(kind::unbalanced_flags));
}

TEST_CASE("an endless loop ends at the step limit, an endless poll before it")
{
    emu::device_options o;
    o.step_limit = 10'000;
    emu::device npu(o);
    REQUIRE(npu.launch(emu::vector_cores(2),
                       [] {
                           for (;;) {
                               Duplicate(local(0), 1.0f, 16);
                           }
                       })
                .has(kind::step_limit));
    emu::device patient;
    auto flag = patient.zeros<std::int32_t>(16, "flag");
    const auto r = patient.launch(emu::vector_cores(2), [&] {
        GlobalTensor<int32_t> g;
        g.SetGlobalBuffer(flag.ptr());
        while (g.GetValue(0) == 0) {
        }
    });
    REQUIRE(r.has(kind::deadlock));
    REQUIRE(r.steps < 100'000);
}

TEST_CASE("virtual time overlaps what nothing orders, and follows the cost table")
{
    emu::device_options o;
    o.trace = true;
    o.cost.launch = 0;
    o.cost.start_skew = 0;
    emu::device npu(o);
    auto x = npu.zeros<float>(8192, "x");
    const auto run = [&](bool overlap) {
        return npu
            .launch(emu::vector_cores(1),
                    [&] {
                        for (std::uint32_t i = 0; i < 4; ++i) {
                            DataCopy(local(i * 8192, 2048), global(x, i * 2048), 2048);
                            if (!overlap) {
                                order<HardEvent::MTE2_V>();
                            }
                            Duplicate(local(65536 + i * 8192, 2048), 1.0f, 2048);
                            if (!overlap) {
                                order<HardEvent::V_MTE2>();
                            }
                        }
                    })
            .virtual_ns;
    };
    const double apart = run(false);
    const double together = run(true);
    REQUIRE(together < apart);
    npu.options().cost.gm_rate /= 2;
    REQUIRE(run(true) > together);
    const auto r = npu.launch(emu::vector_cores(1), [&] { DataCopy(local(0), global(x), 16); });
    REQUIRE(r.trace_json().find("\"MTE2\"") != std::string::npos);
}
