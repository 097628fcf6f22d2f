// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/position_reducer.h"

#include "absl/container/flat_hash_map.h"

namespace hloscope {
namespace {

// A reducer of pairs takes about ten; every one is tried with eighteen orders.
constexpr size_t kMostInstructions = 64;

// What an instruction of the computation is, once the orders are chosen.
enum class Known : uint8_t { kNothing, kFalse, kTrue, kNumber0, kPosition0, kNumber1, kPosition1 };

Known OfBool(bool value) { return value ? Known::kTrue : Known::kFalse; }
bool IsBool(Known known) { return known == Known::kFalse || known == Known::kTrue; }
bool IsNumber(Known known) { return known == Known::kNumber0 || known == Known::kNumber1; }
bool IsPosition(Known known) { return known == Known::kPosition0 || known == Known::kPosition1; }

PairOrder Mirrored(PairOrder order) {
  switch (order) {
    case PairOrder::kLess:
      return PairOrder::kGreater;
    case PairOrder::kGreater:
      return PairOrder::kLess;
    case PairOrder::kFirstIsNan:
      return PairOrder::kSecondIsNan;
    case PairOrder::kSecondIsNan:
      return PairOrder::kFirstIsNan;
    case PairOrder::kEqual:
    case PairOrder::kBothAreNan:
      break;
  }
  return order;
}

bool Holds(ComparisonDirection direction, PairOrder order) {
  const bool is_ordered = order <= PairOrder::kGreater;
  switch (direction) {
    case ComparisonDirection::kEq:
      return order == PairOrder::kEqual;
    case ComparisonDirection::kNe:
      return order != PairOrder::kEqual;
    case ComparisonDirection::kLt:
      return order == PairOrder::kLess;
    case ComparisonDirection::kGt:
      return order == PairOrder::kGreater;
    case ComparisonDirection::kLe:
      return is_ordered && order != PairOrder::kGreater;
    case ComparisonDirection::kGe:
      return is_ordered && order != PairOrder::kLess;
  }
  return false;
}

// The computation with one order of the numbers and one of the positions.
class Trial {
 public:
  Trial(const Module& module, PairOrder numbers, PairOrder positions)
      : module_(module), numbers_(numbers), positions_(positions) {}

  Known Of(InstructionId id) {
    if (!id.has_value()) return Known::kNothing;
    const auto [it, is_new] = known_.try_emplace(id.index(), Known::kNothing);
    if (!is_new) return it->second;
    const Known known = Compute(id);
    known_[id.index()] = known;
    return known;
  }

 private:
  Known Operand(InstructionId id, size_t k) {
    return k < module_.operands(id).size() ? Of(module_.operand(id, k)) : Known::kNothing;
  }

  Known Compute(InstructionId id) {
    switch (module_.opcode(id)) {
      case Opcode::kParameter:
        return static_cast<Known>(static_cast<uint32_t>(Known::kNumber0) + module_.instruction(id).parameter_number);
      case Opcode::kCopy:
        return Operand(id, 0);
      case Opcode::kCompare:
        return Compare(id);
      case Opcode::kAnd:
      case Opcode::kOr:
      case Opcode::kXor:
        return Logic(module_.opcode(id), Operand(id, 0), Operand(id, 1));
      case Opcode::kNot: {
        const Known x = Operand(id, 0);
        return IsBool(x) ? OfBool(x == Known::kFalse) : Known::kNothing;
      }
      case Opcode::kSelect: {
        const Known chooses = Operand(id, 0);
        return IsBool(chooses) ? Operand(id, chooses == Known::kTrue ? 1 : 2) : Known::kNothing;
      }
      case Opcode::kMinimum:
      case Opcode::kMaximum: {
        // Of numbers, the sign of a zero would not be known.
        const Known x = Operand(id, 0), y = Operand(id, 1);
        if (!IsPosition(x) || !IsPosition(y)) return Known::kNothing;
        const auto direction =
            module_.opcode(id) == Opcode::kMinimum ? ComparisonDirection::kLe : ComparisonDirection::kGe;
        return Holds(direction, OrderOf(x, y)) ? x : y;
      }
      default:
        return Known::kNothing;
    }
  }

  PairOrder OrderOf(Known x, Known y) const {
    const bool is_number = IsNumber(x);
    const PairOrder order = is_number ? numbers_ : positions_;
    if (x != y) return x < y ? order : Mirrored(order);
    const bool is_nan = order == PairOrder::kBothAreNan ||
                        order == (x == Known::kNumber0 ? PairOrder::kFirstIsNan : PairOrder::kSecondIsNan);
    return is_nan ? PairOrder::kBothAreNan : PairOrder::kEqual;
  }

  Known Compare(InstructionId id) {
    const Known x = Operand(id, 0), y = Operand(id, 1);
    if (!(IsNumber(x) && IsNumber(y)) && !(IsPosition(x) && IsPosition(y))) return Known::kNothing;
    const bool is_float = IsFloat(module_.shape(module_.operand(id, 0)).element_type());
    if (is_float &&
        module_.WordAttribute(id, AttributeKind::kComparisonType, ComparisonType::kFloat) != ComparisonType::kFloat) {
      return Known::kNothing;
    }
    return OfBool(Holds(module_.WordAttribute(id, AttributeKind::kDirection, ComparisonDirection::kEq), OrderOf(x, y)));
  }

  static Known Logic(Opcode opcode, Known x, Known y) {
    if (!IsBool(x) || !IsBool(y)) return Known::kNothing;
    const bool a = x == Known::kTrue, b = y == Known::kTrue;
    return OfBool(opcode == Opcode::kAnd ? a && b : opcode == Opcode::kOr ? a || b : a != b);
  }

  const Module& module_;
  const PairOrder numbers_, positions_;
  absl::flat_hash_map<uint32_t, Known> known_;
};

bool TakesPairs(const Module& module, const Computation& computation) {
  if (!computation.root.has_value() || module.opcode(computation.root) != Opcode::kTuple ||
      module.operands(computation.root).size() != 2 || computation.parameters.size() != 4 ||
      computation.instructions.size() > kMostInstructions) {
    return false;
  }
  for (size_t k = 0; k < 4; ++k) {
    const InstructionId parameter = computation.parameters[k];
    if (!parameter.has_value() || !module.shape(parameter).IsScalar()) return false;
    const ElementType type = module.shape(parameter).element_type();
    if (type != module.shape(computation.parameters[k % 2]).element_type()) return false;
    const bool is_integer = IsInteger(type);
    if (!is_integer && (k % 2 == 1 || !IsFloat(type))) return false;
  }
  return true;
}

// As far as finite numbers go.
bool TakesExtreme(const PositionReducer& reducer) {
  constexpr PairOrder kOrders[] = {PairOrder::kLess, PairOrder::kEqual, PairOrder::kGreater};
  for (PairOrder positions : kOrders) {
    for (PairOrder numbers : {PairOrder::kLess, PairOrder::kGreater}) {
      const bool first = (numbers == PairOrder::kGreater) == reducer.takes_greatest;
      if (reducer.TakesFirstNumber(numbers, positions) != first ||
          reducer.TakesFirstPosition(numbers, positions) != first) {
        return false;
      }
    }
  }
  return reducer.TakesFirstPosition(PairOrder::kEqual, PairOrder::kLess) &&
         !reducer.TakesFirstPosition(PairOrder::kEqual, PairOrder::kGreater);
}

}  // namespace

std::optional<PositionReducer> RecognizePositionReducer(const Module& module, ComputationId id) {
  const Computation& computation = module.computation(id);
  if (!TakesPairs(module, computation)) return std::nullopt;
  const bool is_float = IsFloat(module.shape(computation.parameters[0]).element_type());
  PositionReducer reducer = {};
  for (size_t numbers = 0; numbers < (is_float ? 6 : 3); ++numbers) {
    for (size_t positions = 0; positions < 3; ++positions) {
      Trial trial(module, static_cast<PairOrder>(numbers), static_cast<PairOrder>(positions));
      const Known number = trial.Of(module.operand(computation.root, 0));
      const Known position = trial.Of(module.operand(computation.root, 1));
      if (!IsNumber(number) || !IsPosition(position)) return std::nullopt;
      reducer.first_number[numbers][positions] = number == Known::kNumber0;
      reducer.first_position[numbers][positions] = position == Known::kPosition0;
    }
  }
  reducer.takes_greatest = reducer.TakesFirstNumber(PairOrder::kGreater, PairOrder::kEqual);
  return TakesExtreme(reducer) ? std::optional(reducer) : std::nullopt;
}

}  // namespace hloscope
