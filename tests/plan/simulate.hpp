// An independent judge of programs: every core on its own, real counters, vector clocks. Shares nothing with planner
// and prover but the model's vocabulary and the step format. Slow and plain on purpose.
#pragma once

#include <skt/plan/program.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace skt::test {

/// How the bodies of kernels behave where their declarations leave it open.
struct bodies {
    enum place {
        behind,
        before,
        last
    } own = behind;         ///< SyncAll and own flags behind the accesses, before
                            ///< WaitPreTaskEnd, or behind SetNextTaskStart.
    bool one_block = false; ///< Kernels with dynamic block counts run on one block.
};

class simulator {
public:
    simulator(const graph& g, const program_view& p, bodies b) : g_(g), p_(p), bodies_(b)
    {
        aic_ = cores_of(p.launch, side::aic);
        aiv_ = cores_of(p.launch, side::aiv);
        per_ = aic_ > 0 && aiv_ > aic_ ? 2 : 1;
        calls_.assign(static_cast<std::size_t>(g.kernel_count), {});
    }

    /// Everything that is wrong with the program; empty if nothing is.
    std::vector<std::string> run()
    {
        for (int c = 0; c < aic_ + aiv_; ++c) {
            cores_.push_back(flatten(c));
            cores_.back().known.resize(static_cast<std::size_t>(aic_ + aiv_));
        }
        bool moved = true;
        while (moved) {
            moved = false;
            for (int c = 0; c < aic_ + aiv_; ++c) {
                while (step_once(c)) {
                    moved = true;
                }
            }
        }
        bool stuck = false;
        for (const core& c : cores_) {
            stuck = stuck || c.at < c.events.size();
        }
        if (stuck) {
            fault("deadlock");
        } else {
            for (const auto& [where, box] : boxes_) {
                if (box.taken < box.messages.size() || !box.partial.empty()) {
                    fault("flag left over");
                }
            }
            check_accesses();
        }
        return {faults_.begin(), faults_.end()};
    }

private:
    // What one core knows of another: events done in scalar order; steps whose DMA writes are done; steps done on every
    // pipe.
    struct known_of {
        int events = 0;
        int written = 0;
        int idle = 0;
    };
    using clock = std::vector<known_of>;
    static void join(clock& a, const clock& b)
    {
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i].events = std::max(a[i].events, b[i].events);
            a[i].written = std::max(a[i].written, b[i].written);
            a[i].idle = std::max(a[i].idle, b[i].idle);
        }
    }

    enum class what { set, wait, drain, access };
    struct event {
        what kind;
        int position; // in the side's list
        int id = -1;
        int mode = 0;
        side from = side::aic;    // who sets
        int tag = 0;              // who uses the flag: barriers of one kind, or one kernel
        bool writes_done = false; // set: on the pipe of the writes
        bool inside = false;      // set: in a body, whose own writes are done but for nothing else
        int kernel = -1;
    };
    struct core {
        side where;
        int index;
        std::vector<event> events;
        std::size_t at = 0;
        clock known;
        int idle = 0;
        std::set<int> flush_points; // positions of flush steps that this core takes
    };
    struct message {
        clock known;
        int tag;
        int waited_at = -1; // event of the waiting core
    };
    struct counter_box {
        std::deque<message> messages;
        std::size_t taken = 0;
        // Sets of the round under way, by setting core.
        std::map<int, int> sets;                       // core -> sets so far
        std::map<int, std::map<int, message>> partial; // round -> core -> message
        std::map<int, int> round_tag;
        std::map<int, std::map<int, int>> set_event; // round -> core -> event
    };
    struct call {
        int position;
        clock known;
        int idle; // of the core itself when the accesses begin
    };

    int id_of(side s, int index) const { return s == side::aic ? index : aic_ + index; }
    void fault(const std::string& text) { faults_.insert(text); }

    kernel_desc actual(int k) const
    {
        kernel_desc d = g_.kernels[k];
        d.blocks = d.dynamic && bodies_.one_block ? 1 : d.blocks;
        return d;
    }
    core_range range(int k, side s) const { return skt::cores_of(actual(k), p_.launch, s); }

    core flatten(int c) const
    {
        core x;
        x.where = c < aic_ ? side::aic : side::aiv;
        x.index = c < aic_ ? c : c - aic_;
        const int s = static_cast<int>(x.where);
        for (int i = 0; i < p_.count[s]; ++i) {
            const step& y = p_.steps[s][i];
            const bool mine = contains(y.cores, x.index) && !(y.skip.count > 0 && contains(y.skip, x.index));
            switch (y.what) {
            case op::arrive:
                if (mine) {
                    event e{what::set, i};
                    e.id = y.flag;
                    e.mode = mode_of(y.kind);
                    e.from = source_of(y.kind);
                    e.tag = -1 - static_cast<int>(y.kind);
                    e.writes_done = y.pipe == write_pipe(x.where);
                    x.events.push_back(e);
                }
                break;
            case op::wait:
                if (mine) {
                    event e{what::wait, i};
                    e.id = y.flag;
                    e.mode = mode_of(y.kind);
                    e.from = source_of(y.kind);
                    e.tag = -1 - static_cast<int>(y.kind);
                    x.events.push_back(e);
                }
                break;
            case op::drain:
                if (mine) {
                    x.events.push_back({what::drain, i});
                }
                break;
            case op::flush:
                if (mine) {
                    x.flush_points.insert(i);
                }
                break;
            case op::feed: {
                const core_range own = range(y.kernel, x.where);
                const bool stands_in =
                    y.flag < 0
                        ? contains(y.cores, x.index) && !(own.count > 0 && contains(own, x.index))
                        : contains(g_.kernels[y.kernel].dynamic ? core_range{1, own.count, 2} : y.cores, x.index);
                if (stands_in && y.flag < 0) {
                    for (int n = 0; n < y.times; ++n) {
                        put_sync_all(x, i, y.kernel);
                    }
                } else if (stands_in) {
                    const cross_core_use u{y.flag, mode_of(y.kind), source_of(y.kind), y.times};
                    put_flag(x, i, y.kernel, u, u.from == x.where);
                }
                break;
            }
            case op::call:
                if (const core_range own = range(y.kernel, x.where); own.count > 0 && contains(own, x.index)) {
                    put_body(x, i, y);
                }
                break;
            case op::preload:
                break;
            }
        }
        return x;
    }

    static std::string user(int tag)
    {
        return tag < 0 ? to_string(static_cast<barrier_kind>(-1 - tag)) : "kernel " + std::to_string(tag);
    }
    static int other_kernel_tag(int k) { return k; }

    void put_flag(core& x, int position, int kernel, const cross_core_use& u, bool set) const
    {
        for (int n = 0; n < u.times; ++n) {
            event e{set ? what::set : what::wait, position};
            e.id = u.flag;
            e.mode = u.mode;
            e.from = u.from;
            e.tag = other_kernel_tag(kernel);
            x.events.push_back(e);
        }
    }

    void put_sync_all(core& x, int position, int kernel) const
    {
        const bool all = g_.kernels[kernel].scope == sync_scope::all;
        const bool on_aiv = runs_on(g_.kernels[kernel].type, side::aiv);
        x.events.push_back({what::drain, position});
        x.events.back().kernel = kernel; // a drain inside a body says nothing about the body itself
        const auto put = [&](bool set, int id, int mode, side from) {
            put_flag(x, position, kernel, {id, mode, from, 1}, set);
        };
        if (!all) {
            if (on_aiv ? x.where == side::aiv : x.where == side::aic) {
                put(true, 14, 0, x.where);
                put(false, 14, 0, x.where);
            }
        } else if (x.where == side::aiv) {
            put(true, 12, 2, side::aiv);
            put(false, 13, 2, side::aic);
        } else {
            put(false, 12, 2, side::aiv);
            put(true, 11, 0, side::aic);
            put(false, 11, 0, side::aic);
            put(true, 13, 2, side::aic);
        }
    }

    void put_body(core& x, int position, const step& y) const
    {
        const kernel_desc& k = g_.kernels[y.kernel];
        const auto put_waits = [&] {
            const auto one = [&](int bit, int id, int mode, side from, barrier_kind kind) {
                if ((y.early & bit) != 0 && k.awaits_previous) {
                    event e{what::wait, position};
                    e.id = id;
                    e.mode = mode;
                    e.from = from;
                    e.tag = -1 - static_cast<int>(kind);
                    x.events.push_back(e);
                }
            };
            if (x.where == side::aic) {
                one(early::aic_to_aic_wait, 11, 0, side::aic, barrier_kind::all_aic);
                one(early::aiv_to_aic_wait, 12, 2, side::aiv, barrier_kind::aiv_to_aic);
            } else {
                one(early::aiv_to_aiv_wait, 14, 0, side::aiv, barrier_kind::all_aiv);
                one(early::aic_to_aiv_wait, 13, 2, side::aic, barrier_kind::aic_to_aiv);
            }
        };
        const auto put_set = [&] {
            const int bit = x.where == side::aic ? early::aic_to_aic_set : early::aiv_to_aiv_set;
            if ((y.early & bit) != 0 && k.signals_next) {
                event e{what::set, position};
                e.id = x.where == side::aic ? 11 : 14;
                e.from = x.where;
                e.tag = -1 - static_cast<int>(x.where == side::aic ? barrier_kind::all_aic : barrier_kind::all_aiv);
                e.writes_done = true;
                e.inside = true;
                x.events.push_back(e);
            }
        };
        const auto put_syncs = [&] {
            for (int n = 0; n < k.sync_all; ++n) {
                put_sync_all(x, position, y.kernel);
            }
        };
        const auto put_flags = [&] {
            std::vector<cross_core_use> uses(g_.cross_core + k.first_cross_core,
                                             g_.cross_core + k.first_cross_core + k.cross_core_count);
            // Matmul objects of a 1:1 kernel cope with a second vector core by themselves.
            if (is_mix(k.type) && !(k.type == kernel_type::mix_aic_1_1 && per_ == 2)) {
                for (int f = 0; f < 2 * k.matmul_objects; ++f) {
                    uses.push_back({f, 2, side::aiv, 1});
                    uses.push_back({f, 2, side::aic, 1});
                }
                if (k.matmul_objects > 0) {
                    uses.push_back({15, 2, side::aiv, 1});
                }
            }
            for (const cross_core_use& u : uses) {
                if (u.from == x.where) {
                    put_flag(x, position, y.kernel, u, true);
                }
            }
            for (const cross_core_use& u : uses) {
                if (u.mode == 2 ? u.from != x.where : u.from == x.where) {
                    put_flag(x, position, y.kernel, u, false);
                }
            }
        };
        event touch{what::access, position};
        touch.kernel = y.kernel;
        if (bodies_.own == bodies::before) {
            put_syncs();
        }
        put_waits();
        x.events.push_back(touch);
        if (bodies_.own == bodies::before) {
            put_flags();
        } else if (bodies_.own == bodies::behind) {
            put_flags();
            put_syncs();
        }
        put_set();
        if (bodies_.own == bodies::last) {
            put_syncs();
            put_flags();
        }
    }

    /// The counters that a set reaches, and the cores that must set together.
    void reach(const core& x, const event& e, std::vector<int>& targets, std::vector<int>& setters) const
    {
        const int ai = x.where == side::aic ? x.index : x.index / per_;
        if (e.mode == 0) {
            for (int i = 0; i < (x.where == side::aic ? aic_ : aiv_); ++i) {
                targets.push_back(id_of(x.where, i));
            }
            setters = targets;
        } else if (e.mode == 2 && x.where == side::aic) {
            setters = {id_of(side::aic, x.index)};
            for (int i = 0; i < per_; ++i) {
                targets.push_back(id_of(side::aiv, per_ * ai + i));
            }
        } else {
            for (int i = 0; i < per_ && per_ * ai + i < aiv_; ++i) {
                setters.push_back(id_of(side::aiv, per_ * ai + i));
            }
            if (e.mode == 1) {
                targets = setters;
            } else if (ai < aic_) {
                targets.push_back(id_of(side::aic, ai));
            }
        }
    }

    void send(int c, const event& e)
    {
        core& x = cores_[static_cast<std::size_t>(c)];
        clock known = x.known;
        known_of& own = known[static_cast<std::size_t>(c)];
        own.events = static_cast<int>(x.at) + 1;
        own.idle = e.inside ? std::min(x.idle, e.position) : x.idle;
        // A core that saw a flag of its own come back knows its writes before that flag to be done.
        own.written = std::max(own.written, e.inside ? e.position + 1 : e.writes_done ? e.position : own.idle);
        std::vector<int> targets;
        std::vector<int> setters;
        reach(x, e, targets, setters);
        if (targets.empty()) {
            fault("flag without a partner");
        }
        for (int t : targets) {
            counter_box& box = boxes_[{t, e.id}];
            for (const auto& [round, parts] : box.partial) {
                for (const auto& [who, m] : parts) {
                    if (m.tag != e.tag) {
                        fault("flag clash on id " + std::to_string(e.id) + ": " + user(m.tag) + ", " + user(e.tag));
                    }
                }
            }
            const int round = box.sets[c]++;
            // All that set together must be known to have set the round before. How a kernel repeats its own flags is
            // its author's affair.
            const bool own_repeat = round > 0 && e.tag >= 0 && box.round_tag[round - 1] == e.tag;
            box.round_tag[round] = e.tag;
            for (int other : setters) {
                if (round > 0 && other != c && !own_repeat) {
                    const auto& before = box.set_event[round - 1];
                    const auto it = before.find(other);
                    if (it == before.end() || x.known[static_cast<std::size_t>(other)].events <= it->second) {
                        fault("flag set twice before all have set it once");
                    }
                }
            }
            box.set_event[round][c] = static_cast<int>(x.at);
            auto& parts = box.partial[round];
            parts[c] = {known, e.tag, -1};
            if (parts.size() == setters.size()) {
                message all{known, e.tag, -1};
                for (const auto& [who, m] : parts) {
                    join(all.known, m.known);
                }
                // What the counter holds when this comes: everything whose wait did not surely happen before.
                int outstanding = 1;
                for (const message& m : box.messages) {
                    const bool gone = m.waited_at >= 0 && all.known[static_cast<std::size_t>(t)].events > m.waited_at;
                    outstanding += gone ? 0 : 1;
                    if (m.tag != e.tag && !gone) {
                        fault("flag clash on id " + std::to_string(e.id) + ": " + user(m.tag) + ", " + user(e.tag));
                    }
                }
                if (outstanding > 15) {
                    fault("counter overflow");
                }
                box.messages.push_back(all);
                box.partial.erase(round);
            }
        }
    }

    bool step_once(int c)
    {
        core& x = cores_[static_cast<std::size_t>(c)];
        if (x.at == x.events.size()) {
            return false;
        }
        const event& e = x.events[x.at];
        switch (e.kind) {
        case what::set:
            send(c, e);
            break;
        case what::wait: {
            counter_box& box = boxes_[{c, e.id}];
            if (box.taken == box.messages.size()) {
                return false;
            }
            message& m = box.messages[box.taken++];
            m.waited_at = static_cast<int>(x.at);
            if (m.tag != e.tag) {
                fault("wait on id " + std::to_string(e.id) + " takes the wrong set: " + user(m.tag) + ", " +
                      user(e.tag));
            }
            join(x.known, m.known);
            break;
        }
        case what::drain:
            x.idle = std::max(x.idle, e.position);
            break;
        case what::access:
            calls_[static_cast<std::size_t>(e.kernel)][c] = {e.position, x.known, x.idle};
            break;
        }
        ++x.at;
        return true;
    }

    // ---- after the run

    std::vector<effect> effects_of(int k, side s) const
    {
        const kernel_desc& d = g_.kernels[k];
        std::vector<effect> found;
        if (d.opaque) {
            found.push_back({-1, access::opaque, via::both, on_both_bits, -1, 0});
            return found;
        }
        for (int e = d.first_effect; e < d.first_effect + d.effect_count; ++e) {
            if ((g_.effects[e].sides & mask_of(s)) != 0) {
                found.push_back(g_.effects[e]);
            }
        }
        return found;
    }

    int slice(int k, int c) const
    {
        const core& x = cores_[static_cast<std::size_t>(c)];
        const core_range r = range(k, x.where);
        return (x.index - r.first) / r.stride;
    }

    bool same_bytes(int a, int ca, const effect& ea, int b, int cb, const effect& eb) const
    {
        if (ea.buffer < 0 || eb.buffer < 0) {
            return true;
        }
        if (ea.buffer != eb.buffer) {
            return overlap(g_.buffers[ea.buffer], g_.buffers[eb.buffer]);
        }
        const int na = range(a, cores_[static_cast<std::size_t>(ca)].where).count;
        const int nb = range(b, cores_[static_cast<std::size_t>(cb)].where).count;
        if (ea.partition >= 0 && ea.partition == eb.partition && na == nb && !g_.kernels[a].dynamic &&
            !g_.kernels[b].dynamic) {
            return slice(a, ca) == slice(b, cb);
        }
        return true;
    }

    /// Whether core `c` flushes what effect `e` may have touched, strictly between two positions.
    bool flushes(int c, int from, int to, const effect& e) const
    {
        const core& x = cores_[static_cast<std::size_t>(c)];
        for (int at : x.flush_points) {
            const step& y = p_.steps[static_cast<int>(x.where)][at];
            if (at > from && at < to &&
                (y.buffer < 0 || (y.buffer == e.buffer && e.scalar_lines > 0 && y.lines >= e.scalar_lines))) {
                return true;
            }
        }
        return false;
    }

    static bool by_scalar(const effect& e) { return e.how != via::dma; }
    static bool by_dma(const effect& e) { return e.how != via::scalar; }
    bool flushes_itself(int k) const
    {
        return !g_.kernels[k].opaque && g_.kernels[k].cache == cache_policy::line_on_access;
    }

    void check_accesses()
    {
        for (int b = 0; b < g_.kernel_count; ++b) {
            for (const auto& [cb, here] : calls_[static_cast<std::size_t>(b)]) {
                for (int a = 0; a < b; ++a) {
                    for (const auto& [ca, there] : calls_[static_cast<std::size_t>(a)]) {
                        check_calls(a, ca, there, b, cb, here);
                    }
                }
                check_cached(b, cb, here);
            }
        }
    }

    void check_calls(int a, int ca, const call& there, int b, int cb, const call& here)
    {
        if (ca == cb && here.idle <= there.position) {
            fault("no drain between kernels on one core");
        }
        const known_of known = here.known[static_cast<std::size_t>(ca)];
        for (const effect& ea : effects_of(a, cores_[static_cast<std::size_t>(ca)].where)) {
            for (const effect& eb : effects_of(b, cores_[static_cast<std::size_t>(cb)].where)) {
                const bool commute = (ea.what == access::in && eb.what == access::in) ||
                                     (ea.what == access::accumulate && eb.what == access::accumulate);
                if (commute || !same_bytes(a, ca, ea, b, cb, eb)) {
                    continue;
                }
                const bool dirty = by_scalar(ea) && ea.what != access::in && !flushes_itself(a);
                if (ca == cb) {
                    if (dirty && by_dma(eb) && !flushes(ca, there.position, here.position, ea)) {
                        fault("dirty line under DMA");
                    }
                    continue;
                }
                const bool only_writes = (ea.what == access::out || ea.what == access::accumulate) && !by_scalar(ea);
                if ((only_writes ? known.written : known.idle) <= there.position) {
                    fault("unordered");
                } else if (dirty && !flushes(ca, there.position, known.written, ea)) {
                    fault("dirty line not flushed");
                }
            }
        }
    }

    /// Scalar accesses of kernel `b` on core `cb` against lines that this core loaded in an older kernel.
    void check_cached(int b, int cb, const call& here)
    {
        if (flushes_itself(b)) {
            return;
        }
        const side s = cores_[static_cast<std::size_t>(cb)].where;
        for (const effect& eb : effects_of(b, s)) {
            for (int loaded = 0; by_scalar(eb) && loaded < b; ++loaded) {
                const auto& calls = calls_[static_cast<std::size_t>(loaded)];
                const auto there = calls.find(cb);
                if (there == calls.end()) {
                    continue;
                }
                for (const effect& el : effects_of(loaded, s)) {
                    if (!by_scalar(el) || !same_bytes(loaded, cb, el, b, cb, eb) ||
                        flushes(cb, there->second.position, here.position, el) ||
                        flushes(cb, there->second.position, here.position, eb)) {
                        continue;
                    }
                    for (int w = loaded; w < b; ++w) {
                        for (const auto& [cw, when] : calls_[static_cast<std::size_t>(w)]) {
                            for (const effect& ew : effects_of(w, cores_[static_cast<std::size_t>(cw)].where)) {
                                if (ew.what != access::in && (cw != cb || by_dma(ew)) &&
                                    same_bytes(w, cw, ew, b, cb, eb) && same_bytes(loaded, cb, el, w, cw, ew)) {
                                    fault("stale line");
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    const graph& g_;
    const program_view& p_;
    bodies bodies_;
    int aic_ = 0;
    int aiv_ = 0;
    int per_ = 1;
    std::vector<core> cores_;
    std::map<std::pair<int, int>, counter_box> boxes_; // (waiting core, id)
    std::vector<std::map<int, call>> calls_;           // per kernel: core -> call
    std::set<std::string> faults_;
};

/// Everything wrong with a program under any behaviour the declarations allow.
inline std::vector<std::string> simulate(const graph& g, const program_view& p)
{
    std::set<std::string> all;
    bool any_dynamic = false;
    for (int k = 0; k < g.kernel_count; ++k) {
        any_dynamic = any_dynamic || g.kernels[k].dynamic;
    }
    for (bodies::place own : {bodies::behind, bodies::before, bodies::last}) {
        for (bool one : {false, true}) {
            if (one && !any_dynamic) {
                continue;
            }
            for (const std::string& f : simulator(g, p, {own, one}).run()) {
                all.insert(f);
            }
        }
    }
    return {all.begin(), all.end()};
}

} // namespace skt::test
