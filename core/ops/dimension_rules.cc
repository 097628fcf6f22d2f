// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dimension_rules.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/element_type_rules.h"

namespace hloscope {
namespace {

// True if the attribute of the opcode lists a set: which dimensions, whatever their order or number.
bool IsSet(Opcode opcode) { return opcode == Opcode::kReduce || opcode == Opcode::kReverse; }

std::string ListText(absl::Span<const int64_t> dimensions) {
  return absl::StrCat("{", absl::StrJoin(dimensions, ","), "}");
}

// Entry `i` is the second of its value.
void ReportDuplicate(RuleContext& context, AttributeKind attribute, absl::Span<const int64_t> dimensions, size_t i) {
  Diagnostic& diagnostic = context.Report(DiagnosticKind::kDuplicateDimension, Anchor::Entry(attribute, i),
                                          context.opcode_name(), AttributeName(attribute), dimensions[i]);
  if (!IsSet(context.opcode())) return;
  DimensionVector once;
  for (int64_t d : dimensions) {
    if (std::find(once.begin(), once.end(), d) == once.end()) once.push_back(d);
  }
  diagnostic.Fix(absl::StrCat("name dimension ", dimensions[i], " once"),
                 context.RangeOf(Anchor::AttributeValue(attribute)), ListText(once));
}

// Batching dimensions are paired with another list, so that sorting them alone would change the meaning.
bool CanBeSorted(AttributeKind attribute) {
  return attribute == AttributeKind::kOffsetDims || attribute == AttributeKind::kCollapsedSliceDims ||
         attribute == AttributeKind::kUpdateWindowDims || attribute == AttributeKind::kInsertedWindowDims;
}

void ReportUnsorted(RuleContext& context, AttributeKind attribute, absl::Span<const int64_t> dimensions) {
  Diagnostic& diagnostic =
      context.Report(DiagnosticKind::kUnsortedDimensions, Anchor::AttributeValue(attribute), context.opcode_name(),
                     AttributeName(attribute), absl::StrJoin(dimensions, ","));
  if (!CanBeSorted(attribute)) return;
  DimensionVector sorted(dimensions.begin(), dimensions.end());
  std::sort(sorted.begin(), sorted.end());
  diagnostic.Fix("sort the dimensions", context.RangeOf(Anchor::AttributeValue(attribute)), ListText(sorted));
}

}  // namespace

bool MeetDimension(const Shape& other, int64_t d, Shape* result) {
  const int64_t a = result->dimension(d), b = other.dimension(d);
  if (a == b) {
    if (other.IsDynamicDimension(d)) result->set_dynamic_dimension(d, true);
    return true;
  }
  if (b == kUnboundedSize) return true;
  if (a != kUnboundedSize) return false;
  result->set_dimension(d, b);
  result->set_dynamic_dimension(d, other.IsDynamicDimension(d));
  return true;
}

bool CheckDimension(RuleContext& context, AttributeKind attribute, int64_t dimension, int64_t rank,
                    absl::string_view array, std::optional<size_t> entry, bool is_tolerated) {
  if (dimension >= 0 && dimension < rank) return true;
  const Anchor anchor = entry.has_value() ? Anchor::Entry(attribute, *entry) : Anchor::AttributeValue(attribute);
  const std::string has = rank == 0   ? "is a scalar, without dimensions"
                          : rank == 1 ? "has only dimension 0"
                                      : absl::StrCat("has dimensions 0 to ", rank - 1);
  const auto report = [&](const auto&... args) -> Diagnostic& {
    return is_tolerated ? context.ReportTolerated(DiagnosticKind::kDimensionOutOfRange, anchor, args...)
                        : context.Report(DiagnosticKind::kDimensionOutOfRange, anchor, args...);
  };
  Diagnostic& diagnostic = report(context.opcode_name(), AttributeName(attribute), dimension, array, has);
  if (dimension < 0 && dimension >= -rank) {
    diagnostic.Fix(absl::StrCat("count from the end: dimension ", dimension + rank), context.RangeOf(anchor),
                   absl::StrCat(dimension + rank));
  }
  return false;
}

bool CheckDimensions(RuleContext& context, AttributeKind attribute, absl::Span<const int64_t> dimensions, int64_t rank,
                     absl::string_view array, DimensionOrder order, Repetition repetition) {
  bool ok = true;
  DimensionSet seen(rank);
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const int64_t d = dimensions[i];
    if (!CheckDimension(context, attribute, d, rank, array, i)) {
      ok = false;
    } else if (seen.Contains(d) && repetition == Repetition::kTolerated) {
      context.ReportTolerated(DiagnosticKind::kDuplicateDimension, Anchor::Entry(attribute, i), context.opcode_name(),
                              AttributeName(attribute), d);
    } else if (seen.Contains(d)) {
      ok = false;
      ReportDuplicate(context, attribute, dimensions, i);
    } else {
      seen.Insert(d);
    }
  }
  if (!ok || order == DimensionOrder::kAny) return ok;
  if (std::is_sorted(dimensions.begin(), dimensions.end())) return true;
  ReportUnsorted(context, attribute, dimensions);
  return false;
}

bool CheckEntryCount(RuleContext& context, AttributeKind attribute, size_t count, size_t expected,
                     absl::string_view reason) {
  if (count == expected) return true;
  context.Report(DiagnosticKind::kEntryCount, Anchor::AttributeValue(attribute), context.opcode_name(),
                 AttributeName(attribute), CountOf(count, "entry", "entries"), expected, reason);
  return false;
}

}  // namespace hloscope
