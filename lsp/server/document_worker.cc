// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/document_worker.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "interop/files/split_modules.h"
#include "interop/modules/open_modules.h"
#include "lsp/server/text_sync.h"

namespace hloscope::lsp {
namespace {

// Revisions name answers (result ids): those of a document that was opened again are others. Numbers in JSON are exact
// up to 2^53.
constexpr uint64_t kRevisionsOfOpening = uint64_t{1} << 32;

// Whether a text that is none may be a StableHLO program after the edits: something long comes in near its beginning.
bool MayBecomeProgram(const std::vector<TextEdit>& edits) {
  constexpr uint32_t kBeginning = 1000;
  constexpr size_t kLong = 20;
  return edits[0].range.begin < kBeginning && edits[0].replacement.size() > kLong;
}

// Whether a line that an edit wrote begins a second module.
bool BeginsAnotherModule(const SourceText& text, const std::vector<TextEdit>& edits) {
  int64_t moved = 0;
  for (const TextEdit& edit : edits) {
    const uint32_t begin = static_cast<uint32_t>(edit.range.begin + moved);
    const uint32_t end = begin + static_cast<uint32_t>(edit.replacement.size());
    moved += static_cast<int64_t>(edit.replacement.size()) - edit.range.size();
    const uint32_t last = text.LineColumnAt(end).line;
    for (uint32_t line = std::max(1u, text.LineColumnAt(begin).line); line <= last; ++line) {
      if (absl::StartsWith(text.Line(line), "HloModule ")) return true;
    }
  }
  return false;
}

// The modules of a text with several.
std::vector<ModuleDocument> ModulesOf(const SourceText& text, const DocumentOptions& options) {
  std::vector<ModuleDocument> modules;
  const std::vector<interop::ModulePart> parts = interop::SplitModules(text.text());
  if (parts.size() < 2) return modules;
  for (const interop::ModulePart& part : parts) {
    const uint32_t line = text.LineColumnAt(static_cast<uint32_t>(part.begin)).line;
    std::string padded(line, '\n');
    absl::StrAppend(&padded, text.text().substr(part.begin, part.end - part.begin));
    modules.push_back({line, Document::Parse(SourceText::FromString(text.name(), std::move(padded)), options)});
  }
  return modules;
}

}  // namespace

DocumentWorker::DocumentWorker(std::string uri, ColumnUnit unit, ReadingOptions options, Scheduler& scheduler,
                               Publish publish)
    : uri_(std::move(uri)),
      unit_(unit),
      lanes_{scheduler.MakeLane(), scheduler.MakeLane(), scheduler.MakeLane(), scheduler.MakeLane()},
      publish_(std::move(publish)),
      options_(std::move(options)) {
  static std::atomic<uint64_t> openings = 0;
  states_[0].revision = ++openings * kRevisionsOfOpening;
}

void DocumentWorker::Change(int64_t version, std::vector<protocol::ContentChange> changes) {
  Item item;
  item.version = version;
  item.changes = std::move(changes);
  Post(std::move(item));
}

void DocumentWorker::Ask(Lane lane, std::shared_ptr<const PendingRequest> request, Query query,
                         std::function<void()> refuse) {
  Item item;
  item.lane = lane;
  item.request = std::move(request);
  item.query = std::move(query);
  item.refuse = std::move(refuse);
  Post(std::move(item));
}

void DocumentWorker::Configure(ReadingOptions options) {
  Item item;
  item.options = std::move(options);
  Post(std::move(item));
}

void DocumentWorker::Post(Item item) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(std::move(item));
  }
  lanes_[0]->Post([self = shared_from_this()] { self->RunNext(); });
}

// There are at least as many turns as items; a turn that finds its item already merged into an earlier one does
// nothing.
void DocumentWorker::RunNext() {
  Item item;
  std::vector<Item> refused;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (items_.empty()) return;
    item = std::move(items_.front());
    items_.pop_front();
    if (item.request == nullptr) MergeWaiting(&item, &refused);
  }
  for (const Item& question : refused) question.refuse();
  if (item.request == nullptr) {
    ApplyChanges(std::move(item));
  } else if (!item.request->answered() && document_ != nullptr) {
    Answer(std::move(item));
  }
}

void DocumentWorker::Answer(Item item) {
  if (item.lane == Lane::kText) {
    item.query(View(), states_[0]);
    return;
  }
  const size_t lane = static_cast<size_t>(item.lane);
  lanes_[lane]->Post([self = shared_from_this(), lane, document = document_, parts = parts_,
                      revision = states_[0].revision, version = states_[0].version, changes = states_[0].changes,
                      request = std::move(item.request), query = std::move(item.query)] {
    if (request->answered()) return;
    DocumentState& state = self->states_[lane];
    state.revision = revision;
    state.version = version;
    state.changes = changes;
    query(DocumentView(*document, self->uri_, self->unit_, parts->program_diagnostics, parts->modules), state);
  });
}

void DocumentWorker::MergeWaiting(Item* item, std::vector<Item>* refused) {
  size_t waiting = static_cast<size_t>(
      std::count_if(items_.begin(), items_.end(), [](const Item& other) { return other.request == nullptr; }));
  const bool overrun = waiting > kMaxWaitingChanges;
  while (!items_.empty() && (!overrun || waiting > 0)) {
    Item& next = items_.front();
    if (next.request != nullptr && !next.request->answered()) {
      if (!overrun) break;
      refused->push_back(std::move(next));
    } else if (next.request == nullptr) {
      --waiting;
      if (next.version.has_value()) item->version = next.version;
      if (next.options.has_value()) item->options = std::move(next.options);
      std::move(next.changes.begin(), next.changes.end(), std::back_inserter(item->changes));
    }
    items_.pop_front();
  }
}

void DocumentWorker::ApplyChanges(Item item) {
  DocumentState& state = states_[0];
  if (item.version.has_value()) state.version = *item.version;
  std::shared_ptr<const SourceText> source = SourceText::FromString(uri_, "");
  if (document_ != nullptr) {
    const TextOrigin* const origin = document_->source().origin();
    source = origin != nullptr ? origin->source : document_->shared_source();
  }
  std::vector<TextEdit> edits = CombineChanges(source, std::move(item.changes), unit_);
  if (document_ == nullptr || item.options.has_value()) {
    if (item.options.has_value()) options_ = *item.options;
    Read(ApplyEdits(source->text(), std::move(edits)));
    state.changes.AddEverything(++state.revision);
  } else if (!edits.empty() &&
             (document_->source().origin() != nullptr || !parts_->modules.empty() || MayBecomeProgram(edits))) {
    Read(ApplyEdits(source->text(), std::move(edits)));
    state.changes.AddEverything(++state.revision);
  } else if (!edits.empty()) {
    const std::shared_ptr<const Document> changed = document_->WithEdit(edits);
    if (BeginsAnotherModule(changed->source(), edits)) {
      Read(std::string(changed->source().text()));
      state.changes.AddEverything(++state.revision);
      if (!ChangeWaits()) publish_(*this, View(), state.version);
      return;
    }
    document_ = changed;
    ++state.revision;
    if (document_->is_update()) {
      state.changes.Add(state.revision, document_->changed_parts());
    } else {
      state.changes.AddEverything(state.revision);
    }
  }
  if (!ChangeWaits()) publish_(*this, View(), state.version);
}

// A text, or a StableHLO program, which is translated.
void DocumentWorker::Read(std::string text) {
  interop::HloSource source = interop::HloSourceOf(SourceText::FromString(uri_, std::move(text)), options_.program);
  DocumentOptions options = options_.document;
  if (source.text->origin() != nullptr) options.verify.allow_mixed_precision = true;
  auto parts = std::make_shared<Parts>();
  parts->program_diagnostics = std::move(source.diagnostics);
  if (source.text->origin() == nullptr) parts->modules = ModulesOf(*source.text, options);
  document_ = Document::Parse(std::move(source.text), options);
  parts_ = std::move(parts);
}

DocumentView DocumentWorker::View() const {
  return DocumentView(*document_, uri_, unit_, parts_->program_diagnostics, parts_->modules);
}

bool DocumentWorker::ChangeWaits() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.request == nullptr; });
}

}  // namespace hloscope::lsp
