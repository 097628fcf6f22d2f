// SPDX-License-Identifier: Apache-2.0
// batch-norm-training, -inference and -grad (docs/ops/tensor.md 8).
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_inference.h"

namespace hloscope {
namespace {

// What operands 1, 2, ... are called.
absl::Span<const absl::string_view> FeatureOperandNames(Opcode opcode) {
  static constexpr absl::string_view kTraining[] = {"scale", "offset"};
  static constexpr absl::string_view kInference[] = {"scale", "offset", "mean", "variance"};
  static constexpr absl::string_view kGrad[] = {"scale", "mean", "variance"};
  if (opcode == Opcode::kBatchNormTraining) return kTraining;
  if (opcode == Opcode::kBatchNormInference) return kInference;
  return kGrad;
}

// BN-3..5: operand `k` is a vector with one entry for each feature.
bool CheckFeatureVector(RuleContext& context, size_t k, absl::string_view name, int64_t feature) {
  const Shape& x = context.operand_shape(0);
  const Shape& vector = context.operand_shape(k);
  bool ok = true;
  if (!SameUpToFloatPrecision(vector.element_type(), x.element_type())) {
    ReportTypesDiffer(context, 0, k);
    ok = false;
  }
  const int64_t features = x.dimension(feature);
  const bool size_ok = vector.rank() > 0 && (vector.dimension(0) == features || vector.IsUnboundedDimension(0) ||
                                             features == kUnboundedSize);
  if (vector.rank() == 1 && size_ok) return ok;
  // BN-3: of the mean and the variance of an inference compilers compare the first size alone.
  const bool is_tolerated = size_ok && context.opcode() == Opcode::kBatchNormInference && k >= 3;
  const auto report = [&](const auto&... args) -> Diagnostic& {
    return is_tolerated ? context.ReportTolerated(DiagnosticKind::kFeatureVector, Anchor::Operand(k), args...)
                        : context.Report(DiagnosticKind::kFeatureVector, Anchor::Operand(k), args...);
  };
  Diagnostic& diagnostic = report(context.opcode_name(), k, name, vector.ToString(false),
                                  features == kUnboundedSize ? "?" : absl::StrCat(features), feature);
  context.RelateOperand(diagnostic, k);
  context.RelateOperand(diagnostic, 0, feature);
  return ok && is_tolerated;
}

// BN-6, and BN-2 and BN-4 for the gradient.
bool CheckGradOutput(RuleContext& context) {
  const Shape& x = context.operand_shape(0);
  const Shape& grad = context.operand_shape(4);
  bool ok = CheckOperandType(context, 4, kFloatTypes);
  if (!SameSizes(x, grad)) {
    ReportShapesDiffer(context, 0, 4, ": the gradient of the output has the shape of operand 0");
    ok = false;
  }
  return ok;
}

}  // namespace

InferredShape InferNormalization(RuleContext& context) {
  if (!CheckArrayOperands(context) || !HasRequiredAttributes(context)) return std::nullopt;
  const Shape& x = context.operand_shape(0);
  bool ok = CheckOperandType(context, 0, kFloatTypes);
  const int64_t feature = context.Int(AttributeKind::kFeatureIndex);
  const bool feature_ok = CheckDimension(context, AttributeKind::kFeatureIndex, feature, x.rank(), "operand 0");
  const absl::Span<const absl::string_view> names = FeatureOperandNames(context.opcode());
  for (size_t i = 0; ok && feature_ok && i < names.size(); ++i) {
    ok = CheckFeatureVector(context, i + 1, names[i], feature) && ok;
  }
  if (context.opcode() == Opcode::kBatchNormGrad) ok = CheckGradOutput(context) && ok;
  if (!ok || !feature_ok) return std::nullopt;
  CheckMixedPrecision(context);
  if (context.opcode() == Opcode::kBatchNormInference) return x;
  const bool dynamic = x.IsDynamicDimension(feature);
  const Shape features = Shape::Array(x.element_type(), {x.dimension(feature)}, {dynamic});
  return Shape::Tuple({x, features, features});
}

}  // namespace hloscope
