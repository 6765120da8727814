/// @file
/// What a chip offers: core counts and on-chip memories. Plain values. Device-safe.
#pragma once

#include <cstdint>

namespace skt {

/// One chip. Counts are cores of one die; sizes are bytes per core.
/// Source of the figures: the vendor's public platform tables for dav-2201 (Atlas A2 in three bins, Atlas A3 per die).
struct soc {
    const char* name;      ///< The name used in plan files and messages.
    int npu_arch;          ///< The value of `__NPU_ARCH__`.
    int aic_cores;         ///< Cube cores.
    int aiv_cores;         ///< Vector cores.
    std::int64_t ub_bytes; ///< Unified buffer of a vector core.
    std::int64_t l1_bytes; ///< L1 of a cube core.
    std::int64_t l0a_bytes;
    std::int64_t l0b_bytes;
    std::int64_t l0c_bytes;
};

namespace socs {
inline constexpr soc atlas_a2_20{"atlas_a2_20", 2201, 20, 40, 192 << 10, 512 << 10, 64 << 10, 64 << 10, 128 << 10};
inline constexpr soc atlas_a2_24{"atlas_a2_24", 2201, 24, 48, 192 << 10, 512 << 10, 64 << 10, 64 << 10, 128 << 10};
inline constexpr soc atlas_a2_25{"atlas_a2_25", 2201, 25, 50, 192 << 10, 512 << 10, 64 << 10, 64 << 10, 128 << 10};
inline constexpr soc atlas_a3{"atlas_a3", 2201, 24, 48, 192 << 10, 512 << 10, 64 << 10, 64 << 10, 128 << 10};
} // namespace socs

/// Bytes of one data-cache line (dav-2201).
inline constexpr int cache_line_bytes = 64;
/// Cross-core flag ids of one core (dav-2201).
inline constexpr int flag_id_count = 16;
/// Highest value of a cross-core flag counter; one more is a device error.
inline constexpr int flag_counter_max = 15;

/// Flag ids that `SyncAll` and early start own, and the id of the matmul service.
/// Source: the vendor's public synchronisation header for dav-2201.
namespace flag_ids {
inline constexpr int all_aic = 11;    ///< SyncAll: every cube core.
inline constexpr int aiv_to_aic = 12; ///< SyncAll: vector to cube inside an AI core.
inline constexpr int aic_to_aiv = 13; ///< SyncAll: cube to vector inside an AI core.
inline constexpr int all_aiv = 14;    ///< SyncAll: every vector core.
inline constexpr int matmul_service = 15;
} // namespace flag_ids

} // namespace skt
