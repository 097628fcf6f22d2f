// SPDX-License-Identifier: Apache-2.0
// The run: stepping, values, breakpoints, arguments, failures.
#include <gtest/gtest.h>

#include <algorithm>

#include "evaluator/tensor/npy.h"
#include "gui/panels/arguments_dialog.h"
#include "gui/views/ended_run_bar.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

using State = SessionController::State;

// Far more iterations than a test has time for.
constexpr char kEndlessModule[] = R"(HloModule endless
c {
  s = (s64[], f32[64]) parameter(0)
  ROOT t = pred[] constant(true)
}
b {
  s = (s64[], f32[64]) parameter(0)
  i = s64[] get-tuple-element(s), index=0
  v = f32[64] get-tuple-element(s), index=1
  one = s64[] constant(1)
  n = s64[] add(i, one)
  ROOT r = (s64[], f32[64]) tuple(n, v)
}
ENTRY main {
  z = s64[] constant(0)
  x = f32[64] parameter(0)
  i = (s64[], f32[64]) tuple(z, x)
  ROOT w = (s64[], f32[64]) while(i), condition=c, body=b
}
)";

class SteppingTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    OpenText(kLoopModule);
    ArgumentSource arguments;
    arguments.fill = evaluator::FillKind::kIota;
    window().session()->SetArguments(arguments);
  }
  SessionController& session() { return *window().session(); }
  std::string CurrentName() {
    return session().current().has_value() ? std::string(module().InstructionName(session().current())) : "(none)";
  }
  QString Cell(int row) {
    const TensorModel* model = window().value_panel()->model();
    return model->data(model->index(row, 0), Qt::DisplayRole).toString();
  }
};

TEST_F(SteppingTest, StepOverExecutesOneInstructionAndShowsItsValue) {
  EXPECT_EQ(session().state(), State::kIdle);
  Trigger("step_over");  // starts, in front of the first instruction
  EXPECT_EQ(session().state(), State::kStopped);
  EXPECT_EQ(CurrentName(), "negated");
  EXPECT_EQ(window().selection()->instruction(), Find("negated"));
  EXPECT_FALSE(session().IsExecuted(Find("negated")));
  // In front of an instruction without a value, the panel shows what it will consume.
  EXPECT_EQ(Cell(2), QStringLiteral("2"));
  Trigger("step_over");
  EXPECT_EQ(CurrentName(), "initial");
  EXPECT_TRUE(session().IsExecuted(Find("negated")));
  EXPECT_EQ(session().last_executed(), Find("negated"));
  EXPECT_EQ(Cell(2), QStringLiteral("-2"));  // the newest value comes first
  Trigger("step_over");
  window().selection()->SelectInstruction(Find("negated"));
  EXPECT_EQ(Cell(2), QStringLiteral("-2"));
  EXPECT_TRUE(window().value_panel()->heading().startsWith(QStringLiteral("f32[4]")));
  ASSERT_TRUE(
      WaitUntil([&] { return window().value_panel()->summary_text().contains(QStringLiteral("min\u00a0-3")); }));
}

TEST_F(SteppingTest, RunFinishesWithTheResult) {
  Trigger("run");
  EXPECT_EQ(session().state(), State::kFinished);
  EXPECT_EQ(window().selection()->instruction(), Find("result"));
  EXPECT_EQ(Cell(3), QStringLiteral("-24"));
  EXPECT_FALSE(window().action("step_over")->isEnabled());
  Trigger("run");  // once more
  EXPECT_EQ(session().state(), State::kFinished);
  EXPECT_EQ(Cell(3), QStringLiteral("-24"));
  Trigger("stop");
  EXPECT_EQ(session().state(), State::kIdle);
  EXPECT_FALSE(window().value_panel()->message().isEmpty());
}

TEST_F(SteppingTest, StepIntoALoopAndOut) {
  Trigger("step_over");
  window().selection()->SelectInstruction(Find("final"));
  Trigger("run_to");
  EXPECT_EQ(CurrentName(), "final");
  Trigger("step_into");
  ASSERT_EQ(session().frames().size(), 2u);
  EXPECT_EQ(window().frames_panel()->model()->rowCount(), 2);
  EXPECT_NE(window().selection()->computation(), module().entry());
  Trigger("step_out");
  EXPECT_EQ(session().frames().size(), 1u);
  EXPECT_EQ(CurrentName(), "result");
  Trigger("run");
  EXPECT_EQ(session().state(), State::kFinished);
  EXPECT_EQ(Cell(1), QStringLiteral("-8"));
}

TEST_F(SteppingTest, BreakpointsStopEveryIteration) {
  window().selection()->SelectInstruction(Find("doubled"));
  window().action("breakpoint")->trigger();
  EXPECT_TRUE(session().HasBreakpoint(Find("doubled")));
  for (int iteration = 0; iteration < 3; ++iteration) {
    Trigger("run");
    ASSERT_EQ(session().state(), State::kStopped);
    EXPECT_EQ(CurrentName(), "doubled");
    EXPECT_EQ(session().frames().back().iteration, iteration);
    window().selection()->SelectInstruction(FindByName(module(), "v"));
    EXPECT_EQ(Cell(1), QString::number(-(1 << iteration)));
  }
  window().selection()->SelectInstruction(Find("doubled"));
  window().action("breakpoint")->trigger();
  Trigger("run");
  EXPECT_EQ(session().state(), State::kFinished);
}

TEST_F(SteppingTest, JustComputedIsWhatWasComputedLast) {
  Trigger("step_over");
  window().selection()->SelectInstruction(Find("final"));
  Trigger("run_to");  // began in front of "negated"
  EXPECT_EQ(session().last_executed(), Find("initial"));
  session().ToggleBreakpoint(Find("doubled"));
  Trigger("run");
  EXPECT_EQ(session().last_executed(), Find("next_i"));
  EXPECT_EQ(window().value_panel()->source_box()->itemText(1), QStringLiteral("Just computed: next_i"));
  session().ToggleBreakpoint(Find("doubled"));
  Trigger("step_out");
  EXPECT_EQ(session().last_executed(), Find("final"));
  Trigger("run");
  EXPECT_EQ(session().last_executed(), Find("result"));
  Trigger("step_back");
  EXPECT_EQ(session().last_executed(), Find("final"));
  Trigger("restart");
  EXPECT_FALSE(session().last_executed().has_value());
}

TEST_F(SteppingTest, RestartGoesBackToTheStart) {
  Trigger("run");
  Trigger("restart");
  EXPECT_EQ(session().state(), State::kStopped);
  EXPECT_EQ(CurrentName(), "negated");
  EXPECT_FALSE(session().IsExecuted(Find("negated")));
}

TEST_F(SteppingTest, EndlessLoopsCanBePausedAndStoppedWithoutBlocking) {
  OpenText(kEndlessModule);
  StallMeter meter;
  window().action("run")->trigger();
  EXPECT_TRUE(session().busy());
  WaitUntil([] { return false; }, 200);
  EXPECT_TRUE(session().busy());
  EXPECT_TRUE(window().action("pause")->isEnabled());
  Trigger("pause");
  EXPECT_EQ(session().state(), State::kStopped);
  EXPECT_GT(session().executed_count(), 10);
  EXPECT_GE(session().frames().size(), 2u);
  // A breakpoint set during a run takes effect during the run.
  window().action("run")->trigger();
  session().ToggleBreakpoint(Find("n"));
  ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  EXPECT_EQ(CurrentName(), "n");
  session().ToggleBreakpoint(Find("n"));
  window().action("run")->trigger();
  WaitUntil([] { return false; }, 50);
  window().action("stop")->trigger();
  EXPECT_EQ(session().state(), State::kIdle);
  Trigger("step_over");  // a new session starts although the old one had to be cancelled
  EXPECT_EQ(session().state(), State::kStopped);
  EXPECT_LT(meter.longest_work_ms(), 500);
  // Opening another file during a run drops it.
  window().action("run")->trigger();
  OpenText(kLoopModule);
  EXPECT_EQ(session().state(), State::kIdle);
}

TEST_F(SteppingTest, ClosingTheWindowEndsARun) {
  auto other = std::make_unique<MainWindow>();
  other->Open(Path("module.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return !other->workspace()->loading(); }));
  other->action("run")->trigger();
  other.reset();
}

TEST_F(SteppingTest, ArgumentsComeFromFiles) {
  absl::StatusOr<evaluator::Tensor> tensor = evaluator::Tensor::Zeros(ElementType::kF32, {4});
  ASSERT_TRUE(tensor.ok());
  for (int i = 0; i < 4; ++i) tensor->mutable_data_as<float>()[i] = 0.5F * static_cast<float>(i);
  ASSERT_TRUE(evaluator::WriteNpy(Path("x.npy").toStdString(), *tensor).ok());
  ArgumentsDialog dialog(module(), session().arguments());
  EXPECT_EQ(dialog.arguments().fill, evaluator::FillKind::kIota);
  dialog.SetFile(0, Path("x.npy"));
  session().SetArguments(dialog.arguments());
  Trigger("run");
  EXPECT_EQ(Cell(1), QStringLiteral("-4"));
}

TEST_F(SteppingTest, FailuresAreReported) {
  ArgumentSource arguments;
  arguments.files.insert(0, Path("missing.npy"));
  session().SetArguments(arguments);
  Trigger("run");
  EXPECT_EQ(session().state(), State::kFailed);
  EXPECT_TRUE(session().failure().contains(QStringLiteral("parameter 0")));
  EXPECT_EQ(window().diagnostics_panel()->model()->rowCount(), 1);
  session().SetArguments(ArgumentSource());
  Trigger("run");
  EXPECT_EQ(session().state(), State::kFinished);

  // Not even the entry computation can be read; nothing to run, nothing to crash.
  OpenText("HloModule m\n");
  EXPECT_FALSE(window().action("run")->isEnabled());
  OpenText("HloModule m\nENTRY e {\n  ROOT x = f32[2] foo(1)\n}\n");
  session().Execute(SessionController::Command::kRun);
  ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  EXPECT_EQ(session().state(), State::kFailed);
}

TEST_F(SteppingTest, ConstantsHaveValuesBeforeAnyRun) {
  window().selection()->SelectInstruction(Find("limit"));
  EXPECT_EQ(Cell(0), QStringLiteral("3"));
  window().selection()->SelectInstruction(Find("negated"));
  EXPECT_FALSE(window().value_panel()->message().isEmpty());
}

TEST_F(SteppingTest, TupleValuesAreShownLeafByLeaf) {
  window().selection()->SelectInstruction(Find("final"));
  Trigger("run_to");
  window().selection()->SelectInstruction(Find("initial"));
  EXPECT_TRUE(window().value_panel()->heading().startsWith(QStringLiteral("s32[]")));
  window().value_panel()->leaf_box()->setCurrentIndex(1);
  EXPECT_EQ(Cell(3), QStringLiteral("-3"));
}

TEST_F(SteppingTest, StepsBackwards) {
  Trigger("step_over");
  Trigger("step_over");
  Trigger("step_over");
  const InstructionId there = session().current();
  const int64_t position = session().position();
  Trigger("step_over");
  EXPECT_NE(session().current(), there);
  Trigger("step_back");
  EXPECT_EQ(session().current(), there);
  EXPECT_EQ(session().position(), position);
  Trigger("reverse");
  EXPECT_EQ(session().position(), 0);
  EXPECT_FALSE(window().action("step_back")->isEnabled());
}

TEST_F(SteppingTest, GoesToAnIterationAndBack) {
  session().ToggleBreakpoint(Find("doubled"));
  Trigger("run");
  Trigger("run");
  EXPECT_EQ(session().frames().back().iteration, 1);
  session().Execute(SessionController::Command::kGoToIteration, {}, 0);
  ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  EXPECT_EQ(session().frames().back().iteration, 0);
  session().Execute(SessionController::Command::kGoToIteration, {}, 2);
  ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  EXPECT_EQ(session().frames().back().iteration, 2);
}

TEST_F(SteppingTest, ConditionsAndWatches) {
  EXPECT_FALSE(session().SetBreakpoint(Find("doubled"), {.condition = QStringLiteral("v[0] >")}).isEmpty());
  EXPECT_FALSE(session().HasBreakpoint(Find("doubled")));
  EXPECT_TRUE(session().SetBreakpoint(Find("doubled"), {.condition = QStringLiteral("iteration == 2")}).isEmpty());
  EXPECT_FALSE(session().AddWatch(QStringLiteral("no_such_name")).isEmpty());
  EXPECT_TRUE(session().AddWatch(QStringLiteral("i + 40")).isEmpty());
  Trigger("run");
  EXPECT_EQ(session().frames().back().iteration, 2);
  ASSERT_EQ(session().watch_results().size(), 1u);
  EXPECT_EQ(session().watch_results()[0].value, QStringLiteral("42"));
  session().RemoveWatch(0);
  EXPECT_TRUE(session().watches().isEmpty());
}

TEST_F(SteppingTest, RunsToTheInstructionThatMakesANan) {
  OpenText(kNanModule);
  Trigger("run_to_nan");
  EXPECT_TRUE(session().stop_text().contains(QStringLiteral("NaN in bad"))) << session().stop_text().toStdString();
  EXPECT_EQ(window().selection()->instruction(), Find("bad"));
  EXPECT_TRUE(session().HealthOf(Find("bad")).nan);
  EXPECT_FALSE(session().HealthOf(Find("good")).nan);
  Trigger("step_back");
  EXPECT_FALSE(session().HealthOf(Find("bad")).nan);
  Trigger("run");
  EXPECT_EQ(session().state(), State::kFinished);
  EXPECT_TRUE(session().HealthOf(Find("result")).nan);
  EXPECT_FALSE(session().statistics().empty());
}

// What a gather leaves out is often filled with NaNs of the text: the run stops where one gets into a result.
TEST_F(SteppingTest, RunsPastTheNansOfTheText) {
  OpenText(
      "HloModule m\nENTRY main {\n  x = f32[2] constant({1, -1})\n  n = f32[] constant(nan)\n"
      "  ns = f32[2] broadcast(n), dimensions={}\n  z = f32[2] constant({0, 0})\n"
      "  p = pred[2] compare(x, z), direction=GT\n  chosen = f32[2] select(p, x, ns)\n"
      "  ROOT r = f32[2] negate(chosen)\n}\n");
  Trigger("run_to_nan");
  EXPECT_TRUE(session().stop_text().contains(QStringLiteral("NaN in chosen"))) << session().stop_text().toStdString();
  EXPECT_FALSE(session().HealthOf(Find("ns")).nan);
  EXPECT_TRUE(session().WrittenHealthOf(Find("ns")).nan);
  EXPECT_FALSE(session().WrittenHealthOf(Find("chosen")).nan);
  // In colours, it is neither what went wrong nor finite.
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(
      WaitUntil([&] { return !graph->laying_out() && graph->graph().BoxOf(Find("ns")) != VisibleGraph::kNone; }));
  graph->SetColoring(GraphPane::Coloring::kHealth);
  const auto color = [&](const char* name) { return graph->canvas()->look().fills[graph->graph().BoxOf(Find(name))]; };
  EXPECT_NE(color("ns"), color("p"));
  EXPECT_NE(color("ns"), color("chosen"));
  EXPECT_TRUE(std::any_of(graph->legend()->entries().begin(), graph->legend()->entries().end(),
                          [&](const LegendEntry& entry) { return entry.color == color("ns"); }));
}

TEST_F(SteppingTest, SeveralDevicesAreSteppedTogether) {
  OpenText(R"(HloModule two, replica_count=2
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  id = u32[] replica-id()
  x = f32[] convert(id)
  ROOT total = f32[] all-reduce(x), replica_groups={{0,1}}, to_apply=sum
}
)");
  ArgumentSource arguments;
  arguments.replicas = 2;
  session().SetArguments(arguments);
  Trigger("run");
  ASSERT_EQ(session().state(), State::kFinished) << session().failure().toStdString();
  EXPECT_EQ(session().device_count(), 2);
  session().SetDevice(1);
  ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  const evaluator::Value x = session().ValueOf(Find("x"));
  ASSERT_TRUE(x.has_value());
  EXPECT_EQ(*x.tensor().data_as<float>(), 1.0F);
}

// What is said below the text about a run that a change of it has ended.
class EditedRunTest : public SteppingTest {
 protected:
  void SetUp() override {
    SteppingTest::SetUp();
    window().show();
  }
  EndedRunBar& bar() { return *window().findChild<EndedRunBar*>(); }
  // Puts one text in the place of another, as somebody does who types, and waits for the new version.
  void Edit(const QString& from, const QString& to) {
    const auto before = window().selection()->document();
    QTextCursor cursor = window().text_view()->document()->find(from);
    ASSERT_FALSE(cursor.isNull());
    cursor.insertText(to);
    ASSERT_TRUE(WaitUntil([&] { return window().selection()->document() != before; }));
  }
  void Click(QToolButton* button) {
    button->click();
    ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  }
};

TEST_F(EditedRunTest, AChangeOfTheTextSaysThatItEndedTheRunAndLeadsBackToTheSameIteration) {
  EXPECT_FALSE(bar().isVisible());
  Edit(QStringLiteral("constant(3)"), QStringLiteral("constant(5)"));
  EXPECT_FALSE(bar().isVisible());  // there was no run
  session().SetBreakpoint(Find("doubled"), {.enabled = true, .condition = QString(), .iteration = 2});
  Trigger("run");
  Trigger("step_over");
  ASSERT_EQ(CurrentName(), "next");
  ASSERT_EQ(session().frames().back().iteration, 2);

  Edit(QStringLiteral("add(v, v)"), QStringLiteral("multiply(v, v)"));
  EXPECT_EQ(session().state(), State::kIdle);
  ASSERT_TRUE(bar().isVisible());
  EXPECT_EQ(bar().message(), QStringLiteral("The text was changed, which ended the run. It had stopped before next."));
  // More is typed: what was the place, stays.
  Edit(QStringLiteral("ROOT go_on"), QStringLiteral("unused = s32[] constant(7)\n  ROOT go_on"));
  ASSERT_TRUE(bar().isVisible());
  Click(bar().again());
  EXPECT_EQ(CurrentName(), "next");
  EXPECT_EQ(session().frames().back().iteration, 2);
  EXPECT_EQ(std::string(module().InstructionName(window().selection()->instruction())), "next");
  EXPECT_FALSE(bar().isVisible());
  EXPECT_EQ(session().breakpoints().size(), 1u);
  const evaluator::Value value = session().ValueOf(Find("doubled"));
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(evaluator::BriefValue(value), "f32[4] {0, 1, 256, 6561}");
}

TEST_F(EditedRunTest, APlaceInAConditionIsReachedAgain) {
  session().SetBreakpoint(Find("go_on"), {.enabled = true, .condition = QString(), .iteration = 2});
  Trigger("run");
  ASSERT_EQ(session().frames().back().iteration, 2);
  Edit(QStringLiteral("constant(3)"), QStringLiteral("constant(5)"));
  Click(bar().again());
  EXPECT_EQ(CurrentName(), "go_on");
  EXPECT_EQ(session().frames().back().iteration, 2);
}

TEST_F(EditedRunTest, WhatIsNotThereOrCannotBeRunIsNotOffered) {
  Trigger("step_over");
  ASSERT_EQ(CurrentName(), "negated");
  Edit(QStringLiteral("negate(x)"), QStringLiteral("nothing(x)"));
  EXPECT_TRUE(bar().isVisible());
  EXPECT_FALSE(bar().again()->isEnabled());
  Edit(QStringLiteral("nothing(x)"), QStringLiteral("abs(x)"));
  EXPECT_TRUE(bar().again()->isEnabled());
  window().text_view()->undo();
  for (const char* of : {"negated = f32[4]", "(zero, negated"}) {
    Edit(QLatin1String(of), QString(QLatin1String(of)).replace(QStringLiteral("negated"), QStringLiteral("minus")));
  }
  EXPECT_FALSE(bar().again()->isVisible());
  EXPECT_TRUE(bar().message().endsWith(QStringLiteral("It had stopped before negated, which is not there any more.")));
  bar().dismiss()->click();
  EXPECT_FALSE(bar().isVisible());
}

TEST_F(EditedRunTest, AFinishedRunIsRunAgainAndAnotherFileIsNoEdit) {
  Trigger("run");
  ASSERT_EQ(session().state(), State::kFinished);
  Edit(QStringLiteral("constant(3)"), QStringLiteral("constant(4)"));
  ASSERT_TRUE(bar().isVisible());
  EXPECT_EQ(bar().again()->text(), QStringLiteral("Run Again"));
  EXPECT_FALSE(bar().restart()->isVisible());
  Click(bar().again());
  EXPECT_EQ(session().state(), State::kFinished);
  EXPECT_FALSE(bar().isVisible());
  Edit(QStringLiteral("constant(4)"), QStringLiteral("constant(2)"));
  ASSERT_TRUE(bar().isVisible());
  window().SetDiscardAnswer(QMessageBox::Discard);
  OpenText(kNanModule, "other.hlo");
  EXPECT_FALSE(bar().isVisible());
}

}  // namespace
}  // namespace hloscope::gui
