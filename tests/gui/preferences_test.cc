// SPDX-License-Identifier: Apache-2.0
// Preferences: what they change, and that they are there again the next time.
#include <gtest/gtest.h>
#include <unistd.h>

#include <QDialogButtonBox>
#include <QPushButton>
#include <QSettings>
#include <QTest>

#include "gui/panels/preferences_dialog.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

class PreferencesTest : public ::testing::Test, public WindowTest {
 protected:
  PreferencesTest() { QSettings().clear(); }
  ~PreferencesTest() override {
    QSettings().clear();
    MainWindow::SetAppearance(QStringLiteral("system"));
    evaluator::Buffer::SetLimit(0);
  }
  PreferencesDialog* Dialog() {
    window().action("preferences")->trigger();
    return window().findChild<PreferencesDialog*>();
  }
};

void Type(QSpinBox* box, const char* text) {
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, QLatin1String(text));
  QTest::keyClick(box, Qt::Key_Return);
}

// As for the commands and the editor.
TEST_F(PreferencesTest, ValuesTakeHalfOfTheMemoryUnlessToldOtherwise) {
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  EXPECT_NEAR(static_cast<double>(Preferences::Load().MemoryLimit()), machine / 2, machine / 100);
}

TEST_F(PreferencesTest, WhatIsChosenCountsAtOnceAndIsKept) {
  window().show();
  OpenText(ChainModule(120));
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }));
  ASSERT_EQ(graph->graph().boxes.size(), 243u);
  PreferencesDialog* dialog = Dialog();
  ASSERT_NE(dialog, nullptr);
  EXPECT_FALSE(dialog->isModal());
  EXPECT_EQ(Dialog(), dialog);  // there is only one
  Type(dialog->findChild<QSpinBox*>(QStringLiteral("code_font")), "17");
  EXPECT_EQ(window().text_view()->font().pointSize(), 17);
  auto* fill = dialog->findChild<QComboBox*>(QStringLiteral("fill"));
  fill->setFocus();
  QTest::keyClicks(fill, QStringLiteral("ones"));
  EXPECT_EQ(window().session()->arguments().fill, evaluator::FillKind::kOnes);
  QTest::mouseClick(dialog->findChild<QCheckBox*>(QStringLiteral("value_hints")), Qt::LeftButton, {}, QPoint(8, 8));
  EXPECT_FALSE(window().preferences().value_hints);
  EXPECT_FALSE(window().action("value_hints")->isChecked());
  Type(dialog->findChild<QSpinBox*>(QStringLiteral("threads")), "3");
  Type(dialog->findChild<QSpinBox*>(QStringLiteral("memory_percent")), "40");
  Type(dialog->findChild<QSpinBox*>(QStringLiteral("graphviz_boxes")), "0");
  Type(dialog->findChild<QSpinBox*>(QStringLiteral("whole_computation")), "100");
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }));
  auto* appearance = dialog->findChild<QComboBox*>(QStringLiteral("appearance"));
  appearance->setFocus();
  QTest::keyClicks(appearance, QStringLiteral("Dark"));
  EXPECT_TRUE(Theme::For(QApplication::palette()).dark);
  EXPECT_TRUE(window().action("appearance_dark")->isChecked());

  const Preferences kept = Preferences::Load();
  EXPECT_EQ(kept, window().preferences());
  EXPECT_EQ(kept.code_font, 17);
  EXPECT_EQ(kept.fill, evaluator::FillKind::kOnes);
  EXPECT_EQ(kept.threads, 3);
  EXPECT_EQ(kept.memory_percent, 40);
  EXPECT_EQ(kept.graphviz_boxes, 0);
  EXPECT_EQ(kept.whole_computation, 100);
  EXPECT_EQ(kept.appearance, QStringLiteral("dark"));
  MainWindow next;
  EXPECT_EQ(next.text_view()->font().pointSize(), 17);
  EXPECT_EQ(next.session()->arguments().fill, evaluator::FillKind::kOnes);

  QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults), Qt::LeftButton);
  EXPECT_EQ(Preferences::Load(), Preferences());
  EXPECT_EQ(window().text_view()->font().pointSize(), Preferences().code_font);
  QTest::keyClick(dialog, Qt::Key_Escape);
  EXPECT_FALSE(dialog->isVisible());
}

TEST_F(PreferencesTest, MenusAndTheDialogAgree) {
  PreferencesDialog* dialog = Dialog();
  window().action("larger_text")->trigger();
  EXPECT_EQ(dialog->findChild<QSpinBox*>(QStringLiteral("code_font"))->value(), Preferences().code_font + 1);
  window().action("appearance_light")->trigger();
  EXPECT_EQ(dialog->preferences().appearance, QStringLiteral("light"));
  window().action("value_hints")->trigger();
  EXPECT_FALSE(dialog->preferences().value_hints);
  EXPECT_EQ(dialog->preferences(), Preferences::Load());
}

TEST_F(PreferencesTest, NonsenseInTheSettingsIsNotTaken) {
  QSettings settings;
  settings.setValue(QStringLiteral("appearance"), QStringLiteral("purple"));
  settings.setValue(QStringLiteral("code_font"), 4000);
  settings.setValue(QStringLiteral("fill"), 99);
  settings.setValue(QStringLiteral("threads"), QStringLiteral("many"));
  settings.setValue(QStringLiteral("whole_computation"), -3);
  const Preferences p = Preferences::Load();
  EXPECT_EQ(p.appearance, QStringLiteral("system"));
  EXPECT_EQ(p.code_font, Preferences::kMostFont);
  EXPECT_EQ(p.fill, evaluator::FillKind::kRandom);
  EXPECT_EQ(p.threads, 0);
  EXPECT_EQ(p.whole_computation, Preferences::kLeastComputation);
}

TEST_F(PreferencesTest, TheMemoryLimitStopsARunWithAMessageAtItsInstruction) {
  OpenText(R"(HloModule large
ENTRY main {
  x = f32[8192,1] parameter(0)
  y = f32[1,8192] parameter(1)
  ROOT much = f32[8192,8192] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)");
  window().session()->SetLimits(int64_t{64} << 20, 1);
  Trigger("run");
  EXPECT_EQ(window().session()->state(), SessionController::State::kFailed);
  EXPECT_TRUE(window().session()->failure().contains(QStringLiteral("memory")))
      << window().session()->failure().toStdString();
  // Shown at its instruction: in the list, the text and the graph.
  EXPECT_EQ(window().selection()->instruction(), Find("much"));
  EXPECT_EQ(window().session()->failed_at(), Find("much"));
  DiagnosticsModel* problems = window().diagnostics_panel()->model();
  ASSERT_EQ(problems->error_count(), 1);
  EXPECT_EQ(problems->data(problems->index(0, DiagnosticsModel::kPlace), Qt::DisplayRole).toString(),
            QStringLiteral("5:3"));
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }));
  EXPECT_TRUE(graph->canvas()->look().marks(Find("much")).failed);
  // Trying again does not pile messages up.
  Trigger("run");
  EXPECT_EQ(problems->error_count(), 1);
  window().session()->SetLimits(0, 1);
  Trigger("run");
  EXPECT_EQ(window().session()->state(), SessionController::State::kFinished);
  EXPECT_EQ(problems->error_count(), 0);
  EXPECT_FALSE(window().session()->failed_at().has_value());
}

}  // namespace
}  // namespace hloscope::gui
