// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/linear_algebra/matrix_factorizations.h"

#include <utility>

#include "Eigen/Dense"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"

namespace hloscope::evaluator {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

DimensionVector BatchSizes(const Tensor& matrices, std::initializer_list<int64_t> tail) {
  DimensionVector sizes(matrices.dimensions().begin(), matrices.dimensions().end() - 2);
  sizes.insert(sizes.end(), tail);
  return sizes;
}

// f64 or c128.
ElementType WideType(ElementType type) { return IsComplex(type) ? ElementType::kC128 : ElementType::kF64; }

template <typename Body>
auto VisitWideType(ElementType type, Body&& body) {
  return IsComplex(type) ? body(std::complex<double>()) : body(double{});
}

double Work(const MatrixBatch& batch) {
  const double n = static_cast<double>(std::max(batch.rows, batch.columns));
  return 20 * n * n * n + 1000;
}

}  // namespace

absl::StatusOr<EigenDecomposition> SelfAdjointEigen(const Tensor& matrices, bool lower, KernelRuntime& runtime) {
  const ElementType type = matrices.element_type();
  const MatrixBatch batch = MatrixBatchOf(matrices);
  if (batch.rows != batch.columns) return absl::InvalidArgumentError("eigenvalues: the matrix must be square");
  return VisitWideType(type, [&](auto zero) -> absl::StatusOr<EigenDecomposition> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> a = DenseMatrices<T>(matrices, runtime);
    if (!a.ok()) return a.status();
    absl::StatusOr<Tensor> vectors = Tensor::Allocate(WideType(type), matrices.dimensions());
    if (!vectors.ok()) return vectors.status();
    absl::StatusOr<Tensor> values = Tensor::Allocate(ElementType::kF64, BatchSizes(matrices, {batch.rows}));
    if (!values.ok()) return values.status();
    EigenDecomposition result;
    result.info.assign(static_cast<size_t>(batch.count), 0);
    T* const vector_data = vectors->mutable_data_as<T>();
    double* const value_data = values->mutable_data_as<double>();
    const int64_t n = batch.rows;
    absl::Status status = ParallelLoop(runtime, n == 0 ? 0 : batch.count, Work(batch), [&](int64_t begin, int64_t end) {
      for (int64_t member = begin; member < end; ++member) {
        Matrix<T> full = Eigen::Map<const Matrix<T>>(a->data_as<T>() + member * n * n, n, n);
        // The solver reads the lower triangle.
        if (!lower) full = full.adjoint().eval();
        const Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(full);
        result.info[static_cast<size_t>(member)] = solver.info() == Eigen::Success ? 0 : 1;
        Eigen::Map<Matrix<T>>(vector_data + member * n * n, n, n) = solver.eigenvectors();
        Eigen::Map<Eigen::VectorXd>(value_data + member * n, n) = solver.eigenvalues();
      }
    });
    if (!status.ok()) return status;
    vectors = ConvertElements(*vectors, type, runtime);
    if (!vectors.ok()) return vectors.status();
    values = ConvertElements(*values, ComplexComponent(type), runtime);
    if (!values.ok()) return values.status();
    result.vectors = *std::move(vectors);
    result.values = *std::move(values);
    return result;
  });
}

absl::StatusOr<SingularValueDecomposition> SingularValues(const Tensor& matrices, bool full, KernelRuntime& runtime) {
  const ElementType type = matrices.element_type();
  const MatrixBatch batch = MatrixBatchOf(matrices);
  const int64_t order = std::min(batch.rows, batch.columns);
  const int64_t left_columns = full ? batch.rows : order, right_rows = full ? batch.columns : order;
  return VisitWideType(type, [&](auto zero) -> absl::StatusOr<SingularValueDecomposition> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> a = DenseMatrices<T>(matrices, runtime);
    if (!a.ok()) return a.status();
    absl::StatusOr<Tensor> values = Tensor::Allocate(ElementType::kF64, BatchSizes(matrices, {order}));
    if (!values.ok()) return values.status();
    absl::StatusOr<Tensor> left = ZeroTensor(WideType(type), BatchSizes(matrices, {batch.rows, left_columns}), runtime);
    if (!left.ok()) return left.status();
    absl::StatusOr<Tensor> right =
        ZeroTensor(WideType(type), BatchSizes(matrices, {right_rows, batch.columns}), runtime);
    if (!right.ok()) return right.status();
    double* const value_data = values->mutable_data_as<double>();
    T* const left_data = left->mutable_data_as<T>();
    T* const right_data = right->mutable_data_as<T>();
    absl::Status status =
        ParallelLoop(runtime, order == 0 ? 0 : batch.count, Work(batch), [&](int64_t begin, int64_t end) {
          for (int64_t member = begin; member < end; ++member) {
            using ColumnMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
            const ColumnMajor x =
                Eigen::Map<const Matrix<T>>(a->data_as<T>() + member * batch.size(), batch.rows, batch.columns);
            const unsigned options =
                full ? Eigen::ComputeFullU | Eigen::ComputeFullV : Eigen::ComputeThinU | Eigen::ComputeThinV;
            const Eigen::JacobiSVD<ColumnMajor> svd(x, options);
            Eigen::Map<Eigen::VectorXd>(value_data + member * order, order) = svd.singularValues();
            Eigen::Map<Matrix<T>>(left_data + member * batch.rows * left_columns, batch.rows, left_columns) =
                svd.matrixU();
            Eigen::Map<Matrix<T>>(right_data + member * right_rows * batch.columns, right_rows, batch.columns) =
                svd.matrixV().adjoint();
          }
        });
    if (!status.ok()) return status;
    SingularValueDecomposition result;
    values = ConvertElements(*values, ComplexComponent(type), runtime);
    left = ConvertElements(*left, type, runtime);
    right = ConvertElements(*right, type, runtime);
    if (!values.ok()) return values.status();
    if (!left.ok()) return left.status();
    if (!right.ok()) return right.status();
    result.values = *std::move(values);
    result.left = *std::move(left);
    result.right_adjoint = *std::move(right);
    return result;
  });
}

}  // namespace hloscope::evaluator
