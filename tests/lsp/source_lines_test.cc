// SPDX-License-Identifier: Apache-2.0
// From HLO to the program that it was made from, and back.
#include "lsp/features/source_lines.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/features/source_finder.h"
#include "lsp/protocol/file_uri.h"
#include "lsp/protocol/plain_text.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/feature_fixture.h"
#include "tests/lsp/lsp_client.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two lines of /build/src/model.py; a fusion, a loop of three iterations and a reducer.
constexpr char kFramedProgram[] = R"(HloModule m

FileNames
1 "/build/src/model.py"

FunctionNames
1 "step"
2 "train"

FileLocations
1 {file_name_id=1 function_name_id=1 line=4 end_line=4 column=3 end_column=9}
2 {file_name_id=1 function_name_id=2 line=9 end_line=9 column=1 end_column=9}

StackFrames
1 {file_location_id=2 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT total = f32[] add(a, b), metadata={stack_frame_id=2}
}

fused {
  fp = f32[8,8] parameter(0)
  ROOT fd = f32[8,8] dot(fp, fp), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="dot" stack_frame_id=2}
}

cond {
  cs = (s32[], f32[8,8]) parameter(0)
  ci = s32[] get-tuple-element(cs), index=0
  n = s32[] constant(3)
  ROOT lt = pred[] compare(ci, n), direction=LT
}

body {
  s = (s32[], f32[8,8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  x = f32[8,8] get-tuple-element(s), index=1
  f = f32[8,8] fusion(x), kind=kLoop, calls=fused, metadata={op_name="fusion" stack_frame_id=2}
  ROOT t = (s32[], f32[8,8]) tuple(j, f)
}

ENTRY e {
  p = f32[8,8] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[8,8]) tuple(zero, p)
  w = (s32[], f32[8,8]) while(init), condition=cond, body=body, metadata={stack_frame_id=1}
  r = f32[8,8] get-tuple-element(w), index=1
  fz = f32[] constant(0)
  ROOT d = f32[8] reduce(r, fz), dimensions={0}, to_apply=sum, metadata={op_name="sum" source_file="/build/src/model.py" source_line=9}
}
)";

TEST(SourceFinderTest, FilesAreFoundUnderRoots) {
  const std::set<std::string> files = {"/home/me/src/model.py", "/other/model.py", "/near/a.py", "/abs/b.py"};
  const auto find = [&](std::vector<std::string> roots, const char* name) {
    return SourceFinder("file:///near/m.hlo", roots, [&](const std::string& path) { return files.contains(path); })
        .PathOf(name);
  };
  EXPECT_EQ(find({}, "a.py"), "/near/a.py");
  EXPECT_EQ(find({}, "/abs/b.py"), "/abs/b.py");
  EXPECT_EQ(find({}, "/build/src/model.py"), "");
  EXPECT_EQ(find({"/build=/home/me"}, "/build/src/model.py"), "/home/me/src/model.py");
  EXPECT_EQ(find({"/builds=/home/me"}, "/build/src/model.py"), "");
  EXPECT_EQ(find({"/home/me"}, "/build/src/model.py"), "/home/me/src/model.py");
  EXPECT_EQ(find({"/home/me/"}, "src/model.py"), "/home/me/src/model.py");
  EXPECT_EQ(find({"/nowhere", "/other"}, "/build/src/model.py"), "/other/model.py");
  EXPECT_EQ(find({"=/x"}, "/abs/b.py"), "/abs/b.py");
}

TEST(SourceLinesTest, WhatALineBecame) {
  const FeatureDocument document(kFramedProgram);
  ASSERT_FALSE(document.view().document.has_errors());
  const std::vector<std::string> roots;
  SourceFinder finder("file:///m.hlo", roots, [](const std::string&) { return false; });
  const std::vector<SourceLinesOfFile> files = ComputeSourceLines(document.view(), finder);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].name, "/build/src/model.py");
  EXPECT_EQ(files[0].path, "");
  ASSERT_EQ(files[0].lines.size(), 2u);
  const auto names = [&](const SourceLine& line) {
    std::vector<std::string> result;
    for (InstructionId id : line.instructions) result.emplace_back(document.view().module().InstructionName(id));
    return result;
  };
  const SourceLine& four = files[0].lines[0];
  EXPECT_EQ(four.line, 4);
  EXPECT_THAT(names(four), ElementsAre("total", "fd", "f"));
  // The product in the fusion in the loop, three times; the fusion reads and writes 8 * 8 floats each time. What the
  // reducer adds is counted where it is applied.
  EXPECT_EQ(four.flops, 3 * 2 * 8 * 8 * 8);
  EXPECT_EQ(four.bytes, 3 * 2 * 8 * 8 * 4);
  const SourceLine& nine = files[0].lines[1];
  EXPECT_THAT(names(nine), ElementsAre("w", "d"));
  EXPECT_EQ(nine.flops, 8 * 7);
}

class ProgramFolder {
 public:
  ProgramFolder() : folder_(testing::TempDir() + "source_lines_" + std::to_string(getpid())) {
    std::filesystem::create_directories(folder_ + "/src");
    std::ofstream(folder_ + "/src/model.py") << "import jax\n";
  }
  ~ProgramFolder() { std::filesystem::remove_all(folder_); }
  const std::string& path() const { return folder_; }
  std::string model() const { return UriFromPath(folder_ + "/src/model.py"); }

 private:
  const std::string folder_;
};

json PositionOf(const std::string& text, const std::string& word) {
  const size_t at = text.find(word);
  EXPECT_NE(at, std::string::npos);
  const size_t line_begin = text.rfind('\n', at) + 1;
  return {{"line", std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n')},
          {"character", at - line_begin}};
}

TEST(SourceLinesTest, MetadataLeadsToTheProgram) {
  const ProgramFolder folder;
  const std::string uri = "file:///tmp/source_lines.hlo";
  LspClient client;
  client.Result("initialize", {{"processId", nullptr},
                               {"capabilities", json::object()},
                               {"initializationOptions", {{"sourceRoots", {"/build=" + folder.path()}}}}});
  client.Notify("initialized", json::object());
  client.Open(uri, kFramedProgram);
  const json about = {{"textDocument", {{"uri", uri}}}};
  const auto definition = [&](const char* word) {
    json params = about;
    params["position"] = PositionOf(kFramedProgram, word);
    return client.Result("textDocument/definition", params);
  };
  const auto start = [](int line, int character) { return json{{"line", line}, {"character", character}}; };
  for (const char* word : {"stack_frame_id=2}\n}\n\nfused", "2}\n}\n\nfused"}) {
    const json places = definition(word);
    ASSERT_EQ(places.size(), 1u) << word;
    EXPECT_EQ(places[0]["uri"], folder.model());
    EXPECT_EQ(places[0]["range"]["start"], start(3, 2));
  }
  for (const char* word : {"source_line=9", "source_file=", "build/src/model.py\" source_line"}) {
    EXPECT_EQ(definition(word)[0]["range"]["start"], start(8, 0)) << word;
  }
  // Elsewhere as before.
  EXPECT_EQ(definition("r, fz)")[0]["uri"], uri);
  EXPECT_EQ(definition("op_name=\"sum\"").size(), 0u);

  const json links = client.Result("textDocument/documentLink", about);
  json last = links.back();
  EXPECT_EQ(last["target"], folder.model() + "#L9");
  EXPECT_FALSE(last.contains("tooltip"));
  const auto of_frame = std::find_if(links.begin(), links.end(), [&](const json& link) {
    return link["range"]["start"] == PositionOf(kFramedProgram, "stack_frame_id=2}\n}\n\nfused");
  });
  ASSERT_NE(of_frame, links.end());
  EXPECT_EQ(client.Result("documentLink/resolve", *of_frame)["tooltip"],
            "/build/src/model.py:4, in step\ncalled from /build/src/model.py:9, in train");

  const json files = client.Result("hloscope/sourceLines", about)["files"];
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(UriFromPath(files[0]["path"].get<std::string>()), folder.model());
  EXPECT_EQ(files[0]["lines"][0]["count"], 3);
  EXPECT_EQ(files[0]["lines"][0]["instructions"][1]["name"], "fd");

  // Without its file, a frame leads to its row.
  client.Notify("workspace/didChangeConfiguration", {{"settings", {{"sourceRoots", json::array()}}}});
  EXPECT_EQ(definition("stack_frame_id=2}\n}\n\nfused")[0]["uri"], uri);
}

TEST(PlainTextTest, MarkdownAsPeopleReadIt) {
  EXPECT_EQ(
      PlainTextOf("# Title\n\nA `code` and ``a`b``, **bold**, [a link](https://x.org) \\*.\n\n---\n\n```hlo\nx = `y`\n"
                  "```\n\n\n* item"),
      "Title\n\nA code and a`b, bold, a link *.\n\nx = `y`\n\n* item");
  EXPECT_EQ(PlainTextOf("f32[2,3] and (a) [b"), "f32[2,3] and (a) [b");
}

TEST(PlainTextTest, HoverOfAClientWithoutMarkdown) {
  LspClient client;
  client.Result("initialize", {{"processId", nullptr}, {"capabilities", json::object()}});
  client.Notify("initialized", json::object());
  client.Open("file:///tmp/plain.hlo", "HloModule m\n\nENTRY e {\n  ROOT x = f32[4]{0} parameter(0)\n}\n");
  const json hover = client.AskAt("textDocument/hover", "file:///tmp/plain.hlo", 3, 7);
  EXPECT_EQ(hover["contents"]["kind"], "plaintext");
  const std::string text = hover["contents"]["value"];
  EXPECT_THAT(text, HasSubstr("f32[4]"));
  EXPECT_EQ(text.find('`'), std::string::npos) << text;
  EXPECT_EQ(text.find("**"), std::string::npos) << text;
}

}  // namespace
}  // namespace hloscope::lsp
