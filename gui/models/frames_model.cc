#include "gui/models/frames_model.h"

#include <utility>

#include "gui/models/text.h"

namespace hloscope {

void FramesModel::SetFrames(std::shared_ptr<const Document> document, std::vector<Frame> frames) {
  beginResetModel();
  document_ = std::move(document);
  frames_ = std::move(frames);
  endResetModel();
}

int FramesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(frames_.size());
}

int FramesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant FramesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
  const Frame& frame = FrameAt(index.row());
  const Module& module = document_->module();
  switch (index.column()) {
    case kComputation:
      return ToQString(module.ComputationName(frame.computation));
    case kCurrent:
      return frame.current.has_value() ? ToQString(module.InstructionName(frame.current)) : tr("(finished)");
    case kIteration:
      return frame.iteration >= 0 ? QString::number(frame.iteration) : QString();
    default:
      return {};
  }
}

QVariant FramesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case kComputation:
      return tr("Computation");
    case kCurrent:
      return tr("Next");
    case kIteration:
      return tr("Iteration");
    default:
      return {};
  }
}

}  // namespace hloscope
