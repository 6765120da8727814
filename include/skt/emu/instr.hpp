/// @file
/// One instruction of a kernel: which pipe runs it and which bytes it touches. Host only.
#pragma once

#include <skt/emu/checks.hpp>
#include <skt/emu/machine.hpp>
#include <skt/emu/span.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace skt::emu {

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
    instr(pipe p, const char* what, where at)
        : c_(current_core()), m_(current_machine()), pipe_(p), checks_(m_.options.checks)
    {
        m_.step(c_, what, at);
        m_.advance(c_, p);
        m_.holes.clear();
    }
    instr(const instr&) = delete;
    instr& operator=(const instr&) = delete;
    ~instr()
    {
        settle();
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
    /// Its bytes are in place: another core may go on.
    void yield()
    {
        settle();
        m_.yield(c_);
    }

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

    /// Tells where bytes went, so that "never written" travels with them: a tail that nobody uses is no fault, a result
    /// made of it is.
    void moved_in(mem to, std::uint64_t addr, span t, const void* from, span f)
    {
        if (!checks_) {
            return;
        }
        const gm_block* b = c_.last_block;
        const std::uint64_t offset = b->offset_of(from);
        for (std::uint64_t k = 0; k < f.count; ++k) {
            carry(b->written, offset + k * f.stride, c_.local(to).written, addr + k * t.stride, f.bytes);
        }
    }
    void moved_out(const void* to, span t, mem from, std::uint64_t addr, span f)
    {
        if (!checks_ || m_.holes.empty() || c_.atomic != 0) {
            return;
        }
        gm_block* b = m_.gm.find(to);
        for (const memory_hole& h : m_.holes) {
            spread(h, from, addr, f, [&](std::uint64_t row, std::uint64_t first, std::uint64_t last) {
                const std::uint64_t at = b->offset_of(to) + row * t.stride;
                set_bits(b->written, at + first, at + last, false);
            });
        }
    }
    void moved_local(mem to, std::uint64_t to_addr, span t, mem from, std::uint64_t addr, span f)
    {
        if (!checks_) {
            return;
        }
        for (const memory_hole& h : m_.holes) {
            spread(h, from, addr, f, [&](std::uint64_t row, std::uint64_t first, std::uint64_t last) {
                const std::uint64_t at = to_addr + row * t.stride;
                set_bits(c_.local(to).written, at + first, at + last, false);
            });
        }
    }
    /// Element k of the result comes from element k of the source.
    void element_wise(mem to, std::uint64_t to_addr, std::uint64_t to_size, mem from, std::uint64_t addr,
                      std::uint64_t size, std::uint64_t count)
    {
        if (!checks_) {
            return;
        }
        for (const memory_hole& h : m_.holes) {
            spread(h, from, addr, {size * count}, [&](std::uint64_t, std::uint64_t first, std::uint64_t last) {
                set_bits(c_.local(to).written, to_addr + first / size * to_size,
                         to_addr + (last + size - 1) / size * to_size, false);
            });
        }
    }
    /// Whether bytes that this instruction reads had never been written.
    bool unwritten(mem m, std::uint64_t addr, std::uint64_t bytes) const
    {
        return std::any_of(m_.holes.begin(), m_.holes.end(), [&](const memory_hole& h) {
            return h.memory == m && h.first < addr + bytes && addr < h.last;
        });
    }
    bool any_unwritten() const { return checks_ && !m_.holes.empty(); }
    /// Makes bytes of the result count as never written.
    void taint(mem m, std::uint64_t addr, std::uint64_t bytes)
    {
        set_bits(c_.local(m).written, addr, addr + bytes, false);
    }

    /// Reports a broken rule of the API.
    void misuse(std::string message, std::string fix)
    {
        m_.report({finding_kind::misuse, std::move(message), std::move(fix), m_.here(c_)});
    }

private:
    void settle()
    {
        if (!c_.pending.empty()) {
            settle_pending(m_, c_, pipe_);
        }
    }
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
        if (checks_) {
            check_local(m_, c_, pipe_, m, addr, s, write);
            if (write) {
                for_rows(addr, s, [&](std::uint64_t first, std::uint64_t last) { set_bits(l.written, first, last); });
            } else {
                find_holes(l, m, addr, s);
            }
        }
        return l.data.get() + addr;
    }

    template <class F>
    static void for_rows(std::uint64_t addr, const span& s, F f)
    {
        if (s.dense()) {
            f(addr, addr + s.extent());
            return;
        }
        for (std::uint64_t k = 0; k < s.count; ++k) {
            f(addr + k * s.stride, addr + k * s.stride + s.bytes);
        }
    }
    /// Remembers the unwritten bytes of an operand; reports an operand that has no others, or one that the scalar unit
    /// uses.
    void find_holes(const local_memory& l, mem m, std::uint64_t addr, const span& s)
    {
        std::uint64_t missing = 0;
        std::uint64_t total = 0;
        for_rows(addr, s, [&](std::uint64_t first, std::uint64_t last) {
            total += last - first;
            for (std::uint64_t at = first_clear(l.written, first, last); at < last;) {
                const std::uint64_t end = first_set(l.written, at, last);
                m_.holes.push_back({m, at, end});
                missing += end - at;
                at = first_clear(l.written, end, last);
            }
        });
        if (missing != 0 && (missing == total || pipe_ == pipe::s)) {
            finding f{finding_kind::uninitialised_read,
                      fmt::format("{} of {} uses {} {} to {}, which nothing in {} has written", c_.at.what, c_.name,
                                  to_string(m), addr, addr + s.extent(), named(c_.at.kernel)),
                      "copy or compute the data first; what an earlier sub-kernel left on chip is not there any more",
                      place_here(c_, pipe_)};
            f.buffer = to_string(m);
            f.offset = addr;
            f.bytes = missing;
            m_.report(std::move(f));
        }
    }
    /// Copies "written" bits.
    static void carry(const std::vector<std::uint64_t>& from, std::uint64_t from_at, std::vector<std::uint64_t>& to,
                      std::uint64_t to_at, std::uint64_t bytes)
    {
        for (std::uint64_t at = first_clear(from, from_at, from_at + bytes); at < from_at + bytes;) {
            const std::uint64_t end = first_set(from, at, from_at + bytes);
            set_bits(to, to_at + (at - from_at), to_at + (end - from_at), false);
            at = first_clear(from, end, from_at + bytes);
        }
    }
    /// Calls `f(row, first, last)` for the parts of a hole that lie in the rows of an operand.
    template <class F>
    static void spread(const memory_hole& h, mem m, std::uint64_t addr, const span& s, F f)
    {
        if (h.memory != m || s.empty() || h.last <= addr) {
            return;
        }
        const std::uint64_t low = s.count > 1 && s.stride != 0 && h.first > addr ? (h.first - addr) / s.stride : 0;
        for (std::uint64_t k = low; k < s.count && addr + k * s.stride < h.last; ++k) {
            const std::uint64_t row = addr + k * s.stride;
            const std::uint64_t first = std::max(h.first, row);
            const std::uint64_t last = std::min(h.last, row + s.bytes);
            if (first < last) {
                f(k, first - row, last - row);
            }
        }
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
        if (checks_) {
            check_gm_bytes(*b, offset, s, write);
        }
        return m_.gm.storage(p);
    }

    void check_gm_bytes(gm_block& b, std::uint64_t offset, const span& s, bool write)
    {
        const bool adds = write && c_.atomic != 0 && pipe_ != pipe::s;
        check_gm(m_, c_, pipe_, b, offset, s, !write ? gm_action::read : adds ? gm_action::atomic : gm_action::write);
        std::uint64_t missing = 0;
        std::uint64_t total = 0;
        for_rows(offset, s, [&](std::uint64_t first, std::uint64_t last) {
            total += last - first;
            if (write && !adds) {
                set_bits(b.written, first, last);
                return;
            }
            for (std::uint64_t at = first_clear(b.written, first, last); at < last;) {
                const std::uint64_t end = first_set(b.written, at, last);
                missing += end - at;
                at = first_clear(b.written, end, last);
            }
            if (adds) {
                set_bits(b.written, first, last);
            }
        });
        if (missing != 0 && (missing == total || adds || pipe_ == pipe::s)) {
            finding f{finding_kind::uninitialised_read,
                      fmt::format("{} of {} {} {} + {}: {} of {} bytes were never written", named(c_.at.kernel),
                                  c_.name, adds ? "adds to" : "reads", b.name, offset, missing, total),
                      adds ? "zero the buffer first, in an earlier kernel or by the host"
                           : "write the buffer first, in an earlier kernel or by the host",
                      place_here(c_, pipe_)};
            f.buffer = b.name;
            f.offset = offset;
            f.bytes = missing;
            m_.report(std::move(f));
        }
    }

    core& c_;
    machine& m_;
    pipe pipe_;
    bool checks_;
    double cost_ = 0;
};

} // namespace skt::emu
