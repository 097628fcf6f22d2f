// What every feature gets: one version of a document, and how to speak about it in the protocol.
#ifndef HLOSCOPE_LSP_FEATURES_DOCUMENT_VIEW_H_
#define HLOSCOPE_LSP_FEATURES_DOCUMENT_VIEW_H_

#include <string>

#include "core/document/document.h"
#include "core/editing/occurrences.h"
#include "lsp/protocol/position_mapper.h"

namespace hloscope::lsp {

// Refers to the document and the URI; both must outlive it. Positions that come in are positions of this version.
struct DocumentView {
  DocumentView(const Document& document, const std::string& uri, ColumnUnit unit)
      : document(document), positions(document.source(), unit), uri(uri) {}

  const Module& module() const { return document.module(); }
  protocol::Range ToRange(SourceRange range) const { return positions.ToRange(range); }
  protocol::Location ToLocation(SourceRange range) const { return {uri, positions.ToRange(range)}; }
  uint32_t ToOffset(protocol::Position position) const { return positions.ToOffset(position); }
  SymbolAtPosition SymbolAt(protocol::Position position) const {
    return document.SymbolAt(positions.ToOffset(position));
  }

  const Document& document;
  PositionMapper positions;
  const std::string& uri;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_DOCUMENT_VIEW_H_
