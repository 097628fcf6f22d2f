// fft, cholesky, triangular-solve (docs/ops/tensor.md 6).
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/linear_algebra/fft.h"
#include "evaluator/kernels/linear_algebra/matrix_algorithms.h"

namespace hloscope::evaluator {
namespace {

absl::StatusOr<Tensor> EvaluateCholesky(const KernelContext& context) {
  const bool lower = context.module.BoolAttribute(context.id, AttributeKind::kLower);
  return Cholesky(ValidRegion(context.tensor(0)), lower, context.runtime);
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
  return TriangularSolve(ValidRegion(context.tensor(0)), ValidRegion(context.tensor(1)), options, context.runtime);
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
