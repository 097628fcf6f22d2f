#include "lsp/server/document_worker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lsp/server/text_sync.h"

namespace hloscope::lsp {

DocumentWorker::DocumentWorker(std::string uri, ColumnUnit unit, DocumentOptions options,
                               std::shared_ptr<Scheduler::Lane> lane, Publish publish)
    : uri_(std::move(uri)),
      unit_(unit),
      options_(std::move(options)),
      lane_(std::move(lane)),
      publish_(std::move(publish)) {}

void DocumentWorker::Change(int64_t version, std::vector<protocol::ContentChange> changes) {
  Item item;
  item.version = version;
  item.changes = std::move(changes);
  Post(std::move(item));
}

void DocumentWorker::Ask(std::shared_ptr<const PendingRequest> request, Query query) {
  Item item;
  item.request = std::move(request);
  item.query = std::move(query);
  Post(std::move(item));
}

void DocumentWorker::Post(Item item) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(std::move(item));
  }
  lane_->Post([self = shared_from_this()] { self->RunNext(); });
}

// There are at least as many turns as items; a turn that finds its item already merged into an earlier one does
// nothing.
void DocumentWorker::RunNext() {
  Item item;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (items_.empty()) return;
    item = std::move(items_.front());
    items_.pop_front();
    if (item.request == nullptr) {
      while (!items_.empty()) {
        Item& next = items_.front();
        if (next.request != nullptr && !next.request->answered()) break;
        if (next.request == nullptr) {
          item.version = next.version;
          std::move(next.changes.begin(), next.changes.end(), std::back_inserter(item.changes));
        }
        items_.pop_front();
      }
    }
  }
  if (item.request == nullptr) {
    ApplyChanges(item);
  } else if (!item.request->answered() && document_ != nullptr) {
    item.query(DocumentView(*document_, uri_, unit_));
  }
}

void DocumentWorker::ApplyChanges(const Item& item) {
  if (document_ == nullptr) {
    const std::shared_ptr<const SourceText> empty = SourceText::FromString(uri_, "");
    std::string text = ApplyEdits("", CombineChanges(empty, item.changes, unit_));
    document_ = Document::Parse(SourceText::FromString(uri_, std::move(text)), options_);
  } else {
    const std::vector<TextEdit> edits = CombineChanges(document_->shared_source(), item.changes, unit_);
    if (!edits.empty()) document_ = document_->WithEdit(edits);
  }
  if (!ChangeWaits()) publish_(*this, DocumentView(*document_, uri_, unit_), item.version);
}

bool DocumentWorker::ChangeWaits() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.request == nullptr; });
}

}  // namespace hloscope::lsp
