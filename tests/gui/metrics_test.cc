// SPDX-License-Identifier: Apache-2.0
// One type scale and one spacing everywhere, and a name for screen readers on whatever can be used.
#include "gui/views/metrics.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDirIterator>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "gui/panels/arguments_dialog.h"
#include "gui/panels/preferences_dialog.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

// Where a widget is: the names of the classes from the window on.
std::string WidgetPath(const QObject* object) {
  QString path;
  for (const QObject* at = object; at != nullptr; at = at->parent()) {
    path = QLatin1Char('/') + QLatin1String(at->metaObject()->className()) +
           (at->objectName().isEmpty() ? QString() : QLatin1Char('#') + at->objectName()) + path;
  }
  return path.toStdString();
}

class MetricsTest : public ::testing::Test, public WindowTest {
 protected:
  // As the app has it.
  static void SetUpTestSuite() {
    QApplication::setStyle(QStringLiteral("fusion"));
    MainWindow::SetAppearance(QStringLiteral("system"));
  }
  void SetUp() override {
    window().resize(1400, 900);
    window().show();
    OpenText(kLoopModule);
    for (QDockWidget* dock : window().findChildren<QDockWidget*>()) dock->show();
    window().MakePalette()->show();
    Trigger("run");
    dialogs_.push_back(std::make_unique<PreferencesDialog>(Preferences()));
    dialogs_.push_back(std::make_unique<ArgumentsDialog>(module(), ArgumentSource()));
    for (const auto& dialog : dialogs_) dialog->show();
    WaitUntil([] { return false; }, 50);
  }

  QList<QWidget*> AllWidgets() {
    QList<QWidget*> all = window().findChildren<QWidget*>();
    for (const auto& dialog : dialogs_) all << dialog->findChildren<QWidget*>();
    return all;
  }

 private:
  std::vector<std::unique_ptr<QWidget>> dialogs_;
};

TEST_F(MetricsTest, EveryWidgetHasASizeOfTheScale) {
  const int code = Preferences().code_font;
  int walked = 0;
  for (const QWidget* widget : AllWidgets()) {
    const double points = widget->font().pointSizeF();
    bool is_of_scale = std::any_of(kTextSizes.begin(), kTextSizes.end(), [&](TextSize size) {
      return std::abs(TextFont(size).pointSizeF() - points) < 0.01;
    });
    // The text of the module is as large as users want it.
    for (const QWidget* at = widget; at != nullptr; at = at->parentWidget()) {
      if (at == window().text_view()) is_of_scale = is_of_scale || points == code;
    }
    EXPECT_TRUE(is_of_scale) << WidgetPath(widget) << ": " << points << " pt";
    ++walked;
  }
  EXPECT_GT(walked, 300);
}

TEST_F(MetricsTest, EveryLayoutHasASpacingOfTheScale) {
  const auto is_of_scale = [](int space) {
    return std::find(Space::kAll.begin(), Space::kAll.end(), space) != Space::kAll.end();
  };
  int walked = 0;
  QList<QLayout*> layouts = window().findChildren<QLayout*>();
  for (const QWidget* widget : AllWidgets()) {
    // Qt's own widgets arrange what is in them themselves.
    if (QByteArray(widget->metaObject()->className()).startsWith("hloscope"))
      layouts << widget->findChildren<QLayout*>();
  }
  for (const QLayout* layout : layouts) {
    const QByteArray owner = layout->parentWidget() != nullptr ? layout->parentWidget()->metaObject()->className() : "";
    const bool is_of_qt = layout->inherits("QMainWindowLayout") || layout->inherits("QDockWidgetLayout");
    if (is_of_qt || (owner.startsWith("Q") && owner != "QWidget")) continue;
    const QMargins margins = layout->contentsMargins();
    for (int space : {margins.left(), margins.top(), margins.right(), margins.bottom()}) {
      EXPECT_TRUE(is_of_scale(space)) << WidgetPath(layout) << ": a margin of " << space;
    }
    EXPECT_TRUE(layout->spacing() < 0 || is_of_scale(layout->spacing()))
        << WidgetPath(layout) << ": " << layout->spacing();
    ++walked;
  }
  EXPECT_GT(walked, 30);
}

// What is painted has no widget to be walked: sizes are in metrics.cc and in nothing else.
TEST(MetricsSourcesTest, NoOtherFileSaysASize) {
  const QRegularExpression font_size(QStringLiteral("setPointSize|FontSizeAdjustment, [^0]|setPixelSize\\(\\d"));
  const QRegularExpression space(
      QStringLiteral("set(Spacing|ContentsMargins|HorizontalSpacing|VerticalSpacing)\\([^)]*[1-9]\\d*[,)]"));
  int read = 0;
  QDirIterator files(QStringLiteral(HLOSCOPE_SOURCE_DIR "/gui"), {QStringLiteral("*.cc")}, QDir::Files,
                     QDirIterator::Subdirectories);
  while (files.hasNext()) {
    const QString path = files.next();
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    ++read;
    // Users choose the size of the text.
    const bool may = path.endsWith(QLatin1String("/metrics.cc")) || path.endsWith(QLatin1String("/text_view.cc"));
    EXPECT_TRUE(may || !font_size.match(text).hasMatch()) << path.toStdString();
    const QRegularExpressionMatch found = space.match(text);
    EXPECT_FALSE(found.hasMatch()) << path.toStdString() << ": " << found.captured().toStdString();
  }
  EXPECT_GT(read, 80);
}

TEST_F(MetricsTest, WhateverCanBeUsedHasANameForScreenReaders) {
  int walked = 0;
  for (QWidget* widget : AllWidgets()) {
    const bool is_control =
        qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QLineEdit*>(widget) != nullptr || qobject_cast<QAbstractItemView*>(widget) != nullptr ||
        qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QSlider*>(widget) != nullptr ||
        widget->focusPolicy() != Qt::NoFocus;
    // A message that there is not; parts of other controls, which have the names; Qt's own buttons of tab bars, docks
    // and tables.
    const auto* label = qobject_cast<const QLabel*>(widget);
    bool is_part = widget->objectName().startsWith(QLatin1String("qt_")) || widget->inherits("QHeaderView") ||
                   widget->inherits("QTabBar") || (label != nullptr && label->text().isEmpty());
    for (const QWidget* at = widget->parentWidget(); at != nullptr && !is_part; at = at->parentWidget()) {
      is_part = qobject_cast<const QComboBox*>(at) != nullptr || qobject_cast<const QAbstractSpinBox*>(at) != nullptr ||
                qobject_cast<const QLineEdit*>(at) != nullptr || at->inherits("QHeaderView") ||
                at->inherits("QTabBar") || at->inherits("QDialogButtonBox") || at->inherits("QToolBar") ||
                qobject_cast<const QAbstractItemView*>(at) != nullptr;
    }
    if (!is_control || is_part) continue;
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
    ASSERT_NE(interface, nullptr);
    EXPECT_FALSE(interface->text(QAccessible::Name).isEmpty()) << WidgetPath(widget);
    ++walked;
  }
  EXPECT_GT(walked, 80);
}

}  // namespace
}  // namespace hloscope::gui
