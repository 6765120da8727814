/// @file
/// Every rule a super kernel must keep, by its stable name. Plain values. Device-safe.
#pragma once

#include <skt/model/kernel_type.hpp>
#include <skt/model/reset.hpp>

#include <cstdint>

namespace skt {

/// The rules. Names in messages, plan files and documentation are those of `name_of`.
enum class rule : std::uint8_t {
    no_kernels,
    block_count_zero,
    launch_exceeds_soc,
    ratio_1_1_in_1_2,
    sync_all_on_fewer_cores,
    sync_all_needs_mix,
    flag_id_reserved,
    flag_overflow,
    flag_id_clash,
    several_pipes,
    false_sharing,
    early_start_mismatch,
    dynamic_blocks_early_start,
    too_many_arguments,
    unordered_hazard,
    missing_flush,
    missing_drain,
    unbalanced_flags,
    no_progress,
    malformed_program
};
inline constexpr int rule_count = 20;

constexpr const char* name_of(rule r)
{
    switch (r) {
    case rule::no_kernels:
        return "no-kernels";
    case rule::block_count_zero:
        return "block-count-zero";
    case rule::launch_exceeds_soc:
        return "launch-exceeds-soc";
    case rule::ratio_1_1_in_1_2:
        return "ratio-1-1-in-1-2";
    case rule::sync_all_on_fewer_cores:
        return "sync-all-on-fewer-cores";
    case rule::sync_all_needs_mix:
        return "sync-all-needs-mix";
    case rule::flag_id_reserved:
        return "flag-id-reserved";
    case rule::flag_overflow:
        return "flag-overflow";
    case rule::flag_id_clash:
        return "flag-id-clash";
    case rule::several_pipes:
        return "several-pipes";
    case rule::false_sharing:
        return "false-sharing";
    case rule::early_start_mismatch:
        return "early-start-mismatch";
    case rule::dynamic_blocks_early_start:
        return "dynamic-blocks-early-start";
    case rule::too_many_arguments:
        return "too-many-arguments";
    case rule::unordered_hazard:
        return "unordered-hazard";
    case rule::missing_flush:
        return "missing-flush";
    case rule::missing_drain:
        return "missing-drain";
    case rule::unbalanced_flags:
        return "unbalanced-flags";
    case rule::no_progress:
        return "no-progress";
    case rule::malformed_program:
        return "malformed-program";
    }
    return "?";
}

/// One broken rule. What the numbers mean is said at each rule in `sentence` (report/sentence.hpp) and in the
/// documentation.
struct finding {
    rule broken = rule::no_kernels;
    int kernel = -1; ///< The kernel at fault, -1 for none.
    int other = -1;  ///< A second kernel, -1 for none.
    int buffer = -1; ///< A buffer, -1 for none.
    int number = 0;  ///< What was found.
    int limit = 0;   ///< What it should have been.
    side where = side::aic;
};

/// The first finding of each rule, for the checks of `SuperKernel`.
struct finding_table {
    finding first[rule_count] = {};
    int count[rule_count] = {};
    int total = 0;

    constexpr finding_table() { reset(first); }
    constexpr void operator()(const finding& f)
    {
        const int r = static_cast<int>(f.broken);
        if (count[r] == 0) {
            first[r] = f;
        }
        ++count[r];
        ++total;
    }
    constexpr bool holds(rule r) const { return count[static_cast<int>(r)] == 0; }
};

/// Kernel arguments a launch can take. The vendor's launch protocol passes the pointers of a kernel in one block; the
/// limit is the kit's own and keeps argument blocks small.
inline constexpr int argument_limit = 1024;

} // namespace skt
