#include "gui/models/tensor_model.h"

#include <QColor>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/print/number_printer.h"
#include "evaluator/tensor/summary.h"
#include "gui/models/text.h"

namespace hloscope {

void TensorModel::SetTensor(Tensor tensor) {
  beginResetModel();
  tensor_ = std::move(tensor);
  leading_.assign(static_cast<size_t>(leading_rank()), 0);
  first_row_ = first_column_ = 0;
  endResetModel();
}

int64_t TensorModel::leading_rank() const { return std::max<int64_t>(tensor_.rank() - 2, 0); }

void TensorModel::SetLeadingIndex(const DimensionVector& index) {
  beginResetModel();
  leading_ = index;
  for (size_t i = 0; i < leading_.size(); ++i) {
    leading_[i] =
        std::clamp<int64_t>(leading_[i], 0, std::max<int64_t>(tensor_.dimension(static_cast<int64_t>(i)) - 1, 0));
  }
  endResetModel();
}

void TensorModel::SetOrigin(int64_t row, int64_t column) {
  beginResetModel();
  first_row_ = std::clamp<int64_t>(row, 0, std::max<int64_t>(total_rows() - 1, 0));
  first_column_ = std::clamp<int64_t>(column, 0, std::max<int64_t>(total_columns() - 1, 0));
  endResetModel();
}

int64_t TensorModel::total_rows() const {
  if (empty()) return 0;
  const int64_t rank = tensor_.rank();
  return rank == 0 ? 1 : rank == 1 ? tensor_.dimension(0) : tensor_.dimension(rank - 2);
}

int64_t TensorModel::total_columns() const {
  if (empty()) return 0;
  return tensor_.rank() < 2 ? 1 : tensor_.dimension(tensor_.rank() - 1);
}

int TensorModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(std::min(kMaxRows, total_rows() - first_row_));
}

int TensorModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(std::min(kMaxColumns, total_columns() - first_column_));
}

DimensionVector TensorModel::IndexOf(int64_t row, int64_t column) const {
  DimensionVector index = leading_;
  if (tensor_.rank() >= 1) index.push_back(row);
  if (tensor_.rank() >= 2) index.push_back(column);
  return index;
}

QVariant TensorModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || empty()) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::ForegroundRole) return {};
  const DimensionVector at = IndexOf(first_row_ + index.row(), first_column_ + index.column());
  const uint8_t* element = tensor_.At(at);
  if (role == Qt::ForegroundRole) {
    const ElementType type = tensor_.element_type();
    if ((IsFloat(type) || IsComplex(type)) && !std::isfinite(ElementAsDouble(type, element))) {
      return QColor(0xd0, 0x3a, 0x3a);
    }
    return {};
  }
  std::string text;
  AppendElement(tensor_.element_type(), element, &text);
  if (role == Qt::DisplayRole) return ToQString(text);
  QStringList place;
  for (int64_t i : at) place << QString::number(i);
  return QStringLiteral("[%1] = %2").arg(place.join(QStringLiteral(", ")), ToQString(text));
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || empty()) return {};
  if (orientation == Qt::Vertical) return tensor_.rank() == 0 ? QVariant() : QVariant(qlonglong(first_row_ + section));
  return tensor_.rank() < 2 ? QVariant(tr("value")) : QVariant(qlonglong(first_column_ + section));
}

}  // namespace hloscope
