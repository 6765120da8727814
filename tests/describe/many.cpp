// 512 sub-kernels are planned and proved within the limits that compilers set by default.
#include <skt/super_kernel.hpp>

#include <skt/host/plan.hpp>

#include <catch.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace {

template <std::size_t>
struct buf;
void f() {}

template <std::size_t I>
using cores =
    std::conditional_t<I % 2 == 0, skt::aiv<40>, std::conditional_t<I % 3 == 0, skt::aic<24>, skt::mix<1, 2, 24>>>;

template <class Indices>
struct chain;
template <std::size_t... Is>
struct chain<std::index_sequence<Is...>> {
    using type = skt::SuperKernel<skt::kernel<skt::fn<&f>, cores<Is>, skt::in<buf<Is>>, skt::out<buf<Is + 1>>>...>;
};
using fused = chain<std::make_index_sequence<512>>::type;

static_assert(fused::launch == skt::launch_shape{skt::kernel_type::mix_aic_1_2, 24});
static_assert(fused::details::findings.total == 0);

} // namespace

TEST_CASE("a chain of 512 kernels is planned by the compiler as by the program")
{
    const skt::host::planned p = skt::host::plan(fused::details::input);
    CHECK(barrier_total(p.counts) == barrier_total(fused::counts));
    CHECK(p.counts.drain == fused::counts.drain);
    WARN("barriers: " << barrier_total(fused::counts) << " for 512 kernels");
}
