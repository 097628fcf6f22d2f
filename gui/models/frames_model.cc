// SPDX-License-Identifier: Apache-2.0
#include "gui/models/frames_model.h"

#include <utility>

#include "gui/models/text.h"

namespace hloscope::gui {

namespace {

// What the frame's computation is for its caller: "body 3".
QString RoleOf(const evaluator::Frame& frame) {
  switch (frame.kind) {
    case evaluator::FrameKind::kEntry:
      return FramesModel::tr("entry");
    case evaluator::FrameKind::kCall:
      return FramesModel::tr("call");
    case evaluator::FrameKind::kFusion:
      return FramesModel::tr("fusion");
    case evaluator::FrameKind::kCondition:
      return FramesModel::tr("condition %1").arg(frame.iteration);
    case evaluator::FrameKind::kBody:
      return FramesModel::tr("body %1").arg(frame.iteration);
    case evaluator::FrameKind::kBranch:
      return FramesModel::tr("branch %1").arg(frame.branch);
    case evaluator::FrameKind::kApplied:
      return QStringLiteral("element");
    case evaluator::FrameKind::kAsync:
      return FramesModel::tr("async");
  }
  return QString();
}

}  // namespace

void FramesModel::SetFrames(std::shared_ptr<const Document> document, std::vector<evaluator::Frame> frames) {
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
  const evaluator::Frame& frame = FrameAt(index.row());
  const Module& module = document_->module();
  switch (index.column()) {
    case kComputation:
      return ToQString(module.ComputationName(frame.computation));
    case kCurrent:
      return frame.current.has_value() ? ToQString(module.InstructionName(frame.current)) : tr("(finished)");
    case kRole:
      return RoleOf(frame);
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
    case kRole:
      return tr("Role");
    default:
      return {};
  }
}

}  // namespace hloscope::gui
