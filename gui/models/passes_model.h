// SPDX-License-Identifier: Apache-2.0
// The stages of a dumped module as a table: what each pass took and changed.
#ifndef HLOSCOPE_GUI_MODELS_PASSES_MODEL_H_
#define HLOSCOPE_GUI_MODELS_PASSES_MODEL_H_

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <optional>
#include <string>
#include <vector>

#include "insight/passes/stage_changes.h"
#include "insight/passes/stages.h"

namespace hloscope::gui {

class PassesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kStage, kPass, kTime, kAdded, kRemoved, kModified, kInstructions, kFlop, kMoved, kPeak, kColumnCount };
  // Values to sort by: numbers where the text is one with a unit.
  static constexpr int kSortRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;

  // One row each. What they changed is not known yet.
  void SetStages(std::vector<insight::Stage> stages);
  // One for each stage.
  void SetChanges(std::vector<insight::StageChange> changes);
  const std::vector<insight::Stage>& stages() const { return stages_; }
  // Empty until it is known.
  const std::vector<insight::StageChange>& changes() const { return changes_; }
  // The last stage before this one that could be read.
  std::optional<size_t> StageBefore(size_t stage) const;
  // Whether there is something to see: the first stage, what changed, what could not be read. True until it is known.
  bool IsNotable(size_t stage) const;

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString ToolTip(size_t stage) const;

  std::vector<insight::Stage> stages_;
  std::vector<insight::StageChange> changes_;
};

// Without the stages that changed nothing, or only those of which a pass, a pipeline or a changed instruction has a
// text in its name.
class NotablePasses : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  NotablePasses(PassesModel* model, QObject* parent);

  void SetSearch(const QString& text);
  void SetUnchangedShown(bool shown);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  PassesModel* model_;
  std::string search_;
  bool unchanged_shown_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_PASSES_MODEL_H_
