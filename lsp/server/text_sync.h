// SPDX-License-Identifier: Apache-2.0
// Applying the changes that an editor sends to a text.
#ifndef HLOSCOPE_LSP_SERVER_TEXT_SYNC_H_
#define HLOSCOPE_LSP_SERVER_TEXT_SYNC_H_

#include <memory>
#include <vector>

#include "core/document/document.h"
#include "lsp/protocol/types.h"

namespace hloscope::lsp {

// The edits that lead from `source` to the text after `changes`: sorted, neither overlapping nor touching, so fit for
// Document::WithEdit. Each change's range refers to the text after the changes before it, as didChange has it;
// positions beyond a line or the text are clamped.
std::vector<TextEdit> CombineChanges(const std::shared_ptr<const SourceText>& source,
                                     std::vector<protocol::ContentChange> changes, ColumnUnit unit);

// The text after edits that are sorted and do not overlap.
std::string ApplyEdits(absl::string_view text, std::vector<TextEdit> edits);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_TEXT_SYNC_H_
