// SPDX-License-Identifier: Apache-2.0
// The profile panel: a file with measured times is opened wherever a module is, its times are shown in the text and in
// the graph, a million events are drawn quickly, and what is damaged is said.
#include "gui/panels/profile_panel.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QPushButton>
#include <QTest>
#include <ctime>

#include "gui/models/opened_profile.h"
#include "gui/models/text.h"
#include "gui/panels/changes_panel.h"
#include "gui/panels/panel_commands.h"
#include "gui/tabbed_window.h"
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
    interop::proto::XPlane* plane = space_.add_planes();
    plane->set_name("/host:metadata");
    (*plane->mutable_stat_metadata())[1].set_name("Hlo Proto");
    AddProgram(15, with_module ? kMeasured : nullptr, "jit_f(15)");
    plane_ = space_.add_planes();
    plane_->set_name("/device:GPU:0");
    (*plane_->mutable_stat_metadata())[1].set_name("hlo_op");
    (*plane_->mutable_stat_metadata())[2].set_name("program_id");
    (*plane_->mutable_event_metadata())[1].set_name("kernel");
    (*plane_->mutable_event_metadata())[2].set_name("memcpy");
    AddLine("Stream #1(Kernel)");
  }
  // `text`: of its module; null: the profile does not have it.
  void AddProgram(int64_t id, const char* text, const std::string& name) {
    auto& program = (*space_.mutable_planes(0)->mutable_event_metadata())[id];
    program.set_id(id);
    program.set_name(name);
    if (text == nullptr) return;
    program.add_stats()->set_metadata_id(1);
    program.mutable_stats(0)->set_bytes_value(
        *interop::EncodeModule(ParseText(text)->module(), interop::OutputForm::kProto));
  }
  void AddLine(const std::string& name) {
    line_ = plane_->add_lines();
    line_->set_name(name);
  }
  void Event(const std::string& op, int64_t begin_ns, int64_t duration_ns, int64_t program = 15) {
    interop::proto::XEvent* event = line_->add_events();
    event->set_metadata_id(op.empty() ? 2 : 1);
    event->set_offset_ps(begin_ns * 1000);
    event->set_duration_ps(duration_ns * 1000);
    if (op.empty()) return;
    event->add_stats()->set_metadata_id(1);
    event->mutable_stats(0)->set_str_value(op);
    event->add_stats()->set_metadata_id(2);
    event->mutable_stats(1)->set_int64_value(program);
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

// With what they are compared with, wherever the folder has gone.
TEST_F(ProfilePanelTest, ASessionOpensProfilesAndTheOtherVersionAgain) {
  QFile other(Path("other.hlo"));
  ASSERT_TRUE(other.open(QIODevice::WriteOnly));
  other.write(QByteArray(kMeasured).replace("negate(dot.1)", "abs(dot.1)"));
  other.close();
  ProfileWriter before, after;
  before.Event("dot.1", 0, 3'000'000);
  before.Write(Path("before.xplane.pb"));
  after.Event("dot.1", 0, 6'000'000);
  after.Write(Path("after.xplane.pb"));
  OpenText(kMeasured);
  OpenProfileFile(Path("after.xplane.pb"));
  panel()->CompareWith(Path("before.xplane.pb"));
  window().panel<ChangesPanel>()->CompareWith(Path("other.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy() && !window().panel<ChangesPanel>()->busy(); }));
  const QString summary = window().panel<ChangesPanel>()->summary();
  const QString path = Path("work.hloscope-session");
  ASSERT_TRUE(window().SaveSessionTo(path));
  QFile written(path);
  ASSERT_TRUE(written.open(QIODevice::ReadOnly));
  EXPECT_TRUE(written.readAll().contains("\"profile\": \"after.xplane.pb\""));

  MainWindow second;
  second.OpenPlace(path);
  auto* profile = second.panel<ProfilePanel>();
  ASSERT_TRUE(WaitUntil([&] { return profile->profile() != nullptr && !profile->busy(); }));
  EXPECT_EQ(profile->shown_request().path, Path("after.xplane.pb"));
  EXPECT_EQ(profile->shown_request().before_path, Path("before.xplane.pb"));
  EXPECT_EQ(profile->compared()->model()->rowCount(), 1);
  ASSERT_TRUE(WaitUntil([&] { return second.panel<ChangesPanel>()->summary() == summary; }));
  EXPECT_EQ(second.panel<ChangesPanel>()->compared_path(), Path("other.hlo"));
  // Another module is compared with nothing.
  second.Open(QStringLiteral(":/examples/attention.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return !second.workspace()->loading(); }));
  EXPECT_TRUE(second.panel<ChangesPanel>()->compared_path().isEmpty());
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
  // Before a device is chosen, nothing is known to be gained.
  EXPECT_TRUE(panel()->instructions()->isColumnHidden(ProfileTableModel::kGain));
  EXPECT_EQ(Cell(0, ProfileTableModel::kInstruction), QStringLiteral("dot.1"));
  panel()->tabs()->setCurrentWidget(roofline);
  panel()->device()->setCurrentIndex(panel()->device()->findText(QStringLiteral("H100"), Qt::MatchContains));
  ASSERT_GT(panel()->device()->currentIndex(), 0);
  Q_EMIT panel()->device()->activated(panel()->device()->currentIndex());
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_FALSE(Cell(0, ProfileTableModel::kGain).isEmpty());
  EXPECT_FALSE(panel()->instructions()->isColumnHidden(ProfileTableModel::kGain));
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
  ProfileRequest request;
  request.path = path;
  const absl::StatusOr<OpenedProfile> opened = OpenProfile(request, cancelled);
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
  // Events of less than a pixel stand out from the page.
  const QImage image = view.grab().toImage();
  const QColor event = image.pixelColor(image.width() / 2, image.height() * 106 / 300);
  EXPECT_GT(std::abs(event.lightness() - image.pixelColor(image.width() / 2, image.height() - 2).lightness()), 40);
  const std::clock_t start = std::clock();
  constexpr int kFrames = 20;
  for (int i = 0; i < kFrames; ++i) {
    view.ZoomBy(i % 2 == 0 ? 1.3 : 1 / 1.3, 400);
    view.grab();
  }
  // Of processor time: a frame of 16 ms is what people see as fluent. Sanitizers and slow machines get more.
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kFrames, 0.05);
  cancelled = true;
  EXPECT_TRUE(absl::IsCancelled(OpenProfile(request, cancelled).status()));
}

TEST_F(ProfilePanelTest, TwoProfilesCompare) {
  OpenText(kMeasured);
  ProfileWriter before, after;
  before.Event("dot.1", 0, 3'000'000);
  before.Event("dot.1", 4'000'000, 3'000'000);
  before.Event("gone.5", 8'000'000, 1'000'000);
  before.Write(Path("before.xplane.pb"));
  after.Event("dot.1", 0, 6'000'000);
  after.Event("neg", 8'000'000, 500'000);
  after.Write(Path("after.xplane.pb"));
  EXPECT_FALSE(panel()->compare()->isEnabled());
  OpenProfileFile(Path("after.xplane.pb"));
  const int compared_tab = panel()->tabs()->indexOf(panel()->compared());
  EXPECT_FALSE(panel()->tabs()->isTabVisible(compared_tab));
  EXPECT_TRUE(panel()->groups()->isColumnHidden(6));
  panel()->ask_file = [this](const QString&, const QString&) { return Path("before.xplane.pb"); };
  panel()->compare()->click();
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_EQ(panel()->tabs()->currentWidget(), panel()->compared());
  const auto cell = [&](int row, ComparedProfilesModel::Column column) {
    return panel()->compared()->model()->index(row, column).data().toString();
  };
  ASSERT_EQ(panel()->compared()->model()->rowCount(), 2);
  // What changed most is first. Twice as long now, but once instead of twice: all runs take the same.
  EXPECT_EQ(cell(0, ComparedProfilesModel::kInstruction), QStringLiteral("neg"));
  EXPECT_EQ(cell(0, ComparedProfilesModel::kFactor), QStringLiteral("new"));
  EXPECT_EQ(cell(0, ComparedProfilesModel::kChange), QStringLiteral("+") + FormatSeconds(0.0005));
  EXPECT_EQ(cell(1, ComparedProfilesModel::kFactor), QStringLiteral("×2.00"));
  EXPECT_EQ(cell(1, ComparedProfilesModel::kBefore), FormatSeconds(0.003));
  EXPECT_EQ(cell(1, ComparedProfilesModel::kAllBefore), FormatSeconds(0.006));
  EXPECT_EQ(cell(1, ComparedProfilesModel::kChange), FormatSeconds(0));
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("Compared with before.xplane.pb")))
      << panel()->summary().toStdString();
  const ProfileOverlay* overlay = window().findChild<ProfileOverlay*>();
  EXPECT_TRUE(overlay->TextOf(window().selection()->document().get(), Find("dot.1"))
                  .contains(QStringLiteral(", ×2.00 of before, ")));
  EXPECT_TRUE(overlay->TextOf(window().selection()->document().get(), Find("neg")).contains(QStringLiteral(", new, ")));
  EXPECT_EQ(window().height(), 720);  // the window is not higher because the panel says more
  EXPECT_LE(window().minimumSizeHint().height(), 720);
  EXPECT_FALSE(panel()->groups()->isColumnHidden(6));
  EXPECT_EQ(panel()->groups()->topLevelItem(0)->text(6), FormatSeconds(0.006));
  EXPECT_EQ(panel()->groups()->topLevelItem(0)->text(7), QStringLiteral("×1.00"));
  // A click leads to the instruction, and what is selected elsewhere is found in the list.
  const QRect rect = panel()->compared()->visualRect(panel()->compared()->model()->index(0, 0));
  QTest::mouseClick(panel()->compared()->viewport(), Qt::LeftButton, {}, rect.center());
  EXPECT_EQ(window().selection()->instruction(), Find("neg"));
  window().selection()->SelectInstruction(Find("dot.1"));
  EXPECT_EQ(panel()->compared()->currentIndex().row(), 1);
  EXPECT_EQ(Cell(panel()->instructions()->currentIndex().row(), ProfileTableModel::kInstruction),
            QStringLiteral("dot.1"));
  EXPECT_EQ(CommandOfPanel(panel(), QString()), QStringLiteral("hloscope profile %1 --compare=%2 --html=profile.html")
                                                    .arg(Path("after.xplane.pb"), Path("before.xplane.pb")));
  panel()->swap()->click();
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_EQ(cell(0, ComparedProfilesModel::kFactor), QStringLiteral("gone"));
  EXPECT_EQ(cell(1, ComparedProfilesModel::kFactor), QStringLiteral("×0.50"));
  // What cannot be read leaves the comparison as it is.
  panel()->CompareWith(Path("missing.xplane.pb"));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("missing.xplane.pb"))) << panel()->summary().toStdString();
  EXPECT_EQ(panel()->shown_request().before_path, Path("after.xplane.pb"));
  EXPECT_EQ(panel()->compared()->model()->rowCount(), 2);
  panel()->end_comparison()->click();
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_FALSE(panel()->tabs()->isTabVisible(compared_tab));
  EXPECT_TRUE(panel()->swap()->isHidden());
  EXPECT_FALSE(panel()->summary().contains(QStringLiteral("Compared"))) << panel()->summary().toStdString();
}

TEST_F(ProfilePanelTest, AComparisonThatSomebodyAsksForHasTheWholeCentre) {
  ProfileWriter before, after;
  before.Event("dot.1", 0, 3'000'000);
  before.Write(Path("before.xplane.pb"));
  after.Event("dot.1", 0, 6'000'000);
  after.Write(Path("after.xplane.pb"));
  OpenText(kMeasured);
  OpenProfileFile(Path("after.xplane.pb"));
  QPushButton* compare = nullptr;
  for (QPushButton* button : panel()->findChildren<QPushButton*>()) {
    if (button->text().startsWith(QStringLiteral("Compare"))) compare = button;
  }
  ASSERT_NE(compare, nullptr);
  panel()->ask_file = [](const QString&, const QString&) { return QString(); };
  compare->click();
  EXPECT_EQ(window().enlarged_dock(), nullptr);
  panel()->ask_file = [this](const QString&, const QString&) { return Path("before.xplane.pb"); };
  compare->click();
  EXPECT_EQ(window().enlarged_dock(), window().dock("profile"));
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_TRUE(panel()->compared()->isVisible() || !window().isVisible());
  EXPECT_EQ(panel()->compared()->model()->rowCount(), 1);
  window().EnlargeDock(nullptr);
}

TEST_F(ProfilePanelTest, OneProgramOfSeveral) {
  ProfileWriter writer;
  writer.AddProgram(16, "HloModule jit_g\nENTRY e {\n  ROOT other = f32[1000] parameter(0)\n}\n", "jit_g(16)");
  writer.Event("dot.1", 0, 3'000'000);
  writer.Event("other", 4'000'000, 5'000'000, 16);
  writer.Write(Path("p.xplane.pb"));
  OpenProfileFile(Path("p.xplane.pb"));
  ASSERT_FALSE(panel()->programs()->isHidden());
  ASSERT_EQ(panel()->programs()->count(), 3);
  EXPECT_EQ(panel()->programs()->itemText(1), QStringLiteral("jit_g (id 16)"));  // most time first
  EXPECT_EQ(panel()->instructions()->model()->rowCount(), 2);
  panel()->grouping()->setCurrentText(QStringLiteral("By program"));
  ASSERT_EQ(panel()->groups()->topLevelItemCount(), 2);
  EXPECT_EQ(panel()->groups()->topLevelItem(0)->text(0), QStringLiteral("jit_g"));
  EXPECT_EQ(panel()->groups()->topLevelItem(0)->text(1), FormatSeconds(0.005));
  panel()->grouping()->setCurrentText(QStringLiteral("By lane"));
  ASSERT_EQ(panel()->groups()->topLevelItemCount(), 1);
  EXPECT_EQ(panel()->groups()->topLevelItem(0)->text(2), QStringLiteral("88.9 %"));  // 8 of 9 ms
  panel()->programs()->setCurrentIndex(2);
  Q_EMIT panel()->programs()->activated(2);
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  ASSERT_EQ(panel()->instructions()->model()->rowCount(), 1);
  EXPECT_EQ(Cell(0, ProfileTableModel::kInstruction), QStringLiteral("dot.1"));
  EXPECT_EQ(panel()->programs()->currentIndex(), 2);
  EXPECT_TRUE(CommandOfPanel(panel(), QString()).contains(QStringLiteral("--module=15")));
}

TEST_F(ProfilePanelTest, TheOpenModuleStandsForOneThatTheProfileLacks) {
  OpenText(kMeasured);
  ProfileWriter writer(/*with_module=*/false);
  writer.Event("dot.1", 0, 3'000'000);
  writer.Write(Path("p.xplane.pb"));
  OpenProfileFile(Path("p.xplane.pb"));
  EXPECT_EQ(panel()->instructions()->model()->rowCount(), 0);
  ASSERT_FALSE(panel()->use_module()->isHidden());
  panel()->use_module()->click();
  ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  EXPECT_EQ(panel()->instructions()->model()->rowCount(), 1);
  EXPECT_TRUE(panel()->use_module()->isHidden());
  EXPECT_EQ(window().graph_pane()->coloring(), GraphPane::Coloring::kTime);
  EXPECT_TRUE(CommandOfPanel(panel(), Path("module.hlo")).contains(QStringLiteral("--hlo=") + Path("module.hlo")));
}

TEST_F(ProfilePanelTest, DevicesOfAUsersTable) {
  ProfileWriter writer;
  writer.Event("dot.1", 0, 3'000'000);
  writer.Write(Path("p.xplane.pb"));
  OpenProfileFile(Path("p.xplane.pb"));
  const int devices = panel()->device()->count();
  const auto write = [this](const char* text) {
    QFile file(Path("own.txt"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
  };
  panel()->ask_file = [this](const QString&, const QString&) { return Path("own.txt"); };
  const auto choose_file = [&] {
    panel()->device()->setCurrentIndex(panel()->device()->count() - 1);
    Q_EMIT panel()->device()->activated(panel()->device()->count() - 1);
    ASSERT_TRUE(WaitUntil([&] { return !panel()->busy(); }));
  };
  write("Abacus f32=fast\n");
  choose_file();
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("own.txt:1"))) << panel()->summary().toStdString();
  EXPECT_EQ(panel()->device()->count(), devices);
  EXPECT_EQ(panel()->device()->currentIndex(), 0);
  write("Abacus bandwidth=1 f32=0.001\n");
  choose_file();
  EXPECT_EQ(panel()->device()->count(), devices + 1);
  EXPECT_EQ(panel()->device()->currentText(), QStringLiteral("Abacus"));
  EXPECT_TRUE(panel()->summary().contains(QStringLiteral("Abacus"))) << panel()->summary().toStdString();
  EXPECT_TRUE(CommandOfPanel(panel(), QString()).contains(QStringLiteral("--device=Abacus")));
}

TEST(ProfileTabsTest, AProfileIsOpenedBesideTheModuleThatIsOpen) {
  QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("m.hlo")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(kMeasured);
  file.close();
  ProfileWriter writer;
  writer.Event("dot.1", 0, 3'000'000);
  const QString path = folder.filePath(QStringLiteral("p.xplane.pb"));
  writer.Write(path);
  TabbedWindow tabs{QString()};
  tabs.show();
  tabs.OpenPlace(file.fileName());
  ASSERT_TRUE(WaitUntil([&] { return tabs.current()->selection()->document() != nullptr; }));
  const auto is_shown = [&] {
    auto* panel = tabs.current()->panel<ProfilePanel>();
    return panel->profile() != nullptr && !panel->busy();
  };
  tabs.current()->OpenChosen(path);
  EXPECT_TRUE(WaitUntil(is_shown));
  EXPECT_EQ(tabs.tab_count(), 1);
  tabs.OpenPlace(path);
  EXPECT_TRUE(WaitUntil(is_shown));
  EXPECT_EQ(tabs.tab_count(), 1);
  EXPECT_NE(tabs.current()->selection()->document(), nullptr);
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
