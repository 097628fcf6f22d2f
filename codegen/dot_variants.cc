// SPDX-License-Identifier: Apache-2.0
// ragged-dot and scaled-dot.
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "codegen/conversion_loop.h"
#include "codegen/cpp_types.h"
#include "codegen/dot.h"
#include "codegen/element_writer.h"
#include "codegen/loop_function.h"
#include "core/ops/dot.h"

namespace hloscope::codegen {
namespace {

using Dimensions = std::vector<int64_t>;

Dimensions Joined(std::initializer_list<absl::Span<const int64_t>> lists) {
  Dimensions all;
  for (absl::Span<const int64_t> list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// A list around the ragged dimension.
struct Parts {
  Dimensions before, after;
};
Parts PartsAround(absl::Span<const int64_t> dimensions, int64_t ragged) {
  Parts parts;
  bool is_after = false;
  for (int64_t d : dimensions) {
    if (d == ragged) {
      is_after = true;
    } else {
      (is_after ? parts.after : parts.before).push_back(d);
    }
  }
  return parts;
}

// The dimension of a list that another one pairs with `dimension`.
int64_t PairOf(absl::Span<const int64_t> from, absl::Span<const int64_t> to, int64_t dimension) {
  return to[static_cast<size_t>(absl::c_find(from, dimension) - from.begin())];
}

// An operand of a scaled-dot times its scale, dense, its dimensions in the given order.
std::string WriteScaled(ComputationWriter& writer, InstructionId id, InstructionId operand, InstructionId scale,
                        const Dimensions& order, ElementType type) {
  const Module& module = writer.module();
  const Shape& shape = module.shape(operand);
  const Shape& scales = module.shape(scale);
  const ElementType result_type = module.shape(id).element_type();
  if (scales.IsScalar() && !shape.IsScalar()) return WriteArranged(writer, id, operand, order, {result_type, type});
  const Dimensions strides = RowMajorStridesOf(shape.dimensions());
  const Dimensions scale_strides = RowMajorStridesOf(scales.dimensions());
  // Two loops for each dimension: the blocks that have a scale, and the elements of a block.
  Dimensions sizes, operand_index, scale_index;
  for (int64_t d : order) {
    const size_t k = static_cast<size_t>(d);
    const int64_t blocks = scales.dimension(d), block = blocks == 0 ? 0 : shape.dimension(d) / blocks;
    sizes.insert(sizes.end(), {blocks, block});
    operand_index.insert(operand_index.end(), {strides[k] * block, strides[k]});
    scale_index.insert(scale_index.end(), {scale_strides[k], 0});
  }
  const int64_t count = ProductOf(sizes);
  const std::string name = WriteAllocation(writer, absl::StrCat(writer.NameFor(operand), "_scaled"), type, count);
  if (count == 0) return name;
  LoopNest nest(sizes);
  LoopArguments arguments;
  const auto number = [&](InstructionId from, const Dimensions& index) {
    const ElementType from_type = module.shape(from).element_type();
    const std::string parameter = arguments.Input(StoredType(from_type), writer.ReadData(from));
    std::string value = nest.Name(NumberType(from_type), Loaded(from_type, nest.Element(parameter, {0, index})));
    ElementType at = from_type;
    for (ElementType next : {result_type, type}) {
      if (next != at) value = nest.Name(NumberType(next), Converted(at, next, value));
      at = next;
    }
    return value;
  };
  const std::string x = number(operand, operand_index), y = number(scale, scale_index);
  const std::string result = arguments.Output(StoredType(type), absl::StrCat(name, ".to<", StoredType(type), ">()"));
  nest.AddLine(absl::StrCat(nest.Element(result, {0, RowMajorStridesOf(sizes)}), " = ",
                            Stored(type, absl::StrCat(x, " * ", y)), ";"));
  nest.Join();
  writer.CallLoop(id, arguments.parameters(), arguments.arguments(), FunctionOfNest(arguments.parameters(), nest, 1));
  return name;
}

}  // namespace

absl::Status WriteRaggedDot(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const InstructionId lhs = module.operand(id, 0), rhs = module.operand(id, 1), groups = module.operand(id, 2);
  const Shape& l = module.shape(lhs);
  const Shape& r = module.shape(rhs);
  const Shape& g = module.shape(groups);
  if (!IsInteger(g.element_type())) return absl::UnimplementedError("group sizes that are not integers");
  writer.program().Use(RuntimePart::kProducts);
  const DotDimensions dims = DotDimensionsOf(module, id);
  const int64_t ragged = module.IntsAttribute(id, AttributeKind::kLhsRaggedDims)[0];
  const DimensionVector lhs_free = FreeDimensions(l.rank(), dims.lhs_batch, dims.lhs_contracting);
  DimensionVector rhs_free = FreeDimensions(r.rank(), dims.rhs_batch, dims.rhs_contracting);
  const ElementType type = module.shape(id).element_type(), sum_type = SumType(type);
  const int64_t count = module.shape(id).ElementCount(), group_count = g.dimension(g.rank() - 1);
  const std::string result = writer.DefineAllocated(id);
  if (count == 0) return absl::OkStatus();

  Dimensions left_order, right_order;
  Parts parts;
  std::string function;
  switch (RaggedDotModeOf(dims, ragged)) {
    case RaggedDotMode::kFree: {
      function = "MultiplyRaggedRows";
      const int64_t group_dimension = module.IntsAttribute(id, AttributeKind::kRhsGroupDims)[0];
      rhs_free.erase(absl::c_find(rhs_free, group_dimension));
      parts = PartsAround(lhs_free, ragged);
      left_order = Joined({dims.lhs_batch, lhs_free, dims.lhs_contracting});
      right_order = Joined({{group_dimension}, dims.rhs_batch, dims.rhs_contracting, rhs_free});
      break;
    }
    case RaggedDotMode::kContracting: {
      function = "MultiplyRaggedInner";
      parts = PartsAround(dims.lhs_contracting, ragged);
      Dimensions right_before, right_after;
      for (int64_t d : parts.before) right_before.push_back(PairOf(dims.lhs_contracting, dims.rhs_contracting, d));
      for (int64_t d : parts.after) right_after.push_back(PairOf(dims.lhs_contracting, dims.rhs_contracting, d));
      left_order = Joined({dims.lhs_batch, parts.before, lhs_free, {ragged}, parts.after});
      right_order = Joined({dims.rhs_batch,
                            right_before,
                            {PairOf(dims.lhs_contracting, dims.rhs_contracting, ragged)},
                            right_after,
                            rhs_free});
      break;
    }
    case RaggedDotMode::kBatch:
      function = "MultiplyRaggedBatch";
      parts = PartsAround(dims.lhs_batch, ragged);
      left_order = Joined({dims.lhs_batch, lhs_free, dims.lhs_contracting});
      right_order = Joined({dims.rhs_batch, dims.rhs_contracting, rhs_free});
      break;
  }
  // As in a dot: to the result type first.
  const std::vector<ElementType> through = {type, sum_type};
  const std::string left = WriteArranged(writer, id, lhs, left_order, through);
  const std::string right = WriteArranged(writer, id, rhs, right_order, through);
  Dimensions group_order(static_cast<size_t>(g.rank()));
  absl::c_iota(group_order, 0);
  const std::string sizes = WriteArranged(writer, id, groups, group_order, {ElementType::kS64});
  const std::string sums = WriteSums(writer, id, result, sum_type, count);
  writer.AddLine(absl::StrCat(function, "(", EnumeratorOf(sum_type), ", {", SizeOf(l, dims.lhs_batch), ", ",
                              SizeOf(l, parts.before), ", ", l.dimension(ragged), ", ", SizeOf(l, parts.after), ", ",
                              SizeOf(l, lhs_free), ", ", SizeOf(r, rhs_free), ", ", SizeOf(l, dims.lhs_contracting),
                              "}, {", sizes, ".as<int64_t>(), ", group_count == 0 ? 0 : g.ElementCount() / group_count,
                              ", ", group_count, "}, ", left, ".data(), ", right, ".data(), ", sums, ".to<char>());"));
  WriteResultOfSums(writer, id, sums, sum_type, result, count);
  return absl::OkStatus();
}

absl::Status WriteScaledDot(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const InstructionId lhs = module.operand(id, 0), rhs = module.operand(id, 1);
  const Shape& l = module.shape(lhs);
  const Shape& r = module.shape(rhs);
  const ElementType result_type = module.shape(id).element_type();
  if (IsComplex(result_type)) return absl::UnimplementedError("complex numbers with scales");
  writer.program().Use(RuntimePart::kProducts);
  // Operands times scales are formed where neither can overflow or lose digits that a sum would have kept.
  const ElementType type = IsFloat(result_type) ? ElementType::kF64 : SumType(result_type);
  const DotDimensions dims = DotDimensionsOf(module, id);
  const DimensionVector lhs_free = FreeDimensions(l.rank(), dims.lhs_batch, dims.lhs_contracting);
  const DimensionVector rhs_free = FreeDimensions(r.rank(), dims.rhs_batch, dims.rhs_contracting);
  const int64_t batch = SizeOf(l, dims.lhs_batch), rows = SizeOf(l, lhs_free), inner = SizeOf(l, dims.lhs_contracting),
                columns = SizeOf(r, rhs_free), count = batch * rows * columns;
  const std::string result = writer.DefineAllocated(id);
  if (count == 0) return absl::OkStatus();
  const std::string left = WriteScaled(writer, id, lhs, module.operand(id, 2),
                                       Joined({dims.lhs_batch, lhs_free, dims.lhs_contracting}), type);
  const std::string right = WriteScaled(writer, id, rhs, module.operand(id, 3),
                                        Joined({dims.rhs_batch, dims.rhs_contracting, rhs_free}), type);
  const std::string sums = WriteSums(writer, id, result, type, count);
  writer.AddLine(absl::StrCat("MultiplyMatrices(", EnumeratorOf(type), ", ", batch, ", ", rows, ", ", columns, ", ",
                              inner, ", {", left, ".data(), ", rows * inner, ", ", inner, ", 1}, {", right, ".data(), ",
                              inner * columns, ", ", columns, ", 1}, ", sums, ".to<char>());"));
  WriteResultOfSums(writer, id, sums, type, result, count);
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
