// SPDX-License-Identifier: Apache-2.0
// Reducers and comparators that need no computation to be called for each element.
#ifndef HLOSCOPE_CORE_ANALYSIS_SCALAR_PATTERNS_H_
#define HLOSCOPE_CORE_ANALYSIS_SCALAR_PATTERNS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/ir/module.h"

namespace hloscope {

// Reducers that kernels have fast paths for. For all but kFirst and kSecond the order of the operands matters only for
// the sign of a zero (minimum, maximum; decision A2).
enum class KnownReducer : uint8_t {
  kNone,  // something else
  kAdd,
  kMultiply,
  kMinimum,
  kMaximum,
  kAnd,
  kOr,
  kXor,
  kFirst,   // returns its first parameter
  kSecond,  // returns its second parameter, as the update of a plain scatter does
};

struct RecognizedReducer {
  KnownReducer kind = KnownReducer::kNone;
  bool swapped = false;  // op(p1, p0) instead of op(p0, p1)
};

// What a computation of two scalar parameters of one type and a root of that type does, if it is one of the known ones.
RecognizedReducer RecognizeReducer(const Module& module, ComputationId computation);

// A sort comparator of the form compare(p[2k], p[2k+1]); compare(p[2k+1], p[2k]) is the same with the mirrored
// direction. A total order may be of the numbers select(p != p, NaN, select(p == 0, 0, p)), as programs write whose
// NaNs all go last and whose zeros are equal.
struct RecognizedComparator {
  size_t operand = 0;  // k: which sorted operand decides
  ComparisonDirection direction = ComparisonDirection::kLt;
  bool total_order = false;  // of floats (docs/ops/elementwise.md 6.3)
  bool canonical = false;    // of floats without kinds of NaN and signs of zero; requires total_order
};
// `<` or `>`, whose order depends on no algorithm.
inline bool IsStrict(const RecognizedComparator& comparator) {
  return comparator.direction == ComparisonDirection::kLt || comparator.direction == ComparisonDirection::kGt;
}
// Nothing if the comparator has another form.
std::optional<RecognizedComparator> RecognizeComparator(const Module& module, ComputationId computation);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_SCALAR_PATTERNS_H_
