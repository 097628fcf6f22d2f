#include "core/editing/token_classes.h"

#include <algorithm>
#include <optional>

#include "core/lex/lexer.h"

namespace hloscope {
namespace {

class Classifier {
 public:
  Classifier(const Document& document, SourceRange range)
      : document_(document), tokens_(document.tokens()), syntax_(document.syntax()), range_(range) {
    first_ = tokens_.TokenAt(range.begin);
    end_ = first_;
    while (end_ < tokens_.size() && tokens_.kind(end_) != TokenKind::kEndOfFile && tokens_.begin(end_) < range.end)
      ++end_;
    roles_.resize(end_ - first_);
  }

  std::vector<ClassifiedText> Run() {
    MarkNames();
    std::vector<ClassifiedText> result;
    uint32_t covered = first_ > 0 ? tokens_.end(first_ - 1) : 0;
    for (TokenIndex t = first_; t < end_; ++t) {
      AddComments({covered, tokens_.begin(t)}, &result);
      Add(t, &result);
      covered = tokens_.end(t);
    }
    const uint32_t next = end_ < tokens_.size() ? tokens_.begin(end_) : document_.source().size();
    AddComments({covered, next}, &result);
    // The `=` behind a name belongs to its token, not to the name.
    if (!result.empty() && result.front().range.end <= range_.begin) result.erase(result.begin());
    return result;
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

  void MarkNames() {
    Mark(syntax_.module_name, TokenClass::kModule, true);
    for (const ComputationSyntax& computation : syntax_.computations) {
      if (!Overlaps(computation.tokens)) continue;
      Mark(computation.name, TokenClass::kComputation, true);
      for (TokenIndex t = computation.signature_parameters.begin; t < computation.signature_parameters.end; ++t) {
        if (tokens_.kind(t) == TokenKind::kName) Mark(t, TokenClass::kParameter);
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
      default:
        if (tokens_.kind(t) >= TokenKind::kTrue) result->push_back({range, TokenClass::kKeyword});
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
  TokenIndex first_ = 0, end_ = 0;
  std::vector<Role> roles_;
};

}  // namespace

std::vector<ClassifiedText> ClassifyText(const Document& document, SourceRange range) {
  return Classifier(document, range).Run();
}

}  // namespace hloscope
