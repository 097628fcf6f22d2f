// SPDX-License-Identifier: Apache-2.0
// Server: requests about the files of the workspace, answered on a lane of their own.
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "lsp/protocol/file_uri.h"
#include "lsp/protocol/json.h"
#include "lsp/server/feature_support.h"
#include "lsp/server/progress_report.h"
#include "lsp/server/server.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {

using nlohmann::json;

bool Server::RunWorkspaceRequest(const RequestId& id, const std::string& method, const json& params) {
  if (method == "workspace/symbol") {
    RunWorkspaceSymbol(id, params);
  } else if (method == "workspaceSymbol/resolve") {
    ResolveWorkspaceSymbol(id, params);
  } else if (method == "workspace/diagnostic") {
    RunWorkspaceDiagnostic(id, params);
  } else {
    return false;
  }
  return true;
}

void Server::RunWorkspaceSymbol(const RequestId& id, const json& params) {
  const std::optional<std::string> query = FindString(params, {"query"});
  if (!query.has_value()) {
    connection_.Send(ErrorPayload(id, ErrorCode::kInvalidParams, "expected `query`"));
    return;
  }
  const std::shared_ptr<PendingRequest> request = AddPending(id);
  workspace_lane_->Post([this, request, query = *query, params = std::make_shared<const json>(params)] {
    if (request->answered()) return;
    json list = json::array();
    {
      ProgressReport progress(connection_, *params, "Searching HLO files");
      workspace_->SetModuleScheme(CurrentSettings()->module_scheme);
      for (const WorkspaceSymbol& symbol : workspace_->Find(
               query, [&] { return request->answered(); },
               [&](size_t done, size_t all) { progress.Report(done, all); })) {
        json entry = {{"name", symbol.name}, {"kind", static_cast<int>(symbol.kind)}};
        if (client_.symbol_ranges_later) {
          entry["location"] = {{"uri", symbol.location.uri}};
          entry["data"] = {{"path", symbol.path}, {"number", symbol.number}};
        } else {
          entry["location"] = ToJson(symbol.location);
        }
        if (!symbol.container.empty()) entry["containerName"] = symbol.container;
        list.push_back(std::move(entry));
      }
    }
    Answer(request, ResultPayload(request->id(), JsonText(list)));
  });
}

void Server::ResolveWorkspaceSymbol(const RequestId& id, const json& params) {
  const std::optional<std::string> name = FindString(params, {"name"});
  const std::optional<std::string> path = FindString(params, {"data", "path"});
  const std::optional<int64_t> number = FindInt(params, {"data", "number"});
  if (!name.has_value() || !path.has_value() || !number.has_value() || *number < 0 || *number > 0xFFFFFFFFll) {
    connection_.Send(
        ErrorPayload(id, ErrorCode::kInvalidParams, "expected a symbol as workspace/symbol gave it, with its `data`"));
    return;
  }
  const std::shared_ptr<PendingRequest> request = AddPending(id);
  workspace_lane_->Post([this, request, name = *name, path = *path, number = static_cast<uint32_t>(*number),
                         params = std::make_shared<const json>(params)] {
    if (request->answered()) return;
    const std::optional<protocol::Range> range = workspace_->Resolve(path, number, name);
    if (!range.has_value()) {
      Answer(request, ErrorPayload(request->id(), ErrorCode::kContentModified, "the file has changed since"));
      return;
    }
    json symbol = *params;
    symbol["location"]["range"] = ToJson(*range);
    Answer(request, ResultPayload(request->id(), JsonText(symbol)));
  });
}

void Server::RunWorkspaceDiagnostic(const RequestId& id, const json& params) {
  std::map<std::string, std::string> previous;
  if (const json* list = FindPath(params, {"previousResultIds"}); list != nullptr && list->is_array()) {
    for (const json& one : *list) {
      const std::optional<std::string> uri = FindString(one, {"uri"}), value = FindString(one, {"value"});
      if (uri.has_value() && value.has_value()) previous[*uri] = *value;
    }
  }
  const std::shared_ptr<PendingRequest> request = AddPending(id);
  workspace_lane_->Post([this, request, previous = std::move(previous), params = std::make_shared<const json>(params)] {
    if (request->answered()) return;
    json list;
    {
      ProgressReport progress(connection_, *params, "Checking HLO files");
      const std::shared_ptr<const Settings> settings = CurrentSettings();
      WorkspaceDiagnostics::Query query{{},
                                        previous,
                                        settings->document,
                                        client_,
                                        options_.resource_directory,
                                        [&] { return request->answered(); },
                                        [&](size_t done, size_t all) { progress.Report(done, all); }};
      if (settings->workspace_diagnostics) {
        const auto texts = [&] {
          std::vector<std::string> paths = workspace_->ListFiles();
          std::erase_if(paths, [](const std::string& path) { return !WorkspaceIndex::IsModuleText(path); });
          return paths;
        };
        for (const std::string& path : workspace_diagnostics_.Texts(texts)) {
          if (FindDocument(UriFromPath(path)) == nullptr) query.paths.push_back(path);
        }
      }
      list = workspace_diagnostics_.Report(query);
    }
    Answer(request, ResultPayload(request->id(), JsonText({{"items", std::move(list)}})));
  });
}

}  // namespace hloscope::lsp
