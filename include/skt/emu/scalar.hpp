/// @file
/// The scalar unit's way to GM. Host only.
#pragma once

#include <skt/emu/instr.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace skt::emu {

/// Reads one element of GM through the data cache.
template <class T>
T scalar_load(const T* p, const char* what, where at)
{
    instr i(pipe::s, what, at);
    T v{};
    if (const std::byte* b = i.gm_reads(p, {sizeof(T)})) {
        std::memcpy(static_cast<void*>(&v), b, sizeof(T));
    }
    i.at().poll(i.on());
    return v;
}
/// Writes one element of GM through the data cache.
template <class T>
void scalar_store(T* p, T value, const char* what, where at)
{
    instr i(pipe::s, what, at);
    if (std::byte* b = i.gm_writes(p, {sizeof(T)})) {
        std::memcpy(b, static_cast<const void*>(&value), sizeof(T));
    }
}
/// A reference to one element of GM.
template <class T>
T& scalar_reference(T* p, where at)
{
    static T nowhere{};
    instr i(pipe::s, "operator()", at);
    std::byte* b = i.gm_writes(p, {sizeof(T)});
    return b != nullptr ? *reinterpret_cast<T*>(b) : nowhere;
}

/// Writes one element of GM past the data cache.
template <class T>
void uncached_store(T* p, T value, where at)
{
    instr i(pipe::s, "WriteGmByPassDCache", at);
    if (std::byte* b = i.gm_writes(p, {sizeof(T)})) {
        std::memcpy(b, static_cast<const void*>(&value), sizeof(T));
    }
    i.at().yield(i.on());
}
/// Reads one element of GM past the data cache.
template <class T>
T uncached_load(T* p, where at)
{
    instr i(pipe::s, "ReadGmByPassDCache", at);
    T v{};
    if (const std::byte* b = i.gm_reads(p, {sizeof(T)})) {
        std::memcpy(static_cast<void*>(&v), b, sizeof(T));
    }
    i.at().poll(i.on());
    return v;
}
/// DataCacheCleanAndInvalid: the line that holds `p`, or the whole cache if null.
inline void cache_flush(const void* p, where at)
{
    instr i(pipe::s, "DataCacheCleanAndInvalid", at);
    i.cost(p != nullptr ? i.at().options.cost.cache_line_flush : i.at().options.cost.cache_flush);
    i.at().yield(i.on());
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
