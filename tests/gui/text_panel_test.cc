// SPDX-License-Identifier: Apache-2.0
// The text panel under a person's hands: typing, undoing, fixing, diagnostic, folding, saving.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <QFile>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTest>
#include <QThread>
#include <csignal>
#include <cstring>
#include <random>
#include <utility>

#include "gui/models/edit_tracker.h"
#include "gui/models/element_reader.h"
#include "gui/models/tensor_export.h"
#include "gui/models/tensor_slice.h"
#include "gui/models/text.h"
#include "gui/models/text_document.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

class TextPanelTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().resize(1400, 900);
    window().show();
    window().SetDiscardAnswer(QMessageBox::Discard);
  }
  TextView* text() { return window().text_view(); }
  void Settle() {
    ASSERT_TRUE(WaitUntil([&] { return !text()->updating(); }));
  }
  void PutCursor(const char* before, bool after = false) {
    const int at = static_cast<int>(text()->toPlainText().indexOf(QLatin1String(before)));
    ASSERT_GE(at, 0);
    QTextCursor cursor = text()->textCursor();
    cursor.setPosition(after ? at + static_cast<int>(strlen(before)) : at);
    text()->setTextCursor(cursor);
  }
  std::string Shown() { return text()->toPlainText().toStdString(); }
};

TEST_F(TextPanelTest, TypingUpdatesDiagnosticsAndUndoTakesItBack) {
  OpenText(kLoopModule);
  EXPECT_FALSE(window().selection()->document()->has_errors());
  PutCursor("negate(x)");
  QTest::keyClicks(text(), QStringLiteral("zz"));
  Settle();
  EXPECT_TRUE(window().selection()->document()->has_errors());
  EXPECT_GT(window().diagnostics_panel()->model()->error_count(), 0);
  EXPECT_TRUE(window().isWindowModified());
  // The document is the one that reading the text from scratch gives.
  EXPECT_EQ(window().selection()->document()->source().text(), Shown());
  QTest::keyClick(text(), Qt::Key_Z, Qt::ControlModifier);
  Settle();
  EXPECT_EQ(Shown(), kLoopModule);
  EXPECT_FALSE(window().selection()->document()->has_errors());
  EXPECT_FALSE(window().isWindowModified());
}

// The first line that is seen, and how many there are room for.
std::pair<int, int> SeenLines(TextView* text) {
  const int first = text->cursorForPosition(QPoint(1, 1)).blockNumber();
  const int last = text->cursorForPosition(QPoint(1, text->viewport()->height() - 1)).blockNumber();
  return {first, last};
}

TEST_F(TextPanelTest, WhatIsSelectedStaysInViewWhenTheRoomChanges) {
  std::string text = "HloModule m\n";
  for (int i = 0; i < 200; ++i) {
    const std::string number = std::to_string(i);
    text += "c" + number + " {\n  ROOT p" + number + " = f32[] parameter(0)\n}\n";
  }
  text += "ENTRY main {\n  ROOT x = f32[] parameter(0)\n}\n";
  OpenText(text);
  const int entry = 601;
  const auto is_seen = [&](int line) {
    const auto [first, last] = SeenLines(this->text());
    return first <= line && line <= last;
  };
  EXPECT_TRUE(is_seen(entry));
  // Panels come and go, the window becomes small and large again.
  window().resize(1400, 500);
  QCoreApplication::processEvents();
  EXPECT_TRUE(is_seen(entry));
  window().dock("memory")->show();
  window().dock("memory")->raise();
  EXPECT_TRUE(WaitUntil([&] { return is_seen(entry); }, 2000));
  window().dock("memory")->hide();
  window().resize(1400, 900);
  EXPECT_TRUE(WaitUntil([&] { return is_seen(entry); }, 2000));
  // Where somebody has scrolled to stays, too.
  this->text()->verticalScrollBar()->setValue(100);
  window().resize(1400, 600);
  QCoreApplication::processEvents();
  EXPECT_TRUE(is_seen(100));
  EXPECT_FALSE(is_seen(entry));
}

TEST_F(TextPanelTest, TheSelectionSurvivesEdits) {
  OpenText(kLoopModule);
  window().session()->ToggleBreakpoint(Find("doubled"));
  PutCursor("  one = s32[]");
  QTest::keyClicks(text(), QStringLiteral("  extra = s32[] constant(7)"));
  QTest::keyClick(text(), Qt::Key_Return);
  Settle();
  ASSERT_TRUE(Find("extra").has_value());
  EXPECT_TRUE(window().session()->HasBreakpoint(Find("doubled")));
  EXPECT_EQ(window().session()->breakpoints().size(), 1u);
}

TEST_F(TextPanelTest, BackAndForwardGoOnAfterAnEdit) {
  OpenText(kLoopModule);
  Selection* selection = window().selection();
  for (const char* name : {"x", "zero", "negated", "final"}) selection->SelectInstruction(Find(name));
  Trigger("back");  // at "negated"; "final" lies ahead
  ASSERT_EQ(selection->instruction(), Find("negated"));
  TextView* text = window().text_view();
  QTextCursor cursor = text->textCursor();
  cursor.setPosition(static_cast<int>(text->toPlainText().indexOf(QStringLiteral("  final ="))));
  text->setTextCursor(cursor);
  selection->SelectInstruction(Find("negated"));
  QTest::keyClicks(text, QStringLiteral("  more = f32[4] tanh(x)"));
  QTest::keyClick(text, Qt::Key_Return);
  ASSERT_TRUE(WaitUntil([&] { return !text->updating() && Find("more").has_value(); }));
  // Typing moved the selection to where the cursor is; after it is what was there before, by name.
  std::vector<std::string> way;
  while (window().action("back")->isEnabled() && way.size() < 20) {
    Trigger("back");
    way.push_back(selection->instruction().has_value() ? std::string(module().InstructionName(selection->instruction()))
                                                       : std::string());
  }
  for (const char* name : {"negated", "zero", "x"}) {
    EXPECT_NE(std::find(way.begin(), way.end(), name), way.end()) << name;
  }
  Trigger("forward");
  EXPECT_TRUE(selection->instruction().has_value());
}

TEST_F(TextPanelTest, WhatWasDeletedIsNoPlaceToGoBackTo) {
  OpenText(kLoopModule);
  Selection* selection = window().selection();
  for (const char* name : {"x", "limit", "negated"}) selection->SelectInstruction(Find(name));
  auto without = ParseText(std::string(kLoopModule).replace(std::string(kLoopModule).find("limit ="), 7, "bound ="));
  selection->SetDocument(without, /*keep_place=*/true);
  EXPECT_TRUE(selection->is_new_version());
  EXPECT_EQ(selection->instruction(), Find("negated"));
  selection->GoBack();
  EXPECT_EQ(selection->instruction(), Find("x"));
  selection->GoForward();
  EXPECT_EQ(selection->instruction(), Find("negated"));
  EXPECT_FALSE(selection->can_go_forward());
  // Another file begins again.
  selection->SetDocument(ParseText(kNanModule), /*keep_place=*/false);
  EXPECT_FALSE(selection->can_go_back());
}

TEST_F(TextPanelTest, FixesChangeTheText) {
  OpenText("HloModule m\nENTRY main {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] nagate(x)\n}\n");
  const auto& document = window().selection()->document();
  ASSERT_TRUE(document->has_errors());
  const uint32_t offset = static_cast<uint32_t>(std::string(document->source().text()).find("nagate"));
  const std::vector<const FixIt*> fixes = text()->FixesAt(offset + 1);
  ASSERT_FALSE(fixes.empty());
  const FixIt fix = *fixes[0];
  text()->ApplyFix(fix);
  Settle();
  EXPECT_TRUE(Shown().find(" negate(x)") != std::string::npos) << Shown();
  EXPECT_FALSE(window().selection()->document()->has_errors());
}

TEST_F(TextPanelTest, SavingWritesWhatIsShown) {
  OpenText(kLoopModule);
  PutCursor("HloModule loop", true);
  QTest::keyClicks(text(), QStringLiteral("s"));
  ASSERT_TRUE(window().Save());
  QFile file(Path("module.hlo"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll().toStdString(), Shown());
  EXPECT_FALSE(window().isWindowModified());
  EXPECT_FALSE(window().SaveTo(Path("no/such/folder/module.hlo")));
}

TEST_F(TextPanelTest, UnsavedChangesAreNotGivenUpUnasked) {
  OpenText(kLoopModule);
  PutCursor("HloModule loop", true);
  QTest::keyClicks(text(), QStringLiteral("s"));
  window().SetDiscardAnswer(QMessageBox::Cancel);
  window().Open(QStringLiteral(":/examples/mlp.hlo"));
  EXPECT_FALSE(window().workspace()->loading());
  EXPECT_FALSE(window().close());
  window().SetDiscardAnswer(QMessageBox::Discard);
}

TEST_F(TextPanelTest, FilesChangedByOthersAreReadAgain) {
  OpenText(kLoopModule);
  QFile file(Path("module.hlo"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("HloModule other\nENTRY e {\n  ROOT c = f32[] constant(1)\n}\n");
  file.close();
  ASSERT_TRUE(WaitUntil([&] { return window().selection()->module().name() == "other"; }));
}

TEST_F(TextPanelTest, ADeletedFileIsKeptInTheWindowAndReadAgainWhenItComesBack) {
  OpenText(kLoopModule);
  ASSERT_TRUE(QFile::remove(Path("module.hlo")));
  ASSERT_TRUE(WaitUntil([&] { return window().isWindowModified(); }));
  EXPECT_EQ(Shown(), kLoopModule);
  EXPECT_FALSE(window().selection()->document()->has_errors());
  window().SetDiscardAnswer(QMessageBox::Cancel);
  EXPECT_FALSE(window().close());
  ASSERT_TRUE(window().Save());
  EXPECT_TRUE(QFile::exists(Path("module.hlo")));
  EXPECT_FALSE(window().isWindowModified());
  // Gone and written again by somebody else.
  ASSERT_TRUE(QFile::remove(Path("module.hlo")));
  ASSERT_TRUE(WaitUntil([&] { return window().isWindowModified(); }));
  window().text_view()->document()->setModified(false);
  QFile file(Path("module.hlo"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("HloModule back\nENTRY e {\n  ROOT c = f32[] constant(1)\n}\n");
  file.close();
  EXPECT_TRUE(WaitUntil([&] { return window().selection()->module().name() == "back"; }));
  window().SetDiscardAnswer(QMessageBox::Discard);
}

TEST_F(TextPanelTest, ReloadingAsksBeforeItDropsChanges) {
  OpenText(kLoopModule);
  PutCursor("HloModule loop", true);
  QTest::keyClicks(text(), QStringLiteral("s"));
  window().SetDiscardAnswer(QMessageBox::Cancel);
  window().action("reload")->trigger();
  EXPECT_FALSE(window().workspace()->loading());
  window().SetDiscardAnswer(QMessageBox::Discard);
  window().action("reload")->trigger();
  ASSERT_TRUE(WaitUntil([&] { return !window().isWindowModified(); }));
  EXPECT_EQ(Shown(), kLoopModule);
}

TEST_F(TextPanelTest, WhatCannotBeSavedIsSaidAndStaysUnsaved) {
  OpenText(kLoopModule);
  PutCursor("HloModule loop", true);
  QTest::keyClicks(text(), QStringLiteral("s"));
  // As on a disk that is full: no file may grow beyond some bytes.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit little = {16, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  EXPECT_FALSE(window().Save());
  const std::atomic<bool> never = false;
  const evaluator::Tensor value = Counting({30, 30});
  EXPECT_FALSE(WriteCsv(Path("value.csv"), *ReaderOf(value), TensorSlice(value.dimensions()), never).ok());
  EXPECT_FALSE(window().graph_pane()->Export(Path("graph.svg")).isEmpty());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(QFile::exists(Path("value.csv")));
  EXPECT_FALSE(QFile::exists(Path("graph.svg")));
  QFile file(Path("module.hlo"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll().toStdString(), kLoopModule) << "what was there before is still there";
  EXPECT_FALSE(window().SaveTo(Path("no/such/folder/module.hlo")));
  EXPECT_FALSE(window().SaveTo(Path("")));  // a folder
  EXPECT_TRUE(window().isWindowModified());
  const DiagnosticsModel* problems = window().panel<DiagnosticsPanel>()->model();
  ASSERT_EQ(problems->error_count(), 1);
  EXPECT_TRUE(window().dock("diagnostics")->isVisibleTo(&window()));
  ASSERT_TRUE(window().Save());
  EXPECT_EQ(problems->error_count(), 0);
}

TEST_F(TextPanelTest, FindsByFieldAndPattern) {
  OpenText(kLoopModule);
  FindBar* bar = window().findChild<FindBar*>();
  bar->Activate();
  bar->pattern()->setText(QStringLiteral("get-tuple-element"));
  bar->SetMode(FindBar::Mode::kOpcode);
  EXPECT_TRUE(bar->FindNext());
  EXPECT_EQ(module().opcode(window().selection()->instruction()), Opcode::kGetTupleElement);
  bar->SetMode(FindBar::Mode::kPattern);
  bar->pattern()->setText(QStringLiteral("dou[a-z]+d"));
  EXPECT_TRUE(bar->FindNext());
  EXPECT_EQ(text()->textCursor().selectedText(), QStringLiteral("doubled"));
  bar->pattern()->setText(QStringLiteral("["));
  EXPECT_FALSE(bar->FindNext());
  bar->SetMode(FindBar::Mode::kShape);
  bar->pattern()->setText(QStringLiteral("c64"));
  EXPECT_FALSE(bar->FindNext());
}

TEST_F(TextPanelTest, ComputationsFoldAndUnfoldForTheSelection) {
  OpenText(kLoopModule);
  const int body = text()->document()->find(QStringLiteral("body {")).blockNumber();
  EXPECT_TRUE(text()->ToggleFold(body));
  EXPECT_TRUE(text()->IsFolded(body));
  EXPECT_FALSE(text()->ToggleFold(body + 1));
  window().selection()->SelectInstruction(Find("doubled"));
  EXPECT_FALSE(text()->IsFolded(body));
  text()->SetAllFolded(true);
  EXPECT_TRUE(text()->IsFolded(body));
  text()->SetAllFolded(false);
  EXPECT_FALSE(text()->IsFolded(body));
}

TEST_F(TextPanelTest, DefinitionOfTheNameAtTheCursor) {
  OpenText(kLoopModule);
  PutCursor("x)\n  zero");
  QTest::keyClick(&window(), Qt::Key_F12);
  EXPECT_EQ(window().selection()->instruction(), Find("x"));
}

TEST(EditTrackerTest, OneEditStandsForManyChanges) {
  const std::string texts[] = {"ab\ncd\r\nef", "\xC3\xA4\xC3\xB6 x\n\xE2\x82\xAC y", "aaaa", ""};
  for (const std::string& text : texts) {
    const auto source = SourceText::FromString("t", text);
    for (uint32_t seed = 0; seed < 60; ++seed) {
      std::mt19937 random(seed);
      QTextDocument shown;
      shown.setPlainText(DisplayText(*source));
      EditTracker tracker;
      tracker.Reset(shown.characterCount() - 1);
      QObject::connect(&shown, &QTextDocument::contentsChange, [&](int at, int removed, int added) {
        tracker.Change(at, removed, added, shown.characterCount() - 1);
      });
      for (int i = 0; i < 4; ++i) {
        QTextCursor cursor(&shown);
        const int length = shown.characterCount();
        cursor.setPosition(static_cast<int>(random()) & 0x7fff % length);
        cursor.setPosition(std::min(length - 1, static_cast<int>(random() % static_cast<uint32_t>(length))));
        cursor.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, static_cast<int>(random() % 4));
        const char* inserted[] = {"", "a", "xy\nz", "\xC3\xA9"};
        cursor.insertText(QString::fromUtf8(inserted[random() % 4]));
      }
      if (tracker.is_empty()) continue;
      const std::string after = AfterEdit(*source, tracker.EditOf(*source, shown));
      EXPECT_EQ(DisplayText(*SourceText::FromString("t", after)), shown.toPlainText()) << seed;
    }
  }
}

TEST(EditTrackerTest, BrokenBytesAreNotEdited) {
  EXPECT_TRUE(IsEditable(*SourceText::FromString("t", "plain\n\xC3\xA4")));
  EXPECT_FALSE(IsEditable(*SourceText::FromString("t", "bad \xFF byte")));
}

TEST(TextDocumentTest, MadeInAnyThreadItBelongsToTheApplication) {
  const auto source = SourceText::FromString("t", "one\ntwo \xC3\xA4\nbad \xFF byte");
  SharedText text;
  std::unique_ptr<QThread> maker(QThread::create([&] { text = MakeTextDocument(*source, QFont()); }));
  maker->start();
  ASSERT_TRUE(maker->wait(10'000));
  EXPECT_EQ(text->thread(), QThread::currentThread());
  EXPECT_EQ(text->toPlainText(), DisplayText(*source));
  EXPECT_FALSE(text->isModified() || text->isUndoAvailable());
  QPlainTextEdit view;
  view.setDocument(text.get());
  view.appendPlainText(QStringLiteral("more"));
  EXPECT_TRUE(text->isUndoAvailable());
}

// Reading half a million lines into an editor takes seconds: the window does not wait for it.
TEST_F(TextPanelTest, ALargeFileIsOpenedWithoutStalls) {
  OpenText(kLoopModule);
  PutCursor("doubled");
  QTest::keyClick(text(), Qt::Key_Space);
  Settle();
  EXPECT_TRUE(window().isWindowModified());
  EXPECT_TRUE(window().action("undo")->isEnabled());
  const std::string large = ChainModule(40'000);
  StallMeter meter;
  OpenText(large, "large.hlo");
  WaitUntil([] { return false; }, 100);
  window().resize(1000, 700);
  WaitUntil([] { return false; }, 100);
  std::printf("longest work while opening %zu bytes: %d ms\n", large.size(), meter.longest_work_ms());
  EXPECT_LT(meter.longest_work_ms(), 250);
  EXPECT_EQ(text()->toPlainText().toStdString(), large);
  EXPECT_FALSE(window().isWindowModified());
  EXPECT_FALSE(window().action("undo")->isEnabled());
  // It is a text like others.
  PutCursor("ROOT result");
  QTest::keyClicks(text(), QStringLiteral("x"));
  EXPECT_TRUE(window().isWindowModified());
  window().action("undo")->trigger();
  EXPECT_EQ(text()->toPlainText().toStdString(), large);
}

TEST_F(TextPanelTest, ALargeModuleIsTypedIntoWithoutStalls) {
  SKIP_WITHOUT_SHARED_FILES();
  OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo")));
  ASSERT_TRUE(WaitUntil([&] { return !window().graph_pane()->laying_out(); }, 60'000));
  QTextCursor cursor = text()->textCursor();
  cursor.movePosition(QTextCursor::End);
  cursor.movePosition(QTextCursor::Up, QTextCursor::MoveAnchor, 5);
  cursor.movePosition(QTextCursor::EndOfLine);
  text()->setTextCursor(cursor);
  StallMeter meter;
  for (int i = 0; i < 10; ++i) {
    QTest::keyClick(text(), Qt::Key_Space);
    WaitUntil([] { return false; }, 20);
  }
  Settle();
  std::printf("longest stall while typing: %d ms\n", meter.longest_stall_ms());
  EXPECT_LT(meter.longest_work_ms(), 700);
}

}  // namespace
}  // namespace hloscope::gui
