/// @file
/// One predicate per rule. `SuperKernel` uses each through `::value` in a `static_assert`, so that compilers print the
/// sentence, the first kernel at fault and the labelled numbers. Device-safe.
#pragma once

#include <skt/describe/describe.hpp>
#include <skt/plan/rules.hpp>

#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <cstddef>
#include <type_traits>

namespace skt::check {

// ---- labels: they only make numbers readable in a compiler's message
// -----------------------------------------------------------

template <int N>
struct cores_wanted;
template <int N>
struct cores_on_the_chip;
template <int N>
struct cores_of_the_kernel;
template <int N>
struct cores_launched;
template <int N>
struct blocks;
template <int N>
struct flag_id;
template <int N>
struct highest_free_id;
template <int N>
struct sets_outstanding;
template <int N>
struct counter_limit;
template <int N>
struct tpipes;
template <int N>
struct arguments_needed;
template <int N>
struct argument_limit;
template <int N>
struct arguments_taken;
template <int N>
struct arguments_given;
template <int N>
struct argument_number;
template <int N>
struct position;
template <int N>
struct cores_writing;
/// The kernel at fault.
template <class K>
struct kernel;
/// The kernel that comes first of two.
template <class K>
struct first_kernel;
/// The kernel that comes second of two.
template <class K>
struct then_kernel;
/// The tag of a GM buffer.
template <class Tag>
struct buffer;
struct nobody;

// ---- predicates: true where the rule holds. Each has a `value` of its own: g++ then prints the predicate with its
// facts -------------

template <bool Holds, class... Facts>
struct has_kernels {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct block_count_is_positive {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct launch_fits_the_chip {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct ratio_fits_the_launch {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct sync_all_reaches_every_core {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct sync_all_has_both_sides {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct flag_id_is_free {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct counter_stays_in_bounds {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct flag_ids_do_not_clash {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct tpipes_are_drained {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct scalar_writes_keep_to_their_lines {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct early_start_matches {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct dynamic_kernel_starts_in_order {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct argument_count_fits {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct hazard_is_ordered {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct scalar_access_is_flushed {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct pipes_are_drained_between {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct flags_end_at_zero {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct every_core_moves_on {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct program_is_well_formed {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct tag_is_passed_in_one_way {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct argument_fits_its_parameter {
    static constexpr bool value = Holds;
};

/// The `I`-th of `Ks`, or `nobody` for -1.
template <int I, class... Ks>
struct nth {
    using type = boost::mp11::mp_at_c<boost::mp11::mp_list<Ks...>, static_cast<std::size_t>(I)>;
};
template <class... Ks>
struct nth<-1, Ks...> {
    using type = nobody;
};

template <bool Holds, class... Facts>
struct type_is_a_sub_kernel {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct kernel_says_where_it_runs {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct option_string_is_understood {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct aliases_name_buffers {
    static constexpr bool value = Holds;
};

/// The first broken rule in the order of `rule`, or -1. Only that one is reported: later rules often break because of
/// it.
constexpr int first_broken(const finding_table& t)
{
    for (int r = 0; r < rule_count; ++r) {
        if (t.count[r] > 0) {
            return r;
        }
    }
    return -1;
}

/// Every rule about a plan, one `static_assert` each. Instantiated once per super kernel.
template <class Plan, class... Ks>
struct enforce {
    static constexpr int mixed = Plan::info::map.mixed_use;
    using faults = detail::description_faults<Ks...>;
    static constexpr bool described = mixed < 0 && !Plan::data.unknown_alias && Plan::data.wrong_option.ok() &&
                                      faults::no_kernel < 0 && faults::no_cores < 0;
    static constexpr int broken = described ? first_broken(Plan::findings) : -1;
    static constexpr finding found = broken < 0 ? finding{} : Plan::findings.first[broken < 0 ? 0 : broken];
    using at = typename nth<found.kernel, Ks...>::type;
    using other = typename nth<found.other, Ks...>::type;
    template <int Buffer>
    struct tag_of {
        using type = typename boost::mp11::mp_at_c<typename Plan::info::all_params,
                                                   static_cast<std::size_t>(
                                                       Plan::info::map.first_of_buffer[Buffer < 0 ? 0 : Buffer])>::tag;
    };
    struct no_tag {
        using type = nobody;
    };
    using tag = typename std::conditional_t<(found.buffer < 0), no_tag, tag_of<found.buffer>>::type;
    template <rule R>
    static constexpr bool holds = broken != static_cast<int>(R);

    template <int Param>
    struct tag_of_param {
        using type =
            typename boost::mp11::mp_at_c<typename Plan::info::all_params, static_cast<std::size_t>(Param)>::tag;
    };
    using mixed_tag = typename std::conditional_t<(mixed < 0), no_tag, tag_of_param<(mixed < 0 ? 0 : mixed)>>::type;
    static_assert(
        type_is_a_sub_kernel<(faults::no_kernel < 0), kernel<typename nth<faults::no_kernel, Ks...>::type>>::value,
        "[skt no-sub-kernel] a type given to SuperKernel is no sub-kernel: use skt::kernel<...>, give it a nested "
        "'description' or nested 'cores', 'params' and a static run(task, args...), or specialise skt::kernel_traits");
    static_assert(
        kernel_says_where_it_runs<(faults::no_cores < 0), kernel<typename nth<faults::no_cores, Ks...>::type>>::value,
        "[skt no-cores] say exactly once where a sub-kernel runs: skt::aiv<N>, skt::aic<N>, skt::mix_aiv<N>, "
        "skt::mix_aic<N> or skt::mix<1, 2, N>");
    static_assert(
        tag_is_passed_in_one_way<(mixed < 0), buffer<mixed_tag>>::value,
        "[skt one-tag-two-ways] a tag is a buffer for one sub-kernel and a value for another: use one tag for each");
    static_assert(
        aliases_name_buffers < mixed >= 0 || !Plan::data.unknown_alias > ::value,
        "[skt unknown-alias] skt::alias<A, B> names a buffer that no sub-kernel has: use the tags of the parameters");
    template <option_fault F>
    static constexpr bool option_holds = Plan::data.wrong_option.fault != F;
    using option_at = position<Plan::data.wrong_option.at.begin>;
    static_assert(option_string_is_understood<option_holds<option_fault::missing_equals>, option_at>::value,
                  "[skt option-string] an option string has a part without '=': write name=value:name=value");
    static_assert(option_string_is_understood<option_holds<option_fault::unknown_option>, option_at>::value,
                  "[skt option-string] an option string names an option that there is not: docs/options.md lists them");
    static_assert(option_string_is_understood<option_holds<option_fault::not_for_a_plan>, option_at>::value,
                  "[skt option-string] an option string names an option that concerns the incumbent's own code "
                  "generation and means nothing here: leave it out");
    static_assert(option_string_is_understood<option_holds<option_fault::duplicate_option>, option_at>::value,
                  "[skt option-string] an option string says one option twice: say it once");
    static_assert(
        option_string_is_understood<option_holds<option_fault::bad_value>, option_at>::value,
        "[skt option-string] an option string gives an option a value that it cannot have: docs/options.md lists them");
    static_assert(option_string_is_understood<option_holds<option_fault::unknown_kernel>, option_at>::value,
                  "[skt option-string] an option string names a sub-kernel that there is not: name kernels with "
                  "skt::named, and spell them alike");
    static_assert(has_kernels<holds<rule::no_kernels>>::value,
                  "[skt no-kernels] SuperKernel<> fuses nothing: name at least one sub-kernel");
    static_assert(block_count_is_positive<holds<rule::block_count_zero>, kernel<at>, blocks<found.number>>::value,
                  "[skt block-count-zero] a sub-kernel runs on no block: give skt::aiv<N>, skt::aic<N> or "
                  "skt::mix<...> at least 1");
    static_assert(launch_fits_the_chip<holds<rule::launch_exceeds_soc>, kernel<at>, cores_wanted<found.number>,
                                       cores_on_the_chip<found.limit>>::value,
                  "[skt launch-exceeds-soc] a sub-kernel or a forced launch wants more cores than the chip has: lower "
                  "its block count "
                  "or plan for a larger chip with skt::on<...>");
    static_assert(
        ratio_fits_the_launch<holds<rule::ratio_1_1_in_1_2>, kernel<at>>::value,
        "[skt ratio-1-1-in-1-2] a 1:1 sub-kernel is launched 1:2 beside the others: let vector core 0 run it with "
        "skt::ratio<skt::ratio_policy::aiv0_only> and skt::task_fn, or let the body cope with both vector cores with "
        "skt::ratio_policy::adaptive");
    static_assert(sync_all_reaches_every_core<holds<rule::sync_all_on_fewer_cores>, kernel<at>,
                                              cores_of_the_kernel<found.number>, cores_launched<found.limit>>::value,
                  "[skt sync-all-on-fewer-cores] a sub-kernel calls SyncAll on fewer cores than are launched and would "
                  "hang: give it "
                  "all cores, or let idle cores join with skt::idle<skt::idle_policy::feed>");
    static_assert(sync_all_has_both_sides<holds<rule::sync_all_needs_mix>, kernel<at>>::value,
                  "[skt sync-all-needs-mix] a sub-kernel calls SyncAll<false> in a launch without both cube and vector "
                  "cores: use "
                  "SyncAll<true>, or force both sides with skt::at_least<Aic, Aiv>");
    static_assert(flag_id_is_free<holds<rule::flag_id_reserved>, kernel<at>, flag_id<found.number>,
                                  highest_free_id<found.limit>>::value,
                  "[skt flag-id-reserved] a sub-kernel uses a cross-core flag id that SyncAll (11 to 14) or the matmul "
                  "service (15) "
                  "owns, or none at all: choose one of 0 to 10");
    static_assert(counter_stays_in_bounds<holds<rule::flag_overflow>, kernel<at>, sets_outstanding<found.number>,
                                          counter_limit<found.limit>>::value,
                  "[skt flag-overflow] a cross-core flag can be set more often than its counter holds before anyone "
                  "waits: wait in "
                  "between, or use several flag ids");
    static_assert(flag_ids_do_not_clash<holds<rule::flag_id_clash>, first_kernel<other>, then_kernel<at>,
                                        flag_id<found.number>>::value,
                  "[skt flag-id-clash] a cross-core flag id is used by two parties at once: give one of the kernels "
                  "another id of 0 to "
                  "10 that neither they nor their matmul objects use");
    static_assert(tpipes_are_drained<holds<rule::several_pipes>, kernel<at>, tpipes<found.number>>::value,
                  "[skt several-pipes] a sub-kernel uses several TPipe objects, and TPipe::Destroy does not drain "
                  "under fusion: call "
                  "PipeBarrier<PIPE_ALL> between them and say skt::pipes<N, skt::drained>");
    static_assert(scalar_writes_keep_to_their_lines<holds<rule::false_sharing>, kernel<at>, buffer<tag>,
                                                    cores_writing<found.number>>::value,
                  "[skt false-sharing] several cores write scalars into one 64-byte line of a buffer and would lose "
                  "updates: align "
                  "the slices to lines (line_aligned in the partition), write by DMA, or let one block write");
    static_assert(early_start_matches<holds<rule::early_start_mismatch>, kernel<at>>::value,
                  "[skt early-start-mismatch] SetNextTaskStart or WaitPreTaskEnd of a sub-kernel does not match the "
                  "plan: declare "
                  "skt::signals_next and skt::awaits_previous exactly where the body calls them");
    static_assert(
        dynamic_kernel_starts_in_order<holds<rule::dynamic_blocks_early_start>, kernel<at>>::value,
        "[skt dynamic-blocks-early-start] a sub-kernel whose block count is known on the device only cannot use early "
        "start: drop skt::signals_next and skt::awaits_previous, or give a fixed block count");
    static_assert(
        argument_count_fits<holds<rule::too_many_arguments>, arguments_needed<found.number>,
                            argument_limit<found.limit>>::value,
        "[skt too-many-arguments] the super kernel needs more arguments than a launch can pass: pass structs with "
        "skt::tiling, share tags, or make intermediate buffers skt::temp");
    static_assert(
        hazard_is_ordered<holds<rule::unordered_hazard>, first_kernel<at>, then_kernel<other>, buffer<tag>>::value,
        "[skt unordered-hazard] two sub-kernels touch one buffer and nothing orders them: the sync policy in use "
        "leaves "
        "out a barrier that this hazard needs; use skt::sync<skt::sync_policy::planned>");
    static_assert(
        scalar_access_is_flushed<holds<rule::missing_flush>, first_kernel<at>, then_kernel<other>, buffer<tag>>::value,
        "[skt missing-flush] a scalar access can be lost or stale because no flush of the data cache stands between "
        "two "
        "sub-kernels: use skt::cache<skt::cache_policy::planned> or around");
    static_assert(pipes_are_drained_between<holds<rule::missing_drain>, kernel<at>>::value,
                  "[skt missing-drain] two sub-kernels run on one core without a drain of the pipes between them: this "
                  "is a fault of "
                  "the planner, please report it");
    static_assert(
        flags_end_at_zero<holds<rule::unbalanced_flags>, kernel<at>, flag_id<found.number>>::value,
        "[skt unbalanced-flags] a cross-core flag is not waited for as often as it is set: declare both ends of the "
        "kernel's flags with skt::cross_core");
    static_assert(every_core_moves_on<holds<rule::no_progress>, kernel<at>, flag_id<found.number>>::value,
                  "[skt no-progress] a core would wait forever: the order of waits and arrivals around this sub-kernel "
                  "has a cycle");
    static_assert(program_is_well_formed<holds<rule::malformed_program>, kernel<at>, position<found.number>>::value,
                  "[skt malformed-program] a step of the program is out of place: this is a fault of the planner, "
                  "please report it");
};

} // namespace skt::check
