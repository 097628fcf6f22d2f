// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/folding_range.h"

#include <algorithm>

namespace hloscope::lsp {

std::vector<protocol::FoldingRange> ComputeFoldingRanges(const DocumentView& view) {
  const Document& document = view.document;
  const SourceText& source = document.source();
  const TextMap& map = document.text_map();
  const Module& module = document.module();
  std::vector<protocol::FoldingRange> ranges;
  const auto add = [&](SourceRange range, bool keep_last_line) {
    const uint32_t first = source.LineColumnAt(range.begin).line;
    // Most instructions end in the line in which they begin.
    if (first + 1 >= source.line_count() || range.end <= source.LineStart(first + 1)) return;
    const uint32_t last = source.LineColumnAt(range.end).line;
    // The line of a closing brace stays visible.
    const uint32_t end_line = keep_last_line ? last - 1 : last;
    if (end_line > first) ranges.push_back({first, end_line, protocol::FoldingRangeKind::kRegion});
  };

  for (const TextMap::ComputationText& computation : map.computations) {
    if (computation.is_closed) add({computation.body_begin - 1, computation.close_brace}, true);
  }
  for (const Instruction& instruction : module.instructions()) {
    if (instruction.syntax.has_value() && !instruction.synthesized && instruction.is_named)
      add(map.nodes[instruction.syntax.index()], false);
  }
  for (SourceRange table : map.tables) {
    if (!table.empty()) add(table, false);
  }
  std::sort(ranges.begin(), ranges.end(), [](const protocol::FoldingRange& a, const protocol::FoldingRange& b) {
    return a.start_line != b.start_line ? a.start_line < b.start_line : a.end_line > b.end_line;
  });
  // Editors fold one range per first line.
  ranges.erase(std::unique(ranges.begin(), ranges.end(),
                           [](const protocol::FoldingRange& a, const protocol::FoldingRange& b) {
                             return a.start_line == b.start_line;
                           }),
               ranges.end());
  return ranges;
}

}  // namespace hloscope::lsp
