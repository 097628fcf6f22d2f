// SPDX-License-Identifier: Apache-2.0
// textDocument/declaration, textDocument/typeDefinition and textDocument/implementation.
#ifndef HLOSCOPE_LSP_FEATURES_DECLARATION_H_
#define HLOSCOPE_LSP_FEATURES_DECLARATION_H_

#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// Where a parameter is in the signature of its computation; anything else where it is defined.
std::vector<protocol::Location> FindDeclaration(const DocumentView& view, protocol::Position position);

// The signatures that give the thing its type: of the computations that the instruction under the cursor calls, of the
// computation under the cursor, else of the computation around it.
std::vector<protocol::Location> FindTypeDefinition(const DocumentView& view, protocol::Position position);

// What computes it: the root of the computation under the cursor, or the roots of those that the instruction under the
// cursor calls; of other instructions their definition.
std::vector<protocol::Location> FindImplementation(const DocumentView& view, protocol::Position position);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_DECLARATION_H_
