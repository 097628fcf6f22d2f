// SPDX-License-Identifier: Apache-2.0
// Completion, signature help, rename and linked editing as the protocol has them.
#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/features/completion.h"
#include "lsp/features/rename.h"
#include "lsp/features/signature_help.h"
#include "lsp/protocol/feature_json.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/feature_fixture.h"
#include "tests/support/shared_files.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST(CompletionFeatureTest, ReplacesTheWordUnderTheCursor) {
  const FeatureDocument document(kSampleModule);
  protocol::Position position = document.At("add(x, x)");
  position.character += 2;
  const protocol::CompletionList list = ComputeCompletion(document.view(), position, true);
  ASSERT_FALSE(list.items.empty());
  EXPECT_EQ(document.Slice(list.replaced), "add");
  EXPECT_EQ(list.items[0].label, "add");
  EXPECT_EQ(list.items[0].insert_text, "add");  // the parentheses are there
}

TEST(CompletionFeatureTest, ItemsAreResolvedToTheirPages) {
  const FeatureDocument document(kSampleModule);
  const protocol::CompletionList list = ComputeCompletion(document.view(), document.At("add(x, x)"), true);
  const auto add = std::find_if(list.items.begin(), list.items.end(), [](const auto& i) { return i.label == "add"; });
  ASSERT_NE(add, list.items.end());
  EXPECT_THAT(CompletionDocumentation(document.view(), *add, HLOSCOPE_SOURCE_DIR "/resources"), HasSubstr("# add"));
  EXPECT_THAT(CompletionDocumentation(document.view(), *add, ""), HasSubstr("Takes 2 operands"));

  protocol::Position in_operands = document.At("zero), dimensions={1}");
  const protocol::CompletionList operands = ComputeCompletion(document.view(), in_operands, true);
  ASSERT_FALSE(operands.items.empty());
  EXPECT_EQ(operands.items[0].label, "zero");
  EXPECT_THAT(CompletionDocumentation(document.view(), operands.items[0], ""), HasSubstr("constant(0)"));
  // An item of an older text says nothing rather than something wrong.
  protocol::CompletionItem stale = operands.items[0];
  stale.label = "gone";
  EXPECT_EQ(CompletionDocumentation(document.view(), stale, ""), "");
  stale.data_index = 4000000000u;
  EXPECT_EQ(CompletionDocumentation(document.view(), stale, ""), "");
  stale.data_kind = 99;
  EXPECT_EQ(CompletionDocumentation(document.view(), stale, ""), "");
}

TEST(CompletionFeatureTest, AnswersAreJsonForOldAndNewClients) {
  const FeatureDocument document(kSampleModule);
  const protocol::CompletionList list = ComputeCompletion(document.view(), document.At("add(x, x)"), true);
  ClientCapabilities client;
  const json old_form = json::parse(CompletionText(list, client));
  EXPECT_TRUE(old_form["items"][0].contains("textEdit"));
  client.completion_edit_range = true;
  const json new_form = json::parse(CompletionText(list, client));
  EXPECT_TRUE(new_form["itemDefaults"].contains("editRange"));
  EXPECT_FALSE(new_form["items"][0].contains("textEdit"));
  EXPECT_EQ(new_form["items"][1]["sortText"], "0001");
}

TEST(CompletionFeatureTest, AnswersStaySmallInTheLargestModules) {
  SKIP_WITHOUT_SHARED_FILES();
  const FeatureDocument document(ReadFileOrDie(CorpusFile("xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo")));
  const hloscope::Document& text = document.view().document;
  size_t largest = 0;
  for (uint32_t offset = 0; offset < text.source().size(); offset += text.source().size() / 60) {
    const protocol::CompletionList list =
        ComputeCompletion(document.view(), document.view().positions.ToPosition(offset), true);
    largest = std::max(largest, CompletionText(list, {}).size());
  }
  EXPECT_LE(largest, 64u * 1024);
  EXPECT_GT(largest, 1000u);
}

std::string Active(const protocol::SignatureHelp& help) {
  if (!help.active_parameter.has_value()) return "";
  const auto [begin, end] = help.parameters.at(*help.active_parameter);
  return help.label.substr(begin, end - begin);
}

TEST(SignatureHelpTest, NamesOperandsAndShowsTheirShapes) {
  const FeatureDocument document(kSampleModule);
  const auto help = ComputeSignatureHelp(document.view(), document.At("zero), dimensions={1}"));
  ASSERT_TRUE(help.has_value());
  EXPECT_THAT(help->label, HasSubstr("reduce(x: f32[8,16], init"));
  EXPECT_THAT(help->label, HasSubstr("-> f32[8]"));
  EXPECT_THAT(Active(*help), HasSubstr("init"));
  const auto in_value = ComputeSignatureHelp(document.view(), document.At("}, to_apply=sum"));
  ASSERT_TRUE(in_value.has_value());
  EXPECT_EQ(Active(*in_value), "dimensions=");
  EXPECT_FALSE(ComputeSignatureHelp(document.view(), document.At("HloModule")).has_value());
  EXPECT_FALSE(ComputeSignatureHelp(document.view(), document.At("f32[8,16]{1,0} parameter")).has_value());
}

TEST(RenameFeatureTest, PreparesOnNamesOnly) {
  const FeatureDocument document(kSampleModule);
  const auto range = PrepareRename(document.view(), document.At("twice, zero"));
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(document.Describe(*range), "28:25 twice");
  EXPECT_FALSE(PrepareRename(document.view(), document.At("reduce(")).has_value());
  EXPECT_FALSE(PrepareRename(document.view(), document.At("f32[8,16]")).has_value());
}

TEST(RenameFeatureTest, EditsEveryPlace) {
  const FeatureDocument document(kSampleModule);
  const auto edits = ComputeRename(document.view(), document.At("twice ="), "doubled");
  ASSERT_TRUE(edits.ok());
  ASSERT_EQ(edits->size(), 3u);
  for (const protocol::TextEdit& edit : *edits) {
    EXPECT_EQ(document.Slice(edit.range), "twice");
    EXPECT_EQ(edit.new_text, "doubled");
  }
  EXPECT_FALSE(ComputeRename(document.view(), document.At("twice ="), "zero").ok());
  EXPECT_FALSE(ComputeRename(document.view(), document.At("twice ="), "").ok());
}

TEST(RenameFeatureTest, LinkedPlaces) {
  const FeatureDocument document(kSampleModule);
  EXPECT_EQ(ComputeLinkedEditingRanges(document.view(), document.At("twice =")).size(), 3u);
  EXPECT_TRUE(ComputeLinkedEditingRanges(document.view(), document.At("HloModule")).empty());
}

}  // namespace
}  // namespace hloscope::lsp
