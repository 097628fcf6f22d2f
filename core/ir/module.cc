// SPDX-License-Identifier: Apache-2.0
#include "core/ir/module.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/hash/hash.h"

namespace hloscope {
namespace {

constexpr bool kHoldsComputations[] = {
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration, doc) \
  AttributeType::k##Type == AttributeType::kComputation || AttributeType::k##Type == AttributeType::kComputations,
#include "core/ir/attributes.def"
};

}  // namespace

Module::Module() = default;

ComputationId Module::AddComputation(absl::string_view name) {
  computations_.emplace_back().name = strings_.Intern(name);
  return ComputationId(computations_.size() - 1);
}

ComputationId Module::FindComputation(absl::string_view name) const {
  const StringId id = strings_.Find(name);
  if (!id.has_value()) return ComputationId::None();
  for (size_t i = 0; i < computations_.size(); ++i) {
    if (computations_[i].name == id && !computations_[i].is_anonymous) return ComputationId(i);
  }
  return ComputationId::None();
}

InstructionId Module::FindInstruction(ComputationId computation_id, absl::string_view name) const {
  const StringId id = strings_.Find(name);
  if (!id.has_value()) return InstructionId::None();
  for (InstructionId instruction_id : computation(computation_id).instructions) {
    if (instruction(instruction_id).name == id) return instruction_id;
  }
  return InstructionId::None();
}

InstructionId Module::AddInstruction(ComputationId computation, Opcode opcode, absl::string_view name,
                                     const Shape& shape, absl::Span<const InstructionId> operands) {
  return AddInstruction(computation, opcode, strings_.Intern(name), InternShape(shape), operands);
}

InstructionId Module::AddInstruction(ComputationId computation, Opcode opcode, StringId name, ShapeId shape,
                                     absl::Span<const InstructionId> operands) {
  const InstructionId id(instructions_.size());
  Instruction& instruction = instructions_.emplace_back();
  instruction.opcode = opcode;
  opcodes_.set(static_cast<size_t>(opcode));
  instruction.name = name;
  instruction.shape = shape;
  instruction.computation = computation;
  instruction.first_operand = static_cast<uint32_t>(operands_.AppendRun(operands));
  instruction.operand_count = static_cast<uint32_t>(operands.size());
  computations_.Mutable(computation.index()).instructions.push_back(id);
  return id;
}

void Module::ReplaceInstruction(InstructionId id, Opcode opcode, StringId name, ShapeId shape,
                                absl::Span<const InstructionId> operands) {
  Instruction replacement;
  replacement.opcode = opcode;
  opcodes_.set(static_cast<size_t>(opcode));
  replacement.name = name;
  replacement.shape = shape;
  replacement.computation = instruction(id).computation;
  replacement.first_operand = static_cast<uint32_t>(operands_.AppendRun(operands));
  replacement.operand_count = static_cast<uint32_t>(operands.size());
  mutable_instruction(id) = replacement;
}

void Module::SpliceInstructions(ComputationId computation_id, size_t position, SyntaxId first_syntax, uint32_t removed,
                                uint32_t inserted) {
  if (removed == 0 && inserted == 0) return;
  const std::vector<InstructionId>& listed = computation(computation_id).instructions;
  const uint32_t first = position < listed.size() ? listed[position].value : listed.back().value + 1;
  const uint32_t after = first + removed;
  const uint32_t shift = inserted - removed;  // modulo 2^32
  const auto moves = [&](InstructionId id) { return id.has_value() && id.value >= first; };
  const auto move = [&](InstructionId* id) {
    *id = id->value < after ? InstructionId::None() : InstructionId(id->value + shift);
  };

  Instruction blank;
  blank.computation = computation_id;
  instructions_.Splice(first, after, std::vector<Instruction>(inserted, blank));
  // Instructions of inline computations have smaller ids than those of the text before them.
  instructions_.ChangeIf(
      [&](const Instruction& i) { return i.syntax.has_value() && i.syntax.value >= first_syntax.value; },
      [&](Instruction* i) { i->syntax.value += shift; });
  operands_.ChangeIf(moves, move);
  instruction_ids_.ChangeIf(moves, move);
  const auto concerns = [&](const Computation& c) {
    return !c.instructions.empty() && c.instructions.back().value >= first;
  };
  computations_.ChangeIf(concerns, [&](Computation* c) {
    for (InstructionId& id : c->instructions) {
      if (moves(id)) id.value += shift;  // the removed ones go below
    }
    for (InstructionId& id : c->parameters) {
      if (moves(id)) move(&id);
    }
    if (moves(c->root)) move(&c->root);
  });
  std::vector<InstructionId>& list = mutable_computation(computation_id).instructions;
  const auto place = list.begin() + static_cast<std::ptrdiff_t>(position);
  list.erase(place, place + removed);
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(position), inserted, InstructionId());
  for (uint32_t i = 0; i < inserted; ++i) list[position + i] = InstructionId(first + i);
}

void Module::SetOperands(InstructionId id, absl::Span<const InstructionId> operands) {
  const uint32_t first = static_cast<uint32_t>(operands_.AppendRun(operands));
  Instruction& instruction = mutable_instruction(id);
  instruction.first_operand = first;
  instruction.operand_count = static_cast<uint32_t>(operands.size());
}

LiteralId Module::AddLiteral(Literal literal) {
  literals_.push_back(std::move(literal));
  return LiteralId(literals_.size() - 1);
}

ShapeId Module::InternShape(const Shape& shape) {
  const uint32_t hash = static_cast<uint32_t>(shape.Hash());
  const uint32_t found = shape_index_.Find(hash, [&](uint32_t id) { return shapes_[id] == shape; });
  if (found != InternIndex::kNone) return ShapeId(found);
  shapes_.push_back(shape);
  const ShapeId id(shapes_.size() - 1);
  shape_index_.Insert(hash, id.value);
  return id;
}

MetadataId Module::InternMetadata(const Metadata& m) {
  const uint32_t hash = static_cast<uint32_t>(absl::HashOf(
      m.op_type, m.op_name, m.source_file, m.source_line, m.source_end_line, m.source_column, m.source_end_column,
      m.stack_frame_id, m.scheduling_name, m.deduplicated_name, m.metadata_payload, m.profile_type));
  const uint32_t found = metadata_index_.Find(hash, [&](uint32_t id) { return metadata_[id] == m; });
  if (found != InternIndex::kNone) return MetadataId(found);
  metadata_.push_back(m);
  const MetadataId id(metadata_.size() - 1);
  metadata_index_.Insert(hash, id.value);
  return id;
}

const Attribute* Module::FindAttribute(InstructionId id, AttributeKind kind) const {
  if (!MayHave(kind)) return nullptr;
  for (const Attribute& attribute : attributes(id)) {
    if (attribute.kind == kind) return &attribute;
  }
  return nullptr;
}

bool Module::BoolAttribute(InstructionId id, AttributeKind kind, bool default_value) const {
  const Attribute* a = FindAttribute(id, kind);
  return a ? a->payload != 0 : default_value;
}

int64_t Module::IntAttribute(InstructionId id, AttributeKind kind, int64_t default_value) const {
  const Attribute* a = FindAttribute(id, kind);
  return a ? ints_[a->payload] : default_value;
}

double Module::FloatAttribute(InstructionId id, AttributeKind kind, double default_value) const {
  const Attribute* a = FindAttribute(id, kind);
  return a ? floats_[a->payload] : default_value;
}

absl::string_view Module::StringAttribute(InstructionId id, AttributeKind kind) const {
  const Attribute* a = FindAttribute(id, kind);
  return a ? strings_.Get(StringId(a->payload)) : absl::string_view();
}

absl::Span<const int64_t> Module::IntsAttribute(InstructionId id, AttributeKind kind) const {
  const Attribute* a = FindAttribute(id, kind);
  if (a == nullptr) return {};
  const ListRange range = int_ranges_[a->payload];
  return ints_.Run(range.first, range.count);
}

absl::Span<const ComputationId> Module::ComputationsAttribute(InstructionId id, AttributeKind kind) const {
  const Attribute* a = FindAttribute(id, kind);
  if (a == nullptr) return {};
  const ListRange range = computation_ranges_[a->payload];
  return computation_ids_.Run(range.first, range.count);
}

ComputationId Module::ComputationAttribute(InstructionId id, AttributeKind kind) const {
  const auto computations = ComputationsAttribute(id, kind);
  return computations.empty() ? ComputationId::None() : computations[0];
}

absl::Span<const InstructionId> Module::InstructionsAttribute(InstructionId id, AttributeKind kind) const {
  const Attribute* a = FindAttribute(id, kind);
  if (a == nullptr) return {};
  const ListRange range = instruction_ranges_[a->payload];
  return instruction_ids_.Run(range.first, range.count);
}

const std::vector<std::vector<int64_t>>* Module::IntListsAttribute(InstructionId id, AttributeKind kind) const {
  return Pooled(int_lists_, id, kind);
}
const Shape* Module::ShapeAttribute(InstructionId id, AttributeKind kind) const {
  const Attribute* a = FindAttribute(id, kind);
  return a ? &shapes_[a->payload] : nullptr;
}
const std::vector<Shape>* Module::ShapesAttribute(InstructionId id, AttributeKind kind) const {
  return Pooled(shape_lists_, id, kind);
}
const Literal* Module::LiteralAttribute(InstructionId id, AttributeKind kind) const {
  return Pooled(literals_, id, kind);
}
const std::vector<AliasEntry>* Module::AliasingAttribute(InstructionId id, AttributeKind kind) const {
  return Pooled(aliasings_, id, kind);
}
const ReplicaGroups* Module::ReplicaGroupsAttribute(InstructionId id) const {
  return Pooled(replica_groups_, id, AttributeKind::kReplicaGroups);
}
const Window* Module::WindowAttribute(InstructionId id) const { return Pooled(windows_, id, AttributeKind::kWindow); }
const ConvolutionDimensionNumbers* Module::DimLabelsAttribute(InstructionId id) const {
  return Pooled(dim_labels_, id, AttributeKind::kDimLabels);
}
const PaddingConfig* Module::PaddingAttribute(InstructionId id) const {
  return Pooled(paddings_, id, AttributeKind::kPadding);
}
const std::vector<SliceRange>* Module::SliceRangesAttribute(InstructionId id) const {
  return Pooled(slice_ranges_, id, AttributeKind::kSlice);
}
const SparsityConfig* Module::SparsityAttribute(InstructionId id) const {
  return Pooled(sparsities_, id, AttributeKind::kSparsityConfig);
}
const BlockScalingConfig* Module::BlockScalingAttribute(InstructionId id) const {
  return Pooled(block_scalings_, id, AttributeKind::kBlockScalingConfig);
}
const RawValue* Module::RawAttribute(InstructionId id, AttributeKind kind) const { return Pooled(raws_, id, kind); }
const Sharding* Module::ShardingAttribute(InstructionId id) const {
  return Pooled(shardings_, id, AttributeKind::kSharding);
}
const FrontendAttributes* Module::FrontendAttributesOf(InstructionId id) const {
  return Pooled(frontend_attributes_, id, AttributeKind::kFrontendAttributes);
}
const Statistics* Module::StatisticsOf(InstructionId id) const {
  return Pooled(statistics_, id, AttributeKind::kStatistics);
}
const Origin* Module::OriginOf(InstructionId id) const { return Pooled(origins_, id, AttributeKind::kOrigin); }
const Metadata* Module::MetadataOf(InstructionId id) const { return Pooled(metadata_, id, AttributeKind::kMetadata); }
const ResultAccuracy* Module::ResultAccuracyOf(InstructionId id) const {
  return Pooled(result_accuracies_, id, AttributeKind::kResultAccuracy);
}
const DomainValue* Module::DomainOf(InstructionId id) const { return Pooled(domains_, id, AttributeKind::kDomain); }

void Module::ForEachCalledComputation(InstructionId id,
                                      absl::FunctionRef<void(AttributeKind, ComputationId)> visit) const {
  for (const Attribute& attribute : attributes(id)) {
    if (!kHoldsComputations[static_cast<size_t>(attribute.kind)]) continue;
    const ListRange range = computation_ranges_[attribute.payload];
    for (uint32_t i = 0; i < range.count; ++i) visit(attribute.kind, computation_ids_[range.first + i]);
  }
}

void Module::Append(InstructionId id, AttributeKind kind, uint32_t payload, uint32_t syntax) {
  Instruction& instruction = mutable_instruction(id);
  attributes_.GrowRun(&instruction.first_attribute, instruction.attribute_count, {kind, payload, syntax});
  ++instruction.attribute_count;
  attribute_kinds_.set(static_cast<size_t>(kind));
}

void Module::AddBool(InstructionId id, AttributeKind kind, bool value, uint32_t syntax) {
  Append(id, kind, value ? 1 : 0, syntax);
}
void Module::AddInt(InstructionId id, AttributeKind kind, int64_t value, uint32_t syntax) {
  AppendPooled(ints_, id, kind, value, syntax);
}
void Module::AddFloat(InstructionId id, AttributeKind kind, double value, uint32_t syntax) {
  AppendPooled(floats_, id, kind, value, syntax);
}
void Module::AddString(InstructionId id, AttributeKind kind, absl::string_view value, uint32_t syntax) {
  Append(id, kind, strings_.Intern(value).value, syntax);
}
void Module::AddInts(InstructionId id, AttributeKind kind, absl::Span<const int64_t> value, uint32_t syntax) {
  const ListRange range{static_cast<uint32_t>(ints_.AppendRun(value)), static_cast<uint32_t>(value.size())};
  AppendPooled(int_ranges_, id, kind, range, syntax);
}
void Module::AddWord(InstructionId id, AttributeKind kind, int value, uint32_t syntax) {
  Append(id, kind, static_cast<uint32_t>(value), syntax);
}
void Module::AddComputations(InstructionId id, AttributeKind kind, absl::Span<const ComputationId> value,
                             uint32_t syntax) {
  const ListRange range{static_cast<uint32_t>(computation_ids_.AppendRun(value)), static_cast<uint32_t>(value.size())};
  AppendPooled(computation_ranges_, id, kind, range, syntax);
}
void Module::AddInstructions(InstructionId id, AttributeKind kind, absl::Span<const InstructionId> value,
                             uint32_t syntax) {
  const ListRange range{static_cast<uint32_t>(instruction_ids_.AppendRun(value)), static_cast<uint32_t>(value.size())};
  AppendPooled(instruction_ranges_, id, kind, range, syntax);
}
void Module::AddIntLists(InstructionId id, AttributeKind kind, std::vector<std::vector<int64_t>> value,
                         uint32_t syntax) {
  AppendPooled(int_lists_, id, kind, std::move(value), syntax);
}
void Module::AddShape(InstructionId id, AttributeKind kind, const Shape& value, uint32_t syntax) {
  Append(id, kind, InternShape(value).value, syntax);
}
void Module::AddShapes(InstructionId id, AttributeKind kind, std::vector<Shape> value, uint32_t syntax) {
  AppendPooled(shape_lists_, id, kind, std::move(value), syntax);
}
void Module::AddLiteral(InstructionId id, AttributeKind kind, Literal value, uint32_t syntax) {
  AppendPooled(literals_, id, kind, std::move(value), syntax);
}
void Module::AddAliasing(InstructionId id, AttributeKind kind, std::vector<AliasEntry> value, uint32_t syntax) {
  AppendPooled(aliasings_, id, kind, std::move(value), syntax);
}
void Module::AddReplicaGroups(InstructionId id, ReplicaGroups value, uint32_t syntax) {
  AppendPooled(replica_groups_, id, AttributeKind::kReplicaGroups, std::move(value), syntax);
}
void Module::AddWindow(InstructionId id, Window value, uint32_t syntax) {
  AppendPooled(windows_, id, AttributeKind::kWindow, std::move(value), syntax);
}
void Module::AddDimLabels(InstructionId id, ConvolutionDimensionNumbers value, uint32_t syntax) {
  AppendPooled(dim_labels_, id, AttributeKind::kDimLabels, std::move(value), syntax);
}
void Module::AddPadding(InstructionId id, PaddingConfig value, uint32_t syntax) {
  AppendPooled(paddings_, id, AttributeKind::kPadding, std::move(value), syntax);
}
void Module::AddSliceRanges(InstructionId id, std::vector<SliceRange> value, uint32_t syntax) {
  AppendPooled(slice_ranges_, id, AttributeKind::kSlice, std::move(value), syntax);
}
void Module::AddSparsity(InstructionId id, SparsityConfig value, uint32_t syntax) {
  AppendPooled(sparsities_, id, AttributeKind::kSparsityConfig, std::move(value), syntax);
}
void Module::AddBlockScaling(InstructionId id, BlockScalingConfig value, uint32_t syntax) {
  AppendPooled(block_scalings_, id, AttributeKind::kBlockScalingConfig, std::move(value), syntax);
}
void Module::AddRaw(InstructionId id, AttributeKind kind, RawValue value, uint32_t syntax) {
  AppendPooled(raws_, id, kind, std::move(value), syntax);
}
void Module::AddSharding(InstructionId id, Sharding value, uint32_t syntax) {
  AppendPooled(shardings_, id, AttributeKind::kSharding, std::move(value), syntax);
}
void Module::AddFrontendAttributes(InstructionId id, FrontendAttributes value, uint32_t syntax) {
  AppendPooled(frontend_attributes_, id, AttributeKind::kFrontendAttributes, std::move(value), syntax);
}
void Module::AddStatistics(InstructionId id, Statistics value, uint32_t syntax) {
  AppendPooled(statistics_, id, AttributeKind::kStatistics, std::move(value), syntax);
}
void Module::AddOrigin(InstructionId id, Origin value, uint32_t syntax) {
  AppendPooled(origins_, id, AttributeKind::kOrigin, std::move(value), syntax);
}
void Module::AddMetadata(InstructionId id, const Metadata& value, uint32_t syntax) {
  Append(id, AttributeKind::kMetadata, InternMetadata(value).value, syntax);
}
void Module::AddResultAccuracy(InstructionId id, ResultAccuracy value, uint32_t syntax) {
  AppendPooled(result_accuracies_, id, AttributeKind::kResultAccuracy, std::move(value), syntax);
}
void Module::AddDomain(InstructionId id, DomainValue value, uint32_t syntax) {
  AppendPooled(domains_, id, AttributeKind::kDomain, std::move(value), syntax);
}

void Module::Reserve(size_t instructions, size_t operands, size_t attributes) {
  strings_.Reserve(instructions + instructions / 4);  // computations have names, too, and attributes hold strings
  instructions_.reserve(instructions);
  operands_.reserve(operands);
  attributes_.reserve(attributes);
}

size_t Module::MemoryUsage() const {
  return strings_.MemoryUsage() + instructions_.MemoryUsage() + operands_.MemoryUsage() + attributes_.MemoryUsage() +
         shapes_.MemoryUsage() + metadata_.MemoryUsage() + ints_.MemoryUsage() + int_ranges_.MemoryUsage() +
         computations_.MemoryUsage();
}

}  // namespace hloscope
