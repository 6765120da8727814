/// @file
/// The prover: checks any program against the kernels' declarations, by walking the program itself. It shares with the
/// planner the vocabulary of the model and the step format, and no decision. Plain values. Device-safe.
///
/// Both sides' lists are walked together. A wait takes the arrival that the counters of the hardware would give it, and
/// with it what the arriving cores knew. Per side, knowledge is a pair of positions in the other list: how far all
/// cores (or those of the own AI core) have come in scalar order, and up to where their pipes are idle too. Positions
/// make the claim for every older step as well.
#pragma once

#include <skt/model/reset.hpp>
#include <skt/plan/program.hpp>
#include <skt/plan/rules.hpp>

namespace skt {

namespace proof {

/// How far a side is known to have come in its list: steps before `issued` are done in scalar order (DMA writes too, as
/// arrivals are set on the write pipe), steps before `idle` are done on every pipe.
struct progress {
    int issued = 0;
    int idle = 0;
};
constexpr void raise(progress& a, progress b)
{
    a.issued = a.issued > b.issued ? a.issued : b.issued;
    a.idle = a.idle > b.idle ? a.idle : b.idle;
}

/// What the cores of one side know, per side they know it of.
struct view {
    progress all[2];  ///< Of every core of that side.
    progress core[2]; ///< Of the cores of that side in the own AI core; for the own side: of the core itself.
    progress mates;   ///< Of all vector cores in the own AI core.
};

/// One arrival under way, queued on the counter it raises.
struct arrival {
    view known{};
    barrier_kind kind = barrier_kind::all_aic;
    int next = -1;
    int sent_at = -1;  ///< Position in the source's list.
    int taken_at = -1; ///< Position of the wait in the target's list; -1: not taken yet.
};

/// The arrivals on one counter: a flag id on one side.
struct counter {
    int first = -1; ///< Oldest that the sender may not know to be taken.
    int next = -1;  ///< Oldest not taken.
    int last = -1;
};

} // namespace proof

/// All memory of the prover; arrays belong to the caller, zero-initialised. n kernels, e effects, b buffers.
struct proof_memory {
    proof::arrival* arrivals = nullptr;   ///< One per arrive step.
    int* call_at[2] = {nullptr, nullptr}; ///< n each
    int* feed_at[2] = {nullptr, nullptr}; ///< n each
    int* effect_kernel = nullptr;         ///< e
    int* effect_before = nullptr;         ///< e: newest older effect on the same buffer
    int* buffer_last = nullptr;           ///< b: newest effect on the buffer
};

namespace proof {

template <class Sink>
class prover {
public:
    constexpr prover(const graph& g, const program_view& p, const proof_memory& m, Sink& sink)
        : g_(g), p_(p), m_(m), sink_(sink), counters_()
    {
        reset(counters_);
    }

    constexpr void run()
    {
        index();
        if (broken_) {
            return; // the walk below relies on every call being where it belongs
        }
        bool moved = true;
        while (moved) {
            moved = false;
            for (int s = 0; s < 2; ++s) {
                while (at_[s] < p_.count[s] && can_go(static_cast<side>(s))) {
                    go(static_cast<side>(s));
                    moved = true;
                }
            }
        }
        for (int s = 0; s < 2; ++s) {
            if (at_[s] < p_.count[s]) {
                const step& x = p_.steps[s][at_[s]];
                report(finding{rule::no_progress, x.kernel, -1, -1, x.flag, at_[s], static_cast<side>(s)});
                return;
            }
        }
        for (int s = 0; s < 2; ++s) {
            for (int f = 0; f < flag_id_count; ++f) {
                int left = 0;
                for (int a = counters_[s * flag_id_count + f].next; a >= 0; a = m_.arrivals[a].next) {
                    ++left;
                }
                if (left > 0) {
                    report(finding{rule::unbalanced_flags, -1, -1, -1, f, left, static_cast<side>(s)});
                }
            }
            if (early_set_[s] != 0 || early_wait_[s] != 0) {
                report(finding{rule::early_start_mismatch, last_call_[s], -1, -1, early_set_[s] | early_wait_[s], 0,
                               static_cast<side>(s)});
            }
        }
    }

private:
    constexpr void report(const finding& f)
    {
        if (f.kernel < 0 || f.kernel >= g_.kernel_count || !g_.kernels[f.kernel].unchecked) {
            sink_(f);
        }
    }
    constexpr void malformed(int kernel, side s, int position)
    {
        broken_ = true;
        sink_(finding{rule::malformed_program, kernel, -1, -1, position, 0, s});
    }
    constexpr int cores(side s) const { return skt::cores_of(p_.launch, s); }
    constexpr core_range range(int kernel, side s) const { return skt::cores_of(g_.kernels[kernel], p_.launch, s); }

    // ---- the lists as a whole
    // -------------------------------------------------------------------------------------------

    /// Every kernel is called once per side it runs on, in list order, on exactly its cores.
    constexpr void index()
    {
        for (int s = 0; s < 2; ++s) {
            const side where = static_cast<side>(s);
            for (int k = 0; k < g_.kernel_count; ++k) {
                m_.call_at[s][k] = -1;
                m_.feed_at[s][k] = -1;
            }
            int last = -1;
            for (int i = 0; i < p_.count[s]; ++i) {
                const step& x = p_.steps[s][i];
                if ((x.what == op::call || x.what == op::feed) && (x.kernel < 0 || x.kernel >= g_.kernel_count)) {
                    malformed(-1, where, i);
                    return;
                }
                if (x.what == op::call) {
                    if (x.kernel <= last || !runs_on(g_.kernels[x.kernel].type, where) ||
                        x.cores != range(x.kernel, where)) {
                        malformed(x.kernel, where, i);
                        return;
                    }
                    m_.call_at[s][x.kernel] = i;
                    last = x.kernel;
                } else if (x.what == op::feed && x.flag < 0) {
                    m_.feed_at[s][x.kernel] = i;
                }
            }
            for (int k = 0; k < g_.kernel_count; ++k) {
                if (runs_on(g_.kernels[k].type, where) && m_.call_at[s][k] < 0) {
                    malformed(k, where, 0);
                    return;
                }
            }
        }
        for (int b = 0; b < g_.buffer_count; ++b) {
            m_.buffer_last[b] = -1;
        }
        for (int k = 0; k < g_.kernel_count; ++k) {
            any_opaque_ = any_opaque_ || g_.kernels[k].opaque;
            for (int i = 0; i < g_.kernels[k].effect_count; ++i) {
                const int e = g_.kernels[k].first_effect + i;
                m_.effect_kernel[e] = k;
                // Buffers that overlap others share one chain.
                int& last =
                    g_.buffers[g_.effects[e].buffer].shared ? shared_last_ : m_.buffer_last[g_.effects[e].buffer];
                m_.effect_before[e] = last;
                last = e;
            }
        }
        for (int k = 0; k < g_.kernel_count; ++k) {
            check_participation(k);
        }
    }

    /// Everybody whom a kernel's SyncAll or mode-2 flags wait for takes part, by running it or by a feed.
    constexpr void check_participation(int k)
    {
        const kernel_desc& kernel = g_.kernels[k];
        for (int s = 0; s < 2; ++s) {
            const side where = static_cast<side>(s);
            if (kernel.sync_all > 0 && joins(kernel, where)) {
                const int own = kernel.dynamic ? 0 : range(k, where).count;
                const int at = m_.feed_at[s][k];
                int fed = 0;
                if (at >= 0) {
                    const step& x = p_.steps[s][at];
                    const bool rest = x.cores == core_range{0, cores(where), 1} && x.skip == range(k, where);
                    fed = rest && x.times == kernel.sync_all && fits(s, at, k) ? cores(where) - own : 0;
                }
                if (own + fed != cores(where)) {
                    report(finding{rule::sync_all_on_fewer_cores, k, -1, -1, own, cores(where), where});
                }
            }
            const core_range own = range(k, where);
            for (int i = 0; own.stride == 2 && own.count > 0 && i < kernel.cross_core_count; ++i) {
                const cross_core_use& c = g_.cross_core[kernel.first_cross_core + i];
                if (c.mode == 2 && !answered(k, c)) {
                    report(finding{rule::unbalanced_flags, k, -1, -1, c.flag, c.times, where});
                }
            }
        }
    }

    static constexpr bool joins(const kernel_desc& k, side s)
    {
        return k.scope == sync_scope::all || (runs_on(k.type, side::aiv) ? s == side::aiv : s == side::aic);
    }

    /// Whether a feed at `at` stands between the neighbours of kernel `k` in its list, so that SyncAll calls keep their
    /// order, and no barrier half stands between it and the call: the idle cores would block in one and the others in
    /// the other.
    constexpr bool fits(int s, int at, int k) const
    {
        const int call = m_.call_at[s][k];
        const int from = call < at ? call : at;
        for (int i = from + 1; call >= 0 && i < (call < at ? at : call); ++i) {
            if (p_.steps[s][i].what == op::arrive || p_.steps[s][i].what == op::wait) {
                return false;
            }
        }
        for (int other = k + 1; other < g_.kernel_count; ++other) {
            const int there = m_.call_at[s][other];
            if (there >= 0) {
                return at < there && no_call_behind(s, at, k);
            }
        }
        return no_call_behind(s, at, k);
    }
    constexpr bool no_call_behind(int s, int at, int k) const
    {
        for (int other = k - 1; other >= 0; --other) {
            if (m_.call_at[s][other] >= 0) {
                return m_.call_at[s][other] < at;
            }
        }
        return true;
    }

    /// Whether the odd vector cores answer flag `c` of a 1:1 kernel in a 1:2 launch: sets ahead of SyncAll, waits
    /// behind it, so that they block nobody in whatever order the body does these.
    constexpr bool answered(int k, const cross_core_use& c) const
    {
        const int sync = m_.feed_at[1][k];
        for (int i = 0; i < p_.count[1]; ++i) {
            const step& x = p_.steps[1][i];
            if (x.what == op::feed && x.kernel == k && x.flag == c.flag && x.times == c.times &&
                source_of(x.kind) == c.from && mode_of(x.kind) == 2 && fits(1, i, k) &&
                (sync < 0 || (c.from == side::aiv) == (i < sync)) && !(c.from == side::aic && sets_behind(i, k)) &&
                x.cores == core_range{1, g_.kernels[k].blocks, 2}) {
                return true;
            }
        }
        return false;
    }

    /// Whether a set on behalf of kernel `k` follows position `at` of the vector side's list.
    constexpr bool sets_behind(int at, int k) const
    {
        for (int i = at + 1; i < p_.count[1]; ++i) {
            const step& x = p_.steps[1][i];
            if (x.what == op::feed && x.kernel == k && x.flag >= 0 && source_of(x.kind) == side::aiv) {
                return true;
            }
        }
        return false;
    }

    // ---- walking
    // --------------------------------------------------------------------------------------------------------

    /// Whether the next step of side `s` can complete with what both sides have done so far.
    constexpr bool can_go(side s) const
    {
        const int i = static_cast<int>(s);
        const step& x = p_.steps[i][at_[i]];
        if (x.what == op::wait) {
            return x.flag < 0 || x.flag >= flag_id_count || counters_[i * flag_id_count + x.flag].next >= 0;
        }
        if (x.what == op::call || (x.what == op::feed && x.flag < 0)) {
            const kernel_desc& k = g_.kernels[x.kernel];
            const bool together = is_mix(k.type) && (k.opaque || k.matmul_objects > 0 || k.cross_core_count > 0);
            const bool by_sync_all = k.sync_all > 0 && k.scope == sync_scope::all;
            const int o = 1 - i;
            if (together && x.what == op::call && at_[o] < m_.call_at[o][x.kernel]) {
                return false;
            }
            if (by_sync_all) {
                // Feed and call are taken by different cores: behind the first of the two the other is due as well.
                const int call = m_.call_at[o][x.kernel];
                const int feed = m_.feed_at[o][x.kernel];
                const int first = call < 0 || (feed >= 0 && feed < call) ? feed : call;
                const bool last_here =
                    (x.what == op::call ? m_.feed_at[i][x.kernel] : m_.call_at[i][x.kernel]) < at_[i];
                return at_[o] >= (last_here && call >= 0 ? call : first);
            }
        }
        return true;
    }

    constexpr void go(side s)
    {
        const int i = static_cast<int>(s);
        const step& x = p_.steps[i][at_[i]];
        switch (x.what) {
        case op::arrive:
            arrive(s, x);
            break;
        case op::wait:
            wait(s, x);
            break;
        case op::drain:
            if (x.cores == core_range{0, cores(s), 1}) {
                know_[i].core[i].idle = at_[i];
                clean_[i] = true;
            }
            break;
        case op::call:
            call(s, x);
            break;
        case op::flush:
            last_flush_[i] = at_[i];
            last_whole_[i] = x.buffer < 0 ? at_[i] : last_whole_[i];
            break;
        case op::feed:
        case op::preload:
            break;
        }
        ++at_[i];
        know_[i].core[i].issued = at_[i];
    }

    /// Whether a barrier half covers all cores: directly, or with the rest in a kernel's body.
    constexpr bool everyone(side s, const step& x) const { return x.cores == core_range{0, cores(s), 1}; }

    constexpr void arrive(side s, const step& x)
    {
        const int i = static_cast<int>(s);
        const side target = target_of(x.kind);
        const int t = static_cast<int>(target);
        if (x.flag < 0 && source_of(x.kind) == s) {
            report(finding{rule::flag_id_clash, x.kernel, -1, -1, -1, 0, s}); // the planner found no free id
            return;
        }
        if (x.flag < 0 || x.flag >= flag_id_count || source_of(x.kind) != s || cores(target) == 0) {
            malformed(x.kernel, s, at_[i]);
            return;
        }
        const int bit = x.kind == barrier_kind::all_aic      ? early::aic_to_aic_set
                        : x.kind == barrier_kind::aic_to_aiv ? early::aic_to_aiv_set
                        : x.kind == barrier_kind::all_aiv    ? early::aiv_to_aiv_set
                                                             : early::aiv_to_aic_set;
        progress own = know_[i].core[i];
        if (early_wait_[i] != 0) {
            // Cores that wait in the coming body do not know yet what this arrival would claim.
            report(finding{rule::early_start_mismatch, x.kernel, -1, -1, x.flag, early_wait_[i], s});
        }
        if (x.skip.count > 0) {
            // SetNextTaskStart sets flags among all cores of a side only, and knows nothing of waits behind the body.
            if ((early_set_[i] & bit) == 0 || mode_of(x.kind) != 0 || x.skip != range(last_call_[i], s) ||
                x.flag != fixed_flag(x.kind) || last_wait_[i] > m_.call_at[i][last_call_[i]]) {
                report(finding{rule::early_start_mismatch, x.kernel, -1, -1, x.flag, bit, s});
            }
            if (last_call_[i] < 0) {
                return;
            }
            if (kernel_uses(last_call_[i], target, x.flag)) {
                report(finding{rule::flag_id_clash, x.kernel, last_call_[i], -1, x.flag, 0, s});
            }
            early_set_[i] &= ~bit;
            own.idle = own.idle < m_.call_at[i][last_call_[i]] ? own.idle : m_.call_at[i][last_call_[i]];
            own.issued = m_.call_at[i][last_call_[i]] + 1;
        }
        if (!everyone(s, x)) {
            report(finding{rule::unbalanced_flags, x.kernel, -1, -1, x.flag, x.cores.count, s});
        }
        if (x.pipe != (s == side::aic ? arrive_pipe::fix : arrive_pipe::mte3)) {
            own.issued =
                own.idle; // set on a pipe that does not carry the side's writes: only a drain makes it mean anything
        }
        check_counter(s, target, x);
        const int index = arrivals_++;
        arrival& a = m_.arrivals[index];
        a = arrival{};
        a.known = know_[i];
        a.known.core[i] = own;
        a.kind = x.kind;
        a.sent_at = at_[i];
        counter& c = counters_[t * flag_id_count + x.flag];
        if (c.last >= 0) {
            m_.arrivals[c.last].next = index;
        }
        c.last = index;
        c.first = c.first < 0 ? index : c.first;
        c.next = c.next < 0 ? index : c.next;
    }

    /// What must hold before a counter is raised again.
    constexpr void check_counter(side s, side target, const step& x)
    {
        const int i = static_cast<int>(s);
        const int t = static_cast<int>(target);
        counter& c = counters_[t * flag_id_count + x.flag];
        // The position in the target's list that this core knows the target cores to have passed.
        const int passed = s == target ? at_[i] : know_[i].core[t].issued;
        while (c.first >= 0 && m_.arrivals[c.first].taken_at >= 0 && m_.arrivals[c.first].taken_at < passed) {
            c.first = m_.arrivals[c.first].next;
        }
        int under_way = 0;
        for (int a = c.first; a >= 0; a = m_.arrivals[a].next) {
            ++under_way;
            if (m_.arrivals[a].kind != x.kind) {
                report(finding{rule::flag_id_clash, x.kernel, -1, -1, x.flag, m_.arrivals[a].sent_at, s});
            }
        }
        if (under_way >= flag_counter_max) {
            report(finding{rule::flag_overflow, x.kernel, -1, -1, under_way + 1, flag_counter_max, s});
        }
        // Several setters: each must know the others to have set the round before.
        const bool group = mode_of(x.kind) == 0 ? cores(s) > 1 : s == side::aiv && aiv_per_ai_core(p_.launch) == 2;
        if (group && c.last >= 0 && m_.arrivals[c.last].kind == x.kind) {
            const int sent = m_.arrivals[c.last].sent_at;
            const int taken = m_.arrivals[c.last].taken_at;
            const bool all_know = know_[i].all[i].issued > sent;
            const bool answered_back = taken >= 0 && taken < passed;
            if (!all_know && !answered_back) {
                report(finding{rule::flag_id_clash, x.kernel, -1, -1, x.flag, sent, s});
            }
        }
        check_kernels_on_flag(s, target, x, passed);
    }

    /// No kernel that may still run on the target side, ahead of the wait, uses this counter itself.
    constexpr void check_kernels_on_flag(side s, side target, const step& x, int passed)
    {
        const int t = static_cast<int>(target);
        for (int i = s == target ? passed : (passed > 0 ? passed - 1 : 0); i < p_.count[t]; ++i) {
            const step& y = p_.steps[t][i];
            if (y.what == op::wait && y.barrier == x.barrier && y.flag == x.flag) {
                return;
            }
            if ((y.what == op::call || (y.what == op::feed && y.flag < 0)) && kernel_uses(y.kernel, target, x.flag)) {
                report(finding{rule::flag_id_clash, y.kernel, -1, -1, x.flag, x.kernel, s});
                return;
            }
        }
    }

    /// Whether kernel `k` itself raises or lowers counter `flag` of side `t`.
    constexpr bool kernel_uses(int k, side t, int flag) const
    {
        const kernel_desc& kernel = g_.kernels[k];
        if (flag < 2 * kernel.matmul_objects || (kernel.matmul_objects > 0 && flag == flag_ids::matmul_service)) {
            return true;
        }
        if (kernel.sync_all > 0 && joins(kernel, t)) {
            if (kernel.scope == sync_scope::all
                    ? (t == side::aic ? flag == flag_ids::all_aic || flag == flag_ids::aiv_to_aic
                                      : flag == flag_ids::aic_to_aiv)
                    : flag == flag_ids::all_aiv) {
                return true;
            }
        }
        for (int i = 0; i < kernel.cross_core_count; ++i) {
            const cross_core_use& c = g_.cross_core[kernel.first_cross_core + i];
            if (c.flag == flag && counter_side(c) == t) {
                return true;
            }
        }
        return false;
    }
    static constexpr side counter_side(const cross_core_use& c) { return c.mode == 2 ? other(c.from) : c.from; }

    static constexpr int fixed_flag(barrier_kind k)
    {
        return k == barrier_kind::all_aic      ? flag_ids::all_aic
               : k == barrier_kind::all_aiv    ? flag_ids::all_aiv
               : k == barrier_kind::aic_to_aiv ? flag_ids::aic_to_aiv
                                               : flag_ids::aiv_to_aic;
    }

    constexpr void wait(side s, const step& x)
    {
        const int i = static_cast<int>(s);
        if (x.flag < 0) {
            report(finding{rule::flag_id_clash, x.kernel, -1, -1, -1, 0, s}); // the planner found no free id
            return;
        }
        if (x.flag >= flag_id_count) {
            malformed(x.kernel, s, at_[i]);
            return;
        }
        counter& c = counters_[i * flag_id_count + x.flag];
        const int oldest = c.next; // g++ 12 re-reads the index behind a reference in constant expressions
        arrival& a = m_.arrivals[oldest];
        c.next = a.next;
        a.taken_at = at_[i];
        if (target_of(x.kind) != s || a.kind != x.kind) {
            report(finding{rule::flag_id_clash, x.kernel, -1, -1, x.flag, a.sent_at, s});
        }
        if (!everyone(s, x)) {
            report(finding{rule::unbalanced_flags, x.kernel, -1, -1, x.flag, x.cores.count, s});
        }
        if (x.skip.count > 0) {
            if (x.kernel < 0 || x.kernel >= g_.kernel_count || x.skip != range(x.kernel, s) ||
                x.flag != fixed_flag(x.kind)) {
                report(finding{rule::early_start_mismatch, x.kernel, -1, -1, x.flag, 0, s});
            }
            const int bit = x.kind == barrier_kind::all_aic      ? early::aic_to_aic_wait
                            : x.kind == barrier_kind::aic_to_aiv ? early::aic_to_aiv_wait
                            : x.kind == barrier_kind::all_aiv    ? early::aiv_to_aiv_wait
                                                                 : early::aiv_to_aic_wait;
            // One body waits once per direction, and all its waits belong to one kernel.
            if ((early_wait_[i] & bit) != 0 || (early_wait_[i] != 0 && early_kernel_[i] != x.kernel)) {
                report(finding{rule::early_start_mismatch, x.kernel, -1, -1, x.flag, bit, s});
            }
            early_wait_[i] |= bit;
            early_kernel_[i] = x.kernel;
        }
        last_wait_[i] = at_[i];
        view& know = know_[i];
        const int o = 1 - i;
        if (mode_of(a.kind) == 0) {
            // Every core of this side has arrived with at least this knowledge.
            raise(know.all[i], a.known.core[i]);
            raise(know.all[o], a.known.core[o]);
            raise(know.all[o], a.known.all[o]);
        } else {
            raise(know.core[o], a.known.core[o]);
            raise(know.all[o], a.known.all[o]);
            raise(know.all[i], a.known.all[i]);
            if (s == side::aiv) {
                raise(know.mates, a.known.core[i]);
            }
        }
    }

    constexpr void call(side s, const step& x)
    {
        const int i = static_cast<int>(s);
        const kernel_desc& kernel = g_.kernels[x.kernel];
        constexpr int sets =
            early::aic_to_aic_set | early::aic_to_aiv_set | early::aiv_to_aiv_set | early::aiv_to_aic_set;
        const int waits = x.early & ~sets;
        if (waits != early_wait_[i] || ((x.early & sets) != 0 && !kernel.signals_next) ||
            (waits != 0 && (!kernel.awaits_previous || early_kernel_[i] != x.kernel)) || early_set_[i] != 0) {
            report(finding{rule::early_start_mismatch, x.kernel, -1, -1, x.early, early_wait_[i], s});
        }
        check_early_flags(s, x.kernel, waits);
        check_ahead(s, x.kernel);
        early_wait_[i] = 0;
        early_set_[i] = x.early & sets;
        if (last_call_[i] >= 0 && !clean_[i]) {
            report(finding{rule::missing_drain, x.kernel, last_call_[i], -1, 0, 0, s});
        }
        check_own_flags(s, x.kernel);
        if (kernel.opaque) {
            check_opaque(s, x.kernel);
        } else {
            for (int e = kernel.first_effect; e < kernel.first_effect + kernel.effect_count; ++e) {
                if (touches(kernel, g_.effects[e], s)) {
                    check_effect(s, x.kernel, e);
                }
            }
        }
        last_call_[i] = x.kernel;
        clean_[i] = false;
    }

    /// The flags that a body awaits for the program must not be those that its SyncAll awaits for itself.
    constexpr void check_early_flags(side s, int k, int waits)
    {
        for (int b = 0; b < barrier_kind_count; ++b) {
            const barrier_kind kind = static_cast<barrier_kind>(b);
            const int bit = kind == barrier_kind::all_aic      ? early::aic_to_aic_wait
                            : kind == barrier_kind::aic_to_aiv ? early::aic_to_aiv_wait
                            : kind == barrier_kind::all_aiv    ? early::aiv_to_aiv_wait
                                                               : early::aiv_to_aic_wait;
            if ((waits & bit) != 0 && kernel_uses(k, s, fixed_flag(kind))) {
                report(finding{rule::flag_id_clash, k, k, -1, fixed_flag(kind), 0, s});
            }
        }
    }

    /// Kernel `k` on side `s` may run ahead of the other side: what it sets there must not be taken by a wait of the
    /// program that the other side has still to pass.
    constexpr void check_ahead(side s, int k)
    {
        const kernel_desc& kernel = g_.kernels[k];
        if (kernel.cross_core_count == 0 && kernel.matmul_objects == 0 &&
            !(kernel.sync_all > 0 && kernel.scope == sync_scope::all)) {
            return;
        }
        const int o = 1 - static_cast<int>(s);
        const int call = m_.call_at[o][k] >= 0 ? m_.call_at[o][k] : m_.feed_at[o][k];
        const int passed = know_[static_cast<int>(s)].core[o].issued;
        for (int i = passed > 0 ? passed - 1 : 0; i < call; ++i) {
            const step& y = p_.steps[o][i];
            if (y.what == op::wait && sets_across(k, s, y.flag) && (i >= passed || y.skip.count > 0)) {
                report(finding{rule::flag_id_clash, k, -1, -1, y.flag, i, s});
                return;
            }
        }
    }

    /// Whether kernel `k` may set flag `f` from side `s` on the other side before that side has entered the kernel.
    constexpr bool sets_across(int k, side s, int f) const
    {
        const kernel_desc& kernel = g_.kernels[k];
        if (kernel.matmul_objects > 0 && is_mix(kernel.type) &&
            (f < 2 * kernel.matmul_objects || f == flag_ids::matmul_service)) {
            return true;
        }
        if (kernel.sync_all > 0 && kernel.scope == sync_scope::all && s == side::aiv && f == flag_ids::aiv_to_aic) {
            return true;
        }
        for (int i = 0; i < kernel.cross_core_count; ++i) {
            const cross_core_use& c = g_.cross_core[kernel.first_cross_core + i];
            if (c.mode == 2 && c.from == s && c.flag == f) {
                return true;
            }
        }
        return false;
    }

    // ---- flags of kernels against flags of kernels
    // --------------------------------------------------------------------------

    /// Two kernels may use one counter only if the later setter knows the earlier waiter to have finished.
    constexpr void check_own_flags(side s, int k)
    {
        const kernel_desc& kernel = g_.kernels[k];
        if (kernel.cross_core_count == 0 && kernel.matmul_objects == 0) {
            return;
        }
        const side o = other(s);
        for (int earlier = k - 1; earlier >= 0; --earlier) {
            const int at = m_.call_at[static_cast<int>(o)][earlier];
            if (at < 0) {
                continue;
            }
            if (know_[static_cast<int>(s)].core[static_cast<int>(o)].issued > at) {
                return; // and all before it
            }
            const int flag = common_flag(earlier, k, s);
            if (flag >= 0) {
                report(finding{rule::flag_id_clash, k, earlier, -1, flag, 0, s});
                return;
            }
        }
    }

    /// A flag that kernel `b` sets from side `s` across to a counter that kernel `a` uses too, or -1.
    constexpr int common_flag(int a, int b, side s) const
    {
        const kernel_desc& kernel = g_.kernels[b];
        if (kernel.matmul_objects > 0 && is_mix(kernel.type)) {
            for (int f = 0; f < 2 * kernel.matmul_objects; ++f) {
                if (kernel_uses(a, other(s), f)) {
                    return f;
                }
            }
        }
        for (int i = 0; i < kernel.cross_core_count; ++i) {
            const cross_core_use& c = g_.cross_core[kernel.first_cross_core + i];
            if (c.mode == 2 && c.from == s && kernel_uses(a, other(s), c.flag)) {
                return c.flag;
            }
        }
        return -1;
    }

    // ---- order and cache
    // ----------------------------------------------------------------------------------------------------

    static constexpr bool touches(const kernel_desc& k, const effect& e, side s)
    {
        return runs_on(k.type, s) && (e.sides & mask_of(s)) != 0;
    }

    static constexpr effect anything() { return {-1, access::opaque, via::both, on_both_bits, -1, 0}; }

    static constexpr bool conflict(access a, access b)
    {
        return !(a == access::in && b == access::in) && !(a == access::accumulate && b == access::accumulate);
    }

    /// Whether the work of one block of `a` reaches only the same core (or, across sides, the same AI core) that runs
    /// its part of `b`.
    constexpr bool core_is_enough(int a, side sa, const effect& ea, int b, side sb, const effect& eb) const
    {
        if (g_.kernels[a].dynamic || g_.kernels[b].dynamic) {
            return false;
        }
        const core_range ra = range(a, sa);
        const core_range rb = range(b, sb);
        const bool same_slices = ea.buffer == eb.buffer && ea.partition >= 0 && ea.partition == eb.partition;
        if (sa == sb) {
            return ra == rb && (ra.count == 1 || same_slices);
        }
        const int per = aiv_per_ai_core(p_.launch);
        const int da = sa == side::aiv ? per : 1;
        const int db = sb == side::aiv ? per : 1;
        if (same_slices && ra.count == rb.count) {
            bool same = true;
            for (int i = 0; i < ra.count; ++i) {
                same = same && (ra.first + i * ra.stride) / da == (rb.first + i * rb.stride) / db;
            }
            return same;
        }
        return (ra.first + (ra.count - 1) * ra.stride) / da == 0 && (rb.first + (rb.count - 1) * rb.stride) / db == 0;
    }

    constexpr bool in_first_ai_core(core_range aiv) const
    {
        return aiv.first + (aiv.count - 1) * aiv.stride < aiv_per_ai_core(p_.launch);
    }

    /// Whether side `s` flushes lines that effect `e` may have touched, at a position in (from, to).
    constexpr bool flushed(side s, int from, int to, const effect& e) const
    {
        const int i = static_cast<int>(s);
        const bool by_line = e.scalar_lines > 0 && e.buffer >= 0;
        if ((by_line ? last_flush_[i] : last_whole_[i]) <= from) {
            return false;
        }
        for (int at = from + 1; at < to; ++at) {
            const step& x = p_.steps[i][at];
            if (x.what == op::flush && everyone(s, x) &&
                (x.buffer < 0 || (x.buffer == e.buffer && e.scalar_lines > 0 && x.lines >= e.scalar_lines))) {
                return true;
            }
        }
        return false;
    }

    /// Checks one older access on side `sa` against access `eb` of kernel `b` on side `sb`. Answers whether everything
    /// older on that side is settled with it.
    constexpr bool check_pair(int a, side sa, const effect& ea, int b, side sb, const effect& eb, int buffer)
    {
        const int ia = static_cast<int>(sa);
        const int ib = static_cast<int>(sb);
        const int at = m_.call_at[ia][a];
        const bool line_safe = g_.kernels[a].cache == cache_policy::line_on_access && !g_.kernels[a].opaque;
        const bool dirty = uses_scalar(ea.how) && writes(ea.what) && !line_safe;
        const bool here = core_is_enough(a, sa, ea, b, sb, eb);
        progress known{};
        if (sa == sb && here) {
            // One core runs both: its own order is enough, and so is its own cache unless DMA looks.
            if (dirty && uses_dma(eb.how) && !flushed(sa, at, at_[ib], ea)) {
                report(finding{rule::missing_flush, a, b, buffer, 0, 0, sa});
            }
        } else {
            known = sa != sb && here ? know_[ib].core[ia] : know_[ib].all[ia];
            if (sa == sb && sa == side::aiv && in_first_ai_core(range(a, sa)) && in_first_ai_core(range(b, sb))) {
                raise(known, know_[ib].mates);
            }
            const bool writes_only = ea.what == access::out || ea.what == access::accumulate;
            const bool needs_idle = uses_scalar(ea.how) || !writes_only;
            if (needs_idle ? known.idle <= at : known.issued <= at) {
                report(finding{rule::unordered_hazard, a, b, buffer, 0, 0, sb});
            } else if (dirty && !flushed(sa, at, known.issued, ea)) {
                report(finding{rule::missing_flush, a, b, buffer, 0, 0, sa});
            }
        }
        known = know_[ib].all[ia];
        return known.idle > at && (!any_scalar() || flushed(sa, at, known.issued, anything()));
    }

    /// Whether cache effects could matter at all; keeps the common, DMA-only case short.
    constexpr bool any_scalar()
    {
        if (scalar_known_ < 0) {
            scalar_known_ = any_opaque_ ? 1 : 0;
            for (int e = 0; e < g_.effect_count; ++e) {
                scalar_known_ = scalar_known_ > 0 || uses_scalar(g_.effects[e].how) ? 1 : 0;
            }
        }
        return scalar_known_ > 0;
    }

    constexpr void check_effect(side s, int b, int e)
    {
        const effect& eb = g_.effects[e];
        int start = m_.effect_before[e];
        while (start >= 0 && m_.effect_kernel[start] >= b) {
            start = m_.effect_before[start];
        }
        bool settled[2] = {false, false};
        for (int a = start; a >= 0 && !(settled[0] && settled[1]); a = m_.effect_before[a]) {
            const int k = m_.effect_kernel[a];
            const effect& ea = g_.effects[a];
            if (!any_scalar()) {
                // What all cores of a side are known to have left needs no look, nor does anything older.
                for (int i = 0; i < 2; ++i) {
                    const int at = m_.call_at[i][k];
                    settled[i] = settled[i] || (at >= 0 && know_[static_cast<int>(s)].all[i].idle > at);
                }
            }
            if (g_.kernels[k].opaque || !conflict(ea.what, eb.what) ||
                !overlap(g_.buffers[ea.buffer], g_.buffers[eb.buffer])) {
                continue;
            }
            for (int i = 0; i < 2; ++i) {
                const side from = static_cast<side>(i);
                if (!settled[i] && touches(g_.kernels[k], ea, from)) {
                    settled[i] = check_pair(k, from, ea, b, s, eb, eb.buffer);
                }
            }
        }
        if (uses_scalar(eb.how) && g_.kernels[b].cache != cache_policy::line_on_access) {
            check_stale(s, b, eb, start);
        }
        if (any_opaque_) {
            check_older_opaque(s, b, eb);
        }
    }

    /// A scalar access must not hit a line that this side's cores loaded before somebody else wrote it.
    constexpr void check_stale(side s, int b, const effect& eb, int newest)
    {
        const int i = static_cast<int>(s);
        for (int a = newest; a >= 0; a = m_.effect_before[a]) {
            const int k = m_.effect_kernel[a];
            const effect& ea = g_.effects[a];
            if (g_.kernels[k].opaque || !touches(g_.kernels[k], ea, s) || !uses_scalar(ea.how) ||
                !overlap(g_.buffers[ea.buffer], g_.buffers[eb.buffer])) {
                continue;
            }
            if (flushed(s, m_.call_at[i][k], at_[i], ea.buffer == eb.buffer ? eb : anything())) {
                return; // clears what older kernels loaded as well
            }
            if (!flushed(s, m_.call_at[i][k], at_[i], ea) && written_elsewhere(s, newest, k, b, ea, eb)) {
                return;
            }
        }
    }

    /// Whether somebody wrote bytes of both effects behind the back of side `s` since kernel `k` ran; reports it.
    constexpr bool written_elsewhere(side s, int newest, int k, int b, const effect& ea, const effect& eb)
    {
        for (int w = newest; w >= 0 && m_.effect_kernel[w] >= k; w = m_.effect_before[w]) {
            const int wk = m_.effect_kernel[w];
            const effect& ew = g_.effects[w];
            if (g_.kernels[wk].opaque || !writes(ew.what) ||
                !(touches(g_.kernels[wk], ew, s) || touches(g_.kernels[wk], ew, other(s))) ||
                !overlap(g_.buffers[ew.buffer], g_.buffers[ea.buffer]) ||
                !overlap(g_.buffers[ew.buffer], g_.buffers[eb.buffer])) {
                continue;
            }
            const bool only_here = ew.how == via::scalar && touches(g_.kernels[wk], ew, s) &&
                                   !touches(g_.kernels[wk], ew, other(s)) && core_is_enough(wk, s, ew, b, s, eb);
            if (!only_here) {
                report(finding{rule::missing_flush, wk, b, eb.buffer, 1, 0, s});
                return true;
            }
        }
        return false;
    }

    constexpr void check_older_opaque(side s, int b, const effect& eb)
    {
        int k = b - 1;
        while (k >= 0 && !g_.kernels[k].opaque) {
            --k;
        }
        for (int i = 0; k >= 0 && i < 2; ++i) {
            if (runs_on(g_.kernels[k].type, static_cast<side>(i))) {
                check_pair(k, static_cast<side>(i), anything(), b, s, eb, eb.buffer);
            }
        }
        if (k >= 0 && uses_scalar(eb.how) && g_.kernels[b].cache != cache_policy::line_on_access) {
            check_stale_around_opaque(s, b, k, eb);
        }
    }

    /// After an opaque kernel any line that this side holds from before, or from it, may be stale.
    constexpr void check_stale_around_opaque(side s, int b, int opaque, const effect& eb)
    {
        const int i = static_cast<int>(s);
        for (int k = opaque; k >= 0; --k) {
            if (m_.call_at[i][k] < 0 || !may_load(k, s, eb.buffer)) {
                continue;
            }
            if (flushed(s, m_.call_at[i][k], at_[i], eb)) {
                return; // clears what older kernels loaded as well
            }
            if (holds_lines(k, s, eb.buffer)) {
                report(finding{rule::missing_flush, opaque, b, eb.buffer, 1, 0, s});
                return;
            }
        }
    }

    /// Whether lines of a buffer that kernel `k` may have loaded are still there.
    constexpr bool holds_lines(int k, side s, int buffer) const
    {
        const int i = static_cast<int>(s);
        const kernel_desc& kernel = g_.kernels[k];
        if (kernel.opaque) {
            return true;
        }
        for (int e = kernel.first_effect; e < kernel.first_effect + kernel.effect_count; ++e) {
            if (uses_scalar(g_.effects[e].how) && touches(kernel, g_.effects[e], s) &&
                overlap(g_.buffers[g_.effects[e].buffer], g_.buffers[buffer]) &&
                !flushed(s, m_.call_at[i][k], at_[i], g_.effects[e])) {
                return true;
            }
        }
        return false;
    }

    /// Whether kernel `k` may load lines of a buffer (-1: of any) into the caches of side `s`.
    constexpr bool may_load(int k, side s, int buffer) const
    {
        const kernel_desc& kernel = g_.kernels[k];
        if (kernel.opaque) {
            return true;
        }
        for (int e = kernel.first_effect; e < kernel.first_effect + kernel.effect_count; ++e) {
            if (uses_scalar(g_.effects[e].how) && touches(kernel, g_.effects[e], s) &&
                (buffer < 0 || overlap(g_.buffers[g_.effects[e].buffer], g_.buffers[buffer]))) {
                return true;
            }
        }
        return false;
    }

    /// An opaque kernel conflicts with everything before it.
    constexpr void check_opaque(side s, int b)
    {
        bool settled[2] = {false, false};
        bool loads = false;
        for (int k = b - 1; k >= 0 && !(settled[0] && settled[1]); --k) {
            const kernel_desc& kernel = g_.kernels[k];
            for (int i = 0; i < 2; ++i) {
                const side from = static_cast<side>(i);
                if (settled[i] || !runs_on(kernel.type, from)) {
                    continue;
                }
                if (kernel.opaque) {
                    settled[i] = check_pair(k, from, anything(), b, s, anything(), -1);
                    continue;
                }
                for (int e = kernel.first_effect; e < kernel.first_effect + kernel.effect_count; ++e) {
                    if (touches(kernel, g_.effects[e], from)) {
                        settled[i] =
                            check_pair(k, from, g_.effects[e], b, s, anything(), g_.effects[e].buffer) || settled[i];
                    }
                }
            }
        }
        const int i = static_cast<int>(s);
        int since = -1;
        for (int k = b - 1; k >= 0 && since < 0; --k) {
            loads = m_.call_at[i][k] >= 0 && may_load(k, s, -1);
            since = loads ? m_.call_at[i][k] : -1;
        }
        if (since >= 0 && !flushed(s, since, at_[i], anything())) {
            report(finding{rule::missing_flush, b, b, -1, 1, 0, s});
        }
    }

    const graph& g_;
    const program_view& p_;
    const proof_memory& m_;
    Sink& sink_;
    int at_[2] = {0, 0};
    view know_[2] = {};
    counter counters_[2 * flag_id_count]; ///< Aic first.
    int arrivals_ = 0;
    int last_call_[2] = {-1, -1};
    bool clean_[2] = {true, true};   ///< Pipes drained since the last call.
    int early_set_[2] = {0, 0};      ///< Early-start sets that the last call made and no arrive step has completed.
    int early_wait_[2] = {0, 0};     ///< Waits that the coming call must make in its body.
    int early_kernel_[2] = {-1, -1}; ///< The kernel that must make them.
    int last_wait_[2] = {-1, -1};    ///< Position of the newest wait.
    int shared_last_ = -1;           ///< Newest effect on any buffer that overlaps others.
    int last_flush_[2] = {-1, -1};   ///< Position of the newest flush done.
    int last_whole_[2] = {-1, -1};   ///< Position of the newest whole flush done.
    bool any_opaque_ = false;
    bool broken_ = false;
    int scalar_known_ = -1;
};

} // namespace proof

/// Proves a program: calls `sink(finding)` for every rule it breaks, in the order of the walk.
template <class Sink>
constexpr void prove(const graph& g, const program_view& p, const proof_memory& m, Sink& sink)
{
    proof::prover<Sink> walk(g, p, m, sink);
    walk.run();
}

} // namespace skt
