// SPDX-License-Identifier: Apache-2.0
#include "core/editing/builder_call_snippet.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope {
namespace {

using Role = BuilderOperand::Role;

const BuilderOperand& OperandAt(const BuilderCall& call, size_t k) {
  return k < call.operands.size() ? call.operands[k] : call.operands.back();
}

}  // namespace

bool FitsBuilderOperand(const BuilderCall& call, absl::Span<const Shape> before, const Shape& shape) {
  if (!shape.IsArray()) return call.name == "CrossReplicaSum" && shape.IsTuple();
  const bool knows_first = !before.empty() && before[0].IsArray();
  if (knows_first && before[0].element_type() != shape.element_type()) return false;
  const int64_t rank = shape.rank();
  switch (OperandAt(call, before.size()).role) {
    case Role::kScalar:
      return rank == 0;
    case Role::kMatrix:
      return (rank == 1 || rank == 2) &&
             (!knows_first || before[0].rank() == 0 || before[0].dimension(before[0].rank() - 1) == shape.dimension(0));
    case Role::kImage:
      return rank >= 3 && (!knows_first || (before[0].rank() == rank && before[0].dimension(1) == shape.dimension(1) &&
                                            before[0].dimension(2) >= shape.dimension(2)));
    case Role::kArray:
      return rank > 0 && (!knows_first || before[0].rank() == rank);
  }
  return false;
}

void WriteBuilderCall(const BuilderCall& call, absl::Span<const std::string> names, absl::Span<const Shape> shapes,
                      SnippetText* out) {
  out->Text(absl::StrCat(call.name, "("));
  for (size_t k = 0; k < names.size(); ++k) out->Text(k > 0 ? ", " : "").Hole(names[k]);
  for (const BuilderParameter& parameter : call.parameters) {
    if (!parameter.in_snippets) continue;
    out->Text(absl::StrCat(", ", parameter.name, "="));
    if (const auto words = UsualWords(parameter.type); !words.empty()) {
      out->Choice(words);
    } else {
      out->Hole(UsualValue(call, parameter, shapes));
    }
  }
  out->Text(")");
}

std::string BuilderSignature(const BuilderCall& call) {
  std::vector<std::string> words;
  for (const BuilderOperand& operand : call.operands) words.emplace_back(operand.name);
  if (call.takes_more) words.emplace_back("...");
  for (const BuilderParameter& parameter : call.parameters) {
    words.push_back(parameter.required ? std::string(parameter.name) : absl::StrCat("[", parameter.name, "]"));
  }
  return absl::StrCat("(", absl::StrJoin(words, ", "), ")");
}

std::string BuilderCallPage(const BuilderCall& call) {
  std::string page =
      absl::StrCat("`", call.name, BuilderSignature(call), "`: ", call.meaning,
                   ".\n\nAn operation of the builder interface: HLO has no opcode for it. Write the call, "
                   "and the fix on it puts the instructions in its place.\n");
  for (const BuilderParameter& parameter : call.parameters) {
    absl::StrAppend(&page, &parameter == call.parameters.begin() ? "\n" : "", "- `", parameter.name,
                    "`: ", parameter.meaning, "\n");
  }
  const BuilderExample example = ExampleOf(call);
  absl::StrAppend(&page, "\nFor example, `", example.call, "` of ",
                  absl::StrJoin(example.operands, ", ",
                                [](std::string* out, const BuilderValue& operand) {
                                  absl::StrAppend(out, "`", operand.name, " = ", operand.shape.ToString(false), "`");
                                }),
                  " becomes\n\n```hlo\n");
  for (const std::string& computation : example.snippet.computations) absl::StrAppend(&page, computation, "\n");
  return absl::StrCat(page, absl::StrJoin(example.snippet.instructions, "\n"), "\n```\n");
}

}  // namespace hloscope
