// SPDX-License-Identifier: Apache-2.0
#include "gui/tabbed_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QVBoxLayout>

#include "gui/models/opened_profile.h"
#include "gui/models/saved_session.h"
#include "gui/single_instance.h"
#include "gui/views/metrics.h"

namespace hloscope::gui {
namespace {

// The session of a tab is in a folder of its own below that of all, but for the first one's.
constexpr auto kTabFolder = "tab-";
// Says where the session of a tab is.
constexpr auto kFolderProperty = "session_folder";

// Windows, the one that was used last at the end.
std::vector<TabbedWindow*>& Windows() {
  static std::vector<TabbedWindow*> windows;
  return windows;
}

}  // namespace

TabbedWindow::TabbedWindow(const QString& sessions) : TabbedWindow(sessions, new MainWindow) {}

TabbedWindow::TabbedWindow(const QString& sessions, MainWindow* first)
    : sessions_(sessions), bar_(new QTabBar), pages_(new QStackedWidget) {
  setObjectName(QStringLiteral("tabbed_window"));
  Windows().push_back(this);
  bar_->setDocumentMode(true);
  bar_->setDrawBase(false);
  bar_->setExpanding(false);
  bar_->setMovable(true);
  bar_->setTabsClosable(true);
  bar_->setAutoHide(true);
  bar_->setElideMode(Qt::ElideMiddle);
  bar_->setAccessibleName(tr("Open files"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->setSpacing(Space::kNone);
  column->addWidget(bar_);
  column->addWidget(pages_, 1);
  connect(bar_, &QTabBar::currentChanged, this, [this](int number) {
    if (number < 0 || number >= pages_->count()) return;
    pages_->setCurrentIndex(number);
    ShowTitles();
    ShowFloatingPanels();
  });
  connect(bar_, &QTabBar::tabCloseRequested, this, &TabbedWindow::CloseTab);
  connect(bar_, &QTabBar::tabMoved, this, [this](int from, int to) {
    QWidget* page = pages_->widget(from);
    pages_->removeWidget(page);
    pages_->insertWidget(to, page);
    pages_->setCurrentIndex(bar_->currentIndex());
  });
  resize(first->size());
  restoreGeometry(QSettings().value(QLatin1String(MainWindow::kGeometry)).toByteArray());
  Adopt(first);
}

TabbedWindow::~TabbedWindow() { std::erase(Windows(), this); }

TabbedWindow* TabbedWindow::Latest() { return Windows().empty() ? nullptr : Windows().back(); }

void TabbedWindow::Adopt(MainWindow* tab) {
  pages_->addWidget(tab);
  const int number = bar_->addTab(QString());
  tab->installEventFilter(this);
  connect(tab, &QWidget::windowTitleChanged, this, &TabbedWindow::ShowTitles);
  connect(tab, &MainWindow::NewTabRequested, this, [this](const QString& place) {
    MainWindow* added = AddTab();
    if (!place.isEmpty()) added->OpenPlace(place);
  });
  connect(tab, &MainWindow::NewWindowRequested, this, [this] {
    auto* window = new TabbedWindow(sessions_);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
  });
  connect(tab, &MainWindow::CloseRequested, this, [this, tab] { CloseTab(pages_->indexOf(tab)); });
  connect(tab, &MainWindow::NextTabRequested, this,
          [this](int by) { GoToTab((pages_->currentIndex() + by + tab_count()) % tab_count()); });
  connect(tab, &MainWindow::MoveToWindowRequested, this, [this, tab] { MoveToNewWindow(pages_->indexOf(tab)); });
  GoToTab(number);
  ShowTitles();
  if (sessions_.isEmpty() || tab->property(kFolderProperty).isValid()) return;
  const QString folder = FreeFolder();
  tab->setProperty(kFolderProperty, folder);
  tab->KeepSession(folder, /*restore=*/false);
}

void TabbedWindow::Release(MainWindow* tab) {
  const int number = pages_->indexOf(tab);
  tab->removeEventFilter(this);
  disconnect(tab, nullptr, this, nullptr);
  pages_->removeWidget(tab);
  bar_->removeTab(number);
}

QString TabbedWindow::FreeFolder() const {
  for (int number = 0;; ++number) {
    const QString folder =
        number == 0 ? sessions_ : QStringLiteral("%1/%2%3").arg(sessions_, QLatin1String(kTabFolder)).arg(number);
    bool is_free = true;
    for (const TabbedWindow* window : Windows()) {
      for (int i = 0; i < window->tab_count(); ++i) {
        is_free = is_free && window->tab(i)->property(kFolderProperty).toString() != folder;
      }
    }
    if (is_free) return folder;
  }
}

bool TabbedWindow::RestoreTabs() {
  std::vector<SavedSession> left;
  QStringList folders = {sessions_};
  for (const QString& name :
       QDir(sessions_).entryList({QLatin1String(kTabFolder) + QLatin1Char('*')}, QDir::Dirs, QDir::Name)) {
    folders << QDir(sessions_).filePath(name);
  }
  for (const QString& folder : folders) {
    const SessionStore store(folder);
    if (std::optional<SavedSession> session = store.Read()) left.push_back(*std::move(session));
    // Whoever opens it again writes it down again.
    store.Remove();
  }
  for (const SavedSession& session : left) {
    MainWindow* into = current()->is_empty() ? current() : AddTab();
    into->RestoreAfterCrash(session);
  }
  return !left.empty();
}

MainWindow* TabbedWindow::AddTab() {
  auto* tab = new MainWindow;
  Adopt(tab);
  return tab;
}

void TabbedWindow::GoToTab(int number) {
  bar_->setCurrentIndex(number);
  pages_->setCurrentIndex(number);
  if (MainWindow* shown = current()) shown->setFocus();
}

void TabbedWindow::OpenPlace(const QString& place, const QString& view) {
  const QString path = QFileInfo(ParseFilePlace(place).path).absoluteFilePath();
  // Times are shown with the module that is open.
  MainWindow* into = IsProfileName(path) ? current() : nullptr;
  for (int i = 0; i < tab_count(); ++i) {
    const QString shown = tab(i)->workspace()->path();
    if (!shown.isEmpty() && QFileInfo(shown).absoluteFilePath() == path) into = tab(i);
  }
  if (into == nullptr) into = current()->is_empty() ? current() : AddTab();
  GoToTab(pages_->indexOf(into));
  into->OpenPlace(place, view);
}

bool TabbedWindow::CloseTab(int number) {
  if (number < 0 || number >= tab_count()) return false;
  if (tab_count() == 1) return close();
  MainWindow* closed = tab(number);
  GoToTab(number);  // it may have a question
  if (!closed->close()) return false;
  Release(closed);
  closed->deleteLater();
  GoToTab(bar_->currentIndex());
  return true;
}

TabbedWindow* TabbedWindow::MoveToNewWindow(int number) {
  if (number < 0 || number >= tab_count() || tab_count() == 1) return nullptr;
  MainWindow* moved = tab(number);
  Release(moved);
  auto* window = new TabbedWindow(sessions_, moved);
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->resize(size());
  window->move(pos() + QPoint(30, 30));
  window->show();
  GoToTab(bar_->currentIndex());
  return window;
}

void TabbedWindow::ShowTitles() {
  for (int i = 0; i < tab_count(); ++i) {
    MainWindow* page = tab(i);
    const QString path = page->workspace()->path();
    const QString name = path.isEmpty() ? tr("New tab") : QFileInfo(path).fileName();
    // A tab's text treats & as the mark of a key.
    QString text = page->isWindowModified() ? tr("%1 *").arg(name) : name;
    bar_->setTabText(i, text.replace(QLatin1Char('&'), QLatin1String("&&")));
    bar_->setTabToolTip(i, path);
  }
  MainWindow* shown = current();
  if (shown == nullptr) return;
  setWindowTitle(shown->windowTitle());
  setWindowModified(shown->isWindowModified());
}

void TabbedWindow::ShowFloatingPanels() {
  for (int i = 0; i < tab_count(); ++i) {
    for (QDockWidget* dock : tab(i)->findChildren<QDockWidget*>()) {
      if (!dock->isFloating()) continue;
      const bool hidden_here = dock->property("hidden_with_tab").toBool();
      if (tab(i) == current() && hidden_here) {
        dock->setProperty("hidden_with_tab", false);
        dock->show();
      } else if (tab(i) != current() && dock->isVisible()) {
        dock->setProperty("hidden_with_tab", true);
        dock->hide();
      }
    }
  }
}

bool TabbedWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ModifiedChange) ShowTitles();
  return QWidget::eventFilter(watched, event);
}

void TabbedWindow::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::ActivationChange || !isActiveWindow()) return;
  std::erase(Windows(), this);
  Windows().push_back(this);
}

void TabbedWindow::closeEvent(QCloseEvent* event) {
  while (tab_count() > 0) {
    MainWindow* closed = current();
    if (!closed->close()) {
      event->ignore();
      return;
    }
    if (tab_count() == 1) break;  // the window goes with it
    Release(closed);
    closed->deleteLater();
    GoToTab(bar_->currentIndex());
  }
  QWidget::closeEvent(event);
}

}  // namespace hloscope::gui
