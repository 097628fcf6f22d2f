// SPDX-License-Identifier: Apache-2.0
// Custom calls of linear algebra libraries (docs/ops/control.md 3.4): factorisations in LAPACK's packed
// forms.
#include <algorithm>
#include <array>
#include <complex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/custom_calls/custom_call_registry.h"
#include "evaluator/kernels/custom_calls/custom_call_support.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/linear_algebra/matrix_algorithms.h"
#include "evaluator/kernels/linear_algebra/matrix_batch.h"
#include "evaluator/kernels/linear_algebra/matrix_factorizations.h"
#include "evaluator/tensor/memory_charge.h"

namespace hloscope::evaluator {
namespace {

// Sizes of the batch, followed by `tail`.
DimensionVector BatchSizes(const Tensor& matrices, std::initializer_list<int64_t> tail) {
  DimensionVector sizes(matrices.dimensions().begin(), matrices.dimensions().end() - 2);
  sizes.insert(sizes.end(), tail);
  return sizes;
}

// `info` of every member of the batch.
absl::StatusOr<Tensor> Info(const Tensor& matrices, const std::vector<int32_t>& info) {
  absl::StatusOr<Tensor> tensor = Tensor::Allocate(ElementType::kS32, BatchSizes(matrices, {}));
  if (tensor.ok()) std::copy(info.begin(), info.end(), tensor->mutable_data_as<int32_t>());
  return tensor;
}

// Runs `body(member)` for every member of the batch; each costs about `products` multiply-adds.
template <typename Body>
absl::Status ForEachMember(const KernelContext& context, int64_t count, double products, const Body& body) {
  return ParallelLoop(context.runtime, count, 50 + products, [&](int64_t begin, int64_t end) {
    for (int64_t member = begin; member < end; ++member) body(member);
  });
}

double Cube(const MatrixBatch& batch) {
  const double n = static_cast<double>(std::max(batch.rows, batch.columns));
  return n * n * n;
}

absl::StatusOr<Value> Finished(const KernelContext& context, std::vector<absl::StatusOr<Tensor>> tensors) {
  std::vector<Value> results;
  for (absl::StatusOr<Tensor>& tensor : tensors) {
    if (!tensor.ok()) return tensor.status();
    results.emplace_back(*std::move(tensor));
  }
  return CustomCallResult(context, std::move(results));
}

// A -> (packed LU, pivots, info) with 1-based pivots, or (packed LU, 0-based pivots, permutation) for LuDecomposition.
absl::StatusOr<Value> EvaluateLu(const KernelContext& context) {
  if (absl::Status s = CheckMatrixOperand(context, 0); !s.ok()) return s;
  const bool is_expander = CustomCallTarget(context) == "LuDecomposition";
  const ElementType type = context.tensor(0).element_type();
  return VisitMatrixType(type, [&](auto zero) -> absl::StatusOr<Value> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> a = DenseMatrices<T>(context.tensor(0), context.runtime);
    absl::StatusOr<Tensor> packed = a.ok() ? CopyOfElements(*a, context.runtime) : a;
    if (!packed.ok()) return packed.status();
    const MatrixBatch batch = MatrixBatchOf(*packed);
    const int64_t order = std::min(batch.rows, batch.columns);
    absl::StatusOr<Tensor> pivots = Tensor::Allocate(ElementType::kS32, BatchSizes(*packed, {order}));
    if (!pivots.ok()) return pivots.status();
    absl::StatusOr<Tensor> permutation = Tensor::Allocate(ElementType::kS32, BatchSizes(*packed, {batch.rows}));
    if (!permutation.ok()) return permutation.status();
    // Matrices may be empty, and very many.
    MemoryCharge charge;
    if (absl::Status s = charge.Resize(batch.count * static_cast<int64_t>(sizeof(int32_t))); !s.ok()) return s;
    std::vector<int32_t> info(static_cast<size_t>(batch.count));
    T* const matrices = packed->mutable_data_as<T>();
    int32_t* const pivot_data = pivots->mutable_data_as<int32_t>();
    int32_t* const permutation_data = permutation->mutable_data_as<int32_t>();
    absl::Status status = ForEachMember(context, batch.count, Cube(batch), [&](int64_t member) {
      int32_t* const exchanges = pivot_data + member * order;
      info[static_cast<size_t>(member)] =
          FactorLu(matrices + member * batch.size(), batch.rows, batch.columns, exchanges);
      int32_t* const rows = permutation_data + member * batch.rows;
      for (int64_t i = 0; i < batch.rows; ++i) rows[i] = static_cast<int32_t>(i);
      for (int64_t i = 0; i < order; ++i) {
        std::swap(rows[i], rows[exchanges[i]]);
        if (!is_expander) ++exchanges[i];
      }
    });
    if (!status.ok()) return status;
    return Finished(context, {ConvertElements(*packed, type, context.runtime), pivots,
                              is_expander ? permutation : Info(*packed, info)});
  });
}

// A -> (packed QR, taus[, info]).
absl::StatusOr<Value> EvaluateQr(const KernelContext& context) {
  if (absl::Status s = CheckMatrixOperand(context, 0); !s.ok()) return s;
  const ElementType type = context.tensor(0).element_type();
  return VisitMatrixType(type, [&](auto zero) -> absl::StatusOr<Value> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> a = DenseMatrices<T>(context.tensor(0), context.runtime);
    absl::StatusOr<Tensor> packed = a.ok() ? CopyOfElements(*a, context.runtime) : a;
    if (!packed.ok()) return packed.status();
    const MatrixBatch batch = MatrixBatchOf(*packed);
    const int64_t order = std::min(batch.rows, batch.columns);
    absl::StatusOr<Tensor> taus = Tensor::Allocate(MatrixElementType<T>(), BatchSizes(*packed, {order}));
    if (!taus.ok()) return taus.status();
    T* const matrices = packed->mutable_data_as<T>();
    T* const tau_data = taus->mutable_data_as<T>();
    absl::Status status = ForEachMember(context, batch.count, Cube(batch), [&](int64_t member) {
      FactorQr(matrices + member * batch.size(), batch.rows, batch.columns, tau_data + member * order);
    });
    if (!status.ok()) return status;
    return Finished(context,
                    {ConvertElements(*packed, type, context.runtime), ConvertElements(*taus, type, context.runtime)});
  });
}

// (packed reflectors, taus) -> the first columns of their product.
absl::StatusOr<Value> EvaluateReflectorProduct(const KernelContext& context) {
  if (absl::Status s = CheckMatrixOperand(context, 0); !s.ok()) return s;
  if (absl::Status s = CheckArrayOperands(context, 2); !s.ok()) return s;
  const Tensor& reflectors = context.tensor(0);
  const Tensor& factors = context.tensor(1);
  const int64_t count = factors.rank() > 0 ? factors.dimension(factors.rank() - 1) : 0;
  const MatrixBatch batch = MatrixBatchOf(reflectors);
  if (factors.dimensions() != absl::Span<const int64_t>(BatchSizes(reflectors, {count})) ||
      factors.element_type() != reflectors.element_type() || count > batch.columns || batch.columns > batch.rows) {
    return CustomCallError(context, "operand 1 must hold one factor for each reflector of operand 0");
  }
  return VisitMatrixType(reflectors.element_type(), [&](auto zero) -> absl::StatusOr<Value> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> packed = DenseMatrices<T>(reflectors, context.runtime);
    if (!packed.ok()) return packed.status();
    absl::StatusOr<Tensor> taus = DenseMatrices<T>(factors, context.runtime);
    if (!taus.ok()) return taus.status();
    absl::StatusOr<Tensor> q = Tensor::Allocate(MatrixElementType<T>(), reflectors.dimensions());
    if (!q.ok()) return q.status();
    T* const out = q->mutable_data_as<T>();
    absl::Status status = ForEachMember(context, batch.count, Cube(batch), [&](int64_t member) {
      MultiplyReflectors(packed->data_as<T>() + member * batch.size(), taus->data_as<T>() + member * count, batch.rows,
                         batch.columns, count, out + member * batch.size());
    });
    if (!status.ok()) return status;
    return Finished(context, {ConvertElements(*q, reflectors.element_type(), context.runtime)});
  });
}

// True if the call reads the lower triangle, as it does by default: uplo is the code of 'L', or lower is true.
bool UsesLowerTriangle(const KernelContext& context) {
  if (const std::optional<absl::string_view> lower = BackendConfigValue(context, "lower")) return *lower != "false";
  return BackendConfigInt(context, "uplo").value_or('L') == 'L';
}

// A -> (A with its triangle replaced by the factor, info).
absl::StatusOr<Value> EvaluatePotrf(const KernelContext& context) {
  if (absl::Status s = CheckMatrixOperand(context, 0); !s.ok()) return s;
  const ElementType type = context.tensor(0).element_type();
  const bool lower = UsesLowerTriangle(context);
  return VisitMatrixType(type, [&](auto zero) -> absl::StatusOr<Value> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> a = DenseMatrices<T>(context.tensor(0), context.runtime);
    if (!a.ok()) return a.status();
    const MatrixBatch batch = MatrixBatchOf(*a);
    if (batch.rows != batch.columns) return CustomCallError(context, "the matrix must be square");
    absl::StatusOr<Tensor> factor = Cholesky(*a, lower, context.runtime);
    if (!factor.ok()) return factor.status();
    absl::StatusOr<Tensor> result = factor->Copy();
    if (!result.ok()) return result.status();
    // Matrices may be empty, and very many.
    MemoryCharge charge;
    if (absl::Status s = charge.Resize(batch.count * static_cast<int64_t>(sizeof(int32_t))); !s.ok()) return s;
    std::vector<int32_t> info(static_cast<size_t>(batch.count), 0);
    T* const out = result->mutable_data_as<T>();
    for (int64_t member = 0; member < batch.count; ++member) {
      const T* const from = a->data_as<T>() + member * batch.size();
      T* const to = out + member * batch.size();
      if (batch.rows > 0 && to[0] != to[0]) info[static_cast<size_t>(member)] = 1;
      for (int64_t i = 0; i < batch.rows; ++i) {
        for (int64_t j = 0; j < batch.rows; ++j) {
          if (lower ? j > i : j < i) to[i * batch.rows + j] = from[i * batch.rows + j];
        }
      }
    }
    return Finished(context, {ConvertElements(*result, type, context.runtime), Info(*a, info)});
  });
}

// A -> (eigenvectors in columns, ascending eigenvalues[, info]).
absl::StatusOr<Value> EvaluateEigh(const KernelContext& context) {
  if (absl::Status s = CheckMatrixOperand(context, 0); !s.ok()) return s;
  bool lower = UsesLowerTriangle(context);
  const RawValue* config = context.module.RawAttribute(context.id, AttributeKind::kBackendConfig);
  const bool is_expander = CustomCallTarget(context) == "Eigh";
  // "lower,sort,max_iter,tol"
  if (is_expander && config != nullptr) lower = !absl::StartsWith(config->text, "0");
  absl::StatusOr<EigenDecomposition> eigen = SelfAdjointEigen(context.tensor(0), lower, context.runtime);
  if (!eigen.ok()) return eigen.status();
  std::vector<absl::StatusOr<Tensor>> results = {eigen->vectors, eigen->values};
  if (!is_expander) results.push_back(Info(context.tensor(0), eigen->info));
  return Finished(context, std::move(results));
}

absl::StatusOr<Tensor> Adjoint(const KernelContext& context, const Tensor& matrices) {
  return VisitMatrixType(matrices.element_type(), [&](auto zero) -> absl::StatusOr<Tensor> {
    using T = decltype(zero);
    absl::StatusOr<Tensor> from = DenseMatrices<T>(matrices, context.runtime);
    if (!from.ok()) return from;
    const MatrixBatch batch = MatrixBatchOf(*from);
    absl::StatusOr<Tensor> to =
        Tensor::Allocate(MatrixElementType<T>(), BatchSizes(matrices, {batch.columns, batch.rows}));
    if (!to.ok()) return to;
    for (int64_t member = 0; member < batch.count; ++member) {
      const T* const in = from->data_as<T>() + member * batch.size();
      T* const out = to->mutable_data_as<T>() + member * batch.size();
      for (int64_t i = 0; i < batch.rows; ++i) {
        for (int64_t j = 0; j < batch.columns; ++j) {
          const T& element = in[i * batch.columns + j];
          if constexpr (std::is_floating_point_v<T>) {
            out[j * batch.rows + i] = element;
          } else {
            out[j * batch.rows + i] = std::conj(element);
          }
        }
      }
    }
    return ConvertElements(*to, matrices.element_type(), context.runtime);
  });
}

// A -> (overwritten A, singular values, U, V^H, info); V in place of V^H for Jacobi's method.
absl::StatusOr<Value> EvaluateSvd(const KernelContext& context) {
  if (absl::Status s = CheckMatrixOperand(context, 0); !s.ok()) return s;
  if (context.shape().tuple_size() < 4) return CustomCallError(context, "returns at least four results");
  const Tensor& a = context.tensor(0);
  const Shape& u = context.shape().element(2);
  const bool full = u.rank() == a.rank() && u.dimension(u.rank() - 1) == a.dimension(a.rank() - 2);
  absl::StatusOr<SingularValueDecomposition> svd = SingularValues(a, full, context.runtime);
  if (!svd.ok()) return svd.status();
  const bool is_jacobi = absl::StrContains(CustomCallTarget(context), "gesvdj");
  return Finished(context,
                  {a, svd->values, svd->left, is_jacobi ? Adjoint(context, svd->right_adjoint) : svd->right_adjoint,
                   Info(a, std::vector<int32_t>(static_cast<size_t>(MatrixBatchOf(a).count), 0))});
}

// (A, B[, alpha]) -> op(A)^-1 * alpha * B, or alpha * B * op(A)^-1.
absl::StatusOr<Value> EvaluateTrsm(const KernelContext& context) {
  if (absl::Status s = CheckMatrixOperand(context, 0); !s.ok()) return s;
  if (absl::Status s = CheckMatrixOperand(context, 1); !s.ok()) return s;
  const int64_t transpose = BackendConfigInt(context, "trans_x").value_or('N');
  numerics::TriangularSolveOptions options;
  options.left_side = BackendConfigInt(context, "side").value_or('L') == 'L';
  options.lower = UsesLowerTriangle(context);
  options.unit_diagonal = BackendConfigInt(context, "diag").value_or('N') == 'U';
  options.transpose = transpose != 'N';
  options.conjugate = transpose == 'C';
  const Tensor& a = context.tensor(0);
  const Tensor& b = context.tensor(1);
  const int64_t order = a.dimension(a.rank() - 1);
  const bool fits = a.rank() == b.rank() && a.dimension(a.rank() - 2) == order &&
                    b.dimension(b.rank() - (options.left_side ? 2 : 1)) == order &&
                    a.element_type() == b.element_type() && MatrixBatchOf(a).count == MatrixBatchOf(b).count;
  if (!fits) return CustomCallError(context, "the matrices do not fit together");
  return Finished(context, {TriangularSolve(a, b, options, context.runtime)});
}

}  // namespace

void RegisterLinearAlgebraCalls(CustomCallRegistry& registry) {
  // LAPACK's names carry the element type: s, d, c, z.
  const auto register_lapack = [&](absl::string_view before, absl::string_view after, absl::string_view types,
                                   CustomCallHandler handler) {
    for (char type : types) registry.Register(absl::StrCat(before, std::string(1, type), after), handler);
  };
  register_lapack("lapack_", "getrf_ffi", "sdcz", EvaluateLu);
  for (absl::string_view target : {"cusolver_getrf_ffi", "hipsolver_getrf_ffi", "LuDecomposition"}) {
    registry.Register(target, EvaluateLu);
  }
  register_lapack("lapack_", "geqrf_ffi", "sdcz", EvaluateQr);
  for (absl::string_view target : {"Qr", "cusolver_geqrf_ffi", "hipsolver_geqrf_ffi"}) {
    registry.Register(target, EvaluateQr);
  }
  register_lapack("lapack_", "orgqr_ffi", "sd", EvaluateReflectorProduct);
  register_lapack("lapack_", "ungqr_ffi", "cz", EvaluateReflectorProduct);
  for (absl::string_view target : {"ProductOfElementaryHouseholderReflectors", "cusolver_orgqr_ffi"}) {
    registry.Register(target, EvaluateReflectorProduct);
  }
  register_lapack("lapack_", "potrf_ffi", "sdcz", EvaluatePotrf);
  for (absl::string_view target : {"cusolver_potrf_ffi", "hipsolver_potrf_ffi"}) {
    registry.Register(target, EvaluatePotrf);
  }
  register_lapack("lapack_", "syevd_ffi", "sd", EvaluateEigh);
  register_lapack("lapack_", "heevd_ffi", "cz", EvaluateEigh);
  for (absl::string_view target : {"Eigh", "cusolver_syevd_ffi", "hipsolver_syevd_ffi"}) {
    registry.Register(target, EvaluateEigh);
  }
  register_lapack("lapack_", "gesdd_ffi", "sdcz", EvaluateSvd);
  for (absl::string_view target : {"cusolver_gesvd_ffi", "cusolver_gesvdj_ffi", "hipsolver_gesvd_ffi"}) {
    registry.Register(target, EvaluateSvd);
  }
  register_lapack("lapack_", "trsm_ffi", "sdcz", EvaluateTrsm);
}

}  // namespace hloscope::evaluator
