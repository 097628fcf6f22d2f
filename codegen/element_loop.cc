// SPDX-License-Identifier: Apache-2.0
// Loops over the elements of arrays: elementwise trees, views that become arrays, iota, map, pad and concatenate.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/element_writer.h"
#include "codegen/families.h"

namespace hloscope::codegen {
namespace {

// The array whose elements a chain of views moves, if nothing is computed on the way.
struct MovedElements {
  InstructionId array;
  IndexMap map;
};
std::optional<MovedElements> FindMovedElements(const ComputationWriter& writer, InstructionId id, IndexMap map) {
  while (writer.plan().role(id) == Role::kInline) {
    if (!IsView(writer.module(), id)) return std::nullopt;
    map = OperandMap(writer.module(), id, map);
    id = writer.module().operand(id, 0);
  }
  return MovedElements{id, std::move(map)};
}

// What a function of numerics/rows computes: of elements of x, or of rows of them and one element of y for each.
struct RowExpression {
  std::string function;
  InstructionId x, y;  // y: nothing if the function has one operand
};
std::optional<RowExpression> FindRowExpression(const ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const ElementType type = module.shape(id).element_type();
  if (type != ElementType::kF32 && type != ElementType::kBF16) return std::nullopt;
  const auto has_type = [&](InstructionId operand) { return module.shape(operand).element_type() == type; };
  const auto of_rows = [&](std::string function, InstructionId call) -> std::optional<RowExpression> {
    const RowExpression expression = {std::move(function), module.operand(call, 0), module.operand(call, 1)};
    return has_type(expression.x) && has_type(expression.y) ? std::optional(expression) : std::nullopt;
  };
  if (module.opcode(id) == Opcode::kDivide) return of_rows("QuotientsOfRows", id);
  const bool is_exponential = module.opcode(id) == Opcode::kExponential;
  const bool is_logistic = module.opcode(id) == Opcode::kLogistic && type == ElementType::kBF16;
  const bool is_tanh = module.opcode(id) == Opcode::kTanh && type == ElementType::kBF16;
  if (!is_exponential && !is_logistic && !is_tanh) return std::nullopt;
  const InstructionId operand = module.operand(id, 0);
  if (!has_type(operand)) return std::nullopt;
  if (is_logistic) return RowExpression{"LogisticOfRow", operand, InstructionId()};
  if (is_tanh) return RowExpression{"TanhOfRow", operand, InstructionId()};
  if (writer.plan().role(operand) == Role::kInline && module.opcode(operand) == Opcode::kSubtract) {
    return of_rows("ExpOfDifferences", operand);
  }
  return RowExpression{"ExpOfRow", operand, InstructionId()};
}

// Writes the loop that computes an array as a call of such a function, if the arrays lie as it needs them.
bool WriteRowFunction(ComputationWriter& writer, InstructionId id, const std::vector<int64_t>& sizes,
                      const std::string& to) {
  const std::optional<RowExpression> expression = FindRowExpression(writer, id);
  if (!expression.has_value()) return false;
  const IndexMap map = IdentityMap(sizes.size());
  const std::optional<MovedElements> x = FindMovedElements(writer, expression->x, map);
  std::optional<MovedElements> y;
  if (expression->y.has_value()) y = FindMovedElements(writer, expression->y, map);
  if (!x.has_value() || y.has_value() != expression->y.has_value()) return false;
  LoopNest nest(sizes);
  LoopArguments arguments;
  ElementWriter elements(writer, arguments, nest);
  elements.Element(x->array, x->map, /*as_bits=*/false);
  if (y.has_value()) elements.Element(y->array, y->map, /*as_bits=*/false);
  const std::string type = StoredType(writer.module().shape(id).element_type());
  nest.Element(arguments.Output(type, absl::StrCat(to, ".to<", type, ">()")), {0, RowMajorStridesOf(sizes)});
  nest.Join();
  // Elements of a function of one operand are rows themselves.
  const std::vector<int64_t>& loops = nest.joined_sizes();
  if (y.has_value() ? loops.size() < 2 : loops.size() != 1) return false;
  const size_t row_loops = y.has_value() ? loops.size() - 1 : 1;
  // The elements of x lie as those of the result do, and not backwards.
  if (nest.joined_indices().size() != (y.has_value() ? 2u : 1u)) return false;
  const int64_t columns = y.has_value() ? loops.back() : 1;
  std::vector<std::string> rows;
  LoopRows extent;
  for (const LoopParameter& parameter : arguments.parameters()) {
    const bool is_of_rows = y.has_value() && rows.size() == 1;
    extent.elements.push_back(nest.RowElements(parameter.name, row_loops));
    if (extent.elements.back() != (is_of_rows ? 1 : columns)) return false;
    rows.push_back(
        absl::StrCat(parameter.name, " + begin", is_of_rows || columns == 1 ? "" : absl::StrCat(" * ", columns)));
  }
  extent.count = ProductOf(absl::MakeConstSpan(loops).first(row_loops));
  constexpr double kNanoseconds = 0.5;  // of an element
  extent.nanoseconds = kNanoseconds * static_cast<double>(columns);
  const std::string call = y.has_value()
                               ? absl::StrCat("(", absl::StrJoin(rows, ", "), ", end - begin, ", columns, ");")
                               : absl::StrCat("(", rows[0], ", end - begin, ", rows[1], ");");
  writer.program().Use(RuntimePart::kRows);
  // With AVX2, functions of bf16 take two to three times as long as to look their results up.
  constexpr double kNanosecondsOfBf16 = 2;
  const absl::Span<const LoopParameter> parameters = arguments.parameters();
  const std::string function = absl::StrCat("numerics::", expression->function);
  if (!y.has_value() && PaysToLookUp(parameters, extent.count, kNanosecondsOfBf16)) {
    writer.CallLoop(id, parameters, arguments.arguments(),
                    FunctionOfLookUps(parameters, extent,
                                      absl::StrCat("  ", function, "(", parameters[0].name, ", count, ",
                                                   parameters[1].name, ");\n")));
  } else {
    writer.CallLoop(id, parameters, arguments.arguments(),
                    FunctionOfRange(parameters, extent, absl::StrCat(function, call)));
  }
  return true;
}

// to[target] = element of `id` at `map`, for all of `sizes`. With `computes`, `id` is the instruction that becomes the
// array `to` itself.
absl::Status WriteLoop(ComputationWriter& writer, InstructionId owner, InstructionId id, const IndexMap& map,
                       std::vector<int64_t> sizes, LinearIndex target, const std::string& to, bool computes) {
  if (ProductOf(sizes) == 0) return absl::OkStatus();
  const ElementType type = writer.module().shape(id).element_type();
  LoopNest nest(std::move(sizes));
  LoopArguments arguments;
  ElementWriter elements(writer, arguments, nest);
  std::optional<MovedElements> moved;
  if (!computes) {
    moved = FindMovedElements(writer, id, map);
  } else if (IsView(writer.module(), id)) {
    moved = FindMovedElements(writer, writer.module().operand(id, 0), OperandMap(writer.module(), id, map));
  }
  std::string element, stored_type = StoredType(type);
  if (moved) {
    element = elements.Element(moved->array, moved->map, /*as_bits=*/true);
    stored_type = BitsType(StorageBytes(type));
  } else {
    const absl::StatusOr<std::string> number = computes ? elements.ComputedNumber(id, map) : elements.Number(id, map);
    if (!number.ok()) return number.status();
    element = Stored(type, *number);
  }
  const std::string result = arguments.Output(stored_type, absl::StrCat(to, ".to<", stored_type, ">()"));
  nest.AddLine(absl::StrCat(nest.Element(result, std::move(target)), " = ", element, ";"));
  nest.Join();
  const double nanoseconds = elements.nanoseconds() + 0.2;
  if (moved) {
    writer.CallMoves(owner, arguments.parameters(), arguments.arguments(), nest, nanoseconds, StorageBytes(type));
  } else {
    bool looks_up = false;
    LoopText loop = FunctionOfNest(arguments.parameters(), nest, nanoseconds, &looks_up);
    if (looks_up) writer.program().Use(RuntimePart::kRows);
    writer.CallLoop(owner, arguments.parameters(), arguments.arguments(), std::move(loop));
  }
  return absl::OkStatus();
}

absl::Status WritePad(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const Shape& shape = module.shape(id);
  const InstructionId operand = module.operand(id, 0);
  const std::vector<PaddingDimension>& padding = *module.PaddingAttribute(id);
  const std::string result = writer.DefineAllocated(id);
  const std::vector<int64_t> strides = RowMajorStridesOf(shape.dimensions());
  const size_t rank = padding.size();
  // Elements [first, last) of each dimension of the operand land inside of the result.
  std::vector<int64_t> sizes(rank);
  IndexMap map(rank);
  LinearIndex target{0, std::vector<int64_t>(rank)};
  bool covers = true;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t step = padding[d].interior + 1, size = module.shape(operand).dimension(static_cast<int64_t>(d));
    const int64_t first = padding[d].low >= 0 ? 0 : (-padding[d].low + step - 1) / step;
    const int64_t last =
        padding[d].low >= shape.dimension(static_cast<int64_t>(d))
            ? 0
            : std::min(size, (shape.dimension(static_cast<int64_t>(d)) - 1 - padding[d].low) / step + 1);
    sizes[d] = std::max<int64_t>(last - first, 0);
    map[d] = {static_cast<int>(d), 1, first};
    target.offset += (padding[d].low + first * step) * strides[d];
    target.strides[d] = step * strides[d];
    covers = covers && sizes[d] == shape.dimension(static_cast<int64_t>(d));
  }
  if (!covers) {
    const std::vector<int64_t> all(shape.dimensions().begin(), shape.dimensions().end());
    absl::Status status =
        WriteLoop(writer, id, module.operand(id, 1), {}, all, {0, strides}, result, /*computes=*/false);
    if (!status.ok()) return status;
  }
  return WriteLoop(writer, id, operand, map, sizes, target, result, /*computes=*/false);
}

absl::Status WriteConcatenate(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const std::string result = writer.DefineAllocated(id);
  const std::vector<int64_t> strides = RowMajorStridesOf(module.shape(id).dimensions());
  const size_t dimension = static_cast<size_t>(module.IntsAttribute(id, AttributeKind::kDimensions)[0]);
  int64_t first = 0;
  for (InstructionId operand : module.operands(id)) {
    const Shape& shape = module.shape(operand);
    const std::vector<int64_t> sizes(shape.dimensions().begin(), shape.dimensions().end());
    absl::Status status = WriteLoop(writer, id, operand, IdentityMap(sizes.size()), sizes,
                                    {first * strides[dimension], strides}, result, /*computes=*/false);
    if (!status.ok()) return status;
    first += sizes[dimension];
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteElementLoop(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  switch (module.opcode(id)) {
    case Opcode::kPad:
      return WritePad(writer, id);
    case Opcode::kConcatenate:
      return WriteConcatenate(writer, id);
    default:
      break;
  }
  const Shape& shape = module.shape(id);
  const std::vector<int64_t> sizes(shape.dimensions().begin(), shape.dimensions().end());
  const std::string result = writer.DefineAllocated(id);
  if (ProductOf(sizes) > 0 && WriteRowFunction(writer, id, sizes, result)) return absl::OkStatus();
  return WriteLoop(writer, id, id, IdentityMap(sizes.size()), sizes, {0, RowMajorStridesOf(sizes)}, result,
                   /*computes=*/true);
}

}  // namespace hloscope::codegen
