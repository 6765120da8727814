/// @file
/// Names for what a `__global__` or `__sk__` function declares about its cores, one spelling for the vendor's attribute
/// and for the kit's check of it. Device-safe.
///
/// | name | attribute | kernel type |
/// |---|---|---|
/// | `vector` | `__vector__` | aiv_only |
/// | `cube` | `__cube__` | aic_only |
/// | `mix_0_1` | `__mix__(0, 1)` | mix_aiv_1_0 |
/// | `mix_1_0` | `__mix__(1, 0)` | mix_aic_1_0 |
/// | `mix_1_1` | `__mix__(1, 1)` | mix_aic_1_1 |
/// | `mix_1_2` | `__mix__(1, 2)` | mix_aic_1_2 |
#pragma once

#include <skt/model/kernel_type.hpp>

namespace skt::device {

/// The kernel types by the names of the table above.
namespace cores {
inline constexpr kernel_type vector = kernel_type::aiv_only;
inline constexpr kernel_type cube = kernel_type::aic_only;
inline constexpr kernel_type mix_0_1 = kernel_type::mix_aiv_1_0;
inline constexpr kernel_type mix_1_0 = kernel_type::mix_aic_1_0;
inline constexpr kernel_type mix_1_1 = kernel_type::mix_aic_1_1;
inline constexpr kernel_type mix_1_2 = kernel_type::mix_aic_1_2;
} // namespace cores

/// Whether all blocks of a launch start at once (`__schedmode__(1)`), or as cores become free.
enum class schedule : std::uint8_t { normal, batch };

} // namespace skt::device

// The vendor's attributes want literals, so a template cannot produce them.
#define SKT_CORES_ATTRIBUTE_vector __vector__
#define SKT_CORES_ATTRIBUTE_cube __cube__
#define SKT_CORES_ATTRIBUTE_mix_0_1 __mix__(0, 1)
#define SKT_CORES_ATTRIBUTE_mix_1_0 __mix__(1, 0)
#define SKT_CORES_ATTRIBUTE_mix_1_1 __mix__(1, 1)
#define SKT_CORES_ATTRIBUTE_mix_1_2 __mix__(1, 2)
#define SKT_SCHEDULE_ATTRIBUTE_normal
#define SKT_SCHEDULE_ATTRIBUTE_batch __schedmode__(1)
