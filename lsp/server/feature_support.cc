// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/feature_support.h"

#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "lsp/features/diagnostics.h"
#include "lsp/protocol/file_uri.h"

namespace hloscope::lsp {

absl::StatusOr<protocol::Position> PositionOf(const nlohmann::json& params) {
  const nlohmann::json* value = FindPath(params, {"position"});
  const std::optional<protocol::Position> position = value ? ReadPosition(*value) : std::nullopt;
  if (!position.has_value()) return absl::InvalidArgumentError("expected `position` with `line` and `character`");
  return *position;
}

absl::StatusOr<protocol::Range> RangeOf(const nlohmann::json& params) {
  const nlohmann::json* value = FindPath(params, {"range"});
  const std::optional<protocol::Range> range = value ? ReadRange(*value) : std::nullopt;
  if (!range.has_value()) return absl::InvalidArgumentError("expected `range` with `start` and `end`");
  return *range;
}

nlohmann::json Supported() { return true; }
nlohmann::json AnnouncedElsewhere() { return nullptr; }

SourceFinder FinderOf(const FeatureContext& context) {
  return SourceFinder(context.view.uri, context.settings.source_roots, [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
  });
}

nlohmann::json DiagnosticsJson(const DocumentView& view, const ClientCapabilities& client,
                               const std::string& resource_directory) {
  nlohmann::json list = nlohmann::json::array();
  for (protocol::Diagnostic& diagnostic : ComputeDiagnostics(view)) {
    if (client.code_descriptions && !resource_directory.empty() && !diagnostic.code.empty())
      diagnostic.code_uri = UriFromPath(absl::StrCat(resource_directory, "/diagnostics/", diagnostic.code, ".md"));
    list.push_back(ToJson(diagnostic, client));
  }
  return list;
}

}  // namespace hloscope::lsp
