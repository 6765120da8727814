/// @file
/// The cube work that all matmuls of the layer share: C[m, Columns] = A[m, Depth] · W[Columns, Depth]ᵀ for few rows,
/// as decoding has them. Device-safe.
///
/// Weights lie as a linear layer keeps them, one row per output: a slab of them in L1 then has the block order that L0B
/// wants, and no load transposes. Weights stream through two buffers of L1 and two of L0B; A stays in L1.
#pragma once

#include "order.hpp"

namespace moe {

/// `T`: half or int8_t. `Sum`: float or int32_t, the type of L0C. `Step`: how much of the depth one Mmad takes.
template <class T, class Sum, uint32_t Columns, uint32_t Depth, uint32_t Step>
class matmul_tile {
    static constexpr uint32_t block = 32 / sizeof(T); ///< Elements in 32 bytes.
    static_assert(Columns % 16 == 0 && Depth % Step == 0 && Step % block == 0, "whole blocks only");
    static_assert(2 * Columns * Step * sizeof(T) <= 64 * 1024, "two buffers of weights must fit L0B");
    static_assert(2 * max_tokens * Columns * sizeof(Sum) <= 128 * 1024, "two results must fit L0C");

public:
    __aicore__ inline void Init(AscendC::TPipe& pipe)
    {
        pipe.InitBuffer(rows_, 2, max_tokens * Depth * sizeof(T));
        pipe.InitBuffer(weights_, 2, Columns * Step * sizeof(T));
        pipe.InitBuffer(left_, 2, max_tokens * Step * sizeof(T));
        pipe.InitBuffer(right_, 2, Columns * Step * sizeof(T));
        pipe.InitBuffer(sums_, 2, max_tokens * Columns * sizeof(Sum));
    }

    /// Brings `m` rows of A, 1 to 32 of them, into L1. Until `FreeRows` any number of tiles may use them. The cube
    /// multiplies 16 rows at a time; what L1 holds in place of rows that do not exist ends in rows of L0C that nobody
    /// stores.
    __aicore__ inline void LoadRows(const AscendC::GlobalTensor<T>& a, uint32_t m)
    {
        m_ = m;
        padded_ = (m + 15) / 16 * 16;
        AscendC::LocalTensor<T> t = rows_.template AllocTensor<T>();
        const auto rows = static_cast<uint16_t>(m);
        const auto padded = static_cast<uint16_t>(padded_);
        constexpr auto depth = static_cast<uint16_t>(Depth);
        AscendC::DataCopy(t, a, AscendC::Nd2NzParams(1, rows, depth, 0, depth, padded, 1, 0));
        rows_.EnQue(t);
        a_ = rows_.template DeQue<T>();
    }
    __aicore__ inline void FreeRows() { rows_.FreeTensor(a_); }

    /// Multiplies the rows with `Columns` rows of weights, `Depth` elements each, and leaves the sums in L0C.
    __aicore__ inline void Multiply(const AscendC::GlobalTensor<T>& w)
    {
        AscendC::LocalTensor<Sum> sums = sums_.template AllocTensor<Sum>();
        for (uint32_t k = 0; k < Depth; k += Step) {
            load_weights(w[k]);
            load_left(k);
            load_right();
            AscendC::LocalTensor<T> left = left_.template DeQue<T>();
            AscendC::LocalTensor<T> right = right_.template DeQue<T>();
            // One row alone would switch the cube unit to another layout of A, hence the padded count.
            AscendC::MmadParams p;
            p.m = static_cast<uint16_t>(padded_);
            p.n = static_cast<uint16_t>(Columns);
            p.k = static_cast<uint16_t>(Step);
            p.cmatrixInitVal = k == 0;
            AscendC::Mmad(sums, left, right, p);
            AscendC::PipeBarrier<PIPE_M>(); // so few rows finish before the next Mmad has read the sums
            left_.FreeTensor(left);
            right_.FreeTensor(right);
        }
        sums_.EnQue(sums);
    }

    /// Stores the sums of the last `Multiply` as rows that start `stride` elements apart; floats become halves where
    /// `Out` is half.
    template <class Out>
    __aicore__ inline void Store(const AscendC::GlobalTensor<Out>& c, uint32_t stride)
    {
        AscendC::LocalTensor<Sum> sums = sums_.template DeQue<Sum>();
        AscendC::FixpipeParamsV220 p;
        p.nSize = static_cast<uint16_t>(Columns);
        p.mSize = static_cast<uint16_t>(m_);
        p.srcStride = static_cast<uint16_t>(padded_);
        p.dstStride = stride;
        if constexpr (std::is_same_v<Out, half>) {
            p.quantPre = QuantMode_t::F322F16;
        }
        AscendC::Fixpipe(c, sums, p);
        sums_.FreeTensor(sums);
    }

private:
    __aicore__ inline void load_weights(const AscendC::GlobalTensor<T>& w)
    {
        AscendC::LocalTensor<T> t = weights_.template AllocTensor<T>();
        AscendC::DataCopy(t, w,
                          AscendC::Nd2NzParams(1, static_cast<uint16_t>(Columns), static_cast<uint16_t>(Step), 0,
                                               static_cast<uint16_t>(Depth), static_cast<uint16_t>(Columns), 1, 0));
        weights_.EnQue(t);
    }
    __aicore__ inline void load_left(uint32_t k)
    {
        AscendC::LocalTensor<T> t = left_.template AllocTensor<T>();
        const uint32_t row_blocks = padded_ / 16;
        for (uint32_t i = 0; i < row_blocks; ++i) {
            AscendC::LoadData2DParams p;
            p.repeatTimes = static_cast<uint8_t>(Step / block);
            p.srcStride = static_cast<uint16_t>(row_blocks);
            AscendC::LoadData(t[i * 16 * Step], a_[k * padded_ + i * 16 * block], p);
        }
        left_.EnQue(t);
    }
    __aicore__ inline void load_right()
    {
        AscendC::LocalTensor<T> from = weights_.template DeQue<T>();
        AscendC::LocalTensor<T> t = right_.template AllocTensor<T>();
        AscendC::LoadData2DParams p;
        p.repeatTimes = static_cast<uint8_t>(Step / block * (Columns / 16));
        p.srcStride = 1;
        static_assert(Step / block * (Columns / 16) <= 255, "one load repeats at most 255 times");
        AscendC::LoadData(t, from, p);
        right_.EnQue(t);
        weights_.FreeTensor(from);
    }

    AscendC::TQue<AscendC::TPosition::A1, 2> rows_;
    AscendC::TQue<AscendC::TPosition::B1, 2> weights_;
    AscendC::TQue<AscendC::TPosition::A2, 2> left_;
    AscendC::TQue<AscendC::TPosition::B2, 2> right_;
    AscendC::TQue<AscendC::TPosition::CO1, 2> sums_;
    AscendC::LocalTensor<T> a_;
    uint32_t m_ = 0;
    uint32_t padded_ = 0;
};

} // namespace moe
