/// @file
/// Kernel types and launch shapes. Plain values. Device-safe.
#pragma once

#include <cstdint>

namespace skt {

/// The two kinds of core in an AI core: one cube core (AIC) and its vector cores (AIV).
enum class side : std::uint8_t { aic, aiv };

/// The other side.
constexpr side other(side s)
{
    return s == side::aic ? side::aiv : side::aic;
}
/// "aic" or "aiv".
constexpr const char* to_string(side s)
{
    return s == side::aic ? "aic" : "aiv";
}

/// How a kernel uses the cores of an AI core; the vendor's six types.
enum class kernel_type : std::uint8_t { aiv_only, aic_only, mix_aiv_1_0, mix_aic_1_0, mix_aic_1_1, mix_aic_1_2 };

/// The name used in plan files and messages.
constexpr const char* to_string(kernel_type t)
{
    switch (t) {
    case kernel_type::aiv_only:
        return "aiv_only";
    case kernel_type::aic_only:
        return "aic_only";
    case kernel_type::mix_aiv_1_0:
        return "mix_aiv_1_0";
    case kernel_type::mix_aic_1_0:
        return "mix_aic_1_0";
    case kernel_type::mix_aic_1_1:
        return "mix_aic_1_1";
    case kernel_type::mix_aic_1_2:
        return "mix_aic_1_2";
    }
    return "?";
}

/// Whether a kernel of type `t` has code for side `s`.
constexpr bool runs_on(kernel_type t, side s)
{
    return s == side::aic ? t != kernel_type::aiv_only && t != kernel_type::mix_aiv_1_0
                          : t != kernel_type::aic_only && t != kernel_type::mix_aic_1_0;
}
/// Whether a kernel of type `t` has code for both sides.
constexpr bool is_mix(kernel_type t)
{
    return t == kernel_type::mix_aic_1_1 || t == kernel_type::mix_aic_1_2;
}

/// Cores of side `s` that a launch of type `t` with `blocks` blocks occupies.
constexpr int cores_of(kernel_type t, int blocks, side s)
{
    return !runs_on(t, s) ? 0 : s == side::aiv && t == kernel_type::mix_aic_1_2 ? 2 * blocks : blocks;
}

/// What one launch asks of the device.
struct launch_shape {
    kernel_type type;
    int blocks; ///< AI cores launched, or vector cores for a vector-only launch.
};

constexpr bool operator==(launch_shape a, launch_shape b)
{
    return a.type == b.type && a.blocks == b.blocks;
}
constexpr bool operator!=(launch_shape a, launch_shape b)
{
    return !(a == b);
}

/// Cores of side `s` in a launch.
constexpr int cores_of(launch_shape l, side s)
{
    return cores_of(l.type, l.blocks, s);
}
/// Vector cores per AI core in a launch: 2 for 1:2, else 1.
constexpr int aiv_per_ai_core(launch_shape l)
{
    return l.type == kernel_type::mix_aic_1_2 ? 2 : 1;
}

} // namespace skt
