/// @file
/// A strict little XML reader for the tests: throws where a browser would refuse a drawing.
#pragma once

#include <cctype>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace xml {

struct element {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text; ///< Its own text, without that of its children.
    int parent = -1;

    double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
    bool is(const std::string& css_class) const
    {
        const auto at = attributes.find("class");
        return at != attributes.end() && (" " + at->second + " ").find(" " + css_class + " ") != std::string::npos;
    }
};

class reader {
public:
    explicit reader(const std::string& text) : text_(text) {}

    std::vector<element> read()
    {
        std::vector<int> open;
        while (at_ < text_.size()) {
            if (text_[at_] != '<') {
                const std::size_t end = std::min(text_.find('<', at_), text_.size());
                const std::string piece = unescape(text_.substr(at_, end - at_));
                if (!open.empty()) {
                    out_[static_cast<std::size_t>(open.back())].text += piece;
                } else if (piece.find_first_not_of(" \n") != std::string::npos) {
                    fail("text outside the root");
                }
                at_ = end;
            } else if (text_.compare(at_, 2, "</") == 0) {
                at_ += 2;
                const std::string name = word();
                if (open.empty() || out_[static_cast<std::size_t>(open.back())].name != name) {
                    fail("</" + name + "> closes nothing");
                }
                expect('>');
                open.pop_back();
            } else {
                ++at_;
                if (open.empty() && !out_.empty()) {
                    fail("a second root");
                }
                element e;
                e.name = word();
                e.parent = open.empty() ? -1 : open.back();
                while (blank() && text_[at_] != '>' && text_[at_] != '/') {
                    const std::string key = word();
                    expect('=');
                    expect('"');
                    const std::size_t end = text_.find('"', at_);
                    if (end == std::string::npos || text_.substr(at_, end - at_).find('<') != std::string::npos) {
                        fail("an attribute without end");
                    }
                    if (!e.attributes.emplace(key, unescape(text_.substr(at_, end - at_))).second) {
                        fail("attribute " + key + " twice");
                    }
                    at_ = end + 1;
                }
                const bool empty = text_[at_] == '/';
                at_ += empty ? 1u : 0u;
                expect('>');
                out_.push_back(e);
                if (!empty) {
                    open.push_back(static_cast<int>(out_.size()) - 1);
                }
            }
        }
        if (!open.empty()) {
            fail("<" + out_[static_cast<std::size_t>(open.back())].name + "> is never closed");
        }
        return std::move(out_);
    }

private:
    [[noreturn]] void fail(const std::string& why) const
    {
        throw std::runtime_error(why + " at " + std::to_string(at_) + ": " + text_.substr(at_, 40));
    }
    void expect(char c)
    {
        if (at_ >= text_.size() || text_[at_] != c) {
            fail(std::string("no ") + c);
        }
        ++at_;
    }
    /// Skips blanks; false at the end of the text.
    bool blank()
    {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
        return at_ < text_.size();
    }
    std::string word()
    {
        const std::size_t start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-' ||
                                      text_[at_] == '_' || text_[at_] == ':')) {
            ++at_;
        }
        if (at_ == start) {
            fail("no name");
        }
        return text_.substr(start, at_ - start);
    }
    std::string unescape(const std::string& s) const
    {
        static const std::map<std::string, char> known{{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}};
        std::string out;
        for (std::size_t i = 0; i < s.size(); ++i) {
            const unsigned char c = static_cast<unsigned char>(s[i]);
            if (c == '&') {
                const std::size_t end = s.find(';', i);
                const auto entity = known.find(s.substr(i + 1, end == std::string::npos ? 0 : end - i - 1));
                if (entity == known.end()) {
                    fail("an entity that XML does not know");
                }
                out += entity->second;
                i = end;
            } else if (c < 0x20 && c != '\n' && c != '\t') {
                fail("a control character");
            } else {
                out += s[i];
            }
        }
        return out;
    }

    const std::string& text_;
    std::size_t at_ = 0;
    std::vector<element> out_;
};

/// Every element of a document, parents before children.
inline std::vector<element> read(const std::string& text)
{
    return reader(text).read();
}

/// Elements of a name, with a class if one is given.
inline std::vector<element> all(const std::vector<element>& from, const std::string& name, const std::string& css = "")
{
    std::vector<element> out;
    for (const element& e : from) {
        if (e.name == name && (css.empty() || e.is(css))) {
            out.push_back(e);
        }
    }
    return out;
}

/// Children of the `index`-th element with a name.
inline std::vector<element> children(const std::vector<element>& from, std::size_t index, const std::string& name)
{
    std::vector<element> out;
    for (const element& e : from) {
        if (e.parent == static_cast<int>(index) && e.name == name) {
            out.push_back(e);
        }
    }
    return out;
}

} // namespace xml
