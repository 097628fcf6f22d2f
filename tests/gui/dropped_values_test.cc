// SPDX-License-Identifier: Apache-2.0
// Runs that keep as many values as memory allows and drop the rest: what was dropped counts as executed, and is there
// again when somebody looks at it.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/tensor.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

using State = SessionController::State;

constexpr int kArrays = 24;  // of a megabyte each

// Sums of logarithms: that of `bad`, and that of `worse` close to the end, are NaNs.
std::string SumsModule() {
  std::string text =
      "HloModule sums\n"
      "sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }\n"
      "ENTRY main {\n"
      "  x0 = f32[262144] parameter(0)\n  zero = f32[] constant(0)\n  y0 = f32[] constant(0.5)\n"
      "  minus = f32[262144] negate(x0)\n  bad = f32[262144] log(minus)\n"
      "  badsum = f32[] reduce(bad, zero), dimensions={0}, to_apply=sum\n";
  for (int i = 1; i <= kArrays; ++i) {
    absl::StrAppend(&text, "  b", i, " = f32[262144] broadcast(y", i - 1, "), dimensions={}\n  x", i, " = f32[262144] ",
                    i == 1 ? "add" : "multiply", "(x0, b", i, ")\n  t", i, " = f32[] reduce(x", i,
                    ", zero), dimensions={0}, to_apply=sum\n  y", i, " = f32[] cosine(t", i, ")\n");
  }
  absl::StrAppend(&text, "  less = f32[262144] negate(x0)\n  worse = f32[262144] log(less)\n",
                  "  worsesum = f32[] reduce(worse, zero), dimensions={0}, to_apply=sum\n",
                  "  ROOT result = (f32[], f32[], f32[]) tuple(badsum, y", kArrays, ", worsesum)\n}\n");
  return text;
}

class DroppedValuesTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    before_ = evaluator::Buffer::Limit();
    others_ = evaluator::Buffer::LiveBytes();
    window().resize(1400, 900);
    window().show();
    OpenText(SumsModule());
    ArgumentSource arguments;
    arguments.fill = evaluator::FillKind::kIota;
    session().SetArguments(arguments);
    GraphPane* graph = window().graph_pane();
    graph->SetColoring(GraphColoring::kHealth);
    ASSERT_TRUE(WaitUntil(
        [&] { return !graph->graph().empty() && graph->graph().BoxOf(Find("worse")) < graph->graph().boxes.size(); }));
  }
  void TearDown() override { evaluator::Buffer::SetLimit(before_); }

  SessionController& session() { return *window().session(); }
  TensorPanel& panel() { return *window().value_panel(); }
  // Room for so many of the module's arrays.
  void Allow(int64_t arrays) { session().SetLimits(others_ + (arrays << 20), 0); }
  void AllowNothing() { session().SetLimits(others_ + 1000, 0); }
  // Ends the run and waits until what it held is free.
  void Stop() {
    Trigger("stop");
    EXPECT_TRUE(WaitUntil([this] { return evaluator::Buffer::LiveBytes() < others_ + (1 << 20); }))
        << evaluator::Buffer::LiveBytes() - others_;
  }
  // The last element as the panel shows it.
  QString Shown(const std::string& name) {
    window().selection()->SelectInstruction(Find(name));
    EXPECT_TRUE(WaitUntil([&] { return !session().busy() && panel().message().isEmpty(); }))
        << panel().message().toStdString();
    EXPECT_TRUE(panel().heading().startsWith(QStringLiteral("f32[262144]"))) << panel().heading().toStdString();
    panel().current_view()->Reveal({262143});
    return panel().current_view()->current_text();
  }
  QColor Fill(const std::string& name) {
    const uint32_t box = window().graph_pane()->graph().BoxOf(Find(name));
    return window().graph_pane()->canvas()->look().fills[box];
  }
  NodeMarks Marks(const std::string& name) { return window().graph_pane()->canvas()->look().marks(Find(name)); }

 private:
  int64_t before_ = 0;  // the limit
  int64_t others_ = 0;  // bytes that the run does not have
};

TEST_F(DroppedValuesTest, ARunThatCannotKeepAllFinishesAndShowsWhatItDropped) {
  Trigger("run");
  ASSERT_EQ(session().state(), State::kFinished) << session().failure().toStdString();
  EXPECT_FALSE(session().drops_values());
  EXPECT_FALSE(session().IsDropped(Find("x5")));
  const QString fifth = Shown("x5"), twentieth = Shown("x20");
  EXPECT_NE(fifth, twentieth);
  Stop();
  Allow(kArrays / 2);
  Trigger("run");
  ASSERT_EQ(session().state(), State::kFinished) << session().failure().toStdString();
  EXPECT_TRUE(session().drops_values());
  const GraphPainter::Look& look = window().graph_pane()->canvas()->look();
  for (const char* name : {"x5", "x20", "t7"}) {
    EXPECT_TRUE(session().IsExecuted(Find(name))) << name;
    EXPECT_TRUE(session().IsDropped(Find(name))) << name;
    EXPECT_TRUE(Marks(name).executed) << name;
    EXPECT_TRUE(Marks(name).dropped) << name;
    EXPECT_EQ(Fill(name), look.theme.UnseenFill()) << name;
  }
  EXPECT_FALSE(session().IsDropped(Find("result")));
  EXPECT_FALSE(session().IsDropped(Find("zero")));
  EXPECT_TRUE(session().HealthOf(Find("result")).nan);
  EXPECT_EQ(Shown("x5"), fifth);
  EXPECT_EQ(Shown("x20"), twentieth);
  // It is there while something else is looked at, and nothing more is known to be wrong with it.
  EXPECT_EQ(Fill("x5"), look.theme.HealthyFill());
  EXPECT_TRUE(session().ValueOf(Find("x5")).has_value());
  EXPECT_EQ(session().state(), State::kFinished);
}

TEST_F(DroppedValuesTest, WhatIsKnownOfNaNsStaysAndIsFoundLater) {
  session().ToggleBreakpoint(Find("x2"));
  Allow(kArrays / 2);
  Trigger("run");
  ASSERT_EQ(session().state(), State::kStopped);
  EXPECT_FALSE(session().drops_values());
  EXPECT_TRUE(session().HealthOf(Find("bad")).nan);
  Trigger("run");
  ASSERT_EQ(session().state(), State::kFinished) << session().failure().toStdString();
  EXPECT_TRUE(session().IsDropped(Find("bad")));
  EXPECT_TRUE(session().HealthOf(Find("bad")).nan);
  EXPECT_EQ(Fill("bad"), window().graph_pane()->canvas()->look().theme.error);
  EXPECT_TRUE(session().IsDropped(Find("worse")));
  EXPECT_TRUE(session().IsDroppedUnseen(Find("worse")));
  EXPECT_FALSE(session().HealthOf(Find("worse")).nan);
  EXPECT_EQ(Shown("worse"), QStringLiteral("nan"));
  EXPECT_FALSE(session().IsDroppedUnseen(Find("worse")));
  EXPECT_TRUE(Marks("worse").nan);
}

TEST_F(DroppedValuesTest, CommandsForgetWhatWasMadeAgainAndGoBackAndForth) {
  Allow(kArrays / 2);
  Trigger("run");
  ASSERT_EQ(session().state(), State::kFinished);
  Shown("x5");
  EXPECT_TRUE(session().ValueOf(Find("x5")).has_value());
  Trigger("step_back");
  ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  ASSERT_EQ(session().state(), State::kStopped);
  EXPECT_EQ(session().current(), Find("result"));
  EXPECT_EQ(window().selection()->instruction(), Find("result"));
  EXPECT_FALSE(session().IsExecuted(Find("result")));
  EXPECT_TRUE(session().IsExecuted(Find("x5")));
  EXPECT_FALSE(session().ValueOf(Find("x5")).has_value());
  Trigger("step_back");
  EXPECT_EQ(session().current(), Find("worsesum"));
  EXPECT_TRUE(session().ValueOf(Find("worse")).has_value());  // what it is computed from
  Trigger("run");
  EXPECT_EQ(session().state(), State::kFinished);
  // From the begin on, values are kept again.
  session().ToggleBreakpoint(Find("x2"));
  Trigger("restart");
  Trigger("run");
  ASSERT_EQ(session().state(), State::kStopped);
  EXPECT_FALSE(session().drops_values());
  EXPECT_TRUE(session().ValueOf(Find("bad")).has_value());
}

TEST_F(DroppedValuesTest, OnlyWhatIsShownIsMadeAgain) {
  Allow(kArrays / 2);
  Trigger("run");
  ASSERT_EQ(session().state(), State::kFinished);
  std::vector<InstructionId> recalled;
  QObject::connect(&session(), &SessionController::Recalled, &session(),
                   [&](InstructionId id, const QString&) { recalled.push_back(id); });
  for (const char* name : {"x3", "x8", "x9", "x4"}) window().selection()->SelectInstruction(Find(name));
  EXPECT_TRUE(panel().message().contains(QStringLiteral("x4 was executed"))) << panel().message().toStdString();
  ASSERT_TRUE(WaitUntil([&] { return !recalled.empty() && panel().message().isEmpty(); }));
  EXPECT_EQ(recalled, std::vector<InstructionId>{Find("x4")});
  // Another one while the first is being made: that one comes.
  bool interrupted = false;
  QObject::connect(&session(), &SessionController::StateChanged, &session(), [&] {
    if (session().recalling() != Find("x3") || !session().busy() || std::exchange(interrupted, true)) return;
    EXPECT_TRUE(session().IsExecuted(Find("x3")));
    EXPECT_TRUE(session().phase_text().isEmpty() || session().phase_text().contains(QStringLiteral("x3")));
    window().selection()->SelectInstruction(Find("x8"));
  });
  window().selection()->SelectInstruction(Find("x3"));
  ASSERT_TRUE(WaitUntil([&] { return interrupted; }));
  ASSERT_TRUE(WaitUntil([&] { return !session().busy() && panel().message().isEmpty(); }));
  EXPECT_EQ(recalled.back(), Find("x8"));
  EXPECT_TRUE(session().ValueOf(Find("x8")).has_value());
}

TEST_F(DroppedValuesTest, WhatCannotBeMadeAgainIsSaid) {
  Allow(kArrays / 2);
  Trigger("run");
  ASSERT_EQ(session().state(), State::kFinished);
  AllowNothing();
  window().selection()->SelectInstruction(Find("x5"));
  ASSERT_TRUE(WaitUntil([&] { return panel().message().contains(QStringLiteral("cannot be made again")); }))
      << panel().message().toStdString();
  EXPECT_TRUE(panel().message().startsWith(QStringLiteral("x5 was executed"))) << panel().message().toStdString();
  EXPECT_EQ(session().state(), State::kFinished);
  // Nobody tries again by himself.
  WaitUntil([] { return false; }, 50);
  EXPECT_FALSE(session().busy());
  ASSERT_FALSE(panel().again_button()->isHidden());
  Allow(kArrays / 2);
  panel().again_button()->click();
  EXPECT_TRUE(panel().again_button()->isHidden());
  EXPECT_FALSE(Shown("x5").isEmpty());
}

TEST_F(DroppedValuesTest, WatchesShowValuesThatWereDropped) {
  Trigger("run");
  EXPECT_EQ(session().AddWatch(QStringLiteral("t7")), QString());
  ASSERT_TRUE(WaitUntil([&] { return !session().busy(); }));
  ASSERT_EQ(session().watch_results().size(), 1U);
  const QString value = session().watch_results()[0].value;
  Stop();
  Allow(kArrays / 2);
  Trigger("run");
  ASSERT_TRUE(session().IsDropped(Find("t7")));
  ASSERT_EQ(session().watch_results().size(), 1U);
  EXPECT_FALSE(session().watch_results()[0].failed) << session().watch_results()[0].value.toStdString();
  EXPECT_EQ(session().watch_results()[0].value, value);
}

}  // namespace
}  // namespace hloscope::gui
