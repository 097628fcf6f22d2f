// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/module_reader.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/ir/element_type.h"
#include "core/ir/text_hash.h"
#include "interop/hlo_proto/attributes.h"
#include "interop/hlo_proto/header.h"
#include "interop/hlo_proto/ids.h"
#include "interop/hlo_proto/literals.h"
#include "interop/hlo_proto/module_bytes.h"
#include "interop/hlo_proto/recent_fields.h"
#include "interop/hlo_proto/shape_bytes.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/wire/take_apart.h"

namespace hloscope::interop {
namespace {

// Field numbers above this one came after these messages were written down: they may mean anything.
constexpr int kLastKnownInstructionField = 102;
// So many instructions ahead names are looked up, in a table that is larger than a processor's cache.
constexpr size_t kPrefetched = 8;

struct NamedOpcode {
  std::optional<Opcode> opcode;
  absl::string_view direction;  // of an old comparison
};

NamedOpcode OpcodeOf(absl::string_view word) {
  static constexpr struct {
    absl::string_view word, direction;
  } kOldComparisons[] = {{"equal-to", "EQ"},     {"not-equal-to", "NE"},
                         {"greater-than", "GT"}, {"greater-than-or-equal-to", "GE"},
                         {"less-than", "LT"},    {"less-than-or-equal-to", "LE"}};
  if (const std::optional<Opcode> opcode = OpcodeFromName(word)) return {opcode, ""};
  for (const auto& old : kOldComparisons) {
    if (word == old.word) return {Opcode::kCompare, old.direction};
  }
  if (word == "cross-replica-sum") return {Opcode::kAllReduce, ""};
  return {};
}

// Of every byte.
struct NameBytes {
  std::array<bool, 256> may_begin{}, may_follow{};
  constexpr NameBytes() {
    for (size_t c = 0; c < 256; ++c) {
      may_begin[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      may_follow[c] = may_begin[c] || (c >= '0' && c <= '9') || c == '.' || c == '-';
    }
  }
};
constexpr NameBytes kNameBytes;

bool IsNameCharacter(absl::string_view name, size_t i) {
  const auto c = static_cast<unsigned char>(name[i]);
  return i > 0 ? kNameBytes.may_follow[c] : kNameBytes.may_begin[c];
}

// Whether ValidName would not change it.
bool IsValidName(absl::string_view name) {
  bool has_dot = false;  // which no type has
  for (size_t i = 0; i < name.size(); ++i) {
    if (!IsNameCharacter(name, i)) return false;
    has_dot |= name[i] == '.';
  }
  const bool is_reserved = absl::StartsWith(name, "__") && !absl::StartsWith(name, "__xla_");
  return !is_reserved && (has_dot || !ElementTypeFromName(name));
}

class ModuleReader {
 public:
  explicit ModuleReader(ProtoPlace* place) : place_(*place) {}

  absl::StatusOr<ReadModule> Read(absl::string_view bytes) {
    place_ = ProtoPlace();
    if (!from_.Cut(bytes)) return Damaged();
    absl::Status status = ReadAll();
    if (status.ok()) return std::move(result_);
    if (absl::IsDataLoss(status)) return status;
    return absl::InvalidArgumentError(
        absl::StrCat(PlaceName(from_, place_.computation, place_.instruction), ": ", status.message()));
  }

 private:
  static absl::Status Damaged() { return absl::DataLossError("the message is damaged"); }

  absl::Status ReadAll() {
    if (from_.computations().empty()) return absl::InvalidArgumentError("it has no computations");
    absl::StatusOr<absl::flat_hash_map<int64_t, int>> by_id = ComputationsById(from_, &place_.computation);
    if (!by_id.ok()) return by_id.status();
    computations_by_id_ = *std::move(by_id);
    small_computation_ids_.assign(computations_by_id_.size() * 4 + 64, -1);
    for (const auto& [id, position] : computations_by_id_) {
      if (IsSmallId(id)) small_computation_ids_[static_cast<size_t>(id)] = position;
    }
    if (absl::Status status = ReadHeader(from_.message(), from_.program_shape(), &module(), &result_.notes);
        !status.ok()) {
      return status;
    }
    result_.most_name_bytes = from_.MostNameBytes();
    module().mutable_header().name = ValidName(from_.message().name());
    const absl::StatusOr<std::vector<int>> order = ComputationOrder();
    if (!order.ok()) return order.status();
    const size_t instructions = from_.instructions().size();
    module().Reserve(instructions, instructions * 2, instructions * 2);
    module().mutable_strings().Reserve(instructions + instructions / 2);
    result_.instruction_ids.reserve(instructions);
    ids_.resize(from_.computations().size());
    for (int position : *order) {
      place_ = {position, -1};
      if (absl::Status status = ReadComputation(position); !status.ok()) return status;
    }
    place_ = ProtoPlace();
    return FindEntry();
  }

  Module& module() { return result_.module; }

  bool IsSmallId(int64_t id) const { return id >= 0 && static_cast<size_t>(id) < small_computation_ids_.size(); }
  // The position of a computation; -1 if there is none.
  int ComputationNumbered(int64_t id) const {
    if (IsSmallId(id)) return small_computation_ids_[static_cast<size_t>(id)];
    const auto it = computations_by_id_.find(id);
    return it == computations_by_id_.end() ? -1 : it->second;
  }

  absl::StatusOr<std::vector<int>> ComputationOrder() {
    std::vector<int> given(from_.computations().size());
    std::iota(given.begin(), given.end(), 0);
    const auto visit = [&](int position, absl::FunctionRef<void(int)> take) {
      for (const ModuleBytes::Instruction& instruction : from_.instructions(from_.computation(position))) {
        // Ids that name nothing are reported where they are read.
        for (int64_t id : from_.callees(instruction)) {
          if (const int callee = ComputationNumbered(id); callee >= 0) take(callee);
        }
      }
    };
    absl::StatusOr<std::vector<int>> order = OrderByNeeds(given, visit, &place_.computation);
    if (order.ok() && *order != given)
      result_.notes.emplace_back("computations are stored before those that they call");
    return order;
  }

  // Positions of the instructions in the order of the schedule; nothing if there is none, or it is not one of these.
  std::optional<std::vector<int>> ScheduleOf(const ModuleBytes::Computation& computation) {
    const auto& sequences = from_.message().schedule().sequences();
    const auto it = sequences.find(computation.id);
    if (it == sequences.end()) return std::nullopt;
    std::vector<int> order;
    std::vector<bool> seen(computation.count, false);
    for (int64_t id : it->second.instruction_ids()) {
      const int found = instructions_by_id_.Find(LocalId(id));
      if (found < 0 || seen[static_cast<size_t>(found)]) {
        Note(absl::StrCat("schedule: ", id, found < 0 ? " names no instruction" : " is repeated",
                          "; its instructions are in the order of the file"));
        return std::nullopt;
      }
      seen[static_cast<size_t>(found)] = true;
      order.push_back(found);
    }
    if (order.size() == seen.size()) return order;
    Note("schedule: instructions are missing; they are in the order of the file");
    return std::nullopt;
  }

  void Note(absl::string_view text) {
    result_.notes.push_back(absl::StrCat(PlaceName(from_, place_.computation, place_.instruction), ": ", text));
  }

  absl::StatusOr<std::vector<int>> InstructionOrder(const ModuleBytes::Computation& computation) {
    std::vector<int> given(computation.count);
    std::iota(given.begin(), given.end(), 0);
    std::optional<std::vector<int>> schedule = ScheduleOf(computation);
    const bool is_scheduled = schedule.has_value();
    if (is_scheduled) given = *std::move(schedule);
    const absl::Span<const ModuleBytes::Instruction> instructions = from_.instructions(computation);
    if (!is_scheduled && IsOrdered(instructions)) return given;
    const auto visit = [&](int position, absl::FunctionRef<void(int)> take) {
      const ModuleBytes::Instruction& instruction = instructions[static_cast<size_t>(position)];
      for (const absl::Span<const int64_t> list : {from_.operands(instruction), from_.predecessors(instruction)}) {
        for (int64_t id : list) {
          const int found = instructions_by_id_.Find(LocalId(id));
          if (found >= 0) take(found);
        }
      }
    };
    absl::StatusOr<std::vector<int>> order = OrderByNeeds(given, visit, &place_.instruction);
    if (order.ok() && *order != given) Note("instructions come before their operands");
    return order;
  }

  // Whether all come after what they need, as in nearly all files.
  bool IsOrdered(absl::Span<const ModuleBytes::Instruction> instructions) const {
    for (size_t i = 0; i < instructions.size(); ++i) {
      for (const absl::Span<const int64_t> list :
           {from_.operands(instructions[i]), from_.predecessors(instructions[i])}) {
        for (int64_t id : list) {
          if (instructions_by_id_.Find(LocalId(id)) >= static_cast<int>(i)) return false;
        }
      }
    }
    return true;
  }

  absl::Status ReadComputation(int position) {
    const ModuleBytes::Computation& from = from_.computation(position);
    const absl::Span<const ModuleBytes::Instruction> instructions = from_.instructions(from);
    if (from.name.empty()) return absl::InvalidArgumentError("name: it is empty");
    absl::Status by_id = InstructionsById(instructions, &instructions_by_id_, &place_.instruction);
    if (!by_id.ok()) return by_id;
    const absl::StatusOr<std::vector<int>> order = InstructionOrder(from);
    if (!order.ok()) return order.status();
    computation_ = module().AddComputation(ValidName(from.name));
    ids_[static_cast<size_t>(position)] = computation_;
    result_.computation_ids.push_back(from.id);
    read_.assign(instructions.size(), InstructionId());
    parameters_.clear();
    name_hashes_.clear();
    for (const ModuleBytes::Instruction& instruction : instructions) name_hashes_.push_back(HashText(instruction.name));
    for (size_t k = 0; k < order->size(); ++k) {
      if (k + kPrefetched < order->size()) {
        module().mutable_strings().Prefetch(name_hashes_[static_cast<size_t>((*order)[k + kPrefetched])]);
      }
      const int i = (*order)[k];
      place_.instruction = i;
      if (absl::Status status = ReadInstruction(instructions[static_cast<size_t>(i)]); !status.ok()) {
        return status;
      }
    }
    place_.instruction = -1;
    const InstructionId root = InstructionNumbered(from.root_id);
    if (!root.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("root_id: no instruction of the computation has the id ", from.root_id));
    }
    for (size_t n = 0; n < parameters_.size(); ++n) {
      if (!parameters_[n].has_value()) {
        return absl::InvalidArgumentError(absl::StrCat("parameter_number: there are ", parameters_.size(),
                                                       " parameters, but none has the number ", n));
      }
    }
    Computation& computation = module().mutable_computation(computation_);
    computation.has_signature = true;
    computation.parameters = parameters_;
    computation.root = root;
    computation.root_is_marked = true;
    if (!from.execution_thread.empty()) computation.execution_thread = std::string(from.execution_thread);
    module().mutable_instruction(root).is_marked_root = true;
    return absl::OkStatus();
  }

  InstructionId InstructionNumbered(int64_t id) const {
    const int found = instructions_by_id_.Find(LocalId(id));
    return found < 0 ? InstructionId() : read_[static_cast<size_t>(found)];
  }

  absl::Status ReadOperands(const ModuleBytes::Instruction& from) {
    operands_.clear();
    for (int64_t id : from_.operands(from)) {
      operands_.push_back(InstructionNumbered(id));
      if (operands_.back().has_value()) continue;
      return absl::InvalidArgumentError(absl::StrCat("operand_ids[", operands_.size() - 1, "]: no instruction of the ",
                                                     "computation has the id ", id, " (computation ", id >> 32,
                                                     ", number ", LocalId(id), ")"));
    }
    return absl::OkStatus();
  }

  absl::Status CheckOperandCount(Opcode opcode) const {
    const int arity = InfoOf(opcode).arity;
    const int count = static_cast<int>(operands_.size());
    const bool is_link = opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone;
    if ((arity < 0 || arity == count) && !(is_link && count == 0)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("operand_ids: ", OpcodeName(opcode), " takes ", is_link ? 1 : arity, " of them, found ", count));
  }

  // Shapes are the same for hundreds of instructions.
  absl::StatusOr<ShapeId> ReadShape(absl::string_view bytes) {
    const auto [it, is_new] = shapes_.try_emplace(bytes);
    if (!is_new) return it->second;
    const absl::StatusOr<Shape> shape = ShapeFromBytes(bytes);
    if (absl::IsDataLoss(shape.status())) return shape.status();
    if (!shape.ok()) return absl::InvalidArgumentError(absl::StrCat("shape: ", shape.status().message()));
    it->second = module().InternShape(*shape);
    return it->second;
  }

  absl::Status ReadInstruction(const ModuleBytes::Instruction& from) {
    if (from.name.empty()) return absl::InvalidArgumentError("name: it is empty");
    if (from.opcode.empty()) return absl::InvalidArgumentError("opcode: it is empty");
    if (from.shape.data() == nullptr) return absl::InvalidArgumentError("shape: it is missing");
    const absl::StatusOr<ShapeId> shape = ReadShape(from.shape);
    if (!shape.ok()) return shape.status();
    if (absl::Status status = ReadOperands(from); !status.ok()) return status;
    const NamedOpcode named = OpcodeOf(from.opcode);
    const Opcode opcode = named.opcode.value_or(Opcode::kInvalid);
    if (named.opcode) {
      if (absl::Status status = CheckOperandCount(opcode); !status.ok()) return status;
    }
    const StringId name = IsValidName(from.name) ? module().mutable_strings().Intern(
                                                       from.name, name_hashes_[static_cast<size_t>(place_.instruction)])
                                                 : module().InternString(ValidName(from.name));
    const InstructionId id = module().AddInstruction(computation_, opcode, name, *shape, operands_);
    result_.instruction_ids.push_back(from.id);
    read_[static_cast<size_t>(place_.instruction)] = id;
    {
      Instruction& instruction = module().mutable_instruction(id);
      instruction.shape_declared = true;
      instruction.is_named = true;
    }
    if (!named.opcode) {
      result_.unknown_opcodes.emplace_back(id, std::string(from.opcode));
      Note(absl::StrCat("opcode: '", absl::CEscape(from.opcode), "' is not known"));
      return absl::OkStatus();
    }
    if (opcode == Opcode::kParameter) {
      if (absl::Status status = AddParameter(from.parameter_number, id); !status.ok()) return status;
    }
    if (absl::Status status = ReadFields(from, named, id); !status.ok()) return status;
    return ReadLinks(from, id);
  }

  // The attributes in the fields of the instruction. Those of an instruction with the same ones are taken.
  absl::Status ReadFields(const ModuleBytes::Instruction& from, const NamedOpcode& named, InstructionId id) {
    const bool is_constant = *named.opcode == Opcode::kConstant;
    const bool has_literal_attribute = !is_constant && from.literal.data() != nullptr;
    if (is_constant) {
      if (absl::Status status = ReadConstant(from, id); !status.ok()) return status;
    }
    const RecentFields::Attributes* const known =
        has_literal_attribute ? nullptr : recent_fields_.Find(*named.opcode, from_.runs(from));
    if (known != nullptr) {
      for (const Attribute& attribute : *known) module().AddShared(id, attribute);
      return absl::OkStatus();
    }
    if (!from_.Rest(from, &rest_)) return Damaged();
    if (has_literal_attribute && !MergeBytes(from.literal, rest_.mutable_literal())) return Damaged();
    const size_t obstacles = result_.obstacles.size();
    FindObstacles(from.name);
    if (!named.direction.empty()) rest_.set_comparison_direction(std::string(named.direction));
    absl::Status status = ReadFieldAttributes(rest_, from_.message(), id, module());
    if (!status.ok()) return status;
    const bool has_more = has_literal_attribute || !named.direction.empty() || rest_.has_original_value() ||
                          result_.obstacles.size() > obstacles;
    if (!has_more && !DependsOnOperands(id)) {
      recent_fields_.Keep(*named.opcode, from_.runs(from), module().attributes(id));
    }
    return absl::OkStatus();
  }

  // Whether the attributes that the fields give depend on the operands too.
  bool DependsOnOperands(InstructionId id) const {
    const bool has_slices = !rest_.dynamic_slice_sizes().empty() && result_.module.opcode(id) != Opcode::kDynamicSlice;
    return has_slices || result_.module.HasAttribute(id, AttributeKind::kOperandPrecision);
  }

  void FindObstacles(absl::string_view name) {
    const google::protobuf::UnknownFieldSet& unknown = rest_.GetReflection()->GetUnknownFields(rest_);
    for (int i = 0; i < unknown.field_count(); ++i) {
      const int number = unknown.field(i).number();
      const bool is_wrong = rest_.GetDescriptor()->FindFieldByNumber(number) != nullptr;
      if (number <= kLastKnownInstructionField && !is_wrong) continue;
      result_.obstacles.push_back(absl::StrCat("instruction \"", absl::CEscape(name), "\" has ",
                                               is_wrong ? "another type in field " : "an unknown field, number ",
                                               number));
    }
  }

  absl::Status ReadLinks(const ModuleBytes::Instruction& from, InstructionId id) {
    const auto computation = [&](int64_t number) {
      const int position = ComputationNumbered(number);
      return position < 0 ? ComputationId() : ids_[static_cast<size_t>(position)];
    };
    const auto instruction = [&](int64_t number) { return InstructionNumbered(number); };
    const IdResolver resolve{computation, instruction};
    const AttributeLinks links{from.metadata, from_.predecessors(from), from_.callees(from)};
    return ReadLinkAttributes(links, from_.message(), resolve, id, &recent_metadata_, module());
  }

  absl::Status AddParameter(int64_t number, InstructionId id) {
    // There cannot be more parameters than instructions.
    if (number < 0 || number >= static_cast<int64_t>(read_.size())) {
      return absl::InvalidArgumentError(absl::StrCat("parameter_number: ", number, " is out of range"));
    }
    if (static_cast<size_t>(number) >= parameters_.size()) parameters_.resize(static_cast<size_t>(number) + 1);
    InstructionId& parameter = parameters_[static_cast<size_t>(number)];
    if (parameter.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("parameter_number: ", number, " is that of \"", module().InstructionName(parameter), "\" too"));
    }
    parameter = id;
    module().mutable_instruction(id).parameter_number = static_cast<uint32_t>(number);
    return absl::OkStatus();
  }

  absl::Status ReadConstant(const ModuleBytes::Instruction& from, InstructionId id) {
    const Shape shape = module().shape(id);
    Literal literal(shape);
    if (from.literal.data() != nullptr) {
      absl::StatusOr<Literal> read = LiteralFromMessage(from.literal);
      if (absl::IsDataLoss(read.status())) return read.status();
      if (!read.ok()) return absl::InvalidArgumentError(absl::StrCat("literal: ", read.status().message()));
      if (!ShapesCompatible(read->shape(), shape)) {
        return absl::InvalidArgumentError(absl::StrCat("literal: its shape is ", read->shape().ToString(false),
                                                       ", that of the instruction ", shape.ToString(false)));
      }
      literal = *std::move(read);
    } else if (shape.IsArray()) {
      literal.set_elided();
    }
    literal.mutable_shape() = shape;
    module().SetLiteral(id, std::move(literal));
    return absl::OkStatus();
  }

  absl::Status FindEntry() {
    const proto::HloModuleProto& message = from_.message();
    const auto& computations = from_.computations();
    const auto by_name = std::find_if(computations.begin(), computations.end(), [&](const auto& computation) {
      return computation.name == message.entry_computation_name();
    });
    const int by_id = ComputationNumbered(message.entry_computation_id());
    // Old files give the name alone; a field that is not there is 0, which may be the id of another computation.
    const bool name_decides = by_id < 0 || message.entry_computation_id() == 0;
    if (name_decides && by_name != computations.end()) {
      module().set_entry(ids_[static_cast<size_t>(by_name - computations.begin())]);
      return absl::OkStatus();
    }
    if (by_id >= 0) {
      module().set_entry(ids_[static_cast<size_t>(by_id)]);
      return absl::OkStatus();
    }
    absl::flat_hash_set<int64_t> called;
    for (const ModuleBytes::Instruction& instruction : from_.instructions()) {
      called.insert(from_.callees(instruction).begin(), from_.callees(instruction).end());
    }
    std::vector<size_t> callers;
    for (size_t i = 0; i < ids_.size(); ++i) {
      if (!called.contains(from_.computations()[i].id)) callers.push_back(i);
    }
    if (callers.size() != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("entry_computation_id: ", message.entry_computation_id(), " names no computation"));
    }
    result_.notes.emplace_back("entry_computation_id names no computation: the one that nobody calls is taken");
    module().set_entry(ids_[callers[0]]);
    return absl::OkStatus();
  }

  ModuleBytes from_;
  ProtoPlace& place_;  // what is being read
  ReadModule result_;
  absl::flat_hash_map<int64_t, int> computations_by_id_;
  std::vector<int> small_computation_ids_;  // most of them: the position by id, or -1
  std::vector<ComputationId> ids_;          // by position
  // Of the computation that is being read.
  ComputationId computation_;
  LocalIdTable instructions_by_id_;
  std::vector<InstructionId> read_;    // by position
  std::vector<uint64_t> name_hashes_;  // by position
  std::vector<InstructionId> parameters_, operands_;
  absl::flat_hash_map<absl::string_view, ShapeId, TextHash> shapes_;  // by their messages
  RecentFields recent_fields_;
  RecentAttributes recent_metadata_;
  proto::HloInstructionProto rest_;  // of the instruction that is being read
};

}  // namespace

std::string ValidName(absl::string_view name) {
  std::string valid(name);
  if (IsValidName(name)) return valid;
  for (size_t i = 0; i < valid.size(); ++i) {
    if (!IsNameCharacter(valid, i)) valid[i] = '_';
  }
  if (ElementTypeFromName(valid)) valid.push_back('_');
  if (absl::StartsWith(valid, "__") && !absl::StartsWith(valid, "__xla_")) valid[0] = 'a';
  return valid;
}

absl::StatusOr<ReadModule> ReadHloModule(absl::string_view bytes, ProtoPlace* place) {
  return std::make_unique<ModuleReader>(place)->Read(bytes);
}

absl::StatusOr<ReadModule> ReadHloModule(const proto::HloModuleProto& from, ProtoPlace* place) {
  return ReadHloModule(from.SerializeAsString(), place);
}

void ApplyConfig(const proto::HloModuleConfigProto& config, Module* module) {
  ModuleHeader& header = module->mutable_header();
  if (config.replica_count() > 0) header.replica_count = config.replica_count();
  if (config.num_partitions() > 0) header.num_partitions = config.num_partitions();
  header.alias_passthrough_params = config.alias_passthrough_params();
  const auto flags = [](const auto& from, std::vector<bool>* to) {
    if (!from.empty()) to->assign(from.begin(), from.end());
  };
  flags(config.allow_spmd_sharding_propagation_to_parameters(), &header.allow_spmd_sharding_propagation_to_parameters);
  flags(config.allow_spmd_sharding_propagation_to_output(), &header.allow_spmd_sharding_propagation_to_output);
}

}  // namespace hloscope::interop
