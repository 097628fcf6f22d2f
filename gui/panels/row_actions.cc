// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/row_actions.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QHeaderView>

namespace hloscope::gui {
namespace {

struct RowActionsText {
  Q_DECLARE_TR_FUNCTIONS(RowActions)
};

QString TextOfRow(const QTreeView& view, const QModelIndex& first) {
  int depth = 0;
  for (QModelIndex above = first.parent(); above.isValid(); above = above.parent()) ++depth;
  QStringList cells;
  for (int at = 0; at < view.header()->count(); ++at) {
    const int column = view.header()->logicalIndex(at);
    if (!view.isColumnHidden(column)) cells << first.siblingAtColumn(column).data().toString().simplified();
  }
  return QString(2 * depth, QLatin1Char(' ')) + cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
}

QString TextOfHeader(const QTreeView& view) {
  QStringList names;
  for (int at = 0; at < view.header()->count(); ++at) {
    const int column = view.header()->logicalIndex(at);
    if (!view.isColumnHidden(column)) {
      names << view.model()->headerData(column, Qt::Horizontal).toString().simplified();
    }
  }
  return names.join(QLatin1Char('\t')) + QLatin1Char('\n');
}

}  // namespace

QString TextOfRows(const QTreeView& view, bool all) {
  QString text = all ? TextOfHeader(view) : QString();
  for (QModelIndex row = view.model()->index(0, 0, view.rootIndex()); row.isValid(); row = view.indexBelow(row)) {
    if (all || view.selectionModel()->isRowSelected(row.row(), row.parent())) text += TextOfRow(view, row);
  }
  return text;
}

void AddRowActions(QWidget* parent) {
  for (QTreeView* view : parent->findChildren<QTreeView*>()) {
    if (view->model() == nullptr) continue;
    const auto add = [view](const char* name, const QString& caption, bool all) {
      auto* copy = new QAction(caption, view);
      copy->setObjectName(QLatin1String(name));
      QObject::connect(copy, &QAction::triggered, view,
                       [view, all] { QGuiApplication::clipboard()->setText(TextOfRows(*view, all)); });
      view->addAction(copy);
      return copy;
    };
    QAction* copy = add("copy_rows", RowActionsText::tr("Copy"), false);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    add("copy_all_rows", RowActionsText::tr("Copy All Rows"), true);
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
  }
}

}  // namespace hloscope::gui
