/// @file
/// Options of a super kernel as a whole. Device-safe.
#pragma once

#include <skt/describe/options.hpp>
#include <skt/describe/type_id.hpp>
#include <skt/model/graph.hpp>
#include <skt/plan/options.hpp>

namespace skt {

/// Plans for this chip; `Soc` is a reference to a `skt::soc`, such as `skt::socs::atlas_a3`.
template <const soc& Soc>
struct on {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        t.g.chip = Soc;
    }
};
/// How neighbours are ordered: the fewest barriers, or the incumbent's barrier at every pair.
template <sync_policy P>
struct sync {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        t.g.policy.sync = P;
    }
};
/// When code of coming sub-kernels is loaded into the instruction cache.
template <preload_policy P>
struct preload {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        t.g.policy.preload = P;
    }
};
/// Launches at least so many cores, to test at full occupancy.
template <int Aic, int Aiv>
struct at_least {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        t.g.policy.at_least_aic = Aic;
        t.g.policy.at_least_aiv = Aiv;
    }
};
/// Debugging: all cores meet after every sub-kernel.
struct sync_after_each {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        t.g.policy.sync_after_each = true;
    }
};
/// Debugging: every core drains and flushes after every sub-kernel.
struct flush_after_each {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        t.g.policy.flush_after_each = true;
    }
};
/// Leaves arrivals and waits outside the kernels' bodies.
struct no_early_start {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        t.g.policy.early_start = false;
    }
};
/// Gives every temp buffer bytes of its own.
struct separate_temps {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        t.g.policy.share_workspace = false;
    }
};
/// The buffers named `A` and `B` may overlap.
template <class A, class B>
struct alias {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        const int a = t.buffer_of(detail::key_of<A>);
        const int b = t.buffer_of(detail::key_of<B>);
        if (a >= 0 && b >= 0) {
            const int from = t.g.buffers[b].region;
            const int to = t.g.buffers[a].region;
            for (int i = 0; i < t.map.buffer_count; ++i) {
                if (t.g.buffers[i].region == from || t.g.buffers[i].region == to) {
                    t.g.buffers[i].region = to;
                    t.g.buffers[i].shared = true;
                }
            }
        } else {
            t.g.unknown_alias = true;
        }
    }
};

/// Settings in the manner of TorchAir's super kernel scope. `Text` is a `static constexpr char[]` at namespace or class
/// scope: `Layer::with<skt::option_string<settings>>`. Lists of kernels use the names given with `skt::named`.
template <const auto& Text>
struct option_string {
    template <class Target>
    static constexpr void apply(const Target& t)
    {
        const option_set set = parse_options(Text);
        const option_result r = apply_options(Text, set, t.g.policy, t.g.kernels, t.g.view().kernel_count);
        t.g.wrong_option = r.ok() ? t.g.wrong_option : r;
    }
};

/// Changes the finished program by hand: `Editor::edit(program)` gets a reference to the `program_storage`, whose steps
/// stand in the arrays `aic` and `aiv` and may be overwritten. For experiments and for policies of one's own; the
/// prover checks what comes out.
template <class Editor>
struct edited {
    using editor = Editor;
    template <class Target>
    static constexpr void apply(const Target&)
    {
    }
};

/// Options added to every super kernel of these sub-kernels: specialise it with `using type = skt::options<...>;`.
template <class... Ks>
struct super_policy {
    using type = options<>;
};

} // namespace skt
