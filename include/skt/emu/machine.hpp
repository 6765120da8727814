/// @file
/// The emulated device at work: cores, scheduler, flags, findings. Host only.
#pragma once

#include <skt/emu/core.hpp>
#include <skt/emu/finding.hpp>
#include <skt/emu/gm_space.hpp>
#include <skt/emu/hooks.hpp>
#include <skt/emu/options.hpp>
#include <skt/emu/run_result.hpp>
#include <skt/model/kernel_type.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skt::emu {

/// Thrown through a kernel to unwind its fiber when a run ends early. Kernels never catch it.
struct run_cancelled {};

/// Bytes of on-chip memory that the current instruction reads and nobody has written.
struct memory_hole {
    mem memory;
    std::uint64_t first;
    std::uint64_t last;
};

/// A small, fast generator with a good spread (SplitMix64).
class seeded_random {
public:
    explicit seeded_random(std::uint64_t seed = 0) : state_(seed) {}
    std::uint64_t next()
    {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// A number below `n`.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

private:
    std::uint64_t state_;
};

class machine;
/// What the device does when a core's kernel ends: everything is drained and the data cache written back. In
/// checks.hpp.
void end_of_core(machine& m, core& c);
namespace detail {
inline thread_local machine* running = nullptr;
inline thread_local core* self = nullptr;
} // namespace detail

/// One device: its memory, its cores, and the run in progress.
class machine {
public:
    explicit machine(const device_options& o) : options(o), gm(o.gm_bytes, o.shared_gm), stacks_(o.stack_bytes) {}

    device_options options;
    gm_space gm;

    /// Runs `body` once on every core of `shape`.
    run_result run(launch_shape shape, const std::function<void()>& body);

    launch_shape shape() const { return shape_; }
    const std::vector<std::unique_ptr<core>>& cores() const { return cores_; }
    int core_count() const { return active_; }

    // ---- scheduling, called on a core's fiber ----

    /// Counts an API call and remembers it as the core's position. Stops the run at the step limit.
    void step(core& c, const char* what, where at)
    {
        if (close_pages != nullptr) {
            close_pages(*this);
        }
        c.at = {what, c.kernel_name, at};
        if (++steps_ > options.step_limit && !cancelled_) {
            report(
                {finding_kind::step_limit,
                 fmt::format("the run was stopped after {} API calls; {} was at {}", options.step_limit, c.name, what),
                 "raise step_limit if the kernels really need so many calls, else look for a loop that never ends",
                 here(c)});
            cancel();
        }
        if (cancelled_) {
            unwind();
        }
    }
    /// Another core may go on.
    void yield(core& c)
    {
        if (unwinding() || runnable_.size() < 2) {
            return;
        }
        if (run_length_ > 0 && random_.below(run_length_) != 0) {
            return; // this seed prefers long stretches on one core
        }
        const std::size_t next = pick();
        if (runnable_[next] == c.index) {
            return;
        }
        chosen_ = next;
        c.fiber.leave();
        resumed(c);
    }
    /// Like `yield`, for a core that looks at memory until it changes.
    void poll(core& c)
    {
        if (unwinding()) {
            return;
        }
        ++c.polls;
        ++idle_polls_;
        if (idle_polls_ > options.poll_limit * runnable_.size()) {
            report_endless_poll(c);
            cancel();
            unwind();
        }
        if (runnable_.size() >= 2) { // someone else, whoever it is
            const auto own =
                static_cast<std::size_t>(std::find(runnable_.begin(), runnable_.end(), c.index) - runnable_.begin());
            chosen_ = (own + 1 + random_.below(runnable_.size() - 1)) % runnable_.size();
            c.fiber.leave();
            resumed(c);
        }
    }
    /// Something happened that a polling core may be waiting for.
    void progress() { idle_polls_ = 0; }

    /// Ends the run: every core unwinds at its next call.
    void cancel() { cancelled_ = true; }
    bool cancelled() const { return cancelled_; }

    // ---- order ----

    /// A new event on pipe `p`: ordered after everything the core's control flow knows.
    event_number advance(core& c, pipe p)
    {
        knowledge& k = c.pipes[static_cast<std::size_t>(p)];
        k.learn(c.control);
        if (p != pipe::s && p != pipe::mte2) {
            progress(); // work, not a look at memory
        }
        return k.own[static_cast<std::size_t>(p)] = ++c.latest[static_cast<std::size_t>(p)];
    }
    /// Everything issued before is done before anything issued later.
    void drain(core& c)
    {
        for (std::size_t p = 0; p < pipe_count; ++p) {
            c.control.own[p] = c.latest[p];
        }
        double t = c.control_time;
        for (const double x : c.pipe_time) {
            t = std::max(t, x);
        }
        trace(c, "S", "drain", c.control_time, t + options.cost.drain);
        c.control_time = t + options.cost.drain;
    }

    /// Everything that `k`, held by core `c`, says about the whole machine.
    snapshot complete(const core& c, const knowledge& k) const;
    /// Core `c` goes on only after everything in `told`.
    void learn(core& c, const snapshot& told);

    // ---- cross-core flags ----

    /// Core `c` raises `flag` in `mode` when pipe `p` has done what it was given. `of_plan`: the set belongs to the
    /// order between sub-kernels even if a sub-kernel makes it (SetNextTaskStart).
    void set_flag(core& c, int mode, pipe p, int flag, where at, bool of_plan = false);
    /// Core `c` waits until `flag` is up and takes it. `of_plan` as above (WaitPreTaskEnd).
    void wait_flag(core& c, int flag, where at, bool of_plan = false);

    // ---- messages through GM words (software synchronisation) ----

    /// What was known to the writer of each word, by its address.
    std::map<const void*, snapshot> messages;

    // ---- what the checks keep (checks.hpp) ----

    std::uint64_t launch_number = 0;
    std::vector<gm_op> gm_ops;                                        ///< By `gm_record::op`.
    std::unordered_map<std::uintptr_t, std::vector<int>> dirty_lines; ///< Cores that hold unflushed bytes, by line.
    std::pair<std::uint32_t, std::uint32_t> last_clash{~0u, ~0u};     ///< The pair of operations reported last.
    std::vector<std::uint64_t> said_lines; ///< Lines whose unflushed bytes were just reported.
    std::vector<memory_hole> holes;        ///< Of the current instruction.
    seeded_random cache_random;
    bool cache_evicts = false;

    // ---- raw accesses to GM (raw_access.hpp) ----

    /// A page that a kernel, or the host, touches directly.
    struct open_page {
        std::byte* page = nullptr;
        core* by = nullptr; ///< Null: the host, outside of a launch.
        bool wrote = false;
        std::byte* touched = nullptr; ///< The address of the fault.
        where at;
        std::vector<std::byte> before;
    };
    std::vector<open_page> open_pages;
    void (*close_pages)(machine&) = nullptr; ///< Set while pages are open.

    // ---- sub-kernels ----

    void kernel_begin(core& c, const char* name, int index);
    void kernel_end(core& c);

    /// Work space for instructions, kept between them.
    template <class T>
    std::vector<T>& scratch(int which)
    {
        static thread_local std::vector<T> space[2];
        return space[which];
    }

    // ---- findings ----

    /// Adds a finding, or counts it if the same one was seen before.
    void report(finding f)
    {
        const auto key = std::make_tuple(f.kind, f.first.file, f.first.line, f.second.file, f.second.line,
                                         f.first.kernel + "|" + f.second.kernel + "|" + f.buffer);
        const auto found = seen_.find(key);
        if (found != seen_.end()) {
            ++result_.findings[found->second].count;
            return;
        }
        if (result_.findings.size() >= options.finding_limit) {
            return;
        }
        seen_.emplace(key, result_.findings.size());
        result_.findings.push_back(std::move(f));
    }
    /// The place where core `c` is.
    place here(const core& c) const { return {c.name, c.at.kernel, c.at.what, c.at.at.file, c.at.at.line}; }
    place token_place(const flag_token& t) const
    {
        return {cores_[static_cast<std::size_t>(t.setter)]->name, t.kernel_name, "set", t.at.file, t.at.line};
    }
    void trace(const core& c, const char* lane, std::string name, double start, double end)
    {
        if (options.trace) {
            result_.trace.push_back({c.index, lane, std::move(name), start, end, c.kernel});
        }
    }

private:
    using finding_key = std::tuple<finding_kind, std::string, int, std::string, int, std::string>;

    void prepare(launch_shape shape);
    void finish();
    void report_deadlock();
    void report_endless_poll(const core& c);
    void deliver(core& to, flag_token t, int flag);
    std::string core_list(std::vector<const core*> list) const;

    std::size_t pick()
    {
        if (options.seed == 0) {
            return static_cast<std::size_t>(std::min_element(runnable_.begin(), runnable_.end()) - runnable_.begin());
        }
        return random_.below(runnable_.size());
    }
    bool unwinding() const { return std::uncaught_exceptions() > 0; }
    void unwind() const
    {
        if (!unwinding()) {
            throw run_cancelled{};
        }
    }
    void resumed(core& c)
    {
        detail::self = &c;
        if (cancelled_) {
            unwind();
        }
    }

    stack_pool stacks_;
    launch_shape shape_{};
    std::vector<std::unique_ptr<core>> cores_;
    int active_ = 0;
    int aic_count_ = 0;
    std::vector<int> runnable_;
    std::size_t chosen_ = static_cast<std::size_t>(-1);
    std::size_t run_length_ = 0;
    seeded_random random_;
    std::vector<core*> group_;
    std::vector<core*> targets_;
    bool cancelled_ = false;
    std::uint64_t steps_ = 0;
    std::uint64_t idle_polls_ = 0;
    std::exception_ptr thrown_;
    run_result result_;
    std::map<finding_key, std::size_t> seen_;
};

/// "aic0-aic3, aiv7", with at most a few ranges.
inline std::string machine::core_list(std::vector<const core*> list) const
{
    std::sort(list.begin(), list.end(), [](const core* a, const core* b) { return a->index < b->index; });
    std::string s;
    for (std::size_t i = 0; i < list.size();) {
        std::size_t j = i;
        while (j + 1 < list.size() && list[j + 1]->index == list[j]->index + 1 &&
               list[j + 1]->which == list[i]->which) {
            ++j;
        }
        s += s.empty() ? "" : ", ";
        s += i == j ? list[i]->name : list[i]->name + "-" + list[j]->name;
        i = j + 1;
    }
    return s;
}

inline void machine::prepare(launch_shape shape)
{
    const int aic = cores_of(shape, side::aic);
    const int aiv = cores_of(shape, side::aiv);
    if (shape.blocks <= 0) {
        throw std::invalid_argument(fmt::format("a launch needs at least one block, not {}", shape.blocks));
    }
    if (aic > options.chip.aic_cores || aiv > options.chip.aiv_cores) {
        throw std::invalid_argument(fmt::format("{} with {} blocks needs {} cube and {} vector cores; {} has {} and {}",
                                                to_string(shape.type), shape.blocks, aic, aiv, options.chip.name,
                                                options.chip.aic_cores, options.chip.aiv_cores));
    }
    shape_ = shape;
    active_ = aic + aiv;
    aic_count_ = aic;
    const int per_ai_core = aic == 0 ? 1 : aiv_per_ai_core(shape);
    while (static_cast<int>(cores_.size()) < active_) {
        cores_.push_back(std::make_unique<core>());
    }
    random_ = seeded_random(options.seed);
    run_length_ = options.seed == 0 ? 1u << 20 : std::size_t{1} << (options.seed % 4 * 2);
    result_ = {};
    result_.seed = options.seed;
    seen_.clear();
    runnable_.clear();
    messages.clear();
    ++launch_number;
    gm_ops.clear();
    dirty_lines.clear();
    last_clash = {~0u, ~0u};
    cache_random = seeded_random(options.seed ^ 0x5bd1e995u);
    cache_evicts = options.cache == cache_mode::evict || (options.cache == cache_mode::seeded && options.seed % 3 == 2);
    cancelled_ = false;
    steps_ = 0;
    idle_polls_ = 0;
    thrown_ = nullptr;
    for (int i = 0; i < active_; ++i) {
        core& old = *cores_[static_cast<std::size_t>(i)];
        std::array<local_memory, mem_count> memory = std::move(old.memory);
        old = core{};
        core& c = old;
        c.memory = std::move(memory);
        c.index = i;
        c.which = i < aic ? side::aic : side::aiv;
        c.number = i < aic ? i : i - aic;
        c.ai_core = i < aic ? i : c.number / per_ai_core;
        c.sub = i < aic ? 0 : c.number % per_ai_core;
        c.sub_count = i < aic ? 1 : per_ai_core;
        c.name = fmt::format("{}{}", to_string(c.which), c.number);
        const soc& s = options.chip;
        const std::array<std::int64_t, mem_count> sizes =
            c.is_aic()
                ? std::array<std::int64_t, mem_count>{0, s.l1_bytes, s.l0a_bytes, s.l0b_bytes, s.l0c_bytes, 1024, 2048}
                : std::array<std::int64_t, mem_count>{s.ub_bytes, 0, 0, 0, 0, 0, 0};
        for (std::size_t m = 0; m < mem_count; ++m) {
            if (c.memory[m].bytes != static_cast<std::uint64_t>(sizes[m]) || !c.memory[m].data) {
                c.memory[m].resize(static_cast<std::uint64_t>(sizes[m]));
            } else {
                c.memory[m].reset();
            }
        }
        runnable_.push_back(i);
        result_.cores.push_back(c.name);
        const double skew = active_ > 1 ? options.cost.start_skew * i / (active_ - 1) : 0;
        c.control_time = options.cost.launch + (aic > 0 && aiv > 0 ? options.cost.launch_mix_extra : 0) + skew;
    }
}

inline run_result machine::run(launch_shape shape, const std::function<void()>& body)
{
    if (detail::running != nullptr) {
        throw std::logic_error("a kernel cannot launch another kernel");
    }
    prepare(shape);
    struct scope {
        hook_table table;
        explicit scope(machine* m)
        {
            table.self = m;
            table.begin = [](void* s, const char* name, int index) {
                static_cast<machine*>(s)->kernel_begin(*detail::self, name, index);
            };
            table.declare = [](void*, const declared_effect* e, int n) {
                detail::self->declared = e;
                detail::self->declared_count = n;
            };
            table.end = [](void* s) { static_cast<machine*>(s)->kernel_end(*detail::self); };
            detail::running = m;
            detail::hooks = &table;
        }
        ~scope()
        {
            detail::running = nullptr;
            detail::self = nullptr;
            detail::hooks = nullptr;
        }
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;
    } on(this);

    int unfinished = active_;
    while (unfinished > 0) {
        if (runnable_.empty()) {
            if (!cancelled_) {
                report_deadlock();
                cancel();
            }
            for (int i = 0; i < active_; ++i) { // unwind every core that has begun
                core& c = *cores_[static_cast<std::size_t>(i)];
                if (!c.finished && c.fiber.started()) {
                    detail::self = &c;
                    c.fiber.enter();
                }
            }
            break;
        }
        const std::size_t slot = chosen_ < runnable_.size() ? chosen_ : pick();
        chosen_ = static_cast<std::size_t>(-1);
        core& c = *cores_[static_cast<std::size_t>(runnable_[slot])];
        if (!c.fiber.started()) {
            if (cancelled_) {
                c.finished = true;
                runnable_.erase(runnable_.begin() + static_cast<std::ptrdiff_t>(slot));
                --unfinished;
                continue;
            }
            c.fiber.start(stacks_, [this, &c, &body] {
                try {
                    body();
                    end_of_core(*this, c);
                    c.at = {"has returned", c.last_kernel, c.at.at};
                } catch (const run_cancelled&) {
                } catch (...) {
                    if (!thrown_) {
                        thrown_ = std::current_exception();
                    }
                    cancel();
                }
            });
        }
        detail::self = &c;
        c.fiber.enter();
        if (c.fiber.done()) {
            c.finished = true;
            --unfinished;
            progress();
        }
        if (c.finished || c.blocked) {
            chosen_ = static_cast<std::size_t>(-1); // the list changes
            runnable_.erase(std::find(runnable_.begin(), runnable_.end(), c.index));
        }
    }
    if (thrown_) {
        for (int i = 0; i < active_; ++i) {
            cores_[static_cast<std::size_t>(i)]->fiber.reset();
        }
        std::rethrow_exception(thrown_);
    }
    finish();
    return std::move(result_);
}

inline void machine::finish()
{
    if (!cancelled_) {
        for (int i = 0; i < active_; ++i) {
            core& c = *cores_[static_cast<std::size_t>(i)];
            for (int f = 0; f < flag_id_count; ++f) {
                const auto& left = c.flags[static_cast<std::size_t>(f)];
                if (!left.empty()) {
                    finding x{finding_kind::unbalanced_flags,
                              fmt::format(
                                  "flag {} of {} still counts {} at the end of the launch; {} raised it without a wait",
                                  f, c.name, left.size(),
                                  left.front().kernel_name[0] != 0 ? left.front().kernel_name : "the kernel"),
                              "give every CrossCoreSetFlag its CrossCoreWaitFlag on each core that it reaches",
                              token_place(left.front())};
                    report(std::move(x));
                }
            }
            for (std::size_t mode = 0; mode < 3; ++mode) {
                for (int f = 0; f < flag_id_count; ++f) {
                    const auto& left = c.sent[mode][static_cast<std::size_t>(f)];
                    if (!left.empty()) {
                        report({finding_kind::unbalanced_flags,
                                fmt::format(
                                    "{} set flag {} in mode {} {} time(s) more often than the other cores of its group",
                                    c.name, f, mode, left.size()),
                                "every core of the group must set the flag equally often", token_place(left.front())});
                    }
                }
            }
            for (std::size_t e = 0; e < c.events.size(); ++e) {
                for (std::size_t id = 0; id < 8; ++id) {
                    const local_event& v = c.events[e][id];
                    if (v.set) {
                        report({finding_kind::unbalanced_flags,
                                fmt::format("{} set event {} from {} to {} and nobody waited for it", c.name, id,
                                            to_string(static_cast<pipe>(e / pipe_count)),
                                            to_string(static_cast<pipe>(e % pipe_count))),
                                "add the WaitFlag, or drop the SetFlag: a left-over event lets the next wait pass too "
                                "early",
                                {c.name, v.kernel_name, "SetFlag", v.at.file, v.at.line}});
                    }
                }
            }
        }
    }
    for (int i = 0; i < active_; ++i) {
        core& c = *cores_[static_cast<std::size_t>(i)];
        double t = c.control_time;
        for (const double x : c.pipe_time) {
            t = std::max(t, x);
        }
        result_.virtual_ns = std::max(result_.virtual_ns, t);
        c.fiber.reset();
    }
    result_.steps = steps_;
}

inline snapshot machine::complete(const core& c, const knowledge& k) const
{
    snapshot s(static_cast<std::size_t>(active_) * slots_per_core, 0);
    if (k.world) {
        s = k.world->at;
    }
    for (std::size_t i = 0; i < slots_per_core; ++i) {
        event_number& e = s[static_cast<std::size_t>(c.index) * slots_per_core + i];
        e = std::max(e, k.own[i]);
    }
    return s;
}

inline void machine::deliver(core& to, flag_token t, int flag)
{
    auto& queue = to.flags[static_cast<std::size_t>(flag)];
    const finding_kind kind = finding_kind::counter_overflow;
    const std::uint64_t number = ++to.arrivals[static_cast<std::size_t>(flag)];
    // How many of the receiver's waits does the setter know to be over? All others may still be ahead on a slow
    // receiver.
    const auto& waits = to.wait_events[static_cast<std::size_t>(flag)];
    const event_number known =
        t.clock ? (*t.clock)[static_cast<std::size_t>(to.index) * slots_per_core + wait_slot] : event_number{0};
    const auto over = static_cast<std::uint64_t>(std::upper_bound(waits.begin(), waits.end(), known) - waits.begin());
    if (t.clock ? number - over > flag_counter_max : queue.size() >= flag_counter_max) {
        report(
            {kind,
             fmt::format("flag {} of {} may count {}: {} raised it {} times and knows of {} waits; a counter holds {}",
                         flag, to.name, number - over, t.kernel_name[0] != 0 ? t.kernel_name : "the kernel", number,
                         over, flag_counter_max),
             "let the setter wait for an answer at least every 15 sets, or signal larger pieces of work",
             token_place(t)});
        if (queue.size() >= flag_counter_max) {
            // The device stops here; the count is kept at its limit so that the run can show what follows.
            queue.pop_front();
            --to.arrivals[static_cast<std::size_t>(flag)];
        }
    }
    queue.push_back(std::move(t));
    if (to.blocked && to.waits.active && to.waits.flag == flag) {
        to.blocked = false;
        to.waits.active = false;
        runnable_.push_back(to.index);
    }
    progress();
}

inline void machine::learn(core& c, const snapshot& told)
{
    auto world = std::make_shared<world_clock>();
    world->at = told;
    if (c.control.world) {
        const auto& old = c.control.world->at;
        for (std::size_t i = 0; i < old.size(); ++i) {
            world->at[i] = std::max(world->at[i], old[i]);
        }
    }
    for (std::size_t i = 0; i < slots_per_core; ++i) { // what came back about this very core
        c.control.own[i] =
            std::max(c.control.own[i], world->at[static_cast<std::size_t>(c.index) * slots_per_core + i]);
    }
    world->version = ++c.world_version;
    c.control.world = std::move(world);
}

inline void machine::set_flag(core& c, int mode, pipe p, int flag, where at, bool of_plan)
{
    step(c, "CrossCoreSetFlag", at);
    if (flag < 0 || flag >= flag_id_count || mode < 0 || mode > 2) {
        report({finding_kind::misuse,
                fmt::format("CrossCoreSetFlag with flag {} and mode {}: flags are 0 to 15, modes 0 to 2", flag, mode),
                "use a flag id from 0 to 10", here(c)});
        return;
    }
    if (shape_.type == kernel_type::aic_only || shape_.type == kernel_type::aiv_only) {
        report({finding_kind::misuse,
                fmt::format("cross-core flags do not work in a launch of type {}: its cross-core scheduler is off",
                            to_string(shape_.type)),
                "launch it as mix_aic_1_0 or mix_aiv_1_0", here(c)});
        return;
    }
    if (p == pipe::s) {
        report({finding_kind::misuse, "CrossCoreSetFlag on PIPE_S: the set cannot be ordered after scalar work",
                "name the pipe whose work the waiting core needs", here(c)});
    }
    advance(c, p);
    const auto f = static_cast<std::size_t>(flag);
    const auto m = static_cast<std::size_t>(mode);
    const knowledge& k = c.pipes[static_cast<std::size_t>(p)];
    const int kernel = of_plan ? -1 : c.kernel;
    flag_token t{c.index,
                 {kernel},
                 kernel,
                 kernel < 0 ? "" : c.kernel_name,
                 at,
                 options.checks ? std::make_shared<snapshot>(complete(c, k)) : nullptr,
                 std::max(c.pipe_time[static_cast<std::size_t>(p)], c.control_time)};
    c.control_time += options.cost.issue;
    if (options.trace) {
        trace(c, "flag", fmt::format("set {} mode {}", flag, mode), t.time, t.time + options.cost.issue);
    }
    ++c.sets[m][f];
    std::vector<core*>& group = group_;     // who must set
    std::vector<core*>& targets = targets_; // who receives
    group.clear();
    targets.clear();
    for (int i = 0; i < active_; ++i) {
        core& o = *cores_[static_cast<std::size_t>(i)];
        const bool same_side = o.which == c.which;
        const bool same_ai_core = o.ai_core == c.ai_core;
        if (mode == 0 && same_side) {
            group.push_back(&o);
            targets.push_back(&o);
        } else if (mode == 1 && same_side && same_ai_core) {
            group.push_back(&o);
            targets.push_back(&o);
        } else if (mode == 2 && same_ai_core) {
            (same_side ? group : targets).push_back(&o);
        }
    }
    c.sent[m][f].push_back(std::move(t));
    if (c.sent[m][f].size() > flag_counter_max) {
        report(
            {finding_kind::counter_overflow,
             fmt::format("{} set flag {} in mode {} {} times while other cores of its group have not set it once more",
                         c.name, flag, mode, c.sent[m][f].size()),
             "every core of the group must set the flag equally often", here(c)});
        c.sent[m][f].pop_front();
    }
    const bool all = std::all_of(group.begin(), group.end(), [&](const core* o) { return !o->sent[m][f].empty(); });
    if (all) {
        flag_token joined = c.sent[m][f].back();
        joined.clock = options.checks
                           ? std::make_shared<snapshot>(static_cast<std::size_t>(active_) * slots_per_core, 0)
                           : nullptr;
        joined.time = 0;
        for (core* o : group) {
            const flag_token& part = o->sent[m][f].front();
            if (joined.clock) {
                event_number* a = joined.clock->data();
                const event_number* b = part.clock->data();
                for (std::size_t i = 0; i < joined.clock->size(); i += slots_per_core) {
                    for (std::size_t e = 0; e < slots_per_core; ++e) {
                        a[i + e] = std::max(a[i + e], b[i + e]);
                    }
                }
            }
            joined.time = std::max(joined.time, part.time);
            for (const int number : part.kernels) {
                if (std::find(joined.kernels.begin(), joined.kernels.end(), number) == joined.kernels.end()) {
                    joined.kernels.push_back(number);
                }
            }
            if (part.kernel >= 0 && joined.kernel < 0) {
                joined.kernel = part.kernel;
                joined.kernel_name = part.kernel_name;
            }
            o->sent[m][f].pop_front();
        }
        joined.time += options.cost.cross_core_flag;
        for (core* o : targets) {
            deliver(*o, joined, flag);
        }
    }
    yield(c);
}

inline void machine::wait_flag(core& c, int flag, where at, bool of_plan)
{
    step(c, "CrossCoreWaitFlag", at);
    if (flag < 0 || flag >= flag_id_count) {
        report({finding_kind::misuse, fmt::format("CrossCoreWaitFlag with flag {}: flags are 0 to 15", flag),
                "use a flag id from 0 to 10", here(c)});
        return;
    }
    if (shape_.type == kernel_type::aic_only || shape_.type == kernel_type::aiv_only) {
        report({finding_kind::misuse,
                fmt::format("cross-core flags do not work in a launch of type {}: its cross-core scheduler is off",
                            to_string(shape_.type)),
                "launch it as mix_aic_1_0 or mix_aiv_1_0", here(c)});
        return;
    }
    if (unwinding()) {
        return;
    }
    const auto f = static_cast<std::size_t>(flag);
    yield(c);
    while (c.flags[f].empty()) {
        c.blocked = true;
        c.waits = {true, flag};
        c.fiber.leave();
        resumed(c);
    }
    flag_token t = std::move(c.flags[f].front());
    c.flags[f].pop_front();
    c.wait_events[f].push_back(++c.latest[wait_slot]);
    c.control.own[wait_slot] = c.latest[wait_slot];
    if (t.clock) {
        learn(c, *t.clock);
    }
    const double start = c.control_time;
    c.control_time = std::max(c.control_time, t.time) + options.cost.issue;
    if (options.trace) {
        trace(c, "flag", fmt::format("wait {}", flag), start, c.control_time);
    }
    const int kernel = of_plan ? -1 : c.kernel;
    if (std::find(t.kernels.begin(), t.kernels.end(), kernel) == t.kernels.end()) {
        const std::string taker = kernel >= 0 ? c.kernel_name : "the code between sub-kernels";
        const std::string giver = t.kernel >= 0 ? t.kernel_name : "the code between sub-kernels";
        if (t.kernel >= 0) {
            report({finding_kind::unbalanced_flags,
                    fmt::format("flag {} was raised in {} and is taken by {} on {}: {} left the counter above zero",
                                flag, giver, taker, c.name, giver),
                    fmt::format("add the missing CrossCoreWaitFlag({}) in {}", flag, giver), token_place(t), here(c)});
        } else {
            report({finding_kind::unbalanced_flags,
                    fmt::format(
                        "{} on {} takes flag {} that was raised between sub-kernels: {} waits more often than it sets",
                        taker, c.name, flag, taker),
                    fmt::format("remove the CrossCoreWaitFlag({}) in {}, or use another flag id", flag, taker), here(c),
                    token_place(t)});
        }
    }
}

inline void machine::kernel_begin(core& c, const char* name, int index)
{
    step(c, "kernel_begin", {});
    if (options.checks) { // what an earlier sub-kernel left on chip is garbage to this one
        for (local_memory& m : c.memory) {
            std::fill_n(m.written.begin(), static_cast<std::ptrdiff_t>((m.high + 63) / 64), 0);
        }
    }
    c.kernel = index;
    c.kernel_name = name;
    c.last_kernel = name;
    c.declared = nullptr;
    c.declared_count = 0;
    c.kernel_start = c.control_time;
    c.at = {"has entered", name, {}};
}

inline void machine::kernel_end(core& c)
{
    if (close_pages != nullptr) {
        close_pages(*this);
    }
    if (c.kernel >= 0) {
        double t = c.control_time;
        for (const double x : c.pipe_time) {
            t = std::max(t, x);
        }
        trace(c, "kernel", c.kernel_name, c.kernel_start, t);
    }
    c.at = {"has left", c.kernel_name, c.at.at};
    c.kernel = -1;
    c.kernel_name = "";
    c.declared = nullptr;
    c.declared_count = 0;
}

inline void machine::report_deadlock()
{
    // Group the waiting cores by flag, kernel and place, and find for each group who should have set the flag.
    std::map<std::tuple<int, std::string, std::string, int>, std::vector<const core*>> groups;
    for (int i = 0; i < active_; ++i) {
        const core& c = *cores_[static_cast<std::size_t>(i)];
        if (!c.finished && c.blocked) {
            groups[{c.waits.flag, c.at.kernel, c.at.at.file, c.at.at.line}].push_back(&c);
        }
    }
    const auto stands = [](const core& c) {
        const std::string kernel = c.at.kernel[0] != 0 ? fmt::format(" {}", c.at.kernel) : "";
        const std::string line = c.at.at.line > 0 ? fmt::format(" ({}:{})", c.at.at.file, c.at.at.line) : "";
        return c.finished  ? fmt::format("returned, last call{}{}", kernel, line)
               : c.blocked ? fmt::format("waiting for flag {}{}{}", c.waits.flag, kernel, line)
                           : fmt::format("{}{}{}", c.at.what, kernel, line);
    };
    std::string message = "no core can go on: ";
    finding f{finding_kind::deadlock, {}, {}, {}, {}};
    const core* culprit = nullptr;
    const core* victim = nullptr;
    for (const auto& [key, list] : groups) {
        const auto flag = static_cast<std::size_t>(std::get<0>(key));
        const std::string& kernel = std::get<1>(key);
        const core& first = *list.front();
        victim = victim == nullptr ? &first : victim;
        message += message.back() == ' ' ? "" : "; ";
        message += fmt::format("{} wait{} for flag {}{}{}", core_list(list), list.size() == 1 ? "s" : "", flag,
                               kernel.empty() ? "" : " in " + kernel,
                               first.at.at.line > 0 ? fmt::format(" ({}:{})", first.at.at.file, first.at.at.line) : "");
        std::vector<const core*> missing;
        int mode = -1;
        const auto lacking = [&](std::size_t m, auto&& in_group) {
            std::vector<const core*> lack;
            bool some = false;
            for (int i = 0; i < active_; ++i) {
                const core& o = *cores_[static_cast<std::size_t>(i)];
                if (in_group(o)) {
                    (o.sent[m][flag].empty() ? lack.push_back(&o) : void(some = true));
                }
            }
            if (some && missing.empty()) {
                missing = lack;
                mode = static_cast<int>(m);
            }
        };
        lacking(0, [&](const core& o) { return o.which == first.which; });
        lacking(1, [&](const core& o) { return o.which == first.which && o.ai_core == first.ai_core; });
        lacking(2, [&](const core& o) { return o.which != first.which && o.ai_core == first.ai_core; });
        if (!missing.empty()) {
            const core* m = missing.front();
            for (const core* o : missing) { // a core that has gone is the best suspect
                if (o->finished && !m->finished) {
                    m = o;
                }
            }
            message +=
                fmt::format("; {} never set it in mode {} ({}: {})", core_list(missing), mode, m->name, stands(*m));
            culprit = culprit == nullptr || (m->finished && !culprit->finished) ? m : culprit;
        } else {
            std::vector<const core*> others;
            for (int i = 0; i < active_; ++i) {
                const core& o = *cores_[static_cast<std::size_t>(i)];
                if (o.which != first.which && o.ai_core == first.ai_core) {
                    others.push_back(&o);
                }
            }
            message += "; no core has set it";
            if (!others.empty()) {
                message += fmt::format(" ({}: {})", others.front()->name, stands(*others.front()));
                culprit = culprit == nullptr ? others.front() : culprit;
            }
        }
    }
    f.message = message;
    f.fix = "every core that a flag needs must reach the set on every path, or the kernel must not be launched on more "
            "cores than take part";
    if (culprit != nullptr) {
        f.first = here(*culprit);
    }
    if (victim != nullptr) {
        f.second = here(*victim);
    }
    report(std::move(f));
}

inline void machine::report_endless_poll(const core& c)
{
    std::vector<const core*> list;
    for (const int i : runnable_) {
        list.push_back(cores_[static_cast<std::size_t>(i)].get());
    }
    report({finding_kind::deadlock,
            fmt::format("{} look at GM again and again and nothing changes any more; {} is at {}", core_list(list),
                        c.name, c.at.what),
            "check that every core announces itself, that the workspace is zeroed and large enough, and that the "
            "reader does not look at a cached line",
            here(c)});
}

} // namespace skt::emu
