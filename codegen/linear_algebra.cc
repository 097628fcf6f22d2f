// fft, cholesky, triangular-solve (docs/ops/tensor.md 6).
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/conversion_loop.h"
#include "codegen/cpp_types.h"
#include "codegen/families.h"

namespace hloscope::codegen {
namespace {

// Matrices of narrower types are computed in f32.
ElementType MatrixType(ElementType type) {
  return type == ElementType::kF64 || IsComplex(type) ? type : ElementType::kF32;
}

std::vector<int64_t> InOrder(const Shape& shape) {
  std::vector<int64_t> order(static_cast<size_t>(shape.rank()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Rounds `count` elements of the array `from` into the result.
void WriteRounded(ComputationWriter& writer, InstructionId id, const std::string& from, ElementType type,
                  const std::string& result) {
  const Shape& shape = writer.module().shape(id);
  WriteConversionLoop(writer, id, {shape.ElementCount()}, {from, type, {1}}, {result, shape.element_type(), {1}});
}

absl::Status WriteCholesky(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const Shape& shape = module.shape(id);
  const ElementType type = MatrixType(shape.element_type());
  const std::string result = writer.DefineAllocated(id);
  if (shape.ElementCount() == 0) return absl::OkStatus();
  const std::string a = WriteArranged(writer, id, module.operand(id, 0), InOrder(shape), {type});
  const bool rounds = type != shape.element_type();
  const std::string factor =
      rounds ? WriteAllocation(writer, absl::StrCat(writer.NameFor(id), "_factor"), type, shape.ElementCount())
             : result;
  const int64_t n = shape.dimension(shape.rank() - 1);
  const std::string element = NumberType(type);
  writer.AddLine(absl::StrCat("Cholesky<", element, ">(", a, ".as<", element, ">(), ", factor, ".to<", element, ">(), ",
                              shape.ElementCount() / (n * n), ", ", n, ", ",
                              module.BoolAttribute(id, AttributeKind::kLower) ? "true" : "false", ");"));
  if (rounds) WriteRounded(writer, id, factor, type, result);
  return absl::OkStatus();
}

absl::Status WriteTriangularSolve(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const Shape& shape = module.shape(id);
  const Shape& matrix = module.shape(module.operand(id, 0));
  const ElementType type = MatrixType(shape.element_type());
  const auto transpose = module.WordAttribute(id, AttributeKind::kTransposeA, Transpose::kInvalid);
  if (transpose == Transpose::kInvalid) {
    return absl::UnimplementedError("transpose_a must be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  }
  const std::string result = writer.DefineAllocated(id);
  if (shape.ElementCount() == 0) return absl::OkStatus();
  const std::string a = WriteArranged(writer, id, module.operand(id, 0), InOrder(matrix), {type});
  const bool rounds = type != shape.element_type();
  const std::string x =
      rounds ? WriteAllocation(writer, absl::StrCat(writer.NameFor(id), "_x"), type, shape.ElementCount()) : result;
  // It is solved in place.
  WriteConversionLoop(writer, id, {shape.ElementCount()},
                      {writer.Read(module.operand(id, 1)), module.shape(module.operand(id, 1)).element_type(), {1}},
                      {x, type, {1}});
  const int64_t rows = shape.dimension(shape.rank() - 2), columns = shape.dimension(shape.rank() - 1);
  const std::string element = NumberType(type);
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  writer.AddLine(
      absl::StrCat("SolveTriangular<", element, ">(", a, ".as<", element, ">(), ", x, ".to<", element, ">(), ",
                   shape.ElementCount() / (rows * columns), ", ", matrix.dimension(matrix.rank() - 1), ", ", rows, ", ",
                   columns, ", ", flag(module.BoolAttribute(id, AttributeKind::kLeftSide)), ", ",
                   flag(module.BoolAttribute(id, AttributeKind::kLower)), ", ",
                   flag(module.BoolAttribute(id, AttributeKind::kUnitDiagonal)), ", ",
                   flag(transpose != Transpose::kNoTranspose), ", ", flag(transpose == Transpose::kAdjoint), ");"));
  if (rounds) WriteRounded(writer, id, x, type, result);
  return absl::OkStatus();
}

absl::Status WriteFft(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const Shape& shape = module.shape(id);
  const Shape& x = module.shape(module.operand(id, 0));
  const absl::Span<const int64_t> lengths = module.IntsAttribute(id, AttributeKind::kFftLength);
  const FftType kind = module.WordAttribute(id, AttributeKind::kFftType, FftType::kFft);
  const std::string result = writer.DefineAllocated(id);
  if (shape.ElementCount() == 0) return absl::OkStatus();
  if (x.ElementCount() == 0) return absl::UnimplementedError("an empty operand");
  const ElementType type = ElementType::kC128;
  writer.program().Use(RuntimePart::kComplex);
  // Always in c128, rounded once.
  std::string work = WriteAllocation(writer, absl::StrCat(writer.NameFor(id), "_work"), type, x.ElementCount());
  WriteConversionLoop(writer, id, {x.ElementCount()}, {writer.Read(module.operand(id, 0)), x.element_type(), {1}},
                      {work, type, {1}}, {type});
  std::vector<int64_t> sizes(x.dimensions().begin(), x.dimensions().end());
  const size_t first = sizes.size() - lengths.size();
  const std::string inverse = kind == FftType::kIfft || kind == FftType::kIrfft ? "true" : "false";
  const std::string element = "std::complex<double>";
  const auto transform = [&](size_t d) {
    const int64_t stride = ProductOf(absl::MakeSpan(sizes).subspan(d + 1));
    writer.AddLine(absl::StrCat("TransformLines(", work, ".to<", element, ">(), ", ProductOf(sizes), ", ", sizes[d],
                                ", ", stride, ", ", inverse, ");"));
  };
  const auto resize = [&](int64_t size) {
    const int64_t lines = ProductOf(sizes) / sizes.back();
    const std::string next = WriteAllocation(writer, absl::StrCat(writer.NameFor(id), "_resized"), type, lines * size);
    writer.AddLine(absl::StrCat("ResizeLines(", work, ".as<", element, ">(), ", lines, ", ", sizes.back(), ", ", next,
                                ".to<", element, ">(), ", size, ");"));
    work = next;
    sizes.back() = size;
  };
  // RFFT: the innermost axis first, and only half of it stays. IRFFT: the other axes first.
  if (kind != FftType::kIrfft) {
    transform(sizes.size() - 1);
    if (kind == FftType::kRfft) resize(lengths.back() / 2 + 1);
  }
  for (size_t k = lengths.size() - 1; k-- > 0;) transform(first + k);
  if (kind == FftType::kIrfft) {
    resize(lengths.back());
    writer.AddLine(absl::StrCat("TransformHalfSpectra(", work, ".to<", element, ">(), ",
                                ProductOf(sizes) / sizes.back(), ", ", sizes.back(), ");"));
  }
  WriteRounded(writer, id, work, type, result);
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteLinearAlgebra(ComputationWriter& writer, InstructionId id) {
  writer.program().Use(RuntimePart::kLinearAlgebra);
  switch (writer.module().opcode(id)) {
    case Opcode::kFft:
      return WriteFft(writer, id);
    case Opcode::kCholesky:
      return WriteCholesky(writer, id);
    case Opcode::kTriangularSolve:
      return WriteTriangularSolve(writer, id);
    default:
      return absl::UnimplementedError("no code is written for this opcode");
  }
}

}  // namespace hloscope::codegen
