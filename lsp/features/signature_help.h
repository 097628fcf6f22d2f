// SPDX-License-Identifier: Apache-2.0
// textDocument/signatureHelp: what the operation under the cursor takes.
#ifndef HLOSCOPE_LSP_FEATURES_SIGNATURE_HELP_H_
#define HLOSCOPE_LSP_FEATURES_SIGNATURE_HELP_H_

#include <optional>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// Operands with their shapes as far as they are written, then the required attributes; the one at the cursor is active.
// nullopt outside of operands and attributes.
std::optional<protocol::SignatureHelp> ComputeSignatureHelp(const DocumentView& view, protocol::Position position);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_SIGNATURE_HELP_H_
