// The features of the server: one row per method.
#ifndef HLOSCOPE_LSP_SERVER_FEATURE_TABLE_H_
#define HLOSCOPE_LSP_SERVER_FEATURE_TABLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "lsp/features/document_view.h"
#include "lsp/protocol/client_capabilities.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

struct FeatureContext {
  const DocumentView& view;
  const ClientCapabilities& client;
  const std::string& resource_directory;
};

// A request about one document, answered on its worker.
struct Feature {
  absl::string_view method;      // "textDocument/hover"
  absl::string_view capability;  // its key in the server capabilities, "hoverProvider"
  nlohmann::json (*capability_value)();
  // The result as JSON text. Errors: InvalidArgument if `params` have the wrong form.
  absl::StatusOr<std::string> (*answer)(const FeatureContext& context, const nlohmann::json& params);
};

absl::Span<const Feature> AllFeatures();
// Null if there is no such feature.
const Feature* FindFeature(absl::string_view method);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_FEATURE_TABLE_H_
