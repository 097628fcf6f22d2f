// SPDX-License-Identifier: Apache-2.0
// The page of every opcode exists, and its example is valid HLO that uses the opcode.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/ir/opcode.h"
#include "tests/support/op_page.h"

namespace hloscope {
namespace {

TEST(OpPages, EveryOpcodeHasAPageWithAValidExample) {
  for (Opcode opcode : AllOpcodes()) {
    const std::string name(OpcodeName(opcode));
    EXPECT_TRUE(absl::StartsWith(OpPage(opcode), absl::StrCat("# ", name, "\n"))) << name;
    const auto document = Document::Parse(SourceText::FromString(name, ExampleOfOpPage(opcode)), ExampleOptions());
    for (const Diagnostic& d : document->diagnostics()) {
      EXPECT_NE(d.severity, Severity::kError)
          << name << ": " << d.Message() << " at `" << document->source().Slice(d.range) << "`";
    }
    bool used = false;
    for (const Instruction& instruction : document->module().instructions()) {
      used = used || instruction.opcode == opcode;
    }
    EXPECT_TRUE(used) << name;
  }
}

}  // namespace
}  // namespace hloscope
