// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/trip_count.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"

namespace hloscope {
namespace {

__extension__ typedef __int128 Int128;

// How far expressions are followed.
constexpr int kMaxDepth = 32;

// A computation that was entered from an instruction of another one. The outermost has no caller.
struct Scope {
  const Scope* outer = nullptr;
  InstructionId caller;
};

// `value`, or an element of the loop's state plus `value`. The state is element 0 of itself where it is no tuple.
struct Term {
  int64_t element = -1;  // -1: a constant
  int64_t value = 0;
  // For such elements nothing on the way wraps around.
  Int128 lowest = std::numeric_limits<int64_t>::min(), highest = std::numeric_limits<int64_t>::max();

  bool Fits(Int128 of_element) const { return of_element >= lowest && of_element <= highest; }
};

// Nothing if a constant wraps around in the type.
std::optional<Term> Within(ElementType type, Term term) {
  const int bits = BitWidth(type);
  const Int128 half = Int128{1} << (bits - 1);
  const Int128 lowest = IsSigned(type) ? -half : 0, highest = IsSigned(type) ? half - 1 : 2 * half - 1;
  if (term.element < 0) {
    return term.value >= lowest && term.value <= highest ? std::optional<Term>(term) : std::nullopt;
  }
  term.lowest = std::max(term.lowest, lowest - term.value);
  term.highest = std::min(term.highest, highest - term.value);
  return term;
}

std::optional<int64_t> IntegerOf(const Literal& literal) {
  const Shape& shape = literal.shape();
  if (literal.IsElided() || !shape.IsArray() || shape.rank() != 0 || !IsInteger(shape.element_type())) {
    return std::nullopt;
  }
  const int bytes = StorageBytes(shape.element_type());
  uint64_t bits = 0;
  std::memcpy(&bits, literal.ElementBytes(0), static_cast<size_t>(bytes));
  if (IsSigned(shape.element_type()) && bytes < 8 && (bits >> (8 * bytes - 1) & 1) != 0)
    bits |= ~uint64_t{0} << 8 * bytes;
  if (!IsSigned(shape.element_type()) && bits >> 63 != 0) return std::nullopt;
  return static_cast<int64_t>(bits);
}

class LoopReader {
 public:
  explicit LoopReader(const Module& module) : module_(module) {}

  // The value of an integer scalar.
  std::optional<Term> Read(InstructionId id, const Scope& scope, int depth = 0) const {
    if (!id.has_value() || depth > kMaxDepth || !IsIntegerScalar(id)) return std::nullopt;
    const std::optional<Term> term = ReadUnchecked(id, scope, depth);
    return term.has_value() ? Within(module_.shape(id).element_type(), *term) : std::nullopt;
  }

  // The same of an element of a tuple.
  std::optional<Term> ReadElement(InstructionId id, int64_t element, const Scope& scope, int depth = 0) const {
    if (!id.has_value() || depth > kMaxDepth || element < 0) return std::nullopt;
    switch (module_.opcode(id)) {
      case Opcode::kTuple:
        if (static_cast<size_t>(element) >= module_.operands(id).size()) return std::nullopt;
        return Read(module_.operand(id, static_cast<size_t>(element)), scope, depth + 1);
      case Opcode::kParameter:
        if (scope.outer != nullptr) {
          const size_t number = module_.instruction(id).parameter_number;
          if (number >= module_.operands(scope.caller).size()) return std::nullopt;
          return ReadElement(module_.operand(scope.caller, number), element, *scope.outer, depth + 1);
        }
        return Term{element, 0};
      case Opcode::kCopy:
      case Opcode::kOptBarrier:
        return ReadElement(module_.operand(id, 0), element, scope, depth + 1);
      case Opcode::kFusion:
      case Opcode::kCall: {
        const Scope inner{&scope, id};
        return ReadElement(RootOf(id), element, inner, depth + 1);
      }
      default:
        return std::nullopt;
    }
  }

  // The comparison that a condition ends with, and the scope it is in; `scopes` keeps those that were entered.
  InstructionId Comparison(InstructionId id, const Scope** scope, Scope (&scopes)[4]) const {
    for (Scope& inner : scopes) {
      if (!id.has_value()) return InstructionId();
      const Opcode opcode = module_.opcode(id);
      if (opcode == Opcode::kCompare) return id;
      if (opcode != Opcode::kFusion && opcode != Opcode::kCall) return InstructionId();
      inner = Scope{*scope, id};
      *scope = &inner;
      id = RootOf(id);
    }
    return InstructionId();
  }

 private:
  std::optional<Term> ReadUnchecked(InstructionId id, const Scope& scope, int depth) const {
    switch (module_.opcode(id)) {
      case Opcode::kConstant: {
        if (!module_.instruction(id).literal.has_value()) return std::nullopt;
        const std::optional<int64_t> value = IntegerOf(module_.literal(id));
        if (!value.has_value()) return std::nullopt;
        return Term{-1, *value};
      }
      case Opcode::kParameter:
        if (scope.outer != nullptr) {
          const size_t number = module_.instruction(id).parameter_number;
          if (number >= module_.operands(scope.caller).size()) return std::nullopt;
          return Read(module_.operand(scope.caller, number), *scope.outer, depth + 1);
        }
        return Term{0, 0};
      case Opcode::kGetTupleElement:
        return ReadElement(module_.operand(id, 0), module_.IntAttribute(id, AttributeKind::kIndex), scope, depth + 1);
      case Opcode::kCopy:
      case Opcode::kBitcast:
      case Opcode::kReshape:
      case Opcode::kConvert:
        return Read(module_.operand(id, 0), scope, depth + 1);
      case Opcode::kFusion:
      case Opcode::kCall: {
        const Scope inner{&scope, id};
        return Read(RootOf(id), inner, depth + 1);
      }
      case Opcode::kAdd:
      case Opcode::kSubtract:
        return ReadSum(id, scope, depth + 1);
      default:
        return std::nullopt;
    }
  }

  bool IsIntegerScalar(InstructionId id) const {
    const Shape& shape = module_.shape(id);
    return shape.IsArray() && shape.rank() == 0 && IsInteger(shape.element_type());
  }
  InstructionId RootOf(InstructionId caller) const {
    const ComputationId callee = module_.ComputationAttribute(
        caller, module_.opcode(caller) == Opcode::kFusion ? AttributeKind::kCalls : AttributeKind::kToApply);
    return callee.has_value() ? module_.computation(callee).root : InstructionId();
  }
  std::optional<Term> ReadSum(InstructionId id, const Scope& scope, int depth) const {
    if (!IsIntegerScalar(id) || module_.operands(id).size() != 2) return std::nullopt;
    const std::optional<Term> a = Read(module_.operand(id, 0), scope, depth);
    const std::optional<Term> b = a.has_value() ? Read(module_.operand(id, 1), scope, depth) : std::nullopt;
    if (!b.has_value() || (a->element >= 0 && b->element >= 0)) return std::nullopt;
    const bool subtract = module_.opcode(id) == Opcode::kSubtract;
    if (subtract && b->element >= 0) return std::nullopt;
    Term sum{std::max(a->element, b->element), 0, std::max(a->lowest, b->lowest), std::min(a->highest, b->highest)};
    const bool overflows = subtract ? __builtin_sub_overflow(a->value, b->value, &sum.value)
                                    : __builtin_add_overflow(a->value, b->value, &sum.value);
    return overflows ? std::nullopt : std::optional<Term>(sum);
  }

  const Module& module_;
};

// How often a counter that starts at `start` and goes on by `step` holds `counter direction bound`.
std::optional<Int128> CountOf(Int128 start, Int128 step, ComparisonDirection direction, Int128 bound) {
  switch (direction) {
    case ComparisonDirection::kLe:
      return CountOf(start, step, ComparisonDirection::kLt, bound + 1);
    case ComparisonDirection::kGe:
      return CountOf(start, step, ComparisonDirection::kGt, bound - 1);
    case ComparisonDirection::kGt:
      return CountOf(-start, -step, ComparisonDirection::kLt, -bound);
    case ComparisonDirection::kLt:
      if (start >= bound) return 0;
      if (step <= 0) return std::nullopt;
      return (bound - start + step - 1) / step;
    case ComparisonDirection::kNe:
      if (start == bound) return 0;
      if (step == 0 || (bound - start) % step != 0 || (bound - start) / step < 0) return std::nullopt;
      return (bound - start) / step;
    case ComparisonDirection::kEq:
      if (start != bound) return 0;
      return step == 0 ? std::nullopt : std::optional<Int128>(1);
  }
  return std::nullopt;
}

ComparisonDirection Swapped(ComparisonDirection direction) {
  switch (direction) {
    case ComparisonDirection::kLt:
      return ComparisonDirection::kGt;
    case ComparisonDirection::kGt:
      return ComparisonDirection::kLt;
    case ComparisonDirection::kLe:
      return ComparisonDirection::kGe;
    case ComparisonDirection::kGe:
      return ComparisonDirection::kLe;
    case ComparisonDirection::kEq:
    case ComparisonDirection::kNe:
      break;
  }
  return direction;
}

}  // namespace

std::optional<int64_t> KnownTripCount(const Module& module, InstructionId id) {
  const RawValue* config = module.RawAttribute(id, AttributeKind::kBackendConfig);
  if (config == nullptr) return std::nullopt;
  // {"known_trip_count":{"n":"10"}}, with any white space, the number with or without quotes.
  const size_t key = config->text.find("known_trip_count");
  if (key == std::string::npos) return std::nullopt;
  absl::string_view rest = absl::string_view(config->text).substr(key);
  const size_t brace = rest.find('{');
  const size_t close = rest.find('}');
  if (brace == absl::string_view::npos || close == absl::string_view::npos || close < brace) return std::nullopt;
  rest = rest.substr(brace, close - brace);
  const size_t digits = rest.find_first_of("0123456789");
  if (digits == absl::string_view::npos || rest.find('-') < digits) return std::nullopt;
  rest = rest.substr(digits);
  rest = rest.substr(0, std::min(rest.find_first_not_of("0123456789"), rest.size()));
  int64_t count = 0;
  if (!absl::SimpleAtoi(rest, &count)) return std::nullopt;
  return count;
}

std::optional<int64_t> InferredTripCount(const Module& module, InstructionId id) {
  const ComputationId condition = module.ComputationAttribute(id, AttributeKind::kCondition);
  const ComputationId body = module.ComputationAttribute(id, AttributeKind::kBody);
  if (!condition.has_value() || !body.has_value() || module.operands(id).size() != 1) return std::nullopt;
  const LoopReader reader(module);
  const Scope top;
  const Scope* scope = &top;
  Scope scopes[4];
  const InstructionId comparison = reader.Comparison(module.computation(condition).root, &scope, scopes);
  if (!comparison.has_value() || module.operands(comparison).size() != 2) return std::nullopt;
  ComparisonDirection direction = module.WordAttribute(comparison, AttributeKind::kDirection, ComparisonDirection::kEq);
  std::optional<Term> counter = reader.Read(module.operand(comparison, 0), *scope);
  std::optional<Term> bound = reader.Read(module.operand(comparison, 1), *scope);
  if (!counter.has_value() || !bound.has_value()) return std::nullopt;

  // Elements of the state before the loop, and what an iteration adds to them.
  const bool is_tuple = module.shape(id).IsTuple();
  const Scope outside;
  const auto start_of = [&](int64_t element) -> std::optional<int64_t> {
    const InstructionId operand = module.operand(id, 0);
    const std::optional<Term> start =
        is_tuple ? reader.ReadElement(operand, element, outside) : reader.Read(operand, outside);
    return start.has_value() && start->element < 0 ? std::optional<int64_t>(start->value) : std::nullopt;
  };
  const auto next_of = [&](int64_t element) -> std::optional<Term> {
    const InstructionId root = module.computation(body).root;
    const std::optional<Term> next = is_tuple ? reader.ReadElement(root, element, top) : reader.Read(root, top);
    return next.has_value() && next->element == element ? next : std::nullopt;
  };
  const auto stays = [&](int64_t element) {
    const std::optional<Term> next = next_of(element);
    return next.has_value() && next->value == 0;
  };
  if (counter->element < 0 || (bound->element >= 0 && stays(counter->element))) {
    std::swap(counter, bound);
    direction = Swapped(direction);
  }
  if (counter->element < 0) return std::nullopt;
  const std::optional<int64_t> start = start_of(counter->element);
  const std::optional<Term> next = next_of(counter->element);
  if (!start.has_value() || !next.has_value()) return std::nullopt;
  Int128 limit = bound->value;
  if (bound->element >= 0) {
    const std::optional<int64_t> fixed = start_of(bound->element);
    if (!fixed.has_value() || !stays(bound->element) || !bound->Fits(*fixed) ||
        !next_of(bound->element)->Fits(*fixed)) {
      return std::nullopt;
    }
    limit += *fixed;
  }
  const Int128 first = *start, step = next->value;
  const std::optional<Int128> count = CountOf(first + counter->value, step, direction, limit);
  if (!count.has_value() || *count > std::numeric_limits<int64_t>::max()) return std::nullopt;
  // A counter that wraps around may go on, even without end.
  const Int128 last = first + step * *count;
  if (!counter->Fits(first) || !counter->Fits(last)) return std::nullopt;
  if (*count > 0 && (!next->Fits(first) || !next->Fits(last - step))) return std::nullopt;
  return static_cast<int64_t>(*count);
}

std::optional<int64_t> TripCount(const Module& module, InstructionId id) {
  const std::optional<int64_t> known = KnownTripCount(module, id);
  return known.has_value() ? known : InferredTripCount(module, id);
}

}  // namespace hloscope
