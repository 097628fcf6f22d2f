// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/buffers.h"

#include <algorithm>
#include <utility>

#include "core/layout/byte_size.h"
#include "core/ops/custom_call.h"
#include "core/print/print_order.h"

namespace hloscope {
namespace {

// See opcodes.def.
enum class BufferRule : uint8_t {
  kNew,
  kTuple,
  kElement,
  kOperand,
  kCustomCall,
  kAliasing,
  kCall,
  kLoop,
  kBranches,
  kStart,
  kDone,
};

BufferRule RuleOf(Opcode opcode) {
  switch (opcode) {
#define HLO_ANALYSIS(Name, operations, traffic, links, buffers) \
  case Opcode::k##Name:                                         \
    return BufferRule::k##buffers;
#include "core/analysis/opcodes.def"
    case Opcode::kInvalid:
      break;
  }
  return BufferRule::kNew;
}

constexpr BufferTable::BufferId kNew = 0xFFFFFFFFu;
constexpr uint32_t kNoLeaf = 0xFFFFFFFFu;

// Bytes of each leaf, depth first.
std::vector<int64_t> LeafBytes(const Shape& shape) {
  std::vector<int64_t> bytes;
  std::vector<const Shape*> open = {&shape};
  while (!open.empty()) {
    const Shape* top = open.back();
    open.pop_back();
    if (top->IsTuple() || top->IsBuffer()) {
      for (int64_t i = top->tuple_size(); i-- > 0;) open.push_back(&top->element(i));
    } else {
      bytes.push_back(DataBytes(*top));
    }
  }
  return bytes;
}

}  // namespace

BufferTable::BufferTable(const Module& module, const CallGraph& calls) : module_(module) {
  ranges_.resize(module.instruction_count());
  leaves_.reserve(module.instruction_count() * 2);
  buffers_.reserve(module.instruction_count());
  for (ComputationId computation : calls.callees_first()) {
    for (InstructionId id : module.computation(computation).instructions) Assign(id);
  }
}

absl::Span<const BufferTable::BufferId> BufferTable::Of(InstructionId id) const {
  if (!id.has_value()) return {};
  const Range& range = ranges_[id.index()];
  return absl::MakeConstSpan(leaves_).subspan(range.first_leaf, range.leaf_count);
}

std::pair<BufferTable::BufferId, uint32_t> BufferTable::DefinedBy(InstructionId id) const {
  const Range& range = ranges_[id.index()];
  return {range.first_defined, range.defined_count};
}

const std::vector<uint32_t>& BufferTable::ElementLeaves(ShapeId id) {
  std::vector<uint32_t>& first = element_leaves_[id];
  if (!first.empty()) return first;
  uint32_t leaf = 0;
  for (const Shape& element : module_.shape(id).elements()) {
    first.push_back(leaf);
    leaf += static_cast<uint32_t>(element.LeafCount());
  }
  first.push_back(leaf);
  return first;
}

uint32_t BufferTable::LeafOfIndex(const Shape& shape, absl::Span<const int64_t> index) const {
  const Shape* at = &shape;
  uint32_t leaf = 0;
  for (int64_t i : index) {
    if (!at->IsTuple() || i < 0 || i >= at->tuple_size()) return kNoLeaf;
    for (int64_t before = 0; before < i; ++before) leaf += static_cast<uint32_t>(at->element(before).LeafCount());
    at = &at->element(i);
  }
  return leaf;
}

void BufferTable::Assign(InstructionId id) {
  Range& range = ranges_[id.index()];
  range.first_leaf = static_cast<uint32_t>(leaves_.size());
  range.first_defined = static_cast<BufferId>(buffers_.size());
  const Shape& shape = module_.shape(id);
  if (!shape.IsValid()) return;
  const int64_t count = shape.LeafCount();
  // Omitted shapes of nested tuples can hold exponentially many leaves.
  if (count > kMaxLeaves || leaves_.size() + static_cast<size_t>(count) >= kNew) {
    complete_ = false;
    return;
  }
  std::vector<BufferId> found(static_cast<size_t>(count), kNew);
  FindAliases(id, &found);
  std::vector<int64_t>& bytes = leaf_bytes_[module_.instruction(id).shape];
  for (uint32_t leaf = 0; leaf < found.size(); ++leaf) {
    if (found[leaf] != kNew) continue;
    if (bytes.empty()) bytes = LeafBytes(shape);
    found[leaf] = static_cast<BufferId>(buffers_.size());
    buffers_.push_back({id, leaf, bytes[leaf]});
  }
  leaves_.insert(leaves_.end(), found.begin(), found.end());
  range.leaf_count = static_cast<uint32_t>(count);
  range.defined_count = static_cast<uint32_t>(buffers_.size()) - range.first_defined;
}

// Leaves [at, at + count) of the result are leaves [first, first + count) of the operand.
void BufferTable::PassSubtree(InstructionId operand, uint32_t first, std::vector<BufferId>* out, uint32_t at,
                              uint32_t count) {
  const absl::Span<const BufferId> from = Of(operand);
  if (first + count > from.size() || at + count > out->size()) return;
  std::copy_n(from.begin() + first, count, out->begin() + at);
}

// The whole operand, if it has as many leaves.
void BufferTable::PassOperand(InstructionId id, size_t operand, std::vector<BufferId>* out) {
  const absl::Span<const InstructionId> operands = module_.operands(id);
  if (operand >= operands.size()) return;
  if (Of(operands[operand]).size() != out->size()) return;
  PassSubtree(operands[operand], 0, out, 0, static_cast<uint32_t>(out->size()));
}

void BufferTable::FindAliases(InstructionId id, std::vector<BufferId>* out) {
  const absl::Span<const InstructionId> operands = module_.operands(id);
  switch (RuleOf(module_.opcode(id))) {
    case BufferRule::kTuple: {
      uint32_t at = 0;
      for (InstructionId operand : operands) {
        const uint32_t count = static_cast<uint32_t>(Of(operand).size());
        PassSubtree(operand, 0, out, at, count);
        at += count;
      }
      return;
    }
    case BufferRule::kElement: {
      if (operands.empty() || !operands[0].has_value()) return;
      const std::vector<uint32_t>& first = ElementLeaves(module_.instruction(operands[0]).shape);
      const int64_t index = module_.IntAttribute(id, AttributeKind::kIndex);
      if (index < 0 || index + 1 >= static_cast<int64_t>(first.size())) return;
      const size_t k = static_cast<size_t>(index);
      if (first[k + 1] - first[k] == out->size()) {
        PassSubtree(operands[0], first[k], out, 0, static_cast<uint32_t>(out->size()));
      }
      return;
    }
    case BufferRule::kOperand:
      return PassOperand(id, 0, out);
    case BufferRule::kCustomCall:
      if (IsIdentityCustomCall(module_, id)) return PassOperand(id, 0, out);
      return ApplyOutputAliasing(id, out);
    case BufferRule::kAliasing:
      return ApplyOutputAliasing(id, out);
    case BufferRule::kCall:
      return PassCallee(id, module_.ComputationAttribute(id, AttributeKind::kToApply), operands, out);
    case BufferRule::kLoop:
      return PassLoop(id, out);
    case BufferRule::kBranches:
      return PassBranches(id, out);
    case BufferRule::kStart:
      return PassStart(id, out);
    case BufferRule::kDone:
      return PassDone(id, out);
    case BufferRule::kNew:
      return;
  }
}

// (operands, result, context...); copy-start is (result, operand, context).
void BufferTable::PassStart(InstructionId id, std::vector<BufferId>* out) {
  if (!module_.shape(id).IsTuple() || module_.shape(id).tuple_size() < 2) return;
  const std::vector<uint32_t>& first = ElementLeaves(module_.instruction(id).shape);
  const bool is_copy = module_.opcode(id) == Opcode::kCopyStart;
  uint32_t at = first[is_copy ? 1 : 0];
  const uint32_t end = first[is_copy ? 2 : 1];
  for (InstructionId operand : module_.operands(id)) {
    const uint32_t count = static_cast<uint32_t>(Of(operand).size());
    if (at + count > end) return;
    PassSubtree(operand, 0, out, at, count);
    at += count;
  }
}

void BufferTable::PassDone(InstructionId id, std::vector<BufferId>* out) {
  const absl::Span<const InstructionId> operands = module_.operands(id);
  if (operands.empty() || !operands[0].has_value() || !module_.shape(operands[0]).IsTuple()) return;
  const std::vector<uint32_t>& first = ElementLeaves(module_.instruction(operands[0]).shape);
  if (module_.opcode(id) == Opcode::kRecvDone) {  // (data, context, token) -> (data, token)
    const uint32_t data = first.size() > 1 ? first[1] : 0;
    return PassSubtree(operands[0], 0, out, 0, std::min(data, static_cast<uint32_t>(out->size())));
  }
  const size_t element = module_.opcode(id) == Opcode::kCopyDone ? 0 : 1;
  if (element + 1 >= first.size() || first[element + 1] - first[element] != out->size()) return;
  PassSubtree(operands[0], first[element], out, 0, static_cast<uint32_t>(out->size()));
}

void BufferTable::PassCallee(InstructionId id, ComputationId callee, absl::Span<const InstructionId> arguments,
                             std::vector<BufferId>* out) {
  if (!callee.has_value() || !module_.computation(callee).root.has_value()) return;
  const absl::Span<const BufferId> root = Of(module_.computation(callee).root);
  if (root.size() != out->size()) return;
  absl::flat_hash_map<BufferId, BufferId> made;  // what the callee makes may be returned several times
  const std::vector<int64_t> bytes = LeafBytes(module_.shape(id));
  for (uint32_t leaf = 0; leaf < root.size(); ++leaf) {
    const LogicalBuffer source = buffers_[root[leaf]];
    if (module_.opcode(source.definer) == Opcode::kParameter) {
      const uint32_t number = module_.instruction(source.definer).parameter_number;
      if (number < arguments.size()) PassSubtree(arguments[number], source.leaf, out, leaf, 1);
      continue;
    }
    const auto [it, inserted] = made.try_emplace(root[leaf], static_cast<BufferId>(buffers_.size()));
    if (inserted) buffers_.push_back({id, leaf, bytes[leaf]});
    (*out)[leaf] = it->second;
  }
}

void BufferTable::PassLoop(InstructionId id, std::vector<BufferId>* out) {
  const ComputationId body = module_.ComputationAttribute(id, AttributeKind::kBody);
  if (!body.has_value() || module_.operands(id).empty() || !module_.computation(body).root.has_value()) return;
  const absl::Span<const BufferId> root = Of(module_.computation(body).root);
  if (root.size() != out->size()) return;
  for (uint32_t leaf = 0; leaf < root.size(); ++leaf) {
    const LogicalBuffer& source = buffers_[root[leaf]];
    const bool unchanged = module_.opcode(source.definer) == Opcode::kParameter && source.leaf == leaf;
    if (unchanged) PassSubtree(module_.operand(id, 0), leaf, out, leaf, 1);
  }
}

// A leaf that every branch takes from the same place.
void BufferTable::PassBranches(InstructionId id, std::vector<BufferId>* out) {
  const absl::Span<const InstructionId> operands = module_.operands(id);
  size_t branch = 0;
  std::vector<BufferId> common(out->size(), kNew);
  bool agree = true;
  ForEachCalleeInOrder(module_, id, /*body_before_condition=*/false, [&](ComputationId callee) {
    const size_t operand = ++branch;
    if (operand >= operands.size() || !module_.computation(callee).root.has_value()) {
      agree = false;
      return;
    }
    const absl::Span<const BufferId> root = Of(module_.computation(callee).root);
    if (root.size() != out->size()) {
      agree = false;
      return;
    }
    for (uint32_t leaf = 0; leaf < root.size(); ++leaf) {
      const LogicalBuffer& source = buffers_[root[leaf]];
      BufferId passed = kNew;
      const absl::Span<const BufferId> argument = Of(operands[operand]);
      if (module_.opcode(source.definer) == Opcode::kParameter && source.leaf < argument.size()) {
        passed = argument[source.leaf];
      }
      common[leaf] = branch == 1 || common[leaf] == passed ? passed : kNew;
    }
  });
  if (agree) *out = std::move(common);
}

void BufferTable::ApplyOutputAliasing(InstructionId id, std::vector<BufferId>* out) {
  const std::vector<AliasEntry>* entries = module_.AliasingAttribute(id, AttributeKind::kOutputToOperandAliasing);
  if (entries == nullptr) return;
  const absl::Span<const InstructionId> operands = module_.operands(id);
  for (const AliasEntry& entry : *entries) {
    if (entry.operand < 0 || entry.operand >= static_cast<int64_t>(operands.size())) continue;
    const InstructionId operand = operands[static_cast<size_t>(entry.operand)];
    if (!operand.has_value()) continue;
    const uint32_t to = LeafOfIndex(module_.shape(id), entry.output_index);
    const uint32_t from = LeafOfIndex(module_.shape(operand), entry.operand_index);
    if (to != kNoLeaf && from != kNoLeaf) PassSubtree(operand, from, out, to, 1);
  }
}

}  // namespace hloscope
