#include "lsp/server/server.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lsp/features/diagnostics.h"
#include "lsp/protocol/json.h"
#include "lsp/protocol/position_mapper.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

constexpr int kMessageTypeWarning = 2;
constexpr int kTextDocumentSyncIncremental = 2;

int WorkerThreads(int configured) {
  if (configured > 0) return configured;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 2, 16);
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
  for (const Feature& feature : AllFeatures()) {
    capabilities[std::string(feature.capability)] = feature.capability_value();
  }
  return capabilities;
}

}  // namespace

Server::Server(Connection& connection, Options options)
    : connection_(connection), options_(std::move(options)), scheduler_(WorkerThreads(options_.worker_threads)) {}

int Server::Run() {
  while (!exit_) {
    const std::optional<MessageFramer::Event> event = connection_.Read();
    if (!event.has_value()) break;
    if (event->kind == MessageFramer::Event::Kind::kError) {
      connection_.Send(ErrorPayload(std::nullopt, ErrorCode::kParseError, event->text));
    } else {
      HandlePayload(event->text);
    }
  }
  return state_ == State::kShutDown ? 0 : 1;
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
    // Answers of the client: the server asks nothing, so there is nothing to match them with.
    if (FindPath(*message, {"result"}) != nullptr || FindPath(*message, {"error"}) != nullptr) return;
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
    HandleNotification(*method, params);
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
  if (const Feature* feature = FindFeature(method)) {
    RunFeature(id, *feature, std::move(params));
    return;
  }
  connection_.Send(ErrorPayload(id, ErrorCode::kMethodNotFound, absl::StrCat("unknown method `", method, "`")));
}

void Server::HandleNotification(const std::string& method, const json& params) {
  if (method == "exit") {
    exit_ = true;
    return;
  }
  if (state_ != State::kRunning) return;
  if (method == "textDocument/didOpen") {
    DidOpen(params);
  } else if (method == "textDocument/didChange") {
    DidChange(params);
  } else if (method == "textDocument/didClose") {
    DidClose(params);
  } else if (method == "$/cancelRequest") {
    CancelRequest(params);
  }
  // Other notifications (initialized, didSave, $/setTrace ...) need nothing.
}

void Server::Initialize(const RequestId& id, const json& params) {
  if (state_ != State::kUninitialized) {
    connection_.Send(ErrorPayload(id, ErrorCode::kInvalidRequest, "`initialize` may be sent only once"));
    return;
  }
  if (const json* capabilities = FindPath(params, {"capabilities"})) client_ = ReadClientCapabilities(*capabilities);
  VerifyOptions& verify = document_options_.verify;
  verify.layout_sensitive = FindBool(params, {"initializationOptions", "layoutSensitive"}).value_or(false);
  verify.allow_mixed_precision = FindBool(params, {"initializationOptions", "allowMixedPrecision"}).value_or(false);
  state_ = State::kRunning;
  json result = json::object();
  result["capabilities"] = ServerCapabilities(client_);
  result["serverInfo"] = {{"name", "hloscope-lsp"}, {"version", options_.version}};
  connection_.Send(ResultPayload(id, JsonText(result)));
}

void Server::RunFeature(const RequestId& id, const Feature& feature, json params) {
  const std::optional<std::string> uri = FindString(params, {"textDocument", "uri"});
  const std::shared_ptr<DocumentWorker> document = uri.has_value() ? FindDocument(*uri) : nullptr;
  if (document == nullptr) {
    connection_.Send(ErrorPayload(id, ErrorCode::kInvalidParams, "expected `textDocument.uri` of an open document"));
    return;
  }
  auto request = std::make_shared<PendingRequest>(id);
  {
    std::lock_guard<std::mutex> lock(pending_mutex_);
    pending_[id] = request;
  }
  document->Ask(request, [this, request, &feature,
                          params = std::make_shared<const json>(std::move(params))](const DocumentView& view) {
    const absl::StatusOr<std::string> result = feature.answer({view, client_, options_.resource_directory}, *params);
    if (request->answered()) return;
    Answer(request, result.ok() ? ResultPayload(request->id(), *result)
                                : ErrorPayload(request->id(), ErrorCode::kInvalidParams,
                                               std::string(result.status().message())));
  });
}

void Server::Answer(const std::shared_ptr<PendingRequest>& request, std::string payload) {
  if (!request->ClaimAnswer()) return;
  connection_.Send(std::move(payload));
  std::lock_guard<std::mutex> lock(pending_mutex_);
  const auto found = pending_.find(request->id());
  if (found != pending_.end() && found->second == request) pending_.erase(found);
}

void Server::CancelRequest(const json& params) {
  const json* id_value = FindPath(params, {"id"});
  const std::optional<RequestId> id = id_value == nullptr ? std::nullopt : ReadRequestId(*id_value);
  if (!id.has_value()) return;
  std::shared_ptr<PendingRequest> request;
  {
    std::lock_guard<std::mutex> lock(pending_mutex_);
    const auto found = pending_.find(*id);
    if (found == pending_.end()) return;
    request = found->second;
  }
  Answer(request, ErrorPayload(*id, ErrorCode::kRequestCancelled, "cancelled by the client"));
}

void Server::DidOpen(const json& params) {
  const std::optional<std::string> uri = FindString(params, {"textDocument", "uri"});
  std::optional<std::string> text = FindString(params, {"textDocument", "text"});
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
      slot = std::make_shared<DocumentWorker>(*uri, client_.position_unit, document_options_, scheduler_.MakeLane(),
                                              [this](const DocumentWorker& worker, const DocumentView& view,
                                                     int64_t version) { PublishDiagnostics(worker, view, version); });
    }
    document = slot;
  }
  std::vector<protocol::ContentChange> changes(1);
  changes[0].text = *std::move(text);
  document->Change(VersionOf(params), std::move(changes));
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
  json diagnostics = json::array();
  for (const protocol::Diagnostic& diagnostic : ComputeDiagnostics(view)) {
    diagnostics.push_back(ToJson(diagnostic, client_));
  }
  std::string payload =
      NotificationPayload("textDocument/publishDiagnostics",
                          {{"uri", worker.uri()}, {"version", version}, {"diagnostics", std::move(diagnostics)}});
  std::lock_guard<std::mutex> lock(documents_mutex_);
  const auto found = documents_.find(worker.uri());
  if (found != documents_.end() && found->second.get() == &worker) connection_.Send(std::move(payload));
}

void Server::LogWarning(const std::string& message) {
  connection_.Send(NotificationPayload("window/logMessage", {{"type", kMessageTypeWarning}, {"message", message}}));
}

}  // namespace hloscope::lsp
