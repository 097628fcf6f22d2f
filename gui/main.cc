// hloscope-gui [FILE]: the app.
#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>

#include "gui/main_window.h"

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("hloscope-gui"));
  QApplication::setOrganizationName(QStringLiteral("hloscope"));
  QApplication::setApplicationVersion(QStringLiteral(HLOSCOPE_VERSION));

  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Visual debugger for XLA HLO modules."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("HLO module to open; an example if left out"),
                               QStringLiteral("[FILE]"));
  const QCommandLineOption appearance(QStringLiteral("appearance"),
                                      QStringLiteral("Colours: system, light or dark (default: the last choice)."),
                                      QStringLiteral("NAME"));
  const QCommandLineOption grab(QStringLiteral("screenshot"),
                                QStringLiteral("Open FILE, write a picture of the window to PNG, and quit."),
                                QStringLiteral("PNG"));
  parser.addOptions({appearance, grab});
  parser.process(app);

  const QString chosen = parser.isSet(appearance)
                             ? parser.value(appearance)
                             : QSettings().value(QStringLiteral("appearance"), QStringLiteral("system")).toString();
  hloscope::MainWindow::SetAppearance(chosen);
  hloscope::MainWindow window;
  const QStringList files = parser.positionalArguments();
  window.Open(files.isEmpty() ? QStringLiteral(":/examples/mlp.hlo") : files.first());
  window.show();
  if (parser.isSet(grab)) {
    const QString path = parser.value(grab);
    QObject::connect(window.graph_pane(), &hloscope::GraphPane::GraphShown, &window, [&window, path] {
      // The views get one more turn of the event loop to paint what they were told.
      QTimer::singleShot(300, &window, [&window, path] { QApplication::exit(window.grab().save(path) ? 0 : 1); });
    });
  }
  return QApplication::exec();
}
