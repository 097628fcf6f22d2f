// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/cursor.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"

namespace hloscope::lsp {
namespace {

// After the blanks that the line of the offset begins with, if the offset is among them.
uint32_t AfterIndentation(const SourceText& source, uint32_t offset) {
  const uint32_t line = source.LineColumnAt(offset).line;
  const absl::string_view text = source.Line(line);
  const size_t first = text.find_first_not_of(" \t");
  if (first == absl::string_view::npos) return offset;
  return std::max(offset, source.LineStart(line) + static_cast<uint32_t>(first));
}

}  // namespace

InstructionId InstructionAtCursor(const Document& document, uint32_t offset) {
  const SymbolAtPosition symbol = document.SymbolAt(offset);
  if (symbol.instruction.has_value()) return symbol.instruction;
  const InstructionId here = document.InstructionAt(offset);
  return here.has_value() ? here : document.InstructionAt(AfterIndentation(document.source(), offset));
}

}  // namespace hloscope::lsp
