#include "core/ops/dimension_rules.h"

#include "absl/strings/str_join.h"
#include "core/ops/element_type_rules.h"

namespace hloscope {

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
                    absl::string_view array) {
  if (dimension >= 0 && dimension < rank) return true;
  context.Report(DiagnosticKind::kDimensionOutOfRange, Anchor::Attribute(attribute), context.opcode_name(),
                 AttributeName(attribute), dimension, rank, array);
  return false;
}

bool CheckDimensions(RuleContext& context, AttributeKind attribute, absl::Span<const int64_t> dimensions, int64_t rank,
                     absl::string_view array, DimensionOrder order) {
  bool ok = true;
  DimensionSet seen(rank);
  for (int64_t d : dimensions) {
    if (!CheckDimension(context, attribute, d, rank, array)) {
      ok = false;
    } else if (seen.Contains(d)) {
      ok = false;
      context.Report(DiagnosticKind::kDuplicateDimension, Anchor::Attribute(attribute), context.opcode_name(),
                     AttributeName(attribute), d);
    } else {
      seen.Insert(d);
    }
  }
  if (!ok || order == DimensionOrder::kAny) return ok;
  for (size_t i = 1; i < dimensions.size(); ++i) {
    if (dimensions[i - 1] < dimensions[i]) continue;
    context.Report(DiagnosticKind::kUnsortedDimensions, Anchor::Attribute(attribute), context.opcode_name(),
                   AttributeName(attribute), absl::StrJoin(dimensions, ","));
    return false;
  }
  return true;
}

bool CheckEntryCount(RuleContext& context, AttributeKind attribute, size_t count, size_t expected,
                     absl::string_view reason) {
  if (count == expected) return true;
  context.Report(DiagnosticKind::kEntryCount, Anchor::Attribute(attribute), context.opcode_name(),
                 AttributeName(attribute), CountOf(count, "entry", "entries"), expected, reason);
  return false;
}

}  // namespace hloscope
