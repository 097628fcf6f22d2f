// SPDX-License-Identifier: Apache-2.0
// The language server: life cycle, open documents, and the way of requests to the features and of answers back.
#ifndef HLOSCOPE_LSP_SERVER_SERVER_H_
#define HLOSCOPE_LSP_SERVER_SERVER_H_

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/resources/own_program.h"
#include "lsp/protocol/client_capabilities.h"
#include "lsp/server/document_worker.h"
#include "lsp/server/feature_table.h"
#include "lsp/server/pending_request.h"
#include "lsp/server/scheduler.h"
#include "lsp/server/settings.h"
#include "lsp/server/workspace_diagnostics.h"
#include "lsp/server/workspace_index.h"
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
    std::string evaluation_program = OwnProgram();
  };

  // The connection must outlive the server.
  Server(Connection& connection, Options options);

  // Serves until `exit` or until the client is gone. Returns the exit status of the process: 0 after a `shutdown`
  // request, else 1.
  int Run();

  // After Run: cancels what is being computed. The process may end at once.
  void CancelEverything();

 private:
  enum class State : uint8_t { kUninitialized, kRunning, kShutDown };

  // One payload. `exit` sets exit_.
  void HandlePayload(const std::string& payload);
  void HandleRequest(const RequestId& id, const std::string& method, nlohmann::json params);
  void HandleNotification(const std::string& method, nlohmann::json params);
  void HandleAnswer(const nlohmann::json& message);
  void RunFeature(const RequestId& id, const Feature& feature, nlohmann::json params);
  // False if the request is not about the workspace.
  bool RunWorkspaceRequest(const RequestId& id, const std::string& method, const nlohmann::json& params);
  void RunWorkspaceSymbol(const RequestId& id, const nlohmann::json& params);
  void ResolveWorkspaceSymbol(const RequestId& id, const nlohmann::json& params);
  void RunWorkspaceDiagnostic(const RequestId& id, const nlohmann::json& params);

  void Initialize(const RequestId& id, const nlohmann::json& params);
  void Initialized();
  void DidOpen(nlohmann::json params);
  void DidChange(const nlohmann::json& params);
  void DidClose(const nlohmann::json& params);
  void DidChangeConfiguration(const nlohmann::json& params);
  void DidChangeFolders(const nlohmann::json& params);
  void CancelRequest(const nlohmann::json& params);
  void UseChangedSettings(const nlohmann::json& changes);
  void UseSettings(const Settings& settings);
  void TellSettingProblems();
  void ShareFolders();

  std::shared_ptr<DocumentWorker> FindDocument(const std::string& uri);
  std::shared_ptr<const Settings> CurrentSettings();
  void PublishDiagnostics(const DocumentWorker& worker, const DocumentView& view, int64_t version);
  std::shared_ptr<PendingRequest> AddPending(const RequestId& id);
  // Sends the answer, unless the request was cancelled.
  void Answer(const std::shared_ptr<PendingRequest>& request, std::string payload);
  // Asks the client something; the answer comes to HandleAnswer under the method's name.
  void AskClient(const std::string& method, nlohmann::json params);
  // Tells the client's log about something that the protocol has no answer for.
  void LogWarning(const std::string& message);
  // `$/logTrace`, if the client wants it.
  void Trace(const std::string& message);

  Connection& connection_;
  const Options options_;
  State state_ = State::kUninitialized;        // reading thread only
  bool exit_ = false;                          // reading thread only
  int64_t parent_process_ = 0;                 // reading thread only; 0: unknown
  std::vector<std::string> setting_problems_;  // reading thread only; not told yet
  std::string last_completion_uri_;            // reading thread only
  std::vector<std::string> folders_;           // paths; reading thread only
  ClientCapabilities client_;                  // written once, before any document is open
  std::atomic<bool> trace_ = false;

  std::mutex settings_mutex_;
  std::shared_ptr<const Settings> settings_ = std::make_shared<Settings>();

  std::mutex asked_mutex_;
  std::map<std::string, std::string> asked_;  // requests to the client by id: their methods
  int next_ask_ = 1;

  std::mutex documents_mutex_;
  absl::flat_hash_map<std::string, std::shared_ptr<DocumentWorker>> documents_;  // by URI

  std::mutex pending_mutex_;
  std::map<RequestId, std::shared_ptr<PendingRequest>> pending_;

  std::shared_ptr<WorkspaceIndex> workspace_;   // touched on workspace_lane_ only
  WorkspaceDiagnostics workspace_diagnostics_;  // as well
  Scheduler scheduler_;                         // last but for its lanes: its threads use the members above
  std::shared_ptr<Scheduler::Lane> workspace_lane_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_SERVER_H_
