// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/debug_launch.h"

#include <utility>

#include "evaluator/engine/elided_constants.h"

namespace hloscope::evaluator {

DebugLaunch::DebugLaunch(const Module& module, RunOptions options, UserCustomCalls::Warn warn)
    : options_(std::move(options)),
      grid_(GridOf(module, options_)),
      progress_(module),
      loader_(module, options_, grid_),
      custom_calls_(options_, loader_, std::move(warn)) {}

absl::StatusOr<std::unique_ptr<DebugLaunch>> DebugLaunch::Create(std::shared_ptr<const Module> module,
                                                                 RunOptions options,
                                                                 const TimelineOptions& timeline_options,
                                                                 UserCustomCalls::Warn warn, SteeredDevices* steered) {
  if (!module->entry().has_value()) return absl::InvalidArgumentError("the module has no entry computation");
  std::vector<InstructionId> filled_constants;
  if (options.fill.has_value()) {
    absl::StatusOr<LazilyFilledModule> filled =
        FillElidedConstantsLazily(module, FillOfConstants(*module, *options.fill, options.session.random_seed));
    if (!filled.ok()) return filled.status();
    options.session.elided_constants = filled->make;
    module = filled->module;
    filled_constants = std::move(filled->filled);
  }
  Buffer::SetLimit(options.session.memory_limit_bytes);
  std::unique_ptr<DebugLaunch> launch(new DebugLaunch(*module, std::move(options), std::move(warn)));
  launch->filled_ = std::move(filled_constants);
  if (absl::Status status = launch->custom_calls_.LoadPlugins(); !status.ok()) return status;
  SessionOptions session = launch->options_.session;
  session.custom_calls = &launch->custom_calls_;
  session.progress = &launch->progress_;
  absl::StatusOr<std::unique_ptr<Timeline>> timeline =
      Timeline::Create(std::move(module), launch->grid_, session, timeline_options, steered);
  if (!timeline.ok()) return timeline.status();
  for (int64_t f : (*timeline)->run().local_devices()) {
    if (absl::Status status = GiveInputs((*timeline)->run(), f, launch->loader_); !status.ok()) return status;
  }
  launch->debugger_ = std::make_unique<Debugger>(*std::move(timeline));
  return launch;
}

}  // namespace hloscope::evaluator
