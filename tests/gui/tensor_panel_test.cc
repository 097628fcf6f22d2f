// SPDX-License-Identifier: Apache-2.0
// The tensor panel with clicks and keys.
#include "gui/panels/tensor_panel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtTest/QTest>
#include <limits>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/npy.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

constexpr float kTensorPanelNan = std::numeric_limits<float>::quiet_NaN();

class TensorViewTest : public ::testing::Test {
 protected:
  void SetUp() override {
    view_.resize(460, 620);
    view_.show();
  }
  void Show(const evaluator::Tensor& tensor, TensorView::Mode mode) {
    view_.SetTensor(tensor);
    view_.SetMode(mode);
    Settle();
  }
  void Settle() {
    ASSERT_TRUE(WaitUntil([&] { return !view_.busy() && !view_.heat_map()->tiles()->busy(); }));
    WaitUntil([] { return false; }, 20);
  }
  QRgb PixelAt(TensorSlice::Cell cell) {
    const QImage picture = view_.heat_map()->grab().toImage();
    const QRectF rect = view_.heat_map()->RectOf(cell);
    return picture.pixel(QPointF(rect.left() + 3, rect.top() + 3).toPoint()) & 0xffffff;
  }
  QAction* ModeAction(int mode) { return view_.findChild<QActionGroup*>()->actions()[mode]; }

  TensorView view_;
};

TEST_F(TensorViewTest, HeatMapShowsTheColoursOfTheElements) {
  Show(FloatTensor({2, 3}, {0, 1, 2, 3, kTensorPanelNan, 5}), TensorView::Mode::kHeatMap);
  EXPECT_EQ(view_.scale().low(), 0);
  EXPECT_EQ(view_.scale().high(), 5);
  EXPECT_EQ(PixelAt({1, 2}), view_.scale().ColorOf(5) & 0xffffff);
  EXPECT_EQ(PixelAt({1, 1}), ColorScale::NanColor() & 0xffffff);
  // Colours change without another look at the elements.
  ColorScale scale = view_.scale();
  scale.set_map(ColorMap::kBlueRed);
  scale.SetRange(-5, 5);
  view_.SetScale(scale);
  EXPECT_EQ(PixelAt({1, 2}), scale.ColorOf(5) & 0xffffff);
}

TEST_F(TensorViewTest, ClicksAndKeysMoveTheCurrentElement) {
  Show(Counting({3, 4}), TensorView::Mode::kHeatMap);
  HeatMapView* map = view_.heat_map();
  QTest::mouseClick(map, Qt::LeftButton, {}, map->RectOf({1, 2}).center().toPoint());
  EXPECT_EQ(view_.current_text(), QStringLiteral("6"));
  QTest::keyClick(map, Qt::Key_Down);
  QTest::keyClick(map, Qt::Key_Left);
  EXPECT_EQ(view_.current_index(), evaluator::DimensionVector({2, 1}));
  QTest::keyClick(map, Qt::Key_Down);  // stays inside
  QTest::keyClick(map, Qt::Key_End);
  EXPECT_EQ(view_.current_text(), QStringLiteral("11"));
  // The table has followed.
  EXPECT_EQ(view_.table()->currentIndex().row(), 2);
  EXPECT_EQ(view_.table()->currentIndex().column(), 3);
  const double before = map->window().width();
  QTest::keyClick(map, Qt::Key_Plus);
  QTest::keyClick(map, Qt::Key_Plus);
  EXPECT_LE(map->window().width(), before);
  QTest::keyClick(map, Qt::Key_0);
  EXPECT_DOUBLE_EQ(map->window().width(), before);
}

TEST_F(TensorViewTest, WheelZoomsAtTheMouseAndDraggingMoves) {
  Show(Counting({200, 200}), TensorView::Mode::kHeatMap);
  HeatMapView* map = view_.heat_map();
  const QPointF place = map->RectOf({50, 50}).center();
  QWheelEvent wheel(place, map->mapToGlobal(place), {}, QPoint(0, 480), Qt::NoButton, {}, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(map, &wheel);
  EXPECT_NEAR(map->RectOf({50, 50}).center().x(), place.x(), 3);
  EXPECT_LT(map->window().width(), 130);
  const QRectF before = map->window();
  QTest::mousePress(map, Qt::LeftButton, {}, place.toPoint());
  QTest::mouseMove(map, place.toPoint() + QPoint(-30, 0));
  QMouseEvent move(QEvent::MouseMove, place + QPointF(-40, 0), map->mapToGlobal(place), Qt::LeftButton, Qt::LeftButton,
                   {});
  QCoreApplication::sendEvent(map, &move);
  QTest::mouseRelease(map, Qt::LeftButton, {}, place.toPoint() + QPoint(-40, 0));
  EXPECT_GT(map->window().left(), before.left());
  EXPECT_EQ(view_.current_index(), evaluator::DimensionVector({0, 0}));  // a drag is no click
}

TEST_F(TensorViewTest, AxesAndIndicesChooseTheSlice) {
  Show(Counting({2, 3, 4}), TensorView::Mode::kTable);
  SliceBar* bar = view_.slice_bar();
  bar->index_box(0)->setValue(1);
  EXPECT_EQ(view_.model()->data(view_.model()->index(0, 0), Qt::DisplayRole).toString(), QStringLiteral("12"));
  QTest::keyClick(bar->row_box(), Qt::Key_Up);  // dimension 0 as rows
  EXPECT_EQ(view_.slice().row_axis(), 0);
  EXPECT_EQ(view_.model()->rowCount(), 2);
  bar->column_box()->setCurrentIndex(0);
  EXPECT_EQ(view_.slice().row_axis(), 2);
  EXPECT_FALSE(bar->index_box(1)->parentWidget()->isHidden());
  EXPECT_TRUE(bar->index_box(0)->parentWidget()->isHidden());
  // Another value of the same sizes keeps the slice, one of other sizes does not.
  view_.SetTensor(Counting({2, 3, 4}));
  EXPECT_EQ(view_.slice().row_axis(), 2);
  view_.SetTensor(Counting({5}));
  EXPECT_TRUE(bar->isHidden());
  EXPECT_EQ(view_.model()->rowCount(), 5);
}

TEST_F(TensorViewTest, SearchFindsElementsInOtherSlices) {
  Show(Counting({3, 4, 5}), TensorView::Mode::kTable);
  QTest::keyClicks(view_.search_field(), QStringLiteral("> 41"));
  QTest::keyClick(view_.search_field(), Qt::Key_Return);
  ASSERT_TRUE(WaitUntil([&] { return view_.current_text() == QStringLiteral("42"); }));
  EXPECT_EQ(view_.slice().index(0), 2);
  QTest::keyClick(view_.search_field(), Qt::Key_Return);
  ASSERT_TRUE(WaitUntil([&] { return view_.current_text() == QStringLiteral("43"); }));
  view_.FindNext(/*backwards=*/true);
  ASSERT_TRUE(WaitUntil([&] { return view_.current_text() == QStringLiteral("42"); }));
  view_.search_field()->setText(QStringLiteral("[1, 2, 3]"));
  view_.FindNext(false);
  EXPECT_EQ(view_.current_text(), QStringLiteral("33"));
  const auto shows = [&](const QString& text) {
    for (const QLabel* label : view_.findChildren<QLabel*>()) {
      if (!label->isHidden() && label->text().contains(text)) return true;
    }
    return false;
  };
  view_.search_field()->setText(QStringLiteral("[1, 2, 9]"));
  view_.FindNext(false);
  EXPECT_TRUE(shows(QStringLiteral("no such element")));
  view_.search_field()->setText(QStringLiteral("< -1"));
  view_.FindNext(false);
  EXPECT_TRUE(WaitUntil([&] { return shows(QStringLiteral("No element is like that")); }));
  view_.search_field()->setText(QStringLiteral("??"));
  view_.FindNext(false);
  EXPECT_TRUE(shows(QStringLiteral("is no condition")));
}

TEST_F(TensorViewTest, HandlesOfTheHistogramChooseTheRange) {
  Show(Counting({11}), TensorView::Mode::kHeatMap);
  HistogramView* histogram = view_.histogram();
  ASSERT_TRUE(WaitUntil([&] { return !histogram->histogram().bins.empty(); }));
  const QPoint high(static_cast<int>(histogram->PixelOf(10)), 30), middle(static_cast<int>(histogram->PixelOf(5)), 30);
  QTest::mousePress(histogram, Qt::LeftButton, {}, high);
  QMouseEvent move(QEvent::MouseMove, QPointF(middle), histogram->mapToGlobal(QPointF(middle)), Qt::LeftButton,
                   Qt::LeftButton, {});
  QCoreApplication::sendEvent(histogram, &move);
  QTest::mouseRelease(histogram, Qt::LeftButton, {}, middle);
  EXPECT_NEAR(view_.scale().high(), 5, 0.1);
  EXPECT_EQ(view_.scale().low(), 0);
  QTest::keyClick(histogram, Qt::Key_Up);  // the other handle
  QTest::keyClick(histogram, Qt::Key_Right);
  EXPECT_NEAR(view_.scale().low(), 0.1, 1e-6);
  // A new value does not undo the choice; the button does.
  view_.SetTensor(Counting({11}));
  Settle();
  EXPECT_NEAR(view_.scale().high(), 5, 0.1);
  for (QToolButton* button : view_.findChildren<QToolButton*>()) {
    if (button->text() == QStringLiteral("Fit")) QTest::mouseClick(button, Qt::LeftButton);
  }
  EXPECT_EQ(view_.scale().high(), 10);
}

TEST_F(TensorViewTest, DifferencesAndUlps) {
  Show(FloatTensor({3}, {1, 2, 3}), TensorView::Mode::kTable);
  view_.SetOther(FloatTensor({3}, {1, 2, 3.5}));
  EXPECT_EQ(view_.aspect(), TensorView::Aspect::kDifference);
  EXPECT_EQ(view_.model()->data(view_.model()->index(2, 0), Qt::DisplayRole).toString(), QStringLiteral("-0.5"));
  Settle();
  EXPECT_TRUE(view_.comparison_text().startsWith(QStringLiteral("1 of 3 elements differ")));
  view_.SetAspect(TensorView::Aspect::kUlps);
  EXPECT_EQ(view_.model()->data(view_.model()->index(2, 0), Qt::DisplayRole).toString(), QStringLiteral("2097152"));
  view_.SetAspect(TensorView::Aspect::kOther);
  EXPECT_EQ(view_.model()->data(view_.model()->index(2, 0), Qt::DisplayRole).toString(), QStringLiteral("3.5"));
  view_.SetOther(Counting({3}));
  Settle();
  EXPECT_EQ(view_.aspect(), TensorView::Aspect::kValue);
  EXPECT_TRUE(view_.comparison_text().contains(QStringLiteral("s32[3]")));
  view_.SetOther(evaluator::Tensor());
  EXPECT_TRUE(view_.comparison_text().isEmpty());
}

TEST_F(TensorViewTest, ImagesTakeRowsColumnsAndChannelsFromTheirPlaces) {
  std::vector<float> pixels(static_cast<size_t>(1 * 4 * 5 * 3));
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = i % 3 == 0 ? 1.0F : 0.0F;  // red
  Show(FloatTensor({1, 4, 5, 3}, pixels), TensorView::Mode::kImage);
  EXPECT_EQ(view_.slice().row_axis(), 1);
  EXPECT_EQ(view_.slice().column_axis(), 2);
  WaitUntil([] { return false; }, 100);
  const QImage picture = view_.Picture();
  const QColor middle = picture.pixelColor(picture.width() / 2, picture.height() / 2);
  EXPECT_EQ(middle, QColor(255, 0, 0));
  Show(FloatTensor({2, 2}, {0, 1, 1, 0}), TensorView::Mode::kImage);  // one channel
  Show(evaluator::Tensor(), TensorView::Mode::kImage);
}

TEST_F(TensorViewTest, PlotShowsTheRowOfTheCurrentElement) {
  Show(Counting({3, 4}), TensorView::Mode::kPlot);
  view_.Reveal({2, 1});
  ASSERT_TRUE(WaitUntil([&] { return !view_.plot()->busy() && view_.plot()->line().size() == 4; }));
  EXPECT_EQ(view_.plot()->line()[3].mean, 11);
  QTest::keyClick(view_.plot(), Qt::Key_Right);
  EXPECT_EQ(view_.current_index(), evaluator::DimensionVector({2, 2}));
  Show(Counting({7}), TensorView::Mode::kPlot);
  ASSERT_TRUE(WaitUntil([&] { return !view_.plot()->busy() && view_.plot()->line().size() == 7; }));
}

TEST_F(TensorViewTest, AHundredMillionElementsStayResponsive) {
  const evaluator::Tensor huge = FloatTensor({1}, {1.5F}).View({10'000, 10'000}, {0, 0}, 0);
  StallMeter meter;
  view_.SetTensor(huge);
  view_.SetMode(TensorView::Mode::kHeatMap);
  for (int i = 0; i < 20; ++i) {
    QTest::keyClick(view_.heat_map(), i % 2 == 0 ? Qt::Key_Plus : Qt::Key_Down);
    WaitUntil([] { return false; }, 10);
  }
  view_.SetMode(TensorView::Mode::kPlot);
  WaitUntil([] { return false; }, 20);
  view_.SetTensor(Counting({2, 2}));  // drops all the work
  Settle();
  EXPECT_TRUE(view_.statistics_text().contains(QStringLiteral("max\u00a03")));
  EXPECT_LT(meter.longest_work_ms(), 300);
}

TEST_F(TensorViewTest, StatisticsOfTheShownSlice) {
  view_.SetTensor(Counting({3, 4, 5}));
  Settle();
  EXPECT_TRUE(view_.statistics_text().contains(QStringLiteral("max\u00a059"))) << view_.statistics_text().toStdString();
  EXPECT_TRUE(view_.slice_statistics_text().contains(QStringLiteral("max\u00a019")))
      << view_.slice_statistics_text().toStdString();
  TensorSlice slice = view_.slice();
  slice.SetIndex(0, 2);
  view_.SetSlice(slice);
  Settle();
  EXPECT_TRUE(view_.slice_statistics_text().contains(QStringLiteral("min\u00a040")));
  EXPECT_TRUE(view_.slice_statistics_text().contains(QStringLiteral("max\u00a059")));
  // Rows and columns the other way round are the same elements.
  slice.SwapAxes();
  view_.SetSlice(slice);
  Settle();
  EXPECT_TRUE(view_.slice_statistics_text().contains(QStringLiteral("min\u00a040")));
  // Where the slice is all there is, nothing is said twice.
  view_.SetTensor(Counting({7}));
  Settle();
  EXPECT_TRUE(view_.slice_statistics_text().isEmpty());
}

class LargeValueTest : public ::testing::Test, public WindowTest {
 protected:
  // Runs a logarithm of `side` x `side` made-up numbers, about half of them negative, and looks at it.
  void LookAt(int side) {
    window().resize(1400, 900);
    window().show();
    const std::string shape = absl::StrCat("f32[", side, ",", side, "]");
    // Arguments of a logarithm itself would be made up as positive numbers.
    OpenText(absl::StrCat("HloModule large\nENTRY main {\n  x = ", shape, " parameter(0)\n  n = ", shape,
                          " negate(x)\n  y = ", shape,
                          " log(n)\n  ROOT z = f32[] constant(1), control-predecessors={y}\n}\n"));
    SessionController& session = *window().session();
    int health_changes = 0;
    QObject::connect(&session, &SessionController::HealthChanged, [&] { ++health_changes; });
    window().graph_pane()->SetColoring(GraphColoring::kHealth);
    QElapsedTimer clock;
    StallMeter meter;
    session.ToggleBreakpoint(Find("z"));
    Trigger("run");
    clock.start();
    const int running = meter.longest_stall_ms();
    window().selection()->SelectInstruction(Find("y"));
    TensorView* view = window().value_panel()->current_view();
    view->SetMode(TensorView::Mode::kHeatMap);
    for (int i = 0; i < 20; ++i) {
      QTest::keyClick(view->heat_map(), i % 2 == 0 ? Qt::Key_Plus : Qt::Key_Down);
      WaitUntil([] { return false; }, 10);
    }
    view->SetMode(TensorView::Mode::kTable);
    view->Reveal({side - 1, side - 1});
    view->SetMode(TensorView::Mode::kPlot);
    ASSERT_TRUE(WaitUntil([&] { return !session.looking_for_non_finite() && !view->busy(); }, 120'000));
    std::printf(
        "%d x %d elements (%.0f MB): longest stall %d ms while running, %d ms while looking (%d ms of work); marks and "
        "statistics after %lld ms\n",
        side, side, 4e-6 * side * side, running, meter.longest_stall_ms(), meter.longest_work_ms(),
        static_cast<long long>(clock.elapsed()));
    EXPECT_TRUE(session.HealthOf(Find("y")).nan);
    EXPECT_FALSE(session.HealthOf(Find("x")).nan);
    const uint32_t box = window().graph_pane()->graph().BoxOf(Find("y"));
    const GraphPainter::Look& look = window().graph_pane()->canvas()->look();
    EXPECT_EQ(look.fills[box], look.theme.error);
    EXPECT_TRUE(look.marks(Find("y")).nan);
    EXPECT_GE(health_changes, side > 4000 ? 1 : 0);
    // On a busy machine, the event loop waits for its turn, too: its own work says more.
    EXPECT_LT(meter.longest_work_ms(), 150);
    EXPECT_LT(meter.longest_stall_ms(), 1500);
  }
};

TEST_F(LargeValueTest, NaNsOfValuesBeyondWhatAStopSearchesAreMarkedLater) { LookAt(4096); }

TEST_F(LargeValueTest, AHundredMillionElementsThatAreReallyThere) {
  if (qEnvironmentVariableIntValue("HLOSCOPE_LONG_TESTS") == 0) GTEST_SKIP() << "takes 800 MB and some seconds";
  LookAt(10'000);
}

class TensorPanelTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    OpenText(kLoopModule);
    ArgumentSource arguments;
    arguments.fill = evaluator::FillKind::kIota;
    window().session()->SetArguments(arguments);
  }
  TensorPanel& panel() { return *window().value_panel(); }
  void Press(const char* caption) {
    for (QToolButton* button : panel().findChildren<QToolButton*>()) {
      if (button->text() == QLatin1String(caption)) button->click();
    }
  }
};

TEST_F(TensorPanelTest, PinnedValuesStayAndCanBeComparedWithLaterMoments) {
  window().selection()->SelectInstruction(Find("doubled"));
  window().session()->ToggleBreakpoint(Find("next"));
  Trigger("run");
  window().selection()->SelectInstruction(Find("doubled"));
  EXPECT_EQ(panel().current_view()->current_text(), QStringLiteral("-0"));
  Press("Pin");
  ASSERT_EQ(panel().tabs()->count(), 2);
  Trigger("run");
  window().selection()->SelectInstruction(Find("doubled"));
  auto* pinned = static_cast<TensorView*>(panel().tabs()->widget(1));
  pinned->Reveal({3});
  EXPECT_EQ(pinned->current_text(), QStringLiteral("-6"));
  // Linked tabs go to the same element.
  EXPECT_EQ(panel().current_view()->current_text(), QStringLiteral("-12"));
  panel().link_box()->setChecked(false);
  pinned->Reveal({1});
  EXPECT_EQ(panel().current_view()->current_text(), QStringLiteral("-12"));
  // The later moment minus the earlier one.
  QComboBox* compare = panel().compare_box();
  ASSERT_GE(compare->count(), 3);
  compare->setCurrentIndex(1);
  Q_EMIT compare->activated(1);
  EXPECT_EQ(panel().current_view()->current_text(), QStringLiteral("-6"));
  compare->setCurrentIndex(0);
  Q_EMIT compare->activated(0);
  EXPECT_EQ(panel().current_view()->current_text(), QStringLiteral("-12"));
  Q_EMIT panel().tabs()->tabCloseRequested(0);  // stays
  Q_EMIT panel().tabs()->tabCloseRequested(1);
  EXPECT_EQ(panel().tabs()->count(), 1);
}

TEST_F(TensorPanelTest, ValuesAreBesideOneAnotherAtTheSamePlace) {
  TensorPanel* panel = window().value_panel();
  OpenText(kLoopModule);
  Trigger("run");
  window().selection()->SelectInstruction(Find("x"));
  EXPECT_TRUE(panel->beside_button()->isHidden());  // one value needs no room
  panel->Pin();
  window().selection()->SelectInstruction(Find("result"));
  EXPECT_FALSE(panel->beside_button()->isHidden());
  panel->beside_button()->click();
  ValuesBeside* beside = panel->beside();
  ASSERT_EQ(beside->columns(), 2);
  EXPECT_FALSE(beside->isHidden());
  EXPECT_TRUE(panel->tabs()->isHidden());
  EXPECT_TRUE(beside->title(0).startsWith(QStringLiteral("result")));
  EXPECT_TRUE(beside->title(1).startsWith(QStringLiteral("x after")));
  // The controls above are those of all.
  beside->mode_box()->setCurrentIndex(1);
  EXPECT_EQ(beside->view(0)->mode(), TensorView::Mode::kHeatMap);
  EXPECT_EQ(beside->view(1)->mode(), TensorView::Mode::kHeatMap);
  // Going to an element in one goes there in the other.
  beside->view(1)->Reveal({2});
  EXPECT_EQ(beside->view(1)->current_index(), beside->view(0)->current_index());
  EXPECT_EQ(beside->view(0)->current_index()[0], 2);
  EXPECT_EQ(panel->tabs()->currentIndex(), 1);  // the value that questions are about
  // The first one follows the run, and a third pinned value is one more column.
  window().selection()->SelectInstruction(Find("negated"));
  EXPECT_TRUE(beside->title(0).startsWith(QStringLiteral("negated")));
  panel->tabs()->setCurrentIndex(0);
  panel->Pin();
  EXPECT_EQ(beside->columns(), 3);
  EXPECT_EQ(beside->view(2)->current_index()[0], 2);
  // Unlinked, each goes its own way.
  panel->link_box()->setChecked(false);
  beside->view(0)->Reveal({1});
  EXPECT_EQ(beside->view(1)->current_index()[0], 2);
  while (panel->tabs()->count() > 1) Q_EMIT panel->tabs()->tabCloseRequested(1);
  EXPECT_TRUE(beside->isHidden());
  EXPECT_FALSE(panel->tabs()->isHidden());
}

TEST_F(TensorPanelTest, ComparesWithFilesAndSaysWhatIsWrongWithThem) {
  window().selection()->SelectInstruction(Find("negated"));
  Trigger("run");
  window().selection()->SelectInstruction(Find("negated"));
  const evaluator::Tensor other = FloatTensor({4}, {0, -1, -2, -4});
  ASSERT_TRUE(evaluator::WriteNpy(Path("other.npy").toStdString(), other).ok());
  QString message;
  QObject::connect(&panel(), &TensorPanel::FileDone, [&](bool, const QString& text) { message = text; });
  panel().CompareWithFile(Path("other.npy"));
  ASSERT_TRUE(WaitUntil([&] { return !message.isEmpty(); }));
  panel().current_view()->Reveal({3});
  EXPECT_EQ(panel().current_view()->current_text(), QStringLiteral("1"));
  message.clear();
  panel().CompareWithFile(Path("missing.npy"));
  ASSERT_TRUE(WaitUntil([&] { return !message.isEmpty(); }));
  EXPECT_TRUE(message.contains(QStringLiteral("missing.npy")));
  ASSERT_TRUE(evaluator::WriteNpy(Path("wrong.npy").toStdString(), FloatTensor({2}, {1, 2})).ok());
  message.clear();
  panel().CompareWithFile(Path("wrong.npy"));
  ASSERT_TRUE(WaitUntil([&] { return !message.isEmpty(); }));
  EXPECT_TRUE(message.contains(QStringLiteral("f32[4]"))) << message.toStdString();
}

TEST_F(TensorPanelTest, ExportsInThreeForms) {
  Trigger("run");
  window().selection()->SelectInstruction(Find("negated"));
  bool good = false;
  QString message;
  QObject::connect(&panel(), &TensorPanel::FileDone, [&](bool is_good, const QString& text) {
    good = is_good;
    message = text;
  });
  for (const char* name : {"value.npy", "value.csv", "value.png"}) {
    message.clear();
    panel().Export(Path(name));
    ASSERT_TRUE(WaitUntil([&] { return !message.isEmpty(); }));
    EXPECT_TRUE(good) << message.toStdString();
    EXPECT_GT(QFileInfo(Path(name)).size(), 0);
  }
  EXPECT_TRUE(evaluator::ReadNpy(Path("value.npy").toStdString())->BitwiseEqual(panel().current_view()->tensor()));
  for (const char* name : {"no/folder.npy", "no/folder.csv", "no/folder.png"}) {
    message.clear();
    panel().Export(Path(name));
    ASSERT_TRUE(WaitUntil([&] { return !message.isEmpty(); }));
    EXPECT_FALSE(good);
    EXPECT_TRUE(message.contains(QStringLiteral("folder"))) << message.toStdString();
  }
}

TEST_F(TensorPanelTest, WhyListsTheElementsAndGoesToThem) {
  window().session()->ToggleBreakpoint(Find("next"));
  Trigger("run");
  window().selection()->SelectInstruction(Find("doubled"));
  panel().current_view()->Reveal({2});
  Press("Why?");
  ASSERT_EQ(panel().answer_list()->topLevelItemCount(), 2);
  EXPECT_EQ(panel().answer_list()->topLevelItem(0)->text(0), QStringLiteral("v[2]"));
  EXPECT_EQ(panel().answer_list()->topLevelItem(0)->text(1), QStringLiteral("-2"));
  EXPECT_TRUE(panel().answer_text().contains(QStringLiteral("2 elements")));
  Q_EMIT panel().answer_list()->itemActivated(panel().answer_list()->topLevelItem(0), 0);
  EXPECT_EQ(window().selection()->instruction(), FindByName(module(), "v"));
  EXPECT_EQ(panel().current_view()->current_text(), QStringLiteral("-2"));
  Press("Why?");  // of a tuple's element
  ASSERT_EQ(panel().answer_list()->topLevelItemCount(), 1);
  EXPECT_EQ(panel().answer_list()->topLevelItem(0)->text(0), QStringLiteral("s{1}[2]"));
  window().selection()->SelectInstruction(Find("one"));
  Press("Why?");
  EXPECT_TRUE(WaitUntil([&] { return !window().session()->busy(); }));
  EXPECT_FALSE(panel().answer_text().isEmpty());
  // A value that is gone answers nothing.
  window().selection()->SelectInstruction(Find("final"));
  panel().AskWhy();
  EXPECT_TRUE(panel().answer_text().isEmpty());
}

TEST_F(TensorPanelTest, TheDebuggerIsAskedAboutThePast) {
  const auto asked = [&] { return WaitUntil([&] { return !window().session()->busy(); }); };
  panel().AskDebugger(PastQuestion::kHistory);  // nothing is selected
  EXPECT_TRUE(panel().answer_text().isEmpty());
  window().session()->ToggleBreakpoint(Find("next"));
  for (int i = 0; i < 3; ++i) Trigger("run");
  window().selection()->SelectInstruction(Find("doubled"));
  panel().current_view()->Reveal({3});
  Press("History");
  ASSERT_TRUE(asked());
  ASSERT_EQ(panel().answer_list()->topLevelItemCount(), 3);
  EXPECT_EQ(panel().answer_list()->topLevelItem(2)->text(1), QStringLiteral("-24"));
  Press("Origin");
  ASSERT_TRUE(asked());
  EXPECT_EQ(panel().answer_list()->topLevelItemCount(), 0);  // it is finite
  EXPECT_FALSE(panel().answer_text().isEmpty());
  // The parameter of a loop's body: where it comes from is beyond the frame.
  window().selection()->SelectInstruction(FindByName(module(), "v"));
  panel().current_view()->Reveal({3});
  Press("Why?");
  Q_EMIT panel().answer_list()->itemActivated(panel().answer_list()->topLevelItem(0), 0);
  Press("Why?");
  ASSERT_TRUE(asked());
  EXPECT_GE(panel().answer_list()->topLevelItemCount(), 1) << panel().answer_text().toStdString();
  EXPECT_EQ(window().session()->state(), SessionController::State::kStopped);
}

}  // namespace
}  // namespace hloscope::gui
