/// @file
/// One sentence per broken rule: the kernels, the buffer, the numbers, and the way out. Host only.
#pragma once

#include <skt/model/graph.hpp>
#include <skt/model/launch.hpp>
#include <skt/plan/flags.hpp>
#include <skt/plan/rules.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

namespace skt::host {

/// The severity of a finding, as plan files name it. Every rule is one whose breach makes the device hang, compute
/// wrong numbers or refuse the launch, and `SuperKernel` refuses each at compile time: all are errors.
inline const char* severity_of(rule)
{
    return "error";
}

/// Up to three cross-core flag ids that kernels may use and no kernel of the graph does, lowest first.
inline std::vector<int> free_flag_ids(const graph& g)
{
    std::vector<int> ids;
    for (int id = 0; id < flag_ids::all_aic && ids.size() < 3; ++id) {
        bool used = false;
        for (int k = 0; k < g.kernel_count; ++k) {
            used = used || uses_flag(g, g.kernels[k], id);
        }
        if (!used) {
            ids.push_back(id);
        }
    }
    return ids;
}

namespace detail {

inline std::string kernel_name(const graph& g, int k)
{
    if (k < 0 || k >= g.kernel_count) {
        return "the super kernel";
    }
    return g.kernels[k].name[0] != '\0' ? fmt::format("kernel '{}'", g.kernels[k].name)
                                        : fmt::format("kernel number {}", k);
}

inline std::string buffer_name(const graph& g, int b)
{
    if (b < 0 || b >= g.buffer_count) {
        return "memory that an opaque kernel may touch";
    }
    return g.buffers[b].name[0] != '\0' ? fmt::format("buffer '{}'", g.buffers[b].name)
                                        : fmt::format("buffer number {}", b);
}

inline std::string other_ids(const graph& g)
{
    const std::vector<int> ids = free_flag_ids(g);
    return ids.empty() ? std::string("no id of 0 to 10 is free, so let kernels share Matmul objects or flags")
                       : fmt::format("free ids are {}", fmt::join(ids, ", "));
}

inline const char* core_name(side s)
{
    return s == side::aic ? "cube" : "vector";
}

inline std::string clash_sentence(const graph& g, const finding& f)
{
    if (f.number < 0) {
        return fmt::format("No cross-core flag id is left for a barrier at {}, because kernels declare all of 0 to 10: "
                           "let some of them share ids, or split the super kernel.",
                           kernel_name(g, f.kernel));
    }
    if (f.kernel >= 0 && f.kernel == f.other) {
        const kernel_desc& k = g.kernels[f.kernel];
        if (f.number < 2 * k.matmul_objects) {
            return fmt::format(
                "{} uses cross-core flag id {} itself, which one of its {} Matmul objects owns (ids 0 to "
                "{}): {}.",
                kernel_name(g, f.kernel), f.number, k.matmul_objects, 2 * k.matmul_objects - 1, other_ids(g));
        }
        return fmt::format(
            "A barrier is awaited inside {} on cross-core flag id {}, which SyncAll in the same body uses: "
            "drop awaits_previous from that kernel.",
            kernel_name(g, f.kernel), f.number);
    }
    if (f.other >= 0) {
        return fmt::format(
            "{} and {} both use cross-core flag id {}, and nothing makes the first finish with it before "
            "the second starts: give one of them another id; {}.",
            kernel_name(g, f.other), kernel_name(g, f.kernel), f.number, other_ids(g));
    }
    return fmt::format("Cross-core flag id {} carries a barrier while {} may use it, or set it again before all have "
                       "seen it: give the barrier another id; {}.",
                       f.number, kernel_name(g, f.kernel), other_ids(g));
}

inline std::string unbalanced_sentence(const graph& g, const finding& f)
{
    if (f.kernel >= 0) {
        return fmt::format(
            "{} uses cross-core flag id {}, and {} {} core{} of its group stand{} aside, so that a set or "
            "a wait has no partner: run the kernel on all cores of the launch, or declare both ends of "
            "the flag.",
            kernel_name(g, f.kernel), f.number, f.limit, core_name(f.where), f.limit == 1 ? "" : "s",
            f.limit == 1 ? "s" : "");
    }
    return fmt::format("Cross-core flag id {} is left at {} on the {} cores: wait for it as often as it is set.",
                       f.number, f.limit, core_name(f.where));
}

inline std::string flush_sentence(const graph& g, const finding& f)
{
    if (f.number == 0) {
        return fmt::format(
            "Scalar writes of {} to {} may still sit in a data cache when {} touches it: flush behind the "
            "first with cache policy 'planned' or 'after', or write by DMA.",
            kernel_name(g, f.kernel), buffer_name(g, f.buffer), kernel_name(g, f.other));
    }
    return fmt::format(
        "Scalar accesses of {} to {} may hit cache lines that were loaded before {} wrote it: flush ahead "
        "of the kernel with cache policy 'planned' or 'before', or read by DMA.",
        kernel_name(g, f.other), buffer_name(g, f.buffer), kernel_name(g, f.kernel));
}

inline std::string launch_sentence(const graph& g, const finding& f)
{
    if (f.kernel >= 0) {
        return fmt::format("{} wants {} {} cores and {} has {}: lower its block count, or plan for a larger chip.",
                           kernel_name(g, f.kernel), f.number, core_name(f.where), g.chip.name, f.limit);
    }
    return fmt::format("The launch takes {} {} cores and {} has {}: lower the block counts or the forced launch shape.",
                       f.number, core_name(f.where), g.chip.name, f.limit);
}

} // namespace detail

/// Says what a finding means, in one sentence.
inline std::string sentence(const graph& g, const finding& f)
{
    using namespace detail;
    const std::string kernel = kernel_name(g, f.kernel);
    const std::string other = kernel_name(g, f.other);
    const std::string buffer = buffer_name(g, f.buffer);
    std::string text;
    switch (f.broken) {
    case rule::no_kernels:
        text = "There is nothing to fuse: name at least one kernel.";
        break;
    case rule::block_count_zero:
        text = fmt::format("{} runs on {} blocks: give it at least 1.", kernel, f.number);
        break;
    case rule::launch_exceeds_soc:
        text = launch_sentence(g, f);
        break;
    case rule::ratio_1_1_in_1_2:
        text =
            fmt::format("{} is made for one vector core per cube core and is launched with two: choose ratio "
                        "'aiv0_only' with a body that reads its block index from the task view, or 'adaptive' if the "
                        "body copes with both.",
                        kernel);
        break;
    case rule::sync_all_on_fewer_cores:
        text = fmt::format("{} calls SyncAll on {} of {} {} cores and would hang: run it on all of them, or let idle "
                           "cores join with policy 'feed'.",
                           kernel, f.number, f.limit, core_name(f.where));
        break;
    case rule::sync_all_needs_mix:
        text = fmt::format("{} calls SyncAll<false> in a launch of {} cube and {} vector cores, which needs both: call "
                           "SyncAll<true>, or force both kinds of core into the launch.",
                           kernel, f.number, f.limit);
        break;
    case rule::flag_id_reserved:
        text = fmt::format("{} uses cross-core flag id {}, and kernels may use ids 0 to {} only (11 to 14 belong to "
                           "SyncAll, 15 to the matmul service): {}.",
                           kernel, f.number, f.limit, other_ids(g));
        break;
    case rule::flag_overflow:
        text =
            fmt::format("{} lets a cross-core flag be set {} times before anyone waits, and its counter holds {}: wait "
                        "in between, or use several ids; {}.",
                        kernel, f.number, f.limit, other_ids(g));
        break;
    case rule::flag_id_clash:
        text = clash_sentence(g, f);
        break;
    case rule::several_pipes:
        text = fmt::format(
            "{} uses {} TPipe objects one after the other, and TPipe::Destroy does not drain the pipes in a "
            "super kernel: call PipeBarrier<PIPE_ALL> between them and declare it.",
            kernel, f.number);
        break;
    case rule::false_sharing:
        text = fmt::format("{} writes {} by the scalar unit from {} cores whose slices share {}-byte cache lines, and "
                           "updates get lost: align the slices to lines, write by DMA, or let one block write.",
                           kernel, buffer, f.number, f.limit);
        break;
    case rule::early_start_mismatch:
        text =
            fmt::format("SetNextTaskStart and WaitPreTaskEnd around {} do not match the flags of the program: declare "
                        "signals_next and awaits_previous exactly where the body calls them, once on every path.",
                        kernel);
        break;
    case rule::dynamic_blocks_early_start:
        text = fmt::format("{} has a block count that is known on the device only and cannot use early start: drop "
                           "signals_next and awaits_previous, or fix the block count.",
                           kernel);
        break;
    case rule::too_many_arguments:
        text = fmt::format("The super kernel needs {} arguments and a launch passes at most {}: share buffers between "
                           "kernels, or make intermediate ones temps.",
                           f.number, f.limit);
        break;
    case rule::unordered_hazard:
        text = fmt::format(
            "{} and {} both touch {}, at least one of them writes, and nothing orders them: use sync policy "
            "'planned'.",
            kernel, other, buffer);
        break;
    case rule::missing_flush:
        text = flush_sentence(g, f);
        break;
    case rule::missing_drain:
        text =
            fmt::format("{} starts while pipes of the same core may still work for {}: drain the pipes between them.",
                        kernel, other);
        break;
    case rule::unbalanced_flags:
        text = unbalanced_sentence(g, f);
        break;
    case rule::no_progress:
        text = fmt::format("The {} cores wait forever at step {} (flag id {}): let the arrival that step {} needs come "
                           "before anything that waits for this side.",
                           core_name(f.where), f.limit, f.number, f.limit);
        break;
    case rule::malformed_program:
        text =
            fmt::format("Step {} of the {} side's program is out of place for {}: calls must be there once per side, "
                        "in list order, on the kernel's own cores, and flags must be 0 to 15.",
                        f.number, core_name(f.where), kernel);
        break;
    }
    if (text[0] >= 'a' && text[0] <= 'z') {
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text;
}

} // namespace skt::host
