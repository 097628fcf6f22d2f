// SPDX-License-Identifier: Apache-2.0
// A slice of an array, or of the difference of two, as a table. Elements are read when they are shown.
#ifndef HLOSCOPE_GUI_MODELS_TENSOR_MODEL_H_
#define HLOSCOPE_GUI_MODELS_TENSOR_MODEL_H_

#include <QAbstractTableModel>
#include <cstdint>
#include <memory>

#include "evaluator/tensor/tensor.h"
#include "gui/models/element_reader.h"
#include "gui/models/tensor_slice.h"

namespace hloscope::gui {

class TensorModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  // Views keep something for every row and column, so huge dimensions are shown a page at a time.
  static constexpr int64_t kMaxRows = 4096;
  static constexpr int64_t kMaxColumns = 512;

  using QAbstractTableModel::QAbstractTableModel;

  // Shows the first slice of the last two dimensions. A tensor without buffer shows nothing.
  void SetTensor(const evaluator::Tensor& tensor);
  // Requires a slice of the reader's dimensions. Null shows nothing.
  void SetSource(std::shared_ptr<const ElementReader> reader, TensorSlice slice);
  const TensorSlice& slice() const { return slice_; }
  // First row and column shown. Clamped.
  // Elements of a block as text, columns between tabs and a line a row; at most kMostCopied of them.
  static constexpr int64_t kMostCopied = 1'000'000;
  QString BlockText(int first_row, int first_column, int rows, int columns) const;
  void SetOrigin(int64_t row, int64_t column);
  int64_t first_row() const { return first_row_; }
  int64_t first_column() const { return first_column_; }
  // Sizes of the slice, of which rowCount() x columnCount() are shown. A vector is one column; a scalar is 1 x 1.
  int64_t total_rows() const { return slice_.rows(); }
  int64_t total_columns() const { return slice_.columns(); }

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const ElementReader> reader_;
  TensorSlice slice_;
  int64_t first_row_ = 0, first_column_ = 0;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TENSOR_MODEL_H_
