/// @file
/// The state of one emulated core. Host only.
#pragma once

#include <skt/emu/clock.hpp>
#include <skt/emu/data_cache.hpp>
#include <skt/emu/fiber.hpp>
#include <skt/emu/gm_space.hpp>
#include <skt/emu/hooks.hpp>
#include <skt/emu/local_log.hpp>
#include <skt/emu/pipe.hpp>
#include <skt/emu/where.hpp>
#include <skt/model/kernel_type.hpp>
#include <skt/model/soc.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace skt::emu {

/// One on-chip memory. Contents are poison until written; `written` has one bit per byte.
struct local_memory {
    struct free_bytes {
        void operator()(std::byte* p) const { std::free(p); }
    };
    std::unique_ptr<std::byte[], free_bytes> data;
    std::uint64_t bytes = 0;
    std::uint64_t high = 0; ///< Bytes below were used since the last reset.
    std::vector<std::uint64_t> written;

    void resize(std::uint64_t n)
    {
        bytes = n;
        const std::uint64_t room = (n + 63) / 64 * 64 + 64;
        data.reset(static_cast<std::byte*>(std::aligned_alloc(64, room)));
        std::memset(data.get(), 0xA5, room);
        written.assign(n / 64 + 2, 0);
        high = 0;
    }
    void reset()
    {
        std::memset(data.get(), 0xA5, high);
        std::fill_n(written.begin(), static_cast<std::ptrdiff_t>((high + 63) / 64), 0);
        high = 0;
    }
};

/// One raised cross-core flag.
struct flag_token {
    int setter = 0;           ///< Core that set it (the last one, where several had to).
    std::vector<int> kernels; ///< Sub-kernels in which it was set, by core that took part; -1: between sub-kernels.
    int kernel = -1;          ///< The first sub-kernel among them, or -1.
    const char* kernel_name = "";
    where at;
    std::shared_ptr<snapshot> clock;
    double time = 0;
};

/// Where a core stands: its latest API call.
struct position {
    const char* what = "has not started";
    const char* kernel = "";
    where at;
};

/// What a blocked core waits for.
struct flag_wait {
    bool active = false;
    int flag = 0;
};

/// A SetFlag that waits for its WaitFlag, or the order that a queue keeps for its next user.
struct local_event {
    bool set = false;
    int kernel = -1;
    const char* kernel_name = "";
    where at;
    knowledge known;
    double time = 0;
};

/// Two unordered writes of one line. A fault only if they leave different bytes; known once the second has been made.
struct pending_clash {
    gm_op earlier;
    const gm_block* block = nullptr;
    std::uint64_t line = 0;
    std::uint64_t bits = 0;
    std::array<std::byte, 64> before{};
};

/// One emulated core.
struct core {
    int index = 0; ///< In the launch: cube cores first.
    side which = side::aiv;
    int ai_core = 0; ///< AI core it belongs to.
    int sub = 0;     ///< Vector core of its AI core.
    int sub_count = 1;
    int number = 0; ///< Among the cores of its side: the "3" of "aic3".
    std::string name;

    core_fiber fiber;
    bool blocked = false;
    bool finished = false;
    flag_wait waits;
    position at;
    std::uint64_t polls = 0;

    // Identity of the sub-kernel that runs.
    int kernel = -1;
    const char* kernel_name = "";
    const char* last_kernel = ""; ///< The one before, once it has ended.
    const declared_effect* declared = nullptr;
    int declared_count = 0;
    double kernel_start = 0;

    // Registers that a super kernel sets.
    std::uint32_t dynamic_block_num = 0;
    std::uint32_t early_start_config = 0;

    // Memories.
    std::array<local_memory, mem_count> memory;

    // Order.
    std::array<knowledge, pipe_count> pipes;
    knowledge control;  ///< What an instruction issued now is ordered after.
    own_clock latest{}; ///< Number of the newest event of each slot.
    std::uint64_t world_version = 0;

    // Cross-core flags: `flags` holds what has arrived; `sent` what this core has set and the rest of its group has not
    // yet, by mode.
    std::array<std::deque<flag_token>, flag_id_count> flags;
    std::array<std::array<std::deque<flag_token>, flag_id_count>, 3> sent;
    std::array<std::vector<event_number>, flag_id_count> wait_events; ///< Own wait-slot events, by flag.
    std::array<std::uint64_t, flag_id_count> arrivals{};              ///< Tokens ever received, by flag.
    std::array<std::array<std::uint64_t, flag_id_count>, 3> sets{};   ///< Sets ever made, by mode and flag.

    // Events between pipes: [from * pipe_count + to][event id].
    std::vector<std::array<local_event, 8>> events; ///< Empty until the first SetFlag or WaitFlag.
    local_event& event(pipe from, pipe to, std::size_t id)
    {
        if (events.empty()) {
            events.resize(pipe_count * pipe_count);
        }
        return events[static_cast<std::size_t>(from) * pipe_count + static_cast<std::size_t>(to)][id];
    }

    // Virtual time.
    std::array<double, pipe_count> pipe_time{};
    double control_time = 0;

    // Atomic mode of copies to GM.
    std::uint8_t atomic = 0;

    data_cache cache;
    local_log log;
    std::vector<pending_clash> pending; ///< Of the current instruction.
    bool uncached = false;              ///< The current scalar instruction goes past the cache.

    gm_block* last_block = nullptr;
    void* tpipe = nullptr; ///< The TPipe alive on this core.

    local_memory& local(mem m) { return memory[static_cast<std::size_t>(m)]; }
    bool is_aic() const { return which == side::aic; }
};

} // namespace skt::emu
