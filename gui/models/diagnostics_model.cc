// SPDX-License-Identifier: Apache-2.0
#include "gui/models/diagnostics_model.h"

#include <QColor>
#include <string>
#include <utility>

#include "core/diagnostics/folding.h"
#include "gui/models/markdown.h"
#include "gui/models/text.h"

namespace hloscope::gui {

void DiagnosticsModel::SetDocument(std::shared_ptr<const Document> document) {
  beginResetModel();
  document_ = std::move(document);
  rows_.clear();
  error_count_ = warning_count_ = failure_count_ = 0;
  if (document_ != nullptr) {
    for (const FoldedDiagnostics& folded : FoldDiagnostics(document_->diagnostics())) {
      const Diagnostic& d = *folded.front();
      const int count = static_cast<int>(folded.size());
      if (d.severity == Severity::kError) error_count_ += count;
      if (d.severity == Severity::kWarning) warning_count_ += count;
      const std::string message = count == 1 ? d.Message() : FoldedMessage(document_->source(), folded);
      rows_.push_back({d.severity, false, ToQString(message), ToQString(d.code()), d.range});
      if (count > 1) continue;
      for (const RelatedLocation& related : d.related) {
        rows_.push_back({d.severity, true, ToQString(related.message), QString(), related.range});
      }
    }
  }
  endResetModel();
}

void DiagnosticsModel::AddFailure(const QString& message, std::optional<SourceRange> range) {
  beginInsertRows(QModelIndex(), 0, 0);
  rows_.insert(rows_.begin(), Row{Severity::kError, false, message, QString(), range});
  ++failure_count_;
  ++error_count_;
  endInsertRows();
}

void DiagnosticsModel::RemoveFailures() {
  if (failure_count_ == 0) return;
  beginRemoveRows(QModelIndex(), 0, failure_count_ - 1);
  rows_.erase(rows_.begin(), rows_.begin() + failure_count_);
  error_count_ -= std::exchange(failure_count_, 0);
  endRemoveRows();
}

std::optional<SourceRange> DiagnosticsModel::RangeAt(int row) const {
  if (row < 0 || row >= rowCount()) return std::nullopt;
  return rows_[static_cast<size_t>(row)].range;
}

void DiagnosticsModel::SetColors(const QColor& error, const QColor& warning) {
  error_ = error;
  warning_ = warning;
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, kSeverity), index(rowCount() - 1, kSeverity), {Qt::ForegroundRole});
}

QString DiagnosticsModel::MarkdownOf(int row) const {
  if (row < 0 || row >= rowCount()) return QString();
  const Row& of = rows_[static_cast<size_t>(row)];
  const QString severity = of.related ? tr("see") : ToQString(SeverityName(of.severity));
  if (document_ == nullptr || !of.range.has_value()) {
    return MarkdownOfProblem(*SourceText::FromString("", ""), severity, of.message, of.code, std::nullopt);
  }
  return MarkdownOfProblem(document_->source(), severity, of.message, of.code, of.range);
}

int DiagnosticsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int DiagnosticsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant DiagnosticsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  if (role == Qt::ToolTipRole) return row.message;
  if (role == Qt::ForegroundRole && index.column() == kSeverity && !row.related) {
    if (row.severity == Severity::kError) return error_;
    if (row.severity == Severity::kWarning) return warning_;
  }
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kSeverity:
      return row.related ? tr("see") : ToQString(SeverityName(row.severity));
    case kPlace: {
      if (!row.range.has_value() || document_ == nullptr) return QString();
      const LineColumn place = document_->source().LineColumnAt(row.range->begin, ColumnUnit::kUtf32);
      return QStringLiteral("%1:%2").arg(place.line + 1).arg(place.column + 1);
    }
    case kMessage:
      return row.related ? QStringLiteral("    ") + row.message : row.message;
    case kCode:
      return row.code;
    default:
      return {};
  }
}

QVariant DiagnosticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case kSeverity:
      return tr("Severity");
    case kPlace:
      return tr("Line");
    case kMessage:
      return tr("Message");
    case kCode:
      return tr("Code");
    default:
      return {};
  }
}

}  // namespace hloscope::gui
