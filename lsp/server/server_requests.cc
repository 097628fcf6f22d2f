// SPDX-License-Identifier: Apache-2.0
// Server: requests about documents and the workspace, from their arrival to their answer.
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "lsp/protocol/file_uri.h"
#include "lsp/protocol/json.h"
#include "lsp/server/feature_support.h"
#include "lsp/server/features_modules.h"
#include "lsp/server/features_program.h"
#include "lsp/server/progress_report.h"
#include "lsp/server/server.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// The URI of the document that a request is about; items that lead back to a document carry it.
std::optional<std::string> UriOf(const json& params) {
  for (absl::string_view holder : {"textDocument", "item", "data"}) {
    if (std::optional<std::string> uri = FindString(params, {holder, "uri"})) return uri;
  }
  // Commands.
  const json* arguments = FindPath(params, {"arguments"});
  if (arguments == nullptr || !arguments->is_array() || arguments->empty()) return std::nullopt;
  const auto* first = (*arguments)[0].get_ptr<const json::string_t*>();
  return first == nullptr ? std::nullopt : std::make_optional(*first);
}

ErrorCode CodeOf(const absl::Status& status) {
  if (absl::IsInvalidArgument(status)) return ErrorCode::kInvalidParams;
  if (absl::IsCancelled(status)) return ErrorCode::kRequestCancelled;
  if (absl::IsAborted(status)) return ErrorCode::kContentModified;
  return ErrorCode::kRequestFailed;
}

absl::StatusOr<std::string> AnswerOf(const FeatureContext& context, const Feature& feature, const json& params) {
  if (context.view.is_program()) return AnswerAboutProgram(context, feature.method, params);
  if (!context.view.modules.empty()) return AnswerAboutModules(context, feature, params);
  return feature.answer(context, params);
}

}  // namespace

std::shared_ptr<PendingRequest> Server::AddPending(const RequestId& id) {
  auto request = std::make_shared<PendingRequest>(id);
  std::lock_guard<std::mutex> lock(pending_mutex_);
  pending_[id] = request;
  return request;
}

void Server::RunFeature(const RequestId& id, const Feature& feature, json params) {
  std::optional<std::string> uri = UriOf(params);
  // Items of a completion do not carry their document: two hundred times its name would be most of the answer.
  if (feature.method == "textDocument/completion") last_completion_uri_ = uri.value_or("");
  if (feature.method == "completionItem/resolve") uri = last_completion_uri_;
  const std::shared_ptr<DocumentWorker> document = uri.has_value() ? FindDocument(*uri) : nullptr;
  if (document == nullptr && uri.has_value() && feature.method == "textDocument/diagnostic") {
    // Closed in the meantime: nothing is known to be wrong with it.
    connection_.Send(ResultPayload(id, "{\"kind\":\"full\",\"items\":[]}"));
    return;
  }
  if (document == nullptr) {
    connection_.Send(ErrorPayload(id, ErrorCode::kInvalidParams, "expected `textDocument.uri` of an open document"));
    return;
  }
  const std::shared_ptr<PendingRequest> request = AddPending(id);
  const auto begin = std::chrono::steady_clock::now();
  document->Ask(
      feature.lane, request,
      [this, request, &feature, begin, params = std::make_shared<const json>(std::move(params))](
          const DocumentView& view, DocumentState& state) {
        std::string payload;
        {
          ProgressReport progress(connection_, *params, std::string(feature.method));
          const std::shared_ptr<const Settings> settings = CurrentSettings();
          FeatureContext context{
              view,
              client_,
              options_.resource_directory,
              *settings,
              state,
              [&request] { return request->answered(); },
              [this](const std::string& method, json question) { AskClient(method, std::move(question)); },
              nullptr,
              [&progress](const std::string& message) { progress.Say(message); },
              options_.evaluation_program};
          if (const json* token = FindPath(*params, {"partialResultToken"})) {
            context.send_part = [this, &request, token = JsonText(*token)](const std::string& part) {
              if (request->answered()) return;
              connection_.Send(absl::StrCat("{\"jsonrpc\":\"2.0\",\"method\":\"$/progress\",\"params\":{\"token\":",
                                            token, ",\"value\":", part, "}}"));
            };
          }
          const absl::StatusOr<std::string> result = AnswerOf(context, feature, *params);
          if (request->answered()) return;
          payload = result.ok()
                        ? ResultPayload(request->id(), *result)
                        : ErrorPayload(request->id(), CodeOf(result.status()), std::string(result.status().message()));
        }
        Answer(request, std::move(payload));
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        Trace(absl::StrCat(feature.method, " answered after ", time.count(), " ms"));
      },
      [this, request] {
        Answer(request, ErrorPayload(request->id(), ErrorCode::kContentModified, "the text has changed since"));
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

}  // namespace hloscope::lsp
