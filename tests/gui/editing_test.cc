// SPDX-License-Identifier: Apache-2.0
// The text as an editor: completion, replacing; and what lasts: bookmarks with notes, lines that open a place.
#include <gtest/gtest.h>

#include <QFile>
#include <QFileInfo>
#include <QStatusBar>
#include <QTest>

#include "gui/models/bookmarks.h"
#include "gui/panels/bookmarks_panel.h"
#include "gui/views/marked_scroll_bar.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

class EditingTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1280, 800);
    window().show();
    window().SetDiscardAnswer(QMessageBox::Discard);
    OpenText(kLoopModule);
    window().text_view()->setFocus();
  }
  TextView* text() { return window().text_view(); }
  void PutCursor(const char* before) {
    QTextCursor cursor = text()->textCursor();
    cursor.setPosition(static_cast<int>(text()->toPlainText().indexOf(QLatin1String(before))));
    text()->setTextCursor(cursor);
  }
};

TEST_F(EditingTest, WordsAreCompletedAsTheyAreTyped) {
  PutCursor("  zero =");
  QTest::keyClicks(text(), QStringLiteral("  fresh = f32[4] nega"));
  TextCompleter* completer = window().completer();
  ASSERT_TRUE(WaitUntil([&] { return !text()->updating() && completer->is_shown(); }));
  ASSERT_FALSE(completer->choices().empty());
  EXPECT_EQ(completer->choices()[0].label, "negate");
  completer->Choose(0);
  EXPECT_FALSE(completer->is_shown());
  EXPECT_TRUE(text()->toPlainText().contains(QStringLiteral("fresh = f32[4] negate")))
      << text()->toPlainText().toStdString();
  // One step back takes it away again, and Escape closes the list.
  ASSERT_TRUE(WaitUntil([&] { return !text()->updating(); }));
  completer->Trigger();
  QTest::keyClick(text(), Qt::Key_Escape);
  EXPECT_FALSE(completer->is_shown());
  window().action("undo")->trigger();
  EXPECT_FALSE(text()->toPlainText().contains(QStringLiteral("f32[4] negate\n")));
}

TEST_F(EditingTest, TextIsReplacedOnceOrEverywhereAndTakenBack) {
  auto* bar = window().findChild<FindBar*>();
  bar->Activate();
  bar->pattern()->setText(QStringLiteral("doubled"));
  bar->replacement()->setText(QStringLiteral("twice"));
  ASSERT_TRUE(bar->FindNext());
  EXPECT_TRUE(bar->Replace());
  EXPECT_EQ(text()->toPlainText().count(QStringLiteral("twice")), 1);
  EXPECT_EQ(bar->ReplaceAll(), 1);
  EXPECT_EQ(text()->toPlainText().count(QStringLiteral("twice")), 2);
  EXPECT_EQ(bar->ReplaceAll(), 0);
  bar->SetMode(FindBar::Mode::kPattern);
  bar->pattern()->setText(QStringLiteral("next_(\\w+)"));
  bar->replacement()->setText(QStringLiteral("\\1_after"));
  EXPECT_EQ(bar->ReplaceAll(), 2);
  EXPECT_TRUE(text()->toPlainText().contains(QStringLiteral("i_after = s32[] add")));
  window().action("undo")->trigger();
  EXPECT_EQ(text()->toPlainText().count(QStringLiteral("next_i")), 2);
  bar->pattern()->setText(QStringLiteral("x*"));
  bar->ReplaceAll();  // finds nothing in many places, and ends
  bar->pattern()->setText(QStringLiteral("["));
  EXPECT_EQ(bar->ReplaceAll(), 0);
}

TEST_F(EditingTest, BookmarksKeepTheirNotesAcrossStarts) {
  const QString folder = Path("bookmarks");
  {
    BookmarkModel model(window().selection(), window().workspace(), folder);
    window().workspace()->Reload();
    ASSERT_TRUE(WaitUntil([&] { return !window().workspace()->loading(); }));
    model.Toggle(Find("doubled"));
    model.Toggle(Find("negated"));
    model.Toggle(Find("negated"));  // and away
    ASSERT_TRUE(model.setData(model.index(0, BookmarkModel::kNote), QStringLiteral("grows: why?"), Qt::EditRole));
    ASSERT_EQ(model.Export(Path("notes.txt")), QString());
    EXPECT_FALSE(model.Export(Path("no/such/folder/notes.txt")).isEmpty());
  }
  BookmarkModel again(window().selection(), window().workspace(), folder);
  window().workspace()->Reload();
  ASSERT_TRUE(WaitUntil([&] { return again.rowCount() == 1; }));
  EXPECT_EQ(again.bookmarks()[0].note, QStringLiteral("grows: why?"));
  EXPECT_EQ(again.InstructionAt(0), Find("doubled"));
  EXPECT_TRUE(again.Has(Find("doubled")));
  QFile notes(Path("notes.txt"));
  ASSERT_TRUE(notes.open(QIODevice::ReadOnly));
  EXPECT_TRUE(notes.readAll().endsWith("body::doubled: grows: why?\n"));
  // Another file has its own; one whose instruction is gone says so.
  OpenText("HloModule other\nENTRY e { ROOT a = f32[] parameter(0) }\n", "other.hlo");
  EXPECT_EQ(again.rowCount(), 0);
}

TEST_F(EditingTest, ALineOpensThePlaceAgain) {
  window().selection()->SelectInstruction(Find("doubled"));
  const QString line = window().LineOfView();
  const QString place = QFileInfo(Path("module.hlo")).absoluteFilePath() + QStringLiteral(":16");
  EXPECT_TRUE(line.startsWith(QStringLiteral("hloscope-gui '%1'").arg(place))) << line.toStdString();
  MainWindow second;
  second.OpenPlace(place);
  ASSERT_TRUE(WaitUntil([&] { return !second.workspace()->loading(); }));
  EXPECT_EQ(second.selection()->module().InstructionName(second.selection()->instruction()), "doubled");
}

TEST_F(EditingTest, OperandsAreSaidAsTheyAreTyped) {
  OpenText("HloModule m\nENTRY e {\n  x = f32[2,3] parameter(0)\n  ROOT y = f32[2,3] negate(x)\n}\n");
  text()->setFocus();
  QTextCursor cursor = text()->textCursor();
  cursor.setPosition(text()->PositionOf(0) + text()->toPlainText().indexOf(QStringLiteral("  ROOT")));
  text()->setTextCursor(cursor);
  QTest::keyClicks(text(), QStringLiteral("  z = f32[2,3] add"));
  EXPECT_FALSE(window().signature_hint()->is_shown());
  QTest::keyClicks(text(), QStringLiteral("(x, "));
  ASSERT_TRUE(WaitUntil([&] { return window().signature_hint()->is_shown(); }));
  // The second operand is the one at the cursor.
  EXPECT_EQ(window().signature_hint()->text(), QStringLiteral("add(a: f32[2,3], <b>b</b>) -&gt; f32[2,3]"));
  QTest::keyClick(text(), Qt::Key_Escape);
  EXPECT_FALSE(window().signature_hint()->is_shown());
  window().action("signature")->trigger();
  ASSERT_TRUE(WaitUntil([&] { return window().signature_hint()->is_shown(); }));
  // Elsewhere there is nothing to say.
  cursor.setPosition(0);
  text()->setTextCursor(cursor);
  EXPECT_FALSE(window().signature_hint()->is_shown());
}

TEST_F(EditingTest, TheScrollBarShowsProblemsBreakpointsAndTheNextInstruction) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "  a" + std::to_string(i) + " = f32[2] add(x, x)\n";
  OpenText("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n" + lines + "  ROOT y = f32[2] negate(x)\n}\n");
  const MarkedScrollBar* bar = text()->marked_bar();
  window().session()->ToggleBreakpoint(Find("a50"));
  Trigger("step_over");
  const Theme theme = Theme::For(text()->palette());
  const auto has = [&](int line, const QColor& color) {
    const auto& marks = bar->marks();
    return std::find(marks.begin(), marks.end(), MarkedScrollBar::Mark{line, color}) != marks.end();
  };
  EXPECT_TRUE(has(53, theme.breakpoint));
  const Document& document = *window().selection()->document();
  ASSERT_TRUE(window().session()->current().has_value());
  const SourceRange next = document.InstructionRange(window().session()->current());
  EXPECT_TRUE(has(static_cast<int>(document.source().LineColumnAt(next.begin).line), theme.current));
  // Half of the way down, in its colour.
  const QRect at = bar->RectOf(53);
  EXPECT_NEAR(at.center().y(), bar->height() / 2, bar->height() / 10);
  EXPECT_EQ(const_cast<MarkedScrollBar*>(bar)->grab().toImage().pixelColor(at.center()), theme.breakpoint);
  OpenText("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] foo(x)\n}\n");
  EXPECT_TRUE(has(3, theme.error));
  EXPECT_FALSE(has(53, theme.breakpoint));
}

TEST_F(EditingTest, TheGutterShowsProblemsAndBookmarks) {
  using Mark = TextView::GutterMark;
  OpenText("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] negate(x)\n}\n");
  window().selection()->SelectInstruction(Find("x"));
  window().action("bookmark")->trigger();
  window().session()->ToggleBreakpoint(Find("y"));
  EXPECT_EQ(text()->GutterMarksOf(2), std::vector<Mark>{Mark::kBookmark});
  EXPECT_EQ(text()->GutterMarksOf(3), std::vector<Mark>{Mark::kBreakpoint});
  // They go along when lines are inserted.
  QTextCursor cursor(text()->document());
  cursor.insertText(QStringLiteral("// one\n// two\n"));
  ASSERT_TRUE(WaitUntil([&] { return text()->GutterMarksOf(4) == std::vector<Mark>{Mark::kBookmark}; }));
  EXPECT_TRUE(text()->GutterMarksOf(2).empty());
  window().action("bookmark")->trigger();
  EXPECT_TRUE(text()->GutterMarksOf(4).empty());
  window().session()->ToggleBreakpoint(Find("y"));
  OpenText("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] foo(x)\n}\n", "wrong.hlo");
  EXPECT_EQ(text()->GutterMarksOf(3), std::vector<Mark>{Mark::kError});
}

TEST_F(EditingTest, TheCounterOfProblemsLeadsToThem) {
  OpenText("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] foo(x)\n}\n");
  window().dock("diagnostics")->hide();
  QToolButton* counter = nullptr;
  for (QToolButton* button : window().statusBar()->findChildren<QToolButton*>()) {
    if (button->text().contains(QStringLiteral("error"))) counter = button;
  }
  ASSERT_NE(counter, nullptr);
  counter->click();
  EXPECT_TRUE(window().dock("diagnostics")->isVisible());
}

}  // namespace
}  // namespace hloscope::gui
