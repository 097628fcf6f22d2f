// SPDX-License-Identifier: Apache-2.0
#include "core/sharding/split_rules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/transform/monoid.h"
#include "core/transform/tree_rebuilder.h"

namespace hloscope {
namespace {

class Planner {
 public:
  Planner(const Module& module, InstructionId id, absl::Span<const Split> operands, const Split* wanted,
          int64_t devices, SplitSizes sizes)
      : module_(module), id_(id), now_(operands), wanted_(wanted), devices_(devices), sizes_(sizes) {}

  SplitPlan Plan() {
    const Shape& shape = module_.shape(id_);
    SplitPlan plan = WholePlan();
    const bool arrays = std::all_of(module_.operands(id_).begin(), module_.operands(id_).end(),
                                    [&](InstructionId operand) { return module_.shape(operand).IsArray(); });
    if (!arrays || now_.empty() || !(shape.IsArray() || shape.IsTuple()) || shape.IsDynamic()) return plan;
    bool has_rule = true;
    if (shape.IsArray() && IsElementwiseArray(module_, id_)) {
      Alike(&plan, std::vector<bool>(Rank(), true));
    } else {
      has_rule = PlanByOpcode(&plan);
    }
    return has_rule && IsSound(plan) ? plan : WholePlan();
  }

 private:
  size_t Rank() const { return static_cast<size_t>(now_[0].rank()); }
  const Shape& OperandShape(size_t k) const { return module_.shape(module_.operand(id_, k)); }

  SplitPlan WholePlan() const {
    SplitPlan plan;
    for (const Split& split : now_) plan.operands.push_back(Split::Whole(split.rank(), devices_));
    const Shape& shape = module_.shape(id_);
    const bool is_tuple = shape.IsTuple() && shape.tuple_size() > 0;
    plan.result = Split::Whole(is_tuple ? shape.element(0).rank() : shape.rank(), devices_);
    plan.part_of.assign(static_cast<size_t>(devices_), 0);
    return plan;
  }

  // All tiles of the result, in all their parts, are computed, by equally many devices each.
  bool IsSound(const SplitPlan& plan) const {
    const int64_t wanted = plan.result.TileCount() * plan.parts;
    if (wanted > devices_ || devices_ % wanted != 0) return false;
    std::vector<int64_t> holders(static_cast<size_t>(wanted), 0);
    for (int64_t device = 0; device < devices_; ++device) {
      const int64_t number = plan.result.TileNumber(device) * plan.parts + plan.part_of[static_cast<size_t>(device)];
      if (number < 0 || number >= wanted) return false;
      ++holders[static_cast<size_t>(number)];
    }
    return std::all_of(holders.begin(), holders.end(), [&](int64_t count) { return count == devices_ / wanted; });
  }

  // The cut operand with the most tiles among those of the first one's rank.
  const Split& Leader() const {
    size_t best = 0;
    for (size_t k = 1; k < now_.size(); ++k) {
      if (now_[k].rank() > now_[best].rank() ||
          (now_[k].rank() == now_[best].rank() && now_[k].TileCount() > now_[best].TileCount())) {
        best = k;
      }
    }
    return now_[best];
  }

  // Operands of full rank and the result are cut alike in the dimensions that may be; other operands are whole.
  void Alike(SplitPlan* plan, const std::vector<bool>& may_be_cut) {
    const bool is_array = module_.shape(id_).IsArray();
    Split split = wanted_ != nullptr && is_array && wanted_->rank() == Leader().rank() ? *wanted_ : Leader();
    for (size_t d = 0; d < may_be_cut.size(); ++d) {
      if (!may_be_cut[d]) split.MakeWhole(static_cast<int64_t>(d));
    }
    for (size_t k = 0; k < now_.size(); ++k) {
      if (now_[k].rank() == split.rank() && split.rank() > 0) plan->operands[k] = split;
    }
    plan->result = split;
  }

  bool PlanByOpcode(SplitPlan* plan) {
    switch (module_.opcode(id_)) {
      case Opcode::kCopy:
      case Opcode::kOptBarrier:
        if (now_.size() != 1) return false;
        Alike(plan, std::vector<bool>(Rank(), true));
        return true;
      case Opcode::kBroadcast:
        PlanBroadcast(plan);
        return true;
      case Opcode::kTranspose:
        PlanTranspose(plan);
        return true;
      case Opcode::kReshape:
        PlanReshape(plan);
        return true;
      case Opcode::kReduce:
        PlanReduce(plan);
        return true;
      case Opcode::kDot:
        return PlanDot(plan);
      case Opcode::kConvolution:
        return PlanConvolution(plan);
      default: {
        const std::optional<std::vector<bool>> untouched = UntouchedDimensions();
        if (untouched) Alike(plan, *untouched);
        return untouched.has_value();
      }
    }
  }

  void PlanBroadcast(SplitPlan* plan) {
    const absl::Span<const int64_t> dims = module_.IntsAttribute(id_, AttributeKind::kDimensions);
    Split& result = plan->result;
    if (wanted_ != nullptr) result = *wanted_;
    for (size_t k = 0; k < dims.size(); ++k) {
      if (wanted_ == nullptr) result.SetDimension(dims[k], now_[0], static_cast<int64_t>(k));
      plan->operands[0].SetDimension(static_cast<int64_t>(k), result, dims[k]);
    }
  }

  void PlanTranspose(SplitPlan* plan) {
    const absl::Span<const int64_t> from = module_.IntsAttribute(id_, AttributeKind::kDimensions);
    plan->operands[0] = now_[0];
    if (wanted_ != nullptr) {
      for (size_t d = 0; d < from.size(); ++d)
        plan->operands[0].SetDimension(from[d], *wanted_, static_cast<int64_t>(d));
    }
    plan->result = Split::Taking(plan->operands[0], from);
  }

  void PlanReshape(SplitPlan* plan) {
    ReshapeSplit split = SplitOfReshape(now_[0], OperandShape(0), module_.shape(id_), sizes_);
    plan->operands[0] = std::move(split.operand);
    plan->result = std::move(split.result);
  }

  // Dimensions that are reduced may be cut if the parts can be combined: one array, a reduction that has an identity,
  // and starts from it.
  void PlanReduce(SplitPlan* plan) {
    const absl::Span<const int64_t> reduced = module_.IntsAttribute(id_, AttributeKind::kDimensions);
    const size_t arrays = now_.size() / 2;
    Split split = Leader();
    const bool may_be_parts = arrays == 1 && StartsFromIdentity();
    std::vector<int64_t> kept;
    for (int64_t d = 0; d < split.rank(); ++d) {
      if (std::find(reduced.begin(), reduced.end(), d) == reduced.end()) {
        kept.push_back(d);
      } else if (!may_be_parts) {
        split.MakeWhole(d);
      } else {
        AddParts(plan, split, d);
      }
    }
    for (size_t k = 0; k < arrays; ++k) plan->operands[k] = split;
    plan->result = Split::Taking(split, kept);
  }

  void AddParts(SplitPlan* plan, const Split& split, int64_t d) {
    const int64_t count = split.counts[static_cast<size_t>(d)];
    plan->parts *= count;
    for (int64_t device = 0; device < devices_; ++device) {
      int64_t& part = plan->part_of[static_cast<size_t>(device)];
      part = part * count + split.Tile(device, d);
    }
  }

  bool StartsFromIdentity() const {
    const std::optional<std::vector<Monoid>> monoids = RecognizeMonoids(module_, id_);
    const InstructionId start = module_.operand(id_, 1);
    if (!monoids || module_.opcode(start) != Opcode::kConstant || !module_.instruction(start).literal.has_value()) {
      return false;
    }
    const std::optional<Literal> identity = (*monoids)[0].Identity();
    return identity && *identity == module_.literal(start);
  }

  bool PlanDot(SplitPlan* plan) {
    const absl::Span<const int64_t> lhs_batch = module_.IntsAttribute(id_, AttributeKind::kLhsBatchDims);
    const absl::Span<const int64_t> rhs_batch = module_.IntsAttribute(id_, AttributeKind::kRhsBatchDims);
    const absl::Span<const int64_t> lhs_sums = module_.IntsAttribute(id_, AttributeKind::kLhsContractingDims);
    const absl::Span<const int64_t> rhs_sums = module_.IntsAttribute(id_, AttributeKind::kRhsContractingDims);
    if (now_.size() != 2) return false;
    Split &lhs = plan->operands[0], &rhs = plan->operands[1];
    lhs = now_[0], rhs = now_[1];
    const auto pair = [&](absl::Span<const int64_t> l, absl::Span<const int64_t> r) {
      for (size_t k = 0; k < l.size(); ++k) {
        if (lhs.IsCut(l[k])) {
          rhs.SetDimension(r[k], lhs, l[k]);
        } else {
          lhs.SetDimension(l[k], rhs, r[k]);
        }
      }
    };
    pair(lhs_batch, rhs_batch);
    pair(lhs_sums, rhs_sums);
    const bool sums_can_be_parts = module_.shape(id_).element_type() != ElementType::kPred;
    const std::vector<int64_t> lhs_free = Others(lhs.rank(), lhs_batch, lhs_sums);
    const std::vector<int64_t> rhs_free = Others(rhs.rank(), rhs_batch, rhs_sums);
    // What is given up, one after the other, until the devices compute every tile.
    for (int attempt = 0; attempt < 4; ++attempt) {
      if (attempt == 0 && !sums_can_be_parts) attempt = 2;
      if (attempt == 1) MakeWhole(&rhs, rhs_free);
      if (attempt >= 2) MakeWhole(&lhs, lhs_sums), MakeWhole(&rhs, rhs_sums);
      if (attempt == 3) MakeWhole(&rhs, rhs_free);
      plan->parts = 1;
      plan->part_of.assign(static_cast<size_t>(devices_), 0);
      for (int64_t d : lhs_sums) AddParts(plan, lhs, d);
      int64_t out = 0;
      for (int64_t d : lhs_batch) plan->result.SetDimension(out++, lhs, d);
      for (int64_t d : lhs_free) plan->result.SetDimension(out++, lhs, d);
      for (int64_t d : rhs_free) plan->result.SetDimension(out++, rhs, d);
      if (IsSound(*plan)) return true;
    }
    return false;
  }

  static std::vector<int64_t> Others(int64_t rank, absl::Span<const int64_t> a, absl::Span<const int64_t> b) {
    std::vector<int64_t> others;
    for (int64_t d = 0; d < rank; ++d) {
      if (std::find(a.begin(), a.end(), d) == a.end() && std::find(b.begin(), b.end(), d) == b.end())
        others.push_back(d);
    }
    return others;
  }
  static void MakeWhole(Split* split, absl::Span<const int64_t> dimensions) {
    for (int64_t d : dimensions) split->MakeWhole(d);
  }

  // Images of a batch are independent.
  bool PlanConvolution(SplitPlan* plan) {
    const ConvolutionDimensionNumbers* labels = module_.DimLabelsAttribute(id_);
    if (labels == nullptr || module_.IntAttribute(id_, AttributeKind::kBatchGroupCount, 1) != 1) return false;
    plan->operands[0].SetDimension(labels->input_batch, now_[0], labels->input_batch);
    plan->result.SetDimension(labels->output_batch, now_[0], labels->input_batch);
    return true;
  }

  // Dimensions along which every element of the result comes from the elements at the same place of the operands of
  // full rank, with as many elements. Nothing for opcodes of which that is not known.
  std::optional<std::vector<bool>> UntouchedDimensions() const {
    std::vector<bool> untouched(Rank(), true);
    const auto touch = [&](int64_t d) { untouched[static_cast<size_t>(d)] = false; };
    const auto keep_full = [&](absl::Span<const int64_t> sizes) {
      for (size_t d = 0; d < Rank(); ++d) untouched[d] = sizes[d] == OperandShape(0).dimension(static_cast<int64_t>(d));
    };
    switch (module_.opcode(id_)) {
      case Opcode::kConcatenate:
      case Opcode::kReverse:
      case Opcode::kSort:
        for (int64_t d : module_.IntsAttribute(id_, AttributeKind::kDimensions)) touch(d);
        return untouched;
      case Opcode::kSlice: {
        const std::vector<SliceRange>& ranges = *module_.SliceRangesAttribute(id_);
        for (size_t d = 0; d < Rank(); ++d) {
          untouched[d] = ranges[d] == SliceRange{0, OperandShape(0).dimension(static_cast<int64_t>(d)), 1};
        }
        return untouched;
      }
      case Opcode::kPad: {
        const PaddingConfig& padding = *module_.PaddingAttribute(id_);
        for (size_t d = 0; d < Rank(); ++d) {
          const auto& one = padding[d];
          untouched[d] = one.low == 0 && one.high == 0 && one.interior == 0;
        }
        return untouched;
      }
      case Opcode::kDynamicSlice:
        keep_full(module_.IntsAttribute(id_, AttributeKind::kDynamicSliceSizes));
        return untouched;
      case Opcode::kDynamicUpdateSlice:
        keep_full(OperandShape(1).dimensions());
        return untouched;
      default:
        return std::nullopt;
    }
  }

  const Module& module_;
  const InstructionId id_;
  const absl::Span<const Split> now_;
  const Split* const wanted_;
  const int64_t devices_;
  const SplitSizes sizes_;
};

}  // namespace

SplitPlan PlanSplit(const Module& module, InstructionId id, absl::Span<const Split> operands, const Split* wanted,
                    int64_t devices, SplitSizes sizes) {
  return Planner(module, id, operands, wanted, devices, sizes).Plan();
}

ReshapeSplit SplitOfReshape(const Split& operand, const Shape& from, const Shape& to, SplitSizes sizes) {
  ReshapeSplit split = {Split::Whole(from.rank(), operand.device_count()),
                        Split::Whole(to.rank(), operand.device_count())};
  int64_t rows = 1;
  for (int64_t d = 0; d < from.rank(); rows *= from.dimension(d++)) {
    if (!operand.IsCut(d)) continue;
    int64_t e = 0, before = 1;
    while (e < to.rank() && before < rows) before *= to.dimension(e++);
    while (e + 1 < to.rank() && to.dimension(e) == 1) ++e;
    const int64_t count = operand.counts[static_cast<size_t>(d)];
    // Tiles of dimensions of other sizes are the same elements only if there is no padding.
    const bool same_tiles = e < to.rank() && (from.dimension(d) == to.dimension(e) || sizes == SplitSizes::kTiles ||
                                              (from.dimension(d) % count == 0 && to.dimension(e) % count == 0));
    const bool fits = before == rows && same_tiles;
    if (!fits || split.result.IsCut(e)) continue;
    split.operand.SetDimension(d, operand, d);
    split.result.SetDimension(e, operand, d);
  }
  return split;
}

}  // namespace hloscope
