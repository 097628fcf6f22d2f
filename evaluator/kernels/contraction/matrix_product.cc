#include "evaluator/kernels/contraction/matrix_product.h"

#include <cstring>

#include "Eigen/Core"

namespace hloscope::evaluator {
namespace {

template <typename T, int kOrder>
using ConstMatrix =
    Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, kOrder>, Eigen::Unaligned, Eigen::OuterStride<>>;

// Calls `body` with the operand as an Eigen matrix of the storage order in which its elements are neighbours.
template <typename T, typename Body>
void WithMatrix(const numerics::MatrixView& view, int64_t rows, int64_t columns, Body&& body) {
  const T* data = reinterpret_cast<const T*>(view.data);
  if (columns <= 1 || view.column_stride == 1) {
    // A single column is a row-major matrix with rows of one element.
    body(ConstMatrix<T, Eigen::RowMajor>(data, rows, columns, Eigen::OuterStride<>(view.row_stride)));
  } else {
    body(ConstMatrix<T, Eigen::ColMajor>(data, rows, columns, Eigen::OuterStride<>(view.column_stride)));
  }
}

template <typename T>
void Multiply(const numerics::GemmSizes& sizes, const numerics::MatrixView& lhs, const numerics::MatrixView& rhs,
              uint8_t* result, int64_t stride, bool accumulate) {
  using Result = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Result, Eigen::Unaligned, Eigen::OuterStride<>> product(reinterpret_cast<T*>(result), sizes.rows,
                                                                     sizes.columns, Eigen::OuterStride<>(stride));
  WithMatrix<T>(lhs, sizes.rows, sizes.inner, [&](const auto& a) {
    WithMatrix<T>(rhs, sizes.inner, sizes.columns, [&](const auto& b) {
      if (accumulate) {
        product.noalias() += a * b;
      } else {
        product.noalias() = a * b;
      }
    });
  });
}

}  // namespace

void MultiplyMatrices(ElementType type, const numerics::GemmSizes& sizes, const numerics::MatrixView& lhs,
                      const numerics::MatrixView& rhs, uint8_t* result, int64_t result_row_stride, bool accumulate) {
  if (sizes.rows == 0 || sizes.columns == 0) return;
  if (sizes.inner == 0 && accumulate) return;
  if (sizes.inner == 0) {
    const size_t element_bytes = static_cast<size_t>(StorageBytes(type));
    for (int64_t row = 0; row < sizes.rows; ++row) {
      std::memset(result + static_cast<size_t>(row * result_row_stride) * element_bytes, 0,
                  static_cast<size_t>(sizes.columns) * element_bytes);
    }
    return;
  }
  numerics::VisitAccumulator(
      type, [&](auto zero) { Multiply<decltype(zero)>(sizes, lhs, rhs, result, result_row_stride, accumulate); });
}

}  // namespace hloscope::evaluator
