// SPDX-License-Identifier: Apache-2.0
#include "core/communication/communication_trace.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "core/ops/asynchronous.h"
#include "core/ops/control_flow.h"

namespace hloscope {
namespace {

// A receiver's announcement that it is there, in a stream of its own.
constexpr uint64_t kAnnouncement = uint64_t{1} << 63;
// Of a loop that every device runs as often: what goes well this often goes well.
constexpr int64_t kUniformIterations = 3;
constexpr int64_t kMostIterations = 100'000;
constexpr int kMostDepth = 200;

class Tracer {
 public:
  Tracer(const Module& module, DeviceDependence& dependence, CommunicationPlan& plan, int64_t device, size_t choice,
         int64_t* budget)
      : module_(module),
        dependence_(dependence),
        plan_(plan),
        device_(device),
        choice_(choice),
        budget_(*budget),
        values_(module, plan.grid().ReplicaOf(device), plan.grid().PartitionOf(device), budget) {}

  std::optional<CommunicationTrace> Run() {
    if (!Execute(values_.Open(module_.entry(), {}))) return std::nullopt;
    return std::move(trace_);
  }

 private:
  using Kind = CommunicationEvent::Kind;
  // What a done waits for.
  struct Started {
    InstructionId instruction;
    uint64_t stream = 0;
    int64_t execution = 0;
    Kind kind = Kind::kWait;
    const std::vector<int64_t>* sources = nullptr;
    bool is_group = false;
  };

  // All of these are false if the trace cannot be made.
  bool Execute(DeviceValues::Frame* frame) {
    if (depth_ >= kMostDepth) return false;
    ++depth_;
    bool good = true;
    for (InstructionId id : plan_.Of(frame->computation)) {
      good = --budget_ >= 0 && Step(frame, id);
      if (!good) break;
    }
    --depth_;
    return good;
  }

  bool Step(DeviceValues::Frame* frame, InstructionId id) {
    switch (module_.opcode(id)) {
      case Opcode::kSend:
        return Send(frame, id);
      case Opcode::kRecv:
        return Receive(frame, id);
      case Opcode::kAllGatherStart:
      case Opcode::kAllReduceStart:
      case Opcode::kCollectivePermuteStart:
        return Start(frame, id, id);
      case Opcode::kSendDone:
      case Opcode::kRecvDone:
      case Opcode::kAllGatherDone:
      case Opcode::kAllReduceDone:
      case Opcode::kCollectivePermuteDone:
        return Done(frame, id);
      case Opcode::kAsyncStart:
      case Opcode::kAsyncUpdate:
      case Opcode::kAsyncDone:
        return AsyncLink(frame, id);
      case Opcode::kCall:
        return Call(frame, id);
      case Opcode::kConditional:
        return Branch(frame, id);
      case Opcode::kWhile:
        return Loop(frame, id);
      default:
        // Nothing else runs what communicates with steps of its own.
        return Communicates(module_, id) && Meet(id);
    }
  }

  bool Call(DeviceValues::Frame* frame, InstructionId id) {
    const ComputationId callee = module_.ComputationAttribute(id, AttributeKind::kToApply);
    return callee.has_value() && Execute(values_.Enter(frame, id, callee, module_.operands(id)));
  }

  bool Meet(InstructionId id) {
    const std::optional<Started> started = Post(id);
    if (started) Wait(*started);
    return started.has_value();
  }

  bool Start(DeviceValues::Frame* frame, InstructionId id, InstructionId collective) {
    std::optional<Started> started = Post(collective);
    if (!started) return false;
    values_.SetStarted(frame, id, static_cast<int64_t>(started_.size()));
    started_.push_back(*started);
    return true;
  }

  std::optional<Started> Post(InstructionId collective) {
    const std::optional<CommunicationPlan::Part> part = plan_.PartOf(collective, device_);
    if (!part) return std::nullopt;
    const uint64_t stream = plan_.StreamOf(collective);
    const int64_t execution = ++executions_[stream];
    trace_.events.push_back({Kind::kPost, collective, stream, execution, part->sources, part->is_group});
    return Started{collective, stream, execution, Kind::kWait, part->sources, part->is_group};
  }

  void Wait(const Started& started) {
    if (started.sources->empty()) return;
    trace_.events.push_back(
        {started.kind, started.instruction, started.stream, started.execution, started.sources, started.is_group});
  }

  bool Send(DeviceValues::Frame* frame, InstructionId id) {
    const std::optional<CommunicationPlan::Part> part = plan_.PartOf(id, device_);
    if (!part) return false;
    const uint64_t stream = plan_.StreamOf(id);
    if (!part->targets->empty()) {
      const int64_t execution = ++executions_[stream];
      trace_.events.push_back({Kind::kPost, id, stream, execution});
      values_.SetStarted(frame, id, static_cast<int64_t>(started_.size()));
      started_.push_back({id, stream | kAnnouncement, execution, Kind::kWaitUnbuffered, part->targets});
    }
    return true;
  }

  bool Receive(DeviceValues::Frame* frame, InstructionId id) {
    const std::optional<CommunicationPlan::Part> part = plan_.PartOf(id, device_);
    if (!part || part->sources->size() > 1) return false;
    const uint64_t stream = plan_.StreamOf(id);
    if (!part->sources->empty()) {
      const int64_t execution = ++executions_[stream | kAnnouncement];
      trace_.events.push_back({Kind::kPost, id, stream | kAnnouncement, execution});
      values_.SetStarted(frame, id, static_cast<int64_t>(started_.size()));
      started_.push_back({id, stream, execution, Kind::kWait, part->sources});
    }
    return true;
  }

  bool Done(DeviceValues::Frame* frame, InstructionId id) {
    if (module_.operands(id).empty()) return false;
    const DeviceValues::Leaf leaf = values_.Read(frame, module_.operand(id, 0));
    if (leaf.started >= 0) Wait(started_[static_cast<size_t>(leaf.started)]);
    return true;
  }

  bool AsyncLink(DeviceValues::Frame* frame, InstructionId id) {
    const ComputationId wrapped = WrappedComputation(module_, id);
    if (!wrapped.has_value()) return false;
    const InstructionId root = module_.computation(wrapped).root;
    // Groups of operations are not followed.
    const std::vector<InstructionId>& operations = plan_.Of(wrapped);
    if (operations.size() != 1 || operations[0] != root || !Communicates(module_, root) ||
        DoneOf(module_.opcode(root)) != Opcode::kInvalid) {
      return false;
    }
    const bool launches = AsyncLaunches(module_, id);
    if (module_.opcode(id) == Opcode::kAsyncDone) return launches ? Meet(root) : Done(frame, id);
    return !launches || Start(frame, id, root);
  }

  // Notes that devices part here, or that the text leaves the way open; false if both.
  bool Follow(InstructionId id, InstructionId decider, bool is_known) {
    const bool depends = dependence_.Of(decider);
    if (depends && !trace_.parting.has_value()) trace_.parting = id;
    trace_.has_open_ways |= !is_known;
    return is_known || !depends;
  }

  bool Branch(DeviceValues::Frame* frame, InstructionId id) {
    const absl::Span<const InstructionId> operands = module_.operands(id);
    const std::vector<ComputationId> branches = BranchesOf(module_, id);
    if (operands.empty() || branches.empty() || operands.size() != branches.size() + 1) return false;
    const std::optional<size_t> known = values_.BranchOf(frame, id);
    if (!Follow(id, operands[0], known.has_value())) return false;
    const size_t branch = known.value_or(std::min(choice_, branches.size() - 1));
    if (branch >= branches.size() || !branches[branch].has_value()) return false;
    return Execute(values_.Enter(frame, id, branches[branch], operands.subspan(branch + 1, 1)));
  }

  bool Loop(DeviceValues::Frame* frame, InstructionId id) {
    const ComputationId condition = module_.ComputationAttribute(id, AttributeKind::kCondition);
    const ComputationId body = module_.ComputationAttribute(id, AttributeKind::kBody);
    if (!condition.has_value() || !body.has_value() || module_.operands(id).empty()) return false;
    const InstructionId goes_on = module_.computation(condition).root;
    DeviceValues::Source state{frame, module_.operand(id, 0), {}};
    bool is_partial = false;
    for (int64_t i = 0;; ++i) {
      if (i > kMostIterations) return false;
      DeviceValues::Frame* const test = values_.Open(condition, {state});
      const std::optional<int64_t> known = values_.Integer(test, goes_on);
      if (!Follow(id, goes_on, known.has_value())) return false;
      if (!Execute(test)) return false;
      if (known.has_value() && *known == 0) break;
      const bool is_uniform = !dependence_.Of(goes_on);
      const int64_t most = known.has_value() ? kUniformIterations : static_cast<int64_t>(choice_) + 1;
      is_partial = is_uniform && i >= most;
      if (is_partial) break;
      DeviceValues::Frame* const iteration = values_.Open(body, {state});
      if (!Execute(iteration)) return false;
      state = {iteration, module_.computation(body).root, {}};
    }
    frame->entered[id] = {state, is_partial};
    return true;
  }

  const Module& module_;
  DeviceDependence& dependence_;
  CommunicationPlan& plan_;
  const int64_t device_;
  const size_t choice_;
  int64_t& budget_;
  DeviceValues values_;
  CommunicationTrace trace_;
  absl::flat_hash_map<uint64_t, int64_t> executions_;  // by stream
  std::vector<Started> started_;
  int depth_ = 0;
};

}  // namespace

std::optional<CommunicationTrace> TraceCommunication(const Module& module, DeviceDependence& dependence,
                                                     CommunicationPlan& plan, int64_t device, size_t choice,
                                                     int64_t* budget) {
  return Tracer(module, dependence, plan, device, choice, budget).Run();
}

}  // namespace hloscope
