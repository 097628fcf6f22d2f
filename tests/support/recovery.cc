// SPDX-License-Identifier: Apache-2.0
#include "tests/support/recovery.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gtest/gtest.h"

namespace hloscope {

namespace {

using Errors = std::vector<std::pair<int, std::string>>;  // lines, messages

Errors ErrorsOf(const Document& document) {
  Errors errors;
  for (const Diagnostic& d : document.diagnostics()) {
    if (d.severity != Severity::kError) continue;
    errors.emplace_back(static_cast<int>(document.source().LineColumnAt(d.range.begin).line), d.Message());
  }
  return errors;
}

// Whether the instruction `lost` cannot be used, after all of the text was read; `touched` gets the lines of the
// instruction and of those that use it.
bool IsLost(const Document& document, const std::string& lost, std::set<int>* touched) {
  const Module& module = document.module();
  bool is_lost = true;
  for (InstructionId id : module.computation(module.entry()).instructions) {
    const auto operands = module.operands(id);
    const bool is_it = module.InstructionName(id) == lost;
    const bool is_user = std::any_of(operands.begin(), operands.end(), [&](InstructionId operand) {
      return operand.has_value() && module.InstructionName(operand) == lost;
    });
    if (is_it) is_lost = module.instruction(id).has_reading_errors || module.opcode(id) == Opcode::kInvalid;
    if (is_it || is_user) {
      touched->insert(static_cast<int>(document.source().LineColumnAt(document.InstructionRange(id).begin).line));
    }
  }
  return is_lost;
}

}  // namespace

void ExpectOneInstructionIsLost(const std::string& text, int line, size_t instruction_count, const std::string& lost) {
  const auto document = Document::Parse(SourceText::FromString("text", text), {{}, /*parse_only=*/true});
  const Errors errors = ErrorsOf(*document);
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

  const auto verified = Document::Parse(SourceText::FromString("text", text));
  const Errors all = ErrorsOf(*verified);
  std::set<int> touched = {line};
  if (IsLost(*document, lost, &touched)) {
    EXPECT_EQ(all, errors) << text;
  } else {
    for (const auto& [where, message] : all) EXPECT_TRUE(touched.contains(where)) << text << message;
  }
}

}  // namespace hloscope
