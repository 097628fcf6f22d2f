// SPDX-License-Identifier: Apache-2.0
#include "core/sharding/part_rewriter.h"

#include <optional>

namespace hloscope {
namespace {

void AppendLeaves(const Shape& shape, std::vector<Shape>* leaves) {
  if (!shape.IsTuple()) return leaves->push_back(shape);
  for (const Shape& element : shape.elements()) AppendLeaves(element, leaves);
}

Shape TakeLeaves(const Shape& shape, absl::Span<const Shape> leaves, size_t* next) {
  if (!shape.IsTuple()) return leaves[(*next)++];
  std::vector<Shape> elements;
  for (const Shape& element : shape.elements()) elements.push_back(TakeLeaves(element, leaves, next));
  return Shape::Tuple(std::move(elements));
}

// What a sharding, a schedule or the order of effects says about the old instructions.
bool IsKept(AttributeKind kind) {
  return kind != AttributeKind::kSharding && kind != AttributeKind::kControlPredecessors;
}

}  // namespace

std::vector<Shape> LeafShapes(const Shape& shape) {
  std::vector<Shape> leaves;
  AppendLeaves(shape, &leaves);
  return leaves;
}

Shape WithLeaves(const Shape& shape, absl::Span<const Shape> leaves) {
  size_t next = 0;
  return TakeLeaves(shape, leaves, &next);
}

std::vector<InstructionId> PartRewriter::Order(ComputationId computation) {
  std::vector<InstructionId> order;
  for (InstructionId id = editor_.first(computation); id.has_value(); id = editor_.next(id)) order.push_back(id);
  return order;
}

absl::Status PartRewriter::VisitToRoot(ComputationId computation,
                                       absl::FunctionRef<absl::Status(InstructionId)> visit) {
  const InstructionId root = module().computation(computation).root;
  for (InstructionId id : Order(computation)) {
    if (const absl::Status status = visit(id); !status.ok()) return status;
    if (id == root) break;
  }
  return absl::OkStatus();
}

bool PartRewriter::IsAccess(InstructionId old_id) const {
  const Opcode opcode = module().opcode(old_id);
  return opcode == Opcode::kTuple || opcode == Opcode::kGetTupleElement;
}

void PartRewriter::SetAccess(InstructionId old_id) {
  Parts parts;
  if (module().opcode(old_id) == Opcode::kTuple) {
    for (InstructionId operand : module().operands(old_id)) {
      const Parts& of = Of(operand);
      parts.insert(parts.end(), of.begin(), of.end());
    }
  } else {
    const InstructionId tuple = module().operand(old_id, 0);
    const int64_t index = module().IntAttribute(old_id, AttributeKind::kIndex);
    int64_t first = 0;
    for (int64_t k = 0; k < index; ++k) first += module().shape(tuple).element(k).LeafCount();
    const Parts& all = Of(tuple);
    const auto begin = all.begin() + first;
    parts.assign(begin, begin + module().shape(old_id).LeafCount());
  }
  Set(old_id, std::move(parts));
}

Parts PartRewriter::LeavesOf(InstructionId id, InstructionId before, absl::Span<const Split> splits) {
  Parts parts;
  const auto visit = [&](const auto& self, InstructionId value) -> void {
    const Shape shape = module().shape(value);
    if (!shape.IsTuple()) {
      const Split split = splits.size() == 1 ? splits[0] : splits[parts.size()];
      parts.push_back(
          {value, split.rank() == shape.rank() ? split : Split::Whole(shape.rank(), devices_), {}, 1, false});
      return;
    }
    for (int64_t k = 0; k < shape.tuple_size(); ++k) {
      const InstructionId element =
          editor_.Add(before, Opcode::kGetTupleElement, "get-tuple-element", shape.element(k), {value});
      editor_.mutable_module().AddInt(element, AttributeKind::kIndex, k);
      self(self, element);
    }
  };
  visit(visit, id);
  return parts;
}

InstructionId PartRewriter::Assemble(const Shape& like, absl::Span<const InstructionId> leaves, InstructionId before) {
  size_t next = 0;
  const auto build = [&](const auto& self, const Shape& shape) -> InstructionId {
    if (!shape.IsTuple()) return leaves[next++];
    std::vector<InstructionId> operands;
    std::vector<Shape> shapes;
    for (const Shape& element : shape.elements()) {
      operands.push_back(self(self, element));
      shapes.push_back(module().shape(operands.back()));
    }
    return editor_.Add(before, Opcode::kTuple, "tuple", Shape::Tuple(std::move(shapes)), operands);
  };
  return build(build, like);
}

InstructionId PartRewriter::Rewrite(InstructionId old_id, absl::Span<const InstructionId> operands, const Split& result,
                                    Shape (*resize)(const Shape&, const Split&)) {
  const Shape old_shape = module().shape(old_id);
  std::vector<Shape> leaves = LeafShapes(old_shape);
  if (!result.IsWhole()) {
    for (Shape& leaf : leaves) leaf = resize(leaf, result);
  }
  const Shape shape = WithLeaves(old_shape, leaves);
  const bool has_sizes = !result.IsWhole();
  std::optional<std::vector<SliceRange>> ranges;
  std::optional<std::vector<int64_t>> sizes;
  if (has_sizes && module().opcode(old_id) == Opcode::kSlice) ranges = *module().SliceRangesAttribute(old_id);
  if (has_sizes && module().opcode(old_id) == Opcode::kDynamicSlice) sizes.emplace();
  const InstructionId id = editor_.AddCopy(old_id, old_id, shape, operands, [&](AttributeKind kind) {
    return IsKept(kind) && !(ranges && kind == AttributeKind::kSlice) &&
           !(sizes && kind == AttributeKind::kDynamicSliceSizes);
  });
  for (int64_t d = 0; d < result.rank(); ++d) {
    // Dimensions that are cut are kept whole by a slice.
    if (ranges && result.IsCut(d)) (*ranges)[static_cast<size_t>(d)].limit = shape.dimension(d);
    if (sizes) sizes->push_back(shape.dimension(d));
  }
  if (ranges) editor_.mutable_module().AddSliceRanges(id, *std::move(ranges));
  if (sizes) editor_.mutable_module().AddInts(id, AttributeKind::kDynamicSliceSizes, *sizes);
  renamed_.emplace_back(old_id, id);
  return id;
}

InstructionId PartRewriter::RewriteAs(InstructionId old_id, absl::Span<const InstructionId> operands,
                                      const Shape& shape) {
  const InstructionId id = editor_.AddCopy(old_id, old_id, shape, operands, IsKept);
  renamed_.emplace_back(old_id, id);
  return id;
}

void PartRewriter::FinishComputation(ComputationId computation, InstructionId root) {
  const InstructionId old_root = module().computation(computation).root;
  const std::vector<InstructionId> old_order = Order(computation);
  editor_.SetRoot(computation, root);
  if (root != old_root) renamed_.emplace_back(old_root, root);
  for (size_t k = old_order.size(); k-- > 0;) {
    const InstructionId id = old_order[k];
    if (dropped_.contains(id) && editor_.IsAlive(id) && editor_.use_count(id) == 0) {
      editor_.Erase(id);
    } else {
      editor_.EraseIfUnused(id);
    }
  }
}

Module PartRewriter::Finish(InstructionId root, int64_t partitions) {
  FinishComputation(entry(), root);
  for (const auto& [old_id, id] : renamed_) {
    if (!editor_.IsAlive(old_id) && editor_.IsAlive(id)) editor_.SetName(id, module().instruction(old_id).name);
  }
  ModuleHeader& header = editor_.mutable_module().mutable_header();
  header.num_partitions = partitions;
  if (header.entry_computation_layout) {
    EntryComputationLayout& layout = *header.entry_computation_layout;
    const std::vector<InstructionId>& parameters = module().computation(entry()).parameters;
    const auto follow = [](const Shape& old, const Shape& now) {
      const std::vector<Shape> old_leaves = LeafShapes(old);
      std::vector<Shape> leaves = LeafShapes(now);
      for (size_t k = 0; k < leaves.size() && k < old_leaves.size(); ++k) {
        if (old_leaves[k].has_layout()) leaves[k].set_layout(old_leaves[k].layout());
      }
      return WithLeaves(now, leaves);
    };
    for (size_t k = 0; k < layout.parameters.size() && k < parameters.size(); ++k) {
      layout.parameters[k] = follow(layout.parameters[k], module().shape(parameters[k]));
    }
    layout.result = follow(layout.result, module().shape(root));
  }
  return editor_.Finish(/*drop_uncalled=*/true);
}

}  // namespace hloscope
