// SPDX-License-Identifier: Apache-2.0
// Every dialog of the app fits a screen of 1280 x 720 at double scale, which has 640 x 360 points.
#include <gtest/gtest.h>

#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTimer>
#include <set>

#include "gui/panels/arguments_dialog.h"
#include "gui/panels/blame_dialog.h"
#include "gui/panels/preferences_dialog.h"
#include "gui/views/small_screens.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

constexpr QSize kSmallScreen(640, 360);
// What a window manager takes of it for a title bar.
constexpr int kTitleBar = 24;

class DialogsTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    window().show();
    OpenText(kLoopModule,
             "a_model_whose_name_is_longer_than_most.inference.2gpu.jit_predict_step.before_optimizations.hlo");
  }
  void TearDown() override { window().SetDiscardAnswer(QMessageBox::Discard); }

  // Does something that shows a dialog, modal or not; looks at it and closes it.
  void Expect(const char* what, const std::function<void()>& show) {
    int seen = 0;
    QTimer looker;
    QObject::connect(&looker, &QTimer::timeout, [&] {
      for (QWidget* top : QApplication::topLevelWidgets()) {
        auto* dialog = qobject_cast<QDialog*>(top);
        if (dialog == nullptr || !dialog->isVisible()) continue;
        ++seen;
        const QSize least = dialog->minimumSizeHint().expandedTo(dialog->minimumSize());
        EXPECT_LE(least.width(), kSmallScreen.width()) << what;
        EXPECT_LE(least.height(), kSmallScreen.height() - kTitleBar) << what;
        kinds_.insert(dialog->metaObject()->className());
        dialog->reject();
      }
    });
    looker.start(10);
    show();
    EXPECT_TRUE(WaitUntil([&] { return seen > 0; }, 5000)) << what;
    looker.stop();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }

  std::set<std::string> kinds_;  // of dialogs that were seen
};

TEST_F(DialogsTest, EachFitsASmallScreenAtDoubleScale) {
  for (const char* name : {"arguments", "preferences", "commands", "about", "go_to_line", "save_session",
                           "open_session", "open", "open_folder", "save_as", "export_panel"}) {
    Expect(name, [&] { window().action(name)->trigger(); });
  }
  Expect("blame", [&] {
    BlameDialog dialog(module(), BlameInputs());
    dialog.tolerances()->setText(QStringLiteral("nonsense that is not read as tolerances of anything at all"));
    dialog.accept();
    EXPECT_FALSE(dialog.problem().isEmpty());
    dialog.exec();
  });
  Expect("recorded arguments", [&] {
    ArgumentsDialog(module(), ArgumentSource(), nullptr, std::make_shared<std::vector<evaluator::Value>>()).exec();
  });
  Expect("overwrite", [&] { window().ask_overwrite(); });
  Expect("open another", [&] { window().ask_open(window().workspace()->path()); });
  Trigger("step_over");
  Expect("element", [&] { window().ask_element(module().shape(Find("x")), {0}); });
  Expect("unsaved changes", [&] {
    window().text_view()->document()->setModified(true);
    window().SetDiscardAnswer(QMessageBox::NoButton);
    window().action("reload")->trigger();
  });

  // A new kind of dialog is to be looked at, too.
  std::set<std::string> declared = {"QDialog"};
  const QRegularExpression derived(QStringLiteral("class (\\w+) : public (\\w+)"));
  std::vector<std::pair<std::string, std::string>> classes;
  for (const char* folder : {"gui", "gui/panels", "gui/views"}) {
    const QDir headers(QStringLiteral(HLOSCOPE_SOURCE_DIR "/") + QLatin1String(folder), QStringLiteral("*.h"));
    for (const QString& name : headers.entryList()) {
      QFile file(headers.filePath(name));
      ASSERT_TRUE(file.open(QIODevice::ReadOnly));
      for (auto match = derived.globalMatch(QString::fromUtf8(file.readAll())); match.hasNext();) {
        const QRegularExpressionMatch found = match.next();
        classes.emplace_back(found.captured(1).toStdString(), found.captured(2).toStdString());
      }
    }
  }
  for (size_t before = 0; before != declared.size();) {
    before = declared.size();
    for (const auto& [name, base] : classes) {
      if (declared.contains(base)) declared.insert(name);
    }
  }
  declared.erase("QDialog");
  EXPECT_GE(declared.size(), 4u);
  for (const std::string& name : declared) EXPECT_TRUE(kinds_.contains("hloscope::gui::" + name)) << name;
}

TEST_F(DialogsTest, ArgumentsAreReachedOnASmallScreenAndFillALargeOne) {
  ArgumentsDialog dialog(module(), ArgumentSource());
  const auto* page = dialog.findChild<ScrolledPage*>();
  auto* table = dialog.findChild<QTableWidget*>();
  ASSERT_TRUE(page != nullptr && table != nullptr);
  dialog.show();
  dialog.resize(620, 250);
  WaitUntil([] { return false; }, 50);
  EXPECT_GT(page->verticalScrollBar()->maximum(), 0);
  EXPECT_EQ(page->horizontalScrollBar()->maximum(), 0);
  for (const QPushButton* button : dialog.findChildren<QPushButton*>()) {
    EXPECT_FALSE(button->visibleRegion().isEmpty()) << button->text().toStdString();
  }
  dialog.resize(900, 700);
  WaitUntil([] { return false; }, 50);
  EXPECT_EQ(page->verticalScrollBar()->maximum(), 0);
  EXPECT_GT(table->height(), 300);
}

TEST_F(DialogsTest, WindowsAreNoLargerThanTheScreen) {
  const QSize screen = QGuiApplication::primaryScreen()->availableSize();
  EXPECT_LT(FittedToScreen(QSize(100'000, 100'000)).width(), screen.width());
  EXPECT_LT(FittedToScreen(QSize(100'000, 100'000)).height(), screen.height());
  EXPECT_EQ(FittedToScreen(QSize(10, 20)), QSize(10, 20));
}

}  // namespace
}  // namespace hloscope::gui
