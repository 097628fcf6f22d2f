// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/program.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "core/resources/resources.h"
#include "core/source/text_origin.h"
#include "lsp/features/hover_cards.h"
#include "lsp/features/markdown.h"
#include "lsp/features/program_type.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

// Instructions of one operation that are shown.
constexpr size_t kMaxShown = 12;

bool IsNameByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("_$.-:", absl::string_view(&c, 1));
}

// The name at an offset with its sigil; empty if there is none. `%0#1` is the name `%0`.
SourceRange NameAt(absl::string_view text, uint32_t offset) {
  uint32_t begin = offset, end = offset;
  while (end < text.size() && IsNameByte(text[end])) ++end;
  while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
  if (begin > 0 && absl::StrContains("%@#!^", text.substr(begin - 1, 1))) {
    --begin;
  } else if (begin < text.size() && absl::StrContains("%@#!^", text.substr(begin, 1))) {
    end = begin + 1;
    while (end < text.size() && IsNameByte(text[end])) ++end;
  } else {
    return {begin, end};
  }
  // A colon ends the name: `%arg0: tensor<f32>`, `%0:2 = ...`.
  const size_t colon = text.substr(begin, end - begin).find(':');
  if (colon != absl::string_view::npos) end = begin + static_cast<uint32_t>(colon);
  return {begin, end};
}

struct Function {
  SourceRange range, name;  // from `func.func` to the next one; without `@`
};

std::vector<Function> FunctionsOf(absl::string_view text) {
  constexpr absl::string_view kWord = "func.func";
  std::vector<Function> functions;
  for (size_t at = text.find(kWord); at != absl::string_view::npos; at = text.find(kWord, at + 1)) {
    const size_t line_end = std::min(text.find('\n', at), text.size());
    const size_t name = text.find('@', at);
    if (name == absl::string_view::npos || name > line_end) continue;
    const uint32_t begin = static_cast<uint32_t>(at);
    if (!functions.empty()) functions.back().range.end = begin;
    size_t end = name + 1;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    functions.push_back(
        {{begin, static_cast<uint32_t>(text.size())}, {static_cast<uint32_t>(name) + 1, static_cast<uint32_t>(end)}});
  }
  for (Function& function : functions) {
    while (function.range.end > function.name.end &&
           absl::ascii_isspace(static_cast<unsigned char>(text[function.range.end - 1]))) {
      --function.range.end;
    }
  }
  return functions;
}

const TextOrigin& OriginOf(const DocumentView& view) { return *view.document.source().origin(); }
absl::string_view TextOf(const DocumentView& view) { return OriginOf(view).source->text(); }

// Instructions of the operation around the offset, and where it is.
std::vector<InstructionId> InstructionsAt(const DocumentView& view, uint32_t offset, SourceRange* operation) {
  std::vector<InstructionId> found;
  const Module& module = view.module();
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (!module.instruction(id).syntax.has_value() || module.instruction(id).synthesized) continue;
    const TextOrigin::Part* const part = OriginOf(view).PartAt(view.document.InstructionRange(id).begin);
    if (part == nullptr || part->role == TextOrigin::Role::kImplied) continue;
    if (offset < part->original.begin || offset > part->original.end) continue;
    if (!found.empty() && part->original.size() > operation->size()) continue;
    if (!found.empty() && part->original.size() < operation->size()) found.clear();
    *operation = part->original;
    found.push_back(id);
  }
  return found;
}

}  // namespace

std::optional<protocol::Hover> ComputeProgramHover(const DocumentView& view, protocol::Position position,
                                                   const std::string& resource_directory) {
  const uint32_t offset = view.ToOffset(position);
  SourceRange operation;
  if (const std::optional<ProgramType> type = ProgramTypeAt(TextOf(view), offset)) {
    return protocol::Hover{type->text, view.ToRange(type->range)};
  }
  const std::vector<InstructionId> instructions = InstructionsAt(view, offset, &operation);
  if (instructions.empty()) return std::nullopt;
  std::string text;
  for (size_t i = 0; i < std::min(instructions.size(), kMaxShown); ++i) {
    absl::StrAppend(&text, view.document.source().Slice(view.document.InstructionRange(instructions[i])), "\n");
  }
  if (instructions.size() > kMaxShown) absl::StrAppend(&text, "// and ", instructions.size() - kMaxShown, " more\n");
  const InstructionId last = instructions.back();
  // Of one alone the card has it.
  const std::string block = instructions.size() == 1 ? "" : absl::StrCat(MarkdownHloBlock(text), "\n\n");
  SourceRange word = NameAt(TextOf(view), offset);
  if (word.empty()) word = {offset, offset};
  return protocol::Hover{absl::StrCat("In HLO:\n\n", block, InstructionCard(view.document, last),
                                      PageLead(view.module().opcode(last), resource_directory)),
                         view.ToRange(word)};
}

std::vector<protocol::Location> FindProgramPlaces(const DocumentView& view, protocol::Position position) {
  const absl::string_view text = TextOf(view);
  const uint32_t offset = view.ToOffset(position);
  const SourceRange word = NameAt(text, offset);
  const absl::string_view name = text.substr(word.begin, word.size());
  if (name.size() < 2 || !absl::StrContains("%@#!", name.substr(0, 1))) return {};
  SourceRange scope = {0, static_cast<uint32_t>(text.size())};
  if (name[0] == '%') {
    for (const Function& function : FunctionsOf(text)) {
      if (function.range.begin <= offset && offset <= function.range.end) scope = function.range;
    }
  }
  std::vector<protocol::Location> places;
  size_t definition = 0;
  for (size_t at = text.find(name, scope.begin); at < scope.end; at = text.find(name, at + name.size())) {
    const SourceRange range = NameAt(text, static_cast<uint32_t>(at) + 1);
    if (range.begin != at || range.size() != name.size()) continue;
    // `%0 = ...`, `%0:2 = ...`, `%arg0: tensor<...>`, `func.func @f(`, `#loc1 = ...`.
    const absl::string_view after = absl::StripLeadingAsciiWhitespace(text.substr(range.end, 12));
    const absl::string_view before = text.substr(at < 40 ? 0 : at - 40, at < 40 ? at : 40);
    const bool defines =
        absl::StartsWith(after, "=") || absl::StartsWith(after, ":") ||
        (name[0] == '@' && absl::StrContains(before.substr(before.find_last_of('\n') + 1), "func.func"));
    if (defines && definition == 0) definition = places.size() + 1;
    places.push_back(view.ToLocation(range));
  }
  if (definition > 1)
    std::rotate(places.begin(), places.begin() + static_cast<ptrdiff_t>(definition) - 1,
                places.begin() + static_cast<ptrdiff_t>(definition));
  return places;
}

std::vector<protocol::DocumentSymbol> ComputeProgramSymbols(const DocumentView& view) {
  std::vector<protocol::DocumentSymbol> symbols;
  const absl::string_view text = TextOf(view);
  for (const Function& function : FunctionsOf(text)) {
    protocol::DocumentSymbol symbol;
    symbol.name = std::string(text.substr(function.name.begin, function.name.size()));
    if (symbol.name.empty()) continue;
    symbol.kind = protocol::SymbolKind::kFunction;
    symbol.range = view.ToRange(function.range);
    symbol.selection_range = view.ToRange(function.name);
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

std::vector<protocol::CodeLens> ComputeProgramLenses(const DocumentView& view) {
  std::vector<protocol::CodeLens> lenses;
  const absl::string_view text = TextOf(view);
  const std::vector<Function> functions = FunctionsOf(text);
  for (const Function& function : functions) {
    const absl::string_view name = text.substr(function.name.begin, function.name.size());
    if (name != "main" && functions.size() > 1) continue;
    protocol::CodeLens lens;
    lens.range = view.ToRange(function.name);
    if (!view.document.has_errors() && view.module().entry().has_value()) {
      lens.arguments = JsonText(nlohmann::json::array({view.uri}));
      for (const auto& [title, command] : {std::pair("Run", "hloscope.run"), std::pair("Debug", "hloscope.debug")}) {
        lens.title = title;
        lens.command = command;
        lenses.push_back(lens);
      }
    }
    lens.title = absl::StrCat(CountOf(view.module().instruction_count(), "instruction"), " of HLO");
    lens.command = "hloscope.showHlo";
    lens.arguments = JsonText(nlohmann::json::array({view.uri}));
    lenses.push_back(lens);
  }
  return lenses;
}

std::string ProgramHloText(const DocumentView& view) {
  const SourceText& hlo = view.document.source();
  nlohmann::json links = nlohmann::json::array();
  for (const TextOrigin::Part& part : OriginOf(view).parts) {
    if (part.role == TextOrigin::Role::kImplied) continue;
    const protocol::Range range = view.ToRange(part.original);
    links.push_back({hlo.LineColumnAt(part.made.begin).line, range.start.line, range.start.character, range.end.line,
                     range.end.character});
  }
  return JsonText({{"text", std::string(hlo.text())}, {"links", std::move(links)}});
}

}  // namespace hloscope::lsp
