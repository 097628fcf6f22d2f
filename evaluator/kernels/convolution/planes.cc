// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/convolution/planes.h"

#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "evaluator/tensor/memory_charge.h"
#include "numerics/convolution/convolution_planar.h"

namespace hloscope::evaluator {
namespace {

// Applies functions of one operand one after the other, the first from `in` to `out`, the others in `out`.
class ConversionChain {
 public:
  // Leaves out steps that change nothing.
  explicit ConversionChain(absl::Span<const ElementType> types) {
    for (size_t i = 0; i + 1 < types.size(); ++i) {
      if (types[i] != types[i + 1]) steps_.push_back(LaneFunction::Convert(types[i], types[i + 1]));
    }
  }
  bool empty() const { return steps_.empty(); }
  // With room for `count` elements of the widest type of the chain at `out` and `scratch`.
  void operator()(const uint8_t* in, uint8_t* scratch, uint8_t* out, int64_t count) const {
    for (size_t i = 0; i < steps_.size(); ++i) {
      uint8_t* const to = i + 1 == steps_.size() ? out : scratch;
      const LaneOperand operand = {in, false};
      steps_[i](&operand, to, count);
      in = to;
    }
  }

 private:
  std::vector<LaneFunction> steps_;
};

}  // namespace

absl::Status ConvolvePlanes(const numerics::ConvolutionProblem& problem, ElementType type, uint8_t* result,
                            KernelRuntime& runtime) {
  const ConversionChain decode({problem.lhs.type, type, problem.type}), encode({problem.type, type});
  const numerics::ConvertElements decodes = decode, encodes = encode;
  const numerics::PlaneConversions conversions = {
      decode.empty() ? nullptr : &decodes, encode.empty() ? nullptr : &encodes, StorageBytes(type),
      problem.lhs.type == ElementType::kBF16 && (type == ElementType::kBF16 || type == ElementType::kF32),
      problem.type == ElementType::kF32 && type == ElementType::kBF16};
  absl::Mutex mutex;
  absl::Status charged;
  const auto with_memory = [&](int64_t bytes, numerics::FunctionRef<void()> body) {
    MemoryCharge charge;
    if (absl::Status status = charge.Resize(bytes); !status.ok()) {
      const absl::MutexLock lock(&mutex);
      charged = std::move(status);
      return false;
    }
    body();
    return true;
  };
  const numerics::Outcome outcome = numerics::ConvolvePlanes(problem, conversions, result, with_memory, runtime);
  return charged.ok() ? StatusOf(outcome, runtime) : charged;
}

}  // namespace hloscope::evaluator
