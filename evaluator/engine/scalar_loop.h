// SPDX-License-Identifier: Apache-2.0
// A while loop over scalars, run without frames.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_SCALAR_LOOP_H_
#define HLOSCOPE_EVALUATOR_ENGINE_SCALAR_LOOP_H_

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/ir/module.h"
#include "evaluator/engine/schedule.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/scalar_program.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

class ScalarLoop {
 public:
  // Null if the state is not a tuple of scalars (or a scalar), or if condition or body are not made of elementwise
  // instructions on scalars alone.
  static std::unique_ptr<ScalarLoop> Make(const Module& module, Schedules& schedules, InstructionId loop);

  struct Outcome {
    Value state;
    int64_t iterations = 0;  // bodies executed
    bool is_stuck = false;   // the last body left the state unchanged, so the loop never ends
  };
  // Runs at most so many bodies from `state` on until the condition is false, or until the runtime is cancelled or
  // paused, or memory for the state is refused: the outcome is a state between two iterations, where the run can go on
  // with frames.
  Outcome Run(const Value& state, int64_t most_iterations, KernelRuntime& runtime) const;

  // Instructions that one evaluation of the condition and of the body executes.
  int64_t steps_per_iteration() const { return steps_per_iteration_; }
  // Iterations that execute at most so many instructions.
  int64_t IterationsWithin(int64_t steps) const {
    if (steps_per_iteration_ == 0) return std::numeric_limits<int64_t>::max();
    return steps < 0 ? 0 : steps / steps_per_iteration_;
  }

 private:
  // Elements of any type; aligned for all.
  static constexpr int64_t kSlotBytes = 16;
  struct alignas(kSlotBytes) Slot {
    uint8_t bytes[kSlotBytes];
  };
  // Offsets of slots instead of registers, inputs and constants.
  struct Step {
    const LaneFunction* function;
    std::array<uint32_t, LaneFunction::kMaxOperands> operands;
    uint32_t result;
  };
  struct Part {
    std::unique_ptr<ScalarProgram> program;
    std::vector<Step> steps;
    std::vector<uint32_t> outputs;
  };

  ScalarLoop() = default;
  // Places what a part computes after the state; fills the constants.
  Part Place(std::unique_ptr<ScalarProgram> program);
  static void Execute(const Part& part, Slot* slots);

  Part condition_, body_;
  std::vector<Slot> slots_;  // the state, then constants and registers of both parts
  size_t state_count_ = 0;
  int64_t steps_per_iteration_ = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_SCALAR_LOOP_H_
