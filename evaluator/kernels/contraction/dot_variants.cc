// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/contraction/dot_variants.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "core/ops/dot.h"
#include "evaluator/kernels/data_movement/data_movement.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/index_values.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "numerics/contraction/gemm.h"

namespace hloscope::evaluator {
namespace {

// One position of a dimension, which disappears.
Tensor WithoutDimension(const Tensor& tensor, int64_t dimension, int64_t position) {
  DimensionVector sizes(tensor.dimensions().begin(), tensor.dimensions().end());
  DimensionVector strides(tensor.strides().begin(), tensor.strides().end());
  const int64_t offset = position * strides[static_cast<size_t>(dimension)];
  sizes.erase(sizes.begin() + dimension);
  strides.erase(strides.begin() + dimension);
  return tensor.View(sizes, strides, offset);
}

// op(a, b) for all elements, in the accumulator type `type`.
template <typename Op>
absl::StatusOr<Tensor> Combined(const Tensor& a, const Tensor& b, ElementType type, Op op, KernelRuntime& runtime) {
  absl::StatusOr<Tensor> x = ConvertElements(a, type, runtime), y = ConvertElements(b, type, runtime);
  if (x.ok()) x = CopyOfElements(*x, runtime);
  if (!x.ok()) return x;
  if (y.ok()) y = DenseElements(*y, runtime);
  if (!y.ok()) return y;
  numerics::VisitAccumulator(type, [&](auto zero) {
    using T = decltype(zero);
    T* const result = x->mutable_data_as<T>();
    const T* const other = y->data_as<T>();
    for (int64_t i = 0; i < x->element_count(); ++i) result[i] = op(result[i], other[i]);
  });
  return x;
}

// A dimension of the lhs that group_sizes has too, and where it is in the rhs and in the result.
struct PrefixDimension {
  int64_t lhs;
  std::optional<int64_t> rhs;
  std::optional<int64_t> result;
};

class RaggedDotEvaluation {
 public:
  RaggedDotEvaluation(const Tensor& lhs, const Tensor& rhs, const RaggedDotDimensionNumbers& numbers, ElementType type,
                      KernelRuntime& runtime)
      : lhs_(lhs), rhs_(rhs), numbers_(numbers), type_(type), runtime_(runtime) {
    const DotDimensionNumbers& dot = numbers.dot;
    lhs_free_ = FreeDimensions(lhs.rank(), dot.lhs_batch, dot.lhs_contracting);
    is_batch_ = absl::c_linear_search(dot.lhs_batch, numbers.lhs_ragged);
    is_contracting_ = absl::c_linear_search(dot.lhs_contracting, numbers.lhs_ragged);
    if (numbers.rhs_group) {
      // Inside a group its dimension of the rhs is gone.
      for (DimensionVector* list : {&inner_dot_.rhs_batch, &inner_dot_.rhs_contracting}) {
        for (int64_t d : list == &inner_dot_.rhs_batch ? dot.rhs_batch : dot.rhs_contracting) {
          list->push_back(d > *numbers.rhs_group ? d - 1 : d);
        }
      }
      inner_dot_.lhs_batch = dot.lhs_batch;
      inner_dot_.lhs_contracting = dot.lhs_contracting;
    } else {
      inner_dot_ = dot;
    }
  }

  absl::StatusOr<Tensor> Run(const Tensor& group_sizes) {
    const int64_t group_count = group_sizes.dimension(group_sizes.rank() - 1);
    if (!IsInteger(group_sizes.element_type())) {
      return absl::InvalidArgumentError(
          absl::StrCat("ragged-dot: the group sizes are ", group_sizes.shape().ToString(false), ", not integers"));
    }
    const std::vector<int64_t> sizes = ReadIndices(group_sizes);
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] < 0) return absl::InvalidArgumentError(absl::StrCat("ragged-dot: group size ", i, " is ", sizes[i]));
    }
    const std::vector<PrefixDimension> prefix = group_sizes.rank() > 1 ? Prefix() : std::vector<PrefixDimension>();
    absl::StatusOr<Tensor> result = ZeroTensor(type_, ResultSizes(group_count), runtime_);
    if (!result.ok() || result->element_count() == 0) return result;

    const size_t rows = sizes.size() / static_cast<size_t>(std::max<int64_t>(group_count, 1));
    for (size_t row = 0; row < rows; ++row) {
      if (absl::Status s = runtime_.CheckCancelled(); !s.ok()) return s;
      // The part of the operands and of the result that this row of group sizes speaks about. Dimensions keep their
      // number: a position becomes a range of size 1.
      Tensor lhs = lhs_, rhs = rhs_;
      Tensor target = *result;
      size_t rest = row;
      for (size_t k = prefix.size(); k-- > 0;) {
        const int64_t size = group_sizes.dimension(static_cast<int64_t>(k));
        const int64_t position = static_cast<int64_t>(rest) % size;
        rest /= static_cast<size_t>(size);
        lhs = RangeOf(lhs, prefix[k].lhs, position, 1);
        if (prefix[k].rhs) rhs = RangeOf(rhs, *prefix[k].rhs, position, 1);
        if (prefix[k].result) target = RangeOf(target, *prefix[k].result, position, 1);
      }
      const absl::Span<const int64_t> groups =
          absl::MakeConstSpan(sizes).subspan(row * static_cast<size_t>(group_count), static_cast<size_t>(group_count));
      if (absl::Status s = RunGroups(lhs, rhs, groups, target, *result); !s.ok()) return s;
    }
    return result;
  }

 private:
  // 5.2: the batch dimensions, then the free or contracting dimensions before the ragged one; for a ragged batch
  // dimension only the batch dimensions before it.
  std::vector<PrefixDimension> Prefix() const {
    const DotDimensionNumbers& dot = numbers_.dot;
    const int64_t first = is_contracting_ ? 1 : 0;
    std::vector<PrefixDimension> prefix;
    for (size_t k = 0; k < dot.lhs_batch.size(); ++k) {
      if (dot.lhs_batch[k] == numbers_.lhs_ragged) return prefix;
      prefix.push_back({dot.lhs_batch[k], dot.rhs_batch[k], first + static_cast<int64_t>(k)});
    }
    if (is_contracting_) {
      for (size_t k = 0; dot.lhs_contracting[k] != numbers_.lhs_ragged; ++k) {
        prefix.push_back({dot.lhs_contracting[k], dot.rhs_contracting[k], std::nullopt});
      }
    } else {
      for (size_t k = 0; lhs_free_[k] != numbers_.lhs_ragged; ++k) {
        prefix.push_back({lhs_free_[k], std::nullopt, static_cast<int64_t>(dot.lhs_batch.size() + k)});
      }
    }
    return prefix;
  }

  DimensionVector ResultSizes(int64_t group_count) const {
    DimensionVector sizes;
    if (is_contracting_) sizes.push_back(group_count);
    for (int64_t d : numbers_.dot.lhs_batch) sizes.push_back(lhs_.dimension(d));
    for (int64_t d : lhs_free_) sizes.push_back(lhs_.dimension(d));
    for (int64_t d : FreeDimensions(rhs_.rank(), numbers_.dot.rhs_batch, numbers_.dot.rhs_contracting)) {
      if (!numbers_.rhs_group || d != *numbers_.rhs_group) sizes.push_back(rhs_.dimension(d));
    }
    return sizes;
  }

  // Writes the dot of the operands to the region `target` of `result`, or adds it there.
  absl::Status Store(const Tensor& lhs, const Tensor& rhs, const Tensor& target, Tensor& result, bool accumulate) {
    absl::StatusOr<Tensor> product = Dot(lhs, rhs, inner_dot_, type_, runtime_);
    if (!product.ok()) return product.status();
    uint8_t* const destination = result.buffer()->data() + (target.data() - result.buffer()->data());
    if (!accumulate) return CopyElements(*product, destination, target.strides(), runtime_);
    absl::StatusOr<Tensor> sum = Combined(target, *product, numerics::AccumulatorType(type_), std::plus<>(), runtime_);
    if (sum.ok()) sum = ConvertElements(*sum, type_, runtime_);
    if (!sum.ok()) return sum.status();
    return CopyElements(*sum, destination, target.strides(), runtime_);
  }

  absl::Status RunGroups(const Tensor& lhs, const Tensor& rhs, absl::Span<const int64_t> groups, const Tensor& target,
                         Tensor& result) {
    const int64_t d = numbers_.lhs_ragged;
    const int64_t size = lhs.dimension(d);
    if (is_batch_) {
      const size_t k = static_cast<size_t>(absl::c_find(numbers_.dot.lhs_batch, d) - numbers_.dot.lhs_batch.begin());
      int64_t total = 0;
      for (int64_t g : groups) total = std::min(size, total + std::min(g, size));
      return Store(RangeOf(lhs, d, 0, total), RangeOf(rhs, numbers_.dot.rhs_batch[k], 0, total),
                   RangeOf(target, static_cast<int64_t>(k), 0, total), result, false);
    }
    int64_t begin = 0;
    for (size_t g = 0; g < groups.size() && begin < size; ++g) {
      const int64_t count = std::min(groups[g], size - begin);
      if (count > 0 && is_contracting_) {
        const size_t k =
            static_cast<size_t>(absl::c_find(numbers_.dot.lhs_contracting, d) - numbers_.dot.lhs_contracting.begin());
        // Rows of group sizes that differ only in contracting positions add up in one place.
        absl::Status s =
            Store(RangeOf(lhs, d, begin, count), RangeOf(rhs, numbers_.dot.rhs_contracting[k], begin, count),
                  WithoutDimension(target, 0, static_cast<int64_t>(g)), result, true);
        if (!s.ok()) return s;
      } else if (count > 0) {
        const int64_t result_dimension =
            static_cast<int64_t>(numbers_.dot.lhs_batch.size()) + (absl::c_find(lhs_free_, d) - lhs_free_.begin());
        absl::Status s =
            Store(RangeOf(lhs, d, begin, count), WithoutDimension(rhs, *numbers_.rhs_group, static_cast<int64_t>(g)),
                  RangeOf(target, result_dimension, begin, count), result, false);
        if (!s.ok()) return s;
      }
      begin += count;
    }
    return absl::OkStatus();
  }

  const Tensor& lhs_;
  const Tensor& rhs_;
  const RaggedDotDimensionNumbers& numbers_;
  const ElementType type_;
  KernelRuntime& runtime_;
  DimensionVector lhs_free_;
  DotDimensionNumbers inner_dot_;
  bool is_batch_ = false, is_contracting_ = false;
};

// `scale` with every element repeated over its block: a dense array of the operand's sizes in type `type`.
absl::StatusOr<Tensor> ExpandedScale(const Tensor& scale, const Tensor& operand, ElementType type,
                                     KernelRuntime& runtime) {
  absl::StatusOr<Tensor> converted = ConvertElements(scale, type, runtime);
  if (!converted.ok()) return converted;
  // [s0, s1] over [n0, n1] is the broadcast [s0, n0/s0, s1, n1/s1], reshaped.
  DimensionVector sizes, strides;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const int64_t count = converted->dimension(d);
    sizes.push_back(count);
    strides.push_back(converted->strides()[static_cast<size_t>(d)]);
    sizes.push_back(count == 0 ? 0 : operand.dimension(d) / count);
    strides.push_back(0);
  }
  return converted->View(sizes, strides, 0).Reshape(operand.dimensions());
}

// The operand times its scale, exact enough to be multiplied on: floats in f64, others in their accumulator type.
absl::StatusOr<Tensor> Scaled(const Tensor& operand, const Tensor& scale, ElementType result_type, ElementType type,
                              KernelRuntime& runtime) {
  absl::StatusOr<Tensor> declared = ConvertElements(operand, result_type, runtime);
  if (!declared.ok()) return declared;
  absl::StatusOr<Tensor> x = ConvertElements(*declared, type, runtime);
  if (!x.ok() || (scale.rank() == 0 && operand.rank() != 0)) return x;
  absl::StatusOr<Tensor> declared_scale = ConvertElements(scale, result_type, runtime);
  if (!declared_scale.ok()) return declared_scale;
  absl::StatusOr<Tensor> s = ExpandedScale(*declared_scale, operand, type, runtime);
  if (!s.ok()) return s;
  return Combined(*x, *s, type, std::multiplies<>(), runtime);
}

}  // namespace

absl::StatusOr<Tensor> RaggedDot(const Tensor& lhs, const Tensor& rhs, const Tensor& group_sizes,
                                 const RaggedDotDimensionNumbers& numbers, ElementType result_type,
                                 KernelRuntime& runtime) {
  const ElementType sum_type = numerics::AccumulatorType(result_type);
  const bool adds_up = group_sizes.rank() > 1 && numbers.dot.lhs_contracting.size() > 1 &&
                       absl::c_linear_search(numbers.dot.lhs_contracting, numbers.lhs_ragged);
  if (!adds_up || sum_type == result_type) {
    return RaggedDotEvaluation(lhs, rhs, numbers, result_type, runtime).Run(group_sizes);
  }
  // Several products become one number, which is rounded once.
  absl::StatusOr<Tensor> l = ConvertElements(lhs, result_type, runtime);
  if (!l.ok()) return l;
  absl::StatusOr<Tensor> r = ConvertElements(rhs, result_type, runtime);
  if (!r.ok()) return r;
  absl::StatusOr<Tensor> sums = RaggedDotEvaluation(*l, *r, numbers, sum_type, runtime).Run(group_sizes);
  if (!sums.ok()) return sums;
  return ConvertElements(*sums, result_type, runtime);
}

absl::StatusOr<Tensor> ScaledDot(const Tensor& lhs, const Tensor& rhs, const Tensor& lhs_scale, const Tensor& rhs_scale,
                                 const DotDimensionNumbers& numbers, ElementType result_type, KernelRuntime& runtime) {
  // The formula multiplies ((l*ls)*q)*qs in the accumulator type. For floats l*ls and q*qs are formed in f64 instead,
  // where neither can overflow or lose digits that the accumulator would have kept.
  const ElementType type = IsFloat(result_type) ? ElementType::kF64 : numerics::AccumulatorType(result_type);
  absl::StatusOr<Tensor> l = Scaled(lhs, lhs_scale, result_type, type, runtime);
  if (!l.ok()) return l;
  absl::StatusOr<Tensor> r = Scaled(rhs, rhs_scale, result_type, type, runtime);
  if (!r.ok()) return r;
  absl::StatusOr<Tensor> product = Dot(*l, *r, numbers, type, runtime);
  if (!product.ok()) return product;
  return ConvertElements(*product, result_type, runtime);
}

}  // namespace hloscope::evaluator
