// SPDX-License-Identifier: Apache-2.0
// Reading again what depends on the edits, in the order of the text.
#include <algorithm>
#include <utility>

#include "core/document/diagnostic_list.h"
#include "core/document/document_update.h"
#include "core/lex/lexer.h"
#include "core/verify/instruction_traits.h"

namespace hloscope {

// Reads what is queued in the order of the text: what an instruction depends on comes before it, and computations
// before their callers.
bool DocumentUpdate::ReadQueued() {
  std::set<uint32_t> open;  // computations with changes that are not finished
  for (const auto& [computation, update] : computations_) open.insert(computation);
  while (!queue_.empty() || !open.empty()) {
    const InstructionId next = queue_.empty() ? InstructionId() : InstructionId(*queue_.begin());
    const uint32_t computation =
        next.has_value() ? module_.instruction(next).computation.value : InstructionId::kNoneValue;
    if (!open.empty() && *open.begin() < computation) {
      const ComputationId done(*open.begin());
      open.erase(open.begin());
      if (!FinishComputation(done)) return false;
      continue;
    }
    open.insert(computation);
    computations_[computation];
    queue_.erase(queue_.begin());
    if (read_.size() >= kMaxReread || !ReadInstruction(next)) return false;
  }
  return true;
}

void DocumentUpdate::NoteTraits(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  const uint8_t traits = TraitsOf(module, id);
  edited_traits_ |= traits;
  edited_may_block_ = edited_may_block_ || (traits & (kAsyncTrait | kTransferTrait | kCollectiveTrait)) != 0 ||
                      opcode == Opcode::kInvalid || opcode == Opcode::kCustomCall || HasSideEffect(opcode) ||
                      !CallsOf(module, id).empty();
}

bool DocumentUpdate::ReadInstruction(InstructionId id) {
  read_.insert(id.value);
  const InstructionId old_id = ids_.ToOld(id);
  ComputationUpdate& update = computations_[module_.instruction(id).computation.value];
  if (old_id.has_value()) {
    NoteTraits(old_module_, old_id);
    const Computation& computation = old_module_.computation(module_.instruction(id).computation);
    const Instruction& before = old_module_.instruction(old_id);
    update.signature = update.signature || computation.root == old_id || before.opcode == Opcode::kParameter;
  }
  const auto found = new_statements_.find(id.value);
  if (found != new_statements_.end()) {
    const EditRegion& region = *found->second.region;
    if (!updater_->Reread(region.tokens, region.tree, SyntaxId(found->second.node), id)) return false;
  } else {
    const size_t node = module_.instruction(id).syntax.index();
    if (!module_.instruction(id).syntax.has_value() || module_.instruction(id).synthesized ||
        (map_.flags[node] & TextMap::kStatement) == 0 || (map_.flags[node] & TextMap::kCompound) != 0) {
      return false;
    }
    const std::unique_ptr<StatementSyntax> statement = ReadStatement(*source_, map_, node);
    const SyntaxId last(statement->tree.instructions.size() - 1);
    if (!updater_->Reread(statement->tokens, statement->tree, last, id)) return false;
  }
  NoteTraits(module_, id);
  const Instruction& after = module_.instruction(id);
  const std::optional<uint32_t> number =
      after.opcode == Opcode::kParameter ? updater_->parameter_number() : std::nullopt;
  if (number) read_parameters_[id.value] = *number;
  if (old_id.has_value() && old_module_.opcode(old_id) == Opcode::kParameter && after.opcode == Opcode::kParameter) {
    // What else may be wrong with it does not concern the others.
    const std::vector<InstructionId>& known = old_module_.computation(after.computation).parameters;
    const bool keeps_number = number && *number < known.size() && known[*number] == old_id;
    if (!keeps_number) QueueParameters(after.computation);
  }
  update.parameters = update.parameters || after.opcode == Opcode::kParameter ||
                      (found != new_statements_.end() && after.opcode == Opcode::kInvalid);
  update.signature = update.signature || after.opcode == Opcode::kParameter;

  const bool was_readable = !old_id.has_value() || !old_module_.instruction(old_id).has_reading_errors;
  update.readability = update.readability || was_readable == after.has_reading_errors;
  if (!old_id.has_value()) {
    divided_work_changed_ = divided_work_changed_ || DividesWork(after.opcode);
    edges_changed_ = edges_changed_ || after.operand_count > 0;
    calls_changed_ = calls_changed_ || !CallsOf(module_, id).empty();
    return true;
  }
  const Instruction& before = old_module_.instruction(old_id);
  const auto old_operands = old_module_.operands(old_id), operands = module_.operands(id);
  edges_changed_ = edges_changed_ || old_operands.size() != operands.size() ||
                   !std::equal(operands.begin(), operands.end(), old_operands.begin(),
                               [&](InstructionId a, InstructionId b) { return a == ids_.ToNew(b); });
  const auto calls = CallsOf(module_, id);
  calls_changed_ =
      calls_changed_ || calls != CallsOf(old_module_, old_id) || (!calls.empty() && before.opcode != after.opcode);
  divided_work_changed_ = divided_work_changed_ || DividesWork(before.opcode) != DividesWork(after.opcode);
  // A user repeats the shape, or its own follows from it.
  if (before.shape != after.shape) QueueUsers(old_id);
  // What is said while a shape is inferred may quote the operand.
  for (InstructionId user : old_users_.users(old_id)) {
    const InstructionId now = ids_.ToNew(user);
    if (!now.has_value()) continue;
    const Instruction& instruction = module_.instruction(now);
    if (!instruction.shape_declared && instruction.has_reading_errors) Queue(now);
  }
  if (old_module_.shape(before.shape).IsValid() != module_.shape(after.shape).IsValid() && !update.unknown_names) {
    update.unknown_names = true;
    for (InstructionId other : module_.computation(after.computation).instructions) {
      if (id < other && MayHaveUnknownNames(other)) Queue(other);
    }
  }
  return true;
}

bool DocumentUpdate::FinishComputation(ComputationId id) {
  ComputationUpdate& update = computations_[id.value];
  const InstructionId old_root = old_module_.computation(id).root;
  if (update.roots) UpdateRoot(id);
  if (update.parameters && !UpdateParameters(id)) return false;
  const InstructionId root = module_.computation(id).root;
  if (root.has_value() && read_.count(root.value) != 0) update.signature = true;
  if (ids_.ToNew(old_root) != root) update.signature = true;
  if (update.signature || update.roots || update.parameters || update.readability) {
    if (update.readability || SignatureChanged(id)) {
      for (InstructionId caller : old_users_.callers(id)) {
        const InstructionId now = ids_.ToNew(caller);
        if (!now.has_value()) continue;
        callers_of_changed_signatures_.push_back(now.value);
        if (!module_.instruction(now).shape_declared) Queue(now);
      }
    }
  }
  if (update.signature || update.roots || update.diagnostics) {
    update.diagnostics = true;
    const uint32_t node = module_.computation(id).syntax;
    TokenBuffer result;
    if (node < map_.computations.size() && !map_.computations[node].result.empty()) {
      const SourceRange range = map_.computations[node].result;
      DiagnosticSink quiet;
      const TokenBuffer tokens = LexPart(*source_, range.begin, range.end, 0, quiet);
      for (TokenIndex t = 0; t < tokens.size() && tokens.begin(t) < range.end; ++t) {
        result.Add(tokens.kind(t), tokens.begin(t), tokens.end(t));
      }
      result.Add(TokenKind::kEndOfFile, range.end, range.end);
    }
    updater_->RereadComputation(id, result);
  }
  return true;
}

void DocumentUpdate::UpdateRoot(ComputationId id) {
  Computation& computation = module_.mutable_computation(id);
  computation.root_is_marked = false;
  for (InstructionId instruction : computation.instructions) {
    if (!module_.instruction(instruction).is_marked_root) continue;
    computation.root = instruction;
    computation.root_is_marked = true;
    return;
  }
  computation.root = computation.instructions.back();
}

// As the reader collects them. False if numbers clash: the diagnostics about that depend on the order.
bool DocumentUpdate::UpdateParameters(ComputationId id) {
  bool had_gap = false;
  for (size_t i = 0; i < old_.diagnostics_.size(); ++i) {
    const DiagnosticKind kind = old_.diagnostics_[i].kind;
    const uint32_t owner = old_.sources_[i].owner;
    had_gap = had_gap || (kind == DiagnosticKind::kParameterGap && owner == id.value);
    if (kind == DiagnosticKind::kDuplicateParameterNumber &&
        old_module_.instruction(InstructionId(owner)).computation == id) {
      return false;
    }
  }
  std::vector<std::pair<uint32_t, InstructionId>> owners;
  const std::vector<InstructionId>& known = module_.computation(id).parameters;
  uint32_t count = 0;
  bool unreadable = false, all_read = true;
  for (InstructionId instruction : module_.computation(id).instructions) {
    unreadable = unreadable || module_.opcode(instruction) == Opcode::kInvalid;
    if (module_.opcode(instruction) != Opcode::kParameter) continue;
    uint32_t number = module_.instruction(instruction).parameter_number;
    if (read_.count(instruction.value) != 0) {
      const auto found = read_parameters_.find(instruction.value);
      if (found == read_parameters_.end()) continue;  // it has no number that can be read
      number = found->second;
    } else {
      all_read = false;
      if (number >= known.size() || known[number] != instruction) {
        if (!module_.instruction(instruction).has_reading_errors) return false;
        continue;
      }
    }
    owners.emplace_back(number, instruction);
    count = std::max(count, number + 1);
  }
  const bool has_gap = count > owners.size() && !unreadable;
  // Those after a gap count as unreadable.
  if ((had_gap || has_gap) && !all_read) return false;
  computations_[id.value].readability |= had_gap || has_gap;
  absl::flat_hash_set<uint32_t> numbers;
  for (const auto& [number, owner] : owners) {
    if (!numbers.insert(number).second) return false;
  }
  updater_->RereadParameters(id, owners, unreadable);
  return true;
}

// The number of a parameter became another one, or a parameter came or went: whether numbers are missing shows from
// all.
void DocumentUpdate::QueueParameters(ComputationId id) {
  for (InstructionId instruction : module_.computation(id).instructions) {
    if (module_.opcode(instruction) == Opcode::kParameter) Queue(instruction);
  }
}

bool DocumentUpdate::SignatureChanged(ComputationId id) const {
  const Computation &before = old_module_.computation(id), &after = module_.computation(id);
  const auto same = [&](InstructionId a, InstructionId b) {
    if (a.has_value() != b.has_value()) return false;
    return !a.has_value() || old_module_.instruction(a).shape == module_.instruction(b).shape;
  };
  return !same(before.root, after.root) || before.parameters.size() != after.parameters.size() ||
         !std::equal(before.parameters.begin(), before.parameters.end(), after.parameters.begin(), same);
}
}  // namespace hloscope
