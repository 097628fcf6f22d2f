// SPDX-License-Identifier: Apache-2.0
// Changes of the text that keep its meaning.
#include "core/editing/refactorings.h"

#include <string>

#include "absl/strings/match.h"
#include "core/analysis/module_compare.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;

std::string Apply(const Document& document, const EditsOr& edits) {
  if (!edits.ok()) return std::string(edits.status().message());
  const auto changed = document.WithEdit(*edits);
  EXPECT_LE(changed->error_count(), document.error_count()) << changed->source().text();
  return std::string(changed->source().text());
}

InstructionId Named(const Document& document, const std::string& name) {
  for (size_t i = 0; i < document.module().instruction_count(); ++i) {
    if (document.module().InstructionName(InstructionId(i)) == name) return InstructionId(i);
  }
  ADD_FAILURE() << name;
  return InstructionId::None();
}

SourceRange From(const Document& document, const std::string& first, const std::string& last) {
  const absl::string_view text = document.source().text();
  const size_t begin = text.find(first), end = text.find(last);
  EXPECT_TRUE(begin != absl::string_view::npos && end != absl::string_view::npos);
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end + last.size())};
}

constexpr char kRefactoringsCall[] = R"(HloModule m

f {
  a = f32[4] parameter(0)
  b = f32[4] parameter(1)
  t = f32[4] multiply(a, b)
  ROOT s = f32[4] add(t, b)
}

ENTRY e {
  x = f32[4] parameter(0)
  t = f32[4] negate(x)
  ROOT y = f32[4] call(x, t), to_apply=f
}
)";

TEST(InlineCallTest, PutsTheBodyInPlaceOfTheCall) {
  const auto document = ReadDocument(kRefactoringsCall);
  const std::string text = Apply(*document, InlineCall(*document, Named(*document, "y")));
  EXPECT_THAT(text, HasSubstr("  t = f32[4] negate(x)\n  t.1 = f32[4] multiply(x, t)\n"
                              "  ROOT y = f32[4] add(t.1, t)\n}\n"));
}

TEST(InlineCallTest, AComputationThatReturnsItsParameter) {
  const auto document = ReadDocument(
      "HloModule m\nf {\n  ROOT a = f32[4] parameter(0)\n}\nENTRY e {\n  x = f32[4] parameter(0)\n"
      "  ROOT y = f32[4] call(x), to_apply=f\n}\n");
  EXPECT_THAT(Apply(*document, InlineCall(*document, Named(*document, "y"))), HasSubstr("ROOT y = f32[4] copy(x)"));
}

TEST(InlineCallTest, SaysWhyNot) {
  const auto document = ReadDocument(kRefactoringsCall);
  EXPECT_THAT(Apply(*document, InlineCall(*document, Named(*document, "s"))), HasSubstr("only a call or a fusion"));
}

TEST(OutlineTest, OneResult) {
  const auto document = ReadDocument(
      "HloModule m\n\nENTRY e {\n  x = f32[4] parameter(0)\n  a = f32[4] negate(x)\n"
      "  b = f32[4] multiply(a, x)\n  ROOT y = f32[4] add(b, x)\n}\n");
  const std::string text =
      Apply(*document, OutlineSelection(*document, From(*document, "a = f32[4] neg", "multiply(a, x)")));
  EXPECT_EQ(text,
            "HloModule m\n\noutlined {\n  x = f32[4] parameter(0)\n  a = f32[4] negate(x)\n"
            "  ROOT b = f32[4] multiply(a, x)\n}\n\nENTRY e {\n  x = f32[4] parameter(0)\n"
            "  b = f32[4] call(x), to_apply=outlined\n  ROOT y = f32[4] add(b, x)\n}\n");
}

TEST(OutlineTest, SeveralResultsAndTheRoot) {
  const auto document = ReadDocument(
      "HloModule m\n\nENTRY e {\n  x = f32[4] parameter(0)\n  a = f32[4] negate(x)\n"
      "  b = f32[4] multiply(a, x)\n  ROOT y = f32[4] add(b, a)\n}\n");
  const std::string several =
      Apply(*document, OutlineSelection(*document, From(*document, "a = f32[4] neg", "multiply(a, x)")));
  EXPECT_THAT(several, HasSubstr("ROOT outlined_results = (f32[4], f32[4]) tuple(a, b)"));
  EXPECT_THAT(several, HasSubstr("b = f32[4] get-tuple-element(outlined_results), index=1"));
  const std::string root = Apply(*document, OutlineSelection(*document, From(*document, "b = f32", "add(b, a)")));
  EXPECT_THAT(root, HasSubstr("ROOT y = f32[4] call(a, x), to_apply=outlined"));
}

TEST(OutlineTest, InliningUndoesIt) {
  const auto document = ReadDocument(
      "HloModule m\n\nENTRY e {\n  x = f32[4] parameter(0)\n  a = f32[4] negate(x)\n"
      "  b = f32[4] multiply(a, x)\n  ROOT y = f32[4] add(b, x)\n}\n");
  const auto outlined =
      ReadDocument(Apply(*document, OutlineSelection(*document, From(*document, "a = f32[4] neg", "multiply(a, x)"))));
  const auto back = ReadDocument(
      Apply(*outlined, InlineCall(*outlined, outlined->module().FindInstruction(outlined->module().entry(), "b"))));
  ModuleComparison comparison;
  comparison.ignore_uncalled = true;
  EXPECT_EQ(FirstDifference(document->module(), back->module(), comparison), "");
}

TEST(OutlineTest, SaysWhyNot) {
  const auto document = ReadDocument(
      "HloModule m\n\nENTRY e {\n  x = f32[4] parameter(0)\n  a = f32[4] negate(x)\n"
      "  b = f32[4] abs(a)\n  c = f32[4] multiply(a, b)\n  ROOT y = f32[4] add(c, x)\n}\n");
  EXPECT_THAT(Apply(*document, OutlineSelection(*document, {0, 5})), HasSubstr("no instructions are selected"));
  EXPECT_THAT(Apply(*document, OutlineSelection(*document, From(*document, "x = f32", "parameter(0)"))),
              HasSubstr("no instructions are selected"));
}

TEST(DeadCodeTest, RemovesInstructionsAndComputations) {
  const auto document = ReadDocument(
      "HloModule m\n\nunused {\n  ROOT q = f32[] parameter(0)\n}\n\nENTRY e {\n"
      "  x = f32[4] parameter(0)\n  a = f32[4] negate(x)\n  b = f32[4] abs(a)\n"
      "  ROOT y = f32[4] add(x, x)\n}\n");
  EXPECT_EQ(Apply(*document, RemoveDeadCode(*document)),
            "HloModule m\n\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] add(x, x)\n}\n");
  const auto clean = ReadDocument(kRefactoringsCall);
  EXPECT_THAT(Apply(*clean, RemoveDeadCode(*clean)), HasSubstr("no dead code"));
}

constexpr char kUnsorted[] =
    "HloModule m\n\n// about g\ng {\n  ROOT p = f32[4] parameter(0)\n}\n\nf {\n  ROOT p = f32[4] parameter(0)\n}\n\n"
    "ENTRY e {\n  x = f32[4] parameter(0)\n  a = f32[4] call(x), to_apply=f\n"
    "  ROOT b = f32[4] call(a), to_apply=g\n}\n";

TEST(OrderTest, MovesAndSorts) {
  const auto document = ReadDocument(kRefactoringsCall);
  const ComputationId entry = document->module().entry();
  EXPECT_THAT(Apply(*document, MoveComputation(*document, entry, true)), HasSubstr("would break the module"));
  EXPECT_THAT(Apply(*document, MoveComputation(*document, entry, false)), HasSubstr("last computation"));
  EXPECT_TRUE(ComputationsAreSorted(*document));
  const auto unsorted = ReadDocument(kUnsorted);
  EXPECT_FALSE(ComputationsAreSorted(*unsorted));
  const std::string sorted = Apply(*unsorted, SortComputations(*unsorted));
  EXPECT_LT(sorted.find("f {"), sorted.find("// about g\ng {"));
  const std::string moved = Apply(*unsorted, MoveComputation(*unsorted, ComputationId(0), false));
  EXPECT_EQ(moved, sorted);
}

TEST(RestyleTest, KeepsTheModuleAndComments) {
  const auto document = ReadDocument(kUnsorted);
  for (const char* style : {"short", "long", "dump"}) {
    const auto changed = ReadDocument(Apply(*document, Restyle(*document, style)));
    // Names become unique in the module, as printing makes them.
    ModuleComparison comparison;
    comparison.ignore_names = true;
    EXPECT_EQ(FirstDifference(document->module(), changed->module(), comparison), "") << style;
    EXPECT_TRUE(absl::StrContains(changed->source().text(), "// about g"));
  }
  EXPECT_THAT(Apply(*document, Restyle(*document, "loud")), HasSubstr("no style `loud`"));
  const auto broken = ReadDocument("HloModule m\nENTRY e {");
  EXPECT_THAT(Apply(*broken, Restyle(*broken, "short")), HasSubstr("has errors"));
}

TEST(CompleteInstructionTest, ShapesAttributesAndOperands) {
  const auto document = ReadDocument(
      "HloModule m\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT s = add(a, b)\n}\nENTRY e {\n  x = f32[4,2] parameter(0)\n  z = f32[] constant(0)\n"
      "  r = f32[4] reduce(x)\n  ROOT y = f32[4,2] negate(x)\n}\n");
  EXPECT_THAT(Apply(*document, WriteInferredShape(*document, Named(*document, "s"))), HasSubstr("s = f32[] add(a, b)"));
  EXPECT_THAT(Apply(*document, WriteInferredShape(*document, Named(*document, "y"))), HasSubstr("written already"));
  const InstructionId reduce = Named(*document, "r");
  EXPECT_EQ(MissingOperandCount(document->module(), reduce), 1u);
  EXPECT_EQ(MissingAttributes(document->module(), reduce).size(), 2u);
  const auto with_operand = ReadDocument(Apply(*document, AddMissingOperands(*document, reduce)));
  EXPECT_TRUE(absl::StrContains(with_operand->source().text(), "reduce(x, z)"));
  const auto whole = ReadDocument(Apply(*with_operand, AddMissingAttributes(*with_operand, Named(*with_operand, "r"))));
  EXPECT_TRUE(absl::StrContains(whole->source().text(), "reduce(x, z), to_apply=sum, dimensions={1}"));
  EXPECT_FALSE(whole->has_errors());
}

TEST(FixAllTest, AppliesEveryCertainFix) {
  const auto document = ReadDocument(
      "HloModule m\nENTRY e {\n  value = f32[4] parameter(0)\n  a = f32[4] negat(value)\n"
      "  ROOT b = f32[4] add(a, valeu)\n}\n");
  ASSERT_TRUE(document->has_errors());
  const auto fixed = document->WithEdit(FixAll(*document));
  EXPECT_FALSE(fixed->has_errors()) << fixed->source().text();
}

// Whatever is inlined and outlined in real modules leaves them right, or is refused.
TEST(RefactoringCorpusTest, NothingBreaks) {
  SKIP_WITHOUT_SHARED_FILES();
  int inlined = 0, outlined = 0;
  for (const std::string& path : CorpusFiles()) {
    const auto opened = Document::Open(path);
    ASSERT_TRUE(opened.ok());
    const Document& document = **opened;
    if (document.has_errors() || document.source().size() > 120000) continue;
    int tried = 0;
    for (size_t i = 0; i < document.module().instruction_count() && tried < 3; ++i) {
      const Opcode opcode = document.module().opcode(InstructionId(i));
      if (opcode != Opcode::kCall && opcode != Opcode::kFusion) continue;
      ++tried;
      const EditsOr edits = InlineCall(document, InstructionId(i));
      if (edits.ok()) ++inlined;
    }
    for (uint32_t part = 1; part < 4; ++part) {
      const uint32_t begin = document.source().size() / 4 * part;
      const EditsOr edits = OutlineSelection(document, {begin, begin + 600});
      if (!edits.ok()) continue;
      ++outlined;
      EXPECT_FALSE(document.WithEdit(*edits)->has_errors()) << path;
    }
  }
  EXPECT_GT(inlined, 3);
  EXPECT_GT(outlined, 3);
}

}  // namespace
}  // namespace hloscope
