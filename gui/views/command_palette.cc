// SPDX-License-Identifier: Apache-2.0
#include "gui/views/command_palette.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

#include "gui/views/command_synonyms.h"
#include "gui/views/small_screens.h"

namespace hloscope::gui {

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent), search_(new QLineEdit), table_(new QTableWidget(0, 3)) {
  setWindowTitle(tr("Commands"));
  resize(FittedToScreen(QSize(620, 420)));
  search_->setPlaceholderText(tr("Type a part of a command's name"));
  search_->setAccessibleName(tr("Command"));
  table_->setAccessibleName(tr("Commands that fit"));
  table_->setHorizontalHeaderLabels({tr("Command"), tr("Shortcut"), tr("What it does")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setShowGrid(false);
  for (QAction* action : actions) {
    if (action->menu() != nullptr || action->isSeparator() || action->text().isEmpty()) continue;
    const int row = table_->rowCount();
    table_->insertRow(row);
    const QString name = action->text().remove(QLatin1Char('&'));
    table_->setItem(row, 0, new QTableWidgetItem(name));
    table_->item(row, 0)->setData(Qt::UserRole, SynonymsOf(action->objectName()));
    table_->setItem(row, 1, new QTableWidgetItem(action->shortcut().toString(QKeySequence::NativeText)));
    table_->setItem(row, 2, new QTableWidgetItem(action->statusTip()));
    if (!action->isEnabled()) {
      for (int column = 0; column < 3; ++column) table_->item(row, column)->setFlags(Qt::ItemIsSelectable);
    }
    actions_.push_back(action);
  }
  table_->resizeColumnToContents(0);
  table_->resizeColumnToContents(1);
  auto* column = new QVBoxLayout(this);
  column->addWidget(search_);
  column->addWidget(table_, 1);
  search_->installEventFilter(this);
  connect(search_, &QLineEdit::textChanged, this, &CommandPalette::Filter);
  connect(search_, &QLineEdit::returnPressed, this, &CommandPalette::Run);
  connect(table_, &QTableWidget::cellActivated, this, &CommandPalette::Run);
  Filter();
}

void CommandPalette::Filter() {
  const QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  int first = -1;
  for (int row = 0; row < table_->rowCount(); ++row) {
    const QString text = table_->item(row, 0)->text() + QLatin1Char(' ') + table_->item(row, 2)->text() +
                         QLatin1Char(' ') + table_->item(row, 0)->data(Qt::UserRole).toString();
    bool shown = true;
    for (const QString& word : words) shown = shown && text.contains(word, Qt::CaseInsensitive);
    table_->setRowHidden(row, !shown);
    const bool by_name = words.isEmpty() || table_->item(row, 0)->text().contains(words[0], Qt::CaseInsensitive);
    if (shown &&
        (first < 0 || (by_name && !table_->item(first, 0)->text().contains(words.value(0), Qt::CaseInsensitive)))) {
      first = row;
    }
  }
  table_->setCurrentCell(first, 0);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key != Qt::Key_Up && key != Qt::Key_Down) return false;
  // The list is walked through while the cursor stays in the field.
  for (int row = table_->currentRow() + (key == Qt::Key_Up ? -1 : 1); row >= 0 && row < table_->rowCount();
       row += key == Qt::Key_Up ? -1 : 1) {
    if (table_->isRowHidden(row)) continue;
    table_->setCurrentCell(row, 0);
    break;
  }
  return true;
}

void CommandPalette::Run() {
  const int row = table_->currentRow();
  if (row < 0 || table_->isRowHidden(row)) return;
  QAction* action = actions_[static_cast<size_t>(row)];
  if (!action->isEnabled()) return;
  accept();
  action->trigger();
}

}  // namespace hloscope::gui
