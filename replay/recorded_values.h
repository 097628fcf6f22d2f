// SPDX-License-Identifier: Apache-2.0
// Values that were recorded with a module: arguments of a run, and what its results are compared with.
#ifndef HLOSCOPE_REPLAY_RECORDED_VALUES_H_
#define HLOSCOPE_REPLAY_RECORDED_VALUES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/tensor/tensor.h"
#include "evaluator/tensor/value.h"
#include "interop/files/open_file.h"

namespace hloscope::replay {

// The values of the entry parameters. Arrays fit the leaves of the parameters in order, however they are grouped into
// tuples; parts of arrays are put together by the shardings of the parameters. Empty if nothing was recorded. Errors:
// InvalidArgument, naming the argument.
absl::StatusOr<std::vector<evaluator::Value>> RecordedArguments(const interop::Snapshot& snapshot,
                                                                const Module& module);

// The leaves of the result; empty if none was recorded.
absl::StatusOr<std::vector<evaluator::Tensor>> RecordedResult(const interop::Snapshot& snapshot);

}  // namespace hloscope::replay

#endif  // HLOSCOPE_REPLAY_RECORDED_VALUES_H_
