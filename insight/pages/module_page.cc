// SPDX-License-Identifier: Apache-2.0
#include "insight/pages/module_page.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/diagnostics/count_text.h"
#include "core/print/instruction_printer.h"
#include "core/print/printer.h"

namespace hloscope::insight {
namespace {

using Part = PrintedModule::Part;

std::vector<CodeLine> LinesOf(absl::string_view text) {
  std::vector<CodeLine> lines;
  for (absl::string_view line : absl::StrSplit(text, '\n')) lines.push_back({LineKind::kSame, std::string(line)});
  while (!lines.empty() && lines.back().text.empty()) lines.pop_back();
  return lines;
}

PrintOptions StyleOfPage() {
  PrintOptions options = PrintOptions::Dump();
  options.percent = false;
  return options;
}

}  // namespace

void AddInstructions(const Module& module, absl::Span<const InstructionId> instructions, InstructionId marked,
                     HtmlReport* report) {
  InstructionPrinter printer(module, StyleOfPage());
  std::vector<CodeLine> lines;
  for (InstructionId id : instructions) {
    for (CodeLine& line : LinesOf(printer.Print(id))) {
      if (id == marked) line.kind = LineKind::kMarked;
      lines.push_back(std::move(line));
    }
  }
  report->BeginPart("Text");
  report->AddCode(lines);
  report->EndPart();
}

void AddModule(const Module& module, InstructionId marked, HtmlReport* report) {
  const PrintedModule printed = PrintModuleWithPositions(module, StyleOfPage());
  const absl::string_view text = printed.text;
  std::vector<CodeLine> lines;
  size_t next = 0;  // what is not added yet begins here
  for (size_t k = 0; k < printed.parts.size(); ++k) {
    const Part& part = printed.parts[k];
    switch (part.kind) {
      case Part::Kind::kHeader:
        break;
      case Part::Kind::kComputationOpen: {
        // Header and tables before the first computation.
        const std::vector<CodeLine> before = LinesOf(text.substr(next, part.begin - next));
        if (!before.empty()) {
          report->BeginPart("header", false);
          report->AddCode(before);
          report->EndPart();
        }
        const bool is_entry = part.computation == module.entry();
        const bool has_marked = marked.has_value() && module.instruction(marked).computation == part.computation;
        report->BeginPart(
            HtmlText(is_entry ? "ENTRY " : "")
                .Code(module.ComputationName(part.computation))
                .Add(absl::StrCat(
                    " (", CountOf(module.computation(part.computation).instructions.size(), "instruction"), ")")),
            marked.has_value() ? has_marked : is_entry);
        lines = {{LineKind::kSame, std::string(text.substr(part.begin, part.end - part.begin))}};
        next = part.end;
        break;
      }
      case Part::Kind::kInstruction:
        lines.push_back({part.instruction == marked ? LineKind::kMarked : LineKind::kSame,
                         absl::StrCat("  ", text.substr(part.begin, part.end - part.begin))});
        break;
      case Part::Kind::kComputationClose:
        lines.push_back({LineKind::kSame, std::string(text.substr(part.begin, part.end - part.begin))});
        report->AddCode(std::exchange(lines, {}));
        report->EndPart();
        next = part.end;
        break;
    }
  }
}

}  // namespace hloscope::insight
