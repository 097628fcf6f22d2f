// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dot.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_inference.h"

namespace hloscope {
namespace {

bool Lists(absl::Span<const int64_t> dimensions, int64_t d) {
  return std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end();
}

bool SizesMatch(const Shape& a, int64_t da, const Shape& b, int64_t db) {
  return a.dimension(da) == b.dimension(db) || a.IsUnboundedDimension(da) || b.IsUnboundedDimension(db);
}

// DOT-2: no dimension of one side is both batch and contracting (repetition inside a list is found with its range).
bool CheckDisjoint(RuleContext& context, absl::string_view side, absl::Span<const int64_t> batch,
                   absl::Span<const int64_t> contracting, AttributeKind attribute, int64_t rank) {
  const DimensionSet batch_set(rank, batch);
  bool ok = true;
  for (size_t i = 0; i < contracting.size(); ++i) {
    const int64_t d = contracting[i];
    if (d < 0 || d >= rank || !batch_set.Contains(d)) continue;
    context.Report(DiagnosticKind::kDotDimensionReused, Anchor::Entry(attribute, i), context.opcode_name(), side, d);
    ok = false;
  }
  return ok;
}

// DOT-3..6 for one kind of pairs.
bool CheckPairs(RuleContext& context, absl::string_view kind, absl::Span<const int64_t> lhs_dimensions,
                absl::Span<const int64_t> rhs_dimensions, AttributeKind rhs_attribute) {
  if (lhs_dimensions.size() != rhs_dimensions.size()) {
    context.Report(DiagnosticKind::kDotPairCount, Anchor::Attribute(rhs_attribute), context.opcode_name(),
                   CountOf(lhs_dimensions.size(), absl::StrCat(kind, " dimension"), absl::StrCat(kind, " dimensions")),
                   rhs_dimensions.size());
    return false;
  }
  const Shape& lhs = context.operand_shape(0);
  const Shape& rhs = context.operand_shape(1);
  bool ok = true;
  for (size_t k = 0; k < lhs_dimensions.size(); ++k) {
    const int64_t d = lhs_dimensions[k], e = rhs_dimensions[k];
    if (SizesMatch(lhs, d, rhs, e)) continue;
    Diagnostic& diagnostic = context.Report(DiagnosticKind::kDotPairSize, Anchor::Entry(rhs_attribute, k),
                                            context.opcode_name(), kind, d, lhs.dimension(d), e, rhs.dimension(e));
    context.RelateOperand(diagnostic, 0, d);
    context.RelateOperand(diagnostic, 1, e);
    ok = false;
  }
  return ok;
}

// DOT-1..6 for operands 0 and 1.
bool CheckDotDimensions(RuleContext& context, const DotDimensions& dimensions) {
  const int64_t lhs_rank = context.operand_shape(0).rank(), rhs_rank = context.operand_shape(1).rank();
  bool ok =
      CheckDimensions(context, AttributeKind::kLhsContractingDims, dimensions.lhs_contracting, lhs_rank, "the lhs");
  ok = CheckDimensions(context, AttributeKind::kRhsContractingDims, dimensions.rhs_contracting, rhs_rank, "the rhs") &&
       ok;
  ok = CheckDimensions(context, AttributeKind::kLhsBatchDims, dimensions.lhs_batch, lhs_rank, "the lhs") && ok;
  ok = CheckDimensions(context, AttributeKind::kRhsBatchDims, dimensions.rhs_batch, rhs_rank, "the rhs") && ok;
  ok = CheckDisjoint(context, "lhs", dimensions.lhs_batch, dimensions.lhs_contracting,
                     AttributeKind::kLhsContractingDims, lhs_rank) &&
       ok;
  ok = CheckDisjoint(context, "rhs", dimensions.rhs_batch, dimensions.rhs_contracting,
                     AttributeKind::kRhsContractingDims, rhs_rank) &&
       ok;
  if (!ok) return false;
  ok = CheckPairs(context, "contracting", dimensions.lhs_contracting, dimensions.rhs_contracting,
                  AttributeKind::kRhsContractingDims);
  return CheckPairs(context, "batch", dimensions.lhs_batch, dimensions.rhs_batch, AttributeKind::kRhsBatchDims) && ok;
}

// Sizes and flags of a result that is put together from operand dimensions.
struct ResultBuilder {
  DimensionVector sizes;
  absl::InlinedVector<bool, 6> dynamic;

  void Add(const Shape& array, int64_t d) {
    sizes.push_back(array.dimension(d));
    dynamic.push_back(array.IsDynamicDimension(d));
  }
  Shape Build(const RuleContext& context) const {
    const Shape& declared = context.declared_shape();
    const ElementType type = declared.IsArray() ? declared.element_type()
                                                : WiderType(context.operand_shape(0).element_type(),
                                                            context.operand_shape(1).element_type());
    return Shape::Array(type, sizes, dynamic);
  }
};

// The result of the contraction of operands 0 and 1: batch, lhs free, rhs free except the dimensions in `dropped`.
void AddDotResult(const RuleContext& context, const DotDimensions& dimensions, absl::Span<const int64_t> dropped,
                  ResultBuilder* result) {
  const Shape& lhs = context.operand_shape(0);
  const Shape& rhs = context.operand_shape(1);
  for (int64_t d : dimensions.lhs_batch) result->Add(lhs, d);
  for (int64_t d : FreeDimensions(lhs.rank(), dimensions.lhs_batch, dimensions.lhs_contracting)) result->Add(lhs, d);
  for (int64_t d : FreeDimensions(rhs.rank(), dimensions.rhs_batch, dimensions.rhs_contracting)) {
    if (!Lists(dropped, d)) result->Add(rhs, d);
  }
}

// DOT-7.
void CheckAlgorithm(RuleContext& context) {
  const PrecisionAlgorithm algorithm =
      context.module().WordAttribute(context.id(), AttributeKind::kDotAlgorithm, PrecisionAlgorithm::kUnset);
  if (algorithm == PrecisionAlgorithm::kUnset || !context.Has(AttributeKind::kOperandPrecision)) return;
  const absl::Span<const int64_t> precisions = context.Ints(AttributeKind::kOperandPrecision);
  const bool plain = precisions.size() == 2 && std::all_of(precisions.begin(), precisions.end(), [](int64_t p) {
                       return p == static_cast<int64_t>(Precision::kDefault);
                     });
  if (plain) return;
  const Anchor value = Anchor::AttributeValue(AttributeKind::kOperandPrecision);
  context
      .Report(DiagnosticKind::kDotAlgorithmPrecision, value, context.opcode_name(),
              WordsOf(Enumeration::kPrecisionAlgorithm)[static_cast<size_t>(algorithm)])
      .Fix("leave the precision to the algorithm", context.RangeOf(value), "{default,default}");
}

// dot (5.1).
InferredShape InferPlainDot(RuleContext& context) {
  const DotDimensions dimensions = DotDimensionsOf(context.module(), context.id());
  CheckAlgorithm(context);
  if (!CheckDotDimensions(context, dimensions)) return std::nullopt;
  ResultBuilder result;
  AddDotResult(context, dimensions, {}, &result);
  return result.Build(context);
}

// The sizes that group_sizes has before its last dimension when it is not shared: batch, then what precedes the ragged
// dimension (P of 5.2).
DimensionVector GroupPrefix(const RuleContext& context, const DotDimensions& dimensions, RaggedDotMode mode,
                            int64_t ragged) {
  DimensionVector prefix;
  const auto add_until_ragged = [&](absl::Span<const int64_t> list) {
    for (auto d = list.begin(); d != list.end() && *d != ragged; ++d) prefix.push_back(*d);
  };
  if (mode == RaggedDotMode::kBatch) {
    add_until_ragged(dimensions.lhs_batch);
    return prefix;
  }
  prefix.assign(dimensions.lhs_batch.begin(), dimensions.lhs_batch.end());
  add_until_ragged(
      mode == RaggedDotMode::kContracting
          ? DimensionVector(dimensions.lhs_contracting.begin(), dimensions.lhs_contracting.end())
          : FreeDimensions(context.operand_shape(0).rank(), dimensions.lhs_batch, dimensions.lhs_contracting));
  return prefix;
}

// RDOT-4, 5, 9.
bool CheckGroupSizes(RuleContext& context, const DimensionVector& prefix) {
  const Shape& lhs = context.operand_shape(0);
  const Shape& groups = context.operand_shape(2);
  if (!IsInteger(groups.element_type())) {
    Diagnostic& diagnostic =
        context.ReportTolerated(DiagnosticKind::kOperandElementType, Anchor::Operand(2), context.opcode_name(), 2,
                                kIntegerTypes.Describe(), ElementTypeName(groups.element_type()));
    context.RelateOperand(diagnostic, 2);
  }
  if (groups.rank() == 1) return true;
  bool fits = groups.rank() == static_cast<int64_t>(prefix.size()) + 1;
  for (size_t k = 0; fits && k < prefix.size(); ++k) {
    fits = SizesMatch(groups, static_cast<int64_t>(k), lhs, prefix[k]);
  }
  if (!fits) {
    std::string expected;
    if (!prefix.empty()) {
      absl::StrAppend(&expected, ", or have sizes [");
      for (int64_t d : prefix) absl::StrAppend(&expected, lhs.dimension(d), ",");
      absl::StrAppend(&expected, "groups]");
    }
    Diagnostic& diagnostic =
        context.Report(DiagnosticKind::kGroupSizesShape, Anchor::Operand(2), groups.ToString(false), expected);
    context.RelateOperand(diagnostic, 2);
  }
  return fits;
}

// RDOT-6..8.
bool CheckGroupDimension(RuleContext& context, const DotDimensions& dimensions, RaggedDotMode mode,
                         absl::Span<const int64_t> group_dimensions) {
  static constexpr absl::string_view kModeNames[] = {"a free", "a contracting", "a batch"};
  const size_t expected = mode == RaggedDotMode::kFree ? 1 : 0;
  if (group_dimensions.size() != expected) {
    context.Report(DiagnosticKind::kRaggedGroupCount, Anchor::Attribute(AttributeKind::kRhsGroupDims),
                   kModeNames[static_cast<size_t>(mode)], expected == 1 ? "one entry" : "no entries",
                   group_dimensions.size());
    return false;
  }
  if (expected == 0) return true;
  const Shape& rhs = context.operand_shape(1);
  const Shape& groups = context.operand_shape(2);
  const int64_t e = group_dimensions[0];
  if (!CheckDimension(context, AttributeKind::kRhsGroupDims, e, rhs.rank(), "the rhs", 0)) return false;
  if (Lists(dimensions.rhs_batch, e) || Lists(dimensions.rhs_contracting, e)) {
    context.Report(DiagnosticKind::kRaggedGroupDimension, Anchor::Entry(AttributeKind::kRhsGroupDims, 0), e);
    return false;
  }
  if (groups.rank() > 0 && !SizesMatch(rhs, e, groups, groups.rank() - 1)) {
    Diagnostic& diagnostic =
        context.Report(DiagnosticKind::kRaggedGroupSize, Anchor::Entry(AttributeKind::kRhsGroupDims, 0), e,
                       rhs.dimension(e), CountOf(groups.dimension(groups.rank() - 1), "entry", "entries"));
    context.RelateOperand(diagnostic, 1, e);
    context.RelateOperand(diagnostic, 2, groups.rank() - 1);
    return false;
  }
  return true;
}

// ragged-dot (5.2).
InferredShape InferRaggedDot(RuleContext& context) {
  const DotDimensions dimensions = DotDimensionsOf(context.module(), context.id());
  const absl::Span<const int64_t> ragged = context.Ints(AttributeKind::kLhsRaggedDims);
  const absl::Span<const int64_t> group_dimensions = context.Ints(AttributeKind::kRhsGroupDims);
  bool ok = CheckDotDimensions(context, dimensions);
  ok = CheckEntryCount(context, AttributeKind::kLhsRaggedDims, ragged.size(), 1, "the ragged dimension") && ok;
  if (ragged.size() != 1 || !CheckDimension(context, AttributeKind::kLhsRaggedDims, ragged[0],
                                            context.operand_shape(0).rank(), "the lhs", 0)) {
    return std::nullopt;
  }
  const RaggedDotMode mode = RaggedDotModeOf(dimensions, ragged[0]);
  ok = CheckGroupDimension(context, dimensions, mode, group_dimensions) && ok;
  if (!ok || !CheckGroupSizes(context, GroupPrefix(context, dimensions, mode, ragged[0]))) return std::nullopt;
  ResultBuilder result;
  if (mode == RaggedDotMode::kContracting) result.Add(context.operand_shape(2), context.operand_shape(2).rank() - 1);
  AddDotResult(context, dimensions, group_dimensions, &result);
  return result.Build(context);
}

// True if the scale stands for "no scale": rank 0, or all sizes 1, with a bf16 operand and a bf16 scale (5.3).
bool IsDummyScale(const Shape& operand, const Shape& scale) {
  return operand.element_type() == ElementType::kBF16 && scale.element_type() == ElementType::kBF16 &&
         std::all_of(scale.dimensions().begin(), scale.dimensions().end(), [](int64_t size) { return size == 1; });
}

// SDOT-1, 3, 5 for the scale of operand `k` (0 or 1), operand k + 2.
void CheckScale(RuleContext& context, size_t k) {
  const Shape& operand = context.operand_shape(k);
  const Shape& scale = context.operand_shape(k + 2);
  if (IsDummyScale(operand, scale)) return;
  if (scale.rank() != operand.rank()) {
    context.Report(DiagnosticKind::kScaleRank, Anchor::Operand(k + 2), k == 0 ? "lhs" : "rhs", scale.ToString(false),
                   operand.ToString(false),
                   scale.rank() == 0 ? "; a scalar scale is allowed only for bf16 operands with a bf16 scale" : "");
    return;
  }
  for (int64_t d = 0; d < operand.rank(); ++d) {
    if (operand.IsUnboundedDimension(d) || scale.IsUnboundedDimension(d)) continue;
    if (scale.dimension(d) > 0 && operand.dimension(d) % scale.dimension(d) == 0) continue;
    Diagnostic& diagnostic = context.Report(DiagnosticKind::kScaleSize, Anchor::Operand(k + 2), k == 0 ? "lhs" : "rhs",
                                            d, operand.dimension(d), scale.dimension(d));
    context.RelateOperand(diagnostic, k, d);
    context.RelateOperand(diagnostic, k + 2, d);
  }
}

// scaled-dot (5.3).
InferredShape InferScaledDot(RuleContext& context) {
  const DotDimensions dimensions = DotDimensionsOf(context.module(), context.id());
  CheckAlgorithm(context);
  const bool dot_ok = CheckDotDimensions(context, dimensions);
  const bool lhs_dummy = IsDummyScale(context.operand_shape(0), context.operand_shape(2));
  const bool rhs_dummy = IsDummyScale(context.operand_shape(1), context.operand_shape(3));
  if (context.operand_shape(2).rank() == 0 && context.operand_shape(3).rank() == 0) {
    context.Report(DiagnosticKind::kNoScale, Anchor::OperandList());
  } else {
    for (size_t k = 0; k < 2; ++k) CheckScale(context, k);
  }
  if (!(lhs_dummy && rhs_dummy)) {
    CheckEntryCount(context, AttributeKind::kLhsContractingDims, dimensions.lhs_contracting.size(), 1,
                    "a scaled-dot contracts one dimension");
  }
  if (!dot_ok) return std::nullopt;
  ResultBuilder result;
  AddDotResult(context, dimensions, {}, &result);
  return result.Build(context);
}

}  // namespace

DotDimensions DotDimensionsOf(const Module& module, InstructionId id) {
  return {module.IntsAttribute(id, AttributeKind::kLhsBatchDims),
          module.IntsAttribute(id, AttributeKind::kRhsBatchDims),
          module.IntsAttribute(id, AttributeKind::kLhsContractingDims),
          module.IntsAttribute(id, AttributeKind::kRhsContractingDims)};
}

DimensionVector FreeDimensions(int64_t rank, absl::Span<const int64_t> batch, absl::Span<const int64_t> contracting) {
  DimensionSet bound(rank, batch);
  for (int64_t d : contracting) bound.Insert(d);
  return bound.Others();
}

RaggedDotMode RaggedDotModeOf(const DotDimensions& dimensions, int64_t ragged_dimension) {
  if (Lists(dimensions.lhs_batch, ragged_dimension)) return RaggedDotMode::kBatch;
  return Lists(dimensions.lhs_contracting, ragged_dimension) ? RaggedDotMode::kContracting : RaggedDotMode::kFree;
}

InferredShape InferDot(RuleContext& context) {
  if (!CheckArrayOperands(context)) return std::nullopt;
  switch (context.opcode()) {
    case Opcode::kRaggedDot:
      return InferRaggedDot(context);
    case Opcode::kScaledDot:
      return InferScaledDot(context);
    case Opcode::kDot:
      return InferPlainDot(context);
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
