// SPDX-License-Identifier: Apache-2.0
// Checks of attributes that list dimension numbers, and sets of dimensions.
#ifndef HLOSCOPE_CORE_OPS_DIMENSION_RULES_H_
#define HLOSCOPE_CORE_OPS_DIMENSION_RULES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/shape.h"
#include "core/ops/rule_context.h"

namespace hloscope {

using DimensionVector = absl::InlinedVector<int64_t, 6>;

// A set of dimension numbers of an array.
class DimensionSet {
 public:
  explicit DimensionSet(int64_t rank) : contains_(static_cast<size_t>(rank), false) {}
  // The members of `dimensions` that lie in [0, rank).
  DimensionSet(int64_t rank, absl::Span<const int64_t> dimensions) : DimensionSet(rank) {
    for (int64_t d : dimensions) {
      if (d >= 0 && d < rank) Insert(d);
    }
  }
  bool Contains(int64_t d) const { return contains_[static_cast<size_t>(d)]; }
  void Insert(int64_t d) { contains_[static_cast<size_t>(d)] = true; }
  int64_t rank() const { return static_cast<int64_t>(contains_.size()); }
  // The dimensions in (or not in) the set, ascending.
  DimensionVector Members() const { return Select(true); }
  DimensionVector Others() const { return Select(false); }

 private:
  DimensionVector Select(bool wanted) const {
    DimensionVector selected;
    for (size_t d = 0; d < contains_.size(); ++d) {
      if (contains_[d] == wanted) selected.push_back(static_cast<int64_t>(d));
    }
    return selected;
  }
  absl::InlinedVector<bool, 16> contains_;
};

// Narrows dimension `d` of `result` to what `other` says about it: a known size decides over `?`, and a `<=` flag on
// either side stays (docs/ops/tensor.md 1.6). False, with `result` unchanged, if the sizes contradict each other.
bool MeetDimension(const Shape& other, int64_t d, Shape* result);

enum class DimensionOrder : uint8_t { kAny, kAscending };
// What a dimension that is listed again is: an error, or something compilers accept.
enum class Repetition : uint8_t { kError, kTolerated };

// Each function reports every violation, anchored at the attribute, and returns true if there is none. `array` names
// what the dimensions belong to: "the operand", "the result".

// 0 <= dimension < rank. `entry` is the place of the dimension in the list that the attribute is, if it is one.
// `is_tolerated`: compilers accept any number there.
bool CheckDimension(RuleContext& context, AttributeKind attribute, int64_t dimension, int64_t rank,
                    absl::string_view array, std::optional<size_t> entry = std::nullopt, bool is_tolerated = false);
// Every entry is a dimension of the array, and none is repeated, unless that is tolerated; with kAscending, the entries
// also ascend.
bool CheckDimensions(RuleContext& context, AttributeKind attribute, absl::Span<const int64_t> dimensions, int64_t rank,
                     absl::string_view array, DimensionOrder order = DimensionOrder::kAny,
                     Repetition repetition = Repetition::kError);
// The attribute has `expected` entries; `reason` says why: "one for each operand dimension".
bool CheckEntryCount(RuleContext& context, AttributeKind attribute, size_t count, size_t expected,
                     absl::string_view reason);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_DIMENSION_RULES_H_
