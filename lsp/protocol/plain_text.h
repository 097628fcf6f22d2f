// SPDX-License-Identifier: Apache-2.0
// Markdown for clients that show none.
#ifndef HLOSCOPE_LSP_PROTOCOL_PLAIN_TEXT_H_
#define HLOSCOPE_LSP_PROTOCOL_PLAIN_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// The text as people read it: without fences, backticks, emphasis, the marks of headings and the targets of links.
std::string PlainTextOf(absl::string_view markdown);

// MarkupContent of the protocol, of the kind that the client wants.
nlohmann::json MarkupJson(absl::string_view markdown, bool client_shows_markdown);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_PROTOCOL_PLAIN_TEXT_H_
