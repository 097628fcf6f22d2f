// SPDX-License-Identifier: Apache-2.0
// Code actions, lenses, call hierarchy, links, inline values and formatting, without a server.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/editing/refactorings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/features/call_hierarchy.h"
#include "lsp/features/code_lens.h"
#include "lsp/features/document_link.h"
#include "lsp/features/inline_value.h"
#include "lsp/features/refactoring_action.h"
#include "tests/lsp/feature_fixture.h"

namespace hloscope::lsp {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;

std::vector<protocol::CodeAction> Offered(const FeatureDocument& document, protocol::Range range,
                                          absl::string_view only = "") {
  return OfferRefactorings(
      document.view(), range, [&](absl::string_view kind) { return absl::StartsWith(kind, only); }, true, true);
}

std::vector<std::string> Titles(const std::vector<protocol::CodeAction>& actions) {
  std::vector<std::string> titles;
  for (const protocol::CodeAction& action : actions) titles.push_back(action.title);
  return titles;
}

// A reduce that can go before the reshape.
constexpr char kActionsReshapes[] =
    "HloModule m\n\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n"
    "ENTRY e {\n  x = f32[8,16,256] parameter(0)\n  z = f32[] constant(0)\n  y = f32[8,16,8,32] reshape(x)\n"
    "  ROOT r = f32[8,32] reduce(y, z), dimensions={1,2}, to_apply=sum\n}\n";

constexpr char kCalls[] = R"(HloModule m

double {
  a = f32[4] parameter(0)
  ROOT b = add(a, a)
}

ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4] call(x), to_apply=double
  dead = f32[4] negate(x)
  z = f32[4] abs(y)
  ROOT r = f32[4] call(z), to_apply=double
}
)";

TEST(RefactoringActionTest, OffersWhatFitsThePlace) {
  const FeatureDocument document(kCalls);
  const protocol::Position call = document.At("call(x)");
  const auto at_call = Titles(Offered(document, {call, call}));
  EXPECT_THAT(at_call, Contains("Inline `double` into this call"));
  EXPECT_THAT(at_call, Contains("Extract `y` into a module of its own"));
  EXPECT_THAT(at_call, Contains("Remove dead code"));
  const protocol::Position root = document.At("b = add");
  EXPECT_THAT(Titles(Offered(document, {root, root})), Contains("Write the inferred shape f32[4]"));
  EXPECT_THAT(Titles(Offered(document, {document.At("z = f32"), document.At("ROOT r")})),
              Contains("Outline 1 instruction into a computation"));
  const protocol::Position name = document.At("double {");
  EXPECT_THAT(Titles(Offered(document, {name, name})), Contains("Move `double` down"));
  EXPECT_THAT(Offered(document, {call, call}, "refactor.extract").size(), 1u);
}

TEST(RefactoringActionTest, EveryOfferCanBeCompletedOrSaysWhyNot) {
  const FeatureDocument document(kCalls);
  for (uint32_t offset = 0; offset < document.text().size(); offset += 5) {
    const protocol::Position position = document.view().positions.ToPosition(offset);
    for (protocol::CodeAction& action : Offered(document, {position, document.At("ROOT r")})) {
      const absl::Status status = CompleteRefactoring(document.view(), &action);
      EXPECT_TRUE(!status.ok() || !action.edits.empty() || !action.new_file.empty() || action.refactoring == "style")
          << action.title;
      EXPECT_TRUE(status.ok() || !status.message().empty()) << action.title;
    }
  }
}

TEST(RefactoringActionTest, ExtractedModulesAreNewFiles) {
  const FeatureDocument document(kCalls);
  const protocol::Position at = document.At("z = f32");
  for (protocol::CodeAction& action : Offered(document, {at, at}, "refactor.extract")) {
    ASSERT_TRUE(CompleteRefactoring(document.view(), &action).ok());
    EXPECT_EQ(action.new_file, "file:///z.hlo");
    const auto extracted = hloscope::Document::Parse(SourceText::FromString("z", action.new_file_text));
    EXPECT_FALSE(extracted->has_errors()) << action.new_file_text;
  }
}

TEST(RefactoringActionTest, UnknownActionsAreRefused) {
  const FeatureDocument document(kCalls);
  protocol::CodeAction action;
  action.refactoring = "make-coffee";
  EXPECT_TRUE(absl::IsInvalidArgument(CompleteRefactoring(document.view(), &action)));
  action.refactoring = "inline";
  action.target = 4000000000u;
  EXPECT_FALSE(CompleteRefactoring(document.view(), &action).ok());
}

// "line title command" of the lenses, completed.
std::vector<std::string> Lenses(const FeatureDocument& document, bool users = false) {
  ComputationFacts facts;
  std::vector<std::string> result;
  for (protocol::CodeLens& lens : ComputeCodeLenses(document.view(), users)) {
    const bool is_complete = !lens.title.empty() || ResolveCodeLens(document.view(), facts, &lens);
    EXPECT_TRUE(is_complete);
    result.push_back(absl::StrCat(lens.range.start.line, " ", lens.title, " ", lens.command));
  }
  return result;
}

TEST(CodeLensTest, RunCallersAndCost) {
  const FeatureDocument document(kCalls);
  const std::vector<std::string> lenses = Lenses(document);
  EXPECT_THAT(lenses, Contains("2 2 callers hloscope.showReferences"));
  EXPECT_THAT(lenses, Contains("7 Run hloscope.run"));
  EXPECT_THAT(lenses, Contains("7 Debug hloscope.debug"));
  EXPECT_THAT(lenses, Contains(HasSubstr("2 2 instructions, 4 FLOP")));
  EXPECT_THAT(lenses, Contains("7 Graph hloscope.showGraph"));
  EXPECT_THAT(lenses, Not(Contains(HasSubstr("ewrite"))));
  EXPECT_THAT(lenses, Not(Contains(HasSubstr("user"))));
  EXPECT_THAT(Lenses(document, true), Contains(HasSubstr("1 user hloscope.showReferences")));
  const FeatureDocument broken("HloModule m\nENTRY e {\n  ROOT x = f32[] negate(y)\n}\n");
  EXPECT_THAT(Lenses(broken), Not(Contains(HasSubstr("Run"))));
  protocol::CodeLens none;
  none.kind = protocol::CodeLensKind::kCost;
  none.target = 4000000000u;
  ComputationFacts facts;
  EXPECT_FALSE(ResolveCodeLens(document.view(), facts, &none));
}

TEST(CodeLensTest, SaysWhatRewritesSave) {
  const FeatureDocument document(kActionsReshapes);
  EXPECT_THAT(Lenses(document), Contains(MatchesRegex("7 Rewrite: moves .* less \\(1 rewrite\\) hloscope.rewrite")));
  const EditsOr edits = RewriteComputation(document.view().document, "e");
  ASSERT_TRUE(edits.ok()) << edits.status();
  EXPECT_FALSE(edits->empty());
  // The same as an action on the computation's name.
  const protocol::Position name = document.At("e {");
  const auto actions = OfferRefactorings(
      document.view(), {name, name}, [](absl::string_view) { return true; }, true, false);
  EXPECT_TRUE(std::any_of(actions.begin(), actions.end(), [](const protocol::CodeAction& action) {
    return absl::StartsWith(action.title, "Rewrite `e`: moves ");
  }));
  EXPECT_FALSE(RewriteComputation(document.view().document, "sum").ok());
}

TEST(CallHierarchyTest, BothDirections) {
  const FeatureDocument document(kCalls);
  const auto& view = document.view();
  const auto item = PrepareCallHierarchy(view, document.At("double\n"));
  ASSERT_TRUE(item.has_value());
  EXPECT_EQ(item->name, "double");
  const ComputationId id = ComputationOfItem(view, item->computation, item->name);
  const auto incoming = FindIncomingCalls(view, id);
  ASSERT_EQ(incoming.size(), 1u);
  EXPECT_EQ(incoming[0].item.name, "e");
  EXPECT_EQ(incoming[0].from_ranges.size(), 2u);
  EXPECT_TRUE(FindOutgoingCalls(view, id).empty());
  const auto entry = PrepareCallHierarchy(view, document.At("dead ="));
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(FindOutgoingCalls(view, ComputationOfItem(view, entry->computation, "e")).size(), 1u);
  EXPECT_FALSE(PrepareCallHierarchy(view, {0, 0}).has_value());
  EXPECT_FALSE(ComputationOfItem(view, 77, "gone").has_value());
}

TEST(DocumentLinkTest, FilesThatExist) {
  const FeatureDocument document(
      "HloModule m\n\nFileNames\n1 \"/src/model.py\"\n2 \"gone.py\"\n\nENTRY e {\n  x = f32[] parameter(0), "
      "metadata={op_name=\"x\" source_file=\"near.py\" source_line=12}\n  ROOT y = f32[] negate(x), "
      "metadata={op_name=\"near.py\"}\n}\n");
  const std::vector<std::string> roots;
  SourceFinder finder("file:///test.hlo", roots,
                      [](const std::string& path) { return path == "/src/model.py" || path == "/near.py"; });
  const auto links = ComputeDocumentLinks(document.view(), finder);
  ASSERT_EQ(links.size(), 3u);
  EXPECT_EQ(links[0].target, "file:///src/model.py");
  EXPECT_EQ(document.Slice(links[0].range), "/src/model.py");
  EXPECT_EQ(links[1].target, "file:///near.py#L12");
  EXPECT_EQ(document.Slice(links[2].range), "source_line=12");
  EXPECT_EQ(links[2].target, "file:///near.py#L12");
}

TEST(InlineValueTest, UpToWhereTheProgramStopped) {
  const FeatureDocument document(kCalls);
  std::vector<std::string> names;
  for (const protocol::InlineValue& value :
       FindInlineValues(document.view(), {{0, 0}, {50, 0}}, document.At("z = f32")))
    names.push_back(value.text);
  EXPECT_THAT(names, ElementsAre("x", "y", "dead", "z"));
  EXPECT_THAT(FindInlineValues(document.view(), {{0, 0}, {50, 0}}, {0, 0}), IsEmpty());
}

}  // namespace
}  // namespace hloscope::lsp
