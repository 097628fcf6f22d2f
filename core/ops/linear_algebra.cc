// SPDX-License-Identifier: Apache-2.0
// fft, cholesky and triangular-solve (docs/ops/tensor.md 6).
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_inference.h"

namespace hloscope {
namespace {

// FFT-2, FFT-3.
bool CheckFftType(RuleContext& context, FftType type, absl::string_view name) {
  const ElementType element = context.operand_shape(0).element_type();
  const bool ok = type == FftType::kRfft ? ComplexOf(element) != ElementType::kInvalid : IsComplex(element);
  if (ok) return true;
  context.Report(DiagnosticKind::kFftType, Anchor::Operand(0), name,
                 type == FftType::kRfft ? "f32 or f64" : "c64 or c128", ElementTypeName(element));
  return false;
}

// fft (6.1).
InferredShape InferFft(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const absl::Span<const int64_t> lengths = context.Ints(AttributeKind::kFftLength);
  const FftType type = context.module().WordAttribute(context.id(), AttributeKind::kFftType, FftType::kFft);
  const absl::string_view name = WordsOf(Enumeration::kFftType)[static_cast<size_t>(type)];
  bool ok = CheckFftType(context, type, name);
  const int64_t count = static_cast<int64_t>(lengths.size());
  if (count < 1 || count > 3 || count > operand.rank()) {
    context.Report(DiagnosticKind::kFftRank, Anchor::Attribute(AttributeKind::kFftLength),
                   CountOf(lengths.size(), "entry", "entries"),
                   count > operand.rank() ? absl::StrCat("at most ", operand.rank(), ", the rank of the operand")
                                          : std::string("1 to 3"));
    return std::nullopt;
  }
  for (int64_t k = 0; k < count; ++k) {
    const int64_t d = operand.rank() - count + k, length = lengths[static_cast<size_t>(k)];
    const Anchor entry = Anchor::Entry(AttributeKind::kFftLength, static_cast<size_t>(k));
    // The lengths of FFT and IFFT are compared with nothing: what differs is cut off or filled up with zeros.
    const bool is_tolerated = type == FftType::kFft || type == FftType::kIfft;
    const auto report = [&](absl::string_view problem) -> Diagnostic& {
      return is_tolerated ? context.ReportTolerated(DiagnosticKind::kFftLength, entry, name, k, length, problem)
                          : context.Report(DiagnosticKind::kFftLength, entry, name, k, length, problem);
    };
    if (length < 0) {
      report("must not be negative");
      ok = ok && is_tolerated;
      continue;
    }
    if (operand.IsUnboundedDimension(d)) continue;
    const bool half = type == FftType::kIrfft && k == count - 1;
    const int64_t expected = half && length > 0 ? length / 2 + 1 : length;
    if (operand.dimension(d) == expected) continue;
    const int64_t size = operand.dimension(d);
    Diagnostic& diagnostic = report(absl::StrCat(is_tolerated ? "is meant for" : "needs", " an operand of size ",
                                                 expected, " in dimension ", d, ", which has size ", size));
    context.RelateOperand(diagnostic, 0, d);
    const bool is_representable = !half || size <= std::numeric_limits<int64_t>::max() / 2;
    if (is_representable) {
      const int64_t fitting = half && size > 0 ? 2 * (size - 1) : size;
      diagnostic.Fix(absl::StrCat("change the length to ", fitting), context.RangeOf(entry), absl::StrCat(fitting));
    }
    ok = ok && is_tolerated;
  }
  if (!ok) return std::nullopt;
  Shape result = operand;
  result.clear_layout();
  const int64_t last = operand.rank() - 1, length = lengths.back();
  if (type == FftType::kRfft) {
    result.set_element_type(ComplexOf(operand.element_type()));
    if (length > 0 && !operand.IsUnboundedDimension(last)) result.set_dimension(last, length / 2 + 1);
  } else if (type == FftType::kIrfft) {
    result.set_element_type(ComplexComponent(operand.element_type()));
    if (!operand.IsUnboundedDimension(last)) result.set_dimension(last, length);
  }
  return result;
}

// Reports a matrix operand `k` of rank below 2, or one that is not square.
bool CheckSquareMatrix(RuleContext& context, size_t k) {
  const Shape& matrix = context.operand_shape(k);
  const int64_t rank = matrix.rank();
  if (rank < 2) {
    context.Report(DiagnosticKind::kMatrixRank, Anchor::Operand(k), context.opcode_name(), k, matrix.ToString(false));
    return false;
  }
  const int64_t rows = matrix.dimension(rank - 2), columns = matrix.dimension(rank - 1);
  if (rows == columns || rows == kUnboundedSize || columns == kUnboundedSize) return true;
  Diagnostic& diagnostic =
      context.Report(DiagnosticKind::kMatrixNotSquare, Anchor::Operand(k), context.opcode_name(), k, rows, columns);
  context.RelateOperand(diagnostic, k);
  return false;
}

// cholesky (6.2).
InferredShape InferCholesky(RuleContext& context) {
  const bool type_ok = CheckOperandType(context, 0, kFloatOrComplexTypes);
  if (!CheckSquareMatrix(context, 0) || !type_ok) return std::nullopt;
  return context.operand_shape(0);
}

// triangular-solve (6.3).
InferredShape InferTriangularSolve(RuleContext& context) {
  const Shape& a = context.operand_shape(0);
  const Shape& b = context.operand_shape(1);
  bool ok = CheckOperandType(context, 0, kFloatOrComplexTypes);
  if (ok && a.element_type() != b.element_type()) {
    ReportTypesDiffer(context, 0, 1);
    ok = false;
  }
  const Transpose transpose =
      context.module().WordAttribute(context.id(), AttributeKind::kTransposeA, Transpose::kInvalid);
  if (transpose == Transpose::kInvalid) {
    Diagnostic& diagnostic =
        context.Report(DiagnosticKind::kTransposeA, Anchor::AttributeValue(AttributeKind::kTransposeA));
    if (context.Has(AttributeKind::kTransposeA)) {
      diagnostic.Fix("use the matrix as it is", context.RangeOf(Anchor::AttributeValue(AttributeKind::kTransposeA)),
                     "NO_TRANSPOSE");
    } else {
      const uint32_t end = context.RangeOf(Anchor::Instruction()).end;
      diagnostic.Fix("use the matrix as it is", {end, end}, ", transpose_a=NO_TRANSPOSE");
    }
  }
  const bool is_square = CheckSquareMatrix(context, 0);
  if (a.rank() < 2) return std::nullopt;
  if (a.rank() != b.rank()) {
    ReportShapesDiffer(context, 0, 1, ": their ranks must be equal");
    return std::nullopt;
  }
  // Of operands that do not fit each other nobody knows which one the result is like.
  const InferredShape result = ok ? InferredShape(b) : std::nullopt;
  if (!is_square) return result;
  const int64_t rank = a.rank();
  const bool left = context.Bool(AttributeKind::kLeftSide);
  const int64_t d = rank - (left ? 2 : 1);
  const auto match = [&](int64_t da, int64_t db) {
    return a.dimension(da) == b.dimension(db) || a.IsUnboundedDimension(da) || b.IsUnboundedDimension(db);
  };
  if (!match(rank - 1, d)) {
    Diagnostic& diagnostic = context.Report(DiagnosticKind::kSolveSize, Anchor::Operand(1), d, b.dimension(d),
                                            a.dimension(rank - 1), left ? "true" : "false");
    context.RelateOperand(diagnostic, 0);
    context.RelateOperand(diagnostic, 1, d);
  }
  for (int64_t batch = 0; batch < rank - 2; ++batch) {
    if (match(batch, batch)) continue;
    ReportShapesDiffer(
        context, 0, 1,
        absl::StrCat(": batch dimension ", batch, " is ", a.dimension(batch), " and ", b.dimension(batch)));
  }
  return result;
}

}  // namespace

InferredShape InferLinearAlgebra(RuleContext& context) {
  if (!CheckArrayOperands(context) || !HasRequiredAttributes(context)) return std::nullopt;
  switch (context.opcode()) {
    case Opcode::kFft:
      return InferFft(context);
    case Opcode::kCholesky:
      return InferCholesky(context);
    case Opcode::kTriangularSolve:
      return InferTriangularSolve(context);
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
