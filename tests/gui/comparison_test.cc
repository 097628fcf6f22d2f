// SPDX-License-Identifier: Apache-2.0
// Two versions side by side: the layout that both share, colours, clicks and keys, rewrites and their undoing.
#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>

#include "gui/layout/merged_layout.h"
#include "gui/panels/changes_panel.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

using Side = ComparisonView::Side;

TEST(MergedLayoutTest, WhatBothHaveStandsAtTheSamePlace) {
  // before: 0 -> 1 -> 2 -> 3, after: 0 -> new -> 1 -> 3; box 2 is gone.
  FlowGraph before{{{80, 30}, {80, 30}, {80, 30}, {80, 30}}, {{0, 1}, {1, 2}, {2, 3}}};
  FlowGraph after{{{80, 30}, {90, 30}, {120, 30}, {80, 30}}, {{0, 1}, {1, 2}, {2, 3}}};
  const MergedLayout merged = LayOutMerged(before, after, {0, kNoFlowBox, 1, 3});
  ASSERT_EQ(merged.before.corners.size(), 4u);
  ASSERT_EQ(merged.after.corners.size(), 4u);
  auto middle = [](const FlowLayout& layout, const FlowGraph& graph, uint32_t box) {
    return std::pair(layout.corners[box].x + graph.sizes[box].width / 2, layout.corners[box].y);
  };
  EXPECT_EQ(middle(merged.before, before, 0), middle(merged.after, after, 0));
  EXPECT_EQ(middle(merged.before, before, 1), middle(merged.after, after, 2));
  EXPECT_EQ(middle(merged.before, before, 3), middle(merged.after, after, 3));
  EXPECT_LT(merged.after.corners[0].y, merged.after.corners[1].y);
  EXPECT_LT(merged.after.corners[1].y, merged.after.corners[2].y);
  EXPECT_EQ(merged.before.height, merged.after.height);
  EXPECT_EQ(merged.before.routes.size(), 3u);
}

TEST(MergedLayoutTest, EmptySidesAndReorderedBoxes) {
  const MergedLayout nothing = LayOutMerged({}, {}, {});
  EXPECT_EQ(nothing.after.width, 0);
  const FlowGraph one{{{80, 30}}, {}};
  EXPECT_EQ(LayOutMerged(one, {}, {}).before.corners.size(), 1u);
  EXPECT_EQ(LayOutMerged({}, one, {kNoFlowBox}).after.corners.size(), 1u);
  const FlowGraph three{{{80, 30}, {80, 30}, {80, 30}}, {}};
  const MergedLayout turned = LayOutMerged(three, three, {2, 1, 0});
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(turned.before.corners[i].x, turned.after.corners[2 - i].x);
}

class ComparisonTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1400, 900);
    window().show();
    window().dock("changes")->show();
    window().dock("changes")->raise();
  }
  ChangesPanel* panel() { return window().panel<ChangesPanel>(); }
  ComparisonView* graphs() { return panel()->graphs(); }
  void Wait() {
    ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  }
  QPushButton* Button(const char* text) {
    for (QPushButton* button : panel()->findChildren<QPushButton*>()) {
      if (button->text() == QLatin1String(text)) return button;
    }
    return nullptr;
  }
  QPoint MiddleOf(Side side, uint32_t box) {
    GraphCanvas* canvas = graphs()->canvas(side);
    return canvas->ToScreen(canvas->graph().rect(box).center()).toPoint();
  }
  // Box of the instruction of that name.
  uint32_t Box(Side side, const std::string& name) {
    const VersionComparison& comparison = *graphs()->comparison();
    const Module& module = (side == Side::kBefore ? comparison.before : comparison.after).module();
    return graphs()->canvas(side)->graph().graph().BoxOf(FindByName(module, name));
  }
  QColor ColorOf(Side side, uint32_t box) { return graphs()->canvas(side)->look().fills[box]; }
  void CompareChains() {
    OpenText(ChainModule(10), "before.hlo");
    std::string after = ChainModule(10);
    after.insert(after.find("  x5 ="), "  fresh = f32[8,16] exponential(x4)\n");
    after.replace(after.find("negate(x4)"), 10, "negate(fresh)");
    after.replace(after.find("tanh(x8)"), 8, "sine(x8)");
    OpenText(after, "after.hlo");
    panel()->CompareWith(Path("before.hlo"));
    Wait();
  }
};

TEST_F(ComparisonTest, MatchedBoxesAreOppositeAndDifferencesAreColoured) {
  CompareChains();
  const Theme theme = Theme::For(window().palette());
  const uint32_t fresh = Box(Side::kAfter, "fresh");
  ASSERT_NE(fresh, kNoItem);
  EXPECT_EQ(ColorOf(Side::kAfter, fresh), ChangeFill(InstructionChange::kAdded, theme));
  EXPECT_EQ(ColorOf(Side::kAfter, Box(Side::kAfter, "y2")), ChangeFill(InstructionChange::kSame, theme));
  EXPECT_NE(ColorOf(Side::kAfter, Box(Side::kAfter, "x9")), ChangeFill(InstructionChange::kSame, theme));
  for (const char* name : {"x0", "x4", "y4", "y10", "result"}) {
    const QRectF a = graphs()->canvas(Side::kBefore)->graph().rect(Box(Side::kBefore, name));
    const QRectF b = graphs()->canvas(Side::kAfter)->graph().rect(Box(Side::kAfter, name));
    EXPECT_EQ(a.center(), b.center()) << name;
  }
}

TEST_F(ComparisonTest, ClicksShowTheCounterpartAndMoveTheSelection) {
  CompareChains();
  GraphCanvas *before = graphs()->canvas(Side::kBefore), *after = graphs()->canvas(Side::kAfter);
  before->CenterOn(before->graph().rect(Box(Side::kBefore, "y4")).center(), 1);
  // Both are moved together.
  EXPECT_LT((before->visible().center() - after->visible().center()).manhattanLength(), 2);
  QTest::mouseClick(before, Qt::LeftButton, {}, MiddleOf(Side::kBefore, Box(Side::kBefore, "y4")));
  EXPECT_EQ(before->look().selected, Box(Side::kBefore, "y4"));
  EXPECT_EQ(after->look().selected, Box(Side::kAfter, "y4"));
  EXPECT_EQ(window().selection()->instruction(), Find("y4"));
  // N and P go through the differences.
  after->setFocus();
  QTest::keyClick(after, Qt::Key_N);
  EXPECT_EQ(window().selection()->instruction(), Find("fresh"));
  EXPECT_EQ(before->look().selected, kNoItem);
  QTest::keyClick(after, Qt::Key_N);
  EXPECT_NE(window().selection()->instruction(), Find("fresh"));
  QTest::keyClick(after, Qt::Key_P);
  EXPECT_EQ(window().selection()->instruction(), Find("fresh"));
  after->ZoomBy(0.5, QPointF(10, 10));
  EXPECT_EQ(before->scale(), after->scale());
}

TEST_F(ComparisonTest, TheGraphPanelShowsTheChangesInColours) {
  CompareChains();
  GraphPane* pane = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !pane->laying_out(); }));
  pane->SetColoring(GraphColoring::kChanges);
  const Theme theme = Theme::For(window().palette());
  EXPECT_EQ(pane->canvas()->look().fills[pane->graph().BoxOf(Find("fresh"))],
            ChangeFill(InstructionChange::kAdded, theme));
  EXPECT_EQ(pane->legend()->entries(), ChangeLegend(theme));
  EXPECT_FALSE(pane->legend()->accessibleDescription().isEmpty());
  // Another file is not compared with anything.
  OpenText(kLoopModule, "other.hlo");
  ASSERT_TRUE(WaitUntil([&] { return !pane->laying_out(); }));
  ASSERT_EQ(pane->legend()->entries().size(), 1u);
  EXPECT_EQ(graphs()->comparison(), nullptr);
}

TEST_F(ComparisonTest, RewritesAreShownBesideTheModuleAppliedAndUndone) {
  OpenPath(QStringLiteral(":/examples/group_norm.hlo"));
  const QString text = window().text_view()->toPlainText();
  ASSERT_NE(Button("Preview"), nullptr);
  QTest::mouseClick(Button("Preview"), Qt::LeftButton);
  Wait();
  ASSERT_NE(graphs()->comparison(), nullptr) << panel()->summary().toStdString();
  EXPECT_FALSE(graphs()->canvas(Side::kBefore)->graph().empty());
  EXPECT_FALSE(graphs()->canvas(Side::kAfter)->graph().empty());
  const std::vector<QColor>& fills = graphs()->canvas(Side::kBefore)->look().fills;
  const Theme theme = Theme::For(window().palette());
  EXPECT_GT(std::count(fills.begin(), fills.end(), ChangeFill(InstructionChange::kRemoved, theme)), 0);
  ASSERT_GE(panel()->costs()->rowCount(), 8);
  EXPECT_EQ(panel()->costs()->item(1, 0)->text(), QStringLiteral("Bytes moved"));
  EXPECT_GT(panel()->costs()->item(1, 3)->text().toDouble(), 1);
  // Nothing is changed yet.
  EXPECT_EQ(window().text_view()->toPlainText(), text);
  QTest::mouseClick(panel()->apply_button(), Qt::LeftButton);
  ASSERT_TRUE(WaitUntil([&] { return !window().text_view()->updating(); }));
  EXPECT_NE(window().text_view()->toPlainText(), text);
  EXPECT_FALSE(window().selection()->document()->has_errors());
  EXPECT_FALSE(panel()->apply_button()->isEnabled());
  QTest::keyClick(window().text_view(), Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(WaitUntil([&] { return !window().text_view()->updating(); }));
  EXPECT_EQ(window().text_view()->toPlainText(), text);
}

TEST_F(ComparisonTest, ThePanelGetsTheWholeCentre) {
  CompareChains();
  auto* button = panel()->findChild<QToolButton*>(QStringLiteral("enlarge_changes"));
  ASSERT_NE(button, nullptr);
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(window().enlarged_dock(), window().dock("changes"));
  EXPECT_TRUE(panel()->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(window().enlarged_dock(), nullptr);
}

TEST_F(ComparisonTest, LargeComputationsAreShownAroundTheirDifferences) {
  OpenText(ChainModule(1500), "before.hlo");
  std::string after = ChainModule(1500);
  after.replace(after.find("negate(x700)"), 12, "cosine(x700)");
  OpenText(after, "after.hlo");
  panel()->CompareWith(Path("before.hlo"));
  Wait();
  const size_t drawn = graphs()->canvas(Side::kAfter)->graph().graph().boxes.size();
  EXPECT_GT(drawn, 4u);
  EXPECT_LT(drawn, 60u);
  EXPECT_TRUE(graphs()->note().contains(QStringLiteral("of 3"))) << graphs()->note().toStdString();
}

TEST_F(ComparisonTest, RealVersionsOfALargeModule) {
  SKIP_WITHOUT_SHARED_FILES();
  const std::string path = CorpusFile("xla-benchmarks/gemma4_2b_bf16.hlo");
  OpenPath(QString::fromStdString(path));
  StallMeter meter;
  panel()->CompareWith(QString::fromStdString(path));
  Wait();
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("No difference"))) << panel()->summary().toStdString();
  EXPECT_LT(meter.longest_work_ms(), 500);
}

}  // namespace
}  // namespace hloscope::gui
