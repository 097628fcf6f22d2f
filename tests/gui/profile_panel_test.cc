// SPDX-License-Identifier: Apache-2.0
// The profile panel: a file with measured times is opened wherever a module is, its times are shown in the text and in
// the graph, a million events are drawn quickly, and what is damaged is said.
#include "gui/panels/profile_panel.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QTest>
#include <ctime>

#include "gui/models/opened_profile.h"
#include "gui/models/text.h"
#include "gui_test_support.h"
#include "interop/files/write_file.h"
#include "interop/proto/xplane.pb.h"

namespace hloscope::gui {
namespace {

constexpr char kMeasured[] = R"(HloModule jit_f, is_scheduled=true
ENTRY e {
  p = f32[1000,1000] parameter(0)
  dot.1 = f32[1000,1000] dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/layer/dot" source_file="m.py" source_line=3}
  ROOT neg = f32[1000,1000] negate(dot.1), metadata={op_name="jit(f)/neg"}
}
)";

// A profile of one device; events name instructions of kMeasured.
class ProfileWriter {
 public:
  explicit ProfileWriter(bool with_module = true) {
    const auto document = ParseText(kMeasured);
    interop::proto::XPlane* plane = space_.add_planes();
    plane->set_name("/host:metadata");
    (*plane->mutable_stat_metadata())[1].set_name("Hlo Proto");
    auto& program = (*plane->mutable_event_metadata())[15];
    program.set_id(15);
    program.set_name("jit_f(15)");
    if (with_module) {
      program.add_stats()->set_metadata_id(1);
      program.mutable_stats(0)->set_bytes_value(
          *interop::EncodeModule(document->module(), interop::OutputForm::kProto));
    }
    plane_ = space_.add_planes();
    plane_->set_name("/device:GPU:0");
    (*plane_->mutable_stat_metadata())[1].set_name("hlo_op");
    (*plane_->mutable_stat_metadata())[2].set_name("program_id");
    (*plane_->mutable_event_metadata())[1].set_name("kernel");
    (*plane_->mutable_event_metadata())[2].set_name("memcpy");
    AddLine("Stream #1(Kernel)");
  }
  void AddLine(const std::string& name) {
    line_ = plane_->add_lines();
    line_->set_name(name);
  }
  void Event(const std::string& op, int64_t begin_ns, int64_t duration_ns) {
    interop::proto::XEvent* event = line_->add_events();
    event->set_metadata_id(op.empty() ? 2 : 1);
    event->set_offset_ps(begin_ns * 1000);
    event->set_duration_ps(duration_ns * 1000);
    if (op.empty()) return;
    event->add_stats()->set_metadata_id(1);
    event->mutable_stats(0)->set_str_value(op);
    event->add_stats()->set_metadata_id(2);
    event->mutable_stats(1)->set_int64_value(15);
  }
  void Write(const QString& path, size_t bytes = std::string::npos) const {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    const std::string all = space_.SerializeAsString();
    file.write(all.data(), static_cast<qint64>(std::min(bytes, all.size())));
  }

 private:
  interop::proto::XSpace space_;
  interop::proto::XPlane* plane_;
  interop::proto::XLine* line_;
};

class ProfilePanelTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1280, 720);
    window().show();
  }
  ProfilePanel* panel() { return window().panel<ProfilePanel>(); }
  void OpenProfileFile(const QString& path) {
    window().Open(path);
    ASSERT_TRUE(WaitUntil(
        [&] { return !window().workspace()->loading() && !panel()->busy() && window().dock("profile")->isVisible(); }));
  }
  QString Cell(int row, ProfileTableModel::Column column) {
    return panel()->instructions()->model()->index(row, column).data().toString();
  }
};

TEST_F(ProfilePanelTest, AFileOfTimesIsOpenedByItsContent) {
  OpenText(kMeasured);
  ProfileWriter writer;
  writer.Event("dot.1", 0, 3'000'000);
  writer.Event("dot.1", 4'000'000, 3'000'000);
  writer.Event("neg", 8'000'000, 1'000'000);
  writer.Event("", 9'500'000, 500'000);
  writer.Write(Path("whatever"));
  OpenProfileFile(Path("whatever"));
  ASSERT_NE(panel()->profile(), nullptr) << panel()->summary().toStdString();
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("4 events"))) << panel()->summary().toStdString();
  // The module that was open stays.
  EXPECT_EQ(window().selection()->module().name(), "jit_f");
  EXPECT_TRUE(panel()->open_module()->isHidden());
  ASSERT_EQ(panel()->instructions()->model()->rowCount(), 2);
  // A click on a row leads to the instruction.
  panel()->tabs()->setCurrentWidget(panel()->instructions());
  for (int row = 0; row < 2; ++row) {
    if (Cell(row, ProfileTableModel::kInstruction) != QStringLiteral("neg")) continue;
    EXPECT_EQ(Cell(row, ProfileTableModel::kTime), FormatSeconds(0.001));
    const QRect rect = panel()->instructions()->visualRect(panel()->instructions()->model()->index(row, 0));
    QTest::mouseClick(panel()->instructions()->viewport(), Qt::LeftButton, {}, rect.center());
  }
  EXPECT_EQ(window().selection()->instruction(), Find("neg"));
  EXPECT_EQ(panel()->left_over()->topLevelItemCount(), 1);
  EXPECT_EQ(panel()->groups()->topLevelItem(0)->text(0), QStringLiteral("dot"));
  panel()->grouping()->setCurrentIndex(1);
  EXPECT_EQ(panel()->groups()->topLevelItem(0)->text(0), QStringLiteral("m.py:3"));
}

TEST_F(ProfilePanelTest, TimesAreInTheGraphAndAtTheEndsOfLines) {
  OpenText(kMeasured);
  const auto text = [&] {
    window().text_view()->viewport()->update();
    return window().text_view()->grab().toImage();
  };
  const QImage before = text();
  ProfileWriter writer;
  writer.Event("dot.1", 0, 9'000'000);
  writer.Event("neg", 9'000'000, 1'000'000);
  writer.Write(Path("p.xplane.pb"));
  OpenProfileFile(Path("p.xplane.pb"));
  EXPECT_EQ(window().graph_pane()->coloring(), GraphPane::Coloring::kTime);
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  const GraphPainter::Look& look = window().graph_pane()->canvas()->look();
  const VisibleGraph& graph = window().graph_pane()->graph();
  ASSERT_EQ(look.fills.size(), graph.boxes.size());
  EXPECT_NE(look.fills[graph.BoxOf(Find("dot.1"))], look.fills[graph.BoxOf(Find("neg"))]);
  EXPECT_EQ(look.fills[graph.BoxOf(Find("dot.1"))], look.theme.HeatFill(1));
  EXPECT_NE(text(), before);
}

TEST_F(ProfilePanelTest, TheMeasuredModuleIsOpenedFromTheProfile) {
  ProfileWriter writer;
  writer.Event("dot.1", 0, 9'000'000);
  writer.Write(Path("p.xplane.pb"));
  OpenProfileFile(Path("p.xplane.pb"));
  EXPECT_EQ(window().selection()->document(), nullptr);
  ASSERT_FALSE(panel()->open_module()->isHidden());
  panel()->open_module()->click();
  ASSERT_TRUE(WaitUntil([&] { return window().selection()->document() != nullptr; }));
  EXPECT_EQ(window().selection()->module().name(), "jit_f");
  EXPECT_TRUE(panel()->open_module()->isHidden());
  EXPECT_EQ(window().graph_pane()->coloring(), GraphPane::Coloring::kTime);
}

TEST_F(ProfilePanelTest, TheRooflineLeadsToInstructions) {
  OpenText(kMeasured);
  ProfileWriter writer;
  writer.Event("dot.1", 0, 9'000'000);
  writer.Event("neg", 9'000'000, 1'000'000);
  writer.Write(Path("p.xplane.pb"));
  OpenProfileFile(Path("p.xplane.pb"));
  RooflineView* roofline = panel()->roofline();
  panel()->tabs()->setCurrentWidget(roofline);
  panel()->device()->setCurrentIndex(panel()->device()->findText(QStringLiteral("H100"), Qt::MatchContains));
  ASSERT_GT(panel()->device()->currentIndex(), 0);
  Q_EMIT panel()->device()->activated(panel()->device()->currentIndex());
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_FALSE(Cell(0, ProfileTableModel::kGain).isEmpty());
  EXPECT_EQ(roofline->drawn(), 2);
  window().selection()->SelectInstruction(Find("p"));
  QTest::mouseClick(roofline, Qt::LeftButton, {}, roofline->PlaceOf(0).toPoint());
  EXPECT_EQ(window().selection()->instruction(), Find("dot.1"));
  QTest::keyClick(roofline, Qt::Key_Right);
  EXPECT_EQ(window().selection()->instruction(), Find("neg"));
  EXPECT_FALSE(roofline->grab().isNull());
}

TEST(ProfileSpansTest, EventsInsideOfOthersLieBelowThemAndAMillionAreDrawnQuickly) {
  ProfileWriter writer;
  writer.Event("dot.1", 0, 1000);
  writer.Event("neg", 100, 200);
  writer.Event("neg", 400, 100);
  writer.Event("", 2000, 10);
  writer.AddLine("Stream #2(Kernel)");
  writer.Event("neg", 50, 20);
  for (int i = 0; i < 1'000'000; ++i) writer.Event(i % 100 == 0 ? "neg" : "", 3000 + i * 3, 2);
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("p.xplane.pb"));
  writer.Write(path);
  std::atomic<bool> cancelled{false};
  const absl::StatusOr<OpenedProfile> opened = OpenProfile(path, QString(), cancelled);
  ASSERT_TRUE(opened.ok()) << opened.status();
  const TimeSpans& spans = *opened->lanes;
  ASSERT_EQ(spans.lanes(), 5u);  // name, two depths; name, one depth
  EXPECT_EQ(spans.lane_begin[2] - spans.lane_begin[1], 2u);
  EXPECT_EQ(spans.lane_begin[3] - spans.lane_begin[2], 2u);
  EXPECT_EQ(spans.lane_begin[5] - spans.lane_begin[4], 1'000'001u);
  TimeSpansView view;
  view.resize(1000, 300);
  view.show();
  view.Show(opened->lanes);
  view.grab();
  const std::clock_t start = std::clock();
  constexpr int kFrames = 20;
  for (int i = 0; i < kFrames; ++i) {
    view.ZoomBy(i % 2 == 0 ? 1.3 : 1 / 1.3, 400);
    view.grab();
  }
  // Of processor time: a frame of 16 ms is what people see as fluent. Sanitizers and slow machines get more.
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kFrames, 0.05);
  cancelled = true;
  EXPECT_TRUE(absl::IsCancelled(OpenProfile(path, QString(), cancelled).status()));
}

TEST_F(ProfilePanelTest, DamagedProfilesShowWhatCouldBeUsed) {
  ProfileWriter writer;
  for (int i = 0; i < 200; ++i) writer.Event("dot.1", i * 1000, 500);
  writer.Write(Path("whole.xplane.pb"));
  const qint64 size = QFile(Path("whole.xplane.pb")).size();
  writer.Write(Path("cut.xplane.pb"), static_cast<size_t>(size - 40));
  OpenProfileFile(Path("cut.xplane.pb"));
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("could not be used"))) << panel()->summary().toStdString();
  ASSERT_GT(panel()->left_over()->topLevelItemCount(), 0);
  EXPECT_EQ(panel()->left_over()->topLevelItem(0)->text(1), QStringLiteral("could not be used"));
  // Without modules there are events that belong to nothing.
  ProfileWriter bare(/*with_module=*/false);
  bare.Event("dot.1", 0, 500);
  bare.Write(Path("bare.xplane.pb"));
  panel()->OpenFile(Path("bare.xplane.pb"));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("could not be used"))) << panel()->summary().toStdString();
  EXPECT_EQ(panel()->instructions()->model()->rowCount(), 0);
  panel()->OpenFile(Path("missing.xplane.pb"));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("missing.xplane.pb"))) << panel()->summary().toStdString();
}

}  // namespace
}  // namespace hloscope::gui
