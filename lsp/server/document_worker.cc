#include "lsp/server/document_worker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lsp/server/text_sync.h"

namespace hloscope::lsp {

DocumentWorker::DocumentWorker(std::string uri, ColumnUnit unit, DocumentOptions options, Scheduler& scheduler,
                               Publish publish)
    : uri_(std::move(uri)),
      unit_(unit),
      lanes_{scheduler.MakeLane(), scheduler.MakeLane(), scheduler.MakeLane(), scheduler.MakeLane()},
      publish_(std::move(publish)),
      options_(std::move(options)) {}

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

void DocumentWorker::Configure(DocumentOptions options) {
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
    item.query(DocumentView(*document_, uri_, unit_), states_[0]);
    return;
  }
  const size_t lane = static_cast<size_t>(item.lane);
  lanes_[lane]->Post([self = shared_from_this(), lane, document = document_, revision = states_[0].revision,
                      version = states_[0].version, changes = states_[0].changes, request = std::move(item.request),
                      query = std::move(item.query)] {
    if (request->answered()) return;
    DocumentState& state = self->states_[lane];
    state.revision = revision;
    state.version = version;
    state.changes = changes;
    query(DocumentView(*document, self->uri_, self->unit_), state);
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
  const std::shared_ptr<const SourceText> source =
      document_ != nullptr ? document_->shared_source() : SourceText::FromString(uri_, "");
  std::vector<TextEdit> edits = CombineChanges(source, std::move(item.changes), unit_);
  if (document_ == nullptr || item.options.has_value()) {
    if (item.options.has_value()) options_ = *item.options;
    document_ = Document::Parse(SourceText::FromString(uri_, ApplyEdits(source->text(), std::move(edits))), options_);
    state.changes.AddEverything(++state.revision);
  } else if (!edits.empty()) {
    document_ = document_->WithEdit(edits);
    ++state.revision;
    if (document_->is_update()) {
      state.changes.Add(state.revision, document_->changed_parts());
    } else {
      state.changes.AddEverything(state.revision);
    }
  }
  if (!ChangeWaits()) publish_(*this, DocumentView(*document_, uri_, unit_), state.version);
}

bool DocumentWorker::ChangeWaits() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.request == nullptr; });
}

}  // namespace hloscope::lsp
