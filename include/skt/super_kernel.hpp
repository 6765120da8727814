/// @file
/// `skt::SuperKernel<Ks...>`: several sub-kernels fused into one launch. Device-safe.
///
/// Everything is computed at class scope; device code only reads the program's elements in `if constexpr`. The calls of
/// the device API are made by a backend (device/ascendc.hpp), so that this header compiles in any program.
#pragma once

#include <skt/config.hpp>
#include <skt/describe/plan_of.hpp>
#include <skt/describe/rule_checks.hpp>

#include <boost/mp11/list.hpp>

#include <type_traits>
#include <utility>

namespace skt {

/// The backend that emits steps as calls of a device API; `device::ascendc` is the only one. See device/ascendc.hpp for
/// its members.
template <class Tag>
struct backend;

namespace device {
struct ascendc;
}

namespace detail {

template <int I, class T>
struct argument_leaf {
    T value;
};
/// The arguments of a run, one leaf each: cheaper to compile than a tuple, and gone after inlining.
template <class Indices, class... Ts>
struct argument_pack;
template <std::size_t... Is, class... Ts>
struct argument_pack<std::index_sequence<Is...>, Ts...> : argument_leaf<static_cast<int>(Is), Ts>... {
};

template <int I, class T>
SKT_AICORE SKT_INLINE T argument(const argument_leaf<I, T>& leaf)
{
    return leaf.value;
}

/// The value that parameter `P` (number `Number` in the super kernel) has in this call.
template <class Plan, class P, int Number, class Pack>
SKT_AICORE SKT_INLINE auto parameter_value(const Pack& pack)
{
    if constexpr (P::how == passing::constant) {
        (void)pack;
        return P::value;
    } else if constexpr (P::how == passing::temp) {
        return argument<Plan::argument_count - 1>(pack) + Plan::data.buffers[Plan::info::map.buffer[Number]].offset;
    } else {
        return argument<Plan::info::map.argument[Number]>(pack);
    }
}

/// Calls the body of one kernel with its arguments.
template <class Plan, class Facts, int First, class Params>
struct body_call;
template <class Plan, class Facts, int First, class... Ps>
struct body_call<Plan, Facts, First, boost::mp11::mp_list<Ps...>> {
    template <class Pack, std::size_t... Is>
    SKT_AICORE static SKT_INLINE void run(const Pack& pack, const task_view& task, std::index_sequence<Is...>)
    {
        Facts::body::call(task, parameter_value<Plan, Ps, First + static_cast<int>(Is)>(pack)...);
    }
    /// The block count that the kernel's `blocks_from` function answers.
    template <auto F, class Pack, std::size_t... Is>
    SKT_AICORE static SKT_INLINE auto blocks(const Pack& pack, std::index_sequence<Is...>)
    {
        return F(parameter_value<Plan, Ps, First + static_cast<int>(Is)>(pack)...);
    }
};

template <class List>
struct block_function;
template <auto F>
struct block_function<boost::mp11::mp_list<blocks_from<F>>> {
    static constexpr auto value = F;
};

/// Emits one side of the program.
template <class Plan, side S, class Backend>
struct emitter {
    static constexpr int side_index = static_cast<int>(S);
    static constexpr int step_count = Plan::size.steps[side_index];
    static constexpr int everyone = cores_of(Plan::program.launch, S);

    /// The steps of the segment of each kernel: those behind the previous call of this side, up to its own call.
    struct segment_table {
        int first[Plan::kernel_count + 1] = {};
        int count[Plan::kernel_count + 1] = {};
        int feed[Plan::kernel_count + 1] =
            {}; ///< First of the feeds that the cores skipping the call do instead, else -1.
    };
    static constexpr segment_table make_segments()
    {
        segment_table t{};
        for (int& f : t.feed) {
            f = -1;
        }
        int begin = 0;
        for (int i = 0; i < step_count; ++i) {
            const step& x = S == side::aic ? Plan::program.aic[i] : Plan::program.aiv[i];
            if (x.what == op::call) {
                // A dynamic kernel decides on the device who stands in for it, at all of its feeds.
                const bool dynamic = Plan::data.kernels[x.kernel].dynamic;
                for (int f = i - 1; f >= begin && (dynamic || f == i - 1); --f) {
                    const step& y = S == side::aic ? Plan::program.aic[f] : Plan::program.aiv[f];
                    const bool rest = y.cores == core_range{0, everyone, 1} && y.skip == x.cores;
                    if (y.what != op::feed || y.kernel != x.kernel || !(dynamic || rest)) {
                        break;
                    }
                    t.feed[x.kernel] = f;
                }
                t.first[x.kernel] = begin;
                t.count[x.kernel] = i + 1 - begin;
                begin = i + 1;
            }
        }
        t.first[Plan::kernel_count] = begin;
        t.count[Plan::kernel_count] = step_count - begin;
        return t;
    }
};

template <class Plan, side S>
constexpr step step_at(int i)
{
    return S == side::aic ? Plan::program.aic[i] : Plan::program.aiv[i];
}
/// Step `I` of a side, computed where a host function may be called.
template <class Plan, side S, int I>
inline constexpr step step_of = step_at<Plan, S>(I);

/// Whether this core is one that does a step. Conditions that are always true cost nothing.
template <int Everyone, int First, int Count, int Stride, int SkipFirst, int SkipCount, int SkipStride, class Backend>
SKT_AICORE SKT_INLINE bool takes_part()
{
    constexpr bool all = First == 0 && Count >= Everyone && Stride == 1;
    constexpr bool none_skipped = SkipCount == 0;
    if constexpr (all && none_skipped) {
        return true;
    } else {
        const auto core = Backend::core_index();
        bool inside = true;
        if constexpr (!all && Stride == 1) {
            inside = First == 0 ? core < Count : core >= First && core < First + Count;
        } else if constexpr (!all && First == 0) {
            inside = core < Count * Stride && core % Stride == 0;
        } else if constexpr (!all) {
            inside = core >= First && (core - First) % Stride == 0 && (core - First) / Stride < Count;
        }
        if constexpr (!none_skipped && SkipStride == 1 && SkipFirst == 0) {
            inside = inside && core >= SkipCount;
        } else if constexpr (!none_skipped) {
            inside = inside && !(core >= SkipFirst && (core - SkipFirst) % SkipStride == 0 &&
                                 (core - SkipFirst) / SkipStride < SkipCount);
        }
        return inside;
    }
}

/// The flag mode of a barrier, computed where a host function may be called.
template <barrier_kind Kind>
inline constexpr int flag_mode = mode_of(Kind);

/// Does one step that is no call, flush or feed. The template arguments are plain values, so that equal steps share one
/// instantiation.
template <op What, int Everyone, int First, int Count, int Stride, int SkipFirst, int SkipCount, int SkipStride,
          barrier_kind Kind, int Flag, arrive_pipe Pipe, class Backend>
SKT_AICORE SKT_INLINE void plain_step()
{
    if constexpr (SkipCount >= Everyone && SkipFirst == 0 && SkipStride == 1) {
        return; // every core does it in a kernel's body
    } else {
        if (takes_part<Everyone, First, Count, Stride, SkipFirst, SkipCount, SkipStride, Backend>()) {
            if constexpr (What == op::arrive) {
                Backend::template arrive<flag_mode<Kind>, Pipe, Flag>();
            } else if constexpr (What == op::wait) {
                Backend::template wait<flag_mode<Kind>, Flag>();
            } else if constexpr (What == op::drain) {
                Backend::drain();
            } else if constexpr (What == op::preload) {
                Backend::preload();
            }
        }
    }
}

template <class Plan, int Buffer, class Pack>
SKT_AICORE SKT_INLINE auto buffer_address(const Pack& pack)
{
    if constexpr (Plan::data.buffers[Buffer].temp) {
        return argument<Plan::argument_count - 1>(pack) + Plan::data.buffers[Buffer].offset;
    } else {
        return argument<Plan::info::map.argument[Plan::info::map.first_of_buffer[Buffer]]>(pack);
    }
}

/// Stands in for a kernel that this core does not run: feed step `I`.
template <class Plan, side S, int I, class Backend>
SKT_AICORE SKT_INLINE void feed_step()
{
    constexpr step x = step_of<Plan, S, I>;
    Backend::template begin_feed<Plan, x.kernel>();
    if constexpr (x.flag < 0) {
        Backend::template feed_sync_all<Plan::data.kernels[x.kernel].scope == sync_scope::all, x.times>();
    } else if constexpr (x.kind == barrier_kind::aiv_to_aic) {
        Backend::template feed_sets<x.flag, x.times>();
    } else {
        Backend::template feed_waits<x.flag, x.times>();
    }
    Backend::end_feed();
}

template <class Plan, side S, int I, class Backend, class Pack>
SKT_AICORE SKT_INLINE void other_step(const Pack& pack)
{
    constexpr step x = step_of<Plan, S, I>;
    if constexpr (x.what == op::flush && x.buffer >= 0) {
        Backend::template flush_lines<x.lines>(buffer_address<Plan, x.buffer>(pack));
    } else if constexpr (x.what == op::flush) {
        (void)pack;
        Backend::flush_all();
    } else if constexpr (x.what == op::feed) {
        (void)pack;
        if (takes_part<emitter<Plan, S, Backend>::everyone, x.cores.first, x.cores.count, x.cores.stride, x.skip.first,
                       x.skip.count, x.skip.stride, Backend>()) {
            feed_step<Plan, S, I, Backend>();
        }
    } else {
        (void)pack;
        plain_step<x.what, emitter<Plan, S, Backend>::everyone, x.cores.first, x.cores.count, x.cores.stride,
                   x.skip.first, x.skip.count, x.skip.stride, x.kind, x.flag, x.pipe, Backend>();
    }
}

/// Feed step `I` of a dynamic kernel of `blocks` blocks, on a core that does not run it.
template <class Plan, side S, int I, class Backend>
SKT_AICORE SKT_INLINE void dynamic_feed_step(int core, int blocks)
{
    // Every such core joins SyncAll; the flags are answered by the odd cores beside those that run the kernel.
    if (step_of<Plan, S, I>.flag < 0 || (core % 2 == 1 && core / 2 < blocks)) {
        feed_step<Plan, S, I, Backend>();
    }
}
template <class Plan, side S, int First, class Backend, std::size_t... Is>
SKT_AICORE SKT_INLINE void dynamic_feed_steps(int core, int blocks, std::index_sequence<Is...>)
{
    (dynamic_feed_step<Plan, S, First + static_cast<int>(Is), Backend>(core, blocks), ...);
}

/// Runs one kernel's call step `I`; cores that do not run it do the feed steps from `Feed` on, if there are any.
template <class Plan, side S, int I, int Feed, class K, class Backend, class Pack>
SKT_AICORE SKT_INLINE void call_step(const Pack& pack)
{
    using facts = facts_of<K>;
    constexpr step x = step_of<Plan, S, I>;
    constexpr kernel_desc k = Plan::data.kernels[x.kernel];
    using call = body_call<Plan, facts, Plan::data.first_param[x.kernel], typename facts::params>;
    using indices = std::make_index_sequence<boost::mp11::mp_size<typename facts::params>::value>;
    constexpr int per_core = S == side::aiv && (k.type == kernel_type::mix_aic_1_2 ||
                                                (k.type == kernel_type::mix_aic_1_1 && x.cores.count == 2 * k.blocks))
                                 ? 2
                                 : 1;
    constexpr int everyone = emitter<Plan, S, Backend>::everyone;
    if constexpr (k.dynamic) {
        const int blocks = static_cast<int>(
            call::template blocks<block_function<typename facts::block_source>::value>(pack, indices{}));
        const int core = static_cast<int>(Backend::core_index());
        if (core % x.cores.stride == 0 && core / x.cores.stride < blocks * per_core) {
            Backend::template begin_kernel<Plan, x.kernel, K>(pack, blocks, x.early);
            call::run(pack, task_view(core / x.cores.stride, blocks, per_core == 2 ? core % 2 : 0, per_core),
                      indices{});
            Backend::end_kernel();
        } else if constexpr (Feed >= 0) {
            dynamic_feed_steps<Plan, S, Feed, Backend>(core, blocks,
                                                       std::make_index_sequence<static_cast<std::size_t>(I - Feed)>{});
        }
    } else {
        if (takes_part<everyone, x.cores.first, x.cores.count, x.cores.stride, 0, 0, 1, Backend>()) {
            Backend::template begin_kernel<Plan, x.kernel, K>(pack, k.blocks, x.early);
            if constexpr (facts::body::task_view) {
                const int core = static_cast<int>(Backend::core_index() / x.cores.stride);
                call::run(pack, task_view(core, k.blocks, per_core == 2 ? core % 2 : 0, per_core), indices{});
            } else {
                call::run(pack, task_view(0, k.blocks, 0, per_core), indices{});
            }
            Backend::end_kernel();
        } else if constexpr (Feed >= 0) {
            feed_step<Plan, S, Feed, Backend>();
        }
    }
}

/// Emits the segment of one kernel: its steps, the last of which is its call (if it has one).
template <class Plan, side S, int First, int CallAt, int Feed, class K, class Backend, class Pack, std::size_t... Is>
SKT_AICORE SKT_INLINE void emit_segment(const Pack& pack, std::index_sequence<Is...>)
{
    (other_step<Plan, S, First + static_cast<int>(Is), Backend>(pack), ...);
    if constexpr (CallAt >= 0) {
        call_step<Plan, S, CallAt, Feed, K, Backend>(pack);
    }
    (void)pack;
}

template <class Plan, side S, class Backend>
struct segments_of {
    static constexpr auto value = emitter<Plan, S, Backend>::make_segments();
};

template <class Plan, side S, int Index, class K, class Backend, class Pack>
SKT_AICORE SKT_INLINE void emit_kernel(const Pack& pack)
{
    constexpr int first = segments_of<Plan, S, Backend>::value.first[Index];
    constexpr int count = segments_of<Plan, S, Backend>::value.count[Index];
    if constexpr (count > 0) {
        constexpr int feed = segments_of<Plan, S, Backend>::value.feed[Index];
        emit_segment<Plan, S, first, first + count - 1, feed, K, Backend>(
            pack, std::make_index_sequence<static_cast<std::size_t>(feed < 0 ? count - 1 : feed - first)>{});
    }
    (void)pack;
}

/// One sub-kernel type under its number. A class that inherits one per kernel finds the type of a number by overload
/// resolution, which is cheaper than walking a list. Device code looks, so what it finds is marked for the device.
template <int I, class K>
struct numbered_kernel {
    using type = K;
};
template <int I, class K>
SKT_AICORE numbered_kernel<I, K> find_kernel(const numbered_kernel<I, K>*);

template <class Indices, class... Ks>
struct numbered_kernels;
template <std::size_t... Is, class... Ks>
struct numbered_kernels<std::index_sequence<Is...>, Ks...> : numbered_kernel<static_cast<int>(Is), Ks>... {
};

template <class Kernels, int I>
using kernel_number = typename decltype(find_kernel<I>(static_cast<const Kernels*>(nullptr)))::type;

/// Kernels emitted by one function: folds stay short (clang limits them to 256 operands), and functions few.
inline constexpr int kernels_per_chunk = 64;

template <class Plan, side S, class Backend, class Kernels, int First, class Pack, std::size_t... Is>
SKT_AICORE SKT_INLINE void emit_chunk(const Pack& pack, std::index_sequence<Is...>)
{
    (emit_kernel<Plan, S, First + static_cast<int>(Is), kernel_number<Kernels, First + static_cast<int>(Is)>, Backend>(
         pack),
     ...);
    (void)pack;
}

template <class Plan, side S, class Backend, class Kernels, class Pack, std::size_t... Chunks>
SKT_AICORE SKT_INLINE void emit_kernels(const Pack& pack, std::index_sequence<Chunks...>)
{
    constexpr int n = Plan::kernel_count;
    constexpr int size = kernels_per_chunk;
    (emit_chunk<Plan, S, Backend, Kernels, static_cast<int>(Chunks) * size>(
         pack, std::make_index_sequence<static_cast<std::size_t>(
                   n - static_cast<int>(Chunks) * size < size ? n - static_cast<int>(Chunks) * size : size)>{}),
     ...);
    (void)pack;
}

/// What a backend runs on each side.
template <class Plan, class Backend, class... Ks>
struct program_code {
    template <side S, class Pack>
    SKT_AICORE static SKT_INLINE void run(const Pack& pack)
    {
        using kernels = numbered_kernels<std::index_sequence_for<Ks...>, Ks...>;
        constexpr std::size_t chunks = (sizeof...(Ks) + kernels_per_chunk - 1) / kernels_per_chunk;
        emit_kernels<Plan, S, Backend, kernels>(pack, std::make_index_sequence<chunks>{});
        constexpr int first = segments_of<Plan, S, Backend>::value.first[Plan::kernel_count];
        constexpr int count = segments_of<Plan, S, Backend>::value.count[Plan::kernel_count];
        emit_segment<Plan, S, first, -1, -1, void, Backend>(
            pack, std::make_index_sequence<static_cast<std::size_t>(count)>{});
    }
};

/// Whether an argument of type `T` fits parameter `P`: buffers take an address.
template <class P, class T>
struct argument_matches : std::is_pointer<T> {
};
template <class Tag, class V, class T>
struct argument_matches<scalar<Tag, V>, T> : std::is_convertible<T, V> {
};
template <class Tag, class V, class T>
struct argument_matches<tiling<Tag, V>, T> : std::is_convertible<T, V> {
};

} // namespace detail

/// Whether these sub-kernels fuse without breaking a rule; asks without an error.
template <class... Ks>
inline constexpr bool is_valid_super_kernel_v =
    detail::plan_of<typename super_policy<Ks...>::type, Ks...>::findings.total == 0;

/// A super kernel with options of its own; see `SuperKernel`.
template <class Options, class... Ks>
class super_kernel {
    using plan = detail::plan_of<Options, Ks...>;
    using rules = check::enforce<plan, Ks...>;
    static_assert(sizeof(rules) > 0);

public:
    /// The same sub-kernels with more options: `SuperKernel<A, B>::with<skt::on<skt::socs::atlas_a3>>`.
    template <class... More>
    using with = super_kernel<boost::mp11::mp_append<Options, skt::options<More...>>, Ks...>;

    /// The sub-kernels, in order.
    using kernels = boost::mp11::mp_list<Ks...>;
    /// Computed values that reports and tests read: `described`, `data`, `input`, `program`, `size`, `findings`.
    using details = plan;

    /// The launch shape: give its `blocks` to the launch, and its type to the entry's `__mix__`.
    static constexpr launch_shape launch = plan::program.launch;
    /// What each side does, step by step.
    static constexpr program_view program{
        plan::program.launch, {plan::program.aic, plan::program.aiv}, {plan::size.steps[0], plan::size.steps[1]}};
    /// Barriers, flushes and drains of the program.
    static constexpr plan_counts counts = plan::size.counts;
    /// Arguments that `run` takes: each tag once, in order of first appearance; a workspace last if there are temp
    /// buffers.
    static constexpr int argument_count = plan::argument_count;
    /// Bytes of workspace that the temp buffers need.
    static constexpr std::int64_t workspace_bytes = plan::data.workspace_bytes;

    /// Runs the super kernel on this core. Call it from the `__global__` entry, once, with the arguments in order.
    template <class... Args>
    SKT_AICORE static SKT_INLINE void run(Args... args)
    {
        static_assert(
            check::argument_count_fits<sizeof...(Args) == argument_count, check::arguments_taken<argument_count>,
                                       check::arguments_given<static_cast<int>(sizeof...(Args))>>::value,
            "[skt argument-count] run() takes each tag once, in order of first appearance, and a workspace last if "
            "there "
            "are temp buffers");
        if constexpr (sizeof...(Args) == argument_count && plan::findings.total == 0) {
            run_checked(std::index_sequence_for<Args...>{}, args...);
        }
    }

private:
    /// The first argument that does not fit its parameter, or -1.
    template <std::size_t... Is, class... Args>
    static constexpr int first_misfit(std::index_sequence<Is...>, boost::mp11::mp_list<Args...>)
    {
        constexpr int temps = plan::info::map.has_temps ? 1 : 0;
        const bool fits[] = {argument_fits<static_cast<int>(Is), Args, static_cast<int>(sizeof...(Is)) - temps>()...,
                             true};
        for (int i = 0; i < static_cast<int>(sizeof...(Is)); ++i) {
            if (!fits[i]) {
                return i;
            }
        }
        return -1;
    }
    template <int I, class Arg, int Declared>
    static constexpr bool argument_fits()
    {
        if constexpr (I >= Declared) {
            return std::is_pointer_v<Arg>;
        } else {
            return detail::argument_matches<param_of<I>, Arg>::value;
        }
    }
    template <int I>
    using param_of = boost::mp11::mp_at_c<typename plan::info::all_params,
                                          static_cast<std::size_t>(plan::info::map.first_of_argument[I])>;
    template <int I>
    struct tag_of_argument {
        using type = typename param_of<I>::tag;
    };
    struct no_tag {
        using type = check::nobody;
    };

    /// At class scope: device code may not call a host function, not even a constexpr one.
    template <class Args, class Indices>
    struct misfit_of {
        static constexpr int value = first_misfit(Indices{}, Args{});
    };

    template <std::size_t... Is, class... Args>
    SKT_AICORE static SKT_INLINE void run_checked(std::index_sequence<Is...> indices, Args... args)
    {
        constexpr int misfit = misfit_of<boost::mp11::mp_list<Args...>, std::index_sequence<Is...>>::value;
        constexpr bool named = misfit >= 0 && misfit < plan::info::map.argument_count;
        static_assert(check::argument_fits_its_parameter <
                          misfit<0, check::argument_number<misfit + 1>,
                                 check::buffer<typename std::conditional_t<named, tag_of_argument<named ? misfit : 0>,
                                                                           no_tag>::type>>::value,
                      "[skt argument-type] an argument of run() does not fit its parameter: buffers, tiling_gm and the "
                      "workspace take a GM "
                      "address, skt::scalar and skt::tiling the type they name");
        if constexpr (misfit < 0) {
            // Dependent, so that the backend may be defined after this header.
            using chosen = backend<std::conditional_t<sizeof...(Args) != 0 || misfit != 0, device::ascendc, void>>;
            using code = detail::program_code<plan, chosen, Ks...>;
            const detail::argument_pack<std::index_sequence<Is...>, Args...> values{{args}...};
            chosen::template run_sides<code>(values);
        }
        (void)indices;
    }
};

/// Several sub-kernels fused into one launch.
///
/// `Ks` are sub-kernel types, in execution order. Instantiating it plans and proves the program; a broken rule is a
/// compile error that names the rule, the sub-kernel and the numbers. Options come from `super_policy<Ks...>` and from
/// `with<...>`.
template <class... Ks>
using SuperKernel = super_kernel<typename super_policy<Ks...>::type, Ks...>;

} // namespace skt
