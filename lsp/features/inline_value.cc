// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/inline_value.h"

#include "core/editing/statement_edits.h"

namespace hloscope::lsp {

std::vector<protocol::InlineValue> FindInlineValues(const DocumentView& view, protocol::Range visible,
                                                    protocol::Position stopped) {
  const SourceRange range = view.positions.ToSourceRange(visible);
  // A stop is given as its line: anything on it counts.
  const SourceText& source = view.document.source();
  const uint32_t line = source.LineColumnAt(view.ToOffset(stopped)).line;
  const uint32_t end = source.LineStart(line) + static_cast<uint32_t>(source.Line(line).size());
  std::vector<protocol::InlineValue> values;
  const ComputationId computation = view.document.ComputationAt(end);
  if (!computation.has_value()) return values;
  for (InstructionId id : StatementsOf(view.document, computation)) {
    const uint32_t begin = view.document.InstructionRange(id).begin;
    if (begin < range.begin || begin > range.end || begin > end) continue;
    values.push_back({view.ToRange(view.document.NameRange(id)), std::string(view.module().InstructionName(id))});
  }
  return values;
}

}  // namespace hloscope::lsp
