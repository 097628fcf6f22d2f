// SPDX-License-Identifier: Apache-2.0
#include "core/builder/snippet.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"

namespace hloscope {

std::string ListText(absl::Span<const int64_t> list) { return absl::StrCat("{", absl::StrJoin(list, ","), "}"); }

std::string Snippet::ModuleText(absl::Span<const BuilderValue> parameters, absl::string_view header) const {
  std::string text = absl::StrCat("HloModule snippet", header.empty() ? "" : ", ", header, "\n\n");
  for (const std::string& computation : computations) absl::StrAppend(&text, computation, "\n");
  absl::StrAppend(&text, "ENTRY main {\n");
  for (size_t i = 0; i < parameters.size(); ++i) {
    absl::StrAppend(&text, instructions.empty() && parameters[i].name == result.name ? "  ROOT " : "  ",
                    parameters[i].name, " = ", parameters[i].shape.ToString(), " parameter(", i, ")\n");
  }
  for (size_t i = 0; i < instructions.size(); ++i) {
    absl::StrAppend(&text, i + 1 == instructions.size() ? "  ROOT " : "  ", instructions[i], "\n");
  }
  return absl::StrCat(text, "}\n");
}

void SnippetNames::Take(absl::string_view name) {
  absl::ConsumePrefix(&name, "%");
  taken_.emplace(name);
}

std::string SnippetNames::Unique(absl::string_view base) {
  std::string name(base);
  for (int i = 1; !taken_.insert(name).second; ++i) name = absl::StrCat(base, ".", i);
  return Spelled(name);
}

std::string SnippetNames::Spelled(absl::string_view name) const {
  return absl::StrCat(writes_percent_ ? "%" : "", name);
}

BuilderValue SnippetWriter::Add(Opcode opcode, const Shape& shape, absl::Span<const BuilderValue> operands,
                                absl::string_view attributes) {
  BuilderValue value{names_->Unique(OpcodeName(opcode)), shape};
  const std::string names =
      absl::StrJoin(operands, ", ", [](std::string* s, const BuilderValue& v) { absl::StrAppend(s, v.name); });
  snippet_.instructions.push_back(
      absl::StrCat(value.name, " = ", shape.ToString(), " ", OpcodeName(opcode), "(", names, ")", attributes));
  snippet_.opcodes.push_back(opcode);
  return value;
}

std::string SnippetWriter::AddScalarComputation(Opcode opcode, ElementType type) {
  const std::string scalar = Shape::Scalar(type).ToString();
  const std::string name = names_->Unique(absl::StrCat(OpcodeName(opcode), "_", ElementTypeName(type)));
  const std::string x = names_->Spelled("x"), y = names_->Spelled("y"), r = names_->Spelled("r");
  snippet_.computations.push_back(absl::StrCat(name, " {\n  ", x, " = ", scalar, " parameter(0)\n  ", y, " = ", scalar,
                                               " parameter(1)\n  ROOT ", r, " = ", scalar, " ", OpcodeName(opcode), "(",
                                               x, ", ", y, ")\n}\n"));
  return name;
}

Snippet SnippetWriter::Finish(BuilderValue result) {
  snippet_.result = std::move(result);
  return std::move(snippet_);
}

}  // namespace hloscope
