// SPDX-License-Identifier: Apache-2.0
// A module made ready to run: what the commands that evaluate modules start from.
#ifndef HLOSCOPE_CLI_PREPARED_RUN_H_
#define HLOSCOPE_CLI_PREPARED_RUN_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cli/run_options.h"
#include "core/diagnostics/render.h"
#include "core/document/document.h"
#include "evaluator/debugger/debug_launch.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/inputs/user_custom_calls.h"
#include "insight/runs/made_up_numbers.h"

namespace hloscope::cli {

// Exit status for a status that stopped a command: kExitLimit for limits and cancelled runs, else kExitBadInput.
int ExitStatusOf(const absl::Status& status);
// Prints the message on standard error, without control characters; returns ExitStatusOf.
int ReportStatus(const absl::Status& status);

// Says how many devices a run has whose number only the collectives tell.
void NoteInferredGrid(const Document& document, const evaluator::RunOptions& options);

class PreparedRun {
 public:
  PreparedRun(std::shared_ptr<const Document> document, evaluator::RunOptions options, RenderOptions render);

  // Makes the devices and gives them their arguments and what the host sends; --fill also stands in for constants that
  // the text leaves out. kExitGood, or the exit status after the reason was printed.
  int Prepare();

  // Instead of Prepare: makes the run one that a debugger can move; it keeps the values that going back needs, up to
  // `history_bytes` (0: the usual limit). `steered`: the devices of other processes, which it moves, too; they outlive
  // the object.
  int PrepareForDebugger(int64_t history_bytes, evaluator::SteeredDevices* steered);
  // After PrepareForDebugger.
  const std::shared_ptr<evaluator::DebugLaunch>& launch() const { return launch_; }

  // Before Prepare: the made-up numbers are those of another run's. Says which constants have none there.
  void TakeNumbersOf(const PreparedRun& other);

  // Before Prepare: the other processes of the run, and on which of them each device is. They outlive the object.
  void SetProcesses(evaluator::ProcessGroup* processes) { processes_ = processes; }

  // After Prepare: parameter `number` of a device as the run is given it, made or read again. Errors: those of
  // ArgumentLoader::Arguments.
  absl::StatusOr<evaluator::Value> ArgumentOf(int64_t device, int64_t number) {
    return loader_.Argument(device, number, nullptr);
  }

  const Document& document() const { return *document_; }
  const std::shared_ptr<const Document>& shared_document() const { return document_; }
  const Module& module() const { return document_->module(); }
  const evaluator::DeviceGrid& grid() const { return grid_; }
  // After Prepare or PrepareForDebugger.
  evaluator::DeviceRun& run() { return *run_; }
  const evaluator::DeviceRun& run() const { return *run_; }

  // Prints why the run stopped before its end, at the instruction that stopped it. Returns the exit status.
  int ReportFailure() const;
  // Prints a diagnostic about an instruction; returns `status`.
  int ReportAt(InstructionId id, DiagnosticKind kind, std::vector<std::string> arguments, int status) const;
  // " on device 1 (r0,p1)" where there are several.
  std::string OnDevice(int64_t device) const;

 private:
  // Where the run was stopped; none if no instruction of this process did.
  InstructionId FailedInstruction() const;
  int ReportFailedRun() const;
  int FillLeftOutConstants(const evaluator::FillRule& rule);
  absl::Status PrepareDevice(int64_t device);

  const std::shared_ptr<const Document> document_;
  evaluator::RunOptions options_;
  insight::SharedNumbers numbers_;
  const RenderOptions render_;
  std::shared_ptr<const Module> runnable_;  // the document's module, with constants that --fill stands in for
  const evaluator::DeviceGrid grid_;
  evaluator::ArgumentLoader loader_;
  evaluator::UserCustomCalls custom_calls_;
  evaluator::ProcessGroup* processes_ = nullptr;
  std::unique_ptr<evaluator::DeviceRun> own_run_;
  std::shared_ptr<evaluator::DebugLaunch> launch_;
  evaluator::DeviceRun* run_ = nullptr;  // own_run_, or that of launch_
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_PREPARED_RUN_H_
