/// @file
/// The scalar unit's way to GM. Host only.
#pragma once

#include <skt/emu/instr.hpp>
#include <skt/emu/raw_access.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace skt::emu {

/// The buffer of a scalar access; null (and a finding) if the bytes are not all inside one.
inline gm_block* scalar_target(instr& i, const void* p, std::uint64_t bytes, bool write)
{
    machine& m = i.at();
    gm_block* b = m.gm.find(p);
    if (b != nullptr && b->offset_of(p) + bytes <= b->bytes) {
        return b;
    }
    core& c = i.on();
    const gm_block* n = m.gm.nearest(p);
    finding f{finding_kind::out_of_bounds,
              n == nullptr ? fmt::format("{} of {} {} GM at an address in no buffer of the device", c.at.what, c.name,
                                         write ? "writes" : "reads")
                           : fmt::format("{} of {} {} byte {} of {}, which {} {} bytes", c.at.what, c.name,
                                         write ? "writes" : "reads", n->offset_of(p), n->name,
                                         n->live ? "has" : "was freed and had", n->bytes),
              "allocate the buffer with device::alloc, and check the index", place_here(c, pipe::s)};
    f.buffer = n == nullptr ? "" : n->name;
    f.offset = n == nullptr ? 0 : n->offset_of(p);
    f.bytes = bytes;
    m.report(std::move(f));
    return nullptr;
}
/// Reports a scalar read of bytes that nobody wrote.
inline void check_scalar_written(instr& i, const gm_block& b, std::uint64_t offset, std::uint64_t bytes)
{
    if (i.at().options.checks && first_clear(b.written, offset, offset + bytes) != offset + bytes) {
        finding f{finding_kind::uninitialised_read,
                  fmt::format("{} of {} reads {} + {}, which nobody has written", named(i.on().at.kernel), i.on().name,
                              b.name, offset),
                  "write the buffer first, in an earlier kernel or by the host", place_here(i.on(), pipe::s)};
        f.buffer = b.name;
        f.offset = offset;
        f.bytes = bytes;
        i.at().report(std::move(f));
    }
}

/// Reads one element of GM through the data cache.
template <class T>
T scalar_load(const T* p, const char* what, where at)
{
    instr i(pipe::s, what, at);
    T v{};
    if (gm_block* b = scalar_target(i, p, sizeof(T), false)) {
        check_scalar_written(i, *b, b->offset_of(p), sizeof(T));
        scalar_access(i.at(), i.on(), *b, b->offset_of(p), sizeof(T), reinterpret_cast<std::byte*>(&v), false);
    }
    i.at().poll(i.on());
    return v;
}
/// Writes one element of GM through the data cache.
template <class T>
void scalar_store(T* p, T value, const char* what, where at)
{
    instr i(pipe::s, what, at);
    if (gm_block* b = scalar_target(i, p, sizeof(T), true)) {
        scalar_access(i.at(), i.on(), *b, b->offset_of(p), sizeof(T), reinterpret_cast<std::byte*>(&value), true);
    }
}
/// A reference to one element of GM: what is done through it is seen as a raw access at this place.
template <class T>
T& scalar_reference(T* p, where at)
{
    static T nowhere{};
    instr i(pipe::s, "operator()", at);
    return scalar_target(i, p, sizeof(T), true) != nullptr ? *p : nowhere;
}

/// Writes one element of GM past the data cache. Whoever reads it past the cache knows what this core knew: earlier
/// stores only after a DataSyncBarrier.
template <class T>
void uncached_store(T* p, T value, where at)
{
    instr i(pipe::s, "WriteGmByPassDCache", at);
    core& c = i.on();
    c.uncached = true;
    if (std::byte* b = i.gm_writes(p, {sizeof(T)})) {
        std::memcpy(b, static_cast<const void*>(&value), sizeof(T));
        i.at().messages[p] = i.at().complete(c, c.control);
    }
    c.uncached = false;
    i.yield();
}
/// Reads one element of GM past the data cache.
template <class T>
T uncached_load(T* p, where at)
{
    instr i(pipe::s, "ReadGmByPassDCache", at);
    core& c = i.on();
    c.uncached = true;
    T v{};
    if (const std::byte* b = i.gm_reads(p, {sizeof(T)})) {
        std::memcpy(static_cast<void*>(&v), b, sizeof(T));
        const auto known = i.at().messages.find(p);
        if (known != i.at().messages.end()) {
            i.at().learn(c, known->second);
        }
    }
    c.uncached = false;
    i.at().poll(c);
    return v;
}
/// DataCacheCleanAndInvalid: the line that holds `p`, or the whole cache if null.
inline void cache_flush(const void* p, where at)
{
    instr i(pipe::s, "DataCacheCleanAndInvalid", at);
    const bool dirty = flush_cache(i.at(), i.on(), p);
    const cost_table& cost = i.at().options.cost;
    i.cost(p != nullptr ? cost.cache_line_flush : cost.cache_flush + (dirty ? cost.cache_flush_dirty : 0));
    i.yield();
}

/// Reports an allocation beyond the end of a memory of the current core.
inline void check_capacity(mem m, std::uint64_t end, const char* what)
{
    core& c = current_core();
    const std::uint64_t have = c.local(m).bytes;
    if (end > have) {
        c.at.what = what;
        finding f{finding_kind::buffer_overflow,
                  fmt::format("{} needs {} bytes of {} on {}, which has {}",
                              c.kernel_name[0] != 0 ? c.kernel_name : "the kernel", end, to_string(m), c.name, have),
                  have == 0
                      ? "this memory belongs to the other side: guard the code with ASCEND_IS_AIC or ASCEND_IS_AIV"
                      : "use smaller tiles or fewer buffers",
                  current_machine().here(c)};
        f.buffer = to_string(m);
        f.bytes = end;
        current_machine().report(std::move(f));
    }
}

} // namespace skt::emu
