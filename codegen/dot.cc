// SPDX-License-Identifier: Apache-2.0
#include "codegen/dot.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/conversion_loop.h"
#include "codegen/cpp_types.h"
#include "codegen/families.h"
#include "core/ops/dot.h"
#include "numerics/contraction/gemm.h"

namespace hloscope::codegen {
namespace {

// "{x.data(), 12, 4, 1}" of operand 0 or 1, with its three groups of dimensions.
std::string MatricesText(ComputationWriter& writer, InstructionId id, size_t side, absl::Span<const int64_t> batch,
                         absl::Span<const int64_t> rows, absl::Span<const int64_t> columns) {
  const Module& module = writer.module();
  const DotOperand matrices = DotOperandOf(module, id, side);
  const std::vector<ElementType> types = DotOperandTypes(module, id, side);
  const std::string stored =
      numerics::IsStoredForU32(types.back()) ? absl::StrCat(", ", EnumeratorOf(types.back())) : "";
  if (matrices.is_in_place) {
    const std::string array = writer.Read(matrices.array);
    const int64_t bytes = matrices.offset * StorageBytes(module.shape(matrices.array).element_type());
    return absl::StrCat("{", array, bytes == 0 ? ".data()" : absl::StrCat(".as<char>() + ", bytes), ", ",
                        matrices.batch_stride, ", ", matrices.row_stride, ", ", matrices.column_stride, stored, "}");
  }
  std::vector<int64_t> order(batch.begin(), batch.end());
  order.insert(order.end(), rows.begin(), rows.end());
  order.insert(order.end(), columns.begin(), columns.end());
  const Shape& shape = module.shape(matrices.array);
  const std::string name = WriteArranged(writer, id, matrices.array, order, types);
  const int64_t column_count = SizeOf(shape, columns);
  return absl::StrCat("{", name, ".data(), ", SizeOf(shape, rows) * column_count, ", ", column_count, ", 1", stored,
                      "}");
}

}  // namespace

std::string WriteSums(ComputationWriter& writer, InstructionId id, const std::string& result, ElementType sum_type,
                      int64_t count) {
  if (writer.module().shape(id).element_type() == sum_type) return result;
  return WriteAllocation(writer, absl::StrCat(writer.NameFor(id), "_sums"), sum_type, count);
}

void WriteResultOfSums(ComputationWriter& writer, InstructionId id, const std::string& sums, ElementType sum_type,
                       const std::string& result, int64_t count) {
  const ElementType type = writer.module().shape(id).element_type();
  if (type == sum_type) return;
  std::vector<ElementType> through = {type};
  if (IsInteger(type) && IsFloat(sum_type)) through = {numerics::IntegerOfExactSums(sum_type), type};
  WriteConversionLoop(writer, id, {count}, {sums, sum_type, {1}}, {result, type, {1}}, through);
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
  const ElementType sum_type = DotSumType(module, id);
  const bool is_narrow = sum_type == ElementType::kBF16;
  const int64_t batch = SizeOf(l, dims.lhs_batch), rows = SizeOf(l, lhs_free), inner = SizeOf(l, dims.lhs_contracting),
                columns = SizeOf(r, rhs_free);
  const std::string result = writer.DefineAllocated(id);
  const int64_t count = batch * rows * columns;
  if (count == 0) return absl::OkStatus();
  const std::string left = MatricesText(writer, id, 0, dims.lhs_batch, lhs_free, dims.lhs_contracting);
  const std::string right = MatricesText(writer, id, 1, dims.rhs_batch, dims.rhs_contracting, rhs_free);
  if (is_narrow) {
    writer.AddLine(absl::StrCat("MultiplyBf16(", batch, ", ", rows, ", ", columns, ", ", inner, ", ", left, ", ", right,
                                ", ", result, ".to<", StoredType(module.shape(id).element_type()), ">());"));
    return absl::OkStatus();
  }
  const std::string sums = WriteSums(writer, id, result, sum_type, count);
  writer.AddLine(absl::StrCat("MultiplyMatrices(", EnumeratorOf(sum_type), ", ", batch, ", ", rows, ", ", columns, ", ",
                              inner, ", ", left, ", ", right, ", ", sums, ".to<char>());"));
  WriteResultOfSums(writer, id, sums, sum_type, result, count);
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
