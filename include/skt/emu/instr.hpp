/// @file
/// One instruction of a kernel: which pipe runs it and which bytes it touches. Host only.
#pragma once

#include <skt/emu/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace skt::emu {

/// `count` blocks of `bytes` bytes, their starts `stride` bytes apart.
struct span {
    std::uint64_t bytes = 0;
    std::uint64_t count = 1;
    std::uint64_t stride = 0;

    /// Bytes from the first to one past the last.
    std::uint64_t extent() const { return count == 0 || bytes == 0 ? 0 : (count - 1) * stride + bytes; }
    bool empty() const { return count == 0 || bytes == 0; }
    bool dense() const { return count <= 1 || stride == bytes; }
};

/// The core whose code runs now.
inline core& current_core()
{
    if (detail::self == nullptr) {
        throw std::logic_error("Ascend C code was called outside of a launch: run it through skt::emu::device::launch");
    }
    return *detail::self;
}
/// The machine whose launch is on.
inline machine& current_machine()
{
    if (detail::running == nullptr) {
        throw std::logic_error("Ascend C code was called outside of a launch: run it through skt::emu::device::launch");
    }
    return *detail::running;
}

/// An instruction being executed. Results are computed at once, in program order; the accesses are recorded with the
/// pipe and its place in the order, so that a missing flag is found although the emulator never computes a wrong number
/// from it.
class instr {
public:
    instr(pipe p, const char* what, where at) : c_(current_core()), m_(current_machine()), pipe_(p)
    {
        m_.step(c_, what, at);
        m_.advance(c_, p);
    }
    instr(const instr&) = delete;
    instr& operator=(const instr&) = delete;
    ~instr()
    {
        const auto p = static_cast<std::size_t>(pipe_);
        const double start = std::max(c_.pipe_time[p], c_.control_time);
        c_.pipe_time[p] = start + cost_;
        c_.control_time = pipe_ == pipe::s ? c_.pipe_time[p] : c_.control_time + m_.options.cost.issue;
        if (m_.options.trace) {
            m_.trace(c_, to_string(pipe_), c_.at.what, start, c_.pipe_time[p]);
        }
    }

    core& on() { return c_; }
    machine& at() { return m_; }

    /// Adds modelled time.
    void cost(double ns) { cost_ += ns; }

    /// Bytes of on-chip memory that are read; null (and a finding) if they are not all inside.
    const std::byte* reads(mem m, std::uint64_t addr, span s) { return local(m, addr, s, false); }
    /// Bytes of on-chip memory that are written.
    std::byte* writes(mem m, std::uint64_t addr, span s) { return local(m, addr, s, true); }

    /// Bytes of GM that are read by DMA; null (and a finding) if they are not all inside one buffer.
    const std::byte* gm_reads(const void* p, span s) { return gm(p, s, false); }
    /// Bytes of GM that are written by DMA.
    std::byte* gm_writes(const void* p, span s) { return gm(p, s, true); }

    /// Tells where bytes went, so that "never written" travels with them.
    void moved_in(mem, std::uint64_t, span, const void*, span) {}
    void moved_out(const void*, span, mem, std::uint64_t, span) {}
    void moved_local(mem, std::uint64_t, span, mem, std::uint64_t, span) {}
    void element_wise(mem, std::uint64_t, std::uint64_t, mem, std::uint64_t, std::uint64_t, std::uint64_t) {}

    /// Reports a broken rule of the API.
    void misuse(std::string message, std::string fix)
    {
        m_.report({finding_kind::misuse, std::move(message), std::move(fix), m_.here(c_)});
    }

private:
    std::byte* local(mem m, std::uint64_t addr, span s, bool write)
    {
        local_memory& l = c_.local(m);
        if (s.empty()) {
            return nullptr;
        }
        if (addr + s.extent() > l.bytes) {
            finding f{finding_kind::out_of_bounds,
                      fmt::format("{} of {} at {} {} bytes {} to {} of {}, which has {}", c_.at.what, c_.name,
                                  to_string(m), write ? "writes" : "reads", addr, addr + s.extent(), to_string(m),
                                  l.bytes),
                      l.bytes == 0
                          ? "this memory belongs to the other side: guard the call with ASCEND_IS_AIC or ASCEND_IS_AIV"
                          : "shorten the tile or place the tensor lower",
                      m_.here(c_)};
            f.buffer = to_string(m);
            f.offset = addr;
            f.bytes = s.extent();
            m_.report(std::move(f));
            return nullptr;
        }
        l.high = std::max(l.high, addr + s.extent());
        return l.data.get() + addr;
    }

    std::byte* gm(const void* p, span s, bool write)
    {
        if (s.empty()) {
            return nullptr;
        }
        gm_block* b = c_.last_block;
        if (b == nullptr || !b->live || !b->contains(p)) {
            b = m_.gm.find(p);
            c_.last_block = b;
        }
        if (b == nullptr) {
            finding f{finding_kind::out_of_bounds, {}, {}, m_.here(c_)};
            const gm_block* n = m_.gm.nearest(p);
            f.message = n == nullptr ? fmt::format("{} of {} {} GM at an address in no buffer of the device",
                                                   c_.at.what, c_.name, write ? "writes" : "reads")
                                     : fmt::format("{} of {} {} GM {} bytes past the start of {}, which {} {} bytes",
                                                   c_.at.what, c_.name, write ? "writes" : "reads", n->offset_of(p),
                                                   n->name, n->live ? "has" : "was freed and had", n->bytes);
            f.fix = "allocate the buffer with device::alloc, and check offset and length";
            f.bytes = s.extent();
            m_.report(std::move(f));
            return nullptr;
        }
        const std::uint64_t offset = b->offset_of(p);
        if (offset + s.extent() > b->bytes) {
            finding f{finding_kind::out_of_bounds,
                      fmt::format("{} of {} {} bytes {} to {} of {}, which has {}", c_.at.what, c_.name,
                                  write ? "writes" : "reads", offset, offset + s.extent(), b->name, b->bytes),
                      "check offset and length; DataCopyPad copies a tail that is no multiple of 32 bytes",
                      m_.here(c_)};
            f.buffer = b->name;
            f.offset = offset;
            f.bytes = s.extent();
            m_.report(std::move(f));
            return nullptr;
        }
        if (write) {
            m_.progress();
        }
        return b->base + offset;
    }

    core& c_;
    machine& m_;
    pipe pipe_;
    double cost_ = 0;
};

} // namespace skt::emu
