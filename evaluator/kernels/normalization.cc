// batch-norm-training, -inference and -grad (spec/ops-b-tensor.md 8).
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/element_conversion.h"
#include "evaluator/kernels/kernel.h"
#include "evaluator/kernels/parallel_loop.h"
#include "evaluator/kernels/valid_region.h"

namespace hloscope {
namespace {

// An array of the operand's shape as [outer, feature, inner], dense, in the type of the computation.
struct Extent {
  int64_t outer = 1, features = 1, inner = 1;

  int64_t per_feature() const { return outer * inner; }
  // Calls `visit(linear index)` for the elements of one feature.
  template <typename Visit>
  void ForEachOf(int64_t feature, Visit&& visit) const {
    for (int64_t o = 0; o < outer; ++o) {
      const int64_t first = (o * features + feature) * inner;
      for (int64_t i = 0; i < inner; ++i) visit(first + i);
    }
  }
};

Extent ExtentOf(const Tensor& x, int64_t feature_index) {
  Extent extent;
  for (int64_t d = 0; d < x.rank(); ++d) {
    int64_t& part = d < feature_index ? extent.outer : d == feature_index ? extent.features : extent.inner;
    part *= x.dimension(d);
  }
  return extent;
}

template <typename T>
class BatchNorm {
 public:
  BatchNorm(const KernelContext& context, ElementType type) : context_(context), type_(type) {}

  // Results in the type of the computation.
  absl::StatusOr<std::vector<Tensor>> Run() {
    const std::vector<Tensor> operands = ValidOperands(context_, 0, context_.operands.size());
    const int64_t feature_index = context_.module.IntAttribute(context_.id, AttributeKind::kFeatureIndex);
    epsilon_ = static_cast<T>(static_cast<float>(context_.module.FloatAttribute(context_.id, AttributeKind::kEpsilon)));
    extent_ = ExtentOf(operands[0], feature_index);
    for (const Tensor& operand : operands) {
      absl::StatusOr<Tensor> x = ConvertElements(operand, type_, context_.runtime);
      if (x.ok()) x = x->Contiguous();
      if (!x.ok()) return x.status();
      operands_.push_back(*std::move(x));
    }
    absl::StatusOr<Tensor> y = Tensor::Allocate(type_, operands[0].dimensions());
    if (!y.ok()) return y.status();
    results_.push_back(*std::move(y));
    if (context_.opcode() != Opcode::kBatchNormInference) {
      for (int k = 0; k < 2; ++k) {
        absl::StatusOr<Tensor> statistic = Tensor::Allocate(type_, {extent_.features});
        if (!statistic.ok()) return statistic.status();
        results_.push_back(*std::move(statistic));
      }
    }
    for (Tensor& result : results_) outputs_.push_back(result.mutable_data_as<T>());
    const double nanoseconds = 4 * static_cast<double>(extent_.per_feature()) + 10;
    absl::Status status =
        ParallelLoop(context_.runtime, extent_.features, nanoseconds, [&](int64_t begin, int64_t end) {
          for (int64_t c = begin; c < end; ++c) {
            if (context_.opcode() == Opcode::kBatchNormTraining) {
              Training(c);
            } else if (context_.opcode() == Opcode::kBatchNormInference) {
              Normalize(c, At(3, c), At(4, c), At(2, c));
            } else {
              Gradient(c);
            }
          }
        });
    if (!status.ok()) return status;
    return results_;
  }

 private:
  T At(size_t operand, int64_t i) const { return operands_[operand].data_as<T>()[i]; }

  void Normalize(int64_t c, T mean, T variance, T offset) {
    const T* const x = operands_[0].data_as<T>();
    T* const y = outputs_[0];
    const T scale = At(1, c), deviation = std::sqrt(variance + epsilon_);
    extent_.ForEachOf(c, [&](int64_t i) { y[i] = scale * (x[i] - mean) / deviation + offset; });
  }

  void Training(int64_t c) {
    const T* const x = operands_[0].data_as<T>();
    const T count = static_cast<T>(extent_.per_feature());
    T sum = 0, squares = 0;
    extent_.ForEachOf(c, [&](int64_t i) { sum += x[i]; });
    const T mean = sum / count;
    extent_.ForEachOf(c, [&](int64_t i) { squares += (x[i] - mean) * (x[i] - mean); });
    const T variance = squares / count;  // D11: in two passes
    outputs_[1][c] = mean;
    outputs_[2][c] = variance;
    Normalize(c, mean, variance, At(2, c));
  }

  void Gradient(int64_t c) {
    const T* const x = operands_[0].data_as<T>();
    const T* const g = operands_[4].data_as<T>();
    T* const dx = outputs_[0];
    const T scale = At(1, c), mean = At(2, c), variance = At(3, c) + epsilon_;
    const T count = static_cast<T>(extent_.per_feature());
    T sum = 0, weighted = 0;
    extent_.ForEachOf(c, [&](int64_t i) {
      sum += g[i];
      weighted += g[i] * (x[i] - mean);
    });
    outputs_[1][c] = weighted / std::sqrt(variance);
    outputs_[2][c] = sum;
    const T factor = scale / std::sqrt(variance);
    extent_.ForEachOf(
        c, [&](int64_t i) { dx[i] = factor * (g[i] - sum / count - (x[i] - mean) * weighted / (count * variance)); });
  }

  const KernelContext& context_;
  const ElementType type_;
  T epsilon_ = 0;
  Extent extent_;
  std::vector<Tensor> operands_, results_;
  std::vector<T*> outputs_;
};

}  // namespace

absl::StatusOr<Value> EvaluateNormalization(const KernelContext& context) {
  const ElementType type = context.tensor(0).element_type();
  // f32 and f64 are computed in f64, narrower types in f32; every result is rounded once.
  const bool is_wide = type == ElementType::kF32 || type == ElementType::kF64;
  absl::StatusOr<std::vector<Tensor>> results = is_wide ? BatchNorm<double>(context, ElementType::kF64).Run()
                                                        : BatchNorm<float>(context, ElementType::kF32).Run();
  if (!results.ok()) return results.status();
  for (Tensor& result : *results) {
    absl::StatusOr<Tensor> rounded = ConvertElements(result, type, context.runtime);
    if (!rounded.ok()) return rounded.status();
    result = *std::move(rounded);
  }
  return BoundedValue(*std::move(results), context.shape());
}

}  // namespace hloscope
