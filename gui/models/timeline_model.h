// SPDX-License-Identifier: Apache-2.0
// What the run has executed: how often each instruction ran, how long that took, how many bytes it made.
#ifndef HLOSCOPE_GUI_MODELS_TIMELINE_MODEL_H_
#define HLOSCOPE_GUI_MODELS_TIMELINE_MODEL_H_

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "core/document/document.h"
#include "evaluator/engine/inspection.h"
#include "evaluator/engine/non_finite.h"

namespace hloscope::gui {

class TimelineModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kInstruction, kRuns, kTime, kShare, kBytes, kColumnCount };
  // Values to sort by: numbers where the text is one with a unit.
  static constexpr int kSortRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;

  struct Row {
    InstructionId instruction;
    evaluator::InstructionStatistics statistics;
    evaluator::NonFinite health;
  };
  // `statistics` by instruction; those that never ran are left out. Rows are in the order of the text.
  void Show(std::shared_ptr<const Document> document, const std::vector<evaluator::InstructionStatistics>& statistics,
            const std::function<evaluator::NonFinite(InstructionId)>& health_of);
  const Row& RowAt(int row) const { return rows_[static_cast<size_t>(row)]; }
  double total_seconds() const { return total_seconds_; }

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const Document> document_;
  std::vector<Row> rows_;
  double total_seconds_ = 0;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TIMELINE_MODEL_H_
