// SPDX-License-Identifier: Apache-2.0
// The pages of resources/ on a terminal.
#ifndef HLOSCOPE_CLI_MARKDOWN_H_
#define HLOSCOPE_CLI_MARKDOWN_H_

#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::cli {

struct MarkdownOptions {
  bool color = false;  // ANSI escape sequences
  int width = 100;     // columns; paragraphs and list items are wrapped, code is not
};

// Renders what our pages use of Markdown: headings, paragraphs, lists with `*` or `-`, fenced code (indented by four
// columns, the fences dropped), `code` and **bold** words. Anything else comes out as it is written.
std::string RenderMarkdown(absl::string_view page, const MarkdownOptions& options);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_MARKDOWN_H_
