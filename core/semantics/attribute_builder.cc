// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/attribute_builder.h"

#include <algorithm>
#include <bitset>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/semantics/async_threads.h"
#include "core/semantics/attribute_reader.h"
#include "core/semantics/old_spellings.h"

namespace hloscope {

void AttributeBuilder::ReadAll(const InstructionSyntax& node, InstructionId id, Opcode opcode,
                               const std::optional<AsyncSugar>& sugar, ComputationId wrapped) {
  const bool sugar_start = sugar && sugar->link == Opcode::kAsyncStart;
  if (sugar_start && wrapped.has_value()) module_.AddComputations(id, AttributeKind::kCalls, {wrapped});
  std::bitset<256> seen;                 // by kind
  std::vector<absl::string_view> meant;  // by misspelt attributes
  for (uint32_t i = 0; i < node.attribute_count; ++i) {
    const AttributeSyntax& attribute = text_.attribute(node, i);
    const absl::string_view name = text_.NameOf(attribute.name);
    auto kind = AttributeFromName(opcode, name);
    if (sugar_start) {
      const auto own = AttributeFromName(sugar->wrapped, name);
      if (own && BelongsToWrapped(*own, sugar->wrapped)) continue;  // read with the wrapped instruction
    }
    if (sugar && kind == AttributeKind::kCalls) kind.reset();
    if (!kind) {
      if (ReadOld(node, i, opcode, id) || ReadOrder(node, i, opcode, id)) continue;
      meant.push_back(ReportUnknown(attribute, opcode, sugar));
      continue;
    }
    const size_t bit = static_cast<size_t>(*kind);
    if (seen[bit] && IsDuplicate(node, i)) continue;
    seen.set(bit);
    if (const absl::string_view advice = OldAttributeAdvice(opcode, *kind); !advice.empty()) {
      text_.sink().Report(DiagnosticKind::kOldSpelling, text_.nodes().NameRange(attribute.name), name, advice);
    }
    Read(attribute, i, *kind, id);
  }
  if (!sugar) CheckRequired(node, id, opcode, meant);
  if (opcode != Opcode::kAsyncUpdate && opcode != Opcode::kAsyncDone) return;
  if (!module_.HasAttribute(id, AttributeKind::kAsyncExecutionThread)) return;
  progress_.is_irregular = true;  // the start may change
  CheckThreadOfLink(module_, id, text_.ids(), text_.sink());
}

// `order=TOTAL` of a comparison of floats says what `type=TOTALORDER` says; integers have no other order.
bool AttributeBuilder::ReadOld(const InstructionSyntax& node, uint32_t i, Opcode opcode, InstructionId id) {
  const AttributeSyntax& attribute = text_.attribute(node, i);
  const absl::string_view name = text_.NameOf(attribute.name);
  const auto old = OldAttributeFromName(opcode, name);
  if (!old) return false;
  if (IsDuplicate(node, i)) return true;
  const SourceRange range = text_.nodes().NameRange(attribute.name);
  TokenCursor cursor = text_.Cursor(attribute.value, name);
  switch (old->meaning) {
    case OldAttribute::Meaning::kRenamed: {
      const absl::string_view now = AttributeName(old->kind);
      for (uint32_t j = 0; j < node.attribute_count; ++j) {
        if (text_.NameOf(text_.attribute(node, j).name) != now) continue;
        text_.sink().Report(DiagnosticKind::kDuplicateAttribute, range, now);
        return true;
      }
      text_.sink()
          .Report(DiagnosticKind::kOldSpelling, range, name, old->advice)
          .Fix(absl::StrCat("change to `", now, "`"), range, std::string(now));
      Read(attribute, i, old->kind, id);
      return true;
    }
    case OldAttribute::Meaning::kIgnored:
      if (!cursor.Int() || !cursor.ExpectEnd()) return true;
      break;
    case OldAttribute::Meaning::kPrefetchFlag: {
      const auto flag = cursor.Bool();
      if (!flag || !cursor.ExpectEnd()) return true;
      if (*flag && !module_.HasAttribute(id, old->kind)) module_.AddInt(id, old->kind, 0, i);
      break;
    }
  }
  text_.sink().Report(DiagnosticKind::kOldSpelling, range, name, old->advice);
  return true;
}

bool AttributeBuilder::ReadOrder(const InstructionSyntax& node, uint32_t i, Opcode opcode, InstructionId id) {
  const AttributeSyntax& attribute = text_.attribute(node, i);
  const absl::string_view name = text_.NameOf(attribute.name);
  if (opcode != Opcode::kCompare || name != "order") return false;
  if (IsDuplicate(node, i)) return true;
  constexpr AttributeKind kType = AttributeKind::kComparisonType;
  for (uint32_t j = 0; j < node.attribute_count; ++j) {
    if (text_.NameOf(text_.attribute(node, j).name) != AttributeName(kType)) continue;
    text_.sink().Report(DiagnosticKind::kUnknownAttribute, text_.nodes().NameRange(attribute.name), OpcodeName(opcode),
                        name, " beside `type`, which says the same");
    return true;
  }
  static constexpr absl::string_view kWords[] = {"PARTIAL", "TOTAL"};
  TokenCursor cursor = text_.Cursor(attribute.value, name);
  if (cursor.AtEnd() || std::find(std::begin(kWords), std::end(kWords), cursor.text()) == std::end(kWords)) {
    cursor.FailUnknownWord(name, kWords);
    return true;
  }
  const ComparisonType type = cursor.text() == kWords[1] ? ComparisonType::kTotalOrder : ComparisonType::kFloat;
  cursor.Advance();
  if (cursor.ExpectEnd()) module_.AddWord(id, kType, static_cast<int>(type), i);
  return true;
}

bool AttributeBuilder::IsDuplicate(const InstructionSyntax& node, uint32_t i) {
  const AttributeSyntax& attribute = text_.attribute(node, i);
  for (uint32_t j = 0; j < i; ++j) {
    const AttributeSyntax& earlier = text_.attribute(node, j);
    if (text_.NameOf(earlier.name) != text_.NameOf(attribute.name)) continue;
    text_.names().DuplicateAttribute(node.first_attribute + i, earlier.name);
    return true;
  }
  return false;
}

void AttributeBuilder::Read(const AttributeSyntax& attribute, uint32_t number, AttributeKind kind, InstructionId id) {
  const bool may_be_known =
      RecentAttributes::Covers(kind) && !attribute.value.empty() && module_.opcode(id) != Opcode::kMap;
  const absl::string_view text =
      may_be_known ? text_.TextOf(TokenRange{attribute.name, attribute.value.end}) : absl::string_view();
  if (may_be_known) {
    if (const Attribute* const known = recent_.Find(kind, text)) {
      module_.AddShared(id, *known, number);
      return;
    }
  }
  TokenCursor cursor = text_.Cursor(attribute.value, AttributeName(kind));
  const auto computation = [this](absl::string_view name, SourceRange range) { return FindComputation(name, range); };
  const auto instruction = [this](absl::string_view name, SourceRange range) { return FindInstruction(name, range); };
  const auto inline_computation = [&](uint32_t k) {
    progress_.is_irregular = true;
    if (k >= attribute.inline_computation_count || progress_.is_update()) return ComputationId::None();
    return progress_.computation_of_syntax[text_.tree().inline_computations[attribute.first_inline_computation + k]];
  };
  const NameResolver resolve{computation, instruction, inline_computation};
  const int64_t diagnostics = text_.sink().report_count();
  const size_t attributes = module_.attributes(id).size();
  const bool is_good = ReadAttribute(cursor, kind, number, resolve, id, module_);
  // An empty string counts as no attribute at all.
  const bool is_added = module_.attributes(id).size() > attributes;
  if (may_be_known && is_good && is_added && text_.sink().report_count() == diagnostics) {
    recent_.Keep(module_.attributes(id).back(), text);
  }
}

InstructionId AttributeBuilder::FindInstruction(absl::string_view name, SourceRange range) {
  const InstructionId found = instructions_.Find(name);
  if (!found.has_value()) text_.names().UnknownInstruction(name, range, progress_.computation);
  return found;
}

ComputationId AttributeBuilder::FindComputation(absl::string_view name, SourceRange range) {
  const ComputationId found = computations_.Find(name);
  if (!found.has_value()) text_.names().UnknownComputation(name, range, progress_.computation);
  return found;
}

absl::string_view AttributeBuilder::ReportUnknown(const AttributeSyntax& attribute, Opcode opcode,
                                                  const std::optional<AsyncSugar>& sugar) {
  std::vector<absl::string_view> names;
  for (AttributeKind kind : InfoOf(opcode).attributes) names.push_back(AttributeName(kind));
  if (sugar && sugar->link == Opcode::kAsyncStart) {
    for (AttributeKind kind : InfoOf(sugar->wrapped).attributes) names.push_back(AttributeName(kind));
  }
  std::vector<absl::string_view> common;
  for (AttributeKind kind : CommonAttributes()) common.push_back(AttributeName(kind));
  const std::string owner =
      sugar ? std::string(OpcodeName(sugar->wrapped)) + "-" + std::string(OpcodeName(opcode).substr(6))
            : std::string(OpcodeName(opcode));
  return text_.names().UnknownAttribute(attribute.name, owner, names, common);
}

void AttributeBuilder::CheckRequired(const InstructionSyntax& node, InstructionId id, Opcode opcode,
                                     absl::Span<const absl::string_view> meant) {
  const auto is_written = [&](AttributeKind kind) {
    for (uint32_t i = 0; i < node.attribute_count; ++i) {
      if (text_.NameOf(text_.attribute(node, i).name) == AttributeName(kind)) return true;
    }
    return false;
  };
  for (AttributeKind kind : InfoOf(opcode).required) {
    if (module_.HasAttribute(id, kind) || is_written(kind)) continue;  // a malformed one has been reported
    if (std::find(meant.begin(), meant.end(), AttributeName(kind)) != meant.end()) continue;
    text_.sink().Report(DiagnosticKind::kMissingAttribute, text_.OpcodeRange(node), OpcodeName(opcode),
                        AttributeName(kind));
  }
}

}  // namespace hloscope
