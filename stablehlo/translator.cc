// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/translator.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/print/header_printer.h"
#include "stablehlo/constants.h"
#include "stablehlo/layouts.h"
#include "stablehlo/meshes.h"
#include "stablehlo/operation_table.h"

namespace hloscope::stablehlo {
namespace {

bool IsConstant(const Value& value) {
  return value.operation != nullptr && value.operation->short_name == "constant" && value.operation->operands.empty();
}

bool IsNumber(absl::string_view name) { return absl::c_all_of(name, absl::ascii_isdigit); }

}  // namespace

// --- Functions ---

const Function* Translator::FindEntry() {
  if (const auto found = program_.function_of_name.find("main"); found != program_.function_of_name.end()) {
    if (found->second->body != nullptr) return found->second;
  }
  if (program_.sink.error_count() > 0 && program_.functions.empty()) return nullptr;
  std::vector<const Function*> candidates;
  for (const Function* function : program_.functions) {
    if (!function->is_private && function->body != nullptr) candidates.push_back(function);
  }
  const SourceRange start = {0, std::min<uint32_t>(1, program_.source->size())};
  if (candidates.size() == 1) {
    sink_.Report(DiagnosticKind::kShloNote, candidates[0]->name_range,
                 absl::StrCat("there is no @main; the only public function, @", candidates[0]->name, ", is the entry"));
    return candidates[0];
  }
  sink_.Report(DiagnosticKind::kShloProgram, start,
               candidates.empty() ? "the program has no function @main: that is what a module of HLO starts from"
                                  : absl::StrCat("the program has no function @main and ", candidates.size(),
                                                 " public functions: name the one to start from @main"));
  return nullptr;
}

void Translator::CollectCalls(const Region& region, std::vector<std::pair<const Function*, SourceRange>>& calls) {
  std::vector<std::pair<const Region*, size_t>> open = {{&region, 0}};
  while (!open.empty()) {
    auto& [at, next] = open.back();
    if (next == at->operations.size()) {
      open.pop_back();
      continue;
    }
    const Operation& op = *at->operations[next++];
    for (const absl::string_view name : {"callee", "decomposition", "called_computations"}) {
      const AttributeValue* const value = op.Find(name);
      if (value == nullptr || (name == "decomposition" && StandsForChlo(op))) continue;
      std::vector<const AttributeValue*> symbols = value->items;
      if (value->form == AttributeForm::kSymbol) symbols = {value};
      for (const AttributeValue* symbol : symbols) {
        const auto found = program_.function_of_name.find(symbol->text);
        if (found != program_.function_of_name.end()) calls.emplace_back(found->second, op.name_range);
      }
    }
    for (auto nested = op.regions.rbegin(); nested != op.regions.rend(); ++nested) open.push_back({*nested, 0});
  }
}

// What the entry calls, callees before callers. False if a function calls itself.
bool Translator::OrderFunctions(const Function& entry, std::vector<const Function*>& order) {
  struct Visit {
    const Function* function;
    std::vector<std::pair<const Function*, SourceRange>> calls;
    size_t next = 0;
  };
  absl::flat_hash_map<const Function*, bool> finished;
  std::vector<Visit> open;
  const auto enter = [&](const Function* function) {
    finished[function] = false;
    open.push_back({function, {}, 0});
    if (function->body != nullptr) CollectCalls(*function->body, open.back().calls);
  };
  enter(&entry);
  while (!open.empty()) {
    Visit& visit = open.back();
    if (visit.next == visit.calls.size()) {
      finished[visit.function] = true;
      order.push_back(visit.function);
      open.pop_back();
      continue;
    }
    const auto [callee, range] = visit.calls[visit.next++];
    const auto seen = finished.find(callee);
    if (seen == finished.end()) {
      enter(callee);
    } else if (!seen->second) {
      sink_.Report(DiagnosticKind::kShloProgram, range,
                   absl::StrCat("@", callee->name, " calls itself, directly or through others; HLO has no recursion"));
      return false;
    }
  }
  return true;
}

bool Translator::CheckType(const Type& type, SourceRange range, absl::string_view what) {
  if (type.kind == TypeKind::kError) return false;
  if (!type.no_hlo.empty()) {
    if (reported_types_.insert(type.no_hlo).second) {
      sink_.Report(type.is_quantized ? DiagnosticKind::kShloQuantized : DiagnosticKind::kShloType, range, type.no_hlo);
    }
    return false;
  }
  if (!type.shape.HasUnboundedDimension()) return true;
  ReportOpenSize(type, range, what);
  return false;
}

// One report is enough: what depends on the size is unknown, too.
void Translator::ReportOpenSize(const Type& type, SourceRange range, absl::string_view what) {
  if (has_dynamic_report_) return;
  has_dynamic_report_ = true;
  int64_t d = 0;
  while (type.shape.IsArray() && d + 1 < type.shape.rank() && !type.shape.IsUnboundedDimension(d)) ++d;
  sink_.Report(DiagnosticKind::kShloDynamic, range,
               absl::StrCat("dimension ", d, " of ", what, " is unknown: ", type.text,
                            " has no HLO shape. Give the sizes of @main's arguments (--shape 0=3x4), or write them, or "
                            "a bound: tensor<?xf32, #stablehlo.bounds<8>>"));
}

void Translator::AddParameters(const Function& function, bool is_entry, Frame& frame) {
  for (size_t k = 0; k < function.body->arguments.size(); ++k) {
    const Value& argument = *function.body->arguments[k];
    if (!CheckType(*argument.type, argument.range, absl::StrCat("%", argument.name))) continue;
    std::string attributes;
    const AttributeValue* const dictionary = function.argument_attributes[k];
    if (dictionary != nullptr) {
      if (const AttributeValue* sharding = dictionary->Find("mhlo.sharding"); sharding != nullptr) {
        attributes = ShardingText(*sharding);
      } else if (const AttributeValue* named = dictionary->Find("sdy.sharding"); named != nullptr && is_entry) {
        attributes = ShardingText(*named);
      }
      absl::StrAppend(&attributes, FrontendAttributesText(dictionary->Find("mhlo.frontend_attributes")));
      const AttributeValue* const same = dictionary->Find("mhlo.is_same_data_across_replicas");
      if (same != nullptr && same->integer != 0) absl::StrAppend(&attributes, ", parameter_replication={true}");
    }
    if (argument.location != nullptr) attributes.append(locations_.Of(*argument.location).argument);
    const HloPlace place = {argument.range, TextOrigin::Role::kResult, attributes};
    frame.values[&argument] = frame.body.AddWithText(place, ParameterName(argument, absl::StrCat("Arg_", k)),
                                                     "parameter", argument.type->shape, absl::StrCat(k), "");
  }
}

// In XLA's style what its location says after the last slash, else `unnamed`; otherwise its own name if that is a word.
std::string Translator::ParameterName(const Value& argument, absl::string_view unnamed) {
  if (!IsXla()) return std::string(IsNumber(argument.name) ? unnamed : argument.name);
  if (argument.location == nullptr) return std::string(unnamed);
  std::string name = locations_.Of(*argument.location).op_name;
  name = name.substr(name.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  if (dot != std::string::npos && dot > 0 && IsNumber(absl::string_view(name).substr(dot + 1))) name.resize(dot);
  std::replace(name.begin(), name.end(), '.', '_');
  return name.empty() ? std::string(unnamed) : name;
}

std::string Translator::FinishComputation(Frame& frame, absl::string_view base_name, bool is_entry, HloRef root,
                                          absl::string_view attributes) {
  std::string name = absl::StrCat(base_name, ".", next_computation_++);
  if (IsXla()) {
    frame.body.NumberAsXla();
    name = HloNames().Unique(name);  // computations have numbers of their own
  } else {
    name = names_.Unique(name);
  }
  const uint32_t begin = static_cast<uint32_t>(out_.text.size());
  frame.body.Finish(name, is_entry, root, attributes, out_);
  if (!open_functions_.empty()) computation_place_[name] = {begin, static_cast<uint32_t>(out_.text.size())};
  if (root != nullptr) computation_result_[name] = root->shape;
  return name;
}

void Translator::TranslateFunction(const Function& function, bool is_entry) {
  if (function.body == nullptr) return;
  Frame frame(*this);
  frame.region = function.body;
  AddParameters(function, is_entry, frame);
  TranslateOperations(*function.body, frame);
  const HloRef root = RootOf(*function.body, frame);
  std::string attributes;
  if (function.attributes != nullptr) {
    const AttributeValue* const thread = function.attributes->Find("execution_thread");
    if (thread != nullptr) attributes = absl::StrCat(", execution_thread=", Quoted(DecodeString(thread->text)));
  }
  if (root == nullptr && sink_.error_count() == 0) {
    sink_.Report(DiagnosticKind::kShloRegion, function.name_range,
                 absl::StrCat("@", function.name, " returns nothing that has HLO"));
  }
  function_computation_[&function] = FinishComputation(frame, function.name, is_entry, root, attributes);
}

HloText Translator::Translate() {
  const Function* const entry = FindEntry();
  if (entry == nullptr) return {};
  ReadMeshes(program_);
  std::vector<const Function*> order;
  if (!OrderFunctions(*entry, order)) return {};
  FindOpenFunctions(order);
  for (const ArgumentShape& shape : options_.shapes) BindShape(*entry, shape);
  if (sink_.error_count() > 0 && !options_.shapes.empty()) return {};
  if (IsXla()) order = {entry};  // a callee is made where the first call of it is
  for (const Function* function : order) {
    if (function == entry || !open_functions_.contains(function->name)) TranslateFunction(*function, function == entry);
  }
  std::string header = HeaderText(*entry);
  if (!locations_.tables().empty()) AppendStackFrames(locations_.tables(), &header);
  for (TextOrigin::Part& part : out_.parts) {
    part.made.begin += static_cast<uint32_t>(header.size());
    part.made.end += static_cast<uint32_t>(header.size());
  }
  out_.text.insert(0, header);
  return std::move(out_);
}

// --- Operations ---

const std::vector<const Value*>& Translator::Captures(const Region& region) {
  const auto known = captures_.find(&region);
  if (known != captures_.end()) return known->second;
  std::vector<const Value*> captured;
  absl::flat_hash_set<const Value*> seen;
  const auto add = [&](const Value* value) {
    if (value == nullptr || value->region == &region || IsConstant(*value)) return;
    if (seen.insert(value).second) captured.push_back(value);
  };
  for (const Operation* op : region.operations) {
    for (const Region* nested : op->regions) {
      const std::vector<const Value*> inner = Captures(*nested);
      for (const Value* value : inner) add(value);
    }
    for (const OperandUse& use : op->operands) add(use.value);
  }
  return captures_.emplace(&region, std::move(captured)).first->second;
}

// The instruction that gives `value` in this computation; a constant of outside is made once more. Null if there is
// none.
HloRef Translator::Resolve(const Value* value, Frame& frame, SourceRange use) {
  if (value == nullptr) return nullptr;
  if (const auto found = frame.values.find(value); found != frame.values.end()) return found->second;
  if (value->known != nullptr && value->operation != nullptr && ComputesSize(*value->operation)) {
    Site site{*value->operation, frame, {}};
    const std::string elements = absl::StrJoin(*value->known, ", ");
    const Shape& shape = value->type->shape;
    return frame.values[value] = frame.body.AddWithText(
               PlaceOf(*value->operation, TextOrigin::Role::kResult), BaseName(*value->operation, "constant"),
               "constant", shape, shape.rank() == 0 ? elements : absl::StrCat("{", elements, "}"), "");
  }
  if (value->region == frame.region || value->type->kind == TypeKind::kError) return nullptr;
  if (IsConstant(*value)) {
    Site site{*value->operation, frame, {}};
    if (!TranslateConstant(site)) return nullptr;
    return frame.values[value];
  }
  if (!frame.reduction.empty()) {
    sink_.Report(
        DiagnosticKind::kShloRegion, use,
        absl::StrCat("the region of `", frame.reduction, "` uses %", value->name, " (line ",
                     LineOf(program_, value->range),
                     "), which is defined outside it; in HLO it can only use its own arguments and constants"));
    frame.values[value] = nullptr;
  }
  return nullptr;
}

void Translator::TranslateOperations(const Region& region, Frame& frame) {
  ++depth_;
  for (const Operation* op : region.operations) {
    if (op != region.operations.back() || op->short_name != "return") TranslateOperation(*op, frame);
  }
  --depth_;
}

void Translator::TranslateOperation(const Operation& op, Frame& frame) {
  if (op.is_broken || !HasBudget(op)) return;
  if (ComputesSize(op)) {
    TranslateSizes(op, frame);
    return;
  }
  Site site{op, frame, {}};
  for (const OperandUse& use : op.operands) {
    const HloRef operand = Resolve(use.value, frame, use.range);
    if (operand == nullptr) return;  // was reported where the operand should be made
    site.operands.push_back(operand);
  }
  RefineResults(site);
  for (const Value* result : op.results) {
    const Type& type = *result->type;
    if (type.HasShape() && type.shape.HasUnboundedDimension()) continue;  // may follow from the instruction
    if (!CheckType(type, op.name_range, absl::StrCat("the result of `", op.name, "`"))) return;
  }
  const size_t first = frame.body.line_count();
  HandleOperation(site);
  if (op.results.size() != 1) return;
  // However many instructions a formula has, one of them is what a step of the operation ends at.
  const auto made = frame.values.find(op.results[0]);
  if (made != frame.values.end() && made->second != nullptr) {
    frame.body.GiveResult(made->second, first, IsXla() ? "" : BaseName(op, ""));
  }
}

// False, which is reported once, where the program stands for too much HLO.
bool Translator::HasBudget(const Operation& op) {
  if (!budget_.IsSpent()) return true;
  if (!has_size_report_) {
    Fail(op, DiagnosticKind::kShloProgram,
         "the HLO of this program would be much longer than the program: what comes before this operation is too much");
  }
  has_size_report_ = true;
  return false;
}

bool Translator::HandleOperation(Site& site) {
  const Handler handler = FindHandler(site.op.dialect, site.op.short_name);
  if (handler != nullptr) return (this->*handler)(site);
  if (site.op.dialect == "check" || site.op.dialect == "interpreter") return true;
  if (FindOperation(site.op.dialect, site.op.short_name) == nullptr) return false;  // the parser has said so
  return Fail(site.op, DiagnosticKind::kShloNoHlo, "nothing in HLO computes this");
}

std::vector<HloRef> Translator::ReturnedValues(const Region& region, Frame& frame) {
  std::vector<HloRef> values;
  if (region.operations.empty()) return values;
  for (const OperandUse& use : region.operations.back()->operands) {
    values.push_back(Resolve(use.value, frame, use.range));
  }
  return values;
}

// What the region returns, and `extra`: one value itself, several or none as a tuple. Null if one is missing.
HloRef Translator::RootOf(const Region& region, Frame& frame, const std::vector<HloRef>& extra) {
  if (region.operations.empty()) return nullptr;
  std::vector<HloRef> values = ReturnedValues(region, frame);
  values.insert(values.end(), extra.begin(), extra.end());
  if (absl::c_linear_search(values, nullptr)) return nullptr;
  if (values.size() == 1) return values[0];
  Site site{*region.operations.back(), frame, {}};
  return TupleOf(site, values);
}

// --- Writing ---

HloPlace Translator::PlaceOf(const Operation& op, TextOrigin::Role role) {
  return {op.range, role, op.location == nullptr ? "" : locations_.Of(*op.location).operation};
}

std::string Translator::BaseName(const Operation& op, absl::string_view opcode) {
  if (IsXla()) {
    if (op.location == nullptr) return std::string(opcode);
    const std::string& name = locations_.Of(*op.location).op_name;
    return name.empty() ? std::string(opcode) : name.substr(name.rfind('/') + 1);
  }
  if (op.results.size() == 1 && !op.results[0]->name.empty() && !IsNumber(op.results[0]->name)) {
    return std::string(op.results[0]->name);
  }
  return std::string(opcode);
}

HloRef Translator::Emit(Site& site, absl::string_view opcode, const Shape& shape, absl::Span<const HloRef> operands,
                        absl::string_view attributes, TextOrigin::Role role) {
  const bool is_named = role == TextOrigin::Role::kResult || IsXla();
  const std::string base = is_named ? BaseName(site.op, opcode) : std::string(opcode);
  const Shape refined = RefinedShape(shape, opcode, operands, attributes);
  if (refined.HasUnboundedDimension()) {
    for (const Value* result : site.op.results) {
      if (result->type->HasShape() && result->type->shape.HasUnboundedDimension()) {
        ReportOpenSize(*result->type, site.op.name_range, absl::StrCat("the result of `", site.op.name, "`"));
      }
    }
  }
  return site.frame.body.Add(PlaceOf(site.op, role), base, opcode, refined, operands, attributes);
}

bool Translator::Define(Site& site, absl::string_view opcode, absl::Span<const HloRef> operands,
                        absl::string_view attributes) {
  if (!NeedsResults(site, 1)) return false;
  SetResult(site, 0,
            Emit(site, opcode, ResultShape(site.op), operands, absl::StrCat(attributes, CommonAttributes(site.op)),
                 TextOrigin::Role::kResult));
  return true;
}

Shape Translator::ResultShape(const Operation& op) {
  Shape shape;
  if (op.results.size() == 1) {
    shape = op.results[0]->type->shape;
  } else {
    std::vector<Shape> shapes;
    for (const Value* result : op.results) shapes.push_back(result->type->shape);
    shape = Shape::Tuple(std::move(shapes));
  }
  const AttributeValue* const written = op.Find("xla_shape");
  if (written == nullptr) return shape;
  if (const std::optional<Shape> with_layout = ShapeOfXlaShape(*written, shape)) return *with_layout;
  sink_.Report(DiagnosticKind::kShloIgnored, written->range,
               absl::StrCat("`xla_shape` is ignored: it is not the shape of the result, ", shape.ToString(false)));
  return shape;
}

bool Translator::SetResults(Site& site, HloRef tuple) {
  const std::vector<std::string> shardings = ShardingsOf(site.op, false);
  for (size_t k = 0; k < site.op.results.size(); ++k) {
    const std::string sharding = shardings.empty() ? "" : absl::StrCat(", sharding=", shardings[k]);
    SetResult(site, k, Element(site, tuple, static_cast<int64_t>(k), sharding));
  }
  return true;
}

bool Translator::DefineAll(Site& site, absl::string_view opcode, absl::Span<const HloRef> operands,
                           absl::string_view attributes) {
  const HloRef made = Emit(site, opcode, ResultShape(site.op), operands,
                           absl::StrCat(attributes, CommonAttributes(site.op)), TextOrigin::Role::kResult);
  if (site.op.results.size() != 1) return SetResults(site, made);
  SetResult(site, 0, made);
  return true;
}

HloRef Translator::Scalar(Site& site, ElementType type, absl::string_view text) {
  return site.frame.body.AddWithText(PlaceOf(site.op, TextOrigin::Role::kPart),
                                     IsXla() ? BaseName(site.op, "constant") : "constant", "constant",
                                     Shape::Scalar(type), text, "");
}

HloRef Translator::Splat(Site& site, const Shape& shape, absl::string_view text) {
  const HloRef scalar = Scalar(site, shape.element_type(), text);
  return shape.rank() == 0 ? scalar : Broadcast(site, scalar, shape, {});
}

HloRef Translator::Broadcast(Site& site, HloRef operand, const Shape& shape, absl::Span<const int64_t> dimensions) {
  return Emit(site, "broadcast", shape, {operand}, absl::StrCat(", dimensions=", BracedList(dimensions)));
}

HloRef Translator::TupleOf(Site& site, absl::Span<const HloRef> elements) {
  std::vector<Shape> shapes;
  for (const HloRef element : elements) shapes.push_back(element->shape);
  return Emit(site, "tuple", Shape::Tuple(std::move(shapes)), elements);
}

HloRef Translator::Element(Site& site, HloRef tuple, int64_t index, absl::string_view attributes) {
  return Emit(site, "get-tuple-element", tuple->shape.element(index), {tuple},
              absl::StrCat(", index=", index, attributes));
}

bool Translator::Fail(const Operation& op, DiagnosticKind kind, absl::string_view message) {
  if (kind == DiagnosticKind::kShloNoHlo || kind == DiagnosticKind::kShloUnknownOperation) {
    sink_.Report(kind, op.name_range, op.name, message);
  } else {
    sink_.Report(kind, op.name_range, message);
  }
  return false;
}

bool Translator::NeedsOperands(Site& site, size_t count) {
  if (site.operands.size() == count) return true;
  return Fail(site.op, DiagnosticKind::kShloCount,
              absl::StrCat("`", site.op.name, "` takes ", count, count == 1 ? " operand" : " operands", ", there are ",
                           site.operands.size()));
}

bool Translator::NeedsResults(Site& site, size_t count) {
  if (site.op.results.size() == count) return true;
  return Fail(site.op, DiagnosticKind::kShloCount,
              absl::StrCat("`", site.op.name, "` has ", count, count == 1 ? " result" : " results", ", the text says ",
                           site.op.results.size()));
}

bool Translator::NeedsRegions(Site& site, size_t count) {
  if (site.op.regions.size() == count) return true;
  return Fail(site.op, DiagnosticKind::kShloRegion,
              absl::StrCat("`", site.op.name, "` has ", count, count == 1 ? " region" : " regions", ", there are ",
                           site.op.regions.size()));
}

}  // namespace hloscope::stablehlo
