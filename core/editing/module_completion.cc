// SPDX-License-Identifier: Apache-2.0
// Completion outside of computations.
#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/editing/completion_parts.h"
#include "core/semantics/header_reader.h"

namespace hloscope {
namespace {

// What the entry computation says.
void AddEntryLayout(Completion& c) {
  if (!c.module.entry().has_value()) return;
  const Computation& entry = c.module.computation(c.module.entry());
  if (!entry.root.has_value() || !c.module.shape(entry.root).IsValid()) return;
  std::string text = "{(";
  for (size_t k = 0; k < entry.parameters.size(); ++k) {
    if (!entry.parameters[k].has_value()) return;
    absl::StrAppend(&text, k > 0 ? ", " : "", c.module.shape(entry.parameters[k]).ToString());
  }
  absl::StrAppend(&text, ")->", c.module.shape(entry.root).ToString(), "}");
  c.list.AddWord(ChoiceKind::kShape, Shorten(text), text, "as the entry computation has it", 0);
}

}  // namespace

void AddTopLevel(Completion& c) {
  if (!c.module.header().written) {
    SnippetText header(c.options.snippets);
    c.list.AddSnippet(ChoiceKind::kKeyword, "HloModule", header.Text("HloModule ").Hole("module"), "the header", 3);
  }
  SnippetText entry(c.options.snippets);
  entry.Text("ENTRY ").Hole("main").Text(" {\n  ").Hole("x").Text(" = ").Hole("f32[]").Text(" parameter(0)\n  ROOT ");
  c.list.AddSnippet(ChoiceKind::kKeyword, "ENTRY", entry.Hole("result").Text(" = negate(x)\n}"),
                    "the entry computation", 2);
  for (Opcode opcode : {Opcode::kAdd, Opcode::kMaximum, Opcode::kMinimum, Opcode::kMultiply}) {
    SnippetText reducer(c.options.snippets);
    reducer.Hole(absl::StrCat(OpcodeName(opcode), "_scalars")).Text(" {\n  a = ").Hole("f32[]");
    reducer.Text(" parameter(0)\n  b = ")
        .Hole("f32[]")
        .Text(absl::StrCat(" parameter(1)\n  ROOT c = ", OpcodeName(opcode), "(a, b)\n}\n"));
    c.list.AddSnippet(ChoiceKind::kKeyword, absl::StrCat(OpcodeName(opcode), "_scalars"), reducer,
                      absl::StrCat("a computation that reduces with ", OpcodeName(opcode)), 1);
  }
}

void AddHeaderAttributes(Completion& c) {
  for (absl::string_view name : HeaderAttributeNames()) {
    if (std::find(c.context.header_attributes.begin(), c.context.header_attributes.end(), name) !=
        c.context.header_attributes.end()) {
      continue;
    }
    c.list.AddWord(ChoiceKind::kAttribute, name, absl::StrCat(name, c.context.attribute_has_equals ? "" : "="), "", 0,
                   CompletionList::kNoIndex);
  }
}

void AddHeaderValue(Completion& c) {
  const absl::string_view name = c.context.header_attribute;
  if (name == "is_scheduled" || name == "alias_passthrough_params") {
    c.list.AddWord(ChoiceKind::kWord, "true", "true", "", 2);
    c.list.AddWord(ChoiceKind::kWord, "false", "false", "", 1);
  } else if (name == "replica_count" || name == "num_partitions") {
    for (int64_t count : {2, 4, 8})
      c.list.AddWord(ChoiceKind::kWord, absl::StrCat(count), absl::StrCat(count), "", -count);
  } else if (absl::StartsWith(name, "allow_spmd_sharding_propagation")) {
    for (absl::string_view flags : {"{true}", "{false}"}) c.list.AddWord(ChoiceKind::kWord, flags, flags, "", 0);
  } else if (name == "input_output_alias") {
    c.list.AddWord(ChoiceKind::kWord, "{ {}: (0, {}, may-alias) }", "{ {}: (0, {}, may-alias) }",
                   "result: (parameter, part, kind)", 0);
  } else if (name == "buffer_donor") {
    c.list.AddWord(ChoiceKind::kWord, "{ (0, {}) }", "{ (0, {}) }", "(parameter, part)", 0);
  } else if (name == "entry_computation_layout") {
    AddEntryLayout(c);
  } else if (FindHeaderAttribute(name) != nullptr) {
    c.list.AddWord(ChoiceKind::kWord, "{}", "{}", "", 0);
  }
}

}  // namespace hloscope
