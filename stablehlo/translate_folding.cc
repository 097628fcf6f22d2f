// SPDX-License-Identifier: Apache-2.0
// Integers that a program computes from its constants and sizes (docs/stablehlo.md 6).
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "stablehlo/constants.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {
namespace {

constexpr int kMostFolds = 64;
constexpr int kMostFoldSteps = 10000;
constexpr int64_t kMostFoldedElements = 4096;

// `number` as an element of `type` holds it.
int64_t Wrapped(int64_t number, ElementType type) {
  const uint64_t bits = static_cast<uint64_t>(number);
  if (type == ElementType::kPred) return number != 0;
  if (type == ElementType::kS8) return static_cast<int8_t>(bits);
  if (type == ElementType::kS16) return static_cast<int16_t>(bits);
  if (type == ElementType::kS32) return static_cast<int32_t>(bits);
  if (type == ElementType::kU8) return static_cast<uint8_t>(bits);
  if (type == ElementType::kU16) return static_cast<uint16_t>(bits);
  if (type == ElementType::kU32) return static_cast<uint32_t>(bits);
  return number;  // 64 bits; others do not count sizes
}

std::optional<int64_t> FoldUnary(absl::string_view name, int64_t x, ElementType type) {
  if (name == "reshape" || name == "convert" || name == "dynamic_reshape" || name == "copy") return x;
  if (name == "negate") return static_cast<int64_t>(-static_cast<uint64_t>(x));
  if (name == "abs") return x < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x;
  if (name == "sign") return (x > 0) - (x < 0);
  if (name == "not") return type == ElementType::kPred ? static_cast<int64_t>(x == 0) : ~x;
  return std::nullopt;
}

std::optional<int64_t> FoldCompare(absl::string_view direction, int64_t x, int64_t y) {
  if (direction == "EQ") return x == y;
  if (direction == "NE") return x != y;
  if (direction == "LT") return x < y;
  if (direction == "LE") return x <= y;
  if (direction == "GT") return x > y;
  if (direction == "GE") return x >= y;
  return std::nullopt;
}

std::optional<int64_t> FoldBinary(absl::string_view name, int64_t x, int64_t y) {
  const uint64_t a = static_cast<uint64_t>(x), b = static_cast<uint64_t>(y);
  if (name == "add") return static_cast<int64_t>(a + b);
  if (name == "subtract") return static_cast<int64_t>(a - b);
  if (name == "multiply") return static_cast<int64_t>(a * b);
  if (name == "maximum") return std::max(x, y);
  if (name == "minimum") return std::min(x, y);
  if (name == "and") return x & y;
  if (name == "or") return x | y;
  if (name == "xor") return x ^ y;
  if (name == "divide" && y > 0) return x / y;
  if (name == "divide" && y < 0 && y != -1) return x / y;
  if (name == "remainder" && y != 0 && y != -1) return x % y;
  return std::nullopt;
}

}  // namespace

// The elements of `op` for elements of its operands; nullopt if it is none that counts.
std::optional<std::vector<int64_t>> Translator::FoldElements(const Operation& op, size_t count,
                                                             const std::vector<std::vector<int64_t>>& operands) {
  std::vector<int64_t> result;
  const ElementType type = op.results[0]->type->shape.element_type();
  if (op.short_name == "concatenate") {
    for (const std::vector<int64_t>& operand : operands) result.insert(result.end(), operand.begin(), operand.end());
    return result;
  }
  if (op.short_name == "slice") {
    const std::vector<int64_t> start = Integers(op, "start_indices"), stride = Integers(op, "strides");
    if (start.size() != 1 || stride.size() != 1 || start[0] < 0 || stride[0] < 1) return std::nullopt;
    for (size_t k = 0; k < count; ++k) {
      const size_t at = static_cast<size_t>(start[0]) + k * static_cast<size_t>(stride[0]);
      if (at >= operands[0].size()) return std::nullopt;
      result.push_back(operands[0][at]);
    }
    return result;
  }
  if (op.short_name == "broadcast_in_dim") {
    if (operands[0].size() != 1) return std::nullopt;
    return std::vector<int64_t>(count, operands[0][0]);
  }
  for (const std::vector<int64_t>& operand : operands) {
    if (operand.size() != count) return std::nullopt;
  }
  const std::string direction = op.short_name == "compare" ? Word(op, "comparison_direction") : "";
  for (size_t k = 0; k < count; ++k) {
    std::optional<int64_t> element;
    if (operands.size() == 1) {
      element = FoldUnary(op.short_name, operands[0][k], type);
    } else if (operands.size() == 2) {
      element = direction.empty() ? FoldBinary(op.short_name, operands[0][k], operands[1][k])
                                  : FoldCompare(direction, operands[0][k], operands[1][k]);
    } else if (operands.size() == 3 && op.short_name == "select") {
      element = operands[0][k] != 0 ? operands[1][k] : operands[2][k];
    }
    if (!element.has_value()) return std::nullopt;
    result.push_back(Wrapped(*element, type));
  }
  return result;
}

namespace {

// The sizes of an array, if all are known.
std::optional<std::vector<int64_t>> SizesOf(const Value* value) {
  const Type* const type = value == nullptr ? nullptr : value->type;
  if (type == nullptr || !type->HasShape() || !type->shape.IsArray() || type->shape.IsDynamic() ||
      type->shape.HasUnboundedDimension()) {
    return std::nullopt;
  }
  return std::vector<int64_t>(type->shape.dimensions().begin(), type->shape.dimensions().end());
}

// As NumPy broadcasts; nullopt if they do not fit.
std::optional<std::vector<int64_t>> BroadcastSizes(const std::vector<std::vector<int64_t>>& operands) {
  std::vector<int64_t> sizes;
  for (const std::vector<int64_t>& operand : operands) {
    if (operand.size() > sizes.size()) sizes.insert(sizes.begin(), operand.size() - sizes.size(), 1);
    for (size_t k = 0; k < operand.size(); ++k) {
      int64_t& size = sizes[sizes.size() - operand.size() + k];
      if (size != operand[k] && size != 1 && operand[k] != 1) return std::nullopt;
      if (operand[k] != 1) size = operand[k];
    }
  }
  return sizes;
}

// What StableHLO calls an operation of arith: add for addi.
absl::string_view PlainName(absl::string_view name) {
  static constexpr std::pair<absl::string_view, absl::string_view> kNames[] = {
      {"addi", "add"},        {"subi", "subtract"}, {"muli", "multiply"}, {"divsi", "divide"},  {"divui", "divide"},
      {"maxsi", "maximum"},   {"maxui", "maximum"}, {"minsi", "minimum"}, {"minui", "minimum"}, {"remsi", "remainder"},
      {"remui", "remainder"}, {"andi", "and"},      {"ori", "or"},        {"xori", "xor"}};
  for (const auto& [arith, plain] : kNames) {
    if (name == arith) return plain;
  }
  return "";
}

std::optional<int64_t> FoldPredicate(absl::string_view predicate, int64_t x, int64_t y) {
  if (predicate == "eq") return x == y;
  if (predicate == "ne") return x != y;
  if (predicate.size() != 3) return std::nullopt;
  // slt, ult: sizes are never negative.
  return FoldCompare(predicate.substr(1) == "lt"   ? "LT"
                     : predicate.substr(1) == "le" ? "LE"
                     : predicate.substr(1) == "gt" ? "GT"
                                                   : "GE",
                     x, y);
}

}  // namespace

std::optional<std::vector<int64_t>> Translator::FoldSizes(const Operation& op, int depth) {
  const absl::string_view name = op.short_name;
  if (name == "const_shape") {
    const AttributeValue* const shape = op.Find("shape");
    return shape == nullptr ? std::nullopt : IntegersOf(program_, *shape);
  }
  if (op.operands.empty()) return std::nullopt;
  if (name == "shape_of") return SizesOf(op.operands[0].value);
  std::vector<std::vector<int64_t>> operands;
  const bool is_dim = name == "dim";
  for (size_t k = is_dim ? 1 : 0; k < op.operands.size(); ++k) {
    std::optional<std::vector<int64_t>> constants = Constants(op.operands[k].value, depth + 1);
    if (!constants.has_value()) return std::nullopt;
    operands.push_back(*std::move(constants));
  }
  const auto scalar = [&](size_t k) { return k < operands.size() && operands[k].size() == 1 ? operands[k][0] : -1; };
  if (is_dim) {
    // One dimension may be known where others are not.
    const Type* const type = op.operands[0].value == nullptr ? nullptr : op.operands[0].value->type;
    const int64_t d = scalar(0);
    if (type == nullptr || !type->HasShape() || !type->shape.IsArray() || d < 0 || d >= type->shape.rank() ||
        type->shape.IsDynamicDimension(d) || type->shape.IsUnboundedDimension(d)) {
      return std::nullopt;
    }
    return std::vector<int64_t>{type->shape.dimension(d)};
  }
  if (name == "from_elements" || name == "concat") {
    std::vector<int64_t> all;
    for (const std::vector<int64_t>& operand : operands) all.insert(all.end(), operand.begin(), operand.end());
    return all;
  }
  if (name == "extract") {
    const int64_t at = operands.size() == 1 ? 0 : scalar(1);
    if (operands.size() > 2 || at < 0 || at >= static_cast<int64_t>(operands[0].size())) return std::nullopt;
    return std::vector<int64_t>{operands[0][static_cast<size_t>(at)]};
  }
  if (name == "broadcast") return BroadcastSizes(operands);
  if (name == "num_elements") {
    int64_t product = 1;
    for (const int64_t size : operands[0]) {
      if (__builtin_mul_overflow(product, size, &product)) return std::nullopt;
    }
    return std::vector<int64_t>{product};
  }
  if (operands.size() == 1) return operands[0];  // casts
  if (operands.size() < 2 || operands[0].size() != operands[1].size()) return std::nullopt;
  std::vector<int64_t> result;
  for (size_t k = 0; k < operands[0].size(); ++k) {
    std::optional<int64_t> element;
    if (name == "cmpi") {
      element = FoldPredicate(Word(op, "predicate"), operands[0][k], operands[1][k]);
    } else if (name == "select" && operands.size() == 3 && k < operands[2].size()) {
      element = operands[0][k] != 0 ? operands[1][k] : operands[2][k];
    } else {
      element = FoldBinary(PlainName(name), operands[0][k], operands[1][k]);
    }
    if (!element.has_value()) return std::nullopt;
    result.push_back(*element);
  }
  return result;
}

// Nothing is written: who uses a size gets a constant. What is assumed is done.
bool Translator::TranslateSizes(const Operation& op, Frame& frame) {
  const absl::string_view name = op.short_name;
  if (name == "cstr_broadcastable" || name == "cstr_eq" || name == "const_witness") return true;
  if (name == "assuming") {
    if (op.regions.size() != 1) return false;
    TranslateOperations(*op.regions[0], frame);
    const std::vector<HloRef> values = ReturnedValues(*op.regions[0], frame);
    Site site{op, frame, {}};
    if (!NeedsResults(site, values.size())) return false;
    for (size_t k = 0; k < values.size(); ++k) SetResult(site, k, values[k]);
    return true;
  }
  if (op.results.size() == 1 && Constants(op.results[0]).has_value()) return true;
  for (const OperandUse& use : op.operands) {
    if (use.value == nullptr || use.value->type->kind == TypeKind::kError) return false;  // was reported
  }
  if (has_dynamic_report_) return false;
  has_dynamic_report_ = true;
  return Fail(op, DiagnosticKind::kShloDynamic,
              absl::StrCat("`", op.name,
                           "` depends on a size that is not known: give the sizes of @main's arguments "
                           "(--shape 0=3x4)"));
}

// The integers that a value always has: constants, and what shape computations make of them.
std::optional<std::vector<int64_t>> Translator::Constants(Value* value, int depth) {
  if (value != nullptr && value->known != nullptr) return *value->known;
  if (depth == 0) fold_steps_ = 0;
  if (value == nullptr || value->operation == nullptr || depth > kMostFolds || ++fold_steps_ > kMostFoldSteps)
    return std::nullopt;
  const Operation& op = *value->operation;
  if (ComputesSize(op)) {
    std::optional<std::vector<int64_t>> sizes = FoldSizes(op, depth);
    if (!sizes.has_value() || static_cast<int64_t>(sizes->size()) > kMostFoldedElements) return std::nullopt;
    const Shape& shape = value->type->shape;
    if (!value->type->HasShape() || !shape.IsArray() || shape.rank() > 1) return std::nullopt;
    SetShape(*value, Shape::Array(shape.element_type(), {static_cast<int64_t>(sizes->size())}));
    if (value->type->shape.ElementCount() != static_cast<int64_t>(sizes->size())) return std::nullopt;
    value->known = &program_.integer_lists.emplace_back(*std::move(sizes));
    return *value->known;
  }
  const Type& type = *value->type;
  if (!type.HasShape() || !type.shape.IsArray() || type.shape.HasUnboundedDimension()) return std::nullopt;
  if (type.shape.ElementCount() > kMostFoldedElements) return std::nullopt;
  const size_t count = static_cast<size_t>(type.shape.ElementCount());
  if (op.short_name == "constant") {
    const AttributeValue* const written = op.Find("value");
    if (written == nullptr) return std::nullopt;
    if (written->form == AttributeForm::kInteger) return std::vector<int64_t>(count, written->integer);
    return IntegersOfConstant(program_, *written);
  }
  if (type.shape.rank() > 1) return std::nullopt;  // sizes are scalars and lists
  std::optional<std::vector<int64_t>> result;
  if (op.short_name == "get_dimension_size" && op.operands.size() == 1 && op.operands[0].value != nullptr) {
    const Type& operand = *op.operands[0].value->type;
    const AttributeValue* const d = op.Find("dimension");
    if (d == nullptr || !operand.HasShape() || !operand.shape.IsArray() || d->integer < 0 ||
        d->integer >= operand.shape.rank() || operand.shape.IsDynamicDimension(d->integer) ||
        operand.shape.IsUnboundedDimension(d->integer)) {
      return std::nullopt;
    }
    result = std::vector<int64_t>{operand.shape.dimension(d->integer)};
  } else {
    std::vector<std::vector<int64_t>> operands;
    for (const OperandUse& use : op.operands) {
      std::optional<std::vector<int64_t>> constants = Constants(use.value, depth + 1);
      if (!constants.has_value()) return std::nullopt;
      operands.push_back(*std::move(constants));
    }
    if (operands.empty() || op.results.size() != 1 || !op.regions.empty()) return std::nullopt;
    result = FoldElements(op, count, operands);
  }
  if (!result.has_value() || result->size() != count) return std::nullopt;
  value->known = &program_.integer_lists.emplace_back(*result);
  return result;
}

}  // namespace hloscope::stablehlo
