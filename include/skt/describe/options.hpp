/// @file
/// What a kernel description states beside its parameters: cores, synchronisation it does itself, policies.
/// Device-safe.
#pragma once

#include <skt/model/kernel_desc.hpp>

#include <type_traits>

namespace skt {

namespace detail {
/// Base of everything that says where a kernel runs.
template <kernel_type Type, int Blocks>
struct core_spec {
    static constexpr bool is_core_spec = true;
    static constexpr void describe(kernel_desc& k)
    {
        k.type = Type;
        k.blocks = Blocks;
    }
};
} // namespace detail

/// `Blocks` vector cores; the body uses no cross-core flags outside the kit.
template <int Blocks>
struct aiv : detail::core_spec<kernel_type::aiv_only, Blocks> {
};
/// `Blocks` cube cores.
template <int Blocks>
struct aic : detail::core_spec<kernel_type::aic_only, Blocks> {
};
/// A vector kernel written as a mix kernel: `mix_aiv_1_0`.
template <int Blocks>
struct mix_aiv : detail::core_spec<kernel_type::mix_aiv_1_0, Blocks> {
};
/// A cube kernel written as a mix kernel: `mix_aic_1_0`.
template <int Blocks>
struct mix_aic : detail::core_spec<kernel_type::mix_aic_1_0, Blocks> {
};
/// `Blocks` AI cores with `Cubes` cube cores and `Vectors` vector cores each: 1:0, 0:1, 1:1 or 1:2.
template <int Cubes, int Vectors, int Blocks>
struct mix : detail::core_spec<Cubes == 0     ? kernel_type::mix_aiv_1_0
                               : Vectors == 0 ? kernel_type::mix_aic_1_0
                               : Vectors == 1 ? kernel_type::mix_aic_1_1
                                              : kernel_type::mix_aic_1_2,
                               Blocks> {
    static_assert((Cubes == 1 && Vectors >= 0 && Vectors <= 2) || (Cubes == 0 && Vectors == 1),
                  "skt::mix<Cubes, Vectors, Blocks>: an AI core is used as 1:0, 0:1, 1:1 or 1:2");
};

/// The block count is known on the device only (tiling sink): `F`, given the kernel's own arguments, answers it; the
/// count in the core spec is the most it may answer. Cores beyond the answer skip the kernel; every sub-kernel is
/// flushed around.
template <auto F>
struct blocks_from {
    static constexpr auto function = F;
    static constexpr void describe(kernel_desc& k) { k.dynamic = true; }
};

// ---- synchronisation that the body does itself
// -------------------------------------------------------------------------------

/// The body calls SyncAll `Count` times on every path.
template <int Count, sync_scope Scope = sync_scope::aiv>
struct sync_all {
    static constexpr void describe(kernel_desc& k)
    {
        k.sync_all = Count;
        k.scope = Scope;
    }
};
/// The body uses cross-core flag `Flag`: `Sets` times on every path cores of `From` set it, and as often the other end
/// waits.
template <int Flag, int Mode = 2, side From = side::aiv, int Sets = 1>
struct cross_core {
    static constexpr cross_core_use use{Flag, Mode, From, Sets};
    static constexpr void describe(kernel_desc& k) { ++k.cross_core_count; }
};
/// The body owns `N` Matmul objects, which use flag ids 0 to 2N-1.
template <int N>
struct matmul_objects {
    static constexpr void describe(kernel_desc& k) { k.matmul_objects = N; }
};
/// The body calls SetNextTaskStart exactly once on every core and path.
struct signals_next {
    static constexpr void describe(kernel_desc& k) { k.signals_next = true; }
};
/// The body calls WaitPreTaskEnd exactly once on every core and path.
struct awaits_previous {
    static constexpr void describe(kernel_desc& k) { k.awaits_previous = true; }
};
/// The author drains all pipes between his TPipe objects.
struct drained {};
/// The body uses `N` TPipe objects one after the other. More than one must be `drained` between: under fusion
/// TPipe::Destroy does not drain.
template <int N, class Drained = void>
struct pipes {
    static constexpr void describe(kernel_desc& k)
    {
        k.pipes = N;
        k.pipes_drained = !std::is_void_v<Drained>;
    }
};

// ---- policies
// ----------------------------------------------------------------------------------------------------------------

/// Names the kernel, for option strings. `Text` is an `inline constexpr char[]`.
template <const auto& Text>
struct named {
    static constexpr void describe(kernel_desc& k) { k.name = Text; }
};

/// How scalar accesses of the kernel are kept coherent.
template <cache_policy P>
struct cache {
    static constexpr void describe(kernel_desc& k) { k.cache = P; }
};
/// What a 1:1 kernel does in a 1:2 launch.
template <ratio_policy P>
struct ratio {
    static constexpr void describe(kernel_desc& k) { k.ratio = P; }
};
/// What idle cores do at the kernel's SyncAll.
template <idle_policy P>
struct idle {
    static constexpr void describe(kernel_desc& k) { k.idle = P; }
};
/// The author takes the blame: no rule about this kernel is enforced. `Reason` is any type; its name is the reason.
template <class Reason>
struct unchecked {
    static constexpr void describe(kernel_desc& k) { k.unchecked = true; }
};

/// A list of options, for `kernel_policy` and `super_policy`.
template <class... Options>
struct options {
};

} // namespace skt
