// SPDX-License-Identifier: Apache-2.0
// hloscope-gui [FILE[:LINE]]: the app.
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <cstdio>
#include <cstdlib>

#include "core/resources/own_program.h"
#include "gui/main_window.h"
#include "gui/models/plurals.h"
#include "gui/single_instance.h"
#include "gui/tabbed_window.h"
#include "memory_policy/memory_policy.h"

namespace {

// Between place and view in what a second start says to the first one.
constexpr char kViewMark = '\x1f';

QString Tr(const char* text) { return QCoreApplication::translate("main", text); }

// Texts in the user's language, if somebody has translated them: beside an installed app, and Qt's own.
void LoadTranslations(QTranslator* own, QTranslator* of_qt) {
  const QString folder = QFileInfo(QString::fromStdString(hloscope::OwnProgram())).path() +
                         QStringLiteral("/../share/hloscope/translations");
  if (own->load(QLocale(), QStringLiteral("hloscope"), QStringLiteral("_"), folder)) {
    QCoreApplication::installTranslator(own);
    if (of_qt->load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"),
                    QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
      QCoreApplication::installTranslator(of_qt);
    }
  }
}

// Whether the answer is text on the terminal, which needs no display.
bool AsksForText(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const QLatin1String word(argv[i]);
    if (word == QLatin1String("--")) return false;
    for (const char* option : {"-h", "--help", "--help-all", "-v", "--version"}) {
      if (word == QLatin1String(option)) return true;
    }
  }
  return false;
}

// Without one, Qt ends the process by a signal and advises to install the app again.
bool HasDisplay(int argc, char** argv) {
#ifdef Q_OS_LINUX
  for (int i = 1; i < argc; ++i) {
    if (QLatin1String(argv[i]).endsWith(QLatin1String("-platform"))) return true;
  }
  return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
         !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
#else
  static_cast<void>(argc);
  static_cast<void>(argv);
  return true;
#endif
}

struct Options {
  QCommandLineOption appearance{QStringLiteral("appearance"),
                                Tr("Colours: system, light or dark (default: the last choice)."),
                                QStringLiteral("NAME")};
  QCommandLineOption grab{QStringLiteral("screenshot"),
                          Tr("Open FILE, write a picture of the window to PNG, and quit."), QStringLiteral("PNG")};
  QCommandLineOption view{QStringLiteral("view"),
                          Tr("How FILE is shown: what Go > Copy a Line That Opens This View writes."),
                          QStringLiteral("VIEW")};
  QCommandLineOption own_window{QStringLiteral("new-window"), Tr("A window of its own, even if another one is open.")};
};

void AddOptions(const Options& options, QCommandLineParser* parser) {
  parser->setApplicationDescription(Tr("Visual debugger for XLA HLO modules."));
  parser->addHelpOption();
  parser->addVersionOption();
  parser->addPositionalArgument(QStringLiteral("FILE"),
                                Tr("HLO module to open, at a line if one is named, or a session"),
                                QStringLiteral("[FILE[:LINE]]"));
  parser->addOptions({options.appearance, options.grab, options.own_window, options.view});
}

// Prints it and ends the process.
[[noreturn]] void PrintText(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  QCoreApplication::setApplicationName(QStringLiteral("hloscope-gui"));
  QCoreApplication::setApplicationVersion(QStringLiteral(HLOSCOPE_VERSION));
  QCommandLineParser parser;
  AddOptions(Options(), &parser);
  parser.process(app);
  std::exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  hloscope::memory_policy::SetUpMemory(hloscope::memory_policy::TextThreads::kAny);
  if (AsksForText(argc, argv)) PrintText(argc, argv);
  if (!HasDisplay(argc, argv)) {
    std::fputs(
        "hloscope-gui: there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set (`hloscope` shows modules in a "
        "terminal)\n",
        stderr);
    return 1;
  }
  QApplication app(argc, argv);
  hloscope::gui::EnglishPlurals english;
  QCoreApplication::installTranslator(&english);
  QTranslator own_texts, qt_texts;
  LoadTranslations(&own_texts, &qt_texts);
  QApplication::setApplicationName(QStringLiteral("hloscope-gui"));
  QApplication::setOrganizationName(QStringLiteral("hloscope"));
  QApplication::setApplicationVersion(QStringLiteral(HLOSCOPE_VERSION));

  QApplication::setWindowIcon(QIcon(QStringLiteral(":/desktop/hloscope.svg")));
  QApplication::setDesktopFileName(QStringLiteral("hloscope-gui"));

  QCommandLineParser parser;
  const Options options;
  AddOptions(options, &parser);
  parser.process(app);

  const QString chosen = parser.isSet(options.appearance) ? parser.value(options.appearance)
                                                          : hloscope::gui::Preferences::Load().appearance;
  hloscope::gui::MainWindow::SetAppearance(chosen);
  const QStringList files = parser.positionalArguments();
  bool alone = parser.isSet(options.grab) || parser.isSet(options.own_window);
  hloscope::gui::SingleInstance instance(hloscope::gui::SingleInstance::DefaultName());
  if (!alone) {
    // The other instance may run in another folder.
    using Answer = hloscope::gui::SingleInstance::Answer;
    Answer answer = Answer::kTaken;
    for (const QString& file : files.isEmpty() ? QStringList{QString()} : files) {
      hloscope::gui::FilePlace place = hloscope::gui::ParseFilePlace(file);
      if (!place.path.isEmpty()) place.path = QFileInfo(place.path).absoluteFilePath();
      const QString message = place.line > 0 ? QStringLiteral("%1:%2").arg(place.path).arg(place.line) : place.path;
      if (answer == Answer::kTaken) {
        answer = instance.Send(message + QLatin1Char(kViewMark) + parser.value(options.view));
      }
    }
    if (answer == Answer::kTaken) return 0;
    // The place to listen at, and what to open after a crash, are those of the other one if it is only busy.
    alone = answer == Answer::kNone;
    if (!alone) instance.Listen();
  }
  using hloscope::gui::TabbedWindow;
  auto* window = new TabbedWindow(alone ? QString() : hloscope::gui::SessionStore::DefaultFolder());
  window->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(&instance, &hloscope::gui::SingleInstance::Received, &app, [](const QString& message) {
    TabbedWindow* latest = TabbedWindow::Latest();
    if (latest == nullptr) return;
    const QString place = message.section(QLatin1Char(kViewMark), 0, 0);
    if (!place.isEmpty()) latest->OpenPlace(place, message.section(QLatin1Char(kViewMark), 1));
    latest->raise();
    latest->activateWindow();
  });
  // What a crash has left is offered when nothing else is asked for.
  if (files.isEmpty()) {
    if (!alone) window->RestoreTabs();
  } else {
    for (const QString& file : files) window->OpenPlace(file, parser.value(options.view));
  }
  window->show();
  if (parser.isSet(options.grab)) {
    const QString path = parser.value(options.grab);
    hloscope::gui::MainWindow* shown = window->current();
    QObject::connect(shown->workspace(), &hloscope::gui::Workspace::OpenFailed, window, [] { QApplication::exit(1); });
    QObject::connect(shown->graph_pane(), &hloscope::gui::GraphPane::GraphShown, window, [window, path] {
      // The views get one more turn of the event loop to paint what they were told.
      QTimer::singleShot(300, window, [window, path] { QApplication::exit(window->grab().save(path) ? 0 : 1); });
    });
  }
  return QApplication::exec();
}
