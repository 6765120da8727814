/// @file
/// The `__global__` entry of a super kernel and its launch, checked against the plan. Device-safe.
///
///     using Layer = skt::SuperKernel<Norm, Linear>;
///     SKT_ENTRY(Layer, mix_1_2, batch) layer(GM_ADDR x, GM_ADDR gamma, GM_ADDR h, GM_ADDR w, GM_ADDR y)
///     {
///         Layer::run(x, gamma, h, w, y);
///     }
///
/// and in host code of the same source
///
///     SKT_LAUNCH(Layer, layer, stream)(x, gamma, h, w, y);
#pragma once

#include <skt/device/api.hpp>
#include <skt/device/cores.hpp>
#include <skt/super_kernel.hpp>

#include <type_traits>

namespace skt::device {

/// Whether the super kernel has synchronisation that joins all cores of a side. It hangs if some of the launched blocks
/// wait for cores that other streams hold, so the launch must start all blocks at once (vendor documentation of
/// `__schedmode__`).
template <class K>
constexpr bool joins_all_cores()
{
    for (int s = 0; s < 2; ++s) {
        for (int i = 0; i < K::program.count[s]; ++i) {
            const step& x = K::program.steps[s][i];
            if ((x.what == op::arrive && mode_of(x.kind) == 0) || (x.what == op::feed && x.flag < 0)) {
                return true;
            }
        }
    }
    const graph& g = K::details::input;
    for (int k = 0; k < g.kernel_count; ++k) {
        if (g.kernels[k].sync_all > 0) {
            return true;
        }
    }
    for (int i = 0; i < g.cross_core_count; ++i) {
        if (g.cross_core[i].mode == 0) {
            return true;
        }
    }
    return false;
}

} // namespace skt::device

namespace skt::check {

template <kernel_type T>
struct cores_declared;
template <kernel_type T>
struct cores_planned;
template <device::schedule S>
struct schedule_declared;
template <int N>
struct parameters_of_the_entry;

template <bool Holds, class... Facts>
struct entry_has_the_planned_cores {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct entry_starts_all_blocks_at_once {
    static constexpr bool value = Holds;
};
template <bool Holds, class... Facts>
struct entry_takes_every_argument {
    static constexpr bool value = Holds;
};

/// The rules of an entry of super kernel `K`, one `static_assert` each.
template <class K, kernel_type Cores, device::schedule How>
struct enforce_entry {
    static_assert(entry_has_the_planned_cores<Cores == K::launch.type, cores_declared<Cores>,
                                              cores_planned<K::launch.type>>::value,
                  "[skt entry-cores] the entry declares other cores than the super kernel is planned for: name the "
                  "launch type in "
                  "SKT_ENTRY (mix_0_1, mix_1_0, mix_1_1 or mix_1_2)");
    static_assert(
        entry_starts_all_blocks_at_once < How == device::schedule::batch || !device::joins_all_cores<K>(),
        schedule_declared < How >> ::value,
        "[skt entry-schedule] the super kernel joins all cores, and would hang if some blocks started later than "
        "others: say batch in SKT_ENTRY");
};

} // namespace skt::check

namespace skt::device {

template <class F>
struct parameter_count;
template <class... Args>
struct parameter_count<void(Args...)> {
    static constexpr int value = sizeof...(Args);
};

/// The block count of a launch of the super kernel `K` through an entry of function type `F`.
template <class K, class F>
constexpr unsigned blocks_of()
{
    constexpr int given = parameter_count<F>::value;
    constexpr int taken = K::argument_count;
    static_assert(
        check::entry_takes_every_argument<given == taken, check::parameters_of_the_entry<given>,
                                          check::arguments_taken<taken>>::value,
        "[skt entry-parameters] the entry that is launched does not take the super kernel's arguments: give it one "
        "parameter per tag, in order of first appearance, and a workspace last if there are temp buffers");
    return static_cast<unsigned>(K::launch.blocks);
}

} // namespace skt::device

namespace skt::device {

/// For the entry of sub-kernel `K` that is launched by itself, on the blocks it is described with, from a source that
/// includes skt: such a source reads GetBlockNum and the mask of early start from per-core variables, which the last
/// launch left as they were. Call it first.
template <class K>
SKT_AICORE SKT_INLINE void launched_alone()
{
    g_super_kernel_dynamic_block_num = static_cast<std::uint32_t>(skt::detail::facts_of<K>::value.blocks);
    g_super_kernel_early_start_config = 0;
}

} // namespace skt::device

/// Begins the definition of a super kernel's entry: `SKT_ENTRY(Layer, mix_1_2, batch) name(parameters) {
/// Layer::run(...); }`.
///
/// `cores` is `mix_0_1`, `mix_1_0`, `mix_1_1` or `mix_1_2` (device/cores.hpp) and must be the launch type of the plan;
/// `how` is `batch` (all blocks start at once; needed for any synchronisation of all cores) or `normal`.
#define SKT_ENTRY(K, cores_name, how)                                                                                  \
    static_assert(                                                                                                     \
        sizeof(::skt::check::enforce_entry<K, ::skt::device::cores::cores_name, ::skt::device::schedule::how>) > 0);   \
    extern "C" __global__ SKT_CORES_ATTRIBUTE_##cores_name SKT_SCHEDULE_ATTRIBUTE_##how void

/// Launches a super kernel on a stream, with the block count of the plan: `SKT_LAUNCH(Layer, layer, stream)(x, gamma,
/// h, w, y)`. Host code of the vendor's compiler only.
#define SKT_LAUNCH(K, entry, stream) entry<<<::skt::device::blocks_of<K, decltype(entry)>(), nullptr, stream>>>
