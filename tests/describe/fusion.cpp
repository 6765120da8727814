// SuperKernel as a whole: launch shapes, argument lists, policies, what happens when rules are silenced.
#include <skt/skt.hpp>

#include <skt/host.hpp>

#include <catch.hpp>

#include <chrono>
#include <cstdint>
#include <vector>

namespace emu = skt::emu;

namespace {

struct x;
struct y;
struct z;
struct rows {
    static constexpr bool line_aligned = true;
};

void two(GM_ADDR, GM_ADDR) {}
void meet(GM_ADDR, GM_ADDR)
{
    AscendC::SyncAll();
}

template <int Blocks, class... Items>
using vec = skt::kernel<skt::fn<&two>, skt::aiv<Blocks>, Items...>;
template <int Blocks, class... Items>
using cube = skt::kernel<skt::fn<&two>, skt::aic<Blocks>, Items...>;
template <int Blocks, class... Items>
using mix12 = skt::kernel<skt::fn<&two>, skt::mix<1, 2, Blocks>, Items...>;
template <int Blocks, class... Items>
using mix11 = skt::kernel<skt::fn<&two>, skt::mix<1, 1, Blocks>, Items..., skt::ratio<skt::ratio_policy::adaptive>>;

using in_x = skt::in<x>;
using out_y = skt::out<y>;
using in_y = skt::in<y>;
using out_z = skt::out<z>;

using skt::kernel_type;
using skt::launch_shape;

template <class... Ks>
constexpr bool launches(kernel_type type, int blocks)
{
    return skt::SuperKernel<Ks...>::launch == launch_shape{type, blocks};
}

// A sample of the launch cases, at compile time.
static_assert(launches<cube<2, in_x, out_y>, cube<1, in_x, out_z>>(kernel_type::mix_aic_1_0, 2));
static_assert(launches<vec<40, in_x, out_y>, vec<8, in_x, out_z>>(kernel_type::mix_aiv_1_0, 40));
static_assert(launches<cube<24, in_x, out_y>, vec<24, in_x, out_z>>(kernel_type::mix_aic_1_1, 24));
static_assert(launches<cube<24, in_x, out_y>, vec<25, in_x, out_z>>(kernel_type::mix_aic_1_2, 24));
static_assert(launches<cube<1, in_x, out_y>, vec<3, in_x, out_z>>(kernel_type::mix_aic_1_2, 2));
static_assert(launches<mix12<12, in_x, out_y>, cube<24, in_x, out_z>>(kernel_type::mix_aic_1_2, 24));
static_assert(launches<mix11<14, in_x, out_y>, cube<19, in_x, out_z>>(kernel_type::mix_aic_1_1, 19));
static_assert(launches<mix11<12, in_x, out_y>, vec<24, in_x, out_z>>(kernel_type::mix_aic_1_2, 12));

// Barriers only where data flows.
static_assert(skt::SuperKernel<vec<48, in_x, out_y>, vec<48, in_y, out_z>>::counts.barriers[1] == 1);
static_assert(barrier_total(skt::SuperKernel<vec<48, in_x, out_y>, vec<48, in_x, out_z>>::counts) == 0);
static_assert(barrier_total(skt::SuperKernel<vec<48, in_x, skt::out<y, skt::sliced<rows>>>,
                                             vec<48, skt::in<y, skt::sliced<rows>>, out_z>>::counts) == 0);
static_assert(barrier_total(skt::SuperKernel<vec<48, in_x, out_y>, vec<48, in_x, out_z>>::with<
                            skt::sync<skt::sync_policy::every_pair>>::counts) == 1);
// A tag that several kernels name is one argument.
static_assert(skt::SuperKernel<vec<48, in_x, out_y>, vec<48, in_y, out_z>>::argument_count == 3);
// Asking without an error.
static_assert(skt::is_valid_super_kernel_v<vec<48, in_x, out_y>>);
static_assert(!skt::is_valid_super_kernel_v<vec<49, in_x, out_y>>);
// A kernel that declares nothing is ordered against everything.
static_assert(
    barrier_total(skt::SuperKernel<skt::kernel<skt::task_fn<int>, skt::aiv<48>>, vec<48, in_x, out_y>>::counts) == 1);

using outside = vec<8, in_x, out_y>;
using silenced = skt::kernel<skt::fn<&meet>, skt::aiv<20>, skt::in<y>, skt::out<z>, skt::sync_all<1>,
                             skt::unchecked<struct shows_what_the_emulator_says>>;
using fed = skt::kernel<skt::fn<&meet>, skt::aiv<20>, skt::in<y>, skt::out<z>, skt::sync_all<1>,
                        skt::idle<skt::idle_policy::feed>>;
using wide = vec<24, in_x, out_y>;

void meet_some(GM_ADDR, GM_ADDR, int)
{
    AscendC::SyncAll();
}
int how_many(GM_ADDR, GM_ADDR, int blocks)
{
    return blocks;
}
using counted_on_device =
    skt::kernel<skt::fn<&meet_some>, skt::aiv<24>, skt::blocks_from<&how_many>, skt::in<y>, skt::out<z>,
                skt::scalar<struct blocks, int>, skt::sync_all<1>, skt::idle<skt::idle_policy::feed>>;

} // namespace

template <>
struct skt::kernel_policy<outside> {
    using type = skt::options<skt::cache<skt::cache_policy::around>>;
};
template <>
struct skt::super_policy<outside, cube<4, in_y, out_z>> {
    using type = skt::options<skt::at_least<24, 48>>;
};

TEST_CASE("policies come from outside and from with<...>")
{
    STATIC_REQUIRE(skt::SuperKernel<outside>::counts.flush == 2);
    STATIC_REQUIRE(skt::SuperKernel<outside, cube<4, in_y, out_z>>::launch ==
                   launch_shape{kernel_type::mix_aic_1_2, 24});
    STATIC_REQUIRE(skt::SuperKernel<wide>::with<skt::at_least<0, 48>>::launch ==
                   launch_shape{kernel_type::mix_aiv_1_0, 48});
    STATIC_REQUIRE(skt::SuperKernel<wide>::with<skt::at_least<24, 24>>::with<skt::at_least<0, 30>>::launch ==
                   launch_shape{kernel_type::mix_aiv_1_0, 30});
}

TEST_CASE("SyncAll on 20 of 24 cores, silenced, is a deadlock report and no hang")
{
    using fused = skt::SuperKernel<wide, silenced>;
    emu::device npu;
    auto bx = npu.zeros<uint8_t>(512, "x");
    auto by = npu.zeros<uint8_t>(512, "y");
    auto bz = npu.zeros<uint8_t>(512, "z");
    const auto start = std::chrono::steady_clock::now();
    const auto r = npu.launch(fused::launch, [&] { fused::run(bx.addr(), by.addr(), bz.addr()); });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    INFO(r.text());
    CHECK(!r.ok());
    CHECK(r.text().find("deadlock") != std::string::npos);
    CHECK(seconds < 1.0);
    WARN("deadlock reported after " << seconds * 1e3 << " ms");

    using good = skt::SuperKernel<wide, fed>;
    STATIC_REQUIRE(good::counts.fed_sync_all == 1);
    const auto ok = npu.launch(good::launch, [&] { good::run(bx.addr(), by.addr(), bz.addr()); });
    INFO(ok.text());
    CHECK(ok.ok());
}

TEST_CASE("cores beyond the block count that the device answers are fed at SyncAll")
{
    using fused = skt::SuperKernel<wide, counted_on_device>;
    emu::device npu;
    auto bx = npu.zeros<uint8_t>(512, "x");
    auto by = npu.zeros<uint8_t>(512, "y");
    auto bz = npu.zeros<uint8_t>(512, "z");
    for (const int blocks : {1, 5, 23, 24}) {
        CAPTURE(blocks);
        const auto r = npu.launch(fused::launch, [&] { fused::run(bx.addr(), by.addr(), bz.addr(), blocks); });
        INFO(r.text());
        CHECK(r.ok());
    }
}
