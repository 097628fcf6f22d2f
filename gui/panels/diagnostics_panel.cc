// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/diagnostics_panel.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QVBoxLayout>

#include "gui/panels/row_delegate.h"
#include "gui/views/theme.h"

namespace hloscope::gui {

DiagnosticsPanel::DiagnosticsPanel(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), model_(new DiagnosticsModel(this)), list_(new QTreeView) {
  list_->setAccessibleName(tr("Problems"));
  list_->setModel(model_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(DiagnosticsModel::kMessage, QHeaderView::Stretch);
  list_->header()->resizeSection(DiagnosticsModel::kSeverity, 84);
  list_->header()->resizeSection(DiagnosticsModel::kPlace, 84);
  list_->header()->resizeSection(DiagnosticsModel::kCode, 200);
  TakeColors();
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(tr("Copy as Markdown"), list_);
  connect(copy, &QAction::triggered, this, [this] {
    if (list_->currentIndex().isValid()) {
      QGuiApplication::clipboard()->setText(model_->MarkdownOf(list_->currentIndex().row()));
    }
  });
  list_->addAction(copy);
  auto* column = new QVBoxLayout(this);
  column->addWidget(list_);
  connect(list_, &QTreeView::clicked, this, &DiagnosticsPanel::Follow);
  connect(list_, &QTreeView::activated, this, &DiagnosticsPanel::Follow);
  connect(selection_, &Selection::DocumentChanged, this, [this] { model_->SetDocument(selection_->document()); });
}

void DiagnosticsPanel::TakeColors() {
  const Theme theme = Theme::For(palette());
  model_->SetColors(theme.error, theme.warning);
}

void DiagnosticsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) TakeColors();
}

void DiagnosticsPanel::Follow(const QModelIndex& index) {
  const std::optional<SourceRange> range = model_->RangeAt(index.row());
  if (range.has_value()) selection_->RevealRange(*range);
}

}  // namespace hloscope::gui
