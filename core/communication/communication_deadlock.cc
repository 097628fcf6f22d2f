// SPDX-License-Identifier: Apache-2.0
#include "core/communication/communication_deadlock.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/communication/communication_plan.h"
#include "core/communication/communication_trace.h"
#include "core/ops/control_flow.h"

namespace hloscope {
namespace {

// More devices than this cannot be simulated either.
constexpr int64_t kMostSimulated = 4096;
// Branches that no value decides are tried up to this number.
constexpr size_t kMostChoices = 4;

// The devices go through their events; who waits is woken by the post that it needs.
class Meeting {
 public:
  Meeting(const std::vector<CommunicationTrace>& traces, bool has_buffers)
      : traces_(traces), has_buffers_(has_buffers), next_(traces.size(), 0) {
    for (size_t device = traces.size(); device-- > 0;) ready_.push_back(device);
  }

  // True if all devices come to their ends.
  bool Run() {
    while (!ready_.empty()) {
      const size_t device = ready_.back();
      ready_.pop_back();
      Advance(device);
    }
    for (size_t device = 0; device < traces_.size(); ++device) {
      if (!IsFinished(device)) return false;
    }
    return true;
  }

  CommunicationDeadlock Report(const DeviceGrid& grid) const {
    CommunicationDeadlock deadlock;
    deadlock.grid = grid;
    deadlock.needs_rendezvous = !has_buffers_;
    for (size_t device = 0; device < traces_.size(); ++device) {
      const CommunicationTrace& trace = traces_[device];
      if (!deadlock.parting.has_value()) deadlock.parting = trace.parting;
      if (IsFinished(device)) {
        deadlock.finished.push_back(static_cast<int64_t>(device));
        continue;
      }
      const CommunicationEvent& event = trace.events[next_[device]];
      deadlock.blocked.push_back({static_cast<int64_t>(device), event.instruction, event.execution, {}});
      for (int64_t source : *event.sources) {
        if (!posted_.contains({event.stream, source, event.execution}))
          deadlock.blocked.back().missing.push_back(source);
      }
    }
    return deadlock;
  }

 private:
  using Post = std::tuple<uint64_t, int64_t, int64_t>;  // stream, device, execution

  // One execution of a collective by one of its groups.
  using Group = std::tuple<uint64_t, const std::vector<int64_t>*, int64_t>;
  static Group GroupOf(const CommunicationEvent& event) { return {event.stream, event.sources, event.execution}; }

  bool IsFinished(size_t device) const { return next_[device] == traces_[device].events.size(); }

  void Advance(size_t device) {
    const std::vector<CommunicationEvent>& events = traces_[device].events;
    for (size_t& i = next_[device]; i < events.size(); ++i) {
      const CommunicationEvent& event = events[i];
      if (event.kind == CommunicationEvent::Kind::kPost) {
        const Post post = {event.stream, static_cast<int64_t>(device), event.execution};
        posted_.insert(post);
        Wake(waiting_, post);
        // The last of a group lets all others go on.
        if (event.is_group && ++arrived_[GroupOf(event)] == event.sources->size())
          Wake(waiting_groups_, GroupOf(event));
        continue;
      }
      if (event.kind == CommunicationEvent::Kind::kWaitUnbuffered && has_buffers_) continue;
      if (event.is_group) {
        if (arrived_[GroupOf(event)] == event.sources->size()) continue;
        waiting_groups_[GroupOf(event)].push_back(device);
        return;
      }
      for (int64_t source : *event.sources) {
        const Post post = {event.stream, source, event.execution};
        if (posted_.contains(post)) continue;
        waiting_[post].push_back(device);
        return;
      }
    }
  }

  template <typename Key>
  void Wake(absl::flat_hash_map<Key, std::vector<size_t>>& waiting, const Key& key) {
    const auto found = waiting.find(key);
    if (found == waiting.end()) return;
    ready_.insert(ready_.end(), found->second.begin(), found->second.end());
    waiting.erase(found);
  }

  const std::vector<CommunicationTrace>& traces_;
  const bool has_buffers_;
  std::vector<size_t> next_;  // event of each device
  std::vector<size_t> ready_;
  absl::flat_hash_set<Post> posted_;
  absl::flat_hash_map<Post, std::vector<size_t>> waiting_;
  absl::flat_hash_map<Group, size_t> arrived_;
  absl::flat_hash_map<Group, std::vector<size_t>> waiting_groups_;
};

// Whether anything in the module could make devices wait forever: transfers, or ways that depend on the device.
bool MayDeadlock(const Module& module, const CommunicationPlan& plan, DeviceDependence& dependence) {
  for (const Opcode opcode : {Opcode::kSend, Opcode::kRecv}) {
    if (module.MayHave(opcode)) return true;
  }
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    for (InstructionId id : plan.Of(ComputationId(c))) {
      InstructionId decider;
      if (module.opcode(id) == Opcode::kConditional && !module.operands(id).empty()) {
        decider = module.operand(id, 0);
      } else if (module.opcode(id) == Opcode::kWhile) {
        const ComputationId condition = module.ComputationAttribute(id, AttributeKind::kCondition);
        if (condition.has_value()) decider = module.computation(condition).root;
      }
      if (decider.has_value() && dependence.Of(decider)) return true;
    }
  }
  return false;
}

size_t ChoicesOf(const Module& module, const CommunicationPlan& plan) {
  size_t choices = 2;  // of loops
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    for (InstructionId id : plan.Of(ComputationId(c))) {
      if (module.opcode(id) == Opcode::kConditional) choices = std::max(choices, BranchesOf(module, id).size());
    }
  }
  return std::min(choices, kMostChoices);
}

}  // namespace

std::optional<CommunicationDeadlock> FindCommunicationDeadlock(const Module& module, const UserIndex& users,
                                                               const CallGraph& calls, const DeviceGrid& grid,
                                                               int64_t budget) {
  if (!module.entry().has_value() || grid.replicas > kMostSimulated || grid.partitions > kMostSimulated ||
      grid.device_count() > kMostSimulated || grid.device_count() < 2) {
    return std::nullopt;
  }
  CommunicationPlan plan(module, calls, grid);
  DeviceDependence dependence(module, users);
  if (!plan.Communicates(module.entry()) || !MayDeadlock(module, plan, dependence)) return std::nullopt;
  // Each device looks at these at least.
  if (static_cast<int64_t>(plan.Of(module.entry()).size()) > budget / grid.device_count()) return std::nullopt;
  const size_t choices = ChoicesOf(module, plan);
  for (size_t choice = 0; choice < choices; ++choice) {
    std::vector<CommunicationTrace> traces;
    bool has_open_ways = false;
    for (int64_t device = 0; device < grid.device_count(); ++device) {
      std::optional<CommunicationTrace> trace = TraceCommunication(module, dependence, plan, device, choice, &budget);
      if (!trace || budget < 0) return std::nullopt;
      has_open_ways |= trace->has_open_ways;
      traces.push_back(*std::move(trace));
    }
    for (const bool has_buffers : {true, false}) {
      Meeting meeting(traces, has_buffers);
      if (!meeting.Run()) return meeting.Report(grid);
    }
    if (!has_open_ways) break;
  }
  return std::nullopt;
}

}  // namespace hloscope
