// SPDX-License-Identifier: Apache-2.0
// textDocument/definition.
#ifndef HLOSCOPE_LSP_FEATURES_DEFINITION_H_
#define HLOSCOPE_LSP_FEATURES_DEFINITION_H_

#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// Where the instruction or computation under the cursor is defined; for a definition itself, that place. A
// `stack_frame_id` of metadata leads to its row of the StackFrames table. Empty if nothing with a definition is
// there.
std::vector<protocol::Location> FindDefinition(const DocumentView& view, protocol::Position position);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_DEFINITION_H_
