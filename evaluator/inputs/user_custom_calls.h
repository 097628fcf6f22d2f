// SPDX-License-Identifier: Apache-2.0
// What the user gives for custom calls that the evaluator does not know: plug-ins, files, zeros.
#ifndef HLOSCOPE_EVALUATOR_INPUTS_USER_CUSTOM_CALLS_H_
#define HLOSCOPE_EVALUATOR_INPUTS_USER_CUSTOM_CALLS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "evaluator/inputs/run_inputs.h"
#include "evaluator/kernels/interface/custom_call_provider.h"
#include "evaluator/plugins/custom_call_plugin.h"

namespace hloscope::evaluator {

// Plug-ins are asked first, in order, then what is given for the instruction, its target, and all
// (docs/ops/control.md 3.1, steps 4 to 6). `warn` is called once for each instruction that zeros stand in for its
// result.
class UserCustomCalls final : public CustomCallProvider {
 public:
  using Warn = std::function<void(const std::string& message)>;
  // `options` and `loader` outlive the object.
  UserCustomCalls(const RunOptions& options, ArgumentLoader& loader, Warn warn)
      : options_(options), loader_(loader), warn_(std::move(warn)) {}

  // Loads the plug-ins. Errors: those of CustomCallPlugin::Load.
  absl::Status LoadPlugins();

  absl::StatusOr<std::optional<Value>> Provide(const KernelContext& context) override;

 private:
  const RunOptions& options_;
  ArgumentLoader& loader_;
  const Warn warn_;
  std::vector<std::unique_ptr<CustomCallPlugin>> plugins_;
  absl::flat_hash_set<InstructionId> reported_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_INPUTS_USER_CUSTOM_CALLS_H_
