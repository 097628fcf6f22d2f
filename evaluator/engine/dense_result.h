// SPDX-License-Identifier: Apache-2.0
// The arrays of a result, each in memory of its own: what is written to a file or compared.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_DENSE_RESULT_H_
#define HLOSCOPE_EVALUATOR_ENGINE_DENSE_RESULT_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

class DenseResults {
 public:
  // Copies are made on `threads` threads (0: one for each core), which are kept for the next result.
  explicit DenseResults(int threads);
  ~DenseResults();

  // The leaves of a result in depth-first order, with their run-time sizes, dense row-major. Views may stand for more
  // elements than any machine holds: error ResourceExhausted.
  absl::StatusOr<std::vector<Tensor>> LeavesOf(const Value& result);

 private:
  class CopyRuntime;
  const std::unique_ptr<CopyRuntime> runtime_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_DENSE_RESULT_H_
