/// @file
/// Reports as Markdown. Host only.
#pragma once

#include <skt/report/subject.hpp>
#include <skt/report/summary.hpp>

#include <string>

namespace skt::report {

namespace detail {

/// Text that Markdown would read as marks is escaped; names are set as code, which needs none.
inline std::string to_markdown(const phrase& p)
{
    std::string out;
    for (const piece& x : p.pieces()) {
        if (x.in == tone::kernel || x.in == tone::buffer) {
            out += '`' + x.text + '`';
            continue;
        }
        const bool bold = x.in == tone::strong || x.in == tone::bad || x.in == tone::good;
        std::string text;
        for (const char c : x.text) {
            if (c == '|' || c == '*' || c == '_' || c == '<' || c == '`' || c == '#' || c == '[') {
                text += '\\';
            }
            text += c;
        }
        out += bold ? "**" + text + "**" : text;
    }
    return out;
}

inline void append_markdown_grid(std::string& out, const grid& g)
{
    const auto append_row = [&out](const auto& cells, auto&& draw) {
        out += '|';
        for (const auto& cell : cells) {
            out += ' ' + draw(cell) + " |";
        }
        out += '\n';
    };
    append_row(g.header, [](const std::string& h) { return to_markdown(phrase(h)); });
    out += '|';
    for (std::size_t c = 0; c < g.header.size(); ++c) {
        out += c < g.right.size() && g.right[c] ? "---:|" : "---|";
    }
    out += '\n';
    for (const auto& row : g.rows) {
        append_row(row, [](const phrase& p) { return to_markdown(p); });
    }
    out += '\n';
}

inline std::string without_indent(const phrase& p)
{
    const std::string text = to_markdown(p);
    const std::size_t at = text.find_first_not_of(' ');
    return at == std::string::npos ? std::string() : text.substr(at);
}

inline bool is_indented(const phrase& p)
{
    return !p.empty() && p.pieces().front().text.rfind("  ", 0) == 0;
}

} // namespace detail

/// Draws a report as Markdown.
inline std::string to_markdown(const document& d)
{
    std::string out = "# " + detail::to_markdown(d.title) + "\n\n";
    for (const section& part : d.sections) {
        out += "## " + detail::to_markdown(part.title) + "\n\n";
        if (part.listing) {
            out += "```text\n";
            for (const phrase& p : part.lines) {
                out += p.text() + '\n';
            }
            out += "```\n\n";
        } else if (!part.lines.empty()) {
            for (const phrase& p : part.lines) {
                out += "- " + detail::to_markdown(p) + '\n';
            }
            out += '\n';
        }
        if (!part.table.header.empty()) {
            detail::append_markdown_grid(out, part.table);
        }
        for (const item& i : part.items) {
            out += "- " + detail::to_markdown(i.head) + '\n';
            for (const phrase& p : i.details) {
                out += (detail::is_indented(p) ? "    - " : "  - ") + detail::without_indent(p) + '\n';
            }
        }
        if (!part.items.empty()) {
            out += '\n';
        }
    }
    return out;
}

/// Explains a plan of `g` as Markdown.
inline std::string markdown(const graph& g, const host::planned& p)
{
    return to_markdown(summary_of(g, p));
}

/// Explains a `SuperKernel` type as Markdown.
template <class SK>
std::string markdown()
{
    const named_graph_data g = named_graph<SK>();
    return markdown(g, planned_of<SK>());
}

} // namespace skt::report
