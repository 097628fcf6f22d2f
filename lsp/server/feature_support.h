// SPDX-License-Identifier: Apache-2.0
// Small things that the rows of the feature tables share: reading parameters, writing lists.
#ifndef HLOSCOPE_LSP_SERVER_FEATURE_SUPPORT_H_
#define HLOSCOPE_LSP_SERVER_FEATURE_SUPPORT_H_

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lsp/features/source_finder.h"
#include "lsp/protocol/feature_json.h"
#include "lsp/protocol/json.h"
#include "lsp/server/feature_table.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {

// Errors: InvalidArgument.
absl::StatusOr<protocol::Position> PositionOf(const nlohmann::json& params);
absl::StatusOr<protocol::Range> RangeOf(const nlohmann::json& params);

// `true`, for capabilities without options.
nlohmann::json Supported();
// The capability of rows that another row announces.
nlohmann::json AnnouncedElsewhere();

// Finds the files that the document's metadata names.
SourceFinder FinderOf(const FeatureContext& context);

// The diagnostics of the document as a list; their codes lead to the pages in the resources.
nlohmann::json DiagnosticsJson(const DocumentView& view, const ClientCapabilities& client,
                               const std::string& resource_directory);

// Entries of a list beyond which a client that asked for partial results gets it in parts.
inline constexpr size_t kPartSize = 1000;

// The list as an answer.
template <typename Value>
std::string ListText(const FeatureContext& context, const std::vector<Value>& values) {
  const bool in_parts = context.send_part != nullptr && values.size() > kPartSize;
  nlohmann::json list = nlohmann::json::array();
  for (size_t i = 0; i < values.size(); ++i) {
    list.push_back(ToJson(values[i]));
    if (in_parts && (list.size() == kPartSize || i + 1 == values.size())) {
      context.send_part(JsonText(list));
      list = nlohmann::json::array();
    }
  }
  return JsonText(list);
}

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_FEATURE_SUPPORT_H_
