// SPDX-License-Identifier: Apache-2.0
#include "core/editing/statement_edits.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/editing/instruction_text.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }
bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

}  // namespace

SourceRange WithLines(const SourceText& source, SourceRange range) {
  const absl::string_view text = source.text();
  uint32_t begin = range.begin, end = range.end;
  while (begin > 0 && IsBlank(text[begin - 1])) --begin;
  while (end < text.size() && IsBlank(text[end])) ++end;
  const bool alone = (begin == 0 || IsLineEnd(text[begin - 1])) && (end == text.size() || IsLineEnd(text[end]));
  if (!alone) return range;
  if (end < text.size() && text[end] == '\r') ++end;
  if (end < text.size() && text[end] == '\n') ++end;
  return {begin, end};
}

std::vector<TextEdit> RemoveStatements(const Document& document, absl::Span<const InstructionId> instructions) {
  std::vector<TextEdit> edits;
  for (InstructionId id : instructions) {
    const SourceRange range = document.InstructionRange(id);
    if (!range.empty()) edits.push_back({WithLines(document.source(), range), ""});
  }
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
  return edits;
}

std::string FreeName(const Module& module, absl::string_view base) {
  std::string name(base);
  for (size_t i = 1; module.HasString(name); ++i) name = absl::StrCat(base, ".", i);
  return name;
}

bool WritesPercent(const Document& document, ComputationId computation) {
  const Module& module = document.module();
  for (InstructionId id : module.computation(computation).instructions) {
    if (!module.instruction(id).is_named) continue;
    const SourceRange name = document.NameRange(id);
    return name.begin > 0 && document.source().text()[name.begin - 1] == '%';
  }
  return false;
}

absl::StatusOr<std::string> StatementText(const Document& document, InstructionId id,
                                          const absl::flat_hash_map<std::string, std::string>& names) {
  const InstructionText text(document, id);
  const SourceText& source = document.source();
  if (text.node().name == kNoToken) return absl::FailedPreconditionError("an instruction without a name is in the way");
  const SourceRange range = document.InstructionRange(id);
  const TokenBuffer& tokens = text.tokens();
  // Places of names, of this instruction and of those nested in its operands.
  std::vector<TokenIndex> places = {text.node().name};
  std::vector<const InstructionSyntax*> open = {&text.node()};
  while (!open.empty()) {
    const InstructionSyntax& node = *open.back();
    open.pop_back();
    for (uint32_t k = 0; k < node.operand_count; ++k) {
      const OperandSyntax& operand = text.tree().operands[node.first_operand + k];
      if (operand.nested.has_value()) {
        open.push_back(&text.tree().instructions[operand.nested.index()]);
      } else if (operand.name != kNoToken) {
        places.push_back(operand.name);
      }
    }
    for (uint32_t a = 0; a < node.attribute_count; ++a) {
      const AttributeSyntax& attribute = text.tree().attributes[node.first_attribute + a];
      if (TokenName(TokenKind::kAttributeName, text.TextOf(attribute.name)) != "control-predecessors") continue;
      for (TokenIndex t = attribute.value.begin; t < attribute.value.end; ++t) {
        if (tokens.kind(t) == TokenKind::kName || tokens.kind(t) == TokenKind::kIdentifier) places.push_back(t);
      }
    }
  }
  std::sort(places.begin(), places.end());
  std::string out;
  // ROOT is before the name, or nothing does.
  uint32_t copied = tokens.begin(text.node().name);
  for (TokenIndex t : places) {
    const SourceRange token = tokens.range(t);
    if (token.begin < copied) continue;
    const absl::string_view written = source.Slice(token);
    const absl::string_view name = TokenName(tokens.kind(t), written);
    const auto found = names.find(name);
    if (found == names.end()) continue;
    const uint32_t name_begin = token.begin + static_cast<uint32_t>(name.data() - written.data());
    absl::StrAppend(&out, source.Slice({copied, name_begin}), found->second);
    copied = name_begin + static_cast<uint32_t>(name.size());
  }
  absl::StrAppend(&out, source.Slice({copied, range.end}));
  return out;
}

absl::StatusOr<std::vector<TextEdit>> CheckedEdits(const Document& document, std::vector<TextEdit> edits,
                                                   absl::string_view what) {
  const auto changed = document.WithEdit(edits);
  if (changed->error_count() <= document.error_count()) return edits;
  for (const Diagnostic& diagnostic : changed->diagnostics()) {
    if (diagnostic.severity == Severity::kError)
      return absl::InternalError(absl::StrCat(what, " would break the module: ", diagnostic.Message()));
  }
  return absl::InternalError(absl::StrCat(what, " would break the module"));
}

std::vector<InstructionId> StatementsOf(const Document& document, ComputationId computation) {
  const Module& module = document.module();
  const TextMap& map = document.text_map();
  std::vector<InstructionId> statements;
  for (InstructionId id : module.computation(computation).instructions) {
    const Instruction& instruction = module.instruction(id);
    if (instruction.synthesized || !instruction.is_named || !instruction.syntax.has_value()) continue;
    if ((map.flags[instruction.syntax.index()] & TextMap::kStatement) != 0) statements.push_back(id);
  }
  std::sort(statements.begin(), statements.end(), [&](InstructionId a, InstructionId b) {
    return document.InstructionRange(a).begin < document.InstructionRange(b).begin;
  });
  return statements;
}

}  // namespace hloscope
