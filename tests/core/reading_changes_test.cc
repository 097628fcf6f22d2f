// SPDX-License-Identifier: Apache-2.0
// What reading replaces, as printing shows it: layouts that are left out (docs/text-format.md 4), dimensions of maps
// (6.9) and threads of asynchronous computations (6.16).
#include <gtest/gtest.h>

#include <string>

#include "core/document/document.h"
#include "core/print/printer.h"
#include "gmock/gmock.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Without errors, in a whole check.
std::string Printed(const std::string& text) {
  const auto document = Document::Parse(SourceText::FromString("text", text));
  EXPECT_FALSE(document->has_errors()) << document->diagnostics()[0].Message();
  return PrintModule(document->module(), PrintOptions::Short());
}

TEST(ReadingChanges, LayoutsThatAreLeftOutAreTheDefault) {
  const std::string printed = Printed(
      "HloModule m\nENTRY e {\n  p = f32[2,3] parameter(0)\n"
      "  ROOT c = f32[2,3] custom-call(p), custom_call_target=\"f\", operand_layout_constraints={f32[2,3]}\n}\n");
  EXPECT_THAT(printed, HasSubstr("entry_computation_layout={(f32[2,3]{1,0})->f32[2,3]{1,0}}"));
  EXPECT_THAT(printed, HasSubstr("p = f32[2,3]{1,0} parameter(0)"));
  EXPECT_THAT(printed, HasSubstr("operand_layout_constraints={f32[2,3]{1,0}}"));
}

TEST(ReadingChanges, MapsHaveAllDimensions) {
  for (const char* dimensions : {"dimensions={}, ", "dimensions={1}, ", "dimensions={7,7,7}, ", ""}) {
    EXPECT_THAT(Printed(std::string("HloModule m\nf { a = f32[] parameter(0) ROOT n = f32[] negate(a) }\n"
                                    "ENTRY e { x = f32[3,5] parameter(0) ROOT r = f32[3,5] map(x), ") +
                        dimensions + "to_apply=f }\n"),
                HasSubstr("map(x), dimensions={0,1}, to_apply=f"));
  }
}

TEST(ReadingChanges, AStartAssignsItsThread) {
  const auto chain = [](const char* of_computation, const char* of_start) {
    return std::string("HloModule m\nw { x = f32[2] parameter(0) y = f32[2] negate(x) ROOT z = f32[2] add(y, x) }") +
           of_computation +
           "\nENTRY e {\n  p = f32[2] parameter(0)\n"
           "  s = ((f32[2]), f32[2], s32[]) async-start(p), calls=w" +
           of_start + "\n  ROOT d = f32[2] async-done(s)\n}\n";
  };
  EXPECT_THAT(Printed(chain("", ", async_execution_thread=\"dma\"")), HasSubstr("}, execution_thread=\"dma\""));
  EXPECT_THAT(Printed(chain(", execution_thread=\"a\"", ", async_execution_thread=\"dma\"")),
              HasSubstr("}, execution_thread=\"dma\""));
  const auto plain =
      Document::Parse(SourceText::FromString("text", chain(", execution_thread=\"a\"", "")), {{}, /*parse_only=*/true});
  EXPECT_FALSE(plain->has_errors());
  EXPECT_THAT(PrintModule(plain->module(), PrintOptions::Short()), Not(HasSubstr("execution_thread")));
}

}  // namespace
}  // namespace hloscope
