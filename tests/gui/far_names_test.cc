// SPDX-License-Identifier: Apache-2.0
// Names beside boxes of the graph that are too small for a text.
#include <gtest/gtest.h>

#include <QPainter>
#include <QTest>
#include <set>

#include "gui/models/landmarks.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

class FarNamesTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1400, 900);
    window().show();
  }
  GraphPane* pane() { return window().graph_pane(); }
  GraphCanvas* canvas() { return pane()->canvas(); }
  void Settle() {
    ASSERT_TRUE(WaitUntil([&] { return !pane()->laying_out(); }, 60'000));
  }
};

// Far away, headings of open groups have no room: names are beside the groups, never over their boxes.
TEST_F(FarNamesTest, NamesOfFarGroupsDoNotLieOverBoxes) {
  std::string text = "HloModule scopes\nENTRY e {\n  x0 = f32[8] parameter(0)\n";
  for (int i = 1; i <= 40; ++i) {
    text += "  x" + std::to_string(i) + " = f32[8] negate(x" + std::to_string(i - 1) +
            "), metadata={op_name=\"jit(f)/part_" + (i <= 20 ? "one" : "two") + "/neg\"}\n";
  }
  OpenText(text + "  ROOT y = f32[8] abs(x40)\n}\n");
  GraphPane* graph = window().graph_pane();
  graph->SetScope(GraphPane::Scope::kGroups);
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !graph->graph().empty(); }));
  for (int round = 0; round < 4; ++round) {
    for (uint32_t box = 0; box < graph->graph().boxes.size(); ++box) {
      const VisibleGraph::Box& b = graph->graph().boxes[box];
      if (b.kind == VisibleGraph::BoxKind::kInstruction || !b.openable || b.inside != kNoItem) continue;
      graph->Toggle(box);
      ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }));
      break;
    }
  }
  GraphCanvas* canvas = graph->canvas();
  const DrawnGraph& drawn = canvas->graph();
  uint32_t group = kNoItem;
  for (uint32_t box = 0; box < drawn.graph().boxes.size(); ++box) {
    if (drawn.graph().boxes[box].inside != kNoItem) group = box;
  }
  ASSERT_NE(group, kNoItem);
  // Magenta boxes on the page: whatever else is over a box is something written there.
  GraphPainter::Look look = canvas->look();
  look.fills.assign(drawn.graph().boxes.size(), QColor(Qt::magenta));
  look.interactive = false;
  int names = 0;
  look.group_title = [&](uint32_t) {
    ++names;
    return QStringLiteral("the name of this group");
  };
  const double scale = 0.2;  // boxes have no headings either
  QImage image(900, 700, QImage::Format_RGB32);
  QPainter painter(&image);
  const QRectF part(drawn.rect(group).center() - QPointF(450, 350) / scale, QSizeF(900, 700) / scale);
  GraphPainter().Paint(&painter, drawn, look, part, scale);
  painter.end();
  EXPECT_GT(names, 0);
  int boxes = 0, struck = 0;
  for (uint32_t box = 0; box < drawn.graph().boxes.size(); ++box) {
    if (drawn.graph().boxes[box].kind != VisibleGraph::BoxKind::kInstruction) continue;
    const QRectF at((drawn.rect(box).topLeft() - part.topLeft()) * scale, drawn.rect(box).size() * scale);
    const QRect inner = at.toRect().adjusted(1, 1, -1, -1).intersected(image.rect());
    if (inner.width() < 4 || inner.height() < 2) continue;
    ++boxes;
    for (int x = inner.left(); x <= inner.right(); ++x) {
      struck += image.pixelColor(x, inner.center().y()) != QColor(Qt::magenta);
    }
  }
  EXPECT_GT(boxes, 3);
  EXPECT_EQ(struck, 0);
}

// Where boxes are too small for a text, names of what matters are beside them, and never over one another.
TEST_F(FarNamesTest, FarAwayTheImportantBoxesHaveNames) {
  OpenText(ChainModule(300));
  pane()->SetScope(GraphPane::Scope::kWhole);
  Settle();
  window().session()->ToggleBreakpoint(Find("x200"));
  Trigger("run");
  window().selection()->SelectInstruction(Find("y50"));
  QTest::keyClicks(pane()->search(), QStringLiteral("/^y1[0-9]$/"));
  ASSERT_EQ(canvas()->look().highlighted.size(), 10u);
  canvas()->FitAll();
  ASSERT_LT(canvas()->scale(), 0.2);
  const DrawnGraph& drawn = canvas()->graph();
  const QRectF part = canvas()->visible();
  QImage image(canvas()->size(), QImage::Format_RGB32);
  const auto paint = [&](const GraphPainter::Look& look) {
    GraphPainter far;
    QPainter painter(&image);
    far.Paint(&painter, drawn, look, part, canvas()->scale());
    return far.far_names();
  };
  const std::vector<GraphPainter::FarName> names = paint(canvas()->look());
  std::set<std::string> said;
  for (size_t i = 0; i < names.size(); ++i) {
    said.insert(names[i].text.toStdString());
    EXPECT_TRUE(QRectF(image.rect()).contains(names[i].place));
    for (size_t k = 0; k < i; ++k) EXPECT_FALSE(names[i].place.intersects(names[k].place)) << i << " " << k;
    if (names[i].over) continue;
    for (const QRectF& rect : drawn.rects()) {
      const QRectF at((rect.topLeft() - part.topLeft()) * canvas()->scale(), rect.size() * canvas()->scale());
      EXPECT_FALSE(at.intersects(names[i].place)) << names[i].text.toStdString();
    }
  }
  for (const char* name : {"y50", "x200", "result"}) EXPECT_TRUE(said.contains(name)) << name;
  EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const std::string& name) { return name.starts_with("y1"); }));
  // Nor is a name behind the minimap.
  GraphPainter::Look behind = canvas()->look();
  ASSERT_FALSE(names.empty());
  behind.covered = names.front().place;
  for (const GraphPainter::FarName& name : paint(behind)) EXPECT_FALSE(name.place.intersects(behind.covered));
  // An export shows the graph, not what somebody looks for in it.
  GraphPainter::Look plain = canvas()->look();
  plain.interactive = false;
  for (const GraphPainter::FarName& name : paint(plain)) EXPECT_FALSE(name.over);
}

TEST(LandmarksTest, ResultsThenWhatCallsMostAndTheLargestProducts) {
  const std::shared_ptr<const Document> document = ParseText(R"(HloModule m
small { ROOT a = f32[] parameter(0) }
large {
  b = f32[] parameter(0)
  c = f32[] negate(b)
  ROOT d = f32[] negate(c)
}
ENTRY e {
  x = f32[] parameter(0)
  m = f32[4,4] parameter(1)
  first = f32[] call(x), to_apply=small
  second = f32[] call(x), to_apply=large
  v = f32[4] parameter(2)
  thin = f32[4] dot(m, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  wide = f32[4,4] dot(m, m), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = (f32[], f32[]) tuple(first, x)
})");
  DocumentAnalyses analyses(document);
  VisibleGraphOptions options;
  options.computation = document->module().entry();
  const VisibleGraph graph = BuildVisibleGraph(document->module(), document->users(), analyses.scopes(), options);
  std::vector<std::string> names;
  for (uint32_t box : LandmarksOf(document->module(), graph)) {
    names.emplace_back(document->module().InstructionName(graph.boxes[box].instruction));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"r", "first", "x", "second", "wide", "thin"}));
  EXPECT_TRUE(LandmarksOf(document->module(), VisibleGraph()).empty());
}

}  // namespace
}  // namespace hloscope::gui
