// SPDX-License-Identifier: Apache-2.0
// The graph panel under a person's hands: mouse, wheel, keys.
#include <gtest/gtest.h>

#include <QFile>
#include <QTest>
#include <QToolButton>

#include "absl/strings/str_cat.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

class GraphPanelTest : public ::testing::Test, public WindowTest {
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
  void OpenLoop() {
    OpenText(kLoopModule);
    Settle();
    ASSERT_FALSE(pane()->graph().empty());
  }
  InstructionId selected() { return window().selection()->instruction(); }
};

TEST_F(GraphPanelTest, ClicksSelectAndArrowKeysWalkAlongEdges) {
  OpenLoop();
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, BoxCenter(pane(), Find("negated")));
  EXPECT_EQ(selected(), Find("negated"));
  QTest::keyClick(canvas(), Qt::Key_Down);
  EXPECT_EQ(selected(), Find("initial"));
  QTest::keyClick(canvas(), Qt::Key_Up);
  EXPECT_EQ(selected(), Find("zero"));
  // The other operand's box is at the side.
  QTest::keyClick(canvas(), Qt::Key_Left);
  EXPECT_EQ(selected(), Find("negated"));
  QTest::keyClick(canvas(), Qt::Key_Right);
  EXPECT_EQ(selected(), Find("zero"));
}

TEST_F(GraphPanelTest, DoubleClickOpensALoopInPlaceAndItsHeadingClosesIt) {
  OpenLoop();
  const InstructionId loop = Find("final");
  QTest::mouseDClick(canvas(), Qt::LeftButton, {}, BoxCenter(pane(), loop));
  Settle();
  EXPECT_EQ(pane()->graph().boxes.size(), 8u);
  const uint32_t box = pane()->graph().BoxOf(loop);
  ASSERT_NE(pane()->graph().boxes[box].inside, kNoItem);
  // The body inside of it, by keyboard.
  canvas()->look().selected = 7;
  QTest::keyClick(canvas(), Qt::Key_Return);
  Settle();
  EXPECT_NE(pane()->graph().OwnBoxOf(Find("doubled")), kNoItem);
  // Selecting something inside keeps the picture.
  window().selection()->SelectInstruction(Find("doubled"));
  Settle();
  EXPECT_EQ(pane()->graph().computation, module().entry());
  const QPointF heading = canvas()->graph().rect(pane()->graph().BoxOf(loop)).topLeft() + QPointF(30, 8);
  canvas()->CenterOn(heading, 1);
  QTest::mouseDClick(canvas(), Qt::LeftButton, {}, canvas()->ToScreen(heading).toPoint());
  Settle();
  EXPECT_EQ(pane()->graph().boxes[pane()->graph().BoxOf(loop)].inside, kNoItem);
}

TEST_F(GraphPanelTest, EveryComputationShowsSomethingAndBackspaceLeadsBack) {
  OpenLoop();
  pane()->EnterComputation(Find("result"));  // calls nothing: nothing happens
  for (const char* name : {"not_done", "body", "main"}) {
    window().selection()->SelectComputation(module().FindComputation(name));
    Settle();
    EXPECT_FALSE(pane()->graph().empty()) << name;
    EXPECT_FALSE(pane()->note().isEmpty()) << name;
  }
  window().selection()->SelectComputation(module().FindComputation("body"));
  Settle();
  QTest::keyClick(canvas(), Qt::Key_Backspace);
  Settle();
  EXPECT_EQ(pane()->graph().computation, module().entry());
  EXPECT_EQ(selected(), Find("final"));
}

// Layers "block_0" to "block_7" of three instructions each, and what comes of them.
std::string BlocksModule() {
  std::string text = "HloModule blocks\nENTRY main {\n  x = f32[8] parameter(0)\n";
  std::string at = "x";
  for (int block = 0; block < 8; ++block) {
    for (const char* opcode : {"negate", "tanh", "exponential"}) {
      const std::string next = absl::StrCat(opcode, block);
      absl::StrAppend(&text, "  ", next, " = f32[8] ", opcode, "(", at, "), metadata={op_name=\"jit(f)/block_", block,
                      "/", opcode, "\"}\n");
      at = next;
    }
  }
  return absl::StrCat(text, "  ROOT r = f32[8] abs(", at, ")\n}\n");
}

TEST_F(GraphPanelTest, GroupsThatAStopOpenedCloseWhenItGoesOn) {
  OpenText(BlocksModule());
  pane()->SetScope(GraphPane::Scope::kGroups);
  Settle();
  const auto is_seen = [&](const char* name) { return pane()->graph().OwnBoxOf(Find(name)) != kNoItem; };
  const auto go = [&](const char* name) {
    window().selection()->SelectInstruction(Find(name));
    Settle();
  };
  go("r");
  const size_t closed = pane()->graph().boxes.size();
  ASSERT_FALSE(is_seen("tanh3"));
  // A stop opens the layers and the layer that it is in; the next one closes that again.
  window().session()->ToggleBreakpoint(Find("tanh3"));
  window().session()->ToggleBreakpoint(Find("tanh5"));
  Trigger("run");
  Settle();
  EXPECT_TRUE(is_seen("tanh3") && is_seen("negate3"));
  Trigger("step_over");
  Settle();
  EXPECT_TRUE(is_seen("tanh3"));  // the same layer
  Trigger("run");
  Settle();
  EXPECT_TRUE(is_seen("tanh5"));
  EXPECT_FALSE(is_seen("tanh3"));
  EXPECT_FALSE(canvas()->visible().intersected(canvas()->graph().rect(pane()->graph().BoxOf(selected()))).isEmpty());
  Trigger("run");
  Settle();
  EXPECT_EQ(selected(), Find("r"));
  EXPECT_EQ(pane()->graph().boxes.size(), closed);

  // What somebody clicks into stays.
  go("tanh2");
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, BoxCenter(pane(), Find("exponential2")));
  go("tanh6");
  EXPECT_TRUE(is_seen("tanh2") && is_seen("tanh6"));
  go("r");
  EXPECT_TRUE(is_seen("tanh2"));
  EXPECT_FALSE(is_seen("tanh6"));
  // And so does what somebody has opened, until he closes it.
  const uint32_t block = pane()->graph().BoxOf(Find("tanh4"));
  pane()->Toggle(block);
  Settle();
  go("tanh4");
  go("r");
  EXPECT_TRUE(is_seen("tanh4"));
  const uint32_t open = pane()->graph().levels[pane()->graph().boxes[pane()->graph().BoxOf(Find("tanh4"))].level].box;
  pane()->Toggle(open);
  Settle();
  EXPECT_FALSE(is_seen("tanh4"));
  go("tanh4");
  go("r");
  EXPECT_FALSE(is_seen("tanh4"));
}

TEST_F(GraphPanelTest, WheelZoomsUnderTheCursorAndDraggingPans) {
  OpenLoop();
  const QPointF at(200, 150);
  const QPointF before = canvas()->ToGraph(at);
  const double scale = canvas()->scale();
  QWheelEvent wheel(at, canvas()->mapToGlobal(at), QPoint(), QPoint(0, 240), Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(canvas(), &wheel);
  EXPECT_GT(canvas()->scale(), scale * 1.2);
  EXPECT_LT((canvas()->ToGraph(at) - before).manhattanLength(), 0.01);
  const QPointF corner = canvas()->visible().topLeft();
  QTest::mousePress(canvas(), Qt::LeftButton, {}, QPoint(300, 200));
  QTest::mouseMove(canvas(), QPoint(330, 230));
  QTest::mouseMove(canvas(), QPoint(360, 260));
  QTest::mouseRelease(canvas(), Qt::LeftButton, {}, QPoint(360, 260));
  EXPECT_LT(canvas()->visible().left(), corner.x());
  QTest::keyClick(canvas(), Qt::Key_0);
  EXPECT_TRUE(canvas()->visible().contains(canvas()->graph().bounds()));
  // And everything stays in view while nobody moves it.
  window().resize(1000, 600);
  EXPECT_TRUE(canvas()->visible().contains(canvas()->graph().bounds()));
  QTest::keyClick(canvas(), Qt::Key_Plus);
  QTest::keyClick(canvas(), Qt::Key_Plus);
  const double zoomed = canvas()->scale();
  window().resize(1400, 900);
  EXPECT_EQ(canvas()->scale(), zoomed);
}

TEST_F(GraphPanelTest, FitStaysOnUntilSomebodyZooms) {
  OpenText(ChainModule(60));
  Settle();
  const auto everything = [&] { return canvas()->visible().contains(canvas()->graph().bounds()); };
  ASSERT_FALSE(everything());
  // What does not fit begins where its texts can be read.
  EXPECT_GE(canvas()->scale(), GraphCanvas::kNearScale);
  auto* fit = window().findChild<QToolButton*>(QStringLiteral("fit"));
  fit->click();
  EXPECT_TRUE(fit->isChecked());
  EXPECT_TRUE(everything());
  // Neither another selection, size nor module ends that.
  window().selection()->SelectInstruction(module().computation(module().entry()).root);
  Settle();
  EXPECT_TRUE(everything());
  window().resize(900, 620);
  EXPECT_TRUE(everything());
  OpenText(ChainModule(90), "longer.hlo");
  Settle();
  EXPECT_TRUE(everything());
  EXPECT_TRUE(fit->isChecked());
  QTest::keyClick(canvas(), Qt::Key_Plus);
  EXPECT_FALSE(fit->isChecked());
  EXPECT_FALSE(everything());
}

TEST_F(GraphPanelTest, ShiftClickMarksThePath) {
  OpenLoop();
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, BoxCenter(pane(), Find("x")));
  QTest::mouseClick(canvas(), Qt::LeftButton, Qt::ShiftModifier, BoxCenter(pane(), Find("result")));
  EXPECT_TRUE(pane()->note().contains(QStringLiteral("4 steps"))) << pane()->note().toStdString();
  EXPECT_EQ(canvas()->look().highlighted.size(), 5u);
  EXPECT_FALSE(pane()->ShowPath(Find("x"), Find("zero")));
  EXPECT_TRUE(pane()->note().contains(QStringLiteral("No path")));
}

TEST_F(GraphPanelTest, SearchMarksAndEnterGoesToTheNext) {
  OpenLoop();
  QTest::keyClicks(pane()->search(), QStringLiteral("shape:/^f32.4/"));
  EXPECT_EQ(canvas()->look().highlighted.size(), 3u);
  QTest::keyClick(pane()->search(), Qt::Key_Return);
  EXPECT_EQ(selected(), Find("x"));
  QTest::keyClick(pane()->search(), Qt::Key_Return);
  EXPECT_EQ(selected(), Find("negated"));
  pane()->search()->setText(QStringLiteral("/[/"));
  EXPECT_TRUE(pane()->note().contains(QStringLiteral("pattern")));
}

TEST_F(GraphPanelTest, ConstantsHideAndColoursFollowTheCost) {
  OpenLoop();
  pane()->SetConstantsHidden(true);
  Settle();
  EXPECT_EQ(pane()->graph().boxes.size(), 5u);
  pane()->SetColoring(GraphPane::Coloring::kFlops);
  ASSERT_EQ(canvas()->look().fills.size(), 5u);
  const QColor expensive = canvas()->look().fills[pane()->graph().BoxOf(Find("final"))];
  const QColor free = canvas()->look().fills[pane()->graph().BoxOf(Find("initial"))];
  EXPECT_NE(expensive, free);
  canvas()->grab();
}

TEST_F(GraphPanelTest, ExportsPicturesAndText) {
  OpenLoop();
  EXPECT_EQ(pane()->Export(Path("graph.svg")), QString());
  EXPECT_EQ(pane()->Export(Path("graph.png")), QString());
  EXPECT_EQ(pane()->Export(Path("graph.dot")), QString());
  EXPECT_FALSE(pane()->Export(Path("graph.xyz")).isEmpty());
  EXPECT_FALSE(pane()->Export(Path("no/such/folder/graph.svg")).isEmpty());
  QFile svg(Path("graph.svg"));
  ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
  EXPECT_TRUE(svg.readAll().contains("negated"));
  EXPECT_GT(QImage(Path("graph.png")).width(), 100);
  QFile dot(Path("graph.dot"));
  ASSERT_TRUE(dot.open(QIODevice::ReadOnly));
  const QByteArray text = dot.readAll();
  EXPECT_EQ(text.count("->"), 5);
}

TEST_F(GraphPanelTest, PicturesHoldNoControlCharacters) {
  OpenText(R"(HloModule m
ENTRY e {
  p = f32[4] parameter(0)
  ROOT c = f32[4] custom-call(p), custom_call_target="\033[31mX\302\233Y\342\200\256Z"
}
)");
  Settle();
  for (const char* name : {"controls.dot", "controls.svg"}) {
    ASSERT_EQ(pane()->Export(Path(name)), QString());
    QFile file(Path(name));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    EXPECT_TRUE(text.contains("[31mX")) << name;
    EXPECT_FALSE(text.contains("\x1b") || text.contains("\xC2\x9B") || text.contains("\xE2\x80\xAE")) << name;
  }
}

TEST_F(GraphPanelTest, LongEdgesAreStubsThatCanBeFollowed) {
  std::string text =
      "HloModule long\nENTRY main {\n  x0 = f32[4] parameter(0)\n  first = f32[4] negate(x0)\n  x1 = f32[4] "
      "exponential(first)\n";
  for (int i = 2; i < 600; ++i) {
    text += "  x" + std::to_string(i) + " = f32[4] negate(x" + std::to_string(i - 1) + ")\n";
  }
  text += "  ROOT last = f32[4] add(x599, first)\n}\n";
  OpenText(text);
  Settle();
  pane()->SetScope(GraphPane::Scope::kWhole);
  Settle();
  window().selection()->SelectInstruction(Find("last"));
  const uint32_t box = pane()->graph().BoxOf(Find("last"));
  const auto [begin, end] = canvas()->graph().StubsOf(box);
  ASSERT_GE(end - begin, 1u);
  canvas()->CenterOn(canvas()->graph().rect(box).center(), 1);
  const QRectF stub = GraphPainter::StubRect(canvas()->graph().rect(box), true);
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->ToScreen(stub.center()).toPoint());
  EXPECT_EQ(selected(), Find("first"));
  EXPECT_TRUE(canvas()->visible().contains(canvas()->graph().rect(pane()->graph().BoxOf(Find("first")))));
}

TEST_F(GraphPanelTest, TheLargestModuleOpensWithAnOverview) {
  SKIP_WITHOUT_SHARED_FILES();
  OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo")));
  Settle();
  const size_t boxes = pane()->graph().boxes.size();
  EXPECT_GT(boxes, 5u);
  EXPECT_LE(boxes, GraphPane::kOverviewBoxes);
  EXPECT_GT(canvas()->scale(), 0.2);
  // Any group opens, and what it holds is there.
  uint32_t group = kNoItem;
  for (uint32_t i = 0; i < boxes; ++i) {
    const VisibleGraph::Box& box = pane()->graph().boxes[i];
    if (box.openable && box.inside == kNoItem &&
        (group == kNoItem || box.members > pane()->graph().boxes[group].members)) {
      group = i;
    }
  }
  ASSERT_NE(group, kNoItem);
  pane()->Toggle(group);
  Settle();
  EXPECT_GT(pane()->graph().boxes.size(), boxes);
  pane()->SetScope(GraphPane::Scope::kWhole);
  Settle();
  EXPECT_EQ(pane()->graph().boxes.size(), pane()->graph().computation_size);
  canvas()->FitAll();
  canvas()->grab();
  EXPECT_FALSE(canvas()->MinimapRect().isValid());
  // Nor where nearly all of it is seen: the map would cover what it shows.
  canvas()->CenterOn(canvas()->graph().bounds().center(), canvas()->scale() * 1.08);
  EXPECT_FALSE(canvas()->MinimapRect().isValid());
  canvas()->CenterOn(canvas()->graph().bounds().center(), 0.5);
  EXPECT_TRUE(canvas()->MinimapRect().isValid());
  // A click into the map goes there.
  const QRectF before = canvas()->visible();
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->MinimapRect().topLeft() + QPoint(3, 3));
  EXPECT_FALSE(canvas()->visible().intersects(before));
}

TEST(GraphTitleTest, NumbersStayWholeOrGo) {
  const QFontMetrics metrics{QGuiApplication::font()};
  const auto shortened = [&](const QString& title, const QString& as_wide_as) {
    return GraphPainter::ShortTitle(metrics, title, metrics.horizontalAdvance(as_wide_as) + 1);
  };
  const QString title = QStringLiteral("decoder_block_12  (1 232)");
  EXPECT_EQ(shortened(title, title), title);
  const QString fits = shortened(title, QStringLiteral("decod_12 (1 232)"));
  EXPECT_TRUE(fits.startsWith(QStringLiteral("de"))) << fits.toStdString();
  EXPECT_TRUE(fits.contains(QChar(0x2026))) << fits.toStdString();
  EXPECT_TRUE(fits.endsWith(QStringLiteral(" (1 232)"))) << fits.toStdString();
  const QString tiny = shortened(title, QStringLiteral("d (1 232)"));
  EXPECT_FALSE(tiny.contains(QLatin1Char('('))) << tiny.toStdString();
  EXPECT_TRUE(tiny.startsWith(QLatin1Char('d'))) << tiny.toStdString();
  // Not a number: as other names.
  EXPECT_TRUE(
      shortened(QStringLiteral("jvp(long_name_of_a_model)"), QStringLiteral("jvp(model)")).contains(QChar(0x2026)));
}

}  // namespace
}  // namespace hloscope::gui
