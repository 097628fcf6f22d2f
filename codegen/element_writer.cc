// SPDX-License-Identifier: Apache-2.0
#include "codegen/element_writer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/elementwise.h"
#include "codegen/type_conversion.h"

namespace hloscope::codegen {

std::string LoopArguments::Input(std::string type, std::string argument) {
  for (size_t k = 0; k < arguments_.size(); ++k) {
    if (!parameters_[k].is_output && arguments_[k] == argument) return parameters_[k].name;
  }
  parameters_.push_back({std::move(type), absl::StrCat("a", inputs_++), false});
  arguments_.push_back(std::move(argument));
  return parameters_.back().name;
}

std::string LoopArguments::Output(std::string type, std::string argument) {
  parameters_.push_back({std::move(type), absl::StrCat("r", outputs_++), true});
  arguments_.push_back(std::move(argument));
  return parameters_.back().name;
}

absl::StatusOr<std::string> ElementWriter::Number(InstructionId id, const IndexMap& map) {
  std::string key = absl::StrCat(id.value);
  for (const DimensionIndex& index : map) {
    absl::StrAppend(&key, ":", index.loop, ",", index.scale, ",", index.offset);
  }
  if (const auto found = names_.find(key); found != names_.end()) return found->second;
  absl::StatusOr<std::string> number;
  if (writer_.plan().role(id) == Role::kInline) {
    number = ComputedNumber(id, map);
  } else {
    const ElementType type = writer_.module().shape(id).element_type();
    if (IsFloat(type) && StorageBytes(type) < 4) nanoseconds_ += 0.1;
    nanoseconds_ += 0.1 * StorageBytes(type) / 4;
    number = nest_.Name(NumberType(type), Loaded(type, Element(id, map, /*as_bits=*/false)));
  }
  if (number.ok()) names_[key] = *number;
  return number;
}

std::string ElementWriter::Element(InstructionId id, const IndexMap& map, bool as_bits) {
  const Shape& shape = writer_.module().shape(id);
  const std::string type = as_bits ? BitsType(StorageBytes(shape.element_type())) : StoredType(shape.element_type());
  const std::string array = arguments_.Input(type, absl::StrCat(writer_.Read(id), ".as<", type, ">()"));
  return nest_.Element(array, LinearIndexOf(map, shape.dimensions(), nest_.sizes().size()));
}

absl::StatusOr<std::string> ElementWriter::MappedNumber(InstructionId id, const IndexMap& map) {
  const Module& module = writer_.module();
  const absl::StatusOr<ScalarFunction> function =
      writer_.writer().ScalarFunctionOf(module.ComputationAttribute(id, AttributeKind::kToApply));
  if (!function.ok()) return function.status();
  std::vector<std::string> arguments;
  for (InstructionId operand : module.operands(id)) {
    if (IsComplex(module.shape(operand).element_type())) writer_.program().Use(RuntimePart::kComplex);
    if (module.shape(operand).dimensions() != module.shape(id).dimensions()) {
      return absl::UnimplementedError("operands of different sizes");
    }
    const absl::StatusOr<std::string> number = Number(operand, map);
    if (!number.ok()) return number;
    arguments.push_back(
        Converted(module.shape(operand).element_type(), function->parameters[arguments.size()], *number));
  }
  nanoseconds_ += 5;
  return nest_.Name(NumberType(module.shape(id).element_type()),
                    Converted(function->results[0], module.shape(id).element_type(),
                              absl::StrCat(function->name, "(", absl::StrJoin(arguments, ", "), ")")));
}

absl::StatusOr<std::string> ElementWriter::ComputedNumber(InstructionId id, const IndexMap& map) {
  const Module& module = writer_.module();
  const Shape& shape = module.shape(id);
  const ElementType type = shape.element_type();
  if (IsComplex(type)) writer_.program().Use(RuntimePart::kComplex);
  switch (module.opcode(id)) {
    case Opcode::kConstant:
      return NumberText(type, module.literal(id).ElementBytes(0));
    case Opcode::kIota: {
      IndexMap along(map.size());
      const size_t dimension = static_cast<size_t>(module.IntAttribute(id, AttributeKind::kIotaDimension));
      along[dimension] = map[dimension];
      // The position itself: as the index in an array of this dimension alone.
      std::vector<int64_t> sizes(map.size(), 1);
      const std::string index = nest_.Index(LinearIndexOf(along, sizes, nest_.sizes().size()));
      return nest_.Name(NumberType(type), Converted(ElementType::kS64, type, absl::StrCat("(", index, ")")));
    }
    case Opcode::kMap:
      return MappedNumber(id, map);
    default:
      break;
  }
  if (IsView(module, id)) {
    const absl::StatusOr<std::string> number = Number(module.operand(id, 0), OperandMap(module, id, map));
    if (!number.ok()) return number;
    const ElementType from = module.shape(module.operand(id, 0)).element_type();
    return from == type ? *number : BitcastConverted(from, type, *number);
  }
  std::vector<std::string> operands;
  for (InstructionId operand : module.operands(id)) {
    const absl::StatusOr<std::string> number = Number(operand, module.shape(operand).IsScalar() ? IndexMap() : map);
    if (!number.ok()) return number;
    operands.push_back(*number);
  }
  absl::StatusOr<std::string> expression = ElementExpression(module, id, operands);
  if (!expression.ok()) return expression;
  nanoseconds_ += ElementNanoseconds(module, id);
  return nest_.Name(NumberType(type), *expression);
}

}  // namespace hloscope::codegen
