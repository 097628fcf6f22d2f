// Loops of the integer and pred opcodes.
#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/elementwise_functions.h"

namespace hloscope {
namespace {

using lane_loops::Binary;
using lane_loops::Clamp;
using lane_loops::Unary;

template <typename T>
LaneLoopEntry LoopOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAbs:
      return {&Unary<T, T, elementwise::Abs>};
    case Opcode::kNegate:
      return {&Unary<T, T, elementwise::Negate>};
    case Opcode::kSign:
      return {&Unary<T, T, elementwise::Sign>};
    case Opcode::kNot:
      return {&Unary<T, T, elementwise::Not>};
    case Opcode::kCountLeadingZeros:
      return {&Unary<T, T, elementwise::CountLeadingZeros>};
    case Opcode::kPopcnt:
      return {&Unary<T, T, elementwise::PopulationCount>};
    case Opcode::kAdd:
      return {&Binary<T, T, elementwise::Add>};
    case Opcode::kSubtract:
      return {&Binary<T, T, elementwise::Subtract>};
    case Opcode::kMultiply:
      return {&Binary<T, T, elementwise::Multiply>};
    case Opcode::kDivide:
      return {&Binary<T, T, elementwise::Divide>, 4};
    case Opcode::kRemainder:
      return {&Binary<T, T, elementwise::Remainder>, 4};
    case Opcode::kPower:
      return {&Binary<T, T, elementwise::Power>, 10};
    case Opcode::kMulhi:
      return {&Binary<T, T, elementwise::MultiplyHigh>};
    case Opcode::kMaximum:
      return {&Binary<T, T, elementwise::Maximum>};
    case Opcode::kMinimum:
      return {&Binary<T, T, elementwise::Minimum>};
    case Opcode::kClamp:
      return {&Clamp<T, elementwise::Clamp>};
    case Opcode::kAnd:
      return {&Binary<T, T, elementwise::And>};
    case Opcode::kOr:
      return {&Binary<T, T, elementwise::Or>};
    case Opcode::kXor:
      return {&Binary<T, T, elementwise::Xor>};
    case Opcode::kShiftLeft:
      return {&Binary<T, T, elementwise::ShiftLeft>};
    case Opcode::kShiftRightLogical:
      return {&Binary<T, T, elementwise::ShiftRightLogical>};
    case Opcode::kShiftRightArithmetic:
      return {&Binary<T, T, elementwise::ShiftRightArithmetic>};
    default:
      return {};
  }
}

}  // namespace

// On 0 and 1: add and maximum are OR, multiply and minimum are AND.
LaneLoopEntry PredicateLoop(Opcode opcode) {
  switch (opcode) {
    case Opcode::kNot:
      return {&Unary<uint8_t, uint8_t, elementwise::LogicalNot>};
    case Opcode::kAdd:
    case Opcode::kMaximum:
    case Opcode::kOr:
      return {&Binary<uint8_t, uint8_t, elementwise::Or>};
    case Opcode::kMultiply:
    case Opcode::kMinimum:
    case Opcode::kAnd:
      return {&Binary<uint8_t, uint8_t, elementwise::And>};
    case Opcode::kXor:
      return {&Binary<uint8_t, uint8_t, elementwise::Xor>};
    case Opcode::kClamp:
      return {&Clamp<uint8_t, elementwise::LogicalClamp>};
    default:
      return {};
  }
}

LaneLoopEntry IntegerLoop(Opcode opcode, ElementType domain) {
  switch (domain) {
    case ElementType::kS8:
      return LoopOf<int8_t>(opcode);
    case ElementType::kS16:
      return LoopOf<int16_t>(opcode);
    case ElementType::kS32:
      return LoopOf<int32_t>(opcode);
    case ElementType::kS64:
      return LoopOf<int64_t>(opcode);
    case ElementType::kU8:
      return LoopOf<uint8_t>(opcode);
    case ElementType::kU16:
      return LoopOf<uint16_t>(opcode);
    case ElementType::kU32:
      return LoopOf<uint32_t>(opcode);
    case ElementType::kU64:
      return LoopOf<uint64_t>(opcode);
    default:
      return {};
  }
}

}  // namespace hloscope
