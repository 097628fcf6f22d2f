// SPDX-License-Identifier: Apache-2.0
// A module made ready to run beside others of its kind: what it is given, and why it stopped.
#ifndef HLOSCOPE_INSIGHT_RUNS_MODULE_RUN_H_
#define HLOSCOPE_INSIGHT_RUNS_MODULE_RUN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/document/document.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/inputs/run_inputs.h"
#include "evaluator/inputs/user_custom_calls.h"
#include "insight/runs/made_up_numbers.h"

namespace hloscope::insight {

// Empty if two modules take the same parameters, but for layouts; else what differs.
std::string DifferenceOfParameters(const Module& a, const Module& b);

class ModuleRun {
 public:
  // `options` are those that a user gave; `like` is the module whose made-up numbers it takes, null for none.
  ModuleRun(std::shared_ptr<const Document> document, evaluator::RunOptions options, const Module* like);
  ModuleRun(std::shared_ptr<const Document> document, evaluator::RunOptions options, SharedNumbers numbers);

  // Makes the devices and gives them their inputs. Values are dropped after their last use. Errors say what is missing.
  absl::Status Prepare();

  // After Prepare.
  evaluator::DeviceRun& run() { return *run_; }
  const Document& document() const { return *document_; }
  const Module& module() const { return document_->module(); }
  // Names of constants that stand-ins were made for.
  const std::vector<std::string>& filled_constants() const { return filled_constants_; }
  // Those of them whose stand-ins are no other module's.
  const std::vector<InstructionId>& lone_constants() const { return numbers_.alone; }

  // Runs to the end. Errors: why it stopped, with the instruction where it did.
  absl::Status Run();
  // The same for a run that has stopped.
  absl::Status Failure() const;

 private:
  const std::shared_ptr<const Document> document_;
  evaluator::RunOptions options_;
  const SharedNumbers numbers_;
  std::shared_ptr<const Module> runnable_;
  const evaluator::DeviceGrid grid_;
  evaluator::ArgumentLoader loader_;
  evaluator::UserCustomCalls custom_calls_;
  std::unique_ptr<evaluator::DeviceRun> run_;
  std::vector<std::string> filled_constants_;
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_RUNS_MODULE_RUN_H_
