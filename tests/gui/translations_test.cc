// Texts for people go through tr(): a translator must find every one of them.
#include <gtest/gtest.h>

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTranslator>

#include "gui_test_support.h"

namespace hloscope {
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
}  // namespace hloscope
