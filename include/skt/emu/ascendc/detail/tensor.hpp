/// @file
/// GlobalTensor, LocalTensor and the simple allocator. Part of the drop-in kernel_operator.h. Host only.
#pragma once

#include <skt/emu/ascendc/detail/types.hpp>

namespace AscendC {

/// A typed range of on-chip memory of the core that uses it.
template <typename T>
class LocalTensor {
public:
    using PrimType = T;

    LocalTensor() = default;
    /// `tileSize` elements at byte `addr` of the memory of `pos`.
    LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize)
        : addr_(addr), bytes_(tileSize * static_cast<uint32_t>(sizeof(T))), memory_(skt::emu::memory_of(pos)), pos_(pos)
    {
    }

    T GetValue(const uint32_t index, skt::emu::where at = skt::emu::where::here()) const
    {
        skt::emu::instr i(skt::emu::pipe::s, "GetValue", at);
        const std::byte* p = i.reads(memory_, byte(index), {sizeof(T)});
        T v{};
        if (p != nullptr) {
            std::memcpy(static_cast<void*>(&v), p, sizeof(T));
        }
        return v;
    }
    template <typename S>
    void SetValue(const uint32_t index, const S value, skt::emu::where at = skt::emu::where::here()) const
    {
        skt::emu::instr i(skt::emu::pipe::s, "SetValue", at);
        if (std::byte* p = i.writes(memory_, byte(index), {sizeof(T)})) {
            const T v = static_cast<T>(value);
            std::memcpy(p, static_cast<const void*>(&v), sizeof(T));
        }
    }
    /// A reference for the scalar unit. Counts as a read and a write: a reference does not tell which will follow.
    T& operator()(const uint32_t index, skt::emu::where at = skt::emu::where::here()) const
    {
        static T nowhere{};
        skt::emu::instr i(skt::emu::pipe::s, "operator()", at);
        std::byte* p = i.writes(memory_, byte(index), {sizeof(T)});
        return p != nullptr ? *reinterpret_cast<T*>(p) : nowhere;
    }
    LocalTensor operator[](const uint32_t offset) const
    {
        LocalTensor t = *this;
        const auto shift = offset * static_cast<uint32_t>(sizeof(T));
        t.addr_ += shift;
        t.bytes_ = bytes_ > shift ? bytes_ - shift : 0;
        return t;
    }
    template <typename U>
    LocalTensor<U> ReinterpretCast() const
    {
        LocalTensor<U> t(pos_, addr_, 0);
        t.SetBytes(bytes_);
        return t;
    }

    uint64_t GetPhyAddr(const uint32_t offset = 0) const { return byte(offset); }
    int32_t GetPosition() const { return static_cast<int32_t>(pos_); }
    void SetSize(const uint32_t size) { bytes_ = size * static_cast<uint32_t>(sizeof(T)); }
    uint32_t GetSize() const { return bytes_ / static_cast<uint32_t>(sizeof(T)); }
    uint32_t GetLength() const { return bytes_; }
    void SetBufferLen(uint32_t len) { bytes_ = len * static_cast<uint32_t>(sizeof(T)); }
    void SetBytes(uint32_t bytes) { bytes_ = bytes; }

    /// The memory it lives in.
    skt::emu::mem memory() const { return memory_; }
    /// First byte in that memory.
    uint64_t byte(uint64_t element = 0) const { return addr_ + element * sizeof(T); }
    uint32_t bytes() const { return bytes_; }

private:
    uint32_t addr_ = 0;
    uint32_t bytes_ = 0;
    skt::emu::mem memory_ = skt::emu::mem::ub;
    TPosition pos_ = TPosition::VECCALC;
};

/// A typed range of GM.
template <typename T>
class GlobalTensor {
public:
    using PrimType = T;

    GlobalTensor() = default;
    void SetGlobalBuffer(__gm__ T* buffer, uint64_t bufferSize)
    {
        address_ = buffer;
        size_ = bufferSize;
    }
    void SetGlobalBuffer(__gm__ T* buffer) { SetGlobalBuffer(buffer, 0); }
    const __gm__ T* GetPhyAddr() const { return address_; }
    __gm__ T* GetPhyAddr(const uint64_t offset) const { return address_ + offset; }

#if defined(__ASCENDC_SUPER_KERNEL_ENABLE_GM_GET_SET_VALUE_DCCI__)
    // The build's single-line mode: a load flushes its line first; a store flushes the line stored before when it goes
    // to another one, and the last one when the tensor ends. Writes through operator() are never flushed.
    ~GlobalTensor()
    {
        flush_stored();
    }
    GlobalTensor(const GlobalTensor& o) : address_(o.address_), size_(o.size_), cache_mode_(o.cache_mode_) {}
    GlobalTensor& operator=(const GlobalTensor& o)
    {
        flush_stored();
        address_ = o.address_;
        size_ = o.size_;
        cache_mode_ = o.cache_mode_;
        return *this;
    }
    T GetValue(const uint64_t offset, skt::emu::where at = skt::emu::where::here()) const
    {
        skt::emu::cache_flush(address_ + offset, at);
        return skt::emu::scalar_load(address_ + offset, "GetValue", at);
    }
    void SetValue(const uint64_t offset, T value, skt::emu::where at = skt::emu::where::here())
    {
        if (stored_ != nullptr && line(stored_) != line(address_ + offset)) {
            flush_stored();
        }
        skt::emu::scalar_store(address_ + offset, value, "SetValue", at);
        stored_ = address_ + offset;
        stored_at_ = at;
    }
#else
    T GetValue(const uint64_t offset, skt::emu::where at = skt::emu::where::here()) const
    {
        return skt::emu::scalar_load(address_ + offset, "GetValue", at);
    }
    void SetValue(const uint64_t offset, T value, skt::emu::where at = skt::emu::where::here())
    {
        skt::emu::scalar_store(address_ + offset, value, "SetValue", at);
    }
#endif
    /// A reference through the data cache of the core.
    __gm__ T& operator()(const uint64_t offset, skt::emu::where at = skt::emu::where::here()) const
    {
        return skt::emu::scalar_reference(address_ + offset, at);
    }
    GlobalTensor operator[](const uint64_t offset) const
    {
        GlobalTensor t = *this;
        t.address_ = address_ + offset;
        t.size_ = size_ > offset ? size_ - offset : 0;
        return t;
    }
    uint64_t GetSize() const
    {
        return size_;
    }
    template <CacheRwMode Mode = CacheRwMode::RW>
    void SetL2CacheHint(CacheMode mode)
    {
        cache_mode_ = mode;
    }

private:
#if defined(__ASCENDC_SUPER_KERNEL_ENABLE_GM_GET_SET_VALUE_DCCI__)
    static std::uintptr_t line(const T* p)
    {
        return reinterpret_cast<std::uintptr_t>(p) / 64;
    }
    void flush_stored()
    {
        if (stored_ != nullptr && skt::emu::detail::self != nullptr && !skt::emu::current_machine().cancelled()) {
            skt::emu::cache_flush(stored_, stored_at_);
        }
        stored_ = nullptr;
    }
    const T* stored_ = nullptr;
    skt::emu::where stored_at_;
#endif
    __gm__ T* address_ = nullptr;
    uint64_t size_ = 0;
    CacheMode cache_mode_ = CacheMode::CACHE_MODE_NORMAL;
};

/// Hands out one memory from its start, in order.
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
public:
    uint32_t GetCurAddr() const { return head_; }
    template <TPosition pos, class DataType, uint32_t tileSize>
    LocalTensor<DataType> Alloc()
    {
        return Alloc<pos, DataType>(tileSize);
    }
    template <TPosition pos, class DataType>
    LocalTensor<DataType> Alloc(uint32_t tileSize)
    {
        const LocalTensor<DataType> t(pos, head_, tileSize);
        head_ += (t.bytes() + 31) / 32 * 32;
        skt::emu::check_capacity(skt::emu::memory_of(hard), head_, "LocalMemAllocator::Alloc");
        return t;
    }
    template <class DataType, uint32_t tileSize>
    LocalTensor<DataType> Alloc()
    {
        return Alloc<skt::emu::position_of(skt::emu::memory_of(hard)), DataType>(tileSize);
    }
    template <class DataType>
    LocalTensor<DataType> Alloc(uint32_t tileSize)
    {
        return Alloc<skt::emu::position_of(skt::emu::memory_of(hard)), DataType>(tileSize);
    }

private:
    uint32_t head_ = 0;
};

} // namespace AscendC
