// SPDX-License-Identifier: Apache-2.0
// textDocument/completion and completionItem/resolve.
#ifndef HLOSCOPE_LSP_FEATURES_COMPLETION_H_
#define HLOSCOPE_LSP_FEATURES_COMPLETION_H_

#include <string>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// What the grammar allows at the position, best first. Without `snippets` the texts have no holes.
protocol::CompletionList ComputeCompletion(const DocumentView& view, protocol::Position position, bool snippets);

// The documentation of an item, as Markdown: the page of an opcode, the card of an instruction ... Empty if there is
// none, or if the document has changed so that the item means nothing any more. Uses label, data_kind and data_index.
std::string CompletionDocumentation(const DocumentView& view, const protocol::CompletionItem& item,
                                    const std::string& resource_directory);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_COMPLETION_H_
