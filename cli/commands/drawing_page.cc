// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/drawing_page.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cli/commands/command_line.h"

namespace hloscope::cli {

void AddText(absl::string_view text, insight::HtmlReport* page) {
  std::vector<insight::CodeLine> lines;
  for (absl::string_view line : absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
    lines.push_back({insight::LineKind::kSame, std::string(line)});
  }
  page->AddCode(lines);
}

void AddDrawing(absl::string_view svg, absl::string_view description, const Arguments& arguments,
                insight::HtmlReport* page) {
  page->AddPicture(svg, description);
  page->AddParagraph(insight::HtmlText("Made by ").Code(CommandLine(arguments)));
}

}  // namespace hloscope::cli
