// SPDX-License-Identifier: Apache-2.0
// Matrix products: the work horse of dot and convolution.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_GEMM_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_GEMM_H_

#include <complex>
#include <cstdint>
#include <optional>

#include "numerics/elements/element_type.h"
#include "numerics/parallel/executor.h"
#include "numerics/parallel/function_ref.h"

namespace hloscope::numerics {

// The type in which products of elements of `type` are formed and summed (docs/ops/tensor.md 0.2): f32 for floats up
// to f32; f64, c64 and c128 for themselves; u64 for integers (two's complement: the low bits are right for signed ones
// too) and for pred, where the sum counts the products that are true.
ElementType AccumulatorType(ElementType type);

// The float type in which products of integers of these types, `inner` of which are summed, are exact, so that the
// loops for floats give the sums: f32 or f64; none if there is no such type, or if converting an operand to the type of
// the result, which comes first, changes numbers.
inline std::optional<ElementType> ExactFloatType(ElementType lhs, ElementType rhs, ElementType result, int64_t inner) {
  if (!IsInteger(result)) return std::nullopt;
  int bits = 0;  // a product is at most 2^bits
  for (ElementType type : {lhs, rhs}) {
    if (!IsInteger(type)) return std::nullopt;
    const bool keeps = IsSigned(type) == IsSigned(result) ? BitWidth(type) <= BitWidth(result)
                                                          : IsUnsigned(type) && BitWidth(type) < BitWidth(result);
    if (!keeps) return std::nullopt;
    bits += BitWidth(type) - (IsSigned(type) ? 1 : 0);
  }
  for (ElementType type : {ElementType::kF32, ElementType::kF64}) {
    const int digits = type == ElementType::kF32 ? 24 : 53;
    if (bits <= digits && inner <= int64_t{1} << (digits - bits)) return type;
  }
  return std::nullopt;
}
// The integers that such sums are converted to before the type of the result, whose low bits count.
inline ElementType IntegerOfExactSums(ElementType sums) {
  return sums == ElementType::kF32 ? ElementType::kS32 : ElementType::kS64;
}

// Calls `body` with a zero of the C++ type of an accumulator type.
template <typename Body>
auto VisitAccumulator(ElementType type, Body&& body) {
  switch (type) {
    case ElementType::kF32:
      return body(float{});
    case ElementType::kF64:
      return body(double{});
    case ElementType::kC64:
      return body(std::complex<float>());
    case ElementType::kC128:
      return body(std::complex<double>());
    default:
      return body(uint64_t{});
  }
}

// The same for the types that a product may be summed in: those, and u32, of whose sums the low bits are those of u64.
template <typename Body>
auto VisitSumType(ElementType type, Body&& body) {
  return type == ElementType::kU32 ? body(uint32_t{}) : VisitAccumulator(type, body);
}

// A matrix in memory: strides in elements. Along one of its dimensions the stride must be 1, or the size at most 1.
struct MatrixView {
  const uint8_t* data;
  int64_t row_stride;
  int64_t column_stride;
  // Of its elements, if that is not the type of the sums: kBF16 for kF32, and kS8, kU8, kS16 or kU16 for kU32.
  ElementType stored = ElementType::kInvalid;
};

struct GemmSizes {
  int64_t rows, columns, inner;
};

// Of a thin product, one with at most `most` rows or columns, the operand whose elements are read as often as that. It
// may have a stored type of its own, unlike the other one, and then it is not packed.
enum class WideOperand { kNone, kLeft, kRight };
inline WideOperand WideOperandOf(const GemmSizes& sizes, int64_t most) {
  return sizes.rows <= most ? WideOperand::kRight : sizes.columns <= most ? WideOperand::kLeft : WideOperand::kNone;
}
// So many rows or columns are faster than packing: of bf16, which is packed in pairs, and of integers, which are
// widened; of floats if the right operand is stored in long rows and large (IsThinFloats in gemm.cc).
constexpr int64_t kThinBf16 = 3, kThinIntegers = 16, kThinFloats = 12;

// The type in which a product of integers, with operands and a result of these types, is summed. Of up to 32 bits the
// low bits of u32 are enough; floats are faster where sums are exact and elements are used often enough.
ElementType IntegerSumType(ElementType lhs, ElementType rhs, ElementType result, const GemmSizes& sizes);
// True if elements of this type may be a stored type for kU32.
inline bool IsStoredForU32(ElementType type) {
  return type == ElementType::kS8 || type == ElementType::kU8 || type == ElementType::kS16 || type == ElementType::kU16;
}

// result = lhs * rhs (added to the previous result if `accumulate`) in `type`, one of VisitSumType. Rows of `result`
// are dense, `result_row_stride` elements apart; it must not overlap the operands. Runs in the calling thread. For
// products of any type and size that are not worth packing.
void MultiplyByRows(ElementType type, const GemmSizes& sizes, const MatrixView& lhs, const MatrixView& rhs,
                    uint8_t* result, int64_t result_row_stride, bool accumulate);

// `batch` products on the executor's threads; matrix b of an operand starts b * its batch stride (in elements) after
// the first. The result is dense. Errors: kCancelled, kNoMemory.
Outcome MultiplyMatrixBatch(ElementType type, int64_t batch, const GemmSizes& sizes, const MatrixView& lhs,
                            int64_t lhs_batch_stride, const MatrixView& rhs, int64_t rhs_batch_stride, uint8_t* result,
                            Executor& executor);

// Calls `multiply(b)`, which takes about `nanoseconds` and may itself use the executor's threads, for the products of a
// batch: few big ones one after the other, many small ones (AreDistributed) on the threads. Returns the first error.
Outcome MultiplyEach(int64_t batch, double nanoseconds, FunctionRef<Outcome(int64_t)> multiply, Executor& executor);
bool AreDistributed(int64_t batch, double nanoseconds);

// Nanoseconds that one multiply-add takes, roughly.
double MultiplyAddNanoseconds(ElementType accumulator_type);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_GEMM_H_
