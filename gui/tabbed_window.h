// SPDX-License-Identifier: Apache-2.0
// A window of the app: a tab for each file, each with a run, panels and a selection of its own. There may be several.
#ifndef HLOSCOPE_GUI_TABBED_WINDOW_H_
#define HLOSCOPE_GUI_TABBED_WINDOW_H_

#include <QStackedWidget>
#include <QTabBar>
#include <QWidget>

#include "gui/main_window.h"

namespace hloscope::gui {

class TabbedWindow : public QWidget {
  Q_OBJECT

 public:
  // `sessions`: the folder where tabs write down what is open in them; empty: they do not. With an empty tab.
  explicit TabbedWindow(const QString& sessions = QString());
  ~TabbedWindow() override;

  int tab_count() const { return pages_->count(); }
  MainWindow* tab(int number) const { return qobject_cast<MainWindow*>(pages_->widget(number)); }
  MainWindow* current() const { return qobject_cast<MainWindow*>(pages_->currentWidget()); }
  QTabBar* bar() { return bar_; }

  // An empty one, in front.
  MainWindow* AddTab();
  // "module.hlo:12", a session or a folder: in the tab that shows the file already, in the current one if it is empty,
  // else in a new one. `view`: as ViewState writes it; empty: as it is.
  void OpenPlace(const QString& place, const QString& view = QString());
  // False if the user keeps it. The last one takes the window with it.
  bool CloseTab(int number);
  void GoToTab(int number);
  // Gives the tab a window of its own, with its run; null if it is the only one.
  TabbedWindow* MoveToNewWindow(int number);
  // Opens what a crash has left, a tab for each file. False if there was nothing.
  bool RestoreTabs();

  // The window that was used last; null if there is none.
  static TabbedWindow* Latest();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  TabbedWindow(const QString& sessions, MainWindow* first);
  void Adopt(MainWindow* tab);
  void Release(MainWindow* tab);
  void ShowTitles();
  // A floating panel of a tab is seen only while its tab is.
  void ShowFloatingPanels();
  // A folder for a session in which no open tab writes.
  QString FreeFolder() const;

  const QString sessions_;
  QTabBar* bar_;
  QStackedWidget* pages_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_TABBED_WINDOW_H_
