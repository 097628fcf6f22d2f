// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/server.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lsp/protocol/file_uri.h"
#include "lsp/protocol/json.h"
#include "lsp/protocol/position_mapper.h"
#include "lsp/server/feature_support.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

constexpr int kMessageTypeWarning = 2;
constexpr int kTextDocumentSyncIncremental = 2;

int WorkerThreads(int configured) {
  if (configured > 0) return configured;
  // A thread for each lane of a document, so that none waits for another even on small machines.
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), static_cast<int>(kLaneCount), 16);
}

int64_t VersionOf(const json& params) {
  const json* version = FindPath(params, {"textDocument", "version"});
  const auto* number = version == nullptr ? nullptr : version->get_ptr<const json::number_integer_t*>();
  return number == nullptr ? 0 : *number;
}

json ServerCapabilities(const ClientCapabilities& client) {
  json capabilities = json::object();
  capabilities["positionEncoding"] = std::string(PositionEncodingName(client.position_unit));
  capabilities["textDocumentSync"] = {{"openClose", true}, {"change", kTextDocumentSyncIncremental}};
  ForEachFeature([&](const Feature& feature) {
    if (!feature.capability.empty()) capabilities[std::string(feature.capability)] = feature.capability_value();
  });
  // Their options are for clients that know them.
  if (!client.prepared_renames) capabilities["renameProvider"] = true;
  if (!client.code_action_literals) capabilities["codeActionProvider"] = true;
  capabilities["workspaceSymbolProvider"] = {{"resolveProvider", true}};
  capabilities["workspace"] = {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}};
  return capabilities;
}

}  // namespace

Server::Server(Connection& connection, Options options)
    : connection_(connection),
      options_(std::move(options)),
      scheduler_(WorkerThreads(options_.worker_threads)),
      workspace_lane_(scheduler_.MakeLane()) {}

int Server::Run() {
  while (!exit_) {
    const std::optional<MessageFramer::Event> event = connection_.Read([this] {
      // An editor that died without closing the pipe, as when another process holds its end.
      return parent_process_ <= 0 || kill(static_cast<pid_t>(parent_process_), 0) == 0 || errno != ESRCH;
    });
    if (!event.has_value()) break;
    if (event->kind == MessageFramer::Event::Kind::kError) {
      connection_.Send(ErrorPayload(std::nullopt, ErrorCode::kParseError, event->text));
    } else {
      HandlePayload(event->text);
    }
  }
  return state_ == State::kShutDown ? 0 : 1;
}

void Server::CancelEverything() {
  std::lock_guard<std::mutex> lock(pending_mutex_);
  for (const auto& [id, request] : pending_) request->ClaimAnswer();
}

void Server::HandlePayload(const std::string& payload) {
  std::optional<json> message = ParsePayload(payload);
  if (!message.has_value()) {
    connection_.Send(ErrorPayload(std::nullopt, ErrorCode::kParseError, "the message is not JSON"));
    return;
  }
  const std::optional<std::string> method = FindString(*message, {"method"});
  const json* id_value = FindPath(*message, {"id"});
  const std::optional<RequestId> id = id_value == nullptr ? std::nullopt : ReadRequestId(*id_value);
  if (!method.has_value()) {
    if (FindPath(*message, {"result"}) != nullptr || FindPath(*message, {"error"}) != nullptr) {
      HandleAnswer(*message);
      return;
    }
    connection_.Send(ErrorPayload(id, ErrorCode::kInvalidRequest, "expected a message with a `method`"));
    return;
  }
  if (id_value != nullptr && !id.has_value()) {
    connection_.Send(ErrorPayload(std::nullopt, ErrorCode::kInvalidRequest, "`id` must be a string or an integer"));
    return;
  }
  json params;
  if (auto found = message->find("params"); found != message->end()) params = std::move(*found);
  if (id.has_value()) {
    HandleRequest(*id, *method, std::move(params));
  } else {
    HandleNotification(*method, std::move(params));
  }
}

void Server::HandleRequest(const RequestId& id, const std::string& method, json params) {
  if (method == "initialize") {
    Initialize(id, params);
    return;
  }
  if (state_ == State::kUninitialized) {
    connection_.Send(ErrorPayload(id, ErrorCode::kServerNotInitialized, "expected `initialize` first"));
    return;
  }
  if (state_ == State::kShutDown) {
    connection_.Send(ErrorPayload(id, ErrorCode::kInvalidRequest, "the server has been shut down"));
    return;
  }
  if (method == "shutdown") {
    state_ = State::kShutDown;
    connection_.Send(ResultPayload(id, "null"));
    return;
  }
  if (RunWorkspaceRequest(id, method, params)) return;
  if (const Feature* feature = FindFeature(method)) {
    RunFeature(id, *feature, std::move(params));
    return;
  }
  connection_.Send(ErrorPayload(id, ErrorCode::kMethodNotFound, absl::StrCat("unknown method `", method, "`")));
}

void Server::HandleNotification(const std::string& method, json params) {
  if (method == "exit") {
    exit_ = true;
    return;
  }
  if (state_ != State::kRunning) return;
  if (method == "textDocument/didOpen") {
    DidOpen(std::move(params));
  } else if (method == "textDocument/didChange") {
    DidChange(params);
  } else if (method == "textDocument/didClose") {
    DidClose(params);
  } else if (method == "$/cancelRequest" || method == "window/workDoneProgress/cancel") {
    CancelRequest(params);
  } else if (method == "initialized") {
    Initialized();
  } else if (method == "workspace/didChangeConfiguration") {
    DidChangeConfiguration(params);
  } else if (method == "workspace/didChangeWorkspaceFolders") {
    DidChangeFolders(params);
  } else if (method == "$/setTrace") {
    trace_ = FindString(params, {"value"}).value_or("off") != "off";
  }
  // Other notifications (didSave, didChangeWatchedFiles: the index looks at the files itself) need nothing.
}

void Server::Initialize(const RequestId& id, const json& params) {
  if (state_ != State::kUninitialized) {
    connection_.Send(ErrorPayload(id, ErrorCode::kInvalidRequest, "`initialize` may be sent only once"));
    return;
  }
  if (const json* capabilities = FindPath(params, {"capabilities"})) client_ = ReadClientCapabilities(*capabilities);
  if (const json* options = FindPath(params, {"initializationOptions"}); options != nullptr && options->is_object())
    settings_ = std::make_shared<const Settings>(ReadSettings(*options, Settings(), &setting_problems_));
  if (const json* process = FindPath(params, {"processId"}); process != nullptr && process->is_number_integer())
    parent_process_ = *process->get_ptr<const json::number_integer_t*>();
  trace_ = FindString(params, {"trace"}).value_or("off") != "off";
  if (const json* folders = FindPath(params, {"workspaceFolders"}); folders != nullptr && folders->is_array()) {
    DidChangeFolders({{"event", {{"added", *folders}, {"removed", json::array()}}}});
  } else if (const std::optional<std::string> root = FindString(params, {"rootUri"})) {
    if (std::optional<std::string> path = PathFromUri(*root)) folders_.push_back(*std::move(path));
  }
  ShareFolders();
  state_ = State::kRunning;
  json result = json::object();
  result["capabilities"] = ServerCapabilities(client_);
  result["serverInfo"] = {{"name", "hloscope-lsp"}, {"version", options_.version}};
  connection_.Send(ResultPayload(id, JsonText(result)));
}

void Server::Initialized() {
  TellSettingProblems();
  if (client_.watched_files) {
    AskClient("client/registerCapability",
              {{"registrations",
                json::array({{{"id", "hloscope-files"},
                              {"method", "workspace/didChangeWatchedFiles"},
                              {"registerOptions",
                               {{"watchers", json::array({{{"globPattern", "**/*.{hlo,txt,hlo.pb}"}}})}}}}})}});
  }
  if (client_.pull_configuration)
    AskClient("workspace/configuration", {{"items", json::array({{{"section", "hloscope"}}})}});
}

void Server::DidChangeConfiguration(const json& params) {
  const json* settings = FindPath(params, {"settings"});
  if (settings != nullptr && settings->is_object()) {
    UseChangedSettings(*settings);
  } else if (client_.pull_configuration) {
    AskClient("workspace/configuration", {{"items", json::array({{{"section", "hloscope"}}})}});
  }
}

void Server::UseChangedSettings(const json& changes) {
  Settings settings = ReadSettings(changes, *CurrentSettings(), &setting_problems_);
  TellSettingProblems();
  UseSettings(settings);
}

void Server::TellSettingProblems() {
  for (const std::string& problem : std::exchange(setting_problems_, {})) {
    connection_.Send(NotificationPayload("window/showMessage", {{"type", kMessageTypeWarning}, {"message", problem}}));
  }
}

void Server::UseSettings(const Settings& settings) {
  const bool same = SameAnalysis(settings, *CurrentSettings());
  {
    std::lock_guard<std::mutex> lock(settings_mutex_);
    settings_ = std::make_shared<const Settings>(settings);
  }
  if (!same) {
    std::lock_guard<std::mutex> lock(documents_mutex_);
    for (const auto& [uri, document] : documents_) document->Configure(settings.reading());
  }
  if (!same && client_.diagnostics_refresh) AskClient("workspace/diagnostic/refresh", nullptr);
  if (!same && client_.semantic_tokens_refresh) AskClient("workspace/semanticTokens/refresh", nullptr);
  if (client_.inlay_hint_refresh) AskClient("workspace/inlayHint/refresh", nullptr);
  if (client_.code_lens_refresh) AskClient("workspace/codeLens/refresh", nullptr);
}

std::shared_ptr<const Settings> Server::CurrentSettings() {
  std::lock_guard<std::mutex> lock(settings_mutex_);
  return settings_;
}

void Server::DidChangeFolders(const json& params) {
  const auto for_each = [&](absl::string_view list_name, const std::function<void(std::string)>& visit) {
    const json* list = FindPath(params, {"event", list_name});
    if (list == nullptr || !list->is_array()) return;
    for (const json& folder : *list) {
      const std::optional<std::string> uri = FindString(folder, {"uri"});
      if (std::optional<std::string> path = uri ? PathFromUri(*uri) : std::nullopt) visit(*std::move(path));
    }
  };
  for_each("removed", [&](const std::string& path) {
    folders_.erase(std::remove(folders_.begin(), folders_.end(), path), folders_.end());
  });
  for_each("added", [&](std::string path) { folders_.push_back(std::move(path)); });
  ShareFolders();
}

void Server::ShareFolders() {
  workspace_lane_->Post([this, folders = folders_] {
    if (workspace_ == nullptr) workspace_ = std::make_shared<WorkspaceIndex>(client_.position_unit);
    workspace_->SetFolders(folders);
  });
}

void Server::AskClient(const std::string& method, json params) {
  std::string id;
  {
    std::lock_guard<std::mutex> lock(asked_mutex_);
    id = absl::StrCat("hloscope-", next_ask_++);
    asked_[id] = method;
  }
  connection_.Send(RequestPayload(id, method, std::move(params)));
}

void Server::HandleAnswer(const json& message) {
  const std::optional<std::string> id = FindString(message, {"id"});
  std::string method;
  {
    std::lock_guard<std::mutex> lock(asked_mutex_);
    const auto asked = id.has_value() ? asked_.find(*id) : asked_.end();
    if (asked == asked_.end()) return;
    method = asked->second;
    asked_.erase(asked);
  }
  const json* result = FindPath(message, {"result"});
  if (method == "workspace/configuration" && result != nullptr && result->is_array() && !result->empty() &&
      (*result)[0].is_object()) {
    UseChangedSettings((*result)[0]);
  }
}

void Server::DidOpen(json params) {
  const std::optional<std::string> uri = FindString(params, {"textDocument", "uri"});
  const int64_t version = VersionOf(params);
  std::optional<std::string> text = TakeString(params, {"textDocument", "text"});
  if (!uri.has_value() || !text.has_value()) {
    LogWarning("didOpen ignored: expected `textDocument` with `uri` and `text`");
    return;
  }
  std::shared_ptr<DocumentWorker> document;
  {
    std::lock_guard<std::mutex> lock(documents_mutex_);
    // Opened twice: the new text replaces the old one.
    std::shared_ptr<DocumentWorker>& slot = documents_[*uri];
    if (slot == nullptr) {
      slot = std::make_shared<DocumentWorker>(*uri, client_.position_unit, CurrentSettings()->reading(), scheduler_,
                                              [this](const DocumentWorker& worker, const DocumentView& view,
                                                     int64_t version) { PublishDiagnostics(worker, view, version); });
    }
    document = slot;
  }
  std::vector<protocol::ContentChange> changes(1);
  changes[0].text = *std::move(text);
  document->Change(version, std::move(changes));
}

void Server::DidChange(const json& params) {
  const std::optional<std::string> uri = FindString(params, {"textDocument", "uri"});
  const std::shared_ptr<DocumentWorker> document = uri.has_value() ? FindDocument(*uri) : nullptr;
  if (document == nullptr) {
    LogWarning(absl::StrCat("didChange ignored: `", uri.value_or(""), "` is not open"));
    return;
  }
  // After an ignored change the texts of client and server would differ without anybody noticing.
  const json* list = FindPath(params, {"contentChanges"});
  if (list == nullptr || !list->is_array()) {
    LogWarning(absl::StrCat("a malformed didChange of `", *uri, "` was ignored: close and open the document again"));
    return;
  }
  std::vector<protocol::ContentChange> changes;
  for (const json& entry : *list) {
    std::optional<protocol::ContentChange> change = ReadContentChange(entry);
    if (!change.has_value()) {
      LogWarning(absl::StrCat("a malformed change of `", *uri, "` was skipped: close and open the document again"));
      continue;
    }
    changes.push_back(*std::move(change));
  }
  document->Change(VersionOf(params), std::move(changes));
}

void Server::DidClose(const json& params) {
  const std::optional<std::string> uri = FindString(params, {"textDocument", "uri"});
  if (!uri.has_value()) return;
  std::lock_guard<std::mutex> lock(documents_mutex_);
  if (documents_.erase(*uri) == 0) return;
  // Under the lock: nothing about the closed document can be published after this.
  connection_.Send(
      NotificationPayload("textDocument/publishDiagnostics", {{"uri", *uri}, {"diagnostics", json::array()}}));
}

std::shared_ptr<DocumentWorker> Server::FindDocument(const std::string& uri) {
  std::lock_guard<std::mutex> lock(documents_mutex_);
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : found->second;
}

void Server::PublishDiagnostics(const DocumentWorker& worker, const DocumentView& view, int64_t version) {
  if (client_.pull_diagnostics) return;  // it asks for them; shown twice they would be no help
  json diagnostics = DiagnosticsJson(view, client_, options_.resource_directory);
  json published = {{"uri", worker.uri()}, {"diagnostics", std::move(diagnostics)}};
  if (client_.diagnostic_versions) published["version"] = version;
  std::string payload = NotificationPayload("textDocument/publishDiagnostics", std::move(published));
  std::lock_guard<std::mutex> lock(documents_mutex_);
  const auto found = documents_.find(worker.uri());
  if (found != documents_.end() && found->second.get() == &worker) connection_.Send(std::move(payload));
}

void Server::Trace(const std::string& message) {
  if (trace_) connection_.Send(NotificationPayload("$/logTrace", {{"message", message}}));
}

void Server::LogWarning(const std::string& message) {
  connection_.Send(NotificationPayload("window/logMessage", {{"type", kMessageTypeWarning}, {"message", message}}));
}

}  // namespace hloscope::lsp
