/// @file
/// Element types, enumerations and parameter blocks.
#pragma once

#include "dialect.h"

/// Half precision, a built-in type of the vendor's compiler.
struct half {
    half() = default;
    __aicore__ half(float value);
    __aicore__ operator float() const;
    uint16_t bits;
};
/// bfloat16, a built-in type of the vendor's compiler.
struct bfloat16_t {
    bfloat16_t() = default;
    __aicore__ bfloat16_t(float value);
    __aicore__ operator float() const;
    uint16_t bits;
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

namespace AscendC {

using TEventID = int8_t;

enum class TPosition : uint8_t {
    GM,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
    VECIN,
    VECOUT,
    VECCALC,
    LCM = VECCALC,
    SPM,
    SHM = SPM,
    TSCM,
    C2PIPE2GM,
    C2PIPE2LOCAL,
    MAX
};
using QuePosition = TPosition;

enum class HardEvent : uint8_t {
    MTE2_MTE1,
    MTE1_MTE2,
    MTE1_M,
    M_MTE1,
    MTE2_V,
    V_MTE2,
    MTE3_V,
    V_MTE3,
    M_V,
    V_M,
    V_V,
    MTE3_MTE1,
    MTE1_MTE3,
    MTE1_V,
    MTE2_M,
    M_MTE2,
    V_MTE1,
    M_FIX,
    FIX_M,
    MTE3_MTE2,
    MTE2_MTE3,
    S_V,
    V_S,
    S_MTE2,
    MTE2_S,
    S_MTE3,
    MTE3_S,
    MTE2_FIX,
    FIX_MTE2,
    FIX_S,
    M_S,
    FIX_MTE3,
    MTE1_FIX,
    FIX_MTE1,
    FIX_FIX,
    MAX
};

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class MemDsbT { ALL, DDR, UB, SEQ };
enum class RoundMode : uint8_t { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class CO2Layout : uint8_t { NZ, ROW_MAJOR, COLUMN_MAJOR };

struct DataCopyParams {
    __aicore__ DataCopyParams();
    __aicore__ DataCopyParams(uint16_t count, uint16_t length, uint16_t source_stride, uint16_t target_stride);
    uint16_t blockCount;
    uint16_t blockLen;
    uint16_t srcStride;
    uint16_t dstStride;
};
struct DataCopyPadParams {
    __aicore__ DataCopyPadParams();
    __aicore__ DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value);
    bool isPad;
    uint8_t leftPadding;
    uint8_t rightPadding;
    uint64_t paddingValue;
};
struct DataCopyExtParams {
    __aicore__ DataCopyExtParams();
    __aicore__ DataCopyExtParams(uint16_t count, uint32_t length, uint32_t source_stride, uint32_t target_stride,
                                 uint32_t reserved);
    uint16_t blockCount;
    uint32_t blockLen;
    uint32_t srcStride;
    uint32_t dstStride;
    uint32_t rsv;
};
template <class T>
struct DataCopyPadExtParams {
    __aicore__ DataCopyPadExtParams();
    __aicore__ DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value);
    bool isPad;
    uint8_t leftPadding;
    uint8_t rightPadding;
    T paddingValue;
};
struct Nd2NzParams {
    __aicore__ Nd2NzParams();
    __aicore__ Nd2NzParams(uint16_t nd_count, uint16_t n, uint16_t d, uint16_t source_matrix_stride, uint16_t source_d,
                           uint16_t target_c0_stride, uint16_t target_n_stride, uint16_t target_matrix_stride);
    uint16_t ndNum;
    uint16_t nValue;
    uint16_t dValue;
    uint16_t srcNdMatrixStride;
    uint16_t srcDValue;
    uint16_t dstNzC0Stride;
    uint16_t dstNzNStride;
    uint16_t dstNzMatrixStride;
};
struct UnaryRepeatParams {
    __aicore__ UnaryRepeatParams();
    __aicore__ UnaryRepeatParams(uint16_t target_block, uint16_t source_block, uint8_t target_repeat,
                                 uint8_t source_repeat);
    uint16_t dstBlkStride;
    uint16_t srcBlkStride;
    uint8_t dstRepStride;
    uint8_t srcRepStride;
};
struct BinaryRepeatParams {
    __aicore__ BinaryRepeatParams();
    __aicore__ BinaryRepeatParams(uint8_t target_block, uint8_t left_block, uint8_t right_block, uint8_t target_repeat,
                                  uint8_t left_repeat, uint8_t right_repeat);
    uint8_t dstBlkStride;
    uint8_t src0BlkStride;
    uint8_t src1BlkStride;
    uint8_t dstRepStride;
    uint8_t src0RepStride;
    uint8_t src1RepStride;
};
struct BrcbRepeatParams {
    __aicore__ BrcbRepeatParams();
    __aicore__ BrcbRepeatParams(uint16_t target_block, uint16_t target_repeat);
    uint16_t dstRepStride;
    uint16_t dstBlkStride;
};
struct LoadData2DParams {
    __aicore__ LoadData2DParams();
    __aicore__ LoadData2DParams(uint16_t start, uint8_t repeat, uint16_t source_stride, uint8_t sid,
                                uint16_t target_gap, bool transpose, uint8_t address_mode);
    uint16_t startIndex;
    uint16_t dstGap;
    uint16_t srcStride;
    bool ifTranspose;
    uint8_t repeatTimes;
    uint8_t sid;
    uint8_t addrMode;
};
using LoadData2dParams = LoadData2DParams;
struct LoadData2dTransposeParams {
    __aicore__ LoadData2dTransposeParams();
    uint16_t startIndex;
    uint8_t repeatTimes;
    uint16_t srcStride;
    uint16_t dstGap;
    uint16_t dstFracGap;
    uint8_t addrMode;
};
template <class T>
struct InitConstValueParams {
    __aicore__ InitConstValueParams();
    __aicore__ InitConstValueParams(uint16_t repeat, uint16_t blocks, uint16_t gap, T value);
    uint16_t repeatTimes;
    uint16_t blockNum;
    uint16_t dstGap;
    T initValue;
};
struct MmadParams {
    __aicore__ MmadParams();
    __aicore__ MmadParams(uint16_t m_in, uint16_t n_in, uint16_t k_in, uint8_t unit_flag, bool matrix_source,
                          bool initial_zero);
    uint16_t m;
    uint16_t n;
    uint16_t k;
    bool isBias;
    uint8_t unitFlag;
    bool kDirectionAlign;
    bool cmatrixSource;
    bool cmatrixInitVal;
};
struct FixpipeConfig {
    CO2Layout format;
    bool isToUB = false;
};
inline constexpr FixpipeConfig CFG_NZ{CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR{CO2Layout::ROW_MAJOR};
struct FixpipeParamsV220 {
    __aicore__ FixpipeParamsV220();
    __aicore__ FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t source_stride, uint32_t target_stride, bool relu);
    uint16_t nSize;
    uint16_t mSize;
    uint16_t srcStride;
    uint32_t dstStride;
    QuantMode_t quantPre;
    uint64_t deqScalar;
    uint16_t ndNum;
    uint16_t srcNdStride;
    uint16_t dstNdStride;
    bool reluEn;
    uint8_t unitFlag;
    bool isChannelSplit;
};

} // namespace AscendC
