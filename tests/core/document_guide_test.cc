// SPDX-License-Identifier: Apache-2.0
// The example of docs/document.md: which instructions an edit reads again, and which diagnostics come of it.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/document/document_update.h"
#include "core/document/text_changes.h"
#include "gtest/gtest.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

// The first block of HLO text of the page.
std::string ExampleText() {
  const std::string page = ReadFileOrDie(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/docs/document.md"));
  const std::string open = "```hlo\n";
  const size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(DocumentGuide, TheExampleReadsTwoInstructionsAgain) {
  const std::string text = ExampleText();
  const std::shared_ptr<const Document> before = ReadDocument(text);
  ASSERT_TRUE(before->diagnostics().empty());
  const uint32_t digit = static_cast<uint32_t>(text.find("y = f32[4]") + 8);
  EXPECT_EQ(digit, 58u);
  const std::vector<TextEdit> edits = {{{digit, digit + 1}, "5"}};

  std::vector<TextChange> changes;
  const std::shared_ptr<const SourceText> source = ApplyEdits(before->source(), edits, &changes);
  std::vector<InstructionId> read;
  ASSERT_NE(DocumentUpdate::Run(*before, source, changes, &read), nullptr);
  std::vector<std::string> names;
  for (InstructionId id : read) names.emplace_back(before->module().InstructionName(id));
  EXPECT_EQ(names, (std::vector<std::string>{"y", "z"}));

  const std::shared_ptr<const Document> after = before->WithEdit(edits);
  EXPECT_TRUE(after->is_update());
  std::vector<std::string> codes;
  for (const Diagnostic& diagnostic : after->diagnostics()) codes.emplace_back(diagnostic.code());
  EXPECT_EQ(codes, (std::vector<std::string>{"declared-shape", "operand-shapes-differ"}));
}

}  // namespace
}  // namespace hloscope
