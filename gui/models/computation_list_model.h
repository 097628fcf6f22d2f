// SPDX-License-Identifier: Apache-2.0
// The computations of a module as a table: name, instructions, callers.
#ifndef HLOSCOPE_GUI_MODELS_COMPUTATION_LIST_MODEL_H_
#define HLOSCOPE_GUI_MODELS_COMPUTATION_LIST_MODEL_H_

#include <QAbstractTableModel>
#include <memory>

#include "core/document/document.h"

namespace hloscope::gui {

class ComputationListModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kName, kInstructions, kCallers, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void SetDocument(std::shared_ptr<const Document> document);
  // Row r is computation r. None beyond the last row.
  ComputationId ComputationAt(int row) const;

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  // Qt::EditRole (used for sorting) gives numbers as numbers.
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const Document> document_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_COMPUTATION_LIST_MODEL_H_
