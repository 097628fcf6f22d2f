// SPDX-License-Identifier: Apache-2.0
// Whatever XLA writes is opened: protos, snapshots with their values, several modules in a text, folders of dumps,
// StableHLO programs beside the module that they become.
#include <gtest/gtest.h>

#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QTextBlock>

#include "gui/models/text.h"
#include "gui/panels/arguments_dialog.h"
#include "gui/panels/dump_panel.h"
#include "gui/panels/program_panel.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

constexpr char kProgram[] = R"(module @jit_f {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %arg0 : tensor<4xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
)";

class SourcesTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1400, 900);
    window().show();
    window().SetDiscardAnswer(QMessageBox::Discard);
  }
  SessionController& session() { return *window().session(); }
  InstructionId WithOpcode(Opcode opcode) {
    for (uint32_t i = 0; i < module().instruction_count(); ++i) {
      if (module().opcode(InstructionId(i)) == opcode) return InstructionId(i);
    }
    return InstructionId();
  }
  void Write(const QString& name, const std::string& text) {
    QDir().mkpath(QFileInfo(Path(qPrintable(name))).path());
    QFile file(Path(qPrintable(name)));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
  }
};

TEST_F(SourcesTest, ProgramsAreBesideTheirModuleAndLinked) {
  OpenText(kProgram, "f.mlir");
  auto* panel = window().panel<ProgramPanel>();
  ASSERT_TRUE(panel->has_program());
  EXPECT_TRUE(window().dock("program")->isVisible());
  EXPECT_EQ(panel->text()->toPlainText(), QString::fromLatin1(kProgram));
  EXPECT_TRUE(window().text_view()->toPlainText().startsWith(QStringLiteral("HloModule jit_f")));
  window().selection()->SelectInstruction(WithOpcode(Opcode::kAdd));
  EXPECT_EQ(panel->text()->textCursor().blockNumber(), 3);
  panel->text()->setTextCursor(QTextCursor(panel->text()->document()->findBlockByNumber(2)));
  EXPECT_EQ(window().selection()->instruction(), WithOpcode(Opcode::kNegate));
  Trigger("run");
  EXPECT_EQ(session().state(), SessionController::State::kFinished);
  // Saving asks for another file: the program is not written over.
  EXPECT_TRUE(window().workspace()->is_made());
  ASSERT_TRUE(window().SaveTo(Path("f.hlo")));
  EXPECT_FALSE(window().workspace()->is_made());
  QFile program(Path("f.mlir"));
  ASSERT_TRUE(program.open(QIODevice::ReadOnly));
  EXPECT_EQ(program.readAll(), QByteArray(kProgram));
  OpenText(kLoopModule);
  EXPECT_FALSE(panel->has_program());
}

TEST_F(SourcesTest, MistakesOfAProgramAreListedWithTheirPlace) {
  std::string text = kProgram;
  text.replace(text.find("stablehlo.add"), 13, "stablehlo.adt");
  OpenText(text, "broken.mlir");
  const DiagnosticsModel* model = window().diagnostics_panel()->model();
  bool found = false;
  for (int row = 0; row < model->rowCount(); ++row) {
    const QString message = model->data(model->index(row, DiagnosticsModel::kMessage), Qt::DisplayRole).toString();
    found = found || message.contains(QStringLiteral("broken.mlir:4:"));
  }
  EXPECT_TRUE(found);
}

TEST_F(SourcesTest, EachModuleOfATextCanBeChosen) {
  OpenText(
      "HloModule first\n\nENTRY e { ROOT a = s32[] constant(1) }\n\nHloModule second\n\nENTRY e { ROOT b = s32[] "
      "constant(2) }\n",
      "two.txt");
  EXPECT_EQ(module().name(), "first");
  auto* box = window().findChild<QComboBox*>(QStringLiteral("modules"));
  ASSERT_NE(box, nullptr);
  EXPECT_TRUE(box->isVisible());
  ASSERT_EQ(box->count(), 2);
  box->setCurrentIndex(1);
  Q_EMIT box->activated(1);
  ASSERT_TRUE(WaitUntil([&] { return !window().workspace()->loading(); }));
  EXPECT_EQ(module().name(), "second");
  EXPECT_TRUE(window().workspace()->is_made());
  OpenText(kLoopModule);
  EXPECT_FALSE(box->isVisible());
}

TEST_F(SourcesTest, SnapshotsRunWithTheirValues) {
  SKIP_WITHOUT_SHARED_FILE("/interop/sharded_unoptimized_hlo_snapshot.plain.pb");
  std::string first;
  for (const char* suffix : {"pbtxt", "plain.pb", "delimited.pb"}) {
    OpenPath(QString::fromStdString(SharedDirectory() + "/interop/sharded_unoptimized_hlo_snapshot." + suffix));
    ASSERT_NE(window().workspace()->source().recorded, nullptr) << suffix;
    ASSERT_NE(session().arguments().recorded, nullptr);
    Trigger("run");
    ASSERT_EQ(session().state(), SessionController::State::kFinished);
    const evaluator::Value result = session().ValueOf(module().computation(module().entry()).root);
    const std::string said = evaluator::BriefValue(result);
    if (first.empty()) first = said;
    EXPECT_EQ(said, first);
  }
  // The dialog says so, and can do without them.
  const auto& recorded = window().workspace()->source().recorded;
  ArgumentsDialog dialog(module(), session().arguments(), nullptr, {recorded, &recorded->arguments});
  auto* use = dialog.findChild<QCheckBox*>();
  ASSERT_NE(use, nullptr);
  EXPECT_TRUE(use->isChecked());
  EXPECT_NE(dialog.arguments().recorded, nullptr);
  use->setChecked(false);
  EXPECT_EQ(dialog.arguments().recorded, nullptr);
  OpenText(kLoopModule);
  EXPECT_EQ(session().arguments().recorded, nullptr);
}

TEST_F(SourcesTest, ProtosOpenAndDamagedOnesSayWhere) {
  SKIP_WITHOUT_SHARED_FILE("/interop/hlo_opt_hlo_protobinary.pb");
  const std::string proto = ReadFileOrDie(SharedDirectory() + "/interop/hlo_opt_hlo_protobinary.pb");
  OpenText(proto, "module.pb");
  EXPECT_TRUE(module().entry().has_value());
  EXPECT_TRUE(window().workspace()->is_made());
  const std::string name(module().name());
  OpenText(proto.substr(0, proto.size() * 2 / 3), "damaged.pb");
  EXPECT_EQ(module().name(), name);  // what was open stays
  const DiagnosticsModel* model = window().diagnostics_panel()->model();
  ASSERT_GE(model->rowCount(), 1);
  EXPECT_FALSE(model->data(model->index(0, DiagnosticsModel::kMessage), Qt::DisplayRole).toString().isEmpty());
}

TEST_F(SourcesTest, ResultsAreComparedWithTheRecordedOnes) {
  const evaluator::Tensor good = FloatTensor({3}, {1, 2, 3});
  bool equal = false;
  CompareWithRecorded(evaluator::Value(good), {FloatTensor({3}, {1, 2, 3})}, &equal);
  EXPECT_TRUE(equal);
  const QString said = CompareWithRecorded(evaluator::Value(good), {FloatTensor({3}, {1, 2.5, 3})}, &equal);
  EXPECT_FALSE(equal);
  EXPECT_TRUE(said.contains(QStringLiteral("1 of 3"))) << said.toStdString();
  CompareWithRecorded(evaluator::Value(good), {FloatTensor({2}, {1, 2})}, &equal);
  EXPECT_FALSE(equal);
  CompareWithRecorded(evaluator::Value(good), {}, &equal);
  EXPECT_FALSE(equal);
}

TEST_F(SourcesTest, DroppedFoldersListTheirModulesAndNewFilesAppear) {
  Write(QStringLiteral("dump/module_0001.jit_f.before_optimizations.txt"), kLoopModule);
  Write(QStringLiteral("dump/module_0001.jit_f.cpu_after_optimizations.txt"), kNanModule);
  Write(QStringLiteral("dump/module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt"), "BufferAssignment:\n");
  Write(QStringLiteral("dump/module_0007.jit_g.before_optimizations.txt"), kLoopModule);
  Write(QStringLiteral("dump/notes"), "mine");
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(Path("dump"))});
  QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &enter);
  QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &event);
  auto* panel = window().panel<DumpPanel>();
  ASSERT_TRUE(WaitUntil([&] { return panel->tree()->topLevelItemCount() == 2; })) << panel->summary().toStdString();
  EXPECT_TRUE(window().dock("dump")->isVisible());
  EXPECT_TRUE(panel->summary().contains(QStringLiteral("2 modules in 4 files, 1 other file")))
      << panel->summary().toStdString();
  QTreeWidgetItem* first = panel->tree()->topLevelItem(0);
  ASSERT_EQ(first->childCount(), 2);
  // What the last stage takes is worked out by itself.
  ASSERT_TRUE(WaitUntil([&] { return !panel->working_out_costs() && !first->text(4).isEmpty(); }));
  EXPECT_EQ(first->text(2),
            FormatFlops(static_cast<double>(CostOfDump(first->child(1)->data(0, Qt::UserRole).toString()).size.flop)));
  EXPECT_FALSE(panel->tree()->topLevelItem(1)->text(3).isEmpty());
  // A stage opens its module, a report is shown as text.
  panel->Choose(first->child(1));
  ASSERT_TRUE(
      WaitUntil([&] { return window().selection()->document() != nullptr && !window().workspace()->loading(); }));
  EXPECT_EQ(module().name(), "not_a_number");
  ASSERT_EQ(first->child(1)->childCount(), 2);
  panel->Choose(first->child(1)->child(1));
  EXPECT_EQ(panel->text()->toPlainText(), QStringLiteral("BufferAssignment:\n"));
  panel->filter()->setText(QStringLiteral("jit_g"));
  EXPECT_TRUE(first->isHidden());
  panel->filter()->clear();
  // The program goes on and writes.
  first->child(0)->setExpanded(true);
  Write(QStringLiteral("dump/module_0009.jit_h.before_optimizations.txt"), kLoopModule);
  ASSERT_TRUE(WaitUntil([&] { return panel->tree()->topLevelItemCount() == 3; }));
  EXPECT_TRUE(panel->tree()->topLevelItem(0)->child(0)->isExpanded());
  panel->OpenFolder(Path("no such folder"));
  ASSERT_TRUE(WaitUntil([&] { return !panel->busy() && panel->tree()->topLevelItemCount() == 0; }));
  EXPECT_FALSE(panel->summary().isEmpty());
}

TEST_F(SourcesTest, OpeningCanBeCancelledAndGarbageIsNotRemembered) {
  OpenText(kLoopModule);
  std::string large = "HloModule large\nENTRY e {\n  x0 = f32[4] parameter(0)\n";
  for (int i = 1; i < 60'000; ++i) {
    large += "  x" + std::to_string(i) + " = f32[4] negate(x" + std::to_string(i - 1) + ")\n";
  }
  Write(QStringLiteral("large.hlo"), large + "}\n");
  window().Open(Path("large.hlo"));
  EXPECT_TRUE(window().workspace()->loading());
  window().workspace()->Cancel();
  EXPECT_FALSE(window().workspace()->loading());
  WaitUntil([] { return false; }, 300);
  EXPECT_EQ(module().name(), "loop");
  EXPECT_TRUE(window().welcome_page()->recent()->item(0)->toolTip().endsWith(QStringLiteral("module.hlo")));
  OpenText(std::string(5000, '\x01'), "garbage.hlo");
  EXPECT_TRUE(window().welcome_page()->recent()->item(0)->toolTip().endsWith(QStringLiteral("module.hlo")));
}

}  // namespace
}  // namespace hloscope::gui
