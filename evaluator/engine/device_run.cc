// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/device_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/engine/engine_runtime.h"

namespace hloscope::evaluator {
namespace {

// More devices than this are not simulated.
constexpr int64_t kMostDevices = 4096;
// What a device needs for each instruction before any value is made: schedules, places of values, counters.
constexpr int64_t kStateBytesPerInstruction = 96;
// Of what passes between two questions while a run waits for other processes.
constexpr std::chrono::steady_clock::duration kLongestWait = std::chrono::milliseconds(100);

// The first ones, which are all that a device that waits remembers of very many.
std::string NamesText(const std::vector<int64_t>& devices) {
  constexpr size_t kMostNamed = 32;
  return absl::StrCat(absl::StrJoin(devices, ","), devices.size() >= kMostNamed ? ",..." : "");
}

// Error InvalidArgument for more devices than can be simulated, ResourceExhausted where their state does not fit.
absl::Status CheckDevices(const Module& module, DeviceGrid grid) {
  int64_t devices;
  if (grid.replicas < 1 || grid.partitions < 1 || __builtin_mul_overflow(grid.replicas, grid.partitions, &devices) ||
      devices > kMostDevices) {
    return absl::InvalidArgumentError(absl::StrCat(grid.replicas, " replicas of ", grid.partitions,
                                                   " partitions are more devices than can be simulated: at most ",
                                                   kMostDevices, "; a run can be given fewer (replicas, partitions)"));
  }
  const int64_t instructions = static_cast<int64_t>(module.instruction_count());
  const int64_t bytes = (devices - 1) * instructions * kStateBytesPerInstruction;
  if (Buffer::Limit() > 0 && bytes > Buffer::Limit() - Buffer::LiveBytes()) {
    return absl::ResourceExhaustedError(absl::StrCat("the memory limit of ", Buffer::Limit(),
                                                     " bytes is exceeded: ", devices, " devices need ", bytes,
                                                     " bytes for ", instructions, " instructions each"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceRun>> DeviceRun::Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                             const SessionOptions& options, ProcessGroup* processes) {
  return Create(std::move(module), grid, options, processes, nullptr);
}

absl::StatusOr<std::unique_ptr<DeviceRun>> DeviceRun::Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                             const SessionOptions& options, SteeredDevices& steered) {
  return Create(std::move(module), grid, options, nullptr, &steered);
}

absl::StatusOr<std::unique_ptr<DeviceRun>> DeviceRun::Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                             const SessionOptions& options, ProcessGroup* processes,
                                                             SteeredDevices* steered) {
  if (module != nullptr) {
    if (absl::Status status = CheckDevices(*module, grid); !status.ok()) return status;
  }
  std::unique_ptr<DeviceRun> run(new DeviceRun(std::move(module), grid, processes, steered));
  SessionOptions own = options;
  own.replica_count = grid.replicas;
  own.num_partitions = grid.partitions;
  own.shared = run->shared_ = std::make_shared<SharedRunState>();
  run->time_limit_seconds_ = options.time_limit_seconds;
  run->seconds_before_ = options.seconds_before;
  ProcessGroup* const others = steered != nullptr ? &steered->processes() : processes;
  run->exchange_.set_remote(others);
  run->devices_.resize(static_cast<size_t>(grid.device_count()));
  if (steered != nullptr) steered->Begin(run->module_, grid);
  for (int64_t f = 0; f < grid.device_count(); ++f) {
    const bool is_remote = others != nullptr && others->IsRemote(f);
    if (is_remote && steered == nullptr) continue;
    auto device = std::make_unique<Device>();
    run->moved_.push_back(f);
    if (is_remote) {
      device->session = &steered->session(f);
      run->devices_[static_cast<size_t>(f)] = std::move(device);
      continue;
    }
    device->link.emplace(run->exchange_, f);
    own.replica_id = f / grid.partitions;
    own.partition_id = f % grid.partitions;
    own.link = &*device->link;
    own.host = &device->host;
    absl::StatusOr<std::unique_ptr<Session>> session = Session::Create(run->module_, own);
    if (!session.ok()) return session.status();
    device->own = *std::move(session);
    device->session = device->own.get();
    run->devices_[static_cast<size_t>(f)] = std::move(device);
    run->local_.push_back(f);
  }
  if (others != nullptr) others->Attach(&run->exchange_);
  return run;
}

std::string DeviceRun::DeviceName(int64_t f) const {
  return absl::StrCat("device ", f, " (r", f / grid_.partitions, ",p", f % grid_.partitions, ")");
}

StopReason DeviceRun::Run() {
  return RunInTurns([this](int64_t f, bool* progress) { return RunDevice(f, StopWhen(), progress); });
}

StopReason DeviceRun::RunInTurns(absl::FunctionRef<StopReason(int64_t f, bool* progress)> run_device) {
  StopReason stopped = StopReason::kFinished;
  while (Round(run_device, &stopped)) {
  }
  return stopped;
}

bool DeviceRun::Stop(int64_t device, absl::Status status, StopReason* stopped) {
  stopped_device_ = device;
  status_ = std::move(status);
  *stopped = StopReason::kFailed;
  return false;
}

bool DeviceRun::Round(absl::FunctionRef<StopReason(int64_t f, bool* progress)> run_device, StopReason* stopped) {
  if (processes_ != nullptr) {
    if (absl::Status status = processes_->Poll(); !status.ok()) return Stop(kNoDevice, std::move(status), stopped);
  }
  bool all_finished = true, progress = false;
  for (int64_t f : moved_) {
    Session& session = device(f);
    if (session.finished()) continue;
    const StopReason reason = run_device(f, &progress);
    if (reason == StopReason::kFinished) continue;
    all_finished = false;
    if (reason == StopReason::kBlocked) continue;
    stopped_device_ = f;
    if (reason == StopReason::kFailed) status_ = session.status();
    *stopped = reason;
    return false;
  }
  if (processes_ != nullptr && (all_finished || !progress)) return WaitForOthers(all_finished, stopped);
  if (all_finished) {
    *stopped = StopReason::kFinished;
    return false;
  }
  if (progress) return true;
  const auto first = absl::c_find_if(moved_, [this](int64_t f) { return !device(f).finished(); });
  return Stop(*first, absl::AbortedError(DeadlockReport()), stopped);
}

bool DeviceRun::WaitForOthers(bool all_finished, StopReason* stopped) {
  last_wait_.reset();
  const absl::StatusOr<bool> goes_on =
      processes_->Wait({all_finished, [this] { return MayWait(); }, [this] { return States(); },
                        [this](absl::Span<const DeviceState> states) { return DeadlockReport(states); }});
  if (!goes_on.ok()) return Stop(kNoDevice, goes_on.status(), stopped);
  if (!*goes_on) *stopped = StopReason::kFinished;
  return *goes_on;
}

absl::Status DeviceRun::MayWait() {
  if (is_cancelled_.load(std::memory_order_relaxed)) return absl::CancelledError("the run was cancelled");
  const auto now = std::chrono::steady_clock::now();
  // Waiting counts; what passes between two questions is a fraction of a millisecond, or taking a message.
  if (last_wait_.has_value()) *shared_->used_time += std::min(now - *last_wait_, kLongestWait);
  last_wait_ = now;
  const double seconds = seconds_before_ + std::chrono::duration<double>(*shared_->used_time).count();
  if (time_limit_seconds_ > 0 && seconds > time_limit_seconds_) {
    return absl::ResourceExhaustedError(absl::StrCat("the time limit of ", time_limit_seconds_, " seconds is over"));
  }
  return absl::OkStatus();
}

StopReason DeviceRun::RunDevice(int64_t f, const StopWhen& when, bool* progress) {
  if (steered_ != nullptr && !devices_[static_cast<size_t>(f)]->link.has_value()) {
    return steered_->Run(f, when, progress);
  }
  Session& session = device(f);
  const int64_t position = session.position(), posted = exchange_.posting_count();
  const bool fresh = session.stop_reason() == StopReason::kNotStarted;
  // A run to the end need not be fit to be looked at between its steps, which makes it faster.
  const bool to_the_end =
      when.position == StopWhen().position && when.frames == 0 && !when.instruction.has_value() && !when.enough;
  const StopReason reason = to_the_end ? session.Run() : session.RunUntil(when);
  *progress |= fresh || session.position() != position || exchange_.posting_count() != posted;
  return reason;
}

std::shared_ptr<const DeviceRun::Snapshot> DeviceRun::Save() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->exchange = exchange_;
  if (steered_ != nullptr) snapshot->steered = steered_->Save();
  for (int64_t f : moved_) {
    const Device& device = *devices_[static_cast<size_t>(f)];
    snapshot->devices.push_back(
        {device.link.has_value() ? device.session->time_travel().Save() : snapshot->steered->session(f), device.link,
         device.host});
  }
  return snapshot;
}

void DeviceRun::Restore(const Snapshot& snapshot) {
  exchange_ = snapshot.exchange;
  if (steered_ != nullptr) steered_->Restore(*snapshot.steered);
  for (size_t i = 0; i < moved_.size(); ++i) {
    Device& device = *devices_[static_cast<size_t>(moved_[i])];
    if (!device.link.has_value()) continue;
    device.session->time_travel().Restore(*snapshot.devices[i].session);
    device.link.emplace(*snapshot.devices[i].link);
    device.host = snapshot.devices[i].host;
  }
  status_ = absl::OkStatus();
  stopped_device_ = 0;
}

void DeviceRun::Restart() {
  exchange_.Reset();
  if (steered_ != nullptr) steered_->Restart();
  for (int64_t f : local_) {
    Device& device = *devices_[static_cast<size_t>(f)];
    device.link->Reset();
    device.host.Reset();
    device.session->Restart();
  }
  status_ = absl::OkStatus();
  stopped_device_ = 0;
}

void DeviceRun::ShareTime(DeviceRun& other) { other.shared_->used_time = shared_->used_time; }

// A signal handler may call this: it only stores to atomics.
void DeviceRun::Cancel() {
  is_cancelled_.store(true, std::memory_order_relaxed);
  for (int64_t f : moved_) device(f).Cancel();
}

void DeviceRun::RequestPause() {
  for (int64_t f : moved_) device(f).RequestPause();
}

DeviceState DeviceRun::StateOf(int64_t f) const {
  if (!devices_[static_cast<size_t>(f)]->link.has_value()) return steered_->StateOf(f);
  DeviceState state;
  state.device = f;
  state.finished = device(f).finished();
  state.waiting = waiting(f);
  if (!state.finished) state.path = ExecutionPath(*module_, device(f).inspection().frames());
  state.executions = devices_[static_cast<size_t>(f)]->link->Executions();
  return state;
}

std::vector<DeviceState> DeviceRun::States() const {
  std::vector<DeviceState> states;
  for (int64_t f : moved_) states.push_back(StateOf(f));
  return states;
}

std::string DeviceRun::PlaceOf(InstructionId id) const {
  return absl::StrCat(module_->ComputationName(module_->instruction(id).computation),
                      "::", module_->InstructionName(id));
}

std::string DeviceRun::WaitingReport(int64_t f) const { return WaitingLine(StateOf(f)); }

std::string DeviceRun::WaitingLine(const DeviceState& state) const {
  if (state.finished) return absl::StrCat("  ", DeviceName(state.device), ": finished\n");
  if (!state.waiting.has_value()) return absl::StrCat("  ", DeviceName(state.device), ": at ", state.path, "\n");
  const DeviceLink::Waiting& wait = *state.waiting;
  return absl::StrCat("  ", DeviceName(state.device), ": waits at ", PlaceOf(wait.instruction), " (",
                      OpcodeName(module_->opcode(wait.instruction)), ", execution ", wait.execution, ") for data of {",
                      NamesText(wait.sources), "}: missing {", NamesText(wait.missing), "}\n      at ", state.path,
                      "\n");
}

std::string DeviceRun::DeadlockReport(absl::Span<const DeviceState> states) const {
  std::string report = "deadlock: no device can make progress\n";
  for (const DeviceState& state : states) absl::StrAppend(&report, WaitingLine(state));
  // Why a device is missing: it finished, it executed the instruction less often, or it waits elsewhere.
  for (const DeviceState& state : states) {
    if (state.finished || !state.waiting.has_value()) continue;
    const DeviceLink::Waiting& wait = *state.waiting;
    const int64_t other = wait.missing[0];
    const auto found = absl::c_find_if(states, [&](const DeviceState& s) { return s.device == other; });
    if (found == states.end()) break;
    const std::string place = PlaceOf(wait.instruction);
    if (module_->opcode(wait.instruction) == Opcode::kRecv) {
      absl::StrAppend(&report, "hint: device ", other, " has not sent yet what ", place, " receives in its execution ",
                      wait.execution);
    } else if (!found->finished && found->waiting.has_value() && found->waiting->instruction != wait.instruction) {
      absl::StrAppend(&report, "hint: mismatched collectives: device ", state.device, " waits at ", place, ", device ",
                      other, " at ", PlaceOf(found->waiting->instruction));
    } else {
      const auto executions = absl::c_find_if(
          found->executions, [&](const auto& execution) { return execution.first == wait.instruction; });
      absl::StrAppend(&report, "hint: device ", other, " executed ", place, " ",
                      executions == found->executions.end() ? 0 : executions->second, " times, device ", state.device,
                      " is at execution ", wait.execution);
    }
    break;
  }
  return report;
}

}  // namespace hloscope::evaluator
