// SPDX-License-Identifier: Apache-2.0
#include "cli/stable_text.h"

#include <utility>

namespace hloscope::cli {

std::string StableText(std::shared_ptr<const Document> document,
                       absl::FunctionRef<std::string(const Document&)> print) {
  constexpr int kMaxPrints = 5;
  std::string text;
  for (int i = 0; i < kMaxPrints; ++i) {
    text = print(*document);
    if (text == document->source().text()) break;
    document = Document::Parse(SourceText::FromString(document->source().name(), text), {{}, /*parse_only=*/true});
    // Only switches that give unreadable texts come here.
    if (document->has_errors()) break;
  }
  return text;
}

}  // namespace hloscope::cli
