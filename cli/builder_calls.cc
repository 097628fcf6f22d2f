#include "cli/builder_calls.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cli/shape_argument.h"
#include "core/builder/broadcasting.h"
#include "core/builder/expansions.h"

namespace hloscope {
namespace {

using Operands = absl::Span<const BuilderValue>;
using Groups = std::vector<std::vector<int64_t>>;

// An option that CheckBuilderCall has read already; absent: empty.
std::vector<int64_t> List(const Arguments& arguments, absl::string_view option) {
  const auto list = IntListOption(arguments, option);
  return list.ok() && *list ? **list : std::vector<int64_t>();
}

absl::StatusOr<int64_t> Number(const Arguments& arguments, absl::string_view option, int64_t default_value = 0) {
  return arguments.Int(option, default_value, std::numeric_limits<int64_t>::min() + 1,
                       std::numeric_limits<int64_t>::max());
}
int64_t NumberOr(const Arguments& arguments, absl::string_view option, int64_t default_value = 0) {
  return Number(arguments, option, default_value).value_or(default_value);
}

// "{{0,1},{2,3}}", with or without the outer braces and blanks.
absl::StatusOr<Groups> GroupsOption(const Arguments& arguments) {
  const std::string value = absl::StrReplaceAll(arguments.Value("replica-groups").value_or(""), {{" ", ""}});
  absl::string_view text = value;
  if (absl::StartsWith(text, "{{") && absl::EndsWith(text, "}}")) text = text.substr(1, text.size() - 2);
  Groups groups;
  const absl::Status error = absl::InvalidArgumentError("--replica-groups is a list of groups such as {{0,1},{2,3}}");
  while (!text.empty()) {
    const size_t close = text.find('}');
    if (text[0] != '{' || close == absl::string_view::npos) return error;
    std::vector<int64_t>& group = groups.emplace_back();
    for (absl::string_view word : absl::StrSplit(text.substr(1, close - 1), ',', absl::SkipEmpty())) {
      int64_t id = 0;
      if (!absl::SimpleAtoi(word, &id)) return error;
      group.push_back(id);
    }
    text.remove_prefix(close + 1);
    if (!text.empty() && !(absl::ConsumePrefix(&text, ",") && !text.empty())) return error;
  }
  return groups;
}

Opcode OpcodeOption(const Arguments& arguments) {
  return OpcodeFromName(arguments.Value("op").value_or("add")).value_or(Opcode::kInvalid);
}

ConvOptions ConvOptionsOf(const Arguments& arguments) {
  ConvOptions options;
  options.strides = List(arguments, "strides");
  if (arguments.Value("padding").value_or("valid") == "same") options.padding = ConvPadding::kSame;
  options.feature_group_count = NumberOr(arguments, "feature-groups", 1);
  options.batch_group_count = NumberOr(arguments, "batch-groups", 1);
  return options;
}

constexpr const char* kX[] = {"x"};
constexpr const char* kLhsRhs[] = {"lhs", "rhs"};
constexpr const char* kLhsKernel[] = {"lhs", "kernel"};
constexpr const char* kXValue[] = {"x", "value"};
constexpr const char* kXInit[] = {"x", "init"};
constexpr const char* kOperand[] = {"operand"};
constexpr const char* kSizesDims[] = {"sizes", "dims"};
constexpr const char* kSizes[] = {"sizes"};
constexpr const char* kDims[] = {"dims"};
constexpr const char* kSizesOrder[] = {"sizes", "order"};
constexpr const char* kDim[] = {"dim"};
constexpr const char* kSlice[] = {"dim", "start", "limit", "stride"};
constexpr const char* kSliceNeeds[] = {"dim", "start", "limit"};
constexpr const char* kPad[] = {"dim", "low", "high"};
constexpr const char* kOp[] = {"op"};
constexpr const char* kConv[] = {"padding", "strides", "feature-groups", "batch-groups"};
constexpr const char* kGroups[] = {"replica-groups"};

constexpr BuilderCall kCalls[] = {
    {"broadcast", "X", 1, 1, kSizes, kSizes, kX,
     [](const Arguments& a, Operands x) { return ExpandBroadcast(x[0], List(a, "sizes")); }},
    {"broadcast-in-dim", "X", 1, 1, kSizesDims, kSizesDims, kX,
     [](const Arguments& a, Operands x) { return ExpandBroadcastInDim(x[0], List(a, "sizes"), List(a, "dims")); }},
    {"collapse", "X", 1, 1, kDims, kDims, kX,
     [](const Arguments& a, Operands x) { return ExpandCollapse(x[0], List(a, "dims")); }},
    {"reshape", "X", 1, 1, kSizesOrder, kSizes, kX,
     [](const Arguments& a, Operands x) {
       std::vector<int64_t> order = List(a, "order");
       for (int64_t d = 0; !a.Has("order") && d < x[0].shape.rank(); ++d) order.push_back(d);
       return ExpandReshape(x[0], order, List(a, "sizes"));
     }},
    {"concat-in-dim", "X...", 1, -1, kDim, kDim, kOperand,
     [](const Arguments& a, Operands x) { return ExpandConcatInDim(x, NumberOr(a, "dim")); }},
    {"slice-in-dim", "X", 1, 1, kSlice, kSliceNeeds, kX,
     [](const Arguments& a, Operands x) {
       return ExpandSliceInDim(x[0], NumberOr(a, "start"), NumberOr(a, "limit"), NumberOr(a, "stride", 1),
                               NumberOr(a, "dim"));
     }},
    {"pad-in-dim", "X", 1, 1, kPad, kDim, kXValue,
     [](const Arguments& a, Operands x) {
       return ExpandPadInDim(x[0], x[1], NumberOr(a, "dim"), NumberOr(a, "low"), NumberOr(a, "high"));
     }},
    {"reduce-all",
     "X",
     1,
     1,
     kOp,
     {},
     kXInit,
     [](const Arguments& a, Operands x) { return ExpandReduceAll(x[0], x[1], OpcodeOption(a)); }},
    {"dot", "LHS RHS", 2, 2, {}, {}, kLhsRhs, [](const Arguments&, Operands x) { return ExpandDot(x[0], x[1]); }},
    {"conv",
     "LHS KERNEL",
     2,
     2,
     kConv,
     {},
     kLhsKernel,
     [](const Arguments& a, Operands x) { return ExpandConv(x[0], x[1], ConvOptionsOf(a)); }},
    {"cross-replica-sum",
     "X",
     1,
     1,
     kGroups,
     {},
     kX,
     [](const Arguments& a, Operands x) { return ExpandCrossReplicaSum(x[0], GroupsOption(a).value_or(Groups())); }},
};

// Letters only, in lower case.
std::string PlainName(absl::string_view name) {
  std::string plain;
  for (char c : name) {
    if (c != '-' && c != '_') plain.push_back(absl::ascii_tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

bool Lists(absl::Span<const char* const> options, absl::string_view option) {
  return std::find(options.begin(), options.end(), option) != options.end();
}

}  // namespace

absl::Span<const BuilderCall> AllBuilderCalls() { return kCalls; }

const BuilderCall* FindBuilderCall(absl::string_view name) {
  for (const BuilderCall& call : kCalls) {
    if (PlainName(call.name) == PlainName(name)) return &call;
  }
  return nullptr;
}

absl::Status CheckBuilderCall(const BuilderCall& call, const Arguments& arguments) {
  const int count = static_cast<int>(arguments.operands().size());
  if (count < call.min_operands || (call.max_operands >= 0 && count > call.max_operands)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--call=", call.name, " takes ", call.operands, ", got ", count, " shapes"));
  }
  for (const BuilderCall& other : kCalls) {
    for (absl::string_view option : other.takes) {
      if (arguments.Has(option) && !Lists(call.takes, option)) {
        return absl::InvalidArgumentError(absl::StrCat("--call=", call.name, " takes no --", option));
      }
    }
  }
  for (absl::string_view option : call.needs) {
    if (!arguments.Has(option))
      return absl::InvalidArgumentError(absl::StrCat("--call=", call.name, " needs --", option));
  }
  for (absl::string_view option : {"sizes", "dims", "order", "strides"}) {
    const auto list = IntListOption(arguments, option);
    if (!list.ok()) return list.status();
  }
  for (absl::string_view option :
       {"dim", "start", "limit", "stride", "low", "high", "feature-groups", "batch-groups"}) {
    const auto number = Number(arguments, option);
    if (!number.ok()) return number.status();
  }
  const auto padding = arguments.Choice("padding", {"valid", "same"});
  if (!padding.ok()) return padding.status();
  if (OpcodeOption(arguments) == Opcode::kInvalid) {
    return absl::InvalidArgumentError(absl::StrCat("--op=", *arguments.Value("op"), " is no opcode"));
  }
  return GroupsOption(arguments).status();
}

const std::string& BuilderCallsHelp() {
  static const std::string* const kHelp = [] {
    std::string* help = new std::string();
    for (const BuilderCall& call : kCalls) {
      const std::string left = absl::StrCat("  ", call.name, " ", call.operands);
      absl::StrAppend(help, left);
      if (!call.takes.empty()) help->append(std::max<size_t>(26, left.size() + 1) - left.size(), ' ');
      for (absl::string_view option : call.takes) {
        absl::StrAppend(help,
                        Lists(call.needs, option) ? absl::StrCat(" --", option) : absl::StrCat(" [--", option, "]"));
      }
      absl::StrAppend(help, "\n");
    }
    return help;
  }();
  return *kHelp;
}

std::vector<BuilderValue> BuilderOperands(const BuilderCall& call, absl::Span<const Shape> shapes) {
  std::vector<BuilderValue> operands;
  for (size_t i = 0; i < std::max(shapes.size(), call.operand_names.size()); ++i) {
    const Shape shape = i < shapes.size() ? shapes[i] : Shape::Scalar(shapes[0].element_type());
    const bool is_counted = shapes.size() > call.operand_names.size();
    operands.push_back({is_counted ? absl::StrCat(call.operand_names.back(), ".", i) : call.operand_names[i], shape});
  }
  return operands;
}

std::string BuilderModuleHeader(const Arguments& arguments) {
  std::set<int64_t> replicas;
  for (const auto& group : GroupsOption(arguments).value_or(Groups())) replicas.insert(group.begin(), group.end());
  return replicas.size() > 1 ? absl::StrCat("replica_count=", replicas.size()) : "";
}

}  // namespace hloscope
