/// @file
/// What a plan is and why: launch shape, sub-kernels, program, boundaries, flushes, counts. Host only.
#pragma once

#include <skt/host/plan.hpp>
#include <skt/report/document.hpp>
#include <skt/report/why.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace skt::report {

/// The name of kernel `k`, or its number where the graph has no names.
inline std::string kernel_text(const graph& g, int k)
{
    const char* name = k >= 0 && k < g.kernel_count ? g.kernels[k].name : nullptr;
    return name != nullptr && *name != 0 ? std::string(name) : fmt::format("kernel {}", k);
}
/// The name of buffer `b`, or its number.
inline std::string buffer_text(const graph& g, int b)
{
    const char* name = b >= 0 && b < g.buffer_count ? g.buffers[b].name : nullptr;
    return b < 0 ? "any buffer" : name != nullptr && *name != 0 ? std::string(name) : fmt::format("buffer {}", b);
}

namespace detail {

inline phrase kernel_phrase(const graph& g, int k)
{
    return phrase().add(kernel_text(g, k), tone::kernel);
}
inline phrase buffer_phrase(const graph& g, int b)
{
    return phrase().add(buffer_text(g, b), tone::buffer);
}
inline const char* side_text(side s)
{
    return s == side::aic ? "AIC" : "AIV";
}

/// "0..47", "0,2..46", "5", "none".
inline std::string range_text(core_range r)
{
    if (r.count == 0) {
        return "none";
    }
    const int last = r.first + (r.count - 1) * r.stride;
    return r.count == 1    ? fmt::format("{}", r.first)
           : r.stride == 1 ? fmt::format("{}..{}", r.first, last)
           : r.count == 2  ? fmt::format("{},{}", r.first, last)
                           : fmt::format("{},{}..{}", r.first, r.first + r.stride, last);
}

inline std::string launch_text(launch_shape l)
{
    const int c = cores_of(l, side::aic);
    const int v = cores_of(l, side::aiv);
    return fmt::format("{} on {} blocks: {}{}{}", to_string(l.type), l.blocks, c > 0 ? fmt::format("{} AIC", c) : "",
                       c > 0 && v > 0 ? " + " : "", v > 0 ? fmt::format("{} AIV", v) : "");
}

/// The first kernel that wants most cores of a side.
inline int widest(const graph& g, side s)
{
    int best = -1;
    int most = 0;
    for (int k = 0; k < g.kernel_count; ++k) {
        const int n = cores_of(g.kernels[k].type, g.kernels[k].blocks, s);
        if (n > most) {
            most = n;
            best = k;
        }
    }
    return best;
}

inline std::vector<phrase> launch_reasons(const graph& g, launch_shape l)
{
    std::vector<phrase> out;
    int wanted[2] = {g.policy.at_least_aic, g.policy.at_least_aiv};
    for (int i = 0; i < 2; ++i) {
        const side s = static_cast<side>(i);
        const int k = widest(g, s);
        const int n = k < 0 ? 0 : cores_of(g.kernels[k].type, g.kernels[k].blocks, s);
        if (wanted[i] > n) {
            out.push_back(fmt::format("at_least asks for {} {} cores", wanted[i], side_text(s)));
        } else if (k >= 0) {
            wanted[i] = n;
            out.push_back(
                phrase().add(kernel_phrase(g, k)).add(fmt::format(" is the widest on {}: {} cores", side_text(s), n)));
        }
    }
    const auto two = std::find_if(g.kernels, g.kernels + g.kernel_count,
                                  [](const kernel_desc& k) { return k.type == kernel_type::mix_aic_1_2; });
    switch (l.type) {
    case kernel_type::mix_aiv_1_0:
        out.push_back("no sub-kernel uses cube cores");
        break;
    case kernel_type::mix_aic_1_0:
        out.push_back("no sub-kernel uses vector cores");
        break;
    case kernel_type::mix_aic_1_1:
        out.push_back(fmt::format("1:1, because no sub-kernel is 1:2 and {} vector cores fit beside {} cube cores",
                                  wanted[1], wanted[0]));
        break;
    default:
        if (two != g.kernels + g.kernel_count) {
            out.push_back(phrase("1:2, because ")
                              .add(kernel_phrase(g, static_cast<int>(two - g.kernels)))
                              .add(" uses two vector cores per cube core"));
        } else {
            out.push_back(fmt::format("1:2, because {} vector cores do not fit one beside each of {} cube cores",
                                      wanted[1], wanted[0]));
        }
    }
    const int has_c = g.chip.aic_cores;
    const int has_v = g.chip.aiv_cores;
    out.push_back(phrase().add(fmt::format("{} has {} AIC + {} AIV", g.chip.name, has_c, has_v), tone::dim));
    return out;
}

/// What a kernel declares and chooses beside its cores, where it is not the default.
inline std::string traits_text(const graph& g, const kernel_desc& k)
{
    std::vector<std::string> t;
    if (k.opaque) {
        t.push_back("opaque (declares no data)");
    }
    if (k.dynamic) {
        t.push_back("block count known on the device");
    }
    if (k.cache != cache_policy::planned) {
        t.push_back(fmt::format("cache {}", to_string(k.cache)));
    }
    if (k.type == kernel_type::mix_aic_1_1 && k.ratio != ratio_policy::reject) {
        t.push_back(fmt::format("ratio {}", to_string(k.ratio)));
    }
    if (k.sync_all > 0) {
        t.push_back(fmt::format("SyncAll x{} ({}, idle cores: {})", k.sync_all, to_string(k.scope), to_string(k.idle)));
    }
    for (int i = 0; i < k.cross_core_count; ++i) {
        const cross_core_use& c = g.cross_core[k.first_cross_core + i];
        t.push_back(fmt::format("flag {} mode {} from {} x{}", c.flag, c.mode, side_text(c.from), c.times));
    }
    if (k.matmul_objects > 0) {
        t.push_back(fmt::format("{} Matmul objects (flags 0..{})", k.matmul_objects, 2 * k.matmul_objects - 1));
    }
    if (k.pipes > 1) {
        t.push_back(fmt::format("{} TPipes{}", k.pipes, k.pipes_drained ? ", drained between" : ""));
    }
    if (k.signals_next) {
        t.push_back("signals next");
    }
    if (k.awaits_previous) {
        t.push_back("awaits previous");
    }
    if (k.unchecked) {
        t.push_back("unchecked");
    }
    return fmt::format("{}", fmt::join(t, "; "));
}

/// What a kernel reads and writes: "in x, gamma; out h".
inline phrase data_phrase(const graph& g, const kernel_desc& k)
{
    phrase out;
    constexpr access order[] = {access::in, access::out, access::inout, access::accumulate, access::opaque};
    for (const access a : order) {
        bool first = true;
        for (int i = 0; i < k.effect_count; ++i) {
            const effect& e = g.effects[k.first_effect + i];
            if (e.what != a) {
                continue;
            }
            out.add(first ? fmt::format("{}{} ", out.empty() ? "" : "; ", to_string(a)) : ", ");
            out.add(buffer_phrase(g, e.buffer));
            if (uses_scalar(e.how) && a != access::opaque) {
                out.add(e.how == via::scalar ? " (scalar)" : " (scalar and DMA)", tone::dim);
            }
            first = false;
        }
    }
    return out;
}

inline section launch_section(const graph& g, const host::planned& p)
{
    section s;
    s.title = "launch";
    s.lines.push_back(phrase().add(launch_text(p.launch), tone::strong));
    for (phrase& r : launch_reasons(g, p.launch)) {
        s.lines.push_back(std::move(r));
    }
    return s;
}

inline section kernel_section(const graph& g, const host::planned& p)
{
    section s;
    s.title = "sub-kernels";
    s.table.header = {"#", "name", "type", "blocks", "AIC", "AIV", "declared and chosen", "data"};
    s.table.right = {true, false, false, true};
    for (int i = 0; i < g.kernel_count; ++i) {
        const kernel_desc& k = g.kernels[i];
        const auto cores = [&](side where) {
            const core_range r = cores_of(k, p.launch, where);
            return r.count == 0 ? std::string("-") : range_text(r);
        };
        s.table.rows.push_back({fmt::format("{}", i), kernel_phrase(g, i), to_string(k.type),
                                fmt::format("{}{}", k.dynamic ? "<=" : "", k.blocks), cores(side::aic),
                                cores(side::aiv), traits_text(g, k), data_phrase(g, k)});
    }
    return s;
}

/// "on 0..19", or nothing if every core of the side takes part.
inline std::string who_text(const step& x, int everyone)
{
    std::string out;
    if (x.cores != core_range{0, everyone, 1}) {
        out = fmt::format(", cores {}", range_text(x.cores));
    }
    if (x.skip.count > 0) {
        out += x.skip == core_range{0, everyone, 1} ? ", inside the kernel"
                                                    : fmt::format(", inside the kernel on {}", range_text(x.skip));
    }
    return out;
}

inline std::string early_text(int mask)
{
    const int sets = early::aic_to_aic_set | early::aic_to_aiv_set | early::aiv_to_aiv_set | early::aiv_to_aic_set;
    std::string out;
    if ((mask & ~sets) != 0) {
        out += ", waits inside";
    }
    if ((mask & sets) != 0) {
        out += ", arrives inside";
    }
    return out;
}

/// One step in words.
inline phrase step_phrase(const graph& g, launch_shape l, side s, const step& x)
{
    const int everyone = cores_of(l, s);
    const std::string who = who_text(x, everyone);
    phrase out;
    switch (x.what) {
    case op::call:
        return out.add("call    ", tone::strong)
            .add(kernel_phrase(g, x.kernel))
            .add(fmt::format("{}{}", who, early_text(x.early)));
    case op::arrive:
        return out.add("arrive  ", tone::sync)
            .add(fmt::format("{} flag {} on {} (barrier {}){}", to_string(x.kind), x.flag,
                             x.pipe == arrive_pipe::fix ? "FIX" : "MTE3", x.barrier, who));
    case op::wait:
        return out.add("wait    ", tone::sync)
            .add(fmt::format("{} flag {} (barrier {}){}", to_string(x.kind), x.flag, x.barrier, who));
    case op::drain:
        return out.add("drain   ", tone::cache).add("all pipes").add(who);
    case op::flush:
        out.add("flush   ", tone::cache);
        if (x.buffer < 0) {
            return out.add("the whole data cache").add(who);
        }
        return out.add(fmt::format("{} line{} of ", x.lines, x.lines == 1 ? "" : "s"))
            .add(buffer_phrase(g, x.buffer))
            .add(who);
    case op::feed:
        out.add("feed    ", tone::sync);
        if (x.flag < 0) {
            const core_range own = x.skip;
            return out.add(fmt::format("SyncAll x{} of ", x.times))
                .add(kernel_phrase(g, x.kernel))
                .add(fmt::format(", cores outside {}", range_text(own)));
        }
        return out
            .add(fmt::format("{} flag {} x{} of ", x.kind == barrier_kind::aiv_to_aic ? "set" : "wait for", x.flag,
                             x.times))
            .add(kernel_phrase(g, x.kernel))
            .add(who);
    case op::preload:
        return out.add("preload ", tone::cache).add(kernel_phrase(g, x.kernel)).add(who);
    }
    return out;
}

inline section program_section(const graph& g, const host::planned& p, side s)
{
    section out;
    const int n = cores_of(p.launch, s);
    out.title = fmt::format("program of {} {} cores", n, side_text(s));
    out.listing = true;
    for (const step& x : p.steps[static_cast<int>(s)]) {
        out.lines.push_back(step_phrase(g, p.launch, s, x));
    }
    if (out.lines.empty()) {
        out.lines.push_back(phrase().add("nothing to do", tone::dim));
    }
    return out;
}

/// Hazards that differ in their sides only, as one.
struct hazard_group {
    hazard what;
    bool from[2] = {false, false};
    bool to[2] = {false, false};
    bool on_one_core = true;
    bool ordered = true;
    std::vector<int> barriers;
};

inline std::vector<hazard_group> groups_into(const reasons& r, int kernel)
{
    std::vector<hazard_group> out;
    for (const int i : r.into[static_cast<std::size_t>(kernel)]) {
        const hazard_reason& h = r.hazards[static_cast<std::size_t>(i)];
        auto same = std::find_if(out.begin(), out.end(), [&h](const hazard_group& x) {
            return x.what.kind == h.what.kind && x.what.buffer == h.what.buffer && x.what.from == h.what.from &&
                   x.on_one_core == h.on_one_core;
        });
        if (same == out.end()) {
            out.push_back({h.what, {}, {}, h.on_one_core, true, {}});
            same = out.end() - 1;
        }
        same->from[static_cast<int>(h.what.from_side)] = true;
        same->to[static_cast<int>(h.what.to_side)] = true;
        same->ordered = same->ordered && h.ordered;
        for (const int b : h.barriers) {
            if (std::find(same->barriers.begin(), same->barriers.end(), b) == same->barriers.end()) {
                same->barriers.push_back(b);
            }
        }
    }
    return out;
}

inline std::string sides_text(const bool (&s)[2])
{
    return s[0] && s[1] ? "AIC and AIV" : s[0] ? "AIC" : "AIV";
}

inline const char* verb_text(access a)
{
    switch (a) {
    case access::in:
        return "reads";
    case access::out:
        return "writes";
    case access::inout:
        return "reads and writes";
    case access::accumulate:
        return "adds to";
    case access::opaque:
        return "may touch";
    }
    return "?";
}

/// "linear reads h, which norm writes (raw, AIV to AIC)".
inline phrase hazard_phrase(const graph& g, const hazard_group& h)
{
    phrase out = kernel_phrase(g, h.what.to);
    if (h.what.from_effect < 0 || h.what.to_effect < 0) {
        const bool both = g.kernels[h.what.from].opaque && g.kernels[h.what.to].opaque;
        out.add(" and ").add(kernel_phrase(g, h.what.from)).add(" may touch the same bytes: ");
        out.add(kernel_phrase(g, g.kernels[h.what.to].opaque ? h.what.to : h.what.from));
        out.add(both ? " and the other declare nothing" : " declares nothing");
    } else {
        const effect& from = g.effects[h.what.from_effect];
        out.add(fmt::format(" {} ", verb_text(g.effects[h.what.to_effect].what)));
        out.add(buffer_phrase(g, h.what.buffer)).add(", which ").add(kernel_phrase(g, h.what.from));
        out.add(fmt::format(" {}", verb_text(from.what)));
        if (from.buffer != h.what.buffer) {
            out.add(" as ").add(buffer_phrase(g, from.buffer));
        }
    }
    return out.add(fmt::format(" ({}, {} to {})", to_string(h.what.kind), sides_text(h.from), sides_text(h.to)),
                   tone::dim);
}

inline std::string barrier_list(const std::vector<int>& b)
{
    return fmt::format("barrier{} {}", b.size() == 1 ? "" : "s", fmt::join(b, ", "));
}

inline phrase barrier_phrase(const host::planned& p, int b)
{
    const barrier& x = p.barriers[static_cast<std::size_t>(b)];
    return phrase()
        .add(fmt::format("barrier {}", b), tone::sync)
        .add(fmt::format(": {}, flag {}", to_string(x.kind), x.flag));
}

/// Why a barrier is there although no hazard needs it.
inline phrase undemanded(const graph& g, const host::planned& p, int b)
{
    const barrier& x = p.barriers[static_cast<std::size_t>(b)];
    if (g.policy.sync_after_each) {
        return "the debugging policy sync_after_each asks for it";
    }
    if (g.policy.sync == sync_policy::every_pair || p.fell_back) {
        return phrase("no hazard needs it: ")
            .add(p.fell_back ? "flag ids ran out, so neighbours are ordered pair by pair"
                             : "the policy every_pair puts a barrier between all neighbours");
    }
    if (x.wait_at < g.kernel_count && g.kernels[x.wait_at].matmul_objects > 0) {
        return phrase("Matmul objects of ")
            .add(kernel_phrase(g, x.wait_at))
            .add(" use flag ids of an earlier kernel's");
    }
    return "it keeps flag ids apart";
}

/// Why a barrier is there that orders nothing into kernel `k`: a later hazard, or a policy.
inline phrase other_reason(const graph& g, const host::planned& p, const reasons& r, int b, int k)
{
    for (const int h : r.demanded_by[static_cast<std::size_t>(b)]) {
        const hazard& later = r.hazards[static_cast<std::size_t>(h)].what;
        if (later.to != k) {
            hazard_group one{later, {}, {}, false, true, {}};
            one.from[static_cast<int>(later.from_side)] = true;
            one.to[static_cast<int>(later.to_side)] = true;
            return phrase("because later ").add(hazard_phrase(g, one));
        }
    }
    return undemanded(g, p, b);
}

/// "barrier 1: aiv_to_aic, flag 10, arrived at behind norm (2 boundaries ago)".
inline phrase wait_phrase(const graph& g, const host::planned& p, int b, int k)
{
    const barrier& x = p.barriers[static_cast<std::size_t>(b)];
    phrase line = barrier_phrase(p, b);
    line.add(", arrived at behind ").add(kernel_phrase(g, x.arrive_at - 1));
    if (x.arrive_at < k) {
        line.add(fmt::format(" ({} boundar{} earlier)", k - x.arrive_at, k - x.arrive_at == 1 ? "y" : "ies"),
                 tone::dim);
    }
    return line;
}

/// Everything about the boundary before kernel `k` (or behind the last one).
inline item boundary_item(const graph& g, const host::planned& p, const reasons& r, int k)
{
    item out;
    const bool end = k == g.kernel_count;
    out.head.add(kernel_phrase(g, k - 1)).add(" -> ");
    out.head.add(end ? phrase("the end") : kernel_phrase(g, k));
    const std::vector<hazard_group> groups = end ? std::vector<hazard_group>{} : groups_into(r, k);

    const std::vector<int>& waits = r.waits_at[static_cast<std::size_t>(k)];
    const auto waited_here = [&waits](const hazard_group& h) {
        return std::any_of(h.barriers.begin(), h.barriers.end(),
                           [&waits](int b) { return std::find(waits.begin(), waits.end(), b) != waits.end(); });
    };
    std::vector<bool> told(groups.size());
    for (std::size_t w = 0; w < waits.size();) {
        const auto reasons_for = [&groups](int b) {
            std::vector<std::size_t> found;
            for (std::size_t i = 0; i < groups.size(); ++i) {
                if (std::find(groups[i].barriers.begin(), groups[i].barriers.end(), b) != groups[i].barriers.end()) {
                    found.push_back(i);
                }
            }
            return found;
        };
        const std::vector<std::size_t> because = reasons_for(waits[w]);
        const std::size_t first = w;
        do { // barriers that serve the same hazards are told together
            out.details.push_back(wait_phrase(g, p, waits[w], k));
            ++w;
        } while (!because.empty() && w < waits.size() && reasons_for(waits[w]) == because);
        for (const std::size_t i : because) {
            out.details.push_back(phrase("  because ").add(hazard_phrase(g, groups[i])));
            told[i] = true;
        }
        if (because.empty()) {
            out.details.push_back(phrase("  ").add(other_reason(g, p, r, waits[first], k)));
        }
    }
    if (waits.empty()) {
        phrase none = phrase().add("no barrier", tone::good);
        const bool only_local = std::all_of(groups.begin(), groups.end(), [](auto& h) { return h.on_one_core; });
        if (end) {
            none.add(": nothing follows");
        } else if (groups.empty()) {
            none.add(": ")
                .add(kernel_phrase(g, k))
                .add(" touches nothing that an earlier sub-kernel writes and writes nothing that one reads");
        } else if (only_local) {
            none.add(": each core needs only what it did itself");
        } else {
            none.add(": everything it needs is ordered already");
        }
        out.details.push_back(std::move(none));
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const hazard_group& h = groups[i];
        if (told[i] || waited_here(h)) {
            continue;
        }
        phrase line = phrase("  ").add(hazard_phrase(g, h));
        if (h.on_one_core) {
            const int part = h.what.to_effect >= 0 ? g.effects[h.what.to_effect].partition : -1;
            line.add(part >= 0 && g.partitions[part].name[0] != 0
                         ? fmt::format(": block by block on the same core (cut as {})", g.partitions[part].name)
                         : ": on the same core");
        } else if (h.ordered) {
            line.add(": ordered by ").add(barrier_list(h.barriers), tone::sync);
            int at = 0;
            for (const int b : h.barriers) {
                at = std::max(at, p.barriers[static_cast<std::size_t>(b)].wait_at);
            }
            line.add(" before ").add(kernel_phrase(g, at));
        } else {
            line.add(": ").add("NOT ORDERED", tone::bad);
        }
        out.details.push_back(std::move(line));
    }
    for (const int b : r.arrivals_at[static_cast<std::size_t>(k)]) {
        const barrier& x = p.barriers[static_cast<std::size_t>(b)];
        if (x.wait_at != k) {
            phrase line;
            line.add(barrier_phrase(p, b)).add(" begins: ");
            line.add(kernel_phrase(g, k - 1)).add(" is done, the wait comes before ");
            line.add(x.wait_at < g.kernel_count ? kernel_phrase(g, x.wait_at) : phrase("the end"));
            out.details.push_back(std::move(line));
        }
    }
    return out;
}

inline section boundary_section(const graph& g, const host::planned& p)
{
    const reasons r = reasons_of(g, p);
    section s;
    s.title = "boundaries";
    for (int k = 1; k <= g.kernel_count; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (k < g.kernel_count || !r.waits_at[at].empty() || !r.arrivals_at[at].empty()) {
            s.items.push_back(boundary_item(g, p, r, k));
        }
    }
    if (s.items.empty()) {
        s.lines.push_back(phrase().add("one sub-kernel: nothing to order", tone::dim));
    }
    return s;
}

inline phrase flush_phrase(const graph& g, const flush_reason& f)
{
    phrase out;
    out.add(fmt::format("{} {} ", side_text(f.where), f.after ? "after" : "before")).add(kernel_phrase(g, f.kernel));
    out.add(", ");
    if (f.buffer < 0) {
        out.add("the whole cache", tone::cache);
    } else {
        out.add(fmt::format("{} line{} of ", f.lines, f.lines == 1 ? "" : "s"), tone::cache)
            .add(buffer_phrase(g, f.buffer));
    }
    out.add(": ");
    switch (f.cause) {
    case flush_cause::policy:
        return out.add(g.policy.flush_after_each
                           ? "the debugging policy flush_after_each asks for it"
                           : fmt::format("its cache policy is {}", to_string(g.kernels[f.kernel].cache)));
    case flush_cause::opaque:
        return out.add("it declares nothing, so its scalar unit may touch anything");
    case flush_cause::dynamic:
        return out.add("a block count is known on the device only, so every sub-kernel is flushed around");
    case flush_cause::written_by_scalar:
        return out.add("its scalar writes to ")
            .add(buffer_phrase(g, f.cause_buffer))
            .add(" stay in its cache until then, and ")
            .add(kernel_phrase(g, f.cause_kernel))
            .add(" needs them");
    case flush_cause::carried_lines:
        return out.add("lines of ")
            .add(buffer_phrase(g, f.cause_buffer))
            .add(" that ")
            .add(kernel_phrase(g, f.writer))
            .add(" wrote are still in the cache of the core that read them back, and ")
            .add(kernel_phrase(g, f.cause_kernel))
            .add(" comes after");
    case flush_cause::stale_lines:
        return out.add("it reads ")
            .add(buffer_phrase(g, f.cause_buffer))
            .add(" through the cache, which may hold lines from ")
            .add(kernel_phrase(g, f.cause_kernel))
            .add(" that ")
            .add(kernel_phrase(g, f.writer))
            .add(" has changed since");
    case flush_cause::unknown:
        break;
    }
    return out.add("nothing declared asks for it");
}

inline section flush_section(const graph& g, const host::planned& p)
{
    section s;
    s.title = "cache flushes";
    for (const flush_reason& f : flush_reasons_of(g, p)) {
        s.lines.push_back(flush_phrase(g, f));
    }
    if (s.lines.empty()) {
        s.lines.push_back(
            phrase().add("none", tone::good).add(": no scalar access can be lost or stale between sub-kernels"));
    }
    return s;
}

inline section count_section(const graph& g, const host::planned& p)
{
    graph pairwise = g;
    pairwise.policy.sync = sync_policy::every_pair;
    const plan_counts other = host::plan(pairwise).counts;
    section s;
    s.title = "counts";
    s.table.header = {"",         "all_aic", "all_aiv", "aic_to_aiv", "aiv_to_aic",
                      "barriers", "flushes", "drains",  "fed SyncAll"};
    s.table.right = {false, true, true, true, true, true, true, true, true};
    const auto row = [&s](const char* name, const plan_counts& c) {
        std::vector<phrase> r{name};
        for (const int b : c.barriers) {
            r.push_back(fmt::format("{}", b));
        }
        for (const int n : {barrier_total(c), c.flush, c.drain, c.fed_sync_all}) {
            r.push_back(fmt::format("{}", n));
        }
        s.table.rows.push_back(std::move(r));
    };
    row("this plan", p.counts);
    row("every_pair", other);
    return s;
}

} // namespace detail

/// The report on a plan. `p` must be a plan of `g`.
inline document summary_of(const graph& g, const host::planned& p)
{
    document d;
    d.title = fmt::format("super kernel of {} sub-kernel{} for {}", g.kernel_count, g.kernel_count == 1 ? "" : "s",
                          g.chip.name);
    if (g.kernel_count == 0) {
        return d;
    }
    d.sections.push_back(detail::launch_section(g, p));
    d.sections.push_back(detail::kernel_section(g, p));
    for (const side s : {side::aic, side::aiv}) {
        if (cores_of(p.launch, s) > 0) {
            d.sections.push_back(detail::program_section(g, p, s));
        }
    }
    d.sections.push_back(detail::boundary_section(g, p));
    d.sections.push_back(detail::flush_section(g, p));
    d.sections.push_back(detail::count_section(g, p));
    return d;
}

} // namespace skt::report
