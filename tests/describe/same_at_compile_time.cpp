// Compilers evaluate the planner and the prover; what they find must be what the same functions find at run time.
#include <skt/super_kernel.hpp>

#include <skt/host/plan.hpp>

#include <catch.hpp>

#include <cstddef>
#include <string>

namespace {

template <int>
struct buf;
void f() {}

template <class Shape, int Reads, int Writes, class... More>
using k = skt::kernel<skt::fn<&f>, Shape, skt::in<buf<Reads>>, skt::out<buf<Writes>>, More...>;

bool equal(const skt::step& a, const skt::step& b)
{
    return a.what == b.what && a.kernel == b.kernel && a.barrier == b.barrier && a.kind == b.kind && a.flag == b.flag &&
           a.pipe == b.pipe && a.cores == b.cores && a.skip == b.skip && a.early == b.early && a.times == b.times &&
           a.buffer == b.buffer && a.lines == b.lines;
}

std::string print(const skt::step& x)
{
    return std::string(skt::to_string(x.what)) + " kernel " + std::to_string(x.kernel) + " barrier " +
           std::to_string(x.barrier) + " " + skt::to_string(x.kind) + " flag " + std::to_string(x.flag) + " lines " +
           std::to_string(x.lines) + " of " + std::to_string(x.buffer) + " early " + std::to_string(x.early);
}

template <class Fused>
void compare()
{
    using details = typename Fused::details;
    const skt::host::planned p = skt::host::plan(details::input);
    const skt::program_view compiled = details::program.view();
    REQUIRE(p.launch == compiled.launch);
    for (std::size_t s = 0; s < 2; ++s) {
        REQUIRE(static_cast<int>(p.steps[s].size()) == compiled.count[s]);
        for (int i = 0; i < compiled.count[s]; ++i) {
            CAPTURE(s, i, print(p.steps[s][static_cast<std::size_t>(i)]), print(compiled.steps[s][i]));
            REQUIRE(equal(p.steps[s][static_cast<std::size_t>(i)], compiled.steps[s][i]));
        }
    }
    REQUIRE(skt::host::prove(details::input, compiled).empty());
    REQUIRE(details::findings.total == 0);
}

} // namespace

TEST_CASE("a compiler plans what the program plans")
{
    using skt::aic;
    using skt::aiv;
    using skt::mix;
    compare<skt::SuperKernel<k<aiv<48>, 0, 1>>>();
    compare<skt::SuperKernel<k<aiv<48>, 0, 1>, k<mix<1, 2, 24>, 1, 2>>>();
    compare<
        skt::SuperKernel<k<aiv<48>, 0, 1>, k<aic<24>, 1, 2>, k<aiv<40>, 2, 3>, k<aic<20>, 3, 4>, k<aiv<1>, 4, 0>>>();
    compare<skt::SuperKernel<k<aic<24>, 0, 1>, k<aiv<48>, 2, 3>, k<aic<24>, 1, 4>, k<aiv<48>, 3, 5>,
                             k<mix<1, 2, 24>, 4, 5>, k<mix<1, 2, 24>, 5, 0>>>();
    compare<skt::SuperKernel<k<aiv<48>, 0, 1, skt::inout<buf<9>, skt::via_scalar>>,
                             k<aiv<48>, 1, 2, skt::inout<buf<9>, skt::via_scalar>>,
                             k<aic<24>, 2, 3, skt::in<buf<9>, skt::via_scalar, skt::scalar_lines<1>>>>>();
    compare<skt::SuperKernel<k<aiv<20>, 0, 1, skt::sync_all<2>, skt::idle<skt::idle_policy::feed>, skt::signals_next>,
                             k<aiv<48>, 1, 2, skt::awaits_previous>, k<aic<1>, 1, 3>, k<aiv<2>, 3, 4>>>();
    compare<skt::SuperKernel<k<aiv<48>, 0, 1>, k<aic<24>, 1, 2>,
                             k<mix<1, 2, 24>, 2, 3>>::with<skt::sync<skt::sync_policy::every_pair>>>();
}
