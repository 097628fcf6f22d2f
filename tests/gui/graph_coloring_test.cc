// SPDX-License-Identifier: Apache-2.0
// What colours of boxes say, and that the picture stays where it is while its module is edited.
#include "gui/views/graph_coloring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QTest>
#include <QTextCursor>
#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

class GraphColoringTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1400, 900);
    window().show();
  }
  GraphPane* pane() { return window().graph_pane(); }
  void Settle() {
    ASSERT_TRUE(WaitUntil([&] { return !pane()->laying_out(); }));
  }
  QColor Fill(const char* name) { return pane()->canvas()->look().fills[pane()->graph().BoxOf(Find(name))]; }
  QColor LegendColor(const char* part) {
    for (const LegendEntry& entry : pane()->legend()->entries()) {
      if (entry.text.contains(QLatin1String(part))) return entry.color;
    }
    ADD_FAILURE() << part;
    return QColor();
  }
  // By keyboard, as somebody without a mouse would.
  void Choose(const char* coloring) {
    for (QComboBox* box : pane()->findChildren<QComboBox*>()) {
      if (box->findText(QLatin1String(coloring)) < 0) continue;
      box->setFocus();
      QTest::keyClick(box, Qt::Key_Home);
      for (int i = 0; i < box->findText(QLatin1String(coloring)); ++i) QTest::keyClick(box, Qt::Key_Down);
      return;
    }
    FAIL() << coloring;
  }
};

TEST_F(GraphColoringTest, ShardingsHaveColoursAndALegend) {
  OpenText(
      "HloModule m, num_partitions=4\nENTRY main {\n  a = f32[8,8] parameter(0), sharding={devices=[4,1]<=[4]}\n"
      "  b = f32[8,8] parameter(1), sharding={devices=[1,4]<=[4]}\n  c = f32[8,8] negate(a), "
      "sharding={devices=[4,1]<=[4]}\n  d = f32[8,8] add(c, b)\n  ROOT e = f32[8,8] negate(d), "
      "sharding={replicated}\n}\n");
  Settle();
  Choose("Sharding");
  EXPECT_EQ(Fill("a"), Fill("c"));
  EXPECT_NE(Fill("a"), Fill("b"));
  EXPECT_NE(Fill("e"), Fill("b"));
  EXPECT_EQ(Fill("a"), LegendColor("[4,1]"));
  EXPECT_EQ(Fill("b"), LegendColor("[1,4]"));
  EXPECT_EQ(Fill("e"), LegendColor("replicated"));
  EXPECT_EQ(Fill("d"), LegendColor("no sharding"));
  EXPECT_FALSE(pane()->legend()->isHidden());
  // The most frequent one comes first, with its number.
  EXPECT_TRUE(pane()->legend()->entries()[0].text.endsWith(QStringLiteral("(2)")));
}

TEST_F(GraphColoringTest, EveryColouringHasALegend) {
  OpenText(kNanModule);
  Settle();
  Trigger("run");
  for (const char* coloring : {"Operation", "FLOP", "Bytes", "Numbers", "Sharding", "Changes"}) {
    Choose(coloring);
    EXPECT_FALSE(pane()->legend()->entries().empty()) << coloring;
    EXPECT_FALSE(pane()->legend()->isHidden()) << coloring;
    EXPECT_GT(pane()->legend()->height(), 8) << coloring;
  }
  Choose("Numbers");
  EXPECT_EQ(Fill("bad"), LegendColor("NaN"));
  EXPECT_EQ(Fill("good"), LegendColor("finite"));
  // Without a document there is nothing to tell.
  Choose("FLOP");
  EXPECT_EQ(Fill("minus"), LegendColor("none"));
}

TEST_F(GraphColoringTest, ALegendInANarrowPanelIsCutNotSpread) {
  LegendView legend;
  std::vector<LegendEntry> entries;
  for (int i = 0; i < 40; ++i) entries.push_back({Qt::red, QStringLiteral("entry number %1").arg(i)});
  legend.SetEntries(entries);
  EXPECT_LE(legend.heightForWidth(200), LegendView::kMostRows * (legend.fontMetrics().height() + 4));
  EXPECT_TRUE(legend.toolTip().contains(QStringLiteral("entry number 39")));
  legend.SetEntries({});
  EXPECT_TRUE(legend.isHidden());
  EXPECT_EQ(legend.heightForWidth(200), 0);
}

// The places of boxes by the names of their instructions.
std::map<std::string, QPointF> Places(GraphPane* pane, const Module& module) {
  std::map<std::string, QPointF> places;
  for (uint32_t box = 0; box < pane->graph().boxes.size(); ++box) {
    const InstructionId id = pane->graph().boxes[box].instruction;
    places[std::string(module.InstructionName(id))] = pane->canvas()->graph().rect(box).topLeft();
  }
  return places;
}

TEST_F(GraphColoringTest, TypingAnInstructionMovesNothingAndKeepsTheView) {
  OpenText(ChainModule(400));  // 803 instructions: laid out by LayOutFlow
  pane()->SetScope(GraphPane::Scope::kWhole);
  Settle();
  TextView* text = window().text_view();
  const qsizetype at = text->toPlainText().indexOf(QStringLiteral("  x150 ="));
  QTextCursor cursor = text->textCursor();
  cursor.setPosition(static_cast<int>(at));
  text->setTextCursor(cursor);  // which selects x150
  Settle();
  const std::map<std::string, QPointF> before = Places(pane(), module());
  ASSERT_EQ(before.size(), 803u);
  const QPointF on_screen = pane()->canvas()->ToScreen(before.at("x150"));
  const double scale = pane()->canvas()->scale();
  QTest::keyClicks(text, QStringLiteral("  typed = f32[8,16] cosine(x149)"));
  QTest::keyClick(text, Qt::Key_Return);
  ASSERT_TRUE(WaitUntil([&] { return !text->updating() && Find("typed").has_value(); }));
  Settle();
  const std::map<std::string, QPointF> after = Places(pane(), module());
  ASSERT_EQ(after.size(), 804u);
  size_t moved = 0;
  for (const auto& [name, place] : before) {
    const QPointF now = after.at(name);
    moved += std::hypot(now.x() - place.x(), now.y() - place.y()) > 50.01;
  }
  EXPECT_LE(moved, before.size() / 100);
  // The eye stays where it was.
  EXPECT_EQ(pane()->canvas()->scale(), scale);
  EXPECT_LT((pane()->canvas()->ToScreen(after.at("x150")) - on_screen).manhattanLength(), 60 * scale + 1);
}

TEST_F(GraphColoringTest, OpenGroupsStayOpenWhenTheTextIsEdited) {
  OpenText(kLoopModule);
  Settle();
  pane()->Toggle(pane()->graph().BoxOf(Find("final")));
  Settle();
  const size_t boxes = pane()->graph().boxes.size();
  ASSERT_GT(boxes, 6u);
  TextView* text = window().text_view();
  QTextCursor cursor = text->textCursor();
  cursor.setPosition(static_cast<int>(text->toPlainText().indexOf(QStringLiteral("  zero ="))));
  text->setTextCursor(cursor);
  QTest::keyClicks(text, QStringLiteral("  more = f32[4] tanh(x)"));
  QTest::keyClick(text, Qt::Key_Return);
  ASSERT_TRUE(WaitUntil([&] { return !text->updating() && Find("more").has_value(); }));
  Settle();
  EXPECT_EQ(pane()->graph().boxes.size(), boxes + 1);
  EXPECT_NE(pane()->graph().boxes[pane()->graph().BoxOf(Find("final"))].inside, kNoItem);
}

}  // namespace
}  // namespace hloscope::gui
