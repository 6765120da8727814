// The fewest barriers, by exhaustive search over every state of knowledge.
#pragma once

#include <skt/host/plan.hpp>

#include <array>
#include <map>
#include <queue>

namespace skt::test {

/// What each side knows, written out anew: [source side][knowing side][level], level 0 own AI core, 1 all cores; the
/// newest kernel. A side's knowledge of its own core is not stored.
using facts = std::array<int, 6>;

inline facts after(barrier_kind k, const facts& f, int last)
{
    enum { cc, cv_core, cv, vv, vc_core, vc };
    facts t = f;
    switch (k) {
    case barrier_kind::all_aic:
        t[cc] = last;
        t[vc] = std::max(f[vc], f[vc_core]);
        break;
    case barrier_kind::all_aiv:
        t[vv] = last;
        t[cv] = std::max(f[cv], f[cv_core]);
        break;
    case barrier_kind::aic_to_aiv:
        t[cv_core] = last;
        t[cv] = std::max(f[cv], f[cc]);
        t[vv] = std::max(f[vv], f[vc]);
        break;
    case barrier_kind::aiv_to_aic:
        t[vc_core] = last;
        t[vc] = std::max(f[vc], f[vv]);
        t[cc] = std::max(f[cc], f[cv]);
        break;
    }
    return t;
}

inline bool uses_matmul(const kernel_desc& k)
{
    return is_mix(k.type) && k.matmul_objects > 0;
}

/// The least number of barriers that lets every kernel start with all it must know.
inline int fewest_barriers(const graph& g)
{
    const launch_shape l = launch_of(g);
    const auto hazards = host::hazards_of(g, l);
    const bool has[2] = {cores_of(l, side::aic) > 0, cores_of(l, side::aiv) > 0};
    std::map<facts, int> at{{facts{-1, -1, -1, -1, -1, -1}, 0}};
    int matmul = -1;
    for (int k = 1; k < g.kernel_count; ++k) {
        std::map<facts, int> reached = at;
        using entry = std::pair<int, facts>;
        std::priority_queue<entry, std::vector<entry>, std::greater<>> open;
        for (const auto& [f, cost] : at) {
            open.push({cost, f});
        }
        while (!open.empty()) {
            const auto [cost, f] = open.top();
            open.pop();
            if (reached[f] < cost) {
                continue;
            }
            for (int b = 0; b < barrier_kind_count; ++b) {
                const auto kind = static_cast<barrier_kind>(b);
                if (!has[static_cast<int>(source_of(kind))] || !has[static_cast<int>(target_of(kind))]) {
                    continue;
                }
                const facts t = after(kind, f, k - 1);
                const auto it = reached.find(t);
                if (it == reached.end() || it->second > cost + 1) {
                    reached[t] = cost + 1;
                    open.push({cost + 1, t});
                }
            }
        }
        // Matmul objects of two kernels share ids: both sides of the AI core must have left the older kernel.
        facts need{-1, -1, -1, -1, -1, -1};
        if (uses_matmul(g.kernels[k - 1])) {
            matmul = k - 1;
        }
        if (uses_matmul(g.kernels[k])) {
            need[1] = matmul;
            need[4] = matmul;
        }
        for (const hazard& h : hazards) {
            if (h.to != k || (h.from_side == h.to_side && h.scope == hazard_scope::core)) {
                continue;
            }
            const int base = h.from_side == side::aic ? 0 : 3;
            const int slot = h.from_side == h.to_side ? base : h.scope == hazard_scope::core ? base + 1 : base + 2;
            int& n = need[static_cast<std::size_t>(slot)];
            n = std::max(n, h.from);
        }
        at.clear();
        for (const auto& [f, cost] : reached) {
            bool meets = true;
            for (std::size_t i = 0; i < f.size(); ++i) {
                meets = meets && f[i] >= need[i];
            }
            if (meets) {
                at[f] = cost;
            }
        }
    }
    int best = 1 << 30;
    for (const auto& [f, cost] : at) {
        best = std::min(best, cost);
    }
    return best;
}

} // namespace skt::test
