// SPDX-License-Identifier: Apache-2.0
// Finding things: in the graph, by every property, commands by what people call them, paths as lists.
#include <gtest/gtest.h>

#include <QTest>
#include <QToolButton>

#include "gui/models/instruction_query.h"
#include "gui/views/command_synonyms.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

class FindingTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1400, 900);
    window().show();
  }
  GraphPane* pane() { return window().graph_pane(); }
  void Settle() {
    ASSERT_TRUE(WaitUntil([&] { return !pane()->laying_out(); }, 60'000));
  }
  // Sixty instructions in groups inside of groups; the 37th has that opcode.
  void OpenGroups(const std::string& opcode) {
    std::string text = "HloModule nested\nENTRY main {\n  x0 = f32[4] parameter(0)\n";
    for (int i = 1; i <= 60; ++i) {
      text += "  x" + std::to_string(i) + " = f32[4] " + (i == 37 ? opcode : "negate") + "(x" + std::to_string(i - 1) +
              "), metadata={op_name=\"jit(f)/part_" + std::to_string((i - 1) / 30) + "/inner_" +
              std::to_string((i - 1) / 10) + "/op\"}\n";
    }
    OpenText(text + "  ROOT r = f32[4] negate(x60)\n}\n");
    pane()->SetScope(GraphPane::Scope::kGroups);
    Settle();
  }
  // All of them, as by hand.
  void CloseGroups() {
    for (bool closed = false; !closed;) {
      closed = true;
      for (uint32_t box = 0; box < pane()->graph().boxes.size() && closed; ++box) {
        if (pane()->graph().boxes[box].inside == kNoItem) continue;
        pane()->Toggle(box);
        Settle();
        closed = false;
      }
    }
  }
  InstructionId selected() { return window().selection()->instruction(); }
};

TEST_F(FindingTest, ReturnAndArrowsGoThroughWhatIsFoundAndEscapeClears) {
  OpenText(kLoopModule);
  Settle();
  QLineEdit* search = pane()->search();
  search->setFocus();
  QTest::keyClicks(search, QStringLiteral("shape:/^f32.4/"));
  EXPECT_TRUE(pane()->note().startsWith(QStringLiteral("3 found"))) << pane()->note().toStdString();
  QTest::keyClick(search, Qt::Key_Return);
  EXPECT_EQ(selected(), Find("x"));
  EXPECT_EQ(pane()->note(), QStringLiteral("1 of 3: x"));
  QTest::keyClick(search, Qt::Key_Down);
  QTest::keyClick(search, Qt::Key_Down);
  EXPECT_EQ(selected(), Find("result"));
  QTest::keyClick(search, Qt::Key_Down);  // around
  EXPECT_EQ(pane()->note(), QStringLiteral("1 of 3: x"));
  QTest::keyClick(search, Qt::Key_Up);
  EXPECT_EQ(pane()->note(), QStringLiteral("3 of 3: result"));
  QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_EQ(selected(), Find("negated"));
  QTest::keyClick(search, Qt::Key_Escape);
  EXPECT_TRUE(search->text().isEmpty());
  EXPECT_TRUE(pane()->canvas()->look().highlighted.empty());
}

TEST_F(FindingTest, ALineIsReachedByItsNumber) {
  OpenText(kLoopModule);
  Settle();
  int asked = 0;
  window().ask_line = [&](int, int count) {
    asked = count;
    return std::optional(4);
  };
  window().action("go_to_line")->trigger();
  EXPECT_EQ(asked, static_cast<int>(window().selection()->document()->source().line_count()));
  EXPECT_EQ(window().text_view()->textCursor().blockNumber(), 3);
  const Document& document = *window().selection()->document();
  EXPECT_EQ(document.source().LineColumnAt(document.InstructionRange(selected()).begin).line, 3u);
  window().ask_line = [](int current, int) -> std::optional<int> {
    EXPECT_EQ(current, 4);
    return std::nullopt;
  };
  // Where the cursor is, is said below, and a click there asks, too.
  auto* place = window().findChild<QToolButton*>(QStringLiteral("place"));
  EXPECT_TRUE(place->text().startsWith(QStringLiteral("Line 4, column "))) << place->text().toStdString();
  place->click();
  EXPECT_EQ(window().text_view()->textCursor().blockNumber(), 3);
}

TEST_F(FindingTest, AHitInsideOfClosedGroupsOpensThem) {
  OpenGroups("tanh");
  CloseGroups();
  ASSERT_EQ(pane()->graph().OwnBoxOf(Find("x37")), kNoItem);
  QTest::keyClicks(pane()->search(), QStringLiteral("opcode:tanh"));
  QTest::keyClick(pane()->search(), Qt::Key_Return);
  Settle();
  const uint32_t box = pane()->graph().OwnBoxOf(Find("x37"));
  ASSERT_NE(box, kNoItem);
  EXPECT_EQ(selected(), Find("x37"));
  EXPECT_TRUE(pane()->canvas()->visible().contains(pane()->canvas()->graph().rect(box).center()));
  EXPECT_EQ(pane()->note(), QStringLiteral("1 of 1: x37"));
}

// Where a run stops, where a line of the text is gone to and where a link leads. The cursor of the text passes.
TEST_F(FindingTest, WhereOneGoesIsShownInsideOfClosedGroups) {
  OpenGroups("log");
  CloseGroups();
  const auto is_seen = [&](const char* name) {
    Settle();
    const uint32_t box = pane()->graph().OwnBoxOf(Find(name));
    return box != kNoItem && pane()->canvas()->visible().contains(pane()->canvas()->graph().rect(box).center());
  };
  Trigger("run_to_nan");
  EXPECT_EQ(selected(), Find("x37"));
  EXPECT_TRUE(is_seen("x37"));
  EXPECT_FALSE(is_seen("x55"));  // the others stay closed

  CloseGroups();
  Trigger("step_over");
  EXPECT_TRUE(is_seen("x38"));
  CloseGroups();
  // What is selected already is gone to once more.
  window().selection()->SelectInstruction(Find("x38"));
  EXPECT_TRUE(is_seen("x38"));
  window().selection()->SelectInstruction(Find("x2"));
  EXPECT_TRUE(is_seen("x2"));
  CloseGroups();
  window().selection()->GoBack();
  EXPECT_TRUE(is_seen("x38"));

  CloseGroups();
  QTextCursor cursor = window().text_view()->textCursor();
  cursor.movePosition(QTextCursor::Down);
  window().text_view()->setTextCursor(cursor);
  EXPECT_EQ(selected(), Find("x39"));
  EXPECT_FALSE(is_seen("x39"));
  window().ask_line = [](int current, int) { return std::optional(current + 1); };
  window().action("go_to_line")->trigger();
  EXPECT_EQ(selected(), Find("x40"));
  EXPECT_TRUE(is_seen("x40"));
}

// The frame of `hidden` has returned, and what it returned is finite.
TEST_F(FindingTest, NansAreFoundInAllValuesOfTheRun) {
  OpenText(R"(HloModule m
hidden {
  p = f32[2] parameter(0)
  bad = f32[2] log(p)
  differs = pred[2] compare(bad, bad), direction=NE
  ROOT back = f32[2] convert(differs)
}
ENTRY e {
  minus = f32[2] constant({-1, -1})
  called = f32[2] call(minus), to_apply=hidden
  ROOT out = f32[2] add(called, called)
}
)");
  Trigger("run");
  EXPECT_FALSE(window().session()->HealthOf(Find("bad")).nan);
  ComputationsPanel* list = window().computations_panel();
  list->search()->setText(QStringLiteral("has:nan"));
  ASSERT_TRUE(WaitUntil([&] { return list->found_instructions()->count() == 1; })) << list->note().toStdString();
  EXPECT_EQ(list->found_instructions()->item(0)->text(), QStringLiteral("bad"));
  EXPECT_EQ(list->note(), QStringLiteral("1 found; Enter goes to the next one"));
  EXPECT_EQ(window().session()->state(), SessionController::State::kFinished);
  EXPECT_FALSE(window().session()->AskHealthOfRun());  // it is known
  // The graph of that computation, too.
  window().selection()->SelectInstruction(Find("p"));
  Settle();
  pane()->search()->setText(QStringLiteral("has:nan"));
  ASSERT_TRUE(WaitUntil([&] { return pane()->found().size() == 1; })) << pane()->note().toStdString();
  // The run that goes on makes other values. Nothing asks for them again.
  pane()->search()->clear();
  list->search()->clear();
  Settle();
  Trigger("step_back");
  EXPECT_FALSE(window().session()->HealthInRun(Find("bad")).nan);
}

TEST_F(FindingTest, TheSearchOfAllComputationsTakesTheSameQuestionsAndKeys) {
  OpenText(R"(HloModule m
one {
  p = f32[2] parameter(0)
  ROOT n = f32[2] negate(p), metadata={op_name="layer_7/neg"}
}
ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] call(x), to_apply=one
  negate_me = f32[2] tanh(y)
  ROOT z = f32[2] negate(negate_me)
}
)");
  ComputationsPanel* list = window().computations_panel();
  QTest::keyClicks(list->search(), QStringLiteral("negate"));
  ASSERT_EQ(list->found_instructions()->count(), 3);
  QTest::keyClick(list->search(), Qt::Key_Return);
  EXPECT_EQ(list->note(), QStringLiteral("1 of 3"));
  EXPECT_EQ(selected(), Find("n"));
  QTest::keyClick(list->search(), Qt::Key_Down);
  EXPECT_EQ(list->note(), QStringLiteral("2 of 3"));
  QTest::keyClick(list->search(), Qt::Key_Return, Qt::ShiftModifier);
  QTest::keyClick(list->search(), Qt::Key_Up);
  EXPECT_EQ(list->note(), QStringLiteral("3 of 3"));
  list->search()->setText(QStringLiteral("op_name:layer_7"));
  EXPECT_EQ(list->found_instructions()->count(), 1);
  EXPECT_EQ(list->list()->model()->rowCount(), 2);  // no question about computations
  list->search()->setText(QStringLiteral("/^neg/"));
  EXPECT_EQ(list->found_instructions()->count(), 3);
  list->search()->setText(QStringLiteral("/(/"));
  EXPECT_TRUE(list->note().startsWith(QStringLiteral("The pattern cannot be read"))) << list->note().toStdString();
  QTest::keyClick(list->search(), Qt::Key_Escape);
  EXPECT_TRUE(list->search()->text().isEmpty());
  EXPECT_TRUE(list->found_instructions()->isHidden());
}

TEST_F(FindingTest, SourcesAttributesAndValuesAreFound) {
  OpenText(R"(HloModule m
ENTRY e {
  minus = f32[2] constant({-1, -1}), metadata={source_file="model/train.py" source_line=12}
  bad = f32[2] log(minus), metadata={source_file="model/train.py" source_line=120}
  t = f32[3,2] broadcast(bad), dimensions={1}
  ROOT u = f32[2,3] transpose(t), dimensions={1,0}
}
)");
  Trigger("run");
  InstructionQuery::Knowledge knowledge;
  knowledge.document = window().selection()->document().get();
  knowledge.health = [&](InstructionId id) { return window().session()->HealthOf(id); };
  knowledge.executed = [&](InstructionId id) { return window().session()->IsExecuted(id); };
  const auto found = [&](const char* text) {
    std::string names;
    for (InstructionId id : InstructionQuery::Parse(QLatin1String(text)).Find(module(), 100, knowledge)) {
      names += std::string(module().InstructionName(id)) + " ";
    }
    return names;
  };
  EXPECT_EQ(found("source:train.py:12"), "minus bad ");
  EXPECT_EQ(found("source:/train.py:12$/"), "minus ");
  EXPECT_EQ(found("attribute:dimensions={1}"), "t ");
  EXPECT_EQ(found("attribute:/dimensions/"), "t u ");
  EXPECT_EQ(found("has:nan"), "bad t u ");
  EXPECT_EQ(found("has NaN"), "bad t u ");
  EXPECT_EQ(found("has:inf"), "");
  EXPECT_EQ(found("has:nonsense"), "");
  // Without a run or a document nothing is known, and nothing is wrong.
  EXPECT_TRUE(InstructionQuery::Parse(QStringLiteral("has:value")).Find(module(), 100).empty());
  EXPECT_TRUE(InstructionQuery::Parse(QStringLiteral("attribute:dimensions")).Find(module(), 100).empty());
}

TEST_F(FindingTest, ThePaletteKnowsWhatPeopleCallThings) {
  OpenText(kLoopModule);
  const auto first = [&](const char* words) {
    CommandPalette* palette = window().MakePalette();
    palette->show();
    QTest::keyClicks(palette->search(), QLatin1String(words));
    const QTableWidgetItem* item = palette->commands()->currentItem();
    const std::string name = item == nullptr ? "" : item->text().toStdString();
    palette->close();
    return name;
  };
  EXPECT_EQ(first("call stack"), "Run");
  EXPECT_EQ(first("broadcasting"), "Index map");
  EXPECT_EQ(first("tiling"), "Layout");
  EXPECT_EQ(first("diff"), "Differences and rewrites");
  EXPECT_EQ(first("profiler"), "Profile");
  EXPECT_EQ(first("out of memory"), "Memory");
  EXPECT_EQ(first("settings"), "Preferences...");
  EXPECT_EQ(first("memory panel"), "Memory");
  // Every panel is a command, and every word that is listed belongs to one.
  std::set<QString> names;
  for (QAction* action : window().findChildren<QAction*>()) names.insert(action->objectName());
  for (const DockRow& row : DockTable()) {
    const QString name = QStringLiteral("show_%1").arg(QLatin1String(row.name));
    EXPECT_TRUE(names.count(name)) << row.name;
    EXPECT_FALSE(SynonymsOf(name).isEmpty()) << row.name;
  }
}

TEST_F(FindingTest, PathsAreAlsoLists) {
  OpenText(kLoopModule);
  Settle();
  ASSERT_TRUE(pane()->ShowPath(Find("x"), Find("result")));
  PropertyModel* properties = window().properties_panel()->model();
  const QModelIndex steps = properties->Find(QStringLiteral("Steps"));
  ASSERT_TRUE(steps.isValid());
  ASSERT_EQ(properties->rowCount(steps), 5);
  EXPECT_EQ(properties->index(1, PropertyModel::kValue, steps).data().toString(), QStringLiteral("negated"));
  window().properties_panel()->Follow(properties->index(2, PropertyModel::kValue, steps));
  EXPECT_EQ(selected(), Find("initial"));
}

TEST_F(FindingTest, GroupsHaveProperties) {
  std::string text = "HloModule groups\nENTRY main {\n  x0 = f32[1024] parameter(0)\n";
  for (int i = 1; i <= 8; ++i) {
    text += "  x" + std::to_string(i) + " = f32[1024] " + (i % 2 == 0 ? "tanh" : "negate") + "(x" +
            std::to_string(i - 1) + "), metadata={op_name=\"jit(f)/" + (i <= 4 ? "first" : "second") + "/op\"}\n";
  }
  OpenText(text + "  ROOT r = f32[1024] negate(x8)\n}\n");
  pane()->SetScope(GraphPane::Scope::kGroups);
  Settle();
  Trigger("run");
  uint32_t box = pane()->graph().BoxOf(Find("x2"));
  if (pane()->graph().boxes[box].kind == VisibleGraph::BoxKind::kInstruction) {
    box = pane()->graph().levels[pane()->graph().boxes[box].level].box;
  }
  const QPointF heading = pane()->canvas()->graph().rect(box).topLeft() + QPointF(20, 8);
  pane()->canvas()->CenterOn(heading, 1);
  QTest::mouseClick(pane()->canvas(), Qt::LeftButton, {}, pane()->canvas()->ToScreen(heading).toPoint());
  PropertyModel* properties = window().properties_panel()->model();
  const auto value = [&](const char* name) {
    return properties->Find(QLatin1String(name)).siblingAtColumn(PropertyModel::kValue).data().toString();
  };
  EXPECT_EQ(value("Group"), QStringLiteral("first"));
  EXPECT_EQ(value("tanh"), QStringLiteral("2"));
  EXPECT_EQ(value("Operations"), QStringLiteral("4096 FLOP"));
  EXPECT_EQ(value("Bytes moved"), QStringLiteral("32.0 KiB"));
  EXPECT_FALSE(value("Time").isEmpty());
  EXPECT_EQ(value("Outputs"), QStringLiteral("1, 4.00 KiB"));
  // Whatever is selected next takes its place.
  window().selection()->SelectInstruction(Find("x5"));
  EXPECT_EQ(value("Name"), QStringLiteral("x5"));
  EXPECT_TRUE(value("Group").isEmpty());
}

TEST_F(FindingTest, ToolTipsSayWhatABoxCosts) {
  OpenText(R"(HloModule tips
ENTRY main {
  x = f32[1024] parameter(0)
  ROOT a_name_that_is_longer_than_any_box_has_room_for.12345 = f32[1024] tanh(x), metadata={op_name="jit(f)/layer/tanh" source_file="m.py" source_line=7}
}
)");
  Settle();
  Trigger("run");
  const InstructionId id = Find("a_name_that_is_longer_than_any_box_has_room_for.12345");
  const QString tip = pane()->canvas()->ToolTipAt(BoxCenter(pane(), id));
  for (const char* part :
       {"room_for.12345", "1024 FLOP", "8.00 KiB moved", "measured", "jit(f)/layer/tanh", "m.py:7"}) {
    EXPECT_TRUE(tip.contains(QLatin1String(part))) << part << " in " << tip.toStdString();
  }
}

}  // namespace
}  // namespace hloscope::gui
