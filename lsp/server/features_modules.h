// SPDX-License-Identifier: Apache-2.0
// Requests about texts that hold several modules, as Compiled.as_text() joins them.
#ifndef HLOSCOPE_LSP_SERVER_FEATURES_MODULES_H_
#define HLOSCOPE_LSP_SERVER_FEATURES_MODULES_H_

#include <string>

#include "absl/status/statusor.h"
#include "lsp/server/feature_table.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// What the module around the place says that the request names; of lists about the whole text, those of all modules.
absl::StatusOr<std::string> AnswerAboutModules(const FeatureContext& context, const Feature& feature,
                                               const nlohmann::json& params);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_FEATURES_MODULES_H_
