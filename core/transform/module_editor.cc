// SPDX-License-Identifier: Apache-2.0
#include "core/transform/module_editor.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/analysis/dead_code.h"
#include "core/transform/copy_attributes.h"

namespace hloscope {
namespace {

// "multiply.17" and "multiply" are both like "multiply".
absl::string_view WithoutNumber(absl::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == absl::string_view::npos || dot == 0 || dot + 1 == name.size()) return name;
  const absl::string_view digits = name.substr(dot + 1);
  return digits.find_first_not_of("0123456789") == absl::string_view::npos ? name.substr(0, dot) : name;
}

InstructionId SameInstruction(InstructionId id) { return id; }
ComputationId SameComputation(ComputationId id) { return id; }
const AttributeReferences kSameModule = {SameInstruction, SameComputation};

bool MayRewriteCallee(const Module& module, InstructionId caller) {
  switch (module.opcode(caller)) {
    case Opcode::kFusion:
      return module.WordAttribute(caller, AttributeKind::kKind, FusionKind::kLoop) != FusionKind::kCustom;
    case Opcode::kCall:
    case Opcode::kWhile:
    case Opcode::kConditional:
      return true;
    default:
      return false;
  }
}

}  // namespace

ModuleEditor::ModuleEditor(const Module& module) : module_(module), calls_(module_), effects_(module_, calls_) {
  const size_t n = module_.instruction_count();
  alive_.assign(n, false);
  next_.resize(n), previous_.resize(n), uses_.resize(n);
  use_count_.assign(n, 0);
  const size_t computations = module_.computations().size();
  first_.resize(computations), last_.resize(computations);
  changes_.assign(computations, 0);
  rewritable_.assign(computations, true);
  for (size_t c = 0; c < computations; ++c) {
    for (const CallGraph::Call& call : calls_.calls(ComputationId(c))) {
      if (!MayRewriteCallee(module_, call.caller)) rewritable_[call.callee.index()] = false;
    }
    for (InstructionId id : module_.computation(ComputationId(c)).instructions) {
      alive_[id.index()] = true;
      Link(id, InstructionId::None());
      AddUses(id, module_.operands(id));
      for (InstructionId before : ControlPredecessors(id)) control_successors_[before].push_back(id);
    }
  }
}

// --- Bookkeeping ---

ModuleEditor::Edit& ModuleEditor::Record(Edit::Kind kind, InstructionId id) {
  Edit& edit = journal_.emplace_back();
  edit.kind = kind;
  edit.id = id;
  edit.computation = module_.instruction(id).computation;
  CountChange(edit.computation, 1);
  return edit;
}

void ModuleEditor::CountChange(ComputationId id, int by) {
  changes_[id.index()] += by;
  total_changes_ += by;
}

void ModuleEditor::AppendRow(bool alive) {
  alive_.push_back(alive);
  next_.emplace_back(), previous_.emplace_back(), uses_.emplace_back();
  use_count_.push_back(0);
}

// In front of `before`, or at the end.
void ModuleEditor::Link(InstructionId id, InstructionId before) {
  const size_t c = module_.instruction(id).computation.index();
  const InstructionId previous = before.has_value() ? previous_[before.index()] : last_[c];
  next_[id.index()] = before;
  previous_[id.index()] = previous;
  (previous.has_value() ? next_[previous.index()] : first_[c]) = id;
  (before.has_value() ? previous_[before.index()] : last_[c]) = id;
}

// Keeps its own neighbours, so that undoing in reverse order can put it back.
void ModuleEditor::Unlink(InstructionId id) {
  const size_t c = module_.instruction(id).computation.index();
  const InstructionId previous = previous_[id.index()], next = next_[id.index()];
  (previous.has_value() ? next_[previous.index()] : first_[c]) = next;
  (next.has_value() ? previous_[next.index()] : last_[c]) = previous;
}

void ModuleEditor::AddUses(InstructionId user, absl::Span<const InstructionId> operands) {
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k].has_value()) continue;
    ++use_count_[operands[k].index()];
    uses_[operands[k].index()].push_back({user, static_cast<uint32_t>(k)});
  }
}

void ModuleEditor::DropUses(absl::Span<const InstructionId> operands) {
  for (InstructionId operand : operands) {
    if (operand.has_value()) --use_count_[operand.index()];
  }
}

absl::Span<const ModuleEditor::Use> ModuleEditor::Uses(InstructionId id) {
  auto& list = uses_[id.index()];
  const auto is_past = [&](const Use& use) {
    if (!IsAlive(use.user)) return true;
    const absl::Span<const InstructionId> operands = Operands(use.user);
    return use.slot >= operands.size() || operands[use.slot] != id;
  };
  list.erase(std::remove_if(list.begin(), list.end(), is_past), list.end());
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

absl::InlinedVector<InstructionId, 4> ModuleEditor::users(InstructionId id) {
  absl::InlinedVector<InstructionId, 4> users;
  for (const Use& use : Uses(id)) {
    if (users.empty() || users.back() != use.user) users.push_back(use.user);
  }
  return users;
}

// --- Long lists of operands ---

absl::Span<const InstructionId> ModuleEditor::Operands(InstructionId id) const {
  if (!waiting_.empty()) {
    if (const auto it = waiting_.find(id); it != waiting_.end()) return it->second;
  }
  return module_.operands(id);
}

bool ModuleEditor::CanWait(InstructionId id) const {
  return module_.instruction(id).operand_count > kLongList && !reached_.contains(id);
}

void ModuleEditor::SetSlot(InstructionId id, uint32_t slot, InstructionId operand) {
  const auto [it, is_new] = waiting_.try_emplace(id);
  if (is_new) it->second.assign(module_.operands(id).begin(), module_.operands(id).end());
  DropUses({it->second[slot]});
  it->second[slot] = operand;
  ++use_count_[operand.index()];
  uses_[operand.index()].push_back({id, slot});
}

// From now on, until it is walked to again, it is changed at once.
void ModuleEditor::ReachLong(InstructionId id) {
  Settle(id);
  reached_.insert(id);
}

void ModuleEditor::Settle(InstructionId id) {
  const auto it = waiting_.find(id);
  if (it == waiting_.end()) return;
  if (absl::MakeConstSpan(it->second) != module_.operands(id)) module_.SetOperands(id, it->second);
  waiting_.erase(it);
}

void ModuleEditor::ForgetReached(ComputationId id) {
  absl::erase_if(reached_, [&](InstructionId reached) { return module_.instruction(reached).computation == id; });
}

std::vector<InstructionId> ModuleEditor::ControlPredecessors(InstructionId id) const {
  if (module_.instruction(id).attribute_count == 0) return {};
  const auto list = module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors);
  return {list.begin(), list.end()};
}

const std::vector<InstructionId>& ModuleEditor::ControlSuccessors(InstructionId id) {
  static const std::vector<InstructionId> kNone;
  const auto it = control_successors_.find(id);
  if (it == control_successors_.end()) return kNone;
  std::vector<InstructionId>& list = it->second;
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  const auto is_past = [&](InstructionId successor) {
    const auto before = module_.InstructionsAttribute(successor, AttributeKind::kControlPredecessors);
    return !IsAlive(successor) || std::find(before.begin(), before.end(), id) == before.end();
  };
  list.erase(std::remove_if(list.begin(), list.end(), is_past), list.end());
  return list;
}

StringId ModuleEditor::NewName(absl::string_view like) {
  const std::string base(WithoutNumber(like));
  if (!module_.HasString(base)) return module_.InternString(base);
  int64_t& number = next_number_[base];
  std::string name;
  do {
    name = absl::StrCat(base, ".", ++number);
  } while (module_.HasString(name));
  return module_.InternString(name);
}

// --- Edits ---

InstructionId ModuleEditor::Add(InstructionId before, Opcode opcode, absl::string_view name_like, const Shape& shape,
                                absl::Span<const InstructionId> operands) {
  const StringId name = NewName(name_like);
  const ComputationId computation = module_.instruction(before).computation;
  const InstructionId id = module_.AddInstruction(computation, opcode, name, module_.InternShape(shape), operands);
  // The lists of the module are made again at the end.
  module_.mutable_computation(computation).instructions.pop_back();
  module_.mutable_instruction(id).shape_declared = true;
  AppendRow(/*alive=*/true);
  Link(id, before);
  AddUses(id, operands);
  Record(Edit::Kind::kAdd, id);
  return id;
}

InstructionId ModuleEditor::AddCopy(InstructionId before, InstructionId source, const Shape& shape,
                                    absl::Span<const InstructionId> operands,
                                    absl::FunctionRef<bool(AttributeKind)> keep) {
  const InstructionId id = Add(before, module_.opcode(source), module_.InstructionName(source), shape, operands);
  Instruction& copy = module_.mutable_instruction(id);
  copy.literal = module_.instruction(source).literal;
  copy.parameter_number = module_.instruction(source).parameter_number;
  CopyAttributes(module_, source, module_, id, kSameModule, keep);
  for (InstructionId predecessor : ControlPredecessors(id)) control_successors_[predecessor].push_back(id);
  return id;
}

InstructionId ModuleEditor::AddInlined(InstructionId before, InstructionId source,
                                       absl::Span<const InstructionId> operands,
                                       absl::FunctionRef<InstructionId(InstructionId)> map) {
  const InstructionId id =
      Add(before, module_.opcode(source), module_.InstructionName(source), Shape(module_.shape(source)), operands);
  module_.mutable_instruction(id).literal = module_.instruction(source).literal;
  CopyAttributes(module_, source, module_, id, {map, SameComputation}, [](AttributeKind) { return true; });
  for (InstructionId predecessor : ControlPredecessors(id)) control_successors_[predecessor].push_back(id);
  return id;
}

void ModuleEditor::CopyCommonAttributes(InstructionId source, InstructionId target, bool sharding, bool origin) {
  CopyAttributes(module_, source, module_, target, kSameModule, [&](AttributeKind kind) {
    switch (kind) {
      case AttributeKind::kMetadata:
      case AttributeKind::kFrontendAttributes:
        return true;
      case AttributeKind::kSharding:
        return sharding;
      case AttributeKind::kOrigin:
        return origin;
      default:
        return false;
    }
  });
}

void ModuleEditor::SetOperands(InstructionId id, absl::Span<const InstructionId> operands) {
  DropUses(Operands(id));
  const absl::InlinedVector<InstructionId, 4> copy(operands.begin(), operands.end());
  waiting_.erase(id);
  module_.SetOperands(id, copy);
  AddUses(id, copy);
}

void ModuleEditor::SetOperand(InstructionId id, size_t k, InstructionId operand) {
  const auto old = Operands(id);
  absl::InlinedVector<InstructionId, 4> operands(old.begin(), old.end());
  operands[k] = operand;
  ChangeOperands(id, operands);
}

void ModuleEditor::ChangeOperands(InstructionId id, absl::Span<const InstructionId> operands) {
  const auto old = Operands(id);
  Record(Edit::Kind::kOperands, id).old_operands.assign(old.begin(), old.end());
  SetOperands(id, operands);
}

void ModuleEditor::RewriteAttributes(InstructionId id, absl::FunctionRef<bool(AttributeKind)> keep) {
  Edit& edit = Record(Edit::Kind::kAttributes, id);
  edit.old_first_attribute = module_.instruction(id).first_attribute;
  edit.old_attribute_count = module_.instruction(id).attribute_count;
  // Attributes of one instruction are read while those of another are written: a stand-in lends its place.
  if (!stand_in_.has_value()) {
    stand_in_ = module_.AddInstruction(edit.computation, Opcode::kInvalid, module_.instruction(id).name,
                                       module_.instruction(id).shape, {});
    module_.mutable_computation(edit.computation).instructions.pop_back();
    AppendRow(/*alive=*/false);
  }
  module_.mutable_instruction(stand_in_).first_attribute = edit.old_first_attribute;
  module_.mutable_instruction(stand_in_).attribute_count = edit.old_attribute_count;
  module_.mutable_instruction(id).attribute_count = 0;
  CopyAttributes(module_, stand_in_, module_, id, kSameModule, keep);
}

void ModuleEditor::SetControlPredecessors(InstructionId id, absl::Span<const InstructionId> predecessors) {
  RewriteAttributes(id, [](AttributeKind kind) { return kind != AttributeKind::kControlPredecessors; });
  if (predecessors.empty()) return;
  module_.AddInstructions(id, AttributeKind::kControlPredecessors, predecessors);
  for (InstructionId predecessor : predecessors) control_successors_[predecessor].push_back(id);
}

void ModuleEditor::KeepAttributes(InstructionId id, absl::FunctionRef<bool(AttributeKind)> keep) {
  const auto attributes = module_.attributes(id);
  if (std::all_of(attributes.begin(), attributes.end(), [&](const Attribute& a) { return keep(a.kind); })) return;
  RewriteAttributes(id, keep);
}

void ModuleEditor::SetSharding(InstructionId id, Sharding sharding) {
  RewriteAttributes(id, [](AttributeKind kind) { return kind != AttributeKind::kSharding; });
  module_.AddSharding(id, std::move(sharding));
}

void ModuleEditor::Replace(InstructionId old_id, InstructionId new_id) {
  const absl::Span<const Use> found = Uses(old_id);
  const absl::InlinedVector<Use, 4> uses(found.begin(), found.end());
  for (size_t i = 0; i < uses.size(); ++i) {
    const auto [user, slot] = uses[i];
    if (user == new_id) continue;
    if (CanWait(user)) {
      Edit& edit = Record(Edit::Kind::kOperand, user);
      edit.operand_slot = slot;
      edit.old_root = old_id;
      SetSlot(user, slot, new_id);
    } else if (i == 0 || uses[i - 1].user != user) {
      const auto old = Operands(user);
      absl::InlinedVector<InstructionId, 4> operands(old.begin(), old.end());
      std::replace(operands.begin(), operands.end(), old_id, new_id);
      ChangeOperands(user, operands);
    }
  }
  if (IsRoot(old_id)) SetRoot(module_.instruction(old_id).computation, new_id);
  const std::vector<InstructionId> before = ControlPredecessors(old_id);
  if (!before.empty()) {
    std::vector<InstructionId> merged = ControlPredecessors(new_id);
    for (InstructionId id : before) {
      if (std::find(merged.begin(), merged.end(), id) == merged.end()) merged.push_back(id);
    }
    SetControlPredecessors(new_id, merged);
  }
  const std::vector<InstructionId> after = ControlSuccessors(old_id);
  for (InstructionId successor : after) {
    if (successor == new_id) continue;
    std::vector<InstructionId> list = ControlPredecessors(successor);
    std::replace(list.begin(), list.end(), old_id, new_id);
    SetControlPredecessors(successor, list);
  }
}

void ModuleEditor::SetRoot(ComputationId id, InstructionId root) {
  Computation& computation = module_.mutable_computation(id);
  Record(Edit::Kind::kRoot, root).old_root = computation.root;
  computation.root = root;
}

void ModuleEditor::EraseIfUnused(InstructionId id) {
  std::vector<InstructionId> open = {id};
  while (!open.empty()) {
    const InstructionId at = open.back();
    open.pop_back();
    if (!IsAlive(at) || use_count(at) > 0 || IsRoot(at) || module_.opcode(at) == Opcode::kParameter ||
        HasSideEffect(at) || HasControlSuccessors(at)) {
      continue;
    }
    Erase(at);
    for (InstructionId operand : Operands(at)) {
      if (operand.has_value()) open.push_back(operand);
    }
    for (InstructionId before : ControlPredecessors(at)) open.push_back(before);
  }
}

void ModuleEditor::Erase(InstructionId id) {
  Unlink(id);
  alive_[id.index()] = false;
  Record(Edit::Kind::kErase, id);
  DropUses(Operands(id));
}

void ModuleEditor::SetOrder(ComputationId id, absl::Span<const InstructionId> order) {
  InstructionId at = first_[id.index()];
  for (InstructionId wanted : order) {
    if (at != wanted) break;
    at = next_[at.index()];
  }
  if (!at.has_value()) return;
  first_[id.index()] = last_[id.index()] = InstructionId::None();
  for (InstructionId instruction : order) Link(instruction, InstructionId::None());
  NoteChange();
}

void ModuleEditor::SetName(InstructionId id, StringId name) {
  Record(Edit::Kind::kName, id).old_name = module_.instruction(id).name;
  module_.mutable_instruction(id).name = name;
}

// --- The way back ---

void ModuleEditor::Difference(Mark since, std::vector<InstructionId>* added, std::vector<InstructionId>* erased) const {
  // What was added after the mark has an id beyond all that existed then.
  uint32_t first_new = InstructionId::kNoneValue;
  for (size_t i = since; i < journal_.size(); ++i) {
    const Edit& edit = journal_[i];
    if (edit.kind == Edit::Kind::kAdd) {
      first_new = std::min(first_new, edit.id.value);
      if (IsAlive(edit.id)) added->push_back(edit.id);
    } else if (edit.kind == Edit::Kind::kErase && edit.id.value < first_new) {
      erased->push_back(edit.id);
    }
  }
}

void ModuleEditor::UndoTo(Mark mark) {
  while (journal_.size() > mark) {
    const Edit edit = std::move(journal_.back());
    journal_.pop_back();
    CountChange(edit.computation, -1);
    switch (edit.kind) {
      case Edit::Kind::kAdd:
        Unlink(edit.id);
        alive_[edit.id.index()] = false;
        DropUses(Operands(edit.id));
        break;
      case Edit::Kind::kErase: {
        const InstructionId previous = previous_[edit.id.index()], next = next_[edit.id.index()];
        (previous.has_value() ? next_[previous.index()] : first_[edit.computation.index()]) = edit.id;
        (next.has_value() ? previous_[next.index()] : last_[edit.computation.index()]) = edit.id;
        alive_[edit.id.index()] = true;
        AddUses(edit.id, Operands(edit.id));
        for (InstructionId before : ControlPredecessors(edit.id)) control_successors_[before].push_back(edit.id);
        break;
      }
      case Edit::Kind::kOperand:
        SetSlot(edit.id, edit.operand_slot, edit.old_root);
        if (!CanWait(edit.id)) Settle(edit.id);
        break;
      case Edit::Kind::kOperands:
        SetOperands(edit.id, edit.old_operands);
        break;
      case Edit::Kind::kRoot:
        module_.mutable_computation(edit.computation).root = edit.old_root;
        break;
      case Edit::Kind::kName:
        module_.mutable_instruction(edit.id).name = edit.old_name;
        break;
      case Edit::Kind::kAttributes: {
        Instruction& instruction = module_.mutable_instruction(edit.id);
        instruction.first_attribute = edit.old_first_attribute;
        instruction.attribute_count = edit.old_attribute_count;
        for (InstructionId before : ControlPredecessors(edit.id)) control_successors_[before].push_back(edit.id);
        break;
      }
    }
  }
}

void ModuleEditor::Commit() {
  notes_ += journal_.size();
  journal_.clear();
}

// --- The result ---

std::vector<bool> ModuleEditor::CalledFromEntry() const {
  std::vector<bool> called(module_.computations().size(), false);
  std::vector<ComputationId> open;
  const auto visit = [&](ComputationId id) {
    if (!id.has_value() || called[id.index()]) return;
    called[id.index()] = true;
    open.push_back(id);
  };
  visit(module_.entry());
  while (!open.empty()) {
    const ComputationId at = open.back();
    open.pop_back();
    for (InstructionId id = first_[at.index()]; id.has_value(); id = next_[id.index()]) {
      if (module_.instruction(id).attribute_count == 0) continue;
      module_.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) { visit(callee); });
    }
  }
  return called;
}

Module ModuleEditor::Finish(bool drop_uncalled) const {
  Module result;
  result.mutable_header() = module_.header();
  const size_t computations = module_.computations().size();
  std::vector<bool> kept = CalledFromEntry();
  if (!drop_uncalled) {
    // What nothing called before is somebody's business.
    const std::vector<ComputationId> uncalled = FindUnreachableComputations(module_, calls_);
    for (ComputationId id : uncalled) kept[id.index()] = true;
  }
  std::vector<ComputationId> new_computation(computations);
  std::vector<InstructionId> new_id(module_.instruction_count());
  size_t count = 0;
  for (size_t c = 0; c < computations; ++c) {
    if (!kept[c]) continue;
    const Computation& old = module_.computations()[c];
    new_computation[c] = result.AddComputation(module_.string(old.name));
    for (InstructionId id = first_[c]; id.has_value(); id = next_[id.index()])
      new_id[id.index()] = InstructionId(count++);
  }
  result.Reserve(count, 2 * count, 2 * count);
  const auto map_instruction = [&](InstructionId id) { return id.has_value() ? new_id[id.index()] : id; };
  const auto map_computation = [&](ComputationId id) { return id.has_value() ? new_computation[id.index()] : id; };
  std::vector<ShapeId> new_shape(module_.shape_count());
  for (size_t c = 0; c < computations; ++c) {
    if (!kept[c]) continue;
    const Computation& old = module_.computations()[c];
    for (InstructionId id = first_[c]; id.has_value(); id = next_[id.index()]) {
      const Instruction& from = module_.instruction(id);
      absl::InlinedVector<InstructionId, 4> operands;
      for (InstructionId operand : Operands(id)) operands.push_back(map_instruction(operand));
      ShapeId& shape = new_shape[from.shape.index()];
      if (!shape.has_value()) shape = result.InternShape(module_.shape(from.shape));
      const InstructionId to = result.AddInstruction(new_computation[c], from.opcode,
                                                     result.InternString(module_.string(from.name)), shape, operands);
      Instruction& copy = result.mutable_instruction(to);
      copy.shape_declared = from.shape_declared;
      copy.synthesized = from.synthesized;
      copy.parameter_number = from.parameter_number;
      if (from.literal.has_value()) result.SetLiteral(to, module_.literal(from.literal));
      if (from.attribute_count == 0) continue;
      CopyAttributes(module_, id, result, to, {map_instruction, map_computation}, [](AttributeKind) { return true; });
    }
    Computation& copy = result.mutable_computation(new_computation[c]);
    copy.execution_thread = old.execution_thread;
    copy.is_anonymous = old.is_anonymous;
    copy.has_signature = old.has_signature;
    copy.root_is_marked = old.root_is_marked;
    copy.root = map_instruction(old.root);
    for (InstructionId parameter : old.parameters) copy.parameters.push_back(map_instruction(parameter));
  }
  if (module_.entry().has_value()) {
    result.set_entry(new_computation[module_.entry().index()], module_.entry_is_assumed());
  }
  return result;
}

}  // namespace hloscope
