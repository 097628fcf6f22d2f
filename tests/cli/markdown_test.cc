// SPDX-License-Identifier: Apache-2.0
#include "cli/markdown.h"

#include "gtest/gtest.h"

namespace hloscope::cli {
namespace {

TEST(Markdown, HeadingsListsAndCode) {
  EXPECT_EQ(
      RenderMarkdown(
          "# t\n\nSome `code` and\n**bold** words.\n\n## Wrong\n\n```hlo\nx = y\n\n  z\n```\n\n* a\n  b\n- c\n", {}),
      "t\n\nSome `code` and bold words.\n\nWrong\n\n    x = y\n\n      z\n\n* a b\n* c\n");
}

TEST(Markdown, WrapsParagraphsAndItemsButNotCode) {
  MarkdownOptions options;
  options.width = 20;
  EXPECT_EQ(RenderMarkdown("one two three four five six\n\n* one two three four five", options),
            "one two three four\nfive six\n\n* one two three four\n  five\n");
  EXPECT_EQ(RenderMarkdown("```\none two three four five six\n```", options), "    one two three four five six\n");
  EXPECT_EQ(RenderMarkdown("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b", options), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\n");
}

TEST(Markdown, ColorsStandForMarks) {
  MarkdownOptions options;
  options.color = true;
  options.width = 20;
  EXPECT_EQ(RenderMarkdown("# t\n`a*b` **c d** e", options),
            "\x1b[1mt\x1b[0m\n\x1b[36ma*b\x1b[0m \x1b[1mc d\x1b[0m e\n");
  // Escape sequences take no columns.
  EXPECT_EQ(RenderMarkdown("`aaaaaa` `bbbbbb` cccccc", options),
            "\x1b[36maaaaaa\x1b[0m \x1b[36mbbbbbb\x1b[0m cccccc\n");
}

TEST(Markdown, NothingAndUnfinishedCode) {
  EXPECT_EQ(RenderMarkdown("", {}), "");
  EXPECT_EQ(RenderMarkdown("##", {}), "\n");
  EXPECT_EQ(RenderMarkdown("```\na", {}), "    a\n");
}

}  // namespace
}  // namespace hloscope::cli
