// A two-dimensional window into a tensor: the last two dimensions as rows and columns, the others fixed by an index.
// Elements are read when they are shown.
#ifndef HLOSCOPE_GUI_MODELS_TENSOR_MODEL_H_
#define HLOSCOPE_GUI_MODELS_TENSOR_MODEL_H_

#include <QAbstractTableModel>
#include <cstdint>

#include "evaluator/tensor/tensor.h"

namespace hloscope {

class TensorModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  // Views keep something for every row and column, so huge dimensions are shown a page at a time.
  static constexpr int64_t kMaxRows = 4096;
  static constexpr int64_t kMaxColumns = 512;

  using QAbstractTableModel::QAbstractTableModel;

  // Shows the slice with leading index 0. A tensor without buffer shows nothing.
  void SetTensor(Tensor tensor);
  const Tensor& tensor() const { return tensor_; }
  // Number of dimensions fixed by the index: rank - 2, at least 0.
  int64_t leading_rank() const;
  // Clamped to the tensor's bounds. Requires index.size() == leading_rank().
  void SetLeadingIndex(const DimensionVector& index);
  // First row and column shown. Clamped.
  void SetOrigin(int64_t row, int64_t column);
  int64_t first_row() const { return first_row_; }
  int64_t first_column() const { return first_column_; }
  // Sizes of the slice, of which rowCount() x columnCount() are shown. A vector is one column; a scalar is 1 x 1.
  int64_t total_rows() const;
  int64_t total_columns() const;

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  // Multi-index of a cell.
  DimensionVector IndexOf(int64_t row, int64_t column) const;
  bool empty() const { return !tensor_.has_buffer() || tensor_.element_count() == 0; }

  Tensor tensor_;
  DimensionVector leading_;
  int64_t first_row_ = 0, first_column_ = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_MODELS_TENSOR_MODEL_H_
