// SPDX-License-Identifier: Apache-2.0
// textDocument/prepareRename, textDocument/rename and textDocument/linkedEditingRange.
#ifndef HLOSCOPE_LSP_FEATURES_RENAME_H_
#define HLOSCOPE_LSP_FEATURES_RENAME_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// The name under the cursor that can be renamed: an instruction, a computation, a parameter. nullopt on anything else.
std::optional<protocol::Range> PrepareRename(const DocumentView& view, protocol::Position position);

// The edits that rename it everywhere. Errors as of core/editing/rename.h, for the user.
absl::StatusOr<std::vector<protocol::TextEdit>> ComputeRename(const DocumentView& view, protocol::Position position,
                                                              const std::string& new_name);

// Regular expression of what a name may be while places are edited together.
inline constexpr char kLinkedNamePattern[] = "[A-Za-z_][A-Za-z0-9_.-]*";

// The places that change together when the name under the cursor is edited; empty if there are too many to edit at
// every key.
std::vector<protocol::Range> ComputeLinkedEditingRanges(const DocumentView& view, protocol::Position position);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_RENAME_H_
