// Random graphs with every feature of the model.
#pragma once

#include <skt/host/graph_data.hpp>
#include <skt/host/plan.hpp>

#include <cstdlib>
#include <random>
#include <set>
#include <sstream>
#include <string>

namespace skt::test {

/// What a random graph may contain.
struct flavour {
    int least_kernels = 2;
    int most_kernels = 6;
    bool small = false;   ///< Few cores, so that each core can be simulated.
    bool scalar = true;   ///< Scalar accesses and cache policies.
    bool features = true; ///< Everything else: temps, SyncAll, flags, early start, dynamic block counts, forced shapes.
    bool one_in_opaque = true;
};

class graph_maker {
public:
    graph_maker(unsigned seed, const flavour& f) : random_(seed), f_(f) {}

    host::graph_data make()
    {
        host::graph_data d;
        const int n = f_.least_kernels + below(f_.most_kernels - f_.least_kernels + 1);
        const int buffers = 1 + below(n + 2);
        for (int b = 0; b < buffers; ++b) {
            if (f_.features && below(4) == 0) {
                d.add_temp("t" + std::to_string(b), 64 * (1 + below(20)));
            } else {
                d.add_buffer("b" + std::to_string(b));
            }
        }
        d.partitions = {{"rows", true}, {"columns", true}};
        // Some graphs are all vector, some mix two types, some are anything.
        const int mood = below(5);
        const bool featured = f_.features && below(3) > 0;
        for (int k = 0; k < n; ++k) {
            add_kernel(d, k, mood, featured);
        }
        while (buffers > 1 && below(6) == 0) {
            d.alias(below(buffers), below(buffers));
        }
        if (featured) {
            if (below(8) == 0) {
                d.policy.at_least_aic = f_.small ? 3 : 20;
            }
            if (below(8) == 0) {
                d.policy.at_least_aiv = f_.small ? 5 : 40;
            }
            d.policy.early_start = below(4) > 0;
            d.policy.share_workspace = below(4) > 0;
            d.policy.flush_after_each = below(20) == 0;
            d.policy.sync_after_each = below(20) == 0;
            d.policy.preload = static_cast<preload_policy>(below(3));
            constexpr soc chips[] = {socs::atlas_a2_20, socs::atlas_a2_24, socs::atlas_a2_25, socs::atlas_a3};
            d.chip = chips[below(4)];
        }
        d.place_workspace();
        return d;
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    void add_kernel(host::graph_data& d, int index, int mood, bool featured)
    {
        int type = below(6);
        if (mood == 0) {
            type = below(2);
        } else if (mood == 1) {
            type = below(2) * 5;
        } else if (mood == 2) {
            type = below(3) > 0 ? below(2) : below(6);
        } else if (mood == 3) {
            type = 0;
        }
        const kernel_type t = static_cast<kernel_type>(type);
        constexpr int wide[] = {1, 2, 12, 20};
        constexpr int few[] = {1, 2, 2, 3};
        int blocks = (f_.small ? few : wide)[below(4)];
        blocks *= !runs_on(t, side::aic) && below(2) == 0 ? 2 : 1;
        kernel_desc& k = d.add_kernel("k" + std::to_string(index), t, blocks);
        k.ratio = below(3) == 0 ? ratio_policy::adaptive : ratio_policy::aiv0_only;
        k.task_view = true;
        k.opaque = f_.one_in_opaque && below(30) == 0;
        if (f_.scalar && !k.opaque && below(6) == 0) {
            constexpr cache_policy safe[] = {cache_policy::around, cache_policy::planned, cache_policy::line_on_access};
            k.cache = safe[below(3)];
        }
        if (featured) {
            add_features(d, k, t);
        }
        std::set<int> used;
        for (int i = below(5) == 0 ? 0 : 1 + below(3); i > 0; --i) {
            const int b = below(static_cast<int>(d.buffers.size()));
            if (!used.insert(b).second && below(8) > 0) {
                continue;
            }
            effect& e = d.add_effect(b, static_cast<access>(below(8) > 0 ? below(2) : below(5)));
            if (f_.scalar && below(3) == 0) {
                e.how = static_cast<via>(1 + below(3));
                e.scalar_lines = below(3);
            }
            if (e.what == access::opaque) {
                e.how = via::both;
                e.scalar_lines = 0;
            }
            e.sides = static_cast<side_mask>(below(2) == 0 ? 3 : 1 + below(3));
            e.partition = below(4) == 0 ? below(2) : -1;
        }
    }

    void add_features(host::graph_data& d, kernel_desc& k, kernel_type t)
    {
        if (below(6) == 0) {
            k.sync_all = 1 + below(2);
            k.idle = idle_policy::feed;
            k.scope = is_mix(t) && below(2) == 0 ? sync_scope::all : sync_scope::aiv;
        }
        if (is_mix(t) && below(4) == 0) {
            d.add_cross_core({below(11), 2, below(2) == 0 ? side::aic : side::aiv, 1 + below(3)});
        }
        if (is_mix(t) && d.kernels.back().cross_core_count == 0 && below(4) == 0) {
            k.matmul_objects = 1 + below(3);
        }
        if (below(12) == 0) {
            k.dynamic = true;
        } else {
            k.signals_next = below(3) == 0;
            k.awaits_previous = below(3) == 0;
        }
    }

    std::mt19937 random_;
    flavour f_;
};

/// A graph and its program in words, for failure messages.
inline std::string describe(const graph& g, const launch_shape& l, const std::vector<step>* steps,
                            const std::vector<barrier>* barriers = nullptr)
{
    std::ostringstream o;
    o << "launch " << to_string(l.type) << ' ' << l.blocks << " sync " << to_string(g.policy.sync) << " early "
      << g.policy.early_start << " each " << g.policy.sync_after_each << g.policy.flush_after_each << '\n';
    for (int k = 0; k < g.kernel_count; ++k) {
        const kernel_desc& x = g.kernels[k];
        o << "k" << k << ' ' << to_string(x.type) << ' ' << x.blocks << (x.dynamic ? " dynamic" : "")
          << (x.opaque ? " opaque" : "") << ' ' << to_string(x.cache) << ' ' << to_string(x.ratio)
          << (x.signals_next ? " signals" : "") << (x.awaits_previous ? " awaits" : "");
        if (x.sync_all > 0) {
            o << " sync_all " << x.sync_all << to_string(x.scope) << to_string(x.idle);
        }
        if (x.matmul_objects > 0) {
            o << " matmul " << x.matmul_objects;
        }
        for (int i = 0; i < x.cross_core_count; ++i) {
            const cross_core_use& c = g.cross_core[x.first_cross_core + i];
            o << " flag" << c.flag << " mode" << c.mode << to_string(c.from) << 'x' << c.times;
        }
        for (int e = x.first_effect; e < x.first_effect + x.effect_count; ++e) {
            const effect& y = g.effects[e];
            o << "; " << to_string(y.what) << ' ' << g.buffers[y.buffer].name << " r" << g.buffers[y.buffer].region
              << ' ' << to_string(y.how) << " sides" << int(y.sides) << " part" << y.partition << " lines"
              << y.scalar_lines;
        }
        o << '\n';
    }
    for (std::size_t i = 0; barriers != nullptr && i < barriers->size(); ++i) {
        const barrier& b = (*barriers)[i];
        o << "barrier " << i << ' ' << to_string(b.kind) << " source " << b.source << " arrive " << b.arrive_at
          << " wait " << b.wait_at << " after " << b.after << " flag " << b.flag << (b.drained ? " drained" : "")
          << (b.arrive_early ? " arrive_early" : "") << (b.wait_early ? " wait_early" : "") << '\n';
    }
    for (int s = 0; s < 2; ++s) {
        o << to_string(static_cast<side>(s)) << ":\n";
        int i = 0;
        for (const step& x : steps[s]) {
            o << "  " << i++ << ' ' << to_string(x.what) << " k" << x.kernel;
            if (x.what == op::arrive || x.what == op::wait || x.what == op::feed) {
                o << " #" << x.barrier << ' ' << to_string(x.kind) << " flag " << x.flag << ' ' << to_string(x.pipe)
                  << " times " << x.times;
            }
            if (x.what == op::flush) {
                o << " buffer " << x.buffer << " lines " << x.lines;
            }
            o << " cores " << x.cores.first << '+' << x.cores.count << '*' << x.cores.stride;
            if (x.skip.count > 0) {
                o << " skip " << x.skip.first << '+' << x.skip.count << '*' << x.skip.stride;
            }
            if (x.early != 0) {
                o << " early " << x.early;
            }
            o << '\n';
        }
    }
    return o.str();
}

inline std::string describe(const graph& g, const host::planned& p)
{
    return describe(g, p.launch, p.steps, &p.barriers);
}

inline std::string describe(const finding& f)
{
    std::ostringstream o;
    o << name_of(f.broken) << " kernel " << f.kernel << " other " << f.other << " buffer " << f.buffer << " number "
      << f.number << " limit " << f.limit << ' ' << to_string(f.where);
    return o.str();
}

/// How often a randomised test runs: `usual` times, or `full` times when SKT_FULL_TESTS is set.
inline int rounds(int usual, int full)
{
    return std::getenv("SKT_FULL_TESTS") != nullptr ? full : usual;
}

} // namespace skt::test
