// Every complete text of the format specification: blocks tagged `hlo` must be accepted, blocks tagged `hlo-reject`
// rejected.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "core/document/document.h"
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
