// SPDX-License-Identifier: Apache-2.0
// What people take for granted: a page to begin with, diagnostic commands, nothing lost in a crash, one window, opening
// at a line; and the panels of the run.
#include <gtest/gtest.h>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QMimeData>
#include <QSettings>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include "gui/panels/arguments_dialog.h"
#include "gui/panels/breakpoints_panel.h"
#include "gui/panels/changes_panel.h"
#include "gui/panels/timeline_panel.h"
#include "gui/single_instance.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

class HabitsTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1400, 900);
    window().show();
    window().SetDiscardAnswer(QMessageBox::Discard);
  }
};

TEST_F(HabitsTest, TheWelcomePageOpensExamplesAndRecentFiles) {
  WelcomePage* page = window().welcome_page();
  EXPECT_TRUE(page->isVisible());
  ASSERT_GT(page->examples()->count(), 3);
  const QRect first = page->examples()->visualItemRect(page->examples()->item(0));
  QTest::mouseClick(page->examples()->viewport(), Qt::LeftButton, {}, first.center());
  ASSERT_TRUE(WaitUntil([&] { return !window().workspace()->loading(); }));
  EXPECT_FALSE(page->isVisible());
  EXPECT_TRUE(window().text_view()->isVisible());
  // A long name is shortened where names are alike, not cut at its end.
  OpenText(kLoopModule, "a_model_whose_name_is_far_longer_than_the_list_of_files_is_wide.inference.2gpu.jit_step.hlo");
  EXPECT_EQ(page->recent()->textElideMode(), Qt::ElideMiddle);
  EXPECT_EQ(page->recent()->horizontalScrollBarPolicy(), Qt::ScrollBarAlwaysOff);
  OpenText(kLoopModule);
  EXPECT_EQ(page->recent()->item(0)->toolTip(), Path("module.hlo"));
}

TEST_F(HabitsTest, ThePaletteFindsAndRunsCommands) {
  OpenText(kLoopModule);
  CommandPalette* palette = window().MakePalette();
  palette->show();
  EXPECT_GT(palette->commands()->rowCount(), 25);
  QTest::keyClicks(palette->search(), QStringLiteral("step over"));
  QTest::keyClick(palette->search(), Qt::Key_Return);
  ASSERT_TRUE(WaitUntil([&] { return window().session()->state() == SessionController::State::kStopped; }));
}

TEST_F(HabitsTest, FilesOpenAtALine) {
  OpenText(kLoopModule);
  window().OpenPlace(Path("module.hlo") + QStringLiteral(":13"));
  ASSERT_TRUE(WaitUntil([&] { return !window().workspace()->loading(); }));
  EXPECT_EQ(window().text_view()->textCursor().blockNumber(), 12);
  EXPECT_EQ(ParseFilePlace(QStringLiteral("a.hlo:3:7")).line, 3);
  EXPECT_EQ(ParseFilePlace(QStringLiteral("a.hlo")).path, QStringLiteral("a.hlo"));
  EXPECT_EQ(ParseFilePlace(QStringLiteral("C:x")).line, 0);
}

TEST(SingleInstanceTest, TheSecondStartHandsItsFileOver) {
  const QString name = QStringLiteral("hloscope-test-%1").arg(QCoreApplication::applicationPid());
  SingleInstance first(name);
  EXPECT_EQ(first.Send(QStringLiteral("nobody listens")), SingleInstance::Answer::kNobody);
  ASSERT_TRUE(first.Listen());
  QString received;
  QObject::connect(&first, &SingleInstance::Received, [&](const QString& place) { received = place; });
  using Answer = SingleInstance::Answer;
  Answer answer = Answer::kNobody;
  const auto start = [&](const QString& place, int patience_ms) {
    std::unique_ptr<QThread> other(QThread::create(
        [&answer, name, place, patience_ms] { answer = SingleInstance(name).Send(place, patience_ms); }));
    other->start();
    return other;
  };
  std::unique_ptr<QThread> other = start(QStringLiteral("/a b.hlo:3"), SingleInstance::kPatienceMs);
  // The other one ends when it has sent its last word, maybe before that is read here.
  ASSERT_TRUE(WaitUntil([&] { return other->isFinished() && !received.isEmpty(); }));
  EXPECT_EQ(answer, Answer::kTaken);
  EXPECT_EQ(received, QStringLiteral("/a b.hlo:3"));
  // One that is busy for a while still takes it.
  other = start(QStringLiteral("/late.hlo"), SingleInstance::kPatienceMs);
  QThread::msleep(1500);
  EXPECT_FALSE(other->isFinished());
  EXPECT_TRUE(WaitUntil([&] { return other->isFinished() && received == QStringLiteral("/late.hlo"); }));
  EXPECT_EQ(answer, Answer::kTaken);
  // What somebody has given up is not opened twice.
  other = start(QStringLiteral("/given up.hlo"), 100);
  ASSERT_TRUE(other->wait(10'000));
  EXPECT_EQ(answer, Answer::kNone);
  WaitUntil([&] { return received != QStringLiteral("/late.hlo"); }, 300);
  EXPECT_EQ(received, QStringLiteral("/late.hlo"));
}

TEST_F(HabitsTest, ACrashLosesNothing) {
  const QString folder = Path("session");
  OpenText(kLoopModule);
  EXPECT_FALSE(window().KeepSession(folder));
  window().session()->SetBreakpoint(Find("doubled"), {.condition = QStringLiteral("iteration == 1")});
  window().session()->AddWatch(QStringLiteral("i + 1"));
  QTextCursor cursor = window().text_view()->textCursor();
  cursor.movePosition(QTextCursor::End);
  window().text_view()->setTextCursor(cursor);
  QTest::keyClicks(window().text_view(), QStringLiteral("// half a thou"));
  ASSERT_TRUE(WaitUntil([&] { return !window().text_view()->updating(); }));
  window().WriteSession();
  const QString text = window().text_view()->toPlainText();

  // The first window never gets to say goodbye.
  MainWindow second;
  second.SetDiscardAnswer(QMessageBox::Discard);
  EXPECT_TRUE(second.KeepSession(folder));
  ASSERT_TRUE(WaitUntil([&] { return !second.workspace()->loading(); }));
  EXPECT_EQ(second.text_view()->toPlainText(), text);
  EXPECT_TRUE(second.isWindowModified());
  ASSERT_EQ(second.session()->breakpoints().size(), 1u);
  EXPECT_EQ(second.session()->breakpoints().begin()->second.condition, QStringLiteral("iteration == 1"));
  EXPECT_EQ(second.session()->watches(), QStringList{QStringLiteral("i + 1")});
  second.close();
  EXPECT_FALSE(SessionStore(folder).Read().has_value());
}

TEST(SessionStoreTest, BrokenFilesAreNoSession) {
  QTemporaryDir folder;
  SessionStore store(folder.path());
  EXPECT_FALSE(store.Read().has_value());
  QFile file(folder.filePath(QStringLiteral("session.json")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("{\"path\": 7, \"breakpoints\": \"no\"");
  file.close();
  EXPECT_FALSE(store.Read().has_value());
  SavedSession session;
  session.path = QStringLiteral("/x.hlo");
  session.has_text = true;
  session.text = QByteArray(
      "a\0\xFF"
      "b",
      4);
  session.breakpoints.push_back({QStringLiteral("c"), QStringLiteral("i"), QString(), false});
  ASSERT_TRUE(store.Write(session));
  EXPECT_EQ(store.Read(), session);
  EXPECT_FALSE(SessionStore(QStringLiteral("/proc/no/such/place")).Write(session));
}

TEST_F(HabitsTest, BreakpointsAndWatchesAreEditedInTheirPanel) {
  OpenText(kLoopModule);
  window().session()->ToggleBreakpoint(Find("doubled"));
  auto* panel = window().panel<BreakpointsPanel>();
  ASSERT_EQ(panel->breakpoints()->rowCount(), 1);
  panel->breakpoints()->item(0, 1)->setText(QStringLiteral("nonsense ("));
  EXPECT_FALSE(panel->problem().isEmpty());
  EXPECT_TRUE(window().session()->breakpoints().begin()->second.condition.isEmpty());
  panel->breakpoints()->item(0, 1)->setText(QStringLiteral("iteration == 1"));
  EXPECT_TRUE(panel->problem().isEmpty());
  QTest::keyClicks(panel->new_watch(), QStringLiteral("i * 10"));
  QTest::keyClick(panel->new_watch(), Qt::Key_Return);
  Trigger("run");
  ASSERT_EQ(panel->watches()->rowCount(), 1);
  EXPECT_EQ(panel->watches()->item(0, 1)->text(), QStringLiteral("10"));
  panel->breakpoints()->item(0, 0)->setCheckState(Qt::Unchecked);
  Trigger("run");
  EXPECT_EQ(window().session()->state(), SessionController::State::kFinished);
}

TEST_F(HabitsTest, TheTimelineShowsTimeBytesAndMemory) {
  OpenText(kLoopModule);
  window().dock("timeline")->show();
  auto* panel = window().panel<TimelinePanel>();
  Trigger("run");
  ASSERT_GT(panel->model()->rowCount(), 5);
  int64_t doubled_runs = 0;
  for (int row = 0; row < panel->model()->rowCount(); ++row) {
    if (panel->model()->RowAt(row).instruction == Find("doubled"))
      doubled_runs = panel->model()->RowAt(row).statistics.runs;
  }
  EXPECT_EQ(doubled_runs, 3);
  EXPECT_TRUE(panel->memory_text().contains(QStringLiteral("Peak"))) << panel->memory_text().toStdString();
  // A click into the chart selects the instruction of that step.
  window().selection()->SelectInstruction(Find("x"));
  panel->chart()->resize(400, 80);
  QTest::mouseClick(panel->chart(), Qt::LeftButton, {}, QPoint(static_cast<int>(panel->chart()->XOf(1)), 20));
  EXPECT_NE(window().selection()->instruction(), Find("x"));
}

TEST_F(HabitsTest, DifferencesToAnotherFile) {
  std::string other = kLoopModule;
  other.replace(other.find("constant(3)"), 11, "constant(4)");
  other.insert(other.find("  zero ="), "  extra = f32[4] exponential(x)\n");
  OpenText(other, "other.hlo");
  OpenText(kLoopModule);
  auto* panel = window().panel<ChangesPanel>();
  panel->CompareWith(Path("other.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return !panel->busy(); }));
  EXPECT_TRUE(panel->summary().contains(QStringLiteral("only in the file"))) << panel->summary().toStdString();
  EXPECT_GE(panel->tree()->topLevelItemCount(), 2);
  panel->CompareWith(Path("module.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return !panel->busy(); }));
  EXPECT_TRUE(panel->summary().contains(QStringLiteral("No difference")));
  panel->CompareWith(Path("missing.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return !panel->busy(); }));
  EXPECT_TRUE(panel->summary().contains(QStringLiteral("missing.hlo")));
}

TEST_F(HabitsTest, RewritesArePreviewedAppliedAndUndone) {
  const std::string before =
      "HloModule m\nENTRY main {\n  x = f32[4] parameter(0)\n  a = f32[4] negate(x)\n  b = f32[4] negate(x)\n"
      "  dead = f32[4] exponential(x)\n  ROOT r = f32[4] add(a, b)\n}\n";
  OpenText(before);
  auto* panel = window().panel<ChangesPanel>();
  panel->Preview(QStringLiteral("cse"));
  ASSERT_TRUE(WaitUntil([&] { return !panel->busy(); }));
  ASSERT_TRUE(panel->apply_button()->isEnabled()) << panel->summary().toStdString();
  panel->Apply();
  ASSERT_TRUE(WaitUntil([&] { return !window().text_view()->updating(); }));
  EXPECT_FALSE(Find("b").has_value());
  EXPECT_FALSE(window().selection()->document()->has_errors());
  window().action("undo")->trigger();
  ASSERT_TRUE(WaitUntil([&] { return !window().text_view()->updating(); }));
  EXPECT_EQ(window().text_view()->toPlainText().toStdString(), before);
  EXPECT_TRUE(Find("b").has_value());
}

TEST_F(HabitsTest, PanelsStandWhereTheyStoodBeforeACrash) {
  OpenText(kLoopModule);
  window().show();
  window().KeepSession(Path("session"));
  ASSERT_TRUE(window().dock("timeline")->isHidden());
  window().dock("timeline")->show();
  window().dock("value")->hide();
  window().WriteSession();  // and no closing
  {
    MainWindow next;
    EXPECT_FALSE(next.dock("timeline")->isHidden());
    EXPECT_TRUE(next.dock("value")->isHidden());
  }
  QSettings().clear();
}

TEST_F(HabitsTest, TheSliderGoesToAnIteration) {
  OpenText(kLoopModule);
  window().session()->ToggleBreakpoint(Find("doubled"));
  Trigger("run");
  QSlider* slider = window().frames_panel()->iteration();
  ASSERT_FALSE(slider->isHidden());
  slider->setValue(2);
  ASSERT_TRUE(WaitUntil([&] { return !window().session()->busy(); }));
  EXPECT_EQ(window().session()->frames().back().iteration, 2);
}

TEST_F(HabitsTest, DroppedFilesBecomeArguments) {
  OpenText(kLoopModule);
  ArgumentsDialog dialog(module(), ArgumentSource());
  dialog.resize(700, 400);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(QStringLiteral("/data/x.npy"))});
  QDragEnterEvent enter(QPoint(100, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&dialog, &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(100, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&dialog, &drop);
  EXPECT_EQ(dialog.arguments().files.value(0), QStringLiteral("/data/x.npy"));
}

TEST_F(HabitsTest, LongNamesOfParametersCanBeToldApart) {
  OpenText(
      "HloModule m\nENTRY e {\n  params__transformer____h____0____attn____kernel__.1 = f32[4] parameter(0)\n"
      "  ROOT params__transformer____h____0____attn____bias__.1 = f32[4] parameter(1)\n}\n");
  ArgumentsDialog dialog(module(), ArgumentSource());
  dialog.show();
  const auto* table = dialog.findChild<QTableWidget*>();
  EXPECT_FALSE(table->wordWrap());
  EXPECT_EQ(table->textElideMode(), Qt::ElideMiddle);
  EXPECT_GE(table->columnWidth(1), 250);
  EXPECT_TRUE(table->item(1, 1)->toolTip().endsWith(QStringLiteral("bias__.1")));
}

TEST_F(HabitsTest, ParametersAreFilledEachInItsOwnWay) {
  OpenText(
      "HloModule sum\nENTRY main {\n  a = f32[4] parameter(0)\n  b = f32[4] parameter(1)\n  ROOT s = f32[4] "
      "subtract(a, b)\n}\n");
  ArgumentSource zeros;
  zeros.fill = evaluator::FillKind::kZeros;
  ArgumentsDialog dialog(module(), zeros);
  QComboBox* fill = nullptr;
  for (QComboBox* box : dialog.findChildren<QComboBox*>()) {
    if (box->accessibleName().contains(QStringLiteral("parameter 1"))) fill = box;
  }
  ASSERT_NE(fill, nullptr);
  fill->setCurrentIndex(fill->findData(static_cast<int>(evaluator::FillKind::kOnes)));
  const ArgumentSource chosen = dialog.arguments();
  EXPECT_EQ(chosen.fills.size(), 1);
  EXPECT_EQ(chosen.fills.value(1), evaluator::FillKind::kOnes);
  // What was chosen is shown again.
  EXPECT_EQ(ArgumentsDialog(module(), chosen).arguments().fills, chosen.fills);
  window().session()->SetArguments(chosen);
  Trigger("run");
  EXPECT_EQ(window().session()->ValueOf(Find("s")).tensor().data_as<float>()[2], -1.0F);
}

TEST_F(HabitsTest, ArraysDroppedOnTheWindowAreArgumentsOfItsModule) {
  OpenText(kLoopModule);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(QStringLiteral("/data/x.npy"))});
  QString file;
  // The dialog is modal: looked at and closed while it is open.
  QTimer closer;
  QObject::connect(&closer, &QTimer::timeout, [&] {
    auto* dialog = window().findChild<ArgumentsDialog*>();
    if (dialog == nullptr) return;
    file = dialog->arguments().files.value(0);
    dialog->reject();
  });
  closer.start(20);
  QDragEnterEvent enter(QPoint(100, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(100, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &drop);
  ASSERT_TRUE(WaitUntil([&] { return !file.isEmpty(); }));
  EXPECT_EQ(file, QStringLiteral("/data/x.npy"));
  EXPECT_EQ(window().selection()->module().name(), "loop");
}

TEST_F(HabitsTest, EveryListIsCopiedFromItsMenuAndByKey) {
  OpenText(kLoopModule);
  for (QDockWidget* dock : window().findChildren<QDockWidget*>()) {
    for (QTreeView* view : dock->findChildren<QTreeView*>()) {
      const std::string where = dock->objectName().toStdString() + ": " + view->accessibleName().toStdString();
      EXPECT_EQ(view->contextMenuPolicy(), Qt::ActionsContextMenu) << where;
      EXPECT_NE(view->findChild<QAction*>(QStringLiteral("copy_rows")), nullptr) << where;
      EXPECT_NE(view->findChild<QAction*>(QStringLiteral("copy_all_rows")), nullptr) << where;
    }
  }
  window().selection()->SelectInstruction(Find("doubled"));
  auto* list = window().dock("properties")->findChild<QTreeView*>();
  ASSERT_NE(list, nullptr);
  list->setCurrentIndex(list->model()->index(1, 0));
  list->findChild<QAction*>(QStringLiteral("copy_rows"))->trigger();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("Opcode\tadd\n"));
  list->findChild<QAction*>(QStringLiteral("copy_all_rows"))->trigger();
  const QString all = QGuiApplication::clipboard()->text();
  EXPECT_TRUE(all.startsWith(QStringLiteral("Property\tValue\nName\tdoubled\nOpcode\tadd\n"))) << all.toStdString();
  EXPECT_TRUE(all.contains(QStringLiteral("\n  0\t"))) << all.toStdString();
}

TEST_F(HabitsTest, EveryControlHasANameAndEveryPanelCanBePaintedSmallAndLarge) {
  OpenText(kLoopModule);
  for (QDockWidget* dock : window().findChildren<QDockWidget*>()) dock->show();
  for (const QSize size : {QSize(1280, 720), QSize(3840, 2160)}) {
    window().resize(size);
    EXPECT_FALSE(window().grab().isNull());
  }
  for (QComboBox* box : window().graph_pane()->findChildren<QComboBox*>())
    EXPECT_FALSE(box->accessibleName().isEmpty());
  for (QAction* action : window().findChildren<QAction*>()) {
    const bool steps = action->objectName().startsWith(QLatin1String("step"));
    EXPECT_FALSE(steps && action->shortcut().isEmpty());
  }
}

}  // namespace
}  // namespace hloscope::gui
