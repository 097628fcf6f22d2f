// SPDX-License-Identifier: Apache-2.0
// Groups by the names that people gave, whatever the size of a level.
#include "gui/models/level_groups.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gui/models/document_analyses.h"
#include "gui/models/group_summary.h"
#include "gui/models/visible_graph.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

using BoxKind = VisibleGraph::BoxKind;

struct Model {
  explicit Model(std::shared_ptr<const Document> document) : analyses(std::move(document)) {
    options.computation = analyses.module().entry();
    options.scopes = true;
  }
  explicit Model(const std::string& text) : Model(ParseText(text)) {}
  VisibleGraph Build() {
    return BuildVisibleGraph(analyses.module(), analyses.document()->users(), analyses.scopes(), options);
  }
  const Module& module() { return analyses.module(); }
  InstructionId Find(const std::string& name) { return FindByName(module(), name); }
  // "kind title members" of the boxes of the first level that are groups.
  std::vector<std::string> Groups(const VisibleGraph& graph, uint32_t level = 0) {
    std::vector<std::string> said;
    for (uint32_t i = graph.levels[level].begin; i < graph.levels[level].end; ++i) {
      const VisibleGraph::Box& box = graph.boxes[i];
      if (box.kind == BoxKind::kInstruction) continue;
      said.push_back(absl::StrCat(GroupTitle(module(), graph, i), " ", box.members));
    }
    return said;
  }

  DocumentAnalyses analyses;
  VisibleGraphOptions options;
};

// One layer of a model after the other; each has `weights` parameters of its own, and all use `shared` ones.
std::string LayeredModule(int layers, int weights, int shared, const std::string& name = "block_") {
  std::string text = "HloModule layered\nENTRY main {\n  x = f32[8] parameter(0)\n";
  int number = 1;
  const auto metadata = [&](int layer, const char* op) {
    return absl::StrCat(", metadata={op_name=\"jit(f)/", name, layer, "/", op, "\"}\n");
  };
  for (int k = 0; k < shared; ++k) absl::StrAppend(&text, "  both_", k, " = f32[8] parameter(", number++, ")\n");
  std::string at = "x";
  for (int l = 0; l < layers; ++l) {
    for (int k = 0; k < weights; ++k) {
      absl::StrAppend(&text, "  w", l, "_", k, " = f32[8] parameter(", number++, ")\n");
    }
    for (int k = 0; k < std::max(weights, shared); ++k) {
      const std::string next = absl::StrCat("a", l, "_", k);
      const std::string other =
          k < weights && (k % 2 == 0 || k >= shared) ? absl::StrCat("w", l, "_", k) : absl::StrCat("both_", k);
      absl::StrAppend(&text, "  ", next, " = f32[8] add(", at, ", ", other, ")", metadata(l, "add"));
      at = next;
    }
    absl::StrAppend(&text, "  e", l, " = f32[8] tanh(", at, ")", metadata(l, "tanh"));
    at = absl::StrCat("e", l);
  }
  return absl::StrCat(text, "  ROOT r = f32[8] negate(", at, ")\n}\n");
}

TEST(LevelGroupsTest, ScopesStayHoweverLargeTheLevelIs) {
  // More loose values than a level has boxes, each used by all layers.
  Model model(LayeredModule(/*layers=*/3, /*weights=*/0, /*shared=*/700));
  const VisibleGraph graph = model.Build();
  EXPECT_EQ(model.Groups(graph),
            (std::vector<std::string>{"inputs of block_0 700", "block_0 702", "block_1 701", "block_2 702"}));
  EXPECT_EQ(graph.boxes.size(), 4u);
  // What the box stands for is inside of it, as stretches, since it is much.
  model.options.open.insert(graph.boxes[graph.BoxOf(model.Find("both_5"))].key);
  const VisibleGraph open = model.Build();
  ASSERT_EQ(open.levels.size(), 2u);
  size_t members = 0;
  for (uint32_t i = open.levels[1].begin; i < open.levels[1].end; ++i) members += open.boxes[i].members;
  EXPECT_EQ(members, 700u);
}

TEST(LevelGroupsTest, EveryInstructionIsInOneBoxOfItsLevel) {
  for (const auto& [layers, weights, shared] : {std::tuple{2, 5, 9}, {8, 3, 4}, {30, 2, 40}, {60, 7, 500}}) {
    Model model(LayeredModule(layers, weights, shared));
    for (int round = 0; round < 3; ++round) {
      const VisibleGraph graph = model.Build();
      for (const VisibleGraph::Level& level : graph.levels) {
        size_t members = 0;
        for (uint32_t i = level.begin; i < level.end; ++i) members += graph.boxes[i].members;
        EXPECT_EQ(members, level.box == kNoItem ? graph.computation_size : graph.boxes[level.box].members);
      }
      for (const VisibleGraph::Box& box : graph.boxes) model.options.open.insert(box.key);
    }
  }
}

TEST(LevelGroupsTest, LayersThatRepeatAreOneBox) {
  Model model(LayeredModule(/*layers=*/8, /*weights=*/4, /*shared=*/0));
  const VisibleGraph graph = model.Build();
  const uint32_t box = graph.BoxOf(model.Find("e3"));
  EXPECT_EQ(graph.boxes[box].kind, BoxKind::kRepeat);
  EXPECT_EQ(graph.boxes[box].repeats, 8u);
  EXPECT_EQ(graph.boxes[box].kinds, 1u);
  EXPECT_EQ(GroupTitle(model.module(), graph, box), "block_0..7");
  // Inside: each layer by itself.
  model.options.open.insert(graph.boxes[box].key);
  const VisibleGraph open = model.Build();
  ASSERT_EQ(open.levels.size(), 2u);
  EXPECT_EQ(open.levels[1].end - open.levels[1].begin, 8u);
  EXPECT_EQ(open.boxes[open.levels[1].begin].kind, BoxKind::kScope);
  EXPECT_EQ(open.levels[1].edges_end - open.levels[1].edges_begin, 7u);
}

TEST(LevelGroupsTest, ScopesThatDifferAreNoLayers) {
  // Two kinds of things with numbers, one after the other: neither is a layer.
  std::string text = "HloModule mixed\nENTRY main {\n  x0 = f32[8] parameter(0)\n";
  int at = 0;
  const auto add = [&](const char* opcode, const std::string& scope) {
    absl::StrAppend(&text, "  x", at + 1, " = f32[8] ", opcode, "(x", at, "), metadata={op_name=\"jit(f)/", scope,
                    "/op\"}\n");
    ++at;
  };
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 4; ++k) add("negate", absl::StrCat("Conv_", i));
    for (int k = 0; k < 4; ++k) add("tanh", absl::StrCat("Norm_", i));
  }
  Model model(absl::StrCat(text, "  ROOT r = f32[8] negate(x", at, ")\n}\n"));
  const VisibleGraph graph = model.Build();
  for (const VisibleGraph::Box& box : graph.boxes) EXPECT_NE(box.kind, BoxKind::kRepeat);
  EXPECT_EQ(graph.boxes.size(), 12u);
}

TEST(LevelGroupsTest, NamesThatBeginAlikeAreFamilies) {
  std::string text = "HloModule families\nENTRY main {\n  x0 = f32[8] parameter(0)\n";
  int at = 0;
  for (int stage = 2; stage < 6; ++stage) {
    for (int block = 1; block < 4; ++block) {
      for (const char* part : {"1_conv", "1_bn", "2_conv", "add"}) {
        for (int k = 0; k < 3; ++k, ++at) {
          absl::StrAppend(&text, "  x", at + 1, " = f32[8] negate(x", at, "), metadata={op_name=\"jit(f)/conv", stage,
                          "_block", block, "_", part, "/op\"}\n");
        }
      }
    }
  }
  Model model(absl::StrCat(text, "  ROOT r = f32[8] negate(x", at, ")\n}\n"));
  const VisibleGraph graph = model.Build();
  EXPECT_EQ(model.Groups(graph), (std::vector<std::string>{"conv2 37", "conv3 36", "conv4 36", "conv5 37"}));
  model.options.open.insert(graph.boxes[graph.BoxOf(model.Find("x1"))].key);
  EXPECT_EQ(model.Build().boxes.size(), graph.boxes.size() + 12);
}

TEST(LevelGroupsTest, NumbersAreNamedWithWhatTheyNumber) {
  Model model(LayeredModule(2, 3, 0, "h/"));
  EXPECT_EQ(model.Groups(model.Build()), (std::vector<std::string>{"h/0 8", "h/1 8"}));
}

TEST(LevelGroupsTest, SummariesSayWhatGoesInAndComesOut) {
  Model model(LayeredModule(/*layers=*/2, /*weights=*/3, /*shared=*/0));
  std::vector<InstructionId> members;
  for (const char* name : {"w1_0", "w1_1", "w1_2", "a1_0", "a1_1", "a1_2", "e1"}) members.push_back(model.Find(name));
  std::vector<evaluator::InstructionStatistics> statistics(model.module().instruction_count());
  statistics[model.Find("a1_1").index()] = {2, 0.25, 64};
  statistics[model.Find("e0").index()] = {1, 5, 32};
  const GroupSummary summary =
      SummarizeGroup(model.module(), model.analyses.document()->users(), model.analyses.costs(), statistics, members);
  EXPECT_EQ(summary.opcodes,
            (std::vector<std::pair<Opcode, int64_t>>{{Opcode::kAdd, 3}, {Opcode::kParameter, 3}, {Opcode::kTanh, 1}}));
  EXPECT_EQ(summary.flops, 4 * 8);
  EXPECT_EQ(summary.bytes, 3 * 96 + 64);
  EXPECT_EQ(summary.seconds, 0.25);
  EXPECT_EQ(summary.runs, 2);
  EXPECT_EQ(summary.parameter_bytes, 96);
  EXPECT_EQ(summary.inputs, std::vector<InstructionId>{model.Find("e0")});
  EXPECT_EQ(summary.outputs, std::vector<InstructionId>{model.Find("e1")});
  EXPECT_EQ(summary.output_bytes, 32);
}

TEST(LevelGroupsTest, TimeOfACallIsThatOfWhatItCalls) {
  Model model(std::string{kLoopModule});
  std::vector<evaluator::InstructionStatistics> statistics(model.module().instruction_count());
  statistics[model.Find("final").index()] = {1, 0.5, 0};
  statistics[model.Find("doubled").index()] = {3, 2, 0};
  const std::vector<double> seconds = SecondsWithCalled(model.module(), statistics);
  EXPECT_EQ(seconds[model.Find("final").index()], 2.5);
  EXPECT_EQ(seconds[model.Find("doubled").index()], 2);
  EXPECT_TRUE(SecondsWithCalled(model.module(), {}).empty());
}

// Every scope of the outermost level of real models is seen, in a picture that can be looked at.
TEST(LevelGroupsTest, RealModelsKeepTheirNames) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const char* name :
       {"xla-benchmarks/gemma4_2b_bf16.hlo", "model-dumps/gpt_j_6b.training.jit_train_step.hlo",
        "model-dumps/resnet50.training.jit_train_step.hlo", "xla-benchmarks/resnet50_keras_jax_f32.hlo",
        "model-dumps/flan_t5_large.inference.1gpu.jit_predict_step.hlo",
        "model-dumps/efficientnet.training.jit_train_step.hlo",
        "model-dumps/stable_diffusion_1_5.inference.2gpu.jit_predict_step.hlo"}) {
    const absl::StatusOr<std::shared_ptr<const Document>> document = Document::Open(CorpusFile(name));
    ASSERT_TRUE(document.ok()) << name;
    Model model(*document);
    VisibleGraph graph = model.Build();
    EXPECT_LE(graph.boxes.size(), 120u) << name;
    const VisibleGraph overview = OpenForOverview(model.module(), model.analyses.document()->users(),
                                                  model.analyses.scopes(), 110, &model.options);
    size_t named = 0, in_names = 0;
    for (const VisibleGraph::Box& box : overview.boxes) {
      EXPECT_NE(box.kind, BoxKind::kStretch) << name;
      const bool is_name = box.kind == BoxKind::kScope || box.kind == BoxKind::kFamily || box.kind == BoxKind::kRepeat;
      named += is_name;
      if (is_name && overview.levels[box.level].box == kNoItem) in_names += box.members;
    }
    EXPECT_GE(named, 2u) << name;
    // Most of what is computed is found by a name; much of a training step is in no scope.
    EXPECT_GT(in_names * 10, overview.computation_size * 4) << name;
  }
}

}  // namespace
}  // namespace hloscope::gui
