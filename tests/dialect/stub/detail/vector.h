/// @file
/// Vector instructions, in the forms with an element count and with mask and repeats.
#pragma once

#include "tensor.h"

namespace AscendC {

template <class T>
__aicore__ void Exp(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Exp(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask, const uint8_t repeats,
                    const UnaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Exp(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask[], const uint8_t repeats,
                    const UnaryRepeatParams& params);

template <class T>
__aicore__ void Ln(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Ln(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask, const uint8_t repeats,
                   const UnaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Ln(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask[], const uint8_t repeats,
                   const UnaryRepeatParams& params);

template <class T>
__aicore__ void Abs(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Abs(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask, const uint8_t repeats,
                    const UnaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Abs(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask[], const uint8_t repeats,
                    const UnaryRepeatParams& params);

template <class T>
__aicore__ void Reciprocal(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Reciprocal(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask,
                           const uint8_t repeats, const UnaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Reciprocal(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask[],
                           const uint8_t repeats, const UnaryRepeatParams& params);

template <class T>
__aicore__ void Sqrt(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Sqrt(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask, const uint8_t repeats,
                     const UnaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Sqrt(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask[], const uint8_t repeats,
                     const UnaryRepeatParams& params);

template <class T>
__aicore__ void Rsqrt(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Rsqrt(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask, const uint8_t repeats,
                      const UnaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Rsqrt(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask[],
                      const uint8_t repeats, const UnaryRepeatParams& params);

template <class T>
__aicore__ void Not(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Not(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask, const uint8_t repeats,
                    const UnaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Not(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask[], const uint8_t repeats,
                    const UnaryRepeatParams& params);

template <class T>
__aicore__ void Relu(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Relu(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask, const uint8_t repeats,
                     const UnaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Relu(const LocalTensor<T>& target, const LocalTensor<T>& source, uint64_t mask[], const uint8_t repeats,
                     const UnaryRepeatParams& params);

template <class T>
__aicore__ void Add(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Add(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Add(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void Sub(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Sub(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Sub(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void Mul(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Mul(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Mul(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void Div(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Div(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Div(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void Max(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Max(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Max(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void Min(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Min(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Min(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void And(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void And(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void And(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                    uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void Or(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                   const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Or(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right, uint64_t mask,
                   const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void Or(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                   uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void AddRelu(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                        const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void AddRelu(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                        uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void AddRelu(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                        uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void SubRelu(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                        const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void SubRelu(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                        uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void SubRelu(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                        uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T, class U>
__aicore__ void MulAddDst(const LocalTensor<T>& target, const LocalTensor<U>& left, const LocalTensor<U>& right,
                          const int32_t& count);
template <class T, class U, bool set_mask = true>
__aicore__ void MulAddDst(const LocalTensor<T>& target, const LocalTensor<U>& left, const LocalTensor<U>& right,
                          uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, class U, bool set_mask = true>
__aicore__ void MulAddDst(const LocalTensor<T>& target, const LocalTensor<U>& left, const LocalTensor<U>& right,
                          uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T>
__aicore__ void FusedMulAdd(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                            const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void FusedMulAdd(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                            uint64_t mask, const uint8_t repeats, const BinaryRepeatParams& params);
template <class T, bool set_mask = true>
__aicore__ void FusedMulAdd(const LocalTensor<T>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                            uint64_t mask[], const uint8_t repeats, const BinaryRepeatParams& params);

template <class T, bool set_mask = true>
__aicore__ void Adds(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Adds(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, uint64_t mask,
                     const uint8_t repeats, const UnaryRepeatParams& params);

template <class T, bool set_mask = true>
__aicore__ void Muls(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Muls(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, uint64_t mask,
                     const uint8_t repeats, const UnaryRepeatParams& params);

template <class T, bool set_mask = true>
__aicore__ void Maxs(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Maxs(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, uint64_t mask,
                     const uint8_t repeats, const UnaryRepeatParams& params);

template <class T, bool set_mask = true>
__aicore__ void Mins(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Mins(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, uint64_t mask,
                     const uint8_t repeats, const UnaryRepeatParams& params);

template <class T, bool set_mask = true>
__aicore__ void LeakyRelu(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar,
                          const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void LeakyRelu(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, uint64_t mask,
                          const uint8_t repeats, const UnaryRepeatParams& params);

template <class T, bool set_mask = true>
__aicore__ void ShiftLeft(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar,
                          const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void ShiftLeft(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, uint64_t mask,
                          const uint8_t repeats, const UnaryRepeatParams& params);

template <class T, bool set_mask = true>
__aicore__ void ShiftRight(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar,
                           const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void ShiftRight(const LocalTensor<T>& target, const LocalTensor<T>& source, const T& scalar, uint64_t mask,
                           const uint8_t repeats, const UnaryRepeatParams& params);

template <class T, class U, bool set_mask = true>
__aicore__ void Axpy(const LocalTensor<T>& target, const LocalTensor<U>& source, const U& scalar, const int32_t& count);
template <class T, class U, bool set_mask = true>
__aicore__ void Axpy(const LocalTensor<T>& target, const LocalTensor<U>& source, const U& scalar, uint64_t mask,
                     const uint8_t repeats, const UnaryRepeatParams& params);

template <class T, class U>
__aicore__ void Cast(const LocalTensor<T>& target, const LocalTensor<U>& source, const RoundMode& mode,
                     const uint32_t count);
template <class T, class U, bool set_mask = true>
__aicore__ void Cast(const LocalTensor<T>& target, const LocalTensor<U>& source, const RoundMode& mode,
                     const uint64_t mask, const uint8_t repeats, const UnaryRepeatParams& params);

template <class T>
__aicore__ void Duplicate(const LocalTensor<T>& target, const T& value, const int32_t& count);
template <class T, bool set_mask = true>
__aicore__ void Duplicate(const LocalTensor<T>& target, const T& value, uint64_t mask, const uint8_t repeats,
                          const uint16_t block_stride, const uint8_t repeat_stride);
template <class T>
__aicore__ void Brcb(const LocalTensor<T>& target, const LocalTensor<T>& source, const uint8_t repeats,
                     const BrcbRepeatParams& params);
template <class T>
__aicore__ void CreateVecIndex(LocalTensor<T>& target, const T& first, uint32_t count);
template <class T>
__aicore__ void ArithProgression(const LocalTensor<T>& target, const T first, const T difference, const int32_t count);

template <class T, bool set_mask = true>
__aicore__ void ReduceSum(const LocalTensor<T>& target, const LocalTensor<T>& source, const LocalTensor<T>& work,
                          const int32_t count);
template <class T>
__aicore__ void ReduceMax(const LocalTensor<T>& target, const LocalTensor<T>& source, const LocalTensor<T>& work,
                          const int32_t count, bool index = false);
template <class T>
__aicore__ void ReduceMin(const LocalTensor<T>& target, const LocalTensor<T>& source, const LocalTensor<T>& work,
                          const int32_t count, bool index = false);
template <class T, bool set_mask = true>
__aicore__ void WholeReduceSum(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t mask,
                               const int32_t repeats, const int32_t target_repeat, const int32_t source_block,
                               const int32_t source_repeat);
template <class T, bool set_mask = true>
__aicore__ void WholeReduceMax(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t mask,
                               const int32_t repeats, const int32_t target_repeat, const int32_t source_block,
                               const int32_t source_repeat, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX);
template <class T, bool set_mask = true>
__aicore__ void WholeReduceMin(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t mask,
                               const int32_t repeats, const int32_t target_repeat, const int32_t source_block,
                               const int32_t source_repeat, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX);
template <class T, bool set_mask = true>
__aicore__ void BlockReduceSum(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t repeats,
                               const int32_t mask, const int32_t target_repeat, const int32_t source_block,
                               const int32_t source_repeat);
template <class T, bool set_mask = true>
__aicore__ void BlockReduceMax(const LocalTensor<T>& target, const LocalTensor<T>& source, const int32_t repeats,
                               const int32_t mask, const int32_t target_repeat, const int32_t source_block,
                               const int32_t source_repeat);

template <class T, class U>
__aicore__ void Compare(const LocalTensor<U>& target, const LocalTensor<T>& left, const LocalTensor<T>& right,
                        CMPMODE mode, uint32_t count);
template <class T, class U>
__aicore__ void CompareScalar(const LocalTensor<U>& target, const LocalTensor<T>& left, const T right, CMPMODE mode,
                              uint32_t count);
template <class T, class U>
__aicore__ void Select(const LocalTensor<T>& target, const LocalTensor<U>& mask, const LocalTensor<T>& left,
                       const LocalTensor<T>& right, SELMODE mode, uint32_t count);
template <class T, class U>
__aicore__ void Select(const LocalTensor<T>& target, const LocalTensor<U>& mask, const LocalTensor<T>& left, T right,
                       SELMODE mode, uint32_t count);

template <class T>
__aicore__ void Gather(const LocalTensor<T>& target, const LocalTensor<T>& source, const LocalTensor<uint32_t>& offsets,
                       const uint32_t base, const uint32_t count);
template <class T>
__aicore__ void Sort32(const LocalTensor<T>& target, const LocalTensor<T>& source, const LocalTensor<uint32_t>& index,
                       const int32_t repeats);

template <class T>
__aicore__ void SetVectorMask(const uint64_t high, const uint64_t low);
__aicore__ void SetMaskNorm();
__aicore__ void SetMaskCount();
__aicore__ void ResetMask();

} // namespace AscendC
