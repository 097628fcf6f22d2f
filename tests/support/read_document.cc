// SPDX-License-Identifier: Apache-2.0
#include "tests/support/read_document.h"

#include <utility>

#include "gtest/gtest.h"

namespace hloscope {

std::shared_ptr<const Document> ReadDocument(std::string text) {
  return Document::Parse(SourceText::FromString("test.hlo", std::move(text)));
}

std::shared_ptr<const Document> ReadCorrectDocument(const std::string& text) {
  auto document = ReadDocument(text);
  EXPECT_FALSE(document->has_errors()) << document->diagnostics()[0].Message() << "\n" << text;
  return document;
}

std::shared_ptr<const Document> ParseDocument(std::string text) {
  return Document::Parse(SourceText::FromString("test.hlo", std::move(text)), {{}, /*parse_only=*/true});
}

}  // namespace hloscope
