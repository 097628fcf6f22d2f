// batch-norm-training, -inference and -grad (spec/ops-b-tensor.md 8).
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/batch_norm.h"
#include "evaluator/kernels/element_conversion.h"
#include "evaluator/kernels/element_copy.h"
#include "evaluator/kernels/kernel.h"
#include "evaluator/kernels/parallel_loop.h"
#include "evaluator/kernels/valid_region.h"

namespace hloscope {
namespace {

FeatureExtent ExtentOf(const Tensor& x, int64_t feature_index) {
  FeatureExtent extent;
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
    extent_ = ExtentOf(operands[0], feature_index);
    for (const Tensor& operand : operands) {
      absl::StatusOr<Tensor> x = ConvertElements(operand, type_, context_.runtime);
      if (x.ok()) x = DenseElements(*x, context_.runtime);
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
    BatchNormFeatures<T> features;
    features.extent = extent_;
    features.epsilon = static_cast<float>(context_.module.FloatAttribute(context_.id, AttributeKind::kEpsilon));
    for (size_t k = 0; k < operands_.size(); ++k) features.operands[k] = operands_[k].data_as<T>();
    for (size_t k = 0; k < results_.size(); ++k) features.results[k] = results_[k].mutable_data_as<T>();
    const double nanoseconds = 4 * static_cast<double>(extent_.per_feature()) + 10;
    absl::Status status =
        ParallelLoop(context_.runtime, extent_.features, nanoseconds, [&](int64_t begin, int64_t end) {
          for (int64_t c = begin; c < end; ++c) {
            if (context_.opcode() == Opcode::kBatchNormTraining) {
              features.Training(c);
            } else if (context_.opcode() == Opcode::kBatchNormInference) {
              features.Inference(c);
            } else {
              features.Gradient(c);
            }
          }
        });
    if (!status.ok()) return status;
    return results_;
  }

 private:
  const KernelContext& context_;
  const ElementType type_;
  FeatureExtent extent_;
  std::vector<Tensor> operands_, results_;
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
