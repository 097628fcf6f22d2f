#include "core/syntax/syntax_parser.h"

#include <array>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/lex/lexer.h"
#include "core/ops/opcode.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

bool IsOpening(Kind kind) { return kind == Kind::kLeftBrace || kind == Kind::kLeftParen || kind == Kind::kLeftBracket; }
bool IsClosing(Kind kind) {
  return kind == Kind::kRightBrace || kind == Kind::kRightParen || kind == Kind::kRightBracket;
}

bool Matches(Kind opening, Kind closing) {
  return opening == Kind::kLeftBrace   ? closing == Kind::kRightBrace
         : opening == Kind::kLeftParen ? closing == Kind::kRightParen
                                       : closing == Kind::kRightBracket;
}

class SyntaxParser {
 public:
  SyntaxParser(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink)
      : source_(source), tokens_(tokens), sink_(sink) {}

  SyntaxTree Run() {
    tree_.instructions.reserve(tokens_.size() / 20);
    tree_.operands.reserve(tokens_.size() / 20);
    tree_.attributes.reserve(tokens_.size() / 16);
    if (At(Kind::kEndOfFile)) {
      // A text of invalid bytes only has been reported by the lexer.
      if (sink_.error_count() == 0) sink_.Report(DiagnosticKind::kEmptyText, SourceRange{0, 0});
      return std::move(tree_);
    }
    if (At(Kind::kHloModule)) {
      tree_.kind = SyntaxTree::TextKind::kModule;
      Header();
      Computations();
    } else if (At(Kind::kEntry) || Peek(1) == Kind::kLeftBrace) {
      tree_.kind = SyntaxTree::TextKind::kHeaderless;
      Computations();
    } else {
      tree_.kind = SyntaxTree::TextKind::kSingleInstruction;
      SingleInstruction();
    }
    return std::move(tree_);
  }

 private:
  // What is being read, outermost first: a computation body, or an instruction in a body or in an operand list.
  struct Open {
    enum class Phase : uint8_t { kBody, kOperands, kAttributes, kComputationList };
    Phase phase;
    ComputationSyntax computation;  // kBody
    InstructionSyntax instruction;  // otherwise
    AttributeSyntax attribute;      // the computation-valued attribute being read
    OperandSyntax operand;          // the nested operand being read
    size_t list_base = 0;           // into the scratch vectors: where this node's children start
    size_t operand_base = 0, attribute_base = 0, inline_base = 0;
    bool is_nested_operand = false;
  };

  // --- Tokens ---
  Kind Peek(TokenIndex ahead = 0) const {
    const TokenIndex i = pos_ + ahead;
    return i < tokens_.size() ? tokens_.kind(i) : Kind::kEndOfFile;
  }
  bool At(Kind kind) const { return tokens_.kind(pos_) == kind; }
  bool Eat(Kind kind) {
    if (!At(kind)) return false;
    ++pos_;
    return true;
  }
  absl::string_view Text(TokenIndex i) const { return source_.Slice(tokens_.range(i)); }
  std::string Found(TokenIndex i) const {
    const Kind kind = tokens_.kind(i);
    if (kind == Kind::kEndOfFile) return std::string(TokenDescription(kind));
    absl::string_view text = Text(i);
    if (text.size() > 40) return absl::StrCat("`", text.substr(0, 37), "...`");
    return absl::StrCat("`", text, "`");
  }
  // Where a missing token is reported: the offending token; at the end of the text, the last byte.
  SourceRange RangeAt(TokenIndex i) const { return tokens_.range(i); }

  // Reports at the current token, unless the lexer already did.
  template <typename... Args>
  bool Fail(DiagnosticKind kind, const Args&... args) {
    if (!At(Kind::kError)) sink_.Report(kind, RangeAt(pos_), args...);
    return false;
  }
  bool Expect(Kind kind) {
    if (Eat(kind)) return true;
    return Fail(DiagnosticKind::kExpectedToken, TokenDescription(kind), Found(pos_));
  }

  static bool IsNameLike(Kind kind) {
    return kind == Kind::kName || kind == Kind::kIdentifier || kind == Kind::kPrimitiveType || kind >= Kind::kTrue;
  }
  // `name =` or ROOT: the start of an instruction. A free-standing `=` occurs nowhere else but behind strings in
  // meshes, and by mistake before the string of a `key ="value"`.
  bool IsStatementStart(TokenIndex i) const {
    const Kind kind = tokens_.kind(i);
    if (kind == Kind::kRoot) return true;
    return i + 1 < tokens_.size() && tokens_.kind(i + 1) == Kind::kEquals && IsNameLike(kind) &&
           (i + 2 >= tokens_.size() || tokens_.kind(i + 2) != Kind::kString);
  }
  bool IsHeadingWord(Kind kind) const {
    return kind == Kind::kFileNames || kind == Kind::kFunctionNames || kind == Kind::kFileLocations ||
           kind == Kind::kStackFrames;
  }
  // ENTRY, `name {` or `name (`: the start of a computation (only meaningful outside instructions).
  bool IsComputationStart(TokenIndex i) const {
    const Kind kind = tokens_.kind(i);
    if (kind == Kind::kEntry || kind == Kind::kHloModule) return true;
    if (kind != Kind::kName && kind != Kind::kIdentifier) return false;
    const Kind next = i + 1 < tokens_.size() ? tokens_.kind(i + 1) : Kind::kEndOfFile;
    return next == Kind::kLeftBrace || next == Kind::kLeftParen;
  }

  // Skips the bracketed group at the current token. Fails, standing where the next statement starts, if it is not
  // closed.
  bool SkipGroup() {
    const TokenIndex open = pos_;
    // The outer open brackets; those deeper inside are only counted.
    constexpr size_t kTracked = 16;
    std::array<TokenIndex, kTracked> opened;
    size_t depth = 0;
    bool good = true;
    while (true) {
      const Kind kind = tokens_.kind(pos_);
      if (IsOpening(kind)) {
        if (depth < kTracked) opened[depth] = pos_;
        ++depth;
      } else if (IsClosing(kind)) {
        size_t closed = depth;
        if (depth <= kTracked) {
          while (closed > 0 && !Matches(tokens_.kind(opened[closed - 1]), kind)) --closed;
        }
        // A brace that closes nothing ends the body; another bracket is left to the reader of the value.
        if (closed != depth && (closed > 0 || kind == Kind::kRightBrace)) {
          if (good) sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(opened[depth - 1]), Text(opened[depth - 1]));
          good = false;
          if (closed == 0) return false;
        }
        if (closed > 0) depth = closed - 1;
        if (depth == 0) {
          ++pos_;
          return good;
        }
      } else if (kind == Kind::kEndOfFile || kind == Kind::kEntry || IsStatementStart(pos_)) {
        if (good) sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(open), Text(open));
        return false;
      } else if (kind == Kind::kError) {
        good = false;  // reported by the lexer
      }
      ++pos_;
    }
  }

  // [shape]; leaves `range` empty if there is none.
  bool Shape(TokenRange& range) {
    range.begin = range.end = pos_;
    if (At(Kind::kPrimitiveType)) {
      ++pos_;
      if (!At(Kind::kLeftBracket)) {
        return Fail(DiagnosticKind::kExpectedToken, "`[` after the element type", Found(pos_));
      }
      if (!SkipGroup()) return false;
      if (At(Kind::kLeftBrace) && (Peek(1) == Kind::kInteger || Peek(1) == Kind::kColon)) {
        if (!SkipGroup()) return false;
      }
    } else if (At(Kind::kLeftParen)) {
      if (!SkipGroup()) return false;
    } else if (At(Kind::kIdentifier) && Peek(1) == Kind::kLeftParen && Text(pos_) == "b") {
      ++pos_;
      if (!SkipGroup()) return false;
    }
    range.end = pos_;
    return true;
  }

  // --- Module ---
  void Header() {
    ++pos_;  // HloModule
    if (At(Kind::kName) || At(Kind::kIdentifier)) {
      tree_.module_name = pos_++;
    } else {
      Fail(DiagnosticKind::kExpectedName, "the name of the module", Found(pos_));
      SkipToComputation();
      return;
    }
    tree_.first_header_attribute = static_cast<uint32_t>(tree_.attributes.size());
    tree_.header_attribute_count = SimpleAttributes();
    // All four or none.
    if (!At(Kind::kFileNames)) return;
    const bool complete =
        Table(Kind::kFileNames, tree_.file_names) && Table(Kind::kFunctionNames, tree_.function_names) &&
        Table(Kind::kFileLocations, tree_.file_locations) && Table(Kind::kStackFrames, tree_.stack_frames);
    if (!complete) SkipToComputation();
  }

  bool Table(Kind heading, TokenRange& rows) {
    if (!Expect(heading)) return false;
    rows.begin = pos_;
    // What is no row is left to the reader of the rows.
    while (!At(Kind::kEndOfFile) && !IsHeadingWord(tokens_.kind(pos_)) && !IsComputationStart(pos_)) {
      if (!At(Kind::kLeftBrace)) {
        ++pos_;
      } else if (!SkipGroup()) {
        rows.end = rows.begin;
        return false;
      }
    }
    rows.end = pos_;
    return true;
  }

  // `, name=value` repeated, each value one token or one group: header and computation attributes.
  uint32_t SimpleAttributes() {
    uint32_t count = 0;
    while (Eat(Kind::kComma)) {
      AttributeSyntax attribute;
      if (!At(Kind::kAttributeName)) {
        Fail(DiagnosticKind::kExpectedAttribute, Found(pos_));
        SkipToComputation();
        break;
      }
      attribute.name = pos_++;
      attribute.value.begin = pos_;
      if (IsOpening(tokens_.kind(pos_))) {
        if (!SkipGroup()) break;
      } else if (!At(Kind::kComma) && !At(Kind::kEndOfFile) && !IsComputationStart(pos_)) {
        ++pos_;
      }
      attribute.value.end = pos_;
      tree_.attributes.push_back(attribute);
      ++count;
    }
    return count;
  }

  void SkipToComputation() {
    while (!At(Kind::kEndOfFile) && !IsComputationStart(pos_)) {
      // Braces of a lost computation are skipped with it.
      if (!IsOpening(tokens_.kind(pos_)) || !SkipGroupQuietly()) ++pos_;
    }
  }
  bool SkipGroupQuietly() {
    if (group_unclosed_) return false;  // looking for the end of every group again would take quadratic time
    int64_t depth = 0;
    const TokenIndex start = pos_;
    for (; !At(Kind::kEndOfFile) && !At(Kind::kEntry); ++pos_) {
      if (IsOpening(tokens_.kind(pos_))) ++depth;
      if (IsClosing(tokens_.kind(pos_)) && --depth == 0) {
        ++pos_;
        return true;
      }
    }
    pos_ = start;
    group_unclosed_ = true;
    return false;
  }

  void Computations() {
    bool reported = false;  // one finding per run of garbage
    while (!At(Kind::kEndOfFile)) {
      if (At(Kind::kHloModule)) {
        Fail(DiagnosticKind::kTrailingInput, "second `HloModule`", "module");
        return;
      }
      if (!IsComputationStart(pos_)) {
        if (!reported) Fail(DiagnosticKind::kExpectedName, "a computation", Found(pos_));
        reported = true;
        if (!IsOpening(tokens_.kind(pos_)) || !SkipGroupQuietly()) ++pos_;
        SkipToComputation();
        continue;
      }
      reported = false;
      Computation();
    }
  }

  void Computation() {
    Open open;
    open.phase = Open::Phase::kBody;
    ComputationSyntax& computation = open.computation;
    computation.tokens.begin = pos_;
    if (At(Kind::kEntry)) computation.entry = pos_++;
    if (At(Kind::kName) || At(Kind::kIdentifier)) {
      computation.name = pos_++;
    } else {
      Fail(DiagnosticKind::kExpectedName, "the name of a computation", Found(pos_));
      if (!At(Kind::kLeftBrace)) {
        SkipToComputation();
        return;
      }
    }
    bool good = true;
    if (At(Kind::kLeftParen)) {
      const TokenIndex begin = pos_ + 1;
      good = SkipGroup();
      if (good) {
        computation.signature_parameters = {begin, pos_ - 1};
        good = Expect(Kind::kArrow);
      }
      if (good) {
        good = Shape(computation.signature_result);
        if (good && computation.signature_result.empty()) {
          good = Fail(DiagnosticKind::kExpectedToken, "the result shape", Found(pos_));
        }
      }
      // A broken signature is decoration: the body is still read.
      while (!good && !At(Kind::kLeftBrace) && !At(Kind::kEndOfFile) && !IsStatementStart(pos_)) ++pos_;
    }
    if (At(Kind::kLeftBrace)) {
      computation.open_brace = pos_++;
    } else {
      if (good) Fail(DiagnosticKind::kExpectedToken, "`{`", Found(pos_));
      if (!IsStatementStart(pos_)) {
        SkipToComputation();
        return;
      }
    }
    open.list_base = lists_.size();
    stack_.push_back(open);
    Drain();
    // Attributes after the brace.
    if (!tree_.computations.empty() && completed_top_level_) {
      ComputationSyntax& done = tree_.computations.back();
      done.first_attribute = static_cast<uint32_t>(tree_.attributes.size());
      done.attribute_count = SimpleAttributes();
      done.tokens.end = pos_;
    }
  }

  void SingleInstruction() {
    Open body;
    body.phase = Open::Phase::kBody;
    body.computation.tokens.begin = pos_;
    body.list_base = lists_.size();
    stack_.push_back(body);
    const bool starts_with_shape =
        At(Kind::kPrimitiveType) || At(Kind::kLeftParen) || (Text(pos_) == "b" && Peek(1) == Kind::kLeftParen);
    const bool has_name = !starts_with_shape || Peek(1) == Kind::kEquals;
    StartInstruction(has_name);
    while (stack_.size() > 1) Step();
    if (!At(Kind::kEndOfFile) && sink_.error_count() == 0) {
      Fail(DiagnosticKind::kTrailingInput, Found(pos_), "instruction");
    }
    FinishBody();
  }

  // --- Bodies and instructions ---
  void Drain() {
    completed_top_level_ = false;
    while (!stack_.empty()) Step();
  }

  void Step() {
    switch (stack_.back().phase) {
      case Open::Phase::kBody:
        return StepBody();
      case Open::Phase::kOperands:
        return StepOperands();
      case Open::Phase::kAttributes:
        return StepAttributes();
      case Open::Phase::kComputationList:
        return StepComputationList();
    }
  }

  void StepBody() {
    Open& body = stack_.back();
    if (At(Kind::kRightBrace)) {
      body.computation.close_brace = pos_++;
      return FinishBody();
    }
    if (At(Kind::kEndOfFile) || At(Kind::kEntry) || At(Kind::kHloModule) ||
        (IsComputationStart(pos_) && IsTopLevelComputation(pos_))) {
      Diagnostic& d =
          sink_.Report(DiagnosticKind::kExpectedToken, RangeAt(pos_), "`}` at the end of the computation", Found(pos_));
      if (body.computation.open_brace != kNoToken) d.Related(RangeAt(body.computation.open_brace), "to match this");
      return FinishBody();
    }
    StartInstruction(/*has_name=*/true);
  }

  // Inside a body, `name (` or `name {` may be an instruction that lacks its `=`. A computation has a signature with an
  // arrow, or its brace is followed by a statement.
  bool IsTopLevelComputation(TokenIndex i) const {
    TokenIndex j = i + 1;
    if (tokens_.kind(j) == Kind::kLeftParen) {
      int64_t depth = 0;
      for (; j + 1 < tokens_.size(); ++j) {
        if (IsOpening(tokens_.kind(j))) ++depth;
        if (IsClosing(tokens_.kind(j)) && --depth == 0) break;
        if (tokens_.kind(j) == Kind::kEquals) return false;
      }
      return j + 1 < tokens_.size() && tokens_.kind(j + 1) == Kind::kArrow;
    }
    return j + 1 < tokens_.size() && IsStatementStart(j + 1);
  }

  // Reads up to the opening parenthesis of the operands and opens the instruction.
  void StartInstruction(bool has_name) {
    if (stack_.size() > static_cast<size_t>(kMaxNesting)) {
      Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
      ++pos_;
      return Break();
    }
    Open open;
    open.phase = Open::Phase::kOperands;
    open.operand_base = operands_.size();
    open.attribute_base = attributes_.size();
    open.inline_base = inlines_.size();
    InstructionSyntax& node = open.instruction;
    node.tokens.begin = pos_;
    bool good = true;
    if (has_name) {
      if (Eat(Kind::kRoot)) node.is_root = true;
      if (At(Kind::kName) || At(Kind::kIdentifier)) {
        node.name = pos_++;
        good = Expect(Kind::kEquals);
      } else if (At(Kind::kPrimitiveType) && Peek(1) == Kind::kEquals) {
        node.name = pos_++;  // an illegal name, reported with the other rules for names
        good = Expect(Kind::kEquals);
      } else if (At(Kind::kAttributeName)) {
        sink_
            .Report(DiagnosticKind::kExpectedName, RangeAt(pos_), "the name of an instruction",
                    absl::StrCat(Found(pos_), ", which reads as an attribute; put a space before the `=`"))
            .Fix("insert a space", SourceRange{tokens_.end(pos_) - 1, tokens_.end(pos_) - 1}, " ");
        good = false;
      } else {
        good = Fail(DiagnosticKind::kExpectedName, "the name of an instruction", Found(pos_));
      }
    }
    good = good && Shape(node.shape);
    if (good) {
      if (pos_ > node.tokens.begin && IsStatementStart(pos_)) {
        sink_.Report(DiagnosticKind::kExpectedOpcode, RangeAt(pos_ - 1), "the next instruction");
        good = false;
      } else if (At(Kind::kIdentifier)) {
        node.opcode = pos_++;
      } else {
        good = Fail(DiagnosticKind::kExpectedOpcode, Found(pos_));
      }
    }
    good = good && OpenArguments(open);
    stack_.push_back(open);
    if (!good) Break();
  }

  // Stands behind the opcode: `(`, and for parameter and constant the whole argument.
  bool OpenArguments(Open& open) {
    InstructionSyntax& node = open.instruction;
    if (!At(Kind::kLeftParen)) return Expect(Kind::kLeftParen);
    const absl::string_view opcode = Text(node.opcode);
    if (opcode == "constant" || opcode == "parameter") {
      const TokenIndex begin = pos_ + 1;
      if (!SkipGroup()) return false;
      node.arguments = {begin, pos_ - 1};
      open.phase = Open::Phase::kAttributes;
      return true;
    }
    node.arguments.begin = ++pos_;
    return true;
  }

  void StepOperands() {
    // Reads operands until the list ends or one is a nested instruction.
    while (true) {
      if (At(Kind::kRightParen) && pos_ == stack_.back().instruction.arguments.begin) break;
      if (IsStatementStart(pos_)) return FailOpenOperands();
      OperandSyntax operand;
      operand.tokens.begin = pos_;
      if (!Shape(operand.shape)) return Break();
      if (At(Kind::kIdentifier) && Peek(1) == Kind::kLeftParen) {
        return StartNestedOperand(operand);
      }
      if (At(Kind::kName) || At(Kind::kIdentifier)) {
        operand.name = pos_++;
        operand.path_begin = pos_;
        while (At(Kind::kHash)) {
          ++pos_;
          if (!Expect(Kind::kInteger)) return Break();
        }
      } else if (operand.shape.empty()) {
        Fail(DiagnosticKind::kExpectedName, "an operand", Found(pos_));
        return Break();
      } else {
        operand.path_begin = pos_;
        if (tree_.kind != SyntaxTree::TextKind::kSingleInstruction || stack_.size() != 2) {
          Fail(DiagnosticKind::kExpectedName, "the name of an operand after its shape", Found(pos_));
          return Break();
        }
      }
      operand.tokens.end = pos_;
      operands_.push_back(operand);
      if (!Eat(Kind::kComma)) break;
    }
    if (!At(Kind::kRightParen)) {
      if (IsStatementStart(pos_)) return FailOpenOperands();
      Fail(DiagnosticKind::kExpectedToken, "`,` or `)` after an operand", Found(pos_));
      return Break();
    }
    stack_.back().instruction.arguments.end = pos_++;
    stack_.back().phase = Open::Phase::kAttributes;
    StepAttributes();
  }

  // The next instruction stands where operands should go on.
  void FailOpenOperands() {
    const TokenIndex open = stack_.back().instruction.arguments.begin - 1;
    sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(open), Text(open));
    Break();
  }

  void StartNestedOperand(const OperandSyntax& operand) {
    if (stack_.size() > static_cast<size_t>(kMaxNesting) / 2) {
      Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
      return Break();
    }
    stack_.back().operand = operand;
    Open open;
    open.phase = Open::Phase::kOperands;
    open.is_nested_operand = true;
    open.operand_base = operands_.size();
    open.attribute_base = attributes_.size();
    open.inline_base = inlines_.size();
    open.instruction.tokens.begin = operand.tokens.begin;
    open.instruction.shape = operand.shape;
    open.instruction.opcode = pos_++;
    const bool good = OpenArguments(open);
    stack_.push_back(open);
    if (!good) Break();
  }

  void StepAttributes() {
    if (stack_.back().is_nested_operand) return FinishInstruction();
    while (Eat(Kind::kComma) || AtAttributeWithoutComma()) {
      if (!At(Kind::kAttributeName)) {
        FailAttribute();
        return Break();
      }
      AttributeSyntax attribute;
      attribute.name = pos_++;
      attribute.value.begin = pos_;
      attribute.first_inline_computation = static_cast<uint32_t>(inlines_.size() - stack_.back().inline_base);
      if (At(Kind::kLeftBrace)) {
        const absl::string_view name = TokenName(Kind::kAttributeName, Text(attribute.name));
        if (name == "branch_computations" || name == "called_computations") {
          ++pos_;
          stack_.back().attribute = attribute;
          stack_.back().phase = Open::Phase::kComputationList;
          return;
        }
        if (IsComputationAttributeName(name) && IsInlineBody()) {
          stack_.back().attribute = attribute;
          return StartInlineBody();
        }
      }
      if (!SkipValue()) return Break();
      attribute.value.end = pos_;
      attributes_.push_back(attribute);
    }
    if (AtStray()) {
      Fail(DiagnosticKind::kExpectedToken, "`,` and an attribute, or the next instruction", Found(pos_));
      return Break();
    }
    FinishInstruction();
  }

  // Behind an instruction of a body, at a token with which nothing can go on: it belongs to this instruction.
  bool AtStray() const {
    if (tree_.kind == SyntaxTree::TextKind::kSingleInstruction && stack_.size() == 2) return false;
    const Kind kind = tokens_.kind(pos_);
    if (Peek(1) == Kind::kEquals) return false;  // the wrong name of another one
    return kind != Kind::kEndOfFile && kind != Kind::kRightBrace && kind != Kind::kAttributeName && !IsNameLike(kind);
  }

  // Behind operands or an attribute, at another one whose comma is missing: reports that. `x=f32[] ...` is an
  // instruction whose `=` touches its name.
  bool AtAttributeWithoutComma() {
    if (!At(Kind::kAttributeName) || Peek(1) == Kind::kPrimitiveType || Peek(1) == Kind::kLeftParen ||
        !IsAttributeName(TokenName(Kind::kAttributeName, Text(pos_)))) {
      return false;
    }
    const uint32_t gap = tokens_.end(pos_ - 1);
    sink_.Report(DiagnosticKind::kExpectedToken, RangeAt(pos_), "`,` before the attribute", Found(pos_))
        .Fix("insert a comma", SourceRange{gap, gap}, ",");
    return true;
  }

  // Stands behind a comma, not at an attribute.
  void FailAttribute() {
    if (At(Kind::kIdentifier) && Peek(1) == Kind::kEquals && IsAttributeName(Text(pos_)) &&
        Peek(2) != Kind::kPrimitiveType && Peek(2) != Kind::kLeftParen &&
        (Peek(2) != Kind::kIdentifier || IsStatementStart(pos_ + 2))) {
      const SourceRange gap = {tokens_.end(pos_), tokens_.begin(pos_ + 1)};
      sink_
          .Report(DiagnosticKind::kExpectedAttribute, RangeAt(pos_),
                  absl::StrCat(Found(pos_), " apart from its `=`; an attribute name must touch its `=`"))
          .Fix("remove the space", gap, "");
      pos_ += 2;
    } else if (IsStatementStart(pos_) || At(Kind::kRightBrace)) {
      // A comma too many.
      sink_.Report(DiagnosticKind::kExpectedAttribute, RangeAt(pos_ - 1), "the end of the instruction")
          .Fix("remove the comma", RangeAt(pos_ - 1), "");
    } else {
      Fail(DiagnosticKind::kExpectedAttribute, Found(pos_));
    }
  }

  // The brace at the current token opens a body (and is not, say, the empty braces of a slice attribute).
  bool IsInlineBody() const {
    return IsStatementStart(pos_ + 1) || Peek(1) == Kind::kName || Peek(1) == Kind::kIdentifier;
  }

  bool SkipValue() {
    const bool is_mesh = At(Kind::kIdentifier) && Text(pos_) == "mesh";
    while (true) {
      const Kind kind = tokens_.kind(pos_);
      if (IsOpening(kind)) {
        if (!SkipGroup()) return false;
        continue;
      }
      if (kind == Kind::kComma) {
        // `mesh[...], device_ids=(...) {axes}` is one value.
        if (is_mesh && Peek(1) == Kind::kAttributeName && Text(pos_ + 1) == "device_ids=") {
          pos_ += 2;
          continue;
        }
        return true;
      }
      if (kind == Kind::kError) return false;
      if (kind == Kind::kEndOfFile || kind == Kind::kEntry || kind == Kind::kAttributeName || IsClosing(kind) ||
          IsStatementStart(pos_)) {
        return true;
      }
      ++pos_;
    }
  }

  void StartInlineBody() {
    if (stack_.size() > static_cast<size_t>(kMaxNesting)) {
      Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
      return Break();
    }
    Open open;
    open.phase = Open::Phase::kBody;
    open.computation.tokens.begin = pos_;
    open.computation.open_brace = pos_++;
    open.list_base = lists_.size();
    stack_.push_back(open);
  }

  // Inside `{f, %g, {body}}`.
  void StepComputationList() {
    const TokenIndex first = stack_.back().attribute.value.begin + 1;
    while (true) {
      if (At(Kind::kRightBrace)) {
        ++pos_;
        Open& open = stack_.back();
        open.attribute.value.end = pos_;
        attributes_.push_back(open.attribute);
        open.phase = Open::Phase::kAttributes;
        return StepAttributes();
      }
      if (IsStatementStart(pos_)) {
        sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(first - 1), Text(first - 1));
        return Break();
      }
      if (pos_ != first && !Eat(Kind::kComma)) {
        Fail(DiagnosticKind::kExpectedToken, "`,` or `}` in a list of computations", Found(pos_));
        return BreakList();
      }
      if (At(Kind::kLeftBrace)) return StartInlineBody();
      if (!At(Kind::kName) && !At(Kind::kIdentifier)) {
        Fail(DiagnosticKind::kExpectedName, "the name of a computation or `{`", Found(pos_));
        return BreakList();
      }
      ++pos_;
    }
  }

  // Gives up an instruction inside its list of computations, whose brace does not close the body.
  void BreakList() {
    while (!At(Kind::kEndOfFile) && !At(Kind::kEntry) && !IsStatementStart(pos_) && !Eat(Kind::kRightBrace)) ++pos_;
    Break();
  }

  void FinishInstruction() {
    Open& open = stack_.back();
    InstructionSyntax& node = open.instruction;
    node.tokens.end = pos_;
    node.first_operand = static_cast<uint32_t>(tree_.operands.size());
    node.operand_count = static_cast<uint32_t>(operands_.size() - open.operand_base);
    tree_.operands.insert(tree_.operands.end(), operands_.begin() + static_cast<std::ptrdiff_t>(open.operand_base),
                          operands_.end());
    operands_.resize(open.operand_base);
    const uint32_t inline_first = static_cast<uint32_t>(tree_.inline_computations.size());
    node.first_attribute = static_cast<uint32_t>(tree_.attributes.size());
    node.attribute_count = static_cast<uint32_t>(attributes_.size() - open.attribute_base);
    for (size_t i = open.attribute_base; i < attributes_.size(); ++i) {
      attributes_[i].first_inline_computation += inline_first;
      tree_.attributes.push_back(attributes_[i]);
    }
    attributes_.resize(open.attribute_base);
    tree_.inline_computations.insert(tree_.inline_computations.end(),
                                     inlines_.begin() + static_cast<std::ptrdiff_t>(open.inline_base), inlines_.end());
    inlines_.resize(open.inline_base);
    tree_.instructions.push_back(node);
    const SyntaxId id(tree_.instructions.size() - 1);
    lists_.push_back(id);
    const bool nested = open.is_nested_operand;
    stack_.pop_back();
    if (!nested) return;
    // Hand the nested instruction to the operand list that waits for it.
    Open& outer = stack_.back();
    outer.operand.nested = id;
    outer.operand.tokens.end = pos_;
    outer.operand.path_begin = pos_;
    operands_.push_back(outer.operand);
    if (Eat(Kind::kComma)) return;
    if (!At(Kind::kRightParen)) {
      Fail(DiagnosticKind::kExpectedToken, "`,` or `)` after an operand", Found(pos_));
      return Break();
    }
    outer.instruction.arguments.end = pos_++;
    outer.phase = Open::Phase::kAttributes;
  }

  void FinishBody() {
    Open& open = stack_.back();
    ComputationSyntax& computation = open.computation;
    computation.tokens.end = pos_;
    computation.first_instruction = static_cast<uint32_t>(tree_.instruction_lists.size());
    computation.instruction_count = static_cast<uint32_t>(lists_.size() - open.list_base);
    const uint32_t index = static_cast<uint32_t>(tree_.computations.size());
    for (size_t i = open.list_base; i < lists_.size(); ++i) {
      tree_.instruction_lists.push_back(lists_[i]);
      tree_.instructions[lists_[i].index()].computation = index;
    }
    lists_.resize(open.list_base);
    tree_.computations.push_back(computation);
    stack_.pop_back();
    if (stack_.empty()) {
      completed_top_level_ = true;
      return;
    }
    // An inline computation: hand it to the attribute that waits for it.
    Open& outer = stack_.back();
    inlines_.push_back(index);
    ++outer.attribute.inline_computation_count;
    if (outer.phase == Open::Phase::kAttributes) {
      outer.attribute.value.end = pos_;
      attributes_.push_back(outer.attribute);
    }
  }

  // A finding was reported: gives up the innermost instruction that stands in a body and goes on behind it.
  void Break() {
    while (stack_.back().phase == Open::Phase::kBody || stack_.back().is_nested_operand) {
      // Nothing of a half-read nested operand is kept.
      if (stack_.back().phase == Open::Phase::kBody) break;
      operands_.resize(stack_.back().operand_base);
      stack_.pop_back();
    }
    if (stack_.back().phase == Open::Phase::kBody) {
      SkipStatement();
      return;
    }
    stack_.back().instruction.broken = true;
    SkipStatement();
    stack_.back().is_nested_operand = false;
    FinishInstruction();
  }

  // To the next `name =`, ROOT, or the brace that closes the body. Bodies inside the statement are skipped whole.
  void SkipStatement() {
    int64_t depth = 0;
    bool moved = false;
    while (!At(Kind::kEndOfFile) && !At(Kind::kEntry)) {
      const Kind kind = tokens_.kind(pos_);
      if (moved || pos_ != stack_.back().instruction.tokens.begin) {
        if (IsStatementStart(pos_)) return;
      }
      if (kind == Kind::kLeftBrace) {
        const bool is_body = pos_ > 0 && tokens_.kind(pos_ - 1) == Kind::kAttributeName &&
                             IsComputationAttributeName(TokenName(Kind::kAttributeName, Text(pos_ - 1)));
        if (is_body && SkipGroupQuietly()) {
          moved = true;
          continue;
        }
        ++depth;
      } else if (kind == Kind::kRightBrace) {
        if (depth == 0 && !IsAttributeTail(pos_ + 1)) return;
        if (depth > 0) --depth;
      }
      ++pos_;
      moved = true;
    }
  }

  // `, name=` behind a stray closing brace: it belonged to a lost attribute value, not to the body. (A body's brace may
  // be followed by `, execution_thread=` only.)
  bool IsAttributeTail(TokenIndex i) const {
    return i + 1 < tokens_.size() && tokens_.kind(i) == Kind::kComma && tokens_.kind(i + 1) == Kind::kAttributeName &&
           Text(i + 1) != "execution_thread=";
  }

  const SourceText& source_;
  const TokenBuffer& tokens_;
  DiagnosticSink& sink_;
  SyntaxTree tree_;
  TokenIndex pos_ = 0;
  bool completed_top_level_ = false;
  bool group_unclosed_ = false;  // SkipGroupQuietly met a group without end
  std::vector<Open> stack_;
  // Children of the open nodes; moved to the tree when a node is complete, so that they are contiguous there.
  std::vector<OperandSyntax> operands_;
  std::vector<AttributeSyntax> attributes_;
  std::vector<uint32_t> inlines_;
  std::vector<SyntaxId> lists_;
};

}  // namespace

SyntaxTree ParseSyntax(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink) {
  return SyntaxParser(source, tokens, sink).Run();
}

size_t SyntaxTree::MemoryUsage() const {
  return computations.capacity() * sizeof(ComputationSyntax) + instructions.capacity() * sizeof(InstructionSyntax) +
         instruction_lists.capacity() * sizeof(SyntaxId) + operands.capacity() * sizeof(OperandSyntax) +
         attributes.capacity() * sizeof(AttributeSyntax) + inline_computations.capacity() * sizeof(uint32_t);
}

}  // namespace hloscope
