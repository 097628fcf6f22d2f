// SPDX-License-Identifier: Apache-2.0
// The work on one open document: its changes and the questions about it, in the order they arrived.
#ifndef HLOSCOPE_LSP_SERVER_DOCUMENT_WORKER_H_
#define HLOSCOPE_LSP_SERVER_DOCUMENT_WORKER_H_

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lsp/features/document_view.h"
#include "lsp/server/feature_table.h"
#include "lsp/server/pending_request.h"
#include "lsp/server/reading_options.h"
#include "lsp/server/scheduler.h"

namespace hloscope::lsp {

// Change, Ask: called by the thread that reads messages; they never wait for work. The callbacks run on the document's
// lanes of the scheduler: changes and their publication on the first one, in the order in which they came.
//
// A question is answered about the version that was newest when it was asked. Successive changes with no open question
// in between become one step; a version that another change already waits to replace is not published. When more than
// kMaxWaitingChanges changes wait although questions are between them, all of them become one step, and those
// questions are refused: their versions are history.
class DocumentWorker : public std::enable_shared_from_this<DocumentWorker> {
 public:
  using Publish = std::function<void(const DocumentWorker& worker, const DocumentView& view, int64_t version)>;
  using Query = std::function<void(const DocumentView& view, DocumentState& state)>;

  static constexpr size_t kMaxWaitingChanges = 8;

  // The scheduler must outlive the worker.
  DocumentWorker(std::string uri, ColumnUnit unit, ReadingOptions options, Scheduler& scheduler, Publish publish);

  const std::string& uri() const { return uri_; }

  void Change(int64_t version, std::vector<protocol::ContentChange> changes);
  // `query` is not called if the request has been answered (cancelled) before its turn.
  // `refuse` is called instead if the text has moved on.
  void Ask(Lane lane, std::shared_ptr<const PendingRequest> request, Query query, std::function<void()> refuse);
  // Analyses the text again with other options.
  void Configure(ReadingOptions options);

 private:
  struct Item {
    // A change if there is no request.
    std::shared_ptr<const PendingRequest> request;
    Lane lane = Lane::kText;
    Query query;
    std::function<void()> refuse;
    std::optional<int64_t> version;  // nullopt: as before
    std::vector<protocol::ContentChange> changes;
    std::optional<ReadingOptions> options;
  };

  void Post(Item item);
  void RunNext();
  void MergeWaiting(Item* item, std::vector<Item>* refused);  // requires mutex_
  void ApplyChanges(Item item);
  void Read(std::string text);
  DocumentView View() const;
  void Answer(Item item);
  bool ChangeWaits();

  const std::string uri_;
  const ColumnUnit unit_;
  const std::array<std::shared_ptr<Scheduler::Lane>, kLaneCount> lanes_;
  const Publish publish_;

  std::mutex mutex_;
  std::deque<Item> items_;  // guarded by mutex_

  // Touched on the first lane only.
  std::shared_ptr<const Document> document_;
  // What else there is of texts that are not one module. Replaced, never changed: other lanes hold it.
  struct Parts {
    std::vector<Diagnostic> program_diagnostics;  // of the StableHLO program that the document was made from
    std::vector<ModuleDocument> modules;          // if there are several
  };
  std::shared_ptr<const Parts> parts_ = std::make_shared<Parts>();
  ReadingOptions options_;
  // Each touched on its lane only. The first one's is the newest.
  std::array<DocumentState, kLaneCount> states_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_DOCUMENT_WORKER_H_
