// SPDX-License-Identifier: Apache-2.0
// convolution (docs/ops/tensor.md 4).
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_inference.h"
#include "core/ops/window_rules.h"

namespace hloscope {
namespace {

class ConvolutionRule {
 public:
  ConvolutionRule(RuleContext& context, const ConvolutionDimensionNumbers& numbers)
      : context_(context),
        numbers_(numbers),
        lhs_(context.operand_shape(0)),
        kernel_(context.operand_shape(1)),
        feature_groups_(context.Int(AttributeKind::kFeatureGroupCount, 1)),
        batch_groups_(context.Int(AttributeKind::kBatchGroupCount, 1)) {
    if (const Window* window = context.module().WindowAttribute(context.id())) window_ = *window;
  }

  // What holds for the gradients too, whose sizes follow other rules (which XLA documents nowhere).
  void CheckGradient() {
    CheckGroups();
    CheckDimensionNumbers();
    CheckWindow();
  }

  InferredShape Infer() {
    const bool groups_ok = CheckGroups();
    const bool numbers_ok = CheckDimensionNumbers();
    const bool window_ok = CheckWindow();
    const bool sparsity_ok = CheckSparsity();
    if (!groups_ok || !numbers_ok || !window_ok || !sparsity_ok) return std::nullopt;
    const bool features_ok = CheckFeatures();
    const bool batch_ok = CheckDivisible(lhs_.dimension(numbers_.input_batch), batch_groups_,
                                         AttributeKind::kBatchGroupCount, "the batch size");
    InferredShape result = InferResult();
    return features_ok && batch_ok ? result : std::nullopt;
  }

 private:
  size_t spatial_count() const { return numbers_.input_spatial.size(); }

  // CONV-1, CONV-2.
  bool CheckGroups() {
    bool ok = true;
    for (AttributeKind attribute : {AttributeKind::kFeatureGroupCount, AttributeKind::kBatchGroupCount}) {
      const int64_t count = context_.Int(attribute, 1);
      if (count > 0) continue;
      ok = false;
      context_.Report(DiagnosticKind::kGroupCount, Anchor::AttributeValue(attribute), AttributeName(attribute), count);
    }
    if (ok && feature_groups_ > 1 && batch_groups_ > 1) {
      ok = false;
      context_.Report(DiagnosticKind::kGroupCounts, Anchor::Attribute(AttributeKind::kBatchGroupCount), feature_groups_,
                      batch_groups_);
    }
    return ok;
  }

  void ReportDimLabels(absl::string_view detail) {
    context_.Report(DiagnosticKind::kConvolutionDimensions, Anchor::AttributeValue(AttributeKind::kDimLabels), detail);
  }

  // CONV-3, 5, 7, 8.
  bool CheckDimensionNumbers() {
    const size_t n = spatial_count();
    if (numbers_.kernel_spatial.size() != n || numbers_.output_spatial.size() != n) {
      ReportDimLabels(absl::StrCat("the labels name ", n, ", ", numbers_.kernel_spatial.size(), " and ",
                                   numbers_.output_spatial.size(), " spatial dimensions"));
      return false;
    }
    bool ok = true;
    for (size_t k = 0; k < 2; ++k) {
      const Shape& operand = context_.operand_shape(k);
      if (operand.rank() == static_cast<int64_t>(n) + 2) continue;
      context_.Report(DiagnosticKind::kConvolutionRank, Anchor::Operand(k), k == 0 ? "input" : "kernel",
                      operand.ToString(false), n + 2);
      ok = false;
    }
    ok = CheckRoles("input", numbers_.input_batch, numbers_.input_feature, numbers_.input_spatial) && ok;
    ok = CheckRoles("kernel", numbers_.kernel_input_feature, numbers_.kernel_output_feature, numbers_.kernel_spatial) &&
         ok;
    return CheckRoles("output", numbers_.output_batch, numbers_.output_feature, numbers_.output_spatial) && ok;
  }

  // The numbers of one array name every dimension once.
  bool CheckRoles(absl::string_view array, int64_t first, int64_t second, absl::Span<const int64_t> spatial) {
    DimensionVector all = {first, second};
    all.insert(all.end(), spatial.begin(), spatial.end());
    DimensionVector sorted = all;
    std::sort(sorted.begin(), sorted.end());
    for (size_t d = 0; d < sorted.size(); ++d) {
      if (sorted[d] == static_cast<int64_t>(d)) continue;
      ReportDimLabels(absl::StrCat("the ", array, " dimension numbers {", absl::StrJoin(all, ","),
                                   "} must name each of 0..", sorted.size() - 1, " once"));
      return false;
    }
    return true;
  }

  // CONV-4, CONV-14.
  bool CheckWindow() {
    bool ok = CheckWindowFields(context_, window_);
    if (window_.dimensions.size() != spatial_count()) {
      context_.Report(DiagnosticKind::kConvolutionWindow, Anchor::Attribute(AttributeKind::kWindow),
                      CountOf(window_.dimensions.size(), "dimension", "dimensions"),
                      CountOf(spatial_count(), "spatial dimension", "spatial dimensions"));
      ok = false;
    }
    return ok;
  }

  bool CheckDivisible(int64_t size, int64_t groups, AttributeKind attribute, absl::string_view what) {
    if (size == kUnboundedSize || size % groups == 0) return true;
    context_.Report(DiagnosticKind::kGroupDivision, Anchor::Attribute(attribute), what, size, AttributeName(attribute),
                    groups);
    return false;
  }

  // CONV-9, 10, 12, 15.
  bool CheckFeatures() {
    const int64_t outputs = kernel_.dimension(numbers_.kernel_output_feature);
    const int64_t inputs = lhs_.dimension(numbers_.input_feature);
    const int64_t kernel_inputs = kernel_.dimension(numbers_.kernel_input_feature);
    bool ok = CheckDivisible(outputs, batch_groups_, AttributeKind::kBatchGroupCount, "the number of output features");
    ok = CheckDivisible(outputs, feature_groups_, AttributeKind::kFeatureGroupCount, "the number of output features") &&
         ok;
    const bool inputs_ok =
        CheckDivisible(inputs, feature_groups_, AttributeKind::kFeatureGroupCount, "the number of input features");
    const int64_t dense_inputs = inputs == kUnboundedSize ? inputs : DenseSize(0, numbers_.input_feature, inputs);
    const int64_t dense_kernel_inputs =
        kernel_inputs == kUnboundedSize ? kernel_inputs : DenseSize(1, numbers_.kernel_input_feature, kernel_inputs);
    if (inputs_ok && inputs != kUnboundedSize && kernel_inputs != kUnboundedSize &&
        dense_inputs / feature_groups_ != dense_kernel_inputs) {
      Diagnostic& diagnostic = context_.Report(
          DiagnosticKind::kConvolutionFeatures, Anchor::Operand(1),
          CountOf(static_cast<size_t>(dense_inputs), "input feature", "input features"),
          CountOf(static_cast<size_t>(feature_groups_), "group", "groups"),
          CountOf(static_cast<size_t>(dense_inputs / feature_groups_), "input feature", "input features"),
          dense_kernel_inputs);
      context_.RelateOperand(diagnostic, 0, numbers_.input_feature);
      context_.RelateOperand(diagnostic, 1, numbers_.kernel_input_feature);
      ok = false;
    }
    if (kernel_.IsDynamicDimension(numbers_.kernel_output_feature)) {
      context_.Report(DiagnosticKind::kKernelOutputDynamic, Anchor::Operand(1), numbers_.kernel_output_feature,
                      kernel_.ToString(false));
      ok = false;
    }
    return inputs_ok && ok;
  }

  // Size of dimension `d` of operand `k` (0: input, 1: kernel) after a sparse operand is made dense.
  int64_t DenseSize(size_t k, int64_t d, int64_t size) const {
    const SparsityConfig* config = context_.module().SparsityAttribute(context_.id());
    if (config == nullptr) return size;
    const std::optional<SparsitySide>& side = k == 0 ? config->lhs : config->rhs;
    if (!side.has_value() || side->dimension != d || side->block <= 0) return size;
    const CheckedInt64 dense = CheckedInt64(size) * side->block;
    return dense.ok() ? dense.value() : size;
  }

  void ReportSparsity(const SparsitySide& side, absl::string_view detail) {
    context_.Report(DiagnosticKind::kSparsity, Anchor::Attribute(AttributeKind::kSparsityConfig),
                    absl::StrCat(side.nonzeros, "x", side.block), detail);
  }

  // CONV-16, and of CONV-17 what needs no values.
  bool CheckSparsity() {
    const SparsityConfig* config = context_.module().SparsityAttribute(context_.id());
    const BlockScalingConfig* scaling = context_.module().BlockScalingAttribute(context_.id());
    size_t expected = 2;
    if (config != nullptr) expected += static_cast<size_t>(config->lhs.has_value()) + config->rhs.has_value();
    if (scaling != nullptr) {
      for (const std::optional<BlockScalingSide>* side : {&scaling->lhs, &scaling->rhs}) {
        if (side->has_value()) expected += (*side)->zero_idx.has_value() ? 2 : 1;
      }
    }
    if (context_.operand_count() > expected) {
      context_.ReportTolerated(DiagnosticKind::kOperandCount, Anchor::OperandList(), context_.opcode_name(),
                               ExpectedOperands(expected), CountOf(context_.operand_count(), "operand", "operands"));
    }
    if (config != nullptr && config->lhs.has_value() && config->rhs.has_value() &&
        config->lhs->idx == config->rhs->idx) {
      ReportSparsity(*config->lhs, absl::StrCat("lhs and rhs share operand ", config->lhs->idx));
      return false;
    }
    bool ok = scaling == nullptr || CheckScaling(*scaling);
    if (config == nullptr) return ok;
    if (config->lhs.has_value()) ok = CheckSparseSide(*config->lhs, lhs_) && ok;
    if (config->rhs.has_value()) ok = CheckSparseSide(*config->rhs, kernel_) && ok;
    return ok;
  }

  static absl::string_view ExpectedOperands(size_t count) {
    return count == 2 ? "an input and a kernel" : "an input, a kernel and what its configurations name";
  }

  bool CheckSparseSide(const SparsitySide& side, const Shape& values) {
    if (side.idx < 2 || side.idx >= static_cast<int64_t>(context_.operand_count())) {
      ReportSparsity(side,
                     absl::StrCat("idx ", side.idx, " must name an operand in [2,", context_.operand_count(), ")"));
    } else if (side.nonzeros != 1 || side.block <= 0) {
      ReportSparsity(side, "only one value in each block of at least one is supported");
    } else if (side.dimension < 0 || side.dimension >= values.rank()) {
      ReportSparsity(side, absl::StrCat("dimension ", side.dimension, " is out of range [0,", values.rank(), ")"));
    } else {
      CheckSparseValues(side, values);
      return true;
    }
    return false;
  }

  // What compilers accept, and nobody computes.
  void CheckSparseValues(const SparsitySide& side, const Shape& values) {
    const Shape& positions = context_.operand_shape(static_cast<size_t>(side.idx));
    std::string detail;
    if (side.stride != 1) {
      detail = absl::StrCat("stride ", side.stride, " must be 1");
    } else if (!SameSizes(positions, values)) {
      detail = absl::StrCat("operand ", side.idx, " is ", positions.ToString(false), " but the values are ",
                            values.ToString(false));
    } else {
      return;
    }
    context_.ReportTolerated(DiagnosticKind::kSparsity, Anchor::Attribute(AttributeKind::kSparsityConfig),
                             absl::StrCat(side.nonzeros, "x", side.block), detail);
  }

  // CONV-18: scales and zero points are operands of their own.
  bool CheckScaling(const BlockScalingConfig& config) {
    const Anchor anchor = Anchor::Attribute(AttributeKind::kBlockScalingConfig);
    const int64_t count = static_cast<int64_t>(context_.operand_count());
    bool ok = true;
    const auto check = [&](absl::string_view field, int64_t idx) {
      if (idx >= 2 && idx < count) return;
      context_.Report(DiagnosticKind::kValueOutOfRange, anchor, idx,
                      absl::StrCat("`", field, "` takes the number of an operand in [2,", count, ")"));
      ok = false;
    };
    for (const std::optional<BlockScalingSide>* side : {&config.lhs, &config.rhs}) {
      if (!side->has_value()) continue;
      check("scale_idx", (*side)->scale_idx);
      if ((*side)->zero_idx.has_value()) check("zero_idx", *(*side)->zero_idx);
    }
    if (ok && config.lhs.has_value() && config.rhs.has_value() && config.lhs->scale_idx == config.rhs->scale_idx) {
      context_.Report(DiagnosticKind::kValueOutOfRange, anchor, config.rhs->scale_idx,
                      "`scale_idx` of lhs and rhs name different operands");
      ok = false;
    }
    return ok;
  }

  // CONV-13 and the result's sizes.
  InferredShape InferResult() {
    DimensionVector sizes(spatial_count() + 2);
    absl::InlinedVector<bool, 6> dynamic(spatial_count() + 2, false);
    const auto at = [](auto& list, int64_t i) -> auto& { return list[static_cast<size_t>(i)]; };
    const int64_t batch = lhs_.dimension(numbers_.input_batch);
    at(sizes, numbers_.output_batch) = batch == kUnboundedSize ? batch : batch / batch_groups_;
    at(dynamic, numbers_.output_batch) = lhs_.IsDynamicDimension(numbers_.input_batch);
    at(sizes, numbers_.output_feature) = kernel_.dimension(numbers_.kernel_output_feature);
    bool ok = true;
    for (size_t j = 0; j < spatial_count(); ++j) {
      const int64_t input = numbers_.input_spatial[j], kernel = numbers_.kernel_spatial[j];
      const int64_t output = numbers_.output_spatial[j];
      const int64_t kernel_size = DenseSize(1, kernel, kernel_.dimension(kernel));
      if (!kernel_.IsUnboundedDimension(kernel) && kernel_size != window_.dimensions[j].size) {
        const Anchor field = Anchor::FieldEntry(AttributeKind::kWindow, "size", j);
        Diagnostic& diagnostic =
            context_.Report(DiagnosticKind::kKernelSize, field, j, kernel_size, window_.dimensions[j].size);
        context_.RelateOperand(diagnostic, 1, kernel);
        if (kernel_size > 0) {
          diagnostic.Fix(absl::StrCat("change the window size to ", kernel_size), context_.RangeOf(field),
                         absl::StrCat(kernel_size));
        }
        ok = false;
      }
      const std::optional<int64_t> count = InferWindowCount(context_, window_, j, DenseInput(), input);
      ok = ok && count.has_value();
      at(sizes, output) = count.value_or(0);
      at(dynamic, output) = lhs_.IsDynamicDimension(input) || kernel_.IsDynamicDimension(kernel);
    }
    if (!ok) return std::nullopt;
    const Shape& declared = context_.declared_shape();
    const ElementType type =
        declared.IsArray() ? declared.element_type() : WiderType(lhs_.element_type(), kernel_.element_type());
    return Shape::Array(type, sizes, dynamic);
  }

  // The input with a sparse dimension at its dense size.
  const Shape& DenseInput() {
    const SparsityConfig* config = context_.module().SparsityAttribute(context_.id());
    if (config == nullptr || !config->lhs.has_value()) return lhs_;
    dense_input_ = lhs_;
    const int64_t d = config->lhs->dimension;
    if (d >= 0 && d < lhs_.rank() && !lhs_.IsUnboundedDimension(d)) {
      dense_input_.set_dimension(d, DenseSize(0, d, lhs_.dimension(d)));
    }
    return dense_input_;
  }

  RuleContext& context_;
  const ConvolutionDimensionNumbers& numbers_;
  const Shape& lhs_;
  const Shape& kernel_;
  const int64_t feature_groups_, batch_groups_;
  Window window_;  // without dimensions if it is not written
  Shape dense_input_;
};

}  // namespace

InferredShape InferConvolution(RuleContext& context) {
  if (context.operand_count() < 2) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(), "an input and a kernel",
                   CountOf(context.operand_count(), "operand", "operands"));
    return std::nullopt;
  }
  if (!CheckArrayOperands(context)) return std::nullopt;
  const ConvolutionDimensionNumbers* numbers = context.module().DimLabelsAttribute(context.id());
  if (numbers == nullptr) return std::nullopt;
  const ConvolutionKind kind =
      context.module().WordAttribute(context.id(), AttributeKind::kConvolutionKind, ConvolutionKind::kUnset);
  ConvolutionRule rule(context, *numbers);
  if (kind != ConvolutionKind::kDgrad && kind != ConvolutionKind::kWgrad) return rule.Infer();
  rule.CheckGradient();
  if (!context.instruction().shape_declared) {
    context.Report(DiagnosticKind::kMissingShape, Anchor::Opcode(), context.opcode_name());
  }
  return std::nullopt;
}

}  // namespace hloscope
