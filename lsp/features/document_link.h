// SPDX-License-Identifier: Apache-2.0
// textDocument/documentLink: the source files that metadata names, as far as they exist here.
#ifndef HLOSCOPE_LSP_FEATURES_DOCUMENT_LINK_H_
#define HLOSCOPE_LSP_FEATURES_DOCUMENT_LINK_H_

#include <string>
#include <vector>

#include "lsp/features/document_view.h"
#include "lsp/features/source_finder.h"

namespace hloscope::lsp {

inline constexpr size_t kMaxDocumentLinks = 2000;

// Links on the strings of the FileNames table, and in metadata on source_file, source_line and stack_frame_id, which
// lead to the line. Without tooltips.
std::vector<protocol::DocumentLink> ComputeDocumentLinks(const DocumentView& view, SourceFinder& finder);

// documentLink/resolve: the calls that lead to the line, innermost first.
std::string DocumentLinkTooltip(const DocumentView& view, protocol::Position position);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_DOCUMENT_LINK_H_
