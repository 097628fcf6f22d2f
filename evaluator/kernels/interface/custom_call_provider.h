// SPDX-License-Identifier: Apache-2.0
// Where the values of custom calls come from that the evaluator does not compute itself.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INTERFACE_CUSTOM_CALL_PROVIDER_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INTERFACE_CUSTOM_CALL_PROVIDER_H_

#include <optional>

#include "absl/status/statusor.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

struct KernelContext;

class CustomCallProvider {
 public:
  virtual ~CustomCallProvider() = default;
  // The value of a call of an unknown target; nothing if there is none. The caller checks that it fits. Errors end the
  // run.
  virtual absl::StatusOr<std::optional<Value>> Provide(const KernelContext& context) = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INTERFACE_CUSTOM_CALL_PROVIDER_H_
