// SPDX-License-Identifier: Apache-2.0
// fft, cholesky, triangular-solve (docs/ops/tensor.md 6).
#include <numeric>
#include <string>
#include <utility>
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

// The array of complex numbers that a transform works on, as it grows, shrinks and is transformed.
class FourierWork {
 public:
  FourierWork(ComputationWriter& writer, InstructionId id, const Shape& operand)
      : writer_(writer), id_(id), sizes_(operand.dimensions().begin(), operand.dimensions().end()) {
    array_ = WriteAllocation(writer, absl::StrCat(writer.NameFor(id), "_work"), ElementType::kC128, ProductOf(sizes_));
    WriteConversionLoop(writer, id, {ProductOf(sizes_)},
                        {writer.Read(writer.module().operand(id, 0)), operand.element_type(), {1}},
                        {array_, ElementType::kC128, {1}}, {ElementType::kC128});
  }

  const std::string& array() const { return array_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }

  // Cuts, or extends with zeros.
  void Resize(std::vector<int64_t> sizes) {
    if (sizes == sizes_) return;
    const std::string next = WriteAllocation(writer_, absl::StrCat(writer_.NameFor(id_), "_resized", ++resized_),
                                             ElementType::kC128, ProductOf(sizes));
    writer_.AddLine(absl::StrCat("ResizeArray(", array_, ".as<", kElement, ">(), {", absl::StrJoin(sizes_, ", "), "}, ",
                                 next, ".to<", kElement, ">(), {", absl::StrJoin(sizes, ", "), "});"));
    array_ = next;
    sizes_ = std::move(sizes);
  }
  void ResizeLast(int64_t size) {
    std::vector<int64_t> sizes = sizes_;
    sizes.back() = size;
    Resize(std::move(sizes));
  }

  void Transform(size_t dimension, bool is_inverse) {
    const int64_t stride = ProductOf(absl::MakeSpan(sizes_).subspan(dimension + 1));
    writer_.AddLine(absl::StrCat("TransformLines(", array_, ".to<", kElement, ">(), ", ProductOf(sizes_), ", ",
                                 sizes_[dimension], ", ", stride, ", ", is_inverse ? "true" : "false", ");"));
  }
  void TransformHalfSpectra() {
    writer_.AddLine(absl::StrCat("TransformHalfSpectra(", array_, ".to<", kElement, ">(), ",
                                 ProductOf(sizes_) / sizes_.back(), ", ", sizes_.back(), ");"));
  }

 private:
  static constexpr const char* kElement = "std::complex<double>";

  ComputationWriter& writer_;
  InstructionId id_;
  std::vector<int64_t> sizes_;
  std::string array_;
  int resized_ = 0;
};

absl::Status WriteFft(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const Shape& shape = module.shape(id);
  const Shape& x = module.shape(module.operand(id, 0));
  const absl::Span<const int64_t> lengths = module.IntsAttribute(id, AttributeKind::kFftLength);
  const FftType kind = module.WordAttribute(id, AttributeKind::kFftType, FftType::kFft);
  for (int64_t length : lengths) {
    if (length < 0) return absl::UnimplementedError("a negative length");
  }
  const std::string result = writer.DefineAllocated(id);
  if (shape.ElementCount() == 0) return absl::OkStatus();
  const bool is_inverse = kind == FftType::kIfft || kind == FftType::kIrfft;
  const size_t first = static_cast<size_t>(x.rank()) - lengths.size(), last = static_cast<size_t>(x.rank()) - 1;
  const std::vector<int64_t> given(x.dimensions().begin(), x.dimensions().end());
  // FFT and IFFT take, and leave, so many elements as the lengths say.
  std::vector<int64_t> transformed = given;
  for (size_t k = 0; k < lengths.size() && (kind == FftType::kFft || kind == FftType::kIfft); ++k) {
    transformed[first + k] = lengths[k];
  }
  if (ProductOf(transformed) == 0) {
    writer.AddLine(absl::StrCat("std::fill_n(", result, ".to<unsigned char>(), ", shape.ByteSize(), ", 0);"));
    return absl::OkStatus();
  }
  writer.program().Use(RuntimePart::kComplex);
  // Always in c128, rounded once.
  FourierWork work(writer, id, x);
  work.Resize(transformed);
  // RFFT: the innermost axis first, and only half of it stays. IRFFT: the other axes first.
  if (kind != FftType::kIrfft) {
    work.Transform(last, is_inverse);
    if (kind == FftType::kRfft) work.ResizeLast(lengths.back() / 2 + 1);
  }
  for (size_t k = lengths.size() - 1; k-- > 0;) work.Transform(first + k, is_inverse);
  if (kind == FftType::kIrfft) {
    work.ResizeLast(lengths.back());
    work.TransformHalfSpectra();
  } else if (kind != FftType::kRfft) {
    work.Resize(given);
  }
  WriteRounded(writer, id, work.array(), ElementType::kC128, result);
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
