// SPDX-License-Identifier: Apache-2.0
// Requests about StableHLO programs.
#ifndef HLOSCOPE_LSP_SERVER_FEATURES_PROGRAM_H_
#define HLOSCOPE_LSP_SERVER_FEATURES_PROGRAM_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "lsp/server/feature_table.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// The answer where the document is a program; null, which editors take for nothing, to what is not known about them.
absl::StatusOr<std::string> AnswerAboutProgram(const FeatureContext& context, absl::string_view method,
                                               const nlohmann::json& params);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_FEATURES_PROGRAM_H_
