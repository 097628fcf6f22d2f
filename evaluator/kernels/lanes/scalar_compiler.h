// SPDX-License-Identifier: Apache-2.0
// Turns a computation of scalar instructions into the steps of a ScalarProgram. Internal to scalar_program.cc.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_SCALAR_COMPILER_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_SCALAR_COMPILER_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/kernels/lanes/scalar_program.h"

namespace hloscope::evaluator {

class ScalarCompiler {
 public:
  ScalarCompiler(const Module& module, ScalarProgram& program) : module_(module), program_(program) {}

  // Fills the program's constants, steps, outputs and registers. Errors: Unimplemented if an instruction cannot run in
  // lanes; FailedPrecondition if a constant is elided.
  absl::Status Compile(ComputationId computation);
  // See ScalarProgram.
  absl::Status CompileGroup(absl::Span<const InstructionId> instructions, absl::Span<const InstructionId> inputs);
  absl::Status CompileOnTuple(ComputationId computation);

 private:
  using Source = ScalarProgram::Source;
  // What an instruction stands for: one scalar, or a tuple of such.
  struct Symbol {
    bool is_tuple = false;
    Source scalar{};
    std::vector<Symbol> elements;
  };

  // True if a value of that shape has one element for each lane, or one for all.
  bool IsLanes(const Shape& shape) const;
  // `has_many_lanes`: steps are joined where that saves going through memory.
  void Finish(const Symbol& root, bool has_many_lanes);
  absl::StatusOr<Symbol> Inline(ComputationId computation, absl::Span<const Symbol> arguments, int depth);
  absl::StatusOr<Symbol> Translate(InstructionId id, absl::Span<const Symbol> operands,
                                   absl::Span<const Symbol> arguments, int depth);
  absl::StatusOr<Symbol> TranslateStep(InstructionId id, absl::Span<const Symbol> operands);
  absl::StatusOr<Symbol> TranslateConstant(const Literal& literal);
  Symbol AddConstant(Tensor scalar);
  void AppendOutputs(const Symbol& symbol);
  // A step whose result only one other step reads may become a part of it.
  void JoinSteps();
  void DropUnusedSteps();
  void AllocateRegisters();

  const Module& module_;
  ScalarProgram& program_;
  absl::Span<const int64_t> lane_dimensions_;  // of a group: arrays of these dimensions have an element for each lane
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_SCALAR_COMPILER_H_
