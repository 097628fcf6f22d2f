// SPDX-License-Identifier: Apache-2.0
#include "core/document/document_update.h"

#include <algorithm>
#include <utility>

#include "core/document/diagnostic_list.h"
#include "core/verify/instruction_traits.h"
#include "core/verify/verifier.h"

namespace hloscope {
namespace {

// Every range of the diagnostic.
template <typename Visit>
void ForEachRange(Diagnostic& diagnostic, Visit visit) {
  visit(diagnostic.range);
  for (RelatedLocation& related : diagnostic.related) visit(related.range);
  for (FixIt& fix : diagnostic.fixes) {
    for (FixIt::Edit& edit : fix.edits) visit(edit.range);
  }
}

// Whether the diagnostic about a computation may change with its instructions.
bool MayChange(DiagnosticKind kind) {
  return kind == DiagnosticKind::kSecondRoot || kind == DiagnosticKind::kSignatureMismatch;
}

// What decides where a string ends.
bool HasQuoteOrBreak(absl::string_view text) { return text.find_first_of("\"'\\\r\n") != absl::string_view::npos; }

// Whether a change puts a quote into, or takes one out of, the text in which the end of a string was looked for that is
// left open outside of the regions: it may have an end now, or another one.
bool MayCloseString(const Document& old, const SourceText& source, const std::vector<EditRegion>& regions,
                    const std::vector<TextChange>& changes) {
  for (const Diagnostic& diagnostic : old.diagnostics()) {
    if (diagnostic.kind != DiagnosticKind::kUnclosedString) continue;
    const bool is_read_again = std::any_of(regions.begin(), regions.end(), [&](const EditRegion& region) {
      return region.text.before.begin <= diagnostic.range.begin && diagnostic.range.begin < region.text.before.end;
    });
    if (is_read_again) continue;
    const uint32_t searched_to = diagnostic.related.empty() ? old.source().size() : diagnostic.related[0].range.end;
    for (const TextChange& change : changes) {
      if (change.before.end < diagnostic.range.begin || change.before.begin > searched_to) continue;
      if (HasQuoteOrBreak(old.source().Slice(change.before)) || HasQuoteOrBreak(source.Slice(change.after)))
        return true;
    }
  }
  return false;
}

// Whether two instructions of a computation have one name, or that would take long to find out. Of unreadable ones no
// diagnostic says so.
bool HasDoubleNames(const Document& document) {
  const Module& module = document.module();
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (diagnostic.kind == DiagnosticKind::kDuplicateInstruction) return true;
  }
  if (!module.MayHave(Opcode::kInvalid)) return false;
  constexpr int kMaxUnreadable = 8;
  int unreadable = 0;
  for (const Instruction& instruction : module.instructions()) {
    if (instruction.opcode != Opcode::kInvalid || !instruction.is_named) continue;
    if (++unreadable > kMaxUnreadable) return true;
    int count = 0;
    for (InstructionId id : module.computation(instruction.computation).instructions) {
      const Instruction& other = module.instruction(id);
      count += other.is_named && other.name == instruction.name ? 1 : 0;
    }
    if (count > 1) return true;
  }
  return false;
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
  if (!parts || MayCloseString(old, *source, parts->regions, changes)) return nullptr;
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
  if (!HasDoubleNames(old_)) updater_->SetNamesAreUnique(&changed_names_, /*are_all=*/!names_changed_);
  SeedTouchedDiagnostics();
  if (!ReadQueued()) return false;
  state_.traits |= edited_traits_;
  // What an asynchronous start leads to runs on its thread.
  if (calls_changed_ && (state_.traits & kAsyncTrait) != 0) return false;
  // Layouts within fusions follow rules of their own.
  if (calls_changed_ && old_.options_.verify.layout_sensitive) return false;
  state_.reread += static_cast<uint32_t>(read_.size());
  if (state_.reread > module_.instruction_count() / 2 + 2000) return false;
  UpdateIndex();
  Verify();
  return true;
}

// Whether the update has made the diagnostic of the old document again, or its place is gone.
bool DocumentUpdate::IsDropped(const Diagnostic& diagnostic, DiagnosticSource source, const VerifyScope& scope) const {
  switch (source.stage) {
    case CheckStage::kLexer:
      return offsets_->IsTouched(diagnostic.range);
    case CheckStage::kSyntax: {
      if (source.owner == DiagnosticSource::kNobody) return false;
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
      if (diagnostic.kind == DiagnosticKind::kParameterGap) return found->second.parameters;
      return found->second.diagnostics && MayChange(diagnostic.kind);
    }
    default:
      break;
  }
  uint32_t owner = source.owner;
  if (OwnerOf(source.stage) == CheckOwner::kInstruction) {
    owner = ids_.ToNew(InstructionId(owner)).value;
    if (owner == DiagnosticSource::kNobody) return true;
  }
  if (source.stage == CheckStage::kInstruction) return read_.count(owner) != 0;
  if (!IsVerifierStage(source.stage)) return false;
  const std::vector<uint32_t>& owners = scope.owners(source.stage);
  return scope.Includes(source.stage) || std::binary_search(owners.begin(), owners.end(), owner);
}

std::shared_ptr<const Document> DocumentUpdate::Finish() {
  std::shared_ptr<Document> document(new Document());
  std::vector<Diagnostic> diagnostics;
  std::vector<DiagnosticSource> sources;
  // Nodes after the regions moved.
  IdMap nodes;
  for (const EditRegion& region : regions_) {
    const uint32_t removed = static_cast<uint32_t>(region.last - region.first);
    const uint32_t inserted = static_cast<uint32_t>(region.tree.instructions.size());
    const auto& list = old_module_.computation(region.computation).instructions;
    const uint32_t first = region.first < list.size() ? old_module_.instruction(list[region.first]).syntax.value
                                                      : old_module_.instruction(list.back()).syntax.value + 1;
    nodes.AddSplice(first, removed, inserted);
    const uint32_t moved_first = nodes.FirstOfLastSplice();
    for (size_t i = 0; i < region.diagnostics.size(); ++i) {
      diagnostics.push_back(region.diagnostics[i]);
      sources.push_back(region.sources[i]);
      if (sources.back().stage == CheckStage::kSyntax && sources.back().owner != DiagnosticSource::kNobody) {
        sources.back().owner += moved_first;
      }
    }
  }
  for (size_t i = 0; i < old_.diagnostics_.size(); ++i) {
    const Diagnostic& diagnostic = old_.diagnostics_[i];
    DiagnosticSource source = old_.sources_[i];
    if (IsDropped(diagnostic, source, scope_)) continue;
    if (IsTouched(diagnostic, *offsets_)) return nullptr;  // it was not made again
    diagnostics.push_back(diagnostic);
    ForEachRange(diagnostics.back(), [&](SourceRange& range) { range = offsets_->Range(range); });
    if (OwnerOf(source.stage) == CheckOwner::kInstruction) source.owner = ids_.ToNew(InstructionId(source.owner)).value;
    if (source.stage == CheckStage::kSyntax && source.owner != DiagnosticSource::kNobody) {
      source.owner = nodes.ToNew(InstructionId(source.owner)).value;
    }
    sources.push_back(source);
  }
  sources.insert(sources.end(), sink_.sources().begin(), sink_.sources().end());
  for (Diagnostic& diagnostic : sink_.Take()) diagnostics.push_back(std::move(diagnostic));
  if (diagnostics.size() >= DiagnosticSink::kMaxKept) return nullptr;
  if (old_.options_.verify.strict) RaiseTolerated(diagnostics);
  int suggestions = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    suggestions += HasSuggestion(diagnostic.kind) ? 1 : 0;
    document->error_count_ += diagnostic.severity == Severity::kError ? 1 : 0;
  }
  if (suggestions > kMaxSuggestionsInUpdate) return nullptr;
  SortDiagnostics(diagnostics, sources);

  document->source_ = source_;
  document->options_ = old_.options_;
  document->module_ = std::make_shared<const Module>(std::move(module_));
  document->computation_of_syntax_ = old_.computation_of_syntax_;
  document->map_ = std::make_shared<const TextMap>(std::move(map_));
  document->changed_parts_ = offsets_->changes();
  document->index_ = std::move(index_);
  document->diagnostics_ = std::move(diagnostics);
  document->sources_ = std::move(sources);
  document->update_state_ = state_;
  document->is_update_ = true;
  return document;
}

}  // namespace hloscope
