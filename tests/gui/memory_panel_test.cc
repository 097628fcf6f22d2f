// SPDX-License-Identifier: Apache-2.0
// The memory panel: what is alive when, where it lies, what would help.
#include "gui/panels/memory_panel.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

// At `both`, x, a and b are alive, and their sum: 4 MiB each.
constexpr char kPeaked[] = R"(HloModule peaked, is_scheduled=true
ENTRY main {
  x = f32[1024,1024] parameter(0)
  a = f32[1024,1024] negate(x)
  b = f32[1024,1024] exponential(x)
  both = f32[1024,1024] add(a, b)
  row = f32[1,1024] slice(both), slice={[0:1], [0:1024]}
  small = f32[1024] reshape(row)
  ROOT r = f32[1024] negate(small)
})";

class MemoryPanelTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1280, 720);
    window().show();
    OpenText(kPeaked);
    window().ShowDock(QStringLiteral("memory"));
    ASSERT_TRUE(Settled());
  }
  bool Settled() {
    return WaitUntil([this] { return !panel()->busy() && panel()->isVisible(); });
  }
  MemoryPanel* panel() { return window().panel<MemoryPanel>(); }
  uint32_t ValueOf(const char* name) {
    const std::vector<insight::MemoryValue>& values = panel()->picture()->memory().values();
    for (uint32_t i = 0; i < values.size(); ++i) {
      if (values[i].definer == Find(name)) return i;
    }
    return MemoryLivesView::kNone;
  }
  QStringList Alive() {
    QStringList names;
    for (int row = 0; row < panel()->alive()->rowCount(); ++row) {
      names << panel()->alive()->index(row, LiveValuesModel::kValue).data().toString();
    }
    return names;
  }
};

TEST_F(MemoryPanelTest, ThePeakIsSaidAndWhatIsAliveThereIsListed) {
  ASSERT_NE(panel()->picture(), nullptr);
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("Peak 16.0 MiB at both"))) << panel()->summary().toStdString();
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("our own packing")));
  QStringList alive = Alive();
  alive.sort();
  EXPECT_EQ(alive,
            (QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("both"), QStringLiteral("x")}));
  const int row = Alive().indexOf(QStringLiteral("a"));
  EXPECT_EQ(panel()->alive()->index(row, LiveValuesModel::kBytes).data().toString(), QStringLiteral("4.00 MiB"));
  EXPECT_EQ(panel()->alive()->index(row, LiveValuesModel::kKept).data().toString(), QStringLiteral("both"));
}

TEST_F(MemoryPanelTest, StepsAreChosenByMouseAndKeyboard) {
  MemoryLivesView* view = panel()->view();
  const uint32_t peak = view->step();
  QTest::keyClick(view, Qt::Key_Right);
  EXPECT_EQ(view->step(), peak + 1);
  EXPECT_FALSE(Alive().contains(QStringLiteral("a")));
  QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(1, 5));
  EXPECT_EQ(view->step(), 0u);
  for (QPushButton* button : panel()->findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("To the peak")) button->click();
  }
  EXPECT_EQ(view->step(), peak);
}

TEST_F(MemoryPanelTest, BarsLieWhereTheirStepsAreAndLeadToTheInstruction) {
  MemoryLivesView* view = panel()->view();
  const std::vector<insight::MemoryValue>& values = panel()->picture()->memory().values();
  for (const MemoryLivesView::Order order : {MemoryLivesView::Order::kLargestFirst, MemoryLivesView::Order::kPlaces}) {
    panel()->order()->setCurrentIndex(static_cast<int>(order));
    const uint32_t b = ValueOf("b");
    ASSERT_NE(b, MemoryLivesView::kNone);
    const QRectF rect = view->RectOf(b);
    ASSERT_FALSE(rect.isEmpty());
    EXPECT_EQ(view->StepAt(rect.left() + 1), values[b].live.begin);
    EXPECT_EQ(view->StepAt(rect.right() - 1), values[b].live.end);
    EXPECT_EQ(view->ValueAt(rect.center()), b);
    window().selection()->SelectInstruction(Find("x"));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, rect.center().toPoint());
    EXPECT_EQ(window().selection()->instruction(), Find("b"));
  }
  // Values that are alive at once have places beside each other.
  EXPECT_FALSE(view->RectOf(ValueOf("a")).adjusted(1, 1, -1, -1).intersects(view->RectOf(ValueOf("b"))));
  const double whole = view->length();
  QTest::keyClick(view, Qt::Key_Plus);
  EXPECT_LT(view->length(), whole);
  QTest::keyClick(view, Qt::Key_0);
  EXPECT_EQ(view->length(), whole);
}

TEST_F(MemoryPanelTest, QuestionsAreAnsweredAndNonsenseIsSaid) {
  panel()->question()->setText(QStringLiteral("type:a=bf16"));
  QTest::keyClick(panel()->question(), Qt::Key_Return);
  ASSERT_TRUE(Settled());
  ASSERT_GT(panel()->answers()->topLevelItemCount(), 0);
  EXPECT_EQ(panel()->answers()->topLevelItem(0)->text(0), QStringLiteral("type:a=bf16"));
  EXPECT_EQ(panel()->answers()->topLevelItem(0)->text(1), QStringLiteral("2.00 MiB"));
  panel()->question()->setText(QStringLiteral("make it small"));
  QTest::keyClick(panel()->question(), Qt::Key_Return);
  ASSERT_TRUE(Settled());
  EXPECT_FALSE(panel()->problem().isEmpty());
}

TEST_F(MemoryPanelTest, TheCompilersPlacesAreTakenIfTheyLieBesideTheFile) {
  QFile record(Path("placed-buffer-assignment.txt"));
  ASSERT_TRUE(record.open(QIODevice::WriteOnly));
  record.write("BufferAssignment:\nthis is not one\n allocation 0: size nonsense\n");
  record.close();
  OpenText(kPeaked, "placed.hlo");
  ASSERT_TRUE(Settled());
  ASSERT_NE(panel()->picture(), nullptr);
  // A broken one is said, and our own places are shown.
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("was not used"))) << panel()->summary().toStdString();
  ASSERT_TRUE(record.open(QIODevice::WriteOnly | QIODevice::Truncate));
  record.write(
      "BufferAssignment:\n"
      "allocation 0: size 4194304, parameter 0, shape |f32[1024,1024]| at ShapeIndex {}:\n"
      " value: <1 x @0> (size=4194304,offset=0): f32[1024,1024]{1,0}\n"
      "allocation 1: size 12582912, preallocated-temp:\n"
      " value: <2 a @0> (size=4194304,offset=0): f32[1024,1024]{1,0}\n"
      " value: <3 b @0> (size=4194304,offset=4194304): f32[1024,1024]{1,0}\n"
      " value: <4 both @0> (size=4194304,offset=8388608): f32[1024,1024]{1,0}\n");
  record.close();
  OpenText(kPeaked, "placed.hlo");
  ASSERT_TRUE(Settled());
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("assigned by placed-buffer-assignment.txt")))
      << panel()->summary().toStdString();
  EXPECT_EQ(panel()->picture()->memory().values()[ValueOf("b")].offset, 4194304);
}

TEST_F(MemoryPanelTest, ModulesWithErrorsSayWhatIsMissing) {
  OpenText("HloModule m\nENTRY main { ROOT a = f32[] add(a, a) }");
  ASSERT_TRUE(Settled());
  EXPECT_EQ(panel()->picture(), nullptr);
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("no errors")));
  EXPECT_EQ(panel()->alive()->rowCount(), 0);
  panel()->grab();
}

}  // namespace
}  // namespace hloscope::gui
