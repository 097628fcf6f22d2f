// SPDX-License-Identifier: Apache-2.0
// The active computations of a run, innermost first.
#ifndef HLOSCOPE_GUI_MODELS_FRAMES_MODEL_H_
#define HLOSCOPE_GUI_MODELS_FRAMES_MODEL_H_

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "core/document/document.h"
#include "evaluator/engine/frame.h"

namespace hloscope::gui {

class FramesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kComputation, kCurrent, kRole, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  // `frames` as Inspection::frames(): innermost last.
  void SetFrames(std::shared_ptr<const Document> document, std::vector<evaluator::Frame> frames);
  // Row 0 is the innermost frame. Requires a valid row.
  const evaluator::Frame& FrameAt(int row) const { return frames_[frames_.size() - 1 - static_cast<size_t>(row)]; }

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const Document> document_;
  std::vector<evaluator::Frame> frames_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_FRAMES_MODEL_H_
