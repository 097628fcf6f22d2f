// SPDX-License-Identifier: Apache-2.0
// Sessions keep how far a run was: opening one repeats the run as far, with progress, and can be stopped on the way.
#include <gtest/gtest.h>

#include <QFile>

#include "gui/models/saved_session.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

// A loop that takes a while, a sum whose element can be entered.
constexpr char kCounting[] = R"(HloModule counting
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
condition { p = (s32[], f32[8]) parameter(0)  i = s32[] get-tuple-element(p), index=0  n = s32[] constant(COUNT)
  ROOT less = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[8]) parameter(0)  i = s32[] get-tuple-element(p), index=0  one = s32[] constant(1)
  next = s32[] add(i, one)  x = f32[8] get-tuple-element(p), index=1  y = f32[8] sine(x)
  ROOT t = (s32[], f32[8]) tuple(next, y) }
ENTRY main {
  x = f32[8] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[8]) tuple(zero, x)
  loop = (s32[], f32[8]) while(start), condition=condition, body=body
  y = f32[8] get-tuple-element(loop), index=1
  z = f32[] constant(0)
  sum = f32[] reduce(y, z), dimensions={0}, to_apply=add
  ROOT r = f32[] negate(sum)
})";

std::string CountingModule(int count) {
  std::string text = kCounting;
  return text.replace(text.find("COUNT"), 5, std::to_string(count));
}

class SessionRunTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1280, 720);
    window().show();
  }

  QString Saved() {
    const QString path = Path("work.hloscope-session");
    EXPECT_TRUE(window().SaveSessionTo(path));
    return path;
  }
  static void OpenAgain(MainWindow* second, const QString& path) {
    second->resize(1280, 720);
    second->show();
    second->OpenPlace(path);
    ASSERT_TRUE(WaitUntil([&] { return !second->workspace()->loading() && !second->session()->busy(); }));
  }
  void ExpectSamePlace(MainWindow* second) {
    const SessionController& there = *second->session();
    const SessionController& here = *window().session();
    EXPECT_EQ(there.state(), here.state());
    EXPECT_EQ(there.moment(), here.moment());
    ASSERT_EQ(there.frames().size(), here.frames().size());
    for (size_t i = 0; i < here.frames().size(); ++i) {
      EXPECT_EQ(there.frames()[i].current, here.frames()[i].current);
      EXPECT_EQ(there.frames()[i].iteration, here.frames()[i].iteration);
    }
    EXPECT_EQ(second->selection()->instruction(), window().selection()->instruction());
  }
};

TEST_F(SessionRunTest, ReopeningGoesToTheSameStep) {
  OpenText(CountingModule(20));
  window().session()->SetBreakpoint(Find("y"), {.enabled = true, .condition = QString(), .iteration = 7});
  Trigger("run");
  ASSERT_EQ(window().session()->frames().back().iteration, 7);
  Trigger("step_over");
  window().selection()->SelectInstruction(Find("r"));
  MainWindow second;
  OpenAgain(&second, Saved());
  ExpectSamePlace(&second);
  // It goes on as the first one would.
  second.action("step_over")->trigger();
  ASSERT_TRUE(WaitUntil([&] { return !second.session()->busy(); }));
  EXPECT_EQ(second.session()->position(), window().session()->position() + 1);
}

TEST_F(SessionRunTest, FinishedRunsAreFinishedAgain) {
  OpenText(CountingModule(5));
  Trigger("run");
  ASSERT_EQ(window().session()->state(), SessionController::State::kFinished);
  MainWindow second;
  OpenAgain(&second, Saved());
  ExpectSamePlace(&second);
  const evaluator::Value first = window().session()->ValueOf(Find("r"));
  const evaluator::Value again = second.session()->ValueOf(FindByName(second.selection()->module(), "r"));
  EXPECT_EQ(first.tensor().data_as<float>()[0], again.tensor().data_as<float>()[0]);
}

TEST_F(SessionRunTest, ElementsThatWereEnteredAreEnteredAgain) {
  OpenText(CountingModule(3));
  window().session()->Execute(SessionController::Command::kRunTo, Find("sum"));
  ASSERT_TRUE(WaitUntil([&] { return !window().session()->busy(); }));
  window().session()->EnterElement({});
  ASSERT_TRUE(WaitUntil([&] { return !window().session()->busy(); }));
  Trigger("step_over");
  Trigger("step_over");
  ASSERT_EQ(window().session()->frames().size(), 2u);
  MainWindow second;
  OpenAgain(&second, Saved());
  ExpectSamePlace(&second);
}

TEST_F(SessionRunTest, EachDeviceIsWhereItWas) {
  OpenText(
      "HloModule two, replica_count=2\nadd { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) "
      "}\n"
      "ENTRY main {\n  x = f32[4] parameter(0)\n  n = f32[4] negate(x)\n  all = f32[4] all-reduce(n), to_apply=add\n"
      "  e = f32[4] exponential(all)\n  ROOT r = f32[4] negate(e)\n}\n");
  ArgumentSource arguments;
  arguments.replicas = 2;
  window().session()->SetArguments(arguments);
  window().session()->Execute(SessionController::Command::kRunTo, Find("r"));
  ASSERT_TRUE(WaitUntil([&] { return !window().session()->busy(); }));
  const RunMoment moment = window().session()->moment();
  ASSERT_EQ(moment.positions.size(), 2u);
  ASSERT_NE(moment.positions[0], moment.positions[1]);
  MainWindow second;
  OpenAgain(&second, Saved());
  ExpectSamePlace(&second);
}

TEST_F(SessionRunTest, TheWayHasProgressAndCanBePaused) {
  OpenText(CountingModule(2'000'000));
  window().action("run")->trigger();
  ASSERT_TRUE(WaitUntil([&] { return window().session()->elapsed() > 2500; }));
  window().action("pause")->trigger();
  ASSERT_TRUE(WaitUntil([&] { return !window().session()->busy(); }));
  const int64_t wanted = window().session()->moment().steps();
  ASSERT_GT(wanted, 100'000);
  const QString path = Saved();
  window().session()->Stop();
  MainWindow second;
  second.show();
  second.OpenPlace(path);
  ASSERT_TRUE(WaitUntil([&] { return second.session()->busy() && second.session()->progress() > 0.02; }));
  EXPECT_LT(second.session()->progress(), 1);
  EXPECT_TRUE(second.session()->phase_text().contains(QStringLiteral("Going to step")))
      << second.session()->phase_text().toStdString();
  second.action("pause")->trigger();
  ASSERT_TRUE(WaitUntil([&] { return !second.session()->busy(); }, 2000));
  EXPECT_EQ(second.session()->state(), SessionController::State::kStopped);
  EXPECT_GT(second.session()->moment().steps(), 0);
  EXPECT_LT(second.session()->moment().steps(), wanted);
}

TEST_F(SessionRunTest, AnotherModuleIsSaid) {
  OpenText(CountingModule(20));
  window().session()->Execute(SessionController::Command::kRunTo, Find("r"));
  ASSERT_TRUE(WaitUntil([&] { return !window().session()->busy(); }));
  const QString path = Saved();
  QFile file(Path("module.hlo"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(CountingModule(2).c_str());
  file.close();
  MainWindow second;
  OpenAgain(&second, path);
  EXPECT_TRUE(second.session()->stop_text().contains(QStringLiteral("another one")))
      << second.session()->stop_text().toStdString();
}

TEST(SessionRunFormTest, MomentsAreWrittenAndBrokenOnesAreNoPlace) {
  SavedSession session;
  session.path = QStringLiteral("/x.hlo");
  session.moment.positions = {3, 1'234'567'890'123};
  session.moment.device = 1;
  session.moment.entered.push_back({1, 2, {4, 5}});
  session.beside = {QStringLiteral("/p"), QStringLiteral("/q"), QStringLiteral("/d"), QStringLiteral("/other.hlo")};
  EXPECT_EQ(SessionFromJson(SessionToJson(session)), session);
  const std::optional<SavedSession> broken = SessionFromJson(
      "{\"path\": \"x\", \"run\": {\"positions\": [-5, \"a\"], \"device\": 99, \"entered\": [{\"device\": -3}, 7]}}");
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->moment.positions, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(broken->moment.device, 1);
}

}  // namespace
}  // namespace hloscope::gui
