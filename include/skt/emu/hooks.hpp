/// @file
/// How a super kernel tells the emulator which sub-kernel runs and what it declares. Light: no emulator header is
/// needed, and outside a run every hook costs one test of a pointer. Host only.
#pragma once

#include <skt/model/kernel_type.hpp>

#include <cstdint>

namespace skt::emu {

/// What a sub-kernel may do to a declared range.
enum class declared_access : std::uint8_t { in, out, inout, accumulate, opaque };
/// By which unit; bits.
enum declared_via : std::uint8_t { declared_dma = 1, declared_scalar = 2, declared_any_unit = 3 };

/// One declared effect of a sub-kernel on one argument.
struct declared_effect {
    const char* name = "";      ///< The argument's tag, for messages.
    const void* base = nullptr; ///< First byte in GM. Null: nothing is declared by this entry.
    std::uint64_t bytes = 0;    ///< 0: the whole GM buffer that holds `base`.
    declared_access what = declared_access::opaque;
    std::uint8_t how = declared_any_unit; ///< Bits of `declared_via`.
    bool on_aic = true;                   ///< Cube cores may touch it.
    bool on_aiv = true;                   ///< Vector cores may touch it.
    /// Slices: block i of the kernel touches bytes [i * slice_bytes, (i + 1) * slice_bytes) only. 0: anywhere.
    std::uint64_t slice_bytes = 0;
};

/// What the machine offers while a run is on.
struct hook_table {
    void* self = nullptr;
    void (*begin)(void*, const char* name, int index) = nullptr;
    void (*declare)(void*, const declared_effect* effects, int count) = nullptr;
    void (*end)(void*) = nullptr;
};

namespace detail {
inline thread_local const hook_table* hooks = nullptr;
}

/// The current core enters sub-kernel `index`. Call it on every core that runs the sub-kernel, and on cores that stand
/// in for it (replayed sets, waits, SyncAll calls), so that flags are charged to the right kernel. `name` must outlive
/// the run.
inline void kernel_begin(const char* name, int index)
{
    if (const hook_table* h = detail::hooks) {
        h->begin(h->self, name, index);
    }
}
/// Declares everything the current core's sub-kernel may touch in GM; call after `kernel_begin`. `effects` must stay
/// valid until `kernel_end`. Without this call nothing is compared.
inline void kernel_declares(const declared_effect* effects, int count)
{
    if (const hook_table* h = detail::hooks) {
        h->declare(h->self, effects, count);
    }
}
/// The current core leaves its sub-kernel.
inline void kernel_end()
{
    if (const hook_table* h = detail::hooks) {
        h->end(h->self);
    }
}

} // namespace skt::emu
