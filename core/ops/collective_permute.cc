// SPDX-License-Identifier: Apache-2.0
// collective-permute: plain form, combined form and the in-place forms (docs/ops/control.md 4.12).
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/collective.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/replica_groups.h"
#include "core/ops/shape_matching.h"

namespace hloscope {
namespace {

bool Report(RuleContext& context, Anchor anchor, absl::string_view message) {
  context.Report(DiagnosticKind::kInPlacePermute, anchor, context.opcode_name(), message);
  return false;
}

// What compilers accept; a run stops there.
void ReportTolerated(RuleContext& context, Anchor anchor, absl::string_view message) {
  context.ReportTolerated(DiagnosticKind::kInPlacePermute, anchor, context.opcode_name(), message);
}

// (s32[], s32[], ...): the start of a slice.
bool IsStartIndex(const Shape& shape) {
  return std::all_of(shape.elements().begin(), shape.elements().end(),
                     [](const Shape& element) { return element.IsScalar() && IsInteger(element.element_type()); });
}

bool IsTupleOfArrays(const Shape& shape) {
  return shape.IsTuple() && std::all_of(shape.elements().begin(), shape.elements().end(),
                                        [](const Shape& element) { return element.IsArray(); });
}

// Checks the start indices of one buffer: one index tuple, or one for each of several slices. Returns the number of
// slices, or 0 after a report.
int64_t CheckStartIndices(RuleContext& context, size_t operand, const Shape& buffer, const Shape& indices) {
  const auto check_one = [&](const Shape& index) {
    const auto kind = [&] {
      return absl::StrCat("start indices must be tuples of integer scalars, got ", ShapeText(index));
    };
    if (!IsTupleOfArrays(index)) return Report(context, Anchor::Operand(operand), kind());
    if (!IsStartIndex(index)) ReportTolerated(context, Anchor::Operand(operand), kind());
    if (index.tuple_size() == buffer.rank()) return true;
    return Report(
        context, Anchor::Operand(operand),
        absl::StrCat("a start index has ", CountOf(static_cast<size_t>(index.tuple_size()), "entry", "entries"),
                     ", but its buffer ", ShapeText(buffer), " has ",
                     CountOf(static_cast<size_t>(buffer.rank()), "dimension", "dimensions")));
  };
  if (!indices.IsTuple()) return check_one(indices) ? 1 : 0;
  const bool several = indices.tuple_size() > 0 && indices.element(0).IsTuple();
  if (!several) return check_one(indices) ? 1 : 0;
  for (const Shape& index : indices.elements()) {
    if (!check_one(index)) return 0;
  }
  return indices.tuple_size();
}

// The buffers of operand 0 or 1: the array, or the elements of the tuple.
absl::Span<const Shape> BuffersOf(const Shape& shape) {
  return shape.IsTuple() ? shape.elements() : absl::MakeConstSpan(&shape, 1);
}

// Slices of each buffer; 0 after a report (V157).
int64_t CheckInPlaceOperands(RuleContext& context) {
  const Shape& input = context.operand_shape(0);
  const Shape& output = context.operand_shape(1);
  const absl::Span<const Shape> inputs = BuffersOf(input);
  const absl::Span<const Shape> outputs = BuffersOf(output);
  if (input.IsTuple() != output.IsTuple() || inputs.size() != outputs.size() || inputs.empty()) {
    Report(context, Anchor::Operand(1),
           absl::StrCat("input ", ShapeText(input), " and output ", ShapeText(output),
                        " must both be arrays or tuples of equally many arrays"));
    return 0;
  }
  for (size_t b = 0; b < inputs.size(); ++b) {
    const bool are_arrays = inputs[b].IsArray() && outputs[b].IsArray();
    if (are_arrays && inputs[b].element_type() == outputs[b].element_type()) continue;
    const std::string problem = absl::StrCat("input ", ShapeText(inputs[b]), " and output ", ShapeText(outputs[b]),
                                             " must be arrays of one element type");
    if (are_arrays) {
      ReportTolerated(context, Anchor::Operand(1), problem);
      continue;
    }
    Report(context, Anchor::Operand(1), problem);
    return 0;
  }
  int64_t slices = -1;
  for (size_t side = 0; side < 2; ++side) {
    const size_t operand = 2 + side;
    const Shape& indices = context.operand_shape(operand);
    if (input.IsTuple() && (!indices.IsTuple() || indices.tuple_size() != input.tuple_size())) {
      Report(context, Anchor::Operand(operand),
             absl::StrCat("expected start indices for each of ", input.tuple_size(), " buffers, got ",
                          ShapeText(indices)));
      return 0;
    }
    for (size_t b = 0; b < inputs.size(); ++b) {
      const Shape& own = input.IsTuple() ? indices.element(static_cast<int64_t>(b)) : indices;
      const int64_t count = CheckStartIndices(context, operand, side == 0 ? inputs[b] : outputs[b], own);
      if (count == 0) return 0;
      if (slices < 0) slices = count;
      if (slices == count) continue;
      ReportTolerated(context, Anchor::Operand(operand),
                      absl::StrCat("start indices for ", CountOf(static_cast<size_t>(count), "slice", "slices"),
                                   ", but for ", slices, " elsewhere"));
    }
  }
  return slices;
}

// What is wrong with the sizes of a slice of `buffer`; empty if nothing is.
std::string ProblemOfSizes(absl::Span<const int64_t> sizes, const Shape& buffer) {
  if (static_cast<int64_t>(sizes.size()) != buffer.rank()) {
    return absl::StrCat("has ", CountOf(sizes.size(), "entry", "entries"), ", but its buffer ", ShapeText(buffer),
                        " has ", CountOf(static_cast<size_t>(buffer.rank()), "dimension", "dimensions"));
  }
  for (int64_t d = 0; d < buffer.rank(); ++d) {
    const int64_t size = sizes[static_cast<size_t>(d)];
    if (size < 0) return absl::StrCat("has the negative size ", size);
    if (size > buffer.dimension(d) && !buffer.IsUnboundedDimension(d)) {
      return absl::StrCat("has size ", size, " in dimension ", d, " of its buffer ", ShapeText(buffer));
    }
  }
  return "";
}

// 4.12: what a pair reads and where it writes are slices of one size; what it writes has the size of what it reads.
void CheckPairedSlices(RuleContext& context, const std::vector<std::vector<int64_t>>& sizes, size_t slices) {
  const auto* pairs = context.module().IntListsAttribute(context.id(), AttributeKind::kSourceTargetPairs);
  if (pairs == nullptr) return;
  absl::flat_hash_map<int64_t, size_t> sent, received;  // by id, so far
  for (size_t p = 0; p < pairs->size(); ++p) {
    const std::vector<int64_t>& pair = (*pairs)[p];
    if (pair.size() != 2) return;
    const size_t read = sent[pair[0]]++, written = received[pair[1]]++;
    if (read >= slices || written >= slices) return;
    for (size_t first = 0; first < sizes.size(); first += slices) {
      if (sizes[first + read] == sizes[first + written]) continue;
      ReportTolerated(context, Anchor::Entry(AttributeKind::kSourceTargetPairs, p),
                      absl::StrCat("the slice that is read has sizes {", absl::StrJoin(sizes[first + read], ","),
                                   "}, the one that is written {", absl::StrJoin(sizes[first + written], ","), "}"));
      return;
    }
  }
}

// A run stops at sizes that do not fit; compilers do not compare them with anything.
void CheckSliceSizes(RuleContext& context, int64_t slices) {
  const auto& sizes = *context.module().IntListsAttribute(context.id(), AttributeKind::kSliceSizesList);
  const Anchor anchor = Anchor::Attribute(AttributeKind::kSliceSizesList);
  const absl::Span<const Shape> inputs = BuffersOf(context.operand_shape(0));
  const absl::Span<const Shape> outputs = BuffersOf(context.operand_shape(1));
  const size_t expected = inputs.size() * static_cast<size_t>(slices);
  if (sizes.size() != expected) {
    ReportTolerated(context, anchor,
                    absl::StrCat("slice_sizes has ", CountOf(sizes.size(), "list", "lists"), " for ",
                                 CountOf(expected, "slice", "slices")));
    return;
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t b = i / static_cast<size_t>(slices);
    std::string problem = ProblemOfSizes(sizes[i], inputs[b]);
    if (problem.empty()) problem = ProblemOfSizes(sizes[i], outputs[b]);
    if (problem.empty()) continue;
    ReportTolerated(context, Anchor::Entry(AttributeKind::kSliceSizesList, i),
                    absl::StrCat("list ", i, " of slice_sizes ", problem));
    return;
  }
  CheckPairedSlices(context, sizes, static_cast<size_t>(slices));
}

// The result part: nothing after a report.
InferredShape InferResult(RuleContext& context) {
  if (!context.Has(AttributeKind::kSliceSizesList)) {
    // Several operands of a start may have any shape.
    const bool any_shape = context.opcode() == Opcode::kCollectivePermuteStart && context.operand_count() > 1;
    if (!any_shape && !CheckCollectiveOperands(context)) return std::nullopt;
    CheckSourceTargetPairs(context, 1);
    return ShapeOfOperands(context);
  }
  if (context.operand_count() != 4) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   "4 operands when it has `slice_sizes`", context.operand_count());
    return std::nullopt;
  }
  const int64_t slices = CheckInPlaceOperands(context);
  if (slices == 0) return std::nullopt;
  CheckSliceSizes(context, slices);
  CheckSourceTargetPairs(context, slices);
  return context.operand_shape(1);
}

}  // namespace

InferredShape InferCollectivePermute(RuleContext& context) {
  InferredShape result = InferResult(context);
  if (!result || context.opcode() == Opcode::kCollectivePermute) return result;
  // (operands, results, context...): the context is what the text says.
  const bool in_place = context.Has(AttributeKind::kSliceSizesList);
  std::vector<Shape> elements = {in_place ? context.operand_shape(0) : ShapeOfOperands(context), *result};
  const Shape& declared = context.declared_shape();
  for (int64_t i = 2; declared.IsTuple() && i < declared.tuple_size(); ++i) elements.push_back(declared.element(i));
  return Shape::Tuple(std::move(elements));
}

}  // namespace hloscope
