// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/workspace_diagnostics.h"

#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "lsp/features/document_view.h"
#include "lsp/protocol/file_uri.h"
#include "lsp/server/feature_support.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {

using nlohmann::json;

const WorkspaceDiagnostics::File* WorkspaceDiagnostics::Check(const std::string& path, const Query& query) {
  std::error_code error;
  const std::filesystem::file_time_type time = std::filesystem::last_write_time(path, error);
  const uint64_t bytes = error ? 0 : std::filesystem::file_size(path, error);
  if (error || bytes > kMaxFileBytes) {
    files_.erase(path);
    return nullptr;
  }
  const auto found = files_.find(path);
  if (found != files_.end() && found->second.time == time && found->second.bytes == bytes) return &found->second;
  const auto source = SourceText::FromFile(path);
  if (!source.ok()) {
    files_.erase(path);
    return nullptr;
  }
  const std::shared_ptr<const Document> document = Document::Parse(*source, query.options);
  const std::string uri = UriFromPath(path);
  const DocumentView view(*document, uri, query.client.position_unit);
  File& file = files_[path];
  file.time = time;
  file.bytes = bytes;
  file.id = absl::StrCat("file-", next_id_++);
  file.items = JsonText(DiagnosticsJson(view, query.client, query.resource_directory));
  return &file;
}

const std::vector<std::string>& WorkspaceDiagnostics::Texts(const std::function<std::vector<std::string>()>& list) {
  constexpr int kShare = 20;
  const auto begin = std::chrono::steady_clock::now();
  if (begin < next_look_) return texts_;
  texts_ = list();
  const auto end = std::chrono::steady_clock::now();
  next_look_ = end + kShare * (end - begin);
  return texts_;
}

json WorkspaceDiagnostics::Report(const Query& query) {
  std::string options =
      absl::StrCat(query.options.verify.layout_sensitive, ",", query.options.verify.allow_mixed_precision);
  if (options != options_) files_.clear();
  options_ = std::move(options);
  json list = json::array();
  std::set<std::string> reported;
  uint64_t bytes = 0;
  for (size_t i = 0; i < query.paths.size() && bytes <= kMaxBytes; ++i) {
    if (query.cancelled()) return list;
    query.report(i, query.paths.size());
    const File* const file = Check(query.paths[i], query);
    if (file == nullptr) continue;
    bytes += file->bytes;
    const std::string uri = UriFromPath(query.paths[i]);
    reported.insert(uri);
    const auto previous = query.previous.find(uri);
    json report = {{"uri", uri}, {"version", nullptr}, {"resultId", file->id}};
    if (previous != query.previous.end() && previous->second == file->id) {
      report["kind"] = "unchanged";
    } else {
      report["kind"] = "full";
      report["items"] = json::parse(file->items, nullptr, false);
    }
    list.push_back(std::move(report));
  }
  for (const auto& [uri, id] : query.previous) {
    // What the server said of a file that is no longer there.
    if (reported.contains(uri) || id.rfind("file-", 0) != 0) continue;
    list.push_back({{"uri", uri}, {"version", nullptr}, {"kind", "full"}, {"items", json::array()}});
  }
  return list;
}

}  // namespace hloscope::lsp
