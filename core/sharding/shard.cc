// SPDX-License-Identifier: Apache-2.0
#include "core/sharding/shard.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/sharding/part_rewriter.h"
#include "core/sharding/split.h"
#include "core/sharding/split_rules.h"

namespace hloscope {
namespace {

absl::Status NotPartitioned(const Module& module, InstructionId id, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", module.InstructionName(id), "` (", OpcodeName(module.opcode(id)), ") ", why));
}

// The sharding of leaf k; null if there is none.
const Sharding* LeafSharding(const Sharding* sharding, size_t k) {
  if (sharding == nullptr || sharding->kind != Sharding::Kind::kTuple) return sharding;
  return k < sharding->leaves.size() ? &sharding->leaves[k] : nullptr;
}

int64_t DevicesNamed(const Sharding& sharding) {
  int64_t most = 0;
  for (const Sharding& leaf : sharding.leaves) most = std::max(most, DevicesNamed(leaf));
  if (sharding.kind == Sharding::Kind::kTiled) {
    for (int64_t device : sharding.TileDevices()) most = std::max(most, device + 1);
  }
  if (sharding.kind == Sharding::Kind::kNamed && !sharding.mesh.axes.empty()) {
    int64_t devices = 1;
    for (const auto& [name, size] : sharding.mesh.axes) devices *= std::clamp<int64_t>(size, 1, kMostPartitions);
    most = std::max(most, devices);
  }
  return most;
}

absl::StatusOr<int64_t> PartitionsOf(const Module& module, const ShardOptions& options) {
  int64_t partitions = options.partitions;
  if (partitions == 0 && module.header().num_partitions > 1) partitions = module.header().num_partitions;
  if (partitions == 0) {
    for (InstructionId id : module.computation(module.entry()).instructions) {
      if (const Sharding* sharding = module.ShardingAttribute(id)) {
        partitions = std::max(partitions, DevicesNamed(*sharding));
      }
    }
    for (const auto& [number, sharding] : options.parameters) partitions = std::max(partitions, DevicesNamed(sharding));
  }
  if (partitions == 0) {
    return absl::InvalidArgumentError("nothing says over how many devices: no instruction has a tiled sharding");
  }
  if (partitions > kMostPartitions) {
    return absl::InvalidArgumentError(absl::StrCat("at most ", kMostPartitions, " partitions"));
  }
  return partitions;
}

// Sums of the element types that products have, for all-reduce.
class SumComputations {
 public:
  explicit SumComputations(Module* module) {
    const std::vector<InstructionId> instructions = module->computation(module->entry()).instructions;
    for (InstructionId id : instructions) {
      if (module->opcode(id) == Opcode::kDot) Of(module, module->shape(id).element_type());
    }
  }
  ComputationId operator[](ElementType type) const { return by_type_.at(type); }

 private:
  void Of(Module* module, ElementType type) {
    if (by_type_.contains(type)) return;
    const Shape scalar = Shape::Scalar(type);
    std::string name = absl::StrCat("sum_", ElementTypeName(type));
    while (module->HasString(name)) name += "_";
    const ComputationId computation = module->AddComputation(name);
    std::vector<InstructionId> parameters;
    for (const char* parameter : {"a", "b"}) {
      parameters.push_back(module->AddInstruction(computation, Opcode::kParameter, parameter, scalar, {}));
      module->mutable_instruction(parameters.back()).parameter_number = static_cast<uint32_t>(parameters.size() - 1);
    }
    const InstructionId sum = module->AddInstruction(computation, Opcode::kAdd, "sum", scalar, parameters);
    module->mutable_computation(computation).parameters = parameters;
    module->mutable_computation(computation).root = sum;
    by_type_[type] = computation;
  }
  absl::flat_hash_map<ElementType, ComputationId> by_type_;
};

class Sharder : public PartRewriter {
 public:
  Sharder(const Module& module, const SumComputations& sums, const ShardOptions& options, int64_t devices)
      : PartRewriter(module, devices), original_(module), sums_(sums), options_(options) {}

  absl::StatusOr<Module> Run() {
    const InstructionId root = module().computation(entry()).root;
    const absl::Status status = VisitToRoot([this](InstructionId id) { return Visit(id); });
    if (!status.ok()) return status;
    const absl::StatusOr<InstructionId> result = Result(root);
    if (!result.ok()) return result.status();
    // Donated arguments must have the shape of the result that takes them over.
    editor_.mutable_module().mutable_header().input_output_alias.clear();
    return Finish(*result, devices_);
  }

 private:
  absl::Status Visit(InstructionId id) {
    const Opcode opcode = module().opcode(id);
    if (opcode == Opcode::kParameter) return Parameter(id);
    if (IsAccess(id)) {
      SetAccess(id);
      return absl::OkStatus();
    }
    const bool is_annotation = IsTarget(id, "Sharding") || IsTarget(id, "xla.sdy.FuncResultSharding");
    if (is_annotation && module().operands(id).size() == 1) return Annotation(id);
    if (opcode == Opcode::kPartitionId || opcode == Opcode::kReplicaId || IsTarget(id, "SPMDFullToShardShape") ||
        IsTarget(id, "SPMDShardToFullShape")) {
      return NotPartitioned(module(), id, "is for a module that is partitioned already");
    }
    if (opcode == Opcode::kRng || editor_.HasSideEffect(id)) {
      return NotPartitioned(module(), id, "has effects or random values that must happen once, not on every device");
    }
    return Compute(id);
  }

  bool IsTarget(InstructionId id, absl::string_view target) const {
    return module().opcode(id) == Opcode::kCustomCall &&
           module().StringAttribute(id, AttributeKind::kCustomCallTarget) == target;
  }

  absl::Status Parameter(InstructionId id) {
    const auto given = options_.parameters.find(module().instruction(id).parameter_number);
    const Sharding* const sharding =
        given != options_.parameters.end() ? &given->second : module().ShardingAttribute(id);
    std::vector<Shape> leaves = LeafShapes(module().shape(id));
    std::vector<Split> splits;
    for (size_t k = 0; k < leaves.size(); ++k) {
      splits.push_back(Split::Whole(leaves[k].rank(), devices_));
      const Sharding* const of_leaf = LeafSharding(sharding, k);
      if (of_leaf == nullptr || !leaves[k].IsArray()) continue;
      absl::StatusOr<Split> split = SplitOf(*of_leaf, leaves[k], devices_);
      if (!split.ok()) return NotPartitioned(module(), id, split.status().message());
      splits.back() = *std::move(split);
      leaves[k] = TileShape(leaves[k], splits.back());
    }
    const Shape whole = module().shape(id);
    if (given != options_.parameters.end()) editor_.SetSharding(id, given->second);
    editor_.mutable_module().SetShape(id, WithLeaves(whole, leaves));
    Set(id, LeavesOf(id, editor_.next(id), splits));
    return absl::OkStatus();
  }

  // What the text says that the instruction is to be, if that can be done.
  std::optional<Split> Wanted(InstructionId id) const {
    const Sharding* const sharding = original_.ShardingAttribute(id);
    if (sharding == nullptr || !original_.shape(id).IsArray()) return std::nullopt;
    absl::StatusOr<Split> split = SplitOf(*sharding, original_.shape(id), devices_);
    if (!split.ok()) return std::nullopt;
    return *std::move(split);
  }

  absl::Status Annotation(InstructionId id) {
    const std::optional<Split> wanted = Wanted(id);
    Parts parts = Of(original_.operand(id, 0));
    if (wanted) parts = {Reshard(parts[0], *wanted, original_.shape(id), id)};
    Set(id, std::move(parts));
    Drop(id);
    return absl::OkStatus();
  }

  absl::Status Compute(InstructionId id) {
    std::vector<Split> now;
    const std::vector<InstructionId> old_operands(original_.operands(id).begin(), original_.operands(id).end());
    const bool arrays = std::all_of(old_operands.begin(), old_operands.end(),
                                    [&](InstructionId operand) { return original_.shape(operand).IsArray(); });
    for (InstructionId operand : old_operands) {
      if (arrays) now.push_back(Of(operand)[0].split);
    }
    const std::optional<Split> wanted = Wanted(id);
    const Split* const wish = wanted ? &*wanted : nullptr;
    SplitPlan plan = PlanSplit(original_, id, now, wish, devices_, SplitSizes::kWhole);
    if (!Fits(plan, id, old_operands)) plan = PlanSplit(original_, id, {}, nullptr, devices_, SplitSizes::kWhole);
    std::vector<InstructionId> operands;
    for (size_t k = 0; k < old_operands.size(); ++k) {
      const Shape& shape = original_.shape(old_operands[k]);
      if (k < plan.operands.size()) {
        operands.push_back(Reshard(Of(old_operands[k])[0], plan.operands[k], Shape(shape), id).id);
      } else {
        operands.push_back(AllOf(old_operands[k], id));
      }
    }
    const InstructionId made = Rewrite(id, operands, plan.result, TileShape);
    Parts parts;
    if (plan.parts > 1) {
      parts = {{Combine(made, id, plan), plan.result, {}, 1, false}};
    } else {
      parts = LeavesOf(made, id, {plan.result});
    }
    if (wanted) parts = {Reshard(parts[0], *wanted, Shape(original_.shape(id)), id)};
    Set(id, std::move(parts));
    return absl::OkStatus();
  }

  bool Fits(const SplitPlan& plan, InstructionId id, const std::vector<InstructionId>& operands) const {
    for (size_t k = 0; k < plan.operands.size(); ++k) {
      if (!Divides(plan.operands[k], original_.shape(operands[k]))) return false;
    }
    const std::vector<Shape> leaves = LeafShapes(original_.shape(id));
    return std::all_of(leaves.begin(), leaves.end(), [&](const Shape& leaf) {
      return plan.result.IsWhole() || (leaf.rank() == plan.result.rank() && Divides(plan.result, leaf));
    });
  }

  // The whole value on every device.
  InstructionId AllOf(InstructionId old_id, InstructionId before) {
    const Shape shape = original_.shape(old_id);
    const std::vector<Shape> shapes = LeafShapes(shape);
    const Parts parts = Of(old_id);
    std::vector<InstructionId> leaves;
    for (size_t k = 0; k < parts.size(); ++k) {
      leaves.push_back(Reshard(parts[k], Split::Whole(parts[k].split.rank(), devices_), shapes[k], before).id);
    }
    return shape.IsTuple() ? Assemble(shape, leaves, before) : leaves[0];
  }

  // The sum (or whatever the reduction computes) of the parts that devices have.
  InstructionId Combine(InstructionId made, InstructionId old_id, const SplitPlan& plan) {
    // Plans are sound: every part is held by equally many devices.
    const DeviceLists groups = *GroupDevices(plan.result.tiles, plan.part_of, plan.parts);
    const ComputationId combiner = module().opcode(old_id) == Opcode::kReduce
                                       ? module().ComputationAttribute(old_id, AttributeKind::kToApply)
                                       : sums_[original_.shape(old_id).element_type()];
    const InstructionId sum =
        editor_.Add(old_id, Opcode::kAllReduce, "all-reduce", Shape(module().shape(made)), {made});
    AddGroups(sum, groups);
    editor_.mutable_module().AddComputations(sum, AttributeKind::kToApply, {combiner});
    return sum;
  }

  void AddGroups(InstructionId id, const DeviceLists& groups) {
    ReplicaGroups value;
    value.groups = groups;
    Module& module = editor_.mutable_module();
    module.AddInt(id, AttributeKind::kChannelId, ++channels_);
    module.AddReplicaGroups(id, std::move(value));
    module.AddBool(id, AttributeKind::kUseGlobalDeviceIds, true);
  }

  // The same array cut in another way: dimensions that are cut otherwise are gathered, then devices take their tiles.
  Part Reshard(const Part& part, const Split& to, const Shape& whole, InstructionId before) {
    if (part.split == to || part.split.rank() == 0) return {part.id, to, {}, 1, false};
    for (const auto& [id, split] : resharded_[part.id]) {
      if (split == to) return {id, to, {}, 1, false};
    }
    if (part.split.IsWhole() && module().opcode(part.id) == Opcode::kBroadcast) {
      const Part tile = BroadcastTile(part, to, before);
      resharded_[part.id].emplace_back(tile.id, to);
      return tile;
    }
    Part now = part;
    for (int64_t d = 0; d < whole.rank(); ++d) {
      if (now.split.IsCut(d) && !now.split.SameDimension(d, to, d)) now = Gather(now, d, before);
    }
    if (!(now.split == to)) now = Take(now, to, before);
    resharded_[part.id].emplace_back(now.id, to);
    return now;
  }

  // A broadcast makes the tile itself, of the tile of its operand.
  Part BroadcastTile(const Part& part, const Split& to, InstructionId before) {
    const absl::Span<const int64_t> mapped = module().IntsAttribute(part.id, AttributeKind::kDimensions);
    const std::vector<int64_t> dims(mapped.begin(), mapped.end());
    const InstructionId whole = module().operand(part.id, 0);
    const Shape shape = module().shape(whole);
    const Part operand =
        Reshard({whole, Split::Whole(shape.rank(), devices_), {}, 1, false}, Split::Taking(to, dims), shape, before);
    const InstructionId id =
        editor_.AddCopy(before, part.id, TileShape(Shape(module().shape(part.id)), to), {operand.id},
                        [](AttributeKind kind) { return kind != AttributeKind::kSharding; });
    return {id, to, {}, 1, false};
  }

  Part Gather(const Part& part, int64_t d, InstructionId before) {
    // Splits come from shardings and from plans that are sound.
    const DeviceLists groups = *GroupsAlong(part.split, d);
    Shape shape = module().shape(part.id);
    shape.set_dimension(d, shape.dimension(d) * part.split.counts[static_cast<size_t>(d)]);
    const InstructionId id = editor_.Add(before, Opcode::kAllGather, "all-gather", shape, {part.id});
    editor_.mutable_module().AddInts(id, AttributeKind::kDimensions, {d});
    AddGroups(id, groups);
    Part whole = {id, part.split, {}, 1, false};
    whole.split.MakeWhole(d);
    return whole;
  }

  // The tile of each device, of an array that is whole where `to` cuts it now.
  Part Take(const Part& part, const Split& to, InstructionId before) {
    Shape shape = module().shape(part.id);
    std::vector<InstructionId> operands = {part.id};
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (!part.split.SameDimension(d, to, d)) {
        const int64_t width = shape.dimension(d) / to.counts[static_cast<size_t>(d)];
        shape.set_dimension(d, width);
        std::vector<int64_t> starts;
        for (const std::vector<int64_t>& tile : to.tiles) starts.push_back(tile[static_cast<size_t>(d)] * width);
        operands.push_back(OwnNumber(starts, before));
      } else {
        operands.push_back(OwnNumber(std::vector<int64_t>(static_cast<size_t>(devices_), 0), before));
      }
    }
    const std::vector<int64_t> sizes(shape.dimensions().begin(), shape.dimensions().end());
    const InstructionId id = editor_.Add(before, Opcode::kDynamicSlice, "tile", shape, operands);
    editor_.mutable_module().AddInts(id, AttributeKind::kDynamicSliceSizes, sizes);
    return {id, to, {}, 1, false};
  }

  // The device's own entry of a table with one for each.
  InstructionId OwnNumber(const std::vector<int64_t>& table, InstructionId before) {
    InstructionId& known = numbers_[table];
    if (known.has_value()) return known;
    const Shape scalar = Shape::Scalar(ElementType::kS64);
    if (std::all_of(table.begin(), table.end(), [&](int64_t entry) { return entry == table[0]; })) {
      return known = Constant(scalar, {table[0]}, before);
    }
    if (!partition_id_.has_value()) {
      partition_id_ = editor_.Add(before, Opcode::kPartitionId, "partition-id", Shape::Scalar(ElementType::kU32), {});
    }
    const InstructionId all = Constant(Shape::Array(ElementType::kS64, {devices_}), table, before);
    const InstructionId own = editor_.Add(before, Opcode::kDynamicSlice, "own_start",
                                          Shape::Array(ElementType::kS64, {1}), {all, partition_id_});
    editor_.mutable_module().AddInts(own, AttributeKind::kDynamicSliceSizes, {1});
    return known = editor_.Add(before, Opcode::kReshape, "start", scalar, {own});
  }

  InstructionId Constant(const Shape& shape, const std::vector<int64_t>& elements, InstructionId before) {
    const InstructionId id = editor_.Add(before, Opcode::kConstant, "constant", shape, {});
    Literal literal(shape);
    literal.mutable_bytes().resize(elements.size() * sizeof(int64_t));
    std::memcpy(literal.mutable_bytes().data(), elements.data(), literal.bytes().size());
    editor_.mutable_module().SetLiteral(id, std::move(literal));
    return id;
  }

  absl::StatusOr<InstructionId> Result(InstructionId root) {
    const Sharding* const declared = original_.ShardingAttribute(root);
    const std::optional<Sharding> wanted = declared ? std::optional<Sharding>(*declared) : std::nullopt;
    const Shape shape = original_.shape(root);
    const std::vector<Shape> shapes = LeafShapes(shape);
    const Parts parts = Of(root);
    std::vector<InstructionId> leaves;
    std::vector<Sharding> shardings;
    for (size_t k = 0; k < parts.size(); ++k) {
      Split to = parts[k].split;
      if (const Sharding* leaf = LeafSharding(wanted ? &*wanted : nullptr, k); leaf != nullptr && shapes[k].IsArray()) {
        absl::StatusOr<Split> split = SplitOf(*leaf, shapes[k], devices_);
        if (!split.ok()) return NotPartitioned(module(), root, split.status().message());
        to = *std::move(split);
      }
      std::optional<Sharding> sharding = ShardingOf(to);
      if (!sharding) {
        to = Split::Whole(to.rank(), devices_);
        sharding.emplace();
      }
      shardings.push_back(*std::move(sharding));
      leaves.push_back(Reshard(parts[k], to, shapes[k], root).id);
    }
    const InstructionId result = shape.IsTuple() ? Assemble(shape, leaves, root) : leaves[0];
    Sharding sharding;
    if (shape.IsTuple()) {
      sharding.kind = Sharding::Kind::kTuple;
      sharding.leaves = std::move(shardings);
    } else {
      sharding = std::move(shardings[0]);
    }
    // A parameter that is the result keeps its own.
    if (module().opcode(result) != Opcode::kParameter) editor_.SetSharding(result, std::move(sharding));
    return result;
  }

  const Module& original_;  // parameters have the shapes of whole arrays
  const SumComputations& sums_;
  const ShardOptions& options_;
  int64_t channels_ = 0;
  InstructionId partition_id_;
  absl::flat_hash_map<std::vector<int64_t>, InstructionId> numbers_;
  absl::flat_hash_map<InstructionId, std::vector<std::pair<InstructionId, Split>>> resharded_;
};

}  // namespace

absl::StatusOr<Module> ShardModule(const Module& module, const ShardOptions& options) {
  if (!module.entry().has_value()) return absl::InvalidArgumentError("the module has no entry computation");
  if (module.header().replica_count > 1) return absl::InvalidArgumentError("the module is for several replicas");
  const absl::StatusOr<int64_t> partitions = PartitionsOf(module, options);
  if (!partitions.ok()) return partitions.status();
  Module with_sums = module;
  const SumComputations sums(&with_sums);
  return Sharder(with_sums, sums, options, *partitions).Run();
}

}  // namespace hloscope
