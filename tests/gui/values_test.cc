// SPDX-License-Identifier: Apache-2.0
// Values beside their answers; blocks that are copied; what stands out; steps into elements; histories of loops.
#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QTest>
#include <QToolButton>

#include "gui/models/element_past.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

constexpr char kReductions[] = R"(HloModule reductions
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
larger {
  c = f32[] parameter(0)
  d = f32[] parameter(1)
  ROOT m = f32[] maximum(c, d)
}
ENTRY main {
  x = f32[3,4] parameter(0)
  zero = f32[] constant(0)
  least = f32[] constant(-inf)
  rows = f32[3] reduce(x, zero), dimensions={1}, to_apply=sum
  largest = f32[] reduce(rows, least), dimensions={0}, to_apply=larger
  ROOT r = (f32[], f32[3]) tuple(largest, rows)
}
)";

class ValuesTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1400, 900);
    window().show();
  }
  void OpenWithIota(const char* text) {
    OpenText(text);
    ArgumentSource arguments;
    arguments.fill = evaluator::FillKind::kIota;
    window().session()->SetArguments(arguments);
  }
  SessionController& session() { return *window().session(); }
};

TEST_F(ValuesTest, StepIntoAsksForAnElementAndGoesThere) {
  OpenWithIota(kReductions);
  std::vector<std::vector<int64_t>> suggestions;
  window().ask_element = [&](const Shape& shape, const std::vector<int64_t>& suggested) {
    EXPECT_EQ(shape.ToString(false), "f32[3]");
    suggestions.push_back(suggested);
    return std::optional(std::vector<int64_t>{2});
  };
  Trigger("step_into");
  ASSERT_EQ(session().current(), Find("rows"));
  Trigger("step_into");
  ASSERT_EQ(suggestions.size(), 1u);
  ASSERT_EQ(session().frames().size(), 2u);
  EXPECT_EQ(session().frames().back().kind, evaluator::FrameKind::kApplied);
  EXPECT_EQ(session().current(), Find("s"));
  // The third row begins with 8.
  EXPECT_EQ(evaluator::BriefValue(session().ValueOf(Find("b"))), "8");
  Trigger("step_out");
  EXPECT_EQ(session().frames().size(), 1u);
  // A single element is not asked for.
  ASSERT_EQ(session().current(), Find("largest"));
  Trigger("step_into");
  EXPECT_EQ(suggestions.size(), 1u);
  EXPECT_EQ(session().current(), Find("m"));
  Trigger("run");
  EXPECT_EQ(session().state(), SessionController::State::kFinished);
}

TEST_F(ValuesTest, WhoeverAsksForNoElementStaysWhereHeIs) {
  OpenWithIota(kReductions);
  window().ask_element = [](const Shape&, const std::vector<int64_t>&) { return std::nullopt; };
  Trigger("step_into");
  Trigger("step_into");
  EXPECT_EQ(session().current(), Find("rows"));
  EXPECT_EQ(session().frames().size(), 1u);
}

TEST_F(ValuesTest, ConstantsThatAreMeantAreNotMarked) {
  OpenWithIota(kReductions);
  Trigger("run");
  EXPECT_FALSE(session().HealthOf(Find("least")).infinity);
  OpenText(kNanModule);
  Trigger("run");
  EXPECT_TRUE(session().HealthOf(Find("bad")).nan);
}

TEST_F(ValuesTest, ParametersOfLoopsHaveAHistory) {
  OpenWithIota(kLoopModule);
  session().ToggleBreakpoint(Find("next"));
  for (int i = 0; i < 3; ++i) Trigger("run");
  ASSERT_EQ(session().frames().back().iteration, 2);
  // "s" of the body: two computations have a parameter of that name.
  const InstructionId state = module().computation(module().FindComputation("body")).parameters[0];
  ElementAnswer answer;
  ASSERT_TRUE(session().Ask([&](evaluator::Debugger& debugger) -> SessionController::Answer {
    const ElementAnswer found = AskPast(debugger, PastQuestion::kHistory, 0, state, {{1}, {2}});
    return [&answer, found] { answer = found; };
  }));
  ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  std::string values;
  for (const ElementRow& row : answer.rows) values += row.value.toStdString() + " ";
  EXPECT_EQ(values, "-2 -4 -8 ") << answer.summary.toStdString();
}

TEST_F(ValuesTest, WhatALoopComputedCanBeSeenAfterTheRun) {
  OpenWithIota(kLoopModule);
  Trigger("run");
  ASSERT_EQ(session().state(), SessionController::State::kFinished);
  window().selection()->SelectInstruction(Find("doubled"));
  TensorPanel* panel = window().value_panel();
  auto* history = panel->findChild<QToolButton*>(QStringLiteral("history"));
  ASSERT_TRUE(history->isVisibleTo(panel));
  EXPECT_FALSE(panel->findChild<QToolButton*>(QStringLiteral("why"))->isVisibleTo(panel));
  history->click();
  ASSERT_TRUE(WaitUntil([&] { return panel->answer_list()->topLevelItemCount() > 0; }));
  QStringList values;
  for (int i = 0; i < panel->answer_list()->topLevelItemCount(); ++i) {
    values << panel->answer_list()->topLevelItem(i)->text(1);
  }
  ASSERT_EQ(values.size(), 3) << values.join(QLatin1Char('|')).toStdString();
  EXPECT_TRUE(values[0].contains(QStringLiteral("-2"))) << values[0].toStdString();
  EXPECT_TRUE(values[2].contains(QStringLiteral("-24"))) << values[2].toStdString();
  EXPECT_TRUE(panel->answer_list()->isVisibleTo(panel));
  // A value that is there has all questions again.
  window().selection()->SelectInstruction(Find("negated"));
  EXPECT_TRUE(panel->findChild<QToolButton*>(QStringLiteral("why"))->isVisibleTo(panel));
  EXPECT_TRUE(panel->current_view()->isVisibleTo(panel));
}

TEST_F(ValuesTest, BlocksAreCopiedWithTabs) {
  OpenWithIota(kReductions);
  Trigger("run");
  window().selection()->SelectInstruction(Find("x"));
  TensorView* view = window().value_panel()->current_view();
  QTableView* table = view->table();
  table->selectionModel()->select(QItemSelection(view->model()->index(0, 1), view->model()->index(1, 3)),
                                  QItemSelectionModel::ClearAndSelect);
  view->Copy();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("1\t2\t3\n5\t6\t7\n"));
  table->clearSelection();
  table->setCurrentIndex(view->model()->index(2, 0));
  view->Copy();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("8"));
}

TEST_F(ValuesTest, NansStandOutInBothThemes) {
  OpenText(kNanModule);
  Trigger("run");
  window().selection()->SelectInstruction(Find("bad"));
  const TensorModel* model = window().value_panel()->model();
  const auto back = model->data(model->index(0, 0), Qt::BackgroundRole).value<QColor>();
  const auto front = model->data(model->index(0, 0), Qt::ForegroundRole).value<QColor>();
  ASSERT_TRUE(back.isValid() && front.isValid());
  EXPECT_GT(std::abs(back.lightnessF() - front.lightnessF()), 0.4);
  window().selection()->SelectInstruction(Find("minus"));
  EXPECT_FALSE(model->data(model->index(0, 0), Qt::BackgroundRole).isValid());
}

TEST_F(ValuesTest, AnswersAreBesideTheValueWhereThereIsRoomAndLeadOnWithOneClick) {
  OpenWithIota(kReductions);
  Trigger("run");
  window().selection()->SelectInstruction(Find("rows"));
  window().EnlargeDock(window().dock("value"));
  WaitUntil([] { return false; }, 60);
  TensorPanel* panel = window().value_panel();
  panel->AskWhy();
  ASSERT_TRUE(WaitUntil([&] { return panel->answer_list()->topLevelItemCount() > 3; }));
  WaitUntil([] { return false; }, 60);
  const QPoint value = panel->tabs()->mapToGlobal(QPoint(0, 0));
  const QPoint answers = panel->answer_list()->mapToGlobal(QPoint(0, 0));
  EXPECT_GT(answers.x(), value.x() + 100);
  const QRect second = panel->answer_list()->visualItemRect(panel->answer_list()->topLevelItem(1));
  QTest::mouseClick(panel->answer_list()->viewport(), Qt::LeftButton, {}, second.center());
  EXPECT_NE(window().selection()->instruction(), Find("rows"));
}

TEST_F(ValuesTest, PhasesHaveNames) {
  OpenText(kLoopModule);
  EXPECT_TRUE(session().phase_text().isEmpty());
  window().action("run")->trigger();
  EXPECT_FALSE(session().phase_text().isEmpty());
  // A pause that comes before the run could begin is not lost.
  session().Pause();
  ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  Trigger("restart");
  EXPECT_TRUE(session().phase_text().isEmpty());
}

}  // namespace
}  // namespace hloscope::gui
