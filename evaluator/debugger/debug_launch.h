// SPDX-License-Identifier: Apache-2.0
// A module made ready to be debugged: what every front end of the debugger starts from.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_DEBUG_LAUNCH_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_DEBUG_LAUNCH_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/debugger/debugger.h"
#include "evaluator/engine/run_progress.h"
#include "evaluator/inputs/run_inputs.h"
#include "evaluator/inputs/user_custom_calls.h"

namespace hloscope::evaluator {

class DebugLaunch {
 public:
  // Makes the devices of this process and gives them their arguments and what the host sends; `options.fill` also
  // stands in for constants that the text leaves out. Sets the limit of memory for the whole process. `warn` outlives
  // the object, and so do `steered`, the devices of other processes. Errors: InvalidArgument without an entry
  // computation; those of ArgumentLoader::Arguments, FillElidedConstants, CustomCallPlugin::Load and DeviceRun::Create.
  static absl::StatusOr<std::unique_ptr<DebugLaunch>> Create(std::shared_ptr<const Module> module, RunOptions options,
                                                             const TimelineOptions& timeline_options,
                                                             UserCustomCalls::Warn warn,
                                                             SteeredDevices* steered = nullptr);
  DebugLaunch(const DebugLaunch&) = delete;
  DebugLaunch& operator=(const DebugLaunch&) = delete;

  Debugger& debugger() { return *debugger_; }
  // Constants that were given made-up values.
  const std::vector<InstructionId>& filled() const { return filled_; }
  // How far the run has come; repeated parts count again.
  const RunProgress& progress() const { return progress_; }

 private:
  DebugLaunch(const Module& module, RunOptions options, UserCustomCalls::Warn warn);

  const RunOptions options_;
  const DeviceGrid grid_;
  RunProgress progress_;
  ArgumentLoader loader_;
  UserCustomCalls custom_calls_;
  std::vector<InstructionId> filled_;
  std::unique_ptr<Debugger> debugger_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_DEBUG_LAUNCH_H_
