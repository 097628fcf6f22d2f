// SPDX-License-Identifier: Apache-2.0
// The window's file: what another program wrote meanwhile, and a second file while a run is open.
#include <gtest/gtest.h>

#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <string>

#include "gui/models/text_merge.h"
#include "gui/panels/changes_panel.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

constexpr char kBase[] = "HloModule m\nENTRY e {\n  a = f32[4] parameter(0)\n\n  ROOT b = f32[4] negate(a)\n}\n";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

class FilesTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().show();
    window().SetDiscardAnswer(QMessageBox::Discard);
    window().ask_overwrite = [this] {
      ++questions_;
      return overwrite_;
    };
    window().ask_open = [this](const QString&) {
      ++questions_;
      return open_;
    };
  }

  // What is typed here, and what another program writes.
  void ChangeBoth(const std::string& mine, const std::string& theirs) {
    OpenText(kBase);
    window().text_view()->ReplaceText(QString::fromStdString(mine));
    QFile file(Path("module.hlo"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    ASSERT_EQ(file.write(theirs.data(), static_cast<qint64>(theirs.size())), static_cast<qint64>(theirs.size()));
    file.close();
    ASSERT_TRUE(window().workspace()->IsOutdated());
  }

  std::string OnDisk() {
    QFile file(Path("module.hlo"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "";
  }

  MainWindow::OverwriteAnswer overwrite_ = MainWindow::OverwriteAnswer::kCancel;
  MainWindow::OpenAnswer open_ = MainWindow::OpenAnswer::kCancel;
  int questions_ = 0;
};

TEST_F(FilesTest, SavingAsksBeforeItOverwritesWhatAnotherProgramWrote) {
  const std::string mine = Replaced(kBase, "negate", "abs"), theirs = Replaced(kBase, "HloModule m", "HloModule n");
  ChangeBoth(mine, theirs);
  EXPECT_FALSE(window().Save());
  EXPECT_EQ(questions_, 1);
  EXPECT_EQ(OnDisk(), theirs);
  EXPECT_EQ(window().text_view()->CurrentText(), mine);
  overwrite_ = MainWindow::OverwriteAnswer::kOverwrite;
  EXPECT_TRUE(window().Save());
  EXPECT_EQ(OnDisk(), mine);
  EXPECT_TRUE(window().Save());  // it is ours now
  EXPECT_EQ(questions_, 2);
}

TEST_F(FilesTest, MergingJoinsBothChanges) {
  ChangeBoth(Replaced(kBase, "negate", "abs"), Replaced(kBase, "HloModule m", "HloModule n"));
  overwrite_ = MainWindow::OverwriteAnswer::kMerge;
  EXPECT_FALSE(window().Save());
  const std::string merged = Replaced(Replaced(kBase, "negate", "abs"), "HloModule m", "HloModule n");
  ASSERT_TRUE(WaitUntil([&] { return window().text_view()->CurrentText() == merged; }));
  EXPECT_TRUE(window().Save());
  EXPECT_EQ(OnDisk(), merged);
  EXPECT_EQ(questions_, 1);
}

TEST_F(FilesTest, ComparingShowsTheChangesPanel) {
  ChangeBoth(Replaced(kBase, "negate", "abs"), Replaced(kBase, "negate", "sign"));
  overwrite_ = MainWindow::OverwriteAnswer::kCompare;
  EXPECT_FALSE(window().Save());
  EXPECT_TRUE(window().panel<ChangesPanel>()->isVisible());
}

TEST_F(FilesTest, AnotherFileDoesNotEndARunWithoutAQuestion) {
  OpenText(kLoopModule);
  Trigger("step_over");
  ASSERT_EQ(window().session()->state(), SessionController::State::kStopped);
  QFile other(Path("other.hlo"));
  ASSERT_TRUE(other.open(QIODevice::WriteOnly));
  other.write(kBase);
  other.close();
  window().OpenPlace(Path("other.hlo"));
  EXPECT_EQ(questions_, 1);
  EXPECT_EQ(window().session()->state(), SessionController::State::kStopped);
  EXPECT_EQ(window().workspace()->path(), Path("module.hlo"));
  // The file that is open already is only shown.
  window().OpenPlace(Path("module.hlo") + QStringLiteral(":3"));
  EXPECT_EQ(questions_, 1);
  EXPECT_EQ(window().session()->state(), SessionController::State::kStopped);
  open_ = MainWindow::OpenAnswer::kHere;
  window().OpenPlace(Path("other.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return window().workspace()->path() == Path("other.hlo"); }));
  EXPECT_EQ(window().session()->state(), SessionController::State::kIdle);
}

TEST(TextMergeTest, ConflictsKeepBothVersions) {
  const auto merged = MergeTexts("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n");
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_TRUE(merged->has_conflicts);
  EXPECT_TRUE(merged->text.contains("mine") && merged->text.contains("theirs")) << merged->text.toStdString();
  const auto clean = MergeTexts("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n");
  ASSERT_TRUE(clean.ok());
  EXPECT_FALSE(clean->has_conflicts);
  EXPECT_EQ(clean->text, "A\nb\nc\nd\nE\n");
}

TEST(CommandLineTest, HelpNeedsNoDisplay) {
  QProcess process;
  process.setProcessEnvironment(QProcessEnvironment());
  process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/hloscope-gui"), {QStringLiteral("--help")});
  ASSERT_TRUE(process.waitForFinished(20'000));
  EXPECT_EQ(process.exitCode(), 0) << process.readAllStandardError().toStdString();
  EXPECT_TRUE(process.readAllStandardOutput().contains("--new-window"));
}

TEST(CommandLineTest, WithoutADisplayOneLineSaysSo) {
  QProcess process;
  process.setProcessEnvironment(QProcessEnvironment());
  process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/hloscope-gui"),
                {QStringLiteral("module.hlo")});
  ASSERT_TRUE(process.waitForFinished(20'000));
  EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
  EXPECT_EQ(process.exitCode(), 1);
  const QByteArray error = process.readAllStandardError();
  EXPECT_TRUE(error.contains("there is no display")) << error.toStdString();
  EXPECT_EQ(error.count('\n'), 1) << error.toStdString();
}

}  // namespace
}  // namespace hloscope::gui
