// SPDX-License-Identifier: Apache-2.0
// textDocument/references and textDocument/documentHighlight: every place that names the thing under the cursor.
#ifndef HLOSCOPE_LSP_FEATURES_REFERENCES_H_
#define HLOSCOPE_LSP_FEATURES_REFERENCES_H_

#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// In text order; empty if the cursor is on no instruction or computation name.
std::vector<protocol::Location> FindReferences(const DocumentView& view, protocol::Position position,
                                               bool include_declaration);

// The definition is a write, uses are reads.
std::vector<protocol::DocumentHighlight> FindHighlights(const DocumentView& view, protocol::Position position);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_REFERENCES_H_
