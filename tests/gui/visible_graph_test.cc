// SPDX-License-Identifier: Apache-2.0
// What the graph panel shows, level by level, without any widget.
#include "gui/models/visible_graph.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "gui/layout/drawn_graph.h"
#include "gui/models/document_analyses.h"
#include "gui/models/graph_path.h"
#include "gui/models/instruction_query.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

// Two layers of a model, with an addition between them that belongs to neither.
constexpr char kScopes[] = R"(HloModule scopes

ENTRY main {
  x = f32[8] parameter(0)
  c = f32[8] constant({1,2,3,4,5,6,7,8})
  a1 = f32[8] add(x, c), metadata={op_name="jit(f)/layer_0/add"}
  a2 = f32[8] negate(a1), metadata={op_name="jit(f)/layer_0/neg"}
  a3 = f32[8] exponential(a2), metadata={op_name="jit(f)/layer_0/exp"}
  between = f32[8] add(a3, x), metadata={op_name="jit(f)/add"}
  b1 = f32[8] multiply(between, a1), metadata={op_name="jit(f)/layer_1/mul"}
  b2 = f32[8] negate(b1), metadata={op_name="jit(f)/layer_1/neg"}
  b3 = f32[8] tanh(b2), metadata={op_name="jit(f)/layer_1/tanh"}
  ROOT r = f32[8] add(b3, x), metadata={op_name="jit(f)/add"}
}
)";

struct Model {
  explicit Model(const std::string& text) : analyses(ParseText(text)) {
    options.computation = analyses.module().entry();
  }
  VisibleGraph Build() {
    return BuildVisibleGraph(analyses.module(), analyses.document()->users(), analyses.scopes(), options);
  }
  InstructionId Find(const std::string& name) { return FindByName(analyses.module(), name); }

  DocumentAnalyses analyses;
  VisibleGraphOptions options;
};

TEST(VisibleGraphTest, FlatGraphsHaveABoxAnInstructionAndAnEdgeAnOperand) {
  Model model(kLoopModule);
  const VisibleGraph graph = model.Build();
  EXPECT_EQ(graph.boxes.size(), 6u);
  EXPECT_EQ(graph.levels.size(), 1u);
  EXPECT_EQ(graph.edges.size(), 5u);
  EXPECT_TRUE(graph.boxes[graph.BoxOf(model.Find("final"))].openable);
  EXPECT_FALSE(graph.boxes[graph.BoxOf(model.Find("negated"))].openable);
}

TEST(VisibleGraphTest, ScopesAreGroupsThatOpen) {
  Model model(kScopes);
  model.options.scopes = true;
  VisibleGraph graph = model.Build();
  // x, layer_0 (with the constant that only it uses), between, layer_1, r.
  ASSERT_EQ(graph.boxes.size(), 5u);
  const uint32_t layer = graph.BoxOf(model.Find("a2"));
  EXPECT_EQ(graph.boxes[layer].kind, VisibleGraph::BoxKind::kScope);
  EXPECT_EQ(graph.boxes[layer].members, 4u);
  EXPECT_EQ(graph.BoxOf(model.Find("c")), layer);
  EXPECT_EQ(GroupTitle(model.analyses.module(), graph, layer), "layer_0");
  EXPECT_EQ(graph.OwnBoxOf(model.Find("a2")), kNoItem);
  // a1 and a3 leave the group for two different boxes.
  size_t out = 0;
  for (const VisibleGraph::Edge& edge : graph.edges) out += edge.from == layer;
  EXPECT_EQ(out, 2u);

  model.options.open.insert(graph.boxes[layer].key);
  graph = model.Build();
  EXPECT_EQ(graph.boxes.size(), 9u);
  EXPECT_EQ(graph.levels.size(), 2u);
  EXPECT_NE(graph.OwnBoxOf(model.Find("a2")), kNoItem);
  // Inside: the edges between its own instructions, and loose ends where data comes in and goes out.
  const VisibleGraph::Level& inside = graph.levels[1];
  EXPECT_EQ(inside.edges_end - inside.edges_begin, 3u);
  size_t incoming = 0, outgoing = 0;
  for (const VisibleGraph::Loose& loose : graph.loose) (loose.incoming ? incoming : outgoing) += 1;
  EXPECT_EQ(incoming, 1u);
  EXPECT_EQ(outgoing, 2u);
}

TEST(VisibleGraphTest, CalledComputationsOpenInPlace) {
  Model model(kLoopModule);
  VisibleGraph graph = model.Build();
  model.options.open.insert(graph.boxes[graph.BoxOf(model.Find("final"))].key);
  graph = model.Build();
  // The loop holds its condition and its body, both closed.
  ASSERT_EQ(graph.boxes.size(), 8u);
  EXPECT_EQ(graph.boxes[6].kind, VisibleGraph::BoxKind::kComputation);
  for (uint32_t box : {6u, 7u}) model.options.open.insert(graph.boxes[box].key);
  graph = model.Build();
  EXPECT_EQ(graph.boxes.size(), 8u + 4 + 7);
  EXPECT_EQ(graph.levels.size(), 4u);
  EXPECT_NE(graph.OwnBoxOf(model.Find("doubled")), kNoItem);
}

TEST(VisibleGraphTest, ConstantsCanBeHidden) {
  Model model(kScopes);
  model.options.hide_constants = true;
  const VisibleGraph graph = model.Build();
  EXPECT_EQ(graph.boxes.size(), 9u);
  EXPECT_EQ(graph.hidden, 1u);
  EXPECT_EQ(graph.BoxOf(model.Find("c")), kNoItem);
  EXPECT_TRUE(graph.loose.empty());
}

TEST(VisibleGraphTest, OverviewsOpenWhatFits) {
  Model model(kScopes);
  model.options.scopes = true;
  VisibleGraphOptions options = model.options;
  const auto overview = [&](size_t boxes) {
    options = model.options;
    return OpenForOverview(model.analyses.module(), model.analyses.document()->users(), model.analyses.scopes(), boxes,
                           &options);
  };
  EXPECT_EQ(overview(5).boxes.size(), 5u);
  EXPECT_EQ(overview(9).boxes.size(), 9u);
  EXPECT_EQ(options.open.size(), 1u);
  EXPECT_EQ(overview(100).boxes.size(), 12u);
}

TEST(VisibleGraphTest, LargeLevelsWithoutScopesAreCutIntoStretches) {
  std::string text = "ENTRY main {\n  x0 = f32[4] parameter(0)\n";
  for (int i = 1; i < 2000; ++i) {
    text += "  x" + std::to_string(i) + " = f32[4] " + (i % 7 == 0 ? "exponential" : "negate") + "(x" +
            std::to_string(i - 1) + ")\n";
  }
  Model model(text + "}\n");
  model.options.scopes = true;
  VisibleGraph graph = model.Build();
  EXPECT_GE(graph.boxes.size(), 4u);
  EXPECT_LE(graph.boxes.size(), 20u);
  size_t members = 0;
  for (const VisibleGraph::Box& box : graph.boxes) members += box.members;
  EXPECT_EQ(members, 2000u);
  EXPECT_EQ(graph.edges.size(), graph.boxes.size() - 1);
  EXPECT_TRUE(absl::StrContains(GroupTitle(model.analyses.module(), graph, 1), "negate"));
  model.options.open.insert(graph.boxes[1].key);
  graph = model.Build();
  EXPECT_EQ(graph.levels.size(), 2u);
}

TEST(VisibleGraphTest, GroupsStayOpenWhenTheModuleIsEdited) {
  Model before(kScopes);
  before.options.scopes = true;
  const VisibleGraph graph = before.Build();
  std::string text = kScopes;
  text.insert(text.find("  a1 ="), "  extra = f32[8] negate(x)\n");
  Model after(text);
  after.options.scopes = true;
  after.options.open.insert(graph.boxes[graph.BoxOf(before.Find("a2"))].key);
  EXPECT_EQ(after.Build().levels.size(), 2u);
}

TEST(DrawnGraphTest, OpenGroupsHoldWhatIsInsideAndAreFoundAtTheirPlace) {
  Model model(kScopes);
  model.options.scopes = true;
  VisibleGraph graph = model.Build();
  model.options.open.insert(graph.boxes[graph.BoxOf(model.Find("a2"))].key);
  const DrawnGraph drawn(model.Build(), [](const VisibleGraph&, uint32_t) { return FlowSize{80, 30}; });
  const uint32_t inner = drawn.graph().OwnBoxOf(model.Find("a2"));
  const uint32_t outer = drawn.graph().levels[1].box;
  EXPECT_TRUE(drawn.rect(outer).contains(drawn.rect(inner)));
  EXPECT_EQ(drawn.BoxAt(drawn.rect(inner).center()), inner);
  EXPECT_EQ(drawn.BoxAt(drawn.rect(outer).topLeft() + QPointF(2, 2)), outer);
  EXPECT_EQ(drawn.BoxAt(QPointF(-500, -500)), kNoItem);
  std::vector<uint32_t> found;
  drawn.FindBoxes(drawn.rect(inner).adjusted(1, 1, -1, -1), &found);
  EXPECT_NE(std::find(found.begin(), found.end(), inner), found.end());
  EXPECT_NE(std::find(found.begin(), found.end(), outer), found.end());
}

TEST(GraphPathTest, ShortestPathsInEitherDirection) {
  Model model(kScopes);
  const auto path = [&](const char* from, const char* to) {
    std::string names;
    for (InstructionId id :
         FindPath(model.analyses.module(), model.analyses.document()->users(), model.Find(from), model.Find(to))) {
      names += std::string(model.analyses.module().InstructionName(id)) + " ";
    }
    return names;
  };
  EXPECT_EQ(path("a1", "b2"), "a1 b1 b2 ");
  EXPECT_EQ(path("b2", "a1"), "a1 b1 b2 ");
  EXPECT_EQ(path("c", "x"), "");
  EXPECT_EQ(path("a1", "a1"), "a1 ");
}

TEST(InstructionQueryTest, FieldsAndPatterns) {
  Model model(kScopes);
  const auto count = [&](const char* text) {
    return InstructionQuery::Parse(QString::fromLatin1(text)).Find(model.analyses.module(), 100).size();
  };
  EXPECT_EQ(count("opcode:add"), 3u);
  EXPECT_EQ(count("op_name:layer_1"), 3u);
  EXPECT_EQ(count("name:a"), 3u);
  EXPECT_EQ(count("name:/^a[12]$/"), 2u);
  EXPECT_EQ(count("shape:F32[8"), 10u);
  EXPECT_EQ(count("%between"), 1u);
  EXPECT_EQ(count(""), 0u);
  EXPECT_FALSE(InstructionQuery::Parse(QStringLiteral("/[/")).error().isEmpty());
  EXPECT_EQ(count("/[/"), 0u);
}

}  // namespace
}  // namespace hloscope::gui
