// SPDX-License-Identifier: Apache-2.0
// What the edits did to the statements: room for new ones, and what must be read again because of them.
#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "core/document/diagnostic_list.h"
#include "core/document/document_update.h"
#include "core/lex/lexer.h"
#include "core/semantics/anchor_resolver.h"
#include "core/verify/instruction_traits.h"

namespace hloscope {
namespace {

// Instructions that are read again because other names may be suggested for theirs.
constexpr size_t kMaxSuggestionsReread = 24;

}  // namespace

// Makes room for new statements and takes out old ones: in the module and in the map, from the end on, so that earlier
// places stay.
void DocumentUpdate::SpliceRegions() {
  for (size_t r = regions_.size(); r-- > 0;) {
    const EditRegion& region = regions_[r];
    const std::vector<InstructionId>& list = module_.computation(region.computation).instructions;
    const size_t paired = std::min(region.old_changed(), region.new_changed());
    const size_t position = region.first + region.same_front + paired;
    const uint32_t removed = static_cast<uint32_t>(region.old_changed() - paired);
    const uint32_t inserted = static_cast<uint32_t>(region.new_changed() - paired);
    if (removed == 0 && inserted == 0) continue;
    // The first node of the statement at the position: inline computations have theirs before it.
    size_t node;
    if (position > 0) {
      node = module_.instruction(list[position - 1]).syntax.index() + 1;
    } else {
      node = module_.instruction(list[0]).syntax.index();
      while (node > 0 && (map_.flags[node - 1] & TextMap::kStatement) == 0) --node;
    }
    module_.SpliceInstructions(region.computation, position, SyntaxId(node), removed, inserted);
    const auto place = static_cast<std::ptrdiff_t>(node);
    map_.nodes.erase(map_.nodes.begin() + place, map_.nodes.begin() + place + removed);
    map_.flags.erase(map_.flags.begin() + place, map_.flags.begin() + place + removed);
    map_.nodes.insert(map_.nodes.begin() + place, inserted, SourceRange{});
    map_.flags.insert(map_.flags.begin() + place, inserted, static_cast<uint8_t>(TextMap::kStatement));
  }
  for (const EditRegion& region : regions_) {
    const size_t paired = std::min(region.old_changed(), region.new_changed());
    const size_t position = region.first + region.same_front + paired;
    const auto& list = old_module_.computation(region.computation).instructions;
    const uint32_t first = position < list.size() ? list[position].value : list.back().value + 1;
    const uint32_t removed = static_cast<uint32_t>(region.old_changed() - paired);
    const uint32_t inserted = static_cast<uint32_t>(region.new_changed() - paired);
    if (removed + inserted > 0) ids_.AddSplice(first, removed, inserted);
  }

  if (offsets_->changes().size() == 1) {
    // The usual case, without a search.
    const TextChange change = offsets_->changes()[0];
    const uint32_t shift = change.after.end - change.before.end;
    for (SourceRange& range : map_.nodes) {
      const uint32_t by = range.begin >= change.before.end ? shift : 0;
      range.begin += by;
      range.end += by;
    }
  } else {
    for (SourceRange& range : map_.nodes) range = offsets_->Range(range);
  }
  for (TextMap::ComputationText& text : map_.computations) {
    text.range = offsets_->Range(text.range);
    text.name = offsets_->Range(text.name);
    text.result = offsets_->Range(text.result);
    text.body_begin = offsets_->End(text.body_begin);
    text.close_brace = offsets_->Begin(text.close_brace);
  }
  for (const NameEdit& edit : names_) {
    map_.computations[module_.computation(edit.computation).syntax].name = edit.text.after;
  }
}

// The node of the first of `count` statements of one node each, which are in `list` from `first` on. Those put in
// have none yet.
std::optional<size_t> DocumentUpdate::FirstNode(const std::vector<InstructionId>& list, size_t first,
                                                size_t count) const {
  const auto node_of = [&](size_t k) { return module_.instruction(list[k]).syntax; };
  if (first > 0) return node_of(first - 1).index() + 1;
  for (size_t k = 0; k < list.size(); ++k) {
    if (!node_of(k).has_value()) continue;
    if (k < count) return node_of(k).index() - k;
    // The statement after them may hold inline computations, whose nodes come first.
    size_t node = node_of(k).index();
    while (node > 0 && (map_.flags[node - 1] & TextMap::kStatement) == 0) --node;
    return node - count;
  }
  return std::nullopt;
}

std::vector<StringId> DocumentUpdate::SeedOldStatements(const EditRegion& region, ComputationUpdate& update) {
  const auto& list = old_module_.computation(region.computation).instructions;
  std::vector<StringId> names(region.old_changed());
  for (size_t i = 0; i < names.size(); ++i) {
    const InstructionId id = list[region.first + region.same_front + i];
    const Instruction& instruction = old_module_.instruction(id);
    if (instruction.is_named) names[i] = instruction.name;
    update.roots = update.roots || instruction.is_marked_root;
    update.readability = update.readability || instruction.has_reading_errors;
    update.parameters =
        update.parameters || instruction.opcode == Opcode::kParameter || instruction.opcode == Opcode::kInvalid;
    if (i < region.new_changed()) continue;
    divided_work_changed_ = divided_work_changed_ || DividesWork(instruction.opcode);
    QueueUsers(id);
    NoteTraits(old_module_, id);
    edges_changed_ = true;
    calls_changed_ = calls_changed_ || !CallsOf(old_module_, id).empty();
  }
  return names;
}

std::vector<StringId> DocumentUpdate::SeedNewStatements(const EditRegion& region,
                                                        absl::Span<const InstructionId> statements, size_t first_node,
                                                        ComputationUpdate& update) {
  const bool root_is_marked = module_.computation(region.computation).root_is_marked;
  std::vector<StringId> names(region.new_changed());
  for (size_t j = 0; j < statements.size(); ++j) {
    const InstructionSyntax& node = region.tree.instructions[j];
    const InstructionId id = statements[j];
    const bool is_changed = j >= region.same_front && j < region.same_front + region.new_changed();
    const size_t node_id = first_node + j;
    map_.nodes[node_id] = RangeOfTokens(region.tokens, node.tokens);
    map_.flags[node_id] = static_cast<uint8_t>(TextMap::kStatement | (node.broken ? TextMap::kBroken : 0));
    if (!is_changed) continue;
    Instruction& instruction = module_.mutable_instruction(id);
    instruction.syntax = SyntaxId(node_id);
    instruction.is_named = node.name != kNoToken;
    instruction.is_marked_root = node.is_root;
    if (instruction.is_named) {
      const absl::string_view text = source_->Slice(region.tokens.range(node.name));
      instruction.name = module_.InternString(TokenName(region.tokens.kind(node.name), text));
      names[j - region.same_front] = instruction.name;
    }
    update.roots = update.roots || node.is_root || !root_is_marked;
    new_statements_[id.value] = {&region, j};
    Queue(id);
  }
  return names;
}

bool DocumentUpdate::SeedRegions() {
  size_t old_anonymous = 0, new_anonymous = 0;
  absl::flat_hash_map<uint32_t, int64_t> moved;  // by computation: how far its statements moved so far
  absl::flat_hash_map<uint32_t, absl::flat_hash_set<StringId>> changed_names;
  for (const EditRegion& region : regions_) {
    const ComputationId computation = region.computation;
    int64_t& shift = moved[computation.value];
    const size_t first = static_cast<size_t>(static_cast<int64_t>(region.first) + shift);
    shift += static_cast<int64_t>(region.new_changed()) - static_cast<int64_t>(region.old_changed());
    const std::vector<InstructionId>& list = module_.computation(computation).instructions;
    if (list.empty()) return false;
    ComputationUpdate& update = computations_[computation.value];
    // Where numbers are missing, how many parameters there are depends on how many instructions there are.
    const std::vector<InstructionId>& parameters = old_module_.computation(computation).parameters;
    const bool has_gap =
        std::any_of(parameters.begin(), parameters.end(), [](InstructionId p) { return !p.has_value(); });
    update.parameters = update.parameters || (has_gap && region.old_changed() != region.new_changed());

    const std::vector<StringId> old_names = SeedOldStatements(region, update);
    const size_t count = region.tree.instructions.size();
    const std::optional<size_t> first_node = FirstNode(list, first, count);
    if (!first_node) return false;
    const std::vector<StringId> new_names =
        SeedNewStatements(region, absl::MakeConstSpan(list).subspan(first, count), *first_node, update);
    update.roots = update.roots || !old_module_.computation(computation).root_is_marked;

    for (size_t i = 0; i < std::max(old_names.size(), new_names.size()); ++i) {
      const bool old_is_made_up = i < old_names.size() && !old_names[i].has_value();
      const bool new_is_made_up = i < new_names.size() && !new_names[i].has_value();
      old_anonymous += old_is_made_up ? 1 : 0;
      new_anonymous += new_is_made_up ? 1 : 0;
      // Names that were made up are suggested for unknown ones too.
      if (old_is_made_up || new_is_made_up) changed_names[computation.value];
      const StringId before = i < old_names.size() ? old_names[i] : StringId();
      const StringId after = i < new_names.size() ? new_names[i] : StringId();
      if (before == after) continue;
      if (before.has_value()) changed_names[computation.value].insert(before);
      if (after.has_value()) changed_names[computation.value].insert(after);
      if (i < old_names.size()) {
        QueueUsers(old_module_.computation(computation).instructions[region.first + region.same_front + i]);
      }
    }
  }
  return SeedChangedNames(old_anonymous, new_anonymous, changed_names);
}

bool DocumentUpdate::SeedChangedNames(size_t old_anonymous, size_t new_anonymous,
                                      const absl::flat_hash_map<uint32_t, absl::flat_hash_set<StringId>>& names) {
  // Instructions without a name are numbered through the text.
  if (old_anonymous + new_anonymous > 0 && state_.anonymous > old_anonymous) return false;
  state_.anonymous = static_cast<uint32_t>(state_.anonymous - old_anonymous + new_anonymous);
  for (const auto& [computation, changed] : names) {
    SeedNames(ComputationId(computation), changed);
    changed_names_.insert(changed.begin(), changed.end());
  }
  names_changed_ = !names.empty();
  if (names_changed_ && !QueueSuggestions()) return false;
  return queue_.size() <= kMaxReread;
}

// What is said about unknown and doubled names depends on all names.
bool DocumentUpdate::QueueSuggestions() {
  size_t count = 0;
  for (size_t i = 0; i < old_.diagnostics_.size(); ++i) {
    if (!HasSuggestion(old_.diagnostics_[i].kind) || old_.sources_[i].stage != CheckStage::kInstruction) continue;
    const InstructionId id = ids_.ToNew(InstructionId(old_.sources_[i].owner));
    if (!id.has_value() || queue_.count(id.value) != 0) continue;
    Queue(id);
    if (++count > kMaxSuggestionsReread) return false;
  }
  return true;
}

// Definitions of the names appeared or went: whoever defines or may use them is read again.
void DocumentUpdate::SeedNames(ComputationId computation, const absl::flat_hash_set<StringId>& names) {
  for (InstructionId id : module_.computation(computation).instructions) {
    const Instruction& instruction = module_.instruction(id);
    if (MayHaveUnknownNames(id)) Queue(id);
    if (instruction.is_named && names.contains(instruction.name)) {
      Queue(id);
      const InstructionId old_id = ids_.ToOld(id);
      if (old_id.has_value()) QueueUsers(old_id);
    }
    if ((state_.traits & kControlEdgeTrait) != 0 && module_.HasAttribute(id, AttributeKind::kControlPredecessors)) {
      Queue(id);
    }
  }
}

// Callers of the computations with other names are read again.
bool DocumentUpdate::SeedComputationNames() {
  if (names_.empty()) return true;
  absl::flat_hash_set<StringId> changed;
  for (const NameEdit& edit : names_) {
    Computation& computation = module_.mutable_computation(edit.computation);
    changed.insert(computation.name);
    computation.name = module_.InternString(source_->Slice(edit.text.after));
    changed.insert(computation.name);
    // Names that start with a digit are not legal.
    if (absl::ascii_isdigit(static_cast<unsigned char>(*source_->Slice(edit.text.after).data()))) return false;
    // A text without header is named after its entry.
    if (!module_.header().written && edit.computation == module_.entry()) return false;
  }
  // What could not be read may name a computation, too.
  size_t unreadable = 0;
  for (uint32_t i = 0; i < module_.instruction_count(); ++i) {
    const Instruction& instruction = module_.instruction(InstructionId(i));
    if (!instruction.has_reading_errors || instruction.opcode == Opcode::kInvalid) continue;
    Queue(InstructionId(i));
    if (++unreadable > kMaxSuggestionsReread) return false;
  }
  for (ComputationId c(0); c.index() < module_.computations().size(); ++c.value) {
    if (module_.computation(c).is_anonymous) continue;
    const bool is_renamed = module_.computation(c).name != old_module_.computation(c).name;
    if (!is_renamed && changed.contains(module_.computation(c).name)) return false;
    if (!is_renamed) continue;
    computations_[c.value].diagnostics = true;
    for (InstructionId caller : old_users_.callers(c)) {
      const InstructionId now = ids_.ToNew(caller);
      if (now.has_value()) Queue(now);
    }
  }
  const auto names_entry = [](const Diagnostic& diagnostic) { return diagnostic.kind == DiagnosticKind::kSecondEntry; };
  return std::none_of(old_.diagnostics_.begin(), old_.diagnostics_.end(), names_entry);
}

// Its operands are not all that the text names: names are unknown, or a tuple path starts from what cannot be read.
bool DocumentUpdate::MayHaveUnknownNames(InstructionId id) const {
  if (module_.opcode(id) == Opcode::kInvalid) return false;
  if (module_.instruction(id).has_reading_errors) return true;
  const auto operands = module_.operands(id);
  return std::any_of(operands.begin(), operands.end(), [](InstructionId operand) { return !operand.has_value(); });
}

void DocumentUpdate::QueueUsers(InstructionId old_id) {
  for (InstructionId user : old_users_.users(old_id)) {
    const InstructionId id = ids_.ToNew(user);
    if (id.has_value()) Queue(id);
  }
}

// Diagnostics that point into the regions are made again, whatever they are about.
void DocumentUpdate::SeedTouchedDiagnostics() {
  for (size_t i = 0; i < old_.diagnostics_.size(); ++i) {
    if (!IsTouched(old_.diagnostics_[i], *offsets_)) continue;
    DiagnosticSource source = old_.sources_[i];
    if (source.stage == CheckStage::kComputation) computations_[source.owner].diagnostics = true;
    if (OwnerOf(source.stage) == CheckOwner::kInstruction) {
      source.owner = ids_.ToNew(InstructionId(source.owner)).value;
      if (source.owner == DiagnosticSource::kNobody) continue;
      if (source.stage == CheckStage::kInstruction) Queue(InstructionId(source.owner));
    }
    touched_.push_back(source);
  }
}
}  // namespace hloscope
