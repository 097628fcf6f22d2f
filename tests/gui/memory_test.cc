// SPDX-License-Identifier: Apache-2.0
// A run gives the memory of its values back to the system, however it ends.
#include <gtest/gtest.h>

#include <QFile>

#include "absl/strings/str_cat.h"
#include "core/source/memory_hooks.h"
#include "evaluator/tensor/arena.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// What the process has in memory, in bytes; below 0 if the system does not say.
int64_t ResidentBytes() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return -1;
  return file.readAll().split(' ').value(1).toLongLong() * 4096;
}

// `count` arrays of 16 MiB that the run keeps until it ends.
std::string ManyArrays(int count) {
  std::string text = "HloModule arrays\nENTRY main {\n  a0 = f32[4194304] iota(), iota_dimension=0\n";
  for (int i = 1; i < count; ++i) {
    absl::StrAppend(&text, i + 1 < count ? "  a" : "  ROOT a", i, " = f32[4194304] add(a0, a", i - 1, ")\n");
  }
  return text + "}\n";
}

class MemoryTest : public ::testing::Test, public WindowTest {
 protected:
  static constexpr int kArrays = 30;

  void SetUp() override {
    if (ResidentBytes() < 0) GTEST_SKIP() << "the system does not say how much memory a process has";
    window().show();
    // What the first run of all sets up stays.
    OpenText(kLoopModule);
    Trigger("run");
    Trigger("stop");
    OpenText(ManyArrays(kArrays), "first.hlo");
    ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
    // Other tests leave blocks that the next values would take.
    evaluator::Arena::Global().Trim();
    ReleaseFreeMemory();
    start_ = ResidentBytes();
  }
  void Run() {
    Trigger("run");
    EXPECT_EQ(window().session()->state(), SessionController::State::kFinished);
    EXPECT_GT(ResidentBytes() - start_, (kArrays - 6) * 16 * kMiB);
  }
  bool IsGivenBack() {
    return WaitUntil([&] { return ResidentBytes() - start_ < 200 * kMiB; }, 10'000);
  }

  int64_t start_ = 0;
};

TEST_F(MemoryTest, AfterStop) {
  Run();
  Trigger("stop");
  EXPECT_TRUE(IsGivenBack()) << (ResidentBytes() - start_) / kMiB << " MiB";
}

TEST_F(MemoryTest, AfterOpeningAnotherFile) {
  Run();
  OpenText(kLoopModule, "other.hlo");
  EXPECT_TRUE(IsGivenBack()) << (ResidentBytes() - start_) / kMiB << " MiB";
}

TEST_F(MemoryTest, AfterClosingTheWindow) {
  auto other = std::make_unique<MainWindow>();
  other->Open(Path("first.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return !other->workspace()->loading(); }));
  other->show();
  other->action("run")->trigger();
  ASSERT_TRUE(WaitUntil([&] { return other->session()->state() == SessionController::State::kFinished; }));
  EXPECT_GT(ResidentBytes() - start_, (kArrays - 6) * 16 * kMiB);
  other->close();
  EXPECT_TRUE(IsGivenBack()) << (ResidentBytes() - start_) / kMiB << " MiB";
}

// Real models: one that is run, and a large one whose whole graph is drawn.
TEST_F(MemoryTest, AfterRealModels) {
  SKIP_WITHOUT_SHARED_FILES();
  OpenText(kLoopModule, "small.hlo");
  start_ = ResidentBytes();
  OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/resnet50_keras_jax_f32.hlo")));
  window().action("run")->trigger();
  ASSERT_TRUE(WaitUntil([&] { return window().session()->state() == SessionController::State::kFinished; }, 120'000));
  RecordProperty("resnet50_run_mib", static_cast<int>((ResidentBytes() - start_) / kMiB));
  EXPECT_GT(ResidentBytes() - start_, 100 * kMiB);  // its weights alone
  Trigger("stop");
  EXPECT_TRUE(IsGivenBack()) << (ResidentBytes() - start_) / kMiB << " MiB after Stop";
  RecordProperty("resnet50_stopped_mib", static_cast<int>((ResidentBytes() - start_) / kMiB));
  OpenPath(QString::fromStdString(CorpusFile("model-dumps/gpt_j_6b.training.jit_train_step.hlo")));
  window().graph_pane()->SetScope(GraphPane::Scope::kWhole);
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }, 60'000));
  RecordProperty("gpt_j_open_mib", static_cast<int>((ResidentBytes() - start_) / kMiB));
  OpenText(kLoopModule, "other.hlo");
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }));
  EXPECT_TRUE(IsGivenBack()) << (ResidentBytes() - start_) / kMiB << " MiB after another file";
  RecordProperty("gpt_j_closed_mib", static_cast<int>((ResidentBytes() - start_) / kMiB));
}

}  // namespace
}  // namespace hloscope::gui
