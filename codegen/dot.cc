// SPDX-License-Identifier: Apache-2.0
#include "codegen/dot.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/conversion_loop.h"
#include "codegen/cpp_types.h"
#include "codegen/families.h"
#include "core/ops/dot.h"

namespace hloscope::codegen {
namespace {

// The stride of dimensions that can be walked as one.
std::optional<int64_t> JointStride(const Shape& shape, absl::Span<const int64_t> dimensions) {
  const std::vector<int64_t> strides = RowMajorStridesOf(shape.dimensions());
  std::optional<int64_t> stride;
  int64_t size = 1;
  for (size_t k = dimensions.size(); k-- > 0;) {
    const int64_t d = dimensions[k];
    if (shape.dimension(d) == 1) continue;
    if (!stride) {
      stride = strides[static_cast<size_t>(d)];
    } else if (strides[static_cast<size_t>(d)] != *stride * size) {
      return std::nullopt;
    }
    size *= shape.dimension(d);
  }
  return stride.value_or(1);
}

// "{x.data(), 12, 4, 1}" of an operand with the three groups of dimensions.
std::string MatricesText(ComputationWriter& writer, InstructionId id, InstructionId operand,
                         absl::Span<const int64_t> batch, absl::Span<const int64_t> rows,
                         absl::Span<const int64_t> columns, const std::vector<ElementType>& through) {
  const Shape& shape = writer.module().shape(operand);
  const int64_t row_count = SizeOf(shape, rows), column_count = SizeOf(shape, columns);
  if (shape.element_type() == through[0] && through[0] == through[1]) {
    const auto b = JointStride(shape, batch), r = JointStride(shape, rows), c = JointStride(shape, columns);
    // Where it lies, if the elements of a row or of a column are neighbours.
    if (b && r && c && (column_count == 1 || *c == 1 || row_count == 1 || *r == 1)) {
      return absl::StrCat("{", writer.Read(operand), ".data(), ", *b, ", ", row_count == 1 ? column_count : *r, ", ",
                          column_count == 1 ? 1 : *c, "}");
    }
  }
  std::vector<int64_t> order(batch.begin(), batch.end());
  order.insert(order.end(), rows.begin(), rows.end());
  order.insert(order.end(), columns.begin(), columns.end());
  const std::string name = WriteArranged(writer, id, operand, order, through);
  return absl::StrCat("{", name, ".data(), ", row_count * column_count, ", ", column_count, ", 1}");
}

}  // namespace

int64_t SizeOf(const Shape& shape, absl::Span<const int64_t> dimensions) {
  int64_t size = 1;
  for (int64_t d : dimensions) size *= shape.dimension(d);
  return size;
}

std::string WriteSums(ComputationWriter& writer, InstructionId id, const std::string& result, ElementType sum_type,
                      int64_t count) {
  if (writer.module().shape(id).element_type() == sum_type) return result;
  return WriteAllocation(writer, absl::StrCat(writer.NameFor(id), "_sums"), sum_type, count);
}

void WriteResultOfSums(ComputationWriter& writer, InstructionId id, const std::string& sums, ElementType sum_type,
                       const std::string& result, int64_t count) {
  const ElementType type = writer.module().shape(id).element_type();
  if (type != sum_type) WriteConversionLoop(writer, id, {count}, {sums, sum_type, {1}}, {result, type, {1}}, {type});
}

ElementType SumType(ElementType type) {
  switch (KindOf(type)) {
    case ElementKind::kFloat:
      return type == ElementType::kF64 ? type : ElementType::kF32;
    case ElementKind::kComplex:
      return type;
    case ElementKind::kPredicate:
    case ElementKind::kSigned:
    case ElementKind::kUnsigned:
    case ElementKind::kOther:
      break;
  }
  return ElementType::kU64;
}

absl::Status WriteDot(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  if (module.opcode(id) == Opcode::kRaggedDot) return WriteRaggedDot(writer, id);
  if (module.opcode(id) == Opcode::kScaledDot) return WriteScaledDot(writer, id);
  writer.program().Use(RuntimePart::kProducts);
  const InstructionId lhs = module.operand(id, 0), rhs = module.operand(id, 1);
  const Shape& l = module.shape(lhs);
  const Shape& r = module.shape(rhs);
  const DotDimensions dims = DotDimensionsOf(module, id);
  const DimensionVector lhs_free = FreeDimensions(l.rank(), dims.lhs_batch, dims.lhs_contracting);
  const DimensionVector rhs_free = FreeDimensions(r.rank(), dims.rhs_batch, dims.rhs_contracting);
  const ElementType type = module.shape(id).element_type(), sum_type = SumType(type);
  // D5: to the result type first, so that e.g. a bf16 result multiplies operands rounded to bf16.
  // Operands that are bf16 already stay so.
  const bool is_narrow = type == ElementType::kBF16 && l.element_type() == type && r.element_type() == type;
  const std::vector<ElementType> through = {type, is_narrow ? type : sum_type};
  const int64_t batch = SizeOf(l, dims.lhs_batch), rows = SizeOf(l, lhs_free), inner = SizeOf(l, dims.lhs_contracting),
                columns = SizeOf(r, rhs_free);
  const std::string result = writer.DefineAllocated(id);
  const int64_t count = batch * rows * columns;
  if (count == 0) return absl::OkStatus();
  const std::string left = MatricesText(writer, id, lhs, dims.lhs_batch, lhs_free, dims.lhs_contracting, through);
  const std::string right = MatricesText(writer, id, rhs, dims.rhs_batch, dims.rhs_contracting, rhs_free, through);
  if (is_narrow) {
    writer.AddLine(absl::StrCat("MultiplyBf16(", batch, ", ", rows, ", ", columns, ", ", inner, ", ", left, ", ", right,
                                ", ", result, ".to<uint16_t>());"));
    return absl::OkStatus();
  }
  const std::string sums = WriteSums(writer, id, result, sum_type, count);
  writer.AddLine(absl::StrCat("MultiplyMatrices(", EnumeratorOf(sum_type), ", ", batch, ", ", rows, ", ", columns, ", ",
                              inner, ", ", left, ", ", right, ", ", sums, ".to<char>());"));
  WriteResultOfSums(writer, id, sums, sum_type, result, count);
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
