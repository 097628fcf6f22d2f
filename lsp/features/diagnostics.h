// SPDX-License-Identifier: Apache-2.0
// textDocument/publishDiagnostics.
#ifndef HLOSCOPE_LSP_FEATURES_DIAGNOSTICS_H_
#define HLOSCOPE_LSP_FEATURES_DIAGNOSTICS_H_

#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// Most diagnostics that are sent: editors hang when given tens of thousands. A last diagnostic says how many are
// not shown.
inline constexpr size_t kMaxPublishedDiagnostics = 1000;

// One diagnostic in terms of the protocol.
protocol::Diagnostic ToProtocolDiagnostic(const DocumentView& view, const Diagnostic& diagnostic);

// The document's diagnostics by position, many of one kind folded into one. Text without effect is faded everywhere.
std::vector<protocol::Diagnostic> ComputeDiagnostics(const DocumentView& view);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_DIAGNOSTICS_H_
