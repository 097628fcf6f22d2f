// SPDX-License-Identifier: Apache-2.0
// The layout panel: the exact pictures, linked hover, and what moves.
#include "gui/panels/layout_panel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QScrollBar>
#include <QtTest/QTest>

#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

QString Memory(const char* shape, const char* padded, CellText text = CellText::kLetter) {
  const LayoutAnswer answer = AnswerLayout({QString::fromLatin1(shape), QString::fromLatin1(padded), {}, false, {}});
  EXPECT_TRUE(answer.from.has_value()) << answer.shape_problem.message.toStdString();
  if (!answer.from) return {};
  QStringList cells;
  for (const QString& cell : answer.from->MemoryTexts(0, text, QStringLiteral("."))) cells << cell;
  return cells.join(QLatin1Char(' '));
}

TEST(LayoutModelTest, ExactPicturesOfTheDocumentation) {
  EXPECT_EQ(Memory("f32[2,3]{1,0}", ""), QStringLiteral("a b c d e f"));
  EXPECT_EQ(Memory("f32[2,3]{0,1}", ""), QStringLiteral("a d b e c f"));
  EXPECT_EQ(Memory("f32[2,3]{0,1}", "3,5"), QStringLiteral("a d . b e . c f . . . . . . ."));
  EXPECT_EQ(Memory("f32[2,3]{1,0}", "3,5"), QStringLiteral("a b c . . d e f . . . . . . ."));
  EXPECT_EQ(Memory("f32[3,5]{1,0:T(2,2)}", ""), QStringLiteral("a b f g c d h i e . j . k l . . m n . . o . . ."));
  EXPECT_EQ(Memory("f32[2,2]{0,1}", "4,3"), QStringLiteral("a c . . b d . . . . . ."));  // docs/ops/tensor.md 12.3
}

TEST(LayoutModelTest, PackedPairsOfRowsAreNeighbours) {
  const LayoutAnswer answer = AnswerLayout({QStringLiteral("bf16[10,200]{1,0:T(8,128)(2,1)}"), {}, {}, false, {}});
  ASSERT_TRUE(answer.from.has_value());
  const LayoutPicture& picture = *answer.from;
  EXPECT_EQ(picture.TextOf(picture.NumberOf({3, 5}), CellText::kAddress), QStringLiteral("267"));
  EXPECT_EQ(picture.TextOf(picture.NumberOf({9, 130}), CellText::kAddress), QStringLiteral("3077"));
  EXPECT_EQ(picture.TextOf(picture.NumberOf({0, 7}), CellText::kAddress), QStringLiteral("14"));
  EXPECT_EQ(picture.TextOf(picture.NumberOf({1, 7}), CellText::kAddress), QStringLiteral("15"));
  EXPECT_EQ(picture.layout().physical_bytes(), 8192);
  EXPECT_EQ(picture.tile_cells(), 2);
  EXPECT_EQ(picture.AddressOf(picture.MemoryCell(267)), 267);
  EXPECT_EQ(picture.IndexOf(picture.NumberOf({9, 199})), PhysicalLayout::Index({9, 199}));
}

TEST(LayoutModelTest, LettersGoOnBehindZ) {
  EXPECT_TRUE(Memory("f32[28]", "").endsWith(QStringLiteral("y z aa ab")));
  EXPECT_EQ(Memory("f32[]", "", CellText::kIndex), QStringLiteral("()"));
  EXPECT_EQ(Memory("f32[0,3]", ""), QString());
}

TEST(LayoutModelTest, MovementsAndWhatWouldBeFree) {
  LayoutAnswer a = AnswerLayout({QStringLiteral("f32[2,3]{0,1}"), {}, QStringLiteral("f32[6]{0}"), false, {}});
  ASSERT_TRUE(a.relayout.has_value());
  EXPECT_FALSE(a.relayout->is_free);
  EXPECT_EQ(a.relayout->moved_elements, 4);
  EXPECT_TRUE(a.movement.contains(QStringLiteral("4 of 6"))) << a.movement.toStdString();
  EXPECT_FALSE(a.Moves(0));
  EXPECT_TRUE(a.Moves(1));
  EXPECT_TRUE(a.free_shape.isEmpty());
  a = AnswerLayout({QStringLiteral("f32[4,6]{0,1}"), {}, QStringLiteral("f32[4,2,3]{2,1,0}"), false, {}});
  EXPECT_EQ(a.free_shape, QStringLiteral("f32[4,2,3]{0,2,1}"));
  a = AnswerLayout({QStringLiteral("f32[2,3]{1,0}"), {}, QStringLiteral("f32[3,2]{0,1}"), true, QStringLiteral("1,0")});
  ASSERT_TRUE(a.relayout.has_value());
  EXPECT_TRUE(a.relayout->is_free);
  EXPECT_EQ(a.NumberThere(1), 2);
  EXPECT_EQ(a.NumberHere(2), 1);
  EXPECT_FALSE(a.Moves(1));
}

TEST(LayoutModelTest, ProblemsNameTheFieldAndThePlace) {
  const auto ask = [](const char* shape, const char* padded, const char* to, bool transpose, const char* permutation) {
    return AnswerLayout({QString::fromLatin1(shape), QString::fromLatin1(padded), QString::fromLatin1(to), transpose,
                         QString::fromLatin1(permutation)});
  };
  LayoutAnswer a = ask("f32[2,x]", "", "", false, "");
  EXPECT_FALSE(a.from);
  EXPECT_FALSE(a.shape_problem.message.isEmpty());
  EXPECT_EQ(a.shape_problem.begin, 6);
  EXPECT_FALSE(ask("", "", "", false, "").from);
  EXPECT_FALSE(ask("(f32[2], f32[3])", "", "", false, "").from);
  a = ask("f32[2,3]{0,0}", "", "", false, "");
  EXPECT_FALSE(a.shape_problem.message.isEmpty());
  a = ask("f32[2,3]", "1,3", "", false, "");
  EXPECT_FALSE(a.from);
  EXPECT_FALSE(a.padded_problem.message.isEmpty());
  EXPECT_TRUE(a.shape_problem.message.isEmpty());
  EXPECT_FALSE(ask("f32[2,3]", "3,y", "", false, "").padded_problem.message.isEmpty());
  EXPECT_FALSE(ask("f32[2,3]", "{3,4", "", false, "").padded_problem.message.isEmpty());
  EXPECT_FALSE(ask("f32[2,3]", "", "f32[7]", false, "").to_problem.message.isEmpty());
  EXPECT_FALSE(ask("f32[2,3]", "", "f32[3,2]", true, "0,0").permutation_problem.message.isEmpty());
  EXPECT_FALSE(ask("f32[2,3]", "", "f32[3,2]", true, "q").permutation_problem.message.isEmpty());
  EXPECT_FALSE(ask("f32[2,3]", "", "f32[2,2]", true, "1,0").to_problem.message.isEmpty());
}

class LayoutPanelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    panel_.resize(900, 600);
    panel_.show();
  }
  void Type(QLineEdit* field, const char* text) {
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QString::fromLatin1(text));
  }
  static int Marked(CellGridView* view, CellGridView::Mark kind) {
    int count = 0;
    for (int64_t row = 0; row < view->grid().rows; ++row) {
      for (int64_t column = 0; column < view->grid().columns; ++column) count += view->MarkOf({row, column}) == kind;
    }
    return count;
  }
  LayoutPanel panel_{nullptr};
};

TEST_F(LayoutPanelTest, TypingAShapeShowsItAndWhatIsWrongWithIt) {
  Type(panel_.shape_field(), "f32[2,3]{0,1}");
  ASSERT_TRUE(panel_.answer().from.has_value());
  EXPECT_EQ(panel_.array_view()->grid().rows, 2);
  EXPECT_TRUE(panel_.facts_text().contains(QStringLiteral("24 bytes")));
  EXPECT_TRUE(panel_.problem_text().isEmpty());
  Type(panel_.shape_field(), "f32[2,3]{0,2}");
  EXPECT_FALSE(panel_.problem_text().isEmpty());
  EXPECT_EQ(panel_.array_view()->grid().rows, 0);
  panel_.grab();
}

TEST_F(LayoutPanelTest, HoverIsLinkedInBothDirections) {
  Type(panel_.shape_field(), "f32[2,3]{0,1}");
  panel_.text_box()->setCurrentIndex(static_cast<int>(CellText::kLetter));
  CellGridView *array = panel_.array_view(), *memory = panel_.memory_view();
  QTest::mouseMove(array->viewport(), array->RectOf({1, 0}).center());  // d
  QMouseEvent move(QEvent::MouseMove, QPointF(array->RectOf({1, 0}).center()), QPointF(), Qt::NoButton, Qt::NoButton,
                   {});
  QCoreApplication::sendEvent(array->viewport(), &move);
  EXPECT_EQ(memory->MarkOf({0, 1}), CellGridView::Mark::kResult);
  EXPECT_EQ(Marked(memory, CellGridView::Mark::kResult), 1);
  QMouseEvent back(QEvent::MouseMove, QPointF(memory->RectOf({0, 2}).center()), QPointF(), Qt::NoButton, Qt::NoButton,
                   {});
  QCoreApplication::sendEvent(memory->viewport(), &back);  // b
  EXPECT_EQ(array->MarkOf({0, 1}), CellGridView::Mark::kResult);
  EXPECT_EQ(array->MarkOf({1, 0}), CellGridView::Mark::kNone);
  // Keys do what the mouse does.
  array->setFocus();
  QTest::mouseClick(array->viewport(), Qt::LeftButton, {}, array->RectOf({0, 0}).center());
  QTest::keyClick(array, Qt::Key_Right);
  EXPECT_EQ(memory->current(), (CellGridView::Cell{0, 2}));
}

TEST_F(LayoutPanelTest, ReorderingDimensionsChangesTheLayout) {
  Type(panel_.shape_field(), "f32[2,3]{1,0}");
  panel_.order_list()->setCurrentRow(1);  // dimension 0
  for (QToolButton* button : panel_.findChildren<QToolButton*>()) {
    if (button->accessibleName().contains(QStringLiteral("faster"))) QTest::mouseClick(button, Qt::LeftButton);
  }
  EXPECT_EQ(panel_.shape_field()->text(), QStringLiteral("f32[2,3]{0,1}"));
  EXPECT_EQ(panel_.order_list()->currentRow(), 0);
  EXPECT_EQ(panel_.memory_view()->grid().look({0, 1}).text, QStringLiteral("(1,0)"));
}

TEST_F(LayoutPanelTest, FactsAreInViewInAPanelOfUsualSize) {
  panel_.resize(760, 520);
  panel_.show();
  panel_.Ask({QStringLiteral("f32[2,3]{0,1}"), {}, {}, false, {}});
  WaitUntil([] { return false; }, 50);
  EXPECT_EQ(panel_.verticalScrollBar()->maximum(), 0);
}

TEST_F(LayoutPanelTest, PaddingTransposesAndExamples) {
  for (int row = 1; row < panel_.example_box()->count(); ++row) {
    panel_.example_box()->setCurrentIndex(row);
    Q_EMIT panel_.example_box()->activated(row);
    EXPECT_TRUE(panel_.problem_text().isEmpty()) << panel_.problem_text().toStdString();
    panel_.grab();
  }
  Type(panel_.shape_field(), "f32[2,3]{0,1}");
  Type(panel_.padded_field(), "3,5");
  EXPECT_TRUE(panel_.memory_view()->grid().look({0, 2}).hatched);
  EXPECT_TRUE(panel_.facts_text().contains(QStringLiteral("T(5,3)"))) << panel_.facts_text().toStdString();
  Type(panel_.padded_field(), " ");
  Type(panel_.to_field(), "f32[6]{0}");
  EXPECT_FALSE(panel_.other_memory_view()->parentWidget()->isHidden());
  EXPECT_EQ(Marked(panel_.other_memory_view(), CellGridView::Mark::kMoved), 4);
  EXPECT_TRUE(panel_.movement_text().contains(QStringLiteral("not free")));
  // Packed elements say which bits they have.
  Type(panel_.to_field(), " ");
  Type(panel_.shape_field(), "s4[6]{0:E(4)}");
  EXPECT_TRUE(panel_.memory_view()->grid().tool_tip({0, 3}).contains(QStringLiteral("byte 1, bit 4")));
}

TEST(LayoutPanelSelectionTest, FollowsTransposesOfTheModule) {
  Selection selection;
  const auto document = ParseText(
      "HloModule m\nENTRY e {\n  x = f32[2,3]{1,0} parameter(0)\n  y = f32[3,2]{1,0} transpose(x), dimensions={1,0}\n"
      "  ROOT t = (f32[3,2]{1,0}) tuple(y)\n}\n");
  LayoutPanel panel(&selection);
  selection.SetDocument(document, false);
  selection.SelectInstruction(FindByName(document->module(), "y"));
  EXPECT_EQ(panel.shape_field()->text(), QStringLiteral("f32[2,3]{1,0}"));
  EXPECT_EQ(panel.to_field()->text(), QStringLiteral("f32[3,2]{1,0}"));
  EXPECT_EQ(panel.permutation_field()->text(), QStringLiteral("1,0"));
  EXPECT_TRUE(panel.movement_text().contains(QStringLiteral("transpose is not free")));
  selection.SelectInstruction(FindByName(document->module(), "t"));  // a tuple has no one layout: the last stays
  EXPECT_EQ(panel.shape_field()->text(), QStringLiteral("f32[2,3]{1,0}"));
  panel.follow_box()->setChecked(false);
  selection.SelectInstruction(FindByName(document->module(), "x"));
  EXPECT_EQ(panel.to_field()->text(), QStringLiteral("f32[3,2]{1,0}"));
}

// However many cells there are, all of them can be seen at once.
TEST(CellGridViewTest, FitsCellsThatAreSmallerThanAPixel) {
  CellGridView view;
  view.resize(340, 300);
  view.show();
  CellGridView::Grid grid;
  grid.rows = 24;
  grid.columns = 384;
  grid.look = [](CellGridView::Cell cell) {
    return CellGridView::Look{QString(), cell.column < 192 ? QColor(Qt::red) : QColor(Qt::blue), false};
  };
  view.SetGrid(grid);
  view.FitAll();
  EXPECT_EQ(view.horizontalScrollBar()->maximum(), 0);
  EXPECT_EQ(view.verticalScrollBar()->maximum(), 0);
  const QRect last = view.RectOf({23, 383});
  EXPECT_LE(last.right(), view.viewport()->width());
  EXPECT_GE(last.right(), view.viewport()->width() * 3 / 4);
  const QImage image = view.viewport()->grab().toImage();
  EXPECT_EQ(image.pixelColor(view.RectOf({2, 90}).topLeft()), QColor(Qt::red));
  EXPECT_EQ(image.pixelColor(view.RectOf({2, 300}).topLeft()), QColor(Qt::blue));
  EXPECT_NEAR(static_cast<double>(view.CellAt(last.center())->row), 23, 1);  // they share a pixel
  // Larger cells are a whole number of pixels.
  view.SetZoom(1);
  EXPECT_EQ(view.RectOf({0, 0}).width(), view.RectOf({0, 1}).width());
}

}  // namespace
}  // namespace hloscope::gui
