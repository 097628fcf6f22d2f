// SPDX-License-Identifier: Apache-2.0
// Devices that would wait for each other forever, and channels that two operations use at a time
// (docs/ops/control.md 4.15, 6.11).
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/communication/communication_deadlock.h"
#include "core/communication/communication_plan.h"
#include "core/ops/asynchronous.h"
#include "core/ops/collective.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// "device 1" or "devices 1, 2, 5 and 9 others".
std::string DevicesText(const std::vector<int64_t>& devices) {
  constexpr size_t kMostNamed = 8;
  if (devices.size() == 1) return absl::StrCat("device ", devices[0]);
  const size_t named = devices.size() <= kMostNamed ? devices.size() : kMostNamed - 2;
  std::string text = absl::StrCat("devices ", absl::StrJoin(devices.begin(), devices.begin() + named, ", "));
  if (named < devices.size()) absl::StrAppend(&text, " and ", devices.size() - named, " others");
  return text;
}

using Blocked = CommunicationDeadlock::Blocked;

const Blocked* BlockedDevice(const CommunicationDeadlock& deadlock, int64_t device) {
  const auto found = std::find_if(deadlock.blocked.begin(), deadlock.blocked.end(),
                                  [&](const Blocked& blocked) { return blocked.device == device; });
  return found == deadlock.blocked.end() ? nullptr : &*found;
}

// Why what `waiting` waits for does not come.
std::string ReasonOf(const Verification& v, const CommunicationDeadlock& deadlock, const Blocked& waiting) {
  const int64_t missing = waiting.missing[0];
  const Blocked* other = BlockedDevice(deadlock, missing);
  if (other == nullptr) return absl::StrCat("which ends without coming here", waiting.execution > 1 ? " as often" : "");
  const Module& module = v.module;
  if (other->instruction == waiting.instruction && other->execution == waiting.execution) {
    return absl::StrCat("which waits here too, for ", DevicesText(other->missing));
  }
  if (other->instruction == waiting.instruction) return "which waits here in another execution";
  return absl::StrCat("which waits at `", module.InstructionName(other->instruction), "`, ",
                      OpcodeName(module.opcode(other->instruction)), ", for ", DevicesText(other->missing));
}

// Who waits at the first place, and for whom. Devices at one transfer mostly wait for different ones.
std::string WaitText(const Verification& v, const CommunicationDeadlock& deadlock) {
  const Blocked& first = deadlock.blocked[0];
  std::vector<int64_t> together;
  std::set<int64_t> missing;
  bool is_alike = true;
  for (const Blocked& blocked : deadlock.blocked) {
    if (blocked.instruction != first.instruction || blocked.execution != first.execution) continue;
    together.push_back(blocked.device);
    missing.insert(blocked.missing.begin(), blocked.missing.end());
    is_alike = is_alike && blocked.missing == first.missing;
  }
  const std::string execution = first.execution > 1 ? absl::StrCat(" in execution ", first.execution) : "";
  if (together.size() > 1 && std::includes(together.begin(), together.end(), missing.begin(), missing.end())) {
    return absl::StrCat(DevicesText(together), " wait", execution,
                        " for messages of each other, which nobody can send first");
  }
  const std::string whom = absl::StrCat(DevicesText(first.missing), ", ", ReasonOf(v, deadlock, first));
  if (together.size() == 1) return absl::StrCat(DevicesText(together), " waits", execution, " for ", whom);
  return absl::StrCat(DevicesText(together), " wait", execution,
                      is_alike ? "" : absl::StrCat(", device ", first.device), " for ", whom);
}

void ReportDeadlock(Verification& v, const CommunicationDeadlock& deadlock) {
  const Module& module = v.module;
  const Blocked& first = deadlock.blocked[0];
  Diagnostic& diagnostic = v.Report(
      DiagnosticKind::kCollectiveDeadlock, first.instruction, Anchor::Name(), module.InstructionName(first.instruction),
      absl::StrCat(WaitText(v, deadlock),
                   deadlock.needs_rendezvous ? "; only where messages are buffered does this run" : ""));
  std::vector<InstructionId> places = {first.instruction};
  for (const Blocked& blocked : deadlock.blocked) {
    if (std::find(places.begin(), places.end(), blocked.instruction) != places.end()) continue;
    places.push_back(blocked.instruction);
    constexpr size_t kMostPlaces = 5;
    if (places.size() > kMostPlaces) break;
    diagnostic.Related(v.RangeOf(blocked.instruction, Anchor::Instruction()),
                       absl::StrCat("device ", blocked.device, " waits here"));
  }
  if (deadlock.parting.has_value()) {
    diagnostic.Related(v.RangeOf(deadlock.parting, Anchor::Instruction()), "the devices go different ways here");
  }
}

// The end of the operation that starts here, if it is asynchronous.
bool IsStart(Opcode opcode) { return DoneOf(opcode) != Opcode::kInvalid && IsCollective(opcode); }

// A channel is taken from a start to its done, in a schedule.
void CheckChannels(Verification& v, const Computation& computation) {
  const Module& module = v.module;
  absl::flat_hash_map<int64_t, InstructionId> in_flight;
  for (InstructionId id : computation.instructions) {
    const Opcode opcode = module.opcode(id);
    if (StartOf(opcode) != Opcode::kInvalid && !module.operands(id).empty()) {
      const InstructionId start = module.operand(id, 0);
      for (auto it = in_flight.begin(); it != in_flight.end(); ++it) {
        if (it->second != start) continue;
        in_flight.erase(it);
        break;
      }
    }
    if (!IsCollective(opcode) || !module.HasAttribute(id, AttributeKind::kChannelId) || !v.IsReadable(id)) continue;
    const int64_t channel = module.IntAttribute(id, AttributeKind::kChannelId);
    if (const auto other = in_flight.find(channel); other != in_flight.end()) {
      v.Report(DiagnosticKind::kChannelInFlight, id, Anchor::Attribute(AttributeKind::kChannelId),
               module.InstructionName(id), channel, module.InstructionName(other->second))
          .Related(v.RangeOf(other->second, Anchor::Instruction()), "this one is not done");
    } else if (IsStart(opcode)) {
      in_flight[channel] = id;
    }
  }
}

// False for most modules, at a glance: all devices do the same in the same order.
bool MayDeadlock(const Module& module) {
  if (module.MayHave(Opcode::kSend) || module.MayHave(Opcode::kRecv)) return true;
  return (module.MayHave(Opcode::kPartitionId) || module.MayHave(Opcode::kReplicaId)) &&
         (module.MayHave(Opcode::kConditional) || module.MayHave(Opcode::kWhile));
}

// Whether all that communicates, and what it is reached through, could be read.
bool IsReadable(const Verification& v, const CommunicationPlan& plan) {
  for (uint32_t c = 0; c < v.module.computations().size(); ++c) {
    if (!plan.Communicates(ComputationId(c))) continue;
    if (!v.module.computation(ComputationId(c)).root.has_value()) return false;
    for (InstructionId id : v.module.computation(ComputationId(c)).instructions) {
      if (!v.HasReadableOperands(id)) return false;
    }
  }
  return true;
}

}  // namespace

void VerifyCollectiveOrder(Verification& v) {
  const Module& module = v.module;
  if (!v.options.check_collectives || !module.entry().has_value() || !v.calls.recursive_calls().empty()) return;
  if (module.header().is_scheduled) {
    for (const Computation& computation : module.computations()) CheckChannels(v, computation);
  }
  if (!MayDeadlock(module)) return;
  const DeviceGrid grid = InferredGrid(module, DeviceCountsOf(module, v.options));
  if (grid.device_count() < 2 || !IsReadable(v, CommunicationPlan(module, v.calls, grid))) return;
  const std::optional<CommunicationDeadlock> deadlock =
      FindCommunicationDeadlock(module, v.users, v.calls, grid, v.options.collectives_budget);
  if (deadlock) ReportDeadlock(v, *deadlock);
}

}  // namespace hloscope
