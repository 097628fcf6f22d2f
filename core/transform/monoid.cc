// SPDX-License-Identifier: Apache-2.0
#include "core/transform/monoid.h"

#include <limits>
#include <utility>

#include "numerics/elements/float_conversion.h"

namespace hloscope {
namespace {

void AppendBytes(uint64_t bits, int bytes, std::vector<uint8_t>* out) {
  for (int i = 0; i < bytes; ++i) out->push_back(static_cast<uint8_t>(bits >> (8 * i)));
}

// The bits of the type's element of this value; nothing if it has no such element.
std::optional<uint64_t> FloatBits(ElementType type, double value) {
  const uint64_t bits = EncodeFloat(type, value);
  return DecodeFloat(type, bits) == value ? std::optional<uint64_t>(bits) : std::nullopt;
}

// +infinity or the largest finite value, and the reverse of it.
std::optional<uint64_t> ExtremeFloat(ElementType type, bool largest) {
  const FloatFormat& format = FloatFormatOf(type);
  if (!largest && !format.has_sign) return std::nullopt;
  const double magnitude =
      format.has_infinity ? std::numeric_limits<double>::infinity() : DecodeFloat(type, LargestFiniteCode(type));
  return FloatBits(type, largest ? magnitude : -magnitude);
}

std::optional<uint64_t> IdentityBits(Opcode opcode, ElementType type) {
  const int width = BitWidth(type);
  const uint64_t ones = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const bool is_signed = IsSigned(type);
  switch (opcode) {
    case Opcode::kAdd:
      return IsFloat(type) ? FloatBits(type, 0.0) : std::optional<uint64_t>(0);
    case Opcode::kMultiply:
      return IsFloat(type) ? FloatBits(type, 1.0) : std::optional<uint64_t>(1);
    case Opcode::kMinimum:
      if (IsFloat(type)) return ExtremeFloat(type, /*largest=*/true);
      return is_signed ? ones >> 1 : ones;
    case Opcode::kMaximum:
      if (IsFloat(type)) return ExtremeFloat(type, /*largest=*/false);
      // Narrow signed types are stored sign-extended.
      return is_signed ? ~(ones >> 1) : 0;
    case Opcode::kAnd:
      // Of signed types too: all ones sign-extended.
      return is_signed ? ~uint64_t{0} : ones;
    default:  // or, xor
      return 0;
  }
}

std::optional<Monoid> MonoidOf(const Module& module, InstructionId id, InstructionId a, InstructionId b) {
  const Opcode opcode = module.opcode(id);
  const ElementType type = module.shape(id).element_type();
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kMultiply:
      break;
    case Opcode::kMinimum:
    case Opcode::kMaximum:
      if (IsComplex(type)) return std::nullopt;
      break;
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
      if (IsFloat(type) || IsComplex(type)) return std::nullopt;
      break;
    default:
      return std::nullopt;
  }
  const absl::Span<const InstructionId> operands = module.operands(id);
  if (operands.size() != 2) return std::nullopt;
  if (!(operands[0] == a && operands[1] == b) && !(operands[0] == b && operands[1] == a)) return std::nullopt;
  for (InstructionId operand : operands) {
    if (!module.shape(operand).IsScalar() || module.shape(operand).element_type() != type) return std::nullopt;
  }
  if (!module.shape(id).IsScalar()) return std::nullopt;
  return Monoid{opcode, type};
}

}  // namespace

bool Monoid::IsExact() const {
  return !(IsFloat(type) || IsComplex(type)) || opcode == Opcode::kMinimum || opcode == Opcode::kMaximum;
}

std::optional<Literal> Monoid::Identity() const {
  const ElementType component = ComplexComponent(type);
  const std::optional<uint64_t> bits = IdentityBits(opcode, component);
  if (!bits) return std::nullopt;
  Literal literal(Shape::Scalar(type));
  AppendBytes(*bits, StorageBytes(component), &literal.mutable_bytes());
  if (IsComplex(type)) AppendBytes(0, StorageBytes(component), &literal.mutable_bytes());
  return literal;
}

std::optional<std::vector<Monoid>> RecognizeMonoids(const Module& module, InstructionId reduce) {
  const ComputationId id = module.ComputationAttribute(reduce, AttributeKind::kToApply);
  const size_t n = module.operands(reduce).size() / 2;
  if (!id.has_value() || n == 0) return std::nullopt;
  const Computation& computation = module.computation(id);
  if (computation.parameters.size() != 2 * n || !computation.root.has_value()) return std::nullopt;
  const bool is_tuple = module.shape(computation.root).IsTuple();
  if (is_tuple &&
      (module.opcode(computation.root) != Opcode::kTuple || module.operands(computation.root).size() != n)) {
    return std::nullopt;
  }
  if (!is_tuple && n != 1) return std::nullopt;
  std::vector<Monoid> monoids;
  for (size_t k = 0; k < n; ++k) {
    const InstructionId component = is_tuple ? module.operand(computation.root, k) : computation.root;
    const std::optional<Monoid> monoid =
        MonoidOf(module, component, computation.parameters[k], computation.parameters[n + k]);
    if (!monoid || module.shape(module.operand(reduce, k)).element_type() != monoid->type ||
        module.shape(module.operand(reduce, n + k)).element_type() != monoid->type) {
      return std::nullopt;
    }
    monoids.push_back(*monoid);
  }
  return monoids;
}

}  // namespace hloscope
