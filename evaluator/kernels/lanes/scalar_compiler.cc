// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/scalar_compiler.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"

namespace hloscope::evaluator {
namespace {

// Beyond these a computation is evaluated through the engine: nested calls can double the steps at every level.
constexpr int kMaxInlineDepth = 16;
constexpr size_t kMaxSteps = 2000;

// Instructions whose result is their operand, if both are scalars of one type.
bool IsIdentity(Opcode opcode) {
  switch (opcode) {
    case Opcode::kCopy:
    case Opcode::kOptBarrier:
    case Opcode::kBitcast:
    case Opcode::kReshape:
    case Opcode::kBroadcast:
    case Opcode::kTranspose:
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::Status ScalarCompiler::Compile(ComputationId computation) {
  std::vector<Symbol> arguments;
  for (size_t k = 0; k < program_.input_types_.size(); ++k) {
    arguments.push_back({false, {Source::Kind::kInput, static_cast<uint32_t>(k)}, {}});
  }
  absl::StatusOr<Symbol> root = Inline(computation, arguments, 0);
  if (!root.ok()) return root.status();
  Finish(*root, false);
  return absl::OkStatus();
}

absl::Status ScalarCompiler::CompileGroup(absl::Span<const InstructionId> instructions,
                                          absl::Span<const InstructionId> inputs) {
  lane_dimensions_ = module_.shape(instructions.back()).dimensions();
  absl::flat_hash_map<InstructionId, Symbol> symbols;
  symbols.reserve(inputs.size() + instructions.size());
  for (size_t k = 0; k < inputs.size(); ++k) {
    symbols.emplace(inputs[k], Symbol{false, {Source::Kind::kInput, static_cast<uint32_t>(k)}, {}});
  }
  for (InstructionId instruction : instructions) {
    absl::InlinedVector<Symbol, 3> operands;
    for (InstructionId operand : module_.operands(instruction)) {
      const auto found = symbols.find(operand);
      if (found == symbols.end()) return absl::UnimplementedError("an operand is not defined before its use");
      operands.push_back(found->second);
    }
    absl::StatusOr<Symbol> symbol = Translate(instruction, operands, {}, 0);
    if (!symbol.ok()) return symbol.status();
    symbols.insert_or_assign(instruction, *std::move(symbol));
  }
  const Symbol& root = symbols.at(instructions.back());
  if (root.is_tuple) return absl::UnimplementedError("the result is a tuple");
  Finish(root, true);
  return absl::OkStatus();
}

absl::Status ScalarCompiler::CompileOnTuple(ComputationId computation) {
  Symbol argument;
  argument.is_tuple = module_.shape(module_.computation(computation).parameters[0]).IsTuple();
  argument.scalar = {Source::Kind::kInput, 0};
  for (uint32_t k = 0; argument.is_tuple && k < program_.input_types_.size(); ++k) {
    argument.elements.push_back({false, {Source::Kind::kInput, k}, {}});
  }
  absl::StatusOr<Symbol> root = Inline(computation, absl::MakeConstSpan(&argument, 1), 0);
  if (!root.ok()) return root.status();
  Finish(*root, false);
  return absl::OkStatus();
}

bool ScalarCompiler::IsLanes(const Shape& shape) const {
  if (shape.IsScalar()) return true;
  return !lane_dimensions_.empty() && shape.IsArray() && shape.dimensions() == lane_dimensions_;
}

void ScalarCompiler::Finish(const Symbol& root, bool has_many_lanes) {
  AppendOutputs(root);
  if (has_many_lanes) JoinSteps();
  DropUnusedSteps();
  AllocateRegisters();
  for (const ScalarProgram::Step& step : program_.steps_) {
    program_.nanoseconds_per_lane_ += step.function.nanoseconds_per_lane();
  }
  program_.nanoseconds_per_lane_ = std::max(program_.nanoseconds_per_lane_, 0.25);
}

absl::StatusOr<ScalarCompiler::Symbol> ScalarCompiler::Inline(ComputationId id, absl::Span<const Symbol> arguments,
                                                              int depth) {
  const Computation& computation = module_.computation(id);
  if (depth > kMaxInlineDepth) return absl::UnimplementedError("calls are nested too deeply");
  if (!computation.root.has_value()) return absl::UnimplementedError("a called computation has no root");
  absl::flat_hash_map<InstructionId, Symbol> symbols;
  for (InstructionId instruction : computation.instructions) {
    std::vector<Symbol> operands;
    for (InstructionId operand : module_.operands(instruction)) {
      const auto found = symbols.find(operand);
      if (found == symbols.end()) return absl::UnimplementedError("an operand is not defined before its use");
      operands.push_back(found->second);
    }
    absl::StatusOr<Symbol> symbol = Translate(instruction, operands, arguments, depth);
    if (!symbol.ok()) return symbol;
    symbols.emplace(instruction, *std::move(symbol));
  }
  const auto root = symbols.find(computation.root);
  if (root == symbols.end()) return absl::UnimplementedError("the root is outside its computation");
  return root->second;
}

absl::StatusOr<ScalarCompiler::Symbol> ScalarCompiler::Translate(InstructionId id, absl::Span<const Symbol> operands,
                                                                 absl::Span<const Symbol> arguments, int depth) {
  const Opcode opcode = module_.opcode(id);
  switch (opcode) {
    case Opcode::kParameter: {
      const uint32_t number = module_.instruction(id).parameter_number;
      if (number >= arguments.size()) return absl::UnimplementedError("a parameter has no argument");
      return arguments[number];
    }
    case Opcode::kConstant:
      if (!module_.instruction(id).literal.has_value()) return absl::UnimplementedError("a constant has no value");
      return TranslateConstant(module_.literal(id));
    case Opcode::kTuple:
      return Symbol{true, {}, std::vector<Symbol>(operands.begin(), operands.end())};
    case Opcode::kGetTupleElement: {
      const int64_t index = module_.IntAttribute(id, AttributeKind::kIndex);
      if (index < 0 || static_cast<size_t>(index) >= operands[0].elements.size()) {
        return absl::UnimplementedError("get-tuple-element of something else than a tuple");
      }
      return operands[0].elements[static_cast<size_t>(index)];
    }
    case Opcode::kCall:
      return Inline(module_.ComputationAttribute(id, AttributeKind::kToApply), operands, depth + 1);
    case Opcode::kFusion:
      return Inline(module_.ComputationAttribute(id, AttributeKind::kCalls), operands, depth + 1);
    default:
      break;
  }
  if (IsIdentity(opcode) && operands.size() == 1) {
    const Shape& from = module_.shape(module_.operand(id, 0));
    const Shape& to = module_.shape(id);
    const bool both_scalars = from.IsScalar() && to.IsScalar();
    // One element for all lanes, or each lane's own. Only lanes keep their place when their order changes nothing.
    const bool same_lanes = IsLanes(from) && IsLanes(to) && !both_scalars && opcode != Opcode::kTranspose &&
                            (from.IsScalar() ? opcode == Opcode::kBroadcast : from.dimensions() == to.dimensions()) &&
                            (from.IsScalar() || opcode != Opcode::kBroadcast);
    if ((both_scalars || same_lanes) && from.element_type() == to.element_type()) return operands[0];
  }
  return TranslateStep(id, operands);
}

absl::StatusOr<ScalarCompiler::Symbol> ScalarCompiler::TranslateStep(InstructionId id,
                                                                     absl::Span<const Symbol> operands) {
  const bool scalars = IsLanes(module_.shape(id)) &&
                       std::none_of(operands.begin(), operands.end(), [](const Symbol& s) { return s.is_tuple; });
  if (!scalars || operands.size() > LaneFunction::kMaxOperands || !LaneFunction::Handles(module_, id)) {
    return absl::UnimplementedError(absl::StrCat(OpcodeName(module_.opcode(id)), " cannot run in lanes"));
  }
  absl::StatusOr<LaneFunction> function = LaneFunction::Create(module_, id);
  if (!function.ok()) return function.status();
  if (program_.steps_.size() >= kMaxSteps) return absl::UnimplementedError("the computation is too long");

  if (std::all_of(operands.begin(), operands.end(),
                  [](const Symbol& s) { return s.scalar.kind == Source::Kind::kConstant; })) {
    LaneOperand values[LaneFunction::kMaxOperands] = {};
    for (size_t k = 0; k < operands.size(); ++k) {
      values[k] = {program_.constants_[operands[k].scalar.index].data(), true};
    }
    absl::StatusOr<Tensor> result = Tensor::Allocate(function->result_type(), {});
    if (!result.ok()) return result.status();
    (*function)(values, result->mutable_data(), 1);
    return AddConstant(*std::move(result));
  }

  // Results are numbered in order of definition; AllocateRegisters maps the numbers to registers.
  const uint32_t number = static_cast<uint32_t>(program_.steps_.size());
  ScalarProgram::Step step{*std::move(function), {}, number};
  for (size_t k = 0; k < operands.size(); ++k) step.operands[k] = operands[k].scalar;
  program_.steps_.push_back(std::move(step));
  return Symbol{false, {Source::Kind::kRegister, number}, {}};
}

absl::StatusOr<ScalarCompiler::Symbol> ScalarCompiler::TranslateConstant(const Literal& literal) {
  if (literal.shape().IsTuple()) {
    Symbol tuple{true, {}, {}};
    for (const Literal& element : literal.elements()) {
      absl::StatusOr<Symbol> symbol = TranslateConstant(element);
      if (!symbol.ok()) return symbol;
      tuple.elements.push_back(*std::move(symbol));
    }
    return tuple;
  }
  if (!literal.shape().IsScalar()) return absl::UnimplementedError("a constant is not a scalar");
  absl::StatusOr<Tensor> scalar = Tensor::FromLiteral(literal);
  if (!scalar.ok()) return scalar.status();
  return AddConstant(*std::move(scalar));
}

ScalarCompiler::Symbol ScalarCompiler::AddConstant(Tensor scalar) {
  program_.constants_.push_back(std::move(scalar));
  return {false, {Source::Kind::kConstant, static_cast<uint32_t>(program_.constants_.size() - 1)}, {}};
}

void ScalarCompiler::AppendOutputs(const Symbol& symbol) {
  if (!symbol.is_tuple) program_.outputs_.push_back(symbol.scalar);
  for (const Symbol& element : symbol.elements) AppendOutputs(element);
}

void ScalarCompiler::JoinSteps() {
  std::vector<ScalarProgram::Step>& steps = program_.steps_;
  std::vector<int> uses(steps.size(), 0);
  const auto count = [&](const Source& source) {
    if (source.kind == Source::Kind::kRegister) ++uses[source.index];
  };
  for (const ScalarProgram::Step& step : steps) {
    for (size_t k = 0; k < step.function.operand_count(); ++k) count(step.operands[k]);
  }
  for (const Source& output : program_.outputs_) count(output);
  for (ScalarProgram::Step& outer : steps) {
    for (size_t k = 0; k < 2 && outer.function.operand_count() == 2; ++k) {
      const Source& source = outer.operands[k];
      if (source.kind != Source::Kind::kRegister || uses[source.index] != 1) continue;
      const ScalarProgram::Step& inner = steps[source.index];
      if (inner.function.operand_count() != 2) continue;
      std::optional<LaneFunction> joined = LaneFunction::Composition(outer.function, inner.function, k == 1);
      if (!joined.has_value()) continue;
      outer.function = *std::move(joined);
      outer.operands = {inner.operands[0], inner.operands[1], outer.operands[1 - k]};
    }
  }
}

void ScalarCompiler::DropUnusedSteps() {
  std::vector<ScalarProgram::Step>& steps = program_.steps_;
  std::vector<bool> used(steps.size(), false);
  const auto mark = [&](const Source& source) {
    if (source.kind == Source::Kind::kRegister) used[source.index] = true;
  };
  for (const Source& output : program_.outputs_) mark(output);
  for (size_t s = steps.size(); s-- > 0;) {
    for (size_t k = 0; used[s] && k < steps[s].function.operand_count(); ++k) mark(steps[s].operands[k]);
  }
  std::vector<uint32_t> renumbered(steps.size(), 0);
  std::vector<ScalarProgram::Step> kept;
  const auto renumber = [&](Source& source) {
    if (source.kind == Source::Kind::kRegister) source.index = renumbered[source.index];
  };
  for (size_t s = 0; s < steps.size(); ++s) {
    if (!used[s]) continue;
    renumbered[s] = static_cast<uint32_t>(kept.size());
    for (size_t k = 0; k < steps[s].function.operand_count(); ++k) renumber(steps[s].operands[k]);
    steps[s].result = renumbered[s];
    kept.push_back(std::move(steps[s]));
  }
  for (Source& output : program_.outputs_) renumber(output);
  steps = std::move(kept);
}

void ScalarCompiler::AllocateRegisters() {
  std::vector<ScalarProgram::Step>& steps = program_.steps_;
  constexpr size_t kForever = SIZE_MAX;
  std::vector<size_t> last_use(steps.size(), 0);
  for (size_t s = 0; s < steps.size(); ++s) {
    for (size_t k = 0; k < steps[s].function.operand_count(); ++k) {
      const Source& source = steps[s].operands[k];
      if (source.kind == Source::Kind::kRegister) last_use[source.index] = s;
    }
  }
  for (size_t k = 0; k < program_.outputs_.size(); ++k) {
    const Source& output = program_.outputs_[k];
    if (output.kind != Source::Kind::kRegister) continue;
    last_use[output.index] = kForever;
    steps[output.index].output = static_cast<uint32_t>(k);
  }
  int64_t widest = 1;
  for (ElementType type : program_.output_types_) widest = std::max<int64_t>(widest, StorageBytes(type));

  std::vector<uint32_t> register_of(steps.size());
  std::vector<uint32_t> free;
  for (size_t s = 0; s < steps.size(); ++s) {
    widest = std::max<int64_t>(widest, StorageBytes(steps[s].function.result_type()));
    // The result gets its register before the operands give theirs back: a loop must not write elements of one size
    // over elements of another that it still reads.
    uint32_t result;
    if (free.empty() || last_use[s] == kForever) {
      result = program_.register_count_++;
    } else {
      result = free.back();
      free.pop_back();
    }
    register_of[s] = result;
    for (size_t k = 0; k < steps[s].function.operand_count(); ++k) {
      Source& source = steps[s].operands[k];
      if (source.kind != Source::Kind::kRegister) continue;
      const uint32_t number = source.index;
      source.index = register_of[number];
      if (last_use[number] != s) continue;
      free.push_back(source.index);
      last_use[number] = kForever;  // given back once, however often the step reads it
    }
    steps[s].result = result;
  }
  for (Source& output : program_.outputs_) {
    if (output.kind == Source::Kind::kRegister) output.index = register_of[output.index];
  }
  program_.register_element_bytes_ = widest;
}

}  // namespace hloscope::evaluator
