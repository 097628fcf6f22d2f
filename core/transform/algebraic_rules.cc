// SPDX-License-Identifier: Apache-2.0
// The rules of the pass `algebraic`: each leaves the value as it is, bit for bit.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/transform/monoid.h"
#include "core/transform/simplify.h"
#include "core/transform/tree_rebuilder.h"
#include "numerics/elements/float_conversion.h"

namespace hloscope {
namespace {

bool SameSizes(const Shape& a, const Shape& b) {
  return a.IsArray() && b.IsArray() && a.dimensions() == b.dimensions();
}

// Replaces `id` by a copy of it with another operand, dimension numbers and whatever else `add` adds.
void ReplaceByCopy(PassContext& context, InstructionId id, InstructionId operand,
                   absl::Span<const int64_t> dimensions) {
  const Module& module = context.module;
  const std::vector<int64_t> list(dimensions.begin(), dimensions.end());
  const InstructionId copy = context.editor.AddCopy(
      id, id, module.shape(id), {operand}, [](AttributeKind kind) { return kind != AttributeKind::kDimensions; });
  if (AcceptsAttribute(module.opcode(id), AttributeKind::kDimensions)) {
    context.editor.mutable_module().AddInts(copy, AttributeKind::kDimensions, list);
  }
  context.editor.SetName(copy, module.instruction(id).name);
  context.editor.Replace(id, copy);
  context.editor.EraseIfUnused(id);
}

// --- Movements that move nothing ---

bool IdentityMovement(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  const Opcode opcode = module.opcode(id);
  const absl::Span<const InstructionId> operands = module.operands(id);
  if (operands.empty() || !SameSizes(module.shape(id), module.shape(operands[0]))) return false;
  const auto in_order = [&] {
    const absl::Span<const int64_t> list = module.IntsAttribute(id, AttributeKind::kDimensions);
    for (size_t k = 0; k < list.size(); ++k) {
      if (list[k] != static_cast<int64_t>(k)) return false;
    }
    return true;
  };
  bool is_identity = false;
  switch (opcode) {
    case Opcode::kTranspose:
    case Opcode::kBroadcast:
      is_identity = in_order();
      break;
    case Opcode::kConvert:
    case Opcode::kBitcastConvert:
    case Opcode::kBitcast:
      is_identity = true;  // to the same shape
      break;
    case Opcode::kConcatenate:
      is_identity = operands.size() == 1;
      break;
    case Opcode::kSlice:
    case Opcode::kDynamicSlice:
      // All of the operand: clamping leaves no other start.
      is_identity = true;
      break;
    case Opcode::kPad: {
      const PaddingConfig* padding = module.PaddingAttribute(id);
      is_identity = padding != nullptr && std::all_of(padding->begin(), padding->end(), [](const PaddingDimension& d) {
                      return d.low == 0 && d.high == 0 && d.interior == 0;
                    });
      break;
    }
    case Opcode::kReverse: {
      const absl::Span<const int64_t> list = module.IntsAttribute(id, AttributeKind::kDimensions);
      is_identity =
          std::all_of(list.begin(), list.end(), [&](int64_t d) { return module.shape(id).dimension(d) <= 1; });
      break;
    }
    default:
      return false;
  }
  // Between other types a conversion is one.
  if (!is_identity || module.shape(id).element_type() != module.shape(operands[0]).element_type()) return false;
  const std::string matched = absl::StrCat(OpcodeName(opcode), " that changes nothing");
  if (module.shape(id).IsDynamic()) {
    context.Refuse(kAlgebraicPass, id, absl::StrCat(matched, ", but its shape is dynamic"));
    return false;
  }
  return ReplaceByExisting(context, id, operands[0], matched, pattern);
}

bool TransposeOfTranspose(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  if (module.opcode(id) != Opcode::kTranspose) return false;
  const InstructionId inner = module.operand(id, 0);
  if (module.opcode(inner) != Opcode::kTranspose) return false;
  std::string reason = WhyNotPassed(module, id, inner);
  // With another user, the inner one may be what moved the data.
  if (reason.empty() && context.editor.use_count(inner) > 1 && context.cost.IsFree(id)) {
    reason = absl::StrCat("it moves nothing, and ", module.InstructionName(inner), " has other users");
  }
  if (!reason.empty()) {
    context.Refuse(kAlgebraicPass, id, absl::StrCat("transpose of a transpose, but ", reason));
    return false;
  }
  const absl::Span<const int64_t> first = module.IntsAttribute(inner, AttributeKind::kDimensions);
  std::vector<int64_t> both;
  for (int64_t d : module.IntsAttribute(id, AttributeKind::kDimensions)) both.push_back(first[static_cast<size_t>(d)]);
  ReplaceByCopy(context, id, module.operand(inner, 0), both);
  *pattern = "transpose of a transpose";
  return true;
}

// True if every value of `from` is a value of `to`, so that a conversion and another one after it round once.
bool IsLossless(ElementType from, ElementType to) {
  if (IsFloat(from) && IsFloat(to)) {
    const FloatFormat &a = FloatFormatOf(from), &b = FloatFormatOf(to);
    return a.exponent_bits <= b.exponent_bits && a.mantissa_bits <= b.mantissa_bits &&
           (!a.has_infinity || b.has_infinity) && (!a.has_nan || b.has_nan) &&
           (!a.has_negative_zero || b.has_negative_zero) && (!a.has_sign || b.has_sign) && a.has_infinity;
  }
  if (IsSigned(from)) return IsSigned(to) && BitWidth(from) <= BitWidth(to);
  if (IsUnsigned(from)) {
    return (IsUnsigned(to) && BitWidth(from) <= BitWidth(to)) || (IsSigned(to) && BitWidth(from) < BitWidth(to));
  }
  return false;
}

bool ConvertOfConvert(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  if (module.opcode(id) != Opcode::kConvert) return false;
  const InstructionId inner = module.operand(id, 0);
  if (module.opcode(inner) != Opcode::kConvert) return false;
  const InstructionId source = module.operand(inner, 0);
  const ElementType from = module.shape(source).element_type(), through = module.shape(inner).element_type();
  std::string reason;
  if (!HasUniformSharding(module, inner)) {
    reason = absl::StrCat("the sharding of ", module.InstructionName(inner), " would be lost");
  } else if (!IsLossless(from, through)) {
    reason = absl::StrCat(ElementTypeName(through), " does not have every value of ", ElementTypeName(from));
  }
  if (!reason.empty()) {
    context.Refuse(kAlgebraicPass, id, absl::StrCat("convert of a convert, but ", reason));
    return false;
  }
  constexpr absl::string_view kMatched = "convert of a convert that loses nothing";
  if (from == module.shape(id).element_type() && ReplaceByExisting(context, id, source, kMatched, pattern)) return true;
  ReplaceByCopy(context, id, source, {});
  *pattern = std::string(kMatched);
  return true;
}

// A reshape of a scalar that was broadcast is a broadcast.
bool ReshapeOfSplat(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  if (module.opcode(id) != Opcode::kReshape || module.shape(id).rank() == 0) return false;
  const InstructionId inner = module.operand(id, 0);
  if (module.opcode(inner) != Opcode::kBroadcast || !module.shape(module.operand(inner, 0)).IsScalar()) return false;
  std::string reason;
  if (!IsPlainArray(module.shape(id))) {
    reason = "its shape is dynamic, empty or in a layout of its own";
  } else if (!KeepsElementType(module, inner)) {
    reason = absl::StrCat(module.InstructionName(inner), " also converts its operand");
  }
  if (!reason.empty()) {
    context.Refuse(kAlgebraicPass, id, absl::StrCat("reshape of a broadcast scalar, but ", reason));
    return false;
  }
  const InstructionId splat = context.editor.Add(id, Opcode::kBroadcast, module.InstructionName(inner),
                                                 Shape(module.shape(id)), {module.operand(inner, 0)});
  context.editor.mutable_module().AddInts(splat, AttributeKind::kDimensions, {});
  context.editor.CopyCommonAttributes(id, splat, /*sharding=*/true, /*origin=*/true);
  context.editor.Replace(id, splat);
  context.editor.EraseIfUnused(id);
  *pattern = "reshape of a broadcast scalar";
  return true;
}

// --- Tuples ---

bool ElementOfTuple(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  if (module.opcode(id) != Opcode::kGetTupleElement) return false;
  const InstructionId tuple = module.operand(id, 0);
  if (module.opcode(tuple) != Opcode::kTuple) return false;
  constexpr absl::string_view kMatched = "element of a tuple";
  if (context.editor.HasControlEdges(tuple)) {
    context.Refuse(kAlgebraicPass, id,
                   absl::StrCat(kMatched, ", but ", module.InstructionName(tuple), " has control dependencies"));
    return false;
  }
  const size_t index = static_cast<size_t>(module.IntAttribute(id, AttributeKind::kIndex));
  return ReplaceByExisting(context, id, module.operand(tuple, index), kMatched, pattern);
}

bool TupleOfElements(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  const absl::Span<const InstructionId> operands = module.operands(id);
  if (module.opcode(id) != Opcode::kTuple || operands.empty()) return false;
  InstructionId source, ordered;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (module.opcode(operands[k]) != Opcode::kGetTupleElement) return false;
    if (context.editor.HasControlEdges(operands[k])) ordered = operands[k];
    const InstructionId from = module.operand(operands[k], 0);
    if (k == 0) source = from;
    if (from != source || module.IntAttribute(operands[k], AttributeKind::kIndex) != static_cast<int64_t>(k))
      return false;
  }
  if (module.shape(source).tuple_size() != static_cast<int64_t>(operands.size())) return false;
  constexpr absl::string_view kMatched = "tuple of all elements of a tuple";
  if (ordered.has_value()) {
    context.Refuse(kAlgebraicPass, id,
                   absl::StrCat(kMatched, ", but ", module.InstructionName(ordered), " has control dependencies"));
    return false;
  }
  return ReplaceByExisting(context, id, source, kMatched, pattern);
}

// --- Arithmetic ---

// The scalar constant that an operand is, or is a broadcast of; null if it is none.
const Literal* SplatOf(const Module& module, InstructionId id) {
  if (module.opcode(id) == Opcode::kBroadcast) id = module.operand(id, 0);
  if (module.opcode(id) != Opcode::kConstant || !module.instruction(id).literal.has_value()) return nullptr;
  const Literal& literal = module.literal(id);
  return literal.shape().IsScalar() && !literal.IsElided() ? &literal : nullptr;
}

bool SameElement(const Literal& literal, const Literal& wanted) {
  const size_t bytes = wanted.bytes().size();
  return std::equal(wanted.bytes().begin(), wanted.bytes().end(), literal.ElementBytes(0),
                    literal.ElementBytes(0) + bytes);
}

// Whether `x op literal` is x, bit for bit.
bool IsNeutralOnTheRight(Opcode opcode, ElementType type, const Literal& literal) {
  if (literal.shape().element_type() != type || IsComplex(type)) return false;
  const auto is_identity_of = [&](Opcode monoid) {
    const std::optional<Literal> identity = Monoid{monoid, type}.Identity();
    return identity && SameElement(literal, *identity);
  };
  switch (opcode) {
    case Opcode::kAdd:
      if (!IsFloat(type)) return is_identity_of(Opcode::kAdd);
      {
        // Only -0 leaves -0 alone.
        if (StorageBytes(type) * 8 != BitWidth(type) || !FloatFormatOf(type).has_negative_zero) return false;
        const uint8_t* bytes = literal.ElementBytes(0);
        const int last = StorageBytes(type) - 1;
        return bytes[last] == 0x80 && std::all_of(bytes, bytes + last, [](uint8_t b) { return b == 0; });
      }
    case Opcode::kSubtract:
    case Opcode::kOr:
    case Opcode::kXor:
      return is_identity_of(Opcode::kAdd);
    case Opcode::kMultiply:
    case Opcode::kDivide:
      return is_identity_of(Opcode::kMultiply);
    case Opcode::kAnd:
      return is_identity_of(Opcode::kAnd);
    case Opcode::kMaximum:
    case Opcode::kMinimum:
      return !IsFloat(type) && is_identity_of(opcode);
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
      return is_identity_of(Opcode::kAdd);
    default:
      return false;
  }
}

bool IsZero(const Literal& literal, ElementType type) {
  const std::optional<Literal> zero = Monoid{Opcode::kAdd, type}.Identity();
  return zero && literal.shape().element_type() == type && SameElement(literal, *zero);
}

bool NeutralElement(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  const Opcode opcode = module.opcode(id);
  if (InfoOf(opcode).family != OpFamily::kElementwise || module.operands(id).size() != 2) return false;
  const ElementType type = module.shape(id).element_type();
  const bool commutes = opcode == Opcode::kAdd || opcode == Opcode::kMultiply || opcode == Opcode::kAnd ||
                        opcode == Opcode::kOr || opcode == Opcode::kXor || opcode == Opcode::kMaximum ||
                        opcode == Opcode::kMinimum;
  for (size_t k = 1;; --k) {
    const Literal* literal = SplatOf(module, module.operand(id, k));
    if (literal != nullptr && IsNeutralOnTheRight(opcode, type, *literal)) {
      const std::string matched = absl::StrCat(OpcodeName(opcode), " of a neutral element");
      if (ReplaceByExisting(context, id, module.operand(id, 1 - k), matched, pattern)) return true;
    } else if (literal != nullptr && opcode == Opcode::kAdd && IsFloat(type) && IsZero(*literal, type)) {
      context.Refuse(kAlgebraicPass, id, "add of 0, but it makes 0 of -0; only -0 is neutral");
    }
    if (k == 0 || !commutes) return false;
  }
}

// f(f(x)) = x.
bool Involution(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  const Opcode opcode = module.opcode(id);
  if (opcode != Opcode::kNegate && opcode != Opcode::kNot && opcode != Opcode::kReverse) return false;
  const InstructionId inner = module.operand(id, 0);
  if (module.opcode(inner) != opcode ||
      module.IntsAttribute(id, AttributeKind::kDimensions) != module.IntsAttribute(inner, AttributeKind::kDimensions)) {
    return false;
  }
  const std::string matched = absl::StrCat(OpcodeName(opcode), " of a ", OpcodeName(opcode));
  if (!KeepsElementType(module, inner)) {
    context.Refuse(kAlgebraicPass, id,
                   absl::StrCat(matched, ", but ", module.InstructionName(inner), " also converts its operand"));
    return false;
  }
  const ElementType type = module.shape(id).element_type();
  if (opcode == Opcode::kNegate && IsFloat(type) && !FloatFormatOf(type).has_sign) {
    context.Refuse(kAlgebraicPass, id,
                   absl::StrCat(matched, ", but ", ElementTypeName(type), " has no negative numbers"));
    return false;
  }
  return ReplaceByExisting(context, id, module.operand(inner, 0), matched, pattern);
}

bool PartOfComplex(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  const Opcode opcode = module.opcode(id);
  if (opcode != Opcode::kReal && opcode != Opcode::kImag) return false;
  const InstructionId inner = module.operand(id, 0);
  if (module.opcode(inner) != Opcode::kComplex) return false;
  return ReplaceByExisting(context, id, module.operand(inner, opcode == Opcode::kReal ? 0 : 1),
                           "part of a complex number made of parts", pattern);
}

bool SelectOfOneValue(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  if (module.opcode(id) != Opcode::kSelect) return false;
  size_t taken = 1;
  if (module.operand(id, 1) != module.operand(id, 2)) {
    const Literal* predicate = SplatOf(module, module.operand(id, 0));
    if (predicate == nullptr) return false;
    taken = predicate->ElementBytes(0)[0] != 0 ? 1 : 2;
  }
  return ReplaceByExisting(context, id, module.operand(id, taken), "select with one possible value", pattern);
}

}  // namespace

absl::Span<const SimplifyRule> AlgebraicRules() {
  static constexpr SimplifyRule kRules[] = {IdentityMovement, TransposeOfTranspose, ConvertOfConvert, ReshapeOfSplat,
                                            ElementOfTuple,   TupleOfElements,      NeutralElement,   Involution,
                                            PartOfComplex,    SelectOfOneValue};
  return kRules;
}

void SimplifyAlgebra(PassContext& context) {
  for (uint32_t c = 0; c < context.module.computations().size(); ++c) {
    if (!context.editor.IsRewritable(ComputationId(c))) continue;
    for (InstructionId id = context.editor.first(ComputationId(c)); id.has_value();) {
      const InstructionId next = context.editor.next(id);
      for (const absl::Span<const SimplifyRule> rules : {ReshapeRules(), AlgebraicRules()}) {
        for (SimplifyRule rule : rules) {
          if (!context.editor.IsAlive(id) || !context.IsWanted(id)) continue;
          context.AttemptAlways(kAlgebraicPass, id,
                                [&](Application* application) { return rule(context, id, &application->pattern); });
        }
      }
      id = next;
    }
  }
}

}  // namespace hloscope
