// SPDX-License-Identifier: Apache-2.0
// Broken texts: each mistake costs exactly one diagnostic and one instruction; the rest is analysed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/document/document.h"
#include "tests/support/read_document.h"

namespace hloscope {
namespace {

// "LINE:code" of every error.
std::vector<std::string> Errors(const Document& document) {
  std::vector<std::string> errors;
  for (const Diagnostic& d : document.diagnostics()) {
    if (d.severity != Severity::kError) continue;
    errors.push_back(std::to_string(document.source().LineColumnAt(d.range.begin).line + 1) + ":" +
                     std::string(d.code()));
  }
  return errors;
}

using Strings = std::vector<std::string>;

TEST(Recovery, ThreeBrokenInstructionsGiveThreeErrors) {
  const auto document = ReadDocument(R"(HloModule m

f {
  a = f32[] parameter(0)
  b = f32[] negat(a)
  ROOT c = f32[] negate(b)
}

ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4 add(x, x)
  z = f32[4] multiply(y, x)
  w = f32[4] add(x, nosuch)
  v = f32[4] add(z, w)
  ROOT r = f32[5] add(v, v)
}
)");
  EXPECT_EQ(Errors(*document),
            (Strings{"5:unknown-opcode", "11:unclosed-bracket", "13:unknown-instruction", "15:declared-shape"}));
  const Module& module = document->module();
  EXPECT_EQ(module.instruction_count(), 9u);
  const InstructionId v = module.FindInstruction(module.entry(), "v");
  ASSERT_TRUE(v.has_value());
  EXPECT_EQ(module.operands(v).size(), 2u);
  EXPECT_EQ(module.InstructionName(module.operand(v, 0)), "z");
}

TEST(Recovery, MissingClosingBrace) {
  const auto document =
      ReadDocument("HloModule m\nf {\n a = f32[] parameter(0)\n\nENTRY e {\n b = f32[] parameter(0)\n}\n");
  EXPECT_EQ(Errors(*document), (Strings{"5:unclosed-computation"}));
  EXPECT_EQ(document->module().computations().size(), 2u);
  const auto unclosed = ReadDocument("HloModule m\nENTRY e {\n b = f32[] parameter(0)\n");
  EXPECT_EQ(Errors(*unclosed), (Strings{"4:unclosed-computation"}));
}

TEST(Recovery, ABrokenInlineComputationLosesOnlyItsInstruction) {
  const auto document = ReadDocument(R"(HloModule m
ENTRY e {
  x = f32[8] parameter(0)
  z = f32[] constant(0)
  r = f32[] reduce(x, z), dimensions={0}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT s = f32[] ad(a, b)
  }
  ROOT t = f32[] negate(r)
}
)");
  EXPECT_EQ(Errors(*document), (Strings{"8:unknown-opcode"}));
  EXPECT_EQ(document->module().computations().size(), 2u);
}

TEST(Recovery, AttributeMistakes) {
  EXPECT_EQ(Errors(*ReadDocument("ENTRY e {\n p = f32[4] parameter(0)\n ROOT s = f32[2] slice(p), slice ={[0:2]}\n}")),
            (Strings{"3:attribute-apart"}));
  EXPECT_EQ(Errors(*ReadDocument("ENTRY e {\n p = f32[4] parameter(0),\n ROOT s = f32[4] copy(p)\n}")),
            (Strings{"2:surplus-comma"}));
  EXPECT_EQ(Errors(*ReadDocument("ENTRY e {\n p = f32[4] parameter(0)\n ROOT s = f32[4] reverse(p), dimension={0}\n}")),
            (Strings{"3:unknown-attribute"}));
  EXPECT_EQ(Errors(*ReadDocument(
                "ENTRY e {\n p = f32[4] parameter(0)\n ROOT s = f32[4] reverse(p), dimensions={0}, dimensions={0}\n}")),
            (Strings{"3:duplicate-attribute"}));
  EXPECT_EQ(
      Errors(*ReadDocument("ENTRY e {\n p = f32[4] parameter(0)\n ROOT s = f32[4] reverse(p), dimensions={a}\n}")),
      (Strings{"3:expected-integer"}));
}

TEST(Recovery, NamesAndParameters) {
  EXPECT_EQ(Errors(*ReadDocument("ENTRY e {\n p = f32[4] parameter(0)\n p = f32[4] copy(p)\n}")),
            (Strings{"3:duplicate-instruction"}));
  EXPECT_EQ(Errors(*ReadDocument("ENTRY e {\n p = f32[] parameter(1)\n}")), (Strings{"2:parameter-gap"}));
  EXPECT_EQ(Errors(*ReadDocument("ENTRY e {\n p = f32[] parameter(0)\n q = f32[] parameter(0)\n}")),
            (Strings{"3:duplicate-parameter-number"}));
  EXPECT_EQ(Errors(*ReadDocument("ENTRY e {\n b = f32[] negate(a)\n a = f32[] constant(1)\n}")),
            (Strings{"2:used-before-definition"}));
  EXPECT_EQ(Errors(*ReadDocument("ENTRY e {\n f32 = f32[] constant(1)\n}")), (Strings{"2:illegal-name"}));
}

TEST(Recovery, Suggestions) {
  const auto document = ReadDocument("ENTRY e {\n value = f32[] constant(1)\n ROOT r = f32[] negate(vaule)\n}");
  ASSERT_EQ(document->diagnostics().size(), 1u);
  const Diagnostic& d = document->diagnostics()[0];
  EXPECT_EQ(d.Message(), "no instruction `vaule` is defined before this point; did you mean `value`?");
  EXPECT_EQ(document->source().Slice(d.range), "vaule");
  ASSERT_EQ(d.fixes.size(), 1u);
  EXPECT_EQ(d.fixes[0].edits[0].replacement, "value");
}

// --- Inputs that must end with located errors, never with a crash or a hang ---

TEST(BadInput, EmptyAndBlank) {
  EXPECT_EQ(Errors(*ReadDocument("")), (Strings{"1:empty-text"}));
  EXPECT_EQ(Errors(*ReadDocument(" \n // only a comment\n")), (Strings{"1:empty-text"}));
  EXPECT_EQ(Errors(*ReadDocument("HloModule m")), (Strings{"1:no-computation"}));
  EXPECT_EQ(Errors(*ReadDocument("HloModule m\nENTRY e { }")), (Strings{"2:empty-computation"}));
}

TEST(BadInput, ATruncatedModuleIsOneDiagnostic) {
  const auto document = ReadDocument(
      "HloModule m, entry_computation_layout={(f32[4]{0}, f32[2]{0})->f32[2]{0}}\n"
      "ENTRY e (a: f32[4], b: f32[2]) -> f32[2] {\n  b = f32[2] parameter(1)\n  c = f32[2] negate(b)\n");
  EXPECT_EQ(Errors(*document), (Strings{"5:unclosed-computation"}));
}

TEST(BadInput, EveryPrefixAndEveryByteLoss) {
  const std::string text =
      R"(HloModule m, entry_computation_layout={(f32[8]{0})->f32[]}, frontend_attributes={a={b},c="d"}
FileNames
1 "x.py"
FunctionNames
1 "f"
FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=2}
StackFrames
1 {file_location_id=1 parent_frame_id=1}

%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, f32[] %b), metadata={op_name="q" stack_frame_id=1}
}
ENTRY %e (x: f32[8]) -> f32[] {
  %x = f32[8]{0} parameter(0), sharding={devices=[2]<=[2]}
  %t = (f32[8], s4[2]) tuple(%x, s4[2] constant({1, -2}))
  %z = f32[] constant(0)
  ROOT %r = f32[] reduce(%t#0, %z), dimensions={0}, to_apply=%sum, backend_config={"k":[1]}
}
)";
  EXPECT_FALSE(ReadDocument(text)->has_errors());
  for (size_t n = 0; n < text.size(); ++n) {
    ReadDocument(text.substr(0, n));
    std::string without = text;
    without.erase(n, 1);
    ReadDocument(without);
    std::string other = text;
    other[n] = "{}()[]\"',=%#-x0\xFF"[n % 16];
    ReadDocument(other);
  }
}

TEST(BadInput, DeepNesting) {
  for (const auto& [open, close] :
       std::vector<std::pair<std::string, std::string>>{{"(", ")"}, {"{", "}"}, {"[", "]"}}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += open;
    EXPECT_TRUE(ReadDocument(deep)->has_errors());
    std::string balanced = deep;
    for (int i = 0; i < 100000; ++i) balanced += close;
    EXPECT_TRUE(ReadDocument(balanced)->has_errors());
    EXPECT_TRUE(ReadDocument("HloModule m\nENTRY e {\n p = " + balanced + " parameter(0)\n}")->has_errors());
    EXPECT_TRUE(ReadDocument("HloModule m\nENTRY e {\n p = f32[] constant(" + balanced + ")\n}")->has_errors());
    EXPECT_TRUE(
        ReadDocument("HloModule m\nENTRY e {\n p = f32[] parameter(0), sharding=" + balanced + "\n}")->has_errors());
    EXPECT_TRUE(
        ReadDocument("HloModule m\nENTRY e {\n p = f32[] parameter(0), origin={" + balanced + "}\n}")->has_errors());
  }
  // A tuple shape of allowed depth is fine; one level too many is an error.
  const auto tuple = [](int depth) {
    return std::string(static_cast<size_t>(depth), '(') + std::string(static_cast<size_t>(depth), ')');
  };
  EXPECT_FALSE(ReadDocument("HloModule m\nENTRY e {\n p = " + tuple(8000) + " parameter(0)\n}")->has_errors());
  EXPECT_EQ(Errors(*ReadDocument("HloModule m\nENTRY e {\n p = " + tuple(10000) + " parameter(0)\n}")),
            (Strings{"3:nesting-too-deep"}));
  std::string operands = "HloModule m\nENTRY e {\n r = ", inline_bodies = "HloModule m\nENTRY e {\n";
  for (int i = 0; i < 10000; ++i) operands += "negate(f32[] ";
  for (int i = 0; i < 10000; ++i) inline_bodies += "c = f32[] call(), to_apply={\n";
  EXPECT_TRUE(ReadDocument(operands)->has_errors());
  EXPECT_TRUE(ReadDocument(inline_bodies)->has_errors());
}

TEST(BadInput, BinaryAndBrokenUtf8) {
  std::string binary;
  uint32_t state = 1;
  for (int i = 0; i < 1 << 16; ++i) {
    state = state * 1664525u + 1013904223u;
    binary.push_back(static_cast<char>(state >> 24));
  }
  EXPECT_TRUE(ReadDocument(binary)->has_errors());
  EXPECT_TRUE(ReadDocument("\xFF\xFE\xC3\x28 HloModule")->has_errors());
  EXPECT_EQ(
      Errors(*ReadDocument("HloModule m\nENTRY e {\n p = f32[] \xC3\xA9 parameter(0)\n q = f32[] parameter(0)\n}")),
      (Strings{"3:stray-byte"}));
}

TEST(BadInput, LineEnds) {
  for (const std::string& end : Strings{"\n", "\r\n", "\r"}) {
    const auto document = ReadDocument("HloModule m // c" + end + "ENTRY e {" + end + " p = f32[] parameter(0)" + end +
                                       " ROOT q = f32[2] negate(p)" + end + "}" + end);
    EXPECT_EQ(Errors(*document), (Strings{"4:declared-shape"}));
  }
}

TEST(BadInput, CyclicOperands) {
  const auto document =
      ReadDocument("ENTRY e {\n a = f32[] negate(b)\n b = f32[] negate(a)\n ROOT c = f32[] negate(c)\n}");
  EXPECT_EQ(Errors(*document), (Strings{"2:used-before-definition", "4:self-operand"}));
  EXPECT_EQ(document->diagnostics()[0].Message(),
            "`b` is defined further down; an instruction must come before its first use");
  EXPECT_EQ(document->diagnostics()[0].related.size(), 1u);
}

TEST(BadInput, DiagnosticsAreBounded) {
  std::string noise;
  for (int i = 0; i < 50000; ++i) noise += "\x01 \xFF ";
  const auto binary = ReadDocument(noise);
  ASSERT_EQ(binary->diagnostics().size(), 1u);
  EXPECT_EQ(binary->diagnostics()[0].Message(), "this is not HLO text: it looks like a binary file");
  const auto document = ReadDocument("HloModule m\n" + noise);
  EXPECT_GT(document->error_count(), 50000);
  EXPECT_EQ(document->diagnostics().size(), DiagnosticSink::kMaxKept + 1);
  EXPECT_EQ(document->diagnostics().back().code(), "too-many-findings");
}

TEST(BadInput, HugeSizesAreNumbersNotMemory) {
  EXPECT_FALSE(ReadDocument("ENTRY e { ROOT c = f32[1000000000,1000000000] constant(0) }")->has_errors());
  EXPECT_TRUE(ReadDocument("ENTRY e { ROOT c = f32[99999999999999999999] parameter(0) }")->has_errors());
  EXPECT_TRUE(ReadDocument("ENTRY e { ROOT c = f32[] parameter(4000000000) }")->has_errors());
  EXPECT_TRUE(
      ReadDocument(
          "ENTRY e { p = f32[] parameter(0), sharding={devices=[1000000000,1000000000]<=[1000000000000000000]} }")
          ->has_errors());
}

}  // namespace
}  // namespace hloscope
