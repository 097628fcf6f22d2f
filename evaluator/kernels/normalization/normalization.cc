// SPDX-License-Identifier: Apache-2.0
// batch-norm-training, -inference and -grad (docs/ops/tensor.md 8).
#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/memory_order.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/tensor/tensor.h"
#include "numerics/elements/numeric.h"
#include "numerics/normalization/batch_norm.h"
#include "numerics/normalization/batch_norm_arrays.h"

namespace hloscope::evaluator {
namespace {

numerics::FeatureExtent ExtentOf(const Tensor& x, int64_t feature_index) {
  numerics::FeatureExtent extent;
  for (int64_t d = 0; d < x.rank(); ++d) {
    int64_t& part = d < feature_index ? extent.outer : d == feature_index ? extent.features : extent.inner;
    part *= x.dimension(d);
  }
  return extent;
}

numerics::BatchNorm KindOf(Opcode opcode) {
  if (opcode == Opcode::kBatchNormTraining) return numerics::BatchNorm::kTraining;
  return opcode == Opcode::kBatchNormInference ? numerics::BatchNorm::kInference : numerics::BatchNorm::kGradient;
}

// Operands and results as elements of T, the big ones in the order in which the first operand lies in memory.
template <typename T>
class BatchNormalization {
 public:
  BatchNormalization(const KernelContext& context, ElementType type) : context_(context), type_(type) {}

  absl::StatusOr<std::vector<Tensor>> Run() {
    const std::vector<Tensor> operands = ValidOperands(context_, 0, context_.operands.size());
    const int64_t feature_index = context_.module.IntAttribute(context_.id, AttributeKind::kFeatureIndex);
    if (absl::Status s = CheckRunTimeSizes(operands, feature_index); !s.ok()) return s;
    // Sums in f64 of narrower types may be taken in the order of the memory; those of f64 show it in their last digits.
    std::optional<DimensionVector> order;
    if (!std::is_same_v<T, double>) order = DenseOrder(operands[0]);
    if (!order) {
      order.emplace(static_cast<size_t>(operands[0].rank()));
      std::iota(order->begin(), order->end(), 0);
    }
    for (size_t k = 0; k < operands.size(); ++k) {
      const bool is_big = k == 0 || (k == 4 && context_.opcode() == Opcode::kBatchNormGrad);
      absl::StatusOr<Tensor> x =
          ConvertElements(is_big ? InOrder(operands[k], *order) : operands[k], type_, context_.runtime);
      if (x.ok()) x = DenseElements(*x, context_.runtime);
      if (!x.ok()) return x.status();
      operands_.push_back(*std::move(x));
    }
    const Tensor& x = operands_[0];
    batch_.extent = ExtentOf(x, std::find(order->begin(), order->end(), feature_index) - order->begin());
    absl::StatusOr<Tensor> y = Tensor::Allocate(type_, x.dimensions());
    if (!y.ok()) return y.status();
    results_.push_back(*std::move(y));
    if (context_.opcode() != Opcode::kBatchNormInference) {
      for (int k = 0; k < 2; ++k) {
        absl::StatusOr<Tensor> statistic = Tensor::Allocate(type_, {batch_.extent.features});
        if (!statistic.ok()) return statistic.status();
        results_.push_back(*std::move(statistic));
      }
    }
    batch_.epsilon = static_cast<float>(context_.module.FloatAttribute(context_.id, AttributeKind::kEpsilon));
    for (size_t k = 0; k < operands_.size(); ++k) batch_.operands[k] = operands_[k].data_as<T>();
    for (size_t k = 0; k < results_.size(); ++k) batch_.results[k] = results_[k].mutable_data_as<T>();
    if (absl::Status status = Compute(); !status.ok()) return status;
    results_[0] = BackInOrder(results_[0], *order);
    return std::move(results_);
  }

 private:
  // Features and the gradient have the sizes of the first operand, also where they are dynamic.
  absl::Status CheckRunTimeSizes(absl::Span<const Tensor> operands, int64_t feature_index) const {
    const int64_t features = operands[0].dimension(feature_index);
    for (size_t k = 1; k < operands.size(); ++k) {
      const bool is_big = k == 4 && context_.opcode() == Opcode::kBatchNormGrad;
      if (is_big ? operands[k].dimensions() == operands[0].dimensions() : operands[k].element_count() == features) {
        continue;
      }
      return absl::InvalidArgumentError(
          absl::StrCat(OpcodeName(context_.opcode()), ": operand ", k, " has run-time sizes [",
                       absl::StrJoin(operands[k].dimensions(), ","), "], operand 0 has ", features, " features of [",
                       absl::StrJoin(operands[0].dimensions(), ","), "]"));
    }
    return absl::OkStatus();
  }

  absl::Status Compute() {
    const numerics::BatchNorm kind = KindOf(context_.opcode());
    if constexpr (std::is_same_v<T, double>) {
      const double nanoseconds = 4 * static_cast<double>(batch_.extent.per_feature()) + 10;
      return ParallelLoop(context_.runtime, batch_.extent.features, nanoseconds, [&](int64_t begin, int64_t end) {
        for (int64_t c = begin; c < end; ++c) batch_.Compute(kind, c);
      });
    } else {
      absl::StatusOr<Tensor> scratch =
          Tensor::Allocate(ElementType::kF64, {numerics::BatchNormScratch(kind, batch_.extent)});
      if (!scratch.ok()) return scratch.status();
      return StatusOf(numerics::NormalizeArrays(kind, batch_, scratch->mutable_data_as<double>(), context_.runtime),
                      context_.runtime);
    }
  }

  const KernelContext& context_;
  const ElementType type_;
  // Of f64 the plain formulas, feature by feature.
  std::conditional_t<std::is_same_v<T, double>, numerics::BatchNormFeatures<T>, numerics::BatchNormArrays<T>> batch_;
  std::vector<Tensor> operands_, results_;
};

}  // namespace

absl::StatusOr<Value> EvaluateNormalization(const KernelContext& context) {
  const ElementType type = context.tensor(0).element_type();
  // Statistics are computed in f64, as are results of f32 and f64; those of narrower types in f32. Every result is
  // rounded once, but for f16, whose arrays are those of f32.
  absl::StatusOr<std::vector<Tensor>> results =
      type == ElementType::kF64    ? BatchNormalization<double>(context, type).Run()
      : type == ElementType::kBF16 ? BatchNormalization<numerics::Bf16>(context, type).Run()
                                   : BatchNormalization<float>(context, ElementType::kF32).Run();
  if (!results.ok()) return results.status();
  for (Tensor& result : *results) {
    absl::StatusOr<Tensor> rounded = ConvertElements(result, type, context.runtime);
    if (!rounded.ok()) return rounded.status();
    result = *std::move(rounded);
  }
  return BoundedValue(*std::move(results), context.shape());
}

}  // namespace hloscope::evaluator
