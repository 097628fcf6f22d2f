// SPDX-License-Identifier: Apache-2.0
// What is shown leaves the app: pictures of every panel, and Markdown for bug reports.
#include <gtest/gtest.h>

#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QSvgRenderer>
#include <QTest>
#include <QTimer>

#include "gui/models/markdown.h"
#include "gui/panels/memory_panel.h"
#include "gui/panels/tensor_panel.h"
#include "gui/panels/timeline_panel.h"
#include "gui/views/picture_export.h"
#include "gui/views/save_path.h"
#include "gui_test_support.h"
#include "reports/markdown.h"

namespace hloscope::gui {
namespace {

class SharingTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1280, 800);
    window().show();
    OpenText(kLoopModule);
    ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  }
  QByteArray Read(const char* name) {
    QFile file(Path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
};

TEST_F(SharingTest, EveryPanelBecomesADrawingOrAnImage) {
  Trigger("run");
  window().selection()->SelectInstruction(Find("negated"));
  for (const DockRow& row : DockTable()) {
    window().ShowDock(QLatin1String(row.name));
    WaitUntil([] { return false; }, 30);
    QDockWidget* dock = window().dock(row.name);
    for (const char* ending : {"svg", "pdf", "png"}) {
      const std::string name = std::string(row.name) + "." + ending;
      ASSERT_EQ(window().ExportPanel(dock, Path(name.c_str())), QString()) << name;
    }
    QSvgRenderer drawing(Path((std::string(row.name) + ".svg").c_str()));
    EXPECT_TRUE(drawing.isValid()) << row.name;
    EXPECT_EQ(drawing.viewBox().size(), dock->widget()->size()) << row.name;
    EXPECT_TRUE(Read((std::string(row.name) + ".pdf").c_str()).startsWith("%PDF-")) << row.name;
    const QImage image(Path((std::string(row.name) + ".png").c_str()));
    EXPECT_EQ(image.size(), dock->widget()->size() * 2) << row.name;
  }
  EXPECT_TRUE(window().ExportPanel(window().dock("value"), Path("x.txt")).contains(QStringLiteral(".svg")));
  EXPECT_FALSE(window().ExportPanel(window().dock("value"), Path("no/such/x.svg")).isEmpty());
  // Also the one in the centre.
  window().EnlargeDock(window().dock("timeline"));
  EXPECT_EQ(window().ExportPanel(window().enlarged_dock(), Path("large.svg")), QString());
  EXPECT_TRUE(Read("large.svg").contains("<svg"));
}

TEST_F(SharingTest, GraphsBecomePages) {
  ASSERT_EQ(window().graph_pane()->Export(Path("graph.pdf")), QString());
  const QByteArray page = Read("graph.pdf");
  EXPECT_TRUE(page.startsWith("%PDF-") && page.contains("/MediaBox"));
}

TEST_F(SharingTest, EveryPanelBecomesAPageThatSaysHowItIsMadeAgain) {
  Trigger("run");
  window().selection()->SelectInstruction(Find("negated"));
  for (const DockRow& row : DockTable()) {
    window().ShowDock(QLatin1String(row.name));
    ASSERT_TRUE(WaitUntil([&] { return !window().panel<MemoryPanel>()->busy(); }));
    const std::string name = std::string(row.name) + ".html";
    ASSERT_EQ(window().ExportPanel(window().dock(row.name), Path(name.c_str())), QString()) << name;
    const QByteArray page = Read(name.c_str());
    EXPECT_TRUE(page.contains("data:image/svg+xml")) << name;
    EXPECT_TRUE(page.contains("negated")) << name;
    // The line that opens the view again, with the panel in it.
    EXPECT_TRUE(page.contains("hloscope-gui")) << name;
    EXPECT_FALSE(page.contains("http://") && page.contains("<script src")) << name;
  }
  EXPECT_TRUE(Read("memory.html").contains("hloscope memory " + Path("module.hlo").toUtf8() + " --html=memory.html"));
  EXPECT_TRUE(Read("value.html").contains("hloscope value " + Path("module.hlo").toUtf8()));
  EXPECT_TRUE(Read("timeline.html").contains("--trace=timeline.html"));
  // Tables are tables, also that of a tab that is covered.
  const QByteArray timeline = Read("timeline.html");
  EXPECT_TRUE(timeline.contains("Executed instructions"));
  EXPECT_TRUE(timeline.contains("doubled"));
}

TEST_F(SharingTest, AValueIsAPageThatSlicesIt) {
  Trigger("run");
  window().selection()->SelectInstruction(Find("negated"));
  window().ShowDock("value");
  auto* values = window().panel<TensorPanel>();
  ASSERT_TRUE(WaitUntil([&] { return !values->ExpressionOfShown().isEmpty(); }));
  values->Export(Path("value.html"));
  ASSERT_TRUE(WaitUntil([&] { return !values->busy(); }));
  const QByteArray page = Read("value.html");
  EXPECT_TRUE(page.contains("class=tv data-type="));
  EXPECT_TRUE(page.contains("::negated --fill=random --html=value.html"));
}

TEST_F(SharingTest, TheGraphIsAPageWithItsInstructions) {
  GraphPane* graph = window().graph_pane();
  window().selection()->SelectInstruction(Find("negated"));
  graph->SetScope(GraphPane::Scope::kNeighbourhood);
  graph->SetDepth(2);
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }));
  ASSERT_EQ(graph->Export(Path("graph.html")), QString());
  const QByteArray page = Read("graph.html");
  EXPECT_TRUE(page.contains("data:image/svg+xml"));
  EXPECT_TRUE(
      page.contains("hloscope graph " + Path("module.hlo").toUtf8() + " --around=negated --depth=2 --format=svg"));
  EXPECT_TRUE(page.contains("<td><code>negated</code></td>") || page.contains("negated</code>"));
}

TEST_F(SharingTest, NamesAreNoMarkupInPages) {
  OpenText(
      "HloModule m\nENTRY e {\n  x = f32[2] parameter(0), metadata={op_name=\"<script>alert(1)</script>\"}\n"
      "  ROOT y = f32[2] custom-call(x), custom_call_target=\"<img src=x>\"\n}\n");
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  ASSERT_EQ(window().graph_pane()->Export(Path("bad.html")), QString());
  EXPECT_FALSE(Read("bad.html").contains("<script>alert"));
  window().selection()->SelectInstruction(Find("y"));
  ASSERT_EQ(window().ExportPanel(window().dock("properties"), Path("bad_panel.html")), QString());
  EXPECT_FALSE(Read("bad_panel.html").contains("<img src=x"));
}

TEST_F(SharingTest, AnInstructionWithItsNeighboursIsMarkdown) {
  const QString text = MarkdownOfInstruction(*window().selection()->document(), Find("negated"));
  EXPECT_TRUE(text.startsWith(QStringLiteral("**`negated`** (module.hlo:22)\n\n```hlo\n"))) << text.toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("negated = f32[4] negate(x)\n```\n\n```mermaid\nflowchart TD\n")));
  EXPECT_EQ(text.count(QStringLiteral(" --> ")), 2);  // from x, to initial
  EXPECT_TRUE(text.contains(QStringLiteral("[\"negate<br>negated<br>f32[4]\"]"))) << text.toStdString();
  EXPECT_TRUE(text.endsWith(QStringLiteral("```\n")));
  // From the menu, with the line that opens it again.
  window().selection()->SelectInstruction(Find("negated"));
  window().action("copy_markdown")->trigger();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), text + QStringLiteral("\n    %1\n").arg(window().LineOfView()));
}

TEST_F(SharingTest, TheGraphIsADiagramWithItsGroups) {
  GraphPane* graph = window().graph_pane();
  QString text = graph->MarkdownOfGraph();
  EXPECT_TRUE(text.startsWith(QStringLiteral("```mermaid\nflowchart TD\n")));
  EXPECT_EQ(text.count(QStringLiteral("subgraph")), 0);
  graph->Toggle(graph->graph().BoxOf(Find("final")));
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && graph->graph().levels.size() > 1; }));
  text = graph->MarkdownOfGraph();
  EXPECT_GT(text.count(QStringLiteral("subgraph")), 0);
  EXPECT_EQ(text.count(QStringLiteral("subgraph")), text.count(QStringLiteral("  end\n")));
  // Large ones are not: what is selected with its neighbours is.
  OpenText(ChainModule(100), "chain.hlo");
  graph->SetScope(GraphPane::Scope::kWhole);
  ASSERT_TRUE(
      WaitUntil([&] { return !graph->laying_out() && graph->graph().boxes.size() > reports::kMostMermaidBoxes; }));
  window().selection()->SelectInstruction(Find("x50"));
  EXPECT_EQ(graph->MarkdownOfGraph(), MarkdownOfInstruction(*window().selection()->document(), Find("x50")));
}

TEST_F(SharingTest, NamesCannotLeaveTheirPlaceInMarkdown) {
  OpenText(
      "HloModule m\nENTRY e {\n  x = f32[2] parameter(0), metadata={op_name=\"```\\n<b>\"}\n"
      "  ROOT y = f32[2] custom-call(x), custom_call_target=\"a```b\"\n}\n");
  const QString text = MarkdownOfInstruction(*window().selection()->document(), Find("y"));
  EXPECT_TRUE(text.contains(QStringLiteral("````hlo\n"))) << text.toStdString();
  // Both blocks end where they should: nothing in them does it before.
  EXPECT_EQ(text.count(QStringLiteral("\n````\n")), 2);
  EXPECT_FALSE(text.contains(QStringLiteral("\n```\n")));
}

TEST_F(SharingTest, ProblemsAndValuesAreMarkdown) {
  Trigger("run");
  window().selection()->SelectInstruction(Find("zero"));
  EXPECT_EQ(window().value_panel()->MarkdownOfShown(), QStringLiteral("`zero`, `s32[]`\n\n```text\n0\n```\n"));
  OpenText("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] foo(x)\n}\n", "bad.hlo");
  DiagnosticsModel* model = window().diagnostics_panel()->model();
  ASSERT_GT(model->rowCount(), 0);
  const QString text = model->MarkdownOf(0);
  EXPECT_TRUE(text.startsWith(QStringLiteral("**error**: "))) << text.toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("\nbad.hlo:4:")));
  EXPECT_TRUE(text.contains(QStringLiteral("foo(x)")));
  EXPECT_TRUE(text.contains(QStringLiteral("^")));
  model->AddFailure(QStringLiteral("It failed."));
  EXPECT_EQ(model->MarkdownOf(0), QStringLiteral("**error**: It failed.\n"));
}

TEST(SavePathTest, ANameWithoutAnEndingGetsThatOfWhatIsSaved) {
  QTemporaryDir folder;
  const auto ask = [&](const QString& typed) {
    QTimer::singleShot(100, [typed] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      ASSERT_NE(dialog, nullptr);
      dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(typed);
      static_cast<QDialog*>(dialog)->accept();
    });
    return AskSavePath(nullptr, QStringLiteral("Save"), folder.filePath(QStringLiteral("loop.hloscope-session")),
                       QStringLiteral("Sessions (*.hloscope-session)"));
  };
  EXPECT_EQ(ask(QStringLiteral("one")), folder.filePath(QStringLiteral("one.hloscope-session")));
  EXPECT_EQ(ask(QStringLiteral("one.hloscope-session")), folder.filePath(QStringLiteral("one.hloscope-session")));
  EXPECT_EQ(BesideFile(QStringLiteral("/models/a.hlo"), QStringLiteral("b")), QStringLiteral("/models/b"));
  EXPECT_EQ(BesideFile(QStringLiteral(":/examples/a.hlo"), QStringLiteral("b")), QStringLiteral("b"));
}

}  // namespace
}  // namespace hloscope::gui
