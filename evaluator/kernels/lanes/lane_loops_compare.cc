// SPDX-License-Identifier: Apache-2.0
// Loops of compare and select.
#include <algorithm>

#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/complex_functions.h"
#include "numerics/elements/element_bits.h"
#include "numerics/elements/elementwise_functions.h"

namespace hloscope::evaluator {
namespace {

using lane_loops::Binary;

template <typename T>
LaneLoopEntry OrderLoop(ComparisonDirection direction) {
  switch (direction) {
    case ComparisonDirection::kEq:
      return {&Binary<T, uint8_t, numerics::elementwise::Equal>};
    case ComparisonDirection::kNe:
      return {&Binary<T, uint8_t, numerics::elementwise::NotEqual>};
    case ComparisonDirection::kGe:
      return {&Binary<T, uint8_t, numerics::elementwise::GreaterOrEqual>};
    case ComparisonDirection::kGt:
      return {&Binary<T, uint8_t, numerics::elementwise::Greater>};
    case ComparisonDirection::kLe:
      return {&Binary<T, uint8_t, numerics::elementwise::LessOrEqual>};
    case ComparisonDirection::kLt:
      return {&Binary<T, uint8_t, numerics::elementwise::Less>};
  }
  return {};
}

template <typename T>
LaneLoopEntry ComplexCompareLoop(ComparisonDirection direction) {
  switch (direction) {
    case ComparisonDirection::kEq:
      return {&Binary<std::complex<T>, uint8_t, numerics::complex_functions::Equal>};
    case ComparisonDirection::kNe:
      return {&Binary<std::complex<T>, uint8_t, numerics::complex_functions::NotEqual>};
    case ComparisonDirection::kGe:
    case ComparisonDirection::kGt:
    case ComparisonDirection::kLe:
    case ComparisonDirection::kLt:
      break;  // complex numbers have no order
  }
  return {};
}

// Both branches are read for every lane: what is chosen costs the same whatever the predicates are.
template <typename T>
[[gnu::always_inline]] inline void Choose(const LaneOperand* operands, uint8_t* result, int64_t count) {
  const uint8_t* predicate = operands[0].data;
  const T* on_true = reinterpret_cast<const T*>(operands[1].data);
  const T* on_false = reinterpret_cast<const T*>(operands[2].data);
  T* out = reinterpret_cast<T*>(result);
  if (operands[0].is_uniform) {
    const size_t chosen = predicate[0] != 0 ? 1 : 2;
    const T* const values = chosen == 1 ? on_true : on_false;
    if (operands[chosen].is_uniform) {
      std::fill_n(out, count, values[0]);
    } else {
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t i = 0; i < count; ++i) out[i] = values[i];
    }
  } else if (operands[1].is_uniform && operands[2].is_uniform) {
    const T true0 = on_true[0], false0 = on_false[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = predicate[i] != 0 ? true0 : false0;
  } else if (operands[1].is_uniform) {
    const T true0 = on_true[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) {
      const T b = on_false[i];
      out[i] = predicate[i] != 0 ? true0 : b;
    }
  } else if (operands[2].is_uniform) {
    const T false0 = on_false[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) {
      const T a = on_true[i];
      out[i] = predicate[i] != 0 ? a : false0;
    }
  } else {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) {
      const T a = on_true[i], b = on_false[i];
      out[i] = predicate[i] != 0 ? a : b;
    }
  }
}

#define HLOSCOPE_SELECT(Type, Name)                                                             \
  HLOSCOPE_VECTOR_CLONES void Name(const LaneOperand* operands, uint8_t* result, int64_t count, \
                                   const LaneParameters&) {                                     \
    Choose<Type>(operands, result, count);                                                      \
  }
HLOSCOPE_SELECT(uint8_t, Select8)
HLOSCOPE_SELECT(uint16_t, Select16)
HLOSCOPE_SELECT(uint32_t, Select32)
HLOSCOPE_SELECT(uint64_t, Select64)
HLOSCOPE_SELECT(numerics::Bits128, Select128)
#undef HLOSCOPE_SELECT

}  // namespace

LaneLoopEntry CompareLoop(ComparisonDirection direction, ElementType domain) {
  switch (domain) {
    case ElementType::kS8:
      return OrderLoop<int8_t>(direction);
    case ElementType::kS16:
      return OrderLoop<int16_t>(direction);
    case ElementType::kS32:
      return OrderLoop<int32_t>(direction);
    case ElementType::kS64:
      return OrderLoop<int64_t>(direction);
    case ElementType::kU8:
      return OrderLoop<uint8_t>(direction);
    case ElementType::kU16:
      return OrderLoop<uint16_t>(direction);
    case ElementType::kU32:
      return OrderLoop<uint32_t>(direction);
    case ElementType::kU64:
      return OrderLoop<uint64_t>(direction);
    case ElementType::kF32:
      return OrderLoop<float>(direction);
    case ElementType::kF64:
      return OrderLoop<double>(direction);
    case ElementType::kC64:
      return ComplexCompareLoop<float>(direction);
    case ElementType::kC128:
      return ComplexCompareLoop<double>(direction);
    default:
      return {};
  }
}

LaneLoopEntry SelectLoop(int element_bytes) {
  switch (element_bytes) {
    case 1:
      return {&Select8};
    case 2:
      return {&Select16};
    case 4:
      return {&Select32};
    case 8:
      return {&Select64};
    case 16:
      return {&Select128, 2};
    default:
      return {};
  }
}

}  // namespace hloscope::evaluator
