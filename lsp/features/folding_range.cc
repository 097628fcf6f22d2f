#include "lsp/features/folding_range.h"

#include <algorithm>

namespace hloscope::lsp {

std::vector<protocol::FoldingRange> ComputeFoldingRanges(const DocumentView& view) {
  const SyntaxTree& syntax = view.document.syntax();
  const TokenBuffer& tokens = view.document.tokens();
  std::vector<protocol::FoldingRange> ranges;
  const auto add = [&](uint32_t begin, uint32_t end, bool keep_last_line) {
    const uint32_t first = view.positions.ToPosition(begin).line;
    const uint32_t last = view.positions.ToPosition(end).line;
    // The line of a closing brace stays visible.
    const uint32_t end_line = keep_last_line && last > first ? last - 1 : last;
    if (end_line > first) ranges.push_back({first, end_line, protocol::FoldingRangeKind::kRegion});
  };

  for (const ComputationSyntax& computation : syntax.computations) {
    if (computation.open_brace == kNoToken || computation.close_brace == kNoToken) continue;
    add(tokens.begin(computation.open_brace), tokens.begin(computation.close_brace), true);
  }
  for (const InstructionSyntax& instruction : syntax.instructions) {
    if (instruction.tokens.empty() || instruction.name == kNoToken) continue;
    add(tokens.begin(instruction.tokens.begin), tokens.end(instruction.tokens.end - 1), false);
  }
  for (TokenRange table : {syntax.file_names, syntax.function_names, syntax.file_locations, syntax.stack_frames}) {
    // Rows exclude the heading, which is the token before.
    if (table.empty() || table.begin == 0) continue;
    add(tokens.begin(table.begin - 1), tokens.end(table.end - 1), false);
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
