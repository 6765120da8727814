// The vendor's own route from the same description, entries, and kernels written one specialisation per side.
#include <skt/device/sided_functor.hpp>
#include <skt/device/sk_bind.hpp>
#include <skt/skt.hpp>

#include <skt/host.hpp>

#include <catch.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace emu = skt::emu;

namespace {

struct x;
struct y;
struct z;
struct length;
struct flag;
struct shape;
struct blocks;

struct tiling_data {
    std::uint16_t rows;
    std::uint16_t columns;
    std::uint64_t stride;
};

void body(GM_ADDR, GM_ADDR) {}
int block_count(GM_ADDR, GM_ADDR)
{
    return 1;
}

template <class Cores, class... Items>
using kernel = skt::kernel<skt::fn<&body>, Cores, Items...>;

// What an author would write for the vendor's fusion.
struct small_last {
    GM_ADDR x;
    GM_ADDR y;
    std::uint32_t length;
    alignas(4) std::int16_t flag;
};
struct small_first {
    alignas(4) std::uint8_t flag;
    alignas(4) std::uint16_t length;
    GM_ADDR x;
    tiling_data shape;
};

template <class K>
constexpr int offset(int i)
{
    return skt::device::sk_args<K>::arguments::layout.offset[i];
}
template <class T>
constexpr int at(T offset)
{
    return static_cast<int>(offset);
}

using last = kernel<skt::aiv<8>, skt::in<x>, skt::out<y>, skt::scalar<length, std::uint32_t>, skt::constant<3>,
                    skt::scalar<flag, std::int16_t>>;
static_assert(offset<last>(0) == at(offsetof(small_last, x)));
static_assert(offset<last>(1) == at(offsetof(small_last, y)));
static_assert(offset<last>(2) == at(offsetof(small_last, length)));
static_assert(offset<last>(3) == at(offsetof(small_last, flag)));
static_assert(sizeof(skt::device::sk_args<last>) == sizeof(small_last));
static_assert(alignof(skt::device::sk_args<last>) == alignof(small_last));

using first = kernel<skt::aiv<8>, skt::scalar<flag, std::uint8_t>, skt::scalar<length, std::uint16_t>, skt::inout<x>,
                     skt::tiling<shape, tiling_data>>;
static_assert(offset<first>(0) == at(offsetof(small_first, flag)));
static_assert(offset<first>(1) == at(offsetof(small_first, length)));
static_assert(offset<first>(2) == at(offsetof(small_first, x)));
static_assert(offset<first>(3) == at(offsetof(small_first, shape)));
static_assert(sizeof(skt::device::sk_args<first>) == sizeof(small_first));
// A tag that appears twice is one member.
static_assert(sizeof(skt::device::sk_args<kernel<skt::aiv<1>, skt::in<x>, skt::out<y>, skt::in<x>>>) == 16);
static_assert(std::is_same_v<skt::device::sk_args<last>::arguments::function,
                             void(GM_ADDR, GM_ADDR, std::uint32_t, std::int16_t)>);

// Cap bits: 1 waits early, 2 signals early, 4 no flush around, 8 no batch-mode check.
constexpr std::uint64_t waits = 1;
constexpr std::uint64_t signals = 2;
constexpr std::uint64_t no_flush = 4;
constexpr std::uint64_t no_batch = 8;
template <class... Items>
constexpr std::uint64_t caps = skt::device::sk_caps<kernel<skt::aiv<8>, Items...>>;
static_assert(caps<skt::in<x>, skt::out<y>> == (no_flush | no_batch));
static_assert(caps<skt::in<x, skt::via_scalar>, skt::out<y>> == no_batch);
static_assert(caps<skt::tiling_gm<shape>, skt::out<y>> == no_batch);
static_assert(caps<> == no_batch); // nothing declared: flush around
static_assert(caps<skt::in<x>, skt::cache<skt::cache_policy::around>> == no_batch);
static_assert(caps<skt::in<x, skt::via_scalar>, skt::cache<skt::cache_policy::none>> == (no_flush | no_batch));
static_assert(caps<skt::in<x>, skt::sync_all<1>> == no_flush);
static_assert(caps<skt::in<x>, skt::cross_core<3, 0>> == no_flush);
static_assert(caps<skt::in<x>, skt::cross_core<3, 2>> == (no_flush | no_batch));
static_assert(caps<skt::in<x>, skt::signals_next> == (signals | no_flush | no_batch));
static_assert(caps<skt::in<x>, skt::signals_next, skt::awaits_previous> == (waits | signals | no_flush | no_batch));
static_assert(caps<skt::in<x>, skt::in<blocks, skt::via_dma>, skt::blocks_from<&block_count>> == no_batch);

// An entry needs batch mode exactly where some synchronisation joins all cores.
template <class... Ks>
constexpr bool joins = skt::device::joins_all_cores<skt::SuperKernel<Ks...>>();
static_assert(!joins<kernel<skt::aiv<8>, skt::in<x>, skt::out<y>>>);
static_assert(joins<kernel<skt::aiv<8>, skt::in<x>, skt::out<y>>, kernel<skt::aiv<8>, skt::in<y>, skt::out<z>>>);
static_assert(joins<kernel<skt::aiv<8>, skt::in<x>, skt::sync_all<1>>>);
static_assert(joins<kernel<skt::aiv<8>, skt::in<x>, skt::cross_core<3, 0>>>);
static_assert(!joins<kernel<skt::mix<1, 2, 8>, skt::in<x>, skt::cross_core<3, 2>>>);

// ---- a kernel run by itself and as a twin
// ----------------------------------------------------------------------------

struct facts_seen {
    std::int32_t block_num;
    std::int32_t factor;
    std::uint64_t stride;
};

/// Every core writes what it sees into its line.
void note(GM_ADDR out, std::int16_t factor, tiling_data t)
{
    AscendC::GlobalTensor<std::int32_t> line;
    std::int64_t core = AscendC::GetBlockIdx();
    if ASCEND_IS_AIC {
        core += 48;
    }
    line.SetGlobalBuffer(reinterpret_cast<__gm__ std::int32_t*>(out + core * 64));
    line.SetValue(0, static_cast<std::int32_t>(AscendC::GetBlockNum()));
    line.SetValue(1, factor);
    line.SetValue(2, static_cast<std::int32_t>(t.stride));
    AscendC::DataCacheCleanAndInvalid<std::int32_t, AscendC::CacheLine::SINGLE_CACHE_LINE,
                                      AscendC::DcciDst::CACHELINE_OUT>(line);
}

using noting = skt::kernel<skt::fn<&note>, skt::mix<1, 2, 12>, skt::out<y, skt::via_scalar>,
                           skt::scalar<flag, std::int16_t>, skt::tiling<shape, tiling_data>>;

struct system_args {
    std::uint16_t skBlockIdx;
    std::uint16_t skNumBlocks;
    std::uint16_t skTaskSyncCfg;
};

} // namespace

TEST_CASE("a twin gets the arguments and the block count of its kernel")
{
    emu::device npu;
    auto alone = npu.alloc<std::int32_t>(72 * 16, "alone");
    alone.fill(0);
    auto twin = npu.alloc<std::int32_t>(72 * 16, "twin");
    twin.fill(0);
    const tiling_data t{3, 4, 77};
    const auto plain = npu.launch(emu::mix_cores<2>(12), note)(alone, std::int16_t{-5}, t);
    INFO(plain.text());
    REQUIRE(plain.ok());

    // The host side of the vendor's fusion fills the struct that the author would have declared.
    struct author_args {
        GM_ADDR y;
        alignas(4) std::int16_t factor;
        tiling_data t;
    };
    const author_args filled{twin.addr(), -5, t};
    skt::device::sk_args<noting> args;
    static_assert(sizeof args == sizeof filled);
    std::memcpy(args.bytes, &filled, sizeof filled);
    const auto result = npu.launch(emu::mix_cores<2>(12), [&] {
        system_args system{0, 12, 0};
        if ASCEND_IS_AIV {
            system.skNumBlocks = 24; // on a vector core of a 1:2 kernel the vendor counts vector cores
        }
        skt::device::run_sk<noting>(&args, &system);
    });
    INFO(result.text());
    REQUIRE(result.ok());
    REQUIRE(alone.get() == twin.get());
    REQUIRE(twin.get()[0] == 12);
    REQUIRE(twin.get()[1] == -5);
    REQUIRE(twin.get()[2] == 77);
}

namespace {

/// As Catlass writes it: Params by value, one operator() per side.
class sided {
public:
    struct Params {
        GM_ADDR out;
        std::int32_t value;
    };
    template <std::int32_t CoreType>
    void operator()(const Params& params)
    {
        AscendC::GlobalTensor<std::int32_t> line;
        const std::int64_t base = CoreType == AscendC::AIC ? 48 : 0;
        line.SetGlobalBuffer(reinterpret_cast<__gm__ std::int32_t*>(params.out + (base + AscendC::GetBlockIdx()) * 64));
        line.SetValue(0, params.value + CoreType);
        AscendC::DataCacheCleanAndInvalid<std::int32_t, AscendC::CacheLine::SINGLE_CACHE_LINE,
                                          AscendC::DcciDst::CACHELINE_OUT>(line);
    }
};

using sided_kernel = skt::kernel<skt::sided_functor<sided>, skt::mix<1, 2, 4>, skt::out<y, skt::via_scalar>,
                                 skt::scalar<length, std::int32_t>>;
using sided_with_params = skt::kernel<skt::sided_functor<sided>, skt::mix<1, 2, 4>, skt::tiling<shape, sided::Params>>;

} // namespace

TEST_CASE("a kernel with one operator per side runs each on its side")
{
    emu::device npu;
    auto out = npu.alloc<std::int32_t>(72 * 16, "out");
    out.fill(0);
    const auto check = [&] {
        const auto seen = out.get();
        for (std::size_t core = 0; core < 8; ++core) {
            REQUIRE(seen[core * 16] == 100 + AscendC::AIV);
        }
        for (std::size_t core = 48; core < 52; ++core) {
            REQUIRE(seen[core * 16] == 100 + AscendC::AIC);
        }
    };
    using fused = skt::SuperKernel<sided_kernel>;
    const auto r = npu.launch(fused::launch, [](GM_ADDR o, std::int32_t v) { fused::run(o, v); })(out, 100);
    INFO(r.text());
    REQUIRE(r.ok());
    check();

    // Params as one argument by value.
    out.fill(0);
    using by_value = skt::SuperKernel<sided_with_params>;
    const auto s =
        npu.launch(by_value::launch, [](sided::Params p) { by_value::run(p); })(sided::Params{out.addr(), 100});
    INFO(s.text());
    REQUIRE(s.ok());
    check();
}

SKT_ENTRY(skt::SuperKernel<sided_kernel>, mix_1_2, normal) sided_entry(GM_ADDR out, std::int32_t value)
{
    skt::SuperKernel<sided_kernel>::run(out, value);
}
static_assert(skt::device::blocks_of<skt::SuperKernel<sided_kernel>, decltype(sided_entry)>() == 4);

TEST_CASE("an entry is launched like any kernel")
{
    emu::device npu;
    auto out = npu.alloc<std::int32_t>(72 * 16, "out");
    const auto r = npu.launch(skt::SuperKernel<sided_kernel>::launch, sided_entry)(out, 100);
    INFO(r.text());
    REQUIRE(r.ok());
    REQUIRE(out.get()[0] == 102);
}

TEST_CASE("a kernel launched alone sees the block count it is described with")
{
    emu::device npu;
    auto out = npu.alloc<std::int32_t>(72 * 16, "out");
    const auto r = npu.launch(emu::mix_cores<2>(24), [&](GM_ADDR o) {
        skt::device::launched_alone<noting>();
        note(o, 1, tiling_data{});
    })(out);
    INFO(r.text());
    REQUIRE(r.ok());
    REQUIRE(out.get()[0] == 12);
}
