/// @file
/// Where temp buffers lie in the workspace. Plain values. Device-safe.
///
/// A temp is alive from the first to the last kernel that names it. Temps that are never alive together may share
/// bytes; the hazards of the plan then order their kernels, since `overlap` sees their places.
#pragma once

#include <skt/model/effect.hpp>
#include <skt/model/kernel_desc.hpp>
#include <skt/model/reset.hpp>

#include <cstdint>

namespace skt {

/// Alignment of every temp, bytes. Eight data-cache lines, so temps never share one; the vendor's tuning guide advises
/// GM addresses at multiples of 512 for full copy bandwidth.
inline constexpr std::int64_t workspace_alignment = 512;

/// Memory of the placement: one per buffer.
struct temp_slot {
    int first = -1;          ///< First kernel that uses the bytes; -1: none.
    int last = -1;           ///< Last kernel that uses the bytes.
    int leader = -1;         ///< The temp whose place this one takes (itself unless declared to alias another temp).
    int next = -1;           ///< Next temp in the list of placed ones, by offset.
    bool placed = false;     ///< Its place is found.
    std::int64_t extent = 0; ///< Bytes to reserve: the largest of the temps with this leader, aligned.
};

/// Temps that `place_temps` places without memory of the caller's; beyond, none share bytes.
inline constexpr int temp_slot_limit = 512;
/// Up to so many temps are placed largest first, which packs best; more are placed in order of birth, which is linear.
inline constexpr int temps_by_size_limit = 64;

namespace detail {

constexpr std::int64_t workspace_aligned(std::int64_t bytes)
{
    return (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
}

/// Fills lifetimes, leaders and extents.
constexpr void measure_temps(const buffer_desc* buffers, int count, const kernel_desc* kernels, int kernel_count,
                             const effect* effects, temp_slot* slots)
{
    int aliased = 0;
    for (int b = 0; b < count; ++b) {
        slots[b] = temp_slot{};
        slots[b].leader = b;
        slots[b].extent = workspace_aligned(buffers[b].bytes);
        aliased += buffers[b].region != b;
    }
    // Looking for aliases compares pairs; where every region is its buffer's own number there are none.
    for (int b = 0; aliased > 0 && b < count; ++b) {
        for (int a = 0; buffers[b].temp && a < b && slots[b].leader == b; ++a) {
            if (buffers[a].temp && buffers[a].region == buffers[b].region) {
                slots[b].leader = a;
                slots[a].extent = slots[b].extent > slots[a].extent ? slots[b].extent : slots[a].extent;
            }
        }
    }
    for (int k = 0; k < kernel_count; ++k) {
        for (int i = 0; i < kernels[k].effect_count; ++i) {
            const int b = effects[kernels[k].first_effect + i].buffer;
            if (buffers[b].temp) {
                temp_slot& s = slots[slots[b].leader];
                s.first = s.first < 0 ? k : s.first;
                s.last = k;
            }
        }
    }
}

/// Temps placed so far, by offset.
struct placed_list {
    int head = -1;
    std::int64_t total = 0;
};

/// Puts temp `b` at the lowest place that is free while it is alive. Drops from the list what died before
/// `dead_before`.
constexpr void place_first_fit(placed_list& list, buffer_desc* buffers, temp_slot* slots, int b, int dead_before)
{
    const temp_slot& own = slots[b];
    std::int64_t offset = 0;
    int behind = -1; // the last placed temp that starts below the offset found
    int previous = -1;
    for (int p = list.head; p >= 0; p = slots[p].next) {
        if (slots[p].last < dead_before) {
            (previous < 0 ? list.head : slots[previous].next) = slots[p].next;
            continue;
        }
        const bool together = slots[p].first <= own.last && own.first <= slots[p].last;
        if (together && buffers[p].offset >= offset + own.extent) {
            break; // sorted by offset: the hole before p is large enough
        }
        if (together && buffers[p].offset + slots[p].extent > offset) {
            offset = buffers[p].offset + slots[p].extent;
        }
        previous = p;
    }
    for (int p = list.head; p >= 0 && buffers[p].offset < offset; p = slots[p].next) {
        behind = p;
    }
    buffers[b].offset = offset;
    slots[b].next = behind < 0 ? list.head : slots[behind].next;
    (behind < 0 ? list.head : slots[behind].next) = b;
    slots[b].placed = true;
    list.total = offset + own.extent > list.total ? offset + own.extent : list.total;
}

/// Sets `shared` of temps that overlap another: sorts them by offset and compares each with what came before.
constexpr void mark_shared_temps(buffer_desc* buffers, int count, temp_slot* slots)
{
    int head = -1;
    int newest = -1; // a good place to start from: temps are often placed in rising order
    for (int b = 0; b < count; ++b) {
        if (!buffers[b].temp || slots[b].leader != b) {
            continue;
        }
        int behind = newest >= 0 && buffers[newest].offset <= buffers[b].offset ? newest : -1;
        for (int p = behind < 0 ? head : slots[behind].next; p >= 0 && buffers[p].offset <= buffers[b].offset;
             p = slots[p].next) {
            behind = p;
        }
        slots[b].next = behind < 0 ? head : slots[behind].next;
        (behind < 0 ? head : slots[behind].next) = b;
        newest = b;
    }
    int widest = -1; // the temp that reaches furthest so far
    for (int p = head; p >= 0; p = slots[p].next) {
        if (widest >= 0 && buffers[p].offset < buffers[widest].offset + buffers[widest].bytes) {
            buffers[p].shared = true;
            buffers[widest].shared = true;
        }
        if (widest < 0 || buffers[p].offset + buffers[p].bytes > buffers[widest].offset + buffers[widest].bytes) {
            widest = p;
        }
    }
}

} // namespace detail

/// Places the temps among `buffers`: sets their `offset`, and `shared` of those that overlap another temp. Answers the
/// bytes of the workspace. Temps of one region (declared aliases) get one place.
/// @param slots `count` of them, the placement's memory.
/// @pre Buffer indices of the effects are in range; every temp has `bytes` > 0.
constexpr std::int64_t place_temps(buffer_desc* buffers, int count, const kernel_desc* kernels, int kernel_count,
                                   const effect* effects, bool share, temp_slot* slots)
{
    detail::measure_temps(buffers, count, kernels, kernel_count, effects, slots);
    detail::placed_list list{};
    int leaders = 0;
    for (int b = 0; b < count; ++b) {
        if (!buffers[b].temp || slots[b].leader != b) {
            continue;
        }
        ++leaders;
        if (!share || slots[b].first < 0) { // nobody uses it, or nothing may be shared: a place of its own for ever
            slots[b].first = 0;
            slots[b].last = kernel_count;
        }
    }
    if (!share) {
        for (int b = 0; b < count; ++b) {
            if (buffers[b].temp && slots[b].leader == b) {
                buffers[b].offset = list.total;
                list.total += slots[b].extent;
            }
        }
    } else if (leaders <= temps_by_size_limit) {
        int order[temps_by_size_limit] = {}; // largest first
        int sorted = 0;
        for (int b = 0; b < count; ++b) {
            if (buffers[b].temp && slots[b].leader == b) {
                int at = sorted++;
                for (; at > 0 && slots[order[at - 1]].extent < slots[b].extent; --at) {
                    order[at] = order[at - 1];
                }
                order[at] = b;
            }
        }
        for (int i = 0; i < sorted; ++i) {
            detail::place_first_fit(list, buffers, slots, order[i], 0);
        }
    } else {
        for (int b = 0; b < count; ++b) { // those without a user are alive all the time: first of all
            if (buffers[b].temp && slots[b].leader == b && slots[b].last == kernel_count) {
                detail::place_first_fit(list, buffers, slots, b, 0);
            }
        }
        for (int k = 0; k < kernel_count; ++k) {
            for (int i = 0; i < kernels[k].effect_count; ++i) {
                const int b = slots[effects[kernels[k].first_effect + i].buffer].leader;
                if (buffers[b].temp && slots[b].first == k && !slots[b].placed) {
                    detail::place_first_fit(list, buffers, slots, b, k);
                }
            }
        }
    }
    if (share) {
        detail::mark_shared_temps(buffers, count, slots);
    }
    for (int b = 0; b < count; ++b) {
        if (buffers[b].temp && slots[b].leader != b) {
            buffers[b].offset = buffers[slots[b].leader].offset;
            buffers[b].shared = true;
            buffers[slots[b].leader].shared = true;
        }
    }
    return list.total;
}

/// As above with memory of its own, for at most `temp_slot_limit` buffers; more buffers share nothing.
constexpr std::int64_t place_temps(buffer_desc* buffers, int count, const kernel_desc* kernels, int kernel_count,
                                   const effect* effects, bool share)
{
    if (count <= temp_slot_limit) {
        temp_slot slots[temp_slot_limit] = {};
        reset(slots);
        return place_temps(buffers, count, kernels, kernel_count, effects, share, slots);
    }
    std::int64_t total = 0;
    for (int b = 0; b < count; ++b) {
        if (buffers[b].temp) {
            buffers[b].offset = total;
            total += detail::workspace_aligned(buffers[b].bytes);
        }
    }
    return total;
}

} // namespace skt
