/// @file
/// Races, pipe hazards, incoherent caches, undeclared accesses: everything that compares an access with what went
/// before. Host only.
///
/// All of it goes by order (who is known to be done), never by what happened to be first in this schedule, so that a
/// fault shows under every seed.
#pragma once

#include <skt/emu/machine.hpp>
#include <skt/emu/span.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace skt::emu {

/// The newest event of pipe `q` of core `other` that `k`, held by core `c`, is ordered after.
inline event_number known_of(const core& c, const knowledge& k, int other, pipe q)
{
    if (other == c.index) {
        return k.own[static_cast<std::size_t>(q)];
    }
    return k.world ? k.world->at[static_cast<std::size_t>(other) * slots_per_core + static_cast<std::size_t>(q)] : 0;
}

/// Whether operation `o` is done for whoever holds `k`. A written-back line needs two things: the flush was issued
/// before (slot 7), and the store was known to be done then (a drain).
inline bool done_for(const core& c, const knowledge& k, const gm_op& o)
{
    if (o.action != gm_action::line_write) {
        return o.number <= known_of(c, k, o.core, o.on);
    }
    const event_number issued = o.core == c.index ? k.own[wait_slot]
                                : k.world         ? k.world->at[std::size_t{o.core} * slots_per_core + wait_slot]
                                                  : 0;
    return o.number <= issued && o.stored <= known_of(c, k, o.core, pipe::s);
}

/// Whether an access of pipe `p` of core `c` is ordered after operation `o`.
inline bool ordered(const machine& m, const core& c, pipe p, const gm_op& o)
{
    if (o.core == c.index) {
        if (o.on == p) {
            return true; // a pipe keeps its own order
        }
        if (o.on == pipe::s && (o.action == gm_action::read || !m.options.scalar_hazards)) {
            return true; // a load has delivered before anything later is issued
        }
    }
    return done_for(c, c.pipes[static_cast<std::size_t>(p)], o);
}

inline place place_of(const machine& m, const gm_op& o)
{
    return {m.cores()[o.core]->name, o.kernel, fmt::format("{} on {}", o.what, to_string(o.on)), o.at.file, o.at.line};
}
inline place place_here(const core& c, pipe p)
{
    return {c.name, c.at.kernel, fmt::format("{} on {}", c.at.what, to_string(p)), c.at.at.file, c.at.at.line};
}
inline std::string named(const char* kernel)
{
    return kernel[0] != 0 ? kernel : "the kernel";
}

/// Bits of one line for bytes [first, last) of it.
constexpr std::uint64_t line_bits(std::uint64_t first, std::uint64_t last)
{
    return (last - first >= 64 ? ~std::uint64_t{0} : ((std::uint64_t{1} << (last - first)) - 1)) << first;
}

/// Calls `f(line, bits)` for every line that a placed span touches.
template <class F>
void for_each_line(std::uint64_t offset, span s, F f)
{
    if (s.dense()) {
        s = {s.extent(), 1, 0};
    }
    std::uint64_t pending_line = ~std::uint64_t{0};
    std::uint64_t pending_bits = 0;
    for (std::uint64_t k = 0; k < s.count; ++k) {
        std::uint64_t first = offset + k * s.stride;
        const std::uint64_t last = first + s.bytes;
        while (first < last) {
            const std::uint64_t line = first / 64;
            const std::uint64_t end = std::min(last, (line + 1) * 64);
            if (line != pending_line) {
                if (pending_bits != 0) {
                    f(pending_line, pending_bits);
                }
                pending_line = line;
                pending_bits = 0;
            }
            pending_bits |= line_bits(first - line * 64, end - line * 64);
            first = end;
        }
    }
    if (pending_bits != 0) {
        f(pending_line, pending_bits);
    }
}

/// A finding about two operations on one line.
inline void report_clash(machine& m, const core& c, pipe p, gm_action action, const gm_op& o, const gm_block& b,
                         std::uint64_t line, std::uint64_t bits, finding_kind kind)
{
    const auto first_byte = static_cast<std::uint64_t>(__builtin_ctzll(bits));
    const bool same_core = o.core == c.index;
    const char* verb = action == gm_action::read ? "reads" : action == gm_action::atomic ? "adds to" : "writes";
    const char* old_verb = o.action == gm_action::read ? "reads" : o.action == gm_action::atomic ? "adds to" : "writes";
    const std::string& other = m.cores()[o.core]->name;
    finding f{kind, {}, {}, place_of(m, o), place_here(c, p)};
    f.buffer = b.name;
    f.offset = line * 64 + first_byte;
    f.bytes = static_cast<std::uint64_t>(__builtin_popcountll(bits));
    const std::string what = fmt::format("{} + {}", b.name, f.offset);
    switch (kind) {
    case finding_kind::lost_write:
        f.message = fmt::format("a cache line that {} writes back overwrites bytes of {} written by {} in {}",
                                o.action == gm_action::line_write ? other : c.name, what,
                                o.action == gm_action::line_write ? c.name : other, named(o.kernel));
        f.fix = "keep scalar writes and copies out of one 64-byte line, or flush the line on the scalar side before "
                "the other writes";
        break;
    case finding_kind::false_sharing:
        f.message = fmt::format(
            "{} and {} write different scalars of one cache line, {}: whoever writes the line back last wins", other,
            c.name, what);
        f.fix = "give each core a 64-byte line of its own, or write with DataCopyPad";
        break;
    case finding_kind::stale_read:
        if (!ordered(m, c, p, o)) { // stored in time, written back too late
            f.message = fmt::format("{} in {} reads {}, but what {} wrote there in {} is still in that core's cache",
                                    c.name, named(c.at.kernel), what, other, named(o.kernel));
            f.fix = fmt::format("flush with DataCacheCleanAndInvalid at the end of {}; in a super kernel declare the "
                                "scalar write (via_scalar)",
                                named(o.kernel));
            break;
        }
        f.message = fmt::format("{} on {} reads {} from a cache line loaded before {} wrote it in {}",
                                named(c.at.kernel), c.name, what, other, named(o.kernel));
        f.fix = fmt::format("flush with DataCacheCleanAndInvalid in {} before the read; in a super kernel declare the "
                            "scalar read (via_scalar)",
                            named(c.at.kernel));
        break;
    default:
        f.message = same_core ? fmt::format("{} of {} {} {} while {} {} it; no flag orders the two pipes", to_string(p),
                                            c.name, verb, what, to_string(o.on), old_verb)
                              : fmt::format("{} in {} {} {} while {} in {} {} it; nothing orders the two cores", c.name,
                                            named(c.at.kernel), verb, what, other, named(o.kernel), old_verb);
        f.fix = same_core
                    ? fmt::format("SetFlag and WaitFlag of {}_{} between the two", to_string(o.on), to_string(p))
                    : fmt::format(
                          "order {} after {}: a barrier between them, with the flag set on {} after the first access",
                          named(c.at.kernel), named(o.kernel), to_string(o.on == pipe::s ? pipe::mte3 : o.on));
    }
    m.report(std::move(f));
}

/// Compares an access with the records of one line and adds it. `dirty`: for line_write, the bytes that are meant.
/// `loaded`: for line_write, what the core knew when it loaded the line.
inline void access_line(machine& m, core& c, pipe p, gm_block& b, std::uint64_t line, std::uint64_t bits,
                        std::uint32_t op, gm_action action, std::uint64_t dirty, const knowledge* loaded)
{
    gm_line& l = b.shadow.line(line, m.launch_number);
    const auto clash = [&](const gm_record& r, const gm_op& o, std::uint64_t at, finding_kind kind) {
        if (m.last_clash != std::make_pair(r.op, op)) {
            m.last_clash = {r.op, op};
            report_clash(m, c, p, action, o, b, line, at, kind);
        }
    };
    bool cleared = false;
    bool merged = false;
    l.for_each([&](gm_record& r) {
        const gm_op& o = m.gm_ops[r.op];
        if (r.op == op) {
            r.bytes |= bits;
            merged = true;
            return;
        }
        const std::uint64_t meant = o.action == gm_action::line_write ? o.dirty & r.bytes : r.bytes;
        const std::uint64_t mine = action == gm_action::line_write ? dirty : bits;
        const bool before = ordered(m, c, p, o);
        const bool both_atomic = action == gm_action::atomic && o.action == gm_action::atomic;
        const bool unflushed = o.action == gm_action::line_write && !before &&
                               o.stored <= known_of(c, c.pipes[static_cast<std::size_t>(p)], o.core, pipe::s);
        const finding_kind kind = unflushed ? (is_write(action) ? finding_kind::lost_write : finding_kind::stale_read)
                                  : o.core == c.index ? finding_kind::pipe_hazard
                                                      : finding_kind::data_race;
        if ((meant & mine) != 0 && !before && !both_atomic && (is_write(action) || is_write(o.action)) &&
            r.action == 0) {
            if (o.uncached && c.uncached) {
                // both sides chose to signal this way; the reader learns what the writer knew (see uncached_load)
            } else if (action == gm_action::write && o.action == gm_action::write && kind == finding_kind::data_race) {
                pending_clash w{o, &b, line, meant & mine, {}};
                std::memcpy(w.before.data(), m.gm.storage(b.base) + line * 64,
                            std::min<std::uint64_t>(64, b.bytes - line * 64));
                c.pending.push_back(w);
            } else {
                clash(r, o, meant & mine, kind);
            }
            r.action = 1; // said once
        } else if (o.core != c.index && is_write(action) && is_write(o.action)) {
            // Bytes that only ride along in a written-back line.
            if (action == gm_action::line_write && (meant & ~mine) != 0 && loaded != nullptr &&
                !done_for(c, *loaded, o)) {
                clash(r, o, meant & ~mine,
                      o.action == gm_action::line_write ? finding_kind::false_sharing : finding_kind::lost_write);
            } else if (action != gm_action::line_write && o.action == gm_action::line_write &&
                       (bits & ~o.dirty & r.bytes) != 0 && !before) {
                clash(r, o, bits & ~o.dirty & r.bytes, finding_kind::lost_write);
            }
        }
        if (before || is_write(action)) {
            const bool replaces = action == gm_action::read     ? o.action == gm_action::read
                                  : action == gm_action::atomic ? !is_write(o.action) || o.action == gm_action::atomic
                                                                : true;
            if (replaces && (before || action != gm_action::atomic)) {
                r.bytes &= ~mine;
                cleared = cleared || r.bytes == 0;
            }
        }
    });
    if (cleared) {
        l.tidy();
    }
    if (!merged) {
        const bool said = std::find(m.said_lines.begin(), m.said_lines.end(), line) != m.said_lines.end();
        l.add({bits, op, said ? 1u : 0u});
    }
}

/// Reports the unordered writes of the current instruction that changed something.
inline void settle_pending(machine& m, core& c, pipe p)
{
    std::vector<pending_clash> list = std::move(c.pending);
    c.pending.clear();
    for (const pending_clash& w : list) {
        const std::byte* now = m.gm.storage(w.block->base) + w.line * 64;
        for (std::uint64_t k = 0; k < 64; ++k) {
            if ((w.bits >> k & 1u) != 0 && now[k] != w.before[k]) {
                report_clash(m, c, p, gm_action::write, w.earlier, *w.block, w.line, w.bits, finding_kind::data_race);
                break;
            }
        }
    }
}

/// Looks for unflushed bytes of some core's cache under a DMA access, or under a scalar access of another core.
inline void check_dirty(machine& m, core& c, pipe p, gm_block& b, std::uint64_t offset, span s, gm_action action)
{
    m.said_lines.clear();
    if (m.dirty_lines.empty()) {
        return;
    }
    const auto one = [&](std::uint64_t line, std::uint64_t bits) {
        const auto address = reinterpret_cast<std::uintptr_t>(b.base) / 64 + line;
        const auto found = m.dirty_lines.find(address);
        if (found == m.dirty_lines.end()) {
            return;
        }
        for (const int holder : found->second) {
            core& h = *m.cores()[static_cast<std::size_t>(holder)];
            if (holder == c.index && p == pipe::s) {
                continue; // its own cache answers
            }
            const auto entry = h.cache.find(address);
            if (entry == h.cache.end() || (entry->second.dirty & bits) == 0) {
                continue;
            }
            const cache_line& l = entry->second;
            const bool after =
                holder == c.index || l.stored <= known_of(c, c.pipes[static_cast<std::size_t>(p)], holder, pipe::s);
            const bool write = is_write(action);
            finding f{!after  ? finding_kind::data_race
                      : write ? finding_kind::lost_write
                              : finding_kind::stale_read,
                      {},
                      {},
                      {h.name, l.kernel, fmt::format("{} on S", l.what), l.at.file, l.at.line},
                      place_here(c, p)};
            f.buffer = b.name;
            f.offset = line * 64 + static_cast<std::uint64_t>(__builtin_ctzll(l.dirty & bits));
            f.bytes = static_cast<std::uint64_t>(__builtin_popcountll(l.dirty & bits));
            const std::string at = fmt::format("{} + {}", b.name, f.offset);
            if (!after) {
                f.message =
                    fmt::format("{} in {} {} {} while {} in {} writes it through its cache; nothing orders the two",
                                c.name, named(c.at.kernel), write ? "writes" : "reads", at, h.name, named(l.kernel));
                f.fix = "flush the line on the writing core, then let the other core wait for it";
            } else if (write) {
                f.message = fmt::format("{} in {} writes {} although the cache of {} still holds its own bytes for it: "
                                        "they will overwrite it",
                                        c.name, named(c.at.kernel), at, h.name);
                f.fix = fmt::format("flush with DataCacheCleanAndInvalid at the end of {}", named(l.kernel));
            } else {
                f.message =
                    fmt::format("{} in {} reads {}, but what {} wrote there in {} is still in that core's cache",
                                c.name, named(c.at.kernel), at, h.name, named(l.kernel));
                f.fix = fmt::format("flush with DataCacheCleanAndInvalid at the end of {}; in a super kernel declare "
                                    "the scalar write (via_scalar)",
                                    named(l.kernel));
            }
            m.report(std::move(f));
            m.said_lines.push_back(line);
        }
    };
    if (m.dirty_lines.size() < s.extent() / 64) { // few dirty lines under a large copy
        std::vector<std::uintptr_t> lines;
        const auto first = reinterpret_cast<std::uintptr_t>(b.base) / 64 + offset / 64;
        const auto last = first + s.extent() / 64 + 1;
        for (const auto& d : m.dirty_lines) {
            if (d.first >= first && d.first <= last) {
                lines.push_back(d.first);
            }
        }
        std::sort(lines.begin(), lines.end());
        for (const std::uintptr_t a : lines) {
            const std::uint64_t line = a - reinterpret_cast<std::uintptr_t>(b.base) / 64;
            std::uint64_t bits = 0;
            for (std::uint64_t k = 0; k < 64; ++k) {
                if (meets(line * 64 + k, line * 64 + k + 1, offset, s)) {
                    bits |= std::uint64_t{1} << k;
                }
            }
            if (bits != 0) {
                one(line, bits);
            }
        }
        return;
    }
    for_each_line(offset, s, one);
}

/// Compares an access with what the running sub-kernel declares.
inline void check_declared(machine& m, core& c, pipe p, const gm_block& b, std::uint64_t offset, span s,
                           gm_action action)
{
    if (c.declared == nullptr || c.declared_count == 0) {
        return;
    }
    const std::byte* from = b.base + offset;
    const std::byte* to = from + s.extent();
    const std::uint8_t unit = p == pipe::s ? declared_scalar : declared_dma;
    const char* why = nullptr;
    const declared_effect* near = nullptr;
    for (int i = 0; i < c.declared_count; ++i) {
        const declared_effect& e = c.declared[i];
        const auto* base = static_cast<const std::byte*>(e.base);
        if (base == nullptr) {
            continue;
        }
        const std::byte* end = e.bytes != 0 ? base + e.bytes : b.contains(base) ? b.base + b.bytes : base;
        if (from < base || to > end) {
            continue;
        }
        near = &e;
        if (e.what == declared_access::opaque) {
            return;
        }
        const bool fits = action == gm_action::read ? e.what == declared_access::in || e.what == declared_access::inout
                          : action == gm_action::atomic
                              ? e.what == declared_access::accumulate || e.what == declared_access::inout
                              : e.what == declared_access::out || e.what == declared_access::inout;
        if (!fits) {
            why = action == gm_action::read     ? "reads it but does not declare that (in, inout)"
                  : action == gm_action::atomic ? "adds to it but does not declare that (accumulate, inout)"
                                                : "writes it but does not declare that (out, inout)";
        } else if ((e.how & unit) == 0) {
            why = unit == declared_scalar ? "touches it with the scalar unit but declares copies only (add via_scalar)"
                                          : "copies it but declares scalar accesses only (add via_dma)";
        } else if (!(c.is_aic() ? e.on_aic : e.on_aiv)) {
            why = c.is_aic() ? "touches it on the cube side but declares the vector side only"
                             : "touches it on the vector side but declares the cube side only";
        } else if (e.slice_bytes != 0) {
            const auto block = static_cast<std::uint64_t>(c.is_aic() ? c.ai_core : c.ai_core * c.sub_count + c.sub);
            const auto at = static_cast<std::uint64_t>(from - base);
            if (at >= block * e.slice_bytes && at + s.extent() <= (block + 1) * e.slice_bytes) {
                return;
            }
            why = "touches a slice that belongs to another block (drop sliced, or stay inside the block's slice)";
        } else {
            return;
        }
    }
    finding f{finding_kind::undeclared_access, {}, {}, place_here(c, p)};
    f.buffer = b.name;
    f.offset = offset;
    f.bytes = s.extent();
    f.message = near == nullptr
                    ? fmt::format("{} on {} {} {} + {}, which is none of its declared arguments", named(c.kernel_name),
                                  c.name, action == gm_action::read ? "reads" : "writes", b.name, offset)
                    : fmt::format("{} on {} touches {} ({} + {}): it {}", named(c.kernel_name), c.name, near->name,
                                  b.name, offset, why);
    f.fix = fmt::format("make the declaration of {} say what the kernel does", named(c.kernel_name));
    m.report(std::move(f));
}

/// A copy between GM and on-chip memory, or an uncached scalar access.
inline void check_gm(machine& m, core& c, pipe p, gm_block& b, std::uint64_t offset, span s, gm_action action)
{
    check_declared(m, c, p, b, offset, s, action);
    check_dirty(m, c, p, b, offset, s, action);
    const auto op = static_cast<std::uint32_t>(m.gm_ops.size());
    m.gm_ops.push_back({c.latest[static_cast<std::size_t>(p)], static_cast<std::uint16_t>(c.index), p, c.uncached,
                        action, 0, 0, c.at.what, c.at.kernel, c.at.at});
    for_each_line(offset, s, [&](std::uint64_t line, std::uint64_t bits) {
        access_line(m, c, p, b, line, bits, op, action, 0, nullptr);
    });
}

/// An access to on-chip memory.
inline void check_local(machine& m, core& c, pipe p, mem where_, std::uint64_t addr, span s, bool write)
{
    const local_access a{
        c.latest[static_cast<std::size_t>(p)], where_, write, addr, s, c.at.what, c.at.kernel, c.at.at};
    const knowledge& k = c.pipes[static_cast<std::size_t>(p)];
    for (int q = 0; q < pipe_count; ++q) {
        const auto other = static_cast<pipe>(q);
        if (other == p || c.latest[static_cast<std::size_t>(q)] <= k.own[static_cast<std::size_t>(q)]) {
            continue;
        }
        if (const local_access* o = c.log.clash(a, other, k.own[static_cast<std::size_t>(q)])) {
            finding f{finding_kind::pipe_hazard,
                      fmt::format("{} of {} {} {} {} to {} while {} may still {} it; no flag orders the two pipes",
                                  to_string(p), c.name, write ? "writes" : "reads", to_string(where_), addr,
                                  addr + s.extent(), to_string(other), o->write ? "write" : "read"),
                      fmt::format("SetFlag and WaitFlag of {}_{} between the two, or EnQue and DeQue", to_string(other),
                                  to_string(p)),
                      {c.name, o->kernel, fmt::format("{} on {}", o->what, to_string(other)), o->at.file, o->at.line},
                      place_here(c, p)};
            if (o->kernel != c.at.kernel && std::strcmp(o->kernel, c.at.kernel) != 0) {
                f.fix = fmt::format("drain with PipeBarrier<PIPE_ALL> between {} and {}", named(o->kernel),
                                    named(c.at.kernel));
            }
            f.buffer = to_string(where_);
            f.offset = addr;
            f.bytes = s.extent();
            m.report(std::move(f));
        }
    }
    if (p == pipe::s && (!write || !m.options.scalar_hazards)) {
        return; // a load has delivered before anything later is issued
    }
    event_number all = ~event_number{0};
    for (int q = 0; q < pipe_count; ++q) {
        if (static_cast<pipe>(q) != p) {
            all = std::min(all, std::max(c.pipes[static_cast<std::size_t>(q)].own[static_cast<std::size_t>(p)],
                                         c.control.own[static_cast<std::size_t>(p)]));
        }
    }
    c.log.add(p, a, all);
}

// ---- the data cache ----

/// The line of address `a` in the core's cache, loaded from GM if it is not there.
inline cache_line& cached(machine& m, core& c, const void* a)
{
    const auto address = reinterpret_cast<std::uintptr_t>(a) / 64;
    const auto [it, fresh] = c.cache.try_emplace(address);
    cache_line& l = it->second;
    if (!l.present) {
        if (fresh) {
            l.loaded = c.pipes[static_cast<std::size_t>(pipe::s)];
        }
        std::memcpy(l.data.data(), m.gm.storage(reinterpret_cast<const void*>(address * 64)), 64);
        l.present = true;
        c.control_time += m.options.cost.cache_miss;
    }
    return l;
}

inline void drop_dirty(machine& m, const core& c, std::uintptr_t address)
{
    const auto d = m.dirty_lines.find(address);
    if (d != m.dirty_lines.end()) {
        auto& list = d->second;
        list.erase(std::remove(list.begin(), list.end(), c.index), list.end());
        if (list.empty()) {
            m.dirty_lines.erase(d);
        }
    }
}

/// Copies a dirty line to GM: all 64 bytes, as the hardware does.
inline void store_line(machine& m, std::uintptr_t address, cache_line& l)
{
    if (l.dirty != 0 && l.present) {
        const void* a = reinterpret_cast<const void*>(address * 64);
        if (const gm_block* b = m.gm.find(a)) {
            const std::uint64_t room = std::min<std::uint64_t>(64, b->bytes - b->offset_of(a));
            std::memcpy(m.gm.storage(a), l.data.data(), room);
        }
        m.progress();
    }
}

/// Writes a line back (if dirty) and drops it.
inline void flush_line(machine& m, core& c, std::uintptr_t address, cache_line& l)
{
    if (l.dirty == 0) {
        return;
    }
    store_line(m, address, l);
    drop_dirty(m, c, address);
    if (m.options.checks) {
        const void* a = reinterpret_cast<const void*>(address * 64);
        if (gm_block* b = m.gm.find(a)) {
            const auto op = static_cast<std::uint32_t>(m.gm_ops.size());
            m.gm_ops.push_back({c.latest[wait_slot], static_cast<std::uint16_t>(c.index), pipe::s, false,
                                gm_action::line_write, l.dirty, l.stored, l.what, l.kernel, l.at});
            // The finding should point at the store, not at the flush.
            m.said_lines.clear();
            const position now = c.at;
            c.at = {l.what, l.kernel, l.at};
            access_line(m, c, pipe::s, *b, b->offset_of(a) / 64, ~std::uint64_t{0}, op, gm_action::line_write, l.dirty,
                        &l.loaded);
            c.at = now;
        }
    }
}

/// DataCacheCleanAndInvalid: one line, or all if `a` is null. Called within a scalar instruction. Everything issued
/// later comes after the flush; that the stores before it are done, a drain must tell.
inline bool flush_cache(machine& m, core& c, const void* a)
{
    c.control.own[wait_slot] = ++c.latest[wait_slot];
    bool dirty = false;
    if (a != nullptr) {
        const auto address = reinterpret_cast<std::uintptr_t>(a) / 64;
        const auto it = c.cache.find(address);
        if (it != c.cache.end()) {
            dirty = it->second.dirty != 0;
            flush_line(m, c, address, it->second);
            c.cache.erase(it);
        }
    } else {
        std::vector<std::uintptr_t> lines;
        for (const auto& e : c.cache) {
            lines.push_back(e.first);
        }
        std::sort(lines.begin(), lines.end()); // the same order on every host
        for (const std::uintptr_t address : lines) {
            cache_line& l = c.cache.at(address);
            dirty = dirty || l.dirty != 0;
            flush_line(m, c, address, l);
        }
        c.cache.clear();
    }
    return dirty;
}

/// In the random mode, drops a line now and then. The line stays in the books: a real cache might have kept it.
inline void maybe_evict(machine& m, core& c)
{
    if (!m.cache_evicts || c.cache.empty() || m.cache_random.below(4) != 0) {
        return;
    }
    std::vector<std::uintptr_t> lines;
    for (const auto& e : c.cache) {
        if (e.second.present) {
            lines.push_back(e.first);
        }
    }
    if (lines.empty()) {
        return;
    }
    std::sort(lines.begin(), lines.end());
    const std::uintptr_t address = lines[m.cache_random.below(lines.size())];
    cache_line& l = c.cache.at(address);
    store_line(m, address, l);
    l.present = false;
}

/// A scalar access of at most one line through the cache. Reads into `value`, or writes it.
inline void scalar_access(machine& m, core& c, gm_block& b, std::uint64_t offset, std::uint64_t bytes, std::byte* value,
                          bool write)
{
    while (bytes != 0) { // an element may straddle two lines
        const std::uint64_t line = offset / 64;
        const std::uint64_t first = offset % 64;
        const std::uint64_t n = std::min(bytes, 64 - first);
        const std::uint64_t bits = line_bits(first, first + n);
        const void* a = b.base + line * 64;
        const gm_action action = write ? gm_action::write : gm_action::read;
        cache_line& l = cached(m, c, a);
        if (m.options.checks) {
            check_declared(m, c, pipe::s, b, offset, {n}, action);
            check_dirty(m, c, pipe::s, b, offset, {n}, action);
            if (!write) {
                const std::uint64_t from_gm = bits & ~l.dirty;
                if (from_gm != 0) {
                    gm_line& g = b.shadow.line(line, m.launch_number);
                    g.for_each([&](gm_record& r) {
                        const gm_op& o = m.gm_ops[r.op];
                        const std::uint64_t meant =
                            (o.action == gm_action::line_write ? o.dirty & r.bytes : r.bytes) & from_gm;
                        const bool own_scalar = o.core == c.index && o.on == pipe::s;
                        if (meant != 0 && is_write(o.action) && !own_scalar && ordered(m, c, pipe::s, o) &&
                            !done_for(c, l.loaded, o)) {
                            report_clash(m, c, pipe::s, gm_action::read, o, b, line, meant, finding_kind::stale_read);
                        }
                    });
                    const auto op = static_cast<std::uint32_t>(m.gm_ops.size());
                    m.gm_ops.push_back({c.latest[static_cast<std::size_t>(pipe::s)],
                                        static_cast<std::uint16_t>(c.index), pipe::s, false, gm_action::read, 0, 0,
                                        c.at.what, c.at.kernel, c.at.at});
                    access_line(m, c, pipe::s, b, line, from_gm, op, gm_action::read, 0, nullptr);
                }
            }
        }
        if (write) {
            std::memcpy(l.data.data() + first, value, n);
            if (l.dirty == 0) {
                auto& holders = m.dirty_lines[reinterpret_cast<std::uintptr_t>(a) / 64];
                if (std::find(holders.begin(), holders.end(), c.index) == holders.end()) {
                    holders.push_back(c.index);
                }
            }
            l.dirty |= bits;
            l.stored = c.latest[static_cast<std::size_t>(pipe::s)];
            set_bits(b.written, offset, offset + n);
        } else {
            std::memcpy(value, l.data.data() + first, n);
        }
        l.kernel = c.at.kernel;
        l.what = c.at.what;
        l.at = c.at.at;
        offset += n;
        value += n;
        bytes -= n;
    }
    maybe_evict(m, c);
}

inline void end_of_core(machine& m, core& c)
{
    m.step(c, "end of the kernel", c.at.at);
    m.drain(c);
    m.advance(c, pipe::s);
    flush_cache(m, c, nullptr);
}

} // namespace skt::emu
