// SPDX-License-Identifier: Apache-2.0
#include "insight/runs/module_run.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "evaluator/engine/elided_constants.h"

namespace hloscope::insight {

std::string DifferenceOfParameters(const Module& a, const Module& b) {
  if (!a.entry().has_value() || !b.entry().has_value()) return "one of the modules has no entry computation";
  const std::vector<InstructionId>& x = a.computation(a.entry()).parameters;
  const std::vector<InstructionId>& y = b.computation(b.entry()).parameters;
  if (x.size() != y.size()) {
    return absl::StrCat("there are ", CountOf(y.size(), "parameter"), " instead of ", x.size());
  }
  for (size_t k = 0; k < x.size(); ++k) {
    const std::string from = a.shape(x[k]).ToString(false), to = b.shape(y[k]).ToString(false);
    if (from != to) return absl::StrCat("parameter ", k, " is ", to, " instead of ", from);
  }
  return "";
}

ModuleRun::ModuleRun(std::shared_ptr<const Document> document, evaluator::RunOptions options, const Module* like)
    : ModuleRun(document, options,
                like == nullptr ? SharedNumbers() : NumbersLike(*like, document->module(), options)) {}

ModuleRun::ModuleRun(std::shared_ptr<const Document> document, evaluator::RunOptions options, SharedNumbers numbers)
    : document_(std::move(document)),
      options_(std::move(options)),
      numbers_(std::move(numbers)),
      runnable_(document_->shared_module()),
      grid_(evaluator::GridOf(document_->module(), options_)),
      loader_(document_->module(), options_, grid_),
      custom_calls_(options_, loader_, [](const std::string&) {}) {
  options_.session.custom_calls = &custom_calls_;
  numbers_.ApplyTo(&options_);
}

absl::Status ModuleRun::Prepare() {
  if (!module().entry().has_value()) return absl::InvalidArgumentError("the module has no entry computation");
  if (options_.fill.has_value()) {
    evaluator::ElidedConstantFill fill =
        evaluator::FillOfConstants(*runnable_, *options_.fill, options_.session.random_seed);
    numbers_.ApplyTo(&fill);
    absl::StatusOr<evaluator::LazilyFilledModule> filled =
        evaluator::FillElidedConstantsLazily(runnable_, std::move(fill));
    if (!filled.ok()) return filled.status();
    runnable_ = filled->module;
    options_.session.elided_constants = filled->make;
    for (InstructionId id : filled->filled) filled_constants_.emplace_back(module().InstructionName(id));
  }
  if (const absl::Status status = custom_calls_.LoadPlugins(); !status.ok()) return status;
  absl::StatusOr<std::unique_ptr<evaluator::DeviceRun>> created =
      evaluator::DeviceRun::Create(runnable_, grid_, options_.session);
  if (!created.ok()) return created.status();
  run_ = *std::move(created);
  for (int64_t device = 0; device < run_->device_count(); ++device) {
    run_->device(device).set_keep_values(false);
    if (const absl::Status status = evaluator::GiveInputs(*run_, device, loader_); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ModuleRun::Run() { return run_->Run() == evaluator::StopReason::kFinished ? absl::OkStatus() : Failure(); }

absl::Status ModuleRun::Failure() const {
  const absl::Status& status = run_->status();
  if (status.ok()) return absl::CancelledError("the run was cancelled");
  const InstructionId at = run_->device(run_->stopped_device()).failed_instruction();
  if (!at.has_value()) return status;
  return absl::Status(status.code(), absl::StrCat(module().InstructionName(at), ": ", status.message()));
}

}  // namespace hloscope::insight
