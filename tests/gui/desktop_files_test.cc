// SPDX-License-Identifier: Apache-2.0
// What the app brings for the desktop: the entry of menus, the icon, the kind of files, the man page. Names agree with
// each other and with the app.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTabBar>
#include <QXmlStreamReader>
#include <map>
#include <set>

#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

QString Resource(const char* name) {
  return QStringLiteral(HLOSCOPE_SOURCE_DIR "/resources/desktop/%1").arg(QLatin1String(name));
}

QString ReadWholeFile(const QString& path) {
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
  return QString::fromUtf8(file.readAll());
}

// The keys of a desktop entry's group; a line that is none fails.
std::map<QString, QString> ReadDesktopEntry(const QString& text) {
  std::map<QString, QString> keys;
  static const QRegularExpression line_form(QStringLiteral("^([A-Za-z0-9-]+)(\\[[^\\]]+\\])?=(.*)$"));
  bool in_group = false;
  for (const QString& line : text.split(QLatin1Char('\n'))) {
    if (line.isEmpty() || line.startsWith(QLatin1Char('#'))) continue;
    if (line.startsWith(QLatin1Char('['))) {
      in_group = line == QLatin1String("[Desktop Entry]");
      continue;
    }
    const QRegularExpressionMatch match = line_form.match(line);
    EXPECT_TRUE(match.hasMatch()) << line.toStdString();
    if (!in_group) continue;
    EXPECT_TRUE(keys.emplace(match.captured(1), match.captured(3)).second) << line.toStdString();
  }
  return keys;
}

TEST(DesktopFilesTest, TheEntryIsValidAndNamesWhatIsInstalled) {
  std::map<QString, QString> keys = ReadDesktopEntry(ReadWholeFile(Resource("hloscope-gui.desktop")));
  EXPECT_EQ(keys[QStringLiteral("Type")], QStringLiteral("Application"));
  EXPECT_FALSE(keys[QStringLiteral("Name")].isEmpty());
  EXPECT_TRUE(
      QRegularExpression(QStringLiteral("^hloscope-gui( %[fFuU])?$")).match(keys[QStringLiteral("Exec")]).hasMatch());
  EXPECT_EQ(keys[QStringLiteral("Terminal")], QStringLiteral("false"));
  EXPECT_TRUE(QFileInfo::exists(Resource("hloscope.svg")));
  EXPECT_EQ(keys[QStringLiteral("Icon")], QStringLiteral("hloscope"));
  for (const char* list : {"Categories", "MimeType", "Keywords"}) {
    EXPECT_TRUE(keys[QLatin1String(list)].endsWith(QLatin1Char(';'))) << list;
  }
  // A main category comes with its additional one.
  const QStringList categories = keys[QStringLiteral("Categories")].split(QLatin1Char(';'), Qt::SkipEmptyParts);
  EXPECT_TRUE(categories.contains(QStringLiteral("Development")));
  const QString validator = QStandardPaths::findExecutable(QStringLiteral("desktop-file-validate"));
  if (validator.isEmpty()) return;
  QProcess process;
  process.start(validator, {Resource("hloscope-gui.desktop")});
  ASSERT_TRUE(process.waitForFinished());
  EXPECT_EQ(process.exitCode(), 0) << process.readAll().toStdString();
}

TEST(DesktopFilesTest, TheIconIsAPicture) {
  QSvgRenderer icon(Resource("hloscope.svg"));
  ASSERT_TRUE(icon.isValid());
  EXPECT_EQ(icon.defaultSize().width(), icon.defaultSize().height());
  for (const int size : {16, 48, 256}) {
    QImage image(size, size, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    icon.render(&painter);
    painter.end();
    std::set<QRgb> colors;
    for (int i = 0; i < size; ++i) colors.insert(image.pixel(i, size / 2));
    EXPECT_GE(colors.size(), 3u) << size;
  }
}

TEST(DesktopFilesTest, TheKindOfFilesIsDefined) {
  const QString text = ReadWholeFile(Resource("hloscope.xml"));
  QXmlStreamReader xml(text);
  QStringList types, globs;
  while (!xml.atEnd()) {
    xml.readNext();
    if (!xml.isStartElement()) continue;
    if (xml.name() == QLatin1String("mime-type")) types += xml.attributes().value(QLatin1String("type")).toString();
    if (xml.name() == QLatin1String("glob")) globs += xml.attributes().value(QLatin1String("pattern")).toString();
  }
  EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
  for (const char* pattern : {"*.hlo", "*.hlo.pb", "*.mlir"}) EXPECT_TRUE(globs.contains(QLatin1String(pattern)));
  std::map<QString, QString> keys = ReadDesktopEntry(ReadWholeFile(Resource("hloscope-gui.desktop")));
  EXPECT_EQ(keys[QStringLiteral("MimeType")].split(QLatin1Char(';'), Qt::SkipEmptyParts), types);
}

TEST(DesktopFilesTest, TheManPageFormatsAndNamesEveryOption) {
  const QString page = ReadWholeFile(Resource("hloscope-gui.1"));
  for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS"}) {
    EXPECT_TRUE(page.contains(QStringLiteral("\n.SH %1\n").arg(QLatin1String(section)))) << section;
  }
  const QString app = QCoreApplication::applicationDirPath() + QStringLiteral("/hloscope-gui");
  if (QFileInfo::exists(app)) {
    QProcess help;
    help.start(app, {QStringLiteral("--help")});
    ASSERT_TRUE(help.waitForFinished());
    EXPECT_EQ(help.exitCode(), 0);
    static const QRegularExpression option(QStringLiteral("--([a-z-]+)"));
    auto all = option.globalMatch(QString::fromUtf8(help.readAllStandardOutput()));
    int count = 0;
    while (all.hasNext()) {
      const QString name = all.next().captured(1);
      if (name == QLatin1String("help-all")) continue;  // Qt's own options
      ++count;
      EXPECT_TRUE(page.contains(QString(name).replace(QLatin1Char('-'), QLatin1String("\\-"))) || page.contains(name))
          << name.toStdString();
    }
    EXPECT_GE(count, 4);
  }
  const QString groff = QStandardPaths::findExecutable(QStringLiteral("groff"));
  if (groff.isEmpty()) return;
  QProcess process;
  process.start(groff,
                {QStringLiteral("-man"), QStringLiteral("-ww"), QStringLiteral("-z"), Resource("hloscope-gui.1")});
  ASSERT_TRUE(process.waitForFinished());
  EXPECT_EQ(process.exitCode(), 0);
  EXPECT_EQ(process.readAllStandardError().toStdString(), "");
}

class DesktopKeysTest : public ::testing::Test, public WindowTest {};

// The keys that the man page names are those of the menus.
TEST_F(DesktopKeysTest, TheManPageNamesTheKeysThatTheAppHas) {
  const std::map<const char*, const char*> keys = {{"run", "F5"},
                                                   {"pause", "F6"},
                                                   {"step_over", "F10"},
                                                   {"step_into", "F11"},
                                                   {"step_out", "Shift+F11"},
                                                   {"step_back", "Shift+F10"},
                                                   {"run_to_nan", "Ctrl+F5"},
                                                   {"breakpoint", "F9"},
                                                   {"definition", "F12"},
                                                   {"commands", "Ctrl+Shift+P"}};
  const QString page = ReadWholeFile(Resource("hloscope-gui.1"));
  for (const auto& [name, key] : keys) {
    ASSERT_NE(window().action(name), nullptr) << name;
    EXPECT_EQ(window().action(name)->shortcut().toString(QKeySequence::PortableText).toStdString(), key) << name;
    EXPECT_TRUE(page.contains(QLatin1String(key))) << key;
  }
}

// No two commands have the same key, and everything that can be focused says what it is.
TEST_F(DesktopKeysTest, KeysAreUniqueAndControlsHaveNames) {
  OpenText(kLoopModule);
  for (QDockWidget* dock : window().findChildren<QDockWidget*>()) dock->show();
  std::map<QKeySequence, QString> seen;
  for (const QAction* action : window().findChildren<QAction*>()) {
    if (action->shortcut().isEmpty() || action->objectName().isEmpty()) continue;
    const auto [it, is_new] = seen.emplace(action->shortcut(), action->objectName());
    EXPECT_TRUE(is_new || it->second == action->objectName())
        << action->shortcut().toString().toStdString() << ": " << it->second.toStdString() << " and "
        << action->objectName().toStdString();
  }
  for (const QWidget* widget : window().findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QLatin1String("qt_"))) continue;
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
    if (interface == nullptr || widget->parentWidget() == nullptr) continue;
    // Parts of a named control, and containers, are not what the focus is on.
    const bool inside = widget->inherits("QComboBoxListView") ||
                        qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                        qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr;
    const bool is_control =
        qobject_cast<const QAbstractButton*>(widget) != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr ||
        qobject_cast<const QLineEdit*>(widget) != nullptr || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
        qobject_cast<const QAbstractItemView*>(widget) != nullptr;
    if (inside || !is_control || qobject_cast<const QTabBar*>(widget->parentWidget()) != nullptr) continue;
    const QString name = interface->text(QAccessible::Name);
    const auto* edit = qobject_cast<const QLineEdit*>(widget);
    const bool said = !name.isEmpty() || (edit != nullptr && !edit->placeholderText().isEmpty());
    EXPECT_TRUE(said) << widget->metaObject()->className() << " in "
                      << widget->parentWidget()->metaObject()->className() << ": " << widget->toolTip().toStdString();
  }
}

}  // namespace
}  // namespace hloscope::gui
