// SPDX-License-Identifier: Apache-2.0
// Where the window's panels are: their sizes, the way back to how they were at first, and one panel in the whole
// centre.
#include <QHBoxLayout>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/main_window.h"
#include "gui/models/text.h"
#include "gui/panels/panel_commands.h"
#include "gui/views/metrics.h"
#include "gui/views/panel_page.h"
#include "gui/views/picture_export.h"
#include "gui/views/save_path.h"
#include "gui/views/small_screens.h"

namespace hloscope::gui {
namespace {

constexpr QSize kUsualSize(1400, 900);
constexpr auto kGraphBeside = "graph_beside";
constexpr int kEnlargedPage = 2;
constexpr int kLowWindow = 800;
// On a small screen at double scale there is room for one panel on each side.
constexpr int kTinyWindow = 480;

}  // namespace

void MainWindow::ResizeToScreen() { resize(FittedToScreen(kUsualSize)); }

void MainWindow::ResetDocks() {
  EnlargeDock(nullptr);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  for (const DockRow& row : DockTable()) {
    QDockWidget* moved = dock(row.name);
    moved->setFloating(false);
    addDockWidget(row.area, moved);
    moved->show();
  }
  for (const DockRow& row : DockTable()) {
    if (row.tab_with != nullptr) tabifyDockWidget(dock(row.tab_with), dock(row.name));
  }
  for (const DockRow& row : DockTable()) {
    if (row.tab_with != nullptr) dock(row.tab_with)->raise();
    dock(row.name)->setVisible(row.shown);
  }
  SizeDocks();
}

// Panels leave most of the window to text and graph; on small screens they take less.
void MainWindow::SizeDocks() {
  const int left = std::clamp(width() * 17 / 100, 150, 280), right = std::clamp(width() * 27 / 100, 240, 400);
  const int bottom = std::clamp(height() * 30 / 100, 120, 300);
  // Panels above one another may need more than there is.
  if (height() < kTinyWindow || height() <= minimumSizeHint().height()) {
    for (const char* name : {"frames", "breakpoints", "bookmarks"}) {
      tabifyDockWidget(dock("computations"), dock(name));
    }
    for (const char* name : {"value", "program"}) tabifyDockWidget(dock("properties"), dock(name));
    for (const char* name : {"computations", "properties"}) dock(name)->raise();
    // The window may have grown beyond the screen for them.
    for (QWidget* above = this; above != nullptr; above = above->parentWidget()) {
      if (above->layout() != nullptr) above->layout()->activate();
    }
    if (screen() != nullptr) window()->resize(window()->size().boundedTo(screen()->availableSize()));
  }
  resizeDocks({dock("computations"), dock("properties")}, {left, right}, Qt::Horizontal);
  resizeDocks({dock("computations"), dock("frames")}, {height() * 60 / 100, height() * 28 / 100}, Qt::Vertical);
  // In a low window, a value needs its room more than its properties do.
  const int properties = height() < kLowWindow ? 28 : 40;
  resizeDocks({dock("properties"), dock("value")}, {height() * properties / 100, height() * (88 - properties) / 100},
              Qt::Vertical);
  resizeDocks({dock("diagnostics"), dock("timeline"), dock("changes")}, {bottom * 2 / 3, bottom, bottom}, Qt::Vertical);
  SetGraphBeside(splitter_->orientation() == Qt::Horizontal);
}

void MainWindow::SetGraphBeside(bool beside) {
  splitter_->setOrientation(beside ? Qt::Horizontal : Qt::Vertical);
  const int room = beside ? splitter_->width() : splitter_->height();
  splitter_->setSizes(beside ? QList<int>{room / 2, room / 2} : QList<int>{room * 3 / 5, room * 2 / 5});
  graph_->KeepInView();
  if (QAction* shown = action("graph_beside")) shown->setChecked(beside);
}

// A panel that is torn off lies on a screen, with its title bar, however large it is.
void MainWindow::KeepOnScreen(QDockWidget* dock) {
  connect(dock, &QDockWidget::topLevelChanged, this, [dock](bool floating) {
    if (!floating) return;
    const QScreen* screen = dock->screen();
    if (screen == nullptr) return;
    const QRect room = screen->availableGeometry();
    QRect place = dock->geometry();
    place.setSize(
        place.size().boundedTo(room.size() - QSize(20, 60)).expandedTo(QSize(420, 320).boundedTo(room.size())));
    place.moveLeft(std::clamp(place.left(), room.left(), std::max(room.left(), room.right() - place.width())));
    place.moveTop(std::clamp(place.top(), room.top() + 30, std::max(room.top() + 30, room.bottom() - place.height())));
    dock->setGeometry(place);
  });
}

void MainWindow::ShowDock(const QString& name) {
  auto* shown = findChild<QDockWidget*>(name);
  if (shown == nullptr) return;
  if (enlarged_ == shown) return;
  if (shown == diagnostics_dock_) problems_shown_ = false;
  shown->show();
  shown->raise();
  // One that was squeezed to nothing has room again.
  if (shown->height() < 110 && !shown->isFloating()) resizeDocks({shown}, {height() * 30 / 100}, Qt::Vertical);
  if (shown->widget() != nullptr) shown->widget()->setFocus();
}

QWidget* MainWindow::MakeEnlargedPage() {
  enlarged_page_ = new QWidget;
  enlarged_title_ = new QLabel;
  enlarged_title_->setFont(HeadingFont());
  auto* back = new QToolButton;
  back->setText(tr("Back to text and graph"));
  back->setToolTip(tr("The panel goes back to its place (Esc)"));
  back->setAccessibleName(back->text());
  back->setShortcut(QKeySequence(Qt::Key_Escape));
  connect(back, &QToolButton::clicked, this, [this] { EnlargeDock(nullptr); });
  auto* title = new QHBoxLayout;
  title->setContentsMargins(Space::kMargin, Space::kTight, Space::kMargin, Space::kTight);
  title->addWidget(enlarged_title_, 1);
  title->addWidget(back);
  auto* column = new QVBoxLayout(enlarged_page_);
  column->setContentsMargins({});
  column->setSpacing(Space::kNone);
  column->addLayout(title);
  return enlarged_page_;
}

void MainWindow::EnlargeDock(QDockWidget* dock) {
  if (enlarged_ != nullptr) {
    QLayoutItem* item = enlarged_page_->layout()->takeAt(1);
    enlarged_->setWidget(item->widget());
    delete item;
    enlarged_->show();
    enlarged_->raise();
    enlarged_ = nullptr;
    center_->setCurrentIndex(selection_->document() != nullptr ? 1 : 0);
  }
  if (dock == nullptr || dock->widget() == nullptr) return;
  enlarged_ = dock;
  enlarged_title_->setText(dock->windowTitle());
  QWidget* panel = dock->widget();
  dock->hide();
  static_cast<QVBoxLayout*>(enlarged_page_->layout())->addWidget(panel, 1);
  panel->show();
  center_->setCurrentIndex(kEnlargedPage);
  panel->setFocus();
}

QDockWidget* MainWindow::FocusedDock() const {
  if (enlarged_ != nullptr) return enlarged_;
  for (QWidget* at = focusWidget(); at != nullptr; at = at->parentWidget()) {
    if (auto* of = qobject_cast<QDockWidget*>(at)) return of;
  }
  return nullptr;
}

QString MainWindow::ExportPanel(QDockWidget* dock, const QString& path) {
  QWidget* panel = dock == enlarged_ ? enlarged_page_->layout()->itemAt(1)->widget() : dock->widget();
  if (!IsPagePath(path)) return ExportWidget(path, panel, dock->windowTitle());
  PageFacts facts;
  facts.title = dock->windowTitle();
  facts.file = workspace_->path();
  if (selection_->document() != nullptr && selection_->instruction().has_value()) {
    facts.instruction = ToQString(selection_->module().InstructionName(selection_->instruction()));
  }
  const QString command = CommandOfPanel(panel, workspace_->path());
  if (!command.isEmpty()) facts.commands << command;
  if (const QString line = LineOfView(); !line.isEmpty()) facts.commands << line;
  return WritePicture(path, PageOfWidget(panel, facts));
}

void MainWindow::AddDockActions() {
  for (const DockRow& row : DockTable()) {
    QDockWidget* shown = dock(row.name);
    // Choosing a panel that is covered by others brings it to the front; only one that can be seen is closed.
    QAction* action = AddAction(window_menu_, qPrintable(QStringLiteral("show_%1").arg(QLatin1String(row.name))),
                                DockTitle(row), QKeySequence(), tr("Show the panel \"%1\"").arg(DockTitle(row)));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, shown, action] {
      if (enlarged_ == shown) {
        EnlargeDock(nullptr);
      } else if (shown->isVisible() && !shown->visibleRegion().isEmpty()) {
        shown->hide();
      } else {
        ShowDock(shown->objectName());
      }
      // A click has changed the mark already, whatever became of the panel.
      action->setChecked(!shown->isHidden());
    });
    connect(shown->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
    action->setChecked(!shown->isHidden());
  }
}

void MainWindow::AddArrangementActions() {
  QAction* beside = AddAction(window_menu_, "graph_beside", tr("&Graph Beside the Text"),
                              QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), tr("Graph and text side by side"));
  beside->setCheckable(true);
  connect(beside, &QAction::triggered, this, [this](bool checked) {
    QSettings().setValue(QLatin1String(kGraphBeside), checked);
    SetGraphBeside(checked);
  });
  QAction* enlarge =
      AddAction(window_menu_, "enlarge_panel", tr("&Enlarge the Panel"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M),
                tr("Show the panel with the cursor in the whole centre, or put it back"));
  connect(enlarge, &QAction::triggered, this, [this] {
    if (enlarged_ != nullptr) return EnlargeDock(nullptr);
    QDockWidget* of = FocusedDock();
    EnlargeDock(of != nullptr ? of : dock("value"));
  });
  QAction* picture = AddAction(window_menu_, "export_panel", tr("E&xport the Panel..."), QKeySequence(),
                               tr("Write the panel with the cursor to a file, as a drawing, an image or a page"));
  connect(picture, &QAction::triggered, this, [this] {
    QDockWidget* of = FocusedDock();
    if (of == nullptr) of = dock("value");
    const QString path = AskSavePath(this, tr("Export the panel \"%1\"").arg(of->windowTitle()),
                                     of->objectName() + QStringLiteral(".svg"), PictureFilter());
    if (path.isEmpty()) return;
    const QString problem = ExportPanel(of, path);
    statusBar()->showMessage(problem.isEmpty() ? tr("Written: %1").arg(path) : problem, 10'000);
  });
  QAction* reset = AddAction(window_menu_, "reset_panels", tr("&Reset the Panels"), QKeySequence(),
                             tr("Put all panels where they are at the first start"));
  connect(reset, &QAction::triggered, this, [this] {
    EnlargeDock(nullptr);
    restoreState(property("first_docks").toByteArray());
    QMetaObject::invokeMethod(this, &MainWindow::SizeDocks, Qt::QueuedConnection);
  });
  if (QSettings().value(QLatin1String(kGraphBeside), false).toBool()) SetGraphBeside(true);
}

}  // namespace hloscope::gui
