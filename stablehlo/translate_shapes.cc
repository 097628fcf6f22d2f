// SPDX-License-Identifier: Apache-2.0
// Sizes that the text leaves open: given by the user for the arguments of the entry, they follow for everything else
// (docs/stablehlo.md 6).
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/ir/checked_math.h"
#include "stablehlo/function_copy.h"
#include "stablehlo/inferred_shape.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {
namespace {

constexpr size_t kMostCopies = 10000;
constexpr size_t kCopiedOperationBytes = 1 << 9;  // about
// A module of one instruction is read to find out a shape: counted as this much text.
constexpr size_t kInferenceBytes = 1 << 10;

bool IsOpen(const Type& type) { return type.HasShape() && type.shape.HasUnboundedDimension(); }

// Whether a region has a value of an open type, or calls one of `open_functions`.
bool HasOpenValue(const Region& region, const absl::flat_hash_set<absl::string_view>& open_functions) {
  std::vector<const Region*> rest = {&region};
  while (!rest.empty()) {
    const Region* const at = rest.back();
    rest.pop_back();
    for (const Value* argument : at->arguments) {
      if (IsOpen(*argument->type)) return true;
    }
    for (const Operation* op : at->operations) {
      for (const Value* result : op->results) {
        if (IsOpen(*result->type)) return true;
      }
      const AttributeValue* const callee = op->Find("callee");
      if (callee != nullptr && open_functions.contains(callee->text)) return true;
      rest.insert(rest.end(), op->regions.begin(), op->regions.end());
    }
  }
  return false;
}

}  // namespace

// Gives a value the type that its shape turned out to be; what its text says stays.
void Translator::SetShape(Value& value, const Shape& shape) {
  const Type& written = *value.type;
  if (!IsOpen(written) || !shape.IsArray() || shape.rank() != written.shape.rank()) return;
  Type type = written;
  std::string rest = written.text;
  type.text.clear();
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (!written.shape.IsUnboundedDimension(d)) continue;
    type.shape.set_dimension(d, shape.dimension(d));
    type.shape.set_dynamic_dimension(d, shape.IsDynamicDimension(d));
    const size_t question = rest.find('?');
    if (question == std::string::npos) continue;
    absl::StrAppend(&type.text, rest.substr(0, question), shape.IsDynamicDimension(d) ? "<=" : "",
                    shape.IsUnboundedDimension(d) ? "?" : absl::StrCat(shape.dimension(d)));
    rest = rest.substr(question + 1);
  }
  type.text.append(rest);
  value.type = &program_.types.emplace_back(std::move(type));
}

void Translator::SetResult(Site& site, size_t k, HloRef made) {
  Value& result = *site.op.results[k];
  site.frame.values[&result] = made;
  if (made != nullptr) SetShape(result, made->shape);
}

// The same for all results of an operation: `made` is the one, or a tuple of several.
void Translator::SetShapes(const Operation& op, const Shape& made) {
  for (size_t k = 0; k < op.results.size(); ++k) {
    const int64_t index = static_cast<int64_t>(k);
    SetShape(*op.results[k], op.results.size() > 1 && index < made.tuple_size() ? made.element(index) : made);
  }
}

// --- Arguments of the entry ---

void Translator::BindShape(const Function& entry, const ArgumentShape& given) {
  const std::vector<Value*>& arguments = entry.body->arguments;
  size_t number = arguments.size();
  if (!absl::SimpleAtoi(given.argument, &number)) {
    const auto named = std::find_if(arguments.begin(), arguments.end(),
                                    [&](const Value* argument) { return argument->name == given.argument; });
    number = static_cast<size_t>(named - arguments.begin());
  }
  const auto fail = [&](SourceRange range, absl::string_view why) {
    sink_.Report(DiagnosticKind::kShloDynamic, range, absl::StrCat("--shape ", given.written, ": ", why));
  };
  if (number >= arguments.size()) {
    return fail(entry.name_range, absl::StrCat("@", entry.name, " has no such argument; it has ", arguments.size()));
  }
  Value& argument = *arguments[number];
  const Type& type = *argument.type;
  if (!type.HasShape() || !type.shape.IsArray()) {
    return fail(argument.range, absl::StrCat("%", argument.name, " is ", type.text, ", which has no sizes"));
  }
  if (type.shape.rank() != static_cast<int64_t>(given.sizes.size())) {
    return fail(argument.range, absl::StrCat("%", argument.name, " is ", type.text, ", which has ", type.shape.rank(),
                                             " dimensions, not ", given.sizes.size()));
  }
  Type bound = type;
  std::vector<std::string> words;
  for (int64_t d = 0; d < type.shape.rank(); ++d) {
    const ArgumentShape::Size& size = given.sizes[static_cast<size_t>(d)];
    const bool is_open = type.shape.IsUnboundedDimension(d), is_bounded = type.shape.IsDynamicDimension(d);
    const int64_t written = type.shape.dimension(d);
    if (!is_open && (is_bounded ? size.size > written : size.is_bound || size.size != written)) {
      return fail(argument.range, absl::StrCat("dimension ", d, " of %", argument.name, " is ",
                                               is_bounded ? "at most " : "", written, " in ", type.text));
    }
    bound.shape.set_dimension(d, size.size);
    bound.shape.set_dynamic_dimension(d, size.is_bound);
    words.push_back(absl::StrCat(size.is_bound ? "<=" : "", size.size));
  }
  const size_t comma = type.text.find_first_of(",>");
  const size_t element = type.text.substr(0, comma).rfind('x');
  if (!words.empty() && element != std::string::npos) {
    bound.text = absl::StrCat("tensor<", absl::StrJoin(words, "x"), type.text.substr(element, comma - element), ">");
  }
  argument.type = &program_.types.emplace_back(std::move(bound));
}

// --- Operations ---

std::optional<Shape> Translator::ShapeOfSizes(Value* sizes, const Shape& written) {
  const std::optional<std::vector<int64_t>> constants = Constants(sizes);
  if (!constants.has_value() || static_cast<int64_t>(constants->size()) != written.rank()) return std::nullopt;
  if (std::any_of(constants->begin(), constants->end(), [](int64_t size) { return size < 0; })) return std::nullopt;
  return Shape::Array(written.element_type(), *constants);
}

// What a collective that gathers or cuts makes of its operand of this shape, if its groups are written as lists.
std::optional<Shape> Translator::ShapeOfCollective(const Operation& op, const Shape& operand) {
  Shape shape = operand.WithoutLayout();
  const auto scale = [&](int64_t d, int64_t times, int64_t parts) {
    int64_t size = 0;
    if (d < 0 || d >= shape.rank() || times < 1 || parts < 1 || shape.dimension(d) % parts != 0) return false;
    if (__builtin_mul_overflow(shape.dimension(d) / parts, times, &size)) return false;
    shape.set_dimension(d, size);
    return true;
  };
  if (op.short_name == "all_to_all") {
    const int64_t count = Integer(op, "split_count", 1);
    const bool fits =
        scale(Integer(op, "split_dimension", 0), 1, count) && scale(Integer(op, "concat_dimension", 0), count, 1);
    return fits ? std::optional<Shape>(shape) : std::nullopt;
  }
  const AttributeValue* const groups = op.Find("replica_groups");
  if (groups == nullptr || groups->type == nullptr || groups->type->shape.rank() != 2) return std::nullopt;
  const int64_t members = groups->type->shape.dimension(1);
  const bool fits = op.short_name == "all_gather" ? scale(Integer(op, "all_gather_dim", 0), members, 1)
                                                  : scale(Integer(op, "scatter_dimension", 0), 1, members);
  return fits ? std::optional<Shape>(shape) : std::nullopt;
}

// The shape that the operands of a result with open sizes imply where HLO has no rule for it, because its text always
// says the shape.
std::optional<Shape> Translator::ImpliedShape(const Site& site, size_t k) {
  const Operation& op = site.op;
  const absl::string_view name = op.short_name;
  const Shape& written = op.results[k]->type->shape;
  const std::vector<HloRef>& operands = site.operands;
  // Which operand has the sizes as its elements, and which one has the same sizes.
  static constexpr std::pair<absl::string_view, size_t> kSizes[] = {
      {"dynamic_broadcast_in_dim", 1}, {"dynamic_reshape", 1}, {"dynamic_iota", 0}, {"rng", 2}};
  static constexpr std::pair<absl::string_view, size_t> kSame[] = {{"convert", 0}, {"select", 1}, {"clamp", 1}};
  for (const auto& [operation, at] : kSizes) {
    if (name == operation && at < operands.size()) return ShapeOfSizes(op.operands[at].value, written);
  }
  for (const auto& [operation, at] : kSame) {
    if (name == operation && at < operands.size()) return operands[at]->shape;
  }
  if (name == "custom_call") {
    const std::vector<int64_t> given = Integers(op, "indices_of_shape_operands");
    if (k >= given.size() || given[k] < 0 || given[k] >= static_cast<int64_t>(op.operands.size())) return std::nullopt;
    return ShapeOfSizes(op.operands[static_cast<size_t>(given[k])].value, written);
  }
  if (operands.empty()) return std::nullopt;
  if (name == "all_gather" || name == "all_to_all" || name == "reduce_scatter") {
    return k < operands.size() ? ShapeOfCollective(op, operands[k]->shape) : std::nullopt;
  }
  if (name == "broadcast") {
    std::vector<int64_t> sizes = Integers(op, "broadcast_sizes");
    sizes.insert(sizes.end(), operands[0]->shape.dimensions().begin(), operands[0]->shape.dimensions().end());
    return Shape::Array(written.element_type(), sizes);
  }
  if (name == "reshape") {
    int64_t open = -1, rest = 1;
    for (int64_t d = 0; d < written.rank(); ++d) {
      if (written.IsUnboundedDimension(d)) {
        if (open >= 0) return std::nullopt;
        open = d;
      } else {
        rest = SaturatingProduct(rest, written.dimension(d));
      }
    }
    const int64_t count = operands[0]->shape.IsDynamic() ? -1 : operands[0]->shape.ElementCount();
    if (count < 0 || rest <= 0 || count % rest != 0) return std::nullopt;
    Shape shape = written;
    shape.set_dimension(open, count / rest);
    shape.set_dynamic_dimension(open, false);
    return shape;
  }
  if (op.dialect != "chlo") return std::nullopt;
  // As NumPy broadcasts; without broadcasting all operands are equal.
  std::vector<int64_t> sizes(static_cast<size_t>(written.rank()), 1);
  for (const HloRef operand : operands) {
    const int64_t skipped = written.rank() - operand->shape.rank();
    for (int64_t d = 0; skipped >= 0 && d < operand->shape.rank(); ++d) {
      int64_t& size = sizes[static_cast<size_t>(skipped + d)];
      if (size == 1) size = operand->shape.dimension(d);
    }
  }
  return Shape::Array(written.element_type(), sizes);
}

// Finds the sizes of results that the text leaves open, where that is possible before anything is written.
void Translator::RefineResults(const Site& site) {
  for (size_t k = 0; k < site.op.results.size(); ++k) {
    if (!IsOpen(*site.op.results[k]->type)) continue;
    const std::optional<Shape> shape = ImpliedShape(site, k);
    if (shape.has_value()) SetShape(*site.op.results[k], *shape);
  }
  for (const Region* region : site.op.regions) {
    // The arguments of a loop's regions are its state.
    if (site.op.short_name != "while" || region->arguments.size() != site.operands.size()) continue;
    for (size_t k = 0; k < site.operands.size(); ++k) SetShape(*region->arguments[k], site.operands[k]->shape);
  }
}

// The shape of what is about to be written: `written`, with what it leaves open by HLO's own rules.
Shape Translator::RefinedShape(const Shape& written, absl::string_view opcode, absl::Span<const HloRef> operands,
                               absl::string_view attributes) {
  if (!written.HasUnboundedDimension()) return written;
  std::string computations;
  for (size_t at = attributes.find('%'); at != absl::string_view::npos; at = attributes.find('%', at + 1)) {
    const size_t end = attributes.find_first_of(",} ", at);
    const auto place = computation_place_.find(attributes.substr(at + 1, end - at - 1));
    if (place == computation_place_.end()) continue;
    absl::StrAppend(&computations, absl::string_view(out_.text).substr(place->second.begin, place->second.size()));
  }
  budget_.Spend(kInferenceBytes + computations.size());
  if (budget_.IsSpent()) return written;
  std::optional<Shape> inferred = InferHloShape(opcode, operands, attributes, computations);
  const auto refined = [](const Shape& open, const Shape& known) {
    if (!open.IsArray() || !known.IsArray() || open.rank() != known.rank()) return open;
    Shape shape = open;
    for (int64_t d = 0; d < open.rank(); ++d) {
      if (!open.IsUnboundedDimension(d)) continue;
      shape.set_dimension(d, known.dimension(d));
      shape.set_dynamic_dimension(d, known.IsDynamicDimension(d));
    }
    return shape;
  };
  if (!inferred.has_value()) return written;
  if (!written.IsTuple()) return refined(written, *inferred);
  if (!inferred->IsTuple() || inferred->tuple_size() != written.tuple_size()) return written;
  std::vector<Shape> elements;
  for (int64_t k = 0; k < written.tuple_size(); ++k) {
    elements.push_back(refined(written.element(k), inferred->element(k)));
  }
  return Shape::Tuple(std::move(elements));
}

// --- Functions ---

// Finds those whose sizes depend on their callers: callees come before callers in `order`.
void Translator::FindOpenFunctions(const std::vector<const Function*>& order) {
  for (const Function* function : order) {
    if (function->body == nullptr) continue;
    if (HasOpenValue(*function->body, open_functions_)) open_functions_.insert(function->name);
  }
}

// The function for a call: itself, or a copy for the shapes and known integers of the operands. Null if there would be
// too many, which was reported.
const Function* Translator::ForCall(const Function& function, const Site& site) {
  if (!open_functions_.contains(function.name) || function.body == nullptr ||
      function.body->arguments.size() != site.operands.size()) {
    return &function;
  }
  std::string key(function.name);
  std::vector<const std::vector<int64_t>*> known;
  for (size_t k = 0; k < site.operands.size(); ++k) {
    const std::optional<std::vector<int64_t>> constants = Constants(site.op.operands[k].value);
    known.push_back(constants.has_value() ? &program_.integer_lists.emplace_back(*constants) : nullptr);
    absl::StrAppend(&key, "|", site.operands[k]->shape.ToString(), "=",
                    constants.has_value() ? absl::StrJoin(*constants, ",") : "");
  }
  const auto [at, is_new] = copies_.emplace(std::move(key), nullptr);
  if (!is_new) return at->second;
  if (copies_.size() > kMostCopies) {
    Fail(site.op, DiagnosticKind::kShloDynamic,
         absl::StrCat("more than ", kMostCopies, " functions would be made for the shapes of calls"));
    return nullptr;
  }
  const size_t operations = program_.operations.size();
  Function& copy = *CopyFunction(program_, function);
  budget_.Spend((program_.operations.size() - operations) * kCopiedOperationBytes);
  for (size_t k = 0; k < site.operands.size(); ++k) {
    SetShape(*copy.body->arguments[k], site.operands[k]->shape);
    copy.argument_types[k] = copy.body->arguments[k]->type;
    copy.body->arguments[k]->known = known[k];
  }
  return at->second = &copy;
}

// An assertion about shapes, which is checked and gives no instruction.
bool Translator::CheckShapeAssertion(Site& site) {
  const std::optional<std::vector<int64_t>> holds =
      site.operands.empty() ? std::nullopt : Constants(site.op.operands[0].value);
  std::string message = StringOf(site.op, "error_message");
  if (!holds.has_value() || holds->size() != 1) {
    return Fail(site.op, DiagnosticKind::kShloDynamic,
                "whether the assertion about shapes holds is not known: it depends on more than sizes and constants");
  }
  if ((*holds)[0] != 0) return true;
  for (size_t k = 1; k < site.op.operands.size(); ++k) {
    const std::optional<std::vector<int64_t>> value = Constants(site.op.operands[k].value);
    if (!value.has_value()) continue;
    message = absl::StrReplaceAll(message, {{absl::StrCat("{", k - 1, "}"), absl::StrJoin(*value, ",")}});
  }
  return Fail(site.op, DiagnosticKind::kShloDynamic,
              absl::StrCat("the shapes do not fit: ", message.empty() ? "an assertion of the program fails" : message));
}

}  // namespace hloscope::stablehlo
