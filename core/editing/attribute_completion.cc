// SPDX-License-Identifier: Apache-2.0
// Completion of attributes of instructions and of their values.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/editing/completion_parts.h"
#include "core/editing/snippet_writer.h"

namespace hloscope {
namespace {

// The numbers of the dimensions of the first operand.
void AddDimensions(Completion& c) {
  if (!c.context.in_braces || c.partial.operands.empty() || !c.partial.operands[0].IsArray()) return;
  const Shape& shape = c.partial.operands[0];
  for (int64_t d = 0; d < shape.rank(); ++d) {
    c.list.AddWord(ChoiceKind::kWord, absl::StrCat(d), absl::StrCat(d), absl::StrCat("size ", shape.dimension(d)),
                   1000 - d);
  }
}

void AddWholeValue(Completion& c) {
  SnippetText with_holes(c.options.snippets), plain(false);
  const std::string computation = c.scope.BestComputation(c.partial, c.context.attribute);
  WriteAttributeValue(c.partial, c.context.attribute, computation, with_holes);
  WriteAttributeValue(c.partial, c.context.attribute, computation, plain);
  c.list.AddSnippet(ChoiceKind::kWord, plain.text(), with_holes, "", 0);
}

std::string SignatureOf(const Completion& c, ComputationId id) {
  const Computation& computation = c.module.computation(id);
  const auto shape_of = [&](InstructionId value) {
    return value.has_value() && c.module.shape(value).IsValid() ? c.module.shape(value).ToString(false)
                                                                : std::string("?");
  };
  return absl::StrCat(
      "(",
      absl::StrJoin(computation.parameters, ", ",
                    [&](std::string* out, InstructionId parameter) { absl::StrAppend(out, shape_of(parameter)); }),
      ") -> ", shape_of(computation.root));
}

}  // namespace

void AddAttributes(Completion& c) {
  std::vector<AttributeKind> offered;
  if (c.context.opcode != Opcode::kInvalid) {
    const OpcodeInfo& info = InfoOf(c.context.opcode);
    offered.assign(info.attributes.begin(), info.attributes.end());
  }
  const size_t own = offered.size();
  offered.insert(offered.end(), CommonAttributes().begin(), CommonAttributes().end());
  for (size_t i = 0; i < offered.size(); ++i) {
    const AttributeKind attribute = offered[i];
    if (std::find(c.context.attributes.begin(), c.context.attributes.end(), attribute) != c.context.attributes.end())
      continue;
    const bool required =
        i < own && std::find(InfoOf(c.context.opcode).required.begin(), InfoOf(c.context.opcode).required.end(),
                             attribute) != InfoOf(c.context.opcode).required.end();
    const int64_t value = (required ? 2000 : i < own ? 1000 : 0) + 500 - static_cast<int64_t>(i);
    if (c.context.attribute_has_equals) {
      c.list.AddWord(ChoiceKind::kAttribute, AttributeName(attribute), AttributeName(attribute),
                     required ? "required" : "", value, static_cast<uint32_t>(attribute));
      continue;
    }
    SnippetText snippet(c.options.snippets);
    snippet.Text(absl::StrCat(AttributeName(attribute), "="));
    WriteAttributeValue(c.partial, attribute, c.scope.BestComputation(c.partial, attribute), snippet);
    c.list.AddSnippet(ChoiceKind::kAttribute, AttributeName(attribute), snippet, required ? "required" : "", value,
                      static_cast<uint32_t>(attribute));
  }
}

void AddAttributeValues(Completion& c) {
  const AttributeInfo& info = InfoOf(c.context.attribute);
  const bool is_list = info.type == AttributeType::kComputations || info.type == AttributeType::kWords ||
                       info.type == AttributeType::kInstructions || info.type == AttributeType::kInts;
  if (is_list && c.context.empty_value && info.type != AttributeType::kInts) {
    AddWholeValue(c);
    return;
  }
  switch (info.type) {
    case AttributeType::kBool:
      c.list.AddWord(ChoiceKind::kWord, "true", "true", "", 2);
      c.list.AddWord(ChoiceKind::kWord, "false", "false", "", 1);
      return;
    case AttributeType::kWord:
    case AttributeType::kWords: {
      int64_t value = 1000;
      for (absl::string_view word : WordsOf(info.enumeration))
        c.list.AddWord(ChoiceKind::kWord, word, word, "", value--);
      return;
    }
    case AttributeType::kComputation:
    case AttributeType::kComputations:
      c.scope.ForEachCallable(c.module.computations().size(), [&](ComputationId id) {
        c.list.AddWord(ChoiceKind::kComputation, c.module.ComputationName(id),
                       c.scope.Spelled(c.module.ComputationName(id)), Shorten(SignatureOf(c, id)),
                       c.scope.ValueOfComputation(c.partial, c.context.attribute, id),
                       static_cast<uint32_t>(id.index()));
      });
      return;
    case AttributeType::kInstructions:
      AddOperands(c, 0);
      return;
    case AttributeType::kInts:
      if (c.context.empty_value) return AddWholeValue(c);
      AddDimensions(c);
      return;
    case AttributeType::kSharding:
      if (c.context.empty_value) return AddWholeValue(c);
      for (absl::string_view word : {"replicated", "maximal device=0", "manual", "unknown", "devices=[1,1]<=[1]"})
        c.list.AddWord(ChoiceKind::kWord, word, word, "", 0);
      return;
    case AttributeType::kMetadata:
      if (c.context.empty_value) return AddWholeValue(c);
      for (absl::string_view field :
           {"op_type=\"\"", "op_name=\"\"", "source_file=\"\"", "source_line=0", "stack_frame_id=1"})
        c.list.AddWord(ChoiceKind::kWord, field, field, "", 0);
      return;
    case AttributeType::kWindow:
      if (c.context.empty_value) return AddWholeValue(c);
      for (absl::string_view field : {"size=", "stride=", "pad=", "lhs_dilate=", "rhs_dilate=", "rhs_reversal="})
        c.list.AddWord(ChoiceKind::kWord, field, field, "", 0);
      return;
    case AttributeType::kResultAccuracy:
      if (c.context.empty_value) return AddWholeValue(c);
      for (absl::string_view field : {"mode=default", "mode=highest", "tolerance={atol=0,rtol=0,ulps=1}"})
        c.list.AddWord(ChoiceKind::kWord, field, field, "", 0);
      return;
    case AttributeType::kDomain:
      if (c.context.empty_value) return AddWholeValue(c);
      for (absl::string_view field : {"kind=\"sharding\"", "entry={replicated}", "exit={replicated}"})
        c.list.AddWord(ChoiceKind::kWord, field, field, "", 0);
      return;
    case AttributeType::kInt:
    case AttributeType::kInt32:
    case AttributeType::kFloat:
    case AttributeType::kString:
    case AttributeType::kIntPairs:
    case AttributeType::kIntLists:
    case AttributeType::kBools:
    case AttributeType::kShape:
    case AttributeType::kShapes:
    case AttributeType::kLiteral:
    case AttributeType::kAliasing:
    case AttributeType::kReplicaGroups:
    case AttributeType::kDimLabels:
    case AttributeType::kPadding:
    case AttributeType::kSliceRanges:
    case AttributeType::kSparsity:
    case AttributeType::kBlockScaling:
    case AttributeType::kRaw:
    case AttributeType::kFrontendAttributes:
    case AttributeType::kStatistics:
    case AttributeType::kOrigin:
      if (c.context.empty_value) AddWholeValue(c);
      return;
  }
}

}  // namespace hloscope
