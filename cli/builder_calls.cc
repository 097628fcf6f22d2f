// SPDX-License-Identifier: Apache-2.0
#include "cli/builder_calls.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace hloscope::cli {
namespace {

using Role = BuilderOperand::Role;

// Shapes that the command line gives: all operands but the scalars.
size_t ShapeCount(const BuilderCall& call) {
  return static_cast<size_t>(
      std::count_if(call.operands.begin(), call.operands.end(),
                    [](const BuilderOperand& operand) { return operand.role != Role::kScalar; }));
}

// "LHS RHS"
std::string ShapeNames(const BuilderCall& call) {
  if (call.takes_more) return "X...";
  return absl::AsciiStrToUpper(
      absl::StrJoin(call.operands.subspan(0, ShapeCount(call)), " ",
                    [](std::string* out, const BuilderOperand& operand) { absl::StrAppend(out, operand.name); }));
}

}  // namespace

std::string CallOption(const BuilderCall& call) {
  std::string option;
  for (char c : call.name) {
    const unsigned char letter = static_cast<unsigned char>(c);
    if (absl::ascii_isupper(letter) && !option.empty()) option += '-';
    option += absl::ascii_tolower(letter);
  }
  return option;
}

std::string ParameterOption(const BuilderParameter& parameter) {
  return absl::StrReplaceAll(parameter.name, {{"_", "-"}});
}

absl::StatusOr<BuilderArguments> ReadBuilderArguments(const BuilderCall& call, const Arguments& arguments) {
  const std::string name = absl::StrCat("--call=", CallOption(call));
  const size_t count = arguments.operands().size(), expected = ShapeCount(call);
  if (call.takes_more ? count < expected : count != expected) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " takes ", ShapeNames(call), ", got ", count, count == 1 ? " shape" : " shapes"));
  }
  for (const BuilderCall& other : AllBuilderCalls()) {
    for (const BuilderParameter& parameter : other.parameters) {
      const std::string option = ParameterOption(parameter);
      if (arguments.Has(option) && call.FindParameter(option) == nullptr) {
        return absl::InvalidArgumentError(absl::StrCat(name, " takes no --", option));
      }
    }
  }
  BuilderArguments values;
  for (const BuilderParameter& parameter : call.parameters) {
    const std::string option = ParameterOption(parameter);
    const auto text = arguments.Value(option);
    if (!text && parameter.required) return absl::InvalidArgumentError(absl::StrCat(name, " needs --", option));
    if (!text) continue;
    if (const absl::Status status = values.Set(parameter, *text); !status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("--", option, "=", *text, ": ", status.message()));
    }
  }
  return values;
}

const std::string& BuilderCallsHelp() {
  static const std::string* const kHelp = [] {
    std::string* help = new std::string();
    for (const BuilderCall& call : AllBuilderCalls()) {
      const std::string left = absl::StrCat("  ", CallOption(call), " ", ShapeNames(call));
      absl::StrAppend(help, left);
      if (!call.parameters.empty()) help->append(std::max<size_t>(26, left.size() + 1) - left.size(), ' ');
      for (const BuilderParameter& parameter : call.parameters) {
        const std::string option = ParameterOption(parameter);
        absl::StrAppend(help, parameter.required ? absl::StrCat(" --", option) : absl::StrCat(" [--", option, "]"));
      }
      absl::StrAppend(help, "\n");
    }
    return help;
  }();
  return *kHelp;
}

std::vector<BuilderValue> BuilderOperands(const BuilderCall& call, absl::Span<const Shape> shapes) {
  std::vector<BuilderValue> operands;
  for (size_t i = 0; i < std::max(shapes.size(), call.operands.size()); ++i) {
    const Shape shape = i < shapes.size() ? shapes[i] : Shape::Scalar(shapes[0].element_type());
    const bool is_counted = shapes.size() > call.operands.size();
    operands.push_back(
        {is_counted ? absl::StrCat(call.operands.back().name, ".", i) : std::string(call.operands[i].name), shape});
  }
  return operands;
}

std::string BuilderModuleHeader(const BuilderArguments& arguments) {
  std::set<int64_t> replicas;
  for (const auto& group : arguments.Groups("replica_groups")) replicas.insert(group.begin(), group.end());
  return replicas.size() > 1 ? absl::StrCat("replica_count=", replicas.size()) : "";
}

}  // namespace hloscope::cli
