/// @file
/// What is wrong with an option string, in one sentence. Host only.
#pragma once

#include <skt/plan/options.hpp>

#include <fmt/format.h>

#include <string>

namespace skt::host {

namespace detail {

inline std::string all_options()
{
    std::string names;
    for (int i = 0; i < option_count; ++i) {
        names += (i > 0 ? ", " : "") + std::string(name_of(static_cast<option>(i)));
    }
    return names;
}

inline const char* values_of(option o)
{
    switch (o) {
    case option::feed_sync_all:
    case option::debug_sync_all:
    case option::debug_dcci_all:
        return "0 or 1";
    case option::early_start:
        return "0, 1 or 2";
    case option::debug_aic_num:
    case option::debug_aiv_num:
        return "a number of cores from 0 to 65535";
    case option::preload_code:
        return "none, per-func or max";
    case option::dcci_before:
    case option::dcci_after:
    case option::dcci_disable:
        return "a list of kernel names with commas between them";
    case option::sync:
        return "planned or every-pair";
    }
    return "";
}

} // namespace detail

/// Says what is wrong with option string `s`; empty if nothing is.
inline std::string sentence(const std::string& s, const option_result& r)
{
    const auto begin = static_cast<std::size_t>(r.at.begin);
    const std::string text =
        begin <= s.size() ? s.substr(begin, static_cast<std::size_t>(r.at.end - r.at.begin)) : std::string();
    const char* name = name_of(r.where);
    switch (r.fault) {
    case option_fault::none:
        return "";
    case option_fault::missing_equals:
        return fmt::format("Option '{}' at character {} has no '=': write name=value, with ':' between options.", text,
                           begin);
    case option_fault::unknown_option:
        return fmt::format("'{}' is no option: the options are {}.", text, detail::all_options());
    case option_fault::not_for_a_plan:
        return fmt::format("Option '{}' belongs to another engine's code generation and means nothing here: leave it "
                           "out; the options are {}.",
                           text, detail::all_options());
    case option_fault::duplicate_option:
        return fmt::format("Option '{}' is given twice: give it once.", name);
    case option_fault::bad_value:
        return fmt::format("Option '{}' cannot be '{}': it is {}.", name, text, detail::values_of(r.where));
    case option_fault::unknown_kernel:
        return fmt::format("Option '{}' names a kernel '{}' that is not in the super kernel: use the kernels' names.",
                           name, text);
    }
    return "";
}

} // namespace skt::host
