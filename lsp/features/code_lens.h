// textDocument/codeLens: what a computation is, above it.
#ifndef HLOSCOPE_LSP_FEATURES_CODE_LENS_H_
#define HLOSCOPE_LSP_FEATURES_CODE_LENS_H_

#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// Commands of the client, with their arguments:
//   hloscope.run, hloscope.debug               [uri]
//   hloscope.showReferences                    [uri, position, locations]
//   hloscope.showCost, hloscope.showGraph      [uri, name of the computation]
// Run and debug stand above the entry computation of a text without errors; callers, cost and graph above every
// computation that is not written in place.
std::vector<protocol::CodeLens> ComputeCodeLenses(const DocumentView& view);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_CODE_LENS_H_
