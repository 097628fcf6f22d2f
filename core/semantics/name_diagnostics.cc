// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/name_diagnostics.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/familiar_names.h"
#include "core/diagnostics/suggestions.h"
#include "core/ir/element_type.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

bool StartsWithDigit(absl::string_view name) {
  return !name.empty() && absl::ascii_isdigit(static_cast<unsigned char>(name[0]));
}

// `name.1`, `name.2`, ...: the first that is not taken.
std::string FreeName(absl::string_view name, const absl::flat_hash_set<absl::string_view>& taken) {
  for (int n = 1;; ++n) {
    std::string candidate = absl::StrCat(name, ".", n);
    if (!taken.contains(candidate)) return candidate;
  }
}

}  // namespace

void NameDiagnostics::UnknownInstruction(absl::string_view name, SourceRange range, ComputationId computation) {
  if (!MaySearch()) {
    sink_.Report(DiagnosticKind::kUnknownInstruction, range, name, "");
    return;
  }
  if (const auto later = names_.Find(name, computation)) {
    const bool is_itself = later->whole.begin <= range.begin && range.end <= later->whole.end;
    sink_.Report(is_itself ? DiagnosticKind::kSelfOperand : DiagnosticKind::kUsedBeforeDefinition, range, name)
        .Related(later->name, "it is defined here");
    return;
  }
  const absl::string_view nearest = NearestName(name, names_.ReadSoFar(computation));
  if (nearest.empty()) {
    if (const auto elsewhere = names_.FindElsewhere(name, computation)) {
      sink_.Report(DiagnosticKind::kNameOutOfScope, range, name, elsewhere->owner)
          .Related(elsewhere->name, "it is defined here");
      return;
    }
  }
  FixSpelling(sink_.Report(DiagnosticKind::kUnknownInstruction, range, name, DidYouMean(nearest)), range, nearest);
}

void NameDiagnostics::UnknownComputation(absl::string_view name, SourceRange range, ComputationId computation) {
  std::vector<absl::string_view> names;
  const bool may_search = MaySearch();
  const auto all = may_search ? names_.Computations(range) : std::vector<TextNames::NamedComputation>();
  for (const TextNames::NamedComputation& other : all) {
    if (other.name != name) {
      // Only what comes before the use can be meant.
      if (other.range.begin < range.begin) names.push_back(other.name);
      continue;
    }
    Diagnostic& d = other.is_around ? sink_.Report(DiagnosticKind::kRecursiveCall, range,
                                                   module_.ComputationName(computation), name)
                                    : sink_.Report(DiagnosticKind::kCalledBeforeDefinition, range, name);
    d.Related(other.range, "it is defined here");
    return;
  }
  std::sort(names.begin(), names.end());
  const absl::string_view nearest = NearestName(name, names);
  FixSpelling(sink_.Report(DiagnosticKind::kUnknownComputation, range, name, DidYouMean(nearest)), range, nearest);
}

void NameDiagnostics::UnknownOpcode(TokenIndex opcode) {
  const SourceRange range = tokens_.range(opcode);
  ReportUnknownOpcode(sink_, range, source_.Slice(range));
}

absl::string_view NameDiagnostics::UnknownAttribute(TokenIndex name, absl::string_view owner,
                                                    absl::Span<const absl::string_view> own,
                                                    absl::Span<const absl::string_view> common) {
  std::vector<absl::string_view> all(own.begin(), own.end());
  all.insert(all.end(), common.begin(), common.end());
  const absl::string_view word = NameOf(name);
  const absl::string_view nearest = NearestAttribute(word, all);
  std::string hint = DidYouMean(nearest);
  if (nearest.empty() && !own.empty()) {
    hint = absl::StrCat("; it takes ", absl::StrJoin(own, ", ", [](std::string* out, absl::string_view attribute) {
                          absl::StrAppend(out, "`", attribute, "`");
                        }));
  }
  const SourceRange range = resolver_.NameRange(name);
  FixSpelling(sink_.Report(DiagnosticKind::kUnknownAttribute, range, owner, word, hint), range, nearest);
  return nearest;
}

void NameDiagnostics::DuplicateAttribute(uint32_t index, TokenIndex first) {
  const AttributeSyntax& node = tree_.attributes[index];
  const TokenIndex last = node.value.empty() ? node.name : node.value.end - 1;
  // Removed with the comma before it.
  const bool has_comma = tokens_.kind(node.name - 1) == TokenKind::kComma;
  const uint32_t begin = has_comma ? tokens_.end(node.name - 2) : tokens_.begin(node.name);
  sink_.Report(DiagnosticKind::kDuplicateAttribute, resolver_.NameRange(node.name), NameOf(node.name))
      .Related(resolver_.NameRange(first), "the first one is here")
      .Fix("remove this one", SourceRange{begin, tokens_.end(last)}, "");
}

void NameDiagnostics::DuplicateInstruction(TokenIndex name, InstructionId first, ComputationId computation) {
  const SourceRange range = resolver_.NameRange(name);
  Diagnostic& d = sink_.Report(DiagnosticKind::kDuplicateInstruction, range, NameOf(name));
  d.Related(ids_.Resolve(first, Anchor::Name()), "the first definition is here");
  if (!MaySearch()) return;
  const std::string free = FreeName(NameOf(name), names_.All(computation));
  d.Fix(absl::StrCat("rename this one to `", free, "`; its users mean the first"), range, free);
}

void NameDiagnostics::DuplicateComputation(TokenIndex name, ComputationId first) {
  const SourceRange range = resolver_.NameRange(name);
  Diagnostic& d = sink_.Report(DiagnosticKind::kDuplicateComputation, range, NameOf(name));
  d.Related(resolver_.ResolveComputation(first), "the first definition is here");
  if (!MaySearch()) return;
  absl::flat_hash_set<absl::string_view> taken;
  for (const ComputationSyntax& other : tree_.computations) {
    if (other.name != kNoToken) taken.insert(NameOf(other.name));
  }
  const std::string free = FreeName(NameOf(name), taken);
  d.Fix(absl::StrCat("rename this one to `", free, "`; its callers mean the first"), range, free);
}

FixIt NameDiagnostics::Rename(TokenIndex token, const std::string& name) const {
  FixIt fix{absl::StrCat("rename to `", name, "`"), {}};
  const absl::string_view text = source_.Slice(tokens_.range(token));
  // The computation around the definition; without one, only the definition.
  const ComputationSyntax* around = nullptr;
  for (const ComputationSyntax& node : tree_.computations) {
    if (node.open_brace == kNoToken || token <= node.open_brace || token >= node.tokens.end) continue;
    if (around == nullptr || node.open_brace > around->open_brace) around = &node;
  }
  if (around == nullptr || !absl::StartsWith(text, "%")) {
    fix.edits.push_back({resolver_.NameRange(token), name});
    return fix;
  }
  for (TokenIndex i = around->open_brace; i < around->tokens.end; ++i) {
    if (tokens_.kind(i) == TokenKind::kName && source_.Slice(tokens_.range(i)) == text) {
      fix.edits.push_back({resolver_.NameRange(i), name});
    }
  }
  return fix;
}

// No element type has a longer name: most instructions have.
static constexpr size_t LongestElementType() {
  size_t longest = 0;
#define HLO_ELEMENT_TYPE(Enum, spelling, ...) longest = std::max(longest, absl::string_view(spelling).size());
#include "numerics/elements/element_types.def"
  return longest;
}
constexpr size_t kLongestElementType = LongestElementType();

void NameDiagnostics::CheckName(TokenIndex token, Owner owner) {
  const absl::string_view name = NameOf(token);
  absl::string_view reason;
  std::string better;
  const bool is_instruction = owner == Owner::kInstruction;
  if (StartsWithDigit(name)) {
    reason = "names start with a letter or an underscore";
    better = absl::StrCat("v", name);
  } else if (is_instruction && absl::StartsWith(name, "__") && !absl::StartsWith(name, "__xla_")) {
    reason = "names that start with `__` are reserved";
    better = absl::StrCat("a_", name.substr(2));
  } else if (is_instruction && name.size() <= kLongestElementType && ElementTypeFromName(name)) {
    reason = "it is an element type";
    better = absl::StrCat(name, "_");
  }
  if (reason.empty()) return;
  const bool may_search = MaySearch();
  Diagnostic& d = sink_.Report(DiagnosticKind::kIllegalName, resolver_.NameRange(token), name, reason);
  if (may_search) d.fixes.push_back(Rename(token, better));
}

}  // namespace hloscope
