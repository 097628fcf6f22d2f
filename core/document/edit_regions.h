// SPDX-License-Identifier: Apache-2.0
// The statements that edits of a text concern, in the old text and in the new one.
#ifndef HLOSCOPE_CORE_DOCUMENT_EDIT_REGIONS_H_
#define HLOSCOPE_CORE_DOCUMENT_EDIT_REGIONS_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/diagnostics/diagnostic.h"
#include "core/document/text_map.h"
#include "core/ir/module.h"
#include "core/source/source_text.h"
#include "core/source/text_change.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// A run of statements of one computation, read again. Everything outside of the regions has the tokens and the syntax
// that it had.
struct EditRegion {
  ComputationId computation;
  size_t first = 0, last = 0;  // the old statements [first, last): positions in the computation's instructions
  TextChange text;             // from the first statement to the one after the last, or to the closing brace
  // The new statements: one node each.
  TokenBuffer tokens;
  SyntaxTree tree;
  std::vector<Diagnostic> diagnostics;    // of lexer and parser
  std::vector<DiagnosticSource> sources;  // owners are nodes of `tree`
  // Statements at the front and at the back that are as they were.
  size_t same_front = 0, same_back = 0;

  size_t old_changed() const { return last - first - same_front - same_back; }
  size_t new_changed() const { return tree.instructions.size() - same_front - same_back; }
};

// A computation got another name at its definition.
struct NameEdit {
  ComputationId computation;
  TextChange text;  // the name, without `%`
};

struct EditedParts {
  std::vector<EditRegion> regions;  // in text order
  std::vector<NameEdit> names;
};

struct OldText {
  const SourceText& source;
  const TextMap& map;
  const Module& module;
  const std::vector<ComputationId>& computation_of_syntax;
};

// Nothing if the changes are not such that statements of bodies, names of computations and nothing else become others:
// edits of the header, of signatures and braces, of statements with inline computations or nested instructions;
// strings, comments and brackets left open such that later statements read differently.
std::optional<EditedParts> FindEditedParts(const OldText& old, const SourceText& source,
                                           const std::vector<TextChange>& changes);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_EDIT_REGIONS_H_
