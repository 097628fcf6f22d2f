// SPDX-License-Identifier: Apache-2.0
// fft, cholesky, triangular-solve (docs/ops/tensor.md 6).
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/linear_algebra/fft.h"
#include "evaluator/kernels/linear_algebra/matrix_algorithms.h"

namespace hloscope::evaluator {
namespace {

// The rules ask it of the declared shapes; one of the dimensions may be dynamic.
absl::Status CheckSquare(absl::string_view opcode, const Tensor& matrices) {
  const int64_t rows = matrices.dimension(matrices.rank() - 2), columns = matrices.dimension(matrices.rank() - 1);
  if (rows == columns) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(opcode, ": the matrix has ", rows, " rows and ", columns, " columns at run time"));
}

absl::StatusOr<Tensor> EvaluateCholesky(const KernelContext& context) {
  const bool lower = context.module.BoolAttribute(context.id, AttributeKind::kLower);
  const Tensor a = ValidRegion(context.tensor(0));
  if (absl::Status s = CheckSquare("cholesky", a); !s.ok()) return s;
  return Cholesky(a, lower, context.runtime);
}

absl::StatusOr<Tensor> EvaluateTriangularSolve(const KernelContext& context) {
  numerics::TriangularSolveOptions options;
  options.left_side = context.module.BoolAttribute(context.id, AttributeKind::kLeftSide);
  options.lower = context.module.BoolAttribute(context.id, AttributeKind::kLower);
  options.unit_diagonal = context.module.BoolAttribute(context.id, AttributeKind::kUnitDiagonal);
  const Transpose transpose = context.module.WordAttribute(context.id, AttributeKind::kTransposeA, Transpose::kInvalid);
  if (transpose == Transpose::kInvalid) {
    return absl::InvalidArgumentError("triangular-solve: transpose_a must be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  }
  options.transpose = transpose != Transpose::kNoTranspose;
  options.conjugate = transpose == Transpose::kAdjoint;
  const Tensor a = ValidRegion(context.tensor(0)), b = ValidRegion(context.tensor(1));
  if (absl::Status s = CheckSquare("triangular-solve", a); !s.ok()) return s;
  bool fits = a.rank() == b.rank() && b.dimension(b.rank() - (options.left_side ? 2 : 1)) == a.dimension(a.rank() - 1);
  for (int64_t d = 0; fits && d + 2 < a.rank(); ++d) fits = a.dimension(d) == b.dimension(d);
  if (!fits) {
    return absl::InvalidArgumentError(absl::StrCat("triangular-solve: run-time sizes [",
                                                   absl::StrJoin(a.dimensions(), ","), "] and [",
                                                   absl::StrJoin(b.dimensions(), ","), "] do not fit together"));
  }
  return TriangularSolve(a, b, options, context.runtime);
}

}  // namespace

absl::StatusOr<Value> EvaluateLinearAlgebra(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kFft:
      return BoundedValue(EvaluateFft(context), context.shape());
    case Opcode::kCholesky:
      return BoundedValue(EvaluateCholesky(context), context.shape());
    case Opcode::kTriangularSolve:
      return BoundedValue(EvaluateTriangularSolve(context), context.shape());
    default:
      break;
  }
  return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), " is not linear algebra"));
}

}  // namespace hloscope::evaluator
