/// @file
/// The only place that looks at compiler macros. Device-safe.
///
/// `SKT_AICORE` marks a function that runs on an AI core. It is `__aicore__` wherever the build has one (the device
/// compiler, the emulator's `kernel_operator.h`, the dialect check), and nothing in a plain host program.
#pragma once

#include <skt/version.hpp>

#if !defined(SKT_AICORE)
#if defined(__CCE_AICORE__) || defined(__CCE__)
#define SKT_AICORE [aicore]
#else
#define SKT_AICORE
#endif
#endif

#if !defined(SKT_HOST_AICORE)
#if defined(__CCE_AICORE__) || defined(__CCE__)
#define SKT_HOST_AICORE [ host, aicore ]
#else
#define SKT_HOST_AICORE
#endif
#endif

/// Forces inlining: the device keeps nesting of real calls shallow, and a fused sequence must cost no call.
#if defined(__GNUC__) || defined(__clang__)
#define SKT_INLINE inline __attribute__((always_inline))
#else
#define SKT_INLINE inline
#endif
