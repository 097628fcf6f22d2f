// SPDX-License-Identifier: Apache-2.0
#include "core/communication/known_array.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/ir/checked_math.h"

namespace hloscope {
namespace {

constexpr int64_t kMostElements = 4096;

bool IsFollowed(ElementType type) { return IsInteger(type) || type == ElementType::kPred; }

// The element count of an array that is small enough.
std::optional<int64_t> ElementCountOf(absl::Span<const int64_t> dimensions) {
  int64_t count = 1;
  for (int64_t size : dimensions) count = SaturatingProduct(count, std::max<int64_t>(size, 0));
  if (count > kMostElements) return std::nullopt;
  return count;
}

// As the type stores it.
int64_t Wrapped(ElementType type, uint64_t bits) {
  if (type == ElementType::kPred) return bits & 1;
  const int width = BitWidth(type);
  if (width >= 64) return static_cast<int64_t>(bits);
  const uint64_t mask = (uint64_t{1} << width) - 1;
  bits &= mask;
  if (IsSigned(type) && (bits >> (width - 1)) != 0) bits |= ~mask;
  return static_cast<int64_t>(bits);
}

bool IsLess(ElementType type, int64_t a, int64_t b) {
  return IsSigned(type) ? a < b : static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
}

std::optional<int64_t> Quotient(ElementType type, int64_t a, int64_t b, bool remainder) {
  if (b == 0 || (IsSigned(type) && b == -1)) return std::nullopt;
  if (IsSigned(type)) return remainder ? a % b : a / b;
  const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  return Wrapped(type, remainder ? x % y : x / y);
}

std::optional<int64_t> Shifted(Opcode opcode, ElementType type, int64_t a, int64_t b) {
  const int width = BitWidth(type);
  if (b < 0 || b >= width) return std::nullopt;
  const uint64_t bits = static_cast<uint64_t>(a);
  if (opcode == Opcode::kShiftLeft) return Wrapped(type, bits << b);
  const uint64_t own = width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
  if (opcode == Opcode::kShiftRightLogical) return Wrapped(type, own >> b);
  return Wrapped(type, static_cast<uint64_t>(a >> b));
}

std::optional<int64_t> BinaryElement(Opcode opcode, ElementType type, int64_t a, int64_t b) {
  const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  const bool is_pred = type == ElementType::kPred;
  switch (opcode) {
    case Opcode::kAdd:
      return Wrapped(type, is_pred ? x | y : x + y);
    case Opcode::kSubtract:
      if (is_pred) return std::nullopt;
      return Wrapped(type, x - y);
    case Opcode::kMultiply:
      return Wrapped(type, x * y);
    case Opcode::kDivide:
    case Opcode::kRemainder:
      if (is_pred) return std::nullopt;
      return Quotient(type, a, b, opcode == Opcode::kRemainder);
    case Opcode::kMaximum:
      return IsLess(type, a, b) ? b : a;
    case Opcode::kMinimum:
      return IsLess(type, b, a) ? b : a;
    case Opcode::kAnd:
      return Wrapped(type, x & y);
    case Opcode::kOr:
      return Wrapped(type, x | y);
    case Opcode::kXor:
      return Wrapped(type, x ^ y);
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightLogical:
    case Opcode::kShiftRightArithmetic:
      if (is_pred) return std::nullopt;
      return Shifted(opcode, type, a, b);
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> UnaryElement(Opcode opcode, ElementType type, int64_t a) {
  switch (opcode) {
    case Opcode::kNot:
      return Wrapped(type, ~static_cast<uint64_t>(a));
    case Opcode::kNegate:
      return Wrapped(type, uint64_t{0} - static_cast<uint64_t>(a));
    case Opcode::kAbs:
      return Wrapped(type, IsSigned(type) && a < 0 ? uint64_t{0} - static_cast<uint64_t>(a) : static_cast<uint64_t>(a));
    case Opcode::kSign:
      return IsSigned(type) ? (a > 0) - (a < 0) : a != 0;
    default:
      return std::nullopt;
  }
}

bool Compares(ComparisonDirection direction, ElementType type, int64_t a, int64_t b) {
  switch (direction) {
    case ComparisonDirection::kEq:
      return a == b;
    case ComparisonDirection::kNe:
      return a != b;
    case ComparisonDirection::kGe:
      return !IsLess(type, a, b);
    case ComparisonDirection::kGt:
      return IsLess(type, b, a);
    case ComparisonDirection::kLe:
      return !IsLess(type, b, a);
    case ComparisonDirection::kLt:
      return IsLess(type, a, b);
  }
  return false;
}

// The elements of `operand` at `first + index * stride` for every index of the result.
std::optional<KnownArray> Sliced(const KnownArray& operand, absl::Span<const int64_t> first,
                                 absl::Span<const int64_t> stride, absl::Span<const int64_t> sizes) {
  const std::optional<int64_t> count = ElementCountOf(sizes);
  const size_t rank = operand.dimensions.size();
  if (!count || first.size() != rank || stride.size() != rank || sizes.size() != rank) return std::nullopt;
  KnownArray result{operand.type, {sizes.begin(), sizes.end()}, {}};
  for (int64_t i = 0; i < *count; ++i) {
    int64_t rest = i, from = 0, step = 1;
    for (size_t d = rank; d-- > 0;) {
      const int64_t index = first[d] + rest % sizes[d] * stride[d];
      if (index < 0 || index >= operand.dimensions[d]) return std::nullopt;
      rest /= sizes[d];
      from += index * step;
      step *= operand.dimensions[d];
    }
    result.elements.push_back(operand.elements[static_cast<size_t>(from)]);
  }
  return result;
}

std::optional<KnownArray> Slice(const Module& module, InstructionId id, const KnownArray& operand) {
  const std::vector<SliceRange>* ranges = module.SliceRangesAttribute(id);
  if (ranges == nullptr) return std::nullopt;
  std::vector<int64_t> first, stride;
  for (const SliceRange& range : *ranges) {
    first.push_back(range.start);
    stride.push_back(range.stride);
  }
  return Sliced(operand, first, stride, module.shape(id).dimensions());
}

std::optional<KnownArray> DynamicSlice(const Module& module, InstructionId id,
                                       absl::Span<const KnownArray* const> operands) {
  const absl::Span<const int64_t> sizes = module.shape(id).dimensions();
  const KnownArray& operand = *operands[0];
  if (operands.size() != sizes.size() + 1 || sizes.size() != operand.dimensions.size()) return std::nullopt;
  std::vector<int64_t> first;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!operands[d + 1]->IsScalar() || sizes[d] > operand.dimensions[d]) return std::nullopt;
    const int64_t start = operands[d + 1]->elements[0];
    first.push_back(std::clamp<int64_t>(start, 0, operand.dimensions[d] - sizes[d]));
  }
  return Sliced(operand, first, std::vector<int64_t>(sizes.size(), 1), sizes);
}

std::optional<KnownArray> Broadcast(const Module& module, InstructionId id, const KnownArray& operand) {
  const absl::Span<const int64_t> sizes = module.shape(id).dimensions();
  const absl::Span<const int64_t> places = module.IntsAttribute(id, AttributeKind::kDimensions);
  const std::optional<int64_t> count = ElementCountOf(sizes);
  if (!count || places.size() != operand.dimensions.size()) return std::nullopt;
  KnownArray result{operand.type, {sizes.begin(), sizes.end()}, {}};
  for (int64_t i = 0; i < *count; ++i) {
    std::vector<int64_t> index(sizes.size());
    int64_t rest = i;
    for (size_t d = sizes.size(); d-- > 0;) {
      index[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    int64_t from = 0;
    for (size_t d = 0; d < places.size(); ++d) {
      if (places[d] < 0 || static_cast<size_t>(places[d]) >= sizes.size()) return std::nullopt;
      if (sizes[static_cast<size_t>(places[d])] != operand.dimensions[d]) return std::nullopt;
      from = from * operand.dimensions[d] + index[static_cast<size_t>(places[d])];
    }
    result.elements.push_back(operand.elements[static_cast<size_t>(from)]);
  }
  return result;
}

std::optional<KnownArray> Iota(const Module& module, InstructionId id) {
  const Shape& shape = module.shape(id);
  const std::optional<int64_t> count = ElementCountOf(shape.dimensions());
  const int64_t dimension = module.IntAttribute(id, AttributeKind::kIotaDimension);
  if (!count || !IsFollowed(shape.element_type()) || dimension < 0 || dimension >= shape.rank()) return std::nullopt;
  int64_t inner = 1;
  for (int64_t d = dimension + 1; d < shape.rank(); ++d) inner *= shape.dimension(d);
  KnownArray result{shape.element_type(), {shape.dimensions().begin(), shape.dimensions().end()}, {}};
  for (int64_t i = 0; i < *count; ++i) {
    result.elements.push_back(
        Wrapped(result.type, static_cast<uint64_t>(i / inner % std::max<int64_t>(shape.dimension(dimension), 1))));
  }
  return result;
}

// Elementwise operations with operands of one shape; the selector of `select` may be a scalar.
std::optional<KnownArray> Elementwise(const Module& module, InstructionId id,
                                      absl::Span<const KnownArray* const> operands) {
  const Opcode opcode = module.opcode(id);
  const ElementType type = module.shape(id).element_type();
  const KnownArray& last = *operands.back();
  for (const KnownArray* operand : operands) {
    const bool may_be_scalar = opcode == Opcode::kSelect || opcode == Opcode::kClamp;
    if (operand->elements.size() == last.elements.size()) continue;
    if (!may_be_scalar || !operand->IsScalar()) return std::nullopt;
  }
  const size_t count = opcode == Opcode::kClamp ? operands[1]->elements.size() : last.elements.size();
  KnownArray result{type, opcode == Opcode::kClamp ? operands[1]->dimensions : last.dimensions, {}};
  const auto at = [&](size_t k, size_t i) {
    return operands[k]->elements.size() == 1 ? operands[k]->elements[0] : operands[k]->elements[i];
  };
  for (size_t i = 0; i < count; ++i) {
    std::optional<int64_t> element;
    if (opcode == Opcode::kCompare) {
      if (operands.size() != 2) return std::nullopt;
      const auto direction = module.WordAttribute(id, AttributeKind::kDirection, ComparisonDirection::kEq);
      element = Compares(direction, operands[0]->type, at(0, i), at(1, i));
    } else if (opcode == Opcode::kSelect && operands.size() == 3) {
      element = at(0, i) != 0 ? at(1, i) : at(2, i);
    } else if (opcode == Opcode::kClamp && operands.size() == 3) {
      const int64_t low = IsLess(type, at(1, i), at(0, i)) ? at(0, i) : at(1, i);
      element = IsLess(type, at(2, i), low) ? at(2, i) : low;
    } else if (opcode == Opcode::kConvert) {
      const int64_t value = at(0, i);
      element = type == ElementType::kPred ? value != 0 : Wrapped(type, static_cast<uint64_t>(value));
    } else if (operands.size() == 2) {
      element = BinaryElement(opcode, type, at(0, i), at(1, i));
    } else if (operands.size() == 1) {
      element = UnaryElement(opcode, type, at(0, i));
    }
    if (!element) return std::nullopt;
    result.elements.push_back(*element);
  }
  return result;
}

}  // namespace

std::optional<KnownArray> KnownLiteral(const Literal& literal) {
  const Shape& shape = literal.shape();
  if (!shape.IsArray() || literal.IsElided() || !IsFollowed(shape.element_type())) return std::nullopt;
  const std::optional<int64_t> count = ElementCountOf(shape.dimensions());
  if (!count) return std::nullopt;
  KnownArray result{shape.element_type(), {shape.dimensions().begin(), shape.dimensions().end()}, {}};
  const int bytes = StorageBytes(shape.element_type());
  for (int64_t i = 0; i < *count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, literal.ElementBytes(i), static_cast<size_t>(bytes));
    result.elements.push_back(Wrapped(result.type, bits));
  }
  return result;
}

std::optional<KnownArray> EvaluateKnown(const Module& module, InstructionId id,
                                        absl::Span<const KnownArray* const> operands) {
  const Shape& shape = module.shape(id);
  if (!shape.IsArray() || !IsFollowed(shape.element_type()) || !ElementCountOf(shape.dimensions())) return std::nullopt;
  const Opcode opcode = module.opcode(id);
  if (opcode == Opcode::kIota) return Iota(module, id);
  if (operands.empty()) return std::nullopt;
  std::optional<KnownArray> result;
  switch (opcode) {
    case Opcode::kBitcast:
      // Between types of one width an element keeps its bits; layouts do not matter up to rank 1.
      if (BitWidth(shape.element_type()) != BitWidth(operands[0]->type) || shape.rank() > 1 ||
          operands[0]->dimensions.size() > 1) {
        return std::nullopt;
      }
      [[fallthrough]];
    case Opcode::kReshape:
    case Opcode::kCopy: {
      result = *operands[0];
      result->type = shape.element_type();
      for (int64_t& element : result->elements) element = Wrapped(result->type, static_cast<uint64_t>(element));
      result->dimensions.assign(shape.dimensions().begin(), shape.dimensions().end());
      break;
    }
    case Opcode::kBroadcast:
      result = Broadcast(module, id, *operands[0]);
      break;
    case Opcode::kSlice:
      result = Slice(module, id, *operands[0]);
      break;
    case Opcode::kDynamicSlice:
      result = DynamicSlice(module, id, operands);
      break;
    default:
      result = Elementwise(module, id, operands);
      break;
  }
  if (!result || result->elements.size() != static_cast<size_t>(*ElementCountOf(shape.dimensions())))
    return std::nullopt;
  return result;
}

}  // namespace hloscope
