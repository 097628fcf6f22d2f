// SPDX-License-Identifier: Apache-2.0
// Where panels are: sizes on small screens, raising, enlarging, tearing off, and the way back.
#include <gtest/gtest.h>

#include <QHelpEvent>
#include <QSettings>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <map>

#include "gui/panels/tensor_panel.h"
#include "gui/views/fitting_tool_bar.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

class RoomsTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1280, 720);
    window().show();
    OpenText(kLoopModule);
    Turn();
  }
  static void Turn() {
    WaitUntil([] { return false; }, 60);
  }
};

TEST_F(RoomsTest, TextAndGraphHaveMostOfASmallWindow) {
  const int center = window().centralWidget()->width() * window().centralWidget()->height();
  EXPECT_GT(center, 1280 * 720 * 40 / 100);
  EXPECT_GE(window().text_view()->height(), 120);
  EXPECT_GE(window().graph_pane()->canvas()->height(), 120);
  EXPECT_GE(window().value_panel()->height(), 150);
}

// With a panel below, lines that say little give way to the graph; the answer of a search does not.
TEST_F(RoomsTest, ALowGraphHasTheRoomOfTheLinesAroundIt) {
  window().resize(1280, 690);  // at 720 the heights of a font decide
  window().action("reset_panels")->trigger();
  window().ShowDock(QStringLiteral("timeline"));
  Turn();
  GraphPane* pane = window().graph_pane();
  ASSERT_LT(pane->height(), 280);
  EXPECT_GE(pane->canvas()->height(), 150);
  EXPECT_GE(pane->height() - pane->canvas()->height(), 20);  // of controls
  const auto says = [&](const QString& text) {
    const QList<QLabel*> labels = pane->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* label) { return label->isVisible() && label->text().contains(text); });
  };
  EXPECT_FALSE(says(QStringLiteral("instructions")));
  pane->search()->setText(QStringLiteral("opcode:negate"));
  Turn();
  EXPECT_TRUE(says(QStringLiteral("1 found")));
  pane->search()->clear();
  // The way back to the caller stays.
  window().selection()->SelectInstruction(Find("doubled"));
  Turn();
  EXPECT_TRUE(says(QStringLiteral("<a ")));
}

// Problems take the room that they need, and none when there are none.
TEST_F(RoomsTest, AFewProblemsAreALowList) {
  window().action("reset_panels")->trigger();
  Turn();
  const int before = window().graph_pane()->canvas()->height();
  OpenText("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] foo(x)\n}\n");
  Turn();
  const QDockWidget* list = window().dock("diagnostics");
  ASSERT_TRUE(list->isVisible());
  // Docks get their sizes when the diagnostics have come.
  EXPECT_TRUE(WaitUntil([&] { return list->height() <= 140; }, 2000)) << list->height();
  EXPECT_TRUE(WaitUntil([&] { return window().graph_pane()->canvas()->height() >= before - 75; }, 2000))
      << window().graph_pane()->canvas()->height() << " of " << before;
  const DiagnosticsPanel* panel = window().diagnostics_panel();
  // All of it can be read: it has the lines that it needs.
  const auto height_of = [&](int row) {
    return panel->list()->visualRect(panel->list()->model()->index(row, DiagnosticsModel::kMessage)).height();
  };
  const int one_line = height_of(0);
  window().diagnostics_panel()->model()->AddFailure(QString(220, QLatin1Char('w')).replace(7, 1, QStringLiteral(" ")) +
                                                    QStringLiteral(" it went wrong at the end of a long message"));
  Turn();
  EXPECT_GT(height_of(0), one_line);
  EXPECT_EQ(height_of(1), one_line);

  OpenText(kLoopModule, "good.hlo");
  Turn();
  EXPECT_FALSE(list->isVisible());
  // Whoever asks for the list has it.
  window().ShowDock(QStringLiteral("diagnostics"));
  OpenText(kNanModule, "other.hlo");
  Turn();
  EXPECT_TRUE(list->isVisible());
}

// The picture of a value is seen without scrolling: its controls take few lines.
TEST_F(RoomsTest, AHeatMapIsSeenInASmallWindow) {
  MainWindow::SetAppearance(QStringLiteral("light"));  // with the spacing of the app
  window().action("reset_panels")->trigger();          // what other tests have left
  OpenPath(QStringLiteral(":/examples/attention.hlo"));
  Trigger("run");
  window().selection()->SelectInstruction(Find("masked"));
  TensorPanel* values = window().value_panel();
  const QPoint why = values->findChild<QToolButton*>(QStringLiteral("why"))->mapTo(values, QPoint(0, 0));
  values->current_view()->SetMode(TensorView::Mode::kHeatMap);
  Turn();
  EXPECT_GE(values->current_view()->heat_map()->visibleRegion().boundingRect().height(), 80);
  values->Pin();
  Turn();
  EXPECT_EQ(values->findChild<QToolButton*>(QStringLiteral("why"))->mapTo(values, QPoint(0, 0)), why);
  // Beside a pinned value there are more controls: it has room all the same, and the panel none to scroll sideways.
  EXPECT_GE(values->current_view()->heat_map()->visibleRegion().boundingRect().height(), 100);
  EXPECT_FALSE(values->current_view()->histogram()->isVisible());
  values->SetBeside(true);
  Turn();
  EXPECT_GE(values->beside()->view(1)->heat_map()->visibleRegion().boundingRect().height(), 90);
  values->SetBeside(false);
  window().EnlargeDock(window().dock("value"));
  Turn();
  EXPECT_TRUE(values->current_view()->histogram()->isVisible());
  window().EnlargeDock(nullptr);
  MainWindow::SetAppearance(QStringLiteral("system"));
}

// Answers about an element are seen where they were asked for, whatever the size of the panel.
TEST_F(RoomsTest, AnswersAreSeenInASmallWindowAndBesideTheValueInALargeOne) {
  window().action("reset_panels")->trigger();  // what other tests have left
  OpenPath(QStringLiteral(":/examples/attention.hlo"));
  Trigger("run");
  window().selection()->SelectInstruction(Find("masked"));
  TensorPanel* values = window().value_panel();
  values->AskWhy();
  ASSERT_TRUE(WaitUntil([&] { return values->answer_list()->topLevelItemCount() > 0; }));
  Turn();
  EXPECT_GE(values->answer_list()->visibleRegion().boundingRect().height(), 60);
  window().EnlargeDock(window().dock("value"));
  Turn();
  const QPoint answers = values->answer_list()->mapTo(values, QPoint(0, 0));
  const TensorView* view = values->current_view();
  EXPECT_GE(answers.x(), view->mapTo(values, QPoint(view->width(), 0)).x());
  EXPECT_GE(values->answer_list()->visibleRegion().boundingRect().height(), 60);
}

// Where the buttons of the tool bar are, by the names of their actions; one that cannot be seen is nowhere.
std::map<QString, QRect> ButtonsOf(const FittingToolBar& bar) {
  std::map<QString, QRect> places;
  for (QAction* action : bar.actions()) {
    const QWidget* button = bar.widgetForAction(action);
    if (action->isSeparator()) continue;
    const bool is_seen = button->isVisible() && bar.rect().contains(button->geometry());
    places[action->objectName()] = is_seen ? button->geometry() : QRect();
  }
  return places;
}

bool HasOverflow(const FittingToolBar& bar) {
  const auto* more = bar.findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
  return more != nullptr && more->isVisible();
}

TEST_F(RoomsTest, ButtonsOfTheToolBarKeepTheirPlaces) {
  const auto* bar = window().findChild<FittingToolBar*>();
  ASSERT_NE(bar, nullptr);
  for (const int width : {1900, 1280, 1000, 640}) {
    window().resize(width, 720);
    Turn();
    // A window that must be wider than that says nothing of the bar.
    if (window().width() != width) continue;
    const std::map<QString, QRect> idle = ButtonsOf(*bar);
    EXPECT_EQ(idle.size(), 13u);
    for (const auto& [name, place] : idle) EXPECT_FALSE(place.isEmpty()) << width << " " << name.toStdString();
    Trigger("step_over");
    Turn();
    EXPECT_EQ(window().action("run")->text(), QStringLiteral("Continue"));
    EXPECT_EQ(ButtonsOf(*bar), idle) << width;
    EXPECT_FALSE(HasOverflow(*bar)) << width;
    Trigger("run");
    Turn();
    EXPECT_EQ(ButtonsOf(*bar), idle) << width;
    window().session()->Stop();
    Turn();
    EXPECT_EQ(ButtonsOf(*bar), idle) << width;
    EXPECT_FALSE(HasOverflow(*bar)) << width;
  }
}

TEST_F(RoomsTest, TheToolBarHasWordsWhereThereIsRoomAndIconsThatSayTheirsWhereThereIsNone) {
  FittingToolBar bar{QString()};
  QAction first(QStringLiteral("First of two")), second(QStringLiteral("Second of two"));
  bar.AddButton(&first, 1, {QStringLiteral("Something that is longer")});
  bar.AddButton(&second, 0);
  bar.resize(600, 30);
  bar.show();
  Turn();
  EXPECT_TRUE(bar.HasWords(&first) && bar.HasWords(&second));
  bar.resize(290, 30);
  Turn();
  EXPECT_TRUE(bar.HasWords(&first));
  EXPECT_FALSE(bar.HasWords(&second));
  const QRect before = bar.widgetForAction(&second)->geometry();
  first.setText(QStringLiteral("Something that is longer"));
  Turn();
  EXPECT_EQ(bar.widgetForAction(&second)->geometry(), before);
  second.setToolTip(QStringLiteral("what it does"));
  QHelpEvent help(QEvent::ToolTip, QPoint(2, 2), bar.mapToGlobal(QPoint(2, 2)));
  QCoreApplication::sendEvent(bar.widgetForAction(&second), &help);
  EXPECT_EQ(QToolTip::text(), QStringLiteral("Second of two: what it does"));
  QToolTip::hideText();
  bar.resize(60, 30);
  Turn();
  EXPECT_FALSE(bar.HasWords(&first) || bar.HasWords(&second));
}

TEST_F(RoomsTest, ASmallScreenAtDoubleScaleHasRoomForTheGraph) {
  // As at the first start.
  QSettings().remove(QLatin1String(MainWindow::kGeometry));
  QSettings().remove(QLatin1String(MainWindow::kWindowState));
  MainWindow small;
  small.resize(630, 340);
  small.show();
  small.Open(QStringLiteral(":/examples/attention.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return !small.graph_pane()->graph().empty() && !small.graph_pane()->laying_out(); }));
  Turn();
  GraphPane* pane = small.graph_pane();
  const QRect canvas(pane->canvas()->mapTo(pane, QPoint(0, 0)), pane->canvas()->size());
  const QRect legend(pane->legend()->mapTo(pane, QPoint(0, 0)), pane->legend()->size());
  EXPECT_GE(canvas.height(), 60);
  EXPECT_FALSE(canvas.intersects(legend) && legend.height() > 0);
  EXPECT_GE(small.value_panel()->height() + small.dock("properties")->widget()->height(), 200);
  EXPECT_TRUE(small.tabifiedDockWidgets(small.dock("properties")).contains(small.dock("value")));
}

TEST_F(RoomsTest, OpeningAPanelBringsItToTheFront) {
  for (const char* name : {"timeline", "layout", "index_map", "changes", "timeline", "breakpoints", "value"}) {
    window().ShowDock(QLatin1String(name));
    Turn();
    EXPECT_FALSE(window().dock(name)->visibleRegion().isEmpty()) << name;
    EXPECT_GE(window().dock(name)->height(), 100) << name;
  }
  // The menu does the same with one that another covers, and closes one that can be seen.
  window().ShowDock(QStringLiteral("timeline"));
  Turn();
  window().action("show_layout")->trigger();
  Turn();
  EXPECT_FALSE(window().dock("layout")->visibleRegion().isEmpty());
  EXPECT_TRUE(window().action("show_layout")->isChecked());
  window().action("show_layout")->trigger();
  Turn();
  EXPECT_TRUE(window().dock("layout")->isHidden());
  EXPECT_FALSE(window().action("show_layout")->isChecked());
}

TEST_F(RoomsTest, PanelsAreReachedFromTheInstruction) {
  Q_EMIT window().graph_pane()->PanelRequested(QStringLiteral("layout"));
  Turn();
  EXPECT_FALSE(window().dock("layout")->visibleRegion().isEmpty());
  Q_EMIT window().text_view()->PanelRequested(QStringLiteral("index_map"));
  Turn();
  EXPECT_FALSE(window().dock("index_map")->visibleRegion().isEmpty());
  window().ShowDock(QStringLiteral("no such panel"));
}

TEST_F(RoomsTest, ResettingPutsEverythingBack) {
  const QRect before = window().dock("properties")->geometry();
  window().dock("properties")->setFloating(true);
  window().dock("frames")->hide();
  window().addDockWidget(Qt::BottomDockWidgetArea, window().dock("value"));
  window().ShowDock(QStringLiteral("layout"));
  Turn();
  window().action("reset_panels")->trigger();
  // Panels move there in steps, and on a busy machine that takes a while.
  const auto distance = [&] {
    return (window().dock("properties")->geometry().topLeft() - before.topLeft()).manhattanLength();
  };
  WaitUntil([&] { return !window().dock("properties")->isFloating() && distance() < 80; }, 5000);
  EXPECT_FALSE(window().dock("properties")->isFloating());
  EXPECT_TRUE(window().dock("frames")->isVisible());
  EXPECT_TRUE(window().dock("layout")->isHidden());
  EXPECT_EQ(window().dockWidgetArea(window().dock("value")), Qt::RightDockWidgetArea);
  EXPECT_LT(distance(), 80);
}

TEST_F(RoomsTest, APanelTakesTheWholeCentreAndGoesBack) {
  QWidget* panel = window().dock("value")->widget();
  window().EnlargeDock(window().dock("value"));
  Turn();
  EXPECT_TRUE(panel->isVisible());
  EXPECT_GT(panel->width(), 500);
  EXPECT_FALSE(window().text_view()->isVisible());
  EXPECT_EQ(window().enlarged_dock(), window().dock("value"));
  // Another one instead.
  window().EnlargeDock(window().dock("properties"));
  Turn();
  EXPECT_EQ(window().dock("value")->widget(), panel);
  window().action("enlarge_panel")->trigger();
  Turn();
  EXPECT_EQ(window().enlarged_dock(), nullptr);
  EXPECT_TRUE(window().text_view()->isVisible());
  EXPECT_TRUE(window().properties_panel()->isVisible());
  // While it is large, its entry in the menu puts it back.
  window().EnlargeDock(window().dock("value"));
  window().action("show_value")->trigger();
  Turn();
  EXPECT_EQ(window().enlarged_dock(), nullptr);
}

TEST_F(RoomsTest, TheGraphCanBeBesideTheText) {
  window().action("graph_beside")->trigger();
  Turn();
  const QRect graph(window().graph_pane()->mapToGlobal(QPoint(0, 0)), window().graph_pane()->size());
  const QRect text(window().text_view()->mapToGlobal(QPoint(0, 0)), window().text_view()->size());
  EXPECT_LT(graph.left(), text.left());
  EXPECT_GT(graph.width(), 200);
  EXPECT_GT(text.width(), 200);
  EXPECT_LT(std::abs(graph.top() - text.top()), 4);
  window().action("graph_beside")->trigger();
  Turn();
  EXPECT_GT(window().graph_pane()->width(), graph.width());
  QSettings().remove(QStringLiteral("graph_beside"));
}

TEST_F(RoomsTest, TornOffPanelsLieOnTheScreen) {
  QDockWidget* dock = window().dock("value");
  dock->setFloating(true);
  Turn();
  EXPECT_TRUE(dock->screen()->availableGeometry().intersects(dock->frameGeometry()));
  EXPECT_GE(dock->width(), 300);
  EXPECT_LE(dock->width(), dock->screen()->availableGeometry().width());
  dock->setFloating(false);
}

}  // namespace
}  // namespace hloscope::gui
