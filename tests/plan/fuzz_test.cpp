// Random graphs: minimum, never above the incumbent, proved, and judged by the simulator.
#include "exhaustive.hpp"
#include "graphs.hpp"
#include "simulate.hpp"

#include <catch.hpp>

using namespace skt;
using namespace skt::test;

namespace {

/// Whether the kernels by themselves can be fused: no rule broken before any plan, and no two kernels with one flag id
/// of their own that no order keeps apart, which only their authors can settle.
bool sound_graph(const graph& g, const std::vector<finding>& found)
{
    bool clash = false;
    for (const finding& f : found) {
        clash = clash || (f.broken == rule::flag_id_clash &&
                          ((f.other >= 0 && f.kernel != f.other) || f.number < 0)); // or every id is declared
    }
    return !clash && host::check(g).empty();
}

struct tally {
    int sound = 0;
    long planned = 0;
    long incumbent = 0;
    int fell_back = 0;
};

void check_one(const graph& g, tally& t, bool minimum, bool simulated)
{
    const host::planned p = host::plan(g);
    INFO(describe(g, p));
    const auto found = host::prove(g, p.view());
    if (!sound_graph(g, found)) {
        return;
    }
    if (!found.empty()) {
        INFO(describe(found[0]));
        REQUIRE(found.empty());
    }
    graph paired = g;
    paired.policy.sync = sync_policy::every_pair;
    const host::planned q = host::plan(paired);
    const auto found_paired = host::prove(paired, q.view());
    if (!found_paired.empty() && sound_graph(paired, found_paired)) {
        INFO(describe(paired, q));
        INFO(describe(found_paired[0]));
        REQUIRE(found_paired.empty());
    }
    t.planned += barrier_total(p.counts);
    t.incumbent += barrier_total(q.counts);
    t.fell_back += p.fell_back;
    ++t.sound;
    REQUIRE(barrier_total(p.counts) <= barrier_total(q.counts));
    if (minimum && !p.fell_back && !g.policy.sync_after_each) {
        REQUIRE(barrier_total(p.counts) == fewest_barriers(g));
    }
    if (simulated) {
        const auto faults = simulate(g, p.view());
        if (!faults.empty()) {
            INFO(faults[0]);
            REQUIRE(faults.empty());
        }
        const auto faults_paired = simulate(paired, q.view());
        if (!faults_paired.empty()) {
            INFO(describe(paired, q));
            INFO(faults_paired[0]);
            REQUIRE(faults_paired.empty());
        }
    }
}

void run(const flavour& f, int count, unsigned seed, bool minimum, bool simulated)
{
    tally t;
    for (int i = 0; i < count; ++i) {
        const host::graph_data d = graph_maker(seed + static_cast<unsigned>(i), f).make();
        INFO("seed " << seed + static_cast<unsigned>(i));
        check_one(d.view(), t, minimum, simulated);
    }
    CHECK(t.sound > count / 2);
    CHECK(t.planned < t.incumbent);
    CHECK(t.fell_back < count / 20);
    WARN("graphs " << t.sound << " of " << count << ", barriers " << t.planned << ", incumbent " << t.incumbent
                   << ", fell back " << t.fell_back);
}

} // namespace

TEST_CASE("fuzz: graphs of 2 to 6 kernels get the fewest barriers")
{
    flavour plain;
    plain.features = false;
    run(plain, rounds(400, 20000), 1, true, false);
}

TEST_CASE("fuzz: graphs of 2 to 6 kernels with every feature get the fewest barriers")
{
    run({}, rounds(400, 20000), 500000, true, false);
}

TEST_CASE("fuzz: graphs of up to 64 kernels are proved and never above the incumbent")
{
    flavour large;
    large.most_kernels = 64;
    run(large, rounds(300, 140000), 1000000, false, false);
}

TEST_CASE("fuzz: small launches hold in the simulator")
{
    flavour small;
    small.small = true;
    small.most_kernels = 9;
    run(small, rounds(300, 10000), 2000000, false, true);
}
