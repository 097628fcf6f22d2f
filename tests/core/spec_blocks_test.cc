// SPDX-License-Identifier: Apache-2.0
// Every complete text of the format specification: blocks tagged `hlo` must be accepted, blocks tagged `hlo-reject`
// rejected. Examples of the corrections are checked as their first line says.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/document/document.h"
#include "core/ops/verify_switches.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

struct Block {
  int line;
  bool accept;
  std::string text;
};

std::vector<Block> SpecBlocks(const std::string& path) {
  std::vector<Block> blocks;
  Block block;
  bool inside = false;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(ReadFileOrDie(path), '\n')) {
    ++number;
    if (!inside && (line == "```hlo" || line == "```hlo-reject")) {
      inside = true;
      block = {number, line == "```hlo", ""};
    } else if (inside && line == "```") {
      inside = false;
      blocks.push_back(block);
    } else if (inside) {
      block.text.append(line.data(), line.size());
      block.text.push_back('\n');
    }
  }
  return blocks;
}

// What the comment after the first line says: `OK`, `ERR`, perhaps `with` an option.
TEST(SpecBlocks, CorrectionsAreKept) {
  SKIP_WITHOUT_SHARED_FILE("/spec/corrections.md");
  const std::vector<Block> blocks = SpecBlocks(SharedDirectory() + "/spec/corrections.md");
  EXPECT_GT(blocks.size(), 25u);
  const auto accepts = [](const Block& block, const DocumentOptions& options) {
    return !Document::Parse(SourceText::FromString("block", block.text), options)->has_errors();
  };
  for (const Block& block : blocks) {
    SCOPED_TRACE(absl::StrCat("corrections.md:", block.line, "\n", block.text));
    const std::string note = block.text.substr(0, block.text.find('\n'));
    const auto says = [&](absl::string_view words) { return absl::StrContains(note, words); };
    DocumentOptions read_only, plain, mixed;
    read_only.parse_only = true;
    mixed.verify.allow_mixed_precision = true;
    plain.verify.layout_sensitive = says("--layout-sensitive");
    if (says("--checks=deadlocks")) {
      ASSERT_TRUE(ApplyVerifySwitches("deadlocks", &plain.verify).ok());
    }
    const bool is_mixed = says("mixed") || says("run prints");
    EXPECT_EQ(accepts(block, plain), !is_mixed && !says("// ERR") && !says("check: ERR"));
    EXPECT_EQ(accepts(block, read_only), !says("also with --parse-only"));
    if (is_mixed) {
      EXPECT_TRUE(accepts(block, mixed));
    }
  }
}

TEST(SpecBlocks, AcceptedAndRejectedAsTheFormatSays) {
  SKIP_WITHOUT_SHARED_FILE("/spec/hlo-text.md");
  const std::string path = SharedDirectory() + "/spec/hlo-text.md";
  const std::vector<Block> blocks = SpecBlocks(path);
  EXPECT_GT(blocks.size(), 40u);
  DocumentOptions options;
  options.parse_only = true;
  for (const Block& block : blocks) {
    const auto document = Document::Parse(SourceText::FromString("block", block.text), options);
    std::string diagnostics;
    for (const Diagnostic& d : document->diagnostics()) {
      diagnostics += "\n  " + std::string(d.code()) + ": " + d.Message() + " at `" +
                     std::string(document->source().Slice(d.range)) + "`";
    }
    EXPECT_EQ(!document->has_errors(), block.accept) << "hlo-text.md:" << block.line << "\n"
                                                     << block.text << diagnostics;
  }
}

TEST(Corpus, EveryFileReadsWithoutAnError) {
  SKIP_WITHOUT_SHARED_FILES();
  const auto files = CorpusFiles();
  EXPECT_GE(files.size(), 43u);
  for (const std::string& file : files) {
    const auto document = Document::Open(file);
    ASSERT_TRUE(document.ok()) << file;
    for (const Diagnostic& d : (*document)->diagnostics()) {
      if (d.severity != Severity::kError) continue;
      const LineColumn at = (*document)->source().LineColumnAt(d.range.begin);
      ADD_FAILURE() << file << ":" << at.line + 1 << ":" << at.column + 1 << ": " << d.Message() << " [" << d.code()
                    << "]";
      break;
    }
  }
}

}  // namespace
}  // namespace hloscope
