// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/variable_tree.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/print/literal_printer.h"
#include "evaluator/debugger/debugger.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

// Elements of an array whose statistics are shown without being asked for.
constexpr int64_t kSummarized = 1 << 16;
constexpr int64_t kFirstElements = 4;
// Arrays with fewer elements are shown whole; statistics would say less.
constexpr int64_t kFewElements = 8;

// Element `i` of the outermost dimension.
evaluator::Tensor RowOf(const evaluator::Tensor& tensor, int64_t i) {
  return tensor.View(tensor.dimensions().subspan(1), tensor.strides().subspan(1), i * tensor.strides()[0]);
}

int64_t PartCount(const evaluator::Value& value) {
  if (value.IsTuple()) return static_cast<int64_t>(value.elements().size());
  if (value.IsTensor() && value.tensor().rank() > 0) return value.tensor().dimension(0);
  return 0;
}

bool HasStatistics(const evaluator::Value& value) {
  return value.IsTensor() && value.tensor().element_count() > kFewElements;
}

std::string ElementText(const evaluator::Tensor& scalar) {
  const absl::StatusOr<Literal> literal = evaluator::LiteralOf(evaluator::Value(scalar));
  return literal.ok() ? PrintLiteral(*literal) : std::string("?");
}

std::string TypeOf(const evaluator::Value& value) {
  return value.has_value() ? evaluator::ShapeOf(value).ToString(false) : std::string("nothing");
}

// Views of the elements that are there at run time.
evaluator::Value WithRunTimeSizes(const evaluator::Value& value) {
  return value.IsTensor() ? evaluator::Value(value.tensor().WithRunTimeSizes()) : value;
}

}  // namespace

std::string NamedValue::Expression() const {
  if (base.empty() || index.empty()) return base;
  return absl::StrCat(base, "[", absl::StrJoin(index, ","), "]");
}

std::string ShortValue(const evaluator::Value& value, ValueFormat format) {
  if (format != ValueFormat::kUsual) return FormattedValue(value, format);
  if (!value.IsTensor() || value.tensor().element_count() <= kSummarized) return evaluator::BriefValue(value);
  evaluator::Tensor first = value.tensor();
  std::vector<std::string> elements;
  while (first.rank() > 1) first = RowOf(first, 0);
  for (int64_t i = 0; i < std::min(kFirstElements, first.dimension(0)); ++i) {
    elements.push_back(ElementText(RowOf(first, i)));
  }
  return absl::StrCat(value.tensor().shape().ToString(false), " ",
                      std::string(static_cast<size_t>(value.tensor().rank()), '{'), absl::StrJoin(elements, ", "),
                      ", ...");
}

std::vector<std::pair<int64_t, int64_t>> GroupsOf(int64_t begin, int64_t end) {
  int64_t size = kLargestGroup;
  while ((end - begin + size - 1) / size > kLargestGroup) size *= kLargestGroup;
  std::vector<std::pair<int64_t, int64_t>> groups;
  for (int64_t at = begin; at < end; at += size) groups.emplace_back(at, std::min(at + size, end));
  return groups;
}

void VariableTree::Clear() {
  nodes_.clear();
  memory_.clear();
}

int64_t VariableTree::AddValue(NamedValue value) {
  if (PartCount(value.value) == 0) return 0;
  Node node;
  node.value = std::move(value);
  nodes_.push_back(std::move(node));
  return static_cast<int64_t>(nodes_.size());
}

int64_t VariableTree::AddMaker(Maker make) {
  Node node;
  node.make = std::move(make);
  nodes_.push_back(std::move(node));
  return static_cast<int64_t>(nodes_.size());
}

std::string VariableTree::AddMemory(const NamedValue& value) {
  memory_.push_back(value);
  return absl::StrCat("value:", memory_.size());
}

void VariableTree::AddType(std::string type, nlohmann::json* out) const {
  if (takes_types_) (*out)["type"] = std::move(type);
}

void VariableTree::Describe(const NamedValue& given, absl::string_view value_key, json* out) {
  const NamedValue named{WithRunTimeSizes(given.value), given.base, given.index};
  const evaluator::Value& value = named.value;
  (*out)[std::string(value_key)] = ShortValue(value, format_);
  AddType(TypeOf(value), out);
  const std::string expression = named.Expression();
  if (!expression.empty() && value_key == "value") (*out)["evaluateName"] = expression;
  const int64_t parts = PartCount(value);
  (*out)["variablesReference"] = AddValue(named);
  if (takes_memory_ && value.IsTensor() && value.tensor().has_buffer()) (*out)["memoryReference"] = AddMemory(named);
  if (parts == 0) return;
  if (value.IsTuple()) {
    (*out)["namedVariables"] = parts;
  } else {
    (*out)["indexedVariables"] = parts;
    (*out)["namedVariables"] = HasStatistics(value) ? 1 : 0;
  }
}

json VariableTree::Variable(absl::string_view name, const NamedValue& value) {
  json variable = {{"name", std::string(name)}};
  Describe(value, "value", &variable);
  return variable;
}

json VariableTree::Parts(const NamedValue& whole, int64_t begin, int64_t end) {
  json list = json::array();
  for (int64_t i = begin; i < end; ++i) {
    NamedValue part;
    std::string name;
    if (whole.value.IsTuple()) {
      name = absl::StrCat("{", i, "}");
      part.value = whole.value.elements()[static_cast<size_t>(i)];
      if (!whole.base.empty()) part.base = absl::StrCat(whole.base, name);
    } else {
      name = absl::StrCat("[", i, "]");
      part.value = evaluator::Value(RowOf(whole.value.tensor(), i));
      part.base = whole.base;
      part.index = whole.index;
      part.index.push_back(i);
    }
    list.push_back(Variable(name, part));
  }
  return list;
}

absl::StatusOr<json> VariableTree::Children(int64_t reference, const VariablesPage& page) {
  if (reference < 1 || static_cast<size_t>(reference) > nodes_.size()) {
    return absl::NotFoundError("these variables are of an earlier stop: ask for the scopes again");
  }
  // A copy: the children are nodes too.
  const Node node = nodes_[static_cast<size_t>(reference) - 1];
  if (node.make != nullptr) return page.named ? node.make() : absl::StatusOr<json>(json::array());
  const bool whole = node.begin == 0 && node.end == 0;
  const int64_t begin = node.begin, end = whole ? PartCount(node.value.value) : node.end;
  json list = json::array();
  const bool indexed = node.value.value.IsTensor();
  if (indexed && page.named && whole && page.start == 0 && HasStatistics(node.value.value)) {
    list.push_back({{"name", "statistics"},
                    {"value", evaluator::BriefValue(node.value.value)},
                    {"variablesReference", 0},
                    {"presentationHint", {{"kind", "virtual"}, {"attributes", {"readOnly"}}}}});
  }
  if (indexed ? !page.indexed : !page.named) return list;
  if (page.count.has_value() && *page.count > 0) {
    const int64_t first = std::clamp<int64_t>(page.start, 0, end - begin) + begin;
    const int64_t last = first + std::min({*page.count, end - first, kLargestGroup * 10});
    for (json& part : Parts(node.value, first, last)) list.push_back(std::move(part));
    return list;
  }
  if (end - begin <= kLargestGroup) {
    for (json& part : Parts(node.value, begin, end)) list.push_back(std::move(part));
    return list;
  }
  for (const auto& [from, to] : GroupsOf(begin, end)) {
    Node group;
    group.value = node.value;
    group.begin = from;
    group.end = to;
    nodes_.push_back(std::move(group));
    list.push_back({{"name", absl::StrCat("[", from, "..", to - 1, "]")},
                    {"value", ""},
                    {"variablesReference", static_cast<int64_t>(nodes_.size())},
                    {"indexedVariables", to - from}});
  }
  return list;
}

absl::StatusOr<std::string> VariableTree::ExpressionOf(int64_t reference, absl::string_view name) const {
  if (reference < 1 || static_cast<size_t>(reference) > nodes_.size()) {
    return absl::NotFoundError("these variables are of an earlier stop: ask for the scopes again");
  }
  const Node& node = nodes_[static_cast<size_t>(reference) - 1];
  if (node.make != nullptr) return std::string(name);
  if (node.value.base.empty()) {
    return absl::InvalidArgumentError("this is the value of an expression, not of an instruction: it cannot be set");
  }
  int64_t number;
  const bool tuple = node.value.value.IsTuple();
  if (name.size() < 3 || name.front() != (tuple ? '{' : '[') ||
      !absl::SimpleAtoi(name.substr(1, name.size() - 2), &number)) {
    return absl::InvalidArgumentError(absl::StrCat("`", name, "` is no element that can be set"));
  }
  NamedValue part = node.value;
  if (tuple) return absl::StrCat(part.base, name);
  part.index.push_back(number);
  return part.Expression();
}

absl::StatusOr<NamedValue> VariableTree::Memory(absl::string_view reference) const {
  size_t number;
  if (!absl::StartsWith(reference, "value:") || !absl::SimpleAtoi(reference.substr(6), &number) || number < 1 ||
      number > memory_.size()) {
    return absl::NotFoundError("this memory is of an earlier stop: ask for the variables again");
  }
  return memory_[number - 1];
}

void VariableTree::ReplaceMemory(absl::string_view reference, evaluator::Value value) {
  size_t number = 0;
  if (absl::SimpleAtoi(reference.substr(6), &number)) memory_[number - 1].value = std::move(value);
}

}  // namespace hloscope::dap
