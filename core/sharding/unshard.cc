// SPDX-License-Identifier: Apache-2.0
#include "core/sharding/unshard.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/sharding_places.h"
#include "core/analysis/users.h"
#include "core/communication/device_values.h"
#include "core/ops/device_groups.h"
#include "core/sharding/part_rewriter.h"
#include "core/sharding/split.h"
#include "core/sharding/split_propagation.h"
#include "core/sharding/split_rules.h"

namespace hloscope {
namespace {

// Of what is looked at to find the numbers that devices compute from their ids.
constexpr int64_t kBudget = 10'000'000;
// Instructions of called computations that are followed, again in each iteration of what their loops are in.
constexpr int64_t kMostFollowed = 1'000'000;

class Unsharder : public PartRewriter {
 public:
  Unsharder(const Module& module, int64_t devices)
      : PartRewriter(module, devices),
        users_(module),
        dependence_(module, users_),
        original_(module),
        propagation_(module, devices, [this](ComputationId computation) { return Order(computation); }) {
    for (int64_t device = 0; device < devices; ++device) {
      numbers_.emplace_back(module, /*replica=*/0, device, &budget_);
      frames_.push_back(numbers_.back().Open(module.entry(), {}));
    }
  }

  absl::StatusOr<Module> Run() {
    const InstructionId root = module().computation(entry()).root;
    const absl::Status status = VisitToRoot(entry(), [this](InstructionId id) { return Visit(id); });
    if (!status.ok()) return status;
    const absl::StatusOr<InstructionId> result = Result(root);
    if (!result.ok()) return result.status();
    editor_.mutable_module().mutable_header().input_output_alias.clear();
    for (InstructionId parameter : std::vector<InstructionId>(module().computation(entry()).parameters)) {
      DropSharding(parameter);
    }
    DropSharding(*result);
    return Finish(*result, /*partitions=*/1);
  }

 private:
  absl::Status Refused(InstructionId id, absl::string_view why) const {
    return absl::InvalidArgumentError(
        absl::StrCat("`", original_.InstructionName(id), "` (", OpcodeName(original_.opcode(id)), ") ", why));
  }

  void DropSharding(InstructionId id) {
    editor_.KeepAttributes(id, [](AttributeKind kind) { return kind != AttributeKind::kSharding; });
  }

  absl::Status Visit(InstructionId id) {
    const absl::Status status = Follow(id);
    return status.ok() || !IsKnownNumber(id) ? status : SetPerDevice(id);
  }

  absl::Status Follow(InstructionId id) {
    switch (original_.opcode(id)) {
      case Opcode::kParameter:
        return Parameter(id);
      case Opcode::kTuple:
      case Opcode::kGetTupleElement:
        SetAccess(id);
        return absl::OkStatus();
      case Opcode::kDynamicSlice:
        if (StartsDependOnDevice(id)) return OwnTile(id);
        break;
      case Opcode::kAllGather:
        return AllGather(id);
      case Opcode::kAllReduce:
        return AllReduce(id);
      case Opcode::kReduceScatter:
        return ReduceScatter(id);
      default:
        break;
    }
    if (!propagation_.CutWith(id).empty() && (Communicates(id) || HasTiles(id) || DependsOnDevice(id))) {
      return original_.opcode(id) == Opcode::kWhile ? Loop(id) : Callees(id);
    }
    const bool is_id = original_.opcode(id) == Opcode::kPartitionId || original_.opcode(id) == Opcode::kReplicaId;
    if (!is_id && Communicates(id)) return Refused(id, "sends tiles in a way that is not followed");
    if (is_id || (DependsOnDevice(id) && !HasTiles(id))) {
      const Shape& shape = original_.shape(id);
      Part part = {InstructionId(), Split::Whole(shape.IsArray() ? shape.rank() : 0, devices_), {}, 1, true};
      Set(id, Parts(static_cast<size_t>(shape.LeafCount()), part));
      return absl::OkStatus();
    }
    return Compute(id);
  }

  // A number that the text shows for every device, such as where its tile begins.
  bool IsKnownNumber(InstructionId id) {
    if (!original_.shape(id).IsArray()) return false;
    for (size_t device = 0; device < frames_.size(); ++device) {
      if (numbers_[device].Read(frames_[device], id).array == nullptr) return false;
    }
    return true;
  }

  // The value follows from the device's id. Values that devices compute of their tiles do not.
  bool DependsOnDevice(InstructionId id) { return dependence_.Of(id); }
  bool StartsDependOnDevice(InstructionId slice) {
    const auto operands = original_.operands(slice);
    return std::any_of(operands.begin() + 1, operands.end(),
                       [&](InstructionId start) { return DependsOnDevice(start); });
  }
  bool HasTiles(InstructionId id) const {
    const auto operands = original_.operands(id);
    return std::any_of(operands.begin(), operands.end(), [&](InstructionId operand) {
      return std::any_of(Of(operand).begin(), Of(operand).end(),
                         [](const Part& part) { return !part.split.IsWhole(); });
    });
  }
  bool Communicates(InstructionId id) const {
    return InfoOf(original_.opcode(id)).family == OpFamily::kCollective || editor_.HasSideEffect(id);
  }

  absl::Status Parameter(InstructionId id) {
    const Sharding* const sharding = original_.ShardingAttribute(id);
    std::vector<Shape> leaves = LeafShapes(original_.shape(id));
    std::vector<Split> splits;
    for (size_t k = 0; k < leaves.size(); ++k) {
      splits.push_back(Split::Whole(leaves[k].rank(), devices_));
      if (sharding == nullptr || !leaves[k].IsArray()) continue;
      const Sharding& of_leaf = sharding->kind == Sharding::Kind::kTuple ? sharding->leaves[k] : *sharding;
      const std::vector<int64_t> counts = TileCounts(of_leaf, leaves[k]);
      Split enlarged = splits.back();
      for (size_t d = 0; d < enlarged.counts.size() && d < counts.size(); ++d) enlarged.counts[d] = counts[d];
      const Shape whole = WholeShape(leaves[k], enlarged);
      absl::StatusOr<Split> split = SplitOf(of_leaf, whole, devices_);
      if (!split.ok()) return Refused(id, split.status().message());
      splits.back() = *std::move(split);
      leaves[k] = whole;
    }
    editor_.mutable_module().SetShape(id, WithLeaves(original_.shape(id), leaves));
    Set(id, LeavesOf(id, editor_.next(id), splits));
    return absl::OkStatus();
  }

  // A slice that starts where the device's id says: device by device a tile of an array that all have.
  absl::Status OwnTile(InstructionId id) {
    Part part = Of(original_.operand(id, 0))[0];
    if (part.is_per_device || part.parts > 1) {
      return SetPerDevice(id);
    }
    const Shape& from = original_.shape(original_.operand(id, 0));
    const Shape& tile = original_.shape(id);
    for (int64_t d = 0; d < from.rank(); ++d) {
      if (from.dimension(d) == tile.dimension(d)) continue;
      const int64_t width = tile.dimension(d);
      Split own = Split::Whole(1, devices_);
      std::vector<int64_t> tiles;
      for (size_t device = 0; device < frames_.size(); ++device) {
        const std::optional<int64_t> start =
            numbers_[device].Integer(frames_[device], original_.operand(id, static_cast<size_t>(d) + 1));
        if (!start) return SetPerDevice(id);
        const int64_t at = std::clamp<int64_t>(*start, 0, from.dimension(d) - width);
        if (width == 0 || from.dimension(d) % width != 0 || at % width != 0) {
          return Refused(id, "takes parts that are no tiles of equal size");
        }
        tiles.push_back(at / width);
      }
      own.SetTiles(0, width == 0 ? 1 : from.dimension(d) / width, std::move(tiles));
      if (part.split.IsCut(d)) return Refused(id, "takes parts of tiles");
      part.split.SetDimension(d, own, 0);
    }
    if (!ShardingOf(part.split)) return Refused(id, "takes some tiles on more devices than others");
    Set(id, {part});
    return absl::OkStatus();
  }

  absl::Status SetPerDevice(InstructionId id) {
    Set(id, {{InstructionId(), Split::Whole(original_.shape(id).rank(), devices_), {}, 1, true}});
    return absl::OkStatus();
  }

  absl::StatusOr<DeviceLists> Groups(InstructionId id) const { return DeviceGroups(original_, id, {1, devices_}); }

  // The number of each device in its group.
  std::vector<int64_t> Ranks(const DeviceLists& groups) const {
    std::vector<int64_t> ranks(static_cast<size_t>(devices_), -1);
    for (const std::vector<int64_t>& group : groups) {
      for (size_t k = 0; k < group.size(); ++k) ranks[static_cast<size_t>(group[k])] = static_cast<int64_t>(k);
    }
    return ranks;
  }

  absl::Status AllGather(InstructionId id) {
    const absl::StatusOr<DeviceLists> groups = Groups(id);
    if (!groups.ok()) return Refused(id, groups.status().message());
    const absl::Span<const int64_t> dims = original_.IntsAttribute(id, AttributeKind::kDimensions);
    Parts parts;
    for (InstructionId operand : original_.operands(id)) {
      const Parts& of = Of(operand);
      parts.insert(parts.end(), of.begin(), of.end());
    }
    for (Part& part : parts) {
      const int64_t d = dims.empty() ? 0 : dims[0];
      if (part.is_per_device || part.parts > 1 || dims.size() != 1 || !AreTilesOf(*groups, part.split, d)) {
        return Refused(id, "does not gather the tiles of one dimension in their order");
      }
      part.split.MakeWhole(d);
    }
    Set(id, std::move(parts));
    return absl::OkStatus();
  }

  // Each group has all tiles along the dimension, in order, and the same ones along the others.
  static bool AreTilesOf(const DeviceLists& groups, const Split& split, int64_t d) {
    for (const std::vector<int64_t>& group : groups) {
      if (static_cast<int64_t>(group.size()) != split.counts[static_cast<size_t>(d)]) return false;
      std::vector<int64_t> expected = split.TilesOf(group[0]);
      for (size_t k = 0; k < group.size(); ++k) {
        expected[static_cast<size_t>(d)] = static_cast<int64_t>(k);
        if (split.TilesOf(group[k]) != expected) return false;
      }
    }
    return true;
  }

  // Each group has all parts of the sums of the same tile.
  static bool AreParts(const DeviceLists& groups, const Part& part) {
    if (part.parts < 2) return false;
    for (const std::vector<int64_t>& group : groups) {
      std::vector<int64_t> found;
      for (int64_t device : group) {
        const size_t at = static_cast<size_t>(device);
        if (part.split.TilesOf(device) != part.split.TilesOf(group[0])) return false;
        found.push_back(part.part_of[at]);
      }
      std::sort(found.begin(), found.end());
      if (static_cast<int64_t>(found.size()) != part.parts) return false;
      for (size_t k = 0; k < found.size(); ++k) {
        if (found[k] != static_cast<int64_t>(k)) return false;
      }
    }
    return true;
  }

  absl::StatusOr<Parts> Combined(InstructionId id, const DeviceLists& groups) const {
    Parts parts;
    for (InstructionId operand : original_.operands(id)) {
      Part part = Of(operand)[0];
      if (part.is_per_device || !AreParts(groups, part) || !AddsAsBefore(id, operand)) {
        return Refused(id, "does not combine the parts of one sum, each once");
      }
      part.parts = 1;
      part.part_of.clear();
      parts.push_back(std::move(part));
    }
    return parts;
  }

  // The computation combines two parts as the operation that made them does.
  bool AddsAsBefore(InstructionId id, InstructionId operand) const {
    while (original_.opcode(operand) == Opcode::kCopy || original_.opcode(operand) == Opcode::kConvert) {
      operand = original_.operand(operand, 0);
    }
    const ComputationId combiner = original_.ComputationAttribute(id, AttributeKind::kToApply);
    if (!combiner.has_value() || !original_.computation(combiner).root.has_value()) return false;
    const Opcode combines = original_.opcode(original_.computation(combiner).root);
    if (original_.opcode(operand) == Opcode::kDot) return combines == Opcode::kAdd;
    if (original_.opcode(operand) != Opcode::kReduce) return false;
    const ComputationId reduction = original_.ComputationAttribute(operand, AttributeKind::kToApply);
    return combines == original_.opcode(original_.computation(reduction).root);
  }

  absl::Status AllReduce(InstructionId id) {
    const absl::StatusOr<DeviceLists> groups = Groups(id);
    if (!groups.ok()) return Refused(id, groups.status().message());
    absl::StatusOr<Parts> parts = Combined(id, *groups);
    if (!parts.ok()) return parts.status();
    Set(id, *std::move(parts));
    return absl::OkStatus();
  }

  absl::Status ReduceScatter(InstructionId id) {
    const absl::StatusOr<DeviceLists> groups = Groups(id);
    if (!groups.ok()) return Refused(id, groups.status().message());
    absl::StatusOr<Parts> parts = Combined(id, *groups);
    if (!parts.ok()) return parts.status();
    const absl::Span<const int64_t> dims = original_.IntsAttribute(id, AttributeKind::kDimensions);
    const std::vector<int64_t> ranks = Ranks(*groups);
    for (Part& part : *parts) {
      if (dims.size() != 1 || part.split.IsCut(dims[0])) return Refused(id, "scatters an array that is cut already");
      Split own = Split::Whole(1, devices_);
      const int64_t count = static_cast<int64_t>((*groups)[0].size());
      if (std::any_of(ranks.begin(), ranks.end(), [&](int64_t rank) { return rank < 0 || rank >= count; })) {
        return Refused(id, "scatters to groups of different sizes");
      }
      own.SetTiles(0, count, ranks);
      part.split.SetDimension(dims[0], own, 0);
    }
    Set(id, *std::move(parts));
    return absl::OkStatus();
  }

  absl::Status Compute(InstructionId id) {
    const auto old_operands = original_.operands(id);
    std::vector<Split> now;
    bool arrays = true, any_cut = false;
    for (InstructionId operand : old_operands) {
      for (const Part& part : Of(operand)) {
        if (part.is_per_device) {
          return Refused(id, absl::StrCat("computes with `", original_.InstructionName(operand),
                                          "`, which every device has another value of"));
        }
        if (part.parts > 1) {
          return Refused(id, absl::StrCat("computes with parts of the sum `", original_.InstructionName(operand), "`"));
        }
        any_cut = any_cut || !part.split.IsWhole();
      }
      arrays = arrays && original_.shape(operand).IsArray();
      if (arrays) now.push_back(Of(operand)[0].split);
    }
    if (!arrays) now.clear();
    SplitPlan plan = PlanSplit(original_, id, now, nullptr, devices_, SplitSizes::kTiles);
    std::vector<InstructionId> operands;
    for (size_t k = 0; k < old_operands.size(); ++k) {
      if (k < plan.operands.size()) {
        const std::optional<InstructionId> operand = As(Of(old_operands[k])[0], plan.operands[k], old_operands[k], id);
        if (!operand) {
          return Refused(id, absl::StrCat("mixes tiles of `", original_.InstructionName(old_operands[k]),
                                          "` with each other, or with other tiles"));
        }
        operands.push_back(*operand);
      } else {
        if (any_cut) return Refused(id, "takes tiles inside of a tuple");
        std::vector<InstructionId> leaves;
        for (const Part& part : Of(old_operands[k])) leaves.push_back(part.id);
        const Shape& shape = original_.shape(old_operands[k]);
        operands.push_back(shape.IsTuple() ? Assemble(shape, leaves, id) : leaves[0]);
      }
    }
    const InstructionId made = Rewrite(id, operands, plan.result, WholeShape);
    Parts parts = LeavesOf(made, id, {plan.result});
    for (Part& part : parts) {
      part.parts = plan.parts;
      if (plan.parts > 1) part.part_of = plan.part_of;
    }
    Set(id, std::move(parts));
    return absl::OkStatus();
  }

  // --- What loops, conditionals and calls run ---

  // What a computation gives back whose parameters are cut like this.
  absl::StatusOr<Parts> VisitCallee(ComputationId computation, const std::vector<Splits>& parameters) {
    const InstructionId root = original_.computation(computation).root;
    if (original_.opcode(root) == Opcode::kParameter && original_.shape(root).IsTuple()) {
      return Refused(root, "is given back as it is, which is not followed");
    }
    followed_ += static_cast<int64_t>(original_.computation(computation).instructions.size());
    if (followed_ > kMostFollowed) {
      return Refused(root, "is in loops within loops that would have to be followed too often");
    }
    std::vector<DeviceValues::Frame*> frames;
    for (DeviceValues& numbers : numbers_) frames.push_back(numbers.Open(computation, {}));
    std::swap(frames, frames_);
    const absl::Status status = VisitToRoot(computation, [&](InstructionId id) {
      if (original_.opcode(id) != Opcode::kParameter) return Visit(id);
      const Splits& splits = parameters[original_.instruction(id).parameter_number];
      std::vector<Shape> leaves = LeafShapes(original_.shape(id));
      for (size_t k = 0; k < leaves.size(); ++k) {
        if (!splits[k].IsWhole()) leaves[k] = WholeShape(leaves[k], splits[k]);
      }
      editor_.mutable_module().SetShape(id, WithLeaves(original_.shape(id), leaves));
      Set(id, LeavesOf(id, editor_.next(id), splits));
      return absl::OkStatus();
    });
    std::swap(frames, frames_);
    if (!status.ok()) return status;
    for (const Part& part : Of(root)) {
      if (part.is_per_device || part.parts > 1) return Refused(root, "gives back what is no tile of an array");
    }
    return Of(root);
  }

  void FinishCallee(ComputationId computation, const Parts& results) {
    const InstructionId root = original_.computation(computation).root;
    std::vector<InstructionId> leaves;
    for (const Part& part : results) leaves.push_back(part.id);
    FinishComputation(computation,
                      original_.shape(root).IsTuple() ? Assemble(original_.shape(root), leaves, root) : leaves[0]);
  }

  // How an operand is cut, if devices have tiles of arrays there.
  absl::StatusOr<Splits> SplitsOf(InstructionId operand, InstructionId user) const {
    Splits splits;
    for (const Part& part : Of(operand)) {
      if (part.is_per_device || part.parts > 1) {
        return Refused(
            user, absl::StrCat("takes what is no tile of an array from `", original_.InstructionName(operand), "`"));
      }
      splits.push_back(part.split);
    }
    return splits;
  }

  // The operand, of which every device has the tiles that `splits` say.
  absl::StatusOr<InstructionId> OperandAs(InstructionId operand, const Splits& splits, InstructionId user) {
    std::vector<InstructionId> leaves;
    const Parts parts = Of(operand);
    for (size_t k = 0; k < parts.size(); ++k) {
      const std::optional<InstructionId> leaf = As(parts[k], splits[k], operand, user);
      if (!leaf) return Refused(user, absl::StrCat("mixes tiles of `", original_.InstructionName(operand), "`"));
      leaves.push_back(*leaf);
    }
    const Shape& shape = original_.shape(operand);
    return shape.IsTuple() ? Assemble(shape, leaves, user) : leaves[0];
  }

  // What is alike on all devices when the loop begins, and cut when an iteration is over, is cut from the start.
  absl::Status Loop(InstructionId id) {
    const InstructionId operand = original_.operand(id, 0);
    const ComputationId body = original_.ComputationAttribute(id, AttributeKind::kBody);
    const ComputationId condition = original_.ComputationAttribute(id, AttributeKind::kCondition);
    absl::StatusOr<Splits> state = SplitsOf(operand, id);
    if (!state.ok()) return state.status();
    for (bool changed = true; changed;) {
      changed = false;
      const Mark mark = Here();
      const absl::StatusOr<Parts> given = VisitCallee(body, {*state});
      if (!given.ok()) return given.status();
      for (size_t k = 0; k < state->size(); ++k) {
        Split& split = (*state)[k];
        if ((*given)[k].split == split) continue;
        if (!split.IsWhole()) return Refused(id, "has a state that is cut in another way after each iteration");
        split = (*given)[k].split;
        changed = true;
      }
      changed ? BackTo(mark) : FinishCallee(body, *given);
    }
    const absl::StatusOr<Parts> goes_on = VisitCallee(condition, {*state});
    if (!goes_on.ok()) return goes_on.status();
    FinishCallee(condition, *goes_on);
    const absl::StatusOr<InstructionId> start = OperandAs(operand, *state, id);
    if (!start.ok()) return start.status();
    const InstructionId made = RewriteAs(id, {*start}, Shape(module().shape(*start)));
    Set(id, LeavesOf(made, id, *state));
    return absl::OkStatus();
  }

  absl::Status Callees(InstructionId id) {
    const bool is_call = original_.opcode(id) == Opcode::kCall;
    const std::vector<ComputationId> callees = propagation_.CutWith(id);
    const std::vector<InstructionId> old_operands(original_.operands(id).begin(), original_.operands(id).end());
    std::vector<std::vector<Splits>> arguments(callees.size());
    std::vector<InstructionId> operands;
    for (size_t k = 0; k < old_operands.size(); ++k) {
      const absl::StatusOr<Splits> splits = SplitsOf(old_operands[k], id);
      if (!splits.ok()) return splits.status();
      const absl::StatusOr<InstructionId> operand = OperandAs(old_operands[k], *splits, id);
      if (!operand.ok()) return operand.status();
      operands.push_back(*operand);
      if (is_call || k > 0) arguments[is_call ? 0 : k - 1].push_back(*splits);
    }
    Splits results;
    for (size_t b = 0; b < callees.size(); ++b) {
      const absl::StatusOr<Parts> given = VisitCallee(callees[b], arguments[b]);
      if (!given.ok()) return given.status();
      Splits of_callee;
      for (const Part& part : *given) of_callee.push_back(part.split);
      if (b > 0 && of_callee != results) return Refused(id, "gives back other tiles from one branch than from another");
      results = std::move(of_callee);
      FinishCallee(callees[b], *given);
    }
    std::vector<Shape> leaves = LeafShapes(original_.shape(id));
    for (size_t k = 0; k < leaves.size(); ++k) {
      if (!results[k].IsWhole()) leaves[k] = WholeShape(leaves[k], results[k]);
    }
    const InstructionId made = RewriteAs(id, operands, WithLeaves(original_.shape(id), leaves));
    Set(id, LeavesOf(made, id, results));
    return absl::OkStatus();
  }

  // The array of which every device has the tile that `to` says. What all devices have alike is then repeated.
  std::optional<InstructionId> As(const Part& part, const Split& to, InstructionId old_id, InstructionId before) {
    if (part.split == to) return part.id;
    InstructionId whole = part.id;
    for (int64_t d = 0; d < to.rank(); ++d) {
      if (part.split.SameDimension(d, to, d)) continue;
      if (part.split.IsCut(d)) return std::nullopt;
      const int64_t count = to.counts[static_cast<size_t>(d)];
      Shape shape = module().shape(whole);
      shape.set_dimension(d, shape.dimension(d) * count);
      if (module().opcode(whole) == Opcode::kBroadcast && !IsMapped(whole, d)) {
        whole = editor_.AddCopy(before, whole, shape, std::vector<InstructionId>{module().operand(whole, 0)},
                                [](AttributeKind kind) { return kind != AttributeKind::kSharding; });
        continue;
      }
      whole = editor_.Add(before, Opcode::kConcatenate, original_.InstructionName(old_id), shape,
                          std::vector<InstructionId>(static_cast<size_t>(count), whole));
      editor_.mutable_module().AddInts(whole, AttributeKind::kDimensions, {d});
    }
    return whole;
  }
  bool IsMapped(InstructionId broadcast, int64_t d) const {
    const absl::Span<const int64_t> dims = module().IntsAttribute(broadcast, AttributeKind::kDimensions);
    return std::find(dims.begin(), dims.end(), d) != dims.end();
  }

  absl::StatusOr<InstructionId> Result(InstructionId root) {
    const Shape& shape = original_.shape(root);
    const std::vector<Shape> tiles = LeafShapes(shape);
    std::vector<InstructionId> leaves;
    for (const Part& part : Of(root)) {
      if (part.is_per_device || part.parts > 1) return Refused(root, "gives back what is no tile of an array");
      leaves.push_back(AsDeclared(part, tiles[leaves.size()], leaves.size(), root));
    }
    return shape.IsTuple() ? Assemble(shape, leaves, root) : leaves[0];
  }

  // Tiles of a reshaped array can be cut along one dimension or another of it: the root's sharding says which.
  InstructionId AsDeclared(const Part& part, const Shape& tile, size_t leaf, InstructionId root) {
    const Sharding* sharding = original_.ShardingAttribute(root);
    if (sharding != nullptr && sharding->kind == Sharding::Kind::kTuple) sharding = &sharding->leaves[leaf];
    if (sharding == nullptr || !tile.IsArray()) return part.id;
    Split declared = Split::Whole(tile.rank(), devices_);
    const std::vector<int64_t> counts = TileCounts(*sharding, tile);
    for (size_t d = 0; d < declared.counts.size() && d < counts.size(); ++d) declared.counts[d] = counts[d];
    const Shape whole = WholeShape(tile, declared);
    const absl::StatusOr<Split> split = SplitOf(*sharding, whole, devices_);
    const Shape now = module().shape(part.id);
    if (!split.ok() || *split == part.split || whole.ElementCount() != now.ElementCount()) return part.id;
    if (!(SplitOfReshape(*split, whole, now, SplitSizes::kWhole).result == part.split)) return part.id;
    return editor_.Add(root, Opcode::kReshape, "reshape", whole, {part.id});
  }

  UserIndex users_;
  DeviceDependence dependence_;
  const Module& original_;
  int64_t budget_ = kBudget;
  int64_t followed_ = 0;
  std::deque<DeviceValues> numbers_;  // by device; frames stay where they are
  std::vector<DeviceValues::Frame*> frames_;
  const SplitPropagation propagation_;
};

}  // namespace

absl::StatusOr<Module> UnshardModule(const Module& module) {
  if (!module.entry().has_value()) return absl::InvalidArgumentError("the module has no entry computation");
  if (module.header().replica_count > 1) return absl::InvalidArgumentError("the module is for several replicas");
  if (module.header().num_partitions > kMostPartitions) {
    return absl::InvalidArgumentError(absl::StrCat("the module is for more than ", kMostPartitions, " partitions"));
  }
  return Unsharder(module, std::max<int64_t>(module.header().num_partitions, 1)).Run();
}

}  // namespace hloscope
