// SPDX-License-Identifier: Apache-2.0
// What every feature gets: one version of a document, and how to speak about it in the protocol.
#ifndef HLOSCOPE_LSP_FEATURES_DOCUMENT_VIEW_H_
#define HLOSCOPE_LSP_FEATURES_DOCUMENT_VIEW_H_

#include <memory>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/editing/occurrences.h"
#include "core/source/text_origin.h"
#include "lsp/protocol/position_mapper.h"

namespace hloscope::lsp {

// The text that the editor has: of a StableHLO program, whose HLO the document is, the program.
inline const SourceText& EditedText(const Document& document) {
  const TextOrigin* const origin = document.source().origin();
  return origin != nullptr ? *origin->source : document.source();
}

// A module of a text with several: its document has its lines where they are in the text.
struct ModuleDocument {
  uint32_t first_line = 0;
  std::shared_ptr<const Document> document;
};

// Refers to the document, the URI and the diagnostics; all must outlive it. Positions that come in are positions of
// this version.
struct DocumentView {
  DocumentView(const Document& document, const std::string& uri, ColumnUnit unit,
               const std::vector<Diagnostic>& program_diagnostics = NoDiagnostics(),
               absl::Span<const ModuleDocument> modules = {})
      : document(document),
        positions(EditedText(document), unit),
        uri(uri),
        program_diagnostics(program_diagnostics),
        modules(modules) {}

  // Positions and ranges of the view are those of a StableHLO program; see program.h.
  bool is_program() const { return document.source().origin() != nullptr; }

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
  const std::vector<Diagnostic>& program_diagnostics;  // of the program itself
  const absl::Span<const ModuleDocument> modules;      // of a text with several; the document is the text read as one

 private:
  static const std::vector<Diagnostic>& NoDiagnostics() {
    static const auto* const kNone = new std::vector<Diagnostic>();
    return *kNone;
  }
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_DOCUMENT_VIEW_H_
