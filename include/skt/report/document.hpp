/// @file
/// A report before it is drawn: sections of lines and tables whose parts carry a tone. Host only.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace skt::report {

/// What a piece of text stands for; each output draws it in its own way.
enum class tone {
    plain,
    strong,
    kernel, ///< A kernel's name.
    buffer, ///< A buffer's name.
    sync,   ///< An arrival, a wait, a barrier.
    cache,  ///< A flush or a drain.
    dim,    ///< Said in passing.
    good,
    bad
};

/// A piece of text in one tone.
struct piece {
    std::string text;
    tone in = tone::plain;
};

/// A line of text.
class phrase {
public:
    phrase() = default;
    phrase(const char* text) { add(text); }
    phrase(std::string text) { add(std::move(text)); }

    /// Appends text; answers itself.
    phrase& add(std::string text, tone in = tone::plain)
    {
        if (!text.empty()) {
            pieces_.push_back({std::move(text), in});
        }
        return *this;
    }
    phrase& add(const char* text, tone in = tone::plain) { return add(std::string(text), in); }
    phrase& add(const phrase& other)
    {
        pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
        return *this;
    }
    const std::vector<piece>& pieces() const { return pieces_; }
    bool empty() const { return pieces_.empty(); }

    /// The text without tones.
    std::string text() const
    {
        std::string out;
        for (const piece& p : pieces_) {
            out += p.text;
        }
        return out;
    }
    /// Columns it takes; bytes that continue a UTF-8 character take none.
    std::size_t width() const
    {
        std::size_t n = 0;
        for (const piece& p : pieces_) {
            for (const char c : p.text) {
                n += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1u : 0u;
            }
        }
        return n;
    }

private:
    std::vector<piece> pieces_;
};

/// Rows of cells under a header; every row has as many cells as the header.
struct grid {
    std::vector<std::string> header;
    std::vector<std::vector<phrase>> rows;
    std::vector<bool> right; ///< Per column: numbers, aligned to the right. Missing entries mean left.
};

/// A point with what there is to say about it.
struct item {
    phrase head;
    std::vector<phrase> details;
};

/// One part of a report: lines, then a table, then points. Each may be missing.
struct section {
    std::string title;
    std::vector<phrase> lines;
    bool listing = false; ///< The lines are a program: columns matter.
    grid table;
    std::vector<item> items;
};

/// A whole report.
struct document {
    std::string title;
    std::vector<section> sections;
};

} // namespace skt::report
