/// @file
/// Which pipe touched which bytes of on-chip memory, as far as some other pipe may not know it yet. Host only.
#pragma once

#include <skt/emu/clock.hpp>
#include <skt/emu/pipe.hpp>
#include <skt/emu/span.hpp>
#include <skt/emu/where.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skt::emu {

/// One access of a pipe to on-chip memory.
struct local_access {
    event_number number = 0;
    mem memory = mem::ub;
    bool write = false;
    std::uint64_t first = 0;
    span blocks;
    const char* what = "";
    const char* kernel = "";
    where at;

    bool same_bytes(const local_access& o) const
    {
        return memory == o.memory && write == o.write && first == o.first && blocks == o.blocks;
    }
};

/// The accesses of one core, a list per pipe, oldest first. Only the newest of equal accesses is kept: whoever is
/// ordered after it is ordered after the older ones too.
class local_log {
public:
    /// The newest access of pipe `q` that touches a byte of `a`, clashes with it, and is newer than `known`; or null.
    const local_access* clash(const local_access& a, pipe q, event_number known) const
    {
        const std::vector<local_access>& list = lists_[static_cast<std::size_t>(q)];
        for (auto it = list.rbegin(); it != list.rend() && it->number > known; ++it) {
            if (it->memory == a.memory && (it->write || a.write) && overlap(a.first, a.blocks, it->first, it->blocks)) {
                return &*it;
            }
        }
        return nullptr;
    }
    /// Adds an access of pipe `p`. `known_to_all`: what every other pipe knows of `p`; older accesses can be forgotten.
    void add(pipe p, const local_access& a, event_number known_to_all)
    {
        std::vector<local_access>& list = lists_[static_cast<std::size_t>(p)];
        const std::size_t window = std::min<std::size_t>(list.size(), 8);
        for (std::size_t k = 0; k < window; ++k) {
            const std::size_t i = list.size() - 1 - k;
            if (list[i].same_bytes(a)) {
                list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
                break;
            }
        }
        list.push_back(a);
        if (list.size() > limit_[static_cast<std::size_t>(p)]) {
            compact(p, known_to_all);
        }
    }
    void clear()
    {
        for (auto& l : lists_) {
            l.clear();
        }
        limit_.fill(first_limit);
    }

private:
    static constexpr std::size_t first_limit = 64;

    void compact(pipe p, event_number known_to_all)
    {
        std::vector<local_access>& list = lists_[static_cast<std::size_t>(p)];
        std::vector<local_access> kept;
        for (auto it = list.rbegin(); it != list.rend() && it->number > known_to_all; ++it) {
            const bool seen =
                std::any_of(kept.begin(), kept.end(), [&](const local_access& k) { return k.same_bytes(*it); });
            if (!seen) {
                kept.push_back(*it);
            }
        }
        list.assign(kept.rbegin(), kept.rend());
        limit_[static_cast<std::size_t>(p)] = std::max(first_limit, list.size() * 2);
    }

    std::array<std::vector<local_access>, pipe_count> lists_;
    std::array<std::size_t, pipe_count> limit_{first_limit, first_limit, first_limit, first_limit,
                                               first_limit, first_limit, first_limit};
};

} // namespace skt::emu
