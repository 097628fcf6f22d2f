// SPDX-License-Identifier: Apache-2.0
#include "core/editing/token_classes.h"

#include <algorithm>
#include <optional>

#include "core/document/statement_syntax.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

// Tokens and what the syntax says of them: of the whole text, of one statement, or of a gap between statements.
class Classifier {
 public:
  Classifier(const Document& document, const TokenBuffer& tokens, const SyntaxTree& syntax, SourceRange range)
      : document_(document), tokens_(tokens), syntax_(syntax), range_(range) {
    first_ = tokens_.TokenAt(range.begin);
    end_ = first_;
    while (end_ < tokens_.size() && tokens_.kind(end_) != TokenKind::kEndOfFile && tokens_.begin(end_) < range.end)
      ++end_;
    roles_.resize(end_ - first_);
  }

  void Run(std::vector<ClassifiedText>* result) {
    MarkNames();
    uint32_t covered = first_ > 0 ? std::max(tokens_.end(first_ - 1), kept_) : range_.begin;
    for (TokenIndex t = first_; t < end_; ++t) {
      AddComments({covered, tokens_.begin(t)}, result);
      Add(t, result);
      covered = tokens_.end(t);
    }
    const uint32_t next = end_ < tokens_.size() ? tokens_.begin(end_) : document_.source().size();
    AddComments({covered, std::max(covered, std::min(next, limit_))}, result);
  }
  // Comments are looked for inside these bounds, which may be wider than the range: one may begin before it.
  void Bound(uint32_t begin, uint32_t end) {
    kept_ = begin;
    limit_ = end;
  }

 private:
  struct Role {
    std::optional<TokenClass> token_class;
    bool is_definition = false;
  };

  void Mark(TokenIndex t, TokenClass token_class, bool is_definition = false) {
    if (t != kNoToken && t >= first_ && t < end_) roles_[t - first_] = {token_class, is_definition};
  }
  bool Overlaps(TokenRange range) const { return range.begin < end_ && range.end > first_; }
  absl::string_view TextOf(TokenIndex t) const { return document_.source().Slice(tokens_.range(t)); }

  // The token that the name at this range is, if it is here.
  void MarkAt(SourceRange name, TokenClass token_class) {
    if (name.empty() || name.end <= range_.begin || name.begin >= range_.end) return;
    const TokenIndex t = tokens_.TokenAt(name.begin);
    if (t < tokens_.size() && tokens_.range(t).Touches(name.begin)) Mark(t, token_class, true);
  }

  void MarkNames() {
    const TextMap& map = document_.text_map();
    MarkAt(map.module_name, TokenClass::kModule);
    for (const TextMap::ComputationText& computation : map.computations) {
      MarkAt(computation.name, TokenClass::kComputation);
      // The names of the signature, which end in a colon.
      if (computation.result.empty() || computation.result.begin <= range_.begin ||
          computation.name.end >= range_.end) {
        continue;
      }
      for (TokenIndex t = std::max(first_, tokens_.TokenAt(computation.name.end));
           t < end_ && tokens_.begin(t) < computation.result.begin; ++t) {
        if (tokens_.kind(t) == TokenKind::kName && t != tokens_.TokenAt(computation.name.begin))
          Mark(t, TokenClass::kParameter);
      }
    }
    for (const InstructionSyntax& instruction : syntax_.instructions) {
      if (Overlaps(instruction.tokens)) MarkInstruction(instruction);
    }
  }

  void MarkInstruction(const InstructionSyntax& instruction) {
    const absl::string_view opcode = instruction.opcode == kNoToken ? absl::string_view() : TextOf(instruction.opcode);
    Mark(instruction.name, opcode == "parameter" ? TokenClass::kParameter : TokenClass::kValue, true);
    Mark(instruction.opcode, TokenClass::kOpcode);
    for (uint32_t k = 0; k < instruction.operand_count; ++k) {
      Mark(syntax_.operands[instruction.first_operand + k].name, TokenClass::kValue);
    }
    for (uint32_t a = 0; a < instruction.attribute_count; ++a) {
      const AttributeSyntax& attribute = syntax_.attributes[instruction.first_attribute + a];
      if (!Overlaps({attribute.name, attribute.value.end}) || attribute.inline_computation_count > 0) continue;
      const absl::string_view name = TokenName(tokens_.kind(attribute.name), TextOf(attribute.name));
      const TokenClass word = IsComputationAttributeName(name) ? TokenClass::kComputation
                              : name == "control-predecessors" ? TokenClass::kValue
                                                               : TokenClass::kWord;
      for (TokenIndex t = std::max(attribute.value.begin, first_); t < std::min(attribute.value.end, end_); ++t) {
        if (tokens_.kind(t) == TokenKind::kName || tokens_.kind(t) == TokenKind::kIdentifier) Mark(t, word);
      }
    }
  }

  void Add(TokenIndex t, std::vector<ClassifiedText>* result) const {
    const SourceRange range = tokens_.range(t);
    const Role& role = roles_[t - first_];
    SourceRange name = range;
    if (tokens_.kind(t) == TokenKind::kName || tokens_.kind(t) == TokenKind::kAttributeName) {
      const char last = TextOf(t).back();
      if (last == ':' || last == '=') --name.end;
    }
    if (role.token_class.has_value()) {
      result->push_back({name, *role.token_class, role.is_definition});
      return;
    }
    switch (tokens_.kind(t)) {
      case TokenKind::kAttributeName:
        result->push_back({name, TokenClass::kAttribute});
        return;
      case TokenKind::kPrimitiveType:
        result->push_back({range, TokenClass::kType});
        return;
      case TokenKind::kInteger:
      case TokenKind::kDecimal:
      case TokenKind::kDxD:
      case TokenKind::kPad:
      case TokenKind::kDimLabels:
      case TokenKind::kInf:
      case TokenKind::kNegativeInf:
        result->push_back({range, TokenClass::kNumber});
        return;
      case TokenKind::kString:
      case TokenKind::kRawBlock:
        result->push_back({range, TokenClass::kString});
        return;
      case TokenKind::kName:
        result->push_back({name, TokenClass::kValue});
        return;
      case TokenKind::kTrue:
      case TokenKind::kFalse:
      case TokenKind::kHloModule:
      case TokenKind::kEntry:
      case TokenKind::kRoot:
      case TokenKind::kFileNames:
      case TokenKind::kFunctionNames:
      case TokenKind::kFileLocations:
      case TokenKind::kStackFrames:
      case TokenKind::kMaximal:
      case TokenKind::kReplicated:
      case TokenKind::kManual:
      case TokenKind::kUnknown:
      case TokenKind::kUnreduced:
      case TokenKind::kLastTileDimReplicate:
      case TokenKind::kShardAs:
      case TokenKind::kShardLike:
        result->push_back({range, TokenClass::kKeyword});
        return;
      case TokenKind::kEndOfFile:
      case TokenKind::kError:
      case TokenKind::kIdentifier:
      case TokenKind::kEquals:
      case TokenKind::kComma:
      case TokenKind::kColon:
      case TokenKind::kStar:
      case TokenKind::kHash:
      case TokenKind::kPlus:
      case TokenKind::kTilde:
      case TokenKind::kQuestion:
      case TokenKind::kLeftBracket:
      case TokenKind::kRightBracket:
      case TokenKind::kLeftBrace:
      case TokenKind::kRightBrace:
      case TokenKind::kLeftParen:
      case TokenKind::kRightParen:
      case TokenKind::kArrow:
      case TokenKind::kLessEqual:
      case TokenKind::kDots:
        return;
    }
  }

  void AddComments(SourceRange gap, std::vector<ClassifiedText>* result) const {
    const absl::string_view text = document_.source().text().substr(0, gap.end);
    size_t at = gap.begin;
    while (at + 1 < gap.end) {
      size_t end = at;
      if (text[at] == '/' && text[at + 1] == '/') {
        end = std::min<size_t>(text.find_first_of("\n\r", at), gap.end);
      } else if (text[at] == '/' && text[at + 1] == '*') {
        const size_t close = text.find("*/", at + 2);
        end = close == absl::string_view::npos ? gap.end : close + 2;
      } else {
        ++at;
        continue;
      }
      const SourceRange comment = {static_cast<uint32_t>(at), static_cast<uint32_t>(end)};
      if (comment.end > range_.begin && comment.begin < range_.end) result->push_back({comment, TokenClass::kComment});
      at = end;
    }
  }

  const Document& document_;
  const TokenBuffer& tokens_;
  const SyntaxTree& syntax_;
  const SourceRange range_;
  uint32_t kept_ = 0, limit_ = 0xFFFFFFFFu;
  TokenIndex first_ = 0, end_ = 0;
  std::vector<Role> roles_;
};

// Ranges up to this size are read statement by statement if the document does not have its tokens.
constexpr uint32_t kMaxLocalRange = 1 << 17;

// The statements that touch the range, in text order.
std::vector<size_t> StatementsIn(const TextMap& map, SourceRange range) {
  std::vector<size_t> statements;
  for (size_t node = 0; node < map.nodes.size(); ++node) {
    if ((map.flags[node] & TextMap::kStatement) == 0) continue;
    if (map.nodes[node].end >= range.begin && map.nodes[node].begin <= range.end) statements.push_back(node);
  }
  std::sort(statements.begin(), statements.end(),
            [&](size_t a, size_t b) { return map.nodes[a].begin < map.nodes[b].begin; });
  return statements;
}

void ClassifyLocally(const Document& document, SourceRange range, std::vector<ClassifiedText>* result) {
  const TextMap& map = document.text_map();
  const SyntaxTree nothing;
  uint32_t covered = 0;  // everything before is done
  // Gaps begin after a statement, or at the beginning of the text.
  for (const TextMap::ComputationText& computation : map.computations) {
    if (computation.range.end <= range.begin) covered = std::max(covered, computation.range.end);
  }
  for (SourceRange node : map.nodes) {
    if (node.end <= range.begin) covered = std::max(covered, node.end);
  }
  const auto add_gap = [&](uint32_t end) {
    if (covered >= end) return;
    const SourceRange gap = {std::max(covered, range.begin), std::min(end, range.end)};
    DiagnosticSink quiet;
    if (gap.begin < gap.end || (gap.begin == gap.end && covered < end)) {
      const TokenBuffer tokens = LexPart(document.source(), covered, end, 0, quiet);
      Classifier classifier(document, tokens, nothing, gap);
      classifier.Bound(covered, end);
      classifier.Run(result);
    }
  };
  for (size_t statement : StatementsIn(map, range)) {
    const SourceRange node = map.nodes[statement];
    if (node.begin < covered) continue;  // inside the one before: an inline computation's
    add_gap(node.begin);
    const auto syntax = ReadStatement(document.source(), map, statement);
    Classifier classifier(document, syntax->tokens, syntax->tree,
                          {std::max(node.begin, range.begin), std::min(node.end, range.end)});
    classifier.Bound(node.begin, node.end);
    classifier.Run(result);
    covered = std::max(covered, node.end);
  }
  // To the byte after the range, so that a comment that goes on there is seen whole.
  uint32_t end = document.source().size();
  for (SourceRange node : map.nodes) {
    if (node.begin >= range.end) end = std::min(end, node.begin);
  }
  add_gap(end);
}

}  // namespace

std::vector<ClassifiedText> ClassifyText(const Document& document, SourceRange range) {
  std::vector<ClassifiedText> result;
  if (!document.has_whole_syntax() && range.size() <= kMaxLocalRange) {
    ClassifyLocally(document, range, &result);
  } else {
    Classifier(document, document.tokens(), document.syntax(), range).Run(&result);
  }
  // The `=` after a name belongs to its token, not to the name.
  if (!result.empty() && result.front().range.end <= range.begin) result.erase(result.begin());
  return result;
}

}  // namespace hloscope
