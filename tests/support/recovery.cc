#include "tests/support/recovery.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gtest/gtest.h"

namespace hloscope {

void ExpectOneInstructionIsLost(const std::string& text, int line, size_t instruction_count, const std::string& lost) {
  const auto document = Document::Parse(SourceText::FromString("text", text), {{}, /*parse_only=*/true});
  std::vector<std::pair<int, std::string>> errors;
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity != Severity::kError) continue;
    errors.emplace_back(static_cast<int>(document->source().LineColumnAt(d.range.begin).line), d.Message());
  }
  ASSERT_EQ(errors.size(), 1u) << text << ::testing::PrintToString(errors);
  EXPECT_EQ(errors[0].first, line) << text << errors[0].second;
  const Module& module = document->module();
  ASSERT_TRUE(module.entry().has_value()) << text;
  const Computation& entry = module.computation(module.entry());
  ASSERT_EQ(entry.instructions.size(), instruction_count) << text;
  for (InstructionId id : entry.instructions) {
    // A mistake with one obvious meaning, such as a comma too many, is read as it is meant: nothing is lost at all.
    if (module.InstructionName(id) == lost) continue;
    EXPECT_FALSE(module.instruction(id).has_reading_errors) << text << module.InstructionName(id);
    EXPECT_NE(module.opcode(id), Opcode::kInvalid) << text;
    for (InstructionId operand : module.operands(id)) EXPECT_TRUE(operand.has_value()) << text;
  }
}

}  // namespace hloscope
