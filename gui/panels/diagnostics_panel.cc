#include "gui/panels/diagnostics_panel.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "gui/panels/row_delegate.h"

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
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 6);
  column->addWidget(list_);
  connect(list_, &QTreeView::clicked, this, &DiagnosticsPanel::Follow);
  connect(list_, &QTreeView::activated, this, &DiagnosticsPanel::Follow);
  connect(selection_, &Selection::DocumentChanged, this, [this] { model_->SetDocument(selection_->document()); });
}

void DiagnosticsPanel::Follow(const QModelIndex& index) {
  const std::optional<SourceRange> range = model_->RangeAt(index.row());
  if (range.has_value()) selection_->RevealRange(*range);
}

}  // namespace hloscope::gui
