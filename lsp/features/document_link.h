// textDocument/documentLink: the source files that metadata names, as far as they exist here.
#ifndef HLOSCOPE_LSP_FEATURES_DOCUMENT_LINK_H_
#define HLOSCOPE_LSP_FEATURES_DOCUMENT_LINK_H_

#include <functional>
#include <string>
#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

inline constexpr size_t kMaxDocumentLinks = 2000;

// Links on the strings of the FileNames table and of `source_file`; with `source_line`, to that line. Relative names
// are looked for beside the document. `exists` says whether a path is a file.
std::vector<protocol::DocumentLink> ComputeDocumentLinks(const DocumentView& view,
                                                         const std::function<bool(const std::string&)>& exists);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_DOCUMENT_LINK_H_
