/// @file
/// Gives every barrier a flag id that nothing else uses while it is under way. Plain values. Device-safe.
///
/// Hardware rules (vendor documentation of CrossCoreSetFlag, dav-2201): 16 ids per core, counters 0 to 15, counters of
/// the two sides apart. A flag that several cores set together (modes 0, and 2 from two vector cores) may be set again
/// only by a core that knows that all of them have set it before; nobody says how the scheduler counts otherwise.
#pragma once

#include <skt/model/reset.hpp>
#include <skt/plan/barrier.hpp>

namespace skt {

/// Whether kernel `k` uses flag `id` itself, or calls code that does.
constexpr bool uses_flag(const graph& g, const kernel_desc& k, int id)
{
    if (id < 2 * k.matmul_objects || (k.matmul_objects > 0 && id == flag_ids::matmul_service)) {
        return true;
    }
    for (int i = 0; i < k.cross_core_count; ++i) {
        if (g.cross_core[k.first_cross_core + i].flag == id) {
            return true;
        }
    }
    return false;
}

namespace detail {

/// How far apart on one id two barriers of one kind are.
struct flag_use {
    int last = -1;                    ///< Newest barrier on the id.
    int count = 0;                    ///< Sets that the waiting side may not have consumed.
    int waits[flag_counter_max] = {}; ///< Their wait boundaries, oldest first.
};

/// Recent barriers of a kind: enough to see that the other half of a pair has answered.
struct recent {
    int barrier[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    int at = 0;
};

struct flag_table {
    flag_use use[barrier_kind_count * flag_id_count] = {};
    int owner[2][flag_id_count] = {}; ///< By waiting side: 1 + the kind that uses the id there; 0: nobody.
    recent seen[barrier_kind_count] = {};

    constexpr flag_table()
    {
        reset(use);
        reset(seen);
    }
};

/// Whether the wait of `y` comes before the arrival of `x` in the list of the side that does both.
constexpr bool waited_before(const barrier* b, int y, int x)
{
    return b[y].wait_at < b[x].arrive_at || (b[x].after >= y && b[y].wait_at <= b[x].arrive_at);
}

/// The wait boundary up to which the source of `x` knows the target side to have come: waits before it are consumed.
constexpr int target_known_to(const flag_table& t, const barrier* b, int x)
{
    int known = 0;
    const barrier_kind back =
        b[x].kind == barrier_kind::aic_to_aiv ? barrier_kind::aiv_to_aic : barrier_kind::aic_to_aiv;
    for (int i = 0; i < 8; ++i) {
        const int z = t.seen[static_cast<int>(back)].barrier[i];
        if (z >= 0 && waited_before(b, z, x)) {
            known = larger(known, b[z].arrive_at);
        }
    }
    return known;
}

/// Whether every vector core that sets `x` knows both of its AI core to have set `y`.
constexpr bool both_have_set(const flag_table& t, const barrier* b, int y, int x)
{
    for (int i = 0; i < 8; ++i) {
        const int w = t.seen[static_cast<int>(barrier_kind::all_aiv)].barrier[i];
        if (w >= 0 && waited_before(b, w, x) && b[w].arrive_at > b[y].arrive_at) {
            return true;
        }
        const int z = t.seen[static_cast<int>(barrier_kind::aic_to_aiv)].barrier[i];
        if (z >= 0 && waited_before(b, z, x) && b[z].arrive_at > b[y].wait_at) {
            return true;
        }
    }
    return false;
}

/// Whether barrier `x` may use an id after the uses that its kind has made of it.
constexpr bool may_reuse(flag_table& t, const barrier* b, int x, int id, bool two_setters)
{
    flag_use& u = t.use[static_cast<int>(b[x].kind) * flag_id_count + id];
    if (u.last < 0) {
        return true;
    }
    const barrier& y = b[u.last];
    if (mode_of(b[x].kind) == 0) {
        return waited_before(b, u.last, x);
    }
    const bool in_order = y.wait_at <= b[x].wait_at &&
                          (y.arrive_at < b[x].arrive_at || (y.arrive_at == b[x].arrive_at && y.after <= b[x].after));
    if (!in_order || (two_setters && b[x].kind == barrier_kind::aiv_to_aic && !both_have_set(t, b, u.last, x))) {
        return false;
    }
    const int known = target_known_to(t, b, x);
    int gone = 0;
    while (gone < u.count && u.waits[gone] < known) {
        ++gone;
    }
    for (int i = gone; gone > 0 && i < u.count; ++i) {
        u.waits[i - gone] = u.waits[i];
    }
    u.count -= gone;
    return u.count < flag_counter_max;
}

constexpr void take(flag_table& t, barrier* b, int x, int id)
{
    const int kind = static_cast<int>(b[x].kind);
    b[x].flag = id;
    t.owner[static_cast<int>(target_of(b[x].kind))][id] = 1 + kind;
    flag_use& u = t.use[kind * flag_id_count + id];
    u.last = x;
    if (mode_of(b[x].kind) != 0) {
        u.waits[u.count++] = b[x].wait_at;
    }
    recent& r = t.seen[kind];
    r.barrier[r.at] = x;
    r.at = (r.at + 1) % 8;
}

} // namespace detail

/// The id that early start fixes for a kind of barrier (vendor's synchronisation header for dav-2201).
constexpr int early_flag(barrier_kind k)
{
    switch (k) {
    case barrier_kind::all_aic:
        return flag_ids::all_aic;
    case barrier_kind::all_aiv:
        return flag_ids::all_aiv;
    case barrier_kind::aic_to_aiv:
        return flag_ids::aic_to_aiv;
    case barrier_kind::aiv_to_aic:
        return flag_ids::aiv_to_aic;
    }
    return -1;
}

/// Whether the SyncAll calls of kernel `k` set or await the fixed id of barriers of kind `b`.
constexpr bool sync_all_uses(const kernel_desc& k, barrier_kind b)
{
    if (k.sync_all == 0) {
        return false;
    }
    // `SyncAll<true>` of a cube kernel uses id 14 too, on counters of the cube side that no barrier uses.
    return k.scope == sync_scope::all ? b != barrier_kind::all_aiv
                                      : b == barrier_kind::all_aiv && runs_on(k.type, side::aiv);
}

/// Whether the fixed id of its kind serves barrier `b`: no SyncAll may touch the id meanwhile. Across sides one side
/// may run ahead into any later SyncAll, so there must be none at all; among all cores of a side only the kernels
/// between the halves count, and those in whose bodies a half stands.
constexpr bool fixed_flag_serves(const graph& g, const barrier& b)
{
    const bool across = mode_of(b.kind) != 0;
    const int first = across ? 0 : b.arrive_at - (b.arrive_early ? 1 : 0);
    const int last = across ? g.kernel_count : b.wait_at + (b.wait_early ? 1 : 0);
    for (int k = first > 0 ? first : 0; k < last; ++k) {
        if (sync_all_uses(g.kernels[k], b.kind)) {
            return false;
        }
    }
    return true;
}

/// Gives each barrier an id. Barriers whose halves move into kernel bodies take the fixed ids; a barrier for which that
/// is not possible stays outside. Answers whether every barrier got one.
constexpr bool allocate_flags(const graph& g, launch_shape l, barrier* barriers, int count)
{
    bool declared[flag_id_count] = {};
    for (int k = 0; k < g.kernel_count; ++k) {
        const kernel_desc& kernel = g.kernels[k];
        for (int id = 0; id < flag_id_count && id < 2 * kernel.matmul_objects; ++id) {
            declared[id] = true;
        }
        for (int i = 0; i < kernel.cross_core_count; ++i) {
            const int id = g.cross_core[kernel.first_cross_core + i].flag;
            if (id >= 0 && id < flag_id_count) {
                declared[id] = true;
            }
        }
    }
    const bool two_setters = aiv_per_ai_core(l) == 2;
    detail::flag_table t{};
    for (int x = 0; x < count; ++x) {
        barrier& b = barriers[x];
        if (b.arrive_early || b.wait_early) {
            if (fixed_flag_serves(g, b) && detail::may_reuse(t, barriers, x, early_flag(b.kind), two_setters)) {
                detail::take(t, barriers, x, early_flag(b.kind));
                continue;
            }
            b.arrive_early = false;
            b.wait_early = false;
        }
        const int target = static_cast<int>(target_of(b.kind));
        int chosen = -1;
        // Ids that no kernel declares; one side may run ahead into a kernel that uses its own.
        for (int id = flag_ids::all_aic - 1; id >= 0 && chosen < 0; --id) {
            const int owner = t.owner[target][id];
            if ((owner == 0 || owner == 1 + static_cast<int>(b.kind)) && !declared[id] &&
                detail::may_reuse(t, barriers, x, id, two_setters)) {
                chosen = id;
            }
        }
        if (chosen < 0 && fixed_flag_serves(g, b) &&
            detail::may_reuse(t, barriers, x, early_flag(b.kind), two_setters)) {
            chosen = early_flag(b.kind);
        }
        if (chosen < 0) {
            return false;
        }
        detail::take(t, barriers, x, chosen);
    }
    return true;
}

} // namespace skt
