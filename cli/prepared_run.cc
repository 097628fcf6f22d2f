// SPDX-License-Identifier: Apache-2.0
#include "cli/prepared_run.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/memory_limit.h"
#include "cli/output.h"
#include "core/diagnostics/render.h"
#include "evaluator/engine/elided_constants.h"

namespace hloscope::cli {

int ExitStatusOf(const absl::Status& status) {
  return absl::IsDeadlineExceeded(status) || absl::IsResourceExhausted(status) || absl::IsCancelled(status)
             ? kExitLimit
             : kExitBadInput;
}

int ReportStatus(const absl::Status& status) {
  // Lines are meant, as of a deadlock; what a terminal obeys is of a name or a path.
  const auto printed = [](std::string* text, absl::string_view line) { text->append(OneLine(line)); };
  WriteError(absl::StrCat("hloscope: ", absl::StrJoin(absl::StrSplit(status.message(), '\n'), "\n", printed), "\n"));
  return ExitStatusOf(status);
}

void NoteInferredGrid(const Document& document, const evaluator::RunOptions& options) {
  const std::string about = evaluator::AboutInferredGrid(document.module(), options);
  if (about.empty()) return;
  WriteError(absl::StrCat("hloscope: note: ", OneLine(document.source().name()), ": ", about,
                          " (--replicas and --partitions choose)\n"));
}

PreparedRun::PreparedRun(std::shared_ptr<const Document> document, evaluator::RunOptions options, RenderOptions render)
    : document_(std::move(document)),
      options_(std::move(options)),
      render_(render),
      runnable_(document_->shared_module()),
      grid_(evaluator::GridOf(document_->module(), options_)),
      loader_(document_->module(), options_, grid_),
      custom_calls_(options_, loader_, [](const std::string& message) {
        WriteError(absl::StrCat("hloscope: warning: ", message, "\n"));
      }) {
  options_.session.custom_calls = &custom_calls_;
  NoteInferredGrid(*document_, options_);
}

void PreparedRun::TakeNumbersOf(const PreparedRun& other) {
  numbers_ = insight::NumbersLike(other.module(), module(), options_);
  numbers_.ApplyTo(&options_);
  if (!options_.fill.has_value() || numbers_.alone.empty()) return;
  const std::string words =
      insight::LoneConstantsText(module(), numbers_.alone, OneLine(other.document().source().name()));
  WriteError(absl::StrCat("hloscope: warning: ", OneLine(document_->source().name()), ": ", words,
                          ": differences may come from what was made up\n"));
}

int PreparedRun::Prepare() {
  if (!module().entry().has_value()) {
    WriteError(absl::StrCat("hloscope: ", document_->source().name(), ": the module has no entry computation\n"));
    return kExitBadInput;
  }
  if (options_.fill.has_value()) {
    if (const int status = FillLeftOutConstants(*options_.fill); status != kExitGood) return status;
  }
  if (const absl::Status status = custom_calls_.LoadPlugins(); !status.ok()) return ReportStatus(status);
  absl::StatusOr<std::unique_ptr<evaluator::DeviceRun>> created =
      evaluator::DeviceRun::Create(runnable_, grid_, options_.session, processes_);
  if (!created.ok()) return ReportStatus(created.status());
  own_run_ = *std::move(created);
  run_ = own_run_.get();
  for (int64_t f : run_->local_devices()) {
    if (const absl::Status status = PrepareDevice(f); !status.ok()) return ReportStatus(status);
  }
  return kExitGood;
}

int PreparedRun::PrepareForDebugger(int64_t history_bytes, evaluator::SteeredDevices* steered) {
  evaluator::TimelineOptions timeline_options;
  timeline_options.history_bytes = history_bytes;
  absl::StatusOr<std::unique_ptr<evaluator::DebugLaunch>> launch = evaluator::DebugLaunch::Create(
      runnable_, options_, timeline_options,
      [](const std::string& message) { WriteError(absl::StrCat("hloscope: warning: ", message, "\n")); }, steered);
  if (!launch.ok()) return ReportStatus(launch.status());
  launch_ = *std::move(launch);
  run_ = &launch_->debugger().timeline().run();
  for (InstructionId id : launch_->filled()) {
    ReportAt(id, DiagnosticKind::kElidedConstantFilled, {std::string(module().InstructionName(id))}, 0);
  }
  return kExitGood;
}

// Each constant that is filled in is named.
int PreparedRun::FillLeftOutConstants(const evaluator::FillRule& rule) {
  evaluator::ElidedConstantFill fill = evaluator::FillOfConstants(*runnable_, rule, options_.session.random_seed);
  numbers_.ApplyTo(&fill);
  absl::StatusOr<evaluator::LazilyFilledModule> filled =
      evaluator::FillElidedConstantsLazily(runnable_, std::move(fill));
  if (!filled.ok()) return ReportStatus(filled.status());
  runnable_ = filled->module;
  options_.session.elided_constants = filled->make;
  for (InstructionId id : filled->filled) {
    ReportAt(id, DiagnosticKind::kElidedConstantFilled, {std::string(module().InstructionName(id))}, 0);
  }
  return kExitGood;
}

absl::Status PreparedRun::PrepareDevice(int64_t f) {
  run_->device(f).set_keep_values(false);
  return evaluator::GiveInputs(*run_, f, loader_);
}

int PreparedRun::ReportAt(InstructionId id, DiagnosticKind kind, std::vector<std::string> arguments, int status) const {
  const SourceRange range = document_->InstructionRange(id);
  const Diagnostic diagnostic{kind, InfoOf(kind).severity, range, std::move(arguments), {}, {}};
  WriteError(RenderAtOrigin(*document_, diagnostic, render_));
  return status;
}

std::string PreparedRun::OnDevice(int64_t device) const {
  return run_->device_count() == 1 ? "" : absl::StrCat(" on ", run_->DeviceName(device));
}

int PreparedRun::ReportFailure() const {
  const int status = ReportFailedRun();
  // Of another process that has said more already.
  if (run_->stopped_device() == evaluator::DeviceRun::kNoDevice) return status;
  if (absl::IsResourceExhausted(run_->status()) && absl::StrContains(run_->status().message(), "memory limit")) {
    WriteError(kMemoryLimitHelp);
  }
  return status;
}

InstructionId PreparedRun::FailedInstruction() const {
  const int64_t device = run_->stopped_device();
  return device == evaluator::DeviceRun::kNoDevice ? InstructionId() : run_->device(device).failed_instruction();
}

int PreparedRun::ReportFailedRun() const {
  const int status = ExitStatusOf(run_->status());
  const InstructionId at = FailedInstruction();
  if (!at.has_value()) return ReportStatus(run_->status());  // a deadlock among them
  ReportAt(at, status == kExitLimit ? DiagnosticKind::kEvaluationLimit : DiagnosticKind::kEvaluationFailed,
           {absl::StrCat(run_->status().message(), OnDevice(run_->stopped_device()))}, status);
  if (absl::IsUnimplemented(run_->status()) && module().opcode(at) == Opcode::kCustomCall) {
    const std::string target = OneLine(module().StringAttribute(at, AttributeKind::kCustomCallTarget));
    WriteError(absl::StrCat("  help: --custom-calls=LIB.so loads a plug-in that computes it; --custom-call='", target,
                            "=FILE.npy' gives its result; --custom-call='", target, "=zeros' goes on with zeros\n"));
  }
  return status;
}

}  // namespace hloscope::cli
