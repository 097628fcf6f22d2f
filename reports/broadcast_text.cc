// SPDX-License-Identifier: Apache-2.0
#include "reports/broadcast_text.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "nlohmann/json.hpp"

namespace hloscope::reports {
namespace {

using Json = nlohmann::ordered_json;

absl::string_view OperandName(int operand) { return operand == 0 ? "lhs" : "rhs"; }

absl::string_view StepName(BroadcastStepKind kind) {
  switch (kind) {
    case BroadcastStepKind::kScalar:
      return "scalar";
    case BroadcastStepKind::kMap:
      return "broadcast_dimensions";
    case BroadcastStepKind::kStretch:
      return "degenerate dimensions";
  }
  return "";
}

std::string Heading(absl::string_view text, bool color) {
  return color ? absl::StrCat("\x1b[1m", text, "\x1b[0m") : std::string(text);
}

}  // namespace

std::string BroadcastText(const BroadcastPlan& plan, absl::string_view opcode, bool color) {
  size_t width = plan.result.ToString().size();
  for (const BuilderValue* v : {&plan.lhs, &plan.rhs}) width = std::max(width, v->shape.ToString(false).size());
  const auto row = [&](absl::string_view left, const Shape& shape, absl::string_view note) {
    const std::string text = shape.ToString(false);
    return absl::StrCat("  ", left, std::string(8 - left.size(), ' '), text,
                        note.empty() ? "" : std::string(width + 3 - std::min(width, text.size()), ' '), note, "\n");
  };
  std::string out;
  for (int operand : {0, 1}) {
    absl::StrAppend(&out, row(OperandName(operand), (operand == 0 ? plan.lhs : plan.rhs).shape, ""));
    for (const BroadcastStep& step : plan.steps) {
      if (step.operand == operand) absl::StrAppend(&out, row("", step.after, step.explanation));
    }
  }
  absl::StrAppend(&out, row("result", plan.result, absl::StrCat(opcode, " of equal shapes")));
  absl::StrAppend(&out, "\n", Heading("In HLO", color), "\n");
  for (const std::string& instruction : plan.snippet.instructions) absl::StrAppend(&out, "  ", instruction, "\n");
  return out;
}

Json BroadcastJson(const BroadcastPlan& plan, absl::string_view opcode) {
  Json steps = Json::array();
  for (const BroadcastStep& step : plan.steps) {
    steps.push_back({{"kind", std::string(StepName(step.kind))},
                     {"operand", std::string(OperandName(step.operand))},
                     {"from", step.before.ToString()},
                     {"to", step.after.ToString()},
                     {"repeated_dimensions", step.repeated},
                     {"explanation", step.explanation}});
  }
  return {{"op", std::string(opcode)},
          {"lhs", plan.lhs.shape.ToString(false)},
          {"rhs", plan.rhs.shape.ToString(false)},
          {"steps", std::move(steps)},
          {"result", plan.result.ToString()},
          {"instructions", plan.snippet.instructions}};
}

std::string ExpansionText(absl::Span<const BuilderValue> operands, const Snippet& snippet, bool color) {
  size_t width = absl::string_view("result").size();
  for (const BuilderValue& operand : operands) width = std::max(width, operand.name.size());
  std::string out;
  const auto row = [&](absl::string_view name, const Shape& shape) {
    absl::StrAppend(&out, "  ", name, std::string(width + 2 - name.size(), ' '), shape.ToString(false), "\n");
  };
  for (const BuilderValue& operand : operands) row(operand.name, operand.shape);
  row("result", snippet.result.shape);
  absl::StrAppend(&out, "\n", Heading("In HLO", color), "\n");
  for (const std::string& computation : snippet.computations) {
    absl::StrAppend(&out, "  ", absl::StrReplaceAll(computation, {{"\n", "\n  "}}));
    while (!out.empty() && out.back() == ' ') out.pop_back();
  }
  for (const std::string& instruction : snippet.instructions) absl::StrAppend(&out, "  ", instruction, "\n");
  if (snippet.instructions.empty()) absl::StrAppend(&out, "  nothing: the result is `", snippet.result.name, "`\n");
  return out;
}

Json ExpansionJson(absl::string_view call, absl::Span<const BuilderValue> operands, const Snippet& snippet) {
  Json shapes = Json::object();
  for (const BuilderValue& operand : operands) shapes[operand.name] = operand.shape.ToString(false);
  return {{"call", std::string(call)},
          {"operands", std::move(shapes)},
          {"result", snippet.result.shape.ToString(false)},
          {"computations", snippet.computations},
          {"instructions", snippet.instructions}};
}

}  // namespace hloscope::reports
