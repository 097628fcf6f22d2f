// SPDX-License-Identifier: Apache-2.0
// textDocument/foldingRange.
#ifndef HLOSCOPE_LSP_FEATURES_FOLDING_RANGE_H_
#define HLOSCOPE_LSP_FEATURES_FOLDING_RANGE_H_

#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// Bodies of computations (inline ones too), the tables of stack frames, and instructions over several lines, by line.
std::vector<protocol::FoldingRange> ComputeFoldingRanges(const DocumentView& view);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_FOLDING_RANGE_H_
