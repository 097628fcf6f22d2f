// SPDX-License-Identifier: Apache-2.0
// The passes of a dumped module: the list, two stages side by side, an instruction through all of them.
#include "gui/panels/passes_panel.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QScrollBar>
#include <algorithm>

#include "evaluator/tensor/npy.h"
#include "gui/panels/blame_dialog.h"
#include "gui/panels/dump_panel.h"
#include "gui/panels/panel_commands.h"
#include "tests/gui/gui_test_support.h"
#include "tests/support/dump_stages.h"

namespace hloscope::gui {
namespace {

// What a pass leaves of a chain: `middle` is its text, `scale` the name of what multiplies.
std::string StageText(const std::string& middle, const std::string& scale) {
  return "HloModule jit_f\nENTRY e {\n  p = f32[8,16] parameter(0)\n  q = f32[8,16] parameter(1)\n" + middle + "  " +
         scale + " = f32[8,16] multiply(sum, q)\n  ROOT out = f32[8,16] tanh(" + scale + ")\n}\n";
}

class PassesPanelTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    const std::string twice = "  a = f32[8,16] negate(p)\n  b = f32[8,16] negate(a)\n  sum = f32[8,16] add(b, q)\n";
    const std::string once = "  sum = f32[8,16] add(p, q)\n";
    const std::vector<DumpedStage> stages = {
        {"before_optimizations", "", StageText(twice, "scaled")},
        {"0001.simplification.after_algsimp.before_dce", "", StageText(once, "scaled")},
        {"0002.simplification.after_dce.before_renaming", "", StageText(once, "scaled")},
        {"0003.simplification.after_renaming.before_fusion", "", StageText(once, "product.1")},
        {"0004.fusion.after_broken.before_end", "", "HloModule jit_f\nENTRY e {\n"},
        {"0005.fusion.after_sine.before_end", "",
         "HloModule jit_f\nENTRY e {\n  p = f32[8,16] parameter(0)\n  q = f32[8,16] parameter(1)\n" + once +
             "  product.1 = f32[8,16] multiply(sum, q)\n  ROOT out = f32[8,16] sine(product.1)\n}\n"}};
    WriteDump(Path("dump").toStdString(), 3, "jit_f", stages);
    WriteDump(Path("dump").toStdString(), 7, "jit_g", {{"before_optimizations", "", StageText(once, "scaled")}});
    window().resize(1280, 720);
    window().show();
    window().OpenPlace(Path("dump"));
    auto* dumps = window().panel<DumpPanel>();
    ASSERT_TRUE(WaitUntil([&] { return dumps->passes_button()->isEnabled(); })) << dumps->summary().toStdString();
    dumps->passes_button()->click();
    ASSERT_TRUE(WaitUntil([&] { return !panel()->model()->changes().empty(); })) << panel()->summary().toStdString();
  }

  PassesPanel* panel() { return window().panel<PassesPanel>(); }
  // What the list shows in a column, from above.
  QStringList Shown(PassesModel::Column column) {
    QStringList texts;
    const QAbstractItemModel* model = panel()->list()->model();
    for (int row = 0; row < model->rowCount(); ++row) texts << model->index(row, column).data().toString();
    return texts;
  }
  void Select(const std::vector<int>& rows) {
    panel()->list()->clearSelection();
    for (int row : rows) {
      panel()->list()->selectionModel()->select(panel()->list()->model()->index(row, 0),
                                                QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  }
};

TEST_F(PassesPanelTest, AFolderListsThePassesThatChangedSomethingWithFiguresBeforeAndAfter) {
  EXPECT_EQ(window().enlarged_dock(), window().dock("passes"));
  EXPECT_EQ(panel()->modules()->currentText(), QStringLiteral("jit_f  #3"));
  EXPECT_EQ(Shown(PassesModel::kPass), QStringList({QStringLiteral("before_optimizations"), QStringLiteral("algsimp"),
                                                    QStringLiteral("broken: cannot be read"), QStringLiteral("sine")}));
  EXPECT_EQ(Shown(PassesModel::kInstructions)[1], QString::fromUtf8("7 \u2192 5"));
  EXPECT_EQ(Shown(PassesModel::kRemoved)[1], QStringLiteral("2"));
  EXPECT_EQ(Shown(PassesModel::kModified)[1], QStringLiteral("1"));
  EXPECT_EQ(Shown(PassesModel::kAdded)[1], QString());
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("2 of 6 stages"))) << panel()->summary().toStdString();
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("1 stage cannot be read")));
  const QModelIndex broken = panel()->list()->model()->index(2, 0);
  EXPECT_TRUE(broken.data(Qt::ToolTipRole).toString().contains(QStringLiteral(".txt:")))
      << broken.data(Qt::ToolTipRole).toString().toStdString();
  panel()->unchanged()->setChecked(true);
  EXPECT_EQ(Shown(PassesModel::kPass).size(), 6);
  // A pass is found by its name and by an instruction that it changed, also where unchanged ones are hidden.
  panel()->unchanged()->setChecked(false);
  panel()->search()->setText(QStringLiteral("renam"));
  EXPECT_EQ(Shown(PassesModel::kPass), QStringList({QStringLiteral("renaming")}));
  panel()->search()->setText(QStringLiteral("out"));
  EXPECT_EQ(Shown(PassesModel::kPass).last(), QStringLiteral("sine"));
  const QString command = CommandOfPanel(panel(), QString());
  EXPECT_TRUE(command.startsWith(QStringLiteral("hloscope passes "))) << command.toStdString();
  EXPECT_TRUE(command.endsWith(QStringLiteral(" --module=1 --html=passes.html"))) << command.toStdString();
  panel()->findChild<QPushButton*>(QStringLiteral("copy_blame"))->click();
  EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("hloscope blame ")));
  EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QStringLiteral(" --module=1 ")));
}

TEST_F(PassesPanelTest, OneStageIsComparedWithTheOneBeforeAndTwoWithEachOther) {
  Select({1});
  const auto& lines = panel()->texts()->lines();
  const auto removed = [&] {
    return std::count_if(lines.begin(), lines.end(),
                         [](const ComparedLine& line) { return line.change == InstructionChange::kRemoved; });
  };
  EXPECT_EQ(removed(), 2);
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("1 changed, 2 removed, 0 added")))
      << panel()->summary().toStdString();
  // Both texts have a line for each line of the other.
  ComparedText *before = panel()->texts()->text(false), *after = panel()->texts()->text(true);
  EXPECT_EQ(before->blockCount(), after->blockCount());
  EXPECT_TRUE(before->toPlainText().contains(QStringLiteral("negate(p)")));
  EXPECT_FALSE(after->toPlainText().contains(QStringLiteral("negate(p)")));
  ASSERT_NE(panel()->graphs()->comparison(), nullptr);
  // The stage before "sine" cannot be read: that one is passed over.
  Select({3});
  EXPECT_TRUE(
      panel()->summary().startsWith(QString::fromUtf8("3 renaming \u2192 5 sine: 1 changed, 0 removed, 0 added")))
      << panel()->summary().toStdString();
  Select({0, 3});
  EXPECT_TRUE(panel()->summary().startsWith(QString::fromUtf8("0 before_optimizations \u2192 5 sine")))
      << panel()->summary().toStdString();
  EXPECT_EQ(removed(), 2);
  Select({2});
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral(".txt:"))) << panel()->summary().toStdString();
}

TEST_F(PassesPanelTest, TextsScrollTogetherAndMarkTheSameInstructionAsTheGraphs) {
  std::vector<ComparedLine> lines;
  for (int i = 0; i < 500; ++i) {
    const QString text = QStringLiteral("line %1").arg(i);
    lines.push_back({i == 300 ? InstructionChange::kAdded : InstructionChange::kSame, i == 300 ? QString() : text, text,
                     i == 300 ? InstructionId() : InstructionId(static_cast<uint32_t>(i)),
                     InstructionId(static_cast<uint32_t>(i)), false});
  }
  TextComparisonView view;
  view.resize(600, 300);
  view.show();
  view.Show(lines, QStringLiteral("before"), QStringLiteral("after"));
  view.text(true)->verticalScrollBar()->setValue(120);
  EXPECT_EQ(view.text(false)->verticalScrollBar()->value(), 120);
  view.text(false)->verticalScrollBar()->setValue(7);
  EXPECT_EQ(view.text(true)->verticalScrollBar()->value(), 7);
  view.GoToChange(1);
  EXPECT_EQ(view.text(true)->textCursor().blockNumber(), 300);
  EXPECT_EQ(view.text(false)->textCursor().blockNumber(), 300);
  EXPECT_EQ(view.text(false)->verticalScrollBar()->value(), view.text(true)->verticalScrollBar()->value());
  // Also where a line was asked for before anything was drawn.
  TextComparisonView later;
  later.Show(lines, QStringLiteral("before"), QStringLiteral("after"));
  later.resize(600, 300);
  EXPECT_TRUE(later.Select(true, InstructionId(static_cast<uint32_t>(400))));
  later.show();
  later.resize(500, 200);
  QCoreApplication::processEvents();
  EXPECT_GT(later.text(true)->verticalScrollBar()->value(), 0);
  EXPECT_EQ(later.text(false)->verticalScrollBar()->value(), later.text(true)->verticalScrollBar()->value());
  EXPECT_FALSE(view.Select(true, InstructionId()));
  Select({1});
  const Module& after = panel()->graphs()->comparison()->after.module();
  ASSERT_TRUE(panel()->texts()->Select(true, FindByName(after, "sum")));
  panel()->texts()->GoToChange(1);
  EXPECT_FALSE(panel()->follow_field()->text().isEmpty());
}

TEST_F(PassesPanelTest, AnInstructionIsFollowedThroughAllPasses) {
  panel()->Follow(QStringLiteral("%scaled"));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  ASSERT_GE(panel()->trace()->topLevelItemCount(), 3) << panel()->summary().toStdString();
  EXPECT_EQ(panel()->tabs()->currentWidget(), panel()->trace());
  QTreeWidgetItem* renamed = nullptr;
  for (int i = 0; i < panel()->trace()->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = panel()->trace()->topLevelItem(i);
    if (item->text(2).contains(QStringLiteral("renamed"))) renamed = item;
  }
  ASSERT_NE(renamed, nullptr);
  EXPECT_EQ(renamed->text(1), QStringLiteral("renaming"));
  EXPECT_TRUE(renamed->text(4).contains(QStringLiteral("product.1")));
  EXPECT_FALSE(renamed->text(3).isEmpty());
  // A step shows what the pass did.
  Q_EMIT panel()->trace()->itemClicked(renamed, 0);
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->summary().startsWith(QString::fromUtf8("2 dce \u2192 3 renaming")))
      << panel()->summary().toStdString();
  panel()->Follow(QStringLiteral("nothing_of_that_name"));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("nothing_of_that_name"))) << panel()->summary().toStdString();
}

TEST_F(PassesPanelTest, BlameNamesThePassAndTheInstructionAndLeadsThere) {
  panel()->findChild<QPushButton*>(QStringLiteral("blame"))->click();
  EXPECT_TRUE(panel()->busy());
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  QTreeWidget* list = panel()->blame_list();
  EXPECT_EQ(panel()->tabs()->currentWidget(), panel()->blame_page());
  ASSERT_GE(list->topLevelItemCount(), 4) << panel()->summary().toStdString();
  EXPECT_EQ(list->topLevelItem(0)->text(1), QStringLiteral("5 sine"));
  EXPECT_TRUE(list->topLevelItem(0)->font(1).bold());
  EXPECT_EQ(list->topLevelItem(1)->text(1), QStringLiteral("3 renaming"));
  EXPECT_TRUE(list->topLevelItem(2)->text(1).contains(QStringLiteral("sine(product.1)")))
      << list->topLevelItem(2)->text(1).toStdString();
  // Both stages are compared already, at that instruction.
  EXPECT_TRUE(panel()->summary().startsWith(QString::fromUtf8("3 renaming \u2192 5 sine")))
      << panel()->summary().toStdString();
  EXPECT_EQ(panel()->follow_field()->text(), QStringLiteral("out"));
  QStringList verdicts;
  for (int i = 0; i < list->topLevelItemCount(); ++i) verdicts << list->topLevelItem(i)->text(0);
  const auto broken = static_cast<int>(verdicts.indexOf(QStringLiteral("4 broken")));
  ASSERT_GT(broken, 0) << verdicts.join(QLatin1Char('\n')).toStdString();
  EXPECT_TRUE(list->topLevelItem(broken - 4)->text(1).startsWith(QStringLiteral("agrees")));
  EXPECT_TRUE(list->topLevelItem(broken + 1)->text(1).startsWith(QStringLiteral("differs")));
  // A stage leads to what its pass changed.
  Q_EMIT list->itemClicked(list->topLevelItem(broken - 3), 0);
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->summary().startsWith(QString::fromUtf8("0 before_optimizations \u2192 1 algsimp")))
      << panel()->summary().toStdString();
}

TEST_F(PassesPanelTest, BlameTakesOtherArgumentsAndTolerances) {
  const auto blame = [&](const BlameInputs& inputs) {
    std::optional<BlameInputs> suggested;
    panel()->ask_inputs = [&](const Module& module, const BlameInputs& usual) -> std::optional<BlameInputs> {
      EXPECT_EQ(module.name(), "jit_f");
      suggested = usual;
      return inputs;
    };
    panel()->findChild<QPushButton*>(QStringLiteral("blame_inputs"))->click();
    EXPECT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
    return suggested;
  };
  const auto command = [&] {
    panel()->findChild<QPushButton*>(QStringLiteral("copy_blame"))->click();
    return QGuiApplication::clipboard()->text();
  };
  // Sine and hyperbolic tangent differ by at most two.
  BlameInputs inputs;
  inputs.tolerances = QStringLiteral("atol=3");
  EXPECT_EQ(blame(inputs)->arguments.fill, evaluator::FillKind::kRandom);
  EXPECT_TRUE(panel()->summary().startsWith(QStringLiteral("All stages"))) << panel()->summary().toStdString();
  EXPECT_FALSE(panel()->example_button()->isEnabled());
  EXPECT_TRUE(command().endsWith(QStringLiteral("--fill=random --tolerance=atol=3"))) << command().toStdString();
  // What was chosen last is suggested, and counts for "Blame" too.
  inputs.tolerances = QStringLiteral("atol=oops");
  EXPECT_EQ(blame(inputs)->tolerances, QStringLiteral("atol=3"));
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("oops"))) << panel()->summary().toStdString();
  // Files: of one parameter, and of all in a folder; what does not fit is said with its name.
  ASSERT_TRUE(
      evaluator::WriteNpy(Path("arg0.npy").toStdString(), FloatTensor({8, 16}, std::vector<float>(128, 2))).ok());
  ASSERT_TRUE(evaluator::WriteNpy(Path("short.npy").toStdString(), FloatTensor({3}, {1, 2, 3})).ok());
  inputs.tolerances.clear();
  inputs.arguments.files[0] = Path("short.npy");
  blame(inputs);
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("short.npy"))) << panel()->summary().toStdString();
  inputs.arguments.files[0] = Path("arg0.npy");
  blame(inputs);
  EXPECT_TRUE(panel()->summary().startsWith(QString::fromUtf8("3 renaming \u2192 5 sine")))
      << panel()->summary().toStdString();
  EXPECT_TRUE(command().contains(QStringLiteral("--arg=0=") + Path("arg0.npy"))) << command().toStdString();
  inputs.arguments.files.clear();
  inputs.place = QFileInfo(Path("arg0.npy")).path();
  blame(inputs);
  EXPECT_TRUE(panel()->summary().startsWith(QString::fromUtf8("3 renaming \u2192 5 sine")))
      << panel()->summary().toStdString();
  // What was found can be taken along.
  ASSERT_TRUE(panel()->example_button()->isEnabled());
  ASSERT_TRUE(QDir().mkpath(Path("example")));
  panel()->WriteExample(Path("example"));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->summary().startsWith(QStringLiteral("Written"))) << panel()->summary().toStdString();
  EXPECT_TRUE(QFile::exists(Path("example/good/module.hlo")));
  EXPECT_TRUE(QFile::exists(Path("example/bad/module.hlo")));
  panel()->WriteExample(Path("arg0.npy"));  // no folder
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->summary().startsWith(QStringLiteral("Nothing was written"))) << panel()->summary().toStdString();
}

TEST(BlameDialogTest, WhatCannotBeReadIsSaidAndStays) {
  const auto document = ParseText(kLoopModule);
  BlameInputs inputs;
  inputs.arguments.seed = 5;
  inputs.place = QStringLiteral("/no/such/place");
  BlameDialog dialog(document->module(), inputs);
  dialog.show();
  dialog.accept();
  EXPECT_TRUE(dialog.isVisible());
  EXPECT_TRUE(dialog.problem().contains(QStringLiteral("/no/such/place"))) << dialog.problem().toStdString();
  dialog.place()->clear();
  dialog.tolerances()->setText(QStringLiteral("f32:rtol=1e-3 f99:ulp=4"));
  dialog.accept();
  EXPECT_TRUE(dialog.isVisible());
  EXPECT_TRUE(dialog.problem().contains(QStringLiteral("f99"))) << dialog.problem().toStdString();
  dialog.tolerances()->setText(QStringLiteral("f32:rtol=1e-3 dot:ulp=4"));
  dialog.accept();
  EXPECT_FALSE(dialog.isVisible());
  EXPECT_EQ(dialog.inputs().arguments.seed, 5u);
  EXPECT_EQ(TolerancesIn(dialog.inputs().tolerances)->size(), 2u);
}

TEST_F(PassesPanelTest, BlameOfAlikeStagesSaysSoAndARunOfItIsCancelled) {
  const std::string endless =
      "HloModule jit_h\nc {\n  s = s64[] parameter(0)\n  m = s64[] constant(1000000000000)\n"
      "  ROOT l = pred[] compare(s, m), direction=LT\n}\nb {\n  s = s64[] parameter(0)\n  k = s64[] constant(1)\n"
      "  ROOT a = s64[] add(s, k)\n}\nENTRY e {\n  z = s64[] constant(0)\n"
      "  ROOT w = s64[] while(z), condition=c, body=b\n}\n";
  WriteDump(Path("slow").toStdString(), 9, "jit_h", {{"before_optimizations", "", endless}});
  panel()->OpenFolder(Path("slow"));
  ASSERT_TRUE(WaitUntil([&] { return panel()->model()->stages().size() == 1 && !panel()->busy(); }));
  panel()->Blame();
  ASSERT_TRUE(WaitUntil([&] { return panel()->summary().contains(QStringLiteral("evaluating stage 0")); }));
  EXPECT_TRUE(WaitUntil([&] { return panel()->cancel_button()->isVisible(); }));
  panel()->cancel_button()->click();
  EXPECT_FALSE(panel()->busy());
  EXPECT_TRUE(panel()->summary().startsWith(QStringLiteral("Cancelled")));
  // The thread is free again: what is asked next is answered.
  panel()->OpenFolder(Path("dump"), QStringLiteral("jit_g  #7"));
  ASSERT_TRUE(WaitUntil([&] { return panel()->modules()->currentText().startsWith(QStringLiteral("jit_g")); }));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  panel()->Blame();
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->summary().startsWith(QStringLiteral("All stages"))) << panel()->summary().toStdString();
}

TEST_F(PassesPanelTest, ReadingCanBeCancelledAndStartedAgain) {
  panel()->OpenFolder(Path("dump"), QStringLiteral("jit_g  #7"));
  panel()->cancel_button()->click();
  EXPECT_FALSE(panel()->busy());
  EXPECT_TRUE(panel()->summary().startsWith(QStringLiteral("Cancelled")));
  panel()->OpenFolder(Path("dump"), QStringLiteral("jit_g  #7"));
  ASSERT_TRUE(WaitUntil([&] { return panel()->model()->stages().size() == 1 && !panel()->busy(); }));
  EXPECT_EQ(panel()->modules()->currentText(), QStringLiteral("jit_g  #7"));
  panel()->OpenFolder(Path("no such folder"));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->model()->stages().empty());
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("no such folder"))) << panel()->summary().toStdString();
}

}  // namespace
}  // namespace hloscope::gui
