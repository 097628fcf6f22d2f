// SPDX-License-Identifier: Apache-2.0
// Requests about runs that existed before the session, and about devices that shall take no part any more.
#include <utility>

#include "absl/strings/str_cat.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {

using nlohmann::json;

absl::StatusOr<json> DebugSession::Attach(const json& arguments) {
  if (attached_ == nullptr) {
    return absl::FailedPreconditionError("there is no running module here: `launch` one, or give the `port` of one");
  }
  if (state_ == State::kTerminated) return absl::FailedPreconditionError("the session has ended");
  if (launch_ != nullptr) return absl::FailedPreconditionError("the run is attached to already");
  Use(attached_->document, attached_->launch);
  stop_on_entry_ = BoolOr(arguments, "stopOnEntry", true);
  no_debug_ = BoolOr(arguments, "noDebug", false);
  stop_at_end_ = BoolOr(arguments, "stopAtEnd", true) && !no_debug_;
  launch_arguments_ = std::make_shared<const json>(arguments);
  TellLaunched("attach");
  return json();
}

void DebugSession::BeginAttached() {
  Move move;
  move.reason = timeline().position() == 0 ? "entry" : "pause";
  move.title = "Running";
  move.run = [this, looked = false]() mutable -> absl::StatusOr<evaluator::Stop> {
    evaluator::Stop here;
    here.device = timeline().stopped_device();
    here.reason = IsFinished() ? evaluator::StopReason::kFinished : evaluator::StopReason::kStep;
    if (std::exchange(looked, true)) return debugger().Continue();
    if (IsFinished() || (stop_on_entry_ && !no_debug_)) return here;
    // A breakpoint at the very first step.
    if (!no_debug_ && timeline().position() == 0 && debugger().StopsAtStart(&here)) return here;
    return debugger().Continue();
  };
  move_ = std::move(move);
}

bool DebugSession::IsFinished() const {
  for (int64_t f = 0; f < timeline().device_count(); ++f) {
    if (!HasEnded(f) && !timeline().execution(f).finished()) return false;
  }
  return true;
}

absl::StatusOr<json> DebugSession::TerminateThreads(const json& arguments) {
  std::vector<int64_t> devices;
  for (const json& thread : ListOf(arguments, "threadIds")) {
    const json wrapped = {{"threadId", thread}};
    const absl::StatusOr<int64_t> device = Device(wrapped);
    if (!device.ok()) return device.status();
    if (std::count(devices.begin(), devices.end(), *device) == 0) devices.push_back(*device);
  }
  if (devices.empty()) return absl::InvalidArgumentError("`threadIds` names the devices to end; it is missing");
  for (const int64_t device : devices) {
    ended_.push_back(device);
    after_response_.push_back([this, device] {
      writer_.Event("thread", {{"reason", "exited"}, {"threadId", device + 1}});
    });
  }
  if (static_cast<int64_t>(ended_.size()) == timeline().device_count()) {
    move_.reset();
    after_response_.push_back([this] { Terminated(0); });
  }
  return json();
}

evaluator::Stop DebugSession::RunOthers() {
  timeline().set_together(false);
  evaluator::Stop last;
  for (;;) {
    const int64_t before = timeline().position();
    for (int64_t f = 0; f < timeline().device_count(); ++f) {
      if (HasEnded(f) || timeline().execution(f).finished()) continue;
      last = debugger().RunDevice(f, evaluator::StopWhen());
      const bool goes_on =
          last.reason == evaluator::StopReason::kBlocked || last.reason == evaluator::StopReason::kFinished;
      if (!goes_on || !last.watches.empty()) return last;
    }
    // Those that are left wait for devices that have ended.
    if (IsFinished() || timeline().position() == before) return last;
  }
}

}  // namespace hloscope::dap
