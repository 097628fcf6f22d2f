// SPDX-License-Identifier: Apache-2.0
// Loops over lanes made from per-element functions, and the tables that find the loop of an opcode. Internal to
// lane_function.cc; the tables live in one .cc file each so that no file instantiates too many loops.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_LANE_LOOPS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_LANE_LOOPS_H_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/ir/element_type.h"
#include "core/ir/opcode.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {

// A loop and a rough cost of one of its lanes. No loop: the opcode is not defined for the type.
struct LaneLoopEntry {
  LaneLoop loop = nullptr;
  double nanoseconds = 1;
};

// Loops on f32 and on stored bf16; null where there is none.
struct FloatLoops {
  LaneLoop floats = nullptr, bf16s = nullptr;
  double nanoseconds = 1;
};

// `domain` is the type in which the opcode is computed: s8 ... u64, f32, f64, c64, c128; u8 serves pred
// too where that makes no difference.
LaneLoopEntry PredicateLoop(Opcode opcode);
LaneLoopEntry IntegerLoop(Opcode opcode, ElementType domain);
LaneLoopEntry FloatLoop(Opcode opcode, ElementType domain);
// Of f32, compiled for several instruction sets.
LaneLoopEntry VectorFloatLoop(Opcode opcode);
// Of f64, likewise.
LaneLoopEntry VectorDoubleLoop(Opcode opcode);
LaneLoopEntry TranscendentalLoop(Opcode opcode, ElementType domain);
// Of f32, f64 and c64, for opcodes that have a branch-free form of most arguments alone.
LaneLoopEntry PatchedLoop(Opcode opcode, ElementType domain);
// From stored bf16 to stored bf16, computed as f32: for some opcodes only.
LaneLoopEntry Bf16Loop(Opcode opcode);
LaneLoopEntry TranscendentalBf16Loop(Opcode opcode);
LaneLoopEntry ComplexLoop(Opcode opcode, ElementType domain);
LaneLoopEntry CompareLoop(ComparisonDirection direction, ElementType domain);
// Branches of `element_bytes` each: 1, 2, 4, 8 or 16.
LaneLoopEntry SelectLoop(int element_bytes);
LaneLoopEntry ConvertLoop(ElementType from_domain, ElementType to_domain);
// From a domain to pred: is not zero.
LaneLoopEntry IsNonzeroLoop(ElementType from_domain);
// On the bits of `type`, which must have infinities, or is f32.
LaneLoopEntry ReducePrecisionLoop(ElementType type);
// From f32 or f64, with random bits of the type of `random_bytes`, to integers of `result`'s storage.
LaneLoopEntry StochasticConvertLoop(ElementType from_domain, int random_bytes, ElementType result);

namespace lane_loops {

// The function object, given the width of the operand's type if it wants it.
template <typename Function>
Function MakeFunction(const LaneParameters& parameters) {
  if constexpr (requires { Function{parameters.width}; }) {
    return Function{parameters.width};
  } else {
    return Function{};
  }
}

template <typename In, typename Out, typename Function>
void Unary(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters& parameters) {
  const Function function = MakeFunction<Function>(parameters);
  const In* x = reinterpret_cast<const In*>(operands[0].data);
  Out* out = reinterpret_cast<Out*>(result);
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) out[i] = function(x[i]);
}

template <typename In, typename Out, typename Function>
void Binary(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters& parameters) {
  const Function function = MakeFunction<Function>(parameters);
  const In* a = reinterpret_cast<const In*>(operands[0].data);
  const In* b = reinterpret_cast<const In*>(operands[1].data);
  Out* out = reinterpret_cast<Out*>(result);
  if (operands[0].is_uniform) {
    const In a0 = a[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = function(a0, b[i]);
  } else if (operands[1].is_uniform) {
    const In b0 = b[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = function(a[i], b0);
  } else {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = function(a[i], b[i]);
  }
}

// clamp(low, value, high), usually with uniform bounds.
template <typename T, typename Function>
void Clamp(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters& parameters) {
  const Function function = MakeFunction<Function>(parameters);
  const T* low = reinterpret_cast<const T*>(operands[0].data);
  const T* value = reinterpret_cast<const T*>(operands[1].data);
  const T* high = reinterpret_cast<const T*>(operands[2].data);
  T* out = reinterpret_cast<T*>(result);
  if (operands[0].is_uniform && operands[2].is_uniform && !operands[1].is_uniform) {
    const T low0 = low[0], high0 = high[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = function(low0, value[i], high0);
    return;
  }
  const int64_t low_step = operands[0].is_uniform ? 0 : 1;
  const int64_t value_step = operands[1].is_uniform ? 0 : 1;
  const int64_t high_step = operands[2].is_uniform ? 0 : 1;
  for (int64_t i = 0; i < count; ++i) out[i] = function(low[i * low_step], value[i * value_step], high[i * high_step]);
}

// What elementwise.def says where an opcode has no function.
struct None {};

enum class LoopArity { kUnary, kBinary, kTernary };

// The loop of a function of elementwise.def on operands of type In.
template <LoopArity kArity, typename In, typename Function>
LaneLoopEntry PlainLoop(double nanoseconds) {
  if constexpr (std::is_same_v<Function, None>) {
    return {};
  } else if constexpr (kArity == LoopArity::kUnary) {
    return {&Unary<In, decltype(std::declval<Function>()(In())), Function>, nanoseconds};
  } else if constexpr (kArity == LoopArity::kBinary) {
    return {&Binary<In, decltype(std::declval<Function>()(In(), In())), Function>, nanoseconds};
  } else {
    return {&Clamp<In, Function>, nanoseconds};
  }
}

}  // namespace lane_loops
}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_LANE_LOOPS_H_
