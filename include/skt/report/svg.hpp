/// @file
/// Small helpers for self-contained SVG. Host only.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace skt::report {

/// Text as XML wants it, in content and in attributes. Control characters, which XML cannot hold, become blanks.
inline std::string xml_escape(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
        }
    }
    return out;
}

/// A generous guess of the width of text in pixels: fonts differ between readers.
inline double text_width(std::string_view text, double font_size)
{
    double units = 0;
    for (const char c : text) {
        units += c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '@'                                       ? 0.92
                 : c == 'i' || c == 'l' || c == 'j' || c == 't' || c == 'f' || c == '.' || c == ' ' || c == ':' ? 0.38
                 : c >= 'A' && c <= 'Z'                                                                         ? 0.74
                                                                                                                : 0.61;
    }
    return units * font_size;
}

/// Text that fits into `width` pixels: its end is cut off and marked with an ellipsis where needed; empty if not even
/// three characters fit.
inline std::string fitted(std::string_view text, double width, double font_size)
{
    if (text_width(text, font_size) <= width) {
        return std::string(text);
    }
    std::size_t keep = text.size();
    while (keep > 0 && text_width(text.substr(0, keep), font_size) + font_size * 0.9 > width) {
        --keep;
    }
    while (keep > 0 && (static_cast<unsigned char>(text[keep]) & 0xc0u) == 0x80u) {
        --keep; // never half a character
    }
    return keep < 3 ? std::string() : std::string(text.substr(0, keep)) + "\u2026";
}

/// The colours of all drawings, light and dark, as style sheet text. Kernels get the classes k0 to k11 by their index.
/// Hues are spread for neighbours to differ; lightness is fixed so that text on them can be read.
inline std::string palette_css()
{
    static constexpr const char* light[12] = {"#4e79a7", "#b5651d", "#3d8b56", "#b3474b", "#7b5ea7", "#1f8a8c",
                                              "#9c6b30", "#a8508b", "#5a7d1f", "#3f6fb5", "#8a5a44", "#596a7c"};
    static constexpr const char* dark[12] = {"#6f9bd1", "#e08b3e", "#5fb87c", "#e0696d", "#a58ad6", "#45b5b8",
                                             "#c99653", "#d379b5", "#8fb548", "#6b9bea", "#bf8a70", "#8b9eb3"};
    std::string out = ":root{--bg:#ffffff;--ink:#1a202c;--soft:#5a6778;--line:#cbd5e0;--panel:#f7fafc;--pill:#edf2f7;"
                      "--cube:#b7791f;--vector:#2b6cb0;--mix:#6b46c1;--bar:#dd6b20;--barfill:#feebc8;--flush:#0987a0;"
                      "--wait:#d69e2e;--onkernel:#ffffff}";
    std::string night = ":root{--bg:#11161d;--ink:#e6edf3;--soft:#9aa7b5;--line:#37424f;--panel:#18202a;--pill:#26313d;"
                        "--cube:#d69e2e;--vector:#63a4e8;--mix:#a78bfa;--bar:#f6ad55;--barfill:#3a2a14;--flush:#4fd1e5;"
                        "--wait:#f6c343;--onkernel:#0d1117}";
    for (int i = 0; i < 12; ++i) {
        out += fmt::format(".k{}{{--k:{}}}", i, light[i]);
        night += fmt::format(".k{}{{--k:{}}}", i, dark[i]);
    }
    return out + "@media (prefers-color-scheme: dark){" + night + "}";
}

} // namespace skt::report
