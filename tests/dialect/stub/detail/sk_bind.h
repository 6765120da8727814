/// @file
/// What the vendor's own fusion offers to an author.
#pragma once

#include "types.h"

namespace sk {
struct SkSystemArgs {
    uint16_t skBlockIdx;
    uint16_t skNumBlocks;
    uint16_t skTaskSyncCfg;
    uint8_t reserve[10];
};
} // namespace sk

/// A binding: a `__global__` function, its cap bits and up to four twins.
template <auto function, uint64_t cap, auto twin0, auto twin1 = twin0, auto twin2 = twin0, auto twin3 = twin0>
struct sk_bind_stub {
    static constexpr uint64_t caps = cap;
};
#define SKT_STUB_JOIN_(a, b) a##b
#define SKT_STUB_JOIN(a, b) SKT_STUB_JOIN_(a, b)
#define SK_BIND(...) using SKT_STUB_JOIN(sk_bind_at_, __COUNTER__) = sk_bind_stub<__VA_ARGS__>
