// SPDX-License-Identifier: Apache-2.0
#include "gui/models/computation_list_model.h"

#include <QFont>
#include <utility>

#include "gui/models/plurals.h"
#include "gui/models/text.h"

namespace hloscope::gui {

void ComputationListModel::SetDocument(std::shared_ptr<const Document> document) {
  beginResetModel();
  document_ = std::move(document);
  endResetModel();
}

ComputationId ComputationListModel::ComputationAt(int row) const {
  return row >= 0 && row < rowCount() ? ComputationId(static_cast<size_t>(row)) : ComputationId();
}

int ComputationListModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || document_ == nullptr) return 0;
  return static_cast<int>(document_->module().computations().size());
}

int ComputationListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant ComputationListModel::data(const QModelIndex& index, int role) const {
  const ComputationId id = ComputationAt(index.row());
  if (!index.isValid() || !id.has_value()) return {};
  const Module& module = document_->module();
  const Computation& computation = module.computation(id);
  const bool is_entry = id == module.entry();
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      if (index.column() == kInstructions) return static_cast<int>(computation.instructions.size());
      if (index.column() == kCallers) return static_cast<int>(document_->users().callers(id).size());
      return ToQString(module.ComputationName(id));
    case Qt::ToolTipRole:
      return QStringLiteral("%1%2\n%3, %4")
          .arg(ToQString(module.ComputationName(id)), is_entry ? tr(" (entry computation)") : QString(),
               tr("%n instruction(s)", nullptr, ForPlural(computation.instructions.size())),
               tr("called by %n", nullptr, ForPlural(document_->users().callers(id).size())));
    case Qt::FontRole:
      if (is_entry) {
        QFont bold;
        bold.setBold(true);
        return bold;
      }
      return {};
    case Qt::TextAlignmentRole:
      return index.column() == kName ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant ComputationListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case kName:
      return tr("Computation");
    case kInstructions:
      return tr("Size");
    case kCallers:
      return tr("Callers");
    default:
      return {};
  }
}

}  // namespace hloscope::gui
