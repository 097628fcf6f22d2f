// SPDX-License-Identifier: Apache-2.0
// Computations of scalar instructions (reducers, comparators, bodies of map and scatter) compiled to a small register
// program that runs over blocks of lanes, so that they are never interpreted element by element.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_SCALAR_PROGRAM_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_SCALAR_PROGRAM_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "evaluator/kernels/lanes/program_table.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// A computation whose parameters and results are scalars, ready to be applied to many lanes.
class ScalarProgram {
 public:
  // Compiles `computation`: scalar parameters, a scalar root or a tuple of scalars. Calls and fusions are inlined. A
  // computation with instructions that cannot run in lanes (control flow, non-scalar values) is accepted, but its lanes
  // are evaluated one by one through KernelRuntime::Call; see is_compiled(). `module` must outlive the program. Errors:
  // Unimplemented, naming computation and reason, if a parameter or a result is not a scalar; FailedPrecondition if a
  // constant's value is elided.
  static absl::StatusOr<std::unique_ptr<ScalarProgram>> Compile(const Module& module, ComputationId computation);
  // Some elementwise instructions of one computation, for arrays of the dimensions of the last one, which is the
  // output: an element of each input, an array of these dimensions or a scalar, gives an element of the output.
  // `instructions` are in an order in which they can be executed; calls of elementwise computations may be among
  // them. Always compiled. Errors: Unimplemented, FailedPrecondition.
  static absl::StatusOr<std::unique_ptr<ScalarProgram>> CompileGroup(const Module& module,
                                                                     absl::Span<const InstructionId> instructions,
                                                                     absl::Span<const InstructionId> inputs);
  // A computation with one parameter, a tuple of scalars (or a scalar), whose leaves are the inputs; the leaves of its
  // result are the outputs. Always compiled. Errors: Unimplemented, FailedPrecondition.
  static absl::StatusOr<std::unique_ptr<ScalarProgram>> CompileOnTuple(const Module& module, ComputationId computation);

  size_t input_count() const { return input_types_.size(); }
  ElementType input_type(size_t k) const { return input_types_[k]; }
  size_t output_count() const { return output_types_.size(); }
  ElementType output_type(size_t k) const { return output_types_[k]; }

  // False if lanes are evaluated one by one through the runtime. Run may then be called from the session's thread only,
  // not inside ParallelFor.
  bool is_compiled() const { return is_compiled_; }
  // A rough cost of one lane, for deciding how to split work.
  double nanoseconds_per_lane() const { return nanoseconds_per_lane_; }
  // Functions that are applied to each lane.
  size_t step_count() const { return steps_.size(); }

  // Applies the computation to `count` lanes. `inputs` has input_count() entries: densely packed elements as a Tensor
  // stores them, or one element for all lanes (is_uniform). `outputs` has output_count() arrays of `count` elements. An
  // output may be exactly the array of an input (not uniform) whose elements have the same size, but outputs must not
  // overlap inputs or each other otherwise. A compiled program may run in any number of threads at once. Errors
  // (not compiled programs only): those of KernelRuntime::Call.
  absl::Status Run(absl::Span<const LaneOperand> inputs, absl::Span<uint8_t* const> outputs, int64_t count,
                   KernelRuntime& runtime) const;

 private:
  friend class ScalarCompiler;
  friend class ScalarLoop;

  // Where an operand or a result is found.
  struct Source {
    enum class Kind : uint8_t { kInput, kConstant, kRegister };
    Kind kind;
    uint32_t index;
  };
  struct Step {
    static constexpr uint32_t kNoOutput = UINT32_MAX;
    LaneFunction function;
    std::array<Source, LaneFunction::kMaxOperands> operands;
    uint32_t result;              // register
    uint32_t output = kNoOutput;  // of the program, if the step computes one
  };

  // `scratch` has a place of `place_lanes` >= count elements for every register and every output.
  void RunBlock(absl::Span<const LaneOperand> inputs, absl::Span<uint8_t* const> outputs, int64_t count,
                int64_t place_lanes, uint8_t* scratch) const;
  void RunCompiled(absl::Span<const LaneOperand> inputs, absl::Span<uint8_t* const> outputs, int64_t count) const;
  // Decides whether results are looked up. To be called when the program is complete, at its final address.
  void ConsiderTable();
  absl::Status RunThroughRuntime(absl::Span<const LaneOperand> inputs, absl::Span<uint8_t* const> outputs,
                                 int64_t count, KernelRuntime& runtime) const;

  ScalarProgram(const Module& module, ComputationId computation) : module_(module), computation_(computation) {}

  const Module& module_;
  ComputationId computation_;
  bool is_compiled_ = false;
  double nanoseconds_per_lane_ = 0;
  std::vector<ElementType> input_types_;
  std::vector<ElementType> output_types_;
  std::vector<Tensor> constants_;  // scalars
  std::vector<Step> steps_;
  std::vector<Source> outputs_;
  std::unique_ptr<ProgramTable> table_;  // null: the steps take no longer than to look their results up
  uint32_t register_count_ = 0;
  int64_t register_element_bytes_ = 1;  // of the widest element
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_SCALAR_PROGRAM_H_
