// SPDX-License-Identifier: Apache-2.0
// textDocument/inlayHint: what the text leaves out.
#ifndef HLOSCOPE_LSP_FEATURES_INLAY_HINT_H_
#define HLOSCOPE_LSP_FEATURES_INLAY_HINT_H_

#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

struct InlayHintSettings {
  bool inferred_shapes = true;  // result shapes that are not written; accepting one writes it
  bool operand_names = true;    // "init:" where the names of the page say more than a and b, and the operand's own
                                // name, but for a number at its end, is another
  bool operand_shapes = false;  // of operands that are written without
  bool bytes = false;           // of results, at the end of instructions
};

// Of the instructions that begin in the range, in text order; at most kMaxInlayHints.
inline constexpr size_t kMaxInlayHints = 4000;
std::vector<protocol::InlayHint> ComputeInlayHints(const DocumentView& view, protocol::Range range,
                                                   const InlayHintSettings& settings = {});

// inlayHint/resolve, as Markdown: the operand that a hint stands before, or the shape that is left out there.
std::string InlayHintTooltip(const DocumentView& view, protocol::Position position);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_INLAY_HINT_H_
