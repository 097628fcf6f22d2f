// SPDX-License-Identifier: Apache-2.0
// Builds the text of a completion: with holes in the snippet language of LSP, or plain.
#ifndef HLOSCOPE_CORE_EDITING_SNIPPET_WRITER_H_
#define HLOSCOPE_CORE_EDITING_SNIPPET_WRITER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/editing/fitting.h"

namespace hloscope {

class SnippetText {
 public:
  // Without holes, what they would hold is written as it is.
  explicit SnippetText(bool with_holes) : with_holes_(with_holes) {}

  SnippetText& Text(absl::string_view text);
  // A place to fill, which holds `content` at first.
  SnippetText& Hole(absl::string_view content);
  // A place with a choice between words; the first is there at first. Requires words.
  SnippetText& Choice(absl::Span<const absl::string_view> words);
  // Text with holes between `<` and `>`: `{{<0>,<1>}}`.
  SnippetText& Pattern(absl::string_view pattern);

  bool has_holes() const { return next_ > 1; }
  const std::string& text() const { return text_; }

 private:
  const bool with_holes_;
  int next_ = 1;
  std::string text_;
};

// Writes a value of the attribute that is right for the instruction as far as its shapes are known, with holes where a
// choice is left. `computation` is the name of one that fits, or a placeholder.
SnippetText& WriteAttributeValue(const PartialInstruction& instruction, AttributeKind attribute,
                                 absl::string_view computation, SnippetText& out);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_SNIPPET_WRITER_H_
