// The page of every opcode exists, and its example is valid HLO that uses the opcode.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/document/document.h"
#include "core/ops/opcode.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

TEST(OpPages, EveryOpcodeHasAPageWithAValidExample) {
  for (Opcode opcode : AllOpcodes()) {
    const std::string name(OpcodeName(opcode));
    const std::string path = std::string(HLOSCOPE_SOURCE_DIR) + "/resources/ops/" + name + ".md";
    ASSERT_TRUE(std::filesystem::exists(path)) << "no page " << path;
    const std::string page = ReadFileOrDie(path);
    EXPECT_EQ(page.rfind("# " + name + "\n", 0), 0u) << path;
    const size_t open = page.find("```hlo\n");
    ASSERT_NE(open, std::string::npos) << path;
    const size_t begin = open + 7, end = page.find("```", begin);
    DocumentOptions options;
    options.verify.replica_count = 2;
    const auto document = Document::Parse(SourceText::FromString(path, page.substr(begin, end - begin)), options);
    for (const Diagnostic& d : document->diagnostics()) {
      EXPECT_NE(d.severity, Severity::kError)
          << path << ": " << d.Message() << " at `" << document->source().Slice(d.range) << "`";
    }
    bool used = false;
    for (const Instruction& instruction : document->module().instructions())
      used = used || instruction.opcode == opcode;
    EXPECT_TRUE(used) << path;
  }
}

}  // namespace
}  // namespace hloscope
