// SPDX-License-Identifier: Apache-2.0
// Pictures that Graphviz has laid out stay as they are while the module is edited.
#include <gtest/gtest.h>

#include <QFileInfo>
#include <QTest>
#include <cmath>
#include <map>
#include <random>

#include "absl/strings/str_cat.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

// One version of a text and its graph, every instruction of the entry computation a box.
struct Version {
  std::shared_ptr<const Document> document;
  std::shared_ptr<const DrawnGraph> drawn;
};

Version Draw(const std::string& text, const DrawnGraph* previous) {
  Version version;
  version.document = ParseText(text);
  const Module& module = version.document->module();
  const ScopeTree scopes(module);
  VisibleGraphOptions options;
  options.computation = module.entry();
  VisibleGraph graph = BuildVisibleGraph(module, version.document->users(), scopes, options);
  const BoxText boxes(module, /*compact=*/false);
  version.drawn = std::make_shared<DrawnGraph>(
      std::move(graph), [&](const VisibleGraph& g, uint32_t box) { return boxes.Size(g, box); }, previous);
  return version;
}

// Laid out by Graphviz, as the panel does it.
bool LayOutWithGraphviz(Version* version) {
  const VisibleGraph& graph = version->drawn->graph();
  Graph level;
  level.computation = graph.computation;
  std::vector<NodeSize> sizes;
  for (uint32_t i = 0; i < graph.boxes.size(); ++i) {
    level.nodes.push_back({});
    level.nodes.back().instruction = graph.boxes[i].instruction;
    sizes.push_back({version->drawn->rect(i).width(), version->drawn->rect(i).height()});
  }
  for (const VisibleGraph::Edge& edge : graph.edges) {
    level.edges.push_back({edge.from, edge.to, edge.control ? GraphEdge::kControl : 0});
  }
  LayoutProcess process;
  bool done = false, good = false;
  auto drawn = std::make_shared<DrawnGraph>(*version->drawn);
  QObject::connect(&process, &LayoutProcess::Finished, [&](const GraphLayout& layout) {
    drawn->ApplyToFirstLevel(layout);
    done = good = true;
  });
  QObject::connect(&process, &LayoutProcess::Failed, [&] { done = true; });
  process.Start(QByteArray::fromStdString(ToDot(version->document->module(), level, {.sizes = sizes})),
                level.nodes.size(), level.edges.size(), 20'000);
  WaitUntil([&] { return done; }, 30'000);
  version->drawn = drawn;
  return good;
}

void ExpectNoOverlap(const DrawnGraph& drawn, const std::string& what) {
  for (uint32_t i = 0; i < drawn.rects().size(); ++i) {
    for (uint32_t k = i + 1; k < drawn.rects().size(); ++k) {
      const QRectF common = drawn.rect(i) & drawn.rect(k);
      ASSERT_FALSE(common.width() > 0.6 && common.height() > 0.6)
          << what << ": " << i << " and " << k << " overlap by " << common.width() << " x " << common.height();
    }
  }
}

// Edges begin and end at the borders of their boxes, and those of new boxes are drawn.
void ExpectEdgesMeetTheirBoxes(const DrawnGraph& drawn, const std::string& what) {
  for (uint32_t i = 0; i < drawn.graph().edges.size(); ++i) {
    const DrawnGraph::Edge& edge = drawn.edge(i);
    ASSERT_GT(edge.count, 0) << what << ": edge " << i << " is not drawn";
    const QRectF from = drawn.rect(drawn.graph().edges[i].from), to = drawn.rect(drawn.graph().edges[i].to);
    const QPointF begin = drawn.points(edge)[0], end = drawn.points(edge)[edge.count - 1];
    EXPECT_TRUE(from.adjusted(-3, -3, 3, 3).contains(begin))
        << what << ": edge " << i << " begins elsewhere: " << begin.x() << ", " << begin.y() << " instead of "
        << from.left() << ".." << from.right() << ", " << from.bottom();
    EXPECT_TRUE(to.adjusted(-3, -3, 3, 3).contains(end))
        << what << ": edge " << i << " ends elsewhere: " << end.x() << ", " << end.y() << " instead of " << to.left()
        << ".." << to.right() << ", " << to.top();
  }
}

struct Moves {
  size_t kept = 0, far = 0;  // boxes that both have, and those of them that moved by more than 50 pixels
};

Moves Compare(const DrawnGraph& before, const DrawnGraph& after) {
  std::map<uint64_t, uint32_t> by_key;
  for (uint32_t i = 0; i < before.graph().boxes.size(); ++i) by_key[before.graph().boxes[i].key] = i;
  Moves moves;
  for (uint32_t i = 0; i < after.graph().boxes.size(); ++i) {
    const auto found = by_key.find(after.graph().boxes[i].key);
    if (found == by_key.end()) continue;
    ++moves.kept;
    const QPointF by = after.rect(i).center() - before.rect(found->second).center();
    moves.far += std::hypot(by.x(), by.y()) > 50.01;
  }
  return moves;
}

// Text after an instruction of the entry computation was put after `operand`, and one of its users reads it instead.
std::string Inserted(const Document& document, InstructionId operand, bool into_edge, int number) {
  const Module& module = document.module();
  std::string text(document.source().text());
  const std::string name(module.InstructionName(operand));
  const SourceRange range = document.InstructionRange(operand);
  const size_t line_end = text.find('\n', range.end);
  const std::string added = absl::StrCat("added_", number);
  const std::string line =
      absl::StrCat("  ", added, " = ", module.shape(operand).ToString(/*with_layout=*/true), " copy(", name, ")\n");
  if (into_edge) {
    // The first user that names it after the new line.
    for (InstructionId user : document.users().users(operand)) {
      const SourceRange where = document.InstructionRange(user);
      const std::string statement = text.substr(where.begin, where.end - where.begin);
      const size_t at = statement.rfind(name + ")");
      if (at == std::string::npos || where.begin < line_end) continue;
      text.replace(where.begin + at, name.size(), added);
      break;
    }
  }
  text.insert(line_end + 1, line);
  return text;
}

// `rounds` insertions, one upon the other.
void ExpectInsertionsMoveLittle(const std::string& name, const std::string& text, int rounds) {
  Version now = Draw(text, nullptr);
  ASSERT_TRUE(LayOutWithGraphviz(&now)) << name;
  ASSERT_FALSE(now.drawn->is_update());
  std::mt19937 random(7);
  for (int round = 0; round < rounds; ++round) {
    const Module& module = now.document->module();
    // Instructions that are on one line, and are no root: the statement of the root says so.
    std::vector<InstructionId> candidates;
    for (InstructionId id : module.computation(module.entry()).instructions) {
      if (id != module.computation(module.entry()).root && module.shape(id).IsArray()) candidates.push_back(id);
    }
    if (candidates.empty()) return;
    const InstructionId operand = candidates[random() % candidates.size()];
    const Version next = Draw(Inserted(*now.document, operand, random() % 2 == 0, round), now.drawn.get());
    const std::string what = absl::StrCat(name, ", insertion ", round);
    ASSERT_EQ(next.drawn->graph().boxes.size(), now.drawn->graph().boxes.size() + 1) << what;
    ASSERT_TRUE(next.drawn->is_update()) << what;
    const Moves moves = Compare(*now.drawn, *next.drawn);
    EXPECT_EQ(moves.kept, now.drawn->graph().boxes.size());
    EXPECT_LE(static_cast<double>(moves.far), 0.01 * static_cast<double>(moves.kept)) << what;
    ExpectNoOverlap(*next.drawn, what);
    ExpectEdgesMeetTheirBoxes(*next.drawn, what);
    now = next;
  }
}

TEST(GraphStabilityTest, AnotherInstructionMovesAtMostOnePercentOfWhatGraphvizHasLaidOut) {
  ExpectInsertionsMoveLittle("loop", kLoopModule, 8);
  ExpectInsertionsMoveLittle("chains", ChainModule(40), 12);
}

TEST(GraphStabilityTest, AnotherInstructionMovesAtMostOnePercentOfSmallRealModules) {
  SKIP_WITHOUT_SHARED_FILES();
  const bool all = qEnvironmentVariableIntValue("HLOSCOPE_LONG_TESTS") != 0;
  int count = 0;
  for (const std::string& file : CorpusFiles()) {
    if (QFileInfo(QString::fromStdString(file)).size() > (all ? 2'000'000 : 200'000)) continue;
    const std::string text = ReadFileOrDie(file);
    const std::shared_ptr<const Document> document = ParseText(text);
    const Module& module = document->module();
    if (!module.entry().has_value()) continue;
    const size_t size = module.computation(module.entry()).instructions.size();
    if (size < 4 || size > (all ? 300u : 120u)) continue;
    if (!all && count >= 6) break;
    ++count;
    ExpectInsertionsMoveLittle(file.substr(file.rfind('/') + 1), text, all ? 40 : 6);
  }
  EXPECT_GE(count, 3);
}

class GraphStabilityPanelTest : public ::testing::Test, public WindowTest {};

TEST_F(GraphStabilityPanelTest, TypingKeepsThePictureAndLayOutAfreshForgetsIt) {
  window().resize(1400, 900);
  window().show();
  OpenText(ChainModule(12));
  GraphPane* pane = window().graph_pane();
  auto settle = [&] { return WaitUntil([&] { return !pane->laying_out() && !pane->graph().empty(); }); };
  ASSERT_TRUE(settle());
  const size_t boxes = pane->graph().boxes.size();
  const DrawnGraph before = pane->canvas()->graph();
  ASSERT_FALSE(before.is_update());
  TextView* text = window().text_view();
  QTextCursor cursor = text->textCursor();
  cursor.setPosition(static_cast<int>(text->toPlainText().indexOf(QLatin1String("parameter(0)")) + 12));
  text->setTextCursor(cursor);
  QTest::keyClick(text, Qt::Key_Return);
  QTest::keyClicks(text, QStringLiteral("more = f32[4] constant({1,2,3,4})"));
  ASSERT_TRUE(WaitUntil([&] { return pane->graph().boxes.size() == boxes + 1 && !pane->laying_out(); }));
  EXPECT_TRUE(pane->canvas()->graph().is_update());
  EXPECT_EQ(Compare(before, pane->canvas()->graph()).far, 0u);
  // Courses of the edges between old boxes are still Graphviz's curves.
  size_t curves = 0;
  for (uint32_t i = 0; i < pane->graph().edges.size(); ++i) {
    curves += pane->canvas()->graph().edge(i).shape == DrawnGraph::EdgeShape::kCurves;
  }
  EXPECT_GE(curves + 2, before.graph().edges.size());
  QAction* afresh = nullptr;
  for (QAction* action : pane->findChildren<QAction*>()) {
    if (action->text() == QLatin1String("Lay out again")) afresh = action;
  }
  ASSERT_NE(afresh, nullptr);
  afresh->trigger();
  ASSERT_TRUE(settle());
  EXPECT_FALSE(pane->canvas()->graph().is_update());
}

// The graph of a large module is built in another thread. Edits that come before it is there have it built again.
TEST_F(GraphStabilityPanelTest, EditsThatFollowEachOtherKeepThePictureOfALargeModule) {
  window().resize(1400, 900);
  window().show();
  const std::string text = ChainModule(1600);
  OpenText(text);
  GraphPane* pane = window().graph_pane();
  pane->SetScope(GraphPane::Scope::kWhole);
  const auto shows = [&](size_t boxes) {
    return WaitUntil([&] { return !pane->laying_out() && pane->graph().boxes.size() == boxes; }, 60'000);
  };
  const size_t boxes = module().instruction_count();
  ASSERT_GT(boxes, 3000u);
  ASSERT_TRUE(shows(boxes));
  const DrawnGraph before = pane->canvas()->graph();
  std::string edited = text;
  const auto insert = [&](const std::string& name) {
    edited.insert(edited.find("  x1 ="), absl::StrCat("  ", name, " = f32[8,16] negate(x0)\n"));
    window().selection()->SetDocument(ParseText(edited), /*keep_place=*/true);
  };
  insert("first");
  ASSERT_TRUE(pane->laying_out());
  insert("second");
  ASSERT_TRUE(pane->laying_out());
  ASSERT_TRUE(shows(boxes + 2));
  EXPECT_TRUE(pane->canvas()->graph().is_update());
  const Moves moves = Compare(before, pane->canvas()->graph());
  EXPECT_EQ(moves.kept, boxes);
  EXPECT_LE(moves.far * 100, moves.kept);
}

}  // namespace
}  // namespace hloscope::gui
