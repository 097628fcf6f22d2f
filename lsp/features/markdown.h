// SPDX-License-Identifier: Apache-2.0
// Small pieces of Markdown.
#ifndef HLOSCOPE_LSP_FEATURES_MARKDOWN_H_
#define HLOSCOPE_LSP_FEATURES_MARKDOWN_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::lsp {

// Text over `max_bytes` is cut between two characters and ends in "...".
std::string ShortenText(absl::string_view text, size_t max_bytes);

// Inline code that shows `text` as it is, whatever it holds; line ends become spaces.
// Shortened to `max_bytes`.
std::string MarkdownCode(absl::string_view text, size_t max_bytes = 400);

// A fenced block of HLO, which editors colour.
std::string MarkdownHloBlock(absl::string_view text);

// "512 bytes", "1.5 MiB (1,572,864 bytes)".
std::string FormatBytes(int64_t bytes);
// "1.5 MiB".
std::string ShortBytes(int64_t bytes);
// "1,572,864".
std::string FormatCount(int64_t count);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_MARKDOWN_H_
