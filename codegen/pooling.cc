// SPDX-License-Identifier: Apache-2.0
#include "codegen/pooling.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/cpp_types.h"
#include "core/analysis/known_reducers.h"
#include "core/analysis/scalar_patterns.h"
#include "numerics/pooling/window_selection.h"

namespace hloscope::codegen {
namespace {

namespace elementwise = numerics::elementwise;

// The names that a program has for what VisitStoredReducer and VisitOrder call with.
template <typename T>
std::string NameOfType() {
  if constexpr (std::same_as<T, float>) return "float";
  if constexpr (std::same_as<T, double>) return "double";
  if constexpr (std::same_as<T, numerics::Bf16>) return "numerics::Bf16";
  if constexpr (std::same_as<T, numerics::F16>) return "numerics::F16";
  if constexpr (std::integral<T>) return absl::StrCat(std::signed_integral<T> ? "" : "u", "int", 8 * sizeof(T), "_t");
}
template <typename Op>
std::string NameOfFunction() {
  if constexpr (std::same_as<Op, elementwise::Add>) return "Add";
  if constexpr (std::same_as<Op, elementwise::Multiply>) return "Multiply";
  if constexpr (std::same_as<Op, elementwise::Minimum>) return "Minimum";
  if constexpr (std::same_as<Op, elementwise::Maximum>) return "Maximum";
  if constexpr (std::same_as<Op, elementwise::And>) return "And";
  if constexpr (std::same_as<Op, elementwise::Or>) return "Or";
  if constexpr (std::same_as<Op, elementwise::Xor>) return "Xor";
  if constexpr (std::same_as<Op, elementwise::GreaterOrEqual>) return "GreaterOrEqual";
  if constexpr (std::same_as<Op, elementwise::Greater>) return "Greater";
  if constexpr (std::same_as<Op, elementwise::LessOrEqual>) return "LessOrEqual";
  if constexpr (std::same_as<Op, elementwise::Less>) return "Less";
}

// "float, Add".
std::optional<std::string> ReducerText(const Module& module, ComputationId computation, ElementType type) {
  std::string text;
  const bool is_known = VisitStoredReducer(RecognizeReducer(module, computation), type, [&](auto element, auto op) {
    text = absl::StrCat(NameOfType<decltype(element)>(), ", ", NameOfFunction<decltype(op)>());
  });
  return is_known ? std::optional(text) : std::nullopt;
}

bool IsOfType(const Module& module, ComputationId computation, ElementType type) {
  return module.shape(module.computation(computation).parameters[0]).element_type() == type;
}

std::vector<WindowDimension> WindowOf(const Module& module, InstructionId id) {
  if (const Window* w = module.WindowAttribute(id)) return w->dimensions;
  return std::vector<WindowDimension>(static_cast<size_t>(module.shape(module.operand(id, 0)).rank()));
}

// "GreaterOrEqual".
std::optional<std::string> OrderText(const Module& module, ComputationId computation, ElementType type) {
  const std::optional<RecognizedComparator> comparator = RecognizeComparator(module, computation);
  if (!comparator || comparator->total_order || !IsOfType(module, computation, type)) return std::nullopt;
  std::string text;
  const bool is_order =
      VisitOrder(comparator->direction, [&](auto compare) { text = NameOfFunction<decltype(compare)>(); });
  return is_order ? std::optional(text) : std::nullopt;
}

// "{2, window, sizes, counts}": variables for the windows of an instruction over `base`, in `counts`.
std::string WindowsText(ComputationWriter& writer, InstructionId id, const Shape& base, const Shape& counts) {
  const auto variable = [&](const char* type, const char* name, std::string values) {
    const std::string text = writer.LocalName(absl::StrCat(writer.NameFor(id), name));
    writer.AddLine(absl::StrCat("const ", type, " ", text, "[] = ", values, ";"));
    return text;
  };
  const auto sizes = [](const Shape& shape) {
    // One entry at least: C++ has no empty arrays.
    return BracedList(shape.rank() == 0 ? std::vector<int64_t>{0}
                                        : std::vector<int64_t>(shape.dimensions().begin(), shape.dimensions().end()));
  };
  std::string window;
  for (const WindowDimension& w : WindowOf(writer.module(), id)) {
    absl::StrAppend(&window, window.empty() ? "" : ", ", "{.size = ", w.size, ", .stride = ", w.stride,
                    ", .padding_low = ", w.padding_low, ", .base_dilation = ", w.base_dilation,
                    ", .window_dilation = ", w.window_dilation, "}");
  }
  const std::string dimensions =
      variable("numerics::WindowDimension", "_window", absl::StrCat("{", window.empty() ? "{}" : window, "}"));
  return absl::StrCat("{", base.rank(), ", ", dimensions, ", ", variable("int64_t", "_sizes", sizes(base)), ", ",
                      variable("int64_t", "_counts", sizes(counts)), "}");
}

}  // namespace

bool IsPooling(const Module& module, InstructionId id) {
  if (module.operands(id).size() != 2 || module.shape(id).IsTuple()) return false;
  const ElementType type = module.shape(id).element_type();
  const ComputationId reducer = module.ComputationAttribute(id, AttributeKind::kToApply);
  return module.shape(module.operand(id, 0)).element_type() == type &&
         module.shape(module.operand(id, 1)).element_type() == type && IsOfType(module, reducer, type) &&
         ReducerText(module, reducer, type).has_value();
}

void WritePooling(ComputationWriter& writer, InstructionId id, const std::string& init, const std::string& result) {
  const Module& module = writer.module();
  writer.program().Use(RuntimePart::kPooling);
  const InstructionId operand = module.operand(id, 0);
  const std::string windows = WindowsText(writer, id, module.shape(operand), module.shape(id));
  const ComputationId reducer = module.ComputationAttribute(id, AttributeKind::kToApply);
  writer.AddLine(absl::StrCat("FoldWindows<", *ReducerText(module, reducer, module.shape(id).element_type()), ">(",
                              windows, ", ", writer.Read(operand), ".data(), ", init, ".data(), ", result,
                              ".to<uint8_t>());"));
}

bool IsPoolingGradient(const Module& module, InstructionId id) {
  const ElementType type = module.shape(id).element_type();
  for (InstructionId operand : module.operands(id)) {
    if (module.shape(operand).element_type() != type) return false;
  }
  const ComputationId scatter = module.ComputationAttribute(id, AttributeKind::kScatter);
  if (!IsOfType(module, scatter, type) || !ReducerText(module, scatter, type) ||
      !OrderText(module, module.ComputationAttribute(id, AttributeKind::kSelect), type)) {
    return false;
  }
  const std::vector<WindowDimension> window = WindowOf(module, id);
  const auto sizes = module.shape(id).dimensions(), counts = module.shape(module.operand(id, 1)).dimensions();
  return module.shape(id).ElementCount() > 0 && module.shape(module.operand(id, 1)).ElementCount() > 0 &&
         numerics::SuitsRows({window,
                              {sizes.data(), sizes.size()},
                              {counts.data(), counts.size()},
                              nullptr,
                              nullptr,
                              nullptr,
                              nullptr});
}

void WritePoolingGradient(ComputationWriter& writer, InstructionId id, const std::string& init,
                          const std::string& result) {
  const Module& module = writer.module();
  writer.program().Use(RuntimePart::kPooling);
  const InstructionId operand = module.operand(id, 0), source = module.operand(id, 1);
  const ElementType type = module.shape(id).element_type();
  const std::string windows = WindowsText(writer, id, module.shape(operand), module.shape(source));
  writer.AddLine(absl::StrCat("SelectAndScatter<",
                              *ReducerText(module, module.ComputationAttribute(id, AttributeKind::kScatter), type),
                              ", ", *OrderText(module, module.ComputationAttribute(id, AttributeKind::kSelect), type),
                              ">(", windows, ", ", writer.Read(operand), ".data(), ", writer.Read(source), ".data(), ",
                              init, ".data(), ", result, ".to<uint8_t>());"));
}

}  // namespace hloscope::codegen
