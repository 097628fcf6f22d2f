// SPDX-License-Identifier: Apache-2.0
// Calls of the builder interface that are written in a text: the fix of the diagnostic on each gives a module without
// errors, which computes what the builder call means. Every result here is worked out by hand.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/builder/builder_calls.h"
#include "core/document/document.h"
#include "core/editing/refactorings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_evaluation.h"

namespace hloscope::evaluator {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::shared_ptr<const Document> Read(const std::string& text) {
  return Document::Parse(SourceText::FromString("t.hlo", text));
}

// The text after the fix of every diagnostic that has one.
std::shared_ptr<const Document> Fixed(const std::string& text) {
  const auto document = Read(text);
  return document->WithEdit(FixAll(*document));
}

struct CallCase {
  std::string call;
  std::vector<std::string> parameters;  // a = ..., b = ..., with their values
  std::string expected;
  std::string header;  // ", replica_count=1"
};

constexpr char kX[] = "s32[2,3] {{1, 2, 3}, {4, 5, 6}}";

const CallCase kCases[] = {
    {"Broadcast(a, sizes={2})", {"s32[2] {1, 2}"}, "s32[2,2] {{1, 2}, {1, 2}}"},
    {"BroadcastInDim(a, sizes={2,3,2}, dims={0,2})",
     {"s32[2,1] {{7}, {8}}"},
     "s32[2,3,2] {{{7, 7}, {7, 7}, {7, 7}}, {{8, 8}, {8, 8}, {8, 8}}}"},
    {"Broadcast_In_Dim(a), dims={1}, sizes={2,3}", {"s32[3] {1, 2, 3}"}, "s32[2,3] {{1, 2, 3}, {1, 2, 3}}"},
    // Nothing has to be done, but the name stays.
    {"BroadcastInDim(a, sizes={2,3}, dims={0,1})", {kX}, kX},
    {"Collapse(a, dims={0,1})", {kX}, "s32[6] {1, 2, 3, 4, 5, 6}"},
    {"Collapse(a, dims={1})", {kX}, kX},
    {"Reshape(a, sizes={6}, order={1,0})", {kX}, "s32[6] {1, 4, 2, 5, 3, 6}"},
    {"Reshape(a, sizes={3,2})", {kX}, "s32[3,2] {{1, 2}, {3, 4}, {5, 6}}"},
    {"ConcatInDim(a, b, a, dim=0)", {"s32[2] {1, 2}", "s32[1] {9}"}, "s32[5] {1, 2, 9, 1, 2}"},
    {"SliceInDim(a, dim=1, start=0, limit=3, stride=2)", {kX}, "s32[2,2] {{1, 3}, {4, 6}}"},
    {"PadInDim(a, b, dim=0, low=1, high=-1)", {kX, "s32[] 7"}, "s32[2,3] {{7, 7, 7}, {1, 2, 3}}"},
    {"ReduceAll(a, b)", {kX, "s32[] 100"}, "s32[] 121"},
    {"ReduceAll(a, b, op=maximum)", {kX, "s32[] -5"}, "s32[] 6"},
    {"Dot(a, b)", {kX, "s32[3] {1, 10, 100}"}, "s32[2] {321, 654}"},
    // 1*1+2*1, 1+2+3, 2+3: SAME keeps the size, VALID does not.
    {"Conv(a, b, padding=SAME)", {"s32[1,1,3] {{{1, 2, 3}}}", "s32[1,1,3] {{{1, 1, 1}}}"}, "s32[1,1,3] {{{3, 6, 5}}}"},
    {"Conv(a, b, padding=SAME, strides={2})",
     {"s32[1,1,3] {{{1, 2, 3}}}", "s32[1,1,3] {{{1, 1, 1}}}"},
     "s32[1,1,2] {{{3, 5}}}"},
    {"Conv(a, b, padding=VALID)", {"s32[1,1,3] {{{1, 2, 3}}}", "s32[1,1,3] {{{1, 1, 1}}}"}, "s32[1,1,1] {{{6}}}"},
    {"Conv(a, b), feature_group_count=2",
     {"s32[1,2,2] {{{1, 2}, {3, 4}}}", "s32[2,1,1] {{{10}}, {{100}}}"},
     "s32[1,2,2] {{{10, 20}, {300, 400}}}"},
    {"CrossReplicaSum(a)", {kX}, kX},
    {"CrossReplicaSum(a, replica_groups={{0}})", {"pred[2] {true, false}"}, "pred[2] {true, false}"},
};

TEST(BuilderTextTest, EveryCallComputesWhatItMeans) {
  std::vector<std::string> seen;
  for (const CallCase& c : kCases) {
    const BuilderCall* const call = WrittenBuilderCall(c.call.substr(0, c.call.find('(')));
    SCOPED_TRACE(c.call);
    ASSERT_NE(call, nullptr);
    seen.emplace_back(call->name);
    // With names that the expansion would like to use, with and without `%`, as the root and with a user.
    for (const std::string percent : {"", "%"}) {
      for (const bool is_root : {true, false}) {
        std::string text = "HloModule m\n\n// The entry.\nENTRY e {\n";
        std::vector<Value> arguments;
        std::string operands = c.call;
        for (size_t i = 0; i < c.parameters.size(); ++i) {
          const std::string shape = c.parameters[i].substr(0, c.parameters[i].find(' '));
          absl::StrAppend(&text, "  ", percent, i == 0 ? "a" : "b", " = ", shape, " parameter(", i, ")\n");
          absl::StatusOr<Value> value = ValueFromTypedText(c.parameters[i]);
          ASSERT_TRUE(value.ok()) << value.status();
          arguments.push_back(*std::move(value));
        }
        if (!percent.empty()) {
          for (const char* name : {"(a", " a,", "(b", " b,", " b)"}) {
            const std::string with = absl::StrCat(std::string(1, name[0]), "%", name + 1);
            for (size_t at = operands.find(name); at != std::string::npos; at = operands.find(name, at + 2))
              operands.replace(at, std::string(name).size(), with);
          }
        }
        absl::StrAppend(&text, "  ", percent, "reshape = s32[] constant(1)\n  ", is_root ? "ROOT " : "", percent,
                        "y = ", operands, "\n");
        if (!is_root) absl::StrAppend(&text, "  ROOT ", percent, "t = tuple(", percent, "y)\n");
        absl::StrAppend(&text, "}\n");
        SCOPED_TRACE(text);
        const auto written = Read(text);
        ASSERT_EQ(written->error_count(), 1);
        EXPECT_EQ(written->diagnostics()[0].code(), "unknown-opcode");
        const auto fixed = Fixed(text);
        SCOPED_TRACE(fixed->source().text());
        ASSERT_FALSE(fixed->has_errors()) << fixed->diagnostics()[0].Message();
        // The shape that the call had before it was expanded is that of what it became.
        const Module &before = written->module(), &after = fixed->module();
        EXPECT_EQ(before.shape(before.FindInstruction(before.entry(), "y")),
                  after.shape(after.FindInstruction(after.entry(), "y")).WithoutLayout());
        const absl::StatusOr<Value> result = EvaluateModule(fixed->shared_module(), arguments);
        ASSERT_TRUE(result.ok()) << result.status();
        const absl::StatusOr<Value> want =
            ValueFromTypedText(is_root ? c.expected : absl::StrCat("(", c.expected, ")"));
        ASSERT_TRUE(want.ok()) << want.status();
        EXPECT_TRUE(ValuesAgree(*result, *want));
      }
    }
  }
  for (const BuilderCall& call : AllBuilderCalls()) EXPECT_THAT(seen, ::testing::Contains(std::string(call.name)));
}

TEST(BuilderTextTest, CallsOfCallsAreExpanded) {
  const std::string text =
      "HloModule m\nENTRY e {\n  x = s32[2,3] parameter(0)\n  i = s32[] constant(0)\n"
      "  y = Broadcast(x, sizes={2})\n  z = Collapse(y, dims={0,1})\n  s = ReduceAll(z, i)\n"
      "  t = ReduceAll(x, i)\n  ROOT r = add(s, t)\n}\n";
  // Two fixes that insert at one place are applied one after the other.
  const auto fixed = Fixed(std::string(Fixed(text)->source().text()));
  ASSERT_FALSE(fixed->has_errors()) << fixed->source().text() << fixed->diagnostics()[0].Message();
  const absl::StatusOr<Value> x = ValueFromTypedText(kX);
  ASSERT_TRUE(x.ok());
  const absl::StatusOr<Value> result = EvaluateModule(fixed->shared_module(), {*x});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(ValuesAgree(*result, *ValueFromTypedText("s32[] 63")));
}

// The computations of an expansion come before the outermost computation around the call, above its comments.
TEST(BuilderTextTest, ComputationsGoBeforeTheOutermostOne) {
  const auto fixed = Fixed(
      "HloModule m\n\n// What is mapped.\nENTRY e {\n  x = s32[3] parameter(0)\n"
      "  ROOT r = s32[] call(x), to_apply={\n    a = s32[3] parameter(0)\n    i = s32[] constant(0)\n"
      "    ROOT s = ReduceAll(a, i), metadata={op_name=\"n\"}\n  }\n}\n");
  EXPECT_FALSE(fixed->has_errors()) << fixed->source().text();
  const std::string text(fixed->source().text());
  EXPECT_THAT(text, AllOf(HasSubstr("}\n\n// What is mapped.\nENTRY e {"),
                          HasSubstr("    ROOT s = s32[] reduce(a, i), dimensions={0}, to_apply=add_s32, "
                                    "metadata={op_name=\"n\"}\n")));
}

// Typing a call letter by letter gives at every moment what a whole parse gives.
TEST(BuilderTextTest, EditsFindWhatAWholeParseFinds) {
  auto document = Read("HloModule m\nENTRY e {\n  x = s32[2,3] parameter(0)\n  \n  ROOT r = negate(x)\n}\n");
  const std::string call = "y = Collapse(x, dims={0,1})";
  uint32_t at = static_cast<uint32_t>(document->source().text().find("  \n") + 2);
  const auto check = [&] {
    const auto whole = Read(std::string(document->source().text()));
    ASSERT_EQ(document->diagnostics().size(), whole->diagnostics().size()) << whole->source().text();
    for (size_t i = 0; i < whole->diagnostics().size(); ++i) {
      const Diagnostic &a = document->diagnostics()[i], &b = whole->diagnostics()[i];
      EXPECT_EQ(a.Message(), b.Message());
      EXPECT_EQ(a.range, b.range);
      ASSERT_EQ(a.fixes.size(), b.fixes.size());
      for (size_t k = 0; k < a.fixes.size(); ++k) {
        EXPECT_EQ(a.fixes[k].edits.back().replacement, b.fixes[k].edits.back().replacement);
      }
    }
  };
  for (const char c : call) {
    document = document->WithEdit({{{at, at}, std::string(1, c)}});
    ++at;
    check();
  }
  // What the operand is changes what the call becomes; so do names that others take.
  const auto replace = [&](const std::string& what, const std::string& with) {
    const uint32_t begin = static_cast<uint32_t>(document->source().text().find(what));
    document = document->WithEdit({{{begin, begin + static_cast<uint32_t>(what.size())}, with}});
    check();
  };
  replace("s32[2,3]", "s32[2,4]");
  EXPECT_THAT(document->diagnostics()[0].fixes[0].edits.back().replacement, HasSubstr("s32[8] reshape(x)"));
  replace("ROOT r", "ROOT add_s32");
  replace("Collapse(x, dims={0,1})", "Broadcast(x, sizes={2})");
  replace("add_s32", "broadcast");
  replace("Broadcast(x, sizes={2})", "broadcast(x), dimensions={0,1}");
  EXPECT_THAT(document->diagnostics(), Not(IsEmpty()));
}

TEST(BuilderTextTest, ManyCallsAreQuick) {
  std::string text = "HloModule m\nENTRY e {\n  x = s32[2,3] parameter(0)\n";
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&text, "  y", i, " = Broadcast(x, sizes={2})\n");
  absl::StrAppend(&text, "  ROOT r = negate(x)\n}\n");
  const auto document = Read(text);
  EXPECT_THAT(document->diagnostics(), SizeIs(1000));
  EXPECT_FALSE(document->WithEdit(FixAll(*document))->has_errors());
}

TEST(BuilderTextTest, ExamplesShowWhatCallsBecome) {
  for (const BuilderCall& call : AllBuilderCalls()) {
    const BuilderExample example = ExampleOf(call);
    SCOPED_TRACE(example.call);
    ASSERT_FALSE(example.snippet.instructions.empty());
    std::string text = "HloModule m\nENTRY e {\n";
    for (size_t i = 0; i < example.operands.size(); ++i) {
      absl::StrAppend(&text, "  ", example.operands[i].name, " = ", example.operands[i].shape.ToString(false),
                      " parameter(", i, ")\n");
    }
    const auto fixed = Fixed(absl::StrCat(text, "  ROOT result = ", example.call, "\n}\n"));
    EXPECT_FALSE(fixed->has_errors()) << fixed->source().text();
    EXPECT_THAT(std::string(fixed->source().text()), Not(HasSubstr(example.call)));
  }
}

}  // namespace
}  // namespace hloscope::evaluator
