// SPDX-License-Identifier: Apache-2.0
// The arrays of a result, each in memory of its own: what is written to a file or compared.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_DENSE_RESULT_H_
#define HLOSCOPE_EVALUATOR_ENGINE_DENSE_RESULT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// The leaves of a result in depth-first order, with their run-time sizes, dense row-major; made on `threads` threads
// (0: one for each core). Views may stand for more elements than any machine holds: error ResourceExhausted.
absl::StatusOr<std::vector<Tensor>> DenseResult(const Value& result, int threads);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_DENSE_RESULT_H_
