/// @file
/// Who touched which bytes of GM in this launch, per 64-byte line with one bit per byte. Host only.
#pragma once

#include <skt/emu/clock.hpp>
#include <skt/emu/pipe.hpp>
#include <skt/emu/where.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace skt::emu {

/// What an access to GM did.
enum class gm_action : std::uint8_t {
    read,
    write,
    atomic,    ///< Added to by DMA: commutes with itself.
    line_write ///< A data-cache line written back: the whole line, of which only the dirty bytes were meant.
};
constexpr bool is_write(gm_action a)
{
    return a != gm_action::read;
}

/// One instruction that touched GM.
struct gm_op {
    event_number number = 0;
    std::uint16_t core = 0;
    pipe on = pipe::s;
    bool uncached = false; ///< By the scalar unit, past its cache: the way to signal through a word of GM.
    gm_action action = gm_action::read;
    std::uint64_t dirty = 0; ///< For line_write: the bytes that were meant.
    event_number stored = 0; ///< For line_write: the latest store into the line.
    const char* what = "";
    const char* kernel = "";
    where at;
};

/// What is remembered of one line: bytes, and the instruction that touched them.
struct gm_record {
    std::uint64_t bytes = 0;
    std::uint32_t op = 0;
    std::uint32_t action = 0;
};

/// The records of one line. Most lines have one.
struct gm_line {
    gm_record first;
    std::vector<gm_record> more;

    template <class F>
    void for_each(F f)
    {
        if (first.bytes != 0) {
            f(first);
        }
        for (gm_record& r : more) {
            f(r);
        }
    }
    void tidy()
    {
        more.erase(std::remove_if(more.begin(), more.end(), [](const gm_record& r) { return r.bytes == 0; }),
                   more.end());
    }
    void add(gm_record r)
    {
        if (first.bytes == 0) {
            first = r;
        } else {
            more.push_back(r);
        }
    }
};

/// The lines of one buffer, allocated in pages when first touched, forgotten at the next launch.
class gm_shadow {
public:
    static constexpr std::uint64_t line_bytes = 64;
    static constexpr std::uint64_t page_lines = 64;

    void resize(std::uint64_t bytes) { pages_.resize(bytes / (line_bytes * page_lines) + 1); }
    gm_line& line(std::uint64_t index, std::uint64_t launch)
    {
        std::unique_ptr<page>& p = pages_[index / page_lines];
        if (!p) {
            p = std::make_unique<page>();
        }
        if (p->launch != launch) {
            for (gm_line& l : p->lines) {
                l.first.bytes = 0;
                l.more.clear();
            }
            p->launch = launch;
        }
        return p->lines[index % page_lines];
    }
    void clear() { pages_.clear(); }

private:
    struct page {
        std::uint64_t launch = 0;
        std::array<gm_line, page_lines> lines{};
    };
    std::vector<std::unique_ptr<page>> pages_;
};

} // namespace skt::emu
