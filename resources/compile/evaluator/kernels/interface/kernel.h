// Stands for the evaluator's header in compiled programs: where loops find threads.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_KERNEL_H_
#define HLOSCOPE_EVALUATOR_KERNELS_KERNEL_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace hloscope {

class KernelRuntime {
 public:
  absl::Status CheckCancelled() { return absl::OkStatus(); }
  // Splits [0, count) into blocks of at least `grain` and runs them on the program's threads.
  void ParallelFor(int64_t count, int64_t grain, absl::FunctionRef<void(int64_t begin, int64_t end)> body);
};

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_KERNEL_H_
