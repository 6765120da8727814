// Broken programs: the prover rejects every mutant of a plan that can fail.
//
// Which mutants are equivalent to their plan is said by rule. Deleted arrivals, waits and feeds never are. Deleted
// drains are where nothing ran that anybody waits for, or where the debugging policy asked for them; deleted flushes
// where a policy asked for them or another flush clears the same lines. Of swapped neighbours and changed operands
// those are equivalent that the simulator, which runs every core on its own under every behaviour the declarations
// allow, finds nothing wrong with.
#include "graphs.hpp"
#include "simulate.hpp"

#include <catch.hpp>

#include <algorithm>

using namespace skt;
using namespace skt::test;

namespace {

struct program {
    launch_shape launch;
    std::vector<step> steps[2];

    program_view view() const
    {
        return {launch,
                {steps[0].data(), steps[1].data()},
                {static_cast<int>(steps[0].size()), static_cast<int>(steps[1].size())}};
    }
};

bool names_a_buffer_twice(const graph& g, const kernel_desc& k)
{
    for (int a = k.first_effect; a < k.first_effect + k.effect_count; ++a) {
        for (int b = k.first_effect; b < a; ++b) {
            if (overlap(g.buffers[g.effects[a].buffer], g.buffers[g.effects[b].buffer])) {
                return true;
            }
        }
    }
    return false;
}

/// Whether deleting the drain at `at` changes nothing the program relies on: no kernel ran on this side since the last
/// drain, or none that anybody waits for or that shares this side's memories runs afterwards.
/// A kernel that touches one buffer in two ways counts as reading and writing it, which may ask for more than it needs.
bool drain_is_idle(const graph& g, const program& p, int s, std::size_t at)
{
    const auto& list = p.steps[s];
    bool work_before = false;
    for (std::size_t i = at; i-- > 0 && list[i].what != op::drain;) {
        work_before = work_before || list[i].what == op::call;
        if (list[i].what == op::call && names_a_buffer_twice(g, g.kernels[list[i].kernel])) {
            return true;
        }
    }
    bool needed = false;
    for (std::size_t i = at + 1; i < list.size() && list[i].what != op::drain && !needed; ++i) {
        needed = list[i].what == op::call || list[i].what == op::arrive;
    }
    return !work_before || !needed;
}

/// Whether the plan puts a whole flush around this kernel whatever the hazards: by its policy, because nothing is known
/// of it, or because block counts are known on the device only.
bool flush_by_policy(const graph& g, int k)
{
    bool dynamic = false;
    for (int i = 0; i < g.kernel_count; ++i) {
        dynamic = dynamic || g.kernels[i].dynamic;
    }
    return dynamic || g.policy.flush_after_each || g.kernels[k].opaque || g.kernels[k].cache != cache_policy::planned;
}

/// Whether another flush of the same side takes care of the same lines, be it earlier or later.
bool flushed_elsewhere(const program& p, int s, std::size_t at)
{
    const step& x = p.steps[s][at];
    for (std::size_t i = 0; i < p.steps[s].size(); ++i) {
        const step& y = p.steps[s][i];
        if (i != at && y.what == op::flush &&
            (y.buffer < 0 || (x.buffer == y.buffer && x.lines > 0 && y.lines >= x.lines))) {
            return true;
        }
    }
    return false;
}

struct verdicts {
    long mutants = 0;
    long rejected = 0;
    long unharmed = 0; ///< Accepted, and the simulator finds nothing either.
};

/// Judges one mutant: an accepted one must hold in the simulator, which knows nothing of the prover.
void judge(const graph& g, const program& mutant, const char* what, verdicts& v, bool must_reject)
{
    ++v.mutants;
    const auto found = host::prove(g, mutant.view());
    if (!found.empty()) {
        ++v.rejected;
        return;
    }
    ++v.unharmed;
    const auto faults = simulate(g, mutant.view());
    if (must_reject || !faults.empty()) {
        INFO(what);
        INFO(describe(g, mutant.launch, mutant.steps));
        INFO((faults.empty() ? std::string("the simulator finds nothing") : faults[0]));
        REQUIRE(faults.empty());
        REQUIRE(!must_reject);
    }
}

void mutate(const graph& g, const host::planned& plan, verdicts& v)
{
    const program original{plan.launch, {plan.steps[0], plan.steps[1]}};
    for (int s = 0; s < 2; ++s) {
        for (std::size_t i = 0; i < original.steps[s].size(); ++i) {
            const step& x = original.steps[s][i];
            const auto edited = [&](auto edit, const char* what, bool must_reject) {
                program m = original;
                edit(m.steps[s]);
                INFO(to_string(static_cast<side>(s)) << " step " << i << ' ' << to_string(x.what));
                judge(g, m, what, v, must_reject);
            };
            const auto at = static_cast<std::ptrdiff_t>(i);
            // Deletions.
            if (x.what != op::preload) {
                bool equivalent = false;
                equivalent = equivalent ||
                             (x.what == op::drain && (g.policy.flush_after_each || drain_is_idle(g, original, s, i)));
                equivalent = equivalent || (x.what == op::flush &&
                                            (flush_by_policy(g, x.kernel) || flushed_elsewhere(original, s, i)));
                edited([&](auto& list) { list.erase(list.begin() + at); }, "deleted", !equivalent);
            }
            // Neighbours swapped.
            if (i + 1 < original.steps[s].size()) {
                edited([&](auto& list) { std::swap(list[i], list[i + 1]); }, "swapped", false);
            }
            // Operands changed.
            switch (x.what) {
            case op::arrive:
                edited([&](auto& list) { list[i].flag = (list[i].flag + 1) % flag_id_count; }, "other flag", true);
                edited([&](auto& list) { list.insert(list.begin() + at, x); }, "doubled", true);
                edited(
                    [&](auto& list) {
                        list[i].pipe = x.pipe == arrive_pipe::fix ? arrive_pipe::mte3 : arrive_pipe::fix;
                    },
                    "other pipe", false);
                if (x.cores.count > 1) {
                    edited([&](auto& list) { --list[i].cores.count; }, "one core less", true);
                }
                if (x.skip.count > 0) {
                    edited([&](auto& list) { list[i].skip = {}; }, "body and program both", true);
                    edited([&](auto& list) { ++list[i].skip.count; }, "one core forgotten", true);
                }
                break;
            case op::wait:
                edited([&](auto& list) { list[i].flag = (list[i].flag + 1) % flag_id_count; }, "other flag", true);
                edited([&](auto& list) { list.insert(list.begin() + at, x); }, "doubled", true);
                if (x.cores.count > 1) {
                    edited([&](auto& list) { --list[i].cores.count; }, "one core less", true);
                }
                if (x.skip.count > 0) {
                    edited([&](auto& list) { list[i].skip = {}; }, "body and program both", true);
                }
                break;
            case op::drain:
                if (x.cores.count > 1 && !g.policy.flush_after_each && !drain_is_idle(g, original, s, i)) {
                    edited([&](auto& list) { --list[i].cores.count; }, "one core less", true);
                }
                break;
            case op::flush:
                if (!flush_by_policy(g, x.kernel) && !flushed_elsewhere(original, s, i)) {
                    if (x.cores.count > 1) {
                        edited([&](auto& list) { --list[i].cores.count; }, "one core less", true);
                    }
                    if (x.buffer >= 0) {
                        edited(
                            [&](auto& list) {
                                list[i].buffer = -1 - x.buffer;
                                list[i].lines = 0;
                            },
                            "whole flush instead", false);
                        edited([&](auto& list) { --list[i].lines; }, "one line less", false);
                    }
                }
                break;
            case op::feed:
                edited([&](auto& list) { ++list[i].times; }, "once more", true);
                break;
            case op::call:
                if (x.early != 0) {
                    edited([&](auto& list) { list[i].early = 0; }, "not early", true);
                }
                edited([&](auto& list) { list[i].early ^= 1 << (i % 8); }, "another early bit", true);
                if (x.cores.count > 1) {
                    edited([&](auto& list) { --list[i].cores.count; }, "one core less", true);
                }
                break;
            case op::preload:
                break;
            }
        }
    }
}

} // namespace

TEST_CASE("mutation: the prover rejects every broken neighbour of a plan")
{
    flavour small;
    small.small = true;
    small.most_kernels = 7;
    verdicts v;
    const int count = rounds(150, 4000);
    for (int i = 0; i < count; ++i) {
        const unsigned seed = 3000000U + static_cast<unsigned>(i);
        const host::graph_data d = graph_maker(seed, small).make();
        graph g = d.view();
        INFO("seed " << seed);
        for (sync_policy sync : {sync_policy::planned, sync_policy::every_pair}) {
            g.policy.sync = sync;
            const host::planned p = host::plan(g);
            if (host::check(g).empty() && host::prove(g, p.view()).empty()) {
                mutate(g, p, v);
            }
            if (i % 4 != 0) {
                break;
            }
        }
    }
    WARN("mutants " << v.mutants << ", rejected " << v.rejected << ", unharmed " << v.unharmed);
    CHECK(v.rejected > v.mutants / 2);
}
