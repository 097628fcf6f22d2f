// SPDX-License-Identifier: Apache-2.0
#include "core/ops/data_movement.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/operand_fixes.h"
#include "core/ops/reshape_rules.h"
#include "core/ops/shape_inference.h"
#include "core/ops/slice_size_rules.h"

namespace hloscope {
namespace {

void ReportSizeOverflow(RuleContext& context, Anchor anchor, int64_t d) {
  context.Report(DiagnosticKind::kSizeOverflow, anchor, context.opcode_name(), d);
}

// broadcast (1.1). The result is declared; only the identity broadcast of a scalar can do without.
InferredShape InferBroadcast(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const absl::Span<const int64_t> dimensions = context.Ints(AttributeKind::kDimensions);
  if (!context.instruction().shape_declared) {
    if (operand.rank() == 0 && dimensions.empty()) return operand;
    context.Report(DiagnosticKind::kMissingShape, Anchor::Opcode(), context.opcode_name());
    return std::nullopt;
  }
  if (!CheckDeclaredArray(context)) return std::nullopt;
  const Shape& result = context.declared_shape();
  CheckResultKeepsType(context);
  const bool count_ok = CheckEntryCount(context, AttributeKind::kDimensions, dimensions.size(),
                                        static_cast<size_t>(operand.rank()), "one for each operand dimension");
  const DimensionOrder order =
      context.options().check_broadcast_order ? DimensionOrder::kAscending : DimensionOrder::kAny;
  if (!CheckDimensions(context, AttributeKind::kDimensions, dimensions, result.rank(), "the result", order,
                       Repetition::kTolerated) ||
      !count_ok) {
    return std::nullopt;
  }
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const int64_t d = dimensions[static_cast<size_t>(k)];
    if (operand.dimension(k) == result.dimension(d) || operand.IsUnboundedDimension(k) ||
        result.IsUnboundedDimension(d)) {
      continue;
    }
    Diagnostic& diagnostic = context.Report(
        DiagnosticKind::kBroadcastSize, Anchor::Entry(AttributeKind::kDimensions, static_cast<size_t>(k)), k,
        operand.dimension(k), d, result.dimension(d),
        operand.dimension(k) == 1 ? "; a dimension of size 1 is not stretched, reshape it away first" : "");
    context.RelateOperand(diagnostic, 0, k);
  }
  return result;
}

// transpose (1.4).
InferredShape InferTranspose(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const absl::Span<const int64_t> permutation = context.Ints(AttributeKind::kDimensions);
  if (!CheckEntryCount(context, AttributeKind::kDimensions, permutation.size(), static_cast<size_t>(operand.rank()),
                       "one for each operand dimension")) {
    return std::nullopt;
  }
  DimensionSet seen(operand.rank());
  DimensionVector sizes;
  absl::InlinedVector<bool, 6> dynamic;
  for (size_t i = 0; i < permutation.size(); ++i) {
    const int64_t d = permutation[i];
    if (d < 0 || d >= operand.rank() || seen.Contains(d)) {
      context.Report(DiagnosticKind::kNotAPermutation, Anchor::Entry(AttributeKind::kDimensions, i),
                     context.opcode_name(), absl::StrJoin(permutation, ","), operand.rank() - 1, d,
                     d < 0 || d >= operand.rank() ? "out of range" : "repeated");
      return std::nullopt;
    }
    seen.Insert(d);
    sizes.push_back(operand.dimension(d));
    dynamic.push_back(operand.IsDynamicDimension(d));
  }
  return Shape::Array(operand.element_type(), sizes, dynamic);
}

// reverse (1.5).
InferredShape InferReverse(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  CheckDimensions(context, AttributeKind::kDimensions, context.Ints(AttributeKind::kDimensions), operand.rank(),
                  "the operand");
  return operand;
}

// The size along the concatenated dimension: `?` if any is, dynamic if any is (1.6). False on overflow.
bool AddDimension(const Shape& operand, int64_t d, Shape* result) {
  if (result->IsUnboundedDimension(d)) return true;
  if (operand.IsUnboundedDimension(d)) {
    result->set_dimension(d, kUnboundedSize);
    result->set_dynamic_dimension(d, true);
    return true;
  }
  const CheckedInt64 sum = CheckedInt64(result->dimension(d)) + operand.dimension(d);
  if (!sum.ok()) return false;
  result->set_dimension(d, sum.value());
  if (operand.IsDynamicDimension(d)) result->set_dynamic_dimension(d, true);
  return true;
}

// CONC-4, 6, 7 for operand `k`.
void ReportConcatenateShapes(RuleContext& context, size_t k, absl::string_view detail,
                             std::optional<int64_t> d = std::nullopt) {
  Diagnostic& diagnostic =
      context.Report(DiagnosticKind::kConcatenateShapes, Anchor::Operand(k), context.operand_shape(0).ToString(false),
                     k, context.operand_shape(k).ToString(false), detail);
  context.RelateOperand(diagnostic, 0, d);
  context.RelateOperand(diagnostic, k, d);
}

// concatenate (1.6).
InferredShape InferConcatenate(RuleContext& context) {
  if (context.operand_count() == 0) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(), "at least 1 operand",
                   "none");
    return std::nullopt;
  }
  const absl::Span<const int64_t> dimensions = context.Ints(AttributeKind::kDimensions);
  if (!CheckEntryCount(context, AttributeKind::kDimensions, dimensions.size(), 1, "the dimension to join along")) {
    return std::nullopt;
  }
  const int64_t joined = dimensions[0];
  const Shape& first = context.operand_shape(0);
  bool ok = CheckDimension(context, AttributeKind::kDimensions, joined, first.rank(), "operand 0", 0);
  Shape result = first;
  result.clear_layout();
  for (size_t k = 1; k < context.operand_count(); ++k) {
    const Shape& operand = context.operand_shape(k);
    ok = CheckSameOperandTypes(context, 0, k) && ok;
    result.set_element_type(WiderType(result.element_type(), operand.element_type()));
    if (operand.rank() != first.rank()) {
      ReportConcatenateShapes(context, k, absl::StrCat("their ranks are ", first.rank(), " and ", operand.rank()));
      ok = false;
    }
    if (!ok) continue;
    for (int64_t d = 0; d < first.rank(); ++d) {
      if (d == joined) {
        if (AddDimension(operand, d, &result)) continue;
        ReportSizeOverflow(context, Anchor::Operand(k), d);
      } else {
        if (MeetDimension(operand, d, &result)) continue;
        ReportConcatenateShapes(
            context, k, absl::StrCat("dimension ", d, " is ", result.dimension(d), " and ", operand.dimension(d)), d);
      }
      ok = false;
    }
  }
  if (!ok) return std::nullopt;
  CheckMixedPrecision(context);
  return result;
}

// slice (1.7).
InferredShape InferSlice(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const std::vector<SliceRange>* ranges = context.module().SliceRangesAttribute(context.id());
  if (ranges == nullptr || !CheckEntryCount(context, AttributeKind::kSlice, ranges->size(),
                                            static_cast<size_t>(operand.rank()), "one for each operand dimension")) {
    return std::nullopt;
  }
  const auto report = [&](int64_t d, const auto&... detail) -> Diagnostic& {
    return context.Report(DiagnosticKind::kSliceRange, Anchor::Entry(AttributeKind::kSlice, static_cast<size_t>(d)), d,
                          absl::StrCat(detail...));
  };
  Shape result = operand;
  result.clear_layout();
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const auto& [start, limit, stride] = (*ranges)[static_cast<size_t>(d)];
    if (start < 0) report(d, "the start ", start, " is negative; a slice does not count from the end");
    if (start > limit) report(d, "the start ", start, " exceeds the limit ", limit);
    if (!operand.IsUnboundedDimension(d) && limit > operand.dimension(d)) {
      const int64_t size = operand.dimension(d);
      Diagnostic& diagnostic = report(d, "the limit ", limit, " exceeds the size ", size);
      context.RelateOperand(diagnostic, 0, d);
      if (start >= 0 && start <= size && stride > 0) {
        diagnostic.Fix(absl::StrCat("end the slice at ", size),
                       context.RangeOf(Anchor::Entry(AttributeKind::kSlice, static_cast<size_t>(d))),
                       stride == 1 ? absl::StrCat("[", start, ":", size, "]")
                                   : absl::StrCat("[", start, ":", size, ":", stride, "]"));
      }
    }
    if (stride <= 0) report(d, "the stride ", stride, " must be at least 1");
    if (start < 0 || start > limit || stride <= 0) continue;
    const int64_t size = CeilDiv(limit - start, stride);
    const bool dynamic = operand.IsDynamicDimension(d) && !operand.IsUnboundedDimension(d) && size != 1;
    result.set_dimension(d, size);
    result.set_dynamic_dimension(d, dynamic);
  }
  return context.failed() ? std::nullopt : InferredShape(std::move(result));
}

// The start indices of dynamic-slice and dynamic-update-slice: operands [first, operand_count) (DSL-1..5).
void CheckStartIndices(RuleContext& context, int64_t rank, size_t first) {
  const size_t count = context.operand_count() - first;
  if (HasIndexVector(context, first)) {
    const Shape& vector = context.operand_shape(first);
    if (vector.dimension(0) != rank && !vector.IsUnboundedDimension(0)) {
      context.Report(DiagnosticKind::kStartIndexShape, Anchor::Operand(first), context.opcode_name(), first,
                     vector.ToString(false),
                     absl::StrCat("a vector of ", CountOf(static_cast<size_t>(rank), "entry", "entries")));
    }
    CheckOperandType(context, first, kIntegerTypes);
    return;
  }
  if (count != static_cast<size_t>(rank)) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   absl::StrCat(CountOf(static_cast<size_t>(rank), "start index", "start indices"),
                                " (one for each operand dimension)"),
                   count);
  }
  for (size_t k = first; k < context.operand_count(); ++k) {
    const Shape& index = context.operand_shape(k);
    if (index.rank() != 0) {
      Diagnostic& diagnostic = context.Report(DiagnosticKind::kStartIndexShape, Anchor::Operand(k),
                                              context.opcode_name(), k, index.ToString(false), "a scalar");
      context.RelateOperand(diagnostic, k);
      OfferScalar(context, diagnostic, k);
    }
    const ElementType type = index.element_type(), first_type = context.operand_shape(first).element_type();
    if (CheckOperandType(context, k, kIntegerTypes) && IsInteger(first_type) && type != first_type) {
      Diagnostic& diagnostic =
          context.Report(DiagnosticKind::kIndexTypesDiffer, Anchor::Operand(k), context.opcode_name(),
                         ElementTypeName(first_type), ElementTypeName(type));
      OfferConversion(context, diagnostic, {k}, first_type);
    }
  }
}

// dynamic-slice (1.8).
InferredShape InferDynamicSlice(RuleContext& context) {
  if (context.operand_count() == 0) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(), "at least 1 operand",
                   "none");
    return std::nullopt;
  }
  const Shape& operand = context.operand_shape(0);
  CheckStartIndices(context, operand.rank(), 1);
  const absl::Span<const int64_t> sizes = context.Ints(AttributeKind::kDynamicSliceSizes);
  if (!CheckEntryCount(context, AttributeKind::kDynamicSliceSizes, sizes.size(), static_cast<size_t>(operand.rank()),
                       "one for each operand dimension")) {
    return std::nullopt;
  }
  Shape result = operand;
  result.clear_layout();
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const int64_t size = sizes[static_cast<size_t>(d)], whole = operand.dimension(d);
    if (size < 0 || (size > whole && whole != kUnboundedSize)) {
      ReportSliceSize(context, AttributeKind::kDynamicSliceSizes, d, size);
      continue;
    }
    result.set_dimension(d, size);
    result.set_dynamic_dimension(d, operand.IsDynamicDimension(d) && size == whole && size > 1);
  }
  return context.failed() ? std::nullopt : InferredShape(std::move(result));
}

// DUS-6, DUS-8.
void ReportUpdateShape(RuleContext& context, const Shape& operand, absl::string_view detail,
                       std::optional<int64_t> d = std::nullopt) {
  Diagnostic& diagnostic = context.Report(DiagnosticKind::kUpdateShape, Anchor::Operand(1), context.opcode_name(),
                                          context.operand_shape(1).ToString(false), operand.ToString(false), detail);
  context.RelateOperand(diagnostic, 0, d);
  context.RelateOperand(diagnostic, 1, d);
}

// dynamic-update-slice (1.9). The operand may be a buffer, which is then the result.
InferredShape InferDynamicUpdateSlice(RuleContext& context) {
  if (context.operand_count() < 2) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   "an operand, an update and start indices", CountOf(context.operand_count(), "operand", "operands"));
    return std::nullopt;
  }
  const Shape& whole = context.operand_shape(0);
  const Shape& operand = whole.IsBuffer() ? whole.element(0) : whole;
  const Shape& update = context.operand_shape(1);
  CheckStartIndices(context, operand.rank(), 2);
  if (!SameUpToFloatPrecision(operand.element_type(), update.element_type())) {
    if (whole.IsBuffer()) {
      context.Report(DiagnosticKind::kOperandTypesDiffer, Anchor::Operand(1), context.opcode_name(), 0,
                     ElementTypeName(operand.element_type()), 1, ElementTypeName(update.element_type()));
    } else {
      ReportTypesDiffer(context, 0, 1);
    }
  } else {
    CheckMixedPrecision(context);
  }
  if (update.rank() != operand.rank()) {
    ReportUpdateShape(context, operand, absl::StrCat("their ranks are ", update.rank(), " and ", operand.rank()));
    return whole;
  }
  Shape result = whole;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const bool unbounded = operand.IsUnboundedDimension(d) || update.IsUnboundedDimension(d);
    if (!unbounded && update.dimension(d) > operand.dimension(d)) {
      ReportUpdateShape(
          context, operand,
          absl::StrCat("its size ", update.dimension(d), " in dimension ", d, " exceeds ", operand.dimension(d)), d);
    } else if (!whole.IsBuffer() && !unbounded && update.IsDynamicDimension(d) &&
               update.dimension(d) == operand.dimension(d)) {
      result.set_dynamic_dimension(d, true);
    }
  }
  return result;
}

// pad (1.10).
InferredShape InferPad(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  CheckScalarOperand(context, 1, "the padding value");
  if (CheckSameOperandTypes(context, 0, 1)) CheckMixedPrecision(context);
  const PaddingConfig* padding = context.module().PaddingAttribute(context.id());
  if (padding == nullptr || !CheckEntryCount(context, AttributeKind::kPadding, padding->size(),
                                             static_cast<size_t>(operand.rank()), "one for each operand dimension")) {
    return std::nullopt;
  }
  Shape result = operand;
  result.clear_layout();
  const ElementType value_type = context.operand_shape(1).element_type();
  if (IsFloat(value_type)) result.set_element_type(WiderType(operand.element_type(), value_type));
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const PaddingDimension& p = (*padding)[static_cast<size_t>(d)];
    const Anchor entry = Anchor::Entry(AttributeKind::kPadding, static_cast<size_t>(d));
    if (p.interior < 0) {
      context.Report(DiagnosticKind::kInteriorPadding, entry, d, p.interior);
      continue;
    }
    if (operand.IsUnboundedDimension(d)) continue;
    const CheckedInt64 size = PaddedSize(operand.dimension(d), p);
    if (!size.ok()) {
      ReportSizeOverflow(context, entry, d);
    } else if (size.value() < 0) {
      Diagnostic& diagnostic = context.Report(DiagnosticKind::kPaddedSize, entry, d, size.value(), operand.dimension(d),
                                              p.low, p.high, p.interior);
      context.RelateOperand(diagnostic, 0, d);
    } else {
      result.set_dimension(d, size.value());
    }
  }
  return context.failed() ? std::nullopt : InferredShape(std::move(result));
}

}  // namespace

CheckedInt64 PaddedSize(int64_t size, const PaddingDimension& padding) {
  return CheckedInt64(size) + padding.low + padding.high +
         CheckedInt64(std::max<int64_t>(size - 1, 0)) * padding.interior;
}

bool HasIndexVector(const RuleContext& context, size_t first_index) {
  return context.operand_count() == first_index + 1 && context.operand_shape(first_index).rank() == 1;
}

InferredShape InferDataMovement(RuleContext& context) {
  if (context.opcode() == Opcode::kCopy) {
    CheckMixedPrecision(context);
    return context.operand_shape(0);
  }
  const bool takes_buffer = context.opcode() == Opcode::kDynamicUpdateSlice && context.operand_count() > 0 &&
                            context.operand_shape(0).IsBuffer();
  if (!CheckArrayOperands(context, takes_buffer ? 1 : 0)) return std::nullopt;
  if (!HasRequiredAttributes(context)) return std::nullopt;
  switch (context.opcode()) {
    case Opcode::kBroadcast:
      return InferBroadcast(context);
    case Opcode::kReshape:
      return CheckDeclaredArray(context) ? InferReshape(context) : std::nullopt;
    case Opcode::kDynamicReshape:
      if (context.operand_count() == 0) {
        context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                       "at least 1 operand", "none");
        return std::nullopt;
      }
      return CheckDeclaredArray(context) ? InferDynamicReshape(context) : std::nullopt;
    case Opcode::kTranspose:
      return InferTranspose(context);
    case Opcode::kReverse:
      return InferReverse(context);
    case Opcode::kConcatenate:
      return InferConcatenate(context);
    case Opcode::kSlice:
      return InferSlice(context);
    case Opcode::kDynamicSlice:
      return InferDynamicSlice(context);
    case Opcode::kDynamicUpdateSlice:
      return InferDynamicUpdateSlice(context);
    case Opcode::kPad:
      return InferPad(context);
    case Opcode::kBitcast:  // any two shapes, compared by their bytes only when layouts count
      return context.declared_shape().IsValid() ? InferredShape(context.declared_shape()) : std::nullopt;
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
