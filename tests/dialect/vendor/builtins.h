/// @file
/// What the vendor's compiler has built in and its headers take for granted, as far as declarations need it: read first
/// when the dialect check is pointed at the vendor's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#define __aicore__ __attribute__((device))
#define __global__ __attribute__((global))
#define __gm__ __attribute__((address_space(1)))
#define __ubuf__ __attribute__((address_space(3)))
#define __cbuf__ __attribute__((address_space(5)))
#define __ca__ __attribute__((address_space(5)))
#define __cb__ __attribute__((address_space(5)))
#define __cc__ __attribute__((address_space(5)))
#define __fbuf__ __attribute__((address_space(5)))
#define __ssbuf__ __attribute__((address_space(5)))
#define __biasbuf__ __attribute__((address_space(5)))
#define __inout_pipe__(pipe)
#define __in_pipe__(pipe)
#define __out_pipe__(pipe)
#define __sync_alias__
#define __sync_noalias__
#define __cube__
#define __vector__
#define __mix__(cube, vector)
#define __schedmode__(mode)
#define __sk__ __aicore__

struct half {
    half() = default;
    __aicore__ half(float value);
    __aicore__ operator float() const;
    std::uint16_t bits;
};
struct bfloat16_t {
    bfloat16_t() = default;
    __aicore__ bfloat16_t(float value);
    __aicore__ operator float() const;
    std::uint16_t bits;
};
enum pipe_t {
    PIPE_S,
    PIPE_V,
    PIPE_M,
    PIPE_MTE1,
    PIPE_MTE2,
    PIPE_MTE3,
    PIPE_ALL,
    PIPE_MTE4,
    PIPE_MTE5,
    PIPE_V2,
    PIPE_FIX
};
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
enum QuantMode_t { NoQuant, F322F16, F322BF16, DEQF16, VDEQF16, QF322B8_PRE, VQF322B8_PRE, REQ8, VREQ8 };
enum pad_t { PAD_NONE };
