/// @file
/// Global memory of the emulated device. Host only.
#pragma once

#include <skt/emu/gm_shadow.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace skt::emu {

/// Alignment of every GM buffer, bytes: the granule of the vendor's allocator.
inline constexpr std::uint64_t gm_alignment = 512;

/// One GM buffer.
struct gm_block {
    std::string name;
    std::byte* base = nullptr; ///< Address handed to kernels.
    std::uint64_t bytes = 0;
    bool live = true;
    std::vector<std::uint64_t> written; ///< One bit per byte: somebody wrote it.
    gm_shadow shadow;

    bool contains(const void* p) const
    {
        const auto* b = static_cast<const std::byte*>(p);
        return b >= base && b < base + bytes;
    }
    std::uint64_t offset_of(const void* p) const
    {
        return static_cast<std::uint64_t>(static_cast<const std::byte*>(p) - base);
    }
};

/// Sets bits [first, last) of a bit array.
inline void set_bits(std::vector<std::uint64_t>& bits, std::uint64_t first, std::uint64_t last, bool value = true)
{
    while (first < last) {
        const std::uint64_t word = first / 64;
        const std::uint64_t low = first % 64;
        const std::uint64_t n = std::min<std::uint64_t>(64 - low, last - first);
        const std::uint64_t mask = (n == 64 ? ~std::uint64_t{0} : ((std::uint64_t{1} << n) - 1)) << low;
        bits[word] = value ? bits[word] | mask : bits[word] & ~mask;
        first += n;
    }
}
/// The first bit in [first, last) that is clear, or `last`.
inline std::uint64_t first_clear(const std::vector<std::uint64_t>& bits, std::uint64_t first, std::uint64_t last)
{
    while (first < last) {
        const std::uint64_t low = first % 64;
        const std::uint64_t rest = ~bits[first / 64] >> low;
        if (rest != 0) {
            return std::min<std::uint64_t>(last, first + static_cast<std::uint64_t>(__builtin_ctzll(rest)));
        }
        first += 64 - low;
    }
    return last;
}

/// The first bit in [first, last) that is set, or `last`.
inline std::uint64_t first_set(const std::vector<std::uint64_t>& bits, std::uint64_t first, std::uint64_t last)
{
    while (first < last) {
        const std::uint64_t low = first % 64;
        const std::uint64_t rest = bits[first / 64] >> low;
        if (rest != 0) {
            return std::min<std::uint64_t>(last, first + static_cast<std::uint64_t>(__builtin_ctzll(rest)));
        }
        first += 64 - low;
    }
    return last;
}

/// All of a device's GM. Kernels hold addresses in a range that nobody may touch directly; the bytes are kept at a
/// fixed distance. So the emulator sees raw accesses too: they fault, see raw_access.hpp. Addresses are never reused,
/// and buffers never touch, so that an access past the end of one never lands in another.
class gm_space {
public:
    static constexpr std::uint64_t page_bytes = 4096;

    explicit gm_space(std::uint64_t reserve_bytes, bool shared = false)
        : size_(reserve_bytes), shared_(shared), base_(reserve(false)), storage_(reserve(shared))
    {
    }
    ~gm_space()
    {
        ::munmap(base_, size_);
        ::munmap(storage_, size_);
    }
    gm_space(const gm_space&) = delete;
    gm_space& operator=(const gm_space&) = delete;

    /// A new buffer, filled with a pattern that no sane result contains; nothing in it counts as written.
    gm_block& alloc(std::uint64_t bytes, std::string name)
    {
        const std::uint64_t room =
            (std::max<std::uint64_t>(bytes, 1) + page_bytes - 1) / page_bytes * page_bytes + page_bytes;
        if (used_ + room > size_) {
            throw std::bad_alloc();
        }
        if (::mprotect(storage_ + used_, room - page_bytes, PROT_READ | PROT_WRITE) != 0) {
            throw std::bad_alloc();
        }
        auto b = std::make_unique<gm_block>();
        b->name = std::move(name);
        b->base = base_ + used_;
        b->bytes = bytes;
        b->written.assign((bytes + 63) / 64 + 1, 0);
        b->shadow.resize(bytes);
        std::memset(storage_ + used_, 0xA5, bytes);
        used_ += room;
        blocks_.push_back(std::move(b));
        return *blocks_.back();
    }

    /// Gives a buffer's pages back; its addresses stay taken, so that a late use is noticed.
    void free(gm_block& b)
    {
        b.live = false;
        b.written = {};
        b.shadow.clear();
        const std::uint64_t room = (b.bytes + page_bytes - 1) / page_bytes * page_bytes;
        ::madvise(storage(b.base), room, shared_ ? MADV_REMOVE : MADV_DONTNEED);
        ::madvise(b.base, room, MADV_DONTNEED);
        ::mprotect(storage(b.base), room, PROT_NONE); // joins its neighbours: the number of mappings is limited
    }

    /// Whether `p` is an address that kernels may hold.
    bool contains(const void* p) const
    {
        const auto* b = static_cast<const std::byte*>(p);
        return b >= base_ && b < base_ + used_;
    }
    /// Where the bytes at address `p` are kept.
    std::byte* storage(const void* p) const { return storage_ + (static_cast<const std::byte*>(p) - base_); }
    /// Makes a buffer's contents count as never written.
    void forget(gm_block& b)
    {
        std::fill(b.written.begin(), b.written.end(), 0);
        std::memset(storage(b.base), 0xA5, b.bytes);
    }

    /// The live buffer that holds address `p`, or null.
    gm_block* find(const void* p) const
    {
        if (!contains(p)) {
            return nullptr;
        }
        gm_block* k = below(p);
        return k != nullptr && k->live && k->contains(p) ? k : nullptr;
    }
    /// The buffer, dead or alive, that starts nearest below `p`: for messages about accesses just past an end.
    const gm_block* nearest(const void* p) const { return contains(p) ? below(p) : nullptr; }

private:
    gm_block* below(const void* p) const
    {
        const auto* b = static_cast<const std::byte*>(p);
        auto it = std::upper_bound(blocks_.begin(), blocks_.end(), b,
                                   [](const std::byte* x, const std::unique_ptr<gm_block>& y) { return x < y->base; });
        return it == blocks_.begin() ? nullptr : std::prev(it)->get();
    }
    std::byte* reserve(bool shared) const
    {
        void* p = ::mmap(nullptr, size_, PROT_NONE, (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE,
                         -1, 0);
        if (p == MAP_FAILED) {
            throw std::bad_alloc();
        }
        return static_cast<std::byte*>(p);
    }

    std::uint64_t size_;
    bool shared_;
    std::uint64_t used_ = 0;
    std::byte* base_ = nullptr;
    std::byte* storage_ = nullptr;
    std::vector<std::unique_ptr<gm_block>> blocks_;
};

} // namespace skt::emu
