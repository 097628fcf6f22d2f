// The language server: life cycle, open documents, and the way of requests to the features and of answers back.
#ifndef HLOSCOPE_LSP_SERVER_SERVER_H_
#define HLOSCOPE_LSP_SERVER_SERVER_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "lsp/protocol/client_capabilities.h"
#include "lsp/server/document_worker.h"
#include "lsp/server/feature_table.h"
#include "lsp/server/pending_request.h"
#include "lsp/server/scheduler.h"
#include "lsp/transport/connection.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// One server per connection. Run() reads and dispatches on the calling thread; all work on documents happens on the
// scheduler's threads, so that reading never waits for it.
class Server {
 public:
  struct Options {
    std::string version;             // reported to the client
    std::string resource_directory;  // FindResourceDirectory()
    int worker_threads = 0;          // 0: as many as the machine has
  };

  // The connection must outlive the server.
  Server(Connection& connection, Options options);

  // Serves until `exit` or until the client is gone. Returns the exit status of the process: 0 after a `shutdown`
  // request, else 1.
  int Run();

 private:
  enum class State : uint8_t { kUninitialized, kRunning, kShutDown };

  // One payload. `exit` sets exit_.
  void HandlePayload(const std::string& payload);
  void HandleRequest(const RequestId& id, const std::string& method, nlohmann::json params);
  void HandleNotification(const std::string& method, const nlohmann::json& params);
  void RunFeature(const RequestId& id, const Feature& feature, nlohmann::json params);

  void Initialize(const RequestId& id, const nlohmann::json& params);
  void DidOpen(const nlohmann::json& params);
  void DidChange(const nlohmann::json& params);
  void DidClose(const nlohmann::json& params);
  void CancelRequest(const nlohmann::json& params);

  std::shared_ptr<DocumentWorker> FindDocument(const std::string& uri);
  void PublishDiagnostics(const DocumentWorker& worker, const DocumentView& view, int64_t version);
  // Sends the answer, unless the request was cancelled.
  void Answer(const std::shared_ptr<PendingRequest>& request, std::string payload);
  // Tells the client's log about something that the protocol has no answer for.
  void LogWarning(const std::string& message);

  Connection& connection_;
  const Options options_;
  State state_ = State::kUninitialized;  // reading thread only
  bool exit_ = false;                    // reading thread only
  ClientCapabilities client_;            // written once, before any document is open
  DocumentOptions document_options_;     // written once, before any document is open

  std::mutex documents_mutex_;
  absl::flat_hash_map<std::string, std::shared_ptr<DocumentWorker>> documents_;  // by URI

  std::mutex pending_mutex_;
  std::map<RequestId, std::shared_ptr<PendingRequest>> pending_;

  Scheduler scheduler_;  // last: its threads use the members above
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_SERVER_H_
