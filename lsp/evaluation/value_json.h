// SPDX-License-Identifier: Apache-2.0
// Questions about values and their answers as JSON: between the server and its child, and for the client.
#ifndef HLOSCOPE_LSP_EVALUATION_VALUE_JSON_H_
#define HLOSCOPE_LSP_EVALUATION_VALUE_JSON_H_

#include "absl/status/statusor.h"
#include "lsp/evaluation/value_preview.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// What the client asks: `fill`, `seed`, `arguments`. Errors: InvalidArgument.
absl::StatusOr<ValueQuery> ReadValueQuery(const nlohmann::json& params);

// The answer.
nlohmann::json ToJson(const ValuePreview& preview);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_EVALUATION_VALUE_JSON_H_
