// SPDX-License-Identifier: Apache-2.0
// textDocument/codeAction: quick fixes.
#ifndef HLOSCOPE_LSP_FEATURES_CODE_ACTION_H_
#define HLOSCOPE_LSP_FEATURES_CODE_ACTION_H_

#include <functional>
#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// What FindQuickFixes (core/editing/quick_fixes.h) finds for the range.
std::vector<protocol::CodeAction> ComputeCodeActions(const DocumentView& view, protocol::Range range, bool may_try,
                                                     const std::function<bool()>& cancelled);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_CODE_ACTION_H_
