// SPDX-License-Identifier: Apache-2.0
// What is offered while typing: places that the grammar knows, the order of the choices, and the snippets.
#include "core/editing/completion.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/builder/builder_calls.h"
#include "core/editing/refactorings.h"
#include "core/ops/operand_roles.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/op_page.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using Place = CursorContext::Place;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kCompletionModule[] = R"(HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = pred[] compare(a, b), direction=LT
}
ENTRY e {
  x = f32[4,2] parameter(0)
  zero = f32[] constant(0)
  i = s32[] constant(0)
  mask = pred[4,2] compare(x, x), direction=GT
  $
  ROOT t = f32[4,2] negate(x)
}
)";

struct Typed {
  std::shared_ptr<const Document> document;
  uint32_t offset = 0;
};

// The module with `line` in it; `|` is the cursor.
Typed Type(const std::string& line) {
  std::string text = absl::StrReplaceAll(kCompletionModule, {{"$", line}});
  const size_t at = text.find('|');
  text.erase(at, 1);
  return {Document::Parse(SourceText::FromString("t.hlo", text)), static_cast<uint32_t>(at)};
}

CursorContext ContextOf(const std::string& line) {
  // The document must live as long as the views of the context: places and names only are looked at.
  static std::vector<Typed>* const kKept = new std::vector<Typed>();
  kKept->push_back(Type(line));
  return CursorContextAt(*kKept->back().document, kKept->back().offset);
}

std::vector<std::string> Labels(const CompletionChoices& choices) {
  std::vector<std::string> labels;
  for (const CompletionChoice& choice : choices.choices) labels.push_back(choice.label);
  return labels;
}

CompletionChoices ChoicesOf(const std::string& line, const CompletionOptions& options = {}) {
  const Typed typed = Type(line);
  return Complete(*typed.document, typed.offset, options);
}
std::vector<std::string> LabelsOf(const std::string& line) { return Labels(ChoicesOf(line)); }

std::string InsertOf(const std::string& line, const std::string& label, bool snippets = true) {
  CompletionOptions options;
  options.snippets = snippets;
  for (const CompletionChoice& choice : ChoicesOf(line, options).choices) {
    if (choice.label == label) return choice.insert;
  }
  return "(not offered)";
}

TEST(CursorContextTest, Places) {
  EXPECT_EQ(ContextOf("|").place, Place::kInstructionStart);
  EXPECT_EQ(ContextOf("ROOT |").place, Place::kInstructionStart);
  EXPECT_EQ(ContextOf("y = |").place, Place::kShapeOrOpcode);
  EXPECT_EQ(ContextOf("y = ad|").place, Place::kShapeOrOpcode);
  EXPECT_EQ(ContextOf("y = f32[4,2] |").place, Place::kOpcode);
  EXPECT_EQ(ContextOf("y = f32[4,2]{1,0} ad|").place, Place::kOpcode);
  EXPECT_EQ(ContextOf("y = (f32[4], |").place, Place::kElementType);
  EXPECT_EQ(ContextOf("y = f32[4,2]{|").place, Place::kLayout);
  EXPECT_EQ(ContextOf("y = f32[4,2] add(|").place, Place::kOperand);
  EXPECT_EQ(ContextOf("y = f32[4,2] add(x, |").place, Place::kOperand);
  EXPECT_EQ(ContextOf("y = f32[4,2] add(f32[4,2] |").place, Place::kOperand);
  EXPECT_EQ(ContextOf("y = f32[4] reduce(x, zero), |").place, Place::kAttributeName);
  EXPECT_EQ(ContextOf("y = f32[4] reduce(x, zero), dim|").place, Place::kAttributeName);
  EXPECT_EQ(ContextOf("y = f32[4] reduce(x, zero), dimensions={|").place, Place::kAttributeValue);
  EXPECT_EQ(ContextOf("y = f32[4] reduce(x, zero), dimensions={0}, to_apply=|").place, Place::kAttributeValue);
}

TEST(CompletionTest, HeaderSignaturesAndThreads) {
  const auto labels = [](std::string text) {
    const size_t at = text.find('|');
    text.erase(at, 1);
    const auto document = Document::Parse(SourceText::FromString("t.hlo", text));
    return Labels(Complete(*document, static_cast<uint32_t>(at)));
  };
  const std::string entry = "\nENTRY e {\n  x = f32[4]{0} parameter(0)\n  ROOT y = f32[4]{0} negate(x)\n}\n";
  EXPECT_THAT(labels("HloModule m, is_scheduled=|" + entry), ElementsAre("true", "false"));
  EXPECT_THAT(labels("HloModule m, replica_count=|" + entry), ElementsAre("2", "4", "8"));
  EXPECT_THAT(labels("HloModule m, entry_computation_layout=|" + entry), ElementsAre("{(f32[4]{0})->f32[4]{0}}"));
  EXPECT_THAT(labels("HloModule m, allow_spmd_sharding_propagation_to_output=|" + entry),
              ElementsAre("{false}", "{true}"));
  EXPECT_THAT(labels("HloModule m\nf (a: |" + entry), Contains("f32"));
  EXPECT_THAT(labels("HloModule m\nf (a: f32[], b: |) -> f32[] {\n  a = f32[] parameter(0)\n}\n"), Contains("bf16"));
  EXPECT_THAT(labels("HloModule m\nf (a: f32[]) -> |" + entry), Contains("f32"));
  EXPECT_THAT(labels("HloModule m\nf {\n  ROOT a = f32[] parameter(0)\n}, |" + entry), ElementsAre("execution_thread"));
}

TEST(CompletionTest, FieldsOfAttributes) {
  EXPECT_THAT(LabelsOf("y = f32[4,2] exponential(x), result_accuracy={|"), Contains("mode=highest"));
  EXPECT_THAT(LabelsOf("y = f32[4,2] domain(x), domain={|"), Contains("kind=\"sharding\""));
}

TEST(CursorContextTest, NothingIsOfferedInsideCommentsStringsNumbersAndSizes) {
  for (const char* line :
       {"// add|", "y = f32[4,2] /* a| */ add(x, x)", "y = f32[4|", "y = f32[4,2] iota(), iota_dimension=1|",
        "y = f32[4,2] add(x, x), metadata={op_name=\"a|\"}", "y = s32[] constant(|", "y = f32[4,2] add(x|2, x)",
        "y = f32[4,2] add(x |, x)"}) {
    const Place place = ContextOf(line).place;
    EXPECT_TRUE(place == Place::kNone || place == Place::kOperand || place == Place::kAttributeValue) << line;
  }
  EXPECT_THAT(LabelsOf("// add|"), IsEmpty());
  EXPECT_THAT(LabelsOf("y = f32[4,2] /* a| */ add(x, x)"), IsEmpty());
  EXPECT_THAT(LabelsOf("y = s32[] constant(|"), IsEmpty());
  EXPECT_THAT(LabelsOf("y = f32[4|"), IsEmpty());
}

TEST(CursorContextTest, KnowsWhatIsWritten) {
  const CursorContext context = ContextOf("y = f32[4] reduce(x, zero), dimensions={0}, to_|");
  EXPECT_EQ(context.opcode, Opcode::kReduce);
  EXPECT_EQ(context.name, "y");
  EXPECT_THAT(context.operand_names, ElementsAre("x", "zero"));
  EXPECT_THAT(context.attributes, ElementsAre(AttributeKind::kDimensions));
  EXPECT_EQ(context.prefix, "to_");
}

TEST(CursorContextTest, AnInlineBodyIsABody) {
  const CursorContext context = ContextOf(
      "y = f32[4] reduce(x, zero), dimensions={1}, to_apply={\n  p = f32[] parameter(0)\n  q = f32[] negate(|");
  EXPECT_EQ(context.place, Place::kOperand);
  EXPECT_THAT(
      LabelsOf(
          "y = f32[4] reduce(x, zero), dimensions={1}, to_apply={\n  p = f32[] parameter(0)\n  q = f32[] negate(|"),
      ElementsAre("p"));
}

TEST(CursorContextTest, OutsideOfComputations) {
  const auto at = [](const std::string& with_cursor) {
    std::string text = with_cursor;
    const size_t offset = text.find('|');
    text.erase(offset, 1);
    const auto document = Document::Parse(SourceText::FromString("t.hlo", text));
    return CursorContextAt(*document, static_cast<uint32_t>(offset)).place;
  };
  EXPECT_EQ(at("|"), Place::kTopLevel);
  EXPECT_EQ(at("HloModule m, |\n\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n"), Place::kHeaderAttribute);
  EXPECT_EQ(at("HloModule m\n\n|ENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n"), Place::kTopLevel);
  EXPECT_EQ(at("HloModule m\n\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n\n|"), Place::kTopLevel);
}

TEST(CompletionTest, OperandsOfTheRightShapeComeFirst) {
  EXPECT_THAT(LabelsOf("y = f32[4,2] add(|"), ElementsAre("x", "mask", "i", "zero"));
  EXPECT_THAT(LabelsOf("y = f32[4] reduce(x, |").front(), "zero");
  EXPECT_THAT(LabelsOf("y = f32[4,2] select(|").front(), "mask");
  EXPECT_THAT(LabelsOf("y = f32[4,2] select(mask, |").front(), "x");
  EXPECT_THAT(LabelsOf("y = f32[1,2] dynamic-slice(x, |").front(), "i");
}

TEST(CompletionTest, OnlyWhatIsDefinedBeforeCanBeAnOperand) {
  const std::vector<std::string> labels = LabelsOf("y = f32[4,2] add(|");
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "t"), 0);
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "y"), 0);
}

TEST(CompletionTest, OpcodesFillOperandsAndRequiredAttributes) {
  EXPECT_EQ(InsertOf("y = f32[4,2] |", "add"), "add(${1:x}, ${2:x})");
  EXPECT_EQ(InsertOf("y = f32[4] red|", "reduce"), "reduce(${1:x}, ${2:zero}), to_apply=${3:sum}, dimensions={${4:1}}");
  EXPECT_EQ(InsertOf("y = f32[4,2] |", "transpose"), "transpose(${1:x}), dimensions={${2:1,0}}");
  EXPECT_EQ(InsertOf("y = f32[4] red|", "reduce", false), "reduce(x, zero), to_apply=sum, dimensions={1}");
  // An opcode that needs a shape brings one along.
  EXPECT_EQ(InsertOf("y = conv|", "convert"), "${1:pred[4,2]} convert(${2:mask})");
  // Parentheses that are there already are not written again.
  EXPECT_EQ(InsertOf("y = f32[4,2] ad|(x, x)", "add"), "add");
}

// Every opcode with what is offered for it parses: the grammar of snippets is that of the language.
TEST(CompletionTest, EveryOpcodeSnippetCanBeRead) {
  CompletionOptions options;
  options.snippets = false;
  for (const CompletionChoice& choice : ChoicesOf("|", options).choices) {
    if (choice.kind != CompletionChoice::Kind::kOpcode) continue;
    std::string text = absl::StrReplaceAll(kCompletionModule, {{"$", choice.insert}});
    DocumentOptions parse_only;
    parse_only.parse_only = true;
    const auto document = Document::Parse(SourceText::FromString("t.hlo", text), parse_only);
    for (const Diagnostic& diagnostic : document->diagnostics()) {
      // Placeholders are names that nobody has defined and guesses at sizes; the grammar must be right.
      for (const char* syntax : {"expected", "unclosed", "malformed", "stray", "unknown-attribute"}) {
        EXPECT_FALSE(absl::StartsWith(diagnostic.code(), syntax))
            << choice.label << ": " << choice.insert << ": " << diagnostic.Message() << " [" << diagnostic.code()
            << "]";
      }
    }
  }
}

TEST(CompletionTest, CallsOfTheBuilderInterfaceTakeOperandsThatFit) {
  EXPECT_EQ(InsertOf("y = Bro|", "BroadcastInDim"), "BroadcastInDim(${1:x}, sizes=${2:{4,2\\}}, dims=${3:{0,1\\}})");
  EXPECT_EQ(InsertOf("y = padindim|", "PadInDim", false), "PadInDim(x, zero, dim=0, low=1, high=1)");
  EXPECT_EQ(InsertOf("y = conv|", "Conv"), "Conv(${1:lhs}, ${2:kernel}, padding=${3|SAME,VALID|}, strides=${4:{\\}})");
  EXPECT_EQ(InsertOf("y = ReduceAll|", "ReduceAll", false), "ReduceAll(x, zero, op=add)");
  EXPECT_EQ(InsertOf("img = f32[1,3,8,8] iota(), iota_dimension=0\n  w = f32[4,3,3,3] iota(), iota_dimension=0\n"
                     "  y = conv|",
                     "Conv", false),
            "Conv(img, w, padding=SAME, strides={1,1})");
  // At the start of a statement it gets a name, in front of parentheses it is a word alone.
  EXPECT_EQ(InsertOf("coll|", "Collapse"), "${1:collapse} = Collapse(${2:x}, dims=${3:{0,1\\}})");
  EXPECT_EQ(InsertOf("y = Coll|(x)", "Collapse"), "Collapse");
  // Opcodes come before calls.
  EXPECT_THAT(LabelsOf("y = broadc|"), ElementsAre("broadcast", "Broadcast", "BroadcastInDim", "collective-broadcast"));
  EXPECT_THAT(LabelsOf("y = Conv(x, x, pad|"), ElementsAre("padding"));
  EXPECT_THAT(LabelsOf("y = Conv(x, x, |"), testing::IsSupersetOf({"padding", "strides"}));
}

// What completion writes is what the fix on it expands, wherever operands were found.
TEST(CompletionTest, CallsOfTheBuilderInterfaceCanBeExpanded) {
  for (const BuilderCall& call : AllBuilderCalls()) {
    if (call.name == "Conv" || call.name == "Dot") continue;  // nothing in the module fits
    const std::string line = InsertOf(absl::StrCat("y = ", call.name, "|"), std::string(call.name), false);
    SCOPED_TRACE(line);
    const Typed typed = Type(absl::StrCat("|y = ", line));
    ASSERT_EQ(typed.document->diagnostics().size(), 1u);
    ASSERT_EQ(typed.document->diagnostics()[0].fixes.size(), 1u) << typed.document->diagnostics()[0].Message();
    EXPECT_FALSE(typed.document->WithEdit(FixAll(*typed.document))->has_errors());
  }
}

TEST(CompletionTest, AttributesOfTheOpcodeThatAreNotThereYet) {
  const std::vector<std::string> labels = LabelsOf("y = f32[4] reduce(x, zero), to_apply=sum, |");
  EXPECT_EQ(labels.front(), "dimensions");
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "to_apply"), 0);
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "metadata"), 1);
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "direction"), 0);
  EXPECT_EQ(InsertOf("y = pred[4,2] compare(x, x), |", "direction"), "direction=${1|EQ,NE,GE,GT,LE,LT|}");
}

TEST(CompletionTest, ValuesOfAttributes) {
  EXPECT_THAT(LabelsOf("y = pred[4,2] compare(x, x), direction=|"), ElementsAre("EQ", "NE", "GE", "GT", "LE", "LT"));
  EXPECT_THAT(LabelsOf("y = pred[4,2] compare(x, x), direction=G|"), ElementsAre("GE", "GT"));
  EXPECT_THAT(LabelsOf("y = f32[4] reduce(x, zero), dimensions={1}, to_apply=|"), ElementsAre("sum", "less"));
  EXPECT_THAT(LabelsOf("y = f32[4,2] sort(x), dimensions={0}, to_apply=|"), ElementsAre("less", "sum"));
  EXPECT_THAT(LabelsOf("y = f32[4] reduce(x, zero), dimensions={|"), ElementsAre("0", "1"));
  EXPECT_THAT(LabelsOf("y = f32[4,2] sort(x), is_stable=|"), ElementsAre("true", "false"));
}

TEST(CompletionTest, TypesShapesAndLayouts) {
  EXPECT_THAT(LabelsOf("y = f32[4,2]{|"), ElementsAre("1,0", "0,1"));
  const std::vector<std::string> labels = LabelsOf("y = f3|");
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "f32"), 1);
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "f32[4,2]"), 1);
}

TEST(CompletionTest, PercentIsWrittenWhereTheTextWritesIt) {
  std::string text = "HloModule m\nENTRY %e {\n  %x = f32[2] parameter(0)\n  %y = f32[2] negate(|\n}\n";
  const size_t at = text.find('|');
  text.erase(at, 1);
  const auto document = Document::Parse(SourceText::FromString("t", text));
  const CompletionChoices choices = Complete(*document, static_cast<uint32_t>(at));
  ASSERT_EQ(choices.choices.size(), 1u);
  EXPECT_EQ(choices.choices[0].insert, "%x");
  // And not twice.
  text.insert(at, "%");
  const auto with_percent = Document::Parse(SourceText::FromString("t", text));
  EXPECT_EQ(Complete(*with_percent, static_cast<uint32_t>(at) + 1).choices.at(0).insert, "x");
}

// No position of any text makes completion fail, and the word that is replaced is always under the cursor.
TEST(CompletionTest, EveryPositionOfBrokenTexts) {
  const std::string whole =
      absl::StrReplaceAll(kCompletionModule, {{"$", "y = f32[4] reduce(x, zero), dimensions={1}, to_apply=sum"}});
  for (size_t cut = 0; cut <= whole.size(); cut += 3) {
    const auto document = Document::Parse(SourceText::FromString("t", whole.substr(0, cut)));
    for (uint32_t offset : {static_cast<uint32_t>(cut), static_cast<uint32_t>(cut / 2)}) {
      const CompletionChoices choices = Complete(*document, offset);
      if (!choices.choices.empty()) {
        EXPECT_TRUE(choices.replaced.Touches(offset)) << cut;
      }
    }
  }
}

// The names of operands are those of the pages.
TEST(OperandRolesTest, AgreeWithThePages) {
  for (Opcode opcode : AllOpcodes()) {
    if (opcode == Opcode::kParameter || opcode == Opcode::kConstant) continue;
    const std::string page = OpPage(opcode);
    const size_t begin = page.find("\n`");
    ASSERT_NE(begin, std::string::npos) << OpcodeName(opcode);
    const std::string line = page.substr(begin + 2, page.find('\n', begin + 1) - begin - 2);
    if (absl::StrContains(line, "` or `")) continue;  // two forms
    const size_t open = line.find('('), close = line.find(')');
    EXPECT_EQ(line.substr(open + 1, close - open - 1), OperandSignature(opcode)) << OpcodeName(opcode);
  }
}

TEST(OperandRolesTest, RepeatedOperands) {
  EXPECT_EQ(OperandRole(Opcode::kReduce, 0, 2), "x");
  EXPECT_EQ(OperandRole(Opcode::kReduce, 1, 2), "init");
  EXPECT_EQ(OperandRole(Opcode::kReduce, 2, 4), "init0");
  EXPECT_EQ(OperandRole(Opcode::kScatter, 1, 3), "indices");
  EXPECT_EQ(OperandRole(Opcode::kScatter, 2, 5), "indices");
  EXPECT_EQ(OperandRole(Opcode::kDynamicSlice, 3, 4), "start2");
  EXPECT_EQ(OperandRole(Opcode::kTuple, 3, 4), "d");
  EXPECT_EQ(OperandRole(Opcode::kAdd, 1, 2), "b");
}

}  // namespace
}  // namespace hloscope
