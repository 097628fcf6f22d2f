// The work on one open document: its changes and the questions about it, in the order they arrived.
#ifndef HLOSCOPE_LSP_SERVER_DOCUMENT_WORKER_H_
#define HLOSCOPE_LSP_SERVER_DOCUMENT_WORKER_H_

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lsp/features/document_view.h"
#include "lsp/server/pending_request.h"
#include "lsp/server/scheduler.h"

namespace hloscope::lsp {

// Change, Ask: called by the thread that reads messages; they never wait for work. The callbacks run on the document's
// lane of the scheduler.
//
// A question is answered about the version that was newest when it was asked. Successive changes with no open question
// in between become one step; a version that another change already waits to replace is not published.
class DocumentWorker : public std::enable_shared_from_this<DocumentWorker> {
 public:
  using Publish = std::function<void(const DocumentWorker& worker, const DocumentView& view, int64_t version)>;
  using Query = std::function<void(const DocumentView& view)>;

  DocumentWorker(std::string uri, ColumnUnit unit, DocumentOptions options, std::shared_ptr<Scheduler::Lane> lane,
                 Publish publish);

  const std::string& uri() const { return uri_; }

  void Change(int64_t version, std::vector<protocol::ContentChange> changes);
  // `query` is not called if the request has been answered (cancelled) before its turn.
  void Ask(std::shared_ptr<const PendingRequest> request, Query query);

 private:
  struct Item {
    // A change if there is no request.
    std::shared_ptr<const PendingRequest> request;
    Query query;
    int64_t version = 0;
    std::vector<protocol::ContentChange> changes;
  };

  void Post(Item item);
  void RunNext();
  void ApplyChanges(const Item& item);
  bool ChangeWaits();

  const std::string uri_;
  const ColumnUnit unit_;
  const DocumentOptions options_;
  const std::shared_ptr<Scheduler::Lane> lane_;
  const Publish publish_;

  std::mutex mutex_;
  std::deque<Item> items_;  // guarded by mutex_

  std::shared_ptr<const Document> document_;  // touched on the lane only
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_DOCUMENT_WORKER_H_
