// SPDX-License-Identifier: Apache-2.0
// Texts for people go through tr(): a translator must find every one of them.
#include <gtest/gtest.h>

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTranslator>
#include <vector>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

TEST(TranslationsTest, NoTextForPeopleIsALiteral) {
  // What is handed to these is read by people. File names, signs and numbers are no words.
  static const QRegularExpression literal(
      QStringLiteral("\\b(setText|setToolTip|setTitle|setWindowTitle|setPlaceholderText|setStatusTip|showMessage|"
                     "setAccessibleName|setAccessibleDescription|setSuffix|setSpecialValueText|addTab|addRow|addMenu)"
                     "\\(\\s*(QStringLiteral|QLatin1String|QString::fromUtf8)\\(\\s*\"[^\"<]*[A-Za-z]{4,}"));
  static const QRegularExpression bare(
      QStringLiteral("new (QLabel|QPushButton|QCheckBox|QGroupBox|QAction|QDockWidget|QToolButton)\\(\\s*"
                     "(QStringLiteral|QLatin1String)\\(\\s*\"[^\"]*[A-Za-z]{3,}"));
  QDirIterator files(QStringLiteral(HLOSCOPE_SOURCE_DIR "/gui"), {QStringLiteral("*.cc"), QStringLiteral("*.h")},
                     QDir::Files, QDirIterator::Subdirectories);
  int count = 0, translated = 0;
  while (files.hasNext()) {
    QFile file(files.next());
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    ++count;
    translated += static_cast<int>(text.count(QLatin1String("tr(\"")));
    for (const QRegularExpression* form : {&literal, &bare}) {
      const QRegularExpressionMatch match = form->match(text);
      EXPECT_FALSE(match.hasMatch()) << file.fileName().toStdString() << ": " << match.captured().toStdString();
    }
  }
  EXPECT_GT(count, 100);
  EXPECT_GT(translated, 300);
}

// The literals that are handed to tr() or translate(), joined where they are broken, and whether a count goes with
// them.
struct TranslatedText {
  QString text, file;
  bool counts = false;
};

std::vector<TranslatedText> TranslatedTexts() {
  static const QRegularExpression call(
      QStringLiteral("\\b(?:tr\\(|translate\\(\"\\w+\",)\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)(,\\s*nullptr)?"));
  std::vector<TranslatedText> texts;
  QDirIterator files(QStringLiteral(HLOSCOPE_SOURCE_DIR "/gui"), {QStringLiteral("*.cc"), QStringLiteral("*.h")},
                     QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    QFile file(files.next());
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    QRegularExpressionMatchIterator calls = call.globalMatch(QString::fromUtf8(file.readAll()));
    while (calls.hasNext()) {
      const QRegularExpressionMatch match = calls.next();
      QString text = match.captured(1).trimmed();
      text.replace(QRegularExpression(QStringLiteral("\"\\s*\"")), QString());
      texts.push_back({text.mid(1, text.size() - 2), file.fileName(), !match.captured(2).isEmpty()});
    }
  }
  return texts;
}

TEST(TranslationsTest, TextsThatCountSayWhatAPluralAdds) {
  // "%1 instructions" reads "1 instructions" for a module of one.
  static const QRegularExpression counted(
      QStringLiteral("%[n0-9] (more )?(instruction|constant|box|element|error|warning|computation|difference|rewrite|"
                     "step|time|device|byte|zero|value|part)e?s\\b"));
  static const QRegularExpression form(QStringLiteral("\\(([a-z]+|[a-z ]*\\|[a-z ]*)\\)"));
  int counts = 0;
  for (const TranslatedText& text : TranslatedTexts()) {
    const bool of_many = text.text.contains(QLatin1String("of %2 instructions"));  // a part of something: never one
    EXPECT_FALSE(text.text.contains(counted) && !of_many) << text.file.toStdString() << ": " << text.text.toStdString();
    counts += text.counts;
    if (!text.counts) continue;
    // Every bracket of such a text is a plural.
    QString rest = text.text;
    rest.remove(form);
    EXPECT_FALSE(rest.contains(QLatin1Char('('))) << text.file.toStdString() << ": " << text.text.toStdString();
  }
  EXPECT_GT(counts, 25);
}

TEST(TranslationsTest, EnglishPluralsFollowTheCount) {
  auto text = [](int count) {
    return QCoreApplication::translate("x", "%n box(es), of which %1 (is|are) open", nullptr, count).arg(0);
  };
  EXPECT_EQ(text(1), QStringLiteral("1 box, of which 0 is open"));
  EXPECT_EQ(text(0), QStringLiteral("0 boxes, of which 0 are open"));
  EXPECT_EQ(text(21), QStringLiteral("21 boxes, of which 0 are open"));
  EXPECT_EQ(QCoreApplication::translate("x", "not counted (s)"), QStringLiteral("not counted (s)"));
  EXPECT_EQ(ForPlural(int64_t{1}), 1);
  EXPECT_GT(ForPlural(int64_t{5'000'000'000'001}), 1);
  EXPECT_EQ(FormatBytes(1), QStringLiteral("1 byte"));
  EXPECT_EQ(FormatBytes(12), QStringLiteral("12 bytes"));
}

// What a translator does: lupdate collects the texts, somebody translates, lrelease makes what the app loads.
TEST(TranslationsTest, TranslatorsToolsCollectTheTexts) {
  const QStringList folders = {QStringLiteral("/usr/lib/qt6/bin"), QStringLiteral("/usr/bin")};
  const QString lupdate = QStandardPaths::findExecutable(QStringLiteral("lupdate"), folders);
  const QString lrelease = QStandardPaths::findExecutable(QStringLiteral("lrelease"), folders);
  if (lupdate.isEmpty() || lrelease.isEmpty()) GTEST_SKIP() << "qt6-l10n-tools is not installed";
  QTemporaryDir folder;
  const QString ts = folder.filePath(QStringLiteral("hloscope_pl.ts")), qm = folder.filePath(QStringLiteral("pl.qm"));
  const QString source = QStringLiteral(HLOSCOPE_SOURCE_DIR);
  ASSERT_EQ(QProcess::execute(
                lupdate, {QStringLiteral("-silent"), QStringLiteral("-I"), source, QStringLiteral("-target-language"),
                          QStringLiteral("pl"), source + QStringLiteral("/gui"), QStringLiteral("-ts"), ts}),
            0);
  QFile file(ts);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  QString text = QString::fromUtf8(file.readAll());
  file.close();
  EXPECT_GT(text.count(QLatin1String("<source>")), 500);
  EXPECT_GT(text.count(QLatin1String("numerus=\"yes\"")), 25);
  // Polish has three forms.
  const qsizetype at = text.indexOf(QLatin1String("<translation"), text.indexOf(QLatin1String("%n error(s)")));
  ASSERT_GT(at, 0);
  const qsizetype end = text.indexOf(QLatin1String("</translation>"), at);
  text.replace(at, end - at,
               QStringLiteral("<translation><numerusform>%n b\u0142\u0105d</numerusform><numerusform>%n "
                              "b\u0142\u0119dy</numerusform><numerusform>%n b\u0142\u0119d\u00f3w</numerusform>"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(text.toUtf8());
  file.close();
  ASSERT_EQ(QProcess::execute(lrelease, {QStringLiteral("-silent"), ts, QStringLiteral("-qm"), qm}), 0);
  QTranslator polish;
  ASSERT_TRUE(polish.load(qm));
  QCoreApplication::installTranslator(&polish);
  EXPECT_EQ(MainWindow::tr("%n error(s)", nullptr, 3), QStringLiteral("3 b\u0142\u0119dy"));
  EXPECT_EQ(MainWindow::tr("%n error(s)", nullptr, 5), QStringLiteral("5 b\u0142\u0119d\u00f3w"));
  // What is not translated stays English, with its plurals.
  EXPECT_EQ(MainWindow::tr("%n warning(s)", nullptr, 1), QStringLiteral("1 warning"));
  QCoreApplication::removeTranslator(&polish);
}

// Answers every text with itself in brackets.
class Brackets : public QTranslator {
 public:
  bool isEmpty() const override { return false; }
  QString translate(const char*, const char* text, const char*, int) const override {
    return QStringLiteral("[%1]").arg(QString::fromUtf8(text));
  }
};

TEST(TranslationsTest, MenusPanelsAndDocksCanBeTranslated) {
  Brackets brackets;
  QCoreApplication::installTranslator(&brackets);
  {
    MainWindow window;
    for (const QAction* action : window.findChildren<QAction*>()) {
      if (action->objectName().isEmpty() || action->text().isEmpty() || action->isSeparator()) continue;
      if (action->objectName().startsWith(QLatin1String("_q"))) continue;  // Qt's own
      EXPECT_TRUE(action->text().contains(QLatin1Char('['))) << action->objectName().toStdString();
    }
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) {
      EXPECT_TRUE(dock->windowTitle().startsWith(QLatin1Char('['))) << dock->windowTitle().toStdString();
    }
    for (const QLabel* label : window.findChildren<QLabel*>()) {
      static const QRegularExpression words(QStringLiteral("[A-Za-z]{4,} [a-z]{2,}"));
      if (!label->text().contains(words) || label->text().contains(QLatin1Char('['))) continue;
      // Reports of the core, which has no translations.
      if (label->text().startsWith(QLatin1String("<table"))) continue;
      ADD_FAILURE() << label->text().toStdString();
    }
  }
  QCoreApplication::removeTranslator(&brackets);
}

}  // namespace
}  // namespace hloscope::gui
