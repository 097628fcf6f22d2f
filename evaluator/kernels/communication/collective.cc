// SPDX-License-Identifier: Apache-2.0
// Collectives (docs/ops/control.md 4): which devices meet, at once or in two halves, and the ids of the device (1.13).
#include "evaluator/kernels/communication/collective.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/communication/collective_results.h"
#include "evaluator/kernels/indexing/index_values.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {
namespace {

absl::Status CheckGrid(const KernelContext& context) {
  const ModuleHeader& header = context.module.header();
  const DeviceGrid grid = context.runtime.grid();
  if (header.replica_count <= grid.replicas && header.num_partitions <= grid.partitions) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat(OpcodeName(context.opcode()), ": the module is written for ", header.replica_count, " replicas and ",
                   header.num_partitions, " partitions, but the run has ", grid.replicas, " and ", grid.partitions));
}

int64_t ThisDevice(const KernelContext& context) {
  return context.runtime.grid().DeviceOf(context.runtime.replica_id(), context.runtime.partition_id());
}

// The part of this device in an execution of the collective. `meeting` gets its rank and whether it takes part.
absl::StatusOr<ExchangePlan> PlanOfGroup(const KernelContext& context, Meeting& meeting) {
  ExchangePlan plan;
  plan.instruction = context.id;
  absl::StatusOr<std::vector<std::vector<int64_t>>> groups =
      DeviceGroups(context.module, context.id, context.runtime.grid());
  if (!groups.ok()) return groups.status();
  const int64_t device = ThisDevice(context);
  int64_t times = 0;
  for (const std::vector<int64_t>& group : *groups) times += absl::c_count(group, device);
  if (times > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(OpcodeName(context.opcode()), ": device ", device, " is in the replica_groups ", times, " times"));
  }
  for (std::vector<int64_t>& group : *groups) {
    const auto place = absl::c_find(group, device);
    if (place == group.end()) continue;
    meeting.rank = static_cast<size_t>(place - group.begin());
    plan.readers = group;
    plan.sources = std::move(group);
    return plan;
  }
  meeting.takes_part = false;
  if (context.opcode() == Opcode::kCollectiveBroadcast) return plan;
  return absl::InvalidArgumentError(
      absl::StrCat(OpcodeName(context.opcode()), ": device ", device, " is in none of the replica_groups"));
}

// 4.12: ids are partitions or replicas; the other coordinate stays. A device waits for its sources only.
absl::StatusOr<ExchangePlan> PlanOfPermute(const KernelContext& context) {
  ExchangePlan plan;
  plan.instruction = context.id;
  const DeviceGrid grid = context.runtime.grid();
  const bool is_partition = context.module.HasAttribute(context.id, AttributeKind::kChannelId);
  const int64_t replica = context.runtime.replica_id(), partition = context.runtime.partition_id();
  const int64_t own_id = is_partition ? partition : replica;
  const int64_t id_count = is_partition ? grid.partitions : grid.replicas;
  const std::vector<std::vector<int64_t>>* pairs =
      context.module.IntListsAttribute(context.id, AttributeKind::kSourceTargetPairs);
  if (pairs == nullptr) return plan;
  for (const std::vector<int64_t>& pair : *pairs) {
    if (pair.size() != 2 || std::max(pair[0], pair[1]) >= id_count || std::min(pair[0], pair[1]) < 0) {
      return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), ": source_target_pairs name a device ",
                                                   "that a run on ", grid.replicas, " replicas and ", grid.partitions,
                                                   " partitions does not have"));
    }
    if (pair[0] == own_id) {
      plan.readers.push_back(is_partition ? grid.DeviceOf(replica, pair[1]) : grid.DeviceOf(pair[1], partition));
    }
    if (pair[1] != own_id) continue;
    plan.sources.push_back(is_partition ? grid.DeviceOf(replica, pair[0]) : grid.DeviceOf(pair[0], partition));
  }
  return plan;
}

bool IsPermute(Opcode opcode) {
  return opcode == Opcode::kCollectivePermute || opcode == Opcode::kCollectivePermuteStart;
}

absl::StatusOr<ExchangePlan> PlanOf(const KernelContext& context, Meeting& meeting) {
  if (absl::Status s = CheckGrid(context); !s.ok()) return s;
  return IsPermute(context.opcode()) ? PlanOfPermute(context) : PlanOfGroup(context, meeting);
}

// True if the device needs no other one: it may compute at once.
bool IsAlone(const KernelContext& context, const ExchangePlan& plan) {
  const int64_t device = ThisDevice(context);
  return plan.readers.size() <= 1 && absl::c_all_of(plan.sources, [&](int64_t source) { return source == device; }) &&
         plan.readers.size() == plan.sources.size();
}

absl::StatusOr<Contributions> ContributionsFor(const KernelContext& context, const ExchangePlan& plan) {
  std::vector<Value> operands(context.operands.begin(), context.operands.end());
  if (IsAlone(context, plan)) {
    Contributions own(plan.sources.size());
    if (!own.empty()) own[0] = std::move(operands);
    return own;
  }
  DeviceLink* const link = context.runtime.link();
  if (link == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat(OpcodeName(context.opcode()), ": devices cannot meet in a run on one device"));
  }
  return link->Exchange(plan, std::move(operands));
}

Value ArrayOrTuple(std::vector<Value> values, bool as_tuple) {
  return as_tuple ? Value::Tuple(std::move(values)) : std::move(values[0]);
}

// Where the result of a start is in its shape (4.14); the shape itself for a synchronous collective.
const Shape& ResultShape(const KernelContext& context) {
  const bool is_pair =
      context.opcode() == Opcode::kAllGatherStart || context.opcode() == Opcode::kCollectivePermuteStart;
  return is_pair ? context.shape().element(1) : context.shape();
}

absl::StatusOr<Value> CombinedValue(const KernelContext& context, const Meeting& meeting) {
  absl::StatusOr<std::vector<Value>> results = CollectiveResults(context, meeting);
  if (!results.ok()) return results.status();
  return ArrayOrTuple(*std::move(results), ResultShape(context).IsTuple());
}

absl::StatusOr<Value> Synchronous(const KernelContext& context) {
  Meeting meeting;
  absl::StatusOr<ExchangePlan> plan = PlanOf(context, meeting);
  if (!plan.ok()) return plan.status();
  absl::StatusOr<Contributions> contributions = ContributionsFor(context, *plan);
  if (!contributions.ok()) return contributions.status();
  meeting.contributions = *std::move(contributions);
  return CombinedValue(context, meeting);
}

// (operands, results, contexts...) of a start whose value is a pair (4.14).
absl::StatusOr<Value> StartValue(const KernelContext& context) {
  absl::StatusOr<Value> slot = StartCollective(context);
  if (!slot.ok()) return slot;
  Value source;
  if (context.module.HasAttribute(context.id, AttributeKind::kSliceSizesList)) {
    source = context.operands[0];
  } else {
    source = ArrayOrTuple({context.operands.begin(), context.operands.end()}, context.operands.size() > 1);
  }
  std::vector<Value> parts = {std::move(source), *std::move(slot)};
  for (int64_t i = 2; i < context.shape().tuple_size(); ++i) {
    absl::StatusOr<Value> undefined = ZeroValue(context.shape().element(i));
    if (!undefined.ok()) return undefined;
    parts.push_back(*std::move(undefined));
  }
  return Value::Tuple(std::move(parts));
}

absl::StatusOr<Value> DeviceId(int64_t id) {
  absl::StatusOr<Tensor> value = Tensor::Allocate(ElementType::kU32, {});
  if (!value.ok()) return value.status();
  *value->mutable_data_as<uint32_t>() = static_cast<uint32_t>(id);
  return Value(*std::move(value));
}

absl::StatusOr<Value> DoneOfPair(const KernelContext& context) {
  if (context.operands[0].elements().size() < 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("the operand of ", OpcodeName(context.opcode()), " is not the value of its start"));
  }
  return FinishCollective(context.module, context.runtime, context.operands[0].elements()[1]);
}

}  // namespace

absl::StatusOr<Value> StartCollective(const KernelContext& context) {
  Meeting meeting;
  absl::StatusOr<ExchangePlan> plan = PlanOf(context, meeting);
  if (!plan.ok()) return plan.status();
  DeviceLink* const link = context.runtime.link();
  if (link == nullptr || IsAlone(context, *plan)) return Synchronous(context);
  absl::StatusOr<Value> slot = ZeroValue(ResultShape(context));
  if (slot.ok()) link->Start(*plan, {context.operands.begin(), context.operands.end()}, *slot);
  return slot;
}

absl::StatusOr<Value> FinishCollective(const Module& module, KernelRuntime& runtime, const Value& slot) {
  DeviceLink* const link = runtime.link();
  if (link == nullptr) return slot;
  absl::StatusOr<std::optional<DeviceLink::Finished>> finished = link->Finish(slot);
  if (!finished.ok()) return finished.status();
  if (!finished->has_value()) return slot;  // was complete at its start
  const KernelContext start{module, (*finished)->instruction, (*finished)->operands, runtime};
  Meeting meeting;
  absl::StatusOr<ExchangePlan> plan = PlanOf(start, meeting);
  if (!plan.ok()) return plan.status();
  meeting.contributions = std::move((*finished)->contributions);
  return CombinedValue(start, meeting);
}

absl::StatusOr<Value> EvaluateCollective(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kReplicaId:
      return DeviceId(context.runtime.replica_id());
    case Opcode::kPartitionId:
      return DeviceId(context.runtime.partition_id());
    case Opcode::kAllGatherStart:
    case Opcode::kCollectivePermuteStart:
      return StartValue(context);
    case Opcode::kAllReduceStart:
      return StartCollective(context);
    case Opcode::kAllReduceDone:
      return FinishCollective(context.module, context.runtime, context.operands[0]);
    case Opcode::kAllGatherDone:
    case Opcode::kCollectivePermuteDone:
      return DoneOfPair(context);
    default:
      return Synchronous(context);
  }
}

}  // namespace hloscope::evaluator
