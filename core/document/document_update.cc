#include "core/document/document_update.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "core/analysis/side_effects.h"
#include "core/document/findings.h"
#include "core/lex/lexer.h"
#include "core/ops/collective.h"
#include "core/semantics/anchor_resolver.h"
#include "core/verify/verifier.h"

namespace hloscope {
namespace {

// Instructions read anew in one update.
constexpr size_t kMaxReread = 4000;
// Instructions that are read anew because other names may be suggested for theirs.
constexpr size_t kMaxSuggestionsReread = 24;

// Every range of the finding.
template <typename Visit>
void ForEachRange(Diagnostic& finding, Visit visit) {
  visit(finding.range);
  for (RelatedLocation& related : finding.related) visit(related.range);
  for (FixIt& fix : finding.fixes) {
    for (FixIt::Edit& edit : fix.edits) visit(edit.range);
  }
}

bool IsTouched(const Diagnostic& finding, const OffsetMap& offsets) {
  if (offsets.IsTouched(finding.range)) return true;
  for (const RelatedLocation& related : finding.related) {
    if (offsets.IsTouched(related.range)) return true;
  }
  for (const FixIt& fix : finding.fixes) {
    for (const FixIt::Edit& edit : fix.edits) {
      if (offsets.IsTouched(edit.range)) return true;
    }
  }
  return false;
}

// Owners are instructions.
bool IsInstructionStage(CheckStage stage) {
  switch (stage) {
    case CheckStage::kInstruction:
    case CheckStage::kShapes:
    case CheckStage::kUnbounded:
    case CheckStage::kOrigins:
    case CheckStage::kAsyncPairs:
    case CheckStage::kShardings:
    case CheckStage::kLayouts:
    case CheckStage::kDeadCode:
      return true;
    default:
      return false;
  }
}

bool IsVerifierStage(CheckStage stage) { return stage >= CheckStage::kStructure; }

// Whether the finding about a computation may change with its instructions.
bool MayChange(DiagnosticKind kind) {
  return kind == DiagnosticKind::kSecondRoot || kind == DiagnosticKind::kSignatureMismatch;
}

bool DividesWork(Opcode opcode) { return IsCollective(opcode) || opcode == Opcode::kPartitionId; }
bool AnyDividesWork(const Module& module) {
  return std::any_of(module.instructions().begin(), module.instructions().end(),
                     [](const Instruction& instruction) { return DividesWork(instruction.opcode); });
}

std::vector<uint32_t> Sorted(const std::set<uint32_t>& set) { return {set.begin(), set.end()}; }

std::vector<ComputationId> CalledBy(const Module& module, InstructionId id) {
  std::vector<ComputationId> called;
  module.ForEachCalledComputation(id, [&](AttributeKind kind, ComputationId callee) {
    called.push_back(ComputationId(static_cast<size_t>(kind)));
    called.push_back(callee);
  });
  return called;
}

}  // namespace

DocumentUpdate::DocumentUpdate(const Document& old, std::shared_ptr<const SourceText> source)
    : old_(old),
      old_module_(*old.module_),
      old_users_(*old.index_.users),
      source_(std::move(source)),
      module_(*old.module_),
      map_(*old.map_),
      state_(old.update_state_),
      index_(old.index_) {}

std::shared_ptr<const Document> DocumentUpdate::Run(const Document& old, std::shared_ptr<const SourceText> source,
                                                    const std::vector<TextChange>& changes,
                                                    std::vector<InstructionId>* read) {
  if (!old.update_state_.possible) return nullptr;
  const OldText text = {*old.source_, *old.map_, *old.module_, *old.computation_of_syntax_};
  auto parts = FindEditedParts(text, *source, changes);
  if (!parts) return nullptr;
  DocumentUpdate update(old, std::move(source));
  update.regions_ = std::move(parts->regions);
  update.names_ = std::move(parts->names);
  if (!update.Update()) return nullptr;
  if (read != nullptr) {
    read->clear();
    for (uint32_t id : update.read_) read->push_back(InstructionId(id));
  }
  return update.Finish();
}

bool DocumentUpdate::Update() {
  std::vector<TextChange> texts;
  for (const EditRegion& region : regions_) texts.push_back(region.text);
  for (const NameEdit& edit : names_) texts.push_back(edit.text);
  std::sort(texts.begin(), texts.end(),
            [](const TextChange& a, const TextChange& b) { return a.before.begin < b.before.begin; });
  offsets_.emplace(std::move(texts));
  SpliceRegions();
  resolver_.emplace(*source_, map_, module_);
  updater_ = std::make_unique<ModuleUpdater>(*source_, old_.options_.verify, *resolver_, sink_, module_);
  if (!SeedRegions() || !SeedComputationNames()) return false;
  SeedTouchedFindings();
  if (!ReadQueued()) return false;
  // Whether shapes are global, which shardings divide, shows from any collective.
  if (divided_work_changed_ && (state_.traits & kShardingTrait) != 0 &&
      AnyDividesWork(old_module_) != AnyDividesWork(module_)) {
    return false;
  }
  // Layouts within fusions follow rules of their own.
  if (calls_changed_ && old_.options_.verify.layout_sensitive) return false;
  state_.reread += static_cast<uint32_t>(read_.size());
  if (state_.reread > module_.instruction_count() / 2 + 2000) return false;
  UpdateIndex();
  if (!old_.options_.parse_only) Verify();
  return true;
}

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

// The node of the first of `count` statements of one node each, which stand in `list` from `first` on. Those put in
// have none yet.
std::optional<size_t> DocumentUpdate::FirstNode(const std::vector<InstructionId>& list, size_t first,
                                                size_t count) const {
  const auto node_of = [&](size_t k) { return module_.instruction(list[k]).syntax; };
  if (first > 0) return node_of(first - 1).index() + 1;
  for (size_t k = 0; k < list.size(); ++k) {
    if (!node_of(k).has_value()) continue;
    if (k < count) return node_of(k).index() - k;
    // The statement behind may hold inline computations, whose nodes come first.
    size_t node = node_of(k).index();
    while (node > 0 && (map_.flags[node - 1] & TextMap::kStatement) == 0) --node;
    return node - count;
  }
  return std::nullopt;
}

bool DocumentUpdate::SeedRegions() {
  uint32_t old_anonymous = 0, new_anonymous = 0;
  absl::flat_hash_map<uint32_t, int64_t> moved;  // by computation: how far its statements moved so far
  absl::flat_hash_map<uint32_t, absl::flat_hash_set<StringId>> names;
  for (const EditRegion& region : regions_) {
    const ComputationId computation = region.computation;
    const auto& old_list = old_module_.computation(computation).instructions;
    int64_t& shift = moved[computation.value];
    const size_t first = static_cast<size_t>(static_cast<int64_t>(region.first) + shift);
    shift += static_cast<int64_t>(region.new_changed()) - static_cast<int64_t>(region.old_changed());
    const std::vector<InstructionId> list = module_.computation(computation).instructions;
    if (list.empty()) return false;
    ComputationUpdate& update = computations_[computation.value];

    // Old statements, and new ones: texts, names, roots, parameters.
    std::vector<StringId> old_names(region.old_changed()), new_names(region.new_changed());
    for (size_t i = 0; i < old_names.size(); ++i) {
      const InstructionId old_id = old_list[region.first + region.same_front + i];
      const Instruction& instruction = old_module_.instruction(old_id);
      if (instruction.is_named) old_names[i] = instruction.name;
      old_anonymous += instruction.is_named ? 0 : 1;
      update.roots = update.roots || instruction.is_marked_root;
      update.readability = update.readability || instruction.has_reading_errors;
      update.parameters =
          update.parameters || instruction.opcode == Opcode::kParameter || instruction.opcode == Opcode::kInvalid;
      if (i < region.new_changed()) continue;
      divided_work_changed_ = divided_work_changed_ || DividesWork(instruction.opcode);
      QueueUsers(old_id);
      state_.traits |= TraitsOf(old_module_, old_id);
      edges_changed_ = true;
      calls_changed_ = calls_changed_ || !CalledBy(old_module_, old_id).empty();
    }
    const std::optional<size_t> first_node = FirstNode(list, first, region.tree.instructions.size());
    if (!first_node) return false;
    for (size_t j = 0; j < region.tree.instructions.size(); ++j) {
      const InstructionSyntax& node = region.tree.instructions[j];
      const InstructionId id = list[first + j];
      const bool is_changed = j >= region.same_front && j < region.same_front + region.new_changed();
      const size_t node_id = *first_node + j;
      map_.nodes[node_id] = RangeOfTokens(region.tokens, node.tokens);
      map_.flags[node_id] = static_cast<uint8_t>(TextMap::kStatement | (node.broken ? TextMap::kBroken : 0));
      if (!is_changed) continue;
      const size_t i = j - region.same_front;
      Instruction& instruction = module_.mutable_instruction(id);
      instruction.syntax = SyntaxId(node_id);
      instruction.is_named = node.name != kNoToken;
      instruction.is_marked_root = node.is_root;
      if (instruction.is_named) {
        const absl::string_view text = source_->Slice(region.tokens.range(node.name));
        new_names[i] = instruction.name = module_.InternString(TokenName(region.tokens.kind(node.name), text));
      } else {
        ++new_anonymous;
      }
      update.roots = update.roots || node.is_root || !module_.computation(computation).root_is_marked;
      new_statements_[id.value] = {&region, j};
      Queue(id);
    }
    update.roots = update.roots || !old_module_.computation(computation).root_is_marked;
    for (size_t i = 0; i < std::max(old_names.size(), new_names.size()); ++i) {
      // Names that were made up are suggested for unknown ones too.
      const bool made_up =
          (i < old_names.size() && !old_names[i].has_value()) || (i < new_names.size() && !new_names[i].has_value());
      if (made_up) names[computation.value];
      const StringId before = i < old_names.size() ? old_names[i] : StringId();
      const StringId after = i < new_names.size() ? new_names[i] : StringId();
      if (before == after) continue;
      if (before.has_value()) names[computation.value].insert(before);
      if (after.has_value()) names[computation.value].insert(after);
      if (i < old_names.size()) QueueUsers(old_list[region.first + region.same_front + i]);
    }
  }
  // Instructions without a name are numbered through the text.
  if (old_anonymous + new_anonymous > 0 && state_.anonymous > old_anonymous) return false;
  state_.anonymous = state_.anonymous - old_anonymous + new_anonymous;
  for (const auto& [computation, changed] : names) SeedNames(ComputationId(computation), changed);
  if (!names.empty() && !QueueSuggestions()) return false;
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

// Definitions of the names appeared or went: whoever defines or may use them is read anew.
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

// Callers of the computations with other names are read anew.
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
    computations_[c.value].findings = true;
    for (InstructionId caller : old_users_.callers(c)) {
      const InstructionId now = ids_.ToNew(caller);
      if (now.has_value()) Queue(now);
    }
  }
  const auto names_entry = [](const Diagnostic& finding) { return finding.kind == DiagnosticKind::kSecondEntry; };
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

// Findings that point into the regions are made anew, whatever they are about.
void DocumentUpdate::SeedTouchedFindings() {
  for (size_t i = 0; i < old_.diagnostics_.size(); ++i) {
    if (!IsTouched(old_.diagnostics_[i], *offsets_)) continue;
    FindingSource source = old_.sources_[i];
    if (source.stage == CheckStage::kComputation) computations_[source.owner].findings = true;
    if (IsInstructionStage(source.stage)) {
      source.owner = ids_.ToNew(InstructionId(source.owner)).value;
      if (source.owner == FindingSource::kNobody) continue;
      if (source.stage == CheckStage::kInstruction) Queue(InstructionId(source.owner));
    }
    touched_.push_back(source);
  }
}

// Reads what is queued in the order of the text: what an instruction depends on stands before it, and computations
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

bool DocumentUpdate::ReadInstruction(InstructionId id) {
  read_.insert(id.value);
  const InstructionId old_id = ids_.ToOld(id);
  ComputationUpdate& update = computations_[module_.instruction(id).computation.value];
  if (old_id.has_value()) {
    state_.traits |= TraitsOf(old_module_, old_id);
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
  state_.traits |= TraitsOf(module_, id);
  const Instruction& after = module_.instruction(id);
  const std::optional<uint32_t> number =
      after.opcode == Opcode::kParameter ? updater_->parameter_number() : std::nullopt;
  if (number) read_parameters_[id.value] = *number;
  if (old_id.has_value() && old_module_.opcode(old_id) == Opcode::kParameter && after.opcode == Opcode::kParameter) {
    const Instruction& before = old_module_.instruction(old_id);
    if (!number || *number != before.parameter_number || before.has_reading_errors) QueueParameters(after.computation);
  }
  update.parameters = update.parameters || after.opcode == Opcode::kParameter ||
                      (found != new_statements_.end() && after.opcode == Opcode::kInvalid);
  update.signature = update.signature || after.opcode == Opcode::kParameter;

  const bool was_readable = !old_id.has_value() || !old_module_.instruction(old_id).has_reading_errors;
  update.readability = update.readability || was_readable == after.has_reading_errors;
  if (!old_id.has_value()) {
    divided_work_changed_ = divided_work_changed_ || DividesWork(after.opcode);
    edges_changed_ = edges_changed_ || after.operand_count > 0;
    calls_changed_ = calls_changed_ || !CalledBy(module_, id).empty();
    return true;
  }
  const Instruction& before = old_module_.instruction(old_id);
  const auto old_operands = old_module_.operands(old_id), operands = module_.operands(id);
  edges_changed_ = edges_changed_ || old_operands.size() != operands.size() ||
                   !std::equal(operands.begin(), operands.end(), old_operands.begin(),
                               [&](InstructionId a, InstructionId b) { return a == ids_.ToNew(b); });
  calls_changed_ = calls_changed_ || CalledBy(module_, id) != CalledBy(old_module_, old_id);
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
        checked_.insert(now.value);
        if (!module_.instruction(now).shape_declared) Queue(now);
      }
    }
  }
  if (update.signature || update.roots || update.findings) {
    update.findings = true;
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

// As the reader collects them. False if numbers clash: the findings about that depend on the order.
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
  // Those behind a gap count as unreadable.
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

void DocumentUpdate::UpdateIndex() {
  std::vector<InstructionId> changed;
  for (uint32_t id : read_) changed.push_back(InstructionId(id));
  if (edges_changed_ || calls_changed_ || !ids_.empty()) {
    index_.users = std::make_shared<const UserIndex>(old_users_, ids_, module_, changed);
  }
  if (calls_changed_) {
    index_.calls = std::make_shared<const CallGraph>(module_);
  } else if (!ids_.empty()) {
    index_.calls = std::make_shared<const CallGraph>(*old_.index_.calls, ids_);
  }
  UpdateEffects(calls_changed_);
}

void DocumentUpdate::UpdateEffects(bool calls_changed) {
  const SideEffects before(old_module_, *old_.index_.first_effects);
  if (calls_changed) {
    index_.first_effects =
        std::make_shared<const std::vector<InstructionId>>(SideEffects(module_, *index_.calls).first_by_computation());
  } else {
    std::vector<InstructionId> first = *old_.index_.first_effects;
    for (InstructionId& id : first) id = ids_.ToNew(id);
    // Computations whose first effect must be looked for; callers come later in the order.
    std::set<uint32_t> work;
    for (const auto& [computation, update] : computations_) work.insert(computation);
    while (!work.empty()) {
      const ComputationId computation(*work.begin());
      work.erase(work.begin());
      const SideEffects now(module_, first);
      const InstructionId old_first = (*old_.index_.first_effects)[computation.index()];
      InstructionId found = first[computation.index()];
      const bool lost = found.has_value() ? !now.Has(found) : old_first.has_value();
      if (lost) {
        found = InstructionId::None();
        for (InstructionId id : module_.computation(computation).instructions) {
          if (!now.Has(id)) continue;
          found = id;
          break;
        }
      }
      const auto consider = [&](InstructionId id) {
        if (InComputation(id, computation) && (!found.has_value() || id < found) && now.Has(id)) found = id;
      };
      for (uint32_t id : read_) consider(InstructionId(id));
      for (uint32_t id : callers_of_changed_effects_) consider(InstructionId(id));
      first[computation.index()] = found;
      if (found.has_value() == old_first.has_value()) continue;
      for (InstructionId caller : index_.users->callers(computation)) {
        callers_of_changed_effects_.insert(caller.value);
        work.insert(module_.instruction(caller).computation.value);
      }
    }
    index_.first_effects = std::make_shared<const std::vector<InstructionId>>(std::move(first));
  }
  for (size_t c = 0; c < old_.index_.first_effects->size(); ++c) {
    const InstructionId then = (*old_.index_.first_effects)[c], now = (*index_.first_effects)[c];
    if (then.has_value() == now.has_value()) continue;
    effects_changed_ = true;
    for (InstructionId caller : index_.users->callers(ComputationId(c))) {
      callers_of_changed_effects_.insert(caller.value);
    }
  }
}

void DocumentUpdate::Verify() {
  scope_ = MakeScope();
  VerifyModule(module_, index_, old_.options_.verify, *resolver_, sink_, &scope_);
}

VerifyScope DocumentUpdate::MakeScope() {
  // Checks of single instructions look at operands, users and callees.
  checked_.insert(read_.begin(), read_.end());
  for (uint32_t id : read_) {
    for (InstructionId user : index_.users->users(InstructionId(id))) checked_.insert(user.value);
  }
  std::set<uint32_t> computations;
  for (const auto& [computation, update] : computations_) computations.insert(computation);
  std::set<uint32_t> async_pairs = checked_;
  if ((state_.traits & kAsyncTrait) != 0) {
    // A chain may run through a whole computation, and its links know what the start calls.
    std::set<uint32_t> with_callers = computations;
    for (uint32_t id : checked_) with_callers.insert(module_.instruction(InstructionId(id)).computation.value);
    for (uint32_t computation : with_callers) {
      for (InstructionId id : module_.computation(ComputationId(computation)).instructions) {
        if ((TraitsOf(module_, id) & kAsyncTrait) != 0) async_pairs.insert(id.value);
      }
    }
    for (uint32_t id : async_pairs) checked_.insert(id);
  }
  std::set<uint32_t> dead = checked_;
  AddDeadCodeCandidates(dead);
  std::set<uint32_t> fusions = computations, async_bodies = computations;
  for (uint32_t caller : callers_of_changed_effects_) {
    fusions.insert(module_.instruction(InstructionId(caller)).computation.value);
  }
  if (calls_changed_ || old_.options_.verify.layout_sensitive) {
    for (uint32_t c = 0; c < module_.computations().size(); ++c) {
      fusions.insert(c);
      async_bodies.insert(c);
    }
  }
  bool called = false;
  for (uint32_t c : computations) called = called || !index_.users->callers(ComputationId(c)).empty();

  VerifyScope scope;
  std::set<uint32_t> shapes = checked_, unbounded = checked_, origins = checked_, shardings = checked_,
                     layouts = checked_;
  if (calls_changed_ || called || effects_changed_ || !names_.empty()) scope.Include(CheckStage::kCallers);
  scope.Include(CheckStage::kBuffers);
  scope.Include(CheckStage::kMemorySpaces);
  const VerifyOptions& options = old_.options_.verify;
  if (options.check_renamed) scope.Include(CheckStage::kSchedule);
  if (options.check_deadlocks) scope.Include(CheckStage::kTransferOrder);
  scope.Include(CheckStage::kUncalled);
  const ComputationId entry = module_.entry();
  if (entry.has_value() && computations_.contains(entry.value)) {
    const ComputationUpdate& update = computations_[entry.value];
    if (update.signature || update.roots || update.parameters) scope.Include(CheckStage::kEntrySignature);
  }
  if ((state_.traits & kStackFrameTrait) != 0) scope.Include(CheckStage::kStackFrames);
  if ((state_.traits & kTransferTrait) != 0) scope.Include(CheckStage::kHostTransfers);
  if ((state_.traits & kAllReduceTrait) != 0) scope.Include(CheckStage::kCollectives);
  if ((state_.traits & kShardingTrait) != 0) scope.Include(CheckStage::kShardingAgreement);
  for (FindingSource source : touched_) {
    switch (source.stage) {
      case CheckStage::kShapes:
        shapes.insert(source.owner);
        break;
      case CheckStage::kUnbounded:
        unbounded.insert(source.owner);
        break;
      case CheckStage::kOrigins:
        origins.insert(source.owner);
        break;
      case CheckStage::kAsyncPairs:
        async_pairs.insert(source.owner);
        break;
      case CheckStage::kShardings:
        shardings.insert(source.owner);
        break;
      case CheckStage::kLayouts:
        layouts.insert(source.owner);
        break;
      case CheckStage::kDeadCode:
        dead.insert(source.owner);
        break;
      case CheckStage::kFusions:
        fusions.insert(source.owner);
        break;
      case CheckStage::kAsyncBodies:
        async_bodies.insert(source.owner);
        break;
      default:
        if (IsVerifierStage(source.stage)) scope.Include(source.stage);
        break;
    }
  }
  scope.SetOwners(CheckStage::kShapes, Sorted(shapes));
  scope.SetOwners(CheckStage::kUnbounded, Sorted(unbounded));
  scope.SetOwners(CheckStage::kOrigins, Sorted(origins));
  scope.SetOwners(CheckStage::kAsyncPairs, Sorted(async_pairs));
  scope.SetOwners(CheckStage::kShardings, Sorted(shardings));
  scope.SetOwners(CheckStage::kLayouts, Sorted(layouts));
  scope.SetOwners(CheckStage::kDeadCode, Sorted(dead));
  scope.SetOwners(CheckStage::kFusions, Sorted(fusions));
  scope.SetOwners(CheckStage::kAsyncBodies, Sorted(async_bodies));
  return scope;
}

// Whatever may have gained or lost its last use.
void DocumentUpdate::AddDeadCodeCandidates(std::set<uint32_t>& owners) {
  const auto add_old = [&](InstructionId id) {
    const InstructionId now = ids_.ToNew(id);
    if (now.has_value()) owners.insert(now.value);
  };
  const auto add_uses = [&](const Module& module, InstructionId id, auto add) {
    for (InstructionId operand : module.operands(id)) {
      if (operand.has_value()) add(operand);
    }
    for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
      if (before.has_value()) add(before);
    }
  };
  const auto add_new = [&](InstructionId id) { owners.insert(id.value); };
  absl::flat_hash_set<uint32_t> computations;  // where an unreadable instruction came or went
  for (uint32_t id : read_) {
    const InstructionId now(id), then = ids_.ToOld(now);
    add_uses(module_, now, add_new);
    if (then.has_value()) add_uses(old_module_, then, add_old);
    const bool was = then.has_value() && old_module_.instruction(then).has_reading_errors;
    if (was != module_.instruction(now).has_reading_errors) {
      computations.insert(module_.instruction(now).computation.value);
    }
  }
  for (const EditRegion& region : regions_) {
    const auto& list = old_module_.computation(region.computation).instructions;
    for (size_t k = region.first + region.same_front; k < region.last - region.same_back; ++k) {
      add_uses(old_module_, list[k], add_old);
      if (!ids_.ToNew(list[k]).has_value() && old_module_.instruction(list[k]).has_reading_errors) {
        computations.insert(region.computation.value);
      }
    }
  }
  for (const auto& [computation, update] : computations_) {
    add_old(old_module_.computation(ComputationId(computation)).root);
    if (module_.computation(ComputationId(computation)).root.has_value()) {
      add_new(module_.computation(ComputationId(computation)).root);
    }
  }
  owners.insert(callers_of_changed_effects_.begin(), callers_of_changed_effects_.end());
  if (calls_changed_) {
    // Whether a computation is fused decides who reports what is not used in it.
    for (uint32_t id : read_) {
      const auto add_callees = [&](const Module& module, InstructionId caller) {
        module.ForEachCalledComputation(
            caller, [&](AttributeKind, ComputationId callee) { computations.insert(callee.value); });
      };
      add_callees(module_, InstructionId(id));
      const InstructionId then = ids_.ToOld(InstructionId(id));
      if (then.has_value()) add_callees(old_module_, then);
    }
    for (const EditRegion& region : regions_) {
      const auto& list = old_module_.computation(region.computation).instructions;
      for (size_t k = region.first; k < region.last; ++k) {
        old_module_.ForEachCalledComputation(
            list[k], [&](AttributeKind, ComputationId callee) { computations.insert(callee.value); });
      }
    }
  }
  for (uint32_t c : computations) {
    if (c >= module_.computations().size()) continue;
    for (InstructionId id : module_.computation(ComputationId(c)).instructions) {
      if (index_.users->users(id).empty()) owners.insert(id.value);
    }
  }
}

// Whether the update has made the finding of the old document anew, or its place is gone.
bool DocumentUpdate::IsDropped(const Diagnostic& finding, FindingSource source, const VerifyScope& scope) const {
  switch (source.stage) {
    case CheckStage::kLexer:
      return offsets_->IsTouched(finding.range);
    case CheckStage::kSyntax: {
      if (source.owner == FindingSource::kNobody) return false;
      for (const EditRegion& region : regions_) {
        const auto& list = old_module_.computation(region.computation).instructions;
        for (size_t k = region.first; k < region.last; ++k) {
          if (old_module_.instruction(list[k]).syntax.value == source.owner) return true;
        }
      }
      return false;
    }
    case CheckStage::kComputation: {
      const auto found = computations_.find(source.owner);
      if (found == computations_.end()) return false;
      if (finding.kind == DiagnosticKind::kParameterGap) return found->second.parameters;
      return found->second.findings && MayChange(finding.kind);
    }
    default:
      break;
  }
  uint32_t owner = source.owner;
  if (IsInstructionStage(source.stage)) {
    owner = ids_.ToNew(InstructionId(owner)).value;
    if (owner == FindingSource::kNobody) return true;
  }
  if (source.stage == CheckStage::kInstruction) return read_.count(owner) != 0;
  if (!IsVerifierStage(source.stage)) return false;
  const std::vector<uint32_t>& owners = scope.owners(source.stage);
  return scope.Includes(source.stage) || std::binary_search(owners.begin(), owners.end(), owner);
}

std::shared_ptr<const Document> DocumentUpdate::Finish() {
  std::shared_ptr<Document> document(new Document());
  std::vector<Diagnostic> findings;
  std::vector<FindingSource> sources;
  // Nodes behind the regions moved.
  IdMap nodes;
  for (const EditRegion& region : regions_) {
    const uint32_t removed = static_cast<uint32_t>(region.last - region.first);
    const uint32_t inserted = static_cast<uint32_t>(region.tree.instructions.size());
    const auto& list = old_module_.computation(region.computation).instructions;
    const uint32_t first = region.first < list.size() ? old_module_.instruction(list[region.first]).syntax.value
                                                      : old_module_.instruction(list.back()).syntax.value + 1;
    nodes.AddSplice(first, removed, inserted);
    const uint32_t moved_first = nodes.FirstOfLastSplice();
    for (size_t i = 0; i < region.findings.size(); ++i) {
      findings.push_back(region.findings[i]);
      sources.push_back(region.sources[i]);
      if (sources.back().stage == CheckStage::kSyntax && sources.back().owner != FindingSource::kNobody) {
        sources.back().owner += moved_first;
      }
    }
  }
  for (size_t i = 0; i < old_.diagnostics_.size(); ++i) {
    const Diagnostic& finding = old_.diagnostics_[i];
    FindingSource source = old_.sources_[i];
    if (IsDropped(finding, source, scope_)) continue;
    if (IsTouched(finding, *offsets_)) return nullptr;  // nobody has made it anew
    findings.push_back(finding);
    ForEachRange(findings.back(), [&](SourceRange& range) { range = offsets_->Range(range); });
    if (IsInstructionStage(source.stage)) source.owner = ids_.ToNew(InstructionId(source.owner)).value;
    if (source.stage == CheckStage::kSyntax && source.owner != FindingSource::kNobody) {
      source.owner = nodes.ToNew(InstructionId(source.owner)).value;
    }
    sources.push_back(source);
  }
  sources.insert(sources.end(), sink_.sources().begin(), sink_.sources().end());
  for (Diagnostic& finding : sink_.Take()) findings.push_back(std::move(finding));
  if (findings.size() >= DiagnosticSink::kMaxKept) return nullptr;
  int suggestions = 0;
  for (const Diagnostic& finding : findings) {
    suggestions += HasSuggestion(finding.kind) ? 1 : 0;
    document->error_count_ += finding.severity == Severity::kError ? 1 : 0;
  }
  if (suggestions > kMaxSuggestionsInUpdate) return nullptr;
  SortFindings(findings, sources);

  document->source_ = source_;
  document->options_ = old_.options_;
  document->module_ = std::make_shared<const Module>(std::move(module_));
  document->computation_of_syntax_ = old_.computation_of_syntax_;
  document->map_ = std::make_shared<const TextMap>(std::move(map_));
  document->index_ = std::move(index_);
  document->diagnostics_ = std::move(findings);
  document->sources_ = std::move(sources);
  document->update_state_ = state_;
  return document;
}

}  // namespace hloscope
