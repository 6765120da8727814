/// @file
/// Option strings in the manner of TorchAir's super kernel scope ("feed-sync-all=1:dcci-before-kernel-start=a,b"), so
/// that people can carry their settings over. Errors are values; the incumbent drops a pair without '=' silently, this
/// does not. Plain values. Device-safe.
#pragma once

#include <skt/model/graph.hpp>

#include <cstdint>

namespace skt {

/// A stretch of an option string.
struct text_range {
    int begin = 0;
    int end = 0; ///< Behind the last character.
};

/// What an option string can say. Every option here has a meaning in a plan.
enum class option : std::uint8_t {
    feed_sync_all,  ///< 0, 1: idle cores at SyncAll are rejected, or fed.
    early_start,    ///< 0: no halves of barriers in kernel bodies; 1, 2: where kernels offer it.
    debug_sync_all, ///< 0, 1: all cores meet after every sub-kernel.
    debug_dcci_all, ///< 0, 1: drain and flush after every sub-kernel.
    debug_aic_num,  ///< Cube cores to launch at least; 0: as many as needed.
    debug_aiv_num,  ///< Vector cores to launch at least; 0: as many as needed.
    preload_code,   ///< per-func, max, none.
    dcci_before,    ///< Kernels to flush ahead of.
    dcci_after,     ///< Kernels to flush behind.
    dcci_disable,   ///< Kernels whose scalar accesses flush nothing.
    sync            ///< planned, every-pair: the kit's own option.
};
inline constexpr int option_count = 11;

/// The name of an option in a string.
constexpr const char* name_of(option o)
{
    constexpr const char* names[option_count] = {
        "feed-sync-all", "early-start",  "debug-sync-all",           "debug-dcci-all",        "debug-aic-num",
        "debug-aiv-num", "preload-code", "dcci-before-kernel-start", "dcci-after-kernel-end", "dcci-disable-on-kernel",
        "sync"};
    return names[static_cast<int>(o)];
}

/// What is wrong with an option string.
enum class option_fault : std::uint8_t {
    none,
    missing_equals,   ///< A pair without '='.
    unknown_option,   ///< A name that is no option.
    not_for_a_plan,   ///< An option of the incumbent that has no meaning here (`split-mode`, `func-align` and others).
    duplicate_option, ///< The same option twice.
    bad_value,        ///< A value that the option cannot have.
    unknown_kernel    ///< A list names a kernel that is not there.
};

/// What became of an option string: the first fault and where it is.
struct option_result {
    option_fault fault = option_fault::none;
    option where = option::sync; ///< The option at fault, where it is known.
    text_range at{};             ///< The characters at fault.
    constexpr bool ok() const { return fault == option_fault::none; }
};

/// A parsed option string. Lists of kernels stay text; `apply_options` finds the kernels.
struct option_set {
    option_result result{};
    bool given[option_count] = {};
    int number[option_count] = {};      ///< Values of options that are numbers or words.
    text_range list[option_count] = {}; ///< Values of options that are lists of kernel names.
};

namespace detail {

constexpr int length_of(const char* s)
{
    int n = 0;
    while (s[n] != '\0') {
        ++n;
    }
    return n;
}

constexpr bool same_text(const char* s, text_range r, const char* word)
{
    int i = 0;
    for (; r.begin + i < r.end; ++i) {
        if (word[i] == '\0' || s[r.begin + i] != word[i]) {
            return false;
        }
    }
    return word[i] == '\0';
}

constexpr text_range trimmed(const char* s, text_range r)
{
    while (r.begin < r.end && s[r.begin] == ' ') {
        ++r.begin;
    }
    while (r.begin < r.end && s[r.end - 1] == ' ') {
        --r.end;
    }
    return r;
}

/// The first part of `r` up to `separator`.
constexpr text_range first_part(const char* s, text_range r, char separator)
{
    int end = r.begin;
    while (end < r.end && s[end] != separator) {
        ++end;
    }
    return {r.begin, end};
}

constexpr bool is_list(option o)
{
    return o == option::dcci_before || o == option::dcci_after || o == option::dcci_disable;
}

/// A decimal number of at most `most`, or -1.
constexpr int number_in(const char* s, text_range r, int most)
{
    if (r.begin == r.end) {
        return -1;
    }
    int n = 0;
    for (int i = r.begin; i < r.end; ++i) {
        if (s[i] < '0' || s[i] > '9' || n > most) {
            return -1;
        }
        n = 10 * n + (s[i] - '0');
    }
    return n > most ? -1 : n;
}

/// The value of an option that is no list, or -1.
constexpr int value_in(option o, const char* s, text_range r)
{
    switch (o) {
    case option::feed_sync_all:
    case option::debug_sync_all:
    case option::debug_dcci_all:
        return number_in(s, r, 1);
    case option::early_start:
        return number_in(s, r, 2);
    case option::debug_aic_num:
    case option::debug_aiv_num:
        return number_in(s, r, 65535);
    case option::preload_code:
        return same_text(s, r, "none") ? 0 : same_text(s, r, "per-func") ? 1 : same_text(s, r, "max") ? 2 : -1;
    case option::sync:
        return same_text(s, r, "planned") ? 0 : same_text(s, r, "every-pair") ? 1 : -1;
    case option::dcci_before:
    case option::dcci_after:
    case option::dcci_disable:
        break;
    }
    return -1;
}

/// Options of the incumbent that concern its own code generation.
constexpr bool is_foreign(const char* s, text_range r)
{
    constexpr const char* names[] = {"stream-fusion",   "split-mode", "func-align",         "profiling",
                                     "compile-options", "link-mode",  "strict-scope-check", "preload-data"};
    for (const char* n : names) {
        if (same_text(s, r, n)) {
            return true;
        }
    }
    return false;
}

/// Reads one `name=value`.
constexpr option_result read_pair(const char* s, text_range pair, option_set& set)
{
    const text_range left = first_part(s, pair, '=');
    const text_range name = trimmed(s, left);
    if (left.end == pair.end) {
        return {option_fault::missing_equals, option::sync, pair};
    }
    const text_range value = trimmed(s, {left.end + 1, pair.end});
    int which = 0;
    while (which < option_count && !same_text(s, name, name_of(static_cast<option>(which)))) {
        ++which;
    }
    if (which == option_count) {
        return {is_foreign(s, name) ? option_fault::not_for_a_plan : option_fault::unknown_option, option::sync, name};
    }
    const option o = static_cast<option>(which);
    if (set.given[which]) {
        return {option_fault::duplicate_option, o, name};
    }
    set.given[which] = true;
    if (is_list(o)) {
        set.list[which] = value;
        return value.begin == value.end ? option_result{option_fault::bad_value, o, value} : option_result{};
    }
    set.number[which] = value_in(o, s, value);
    return set.number[which] < 0 ? option_result{option_fault::bad_value, o, value} : option_result{};
}

constexpr int kernel_named(const kernel_desc* kernels, int count, const char* s, text_range name)
{
    for (int k = 0; k < count; ++k) {
        if (same_text(s, name, kernels[k].name)) {
            return k;
        }
    }
    return -1;
}

/// Kernel `k`'s cache policy once the lists have named it.
constexpr cache_policy listed(cache_policy now, option o)
{
    const bool before = now == cache_policy::before || now == cache_policy::around || o == option::dcci_before;
    const bool after = now == cache_policy::after || now == cache_policy::around || o == option::dcci_after;
    return before && after ? cache_policy::around : before ? cache_policy::before : cache_policy::after;
}

} // namespace detail

/// Parses an option string. An empty string is an empty set.
constexpr option_set parse_options(const char* s)
{
    option_set set{};
    text_range rest = detail::trimmed(s, {0, detail::length_of(s)});
    while (rest.begin < rest.end && set.result.ok()) {
        const text_range pair = detail::first_part(s, rest, ':');
        set.result = detail::read_pair(s, pair, set);
        if (set.result.ok() && pair.end + 1 == rest.end) {
            set.result = {option_fault::missing_equals, option::sync, {rest.end, rest.end}}; // ends with ':'
        }
        rest.begin = pair.end < rest.end ? pair.end + 1 : rest.end;
    }
    return set;
}

/// Applies parsed options to the policies of a super kernel and of its kernels, whose names the lists use.
/// Answers the first fault. Where the string itself is wrong nothing is changed; where a list names an unknown kernel,
/// what came before it is.
constexpr option_result apply_options(const char* s, const option_set& set, graph_policy& policy, kernel_desc* kernels,
                                      int kernel_count)
{
    if (!set.result.ok()) {
        return set.result;
    }
    const auto given = [&set](option o) { return set.given[static_cast<int>(o)]; };
    const auto number = [&set](option o) { return set.number[static_cast<int>(o)]; };
    policy.early_start = given(option::early_start) ? number(option::early_start) > 0 : policy.early_start;
    policy.sync_after_each =
        given(option::debug_sync_all) ? number(option::debug_sync_all) > 0 : policy.sync_after_each;
    policy.flush_after_each =
        given(option::debug_dcci_all) ? number(option::debug_dcci_all) > 0 : policy.flush_after_each;
    policy.at_least_aic = given(option::debug_aic_num) ? number(option::debug_aic_num) : policy.at_least_aic;
    policy.at_least_aiv = given(option::debug_aiv_num) ? number(option::debug_aiv_num) : policy.at_least_aiv;
    policy.preload =
        given(option::preload_code) ? static_cast<preload_policy>(number(option::preload_code)) : policy.preload;
    policy.sync = given(option::sync) ? static_cast<sync_policy>(number(option::sync)) : policy.sync;
    for (int k = 0; given(option::feed_sync_all) && k < kernel_count; ++k) {
        kernels[k].idle = number(option::feed_sync_all) > 0 ? idle_policy::feed : idle_policy::reject;
    }
    // A kernel in the disable list flushes nothing, whatever the other lists say.
    constexpr option lists[] = {option::dcci_before, option::dcci_after, option::dcci_disable};
    for (const option o : lists) {
        text_range rest = set.list[static_cast<int>(o)];
        while (given(o) && rest.begin <= rest.end) {
            const text_range part = detail::first_part(s, rest, ',');
            const text_range name = detail::trimmed(s, part);
            const int k = detail::kernel_named(kernels, kernel_count, s, name);
            if (k < 0) {
                return {option_fault::unknown_kernel, o, name};
            }
            kernels[k].cache = o == option::dcci_disable ? cache_policy::none : detail::listed(kernels[k].cache, o);
            rest.begin = part.end + 1;
        }
    }
    return {};
}

/// Whether an option string is well formed, for `static_assert(skt::options_ok("feed-sync-all=1"))`. Kernel names are
/// looked at when the options are applied.
constexpr bool options_ok(const char* s)
{
    return parse_options(s).result.ok();
}

} // namespace skt
