// SPDX-License-Identifier: Apache-2.0
// Running single kernels without the engine.
#ifndef HLOSCOPE_TESTS_SUPPORT_KERNEL_TEST_SUPPORT_H_
#define HLOSCOPE_TESTS_SUPPORT_KERNEL_TEST_SUPPORT_H_

#include <algorithm>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/value.h"

namespace hloscope {

// A runtime without threads or computations. Splits loops into blocks of `grain`, so that partial blocks are tested
// too.
class SerialRuntime : public evaluator::KernelRuntime {
 public:
  absl::Status CheckCancelled() override { return absl::OkStatus(); }
  absl::StatusOr<evaluator::Value> Call(ComputationId, absl::Span<const evaluator::Value>) override {
    return absl::UnimplementedError("no computations here");
  }
  void ParallelFor(int64_t count, int64_t grain, numerics::FunctionRef<void(int64_t, int64_t)> body) override {
    for (int64_t begin = 0; begin < count; begin += grain) body(begin, std::min(count, begin + grain));
  }
};

// A module whose entry computation holds parameters and one instruction that takes them.
class SingleInstruction {
 public:
  SingleInstruction(Opcode opcode, absl::Span<const Shape> operands, const Shape& result);

  // For adding attributes, which must happen before Evaluate.
  Module& module() { return module_; }
  InstructionId id() const { return id_; }
  absl::StatusOr<evaluator::Value> Evaluate(absl::Span<const evaluator::Value> operands,
                                            evaluator::KernelRuntime& runtime) const;
  absl::StatusOr<evaluator::Value> Evaluate(absl::Span<const evaluator::Value> operands) const;

 private:
  Module module_;
  InstructionId id_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_KERNEL_TEST_SUPPORT_H_
