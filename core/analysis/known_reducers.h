// SPDX-License-Identifier: Apache-2.0
// Typed forms of the reducers and comparisons that loops are written for (core/analysis/scalar_patterns.h recognises
// them): those of the evaluator, and of compiled programs.
#ifndef HLOSCOPE_CORE_ANALYSIS_KNOWN_REDUCERS_H_
#define HLOSCOPE_CORE_ANALYSIS_KNOWN_REDUCERS_H_

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "core/analysis/scalar_patterns.h"
#include "core/ir/element_type.h"
#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/numeric.h"

namespace hloscope {

// True if a sequence of `Op` on T may be regrouped without changing any bit of the result but the sign of a zero.
template <typename T, typename Op>
inline constexpr bool kIsExactlyAssociative = std::integral<T> || std::same_as<Op, numerics::elementwise::Minimum> ||
                                              std::same_as<Op, numerics::elementwise::Maximum>;

// Calls `body(T(), Op())` with the C++ type of the elements and the function object of elementwise_functions.h that the
// reducer is, and returns true; returns false if there is no such pair: an unknown reducer, a type that is computed in
// another type than it is stored in, or an order of the operands that may show.
template <typename Body>
bool VisitKnownReducer(RecognizedReducer reducer, ElementType type, Body&& body) {
  const auto with_order = [&](auto element) {
    if (reducer.swapped && std::floating_point<decltype(element)>) return false;  // max(-0, 0) and its like
    if (reducer.kind == KnownReducer::kMinimum) return body(element, numerics::elementwise::Minimum()), true;
    if (reducer.kind == KnownReducer::kMaximum) return body(element, numerics::elementwise::Maximum()), true;
    return false;
  };
  const auto with_logic = [&](auto element) {
    if (reducer.kind == KnownReducer::kAnd) return body(element, numerics::elementwise::And()), true;
    if (reducer.kind == KnownReducer::kOr) return body(element, numerics::elementwise::Or()), true;
    if (reducer.kind == KnownReducer::kXor) return body(element, numerics::elementwise::Xor()), true;
    return with_order(element);
  };
  const auto with_arithmetic = [&](auto element) {
    if (reducer.kind == KnownReducer::kAdd) return body(element, numerics::elementwise::Add()), true;
    if (reducer.kind == KnownReducer::kMultiply) return body(element, numerics::elementwise::Multiply()), true;
    if constexpr (std::integral<decltype(element)>) {
      return with_logic(element);
    } else {
      return with_order(element);
    }
  };
  switch (type) {
    case ElementType::kPred:
      return with_logic(uint8_t{});
    case ElementType::kS8:
      return with_arithmetic(int8_t{});
    case ElementType::kS16:
      return with_arithmetic(int16_t{});
    case ElementType::kS32:
      return with_arithmetic(int32_t{});
    case ElementType::kS64:
      return with_arithmetic(int64_t{});
    case ElementType::kU8:
      return with_arithmetic(uint8_t{});
    case ElementType::kU16:
      return with_arithmetic(uint16_t{});
    case ElementType::kU32:
      return with_arithmetic(uint32_t{});
    case ElementType::kU64:
      return with_arithmetic(uint64_t{});
    case ElementType::kF32:
      return with_arithmetic(float{});
    case ElementType::kF64:
      return with_arithmetic(double{});
    default:
      return false;
  }
}

// The same, also with numerics::Bf16 and numerics::F16, which are computed with as floats.
template <typename Body>
bool VisitStoredReducer(RecognizedReducer reducer, ElementType type, Body&& body) {
  const auto with_stored = [&](auto stored) {
    return VisitKnownReducer(reducer, ElementType::kF32, [&](auto element, auto op) {
      if constexpr (std::same_as<decltype(element), float>) body(stored, op);
    });
  };
  if (type == ElementType::kBF16) return with_stored(numerics::Bf16());
  if (type == ElementType::kF16) return with_stored(numerics::F16());
  return VisitKnownReducer(reducer, type, body);
}

// Calls `body` with the function object of a comparison that orders elements, and returns true.
template <typename Body>
bool VisitOrder(ComparisonDirection direction, Body&& body) {
  switch (direction) {
    case ComparisonDirection::kGe:
      return body(numerics::elementwise::GreaterOrEqual()), true;
    case ComparisonDirection::kGt:
      return body(numerics::elementwise::Greater()), true;
    case ComparisonDirection::kLe:
      return body(numerics::elementwise::LessOrEqual()), true;
    case ComparisonDirection::kLt:
      return body(numerics::elementwise::Less()), true;
    case ComparisonDirection::kEq:
    case ComparisonDirection::kNe:
      return false;
  }
  return false;
}

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_KNOWN_REDUCERS_H_
