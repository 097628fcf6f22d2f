// SPDX-License-Identifier: Apache-2.0
// The in-memory module: computations of instructions, everything named by typed ids.
#ifndef HLOSCOPE_CORE_IR_MODULE_H_
#define HLOSCOPE_CORE_IR_MODULE_H_

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/attribute_values.h"
#include "core/ir/chunked_vector.h"
#include "core/ir/ids.h"
#include "core/ir/intern_index.h"
#include "core/ir/literal.h"
#include "core/ir/opcode.h"
#include "core/ir/shape.h"
#include "core/ir/string_pool.h"

namespace hloscope {

// One attribute of one instruction. `payload` is the value itself (bool, word, computation id, string id) or an index
// into the pool of its type; read it through Module's typed accessors.
struct Attribute {
  AttributeKind kind;
  uint32_t payload = 0;
  uint32_t syntax = 0xFFFFFFFFu;  // it is the instruction's attribute of this number in the text, from 0
};

struct Instruction {
  Opcode opcode = Opcode::kInvalid;
  bool shape_declared = false;      // the text gave the shape
  bool synthesized = false;         // made by the reader: compact tuple access, async sugar, nested operand
  bool has_reading_errors = false;  // a diagnostic was reported while reading it: no rule is run on it
  bool is_named = false;            // the text names it
  bool is_marked_root = false;      // ROOT is before it
  uint16_t attribute_count = 0;
  StringId name;
  ShapeId shape;
  ComputationId computation;
  uint32_t first_operand = 0;
  uint32_t operand_count = 0;
  uint32_t first_attribute = 0;
  uint32_t parameter_number = 0;  // of a parameter
  LiteralId literal;              // of a constant
  SyntaxId syntax;                // none if not made from text
};

struct Computation {
  StringId name;
  std::string execution_thread = "main";
  bool is_anonymous = false;                // written inline
  bool has_signature = false;               // written with parameters and result
  std::vector<InstructionId> instructions;  // text order; a schedule if the module is scheduled
  std::vector<InstructionId> parameters;    // by parameter number; none where the number is missing
  InstructionId root;                       // none if the computation could not be read
  bool root_is_marked = false;              // ROOT was written
  uint32_t syntax = 0xFFFFFFFFu;            // computation node of the SyntaxTree
};

struct StackFrameTables {
  struct Location {
    int32_t file_name_id = 0, function_name_id = 0, line = 0, end_line = 0, column = 0, end_column = 0;
  };
  struct Frame {
    int32_t file_location_id = 0, parent_frame_id = 0;  // parent n means frame n-1; 1 means none
  };
  std::vector<std::string> file_names, function_names;
  std::vector<Location> locations;
  std::vector<Frame> frames;
  bool empty() const { return file_names.empty() && function_names.empty() && locations.empty() && frames.empty(); }
};

struct EntryComputationLayout {
  std::vector<Shape> parameters;
  Shape result;
};

class Module;

struct OriginRecoveryEntry {
  OriginArray from, to;
  std::shared_ptr<const Module> module;  // computes `from` from `to`; null if none is given
};
enum class DebugLogMode : uint8_t { kNone, kDefault, kFusionDebugger };
struct DebugAttribute {
  DebugLogMode log_mode = DebugLogMode::kNone;  // kNone: not written
  int64_t callback_id = 0;
  bool partitioned = false;
  int64_t op_id = 0;
};

// The header (docs/text-format.md 2.2-2.8).
struct ModuleHeader {
  bool written = false;  // the text has a `HloModule` line
  std::string name;
  bool is_scheduled = false;
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  std::vector<AliasEntry> input_output_alias;
  std::vector<DonorEntry> buffer_donor;
  bool alias_passthrough_params = false;
  std::optional<EntryComputationLayout> entry_computation_layout;
  std::vector<bool> allow_spmd_sharding_propagation_to_parameters = {false};
  std::vector<bool> allow_spmd_sharding_propagation_to_output = {false};
  FrontendAttributes frontend_attributes;
  std::vector<OriginRecoveryEntry> origin_recovery_table;
  std::vector<std::pair<OriginArray, std::vector<DebugAttribute>>> debug_attributes;
  StackFrameTables stack_frames;
};

// Owns everything of one module. Built once (by the reader or by a transform) through the Add/Set functions, then
// immutable and freely shared between threads. A copy shares the tables until it changes them.
class Module {
 public:
  Module();
  Module(const Module&) = default;
  Module& operator=(const Module&) = default;
  Module(Module&&) = default;
  Module& operator=(Module&&) = default;

  ModuleHeader& mutable_header() { return header_; }
  const ModuleHeader& header() const { return header_; }
  absl::string_view name() const { return header_.name; }

  // --- Computations ---
  const ChunkedVector<Computation>& computations() const { return computations_; }
  const Computation& computation(ComputationId id) const { return computations_[id.index()]; }
  Computation& mutable_computation(ComputationId id) { return computations_.Mutable(id.index()); }
  // None if the text has no computation.
  ComputationId entry() const { return entry_; }
  // Whether nothing says which one is the entry: the last one of a text without ENTRY.
  bool entry_is_assumed() const { return entry_is_assumed_; }
  void set_entry(ComputationId id, bool is_assumed = false) {
    entry_ = id;
    entry_is_assumed_ = is_assumed;
  }
  ComputationId AddComputation(absl::string_view name);
  absl::string_view ComputationName(ComputationId id) const { return strings_.Get(computation(id).name); }
  // First computation of that name; none if there is none. Linear.
  ComputationId FindComputation(absl::string_view name) const;

  // --- Instructions ---
  const ChunkedVector<Instruction>& instructions() const { return instructions_; }
  size_t instruction_count() const { return instructions_.size(); }
  const Instruction& instruction(InstructionId id) const { return instructions_[id.index()]; }
  Instruction& mutable_instruction(InstructionId id) { return instructions_.Mutable(id.index()); }
  absl::string_view InstructionName(InstructionId id) const { return strings_.Get(instruction(id).name); }
  // First instruction of that name in the computation; none if there is none. Linear.
  InstructionId FindInstruction(ComputationId computation, absl::string_view name) const;

  // Appends an instruction to `computation`. The operands must exist already (none ids mark operands that could not be
  // read).
  InstructionId AddInstruction(ComputationId computation, Opcode opcode, absl::string_view name, const Shape& shape,
                               absl::Span<const InstructionId> operands);
  // The same for an already interned name and shape.
  InstructionId AddInstruction(ComputationId computation, Opcode opcode, StringId name, ShapeId shape,
                               absl::Span<const InstructionId> operands);
  // Makes `id` another instruction of its computation: as AddInstruction, in its place.
  void ReplaceInstruction(InstructionId id, Opcode opcode, StringId name, ShapeId shape,
                          absl::Span<const InstructionId> operands);
  // Takes `removed` instructions of `computation` out, from its instruction `position` on, and puts `inserted` invalid
  // ones there. Ids stay dense and in order: those of later instructions move, and with them every mention in the
  // module; syntax ids from `first_syntax` on, the first one taken out, move alike. Mentions of removed instructions
  // become none. The computation must have instructions, with consecutive ids.
  void SpliceInstructions(ComputationId computation, size_t position, SyntaxId first_syntax, uint32_t removed,
                          uint32_t inserted);
  void SetOperands(InstructionId id, absl::Span<const InstructionId> operands);
  void SetShape(InstructionId id, const Shape& shape) { mutable_instruction(id).shape = InternShape(shape); }

  absl::Span<const InstructionId> operands(InstructionId id) const {
    const Instruction& i = instruction(id);
    return operands_.Run(i.first_operand, i.operand_count);
  }
  InstructionId operand(InstructionId id, size_t k) const { return operands(id)[k]; }
  const Shape& shape(InstructionId id) const { return shapes_[instruction(id).shape.index()]; }
  const Shape& shape(ShapeId id) const { return shapes_[id.index()]; }
  Opcode opcode(InstructionId id) const { return instruction(id).opcode; }

  // The constant's value. Requires opcode kConstant and a readable literal (instruction(id).literal.has_value()).
  const Literal& literal(InstructionId id) const { return literals_[instruction(id).literal.index()]; }
  const Literal& literal(LiteralId id) const { return literals_[id.index()]; }
  LiteralId AddLiteral(Literal literal);
  void SetLiteral(InstructionId id, Literal literal) {
    mutable_instruction(id).literal = AddLiteral(std::move(literal));
  }

  // False only if no instruction has the opcode, or carries the attribute: what is looked for need not be.
  bool MayHave(Opcode opcode) const { return opcodes_.test(static_cast<size_t>(opcode)); }
  bool MayHave(AttributeKind kind) const { return attribute_kinds_.test(static_cast<size_t>(kind)); }

  // --- Interning ---
  ShapeId InternShape(const Shape& shape);
  size_t shape_count() const { return shapes_.size(); }
  StringId InternString(absl::string_view text) { return strings_.Intern(text); }
  absl::string_view string(StringId id) const { return id.has_value() ? strings_.Get(id) : absl::string_view(); }
  StringPool& mutable_strings() { return strings_; }
  // None if nothing in the module has this text.
  StringId FindString(absl::string_view text) const { return strings_.Find(text); }
  // False if the text can serve as a new name.
  bool HasString(absl::string_view text) const { return FindString(text).has_value(); }

  // --- Attributes ---
  absl::Span<const Attribute> attributes(InstructionId id) const {
    const Instruction& i = instruction(id);
    return attributes_.Run(i.first_attribute, i.attribute_count);
  }
  // Null if the instruction does not carry it.
  const Attribute* FindAttribute(InstructionId id, AttributeKind kind) const;
  bool HasAttribute(InstructionId id, AttributeKind kind) const { return FindAttribute(id, kind) != nullptr; }

  // Typed reads; the attribute's AttributeType must be the one named. Absent: the default, an empty span or null.
  bool BoolAttribute(InstructionId id, AttributeKind kind, bool default_value = false) const;
  int64_t IntAttribute(InstructionId id, AttributeKind kind, int64_t default_value = 0) const;  // kInt, kInt32
  double FloatAttribute(InstructionId id, AttributeKind kind, double default_value = 0) const;
  absl::string_view StringAttribute(InstructionId id, AttributeKind kind) const;
  absl::Span<const int64_t> IntsAttribute(InstructionId id, AttributeKind kind) const;  // kInts, kBools, kWords
  absl::Span<const ComputationId> ComputationsAttribute(InstructionId id, AttributeKind kind) const;  // kComputation(s)
  ComputationId ComputationAttribute(InstructionId id, AttributeKind kind) const;                     // none if absent
  absl::Span<const InstructionId> InstructionsAttribute(InstructionId id, AttributeKind kind) const;
  // The word as its enum: WordAttribute<ComparisonDirection>(id, AttributeKind::kDirection, ComparisonDirection::kEq).
  template <typename Word>
  Word WordAttribute(InstructionId id, AttributeKind kind, Word default_value) const {
    const Attribute* a = FindAttribute(id, kind);
    return a ? static_cast<Word>(a->payload) : default_value;
  }
  // kIntPairs and kIntLists: a list of lists.
  const std::vector<std::vector<int64_t>>* IntListsAttribute(InstructionId id, AttributeKind kind) const;
  const Shape* ShapeAttribute(InstructionId id, AttributeKind kind) const;
  const std::vector<Shape>* ShapesAttribute(InstructionId id, AttributeKind kind) const;
  const Literal* LiteralAttribute(InstructionId id, AttributeKind kind) const;
  const std::vector<AliasEntry>* AliasingAttribute(InstructionId id, AttributeKind kind) const;
  const ReplicaGroups* ReplicaGroupsAttribute(InstructionId id) const;
  const Window* WindowAttribute(InstructionId id) const;
  const ConvolutionDimensionNumbers* DimLabelsAttribute(InstructionId id) const;
  const PaddingConfig* PaddingAttribute(InstructionId id) const;
  const std::vector<SliceRange>* SliceRangesAttribute(InstructionId id) const;
  const SparsityConfig* SparsityAttribute(InstructionId id) const;
  const BlockScalingConfig* BlockScalingAttribute(InstructionId id) const;
  const RawValue* RawAttribute(InstructionId id, AttributeKind kind) const;
  const Sharding* ShardingAttribute(InstructionId id) const;
  const FrontendAttributes* FrontendAttributesOf(InstructionId id) const;
  const Statistics* StatisticsOf(InstructionId id) const;
  const Origin* OriginOf(InstructionId id) const;
  const Metadata* MetadataOf(InstructionId id) const;
  const ResultAccuracy* ResultAccuracyOf(InstructionId id) const;
  const DomainValue* DomainOf(InstructionId id) const;
  const Metadata& metadata(MetadataId id) const { return metadata_[id.index()]; }
  MetadataId InternMetadata(const Metadata& metadata);

  // Called computations in attribute order (docs/text-format.md 7.2): all Computation(s)-valued attributes.
  void ForEachCalledComputation(InstructionId id, absl::FunctionRef<void(AttributeKind, ComputationId)> visit) const;

  // Adding attributes. All attributes of an instruction must be added in one run, before any other instruction's;
  // `syntax` is the number of the attribute in the text.
  static constexpr uint32_t kNoSyntax = 0xFFFFFFFFu;
  void AddBool(InstructionId id, AttributeKind kind, bool value, uint32_t syntax = kNoSyntax);
  void AddInt(InstructionId id, AttributeKind kind, int64_t value, uint32_t syntax = kNoSyntax);
  void AddFloat(InstructionId id, AttributeKind kind, double value, uint32_t syntax = kNoSyntax);
  void AddString(InstructionId id, AttributeKind kind, absl::string_view value, uint32_t syntax = kNoSyntax);
  void AddInts(InstructionId id, AttributeKind kind, absl::Span<const int64_t> value, uint32_t syntax = kNoSyntax);
  void AddWord(InstructionId id, AttributeKind kind, int value, uint32_t syntax = kNoSyntax);
  void AddComputations(InstructionId id, AttributeKind kind, absl::Span<const ComputationId> value,
                       uint32_t syntax = kNoSyntax);
  void AddInstructions(InstructionId id, AttributeKind kind, absl::Span<const InstructionId> value,
                       uint32_t syntax = kNoSyntax);
  void AddIntLists(InstructionId id, AttributeKind kind, std::vector<std::vector<int64_t>> value,
                   uint32_t syntax = kNoSyntax);
  void AddShape(InstructionId id, AttributeKind kind, const Shape& value, uint32_t syntax = kNoSyntax);
  void AddShapes(InstructionId id, AttributeKind kind, std::vector<Shape> value, uint32_t syntax = kNoSyntax);
  void AddLiteral(InstructionId id, AttributeKind kind, Literal value, uint32_t syntax = kNoSyntax);
  void AddAliasing(InstructionId id, AttributeKind kind, std::vector<AliasEntry> value, uint32_t syntax = kNoSyntax);
  void AddReplicaGroups(InstructionId id, ReplicaGroups value, uint32_t syntax = kNoSyntax);
  void AddWindow(InstructionId id, Window value, uint32_t syntax = kNoSyntax);
  void AddDimLabels(InstructionId id, ConvolutionDimensionNumbers value, uint32_t syntax = kNoSyntax);
  void AddPadding(InstructionId id, PaddingConfig value, uint32_t syntax = kNoSyntax);
  void AddSliceRanges(InstructionId id, std::vector<SliceRange> value, uint32_t syntax = kNoSyntax);
  void AddSparsity(InstructionId id, SparsityConfig value, uint32_t syntax = kNoSyntax);
  void AddBlockScaling(InstructionId id, BlockScalingConfig value, uint32_t syntax = kNoSyntax);
  void AddRaw(InstructionId id, AttributeKind kind, RawValue value, uint32_t syntax = kNoSyntax);
  void AddSharding(InstructionId id, Sharding value, uint32_t syntax = kNoSyntax);
  void AddFrontendAttributes(InstructionId id, FrontendAttributes value, uint32_t syntax = kNoSyntax);
  void AddStatistics(InstructionId id, Statistics value, uint32_t syntax = kNoSyntax);
  void AddOrigin(InstructionId id, Origin value, uint32_t syntax = kNoSyntax);
  void AddMetadata(InstructionId id, const Metadata& value, uint32_t syntax = kNoSyntax);
  void AddResultAccuracy(InstructionId id, ResultAccuracy value, uint32_t syntax = kNoSyntax);
  // The same value as that of an attribute of another instruction, which is stored once.
  void AddShared(InstructionId id, const Attribute& other, uint32_t syntax = kNoSyntax) {
    Append(id, other.kind, other.payload, syntax);
  }
  void AddDomain(InstructionId id, DomainValue value, uint32_t syntax = kNoSyntax);
  // Of attribute k of the instruction.
  void SetAttributeSyntax(InstructionId id, uint32_t k, uint32_t syntax) {
    attributes_.Mutable(instruction(id).first_attribute + k).syntax = syntax;
  }

  // Reserves room for about this many instructions.
  void Reserve(size_t instructions, size_t operands, size_t attributes);
  // Bytes held by the module's tables (an estimate, for statistics).
  size_t MemoryUsage() const;

 private:
  struct ListRange {
    uint32_t first, count;
  };

  void Append(InstructionId id, AttributeKind kind, uint32_t payload, uint32_t syntax);
  template <typename T>
  const T* Pooled(const ChunkedVector<T>& pool, InstructionId id, AttributeKind kind) const {
    const Attribute* a = FindAttribute(id, kind);
    return a ? &pool[a->payload] : nullptr;
  }
  template <typename T>
  void AppendPooled(ChunkedVector<T>& pool, InstructionId id, AttributeKind kind, T value, uint32_t syntax) {
    Append(id, kind, static_cast<uint32_t>(pool.size()), syntax);
    pool.push_back(std::move(value));
  }

  ModuleHeader header_;
  StringPool strings_;
  ChunkedVector<Computation> computations_;
  ComputationId entry_;
  bool entry_is_assumed_ = false;
  ChunkedVector<Instruction> instructions_;
  ChunkedVector<InstructionId> operands_;
  ChunkedVector<Attribute> attributes_;
  std::bitset<256> opcodes_, attribute_kinds_;  // ever given to an instruction

  ChunkedVector<Shape> shapes_;
  InternIndex shape_index_;
  ChunkedVector<Metadata> metadata_;
  InternIndex metadata_index_;
  ChunkedVector<Literal> literals_;

  ChunkedVector<int64_t> ints_;  // elements of the lists below, and single ints
  ChunkedVector<ListRange> int_ranges_;
  ChunkedVector<double> floats_;
  ChunkedVector<ComputationId> computation_ids_;
  ChunkedVector<ListRange> computation_ranges_;
  ChunkedVector<InstructionId> instruction_ids_;
  ChunkedVector<ListRange> instruction_ranges_;
  ChunkedVector<std::vector<std::vector<int64_t>>> int_lists_;
  ChunkedVector<std::vector<Shape>> shape_lists_;
  ChunkedVector<std::vector<AliasEntry>> aliasings_;
  ChunkedVector<ReplicaGroups> replica_groups_;
  ChunkedVector<Window> windows_;
  ChunkedVector<ConvolutionDimensionNumbers> dim_labels_;
  ChunkedVector<PaddingConfig> paddings_;
  ChunkedVector<std::vector<SliceRange>> slice_ranges_;
  ChunkedVector<SparsityConfig> sparsities_;
  ChunkedVector<BlockScalingConfig> block_scalings_;
  ChunkedVector<RawValue> raws_;
  ChunkedVector<Sharding> shardings_;
  ChunkedVector<FrontendAttributes> frontend_attributes_;
  ChunkedVector<Statistics> statistics_;
  ChunkedVector<Origin> origins_;
  ChunkedVector<ResultAccuracy> result_accuracies_;
  ChunkedVector<DomainValue> domains_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_MODULE_H_
