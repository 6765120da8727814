/// @file
/// Words of GM through which cores talk: the basis of software synchronisation. Host only.
#pragma once

#include <skt/emu/instr.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace skt::emu {

/// Where the bytes of a message word are, or null (and a finding) outside of every buffer.
inline std::byte* message_word(instr& i, const void* p)
{
    core& c = i.on();
    gm_block* b = i.at().gm.find(p);
    if (b == nullptr || b->offset_of(p) + sizeof(std::int32_t) > b->bytes) {
        const gm_block* n = i.at().gm.nearest(p);
        finding f{finding_kind::out_of_bounds,
                  n == nullptr ? fmt::format("the workspace of {} is not in GM", c.at.what)
                               : fmt::format("{} on {} uses byte {} of its workspace {}, which has {} bytes", c.at.what,
                                             c.name, n->offset_of(p), n->name, n->bytes),
                  "a software SyncAll needs 32 bytes per core, IBSet and IBWait 32 bytes per core and event",
                  i.at().here(c)};
        f.buffer = n == nullptr ? "" : n->name;
        f.offset = n == nullptr ? 0 : n->offset_of(p);
        f.bytes = sizeof(std::int32_t);
        i.at().report(std::move(f));
        return nullptr;
    }
    return i.at().gm.storage(p);
}

/// Writes a word after everything the core did before; whoever reads it knows of all that.
inline void send(const std::int32_t* p, std::int32_t value, const char* what, where at)
{
    machine& m = current_machine();
    core& c = current_core();
    m.drain(c);
    instr i(pipe::mte3, what, at);
    i.cost(m.options.cost.dma_start);
    if (std::byte* b = message_word(i, p)) {
        std::memcpy(b, &value, sizeof value);
        gm_block* k = m.gm.find(p);
        set_bits(k->written, k->offset_of(p), k->offset_of(p) + sizeof value);
        m.messages[p] = m.complete(c, c.pipes[static_cast<std::size_t>(pipe::mte3)]);
        m.progress();
    }
    m.drain(c);
}
/// Reads a word without learning from it; -1 outside of every buffer.
inline std::int32_t peek(const std::int32_t* p, const char* what, where at)
{
    machine& m = current_machine();
    core& c = current_core();
    instr i(pipe::mte2, what, at);
    std::int32_t value = -1;
    if (const std::byte* b = message_word(i, p)) {
        std::memcpy(&value, b, sizeof value);
        const gm_block* k = m.gm.find(p);
        const std::uint64_t first = k->offset_of(p);
        if (m.options.checks && first_clear(k->written, first, first + sizeof value) != first + sizeof value) {
            finding f{finding_kind::uninitialised_read,
                      fmt::format("{} on {} reads byte {} of {}, which nobody has written: it may look like a signal",
                                  what, c.name, first, k->name),
                      "zero the workspace before the launch", m.here(c)};
            f.buffer = k->name;
            f.offset = first;
            f.bytes = sizeof value;
            m.report(std::move(f));
        }
    }
    return value;
}
/// The core takes in what the writer of a word knew.
inline void heed(const std::int32_t* p)
{
    machine& m = current_machine();
    const auto known = m.messages.find(p);
    if (known != m.messages.end()) {
        m.learn(current_core(), known->second);
    }
}

} // namespace skt::emu
