// SPDX-License-Identifier: Apache-2.0
// Tabs and several windows, sessions that users save, and lines that open a view.
#include <gtest/gtest.h>

#include <QFile>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QTest>

#include "gui/models/run_inputs.h"
#include "gui/models/view_state.h"
#include "gui/tabbed_window.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

constexpr char kSmall[] = "HloModule small\nENTRY e {\n  a = f32[4] parameter(0)\n  ROOT b = f32[4] negate(a)\n}\n";

class TabsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write("loop.hlo", kLoopModule);
    Write("small.hlo", kSmall);
  }
  void TearDown() override {
    for (QWidget* widget : QApplication::topLevelWidgets()) {
      auto* window = qobject_cast<TabbedWindow*>(widget);
      if (window == nullptr) continue;
      for (int i = 0; i < window->tab_count(); ++i) window->tab(i)->SetDiscardAnswer(QMessageBox::Discard);
      window->close();
    }
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  QString Path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  void Write(const char* name, const char* text) {
    QFile file(Path(name));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  static void Settle(MainWindow* tab) {
    ASSERT_TRUE(WaitUntil(
        [&] { return !tab->workspace()->loading() && !tab->session()->busy() && !tab->graph_pane()->laying_out(); }));
  }
  static TabbedWindow* Made(const QString& sessions = QString()) {
    auto* window = new TabbedWindow(sessions);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->resize(1280, 720);
    window->show();
    return window;
  }

  QTemporaryDir folder_;
};

TEST_F(TabsTest, TheFirstWindowIsNoLargerThanTheScreen) {
  // As at the first start.
  QSettings().remove(QLatin1String(MainWindow::kGeometry));
  QSettings().remove(QLatin1String(MainWindow::kWindowState));
  auto* window = new TabbedWindow(QString());
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->show();
  WaitUntil([] { return false; }, 100);
  // Nothing is as small as half of the test's screen at double scale.
  const QSize room = QGuiApplication::primaryScreen()->availableSize().expandedTo(window->minimumSizeHint());
  EXPECT_LE(window->width(), room.width());
  EXPECT_LE(window->height(), room.height());
  EXPECT_LE(window->minimumSizeHint().width(), 700);
  EXPECT_FALSE(window->current()->dock("properties")->visibleRegion().isEmpty());
  // What it leaves is not where the windows of other tests begin.
  window->close();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  QSettings().remove(QLatin1String(MainWindow::kGeometry));
  QSettings().remove(QLatin1String(MainWindow::kWindowState));
}

TEST_F(TabsTest, EachFileHasATabWithARunOfItsOwn) {
  TabbedWindow* window = Made();
  EXPECT_EQ(window->tab_count(), 1);
  EXPECT_FALSE(window->bar()->isVisible());  // one file needs no bar
  window->OpenPlace(Path("loop.hlo"));
  Settle(window->current());
  MainWindow* loop = window->current();
  EXPECT_EQ(window->tab_count(), 1);  // it was empty
  loop->action("step_over")->trigger();
  Settle(loop);
  window->OpenPlace(Path("small.hlo") + QStringLiteral(":3"));
  Settle(window->current());
  ASSERT_EQ(window->tab_count(), 2);
  EXPECT_TRUE(window->bar()->isVisible());
  EXPECT_EQ(window->bar()->tabText(0), QStringLiteral("loop.hlo"));
  EXPECT_EQ(window->bar()->tabText(1), QStringLiteral("small.hlo"));
  EXPECT_TRUE(window->windowTitle().startsWith(QStringLiteral("small.hlo")));
  EXPECT_TRUE(window->current()->text_view()->isVisible());
  EXPECT_FALSE(loop->text_view()->isVisible());
  // The other one's run goes on being there.
  EXPECT_EQ(loop->session()->state(), SessionController::State::kStopped);
  // A file that is open is gone to.
  window->OpenPlace(Path("loop.hlo"));
  EXPECT_EQ(window->tab_count(), 2);
  EXPECT_EQ(window->current(), loop);
  // What is chosen in a tab that shows something opens beside it.
  loop->OpenChosen(QStringLiteral(":/examples/attention.hlo"));
  Settle(window->current());
  EXPECT_EQ(window->tab_count(), 3);
  EXPECT_EQ(loop->session()->state(), SessionController::State::kStopped);
}

TEST_F(TabsTest, KeysAndMenusGoThroughTabsAndCloseThem) {
  TabbedWindow* window = Made();
  window->OpenPlace(Path("loop.hlo"));
  Settle(window->current());
  window->OpenPlace(Path("small.hlo"));
  Settle(window->current());
  MainWindow* loop = window->tab(0);
  MainWindow* small = window->tab(1);
  small->action("next_tab")->trigger();
  EXPECT_EQ(window->current(), loop);
  loop->action("previous_tab")->trigger();
  EXPECT_EQ(window->current(), small);
  // Changes are asked about; whoever keeps them keeps the tab.
  small->text_view()->ReplaceText(QStringLiteral("HloModule m\n"));
  EXPECT_EQ(window->bar()->tabText(1), QStringLiteral("small.hlo *"));
  small->SetDiscardAnswer(QMessageBox::Cancel);
  small->action("close_tab")->trigger();
  EXPECT_EQ(window->tab_count(), 2);
  EXPECT_FALSE(window->close());
  EXPECT_TRUE(window->isVisible());
  small->SetDiscardAnswer(QMessageBox::Discard);
  small->action("close_tab")->trigger();
  EXPECT_EQ(window->tab_count(), 1);
  EXPECT_EQ(window->current(), loop);
  loop->action("new_tab")->trigger();
  EXPECT_EQ(window->tab_count(), 2);
  EXPECT_TRUE(window->current()->is_empty());
}

TEST_F(TabsTest, ATabGetsAWindowOfItsOwnWithItsRun) {
  TabbedWindow* window = Made();
  window->OpenPlace(Path("loop.hlo"));
  Settle(window->current());
  MainWindow* loop = window->current();
  loop->action("step_over")->trigger();
  Settle(loop);
  EXPECT_EQ(window->MoveToNewWindow(0), nullptr);  // it has one
  window->OpenPlace(Path("small.hlo"));
  Settle(window->current());
  TabbedWindow* other = window->MoveToNewWindow(0);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(window->tab_count(), 1);
  EXPECT_EQ(other->current(), loop);
  EXPECT_TRUE(loop->text_view()->isVisible());
  EXPECT_EQ(loop->session()->state(), SessionController::State::kStopped);
  loop->action("step_over")->trigger();
  Settle(loop);
  EXPECT_EQ(loop->session()->state(), SessionController::State::kStopped);
  // Floating panels are seen with their tab alone.
  QDockWidget* dock = loop->dock("value");
  dock->setFloating(true);
  other->AddTab();
  EXPECT_FALSE(dock->isVisible());
  other->GoToTab(0);
  EXPECT_TRUE(dock->isVisible());
}

TEST_F(TabsTest, ACrashLosesNoTab) {
  const QString sessions = Path("sessions");
  TabbedWindow* window = Made(sessions);
  EXPECT_FALSE(window->RestoreTabs());
  window->OpenPlace(Path("loop.hlo"));
  Settle(window->current());
  window->OpenPlace(Path("small.hlo"));
  Settle(window->current());
  for (int i = 0; i < 2; ++i) window->tab(i)->WriteSession();
  // What the crash would leave, elsewhere: the first window is still there.
  const QString left = Path("left");
  ASSERT_TRUE(QDir().mkpath(left + QStringLiteral("/tab-1")));
  ASSERT_TRUE(QFile::copy(sessions + QStringLiteral("/session.json"), left + QStringLiteral("/session.json")));
  ASSERT_TRUE(
      QFile::copy(sessions + QStringLiteral("/tab-1/session.json"), left + QStringLiteral("/tab-1/session.json")));
  TabbedWindow* second = Made(left);
  EXPECT_TRUE(second->RestoreTabs());
  ASSERT_EQ(second->tab_count(), 2);
  for (int i = 0; i < 2; ++i) Settle(second->tab(i));
  EXPECT_EQ(second->tab(0)->workspace()->path(), Path("loop.hlo"));
  EXPECT_EQ(second->tab(1)->workspace()->path(), Path("small.hlo"));
}

TEST_F(TabsTest, SessionsKeepInputsBreakpointsWatchesAndPanels) {
  const QString path = Path("work.hloscope-session");
  {
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    window.Open(Path("loop.hlo"));
    Settle(&window);
    const InstructionId doubled = FindByName(window.selection()->module(), "doubled");
    window.session()->SetBreakpoint(doubled, {.condition = QStringLiteral("iteration == 1"), .iteration = 1});
    window.session()->AddWatch(QStringLiteral("i + 1"));
    ArgumentSource arguments;
    arguments.fill = evaluator::FillKind::kIota;
    arguments.seed = 0xFFFFFFFFFFFFFFF1u;
    arguments.files[0] = Path("x.npy");
    arguments.fills[1] = evaluator::FillKind::kOnes;
    arguments.partitions = 2;
    window.session()->SetArguments(arguments);
    window.selection()->SelectInstruction(doubled);
    window.ShowDock(QStringLiteral("layout"));
    window.dock("frames")->hide();
    window.graph_pane()->SetColoring(GraphPane::Coloring::kBytes);
    ASSERT_TRUE(window.SaveSessionTo(path));
    EXPECT_FALSE(window.SaveSessionTo(Path("no/such/folder.hloscope-session")));
  }
  // The folder can be moved: paths in it are relative.
  ASSERT_TRUE(QDir().mkpath(Path("moved")));
  ASSERT_TRUE(QFile::copy(path, Path("moved/work.hloscope-session")));
  ASSERT_TRUE(QFile::copy(Path("loop.hlo"), Path("moved/loop.hlo")));
  MainWindow window;
  window.resize(1280, 720);
  window.show();
  window.OpenPlace(Path("moved/work.hloscope-session"));
  Settle(&window);
  EXPECT_EQ(window.workspace()->path(), Path("moved/loop.hlo"));
  const InstructionId doubled = FindByName(window.selection()->module(), "doubled");
  ASSERT_TRUE(window.session()->HasBreakpoint(doubled));
  EXPECT_EQ(window.session()->breakpoints().at(doubled).condition, QStringLiteral("iteration == 1"));
  EXPECT_EQ(window.session()->breakpoints().at(doubled).iteration, 1);
  EXPECT_EQ(window.session()->watches(), QStringList{QStringLiteral("i + 1")});
  const ArgumentSource& arguments = window.session()->arguments();
  EXPECT_EQ(arguments.fill, evaluator::FillKind::kIota);
  EXPECT_EQ(arguments.seed, 0xFFFFFFFFFFFFFFF1u);
  EXPECT_EQ(arguments.files.value(0), Path("moved/x.npy"));
  EXPECT_EQ(arguments.fills.value(1), evaluator::FillKind::kOnes);
  EXPECT_EQ(arguments.partitions, 2);
  EXPECT_EQ(window.selection()->instruction(), doubled);
  EXPECT_FALSE(window.dock("layout")->isHidden());
  EXPECT_TRUE(window.dock("frames")->isHidden());
  EXPECT_EQ(window.graph_pane()->coloring(), GraphPane::Coloring::kBytes);
  // Something else is no session, and what is open stays.
  Write("broken.hloscope-session", "{\"path\": 7}");
  EXPECT_FALSE(window.OpenSession(Path("broken.hloscope-session")));
  EXPECT_EQ(window.workspace()->path(), Path("moved/loop.hlo"));
}

// The next start may be in another folder than this one.
TEST_F(TabsTest, WhatIsWrittenDownNamesTheWholePath) {
  MainWindow window;
  window.show();
  const QString sessions = Path("sessions");
  window.KeepSession(sessions, /*restore=*/false);
  window.Open(QDir::current().relativeFilePath(Path("small.hlo")));
  Settle(&window);
  window.WriteSession();
  const std::optional<SavedSession> written = SessionStore(sessions).Read();
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(written->path, Path("small.hlo"));
}

TEST_F(TabsTest, ALineOpensTheViewAgain) {
  MainWindow window;
  window.resize(1280, 720);
  window.show();
  window.Open(Path("loop.hlo"));
  Settle(&window);
  window.selection()->SelectInstruction(FindByName(window.selection()->module(), "doubled"));
  window.graph_pane()->SetScope(GraphPane::Scope::kNeighbourhood);
  window.graph_pane()->SetDepth(2);
  window.graph_pane()->SetColoring(GraphPane::Coloring::kFlops);
  window.graph_pane()->SetConstantsHidden(true);
  Settle(&window);
  window.graph_pane()->canvas()->ZoomBy(1.5, QPointF(10, 10));
  window.SetGraphBeside(true);
  window.ShowDock(QStringLiteral("timeline"));
  window.EnlargeDock(window.dock("value"));
  const QString line = window.LineOfView();
  const QString view = line.mid(line.indexOf(QStringLiteral("--view=")) + 7);
  MainWindow second;
  second.resize(1280, 720);
  second.show();
  second.OpenPlace(Path("loop.hlo") + QStringLiteral(":16"), view);
  Settle(&second);
  EXPECT_EQ(second.CurrentView().ToString(), view);
  EXPECT_EQ(second.LineOfView(), line);
  EXPECT_EQ(second.enlarged_dock(), second.dock("value"));
  // A file that is shown already changes its view.
  second.OpenPlace(Path("loop.hlo"), QStringLiteral("colors=bytes,what=ever"));
  EXPECT_EQ(second.graph_pane()->coloring(), GraphPane::Coloring::kBytes);
  EXPECT_TRUE(second.statusBar()->currentMessage().contains(QStringLiteral("what=ever")));
}

TEST(ViewStateTest, WordsAndWhatMeansNothing) {
  ViewState state;
  EXPECT_EQ(state.ToString(), QString());
  state.graph = ViewState::Graph::kWhole;
  state.colors = ViewState::Colors::kTime;
  state.depth = 4;
  state.zoom = 0.25;
  state.constants = false;
  state.beside = true;
  state.shown = {QStringLiteral("layout"), QStringLiteral("timeline")};
  state.hidden = {QStringLiteral("frames")};
  state.enlarged = QStringLiteral("value");
  const QString text = state.ToString();
  EXPECT_EQ(text, QStringLiteral("graph=whole,colors=time,depth=4,zoom=0.25,constants=no,beside=yes,"
                                 "show=layout+timeline,hide=frames,large=value"));
  QString problem;
  EXPECT_EQ(ViewState::Parse(text, &problem), state);
  EXPECT_EQ(problem, QString());
  for (const char* bad : {"graph=round", "zoom=0", "zoom=nan", "zoom=-1", "depth=31", "depth=x", "sky=blue", "=",
                          "zoom", "constants=maybe", "beside=no?"}) {
    EXPECT_EQ(ViewState::Parse(QLatin1String(bad), &problem), ViewState()) << bad;
    EXPECT_EQ(problem, QLatin1String(bad));
  }
}

}  // namespace
}  // namespace hloscope::gui
