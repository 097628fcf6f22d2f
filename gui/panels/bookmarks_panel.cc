// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/bookmarks_panel.h"

#include <QAction>
#include <QHeaderView>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/panels/row_delegate.h"
#include "gui/views/save_path.h"
#include "gui/views/wrap_layout.h"

namespace hloscope::gui {

BookmarksPanel::BookmarksPanel(Selection* selection, Workspace* workspace, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(new BookmarkModel(selection, workspace, QString(), this)),
      list_(new QTreeView),
      message_(new QLabel) {
  list_->setModel(model_);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->setAccessibleName(tr("Bookmarks"));
  list_->header()->setSectionResizeMode(QHeaderView::Stretch);
  message_->setWordWrap(true);
  auto* bar = MakeWrapBar();
  const auto add = [&](const QString& caption, const QString& tip, auto slot) {
    auto* button = new QToolButton;
    button->setText(caption);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, slot);
    bar->layout()->addWidget(button);
  };
  add(tr("Bookmark"), tr("Set or remove a bookmark at the selected instruction"), [this] { Toggle(); });
  add(tr("Export..."), tr("Write all bookmarks and notes to a text file"), [this] { ChooseExport(); });
  auto* column = new QVBoxLayout(this);
  column->addWidget(bar);
  column->addWidget(list_, 1);
  column->addWidget(message_);
  message_->hide();
  auto* remove = new QAction(tr("Remove"), list_);
  remove->setShortcut(QKeySequence::Delete);
  remove->setShortcutContext(Qt::WidgetShortcut);
  connect(remove, &QAction::triggered, this, [this] { model_->Remove(list_->currentIndex().row()); });
  list_->addAction(remove);
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(list_, &QTreeView::clicked, this,
          [this](const QModelIndex& index) { selection_->SelectInstruction(model_->InstructionAt(index.row())); });
}

void BookmarksPanel::Toggle() { model_->Toggle(selection_->instruction()); }

void BookmarksPanel::ChooseExport() {
  const QString path = AskSavePath(this, tr("Export bookmarks"), QStringLiteral("bookmarks.txt"));
  if (path.isEmpty()) return;
  const QString problem = model_->Export(path);
  message_->setText(problem.isEmpty() ? tr("Written: %1").arg(path) : problem);
  message_->show();
}

}  // namespace hloscope::gui
