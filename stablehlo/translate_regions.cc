// SPDX-License-Identifier: Apache-2.0
// Operations with regions, and calls: regions and functions become computations.
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "stablehlo/layouts.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {
namespace {

constexpr int kMostCallLevels = 400;

}  // namespace

std::string Translator::FinishRegion(Frame& frame, HloRef root, int number) {
  if (root == nullptr) return "";  // what it should return was reported
  return FinishComputation(frame, absl::StrCat("region_", number), false, root, "");
}

std::string Translator::ReducerComputation(Site& site, const Region& region) {
  return ArgumentsComputation(site, region, absl::StrCat("region_", next_region_++));
}

std::string Translator::ArgumentsComputation(Site& site, const Region& region, absl::string_view name) {
  Frame frame(*this);
  frame.region = &region;
  frame.reduction = site.op.name;
  const HloPlace place = {region.range, TextOrigin::Role::kImplied, ""};
  for (size_t k = 0; k < region.arguments.size(); ++k) {
    const Value& argument = *region.arguments[k];
    if (!CheckType(*argument.type, argument.range, absl::StrCat("%", argument.name))) return "";
    frame.values[&argument] = frame.body.AddWithText(
        place, IsXla() ? ParameterName(argument, absl::StrCat("Arg_", k)) : absl::StrCat("Arg_", k), "parameter",
        argument.type->shape, absl::StrCat(k), "");
  }
  TranslateOperations(region, frame);
  const HloRef root = RootOf(region, frame);
  return root == nullptr ? "" : FinishComputation(frame, name, false, root, "");
}

// --- While, if, case ---

std::string Translator::StateComputation(Site& site, const Region& region, const std::vector<const Value*>& captured,
                                         bool returns_captured) {
  const int number = next_region_++;
  Frame frame(*this);
  frame.region = &region;
  std::vector<const Value*> state(region.arguments.begin(), region.arguments.end());
  state.insert(state.end(), captured.begin(), captured.end());
  const HloPlace place = {region.range, TextOrigin::Role::kImplied, ""};
  std::vector<Shape> shapes;
  for (const Value* value : state) {
    const auto outside = site.frame.values.find(value);
    shapes.push_back(outside != site.frame.values.end() && outside->second != nullptr ? outside->second->shape
                                                                                      : value->type->shape);
  }
  if (state.size() == 1) {
    frame.values[state[0]] = frame.body.AddWithText(place, "Arg_", "parameter", shapes[0], "0", "");
  } else {
    const HloRef tuple = frame.body.AddWithText(place, state.empty() ? "arg_empty_tuple" : "arg_tuple", "parameter",
                                                Shape::Tuple(shapes), "0", "");
    for (size_t k = 0; k < state.size(); ++k) {
      const absl::string_view name = state[k]->name;
      const bool is_named = !IsXla() && !name.empty() && !absl::ascii_isdigit(name[0]);
      frame.values[state[k]] = frame.body.Add(place, is_named ? name : "get-tuple-element", "get-tuple-element",
                                              shapes[k], {tuple}, absl::StrCat(", index=", k));
    }
  }
  std::vector<HloRef> extra;
  for (const Value* value : captured) extra.push_back(frame.values[value]);
  TranslateOperations(region, frame);
  const HloRef root = RootOf(region, frame, returns_captured ? extra : std::vector<HloRef>());
  return FinishRegion(frame, root, number);
}

bool Translator::TranslateWhile(Site& site) {
  if (!NeedsRegions(site, 2) || !NeedsResults(site, site.operands.size())) return false;
  const Region &condition = *site.op.regions[0], &body = *site.op.regions[1];
  for (const Region* region : site.op.regions) {
    if (region->arguments.size() != site.operands.size()) {
      return Fail(site.op, DiagnosticKind::kShloRegion,
                  absl::StrCat("`while` has ", site.operands.size(), " operands, a region of it has ",
                               region->arguments.size(), " arguments"));
    }
  }
  std::vector<const Value*> captured = Captures(condition);
  for (const Value* value : Captures(body)) {
    if (!absl::c_linear_search(captured, value)) captured.push_back(value);
  }
  std::vector<HloRef> state = site.operands;
  for (const Value* value : captured) {
    state.push_back(Resolve(value, site.frame, site.op.name_range));
    if (state.back() == nullptr) return false;
  }
  const std::string body_name = StateComputation(site, body, captured, true);
  const std::string condition_name = StateComputation(site, condition, captured, false);
  if (body_name.empty() || condition_name.empty()) return false;
  const std::string attributes =
      absl::StrCat(", condition=%", condition_name, ", body=%", body_name, CommonAttributes(site.op, captured.size()));
  const HloRef initial = state.size() == 1 ? state[0] : TupleOf(site, state);
  const HloRef made = Emit(site, "while", initial->shape, {initial}, attributes, TextOrigin::Role::kResult);
  if (state.size() != 1) return SetResults(site, made);
  if (site.op.results.size() == 1) SetResult(site, 0, made);
  return true;
}

std::string Translator::BranchComputation(Site& site, const Region& region, HloRef& operand) {
  std::vector<HloRef> values;
  const std::vector<const Value*> captured = Captures(region);
  for (const Value* value : captured) {
    values.push_back(Resolve(value, site.frame, site.op.name_range));
    if (values.back() == nullptr) return "";
  }
  if (!region.arguments.empty()) {
    Fail(site.op, DiagnosticKind::kShloRegion, absl::StrCat("the branches of `", site.op.name, "` have no arguments"));
    return "";
  }
  operand = values.size() == 1 ? values[0] : TupleOf(site, values);
  return StateComputation(site, region, captured, false);
}

// if and case.
bool Translator::TranslateIf(Site& site) {
  if (!NeedsOperands(site, 1)) return false;
  const bool is_if = site.op.short_name == "if";
  if (is_if && !NeedsRegions(site, 2)) return false;
  if (site.op.regions.empty()) return Fail(site.op, DiagnosticKind::kShloRegion, "`case` needs at least one region");
  if (site.operands[0]->shape.rank() != 0) {
    return Fail(site.op, DiagnosticKind::kShloType,
                absl::StrCat("the ", is_if ? "predicate" : "index", " must be a scalar, it is ",
                             site.operands[0]->shape.ToString(false)));
  }
  std::vector<HloRef> operands = {site.operands[0]};
  std::vector<std::string> names;
  for (const Region* region : site.op.regions) {
    HloRef operand = nullptr;
    names.push_back(BranchComputation(site, *region, operand));
    if (names.back().empty()) return false;
    operands.push_back(operand);
  }
  const std::string attributes = is_if
                                     ? absl::StrCat(", true_computation=%", names[0], ", false_computation=%", names[1])
                                     : absl::StrCat(", branch_computations={%", absl::StrJoin(names, ", %"), "}");
  SetShapes(site.op, computation_result_[names[0]]);
  return DefineAll(site, "conditional", operands, attributes);
}

// --- Reductions ---

bool Translator::TranslateReduce(Site& site) {
  if (!NeedsRegions(site, 1)) return false;
  const std::string computation = ReducerComputation(site, *site.op.regions[0]);
  if (computation.empty()) return false;
  return DefineAll(
      site, "reduce", site.operands,
      absl::StrCat(", dimensions=", BracedList(Integers(site.op, "dimensions")), ", to_apply=%", computation));
}

bool Translator::TranslateReduceWindow(Site& site) {
  if (!NeedsRegions(site, 1)) return false;
  const std::string computation = ReducerComputation(site, *site.op.regions[0]);
  if (computation.empty()) return false;
  const std::string window = WindowText(site.op, Integers(site.op, "window_dimensions"), "window_strides",
                                        "base_dilations", "window_dilations", "");
  return DefineAll(site, "reduce-window", site.operands, absl::StrCat(window, ", to_apply=%", computation));
}

bool Translator::TranslateSelectAndScatter(Site& site) {
  if (!NeedsRegions(site, 2) || !NeedsOperands(site, 3)) return false;
  const std::string select = ReducerComputation(site, *site.op.regions[0]);
  const std::string scatter = ReducerComputation(site, *site.op.regions[1]);
  if (select.empty() || scatter.empty()) return false;
  std::vector<int64_t> size = Integers(site.op, "window_dimensions");
  if (size.empty()) size.assign(static_cast<size_t>(site.operands[0]->shape.rank()), 1);
  return Define(site, "select-and-scatter", site.operands,
                absl::StrCat(WindowText(site.op, size, "window_strides", "", "", ""), ", select=%", select,
                             ", scatter=%", scatter));
}

bool Translator::TranslateScatter(Site& site) {
  if (!NeedsRegions(site, 1)) return false;
  const std::string computation = ReducerComputation(site, *site.op.regions[0]);
  if (computation.empty()) return false;
  constexpr absl::string_view kStructure = "scatter_dimension_numbers";
  std::string text;
  for (const absl::string_view field : {"update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims"}) {
    absl::StrAppend(&text, ", ", field, "=", BracedList(StructureIntegers(site.op, kStructure, field)));
  }
  for (const absl::string_view field : {"input_batching_dims", "scatter_indices_batching_dims"}) {
    const std::vector<int64_t> list = StructureIntegers(site.op, kStructure, field);
    if (!list.empty()) absl::StrAppend(&text, ", ", field, "=", BracedList(list));
  }
  const std::vector<int64_t> vector = StructureIntegers(site.op, kStructure, "index_vector_dim");
  absl::StrAppend(&text, ", index_vector_dim=", vector.empty() ? 0 : vector[0]);
  for (const absl::string_view flag : {"indices_are_sorted", "unique_indices"}) {
    if (Flag(site.op, flag)) absl::StrAppend(&text, ", ", flag, "=true");
  }
  return DefineAll(site, "scatter", site.operands, absl::StrCat(text, ", to_apply=%", computation));
}

bool Translator::TranslateSort(Site& site) {
  if (!NeedsRegions(site, 1) || site.operands.empty()) return false;
  const std::string computation = ReducerComputation(site, *site.op.regions[0]);
  if (computation.empty()) return false;
  int64_t dimension = Integer(site.op, "dimension", -1);
  if (dimension < 0) dimension += site.operands[0]->shape.rank();
  return DefineAll(site, "sort", site.operands,
                   absl::StrCat(", dimensions={", dimension, "}", Flag(site.op, "is_stable") ? ", is_stable=true" : "",
                                ", to_apply=%", computation));
}

bool Translator::TranslateMap(Site& site) {
  if (!NeedsRegions(site, 1)) return false;
  const std::string computation = ReducerComputation(site, *site.op.regions[0]);
  if (computation.empty()) return false;
  return Define(
      site, "map", site.operands,
      absl::StrCat(", dimensions=", BracedList(Integers(site.op, "dimensions")), ", to_apply=%", computation));
}

bool Translator::TranslateScan(Site& site) {
  if (!NeedsRegions(site, 1)) return false;
  const Region& region = *site.op.regions[0];
  const std::string computation = ReducerComputation(site, region);
  if (computation.empty()) return false;
  // Operands are inputs, then initial carries; so are the results.
  size_t carries = 0;
  for (const HloRef operand : site.operands) carries += operand->shape.rank() == site.operands.back()->shape.rank();
  const Operation* const last = region.operations.back();
  std::string attributes = absl::StrCat(", dimensions={", Integer(site.op, "dimension", 0), "}, num_carries=", carries);
  if (last->operands.size() != site.op.results.size()) {
    return Fail(site.op, DiagnosticKind::kShloCount,
                "the region of `scan` returns as many values as the operation has results");
  }
  if (Flag(site.op, "is_reverse")) absl::StrAppend(&attributes, ", is_reverse=true");
  if (Flag(site.op, "is_associative")) absl::StrAppend(&attributes, ", is_associative=true");
  absl::StrAppend(&attributes, ", to_apply=%", computation, CommonAttributes(site.op));
  std::vector<Shape> shapes;
  for (const Value* result : site.op.results) shapes.push_back(result->type->shape);
  return SetResults(
      site, Emit(site, "scan", Shape::Tuple(std::move(shapes)), site.operands, attributes, TextOrigin::Role::kResult));
}

// --- Calls ---

// Where sizes depend on the call, and in XLA's style, a function is made at the first call of it.
const std::string* Translator::Callee(const Function& function, const Site& site) {
  const Function* const called = ForCall(function, site);
  if (called == nullptr) return nullptr;
  const bool is_made_here = IsXla() || called != &function;
  if (is_made_here && called->body != nullptr && !function_computation_.contains(called)) {
    if (depth_ >= kMostCallLevels) {
      Fail(site.op, DiagnosticKind::kShloProgram,
           absl::StrCat("calls and regions are nested more than ", kMostCallLevels, " deep, which ",
                        IsXla() ? "cannot be numbered as XLA does; leave --names=xla out"
                                : "is too deep to find out the shapes"));
      return nullptr;
    }
    TranslateFunction(*called, false);
  }
  const auto computation = function_computation_.find(called);
  if (computation != function_computation_.end()) return &computation->second;
  if (called->body == nullptr) {
    Fail(site.op, DiagnosticKind::kShloProgram, absl::StrCat("@", function.name, " is declared but has no body"));
  }
  return nullptr;
}

bool Translator::TranslateCall(Site& site) {
  const std::string callee = StringOf(site.op, "callee");
  const auto found = program_.function_of_name.find(callee);
  if (found == program_.function_of_name.end()) {
    sink_.Report(DiagnosticKind::kShloUndefined, site.op.Find("callee")->range, absl::StrCat("@", callee), "");
    return false;
  }
  const Function& function = *found->second;
  if (function.argument_types.size() != site.operands.size() || function.results.size() != site.op.results.size()) {
    return Fail(site.op, DiagnosticKind::kShloCount,
                absl::StrCat("@", callee, " takes ", function.argument_types.size(), " arguments and gives ",
                             function.results.size(), " results; the call has ", site.operands.size(), " and ",
                             site.op.results.size()));
  }
  for (size_t k = 0; k < site.operands.size(); ++k) {
    if (ShapesCompatible(function.argument_types[k]->shape, site.operands[k]->shape)) continue;
    return Fail(site.op, DiagnosticKind::kShloType,
                absl::StrCat("argument ", k, " of @", callee, " is ", function.argument_types[k]->text,
                             ", the call gives ", site.op.operands[k].value->type->text));
  }
  const std::string* const computation = Callee(function, site);
  if (computation == nullptr) return false;
  SetShapes(site.op, computation_result_[*computation]);
  return DefineAll(site, "call", site.operands, absl::StrCat(", to_apply=%", *computation));
}

// Whether XLA reads a composite as the CHLO operation of its name, without its decomposition.
bool Translator::StandsForChlo(const Operation& op) {
  std::string name = op.short_name == "composite" ? StringOf(op, "name") : "";
  return absl::StartsWith(name, "chlo.") &&
         absl::c_linear_search(
             std::initializer_list<absl::string_view>{"acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "mulhi",
                                                      "ragged_dot", "scan", "sinh", "tan", "top_k"},
             name.substr(5));
}

// The operation as one of CHLO with the attributes of a dictionary.
bool Translator::TranslateWithAttributes(Site& site, absl::string_view chlo_name, const AttributeValue* attributes) {
  Operation inner = site.op;
  inner.dialect = "chlo";
  inner.short_name = chlo_name;
  inner.attributes.clear();
  for (size_t k = 0; attributes != nullptr && k < attributes->keys.size(); ++k) {
    inner.attributes.push_back({attributes->keys[k], attributes->range, attributes->items[k]});
  }
  Site applied{inner, site.frame, site.operands};
  return HandleOperation(applied);
}

bool Translator::TranslateComposite(Site& site) {
  const std::string name = StringOf(site.op, "name");
  const std::string decomposition = StringOf(site.op, "decomposition");
  const auto found = program_.function_of_name.find(decomposition);
  if (found == program_.function_of_name.end()) {
    sink_.Report(DiagnosticKind::kShloUndefined, site.op.name_range, absl::StrCat("@", decomposition),
                 ", the decomposition");
    return false;
  }
  if (StandsForChlo(site.op)) {
    return TranslateWithAttributes(site, absl::string_view(name).substr(5), site.op.Find("composite_attributes"));
  }
  if (!site.op.regions.empty())
    return Fail(site.op, DiagnosticKind::kShloNoHlo, "a composite with regions is not supported");
  const std::string* const computation = Callee(*found->second, site);
  if (computation == nullptr) return false;
  SetShapes(site.op, computation_result_[*computation]);
  const AttributeValue* const dictionary = site.op.Find("composite_attributes");
  const std::string written = dictionary == nullptr ? "{}" : std::string(program_.Slice(dictionary->range));
  const std::string attributes = absl::StrCat(
      ", to_apply=%", *computation, ", is_composite=true, frontend_attributes={composite.attributes=", Quoted(written),
      ",composite.name=", Quoted(name), ",composite.version=", Quoted(absl::StrCat(Integer(site.op, "version", 0))),
      "}");
  const HloRef made = Emit(site, "call", ResultShape(site.op), site.operands, attributes, TextOrigin::Role::kResult);
  if (site.op.results.size() != 1) return SetResults(site, made);
  SetResult(site, 0, made);
  return true;
}

namespace {

absl::string_view ApiVersionWord(int64_t version) {
  switch (version) {
    case 0:
      return "API_VERSION_UNSPECIFIED";
    case 2:
      return "API_VERSION_STATUS_RETURNING";
    case 3:
      return "API_VERSION_STATUS_RETURNING_UNIFIED";
    case 4:
      return "API_VERSION_TYPED_FFI";
    default:
      return "";
  }
}

}  // namespace

// A custom call that means a CHLO operation: @mhlo.erf or @chlo.top_k with `mhlo.attributes`, those of the
// operation. Nothing if it is none.
std::optional<bool> Translator::TranslateAsChlo(Site& site, absl::string_view target) {
  const AttributeValue* const attributes = site.op.Find("mhlo.attributes");
  const bool is_renamed = absl::ConsumePrefix(&target, "mhlo.") || absl::ConsumePrefix(&target, "chlo.");
  if (!is_renamed || (attributes == nullptr && site.op.Find("mhlo.version") == nullptr)) return std::nullopt;
  return TranslateWithAttributes(site, target == "topk" ? absl::string_view("top_k") : target, attributes);
}

bool Translator::TranslateCustomCall(Site& site) {
  const Operation& op = site.op;
  const std::string target = StringOf(op, "call_target_name");
  if (const std::optional<bool> done = TranslateAsChlo(site, target); done.has_value()) return *done;
  if (target == "ragged_all_to_all") return TranslateRaggedAllToAll(site);
  if (absl::StartsWith(target, "check.")) return true;  // assertions of StableHLO's tests
  if (target == "shape_assertion" || target == "stablehlo.shape_assertion") return CheckShapeAssertion(site);
  std::string text = absl::StrCat(", custom_call_target=", Quoted(target));
  std::vector<Shape> operand_shapes, result_shapes;
  for (const HloRef operand : site.operands) operand_shapes.push_back(operand->shape);
  for (const Value* result : op.results) result_shapes.push_back(result->type->shape);
  if (const AttributeValue* layouts = op.Find("operand_layouts"); layouts != nullptr) {
    if (!SetLayouts(program_, *layouts, operand_shapes)) {
      return Fail(op, DiagnosticKind::kShloAttribute,
                  "`operand_layouts` needs a permutation of the dimensions of each operand");
    }
    absl::StrAppend(
        &text, ", operand_layout_constraints={",
        absl::StrJoin(operand_shapes, ", ",
                      [](std::string* out, const Shape& shape) { out->append(shape.ToStringWithDefaultLayouts()); }),
        "}");
  }
  if (const AttributeValue* layouts = op.Find("result_layouts");
      layouts != nullptr && !SetLayouts(program_, *layouts, result_shapes)) {
    return Fail(op, DiagnosticKind::kShloAttribute,
                "`result_layouts` needs a permutation of the dimensions of each result");
  }
  if (Flag(op, "has_side_effect")) absl::StrAppend(&text, ", custom_call_has_side_effect=true");
  if (const AttributeValue* aliases = op.Find("output_operand_aliases");
      aliases != nullptr && !aliases->items.empty()) {
    std::vector<std::string> entries;
    for (const AttributeValue* alias : aliases->items) {
      const auto list = [&](absl::string_view field) {
        const AttributeValue* const item = alias->Find(field);
        return BracedList(item == nullptr ? std::vector<int64_t>()
                                          : IntegersOf(program_, *item).value_or(std::vector<int64_t>()));
      };
      const AttributeValue* const operand = alias->Find("operand_index");
      entries.push_back(absl::StrCat(list("output_tuple_indices"), ": (", operand == nullptr ? 0 : operand->integer,
                                     ", ", list("operand_tuple_indices"), ")"));
    }
    absl::StrAppend(&text, ", output_to_operand_aliasing={", absl::StrJoin(entries, ", "), "}");
  }
  // What a typed foreign function is configured with may be beside the empty text of other versions.
  const AttributeValue* const typed_config = op.Find("mhlo.backend_config");
  const int64_t version = typed_config != nullptr ? 4 : Integer(op, "api_version", 1);
  if (!ApiVersionWord(version).empty()) absl::StrAppend(&text, ", api_version=", ApiVersionWord(version));
  if (const AttributeValue* called = op.Find("called_computations"); called != nullptr && !called->items.empty()) {
    if (called->items.size() > 1) return Fail(op, DiagnosticKind::kShloNoHlo, "more than one called computation");
    const auto function = program_.function_of_name.find(called->items[0]->text);
    if (function == program_.function_of_name.end()) {
      sink_.Report(DiagnosticKind::kShloUndefined, called->range, absl::StrCat("@", called->items[0]->text), "");
      return false;
    }
    const std::string* const computation = Callee(*function->second, site);
    if (computation == nullptr) return false;
    absl::StrAppend(&text, ", called_computations={%", *computation, "}");
  }
  absl::StrAppend(&text, CommonAttributes(op));
  if (const AttributeValue* config = typed_config != nullptr ? typed_config : op.Find("backend_config");
      config != nullptr) {
    const bool is_string = config->form == AttributeForm::kString;
    const std::string written = is_string ? DecodeString(config->text) : std::string(program_.Slice(config->range));
    if (!written.empty()) absl::StrAppend(&text, ", backend_config=", is_string ? Quoted(written) : written);
  }
  const Shape shape = result_shapes.size() == 1 ? result_shapes[0] : Shape::Tuple(result_shapes);
  const HloRef made = Emit(site, "custom-call", shape, site.operands, text, TextOrigin::Role::kResult);
  if (op.results.size() != 1) return SetResults(site, made);
  SetResult(site, 0, made);
  return true;
}

}  // namespace hloscope::stablehlo
