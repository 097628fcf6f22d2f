// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/layouts.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/semantics/shape_reader.h"

namespace hloscope::stablehlo {
namespace {

bool SetLayout(const std::vector<int64_t>& minor_to_major, Shape& shape) {
  if (!shape.IsArray() || static_cast<int64_t>(minor_to_major.size()) != shape.rank()) return false;
  std::vector<bool> is_there(minor_to_major.size(), false);
  for (const int64_t d : minor_to_major) {
    if (d < 0 || d >= shape.rank() || is_there[static_cast<size_t>(d)]) return false;
    is_there[static_cast<size_t>(d)] = true;
  }
  Layout layout;
  layout.minor_to_major.assign(minor_to_major.begin(), minor_to_major.end());
  shape.set_layout(std::move(layout));
  return true;
}

// "{1,0}" of mhlo.layout_mode; nullopt for "default" and "auto".
std::optional<std::vector<int64_t>> OrderOfMode(const AttributeValue& mode) {
  const absl::string_view text = mode.text;
  if (!absl::StartsWith(text, "{") || !absl::EndsWith(text, "}")) return std::nullopt;
  std::vector<int64_t> order;
  for (const absl::string_view part : absl::StrSplit(text.substr(1, text.size() - 2), ',', absl::SkipEmpty())) {
    int64_t number;
    if (!absl::SimpleAtoi(part, &number)) return std::nullopt;
    order.push_back(number);
  }
  return order;
}

// The layouts that a list of dictionaries and an attribute of the module ask for. True if there are any.
bool SetAskedLayouts(const Program& program, absl::Span<const AttributeValue* const> dictionaries,
                     absl::string_view module_attribute, std::vector<Shape>& shapes, DiagnosticSink& sink) {
  bool asks = false;
  const auto report = [&](const AttributeValue& value) {
    sink.Report(DiagnosticKind::kShloIgnored, value.range,
                "this layout is ignored: it is no order of the dimensions, minor to major");
  };
  const AttributeValue* const all =
      program.attributes == nullptr ? nullptr : program.attributes->Find(module_attribute);
  if (all != nullptr && all->form == AttributeForm::kArray) {
    asks = SetLayouts(program, *all, shapes);
    if (!asks) report(*all);
  }
  for (size_t k = 0; k < dictionaries.size() && k < shapes.size(); ++k) {
    const AttributeValue* const mode = dictionaries[k] == nullptr ? nullptr : dictionaries[k]->Find("mhlo.layout_mode");
    if (mode == nullptr || mode->form != AttributeForm::kString) continue;
    const std::optional<std::vector<int64_t>> order = OrderOfMode(*mode);
    if (!order.has_value()) continue;
    if (SetLayout(*order, shapes[k])) {
      asks = true;
    } else {
      report(*mode);
    }
  }
  return asks;
}

}  // namespace

bool SetLayouts(const Program& program, const AttributeValue& layouts, std::vector<Shape>& shapes) {
  if (layouts.items.size() != shapes.size()) return false;
  for (size_t k = 0; k < shapes.size(); ++k) {
    const std::optional<std::vector<int64_t>> order = IntegersOf(program, *layouts.items[k]);
    if (!order.has_value()) return false;
    if (shapes[k].IsArray() && !SetLayout(*order, shapes[k])) return false;
  }
  return true;
}

std::optional<Shape> ShapeOfXlaShape(const AttributeValue& written, const Shape& shape) {
  if (written.form != AttributeForm::kString) return std::nullopt;
  DiagnosticSink ignored;
  const std::optional<Shape> read =
      ReadShapeText(*SourceText::FromString("xla_shape", DecodeString(written.text)), ignored);
  if (!read.has_value() || ignored.error_count() > 0 || read->WithoutLayout() != shape.WithoutLayout()) {
    return std::nullopt;
  }
  return read;
}

std::string EntryLayoutText(const Program& program, const Function& entry, const Shape& result, DiagnosticSink& sink) {
  std::vector<Shape> arguments, results;
  for (const Value* argument : entry.body->arguments) arguments.push_back(argument->type->shape);
  for (int64_t k = 0; result.IsTuple() && k < result.tuple_size(); ++k) results.push_back(result.element(k));
  if (!result.IsTuple()) results.push_back(result);
  std::vector<const AttributeValue*> result_attributes;
  for (const FunctionResult& one : entry.results) result_attributes.push_back(one.attributes);
  const bool of_arguments = SetAskedLayouts(program, entry.argument_attributes,
                                            "mhlo.xla_entry_computation_parameter_layouts", arguments, sink);
  const bool of_results =
      SetAskedLayouts(program, result_attributes, "mhlo.xla_entry_computation_result_layout", results, sink);
  if (!of_arguments && !of_results) return "";
  const auto list = [](const std::vector<Shape>& shapes) {
    return absl::StrJoin(shapes, ", ",
                         [](std::string* out, const Shape& shape) { out->append(shape.ToStringWithDefaultLayouts()); });
  };
  return absl::StrCat(", entry_computation_layout={(", list(arguments), ")->",
                      result.IsTuple() ? absl::StrCat("(", list(results), ")") : list(results), "}");
}

}  // namespace hloscope::stablehlo
