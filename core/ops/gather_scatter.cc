// SPDX-License-Identifier: Apache-2.0
#include "core/ops/gather_scatter.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/called_computation.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/reducer_rules.h"
#include "core/ops/shape_inference.h"
#include "core/ops/slice_size_rules.h"
#include "core/ops/window_rules.h"

namespace hloscope {
namespace {

// The attributes that play the parts of IndexedDimensions, and how messages name the arrays.
struct IndexedAttributes {
  AttributeKind window, dropped, index_map, operand_batching, index_batching;
  absl::string_view window_array;
};
constexpr IndexedAttributes kGatherAttributes = {
    AttributeKind::kOffsetDims,          AttributeKind::kCollapsedSliceDims,       AttributeKind::kStartIndexMap,
    AttributeKind::kOperandBatchingDims, AttributeKind::kStartIndicesBatchingDims, "the result"};
constexpr IndexedAttributes kScatterAttributes = {
    AttributeKind::kUpdateWindowDims,           AttributeKind::kInsertedWindowDims,
    AttributeKind::kScatterDimsToOperandDims,   AttributeKind::kInputBatchingDims,
    AttributeKind::kScatterIndicesBatchingDims, "the array of updates"};

const IndexedAttributes& AttributesOf(Opcode opcode) {
  return opcode == Opcode::kGather ? kGatherAttributes : kScatterAttributes;
}

// What gather and scatter have in common: the rules that tie the dimension numbers to the operand, the indices, and the
// array (gather's result, scatter's updates) that holds one window per index vector. GATH-1..11, 13, 16, 17 and their
// SCAT counterparts.
class IndexedRule {
 public:
  IndexedRule(RuleContext& context, const Shape& operand, size_t indices_operand)
      : context_(context),
        attributes_(AttributesOf(context.opcode())),
        dimensions_(IndexedDimensionsOf(context.module(), context.id())),
        operand_(operand),
        indices_operand_(indices_operand),
        indices_(context.operand_shape(indices_operand)) {}

  const IndexedDimensions& dimensions() const { return dimensions_; }
  const Shape& indices() const { return indices_; }
  size_t indices_operand() const { return indices_operand_; }
  // Rank of the array that holds the windows. Requires a good Check().
  int64_t windows_rank() const { return static_cast<int64_t>(batch_.size() + dimensions_.window.size()); }
  // Dimensions of the indices that number the windows.
  const DimensionVector& batch() const { return batch_; }
  // Operand dimensions that the window dimensions stand for.
  const DimensionVector& window_operand_dimensions() const { return window_operand_; }

  bool Check() {
    bool ok = CheckOperandType(context_, indices_operand_, kIntegerTypes);
    const int64_t v = dimensions_.index_vector_dim;
    if (v < 0 || v > indices_.rank()) {
      Diagnostic& diagnostic =
          context_.Report(DiagnosticKind::kIndexVectorDim, Anchor::AttributeValue(AttributeKind::kIndexVectorDim),
                          context_.opcode_name(), v, indices_.rank());
      context_.RelateOperand(diagnostic, indices_operand_);
      return false;
    }
    batch_ = IndexBatchDimensions(dimensions_, indices_.rank());
    ok = CheckDimensions(context_, attributes_.window, dimensions_.window, windows_rank(), attributes_.window_array,
                         DimensionOrder::kAscending) &&
         ok;
    ok = CheckDimensions(context_, attributes_.dropped, dimensions_.dropped, operand_.rank(), "the operand",
                         DimensionOrder::kAscending) &&
         ok;
    ok = CheckIndexMap() && ok;
    ok = CheckBatching() && ok;
    const size_t counted = dimensions_.window.size() + dimensions_.dropped.size() + dimensions_.operand_batching.size();
    if (counted != static_cast<size_t>(operand_.rank())) {
      Diagnostic& diagnostic =
          context_.Report(DiagnosticKind::kIndexedRank, Anchor::Attribute(attributes_.window), context_.opcode_name(),
                          operand_.rank(), dimensions_.window.size(), AttributeName(attributes_.window),
                          dimensions_.dropped.size(), AttributeName(attributes_.dropped),
                          dimensions_.operand_batching.size(), AttributeName(attributes_.operand_batching));
      context_.RelateOperand(diagnostic, 0);
      ok = false;
    }
    if (ok) window_operand_ = WindowOperandDimensions(dimensions_, operand_.rank());
    return ok;
  }

 private:
  // GATH-5..7, SCAT-8, 9: one operand dimension for each component of an index vector.
  bool CheckIndexMap() {
    const int64_t v = dimensions_.index_vector_dim;
    const int64_t components = v == indices_.rank() ? 1 : indices_.dimension(v);
    bool ok = CheckDimensions(context_, attributes_.index_map, dimensions_.index_map, operand_.rank(), "the operand");
    if (components != kUnboundedSize && static_cast<int64_t>(dimensions_.index_map.size()) != components) {
      ok = CheckEntryCount(context_, attributes_.index_map, dimensions_.index_map.size(),
                           static_cast<size_t>(components), "the length of an index vector") &&
           ok;
    }
    return ok;
  }

  // GATH-9..11, 16, 17, SCAT-10, 13.
  bool CheckBatching() {
    const auto& [window, dropped, index_map, operand_batching, index_batching, v] = dimensions_;
    bool ok = CheckDimensions(context_, attributes_.operand_batching, operand_batching, operand_.rank(), "the operand",
                              DimensionOrder::kAscending);
    // With index vectors of one component that have no dimension, compilers count one more.
    const int64_t index_rank = std::max(indices_.rank(), v + 1);
    ok =
        CheckDimensions(context_, attributes_.index_batching, index_batching, index_rank, "the array of indices") && ok;
    if (operand_batching.size() != index_batching.size()) {
      context_.Report(DiagnosticKind::kBatchingCount, Anchor::Attribute(attributes_.index_batching),
                      context_.opcode_name(), CountOf(operand_batching.size(), "entry", "entries"),
                      AttributeName(attributes_.operand_batching), index_batching.size(),
                      AttributeName(attributes_.index_batching));
      return false;
    }
    if (!ok) return false;
    const DimensionSet dropped_set(operand_.rank(), dropped), mapped_set(operand_.rank(), index_map);
    for (size_t k = 0; k < operand_batching.size(); ++k) {
      const int64_t d = operand_batching[k], e = index_batching[k];
      const AttributeKind* clash = dropped_set.Contains(d)  ? &attributes_.dropped
                                   : mapped_set.Contains(d) ? &attributes_.index_map
                                                            : nullptr;
      if (clash != nullptr) {
        ReportBatchingOverlap(attributes_.operand_batching, k, d, AttributeName(*clash));
      }
      if (e == v) {
        ReportBatchingOverlap(attributes_.index_batching, k, e, AttributeName(AttributeKind::kIndexVectorDim));
      } else if (operand_.dimension(d) != indices_.dimension(e) && !operand_.IsUnboundedDimension(d) &&
                 !indices_.IsUnboundedDimension(e)) {
        Diagnostic& diagnostic =
            context_.Report(DiagnosticKind::kBatchingSize, Anchor::Entry(attributes_.operand_batching, k),
                            context_.opcode_name(), d, operand_.dimension(d), e, indices_.dimension(e));
        context_.RelateOperand(diagnostic, 0, d);
        context_.RelateOperand(diagnostic, indices_operand_, e);
      }
    }
    return true;
  }

  // Entry `k` of the batching attribute is `d`, which `other` names as well.
  void ReportBatchingOverlap(AttributeKind batching, size_t k, int64_t d, absl::string_view other) {
    context_.Report(DiagnosticKind::kBatchingOverlap, Anchor::Entry(batching, k), context_.opcode_name(), d,
                    AttributeName(batching), other);
  }

  RuleContext& context_;
  const IndexedAttributes& attributes_;
  const IndexedDimensions dimensions_;
  const Shape& operand_;
  const size_t indices_operand_;
  const Shape& indices_;
  DimensionVector batch_, window_operand_;
};

// GATH-12, 14, 15. `rule` has been checked.
bool CheckSliceSizes(RuleContext& context, const IndexedRule& rule, absl::Span<const int64_t> sizes) {
  const Shape& operand = context.operand_shape(0);
  if (!CheckEntryCount(context, AttributeKind::kSliceSizes, sizes.size(), static_cast<size_t>(operand.rank()),
                       "one for each operand dimension")) {
    return false;
  }
  bool ok = true;
  DimensionSet single(operand.rank(), rule.dimensions().dropped);
  for (int64_t d : rule.dimensions().operand_batching) single.Insert(d);
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const int64_t size = sizes[static_cast<size_t>(d)], whole = operand.dimension(d);
    if (size < 0 || (whole != kUnboundedSize && size > whole)) {
      ReportSliceSize(context, AttributeKind::kSliceSizes, d, size);
      ok = false;
    } else if (single.Contains(d) && size > 1) {
      const Anchor entry = Anchor::Entry(AttributeKind::kSliceSizes, static_cast<size_t>(d));
      context.Report(DiagnosticKind::kCollapsedSliceSize, entry, d, size)
          .Fix("change the slice size to 1", context.RangeOf(entry), "1");
      ok = false;
    }
  }
  return ok;
}

// gather (2.1).
InferredShape InferGather(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  IndexedRule rule(context, operand, 1);
  const absl::Span<const int64_t> sizes = context.Ints(AttributeKind::kSliceSizes);
  if (!rule.Check() || !CheckSliceSizes(context, rule, sizes)) return std::nullopt;

  const DimensionSet offsets(rule.windows_rank(), rule.dimensions().window);
  DimensionVector result_sizes;
  absl::InlinedVector<bool, 6> dynamic;
  auto batch = rule.batch().begin();
  auto window = rule.window_operand_dimensions().begin();
  for (int64_t d = 0; d < rule.windows_rank(); ++d) {
    if (offsets.Contains(d)) {
      const int64_t size = sizes[static_cast<size_t>(*window)];
      result_sizes.push_back(size);
      dynamic.push_back(operand.IsDynamicDimension(*window) && operand.dimension(*window) == size);
      ++window;
    } else {
      result_sizes.push_back(rule.indices().dimension(*batch));
      dynamic.push_back(rule.indices().IsDynamicDimension(*batch));
      ++batch;
    }
  }
  return Shape::Array(operand.element_type(), result_sizes, dynamic);
}

// SCAT-4, 11, 12 for the updates, operand `k`, of operand `updated`. `rule`, which is about that one, has been checked.
void CheckUpdates(RuleContext& context, const IndexedRule& rule, size_t updated, size_t k) {
  const Shape& operand = context.operand_shape(updated);
  const Shape& updates = context.operand_shape(k);
  if (updates.rank() != rule.windows_rank()) {
    Diagnostic& diagnostic = context.Report(
        DiagnosticKind::kUpdatesRank, Anchor::Operand(k), k, updates.ToString(false), rule.windows_rank(),
        CountOf(rule.batch().size(), "dimension", "dimensions"), rule.dimensions().window.size());
    context.RelateOperand(diagnostic, k);
    context.RelateOperand(diagnostic, rule.indices_operand());
    return;
  }
  const DimensionSet windows(updates.rank(), rule.dimensions().window);
  auto batch = rule.batch().begin();
  auto window = rule.window_operand_dimensions().begin();
  for (int64_t d = 0; d < updates.rank(); ++d) {
    const bool in_window = windows.Contains(d);
    const int64_t other = in_window ? *window++ : *batch++;
    const Shape& array = in_window ? operand : rule.indices();
    const int64_t size = updates.dimension(d), limit = array.dimension(other);
    if (size == kUnboundedSize || limit == kUnboundedSize || (in_window ? size <= limit : size == limit)) continue;
    Diagnostic& diagnostic = context.Report(DiagnosticKind::kUpdatesSize, Anchor::Operand(k), d, size,
                                            in_window ? "but a window cannot be larger than the operand, whose"
                                                      : "but there is one window for each index vector:",
                                            other, limit, in_window ? "" : " of the indices");
    context.RelateOperand(diagnostic, k, d);
    context.RelateOperand(diagnostic, in_window ? updated : rule.indices_operand(), other);
  }
}

// scatter (2.2).
InferredShape InferScatter(RuleContext& context) {
  const size_t operands = context.operand_count();
  if (operands < 3 || operands % 2 == 0) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   "operands, one array of indices, and as many updates", CountOf(operands, "operand", "operands"));
    return std::nullopt;
  }
  const size_t count = operands / 2;
  ElementTypes inputs, inits;
  bool ok = true;
  absl::InlinedVector<size_t, 2> other_shapes;  // operands that, with their updates, are not shaped as the first
  for (size_t k = 0; k < count; ++k) {
    const size_t update = count + 1 + k;
    inits.push_back(context.operand_shape(k).element_type());
    inputs.push_back(context.operand_shape(update).element_type());
    ok = CheckSameOperandTypes(context, k, update) && ok;
    for (size_t other : {k, update}) {
      const size_t first = other == k ? 0 : count + 1;
      if (SameSizes(context.operand_shape(first), context.operand_shape(other))) continue;
      ReportShapesDiffer(context, first, other,
                         other == k ? ": all operands should have one shape" : ": all updates should have one shape",
                         /*is_tolerated=*/true);
      if (other_shapes.empty() || other_shapes.back() != k) other_shapes.push_back(k);
    }
  }
  if (ok) CheckMixedPrecision(context);
  IndexedRule rule(context, context.operand_shape(0), count);
  if (rule.Check()) {
    CheckUpdates(context, rule, 0, count + 1);
    for (size_t k : other_shapes) {
      IndexedRule other(context, context.operand_shape(k), count);
      if (other.Check()) CheckUpdates(context, other, k, count + 1 + k);
    }
  }
  if (!ok) return std::nullopt;
  CheckReducer(context, AttributeKind::kToApply, inputs, inits, /*exact_parameters=*/false);
  if (count == 1) return context.operand_shape(0);
  std::vector<Shape> results;
  for (size_t k = 0; k < count; ++k) results.push_back(context.operand_shape(k));
  return Shape::Tuple(std::move(results));
}

// SAS-1..3.
void CheckSelect(RuleContext& context) {
  const CalledComputation select(context, AttributeKind::kSelect);
  if (!select.IsReadable()) return;
  if (!select.result().IsScalar() || select.result().element_type() != ElementType::kPred) {
    ReportResult(context, select, "pred[]");
  }
  if (!CheckParameterCount(context, select, 2)) return;
  const ElementType type = context.operand_shape(0).element_type();
  for (size_t k = 0; k < 2; ++k) {
    const Shape& parameter = select.parameter_shape(k);
    if (parameter.IsScalar() && SameUpToFloatPrecision(parameter.element_type(), type)) continue;
    ReportParameter(context, select, k, absl::StrCat("it receives elements of type ", ElementTypeName(type)));
  }
}

// select-and-scatter (2.3).
InferredShape InferSelectAndScatter(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const Shape& source = context.operand_shape(1);
  CheckSelect(context);
  if (CheckScalarOperand(context, 2, "the initial value")) {
    const ElementType input = source.element_type(), init = context.operand_shape(2).element_type();
    CheckReducer(context, AttributeKind::kScatter, {input}, {init}, /*exact_parameters=*/false);
  }
  CheckMixedPrecision(context);
  const std::optional<Shape> windows = InferWindowedShape(context, operand);
  if (windows.has_value() &&
      (!SameSizes(source, *windows) || !SameUpToFloatPrecision(source.element_type(), operand.element_type()))) {
    Diagnostic& diagnostic = context.Report(DiagnosticKind::kSourceShape, Anchor::Operand(1), source.ToString(false),
                                            operand.ToString(false), windows->ToString(false));
    context.RelateOperand(diagnostic, 0);
    context.RelateOperand(diagnostic, 1);
  }
  return operand;
}

}  // namespace

IndexedDimensions IndexedDimensionsOf(const Module& module, InstructionId id) {
  const IndexedAttributes& attributes = AttributesOf(module.opcode(id));
  return {module.IntsAttribute(id, attributes.window),         module.IntsAttribute(id, attributes.dropped),
          module.IntsAttribute(id, attributes.index_map),      module.IntsAttribute(id, attributes.operand_batching),
          module.IntsAttribute(id, attributes.index_batching), module.IntAttribute(id, AttributeKind::kIndexVectorDim)};
}

DimensionVector WindowOperandDimensions(const IndexedDimensions& dimensions, int64_t operand_rank) {
  DimensionSet others(operand_rank, dimensions.dropped);
  for (int64_t d : dimensions.operand_batching) others.Insert(d);
  return others.Others();
}

DimensionVector IndexBatchDimensions(const IndexedDimensions& dimensions, int64_t indices_rank) {
  DimensionVector batch;
  for (int64_t d = 0; d < indices_rank; ++d) {
    if (d != dimensions.index_vector_dim) batch.push_back(d);
  }
  return batch;
}

InferredShape InferGatherScatter(RuleContext& context) {
  if (!CheckArrayOperands(context) || !HasRequiredAttributes(context)) return std::nullopt;
  switch (context.opcode()) {
    case Opcode::kGather:
      return InferGather(context);
    case Opcode::kScatter:
      return InferScatter(context);
    case Opcode::kSelectAndScatter:
      return InferSelectAndScatter(context);
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
