// SPDX-License-Identifier: Apache-2.0
#include "gui/models/tensor_model.h"

#include <QColor>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gui/models/text.h"

namespace hloscope::gui {

void TensorModel::SetTensor(const evaluator::Tensor& tensor) {
  if (!tensor.has_buffer()) {
    SetSource(nullptr, TensorSlice(std::array{int64_t{0}}));
    return;
  }
  SetSource(ReaderOf(tensor), TensorSlice(tensor.dimensions()));
}

void TensorModel::SetSource(std::shared_ptr<const ElementReader> reader, TensorSlice slice) {
  beginResetModel();
  const bool same_sizes = slice.rows() == slice_.rows() && slice.columns() == slice_.columns();
  reader_ = std::move(reader);
  slice_ = reader_ != nullptr ? std::move(slice) : TensorSlice(std::array{int64_t{0}});
  if (!same_sizes) first_row_ = first_column_ = 0;
  endResetModel();
}

void TensorModel::SetOrigin(int64_t row, int64_t column) {
  beginResetModel();
  first_row_ = std::clamp<int64_t>(row, 0, std::max<int64_t>(total_rows() - 1, 0));
  first_column_ = std::clamp<int64_t>(column, 0, std::max<int64_t>(total_columns() - 1, 0));
  endResetModel();
}

int TensorModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || reader_ == nullptr) return 0;
  return static_cast<int>(std::min(kMaxRows, total_rows() - first_row_));
}

int TensorModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid() || reader_ == nullptr) return 0;
  return static_cast<int>(std::min(kMaxColumns, total_columns() - first_column_));
}

QString TensorModel::BlockText(int first_row, int first_column, int rows, int columns) const {
  QString text;
  if (reader_ == nullptr || columns <= 0) return text;
  const int64_t most = std::min<int64_t>(rows, std::max<int64_t>(1, kMostCopied / columns));
  for (int64_t row = 0; row < most; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      if (column > 0) text += QLatin1Char('\t');
      const evaluator::DimensionVector at =
          slice_.IndexOf({first_row_ + first_row + row, first_column_ + first_column + column});
      text += ToQString(reader_->TextOf(at));
    }
    text += QLatin1Char('\n');
  }
  return text;
}

QVariant TensorModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || reader_ == nullptr) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::ForegroundRole && role != Qt::BackgroundRole) {
    return {};
  }
  const evaluator::DimensionVector at = slice_.IndexOf({first_row_ + index.row(), first_column_ + index.column()});
  if (role == Qt::ForegroundRole) {
    double number = 0;
    reader_->Read(at, TensorSlice::kNoAxis, 1, &number);
    // On a ground of its own colour it stands out in both themes.
    if (!std::isfinite(number)) return QColor(Qt::white);
    return {};
  }
  if (role == Qt::BackgroundRole) {
    double number = 0;
    reader_->Read(at, TensorSlice::kNoAxis, 1, &number);
    if (std::isnan(number)) return QColor(0xb0, 0x20, 0x30);
    if (std::isinf(number)) return QColor(0x9a, 0x4e, 0x00);
    return {};
  }
  const QString text = ToQString(reader_->TextOf(at));
  if (role == Qt::DisplayRole) return text;
  QStringList place;
  for (int64_t i : at) place << QString::number(i);
  return QStringLiteral("[%1] = %2").arg(place.join(QStringLiteral(", ")), text);
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || reader_ == nullptr) return {};
  const bool vertical = orientation == Qt::Vertical;
  if ((vertical ? slice_.row_axis() : slice_.column_axis()) == TensorSlice::kNoAxis) {
    return vertical ? QVariant() : QVariant(tr("value"));
  }
  return qlonglong((vertical ? first_row_ : first_column_) + section);
}

}  // namespace hloscope::gui
