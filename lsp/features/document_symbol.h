// SPDX-License-Identifier: Apache-2.0
// textDocument/documentSymbol.
#ifndef HLOSCOPE_LSP_FEATURES_DOCUMENT_SYMBOL_H_
#define HLOSCOPE_LSP_FEATURES_DOCUMENT_SYMBOL_H_

#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// Beyond these an outline leaves out instructions, and the smallest computations: editors ask for it after each pause
// in typing, twice at times.
inline constexpr size_t kMaxOutlineInstructions = 1000;
inline constexpr size_t kMaxOutlineComputations = 1000;

// Computations with their instructions, in text order. A computation written inside an instruction is that
// instruction's child. Instructions that the text does not name (nested operands, made-up tuple accesses) are left out.
std::vector<protocol::DocumentSymbol> ComputeDocumentSymbols(const DocumentView& view);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_DOCUMENT_SYMBOL_H_
