// SPDX-License-Identifier: Apache-2.0
// Diagnostics as people see them on a terminal.
#include "core/diagnostics/render.h"

#include <gtest/gtest.h>

#include <string>

#include "core/document/document.h"

namespace hloscope {
namespace {

// All diagnostics of a text named m.hlo.
std::string Rendered(const std::string& text, RenderOptions options = {}) {
  const auto document = Document::Parse(SourceText::FromString("m.hlo", text));
  std::string out;
  for (const Diagnostic& d : document->diagnostics()) out += RenderDiagnostic(document->source(), d, options);
  return out;
}

TEST(Render, SourceLineCaretsRelatedPlacesAndFixes) {
  EXPECT_EQ(Rendered("ENTRY e {\n  x = f32[] constant(1)\n  x = f32[] negate(x)\n}\n"),
            "m.hlo:3:3: error: instruction `x` is defined twice in this computation [duplicate-instruction]\n"
            "    3 |   x = f32[] negate(x)\n"
            "      |   ^\n"
            "m.hlo:2:3: note: the first definition is here\n"
            "    2 |   x = f32[] constant(1)\n"
            "      |   ^\n"
            "      = fix: rename this one to `x.1`; its users mean the first\n");
}

TEST(Render, OneLineWithoutSource) {
  RenderOptions options;
  options.source_lines = false;
  EXPECT_EQ(Rendered("ENTRY e {\n  ROOT x = f32[] negat(x)\n}\n", options),
            "m.hlo:2:18: error: unknown opcode `negat`; did you mean `negate`? [unknown-opcode]\n");
}

// A dump may hold lines of tens of thousands of characters: only what is around the range is shown.
TEST(Render, LongLinesAreCroppedAroundTheRange) {
  std::string operands;
  for (int i = 0; i < 12000; ++i) operands += "%long.name, ";
  const std::string text = "ENTRY e {\n  %long.name = f32[] constant(1)\n  ROOT t = tuple(" + operands +
                           "%lnog.name, " + operands + "%long.name)\n}\n";
  RenderOptions options;
  options.width = 60;
  EXPECT_EQ(Rendered(text, options),
            "m.hlo:3:144019: error: no instruction `lnog.name` is defined before this point; did you mean "
            "`long.name`? [unknown-instruction]\n"
            "    3 | ..., %long.name, %lnog.name, %long.name, %long.na...\n"
            "      |                   ^~~~~~~~~\n"
            "      = fix: change to `long.name`\n");
}

TEST(Render, ControlCharactersNeverReachTheTerminal) {
  const std::string out = Rendered("f32[] \x1b[31m(f32[] x)");
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_NE(out.find("control character 0x1b"), std::string::npos);
}

}  // namespace
}  // namespace hloscope
