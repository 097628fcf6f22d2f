// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/elided_constants.h"

#include <utility>

#include "evaluator/engine/plausible_fills.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {
namespace {

// Constants up to this size are made with the module.
constexpr int64_t kSmallBytes = 4096;

struct ConstantFill {
  FillRule rule;
  uint64_t seed;
  int64_t stream;
};

ConstantFill FillOf(const Module& module, InstructionId id, const ElidedConstantFill& fill) {
  const auto rule = fill.rules.find(id);
  uint64_t stream = 0;
  const bool stands_for_another = fill.streams != nullptr && fill.streams->contains(id);
  stream = stands_for_another ? fill.streams->at(id) : StreamOfName(module, id);
  return {rule != fill.rules.end() ? rule->second : fill.rule, fill.seed, static_cast<int64_t>(stream)};
}

absl::StatusOr<Value> FilledValue(const Literal& literal, const ConstantFill& fill, numerics::Executor* executor) {
  const Shape& shape = literal.shape();
  if (!shape.IsTuple()) return FillValue(shape, fill.rule, fill.seed, fill.stream, executor);
  std::vector<Value> elements;
  ConstantFill of_element = fill;
  for (const Literal& element : literal.elements()) {
    absl::StatusOr<Value> value =
        element.IsElided() ? FilledValue(element, of_element, executor) : Value::FromLiteral(element);
    if (!value.ok()) return value;
    elements.push_back(*std::move(value));
    ++of_element.stream;
  }
  return Value::Tuple(std::move(elements));
}

absl::StatusOr<Literal> FilledLiteral(const Literal& literal, const ConstantFill& fill) {
  const Shape& shape = literal.shape();
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    ConstantFill of_element = fill;
    for (const Literal& element : literal.elements()) {
      absl::StatusOr<Literal> filled = element.IsElided() ? FilledLiteral(element, of_element) : element;
      if (!filled.ok()) return filled;
      elements.push_back(*std::move(filled));
      ++of_element.stream;
    }
    return Literal::Tuple(shape, std::move(elements));
  }
  const absl::StatusOr<Value> value = FilledValue(literal, fill, nullptr);
  if (!value.ok()) return value.status();
  absl::StatusOr<Literal> filled = LiteralOf(*value);
  if (filled.ok()) filled->mutable_shape() = shape;
  return filled;
}

}  // namespace

std::vector<InstructionId> ElidedConstants(const Module& module) {
  std::vector<InstructionId> elided;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (module.opcode(id) != Opcode::kConstant || !module.instruction(id).literal.has_value()) continue;
    if (module.literal(id).IsElided()) elided.push_back(id);
  }
  return elided;
}

ElidedConstantFill FillOfConstants(const Module& module, const FillRule& rule, uint64_t seed) {
  ElidedConstantFill fill;
  fill.rule = rule;
  if (rule.kind == FillKind::kRandom) fill.rules = PlausibleFills(module);
  fill.seed = seed;
  return fill;
}

absl::StatusOr<FilledModule> FillElidedConstants(const std::shared_ptr<const Module>& module,
                                                 const ElidedConstantFill& fill, int64_t largest_bytes) {
  FilledModule result{module, {}};
  std::shared_ptr<Module> copy;
  for (InstructionId id : ElidedConstants(*module)) {
    if (module->shape(id).ByteSize() > largest_bytes) continue;
    absl::StatusOr<Literal> literal = FilledLiteral(module->literal(id), FillOf(*module, id, fill));
    if (!literal.ok()) return literal.status();
    if (copy == nullptr) copy = std::make_shared<Module>(*module);
    copy->SetLiteral(id, *std::move(literal));
    result.filled.push_back(id);
  }
  if (copy != nullptr) result.module = std::move(copy);
  return result;
}

absl::StatusOr<FilledModule> FillElidedConstants(const std::shared_ptr<const Module>& module, const FillRule& rule,
                                                 uint64_t seed) {
  const ElidedConstantFill fill = FillOfConstants(*module, rule, seed);
  return FillElidedConstants(module, fill);
}

absl::StatusOr<LazilyFilledModule> FillElidedConstantsLazily(const std::shared_ptr<const Module>& module,
                                                             ElidedConstantFill fill) {
  const absl::StatusOr<FilledModule> small = FillElidedConstants(module, fill, kSmallBytes);
  if (!small.ok()) return small.status();
  std::vector<InstructionId> filled = ElidedConstants(*module);
  auto make = [module = small->module, fill = std::move(fill)](InstructionId id, numerics::Executor* executor) {
    return FilledValue(module->literal(id), FillOf(*module, id, fill), executor);
  };
  return LazilyFilledModule{small->module, std::move(filled), std::move(make)};
}

}  // namespace hloscope::evaluator
