// SPDX-License-Identifier: Apache-2.0
// Opening files and selecting in each view.
#include <gtest/gtest.h>

#include <QMimeData>
#include <QTreeView>

#include "absl/strings/str_cat.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

class GuiWindowTest : public ::testing::Test, public WindowTest {
 protected:
  // Every view shows the instruction as selected.
  void ExpectSelectedEverywhere(InstructionId id) {
    Selection* selection = window().selection();
    ASSERT_EQ(selection->instruction(), id);
    const QString name = QString::fromStdString(std::string(module().InstructionName(id)));
    PropertyModel* properties = window().properties_panel()->model();
    EXPECT_EQ(properties->Find(QStringLiteral("Name")).siblingAtColumn(1).data().toString(), name);
    TextView* text = window().text_view();
    EXPECT_EQ(text->InstructionOnLine(text->textCursor().blockNumber()), id);
    const QModelIndex row = window().computations_panel()->list()->currentIndex();
    EXPECT_EQ(row.siblingAtColumn(0).data().toString().toStdString(),
              module().ComputationName(module().instruction(id).computation));
    ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
    EXPECT_NE(window().graph_pane()->graph().BoxOf(id), VisibleGraph::kNone);
  }
};

TEST_F(GuiWindowTest, ShowsAModule) {
  OpenText(kLoopModule);
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  EXPECT_EQ(window().graph_pane()->graph().boxes.size(), 6u);
  EXPECT_EQ(window().text_view()->toPlainText(), QString::fromLatin1(kLoopModule));
  EXPECT_TRUE(window().windowTitle().contains(QStringLiteral("module.hlo")));
  EXPECT_TRUE(window().windowTitle().contains(QStringLiteral("loop")));
  EXPECT_EQ(window().diagnostics_panel()->model()->rowCount(), 0);
}

TEST_F(GuiWindowTest, SelectingInTheTextSelectsEverywhere) {
  OpenText(kLoopModule);
  const InstructionId doubled = Find("doubled");
  TextView* text = window().text_view();
  QTextCursor cursor = text->textCursor();
  // Somewhere in the middle of the line, as a click would.
  cursor.setPosition(text->PositionOf(window().selection()->document()->OpcodeRange(doubled).begin) + 1);
  text->setTextCursor(cursor);
  ExpectSelectedEverywhere(doubled);
}

TEST_F(GuiWindowTest, FollowingANameInTheText) {
  OpenText(kLoopModule);
  const auto& document = window().selection()->document();
  window().text_view()->FollowNameAt(document->OperandRange(Find("negated"), 0).begin);
  ExpectSelectedEverywhere(Find("x"));
  window().text_view()->FollowNameAt(document->AttributeRange(Find("final"), AttributeKind::kBody).end - 1);
  EXPECT_EQ(window().selection()->computation(), module().FindComputation("body"));
}

TEST_F(GuiWindowTest, ClickingInTheGraphSelectsEverywhere) {
  OpenText(kLoopModule);
  window().resize(1200, 800);
  window().show();
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !graph->graph().empty(); }));
  const InstructionId negated = Find("negated");
  const QPoint at = BoxCenter(graph, negated);
  for (QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
    QMouseEvent event(type, at, graph->canvas()->mapToGlobal(at), Qt::LeftButton,
                      type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(graph->canvas(), &event);
  }
  ExpectSelectedEverywhere(negated);
}

TEST_F(GuiWindowTest, SelectingInTheListAndInTheProperties) {
  OpenText(kLoopModule);
  QTreeView* list = window().computations_panel()->list();
  list->setCurrentIndex(list->model()->index(1, 0));
  EXPECT_EQ(window().selection()->computation(), module().FindComputation("body"));
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  EXPECT_EQ(window().graph_pane()->graph().boxes.size(), 7u);

  window().selection()->SelectInstruction(Find("doubled"));
  PropertiesPanel* properties = window().properties_panel();
  properties->Follow(properties->model()->Find(QStringLiteral("0")));
  ExpectSelectedEverywhere(Find("v"));
}

TEST_F(GuiWindowTest, SearchFindsComputationsAndInstructions) {
  OpenText(kLoopModule);
  ComputationsPanel* panel = window().computations_panel();
  panel->search()->setText(QStringLiteral("DOUBLE"));
  EXPECT_EQ(panel->list()->model()->rowCount(), 0);
  ASSERT_EQ(panel->found_instructions()->count(), 1);
  panel->found_instructions()->setCurrentRow(0);
  EXPECT_EQ(window().selection()->instruction(), Find("doubled"));
  panel->search()->setText(QStringLiteral("while"));  // an opcode
  EXPECT_EQ(panel->found_instructions()->count(), 1);
  panel->search()->setText(QStringLiteral("no such thing"));
  panel->found_instructions()->setCurrentRow(0);
  EXPECT_EQ(window().selection()->instruction(), Find("doubled"));
}

TEST_F(GuiWindowTest, DiagnosticsLeadToTheirPlace) {
  OpenText("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] foo(x)\n}\n");
  DiagnosticsPanel* panel = window().diagnostics_panel();
  ASSERT_GE(panel->model()->rowCount(), 1);
  panel->Follow(panel->model()->index(0, 0));
  EXPECT_EQ(window().text_view()->textCursor().blockNumber(), 3);
}

TEST_F(GuiWindowTest, MissingFilesAndFoldersAreReportedAndKeepTheDocument) {
  OpenText(kLoopModule);
  OpenPath(Path("missing.hlo"));
  EXPECT_EQ(window().diagnostics_panel()->model()->rowCount(), 1);
  EXPECT_EQ(window().text_view()->toPlainText(), QString::fromLatin1(kLoopModule));
  OpenPath(QStringLiteral("/dev/zero"));
  EXPECT_EQ(window().diagnostics_panel()->model()->rowCount(), 2);
  // A folder is looked through for dumps, and the document stays, too.
  OpenPath(QStringLiteral("/tmp"));
  EXPECT_EQ(window().diagnostics_panel()->model()->rowCount(), 2);
  EXPECT_EQ(window().text_view()->toPlainText(), QString::fromLatin1(kLoopModule));
  OpenText(kLoopModule);
  EXPECT_EQ(window().diagnostics_panel()->model()->rowCount(), 0);
}

TEST_F(GuiWindowTest, BrokenFilesAreShownWithTheirDiagnostics) {
  std::string binary;
  for (int i = 0; i < 100'000; ++i) binary += static_cast<char>((i * 7919) >> 3);
  const std::string truncated = std::string(kLoopModule).substr(0, 430);
  const std::string cases[] = {"",
                               "\n\n",
                               std::string(1, '\0'),
                               binary,
                               std::string("\x7f"
                                           "ELF\0\0\0",
                                           7),
                               truncated,
                               "HloModule m\nENTRY e { ROOT a = f32[] add(a, a) }",
                               "HloModule m\nENTRY e { }",
                               "ENTRY e { x = f32[99999999999999999999] parameter(0) }",
                               std::string(300'000, '{'),
                               absl::StrCat("HloModule ", std::string(500'000, 'x'))};
  for (const std::string& text : cases) {
    OpenText(text);
    ASSERT_NE(window().selection()->document(), nullptr);
    ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
    for (size_t i = 0; i < std::min<size_t>(module().instruction_count(), 50); ++i) {
      window().selection()->SelectInstruction(InstructionId(i));
    }
    // Every place of the text can be clicked.
    TextView* view = window().text_view();
    const int length = static_cast<int>(view->toPlainText().size());
    for (int k = 0; k <= 50; ++k) {
      QTextCursor cursor = view->textCursor();
      cursor.setPosition(std::min<int>(length, static_cast<int>(int64_t{length} * k / 50)));
      view->setTextCursor(cursor);
    }
    view->grab();
  }
}

TEST_F(GuiWindowTest, ReloadKeepsThePlace) {
  OpenText(kLoopModule);
  window().selection()->SelectInstruction(Find("doubled"));
  std::string edited = kLoopModule;
  edited.insert(edited.find("not_done {"), "other { ROOT q = f32[] parameter(0) }\n");
  QFile file(Path("module.hlo"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(edited.data(), static_cast<qint64>(edited.size()));
  file.close();
  window().action("reload")->trigger();
  ASSERT_TRUE(WaitUntil([this] { return !window().workspace()->loading(); }));
  EXPECT_EQ(module().computations().size(), 4u);
  ExpectSelectedEverywhere(Find("doubled"));
}

TEST_F(GuiWindowTest, NewVersionWhileAnotherComputationIsBeingLaidOut) {
  OpenText(kLoopModule);
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  window().selection()->SelectInstruction(Find("doubled"));
  ASSERT_TRUE(window().graph_pane()->laying_out());  // the body, while the entry is still drawn
  window().selection()->SetDocument(ParseText(kLoopModule), /*keep_place=*/true);
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  EXPECT_NE(window().graph_pane()->graph().BoxOf(Find("doubled")), VisibleGraph::kNone);
}

TEST_F(GuiWindowTest, DroppedFilesAreOpened) {
  OpenText(kLoopModule, "dropped.hlo");
  OpenText("HloModule other\nENTRY e { ROOT a = f32[] parameter(0) }\n");
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(Path("dropped.hlo"))});
  QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &event);
  ASSERT_TRUE(WaitUntil([this] { return !window().workspace()->loading(); }));
  EXPECT_EQ(module().name(), "loop");
}

TEST_F(GuiWindowTest, ShippedExamplesHaveNoProblems) {
  const QStringList names = QDir(QStringLiteral(":/examples")).entryList();
  EXPECT_GE(names.size(), 5);
  for (const QString& name : names) {
    OpenPath(QStringLiteral(":/examples/") + name);
    EXPECT_EQ(window().diagnostics_panel()->model()->rowCount(), 0) << name.toStdString();
    EXPECT_TRUE(module().entry().has_value());
  }
}

TEST_F(GuiWindowTest, BothAppearancesCanBePainted) {
  OpenText(kLoopModule);
  window().selection()->SelectInstruction(Find("final"));
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  for (const char* name : {"dark", "light", "system"}) {
    MainWindow::SetAppearance(QLatin1String(name));
    EXPECT_FALSE(window().grab().isNull());
  }
}

TEST_F(GuiWindowTest, FitsASmallScreenWhateverPanelIsShown) {
  OpenText(kLoopModule);
  window().show();
  for (QDockWidget* dock : window().findChildren<QDockWidget*>()) {
    const bool was_hidden = dock->isHidden();
    dock->show();
    dock->raise();
    window().resize(1280, 720);
    WaitUntil([] { return false; }, 20);
    EXPECT_LE(window().minimumSizeHint().height(), 720) << dock->objectName().toStdString();
    EXPECT_LE(window().minimumSizeHint().width(), 1280) << dock->objectName().toStdString();
    if (was_hidden) dock->hide();
  }
}

TEST_F(GuiWindowTest, FindInText) {
  OpenText(kLoopModule);
  FindBar* bar = window().findChild<FindBar*>();
  bar->Activate();
  bar->findChild<QLineEdit*>()->setText(QStringLiteral("doubled"));
  ASSERT_TRUE(bar->FindNext());
  const int first = window().text_view()->textCursor().blockNumber();
  ASSERT_TRUE(bar->FindNext());
  EXPECT_EQ(window().text_view()->textCursor().blockNumber(), first + 1);
  ASSERT_TRUE(bar->FindNext());  // wraps around
  EXPECT_EQ(window().text_view()->textCursor().blockNumber(), first);
  bar->findChild<QLineEdit*>()->setText(QStringLiteral("not there"));
  EXPECT_FALSE(bar->FindNext());
}

}  // namespace
}  // namespace hloscope::gui
