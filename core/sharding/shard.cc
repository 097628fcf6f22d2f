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
#include "core/sharding/split_propagation.h"
#include "core/sharding/split_rules.h"

namespace hloscope {
namespace {

absl::Status NotPartitioned(const Module& module, InstructionId id, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", module.InstructionName(id), "` (", OpcodeName(module.opcode(id)), ") ", why));
}

int64_t DevicesNamed(const Sharding& sharding) {
  int64_t most = 0;
  for (const Sharding& leaf : sharding.leaves) most = std::max(most, DevicesNamed(leaf));
  if (sharding.kind == Sharding::Kind::kTiled) {
    for (int64_t device : sharding.TileDevices()) most = std::max(most, device + 1);
  }
  if (sharding.kind == Sharding::Kind::kNamed && !sharding.mesh.axes.empty()) {
    int64_t devices = 1;
    for (const auto& [name, size] : sharding.mesh.axes) {
      devices = std::min(devices, kMostPartitions) * std::clamp<int64_t>(size, 1, kMostPartitions);
    }
    most = std::max(most, devices);
  }
  return most;
}

absl::StatusOr<int64_t> PartitionsOf(const Module& module, const ShardOptions& options) {
  int64_t partitions = options.partitions;
  if (partitions == 0 && module.header().num_partitions > 1) partitions = module.header().num_partitions;
  if (partitions == 0) {
    for (size_t i = 0; i < module.instruction_count(); ++i) {
      if (const Sharding* sharding = module.ShardingAttribute(InstructionId(i))) {
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
    const size_t count = module->instruction_count();
    for (size_t i = 0; i < count; ++i) {
      const InstructionId id(i);
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

std::string FreeName(const Module& module, absl::string_view like) {
  std::string name(like);
  for (int64_t k = 1; module.HasString(name); ++k) name = absl::StrCat(like, ".", k);
  return name;
}

// A computation whose root is a parameter gets another root, in front of which instructions can be put.
void SeparateRoots(Module* module) {
  for (size_t c = 0; c < module->computations().size(); ++c) {
    const ComputationId computation(c);
    const InstructionId root = module->computation(computation).root;
    if (!root.has_value() || module->opcode(root) != Opcode::kParameter) continue;
    const Shape shape = module->shape(root);
    InstructionId made;
    if (shape.IsTuple()) {
      std::vector<InstructionId> elements;
      for (int64_t k = 0; k < shape.tuple_size(); ++k) {
        elements.push_back(module->AddInstruction(computation, Opcode::kGetTupleElement,
                                                  FreeName(*module, "get-tuple-element"), shape.element(k), {root}));
        module->AddInt(elements.back(), AttributeKind::kIndex, k);
      }
      made = module->AddInstruction(computation, Opcode::kTuple, FreeName(*module, "tuple"), shape, elements);
    } else if (computation != module->entry()) {
      made = module->AddInstruction(computation, Opcode::kCopy, FreeName(*module, "copy"), shape, {root});
    } else {
      continue;  // it is cut as it is given
    }
    module->mutable_computation(computation).root = made;
  }
}

class Sharder : public PartRewriter {
 public:
  Sharder(const Module& module, const SumComputations& sums, const ShardOptions& options, int64_t devices)
      : PartRewriter(module, devices),
        original_(module),
        sums_(sums),
        options_(options),
        propagation_(module, devices, [this](ComputationId computation) { return Order(computation); }) {}

  absl::StatusOr<Module> Run() {
    const InstructionId root = module().computation(entry()).root;
    const absl::Status status = VisitToRoot(entry(), [this](InstructionId id) {
      return module().opcode(id) == Opcode::kParameter ? Parameter(id) : Visit(id);
    });
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
    if (IsAccess(id)) {
      SetAccess(id);
      return absl::OkStatus();
    }
    if (propagation_.IsAnnotation(id)) return Annotation(id);
    if (opcode == Opcode::kPartitionId || opcode == Opcode::kReplicaId || IsTarget(id, "SPMDFullToShardShape") ||
        IsTarget(id, "SPMDShardToFullShape")) {
      return NotPartitioned(module(), id, "is for a module that is partitioned already");
    }
    if (opcode == Opcode::kRng || editor_.HasSideEffect(id)) {
      return NotPartitioned(module(), id, "has effects or random values that must happen once, not on every device");
    }
    if (!propagation_.CutWith(id).empty()) return opcode == Opcode::kWhile ? Loop(id) : Callees(id);
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

  absl::Status Annotation(InstructionId id) {
    const std::optional<Split> wanted = propagation_.Wanted(id);
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
    const std::optional<Split> wanted = propagation_.Wanted(id);
    const SplitPlan plan = propagation_.PlanOf(id, now);
    std::vector<InstructionId> operands;
    for (size_t k = 0; k < old_operands.size(); ++k) {
      const Shape& shape = original_.shape(old_operands[k]);
      if (k < plan.operands.size()) {
        const Part part = Reshard(Of(old_operands[k])[0], plan.operands[k], Shape(shape), id);
        operands.push_back(plan.parts > 1 ? WithoutPadding(part, id, k) : part.id);
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

  // An operand whose elements are summed up over the devices: what is padding along these dimensions does not count.
  InstructionId WithoutPadding(const Part& part, InstructionId id, size_t k) {
    const Shape whole = original_.shape(original_.operand(id, k));
    const bool is_reduce = original_.opcode(id) == Opcode::kReduce;
    const AttributeKind summed = is_reduce ? AttributeKind::kDimensions
                                 : k == 0  ? AttributeKind::kLhsContractingDims
                                           : AttributeKind::kRhsContractingDims;
    if (is_reduce && k > 0) return part.id;
    const absl::Span<const int64_t> dimensions = original_.IntsAttribute(id, summed);
    InstructionId masked = part.id;
    for (int64_t d : std::vector<int64_t>(dimensions.begin(), dimensions.end())) {
      if (!part.split.IsCut(d) || !IsPadded(part.split, whole, d)) continue;
      const InstructionId neutral = is_reduce ? Of(original_.operand(id, 1))[0].id : Zero(whole.element_type(), id);
      masked = Mask(masked, part.split, d, whole.dimension(d), neutral, id);
    }
    return masked;
  }

  // `id` where the device's elements are those of an array of so many along dimension d, else `neutral`.
  InstructionId Mask(InstructionId id, const Split& split, int64_t d, int64_t size, InstructionId neutral,
                     InstructionId before) {
    const Shape shape = module().shape(id);
    Shape numbers = Shape::Array(ElementType::kS64, shape.dimensions());
    const Shape truths = Shape::Array(ElementType::kPred, shape.dimensions());
    const auto spread = [&](const Shape& to, InstructionId scalar) {
      const InstructionId made = editor_.Add(before, Opcode::kBroadcast, "broadcast", to, {scalar});
      editor_.mutable_module().AddInts(made, AttributeKind::kDimensions, {});
      return made;
    };
    const InstructionId own = editor_.Add(before, Opcode::kIota, "iota", numbers, {});
    editor_.mutable_module().AddInt(own, AttributeKind::kIotaDimension, d);
    const InstructionId start = spread(numbers, OwnNumber(Starts(split, d, shape.dimension(d)), before));
    const InstructionId place = editor_.Add(before, Opcode::kAdd, "place", numbers, {own, start});
    const InstructionId end = spread(numbers, Constant(Shape::Scalar(ElementType::kS64), {size}, before));
    const InstructionId is_element = editor_.Add(before, Opcode::kCompare, "is_element", truths, {place, end});
    editor_.mutable_module().AddWord(is_element, AttributeKind::kDirection, static_cast<int>(ComparisonDirection::kLt));
    Shape plain = shape;
    return editor_.Add(before, Opcode::kSelect, "without_padding", plain, {is_element, id, spread(plain, neutral)});
  }

  // Where the tiles of the devices begin along dimension d, if they are so wide.
  static std::vector<int64_t> Starts(const Split& split, int64_t d, int64_t width) {
    std::vector<int64_t> starts;
    for (int64_t device = 0; device < split.device_count(); ++device) starts.push_back(split.Tile(device, d) * width);
    return starts;
  }

  InstructionId Zero(ElementType type, InstructionId before) {
    const Shape scalar = Shape::Scalar(type);
    const InstructionId id = editor_.Add(before, Opcode::kConstant, "zero", scalar, {});
    Literal literal(scalar);
    literal.mutable_bytes().resize(static_cast<size_t>(scalar.ByteSize()));
    editor_.mutable_module().SetLiteral(id, std::move(literal));
    return id;
  }

  // --- What loops, conditionals and calls run ---

  Splits SplitsOf(InstructionId old_id) const {
    Splits splits;
    for (const Part& part : Of(old_id)) splits.push_back(part.split);
    return splits;
  }

  // The value, cut like this.
  InstructionId CutAs(InstructionId old_id, const Splits& splits, InstructionId before) {
    const Shape shape = original_.shape(old_id);
    const std::vector<Shape> shapes = LeafShapes(shape);
    const Parts parts = Of(old_id);
    std::vector<InstructionId> leaves;
    for (size_t k = 0; k < parts.size(); ++k) leaves.push_back(Reshard(parts[k], splits[k], shapes[k], before).id);
    return shape.IsTuple() ? Assemble(shape, leaves, before) : leaves[0];
  }

  static Splits WholeSplits(const Shape& shape, int64_t devices) {
    Splits splits;
    for (const Shape& leaf : LeafShapes(shape)) splits.push_back(Split::Whole(leaf.rank(), devices));
    return splits;
  }

  absl::Status Loop(InstructionId id) {
    const InstructionId operand = original_.operand(id, 0);
    const Splits state = propagation_.OfLoop(id, SplitsOf(operand));
    const InstructionId start = CutAs(operand, state, id);
    const ComputationId condition = original_.ComputationAttribute(id, AttributeKind::kCondition);
    const ComputationId body = original_.ComputationAttribute(id, AttributeKind::kBody);
    absl::Status status = Callee(body, {state}, state);
    if (status.ok()) status = Callee(condition, {state}, {Split::Whole(0, devices_)});
    if (!status.ok()) return status;
    const InstructionId made = RewriteAs(id, {start}, Shape(module().shape(start)));
    Set(id, LeavesOf(made, id, state));
    return absl::OkStatus();
  }

  absl::Status Callees(InstructionId id) {
    const bool is_call = original_.opcode(id) == Opcode::kCall;
    const std::vector<ComputationId> callees = propagation_.CutWith(id);
    const std::vector<InstructionId> old_operands(original_.operands(id).begin(), original_.operands(id).end());
    std::vector<std::vector<Splits>> arguments(callees.size());
    std::vector<InstructionId> operands;
    for (size_t k = 0; k < old_operands.size(); ++k) {
      if (!is_call && k == 0) {
        operands.push_back(AllOf(old_operands[k], id));
        continue;
      }
      arguments[is_call ? 0 : k - 1].push_back(SplitsOf(old_operands[k]));
      operands.push_back(CutAs(old_operands[k], arguments[is_call ? 0 : k - 1].back(), id));
    }
    const Splits results = propagation_.OfCallees(id, arguments);
    for (size_t b = 0; b < callees.size(); ++b) {
      if (const absl::Status status = Callee(callees[b], arguments[b], results); !status.ok()) return status;
    }
    const InstructionId made = RewriteAs(id, operands, Tiles(original_.shape(id), results));
    Parts parts = LeavesOf(made, id, results);
    if (const std::optional<Split> wanted = propagation_.Wanted(id)) {
      parts = {Reshard(parts[0], *wanted, Shape(original_.shape(id)), id)};
    }
    Set(id, std::move(parts));
    return absl::OkStatus();
  }

  static Shape Tiles(const Shape& whole, const Splits& splits) {
    std::vector<Shape> leaves = LeafShapes(whole);
    for (size_t k = 0; k < leaves.size(); ++k) {
      if (!splits[k].IsWhole()) leaves[k] = TileShape(leaves[k], splits[k]);
    }
    return WithLeaves(whole, leaves);
  }

  // A computation whose parameters and result are cut like this from now on.
  absl::Status Callee(ComputationId computation, const std::vector<Splits>& parameters, const Splits& results) {
    // What was made for one computation is not there in another.
    const InstructionId partition_id = std::exchange(partition_id_, InstructionId());
    auto numbers = std::exchange(numbers_, {});
    auto resharded = std::exchange(resharded_, {});
    const InstructionId root = original_.computation(computation).root;
    const absl::Status status = VisitToRoot(computation, [&](InstructionId id) {
      if (module().opcode(id) != Opcode::kParameter) return Visit(id);
      const Splits& splits = parameters[module().instruction(id).parameter_number];
      editor_.mutable_module().SetShape(id, Tiles(original_.shape(id), splits));
      Set(id, LeavesOf(id, editor_.next(id), splits));
      return absl::OkStatus();
    });
    if (status.ok()) FinishComputation(computation, CutAs(root, results, root));
    partition_id_ = partition_id;
    numbers_ = std::move(numbers);
    resharded_ = std::move(resharded);
    return status;
  }

  // The whole value on every device.
  InstructionId AllOf(InstructionId old_id, InstructionId before) {
    return CutAs(old_id, WholeSplits(original_.shape(old_id), devices_), before);
  }

  // The sum (or whatever the reduction computes) of the parts that devices have.
  InstructionId Combine(InstructionId made, InstructionId old_id, const SplitPlan& plan) {
    // Plans are sound: every part is held by equally many devices.
    const DeviceLists groups = *GroupDevices(plan.result.Tiles(), plan.part_of, plan.parts);
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
      if (now.split.IsCut(d) && !now.split.SameDimension(d, to, d)) now = Gather(now, d, whole.dimension(d), before);
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

  // `size`: elements of the whole array along dimension d.
  Part Gather(const Part& part, int64_t d, int64_t size, InstructionId before) {
    // Splits come from shardings and from plans that are sound.
    const DeviceLists groups = *GroupsAlong(part.split, d);
    Shape shape = module().shape(part.id);
    shape.set_dimension(d, shape.dimension(d) * part.split.counts[static_cast<size_t>(d)]);
    InstructionId id = editor_.Add(before, Opcode::kAllGather, "all-gather", shape, {part.id});
    editor_.mutable_module().AddInts(id, AttributeKind::kDimensions, {d});
    AddGroups(id, groups);
    if (shape.dimension(d) > size) {
      std::vector<SliceRange> ranges;
      shape.set_dimension(d, size);
      for (int64_t length : shape.dimensions()) ranges.push_back({0, length, 1});
      id = editor_.Add(before, Opcode::kSlice, "without_padding", shape, {id});
      editor_.mutable_module().AddSliceRanges(id, std::move(ranges));
    }
    Part whole = {id, part.split, {}, 1, false};
    whole.split.MakeWhole(d);
    return whole;
  }

  // The tile of each device, of an array that is whole where `to` cuts it now.
  Part Take(const Part& part, const Split& to, InstructionId before) {
    Split taken = to;
    for (int64_t d = 0; d < to.rank(); ++d) {
      if (part.split.SameDimension(d, to, d)) taken.MakeWhole(d);
    }
    Shape shape = module().shape(part.id);
    std::vector<InstructionId> operands = {Padded(part.id, taken, before)};
    shape = TileShape(shape, taken);
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (taken.IsCut(d)) {
        operands.push_back(OwnNumber(Starts(to, d, shape.dimension(d)), before));
      } else {
        operands.push_back(OwnNumber(std::vector<int64_t>(static_cast<size_t>(devices_), 0), before));
      }
    }
    const std::vector<int64_t> sizes(shape.dimensions().begin(), shape.dimensions().end());
    const InstructionId id = editor_.Add(before, Opcode::kDynamicSlice, "tile", shape, operands);
    editor_.mutable_module().AddInts(id, AttributeKind::kDynamicSliceSizes, sizes);
    return {id, to, {}, 1, false};
  }

  // The array with what it takes to cut it into equal tiles.
  InstructionId Padded(InstructionId id, const Split& to, InstructionId before) {
    const Shape shape = module().shape(id);
    const Shape padded = WholeShape(TileShape(shape, to), to);
    PaddingConfig padding(static_cast<size_t>(shape.rank()));
    bool is_needed = false;
    for (int64_t d = 0; d < shape.rank(); ++d) {
      padding[static_cast<size_t>(d)].high = padded.dimension(d) - shape.dimension(d);
      is_needed = is_needed || padded.dimension(d) > shape.dimension(d);
    }
    if (!is_needed) return id;
    const InstructionId made =
        editor_.Add(before, Opcode::kPad, "padded", padded, {id, Zero(shape.element_type(), before)});
    editor_.mutable_module().AddPadding(made, std::move(padding));
    return made;
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
  const SplitPropagation propagation_;
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
  SeparateRoots(&with_sums);
  const SumComputations sums(&with_sums);
  return Sharder(with_sums, sums, options, *partitions).Run();
}

}  // namespace hloscope
