/// @file
/// What the emulator reports. Host only.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace skt::emu {

/// The kind of fault.
enum class finding_kind : std::uint8_t {
    deadlock,           ///< No core can go on.
    step_limit,         ///< The run took too many steps, or cores poll for something that never comes.
    data_race,          ///< Two cores touch the same bytes of GM, one writes, nothing orders them.
    pipe_hazard,        ///< Two pipes of one core touch the same bytes, one writes, nothing orders them.
    stale_read,         ///< The scalar unit read a cached line that GM has since outgrown.
    lost_write,         ///< Bytes written by one core were overwritten by another core's cache line.
    false_sharing,      ///< Two cores hold dirty copies of one cache line.
    counter_overflow,   ///< A cross-core flag counter may pass 15.
    unbalanced_flags,   ///< A flag was left set, or was taken by somebody else's wait.
    undeclared_access,  ///< A kernel touched what it did not declare.
    out_of_bounds,      ///< A GM access outside every buffer, or an on-chip access outside the memory.
    uninitialised_read, ///< Bytes that nobody wrote were used.
    buffer_overflow,    ///< More on-chip memory was asked for than the core has.
    misuse              ///< A rule of the API was broken (illegal pipe, flag id, alignment, launch type).
};
inline constexpr int finding_kind_count = 14;

/// The name used in messages and JSON.
constexpr const char* to_string(finding_kind k)
{
    switch (k) {
    case finding_kind::deadlock:
        return "deadlock";
    case finding_kind::step_limit:
        return "step_limit";
    case finding_kind::data_race:
        return "data_race";
    case finding_kind::pipe_hazard:
        return "pipe_hazard";
    case finding_kind::stale_read:
        return "stale_read";
    case finding_kind::lost_write:
        return "lost_write";
    case finding_kind::false_sharing:
        return "false_sharing";
    case finding_kind::counter_overflow:
        return "counter_overflow";
    case finding_kind::unbalanced_flags:
        return "unbalanced_flags";
    case finding_kind::undeclared_access:
        return "undeclared_access";
    case finding_kind::out_of_bounds:
        return "out_of_bounds";
    case finding_kind::uninitialised_read:
        return "uninitialised_read";
    case finding_kind::buffer_overflow:
        return "buffer_overflow";
    case finding_kind::misuse:
        return "misuse";
    }
    return "?";
}

/// One side of a finding: which core, in which kernel, doing what, where in the source.
struct place {
    std::string core{};   ///< "aic3", "aiv7"; empty if no core is meant.
    std::string kernel{}; ///< Name of the sub-kernel; empty outside of one.
    std::string what{};   ///< The instruction, with its pipe.
    std::string file{};
    int line = 0;

    std::string text() const
    {
        if (core.empty()) {
            return {};
        }
        return fmt::format("{}{}{}{}", core, kernel.empty() ? "" : " in " + kernel, what.empty() ? "" : ": " + what,
                           line > 0 ? fmt::format(" ({}:{})", file, line) : "");
    }
};

/// One fault, reported once however often it occurs at the same two places.
struct finding {
    finding_kind kind{};
    std::string message{};    ///< One sentence: what is wrong, with names and numbers.
    std::string fix{};        ///< One sentence: what to change.
    place first{};            ///< The culprit or the earlier access.
    place second{};           ///< The other access, if there are two.
    std::string buffer{};     ///< GM buffer or on-chip memory, if one is involved.
    std::uint64_t offset = 0; ///< First byte concerned, from the buffer's start.
    std::uint64_t bytes = 0;  ///< How many bytes, as far as known.
    std::uint64_t count = 1;  ///< How often it was seen.

    /// Several lines for a terminal.
    std::string text() const
    {
        std::string s = fmt::format("{}: {}\n", to_string(kind), message);
        if (!first.core.empty()) {
            s += fmt::format("  by   {}\n", first.text());
        }
        if (!second.core.empty()) {
            s += fmt::format("  and  {}\n", second.text());
        }
        if (!buffer.empty()) {
            s += fmt::format("  at   {} + {} ({} bytes)\n", buffer, offset, bytes);
        }
        if (!fix.empty()) {
            s += fmt::format("  fix  {}\n", fix);
        }
        if (count > 1) {
            s += fmt::format("  seen {} times\n", count);
        }
        return s;
    }
};

inline void to_json(nlohmann::json& j, const place& p)
{
    j = {{"core", p.core}, {"kernel", p.kernel}, {"what", p.what}, {"file", p.file}, {"line", p.line}};
}
inline void to_json(nlohmann::json& j, const finding& f)
{
    j = {{"kind", to_string(f.kind)}, {"message", f.message}, {"fix", f.fix},
         {"first", f.first},          {"second", f.second},   {"buffer", f.buffer},
         {"offset", f.offset},        {"bytes", f.bytes},     {"count", f.count}};
}

} // namespace skt::emu
