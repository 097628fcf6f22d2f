// SPDX-License-Identifier: Apache-2.0
// The models, without widgets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "gui/layout/graph_layout.h"
#include "gui/models/computation_list_model.h"
#include "gui/models/diagnostics_model.h"
#include "gui/models/property_model.h"
#include "gui/models/selection.h"
#include "gui/models/text.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

QString Cell(const QAbstractItemModel& model, int row, int column, const QModelIndex& parent = QModelIndex()) {
  return model.data(model.index(row, column, parent), Qt::DisplayRole).toString();
}

TEST(TextTest, DisplayTextHasTheLinesAndColumnsOfTheSource) {
  constexpr char kBytes[] =
      "a\r\nb\xC3\xA4\xF0\x9F\x98\x80"
      "c\rd\xFF\xC3\ne\xE2\x80\xA8"
      "f\0g\n";
  const std::string text(kBytes, sizeof kBytes - 1);
  const auto source = SourceText::FromString("t", text);
  const QStringList lines = DisplayText(*source).split(QLatin1Char('\n'));
  ASSERT_EQ(lines.size(), static_cast<qsizetype>(source->line_count()));
  for (uint32_t line = 0; line < source->line_count(); ++line) {
    const uint32_t end = source->LineStart(line) + static_cast<uint32_t>(source->Line(line).size());
    EXPECT_EQ(lines[line].size(), source->LineColumnAt(end, ColumnUnit::kUtf16).column) << line;
  }
  EXPECT_EQ(lines[3], QStringLiteral("e\uFFFDf\uFFFDg"));
}

TEST(TextTest, VeryLongLinesAreCut) {
  std::string text(1'000'000, 'x');
  text.append("\nend");
  const auto source = SourceText::FromString("t", text);
  const QStringList lines = DisplayText(*source).split(QLatin1Char('\n'));
  EXPECT_EQ(lines[0].size(), kMaxDisplayedLine + 1);
  EXPECT_EQ(lines[1], QStringLiteral("end"));
}

TEST(TextTest, Formats) {
  EXPECT_EQ(FormatBytes(12), QStringLiteral("12 bytes"));
  EXPECT_EQ(FormatBytes(1536), QStringLiteral("1.50 KiB"));
  EXPECT_EQ(FormatBytes(std::numeric_limits<int64_t>::max()), QStringLiteral("8.00 EiB"));
  EXPECT_EQ(FormatCount(-1234567).remove(QChar(0x2009)), QStringLiteral("-1234567"));
  EXPECT_EQ(FormatCount(-123), QStringLiteral("-123"));
  EXPECT_EQ(FormatSeconds(1.2), QStringLiteral("1.20 s"));
  EXPECT_EQ(FormatSeconds(8.1e-6), QStringLiteral("8.1 \u00B5s"));
  EXPECT_EQ(FormatSeconds(4.2e-10), QStringLiteral("0.4 ns"));
  EXPECT_EQ(FormatSeconds(0), QStringLiteral("0.0 \u00B5s"));
}

TEST(ComputationListModelTest, ListsEveryComputation) {
  ComputationListModel model;
  EXPECT_EQ(model.rowCount(), 0);
  model.SetDocument(ParseText(kLoopModule));
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(Cell(model, 0, ComputationListModel::kName), QStringLiteral("not_done"));
  EXPECT_EQ(Cell(model, 1, ComputationListModel::kInstructions), QStringLiteral("7"));
  EXPECT_EQ(Cell(model, 1, ComputationListModel::kCallers), QStringLiteral("1"));
  EXPECT_FALSE(model.ComputationAt(3).has_value());
  EXPECT_FALSE(model.ComputationAt(-1).has_value());
}

TEST(DiagnosticsModelTest, DiagnosticsHavePlacesAndFailuresHaveNone) {
  DiagnosticsModel model;
  model.SetDocument(ParseText("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] foo(x)\n}\n"));
  ASSERT_GE(model.rowCount(), 1);
  EXPECT_GE(model.error_count(), 1);
  EXPECT_TRUE(Cell(model, 0, DiagnosticsModel::kPlace).startsWith(QStringLiteral("4:")));
  EXPECT_FALSE(Cell(model, 0, DiagnosticsModel::kMessage).isEmpty());
  EXPECT_TRUE(model.RangeAt(0).has_value());
  const int errors = model.error_count();
  model.AddFailure(QStringLiteral("no such file"));
  EXPECT_EQ(model.error_count(), errors + 1);
  EXPECT_EQ(Cell(model, 0, DiagnosticsModel::kMessage), QStringLiteral("no such file"));
  EXPECT_FALSE(model.RangeAt(0).has_value());
  EXPECT_FALSE(model.RangeAt(1000).has_value());
}

TEST(DiagnosticsModelTest, ManyWarningsOfAKindAreOneRow) {
  std::string text = "HloModule m\n";
  for (int i = 0; i < 9; ++i) text += "c" + std::to_string(i) + " { ROOT a = f32[] parameter(0) }\n";
  DiagnosticsModel model;
  model.SetDocument(ParseText(text + "ENTRY e { ROOT x = f32[] parameter(0) }\n"));
  ASSERT_EQ(model.rowCount(), 4);
  EXPECT_EQ(model.warning_count(), 9);
  EXPECT_EQ(Cell(model, 3, DiagnosticsModel::kPlace), QStringLiteral("5:1"));
  EXPECT_EQ(Cell(model, 3, DiagnosticsModel::kMessage), QStringLiteral("6 more like this, at 5:1, 6:1, 7:1, ..."));
}

TEST(PropertyModelTest, ShowsShapeLinksAttributesAndMetadata) {
  const auto document = ParseText(R"(HloModule m
c { ROOT p = f32[] parameter(0) }
ENTRY e {
  x = f32[2,3]{1,0} parameter(0)
  y = f32[3,2]{1,0} transpose(x), dimensions={1,0}, metadata={op_name="net/t" source_file="a.py" source_line=7}
  ROOT z = f32[3,2]{1,0} map(y), dimensions={0,1}, to_apply=c
}
)");
  const Module& module = document->module();
  PropertyModel model;
  model.ShowInstruction(document, FindByName(module, "y"));
  auto value = [&](const char* name) {
    const QModelIndex found = model.Find(QLatin1String(name));
    return found.isValid() ? found.siblingAtColumn(PropertyModel::kValue).data().toString() : QStringLiteral("(none)");
  };
  EXPECT_EQ(value("Opcode"), QStringLiteral("transpose"));
  EXPECT_EQ(value("Shape"), QStringLiteral("f32[3,2]"));
  EXPECT_EQ(value("Layout"), QStringLiteral("{1,0}"));
  EXPECT_EQ(value("Size"), QStringLiteral("24 bytes"));
  EXPECT_EQ(value("dimensions"), QStringLiteral("{1,0}"));
  EXPECT_EQ(value("op_name"), QStringLiteral("net/t"));
  EXPECT_EQ(value("source"), QStringLiteral("a.py:7"));
  EXPECT_EQ(value("Users"), QStringLiteral("1"));
  const QModelIndex operand = model.Find(QStringLiteral("0"));
  EXPECT_EQ(model.InstructionLink(operand), FindByName(module, "x"));
  EXPECT_EQ(operand.parent().data().toString(), QStringLiteral("Operands"));
  EXPECT_FALSE(model.InstructionLink(model.Find(QStringLiteral("Opcode"))).has_value());

  model.ShowInstruction(document, FindByName(module, "z"));
  EXPECT_EQ(model.ComputationLink(model.Find(QStringLiteral("to_apply"))), module.FindComputation("c"));
  model.ShowComputation(document, module.FindComputation("c"));
  EXPECT_EQ(value("Instructions"), QStringLiteral("1"));
  EXPECT_EQ(value("Callers"), QStringLiteral("1"));
  model.ShowNothing();
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(SelectionTest, GoesBackAndForthAndKeepsItsPlaceOverAReload) {
  Selection selection;
  selection.SelectInstruction(InstructionId(0));  // nothing to select from
  const auto document = ParseText(kLoopModule);
  selection.SetDocument(document, false);
  const Module& module = document->module();
  EXPECT_EQ(selection.computation(), module.entry());
  EXPECT_FALSE(selection.can_go_back());
  int changes = 0;
  QObject::connect(&selection, &Selection::Changed, [&] { ++changes; });
  const InstructionId doubled = FindByName(module, "doubled");
  selection.SelectInstruction(doubled);
  selection.SelectInstruction(doubled);  // nothing new
  EXPECT_EQ(changes, 1);
  EXPECT_EQ(selection.computation(), module.FindComputation("body"));
  selection.SelectInstruction(InstructionId(99'999));
  EXPECT_EQ(selection.instruction(), doubled);
  selection.GoBack();
  EXPECT_FALSE(selection.instruction().has_value());
  selection.GoForward();
  EXPECT_EQ(selection.instruction(), doubled);

  // The same place although the ids moved.
  std::string edited = kLoopModule;
  edited.insert(edited.find("not_done {"), "other { ROOT q = f32[] parameter(0) }\n");
  selection.SetDocument(ParseText(edited), true);
  EXPECT_EQ(selection.module().InstructionName(selection.instruction()), "doubled");
  selection.SetDocument(ParseText("HloModule empty\n"), true);
  EXPECT_FALSE(selection.instruction().has_value());
  selection.SetDocument(nullptr, false);
  EXPECT_FALSE(selection.computation().has_value());
}

TEST(GraphLayoutTest, ReadsCoordinatesAndRefusesNonsense) {
  const auto layout =
      ParseLayout("graph 100 50\nnode 0 10 20\nnode 1 30 40\nedge 0 30 30 10 20 11 21 12 22 13 23\n", 2, 1);
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(layout->centers[1], QPointF(30, 40));
  EXPECT_EQ(layout->edges[0].arrow_base, QPointF(13, 23));
  EXPECT_FALSE(ParseLayout("graph 100 50\nnode 0 10 20\n", 2, 0).has_value());
  EXPECT_FALSE(ParseLayout("node 7 1 1\n", 1, 0).has_value());
  EXPECT_FALSE(ParseLayout("node 0 x 1\n", 1, 0).has_value());
  EXPECT_FALSE(ParseLayout("node 0 nan 1\n", 1, 0).has_value());
  EXPECT_FALSE(ParseLayout("garbage\n", 0, 0).has_value());
}

}  // namespace
}  // namespace hloscope::gui
