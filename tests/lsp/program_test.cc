// SPDX-License-Identifier: Apache-2.0
// StableHLO programs in the editor: positions are those of the program, knowledge comes from its HLO.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/lsp_client.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr char kProgramUri[] = "file:///tmp/program.mlir";
constexpr char kProgram[] =
    "module @jit_f {\n"
    "  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
    "    %0 = stablehlo.negate %arg0 : tensor<4xf32>\n"
    "    %1 = call @helper(%0) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "    return %1 : tensor<4xf32>\n"
    "  }\n"
    "  func.func private @helper(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
    "    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>\n"
    "    return %0 : tensor<4xf32>\n"
    "  }\n"
    "}\n";

json AboutProgram() { return {{"textDocument", {{"uri", kProgramUri}}}}; }

class ProgramTest : public testing::Test {
 protected:
  ProgramTest() {
    client_.Initialize();
    client_.Open(kProgramUri, kProgram);
  }
  json At(const std::string& method, uint32_t line, uint32_t character) {
    return client_.AskAt(method, kProgramUri, line, character);
  }
  // "line:character" of the places that an answer lists.
  static std::string Places(const json& list) {
    std::string places;
    for (const json& place : list) {
      const json& start = place.contains("targetRange") ? place["targetRange"]["start"] : place["range"]["start"];
      places += std::to_string(start["line"].get<int>()) + ":" + std::to_string(start["character"].get<int>()) + " ";
    }
    return places;
  }

  LspClient client_;
};

TEST_F(ProgramTest, HoverShowsTheHlo) {
  const json hover = At("textDocument/hover", 2, 20);
  ASSERT_FALSE(hover.is_null());
  const std::string text = hover["contents"].dump();
  EXPECT_THAT(text, HasSubstr("negate("));
  EXPECT_EQ(hover["range"]["start"]["line"], 2);
}

TEST_F(ProgramTest, NamesLeadToTheirDefinitionsInTheirFunction) {
  EXPECT_EQ(Places(At("textDocument/definition", 3, 23)), "2:4 ");
  EXPECT_EQ(Places(At("textDocument/definition", 7, 24)), "6:28 ");
  EXPECT_EQ(Places(At("textDocument/definition", 3, 15)), "6:20 ");
  json params = AboutProgram();
  params["position"] = {{"line", 2}, {"character", 5}};
  params["context"] = {{"includeDeclaration", true}};
  EXPECT_EQ(Places(client_.Result("textDocument/references", params)), "2:4 3:22 ");
}

TEST_F(ProgramTest, OutlineLensesAndTranslation) {
  const json symbols = client_.Result("textDocument/documentSymbol", AboutProgram());
  ASSERT_EQ(symbols.size(), 2u);
  EXPECT_EQ(symbols[1]["name"], "helper");
  const json lenses = client_.Result("textDocument/codeLens", AboutProgram());
  ASSERT_EQ(lenses.size(), 3u) << lenses;
  EXPECT_EQ(lenses[0]["command"]["title"], "Run");
  EXPECT_EQ(lenses[1]["command"]["title"], "Debug");
  EXPECT_EQ(lenses[1]["command"]["command"], "hloscope.debug");
  EXPECT_EQ(lenses[0]["range"]["start"]["line"], 1);
}

// Every line that a link names has an instruction of the operation that it leads to.
TEST_F(ProgramTest, LinesOfTheTranslationLeadToTheirOperations) {
  const json answer = client_.Result("hloscope/hlo", AboutProgram());
  const std::string text = answer["text"];
  EXPECT_THAT(text, HasSubstr("HloModule jit_f"));
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  const auto words = [&](int line) {
    std::string found;
    for (const json& link : answer["links"]) {
      if (link[1] != line) continue;
      const std::string& made = lines.at(link[0].get<size_t>());
      for (const char* opcode : {" parameter(", " negate(", " call(", " add("}) {
        if (absl::StrContains(made, opcode)) found += opcode;
      }
    }
    return found;
  };
  EXPECT_EQ(words(1), " parameter(");
  EXPECT_EQ(words(2), " negate(");
  EXPECT_EQ(words(3), " call(");
  EXPECT_EQ(words(7), " add(");
  EXPECT_EQ(answer["links"].size(), 5u);
}

TEST_F(ProgramTest, CompletionOfOperations) {
  client_.Change(
      kProgramUri, 2,
      json::array({{{"range", {{"start", {{"line", 2}, {"character", 9}}}, {"end", {{"line", 2}, {"character", 25}}}}},
                    {"text", "stablehlo.neg"}}}));
  const json list = At("textDocument/completion", 2, 22);
  ASSERT_FALSE(list["items"].empty());
  EXPECT_EQ(list["items"][0]["label"], "stablehlo.negate");
}

TEST_F(ProgramTest, CompletionOfAttributes) {
  const auto labels_after = [&](int version, const std::string& operation) {
    const json line = {{"start", {{"line", 2}, {"character", 0}}}, {"end", {{"line", 3}, {"character", 0}}}};
    client_.Change(kProgramUri, version, json::array({{{"range", line}, {"text", operation + "\n"}}}));
    const json list = At("textDocument/completion", 2, static_cast<uint32_t>(operation.size()));
    std::vector<std::string> labels;
    for (const json& item : list["items"]) labels.push_back(item["label"]);
    return labels;
  };
  // The custom form has keywords of its own; what is required comes first, what is written is left out.
  EXPECT_THAT(labels_after(2, "    %0 = stablehlo.broadcast_in_dim %arg0, "), testing::ElementsAre("dims"));
  EXPECT_THAT(labels_after(3, "    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0], "), testing::IsEmpty());
  EXPECT_THAT(labels_after(4, "    %0 = \"stablehlo.all_gather\"(%arg0) <{all_gather_dim = 0 : i64, re"),
              testing::ElementsAre("replica_groups"));
}

TEST_F(ProgramTest, HoverOnTypesSaysWhatTheyAreInHlo) {
  const auto hover_on = [&](int version, const std::string& type) -> std::string {
    const json line = {{"start", {{"line", 1}, {"character", 0}}}, {"end", {{"line", 2}, {"character", 0}}}};
    const std::string text = "  func.func public @main(%arg0: " + type + ") -> tensor<4xf32> {\n";
    client_.Change(kProgramUri, version, json::array({{{"range", line}, {"text", text}}}));
    const json hover = At("textDocument/hover", 1, 40);
    return hover.is_null() ? "" : hover["contents"]["value"].get<std::string>();
  };
  EXPECT_THAT(hover_on(2, "tensor<8x16xi32>"), testing::AllOf(HasSubstr("s32[8,16]"), HasSubstr("128 elements")));
  EXPECT_THAT(hover_on(3, "tensor<?x16xf32>"),
              testing::AllOf(HasSubstr("f32[?,16]"), HasSubstr("the size of dimension 0 open"), HasSubstr("--shape")));
  EXPECT_THAT(hover_on(4, "tensor<?x16xbf16, #stablehlo.bounds<8, ?>>"),
              testing::AllOf(HasSubstr("bf16[<=8,16]"), HasSubstr("at most 128 elements")));
  EXPECT_THAT(hover_on(5, "tensor<complex<f32>>"), HasSubstr("c64[]"));
  EXPECT_EQ(hover_on(6, "tensor<*xwhat>").find("In HLO"), std::string::npos);
}

// The setting `shapes` closes what the program leaves open.
TEST_F(ProgramTest, SizesThatAreOpenComeFromTheSettings) {
  const std::string uri = "file:///tmp/open.mlir";
  client_.Open(uri,
               "module @open {\n  func.func public @main(%arg0: tensor<?x2xf32>) -> tensor<?x2xf32> {\n"
               "    %0 = stablehlo.negate %arg0 : tensor<?x2xf32>\n    return %0 : tensor<?x2xf32>\n  }\n}\n");
  client_.Notify("workspace/didChangeConfiguration", {{"settings", {{"shapes", json::array({"0=3x2"})}}}});
  const json answer = client_.Result("hloscope/hlo", {{"textDocument", {{"uri", uri}}}});
  EXPECT_THAT(answer["text"].get<std::string>(), HasSubstr("f32[3,2]"));
}

TEST_F(ProgramTest, DiagnosticsAreAtTheOperationsAndGoWhenTheyAreRepaired) {
  const auto change = [&](int version, const std::string& text) {
    client_.Change(
        kProgramUri, version,
        json::array(
            {{{"range", {{"start", {{"line", 2}, {"character", 9}}}, {"end", {{"line", 2}, {"character", 25}}}}},
              {"text", text}}}));
  };
  change(2, "stablehlo.negatx");
  const json wrong = client_.WaitDiagnostics(kProgramUri, 2);
  ASSERT_EQ(wrong.size(), 1u) << wrong;
  EXPECT_EQ(wrong[0]["range"]["start"]["line"], 2);
  EXPECT_THAT(wrong[0]["message"].get<std::string>(), HasSubstr("did you mean"));
  change(3, "stablehlo.negate");
  for (const json& rest : client_.WaitDiagnostics(kProgramUri, 3)) EXPECT_NE(rest["severity"], 1) << rest;
}

TEST_F(ProgramTest, WhatIsNotKnownAboutProgramsIsNull) {
  for (const char* method : {"textDocument/foldingRange", "textDocument/semanticTokens/full", "textDocument/formatting",
                             "hloscope/cost", "textDocument/documentLink"}) {
    EXPECT_TRUE(client_.Result(method, AboutProgram()).is_null()) << method;
  }
  // A module in its place is one again.
  client_.Change(kProgramUri, 2,
                 json::array({{{"text", "HloModule m\n\nENTRY e {\n  ROOT c = s32[] constant(7)\n}\n"}}}));
  EXPECT_FALSE(client_.Result("textDocument/foldingRange", AboutProgram()).empty());
}

}  // namespace
}  // namespace hloscope::lsp
