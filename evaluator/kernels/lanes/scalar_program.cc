// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/scalar_program.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/lanes/scalar_compiler.h"

namespace hloscope::evaluator {
namespace {

// Lanes are computed in blocks of so many that what programs keep of them, beside the arrays they read and write, stays
// in the first-level cache. Fewer lanes cost more for calling functions.
constexpr int64_t kMinBlockLanes = 512, kMaxBlockLanes = 1024, kCacheBytes = int64_t{16} << 10;

int64_t BlockLanes(int64_t bytes_per_lane) {
  return std::clamp(kCacheBytes / bytes_per_lane / kMinBlockLanes * kMinBlockLanes, kMinBlockLanes, kMaxBlockLanes);
}

bool IsScalarLike(const Shape& shape) {
  if (shape.IsScalar()) return true;
  return shape.IsTuple() && std::all_of(shape.elements().begin(), shape.elements().end(),
                                        [](const Shape& element) { return element.IsScalar(); });
}

void AppendScalarTypes(const Shape& shape, std::vector<ElementType>* types) {
  if (shape.IsScalar()) types->push_back(shape.element_type());
  for (const Shape& element : shape.elements()) types->push_back(element.element_type());
}

// Memory for the registers of one block; one per thread, kept between runs.
uint8_t* Scratch(int64_t bytes) {
  static thread_local std::vector<uint8_t> memory;
  constexpr int64_t kAlignment = 64;
  if (static_cast<int64_t>(memory.size()) < bytes + kAlignment) memory.resize(static_cast<size_t>(bytes + kAlignment));
  const uintptr_t address = reinterpret_cast<uintptr_t>(memory.data());
  return reinterpret_cast<uint8_t*>((address + kAlignment - 1) & ~static_cast<uintptr_t>(kAlignment - 1));
}

void CopyLanes(const LaneOperand& source, int64_t element_bytes, uint8_t* target, int64_t count) {
  if (!source.is_uniform) {
    if (source.data != target) std::memmove(target, source.data, static_cast<size_t>(count * element_bytes));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    std::memmove(target + i * element_bytes, source.data, static_cast<size_t>(element_bytes));
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<ScalarProgram>> ScalarProgram::Compile(const Module& module, ComputationId computation) {
  std::unique_ptr<ScalarProgram> program(new ScalarProgram(module, computation));
  const Computation& source = module.computation(computation);
  const auto unsupported = [&](absl::string_view what) {
    return absl::UnimplementedError(
        absl::StrCat("computation ", module.ComputationName(computation), " cannot be applied to lanes: ", what));
  };
  if (!source.root.has_value()) return unsupported("it has no root");
  for (InstructionId parameter : source.parameters) {
    if (!parameter.has_value() || !module.shape(parameter).IsScalar()) {
      return unsupported("a parameter is not a scalar");
    }
    program->input_types_.push_back(module.shape(parameter).element_type());
  }
  if (!IsScalarLike(module.shape(source.root))) return unsupported("its result is not a scalar or a tuple of scalars");
  AppendScalarTypes(module.shape(source.root), &program->output_types_);

  ScalarCompiler compiler(module, *program);
  absl::Status status = compiler.Compile(computation);
  if (absl::IsFailedPrecondition(status)) return status;
  program->is_compiled_ = status.ok();
  program->ConsiderTable();
  // A call through the engine's frames costs some microseconds.
  if (!status.ok()) program->nanoseconds_per_lane_ = 5000;
  return program;
}

absl::StatusOr<std::unique_ptr<ScalarProgram>> ScalarProgram::CompileGroup(const Module& module,
                                                                           absl::Span<const InstructionId> instructions,
                                                                           absl::Span<const InstructionId> inputs) {
  const InstructionId root = instructions.back();
  std::unique_ptr<ScalarProgram> program(new ScalarProgram(module, module.instruction(root).computation));
  for (InstructionId input : inputs) program->input_types_.push_back(module.shape(input).element_type());
  program->output_types_.push_back(module.shape(root).element_type());
  ScalarCompiler compiler(module, *program);
  if (absl::Status status = compiler.CompileGroup(instructions, inputs); !status.ok()) return status;
  program->is_compiled_ = true;
  program->ConsiderTable();
  return program;
}

absl::StatusOr<std::unique_ptr<ScalarProgram>> ScalarProgram::CompileOnTuple(const Module& module,
                                                                             ComputationId computation) {
  const Computation& source = module.computation(computation);
  if (!source.root.has_value() || source.parameters.size() != 1 || !source.parameters[0].has_value() ||
      !IsScalarLike(module.shape(source.parameters[0])) || !IsScalarLike(module.shape(source.root))) {
    return absl::UnimplementedError("the computation does not take and return scalars");
  }
  std::unique_ptr<ScalarProgram> program(new ScalarProgram(module, computation));
  AppendScalarTypes(module.shape(source.parameters[0]), &program->input_types_);
  AppendScalarTypes(module.shape(source.root), &program->output_types_);
  ScalarCompiler compiler(module, *program);
  if (absl::Status status = compiler.CompileOnTuple(computation); !status.ok()) return status;
  program->is_compiled_ = true;
  return program;
}

void ScalarProgram::ConsiderTable() {
  // Below this rough cost the steps take no longer than to look a result up.
  constexpr double kNanoseconds = 6;
  // A single step has a table of its own.
  if (!is_compiled_ || steps_.size() < 2 || output_count() != 1 || nanoseconds_per_lane_ < kNanoseconds) return;
  if (std::none_of(input_types_.begin(), input_types_.end(),
                   [&](ElementType type) { return ProgramTable::Serves(type, output_types_[0]); })) {
    return;
  }
  table_ = std::make_unique<ProgramTable>([this](absl::Span<const LaneOperand> inputs, uint8_t* output,
                                                 int64_t count) { RunCompiled(inputs, {output}, count); },
                                          input_types_, output_types_[0]);
}

absl::Status ScalarProgram::Run(absl::Span<const LaneOperand> inputs, absl::Span<uint8_t* const> outputs, int64_t count,
                                KernelRuntime& runtime) const {
  if (!is_compiled_) return RunThroughRuntime(inputs, outputs, count, runtime);
  if (table_ == nullptr || !table_->LookUp(inputs, outputs[0], count)) RunCompiled(inputs, outputs, count);
  return absl::OkStatus();
}

void ScalarProgram::RunCompiled(absl::Span<const LaneOperand> inputs, absl::Span<uint8_t* const> outputs,
                                int64_t count) const {
  if (steps_.size() == 1 && outputs_.size() == 1 && steps_[0].output == 0) {
    // A single function needs no registers, so its lanes need not be cut into blocks for their sake.
    LaneOperand operands[LaneFunction::kMaxOperands];
    for (size_t k = 0; k < steps_[0].function.operand_count(); ++k) {
      const Source& source = steps_[0].operands[k];
      // Member by member, as they were written just now: a load of both would wait until all stores before it, also
      // those past the caches, are done.
      const bool is_input = source.kind == Source::Kind::kInput;
      operands[k].data = is_input ? inputs[source.index].data : constants_[source.index].data();
      operands[k].is_uniform = is_input ? inputs[source.index].is_uniform : true;
    }
    steps_[0].function(operands, outputs[0], count);
    return;
  }
  // Outputs that must wait until the block's inputs are read need a place of their own.
  const int64_t places = static_cast<int64_t>(register_count_ + output_types_.size());
  const int64_t block = std::min(count, BlockLanes(places * register_element_bytes_));
  uint8_t* scratch = Scratch(places * block * register_element_bytes_);
  if (count == block) {
    RunBlock(inputs, outputs, count, block, scratch);
    return;
  }
  absl::InlinedVector<LaneOperand, 4> block_inputs(inputs.begin(), inputs.end());
  absl::InlinedVector<uint8_t*, 4> block_outputs(outputs.begin(), outputs.end());
  for (int64_t begin = 0; begin < count; begin += block) {
    RunBlock(block_inputs, block_outputs, std::min(block, count - begin), block, scratch);
    for (size_t k = 0; k < block_inputs.size(); ++k) {
      if (!block_inputs[k].is_uniform) block_inputs[k].data += block * StorageBytes(input_types_[k]);
    }
    for (size_t k = 0; k < block_outputs.size(); ++k) block_outputs[k] += block * StorageBytes(output_types_[k]);
  }
}

void ScalarProgram::RunBlock(absl::Span<const LaneOperand> inputs, absl::Span<uint8_t* const> outputs, int64_t count,
                             int64_t place_lanes, uint8_t* scratch) const {
  const int64_t place_bytes = place_lanes * register_element_bytes_;
  absl::InlinedVector<LaneOperand, 16> registers(register_count_);
  const auto read = [&](const Source& source) -> LaneOperand {
    switch (source.kind) {
      case Source::Kind::kInput:
        return inputs[source.index];
      case Source::Kind::kConstant:
        return {constants_[source.index].data(), true};
      case Source::Kind::kRegister:
        return registers[source.index];
    }
    return {};
  };
  const bool aliased = std::any_of(outputs.begin(), outputs.end(), [&](const uint8_t* output) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const LaneOperand& input) { return input.data == output; });
  });
  for (size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    LaneOperand operands[LaneFunction::kMaxOperands];
    bool uniform = true;
    // The bound is spelt out for the compiler, which else warns of a write beyond the array.
    const size_t operand_count = std::min<size_t>(step.function.operand_count(), LaneFunction::kMaxOperands);
    for (size_t k = 0; k < operand_count; ++k) {
      operands[k] = read(step.operands[k]);
      uniform &= operands[k].is_uniform;
    }
    uint8_t* target = scratch + static_cast<int64_t>(step.result) * place_bytes;
    // Results go straight to their output if no input can still be read from there.
    if (step.output != Step::kNoOutput && !uniform && (!aliased || (s + 1 == steps_.size() && outputs.size() == 1))) {
      target = outputs[step.output];
    }
    step.function(operands, target, uniform ? 1 : count);
    registers[step.result] = {target, uniform};
  }
  uint8_t* staging = scratch + static_cast<int64_t>(register_count_) * place_bytes;
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (aliased && outputs_[k].kind == Source::Kind::kInput && !read(outputs_[k]).is_uniform) {
      CopyLanes(read(outputs_[k]), StorageBytes(output_types_[k]), staging + static_cast<int64_t>(k) * place_bytes,
                count);
    }
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    LaneOperand source = read(outputs_[k]);
    if (aliased && outputs_[k].kind == Source::Kind::kInput && !source.is_uniform) {
      source.data = staging + static_cast<int64_t>(k) * place_bytes;
    }
    CopyLanes(source, StorageBytes(output_types_[k]), outputs[k], count);
  }
}

absl::Status ScalarProgram::RunThroughRuntime(absl::Span<const LaneOperand> inputs, absl::Span<uint8_t* const> outputs,
                                              int64_t count, KernelRuntime& runtime) const {
  std::vector<Value> arguments(inputs.size());
  for (int64_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < inputs.size(); ++k) {
      absl::StatusOr<Tensor> scalar = Tensor::Allocate(input_types_[k], {});
      if (!scalar.ok()) return scalar.status();
      const int64_t bytes = scalar->element_bytes();
      std::memcpy(scalar->mutable_data(), inputs[k].data + (inputs[k].is_uniform ? 0 : i * bytes),
                  static_cast<size_t>(bytes));
      arguments[k] = Value(*std::move(scalar));
    }
    absl::StatusOr<Value> result = runtime.Call(computation_, arguments);
    if (!result.ok()) return result.status();
    size_t k = 0;
    result->ForEachTensor([&](const Tensor& scalar) {
      const int64_t bytes = StorageBytes(output_types_[k]);
      std::memcpy(outputs[k] + i * bytes, scalar.data(), static_cast<size_t>(bytes));
      ++k;
    });
  }
  return absl::OkStatus();
}

}  // namespace hloscope::evaluator
