// SPDX-License-Identifier: Apache-2.0
// sort and topk (docs/ops/tensor.md 7).
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/families.h"
#include "codegen/type_conversion.h"
#include "core/analysis/scalar_patterns.h"
#include "numerics/sorting/line_order.h"

namespace hloscope::codegen {
namespace {

// Element `position` of operand k of a line, as a number.
std::string ElementText(size_t k, ElementType type, absl::string_view position) {
  return Loaded(type, absl::StrCat("static_cast<const ", StoredType(type), "*>(lines[", k, "])[", position, "]"));
}

// A comparator function around an expression; returns its name.
std::string AddComparator(ComputationWriter& writer, InstructionId id, const std::string& expression) {
  std::string name = writer.program().UniqueName(absl::StrCat("before_", writer.NameFor(id)));
  writer.program().AddScalarFunction(absl::StrCat(
      "inline bool ", name, "(const void* const* lines, int64_t a, int64_t b) {\n  return ", expression, ";\n}\n"));
  return name;
}

std::string OrderText(const numerics::StrictOrder& order) {
  const auto text = [](bool flag) { return flag ? "true" : "false"; };
  return absl::StrCat("{.type = ", EnumeratorOf(order.type), ", .descending = ", text(order.descending),
                      ", .total_order = ", text(order.total_order), ", .canonical = ", text(order.canonical), "}");
}

// The comparator as an order of the elements of one operand, if it is one: the call that sorts by it needs no function.
std::optional<std::string> KeyOrder(const Module& module, InstructionId id) {
  const ComputationId computation = module.ComputationAttribute(id, AttributeKind::kToApply);
  const std::optional<RecognizedComparator> comparator = RecognizeComparator(module, computation);
  if (!comparator || !IsStrict(*comparator)) return std::nullopt;
  const ElementType type = module.shape(module.operand(id, comparator->operand)).element_type();
  const InstructionId parameter = module.computation(computation).parameters[2 * comparator->operand];
  if (IsComplex(type) || module.shape(parameter).element_type() != type) return std::nullopt;
  const bool descending = comparator->direction == ComparisonDirection::kGt;
  return absl::StrCat(comparator->operand, ", ",
                      OrderText({type, descending, comparator->total_order, comparator->canonical}));
}

// The name of a function for any other comparator.
absl::StatusOr<std::string> ComparatorFunction(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const absl::StatusOr<ScalarFunction> function =
      writer.writer().ScalarFunctionOf(module.ComputationAttribute(id, AttributeKind::kToApply));
  if (!function.ok()) return function.status();
  std::vector<std::string> arguments;
  for (size_t k = 0; k < module.operands(id).size(); ++k) {
    const ElementType type = module.shape(module.operand(id, k)).element_type();
    arguments.push_back(Converted(type, function->parameters[2 * k], ElementText(k, type, "a")));
    arguments.push_back(Converted(type, function->parameters[2 * k + 1], ElementText(k, type, "b")));
  }
  return AddComparator(writer, id, absl::StrCat(function->name, "(", absl::StrJoin(arguments, ", "), ") != 0"));
}

absl::Status WriteSort(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const absl::Span<const InstructionId> operands = module.operands(id);
  writer.program().Use(RuntimePart::kSorting);
  const std::optional<std::string> key_order = KeyOrder(module, id);
  std::string before;
  if (!key_order) {
    absl::StatusOr<std::string> name = ComparatorFunction(writer, id);
    if (!name.ok()) return name.status();
    before = *std::move(name);
  }
  std::vector<std::string> arrays, bytes;
  for (InstructionId operand : operands) {
    bytes.push_back(absl::StrCat(StorageBytes(module.shape(operand).element_type())));
  }
  const Shape& shape = module.shape(operands[0]);
  const int64_t dimension = module.IntsAttribute(id, AttributeKind::kDimensions)[0];
  const auto sizes = shape.dimensions();
  const int64_t outer = ProductOf(sizes.first(static_cast<size_t>(dimension)));
  const int64_t inner = ProductOf(sizes.subspan(static_cast<size_t>(dimension) + 1));
  const std::string name = writer.NameFor(id);
  for (InstructionId operand : operands) arrays.push_back(writer.Read(operand));
  const std::string in = writer.LocalName(absl::StrCat(name, "_in")),
                    out = writer.LocalName(absl::StrCat(name, "_out"));
  const std::string widths = writer.LocalName(absl::StrCat(name, "_bytes"));
  writer.AddLine(absl::StrCat("const Array ", in, "[] = {", absl::StrJoin(arrays, ", "), "};"));
  std::vector<std::string> allocations;
  for (InstructionId operand : operands) {
    allocations.push_back(absl::StrCat("Allocate(", module.shape(operand).ByteSize(), ")"));
  }
  writer.AddLine(absl::StrCat("Array ", out, "[] = {", absl::StrJoin(allocations, ", "), "};"));
  writer.AddLine(absl::StrCat("const int ", widths, "[] = {", absl::StrJoin(bytes, ", "), "};"));
  if (shape.ElementCount() > 0) {
    writer.AddLine(absl::StrCat(key_order ? "SortLinesByKey({" : "SortLines({", outer, ", ", shape.dimension(dimension),
                                ", ", inner, ", ", operands.size(), ", ", widths, ", ", in, ", ", out, "}, ",
                                key_order ? *key_order : absl::StrCat("hlo::", before), ");"));
  }
  for (size_t k = 0; k < operands.size(); ++k) {
    const std::string result = writer.Define(id, static_cast<int64_t>(k));
    writer.AddLine(absl::StrCat("Array ", result, " = std::move(", out, "[", k, "]);"));
  }
  return absl::OkStatus();
}

// Largest first (or smallest) by the total order.
absl::Status WriteTopK(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const InstructionId operand = module.operand(id, 0);
  const Shape& shape = module.shape(operand);
  const ElementType type = shape.element_type();
  if (IsComplex(type)) return absl::UnimplementedError("complex elements have no order");
  writer.program().Use(RuntimePart::kSorting);
  const bool largest = module.BoolAttribute(id, AttributeKind::kLargest, true);
  const int64_t length = shape.dimension(shape.rank() - 1), k = module.IntAttribute(id, AttributeKind::kK);
  const std::string from = writer.Read(operand);
  const std::string values = writer.DefineAllocated(id, 0), indices = writer.DefineAllocated(id, 1);
  if (shape.ElementCount() == 0 || k == 0) return absl::OkStatus();
  writer.AddLine(absl::StrCat("TopK(", shape.ElementCount() / length, ", ", length, ", ", k, ", ",
                              OrderText({type, largest, /*total_order=*/true}), ", ", from, ", ", values, ", ", indices,
                              ");"));
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteSorting(ComputationWriter& writer, InstructionId id) {
  switch (writer.module().opcode(id)) {
    case Opcode::kSort:
      return WriteSort(writer, id);
    case Opcode::kTopk:
      return WriteTopK(writer, id);
    default:
      return absl::UnimplementedError("no code is written for this opcode");
  }
}

}  // namespace hloscope::codegen
