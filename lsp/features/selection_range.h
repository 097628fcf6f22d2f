// SPDX-License-Identifier: Apache-2.0
// textDocument/selectionRange.
#ifndef HLOSCOPE_LSP_FEATURES_SELECTION_RANGE_H_
#define HLOSCOPE_LSP_FEATURES_SELECTION_RANGE_H_

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// From the inside out: the word, the brackets around it, the operand or attribute, the instruction, the body, the
// computation, the text. Each range lies in the next and is larger. Never empty.
protocol::SelectionRange ComputeSelectionRange(const DocumentView& view, protocol::Position position);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_SELECTION_RANGE_H_
