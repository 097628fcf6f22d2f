// SPDX-License-Identifier: Apache-2.0
// Where the time of a run goes: lanes, scopes, tables, and their panel.
#include "gui/models/time_spans.h"

#include <gtest/gtest.h>

#include <QTest>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "gui/models/trace_spans.h"
#include "gui/panels/timeline_panel.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

constexpr char kScoped[] = R"(HloModule scoped

ENTRY main {
  x = f32[64,64] parameter(0)
  a = f32[64,64] negate(x), metadata={op_name="jit(f)/first/neg"}
  b = f32[64,64] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/first/dot"}
  c = f32[64,64] tanh(b), metadata={op_name="jit(f)/second/tanh"}
  ROOT r = f32[64,64] add(c, a), metadata={op_name="jit(f)/second/add"}
}
)";

std::vector<evaluator::InstructionStatistics> Statistics(const Module& module,
                                                         const std::map<std::string, double>& seconds) {
  std::vector<evaluator::InstructionStatistics> statistics(module.instruction_count());
  for (const auto& [name, time] : seconds) statistics[FindByName(module, name).index()] = {1, time, 8};
  return statistics;
}

std::string Said(const Module& module, const TimeSpans& spans) {
  std::string said;
  for (uint32_t lane = 0; lane < spans.lanes(); ++lane) {
    for (uint32_t i = spans.lane_begin[lane]; i < spans.lane_begin[lane + 1]; ++i) {
      const TimeSpans::Span& span = spans.spans[i];
      const std::string name = span.name.empty() ? std::string(module.InstructionName(span.instruction)) : span.name;
      absl::StrAppend(&said, name, " ", span.begin, "-", span.end, "; ");
    }
    absl::StrAppend(&said, "| ");
  }
  return said;
}

TEST(TimeSpansTest, TheScheduleWithWhatIsCalledBelow) {
  DocumentAnalyses analyses(ParseText(kLoopModule));
  const Module& module = analyses.module();
  const auto statistics =
      Statistics(module, {{"negated", 2}, {"final", 1}, {"doubled", 4}, {"go_on", 1}, {"result", 2}});
  const InstructionTimes times = TimesOf(analyses, statistics);
  EXPECT_TRUE(times.measured);
  const TimeSpans spans = SpansOfSchedule(analyses, times);
  EXPECT_EQ(spans.total, 10);
  EXPECT_EQ(Said(module, spans), "negated 0-2; final 2-8; result 8-10; | go_on 2-3; doubled 3-7; | ");
  EXPECT_EQ(spans.alive.size(), 3u);
  EXPECT_EQ(spans.At(5, 0), 1u);
  EXPECT_EQ(spans.At(5, 1), 4u);
  EXPECT_EQ(spans.At(7.5, 1), TimeSpans::kNone);
  EXPECT_EQ(spans.At(-1, 0), TimeSpans::kNone);
  EXPECT_EQ(spans.At(1, 9), TimeSpans::kNone);
}

TEST(TimeSpansTest, ScopesTheLongestFirst) {
  DocumentAnalyses analyses(ParseText(kScoped));
  const Module& module = analyses.module();
  const InstructionTimes times = TimesOf(analyses, Statistics(module, {{"a", 1}, {"b", 2}, {"c", 4}, {"r", 0.5}}));
  EXPECT_EQ(Said(module, SpansOfScopes(analyses, times)),
            "jit(f) 0-7.5; | second 0-4.5; first 4.5-7.5; | c 0-4; r 4-4.5; b 4.5-6.5; a 6.5-7.5; | ");
  const std::vector<TimeRow> top = TopDown(analyses, times);
  ASSERT_EQ(top.size(), 1u);
  EXPECT_EQ(top[0].seconds, 7.5);
  EXPECT_EQ(top[0].instructions, 4);
  EXPECT_EQ(top[0].rows[0].name, "second");
  EXPECT_EQ(top[0].rows[0].own, 4.5);
  EXPECT_EQ(top[0].rows[1].rows[0].rows[0].instruction, FindByName(module, "b"));
  const std::vector<TimeRow> bottom = BottomUp(analyses, times);
  ASSERT_EQ(bottom.size(), 4u);
  EXPECT_EQ(bottom[0].name, "tanh");
  EXPECT_EQ(bottom[1].rows[0].rows[0].name, "jit(f)/first");
}

TEST(TimeSpansTest, BeforeARunTimesAreEstimated) {
  DocumentAnalyses analyses(ParseText(kScoped));
  const Module& module = analyses.module();
  const InstructionTimes times = TimesOf(analyses, {});
  EXPECT_FALSE(times.measured);
  // Two operations for each of 64^3 products; the others move what they read and write.
  EXPECT_DOUBLE_EQ(times.own[FindByName(module, "b").index()], 2 * 64.0 * 64 * 64 / kEstimatedFlops);
  EXPECT_DOUBLE_EQ(times.own[FindByName(module, "a").index()], 2 * 64.0 * 64 * 4 / kEstimatedBytes);
  // A loop is as long as its iterations.
  DocumentAnalyses loop(ParseText(kLoopModule));
  const InstructionTimes of_loop = TimesOf(loop, {});
  EXPECT_GT(of_loop.own[FindByName(loop.module(), "doubled").index()], 0);
  EXPECT_EQ(of_loop.own[FindByName(loop.module(), "final").index()], 0);
  EXPECT_GT(of_loop.whole[FindByName(loop.module(), "final").index()], 0);
}

TEST(TimeSpansTest, BrokenModulesTakeNoTime) {
  for (const char* text : {"", "HloModule m\n", "HloModule m\nENTRY e { ROOT a = f32[] add(a, a) }"}) {
    DocumentAnalyses analyses(ParseText(text));
    const InstructionTimes times = TimesOf(analyses, {});
    EXPECT_LE(SpansOfScopes(analyses, times).lanes(), 1u);
    EXPECT_TRUE(BottomUp(analyses, times).size() < 2);
  }
}

TEST(TraceSpansTest, CallsAreAboveWhatTheyExecuteAndPausesAreLeftOut) {
  DocumentAnalyses analyses(ParseText(kLoopModule));
  const Module& module = analyses.module();
  const InstructionId loop = FindByName(module, "final"), doubled = FindByName(module, "doubled");
  ASSERT_TRUE(loop.has_value() && doubled.has_value());
  evaluator::RunTrace trace;
  const auto start = evaluator::RunTrace::Clock::now();
  const auto record = [&](int64_t device, std::vector<evaluator::Frame> frames, InstructionId id, int from_ms, int ms) {
    const auto begin = start + std::chrono::milliseconds(from_ms);
    trace.Record(device, frames, id, begin, begin + std::chrono::milliseconds(ms));
  };
  evaluator::Frame entry, body;
  body.caller = loop;
  record(0, {entry}, FindByName(module, "zero"), 0, 1);
  record(0, {entry, body}, doubled, 5000, 2);  // somebody thought about it for five seconds
  record(0, {entry, body}, doubled, 5010, 3);
  record(1, {entry, body}, doubled, 5020, 4);
  const TimeSpans spans = SpansOfTrace(analyses, trace);
  EXPECT_NEAR(spans.total, 0.010, 1e-9);
  ASSERT_EQ(spans.lanes(), 6u);  // of each device: its name, the entry computation, the body
  EXPECT_EQ(spans.lane_names, (std::vector<std::string>{"device 0", "", "", "device 1"}));
  // The two iterations are in one span of the loop.
  const TimeSpans::Span& whole = spans.spans[spans.At(0.004, 1)];
  EXPECT_EQ(whole.instruction, loop);
  EXPECT_NEAR(whole.begin, 0.001, 1e-9);
  EXPECT_NEAR(whole.end, 0.006, 1e-9);
  EXPECT_EQ(spans.spans[spans.At(0.004, 2)].instruction, doubled);
  EXPECT_NE(spans.At(0.002, 2), spans.At(0.004, 2));
  EXPECT_EQ(spans.At(0.004, 5), TimeSpans::kNone);  // it was the other device's turn
  EXPECT_EQ(spans.spans[spans.At(0.008, 5)].instruction, doubled);
  EXPECT_GT(spans.AliveAt(0.002), 0);
  EXPECT_EQ(spans.AliveAt(0.008), -1);
  EXPECT_EQ(spans.joined_seconds, 0);
  // A run that begins again begins a new picture.
  trace.Clear();
  EXPECT_EQ(SpansOfTrace(analyses, trace).lanes(), 0u);
}

class TimelinePanelTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1280, 800);
    window().show();
    OpenText(kScoped);
    window().ShowDock(QStringLiteral("timeline"));
    WaitUntil([] { return false; }, 50);
  }
  TimelinePanel* panel() { return window().panel<TimelinePanel>(); }
};

TEST(TimeSpansViewTest, TimesOnTheAxisDiffer) {
  EXPECT_EQ(TimeSpansView::AxisText(0, 0.1), QStringLiteral("0"));
  EXPECT_EQ(TimeSpansView::AxisText(0.2, 0.1), QStringLiteral("200 ms"));
  EXPECT_EQ(TimeSpansView::AxisText(1.5, 0.5), QStringLiteral("1.5 s"));
  EXPECT_EQ(TimeSpansView::AxisText(0.18685, 5e-5), QStringLiteral("186.85 ms"));
  EXPECT_EQ(TimeSpansView::AxisText(0.1868502, 2e-7), QStringLiteral("186.8502 ms"));
  EXPECT_EQ(TimeSpansView::AxisText(2.5e-6, 5e-7), QStringLiteral("2.5 \u00B5s"));
  EXPECT_EQ(TimeSpansView::AxisText(3e-12, 1e-12), QStringLiteral("0.003 ns"));
  // Of a sum of steps.
  EXPECT_EQ(TimeSpansView::AxisText(0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1, 0.1),
            QStringLiteral("1.0 s"));
}

TEST_F(TimelinePanelTest, ClicksGoToTheInstructionAndTheWheelZooms) {
  Trigger("run");
  TimeSpansView* view = panel()->schedule();
  ASSERT_NE(view->spans(), nullptr);
  EXPECT_TRUE(view->spans()->measured);
  uint32_t dot = 0;
  while (view->spans()->spans[dot].instruction != Find("b")) ++dot;
  QTest::mouseClick(view, Qt::LeftButton, {}, view->RectOf(dot).center().toPoint());
  EXPECT_EQ(window().selection()->instruction(), Find("b"));
  EXPECT_TRUE(view->ToolTipOf(dot).contains(QStringLiteral("alive")));
  // Where it is computed and where it is read is marked.
  int written = 0, read = 0;
  for (const TimeSpansView::Mark& mark : view->marks()) ++(mark.is_read ? read : written);
  EXPECT_EQ(written, 1);
  EXPECT_EQ(read, static_cast<int>(window().selection()->document()->users().users(Find("b")).size()));
  const double whole = view->length();
  QTest::keyClick(view, Qt::Key_Plus);
  EXPECT_LT(view->length(), whole);
  QTest::keyClick(view, Qt::Key_Right);
  EXPECT_GT(view->begin(), 0);
  for (int i = 0; i < 80; ++i) view->ZoomBy(2, 10);
  EXPECT_GT(view->length(), 0);
  view->grab();
  QTest::keyClick(view, Qt::Key_0);
  EXPECT_EQ(view->length(), whole);
}

TEST_F(TimelinePanelTest, DevicesHaveLanesOfTheirOwn) {
  ArgumentSource arguments;
  arguments.partitions = 3;
  window().session()->SetArguments(arguments);
  Trigger("run");
  const TimeSpans* spans = panel()->schedule()->spans();
  ASSERT_NE(spans, nullptr);
  int named = 0;
  for (const std::string& name : spans->lane_names) named += !name.empty();
  EXPECT_EQ(named, 3);
  EXPECT_EQ(spans->lanes() % 3, 0u);
  const double once = spans->total;
  panel()->schedule()->grab();
  // Running again shows the new run alone.
  Trigger("run");
  uint64_t of_b = 0;
  for (const TimeSpans::Span& span : panel()->schedule()->spans()->spans) of_b += span.instruction == Find("b");
  EXPECT_EQ(of_b, 3u);
  EXPECT_GT(once, 0);
}

TEST_F(TimelinePanelTest, TablesAreFiltered) {
  EXPECT_FALSE(panel()->schedule()->spans()->measured);
  panel()->tabs()->setCurrentWidget(panel()->bottom_up());
  QTreeWidget* tree = panel()->bottom_up();
  ASSERT_EQ(tree->topLevelItemCount(), 4);
  EXPECT_EQ(tree->headerItem()->text(1), QStringLiteral("Estimated"));
  Trigger("run");
  EXPECT_EQ(tree->headerItem()->text(1), QStringLiteral("Time"));
  panel()->filter()->setText(QStringLiteral("TAN"));
  int shown = 0;
  for (int i = 0; i < tree->topLevelItemCount(); ++i) shown += !tree->topLevelItem(i)->isHidden();
  EXPECT_EQ(shown, 1);
  panel()->tabs()->setCurrentWidget(panel()->top_down());
  panel()->filter()->setText(QStringLiteral("second"));
  const QTreeWidgetItem* all = panel()->top_down()->topLevelItem(0);
  ASSERT_EQ(all->childCount(), 2);
  EXPECT_NE(all->child(0)->isHidden(), all->child(1)->isHidden());
  panel()->filter()->clear();
  EXPECT_FALSE(all->child(0)->isHidden() || all->child(1)->isHidden());
  panel()->tabs()->setCurrentWidget(panel()->scopes());
  panel()->grab();
}

}  // namespace
}  // namespace hloscope::gui
