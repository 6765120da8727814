/// @file
/// Enumerations and parameter structs of the API, with the names, members and defaults of the vendor's public headers.
/// Part of the drop-in kernel_operator.h. Host only.
#pragma once

#include <skt/emu/ascendc/detail/dialect.hpp>

namespace AscendC {

using ::bfloat16_t;
using ::half;

/// Logical positions of a tensor.
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
    MAX
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

/// Ordered pairs of pipes: the second waits for the first.
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
    FIX_V,
    V_FIX,
    S_FIX,
    S_M,
    S_MTE1,
    MTE1_S,
    MAX
};

using TEventID = int8_t;

enum class RoundMode : uint8_t {
    CAST_NONE, ///< Exact where possible, else nearest even.
    CAST_RINT, ///< Nearest, ties to even.
    CAST_FLOOR,
    CAST_CEIL,
    CAST_ROUND, ///< Nearest, ties away from zero.
    CAST_TRUNC,
    CAST_ODD
};
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class MemDsbT : uint8_t { ALL, DDR, UB, SEQ };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class CacheMode : uint8_t { CACHE_MODE_DISABLE, CACHE_MODE_NORMAL, CACHE_MODE_LAST, CACHE_MODE_PERSISTENT };
enum class CacheRwMode : uint8_t { READ = 1, WRITE, RW };
enum class MaskMode : uint8_t { NORMAL, COUNTER };
enum class PipeMode : uint8_t { SCALAR_MODE, MTE3_MODE, MAX };

struct DataCopyParams {
    DataCopyParams() {}
    DataCopyParams(uint16_t count, uint16_t len, uint16_t srcStrideIn, uint16_t dstStrideIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn)
    {
    }
    uint16_t blockCount = 1;
    uint16_t blockLen = 0; ///< 32-byte units; bytes in DataCopyPad.
    union {
        uint16_t srcGap = 0;
        uint16_t srcStride;
    };
    union {
        uint16_t dstGap = 0;
        uint16_t dstStride;
    };
};

struct DataCopyExtParams {
    DataCopyExtParams() {}
    DataCopyExtParams(uint16_t count, uint32_t len, uint32_t srcStrideIn, uint32_t dstStrideIn, uint32_t rsvIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn), rsv(rsvIn)
    {
    }
    uint16_t blockCount = 1;
    uint32_t blockLen = 0; ///< Bytes.
    uint32_t srcStride = 0;
    uint32_t dstStride = 0;
    uint32_t rsv = 0;
};

struct DataCopyPadParams {
    DataCopyPadParams() {}
    DataCopyPadParams(bool isPadValue, uint8_t leftPadValue, uint8_t rightPadValue, uint64_t padValue)
        : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue), paddingValue(padValue)
    {
    }
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    uint64_t paddingValue = 0;
};

template <typename T>
struct DataCopyPadExtParams {
    DataCopyPadExtParams() {}
    DataCopyPadExtParams(bool isPadValue, uint8_t leftPadValue, uint8_t rightPadValue, T padValue)
        : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue), paddingValue(padValue)
    {
    }
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    T paddingValue = T(0);
};

struct Nd2NzParams {
    Nd2NzParams() {}
    Nd2NzParams(uint16_t ndNumIn, uint16_t nValueIn, uint16_t dValueIn, uint16_t srcNdMatrixStrideIn,
                uint16_t srcDValueIn, uint16_t dstNzC0StrideIn, uint16_t dstNzNStrideIn, uint16_t dstNzMatrixStrideIn)
        : ndNum(ndNumIn), nValue(nValueIn), dValue(dValueIn), srcNdMatrixStride(srcNdMatrixStrideIn),
          srcDValue(srcDValueIn), dstNzC0Stride(dstNzC0StrideIn), dstNzNStride(dstNzNStrideIn),
          dstNzMatrixStride(dstNzMatrixStrideIn)
    {
    }
    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 0;
    uint16_t srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    uint16_t dstNzMatrixStride = 0;
};

struct LoadData2DParams {
    LoadData2DParams() {}
    LoadData2DParams(uint16_t startIndexIn, uint8_t repeatTimesIn, uint16_t srcStrideIn, uint8_t sidIn,
                     uint16_t dstGapIn, bool ifTransposeIn, uint8_t addrModeIn)
        : startIndex(startIndexIn), dstGap(dstGapIn), srcStride(srcStrideIn), ifTranspose(ifTransposeIn),
          repeatTimes(repeatTimesIn), sid(sidIn), addrMode(addrModeIn)
    {
    }
    uint16_t startIndex = 0;
    uint16_t dstGap = 0;
    uint16_t srcStride = 0;
    bool ifTranspose = false;
    uint8_t repeatTimes = 0;
    uint8_t sid = 0;
    uint8_t addrMode = 0;
};
using LoadData2dParams = LoadData2DParams;

struct LoadData2dTransposeParams {
    LoadData2dTransposeParams() {}
    LoadData2dTransposeParams(uint16_t startIndexIn, uint8_t repeatTimesIn, uint16_t srcStrideIn, uint16_t dstGapIn,
                              uint16_t dstfracGapIn, uint8_t addrModeIn = 0)
        : startIndex(startIndexIn), repeatTimes(repeatTimesIn), srcStride(srcStrideIn), dstGap(dstGapIn),
          dstFracGap(dstfracGapIn), addrMode(addrModeIn)
    {
    }
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint8_t addrMode = 0;
};

struct MmadParams {
    MmadParams() {}
    MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, uint8_t unitFlagIn, bool cmatrixSourceIn,
               bool cmatrixInitValIn)
        : m(mIn), n(nIn), k(kIn), unitFlag(unitFlagIn), cmatrixSource(cmatrixSourceIn), cmatrixInitVal(cmatrixInitValIn)
    {
    }
    uint16_t m = 0;
    uint16_t n = 0;
    uint16_t k = 0;
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    uint8_t unitFlag = 0;
    bool kDirectionAlign = false;
    bool cmatrixSource = false;
    bool cmatrixInitVal = true; ///< True: start from zero.
};

template <typename T>
struct InitConstValueParams {
    InitConstValueParams() {}
    InitConstValueParams(uint16_t repeatTimesIn, uint16_t blockNumIn, uint16_t dstGapIn, T initValueIn)
        : repeatTimes(repeatTimesIn), blockNum(blockNumIn), dstGap(dstGapIn), initValue(initValueIn)
    {
    }
    uint16_t repeatTimes = 0;
    uint16_t blockNum = 0;
    uint16_t dstGap = 0;
    T initValue = T(0);
};

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };
struct FixpipeConfig {
    CO2Layout format;
};
inline constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

struct FixpipeParamsV220 {
    FixpipeParamsV220() {}
    FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn)
        : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), reluEn(reluEnIn)
    {
    }
    FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn,
                      QuantMode_t quantPreIn, int64_t deqScalarIn, uint16_t ndNumIn, uint16_t srcNdStrideIn,
                      uint16_t dstNdStrideIn, uint8_t unitFlagIn, bool isChannelSplitIn = false)
        : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), quantPre(quantPreIn),
          deqScalar(static_cast<uint64_t>(deqScalarIn)), ndNum(ndNumIn), srcNdStride(srcNdStrideIn),
          dstNdStride(dstNdStrideIn), reluEn(reluEnIn), unitFlag(unitFlagIn), isChannelSplit(isChannelSplitIn)
    {
    }
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0; ///< Rows between column blocks of L0C.
    uint32_t dstStride = 0; ///< Elements between rows of the target.
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0; ///< Bit pattern of a float in the low half.
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
};

struct UnaryRepeatParams {
    UnaryRepeatParams() {}
    UnaryRepeatParams(uint16_t dstBlkStrideIn, uint16_t srcBlkStrideIn, uint8_t dstRepStrideIn, uint8_t srcRepStrideIn)
        : dstBlkStride(dstBlkStrideIn), srcBlkStride(srcBlkStrideIn), dstRepStride(dstRepStrideIn),
          srcRepStride(srcRepStrideIn)
    {
    }
    uint16_t dstBlkStride = 1; ///< 32-byte units.
    uint16_t srcBlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t srcRepStride = 8;
};

struct BinaryRepeatParams {
    BinaryRepeatParams() {}
    BinaryRepeatParams(uint8_t dstBlkStrideIn, uint8_t src0BlkStrideIn, uint8_t src1BlkStrideIn, uint8_t dstRepStrideIn,
                       uint8_t src0RepStrideIn, uint8_t src1RepStrideIn)
        : dstBlkStride(dstBlkStrideIn), src0BlkStride(src0BlkStrideIn), src1BlkStride(src1BlkStrideIn),
          dstRepStride(dstRepStrideIn), src0RepStride(src0RepStrideIn), src1RepStride(src1RepStrideIn)
    {
    }
    uint8_t dstBlkStride = 1;
    uint8_t src0BlkStride = 1;
    uint8_t src1BlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t src0RepStride = 8;
    uint8_t src1RepStride = 8;
};

struct BrcbRepeatParams {
    BrcbRepeatParams() {}
    BrcbRepeatParams(uint16_t dstBlkStrideIn, uint16_t dstRepStrideIn)
        : dstRepStride(dstRepStrideIn), dstBlkStride(dstBlkStrideIn)
    {
    }
    uint16_t dstRepStride = 8;
    uint16_t dstBlkStride = 1;
};

struct CopyRepeatParams {
    CopyRepeatParams() {}
    CopyRepeatParams(uint16_t dstStrideIn, uint16_t srcStrideIn, uint16_t dstRepeatSizeIn, uint16_t srcRepeatSizeIn)
        : dstStride(dstStrideIn), srcStride(srcStrideIn), dstRepeatSize(dstRepeatSizeIn), srcRepeatSize(srcRepeatSizeIn)
    {
    }
    uint16_t dstStride = 1;
    uint16_t srcStride = 1;
    uint16_t dstRepeatSize = 8;
    uint16_t srcRepeatSize = 8;
};

struct GatherMaskParams {
    GatherMaskParams() {}
    GatherMaskParams(uint8_t src0BlockStrideIn, uint16_t repeatTimesIn, uint16_t src0RepeatStrideIn,
                     uint8_t src1RepeatStrideIn)
        : src0BlockStride(src0BlockStrideIn), repeatTimes(repeatTimesIn), src0RepeatStride(src0RepeatStrideIn),
          src1RepeatStride(src1RepeatStrideIn)
    {
    }
    uint8_t src0BlockStride = 1;
    uint16_t repeatTimes = 0;
    uint16_t src0RepeatStride = 8;
    uint8_t src1RepeatStride = 8;
};

} // namespace AscendC

namespace skt::emu {

/// The memory behind a logical position.
constexpr mem memory_of(AscendC::TPosition p)
{
    switch (p) {
    case AscendC::TPosition::A1:
    case AscendC::TPosition::B1:
    case AscendC::TPosition::C1:
    case AscendC::TPosition::TSCM:
    case AscendC::TPosition::SPM:
        return mem::l1;
    case AscendC::TPosition::A2:
        return mem::l0a;
    case AscendC::TPosition::B2:
        return mem::l0b;
    case AscendC::TPosition::CO1:
        return mem::l0c;
    case AscendC::TPosition::C2:
        return mem::bias;
    case AscendC::TPosition::C2PIPE2GM:
        return mem::fixbuf;
    default:
        return mem::ub;
    }
}
constexpr mem memory_of(AscendC::Hardware h)
{
    switch (h) {
    case AscendC::Hardware::L1:
        return mem::l1;
    case AscendC::Hardware::L0A:
        return mem::l0a;
    case AscendC::Hardware::L0B:
        return mem::l0b;
    case AscendC::Hardware::L0C:
        return mem::l0c;
    case AscendC::Hardware::BIAS:
        return mem::bias;
    case AscendC::Hardware::FIXBUF:
        return mem::fixbuf;
    default:
        return mem::ub;
    }
}
/// The first position that lives in a memory.
constexpr AscendC::TPosition position_of(mem m)
{
    switch (m) {
    case mem::l1:
        return AscendC::TPosition::A1;
    case mem::l0a:
        return AscendC::TPosition::A2;
    case mem::l0b:
        return AscendC::TPosition::B2;
    case mem::l0c:
        return AscendC::TPosition::CO1;
    case mem::bias:
        return AscendC::TPosition::C2;
    case mem::fixbuf:
        return AscendC::TPosition::C2PIPE2GM;
    default:
        return AscendC::TPosition::VECCALC;
    }
}

/// The two pipes of an event.
struct pipe_pair {
    pipe from;
    pipe to;
};
constexpr pipe_pair pipes_of(AscendC::HardEvent e)
{
    using H = AscendC::HardEvent;
    using p = pipe;
    switch (e) {
    case H::MTE2_MTE1:
        return {p::mte2, p::mte1};
    case H::MTE1_MTE2:
        return {p::mte1, p::mte2};
    case H::MTE1_M:
        return {p::mte1, p::m};
    case H::M_MTE1:
        return {p::m, p::mte1};
    case H::MTE2_V:
        return {p::mte2, p::v};
    case H::V_MTE2:
        return {p::v, p::mte2};
    case H::MTE3_V:
        return {p::mte3, p::v};
    case H::V_MTE3:
        return {p::v, p::mte3};
    case H::M_V:
        return {p::m, p::v};
    case H::V_M:
        return {p::v, p::m};
    case H::V_V:
        return {p::v, p::v};
    case H::MTE3_MTE1:
        return {p::mte3, p::mte1};
    case H::MTE1_MTE3:
        return {p::mte1, p::mte3};
    case H::MTE1_V:
        return {p::mte1, p::v};
    case H::MTE2_M:
        return {p::mte2, p::m};
    case H::M_MTE2:
        return {p::m, p::mte2};
    case H::V_MTE1:
        return {p::v, p::mte1};
    case H::M_FIX:
        return {p::m, p::fix};
    case H::FIX_M:
        return {p::fix, p::m};
    case H::MTE3_MTE2:
        return {p::mte3, p::mte2};
    case H::MTE2_MTE3:
        return {p::mte2, p::mte3};
    case H::S_V:
        return {p::s, p::v};
    case H::V_S:
        return {p::v, p::s};
    case H::S_MTE2:
        return {p::s, p::mte2};
    case H::MTE2_S:
        return {p::mte2, p::s};
    case H::S_MTE3:
        return {p::s, p::mte3};
    case H::MTE3_S:
        return {p::mte3, p::s};
    case H::MTE2_FIX:
        return {p::mte2, p::fix};
    case H::FIX_MTE2:
        return {p::fix, p::mte2};
    case H::FIX_S:
        return {p::fix, p::s};
    case H::M_S:
        return {p::m, p::s};
    case H::FIX_MTE3:
        return {p::fix, p::mte3};
    case H::MTE1_FIX:
        return {p::mte1, p::fix};
    case H::FIX_MTE1:
        return {p::fix, p::mte1};
    case H::FIX_FIX:
        return {p::fix, p::fix};
    case H::FIX_V:
        return {p::fix, p::v};
    case H::V_FIX:
        return {p::v, p::fix};
    case H::S_FIX:
        return {p::s, p::fix};
    case H::S_M:
        return {p::s, p::m};
    case H::S_MTE1:
        return {p::s, p::mte1};
    case H::MTE1_S:
        return {p::mte1, p::s};
    case H::MAX:
        break;
    }
    return {p::s, p::s};
}

} // namespace skt::emu
