/// @file
/// Reports as a self-contained HTML page: no network, no script. Host only.
#pragma once

#include <skt/report/document.hpp>
#include <skt/report/svg.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

namespace skt::report {

namespace detail {

inline std::string to_html(const phrase& p)
{
    std::string out;
    for (const piece& x : p.pieces()) {
        static constexpr const char* names[] = {"",      "strong", "kernelname", "buffername", "sync",
                                                "cache", "dim",    "good",       "bad"};
        const char* name = names[static_cast<std::size_t>(x.in)];
        out += x.in == tone::plain ? xml_escape(x.text)
                                   : fmt::format("<span class=\"t-{}\">{}</span>", name, xml_escape(x.text));
    }
    return out;
}

inline std::string page_css()
{
    return "body{margin:24px auto;max-width:1560px;padding:0 16px;background:var(--bg);color:var(--ink);"
           "font:14px/1.45 system-ui,'DejaVu Sans',sans-serif}h1{font-size:22px}h2{font-size:17px;margin-top:28px}"
           "h3{font-size:14px;margin:18px 0 6px}table{border-collapse:collapse;font-size:13px}td,th{padding:3px 10px;"
           "border-bottom:1px solid var(--line);text-align:left}td.n,th.n{text-align:right}pre,.wide{overflow-x:auto}"
           "pre{background:var(--panel);padding:10px;border-radius:6px;font-size:12.5px}ul{padding-left:20px;margin:"
           "4px 0}"
           ".t-strong{font-weight:600}.t-kernelname{color:var(--vector);font-weight:600}.t-buffername{color:var(--mix)}"
           ".t-sync{color:var(--bar)}.t-cache{color:var(--flush)}.t-dim{color:var(--soft)}"
           ".t-good{color:var(--good);font-weight:600}.t-bad{color:var(--bad);font-weight:600}"
           ":root{--good:#2f855a;--bad:#c53030}@media (prefers-color-scheme: "
           "dark){:root{--good:#68d391;--bad:#fc8181}}";
}

} // namespace detail

/// Draws a report as a part of a page.
inline std::string to_html(const document& d)
{
    std::string out = fmt::format("<h2>{}</h2>\n", xml_escape(d.title));
    for (const section& part : d.sections) {
        if (!part.title.empty()) {
            out += fmt::format("<h3>{}</h3>\n", xml_escape(part.title));
        }
        if (part.listing) {
            out += "<pre>";
            for (const phrase& p : part.lines) {
                out += detail::to_html(p) + '\n';
            }
            out += "</pre>\n";
        } else {
            for (const phrase& p : part.lines) {
                out += "<div>" + detail::to_html(p) + "</div>\n";
            }
        }
        if (!part.table.header.empty()) {
            const auto css_class = [&part](std::size_t c) {
                return c < part.table.right.size() && part.table.right[c] ? " class=\"n\"" : "";
            };
            out += "<div class=\"wide\"><table><tr>";
            for (std::size_t c = 0; c < part.table.header.size(); ++c) {
                out += fmt::format("<th{}>{}</th>", css_class(c), xml_escape(part.table.header[c]));
            }
            out += "</tr>\n";
            for (const auto& row : part.table.rows) {
                out += "<tr>";
                for (std::size_t c = 0; c < row.size(); ++c) {
                    out += fmt::format("<td{}>{}</td>", css_class(c), detail::to_html(row[c]));
                }
                out += "</tr>\n";
            }
            out += "</table></div>\n";
        }
        if (!part.items.empty()) {
            out += "<ul>\n";
            for (const item& i : part.items) {
                out += "<li>" + detail::to_html(i.head) + "<ul>\n";
                for (const phrase& p : i.details) {
                    out += "<li>" + detail::to_html(p) + "</li>\n";
                }
                out += "</ul></li>\n";
            }
            out += "</ul>\n";
        }
    }
    return out;
}

/// A whole page around parts made by `to_html` and drawings made by the SVG functions.
inline std::string html_page(const std::string& title, const std::vector<std::string>& parts)
{
    std::string out =
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"color-scheme\" "
                    "content=\"light dark\"><title>{0}</title><style>{1}{2}</style></head>\n<body><h1>{0}</h1>\n",
                    xml_escape(title), palette_css(), detail::page_css());
    for (const std::string& p : parts) {
        const bool drawing = p.rfind("<svg", 0) == 0;
        out += drawing ? "<div class=\"wide\">" + p + "</div>\n" : p;
    }
    return out + "</body></html>\n";
}

} // namespace skt::report
