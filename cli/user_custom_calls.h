// What the user gives for custom calls that the evaluator does not know: plug-ins, files, zeros.
#ifndef HLOSCOPE_CLI_USER_CUSTOM_CALLS_H_
#define HLOSCOPE_CLI_USER_CUSTOM_CALLS_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/run_options.h"
#include "evaluator/kernels/custom_call_provider.h"
#include "evaluator/plugins/custom_call_plugin.h"

namespace hloscope {

// Plug-ins are asked first, in order, then what is given for the instruction, its target, and all (spec/
// ops-c-control-collectives.md 3.1, steps 4 to 6). Zeros that stand in for a result are reported once for each
// instruction on standard error.
class UserCustomCalls final : public CustomCallProvider {
 public:
  // `options` and `loader` outlive the object.
  UserCustomCalls(const RunOptions& options, ArgumentLoader& loader) : options_(options), loader_(loader) {}

  // Loads the plug-ins. Errors: those of CustomCallPlugin::Load.
  absl::Status LoadPlugins();

  absl::StatusOr<std::optional<Value>> Provide(const KernelContext& context) override;

 private:
  const RunOptions& options_;
  ArgumentLoader& loader_;
  std::vector<std::unique_ptr<CustomCallPlugin>> plugins_;
  absl::flat_hash_set<InstructionId> reported_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CLI_USER_CUSTOM_CALLS_H_
