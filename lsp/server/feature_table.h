// SPDX-License-Identifier: Apache-2.0
// The features of the server: one row per method.
#ifndef HLOSCOPE_LSP_SERVER_FEATURE_TABLE_H_
#define HLOSCOPE_LSP_SERVER_FEATURE_TABLE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "lsp/features/code_lens.h"
#include "lsp/features/document_view.h"
#include "lsp/protocol/client_capabilities.h"
#include "lsp/server/recent_changes.h"
#include "lsp/server/settings.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// The lanes of a document, each of which answers one question at a time. A question of any but the first is answered
// about the version that was newest at its turn in the first, while the text may move on.
enum class Lane : uint8_t {
  kText,      // where the text changes: what is answered in a few milliseconds
  kOutline,   // lists about the whole text
  kAnalysis,  // rewrites, costs, refactorings
  kRun,       // evaluation, and what waits for other programs
};
inline constexpr size_t kLaneCount = 4;

// What is remembered about an open document between the requests of one lane, and touched there only.
struct DocumentState {
  uint64_t revision = 0;         // counts the analyses: the name of a version in answers
  int64_t version = 0;           // the client's
  RecentChanges changes;         // up to `revision`
  uint64_t tokens_revision = 0;  // of semantic_tokens; 0: none were sent
  uint32_t tokens_line_count = 0;
  std::vector<uint32_t> semantic_tokens;
  uint64_t lens_revision = 0;                    // of lens_facts
  std::shared_ptr<ComputationFacts> lens_facts;  // null: none yet
};

struct FeatureContext {
  const DocumentView& view;
  const ClientCapabilities& client;
  const std::string& resource_directory;
  const Settings& settings;
  DocumentState& state;
  // True once nobody waits for the answer any more.
  std::function<bool()> cancelled;
  // Sends the client a request whose answer does not matter.
  std::function<void(const std::string& method, nlohmann::json params)> ask_client;
  // Sends a part of a list that is the answer, as JSON text of a list; empty if the client did not ask for parts.
  std::function<void(std::string)> send_part;
  // Tells the client what is being done, if it asked for progress.
  std::function<void(const std::string&)> report_progress;
  // What evaluates in a process of its own: EvaluateInProcess.
  const std::string& evaluation_program;
};

// A request about one document, answered on its worker.
struct Feature {
  absl::string_view method;      // "textDocument/hover"
  absl::string_view capability;  // its key in the server capabilities, "hoverProvider"; empty: another row announces it
  nlohmann::json (*capability_value)();
  // The result as JSON text. Errors: InvalidArgument if `params` have the wrong form; AlreadyExists, FailedPrecondition
  // and others if what is asked for cannot be done, with a message for the user.
  absl::StatusOr<std::string> (*answer)(const FeatureContext& context, const nlohmann::json& params);
  Lane lane = Lane::kText;
};

// The groups, each in a file of its own: features_NAME.cc.
absl::Span<const Feature> LanguageFeatures();
absl::Span<const Feature> NavigationFeatures();
absl::Span<const Feature> DisplayFeatures();
absl::Span<const Feature> EditingFeatures();
absl::Span<const Feature> CustomFeatures();

// Calls `visit` with every feature.
void ForEachFeature(const std::function<void(const Feature&)>& visit);
// Null if there is no such feature.
const Feature* FindFeature(absl::string_view method);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_FEATURE_TABLE_H_
