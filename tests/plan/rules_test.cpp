// Every rule, broken and kept; hazards; and the incumbent's faults that a plan must not have.
#include "graphs.hpp"
#include "simulate.hpp"

#include <skt/host/sentence.hpp>

#include <catch.hpp>

#include <algorithm>
#include <functional>
#include <string>

using namespace skt;
using host::graph_data;

namespace {

bool has(const std::vector<finding>& found, rule r)
{
    return std::any_of(found.begin(), found.end(), [r](const finding& f) { return f.broken == r; });
}

std::vector<finding> all_findings(const graph_data& d)
{
    std::vector<finding> found = host::check(d.view());
    const host::planned p = host::plan(d.view());
    for (const finding& f : host::prove(d.view(), p.view())) {
        found.push_back(f);
    }
    return found;
}

/// What is found after `edit` has changed a plan's steps.
std::vector<finding> found_after(const graph_data& d, const std::function<void(std::vector<step> (&)[2])>& edit)
{
    host::planned p = host::plan(d.view());
    REQUIRE(host::prove(d.view(), p.view()).empty());
    edit(p.steps);
    return host::prove(d.view(), p.view());
}

std::vector<step>::iterator find(std::vector<step>& list, op what)
{
    const auto it = std::find_if(list.begin(), list.end(), [what](const step& x) { return x.what == what; });
    REQUIRE(it != list.end());
    return it;
}

int count(const std::vector<step>& list, op what)
{
    return static_cast<int>(std::count_if(list.begin(), list.end(), [what](const step& x) { return x.what == what; }));
}

constexpr int aic = static_cast<int>(side::aic);
constexpr int aiv = static_cast<int>(side::aiv);

/// A vector kernel that writes h, then a mix kernel that reads it.
graph_data chain()
{
    graph_data d;
    d.add_buffer("h");
    d.add_kernel("norm", kernel_type::aiv_only, 48);
    d.add_effect(0, access::out);
    d.add_kernel("linear", kernel_type::mix_aic_1_2, 24);
    d.add_effect(0, access::in);
    return d;
}

} // namespace

// ---- rules that need no plan

TEST_CASE("rule no-kernels")
{
    CHECK(has(host::check(graph_data().view()), rule::no_kernels));
    CHECK(all_findings(chain()).empty());
}

TEST_CASE("rule block-count-zero")
{
    graph_data d = chain();
    d.kernels[0].blocks = 0;
    CHECK(has(host::check(d.view()), rule::block_count_zero));
    d.kernels[0].blocks = 1;
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule launch-exceeds-soc")
{
    graph_data d = chain();
    d.chip = socs::atlas_a2_20;
    const auto found = host::check(d.view());
    REQUIRE(has(found, rule::launch_exceeds_soc));
    CHECK(found[0].number == 24);
    CHECK(found[0].limit == 20);
    d.chip = socs::atlas_a2_24;
    CHECK(host::check(d.view()).empty());
    d.policy.at_least_aiv = 49;
    CHECK(has(host::check(d.view()), rule::launch_exceeds_soc));
    d.chip = socs::atlas_a2_25;
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule ratio-1-1-in-1-2")
{
    graph_data d = chain();
    d.add_kernel("old", kernel_type::mix_aic_1_1, 20);
    CHECK(has(host::check(d.view()), rule::ratio_1_1_in_1_2));
    d.kernels[2].ratio = ratio_policy::aiv0_only;
    CHECK(has(host::check(d.view()), rule::ratio_1_1_in_1_2));
    d.kernels[2].task_view = true;
    CHECK(all_findings(d).empty());
    d.kernels[2].task_view = false;
    d.kernels[2].ratio = ratio_policy::adaptive;
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule sync-all-on-fewer-cores")
{
    graph_data d;
    d.add_kernel("wide", kernel_type::aiv_only, 24);
    d.add_kernel("narrow", kernel_type::aiv_only, 20).sync_all = 1;
    const auto found = host::check(d.view());
    REQUIRE(has(found, rule::sync_all_on_fewer_cores));
    CHECK(found[0].number == 20);
    CHECK(found[0].limit == 24);
    d.kernels[1].idle = idle_policy::feed;
    CHECK(all_findings(d).empty());
    CHECK(host::plan(d.view()).counts.fed_sync_all == 1);
    d.kernels[1].idle = idle_policy::reject;
    d.kernels[1].blocks = 24;
    CHECK(all_findings(d).empty());
    d.kernels[1].blocks = 20;
    d.kernels[1].unchecked = true;
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule sync-all-needs-mix")
{
    graph_data d;
    kernel_desc& k = d.add_kernel("all", kernel_type::aiv_only, 48);
    k.sync_all = 1;
    k.scope = sync_scope::all;
    CHECK(has(host::check(d.view()), rule::sync_all_needs_mix));
    d.policy.at_least_aic = 24;
    CHECK(!has(host::check(d.view()), rule::sync_all_needs_mix));
    d.kernels[0].idle = idle_policy::feed;
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule flag-id-reserved")
{
    graph_data d = chain();
    d.add_cross_core({11, 2, side::aiv, 1});
    CHECK(has(host::check(d.view()), rule::flag_id_reserved));
    d.cross_core[0].flag = -1;
    CHECK(has(host::check(d.view()), rule::flag_id_reserved));
    d.cross_core[0].flag = 10;
    CHECK(all_findings(d).empty());
    d.kernels[1].matmul_objects = 6;
    CHECK(has(host::check(d.view()), rule::flag_id_reserved));
}

TEST_CASE("rule flag-overflow")
{
    graph_data d = chain();
    d.add_cross_core({0, 2, side::aiv, 22});
    CHECK(has(host::check(d.view()), rule::flag_overflow));
    d.cross_core[0].times = 15;
    CHECK(all_findings(d).empty());
    // A program that sets sixteen times before anybody waits.
    graph_data e = chain();
    CHECK(has(found_after(e,
                          [](std::vector<step>(&s)[2]) {
                              const step set = *std::find_if(s[aiv].begin(), s[aiv].end(), [](const step& x) {
                                  return x.what == op::arrive && x.kind == barrier_kind::aiv_to_aic;
                              });
                              const step wait = *find(s[aic], op::wait);
                              for (int i = 0; i < 15; ++i) {
                                  s[aiv].push_back(set);
                                  s[aic].push_back(wait);
                              }
                          }),
              rule::flag_overflow));
}

TEST_CASE("rule flag-id-clash")
{
    graph_data d;
    d.add_kernel("prologue", kernel_type::mix_aic_1_2, 24);
    d.add_cross_core({1, 2, side::aiv, 1});
    d.add_kernel("attention", kernel_type::mix_aic_1_2, 24);
    d.add_cross_core({1, 2, side::aiv, 1});
    CHECK(has(all_findings(d), rule::flag_id_clash));
    d.cross_core[1].flag = 6;
    CHECK(all_findings(d).empty());
    // The same id, but the second kernel cannot start before the first has finished.
    d.cross_core[1].flag = 1;
    const int b = d.add_buffer("b");
    effect both;
    both.buffer = b;
    both.what = access::inout;
    d.effects = {both, both};
    for (int k = 0; k < 2; ++k) {
        d.kernels[static_cast<std::size_t>(k)].first_effect = k;
        d.kernels[static_cast<std::size_t>(k)].effect_count = 1;
    }
    CHECK(all_findings(d).empty());
    // An id of the kernel's own Matmul objects.
    d.kernels[1].matmul_objects = 1;
    CHECK(has(host::check(d.view()), rule::flag_id_clash));
}

TEST_CASE("rule unbalanced-flags: partners that do not run")
{
    graph_data d = chain();
    d.add_kernel("lonely", kernel_type::aiv_only, 48);
    d.add_cross_core({3, 2, side::aiv, 1});
    CHECK(has(host::check(d.view()), rule::unbalanced_flags)); // no cube side answers mode 2
    d.cross_core[0].mode = 0;
    CHECK(all_findings(d).empty());
    d.kernels[2].blocks = 47;
    CHECK(has(host::check(d.view()), rule::unbalanced_flags)); // mode 0 without one core
    d.cross_core[0].mode = 1;
    CHECK(has(host::check(d.view()), rule::unbalanced_flags)); // mode 1 with half an AI core
    d.kernels[2].blocks = 46;
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule several-pipes")
{
    graph_data d = chain();
    d.kernels[0].pipes = 2;
    CHECK(has(host::check(d.view()), rule::several_pipes));
    d.kernels[0].pipes_drained = true;
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule too-many-arguments")
{
    graph_data d;
    for (int b = 0; b < argument_limit; ++b) {
        d.add_buffer("b" + std::to_string(b));
    }
    d.add_kernel("wide", kernel_type::aiv_only, 48);
    d.add_effect(0, access::in);
    CHECK(!has(host::check(d.view()), rule::too_many_arguments));
    d.add_temp("inside", 512); // temps live in one workspace, which is one argument more
    const std::vector<finding> found = host::check(d.view());
    REQUIRE(has(found, rule::too_many_arguments));
    CHECK(host::sentence(d.view(), found.back()).find("1025") != std::string::npos);
}

TEST_CASE("rule false-sharing")
{
    graph_data d = chain();
    d.partitions.push_back({"rows", false});
    d.effects[0].how = via::scalar;
    d.effects[0].partition = 0;
    const auto found = host::check(d.view());
    REQUIRE(has(found, rule::false_sharing));
    CHECK(found[0].number == 48);
    d.partitions[0].line_aligned = true;
    CHECK(all_findings(d).empty());
    d.partitions[0].line_aligned = false;
    d.kernels[0].blocks = 1;
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule dynamic-blocks-early-start")
{
    graph_data d = chain();
    d.kernels[1].dynamic = true;
    CHECK(all_findings(d).empty());
    d.kernels[1].awaits_previous = true;
    CHECK(has(host::check(d.view()), rule::dynamic_blocks_early_start));
}

// ---- rules about programs

TEST_CASE("rule unordered-hazard")
{
    graph_data d = chain();
    CHECK(has(found_after(d,
                          [](std::vector<step>(&s)[2]) {
                              s[aiv].erase(find(s[aiv], op::wait));
                              s[aiv].erase(find(s[aiv], op::arrive));
                          }),
              rule::unordered_hazard));
}

TEST_CASE("rule unbalanced-flags: a wait deleted")
{
    graph_data d = chain();
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { s[aic].erase(find(s[aic], op::wait)); }),
              rule::unbalanced_flags));
}

TEST_CASE("rule no-progress")
{
    graph_data d = chain();
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { s[aiv].erase(find(s[aiv], op::arrive)); }),
              rule::no_progress));
}

TEST_CASE("rule missing-drain")
{
    graph_data d = chain();
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { s[aiv].erase(find(s[aiv], op::drain)); }),
              rule::missing_drain));
}

TEST_CASE("rule missing-flush: a scalar write that another core reads")
{
    graph_data d = chain();
    d.effects[0].how = via::scalar;
    CHECK(all_findings(d).empty());
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { s[aiv].erase(find(s[aiv], op::flush)); }),
              rule::missing_flush));
    // A flush behind the arrival comes too late.
    CHECK(has(found_after(d,
                          [](std::vector<step>(&s)[2]) {
                              const auto flush = find(s[aiv], op::flush);
                              const auto arrive = find(s[aiv], op::arrive);
                              REQUIRE(flush < arrive);
                              std::rotate(flush, flush + 1, arrive + 1);
                          }),
              rule::missing_flush));
    d.kernels[0].cache = cache_policy::none;
    CHECK(has(all_findings(d), rule::missing_flush));
    d.kernels[0].cache = cache_policy::line_on_access;
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule missing-flush: a scalar read of a line loaded before")
{
    graph_data d;
    d.add_buffer("table");
    d.add_kernel("first", kernel_type::aiv_only, 8);
    d.add_effect(0, access::in, via::scalar);
    d.add_kernel("update", kernel_type::aiv_only, 8);
    d.add_effect(0, access::out);
    d.add_kernel("again", kernel_type::aiv_only, 8);
    d.add_effect(0, access::in, via::scalar);
    CHECK(all_findings(d).empty());
    CHECK(host::plan(d.view()).counts.flush == 1);
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { s[aiv].erase(find(s[aiv], op::flush)); }),
              rule::missing_flush));
    // A first access loads nothing stale.
    d.effects[0].how = via::dma;
    CHECK(host::plan(d.view()).counts.flush == 0);
    CHECK(all_findings(d).empty());
}

TEST_CASE("rule early-start-mismatch")
{
    graph_data d;
    d.add_buffer("h");
    d.add_kernel("first", kernel_type::aiv_only, 8).signals_next = true;
    d.add_effect(0, access::out);
    d.add_kernel("second", kernel_type::aiv_only, 6).awaits_previous = true;
    d.add_effect(0, access::in);
    CHECK(all_findings(d).empty());
    const host::planned p = host::plan(d.view());
    const auto set =
        std::find_if(p.steps[aiv].begin(), p.steps[aiv].end(), [](const step& x) { return x.what == op::arrive; });
    REQUIRE(set != p.steps[aiv].end());
    CHECK(set->skip == core_range{0, 8, 1});
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { find(s[aiv], op::call)->early = 0; }),
              rule::early_start_mismatch));
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { find(s[aiv], op::wait)->skip.count = 5; }),
              rule::early_start_mismatch));
}

TEST_CASE("rule malformed-program")
{
    graph_data d = chain();
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { s[aic].erase(find(s[aic], op::call)); }),
              rule::malformed_program));
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { --find(s[aic], op::call)->cores.count; }),
              rule::malformed_program));
    CHECK(has(found_after(d, [](std::vector<step>(&s)[2]) { s[aiv].push_back(*find(s[aiv], op::call)); }),
              rule::malformed_program));
}

// ---- hazards

TEST_CASE("hazards: kinds, scopes and what commutes")
{
    graph_data d;
    d.add_buffer("b");
    d.partitions.push_back({"rows", true});
    d.add_kernel("k0", kernel_type::aiv_only, 8);
    effect& first = d.add_effect(0, access::out);
    first.partition = 0;
    d.add_kernel("k1", kernel_type::aiv_only, 8);
    d.add_effect(0, access::in);
    const auto hazards = [&d] { return host::hazards_of(d.view(), launch_of(d.view())); };
    REQUIRE(hazards().size() == 1);
    CHECK(hazards()[0].kind == hazard_kind::raw);
    CHECK(hazards()[0].scope == hazard_scope::all);
    d.effects[1].partition = 0;
    CHECK(hazards()[0].scope == hazard_scope::core);
    CHECK(barrier_total(host::plan(d.view()).counts) == 0);
    d.kernels[1].blocks = 6; // cut differently
    CHECK(hazards()[0].scope == hazard_scope::all);
    d.kernels[1].blocks = 8;
    d.kernels[1].dynamic = true;
    CHECK(hazards()[0].scope == hazard_scope::all);
    d.kernels[1].dynamic = false;
    d.effects[0].what = access::in;
    CHECK(hazards().empty());
    d.effects[1].what = access::out;
    CHECK(hazards()[0].kind == hazard_kind::war);
    d.effects[0].what = access::out;
    CHECK(hazards()[0].kind == hazard_kind::waw);
    d.effects[0].what = d.effects[1].what = access::accumulate;
    CHECK(hazards().empty());
}

TEST_CASE("hazards: slices of two buffers that overlap need not coincide")
{
    graph_data d;
    d.add_buffer("a");
    d.add_buffer("b");
    d.partitions.push_back({"rows", true});
    d.add_kernel("k0", kernel_type::aiv_only, 8);
    d.add_effect(0, access::out).partition = 0;
    d.add_kernel("k1", kernel_type::aiv_only, 8);
    d.add_effect(1, access::in).partition = 0;
    CHECK(host::hazards_of(d.view(), launch_of(d.view())).empty());
    d.alias(0, 1);
    d.place_workspace();
    const auto hazards = host::hazards_of(d.view(), launch_of(d.view()));
    REQUIRE(hazards.size() == 1);
    CHECK(hazards[0].scope == hazard_scope::all);
}

TEST_CASE("cache: lines read back where they were written are flushed before others touch them")
{
    graph_data d;
    d.add_buffer("b");
    for (int k = 0; k < 3; ++k) {
        d.add_kernel("k" + std::to_string(k), kernel_type::aiv_only, k == 2 ? 8 : 1);
        d.add_effect(0, k == 1 ? access::in : access::out, k == 2 ? via::dma : via::scalar);
    }
    const host::planned p = host::plan(d.view());
    CHECK(host::prove(d.view(), p.view()).empty());
    CHECK(p.counts.flush == 1);
    CHECK(test::simulate(d.view(), p.view()).empty());
}

TEST_CASE("cache: a write through an alias makes cached lines stale")
{
    graph_data d;
    d.add_buffer("a");
    d.add_buffer("b");
    d.alias(0, 1);
    d.add_kernel("load", kernel_type::aiv_only, 4);
    d.add_effect(0, access::in, via::scalar);
    d.add_kernel("write", kernel_type::aiv_only, 4);
    d.add_effect(1, access::out);
    d.add_kernel("reload", kernel_type::aiv_only, 4);
    d.add_effect(0, access::in, via::scalar);
    d.place_workspace();
    const host::planned p = host::plan(d.view());
    CHECK(p.counts.flush == 1);
    CHECK(host::prove(d.view(), p.view()).empty());
    CHECK(test::simulate(d.view(), p.view()).empty());
}

TEST_CASE("independent cube and vector kernels have no barrier between them")
{
    graph_data d;
    d.add_buffer("a");
    d.add_buffer("b");
    d.add_kernel("cube", kernel_type::aic_only, 24);
    d.add_effect(0, access::inout);
    d.add_kernel("vector", kernel_type::aiv_only, 48);
    d.add_effect(1, access::inout);
    CHECK(barrier_total(host::plan(d.view()).counts) == 0);
    d.policy.sync = sync_policy::every_pair;
    CHECK(barrier_total(host::plan(d.view()).counts) > 0);
}

TEST_CASE("temps that share bytes are ordered")
{
    graph_data d;
    d.add_temp("s", 4096);
    d.add_temp("t", 4096);
    for (int k = 0; k < 4; ++k) {
        d.add_kernel("k" + std::to_string(k), kernel_type::aiv_only, 8);
        d.add_effect(k / 2, k % 2 == 0 ? access::out : access::in);
    }
    d.place_workspace();
    CHECK(d.workspace_bytes == 4096);
    CHECK(host::plan(d.view()).counts.barriers[static_cast<int>(barrier_kind::all_aiv)] == 3);
    CHECK(all_findings(d).empty());
    graph_data apart = std::move(d);
    apart.policy.share_workspace = false;
    for (buffer_desc& b : apart.buffers) {
        b.shared = false;
    }
    apart.place_workspace();
    CHECK(apart.workspace_bytes == 8192);
    CHECK(host::plan(apart.view()).counts.barriers[static_cast<int>(barrier_kind::all_aiv)] == 2);
}

// ---- what the incumbent does wrong

TEST_CASE("incumbent fault: a 1:2 kernel keeps its vector cores beside cube kernels")
{
    graph_data d;
    d.add_kernel("mix", kernel_type::mix_aic_1_2, 12);
    d.add_kernel("cube", kernel_type::aic_only, 24);
    CHECK(launch_of(d.view()) == launch_shape{kernel_type::mix_aic_1_2, 24});
    CHECK(cores_of(d.kernels[0], launch_of(d.view()), side::aiv) == core_range{0, 24, 1});
}

TEST_CASE("incumbent fault: a wait is kept where its kernel is the first of its side")
{
    graph_data d;
    d.add_buffer("b");
    d.add_kernel("cube", kernel_type::aic_only, 24);
    d.add_effect(0, access::out);
    d.add_kernel("vector", kernel_type::aiv_only, 48); // first on its side
    d.add_effect(0, access::in);
    const host::planned p = host::plan(d.view());
    CHECK(p.steps[aiv][0].what == op::wait);
    CHECK(host::prove(d.view(), p.view()).empty());
}

TEST_CASE("incumbent fault: twenty sets that nobody has to answer stay within the counter")
{
    graph_data d;
    for (int i = 0; i < 20; ++i) {
        d.add_buffer("b" + std::to_string(i));
    }
    for (int i = 0; i < 20; ++i) {
        d.add_kernel("c" + std::to_string(i), kernel_type::aic_only, 24);
        d.add_effect(i, access::out);
        d.add_kernel("v" + std::to_string(i), kernel_type::aiv_only, 48);
        d.add_effect(i, access::in);
    }
    const host::planned p = host::plan(d.view());
    CHECK(p.counts.barriers[static_cast<int>(barrier_kind::aiv_to_aic)] == 0); // no cube kernel waits for anybody
    CHECK(p.counts.barriers[static_cast<int>(barrier_kind::aic_to_aiv)] == 20);
    CHECK(!p.fell_back);
    CHECK(host::prove(d.view(), p.view()).empty());
    int uses[flag_id_count] = {};
    for (const step& x : p.steps[aic]) {
        if (x.what == op::arrive && x.kind == barrier_kind::aic_to_aiv) {
            ++uses[x.flag];
        }
    }
    for (const int n : uses) {
        CHECK(n <= flag_counter_max);
    }
}

TEST_CASE("incumbent fault: what follows a mix kernel waits for both of its sides")
{
    graph_data d;
    d.add_buffer("b");
    d.add_kernel("mix", kernel_type::mix_aic_1_2, 24);
    d.add_effect(0, access::out).sides = on_aic_bit;
    d.add_effect(0, access::out).sides = on_aiv_bit;
    d.add_kernel("cube", kernel_type::aic_only, 24);
    d.add_effect(0, access::in);
    const host::planned p = host::plan(d.view());
    CHECK(p.counts.barriers[static_cast<int>(barrier_kind::all_aic)] == 1);
    CHECK(p.counts.barriers[static_cast<int>(barrier_kind::all_aiv)] +
              p.counts.barriers[static_cast<int>(barrier_kind::aiv_to_aic)] >=
          1);
    CHECK(host::prove(d.view(), p.view()).empty());
}

TEST_CASE("incumbent fault: a dynamic vector kernel may use every vector core of a 1:2 launch")
{
    graph_data d;
    d.add_kernel("mix", kernel_type::mix_aic_1_2, 24);
    d.add_kernel("tiled", kernel_type::aiv_only, 48).dynamic = true;
    const host::planned p = host::plan(d.view());
    CHECK(find(const_cast<std::vector<step>&>(p.steps[aiv]), op::call)->kernel == 0);
    const auto call = std::find_if(p.steps[aiv].begin(), p.steps[aiv].end(),
                                   [](const step& x) { return x.what == op::call && x.kernel == 1; });
    REQUIRE(call != p.steps[aiv].end());
    CHECK(call->cores == core_range{0, 48, 1});
    CHECK(count(p.steps[aiv], op::flush) == 4); // around both
    CHECK(host::prove(d.view(), p.view()).empty());
}

TEST_CASE("incumbent fault: a dynamic kernel of one side leaves no flag that the other side waits for")
{
    for (const kernel_type t : {kernel_type::aic_only, kernel_type::aiv_only}) {
        graph_data d;
        d.add_kernel("cube", kernel_type::aic_only, 24).opaque = true;
        d.add_kernel("dynamic", t, 24).dynamic = true;
        d.kernels[1].opaque = true;
        d.add_kernel("vector", kernel_type::aiv_only, 48).opaque = true;
        const host::planned p = host::plan(d.view());
        CHECK(host::prove(d.view(), p.view()).empty());
        d.policy.sync = sync_policy::every_pair;
        CHECK(host::prove(d.view(), host::plan(d.view()).view()).empty());
    }
}

TEST_CASE("incumbent faults of feed-sync-all: flushes, code preload and dynamic counts beside it")
{
    for (const cache_policy cache : {cache_policy::planned, cache_policy::after, cache_policy::around}) {
        for (const bool dynamic : {false, true}) {
            graph_data d;
            d.policy.preload = preload_policy::per_kernel;
            d.add_buffer("b");
            d.add_kernel("wide", kernel_type::mix_aic_1_2, 3);
            d.add_effect(0, access::out);
            kernel_desc& k = d.add_kernel("narrow", kernel_type::aiv_only, dynamic ? 6 : 4);
            k.sync_all = 3;
            k.idle = idle_policy::feed;
            k.cache = cache;
            k.dynamic = dynamic;
            d.add_effect(0, access::inout);
            const host::planned p = host::plan(d.view());
            CHECK(p.counts.fed_sync_all == 3);
            CHECK(host::check(d.view()).empty());
            CHECK(host::prove(d.view(), p.view()).empty());
            CHECK(test::simulate(d.view(), p.view()).empty());
        }
    }
}

TEST_CASE("a SyncAll over both sides is fed on both, whoever runs the kernel")
{
    for (const kernel_type t : {kernel_type::aiv_only, kernel_type::mix_aic_1_1, kernel_type::mix_aic_1_2}) {
        graph_data d;
        d.add_kernel("wide", kernel_type::mix_aic_1_2, 3);
        kernel_desc& k = d.add_kernel("narrow", t, 2);
        k.sync_all = 1;
        k.scope = sync_scope::all;
        k.idle = idle_policy::feed;
        k.ratio = ratio_policy::aiv0_only;
        k.task_view = true;
        const host::planned p = host::plan(d.view());
        CHECK(host::check(d.view()).empty());
        CHECK(host::prove(d.view(), p.view()).empty());
        CHECK(test::simulate(d.view(), p.view()).empty());
    }
}
