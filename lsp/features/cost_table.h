// SPDX-License-Identifier: Apache-2.0
// hloscope/cost: what the module costs, as `hloscope cost` says it.
#ifndef HLOSCOPE_LSP_FEATURES_COST_TABLE_H_
#define HLOSCOPE_LSP_FEATURES_COST_TABLE_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// JSON text: the whole report, or with `rows` > 0 {"text": tables of that many rows}. Error FailedPrecondition, for the
// user, if the module has errors.
absl::StatusOr<std::string> CostTable(const DocumentView& view, size_t rows);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_COST_TABLE_H_
