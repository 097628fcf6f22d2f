#include "evaluator/engine/device_run.h"

#include <algorithm>
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
                                                   kMostDevices));
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
                                                             const SessionOptions& options) {
  if (module != nullptr) {
    if (absl::Status status = CheckDevices(*module, grid); !status.ok()) return status;
  }
  std::unique_ptr<DeviceRun> run(new DeviceRun(std::move(module), grid));
  SessionOptions own = options;
  own.replica_count = grid.replicas;
  own.num_partitions = grid.partitions;
  own.shared = run->shared_ = std::make_shared<SharedRunState>();
  for (int64_t f = 0; f < grid.device_count(); ++f) {
    auto device = std::make_unique<Device>(run->exchange_, f);
    own.replica_id = f / grid.partitions;
    own.partition_id = f % grid.partitions;
    own.link = &*device->link;
    own.host = &device->host;
    absl::StatusOr<std::unique_ptr<Session>> session = Session::Create(run->module_, own);
    if (!session.ok()) return session.status();
    device->session = *std::move(session);
    run->devices_.push_back(std::move(device));
  }
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

bool DeviceRun::Round(absl::FunctionRef<StopReason(int64_t f, bool* progress)> run_device, StopReason* stopped) {
  bool all_finished = true, progress = false;
  for (int64_t f = 0; f < device_count(); ++f) {
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
  if (all_finished) {
    *stopped = StopReason::kFinished;
    return false;
  }
  if (progress) return true;
  status_ = absl::AbortedError(DeadlockReport());
  for (stopped_device_ = 0; device(stopped_device_).finished();) ++stopped_device_;
  *stopped = StopReason::kFailed;
  return false;
}

StopReason DeviceRun::RunDevice(int64_t f, const StopWhen& when, bool* progress) {
  Session& session = device(f);
  const int64_t position = session.position(), posted = exchange_.posting_count();
  const bool fresh = session.stop_reason() == StopReason::kNotStarted;
  // A run to the end need not be fit to be looked at between its steps, which makes it faster.
  const bool to_the_end = when.position == StopWhen().position && when.frames == 0 && !when.instruction.has_value();
  const StopReason reason = to_the_end ? session.Run() : session.RunUntil(when);
  *progress |= fresh || session.position() != position || exchange_.posting_count() != posted;
  return reason;
}

std::shared_ptr<const DeviceRun::Snapshot> DeviceRun::Save() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->exchange = exchange_;
  for (const std::unique_ptr<Device>& device : devices_) {
    snapshot->devices.push_back({device->session->time_travel().Save(), *device->link, device->host});
  }
  return snapshot;
}

void DeviceRun::Restore(const Snapshot& snapshot) {
  exchange_ = snapshot.exchange;
  for (size_t f = 0; f < devices_.size(); ++f) {
    devices_[f]->session->time_travel().Restore(*snapshot.devices[f].session);
    devices_[f]->link.emplace(snapshot.devices[f].link);
    devices_[f]->host = snapshot.devices[f].host;
  }
  status_ = absl::OkStatus();
  stopped_device_ = 0;
}

void DeviceRun::Restart() {
  exchange_.Reset();
  for (const std::unique_ptr<Device>& device : devices_) {
    device->link->Reset();
    device->host.Reset();
    device->session->Restart();
  }
  status_ = absl::OkStatus();
  stopped_device_ = 0;
}

void DeviceRun::ShareTime(DeviceRun& other) { other.shared_->used_time = shared_->used_time; }

void DeviceRun::Cancel() {
  for (const std::unique_ptr<Device>& device : devices_) device->session->Cancel();
}

void DeviceRun::RequestPause() {
  for (const std::unique_ptr<Device>& device : devices_) device->session->RequestPause();
}

std::string DeviceRun::WaitingReport(int64_t f) const {
  const Session& session = device(f);
  if (session.finished()) return absl::StrCat("  ", DeviceName(f), ": finished\n");
  const std::optional<DeviceLink::Waiting>& wait = waiting(f);
  if (!wait.has_value())
    return absl::StrCat("  ", DeviceName(f), ": at ", ExecutionPath(*module_, session.inspection().frames()), "\n");
  const Instruction& instruction = module_->instruction(wait->instruction);
  return absl::StrCat("  ", DeviceName(f), ": waits at ", module_->ComputationName(instruction.computation),
                      "::", module_->InstructionName(wait->instruction), " (", OpcodeName(instruction.opcode),
                      ", execution ", wait->execution, ") for data of {", NamesText(wait->sources), "}: missing {",
                      NamesText(wait->missing), "}\n      at ", ExecutionPath(*module_, session.inspection().frames()),
                      "\n");
}

std::string DeviceRun::DeadlockReport() const {
  std::string report = "deadlock: no device can make progress\n";
  for (int64_t f = 0; f < device_count(); ++f) absl::StrAppend(&report, WaitingReport(f));
  // Why a device is missing: it finished, it executed the instruction less often, or it waits elsewhere.
  for (int64_t f = 0; f < device_count(); ++f) {
    const std::optional<DeviceLink::Waiting>& wait = waiting(f);
    if (device(f).finished() || !wait.has_value()) continue;
    const int64_t other = wait->missing[0];
    const std::string place =
        absl::StrCat(module_->ComputationName(module_->instruction(wait->instruction).computation),
                     "::", module_->InstructionName(wait->instruction));
    const std::optional<DeviceLink::Waiting>& others = waiting(other);
    if (module_->opcode(wait->instruction) == Opcode::kRecv) {
      absl::StrAppend(&report, "hint: device ", other, " has not sent yet what ", place, " receives in its execution ",
                      wait->execution);
    } else if (!device(other).finished() && others.has_value() && others->instruction != wait->instruction) {
      absl::StrAppend(&report, "hint: mismatched collectives: device ", f, " waits at ", place, ", device ", other,
                      " at ", module_->ComputationName(module_->instruction(others->instruction).computation),
                      "::", module_->InstructionName(others->instruction));
    } else {
      absl::StrAppend(&report, "hint: device ", other, " executed ", place, " ",
                      devices_[static_cast<size_t>(other)]->link->ExecutionsOf(wait->instruction), " times, device ", f,
                      " is at execution ", wait->execution);
    }
    break;
  }
  return report;
}

}  // namespace hloscope::evaluator
