// SPDX-License-Identifier: Apache-2.0
// fft, cholesky, triangular-solve (docs/ops/tensor.md 6).
#include <algorithm>
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

// The array that a transform has come to: the operand, what its axes become, at last the result.
class FourierArray {
 public:
  FourierArray(ComputationWriter& writer, InstructionId id, const Shape& operand)
      : writer_(writer),
        id_(id),
        array_(writer.Read(writer.module().operand(id, 0))),
        type_(operand.element_type()),
        sizes_(operand.dimensions().begin(), operand.dimensions().end()) {}

  const std::string& array() const { return array_; }

  // Cuts, or extends with zeros; c128 afterwards.
  void Resize(const std::vector<int64_t>& sizes) {
    if (sizes == sizes_) return;
    const std::string complex = NumberType(ElementType::kC128);
    if (type_ != ElementType::kC128) {
      const std::string wide = Allocate(ElementType::kC128, ProductOf(sizes_));
      WriteConversionLoop(writer_, id_, {ProductOf(sizes_)}, {array_, type_, {1}}, {wide, ElementType::kC128, {1}},
                          {ElementType::kC128});
      array_ = wide;
      type_ = ElementType::kC128;
    }
    const std::string next = Allocate(ElementType::kC128, ProductOf(sizes));
    writer_.AddLine(absl::StrCat("ResizeArray(", array_, ".as<", complex, ">(), {", absl::StrJoin(sizes_, ", "), "}, ",
                                 next, ".to<", complex, ">(), {", absl::StrJoin(sizes, ", "), "});"));
    array_ = next;
    sizes_ = sizes;
  }

  // `kind` is a name of numerics::FourierKind. Into `result` if that is given, an array of `type`, else into one of
  // c128.
  void Transform(absl::string_view kind, size_t dimension, int64_t length, const std::string& result,
                 ElementType type) {
    std::vector<int64_t> sizes = sizes_;
    sizes[dimension] = kind == "kForwardReal" ? length / 2 + 1 : length;
    const std::string to = result.empty() ? Allocate(type, ProductOf(sizes)) : result;
    const auto extent = absl::MakeSpan(sizes_);
    writer_.AddLine(absl::StrCat("TransformAxis(numerics::FourierKind::", kind, ", ", array_, ".as<", NumberType(type_),
                                 ">(), ", to, ".to<", NumberType(type), ">(), ", ProductOf(extent.first(dimension)),
                                 ", ", length, ", ", ProductOf(extent.subspan(dimension + 1)), ");"));
    array_ = to;
    type_ = type;
    sizes_ = std::move(sizes);
  }

 private:
  std::string Allocate(ElementType type, int64_t count) {
    return WriteAllocation(writer_, absl::StrCat(writer_.NameFor(id_), "_work", ++allocated_), type, count);
  }

  ComputationWriter& writer_;
  InstructionId id_;
  std::string array_;
  ElementType type_;
  std::vector<int64_t> sizes_;
  int allocated_ = 0;
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
  // RFFT: the innermost axis first, and only half of it stays. IRFFT: the other axes first.
  std::vector<size_t> axes;
  for (size_t d = last + 1; d-- > first;) axes.push_back(d);
  if (kind == FftType::kIrfft) std::rotate(axes.begin(), axes.begin() + 1, axes.end());
  FourierArray work(writer, id, x);
  work.Resize(transformed);
  // Always in f64, rounded once.
  const bool resizes = transformed != given;
  for (size_t k = 0; k < axes.size(); ++k) {
    const size_t d = axes[k];
    const bool is_last = k + 1 == axes.size() && !resizes;
    const absl::string_view axis_kind = kind == FftType::kRfft && d == last               ? "kForwardReal"
                                        : kind == FftType::kIrfft && d == last            ? "kInverseReal"
                                        : kind == FftType::kFft || kind == FftType::kRfft ? "kForward"
                                                                                          : "kInverse";
    work.Transform(axis_kind, d, lengths[d - first], is_last ? result : "",
                   is_last ? shape.element_type() : ElementType::kC128);
  }
  if (resizes) {
    work.Resize(given);
    WriteRounded(writer, id, work.array(), ElementType::kC128, result);
  }
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
