// SPDX-License-Identifier: Apache-2.0
#include "gui/models/timeline_model.h"

#include <QBrush>
#include <QColor>

#include "gui/models/text.h"

namespace hloscope::gui {
void TimelineModel::Show(std::shared_ptr<const Document> document,
                         const std::vector<evaluator::InstructionStatistics>& statistics,
                         const std::function<evaluator::NonFinite(InstructionId)>& health_of) {
  beginResetModel();
  document_ = std::move(document);
  rows_.clear();
  total_seconds_ = 0;
  for (size_t i = 0; document_ != nullptr && i < statistics.size(); ++i) {
    if (statistics[i].runs == 0 || i >= document_->module().instruction_count()) continue;
    rows_.push_back({InstructionId(i), statistics[i], health_of(InstructionId(i))});
    total_seconds_ += statistics[i].seconds;
  }
  endResetModel();
}

int TimelineModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TimelineModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant TimelineModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return QVariant();
  const Row& row = RowAt(index.row());
  const double share = total_seconds_ > 0 ? row.statistics.seconds / total_seconds_ : 0;
  if (role == Qt::ForegroundRole && (row.health.nan || row.health.infinity)) return QBrush(QColor(0xd0, 0x38, 0x38));
  if (role == Qt::ToolTipRole && (row.health.nan || row.health.infinity)) {
    return row.health.nan ? tr("The value holds a NaN") : tr("The value holds an infinity");
  }
  if (role == Qt::TextAlignmentRole && index.column() != kInstruction) {
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole && role != kSortRole) return QVariant();
  const bool sort = role == kSortRole;
  switch (index.column()) {
    case kInstruction: {
      QString name = ToQString(document_->module().InstructionName(row.instruction));
      if (sort) return row.instruction.value;
      if (row.health.nan) name += QStringLiteral("  NaN");
      if (row.health.infinity) name += QStringLiteral("  Inf");
      return name;
    }
    case kRuns:
      return sort ? QVariant(static_cast<qlonglong>(row.statistics.runs)) : FormatCount(row.statistics.runs);
    case kTime:
      return sort ? QVariant(row.statistics.seconds) : FormatSeconds(row.statistics.seconds);
    case kShare:
      return sort ? QVariant(share) : QStringLiteral("%1 %").arg(share * 100, 0, 'f', 1);
    case kBytes:
      return sort ? QVariant(static_cast<qlonglong>(row.statistics.output_bytes))
                  : FormatBytes(row.statistics.output_bytes);
  }
  return QVariant();
}

QVariant TimelineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return QVariant();
  const QString titles[] = {tr("Instruction"), tr("Runs"), tr("Time"), tr("Share"), tr("Bytes")};
  return titles[section];
}

}  // namespace hloscope::gui
