// SPDX-License-Identifier: Apache-2.0
#include "core/builder/builder_calls.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/builder/expansions.h"
#include "core/diagnostics/suggestions.h"

namespace hloscope {
namespace {

using Values = absl::Span<const BuilderValue>;
using Groups = std::vector<std::vector<int64_t>>;
using Role = BuilderOperand::Role;
using Type = BuilderParameter::Type;

constexpr BuilderOperand kX[] = {{"x"}};
constexpr BuilderOperand kOperand[] = {{"operand"}};
constexpr BuilderOperand kLhsRhs[] = {{"lhs", Role::kMatrix}, {"rhs", Role::kMatrix}};
constexpr BuilderOperand kLhsKernel[] = {{"lhs", Role::kImage}, {"kernel", Role::kImage}};
constexpr BuilderOperand kXValue[] = {{"x"}, {"value", Role::kScalar}};
constexpr BuilderOperand kXInit[] = {{"x"}, {"init", Role::kScalar}};

constexpr BuilderParameter kBroadcast[] = {{"sizes", Type::kNumbers, true, true, "of the new dimensions"}};
constexpr BuilderParameter kBroadcastInDim[] = {
    {"sizes", Type::kNumbers, true, true, "of the result"},
    {"dims", Type::kNumbers, true, true, "which dimension of the result each one of x becomes, ascending"}};
constexpr BuilderParameter kCollapse[] = {{"dims", Type::kNumbers, true, true, "consecutive, ascending"}};
constexpr BuilderParameter kReshape[] = {
    {"sizes", Type::kNumbers, true, true, "of the result"},
    {"order", Type::kNumbers, false, true, "in which the dimensions of x are read, the slowest first"}};
constexpr BuilderParameter kConcatInDim[] = {{"dim", Type::kNumber, true, true, "along which they follow each other"}};
constexpr BuilderParameter kSliceInDim[] = {{"dim", Type::kNumber, true, true, "that is cut"},
                                            {"start", Type::kNumber, true, true, "the first element"},
                                            {"limit", Type::kNumber, true, true, "after the last one"},
                                            {"stride", Type::kNumber, false, false, "every how many; 1"}};
constexpr BuilderParameter kPadInDim[] = {{"dim", Type::kNumber, true, true, "that grows"},
                                          {"low", Type::kNumber, false, true, "elements in front; 0"},
                                          {"high", Type::kNumber, false, true, "elements after; 0"}};
constexpr BuilderParameter kReduceAll[] = {{"op", Type::kOpcode, false, true, "that combines two elements; add"}};
constexpr BuilderParameter kConv[] = {
    {"padding", Type::kPadding, false, true, "VALID: none; SAME: as many windows as strides fit the input"},
    {"strides", Type::kNumbers, false, true, "one per spatial dimension; 1"},
    {"feature_group_count", Type::kNumber, false, false, "1"},
    {"batch_group_count", Type::kNumber, false, false, "1"}};
constexpr BuilderParameter kCrossReplicaSum[] = {
    {"replica_groups", Type::kGroups, false, false, "who is summed with whom; all replicas"}};

ConvOptions ConvOptionsOf(const BuilderArguments& arguments) {
  ConvOptions options;
  options.strides = arguments.Numbers("strides");
  if (arguments.Word("padding", "VALID") == "SAME") options.padding = ConvPadding::kSame;
  options.feature_group_count = arguments.Number("feature_group_count", 1);
  options.batch_group_count = arguments.Number("batch_group_count", 1);
  return options;
}

constexpr BuilderCall kCalls[] = {
    {"Broadcast", kX, false, kBroadcast, "x repeated over new dimensions in front of its own",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       return ExpandBroadcast(x[0], a.Numbers("sizes"), names);
     }},
    {"BroadcastInDim", kX, false, kBroadcastInDim, "x with its dimensions put at `dims`, and sizes of 1 stretched",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       return ExpandBroadcastInDim(x[0], a.Numbers("sizes"), a.Numbers("dims"), names);
     }},
    {"Collapse", kX, false, kCollapse, "x with several dimensions made one",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       return ExpandCollapse(x[0], a.Numbers("dims"), names);
     }},
    {"Reshape", kX, false, kReshape, "the elements of x, read in the given order, in an array of other sizes",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       std::vector<int64_t> order = a.Numbers("order");
       for (int64_t d = 0; !a.Has("order") && x[0].shape.IsArray() && d < x[0].shape.rank(); ++d) order.push_back(d);
       return ExpandReshape(x[0], order, a.Numbers("sizes"), names);
     }},
    {"ConcatInDim", kOperand, true, kConcatInDim, "the operands one after the other",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       return ExpandConcatInDim(x, a.Number("dim"), names);
     }},
    {"SliceInDim", kX, false, kSliceInDim, "a range of one dimension, and all of the others",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       return ExpandSliceInDim(x[0], a.Number("start"), a.Number("limit"), a.Number("stride", 1), a.Number("dim"),
                               names);
     }},
    {"PadInDim", kXValue, false, kPadInDim, "x with elements added to both ends of one dimension",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       return ExpandPadInDim(x[0], x[1], a.Number("dim"), a.Number("low"), a.Number("high"), names);
     }},
    {"ReduceAll", kXInit, false, kReduceAll, "all elements of x combined into one",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       return ExpandReduceAll(x[0], x[1], OpcodeFromName(a.Word("op", "add")).value_or(Opcode::kAdd), names);
     }},
    {"Dot",
     kLhsRhs,
     false,
     {},
     "the product of vectors and matrices",
     [](const BuilderArguments&, Values x, SnippetNames* names) { return ExpandDot(x[0], x[1], names); }},
    {"Conv", kLhsKernel, false, kConv,
     "a convolution of [batch, features, spatial...] with [output, input, spatial...]",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       return ExpandConv(x[0], x[1], ConvOptionsOf(a), names);
     }},
    {"CrossReplicaSum", kX, false, kCrossReplicaSum, "the sum of x over replicas, on each of them",
     [](const BuilderArguments& a, Values x, SnippetNames* names) {
       return ExpandCrossReplicaSum(x[0], a.Groups("replica_groups"), names);
     }},
};

// Letters only, in lower case.
std::string PlainName(absl::string_view name) {
  std::string plain;
  for (char c : name) {
    if (c != '-' && c != '_') plain.push_back(absl::ascii_tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

bool ReadNumbers(absl::string_view text, std::vector<int64_t>* numbers) {
  text = absl::StripAsciiWhitespace(text);
  if (absl::ConsumePrefix(&text, "{") && !absl::ConsumeSuffix(&text, "}")) return false;
  if (absl::StripAsciiWhitespace(text).empty()) return true;
  for (absl::string_view word : absl::StrSplit(text, ',')) {
    if (!absl::SimpleAtoi(word, &numbers->emplace_back())) return false;
  }
  return true;
}

// "{{0,1},{2,3}}", with or without the outer braces and blanks.
bool ReadGroups(absl::string_view value, Groups* groups) {
  const std::string compact = absl::StrReplaceAll(value, {{" ", ""}, {"\n", ""}, {"\t", ""}});
  absl::string_view text = compact;
  if (text == "{}") return true;
  if (absl::StartsWith(text, "{{") && absl::EndsWith(text, "}}")) text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const size_t close = text.find('}');
    if (text[0] != '{' || close == absl::string_view::npos) return false;
    if (!ReadNumbers(text.substr(0, close + 1), &groups->emplace_back())) return false;
    text.remove_prefix(close + 1);
    if (!text.empty() && !(absl::ConsumePrefix(&text, ",") && !text.empty())) return false;
  }
  return true;
}

std::string Counted(std::vector<int64_t> numbers, int64_t count, int64_t first, int64_t step) {
  for (int64_t i = 0; i < count; ++i) numbers.push_back(first + i * step);
  return ListText(numbers);
}

}  // namespace

absl::Span<const absl::string_view> UsualWords(Type type) {
  static constexpr absl::string_view kPaddings[] = {"SAME", "VALID"};
  static constexpr absl::string_view kOpcodes[] = {"add", "maximum", "minimum", "multiply"};
  if (type == Type::kPadding) return kPaddings;
  if (type == Type::kOpcode) return kOpcodes;
  return {};
}

absl::Status BuilderArguments::Set(const BuilderParameter& parameter, absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  Value value;
  bool good = true;
  absl::string_view expected;
  switch (parameter.type) {
    case Type::kNumber: {
      int64_t number = 0;
      good = absl::SimpleAtoi(text, &number);
      value.lists = {{number}};
      expected = "a number";
      break;
    }
    case Type::kNumbers:
      good = ReadNumbers(text, &value.lists.emplace_back());
      expected = "a list of numbers such as {0,2}";
      break;
    case Type::kGroups:
      good = ReadGroups(text, &value.lists);
      expected = "a list of groups such as {{0,1},{2,3}}";
      break;
    case Type::kPadding:
      value.word = absl::AsciiStrToUpper(text);
      good = value.word == "SAME" || value.word == "VALID";
      expected = "SAME or VALID";
      break;
    case Type::kOpcode:
      value.word = std::string(text);
      good = OpcodeFromName(text).has_value();
      expected = "an opcode such as add";
      break;
  }
  if (!good) return absl::InvalidArgumentError(absl::StrCat("expected ", expected));
  values_[parameter.name] = std::move(value);
  return absl::OkStatus();
}

std::vector<int64_t> BuilderArguments::Numbers(absl::string_view parameter) const {
  const auto it = values_.find(parameter);
  return it == values_.end() ? std::vector<int64_t>() : it->second.lists[0];
}

int64_t BuilderArguments::Number(absl::string_view parameter, int64_t default_value) const {
  const auto it = values_.find(parameter);
  return it == values_.end() ? default_value : it->second.lists[0][0];
}

const Groups& BuilderArguments::Groups(absl::string_view parameter) const {
  static const auto* const kNone = new std::vector<std::vector<int64_t>>();
  const auto it = values_.find(parameter);
  return it == values_.end() ? *kNone : it->second.lists;
}

absl::string_view BuilderArguments::Word(absl::string_view parameter, absl::string_view default_value) const {
  const auto it = values_.find(parameter);
  return it == values_.end() ? default_value : absl::string_view(it->second.word);
}

const BuilderParameter* BuilderCall::FindParameter(absl::string_view parameter_name) const {
  for (const BuilderParameter& parameter : parameters) {
    if (EqualButForStyle(parameter.name, parameter_name)) return &parameter;
  }
  return nullptr;
}

absl::Status BuilderCall::Check(size_t operand_count, const BuilderArguments& arguments) const {
  if (takes_more ? operand_count < operands.size() : operand_count != operands.size()) {
    const std::string names = absl::StrJoin(operands, ", ", [](std::string* out, const BuilderOperand& operand) {
      absl::StrAppend(out, "`", operand.name, "`");
    });
    return absl::InvalidArgumentError(absl::StrCat("takes the operand", operands.size() == 1 ? " " : "s ", names,
                                                   takes_more ? " and more" : "", ", got ", operand_count));
  }
  for (const BuilderParameter& parameter : parameters) {
    if (parameter.required && !arguments.Has(parameter.name)) {
      return absl::InvalidArgumentError(absl::StrCat("needs `", parameter.name, "`"));
    }
  }
  return absl::OkStatus();
}

absl::Span<const BuilderCall> AllBuilderCalls() { return kCalls; }

const BuilderCall* FindBuilderCall(absl::string_view name) {
  // Others are no spelling of any.
  if (name.size() > 40) return nullptr;
  const std::string plain = PlainName(name);
  for (const BuilderCall& call : kCalls) {
    if (absl::EqualsIgnoreCase(call.name, plain)) return &call;
  }
  return nullptr;
}

const BuilderCall* WrittenBuilderCall(absl::string_view word) {
  if (word.empty() || !absl::ascii_isupper(static_cast<unsigned char>(word[0]))) return nullptr;
  return FindBuilderCall(word);
}

std::string UsualValue(const BuilderCall& call, const BuilderParameter& parameter, absl::Span<const Shape> operands) {
  if (!UsualWords(parameter.type).empty()) return std::string(UsualWords(parameter.type)[0]);
  if (parameter.type == Type::kGroups) return "{{0,1}}";
  const bool known = !operands.empty() && operands[0].IsArray() && operands[0].rank() > 0 && !operands[0].IsDynamic();
  const int64_t rank = known ? operands[0].rank() : 2;
  if (parameter.type == Type::kNumber) {
    if (parameter.name == "limit") return absl::StrCat(known ? operands[0].dimension(0) : 1);
    return parameter.name == "dim" || parameter.name == "start" ? "0" : "1";
  }
  if (parameter.name == "strides") return Counted({}, rank - 2, 1, 0);
  if (parameter.name == "order") return Counted({}, rank, rank - 1, -1);
  if (parameter.name == "dims") {
    // The last two are those that are made one as a rule.
    return call.name == "Collapse" && rank > 2 ? Counted({}, 2, rank - 2, 1) : Counted({}, rank, 0, 1);
  }
  if (call.name == "Broadcast") return "{2}";
  std::vector<int64_t> sizes = {2, 3};
  if (known) sizes.assign(operands[0].dimensions().begin(), operands[0].dimensions().end());
  if (call.name == "Reshape") std::reverse(sizes.begin(), sizes.end());
  return ListText(sizes);
}

BuilderExample ExampleOf(const BuilderCall& call) {
  BuilderExample example;
  std::vector<Shape> shapes;
  BuilderArguments arguments;
  const bool stretches = call.name == "BroadcastInDim";
  for (const BuilderOperand& operand : call.operands) {
    std::vector<int64_t> sizes = {2, stretches ? 1 : 3};
    if (operand.role == Role::kMatrix && !shapes.empty()) sizes = {3, 4};
    if (operand.role == Role::kImage)
      sizes = shapes.empty() ? std::vector<int64_t>{1, 3, 8, 8} : std::vector<int64_t>{4, 3, 3, 3};
    if (operand.role == Role::kScalar) sizes.clear();
    shapes.push_back(Shape::Array(ElementType::kF32, sizes));
    example.operands.push_back({std::string(operand.name), shapes.back()});
  }
  if (call.takes_more) {
    example.operands.push_back(example.operands.back());
    example.operands[0].name = "x";
    example.operands[1].name = "y";
  }
  std::vector<std::string> words;
  for (const BuilderValue& operand : example.operands) words.push_back(operand.name);
  for (const BuilderParameter& parameter : call.parameters) {
    if (!parameter.in_snippets) continue;
    std::string value = UsualValue(call, parameter, shapes);
    // What makes the example show something.
    if (stretches) value = parameter.name == "sizes" ? "{2,5,3}" : "{0,2}";
    if (parameter.name == "strides") value = "{2,2}";
    if (!arguments.Set(parameter, value).ok()) continue;
    words.push_back(absl::StrCat(parameter.name, "=", value));
  }
  example.call = absl::StrCat(call.name, "(", absl::StrJoin(words, ", "), ")");
  absl::StatusOr<Snippet> snippet = call.expand(arguments, example.operands, nullptr);
  if (snippet.ok()) example.snippet = *std::move(snippet);
  return example;
}

}  // namespace hloscope
