// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/contraction/dot.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ops/dot.h"
#include "evaluator/kernels/contraction/dot_variants.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "numerics/contraction/gemm.h"
#include "numerics/contraction/narrow_gemm.h"
#include "numerics/contraction/packed_gemm.h"

namespace hloscope::evaluator {
namespace {

int64_t ProductOf(absl::Span<const int64_t> dimensions) {
  int64_t product = 1;
  for (int64_t size : dimensions) product *= size;
  return product;
}

Tensor Permuted(const Tensor& tensor, std::initializer_list<absl::Span<const int64_t>> dimension_lists) {
  DimensionVector sizes, strides;
  for (absl::Span<const int64_t> list : dimension_lists) {
    for (int64_t d : list) {
      sizes.push_back(tensor.dimension(d));
      strides.push_back(tensor.strides()[static_cast<size_t>(d)]);
    }
  }
  return tensor.View(sizes, strides, 0);
}

// The operands of a dot in the type of its sums (or, if is_narrow, in bf16), with dimensions [batch, lhs free,
// contracting] and [batch, contracting, rhs free], each list still of its own rank.
struct PreparedDot {
  Tensor lhs, rhs;
  int64_t batch, rows, columns, inner;
  DimensionVector result_sizes;
  size_t inner_rank;
  bool is_narrow;        // both are still bf16
  ElementType sum_type;  // that of the product
};

// Cuts the paired dimensions to the smaller of their sizes. They differ only where one is dynamic: what lies beyond its
// run-time size contributes nothing.
void CutPairs(absl::Span<const int64_t> lhs_dims, absl::Span<const int64_t> rhs_dims, Tensor& lhs, Tensor& rhs) {
  DimensionVector l(lhs.dimensions().begin(), lhs.dimensions().end());
  DimensionVector r(rhs.dimensions().begin(), rhs.dimensions().end());
  for (size_t k = 0; k < lhs_dims.size(); ++k) {
    int64_t& a = l[static_cast<size_t>(lhs_dims[k])];
    int64_t& b = r[static_cast<size_t>(rhs_dims[k])];
    a = b = std::min(a, b);
  }
  lhs = lhs.View(l, lhs.strides(), 0);
  rhs = rhs.View(r, rhs.strides(), 0);
}

absl::StatusOr<PreparedDot> Prepare(Tensor lhs, Tensor rhs, const DotDimensionNumbers& numbers, ElementType result_type,
                                    KernelRuntime& runtime, bool is_reference) {
  CutPairs(numbers.lhs_batch, numbers.rhs_batch, lhs, rhs);
  CutPairs(numbers.lhs_contracting, numbers.rhs_contracting, lhs, rhs);
  const DimensionVector lhs_free = FreeDimensions(lhs.rank(), numbers.lhs_batch, numbers.lhs_contracting);
  const DimensionVector rhs_free = FreeDimensions(rhs.rank(), numbers.rhs_batch, numbers.rhs_contracting);
  PreparedDot dot;
  const auto size_of = [](const Tensor& tensor, absl::Span<const int64_t> dimensions) {
    int64_t size = 1;
    for (int64_t d : dimensions) size *= tensor.dimension(d);
    return size;
  };
  dot.inner = size_of(lhs, numbers.lhs_contracting);
  dot.rows = size_of(lhs, lhs_free);
  dot.columns = size_of(rhs, rhs_free);
  const numerics::GemmSizes sizes = {dot.rows, dot.columns, dot.inner};
  dot.sum_type = IsInteger(result_type) && !is_reference
                     ? numerics::IntegerSumType(lhs.element_type(), rhs.element_type(), result_type, sizes)
                     : numerics::AccumulatorType(result_type);
  dot.is_narrow = !is_reference && numerics::IsBf16Product(lhs.element_type(), rhs.element_type(), result_type);
  dot.lhs = Permuted(lhs, {numbers.lhs_batch, lhs_free, numbers.lhs_contracting});
  dot.rhs = Permuted(rhs, {numbers.rhs_batch, numbers.rhs_contracting, rhs_free});
  const numerics::WideOperand wide = numerics::WideOperandOf(sizes, numerics::kThinIntegers);
  for (Tensor* operand : {&dot.lhs, &dot.rhs}) {
    if (dot.is_narrow) break;
    const bool is_wide = wide == (operand == &dot.lhs ? numerics::WideOperand::kLeft : numerics::WideOperand::kRight);
    const ElementType type = operand->element_type();
    if (dot.sum_type == ElementType::kU32 && IsInteger(type)) {
      // Of integers the low bits count, which need not be converted.
      if (is_wide && numerics::IsStoredForU32(type)) continue;
      if (BitWidth(type) == 32) {
        *operand = operand->WithElementType(ElementType::kU32);
        continue;
      }
    }
    // D5: to the result type first, so that e.g. a bf16 result multiplies operands rounded to bf16. Integers that are
    // multiplied as floats are the same in both.
    const ElementType first = IsInteger(result_type) && IsFloat(dot.sum_type) ? dot.sum_type : result_type;
    absl::StatusOr<Tensor> converted = ConvertInMemoryOrder(*operand, {first, dot.sum_type}, runtime);
    if (!converted.ok()) return converted.status();
    *operand = *std::move(converted);
  }
  const size_t batch_rank = numbers.lhs_batch.size(), free_rank = lhs_free.size();
  const absl::Span<const int64_t> l = dot.lhs.dimensions(), r = dot.rhs.dimensions();
  dot.inner_rank = numbers.lhs_contracting.size();
  dot.batch = ProductOf(l.first(batch_rank));
  dot.result_sizes.assign(l.begin(), l.begin() + static_cast<int64_t>(batch_rank + free_rank));
  dot.result_sizes.insert(dot.result_sizes.end(), r.begin() + static_cast<int64_t>(batch_rank + dot.inner_rank),
                          r.end());
  return dot;
}

// [batch, rows, columns], with neighbouring elements along one of the last two dimensions.
absl::StatusOr<Tensor> AsMatrices(const Tensor& tensor, int64_t batch, int64_t rows, int64_t columns,
                                  KernelRuntime& runtime) {
  absl::StatusOr<Tensor> matrices = ReshapeElements(tensor, {batch, rows, columns}, runtime);
  if (!matrices.ok()) return matrices;
  const bool row_major = columns <= 1 || matrices->strides()[2] == 1;
  const bool column_major = rows <= 1 || matrices->strides()[1] == 1;
  const bool backwards = matrices->strides()[1] < 0 || matrices->strides()[2] < 0;
  return (row_major || column_major) && !backwards ? matrices : DenseElements(*matrices, runtime);
}

numerics::MatrixView ViewOf(const Tensor& matrices, ElementType sum_type) {
  const ElementType type = matrices.element_type();
  return numerics::MatrixView{matrices.data(), matrices.strides()[1], matrices.strides()[2],
                              type == sum_type ? ElementType::kInvalid : type};
}

// `result` holds all products, of bf16 or f32.
absl::Status MultiplyNarrow(const PreparedDot& dot, const Tensor& lhs, const Tensor& rhs, Tensor& result,
                            KernelRuntime& runtime) {
  const numerics::GemmSizes sizes = {dot.rows, dot.columns, dot.inner};
  if (result.element_type() == ElementType::kF32) {
    return StatusOf(numerics::MultiplyBf16Batch(dot.batch, sizes, ViewOf(lhs, dot.sum_type), lhs.strides()[0],
                                                ViewOf(rhs, dot.sum_type), rhs.strides()[0],
                                                result.mutable_data_as<float>(), runtime),
                    runtime);
  }
  const int64_t sum_count = numerics::SumsApart(dot.batch, sizes) ? dot.rows * dot.columns : 0;
  absl::StatusOr<Tensor> sums = Tensor::Allocate(ElementType::kF32, {sum_count});
  if (!sums.ok()) return sums.status();
  return StatusOf(numerics::MultiplyBf16Batch(
                      dot.batch, sizes, ViewOf(lhs, dot.sum_type), lhs.strides()[0], ViewOf(rhs, dot.sum_type),
                      rhs.strides()[0], sums->mutable_data_as<float>(), result.mutable_data_as<uint16_t>(), runtime),
                  runtime);
}

absl::StatusOr<Tensor> Finish(const Tensor& product, const DimensionVector& sizes, ElementType type,
                              KernelRuntime& runtime) {
  const bool is_exact = IsInteger(type) && IsFloat(product.element_type());
  absl::StatusOr<Tensor> rounded = product;
  if (is_exact) rounded = ConvertElements(product, numerics::IntegerOfExactSums(product.element_type()), runtime);
  if (rounded.ok()) rounded = ConvertElements(*rounded, type, runtime);
  if (!rounded.ok()) return rounded;
  return rounded->Reshape(sizes);
}

template <typename T>
absl::Status MultiplyByFormula(const Tensor& lhs, const Tensor& rhs, const PreparedDot& dot, uint8_t* result,
                               KernelRuntime& runtime) {
  const T* const l = lhs.data_as<T>();
  const T* const r = rhs.data_as<T>();
  T* const out = reinterpret_cast<T*>(result);
  const double nanoseconds = 2 * static_cast<double>(dot.inner) + 10;
  return ParallelLoop(runtime, dot.batch * dot.rows * dot.columns, nanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const int64_t column = n % dot.columns, row = n / dot.columns;  // row counts on through the batch
      const int64_t b = row / dot.rows;
      T sum = T();
      for (int64_t k = 0; k < dot.inner; ++k) {
        sum += l[row * dot.inner + k] * r[(b * dot.inner + k) * dot.columns + column];
      }
      out[n] = sum;
    }
  });
}

absl::StatusOr<Tensor> EvaluateDotFamily(const KernelContext& context) {
  const DotDimensionNumbers numbers = DotDimensionNumbersOf(context.module, context.id);
  const std::vector<Tensor> x = ValidOperands(context, 0, context.operands.size());
  const ElementType type = context.shape().element_type();
  switch (context.opcode()) {
    case Opcode::kDot:
      return Dot(x[0], x[1], numbers, type, context.runtime);
    case Opcode::kScaledDot:
      return ScaledDot(x[0], x[1], x[2], x[3], numbers, type, context.runtime);
    case Opcode::kRaggedDot: {
      RaggedDotDimensionNumbers ragged;
      ragged.dot = numbers;
      ragged.lhs_ragged = context.module.IntsAttribute(context.id, AttributeKind::kLhsRaggedDims)[0];
      const absl::Span<const int64_t> group = context.module.IntsAttribute(context.id, AttributeKind::kRhsGroupDims);
      if (!group.empty()) ragged.rhs_group = group[0];
      return RaggedDot(x[0], x[1], x[2], ragged, type, context.runtime);
    }
    default:
      break;
  }
  return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), " is not a contraction"));
}

}  // namespace

DotDimensionNumbers DotDimensionNumbersOf(const Module& module, InstructionId id) {
  const auto list = [&](AttributeKind kind) {
    const absl::Span<const int64_t> values = module.IntsAttribute(id, kind);
    return DimensionVector(values.begin(), values.end());
  };
  return {list(AttributeKind::kLhsBatchDims), list(AttributeKind::kRhsBatchDims),
          list(AttributeKind::kLhsContractingDims), list(AttributeKind::kRhsContractingDims)};
}

absl::StatusOr<Tensor> Dot(const Tensor& lhs, const Tensor& rhs, const DotDimensionNumbers& numbers,
                           ElementType result_type, KernelRuntime& runtime) {
  absl::StatusOr<PreparedDot> dot = Prepare(lhs, rhs, numbers, result_type, runtime, /*is_reference=*/false);
  if (!dot.ok()) return dot.status();
  const numerics::GemmSizes sizes = {dot->rows, dot->columns, dot->inner};
  const bool stays_narrow = dot->is_narrow && dot->batch > 0 && numerics::IsWorthPacking(sizes);
  const ElementType type = stays_narrow ? result_type : dot->sum_type;
  absl::StatusOr<Tensor> product = Tensor::Allocate(type, {dot->batch, dot->rows, dot->columns});
  if (!product.ok()) return product;
  if (product->element_count() > 0) {
    absl::StatusOr<Tensor> l = AsMatrices(dot->lhs, dot->batch, dot->rows, dot->inner, runtime);
    if (!l.ok()) return l;
    absl::StatusOr<Tensor> r = AsMatrices(dot->rhs, dot->batch, dot->inner, dot->columns, runtime);
    if (!r.ok()) return r;
    absl::Status status;
    if (stays_narrow) {
      status = MultiplyNarrow(*dot, *l, *r, *product, runtime);
    } else {
      if (dot->is_narrow) {
        // What is read about once stays as it is; what is small is widened.
        const numerics::WideOperand stays = numerics::WideOperandOf(sizes, numerics::kThinBf16);
        if (stays != numerics::WideOperand::kLeft) l = ConvertInMemoryOrder(*l, {type}, runtime);
        if (!l.ok()) return l;
        if (stays != numerics::WideOperand::kRight) r = ConvertInMemoryOrder(*r, {type}, runtime);
        if (!r.ok()) return r;
      }
      status =
          StatusOf(numerics::MultiplyMatrixBatch(type, dot->batch, sizes, ViewOf(*l, type), l->strides()[0],
                                                 ViewOf(*r, type), r->strides()[0], product->mutable_data(), runtime),
                   runtime);
    }
    if (!status.ok()) return status;
  }
  return Finish(*product, dot->result_sizes, result_type, runtime);
}

absl::StatusOr<Tensor> DotReference(const Tensor& lhs, const Tensor& rhs, const DotDimensionNumbers& numbers,
                                    ElementType result_type, KernelRuntime& runtime) {
  absl::StatusOr<PreparedDot> dot = Prepare(lhs, rhs, numbers, result_type, runtime, /*is_reference=*/true);
  if (!dot.ok()) return dot.status();
  const ElementType type = dot->sum_type;
  absl::StatusOr<Tensor> product = Tensor::Allocate(type, {dot->batch, dot->rows, dot->columns});
  if (!product.ok()) return product;
  if (product->element_count() > 0) {
    absl::StatusOr<Tensor> l = dot->lhs.Contiguous();
    if (!l.ok()) return l;
    absl::StatusOr<Tensor> r = dot->rhs.Contiguous();
    if (!r.ok()) return r;
    uint8_t* const out = product->mutable_data();
    absl::Status status = numerics::VisitAccumulator(
        type, [&](auto zero) { return MultiplyByFormula<decltype(zero)>(*l, *r, *dot, out, runtime); });
    if (!status.ok()) return status;
  }
  return Finish(*product, dot->result_sizes, result_type, runtime);
}

absl::StatusOr<Value> EvaluateDot(const KernelContext& context) {
  return BoundedValue(EvaluateDotFamily(context), context.shape());
}

}  // namespace hloscope::evaluator
