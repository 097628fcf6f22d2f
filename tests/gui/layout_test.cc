// SPDX-License-Identifier: Apache-2.0
// Graphs are laid out without blocking the event loop, and layouts can be abandoned.
#include <gtest/gtest.h>

#include "gui/layout/layout_process.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

// On a busy machine with two cores; a user notices stalls of this length, but keeps his flow.
constexpr int kLongestStallMs = 500;

TEST(LayoutProcessTest, LaysOutASmallGraphTheSameEveryTime) {
  std::vector<QPointF> first;
  for (int round = 0; round < 2; ++round) {
    LayoutProcess process;
    GraphLayout layout;
    bool done = false;
    QObject::connect(&process, &LayoutProcess::Finished, [&](const GraphLayout& result) {
      layout = result;
      done = true;
    });
    process.Start("digraph { n0 [width=1,height=0.5]; n1; n2; n0 -> n1 [id=0]; n0 -> n2 [id=1]; n0 -> n2 [id=2] }", 3,
                  3, 20'000);
    ASSERT_TRUE(WaitUntil([&] { return done; }));
    EXPECT_LT(layout.centers[0].y(), layout.centers[1].y());
    for (const GraphLayout::Edge& edge : layout.edges) EXPECT_FALSE(edge.path.isEmpty());
    if (round == 0) first = layout.centers;
    EXPECT_EQ(layout.centers, first);
  }
}

TEST(LayoutProcessTest, BrokenInputAndTimeLimitsFail) {
  LayoutProcess process;
  int failures = 0;
  QObject::connect(&process, &LayoutProcess::Failed, [&] { ++failures; });
  process.Start("this is not DOT", 1, 0, 20'000);
  ASSERT_TRUE(WaitUntil([&] { return failures == 1; }));
  // Dense enough to keep dot busy for minutes.
  QByteArray dense = "digraph {";
  for (int i = 0; i < 700; ++i) {
    for (int k = 1; k <= 12; ++k) dense += QStringLiteral("n%1->n%2;").arg(i).arg((i * 31 + k * 97) % 700).toLatin1();
  }
  dense += "}";
  StallMeter meter;
  process.Start(dense, 700, 0, 300);
  ASSERT_TRUE(WaitUntil([&] { return failures == 2; }));
  EXPECT_FALSE(process.running());
  process.Start(dense, 700, 0, 60'000);
  WaitUntil([] { return false; }, 100);
  process.Abandon();
  EXPECT_FALSE(process.running());
  EXPECT_EQ(failures, 2);
  EXPECT_LT(meter.longest_work_ms(), kLongestStallMs);
}

class GraphPaneTest : public ::testing::Test, public WindowTest {};

TEST_F(GraphPaneTest, SelectingSomethingElseAbandonsALayout) {
  OpenText(kLoopModule);
  window().selection()->SelectComputation(module().FindComputation("body"));
  EXPECT_TRUE(window().graph_pane()->laying_out());
  window().selection()->SelectComputation(module().FindComputation("not_done"));
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  EXPECT_EQ(window().graph_pane()->graph().computation, module().FindComputation("not_done"));
}

TEST_F(GraphPaneTest, ScopeAndDepthChooseWhatIsDrawn) {
  OpenText(kLoopModule);
  GraphPane* graph = window().graph_pane();
  window().selection()->SelectInstruction(Find("x"));
  graph->SetScope(GraphPane::Scope::kNeighbourhood);
  graph->SetDepth(1);
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }));
  EXPECT_EQ(graph->graph().boxes.size(), 2u);
  EXPECT_TRUE(graph->note().contains(QStringLiteral("2 of 6")));
  // The rim leads on.
  window().selection()->SelectInstruction(Find("negated"));
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }));
  EXPECT_EQ(graph->graph().boxes.size(), 3u);
  graph->SetScope(GraphPane::Scope::kWhole);
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }));
  EXPECT_EQ(graph->graph().boxes.size(), 6u);
}

TEST_F(GraphPaneTest, LargeModulesDoNotBlockTheEventLoop) {
  SKIP_WITHOUT_SHARED_FILES();
  window().resize(1400, 900);
  window().show();
  StallMeter meter;
  OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo")));
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !graph->graph().empty(); }, 60'000));
  EXPECT_LT(graph->graph().boxes.size(), graph->graph().computation_size);
  const int opening = meter.longest_work_ms();
  RecordProperty("longest_stall_opening_ms", opening);
  StallMeter walking;
  const std::vector<InstructionId>& all = module().computation(module().entry()).instructions;
  for (size_t i = 0; i < all.size(); i += all.size() / 20) {
    window().selection()->SelectInstruction(all[i]);
    ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }, 60'000));
    EXPECT_NE(graph->graph().BoxOf(all[i]), VisibleGraph::kNone);
  }
  RecordProperty("longest_stall_selecting_ms", walking.longest_work_ms());
  std::printf("longest stall: opening %d ms, selecting %d ms\n", opening, walking.longest_work_ms());
  EXPECT_LT(opening, 3 * kLongestStallMs);
  EXPECT_LT(walking.longest_work_ms(), kLongestStallMs);
}

}  // namespace
}  // namespace hloscope::gui
