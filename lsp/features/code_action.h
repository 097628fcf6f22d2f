// SPDX-License-Identifier: Apache-2.0
// textDocument/codeAction: the repairs that diagnostics carry.
#ifndef HLOSCOPE_LSP_FEATURES_CODE_ACTION_H_
#define HLOSCOPE_LSP_FEATURES_CODE_ACTION_H_

#include <functional>
#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// One quick fix per repair of each diagnostic that touches the range. The only repair of a diagnostic is preferred.
std::vector<protocol::CodeAction> ComputeCodeActions(const DocumentView& view, protocol::Range range);

// Repairs of the line where the range begins that no diagnostic carries: found by trying (core/editing/repairs.h).
std::vector<protocol::CodeAction> ComputeRepairs(const DocumentView& view, protocol::Range range,
                                                 const std::function<bool()>& cancelled);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_CODE_ACTION_H_
