/// @file
/// Reports as text for a terminal or a file. Host only.
#pragma once

#include <skt/report/document.hpp>

#include <fmt/color.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

namespace skt::report {

/// How text is written.
enum class style {
    plain, ///< No control characters.
    colour ///< With the terminal's colours.
};

/// Colour if `out` is a terminal and the environment does not say otherwise (NO_COLOR, TERM=dumb).
inline style style_for(std::FILE* out)
{
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool dumb = terminal != nullptr && std::string(terminal) == "dumb";
    return ::isatty(::fileno(out)) != 0 && (no_colour == nullptr || *no_colour == 0) && !dumb ? style::colour
                                                                                              : style::plain;
}

namespace detail {

inline fmt::text_style terminal_style(tone t)
{
    switch (t) {
    case tone::plain:
        return {};
    case tone::strong:
        return fmt::emphasis::bold;
    case tone::kernel:
        return fmt::fg(fmt::terminal_color::cyan);
    case tone::buffer:
        return fmt::fg(fmt::terminal_color::magenta);
    case tone::sync:
        return fmt::fg(fmt::terminal_color::yellow);
    case tone::cache:
        return fmt::fg(fmt::terminal_color::blue);
    case tone::dim:
        return fmt::emphasis::faint;
    case tone::good:
        return fmt::fg(fmt::terminal_color::green);
    case tone::bad:
        return fmt::fg(fmt::terminal_color::red) | fmt::emphasis::bold;
    }
    return {};
}

inline std::string to_text(const phrase& p, style s)
{
    if (s == style::plain) {
        return p.text();
    }
    std::string out;
    for (const piece& x : p.pieces()) {
        out += x.in == tone::plain ? x.text : fmt::format(terminal_style(x.in), "{}", x.text);
    }
    return out;
}

inline void append_line(std::string& out, std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    out += line;
    out += '\n';
}

inline void append_grid(std::string& out, const grid& g, style s)
{
    std::vector<std::size_t> width;
    for (const std::string& h : g.header) {
        width.push_back(h.size());
    }
    for (const auto& row : g.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            width[c] = width[c] < row[c].width() ? row[c].width() : width[c];
        }
    }
    const auto append_row = [&](const std::vector<phrase>& row) {
        std::string line = "  ";
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string fill(width[c] - row[c].width(), ' ');
            const bool right = c < g.right.size() && g.right[c];
            line += (right ? fill : "") + to_text(row[c], s) + (right ? "" : fill) + "  ";
        }
        append_line(out, line);
    };
    std::vector<phrase> header;
    for (const std::string& h : g.header) {
        header.push_back(phrase().add(h, tone::dim));
    }
    append_row(header);
    for (const auto& row : g.rows) {
        append_row(row);
    }
}

} // namespace detail

/// Draws a report as text.
inline std::string to_text(const document& d, style s = style::plain)
{
    std::string out;
    if (!d.title.empty()) {
        detail::append_line(out, detail::to_text(phrase().add(d.title, tone::strong), s));
    }
    for (const section& part : d.sections) {
        if (!out.empty()) {
            out += '\n';
        }
        if (!part.title.empty()) {
            detail::append_line(out, detail::to_text(phrase().add(part.title, tone::strong), s));
        }
        for (const phrase& p : part.lines) {
            detail::append_line(out, "  " + detail::to_text(p, s));
        }
        if (!part.table.header.empty()) {
            detail::append_grid(out, part.table, s);
        }
        for (const item& i : part.items) {
            detail::append_line(out, "  " + detail::to_text(i.head, s));
            for (const phrase& p : i.details) {
                detail::append_line(out, "      " + detail::to_text(p, s));
            }
        }
    }
    return out;
}

} // namespace skt::report
