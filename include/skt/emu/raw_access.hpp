/// @file
/// Raw accesses to GM: `*p`, `p[i] = v`, references from `operator()`. Host only.
///
/// The addresses that kernels hold belong to pages without any access rights. A raw access faults; the handler shows
/// the page as the core sees it (GM and the core's cached lines), remembers it, and lets the access happen. At the
/// core's next call into the API the page is compared with what it was: changed bytes are stores through the data
/// cache, and the page is locked again. A load is seen once per page between two calls. The host may touch a buffer's
/// pages between launches in the same way.
#pragma once

#include <skt/emu/checks.hpp>
#include <skt/emu/machine.hpp>

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace skt::emu {

namespace detail {
inline thread_local std::vector<machine*> machines; ///< All machines of this thread.
inline struct sigaction previous_handler {
};
} // namespace detail

/// Locks the pages that were touched and turns what changed in them into accesses.
inline void settle_raw_accesses(machine& m)
{
    m.close_pages = nullptr;
    std::vector<machine::open_page> pages = std::move(m.open_pages);
    m.open_pages.clear();
    for (machine::open_page& o : pages) {
        std::vector<std::byte> after(o.before.size());
        std::memcpy(after.data(), o.page, after.size());
        ::mprotect(o.page, after.size(), PROT_NONE);
        core* c = o.by;
        const gm_block* any = m.gm.nearest(o.page);
        auto* b = const_cast<gm_block*>(any);
        if (b == nullptr || !b->live) {
            continue;
        }
        const auto offset = static_cast<std::uint64_t>(o.page - b->base);
        position now;
        if (c != nullptr) {
            now = c->at;
            c->at = {"raw GM access", c->kernel_name, now.at};
            m.advance(*c, pipe::s);
            if (!o.wrote) {
                const std::uint64_t at = static_cast<std::uint64_t>(o.touched - b->base);
                if (at < b->bytes) {
                    std::byte value{};
                    scalar_access(m, *c, *b, at, 1, &value, false);
                }
            }
        }
        for (std::uint64_t i = 0; i < after.size();) {
            if (after[i] == o.before[i]) {
                ++i;
                continue;
            }
            std::uint64_t j = i;
            while (j < after.size() && after[j] != o.before[j]) {
                ++j;
            }
            const std::uint64_t last = std::min(offset + j, b->bytes);
            if (offset + j > b->bytes && c != nullptr) {
                finding f{finding_kind::out_of_bounds,
                          fmt::format("{} writes past the end of {} ({} bytes) through a raw pointer", c->name, b->name,
                                      b->bytes),
                          "check the index", place_here(*c, pipe::s)};
                f.buffer = b->name;
                f.offset = b->bytes;
                f.bytes = offset + j - b->bytes;
                m.report(std::move(f));
            }
            if (offset + i < last) {
                if (c != nullptr) {
                    scalar_access(m, *c, *b, offset + i, last - offset - i, after.data() + i, true);
                } else {
                    std::memcpy(m.gm.storage(b->base) + offset + i, after.data() + i, last - offset - i);
                    set_bits(b->written, offset + i, last);
                }
            }
            i = j;
        }
        if (c != nullptr) {
            c->at = now;
        }
    }
}

/// Opens the page of a raw access. False if the address is not GM of this thread's devices.
inline bool open_raw_page(void* address, bool write)
{
    for (machine* m : detail::machines) {
        if (!m->gm.contains(address)) {
            continue;
        }
        auto* page = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(address) / gm_space::page_bytes *
                                                  gm_space::page_bytes);
        const gm_block* b = m->gm.nearest(page);
        if (b == nullptr || !b->live || static_cast<std::uint64_t>(page - b->base) >= b->bytes) {
            return false;
        }
        core* c = detail::running == m ? detail::self : nullptr;
        machine::open_page o;
        o.page = page;
        o.by = c;
        o.wrote = write;
        o.touched = static_cast<std::byte*>(address);
        ::mprotect(page, gm_space::page_bytes, PROT_READ | PROT_WRITE);
        std::memcpy(page, m->gm.storage(page), gm_space::page_bytes);
        if (c != nullptr) {
            for (std::uintptr_t l = reinterpret_cast<std::uintptr_t>(page) / 64;
                 l < reinterpret_cast<std::uintptr_t>(page) / 64 + gm_space::page_bytes / 64; ++l) {
                const auto held = c->cache.find(l);
                if (held != c->cache.end() && held->second.present) {
                    std::memcpy(reinterpret_cast<void*>(l * 64), held->second.data.data(), 64);
                }
            }
        }
        o.before.assign(page, page + gm_space::page_bytes);
        m->open_pages.push_back(std::move(o));
        m->close_pages = &settle_raw_accesses;
        return true;
    }
    return false;
}

inline void on_fault(int number, siginfo_t* info, void* context)
{
    bool write = false;
#if defined(__x86_64__)
    write = (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#endif
    if (open_raw_page(info->si_addr, write)) {
        return;
    }
    // Not ours: hand it to whoever was there before.
    const struct sigaction& old = detail::previous_handler;
    if ((old.sa_flags & SA_SIGINFO) != 0 && old.sa_sigaction != nullptr) {
        old.sa_sigaction(number, info, context);
    } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
        old.sa_handler(number);
    } else {
        ::signal(number, SIG_DFL);
    }
}

/// Makes sure that faults come here first.
inline void watch_faults()
{
    struct sigaction now {};
    ::sigaction(SIGSEGV, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_fault) {
        return;
    }
    detail::previous_handler = now;
    struct sigaction mine {};
    mine.sa_sigaction = &on_fault;
    mine.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&mine.sa_mask);
    ::sigaction(SIGSEGV, &mine, nullptr);
}

/// Keeps a machine's GM watched while it lives.
class raw_watch {
public:
    explicit raw_watch(machine& m) : machine_(m)
    {
        detail::machines.push_back(&m);
        watch_faults();
    }
    ~raw_watch()
    {
        auto& list = detail::machines;
        list.erase(std::remove(list.begin(), list.end(), &machine_), list.end());
    }
    raw_watch(const raw_watch&) = delete;
    raw_watch& operator=(const raw_watch&) = delete;

    /// Takes in what the host wrote directly.
    void settle() const
    {
        if (machine_.close_pages != nullptr) {
            settle_raw_accesses(machine_);
        }
    }

private:
    machine& machine_;
};

} // namespace skt::emu
