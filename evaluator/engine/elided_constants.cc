#include "evaluator/engine/elided_constants.h"

#include <utility>

namespace hloscope {
namespace {

// Streams of constants lie beyond those of any parameter number.
constexpr int64_t kFirstConstantStream = int64_t{1} << 32;

absl::StatusOr<Literal> FilledLiteral(const Literal& literal, FillKind kind, uint64_t seed, int64_t stream) {
  const Shape& shape = literal.shape();
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (const Literal& element : literal.elements()) {
      absl::StatusOr<Literal> filled = element.IsElided() ? FilledLiteral(element, kind, seed, stream) : element;
      if (!filled.ok()) return filled;
      elements.push_back(*std::move(filled));
    }
    return Literal::Tuple(shape, std::move(elements));
  }
  const absl::StatusOr<Value> value = FillValue(shape, kind, seed, stream);
  if (!value.ok()) return value.status();
  absl::StatusOr<Literal> filled = LiteralOf(*value);
  if (filled.ok()) filled->mutable_shape() = shape;
  return filled;
}

}  // namespace

absl::StatusOr<FilledModule> FillElidedConstants(std::shared_ptr<const Module> module, FillKind kind, uint64_t seed) {
  FilledModule result{module, {}};
  std::shared_ptr<Module> copy;
  for (uint32_t i = 0; i < module->instruction_count(); ++i) {
    const InstructionId id(i);
    if (module->opcode(id) != Opcode::kConstant || !module->instruction(id).literal.has_value()) continue;
    if (!module->literal(id).IsElided()) continue;
    absl::StatusOr<Literal> literal = FilledLiteral(module->literal(id), kind, seed, kFirstConstantStream + i);
    if (!literal.ok()) return literal.status();
    if (copy == nullptr) copy = std::make_shared<Module>(*module);
    copy->SetLiteral(id, *std::move(literal));
    result.filled.push_back(id);
  }
  if (copy != nullptr) result.module = std::move(copy);
  return result;
}

}  // namespace hloscope
