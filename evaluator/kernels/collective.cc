// Collectives (spec/ops-c-control-collectives.md 4) and the ids of the device (1.13). Every collective is a function of
// what the members of its group contribute, in rank order.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "evaluator/engine/scalar_program.h"
#include "evaluator/kernels/data_movement.h"
#include "evaluator/kernels/element_copy.h"
#include "evaluator/kernels/index_values.h"
#include "evaluator/kernels/kernel.h"
#include "evaluator/kernels/parallel_loop.h"

namespace hloscope {
namespace {

// One execution of a collective by this device.
struct Meeting {
  Contributions contributions;  // by rank
  size_t rank = 0;              // of this device
  bool takes_part = true;       // false for a device in no group

  size_t group_size() const { return contributions.size(); }
  const Tensor& Get(size_t member, size_t operand) const { return contributions[member][operand].tensor(); }
};

absl::Status CheckGrid(const KernelContext& context) {
  const ModuleHeader& header = context.module.header();
  const DeviceGrid grid = context.runtime.grid();
  if (header.replica_count <= grid.replicas && header.num_partitions <= grid.partitions) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat(OpcodeName(context.opcode()), ": the module is written for ", header.replica_count, " replicas and ",
                   header.num_partitions, " partitions, but the run has ", grid.replicas, " and ", grid.partitions));
}

// Meets the members of `group`, which holds this device.
absl::StatusOr<Meeting> Meet(const KernelContext& context, const std::vector<int64_t>& group, int64_t device) {
  Meeting meeting;
  meeting.rank = static_cast<size_t>(absl::c_find(group, device) - group.begin());
  std::vector<Value> operands(context.operands.begin(), context.operands.end());
  if (group.size() == 1) {
    meeting.contributions.push_back(std::move(operands));
    return meeting;
  }
  Rendezvous* const rendezvous = context.runtime.rendezvous();
  if (rendezvous == nullptr) {
    return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), ": a group of ", group.size(),
                                                 " devices cannot meet in a run on one device"));
  }
  absl::StatusOr<Contributions> contributions = rendezvous->Exchange(context.id, group, std::move(operands));
  if (!contributions.ok()) return contributions.status();
  meeting.contributions = *std::move(contributions);
  return meeting;
}

int64_t ThisDevice(const KernelContext& context) {
  return context.runtime.grid().DeviceOf(context.runtime.replica_id(), context.runtime.partition_id());
}

absl::StatusOr<Meeting> MeetGroup(const KernelContext& context) {
  if (absl::Status s = CheckGrid(context); !s.ok()) return s;
  absl::StatusOr<std::vector<std::vector<int64_t>>> groups =
      DeviceGroups(context.module, context.id, context.runtime.grid());
  if (!groups.ok()) return groups.status();
  const int64_t device = ThisDevice(context);
  for (const std::vector<int64_t>& group : *groups) {
    if (absl::c_linear_search(group, device)) return Meet(context, group, device);
  }
  Meeting none;
  none.takes_part = false;
  if (context.opcode() == Opcode::kCollectiveBroadcast) return none;
  return absl::InvalidArgumentError(
      absl::StrCat(OpcodeName(context.opcode()), ": device ", device, " is in none of the replica_groups"));
}

Value ArrayOrTuple(std::vector<Value> values, bool as_tuple) {
  return as_tuple ? Value::Tuple(std::move(values)) : std::move(values[0]);
}

absl::StatusOr<std::vector<Value>> AllGather(const KernelContext& context) {
  absl::StatusOr<Meeting> meeting = MeetGroup(context);
  if (!meeting.ok()) return meeting.status();
  const int64_t dimension = context.module.IntsAttribute(context.id, AttributeKind::kDimensions)[0];
  std::vector<Value> results;
  for (size_t k = 0; k < context.operands.size(); ++k) {
    std::vector<Tensor> parts;
    for (size_t member = 0; member < meeting->group_size(); ++member) parts.push_back(meeting->Get(member, k));
    absl::StatusOr<Tensor> gathered = ConcatenateTensors(parts, dimension, parts[0].element_type(), context.runtime);
    if (!gathered.ok()) return gathered.status();
    results.emplace_back(*std::move(gathered));
  }
  return results;
}

// ((v0 o v1) o v2) ... element by element, in rank order.
absl::StatusOr<Tensor> Fold(const KernelContext& context, const Meeting& meeting, size_t operand) {
  if (meeting.group_size() == 1) return meeting.Get(0, operand);
  absl::StatusOr<std::unique_ptr<ScalarProgram>> program =
      ScalarProgram::Compile(context.module, context.module.ComputationAttribute(context.id, AttributeKind::kToApply));
  if (!program.ok()) return program.status();
  absl::StatusOr<Tensor> accumulator = meeting.Get(0, operand).Copy();
  if (!accumulator.ok()) return accumulator;
  uint8_t* const data = accumulator->mutable_data();
  const int64_t bytes = accumulator->element_bytes();
  for (size_t member = 1; member < meeting.group_size(); ++member) {
    absl::StatusOr<Tensor> value = meeting.Get(member, operand).Contiguous();
    if (!value.ok()) return value;
    const auto run = [&](int64_t begin, int64_t end) {
      const LaneOperand lanes[] = {{data + begin * bytes, false}, {value->data() + begin * bytes, false}};
      uint8_t* const outputs[] = {data + begin * bytes};
      return (*program)->Run(lanes, outputs, end - begin, context.runtime);
    };
    absl::Status status;
    if ((*program)->is_compiled()) {
      status = ParallelLoop(context.runtime, accumulator->element_count(), (*program)->nanoseconds_per_lane(),
                            [&](int64_t begin, int64_t end) { run(begin, end).IgnoreError(); });  // cannot fail
    } else {
      status = run(0, accumulator->element_count());
    }
    if (!status.ok()) return status;
  }
  return accumulator;
}

absl::StatusOr<std::vector<Value>> AllReduce(const KernelContext& context) {
  absl::StatusOr<Meeting> meeting = MeetGroup(context);
  if (!meeting.ok()) return meeting.status();
  std::vector<Value> results;
  for (size_t k = 0; k < context.operands.size(); ++k) {
    absl::StatusOr<Tensor> sum = Fold(context, *meeting, k);
    if (!sum.ok()) return sum.status();
    results.emplace_back(*std::move(sum));
  }
  return results;
}

// Part number `part` of `count` equal ones along the dimension.
Tensor PartOf(const Tensor& tensor, int64_t dimension, size_t part, size_t count) {
  const int64_t size = tensor.dimension(dimension) / static_cast<int64_t>(count);
  return RangeOf(tensor, dimension, size * static_cast<int64_t>(part), size);
}

absl::StatusOr<std::vector<Value>> ReduceScatter(const KernelContext& context) {
  absl::StatusOr<Meeting> meeting = MeetGroup(context);
  if (!meeting.ok()) return meeting.status();
  const int64_t dimension = context.module.IntsAttribute(context.id, AttributeKind::kDimensions)[0];
  std::vector<Value> results;
  for (size_t k = 0; k < context.operands.size(); ++k) {
    absl::StatusOr<Tensor> sum = Fold(context, *meeting, k);
    if (!sum.ok()) return sum.status();
    results.emplace_back(PartOf(*sum, dimension, meeting->rank, meeting->group_size()));
  }
  return results;
}

absl::StatusOr<Value> AllToAll(const KernelContext& context) {
  absl::StatusOr<Meeting> meeting = MeetGroup(context);
  if (!meeting.ok()) return meeting.status();
  const size_t size = meeting->group_size();
  const absl::Span<const int64_t> dimensions = context.module.IntsAttribute(context.id, AttributeKind::kDimensions);
  if (dimensions.empty()) {
    // Tuple form: element i is what the member of rank i has for this one.
    if (context.operands.size() != size) {
      return absl::InvalidArgumentError(
          absl::StrCat("all-to-all: ", context.operands.size(), " operands in a group of ", size, " devices"));
    }
    std::vector<Value> results;
    for (size_t member = 0; member < size; ++member) {
      results.push_back(meeting->contributions[member][meeting->rank]);
    }
    return Value::Tuple(std::move(results));
  }
  std::vector<Tensor> parts;
  for (size_t member = 0; member < size; ++member) {
    parts.push_back(PartOf(meeting->Get(member, 0), dimensions[0], meeting->rank, size));
  }
  absl::StatusOr<Tensor> result =
      ConcatenateTensors(parts, dimensions[0], context.shape().element_type(), context.runtime);
  if (!result.ok()) return result.status();
  return Value(*std::move(result));
}

// 4.11: operands are input, output, input offsets, send sizes, output offsets, receive sizes.
absl::StatusOr<Value> RaggedAllToAll(const KernelContext& context) {
  absl::StatusOr<Meeting> meeting = MeetGroup(context);
  if (!meeting.ok()) return meeting.status();
  absl::StatusOr<Tensor> result = context.tensor(1).Copy();
  if (!result.ok()) return result.status();
  const std::vector<int64_t> receive_sizes = ReadIndices(context.tensor(5));
  const size_t updates = receive_sizes.size() / meeting->group_size();
  std::vector<bool> written(static_cast<size_t>(result->dimension(0)), false);
  for (size_t sender = 0; sender < meeting->group_size(); ++sender) {
    const Tensor& input = meeting->Get(sender, 0);
    const std::vector<int64_t> input_offsets = ReadIndices(meeting->Get(sender, 2));
    const std::vector<int64_t> send_sizes = ReadIndices(meeting->Get(sender, 3));
    const std::vector<int64_t> output_offsets = ReadIndices(meeting->Get(sender, 4));
    for (size_t k = 0; k < updates; ++k) {
      const size_t entry = meeting->rank * updates + k;  // of the sender's tables
      const int64_t from = input_offsets[entry], count = send_sizes[entry], to = output_offsets[entry];
      const int64_t expected = receive_sizes[sender * updates + k];
      if (count != expected) {
        return absl::InvalidArgumentError(absl::StrCat("ragged-all-to-all: rank ", sender, " sends ", count,
                                                       " rows, but recv_sizes says ", expected));
      }
      if (count < 0 || from < 0 || from > input.dimension(0) - count || to < 0 || to > result->dimension(0) - count) {
        return absl::InvalidArgumentError(absl::StrCat("ragged-all-to-all: ", count, " rows from row ", from, " of ",
                                                       input.dimension(0), " to row ", to, " of ", result->dimension(0),
                                                       " are out of range"));
      }
      for (int64_t row = to; row < to + count; ++row) {
        if (written[static_cast<size_t>(row)]) {
          return absl::InvalidArgumentError(absl::StrCat("ragged-all-to-all: row ", row, " is written twice"));
        }
        written[static_cast<size_t>(row)] = true;
      }
      uint8_t* const target = result->mutable_data() + to * result->strides()[0] * result->element_bytes();
      absl::Status s = CopyElements(RangeOf(input, 0, from, count), target, result->strides(), context.runtime);
      if (!s.ok()) return s;
    }
  }
  return Value(*std::move(result));
}

absl::StatusOr<std::vector<Value>> ZerosLike(const KernelContext& context, size_t count) {
  std::vector<Value> zeros;
  for (size_t k = 0; k < count; ++k) {
    absl::StatusOr<Tensor> zero = Tensor::Zeros(context.tensor(k).element_type(), context.tensor(k).dimensions());
    if (!zero.ok()) return zero.status();
    zeros.emplace_back(*std::move(zero));
  }
  return zeros;
}

absl::StatusOr<std::vector<Value>> CollectiveBroadcast(const KernelContext& context) {
  absl::StatusOr<Meeting> meeting = MeetGroup(context);
  if (!meeting.ok()) return meeting.status();
  const bool dynamic_root = context.module.BoolAttribute(context.id, AttributeKind::kHasDynamicRoot);
  const size_t count = context.operands.size() - (dynamic_root ? 1 : 0);
  if (!meeting->takes_part) return ZerosLike(context, count);
  std::vector<int64_t> roots(count, 0);
  if (dynamic_root) roots = ReadIndices(context.tensor(count));
  std::vector<Value> results;
  for (size_t k = 0; k < count; ++k) {
    if (roots[k] < 0 || roots[k] >= static_cast<int64_t>(meeting->group_size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("collective-broadcast: root ", roots[k], " in a group of ", meeting->group_size(), " devices"));
    }
    results.push_back(meeting->contributions[static_cast<size_t>(roots[k])][k]);
  }
  return results;
}

// 4.12: the operands of the source on a target, zeros elsewhere.
absl::StatusOr<std::vector<Value>> CollectivePermute(const KernelContext& context) {
  if (absl::Status s = CheckGrid(context); !s.ok()) return s;
  if (context.module.HasAttribute(context.id, AttributeKind::kSliceSizesList)) {
    return absl::UnimplementedError(
        absl::StrCat(OpcodeName(context.opcode()), ": the form with slice_sizes, which updates in place"));
  }
  const DeviceGrid grid = context.runtime.grid();
  // Ids are partitions or replicas; the other coordinate stays. All devices of the line meet.
  const bool is_partition = context.module.HasAttribute(context.id, AttributeKind::kChannelId);
  const int64_t own_id = is_partition ? context.runtime.partition_id() : context.runtime.replica_id();
  const int64_t id_count = is_partition ? grid.partitions : grid.replicas;
  int64_t source = -1;
  const std::vector<std::vector<int64_t>>* pairs =
      context.module.IntListsAttribute(context.id, AttributeKind::kSourceTargetPairs);
  for (const std::vector<int64_t>& pair : *pairs) {
    if (pair.size() != 2 || std::max(pair[0], pair[1]) >= id_count || std::min(pair[0], pair[1]) < 0) {
      return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), ": source_target_pairs name a device ",
                                                   "that a run on ", grid.replicas, " replicas and ", grid.partitions,
                                                   " partitions does not have"));
    }
    if (pair[1] == own_id) source = pair[0];
  }
  std::vector<int64_t> line;
  for (int64_t i = 0; i < id_count; ++i) {
    line.push_back(is_partition ? grid.DeviceOf(context.runtime.replica_id(), i)
                                : grid.DeviceOf(i, context.runtime.partition_id()));
  }
  absl::StatusOr<Meeting> meeting = Meet(context, line, ThisDevice(context));
  if (!meeting.ok()) return meeting.status();
  if (source < 0) return ZerosLike(context, context.operands.size());
  return meeting->contributions[static_cast<size_t>(source)];
}

// (operands, results, contexts...) of a start whose value is a pair (4.14).
absl::StatusOr<Value> StartValue(const KernelContext& context, absl::StatusOr<std::vector<Value>> results) {
  if (!results.ok()) return results.status();
  const bool several = context.operands.size() > 1;
  std::vector<Value> operands(context.operands.begin(), context.operands.end());
  std::vector<Value> parts = {ArrayOrTuple(std::move(operands), several), ArrayOrTuple(*std::move(results), several)};
  for (int64_t i = 2; i < context.shape().tuple_size(); ++i) {
    absl::StatusOr<Value> undefined = ZeroValue(context.shape().element(i));
    if (!undefined.ok()) return undefined;
    parts.push_back(*std::move(undefined));
  }
  return Value::Tuple(std::move(parts));
}

absl::StatusOr<Value> Result(const KernelContext& context, absl::StatusOr<std::vector<Value>> results) {
  if (!results.ok()) return results.status();
  return ArrayOrTuple(*std::move(results), context.shape().IsTuple());
}

absl::StatusOr<Value> DeviceId(int64_t id) {
  absl::StatusOr<Tensor> value = Tensor::Allocate(ElementType::kU32, {});
  if (!value.ok()) return value.status();
  *value->mutable_data_as<uint32_t>() = static_cast<uint32_t>(id);
  return Value(*std::move(value));
}

absl::StatusOr<Value> SecondElement(const KernelContext& context) {
  if (context.operands[0].elements().size() < 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("the operand of ", OpcodeName(context.opcode()), " is not the value of its start"));
  }
  return context.operands[0].elements()[1];
}

}  // namespace

absl::StatusOr<Value> EvaluateCollective(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kReplicaId:
      return DeviceId(context.runtime.replica_id());
    case Opcode::kPartitionId:
      return DeviceId(context.runtime.partition_id());
    case Opcode::kAllGather:
      return Result(context, AllGather(context));
    case Opcode::kAllGatherStart:
      return StartValue(context, AllGather(context));
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
      return Result(context, AllReduce(context));
    case Opcode::kReduceScatter:
      return Result(context, ReduceScatter(context));
    case Opcode::kAllToAll:
      return AllToAll(context);
    case Opcode::kRaggedAllToAll:
      return RaggedAllToAll(context);
    case Opcode::kCollectiveBroadcast:
      return Result(context, CollectiveBroadcast(context));
    case Opcode::kCollectivePermute:
      return Result(context, CollectivePermute(context));
    case Opcode::kCollectivePermuteStart:
      return StartValue(context, CollectivePermute(context));
    case Opcode::kAllReduceDone:
      return context.operands[0];
    case Opcode::kAllGatherDone:
    case Opcode::kCollectivePermuteDone:
      return SecondElement(context);
    default:
      break;
  }
  return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), " is not a collective"));
}

}  // namespace hloscope
