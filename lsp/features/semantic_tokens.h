// SPDX-License-Identifier: Apache-2.0
// textDocument/semanticTokens: full, range and delta.
#ifndef HLOSCOPE_LSP_FEATURES_SEMANTIC_TOKENS_H_
#define HLOSCOPE_LSP_FEATURES_SEMANTIC_TOKENS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// The legend, in the order of the numbers in the answers.
absl::Span<const absl::string_view> SemanticTokenTypes();
absl::Span<const absl::string_view> SemanticTokenModifiers();

// Five numbers a token, as LSP encodes them. Without a range: of the whole document. No token spans lines.
std::vector<uint32_t> ComputeSemanticTokens(const DocumentView& view, std::optional<protocol::Range> range);

// The same for a text of which only `changed` differs from an older one, whose tokens and number of lines these are.
std::vector<uint32_t> UpdateSemanticTokens(const DocumentView& view, SourceRange changed,
                                           const std::vector<uint32_t>& before, uint32_t line_count_before);

// A replacement; several lead from one answer to another, in order and none inside another. Places are those of the
// first answer.
struct SemanticTokensEdit {
  uint32_t start = 0, delete_count = 0;
  std::vector<uint32_t> data;
};
// One for what was edited, and one for each modifier that changed elsewhere.
std::vector<SemanticTokensEdit> DiffSemanticTokens(absl::Span<const uint32_t> before, absl::Span<const uint32_t> after);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_SEMANTIC_TOKENS_H_
