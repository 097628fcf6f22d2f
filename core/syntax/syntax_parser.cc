#include "core/syntax/syntax_parser.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/lex/lexer.h"
#include "core/ops/opcode.h"
#include "core/semantics/familiar_names.h"
#include "core/semantics/suggestions.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

bool Matches(Kind opening, Kind closing) {
  return opening == Kind::kLeftBrace   ? closing == Kind::kRightBrace
         : opening == Kind::kLeftParen ? closing == Kind::kRightParen
                                       : closing == Kind::kRightBracket;
}

class SyntaxParser {
 public:
  SyntaxParser(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink)
      : source_(source), tokens_(tokens), sink_(sink) {
    sink.SetSource(CheckStage::kSyntax);
  }

  SyntaxTree Run() {
    tree_.instructions.reserve(tokens_.size() / 20);
    tree_.operands.reserve(tokens_.size() / 20);
    tree_.attributes.reserve(tokens_.size() / 16);
    if (At(Kind::kEndOfFile)) {
      // A text of invalid bytes only has been reported by the lexer.
      if (sink_.error_count() == 0) sink_.Report(DiagnosticKind::kEmptyText, SourceRange{0, 0});
      return std::move(tree_);
    }
    if (const absl::string_view format = OtherFormat(); !format.empty()) {
      sink_.Report(DiagnosticKind::kOtherFormat, RangeAt(pos_), format);
      return std::move(tree_);
    }
    if (At(Kind::kHloModule)) {
      tree_.kind = SyntaxTree::TextKind::kModule;
      Header();
      Computations();
    } else if (At(Kind::kEntry) || Peek(1) == Kind::kLeftBrace) {
      tree_.kind = SyntaxTree::TextKind::kHeaderless;
      Computations();
    } else if (IsComputationStart(pos_) && IsTopLevelComputation(pos_)) {
      // The format takes this for a single instruction; nobody means that.
      const uint32_t at = tokens_.begin(pos_);
      sink_.Report(DiagnosticKind::kMissingHeader, RangeAt(pos_))
          .Fix("insert `HloModule m`", SourceRange{at, at}, "HloModule m\n\n");
      tree_.kind = SyntaxTree::TextKind::kHeaderless;
      Computations();
    } else {
      tree_.kind = SyntaxTree::TextKind::kSingleInstruction;
      SingleInstruction();
    }
    return std::move(tree_);
  }

  std::optional<SyntaxTree> RunStatements(absl::FunctionRef<bool(uint32_t offset)> is_end, bool* tokens_ended) {
    *tokens_ended = false;
    Open body;
    body.phase = Open::Phase::kBody;
    stack_.push_back(body);
    const bool text_ends = tokens_.begin(static_cast<TokenIndex>(tokens_.size()) - 1) >= source_.size();
    while (!is_end(tokens_.begin(pos_))) {
      if (At(Kind::kRightBrace) || AtUnclosedBodyEnd()) {
        *tokens_ended = !text_ends && At(Kind::kEndOfFile);
        return std::nullopt;
      }
      do {
        Step();
      } while (stack_.size() > 1);
      // What a statement looks at behind its end must be there, unless the text ends.
      *tokens_ended = !text_ends && pos_ + kLookahead >= tokens_.size();
      if (stack_.empty() || *tokens_ended) return std::nullopt;
    }
    return std::move(tree_);
  }

 private:
  // What the text is instead of HLO, judged by its first tokens; empty if it may be HLO.
  absl::string_view OtherFormat() const {
    const Kind first = tokens_.kind(pos_), second = Peek(1);
    const absl::string_view word = Text(pos_);
    if (first == Kind::kHash) return "MLIR or a protocol buffer";
    if (first == Kind::kIdentifier && absl::StartsWith(word, "func.")) return "MLIR";
    if (first == Kind::kIdentifier && word == "module") {
      const absl::string_view next = Text(pos_ + 1), inner = pos_ + 2 < tokens_.size() ? Text(pos_ + 2) : "";
      if (absl::StartsWith(next, "@") || next == "attributes" || (next == "{" && absl::StartsWith(inner, "func"))) {
        return "MLIR";
      }
    }
    const bool is_proto_word = word == "hlo_module" || word == "hlo" || word == "computations" || word == "name:";
    if (is_proto_word && second != Kind::kEquals) {
      const Kind third = Peek(2);
      if (word == "name:" ? second == Kind::kString : second == Kind::kLeftBrace && third == Kind::kName) {
        return "a protocol buffer in text form";
      }
    }
    if (first == Kind::kLeftBrace && second == Kind::kString) return "JSON";
    if (first == Kind::kError && word.size() > 0) {
      const size_t looked_at = std::min<size_t>(source_.size(), 64);
      for (const char c : source_.text().substr(0, looked_at)) {
        if (static_cast<unsigned char>(c) < 9) return "a binary file";
      }
    }
    return {};
  }

  // Tokens behind a statement that decide that it ends there.
  static constexpr TokenIndex kLookahead = 4;

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

  // What a group holds decides what cannot stand in it.
  enum class GroupOf : uint8_t {
    kAnything,
    kPlainValue,  // no fields `name=value`
    kShape,       // no words but those of layouts, which have at most two letters
  };
  bool CannotStandIn(GroupOf group) const {
    if (group == GroupOf::kPlainValue) return At(Kind::kAttributeName) && Text(pos_) != "device_id=";
    return group == GroupOf::kShape && At(Kind::kIdentifier) && tokens_.range(pos_).size() > 2;
  }

  // What may stand in any group and ends none.
  static bool IsListItem(Kind kind) {
    return kind == Kind::kInteger || kind == Kind::kComma || kind == Kind::kColon || kind == Kind::kLessEqual ||
           kind == Kind::kDecimal || kind == Kind::kString;
  }

  // Skips the bracketed group at the current token. Fails if it is not closed, standing where that shows: at the start
  // of the next statement, at a brace that closes something outside, or at what cannot stand in the group.
  bool SkipGroup(GroupOf group = GroupOf::kAnything) {
    const TokenIndex open = pos_;
    // The outer open brackets; those deeper inside are only counted.
    constexpr size_t kTracked = 16;
    std::array<TokenIndex, kTracked> opened;
    size_t depth = 0;
    bool good = true;
    while (true) {
      const Kind kind = tokens_.kind(pos_);
      if (IsListItem(kind)) {
        ++pos_;
        continue;
      }
      if (IsOpeningBracket(kind)) {
        if (depth < kTracked) opened[depth] = pos_;
        ++depth;
      } else if (IsClosingBracket(kind)) {
        size_t closed = depth;
        if (depth <= kTracked) {
          while (closed > 0 && !Matches(tokens_.kind(opened[closed - 1]), kind)) --closed;
        }
        // A brace that closes nothing ends the body. Another bracket is left to the reader of the value; it is taken
        // for the one that is meant unless another closing one touches it.
        if (closed != depth && (closed > 0 || kind == Kind::kRightBrace)) {
          if (good) sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(opened[depth - 1]), Text(opened[depth - 1]));
          good = false;
          if (closed == 0) return false;
        }
        if (closed == 0 && (!IsClosingBracket(Peek(1)) || tokens_.begin(pos_ + 1) > tokens_.end(pos_))) closed = depth;
        if (closed > 0) depth = closed - 1;
        if (depth == 0) {
          ++pos_;
          return good;
        }
      } else if (kind == Kind::kEndOfFile || kind == Kind::kEntry || IsStatementStart(pos_) || CannotStandIn(group)) {
        if (good) ReportUnclosedGroup(open);
        return false;
      } else if (kind == Kind::kError) {
        good = false;  // reported by the lexer
      }
      ++pos_;
    }
  }

  // The group that starts at `open` is not closed before the current token: says which bracket is at fault.
  void ReportUnclosedGroup(TokenIndex open) {
    std::vector<TokenIndex> opened;
    for (TokenIndex i = open; i < pos_; ++i) {
      const Kind kind = tokens_.kind(i);
      if (IsOpeningBracket(kind)) opened.push_back(i);
      if (!IsClosingBracket(kind)) continue;
      const Kind expected = ClosingBracketOf(tokens_.kind(opened.back()));
      if (kind != expected) return ReportMismatch(i, opened.back());
      opened.pop_back();
    }
    sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(opened.back()), Text(opened.back()));
  }

  void ReportMismatch(TokenIndex close, TokenIndex open) {
    const absl::string_view expected = BracketText(ClosingBracketOf(tokens_.kind(open)));
    sink_.Report(DiagnosticKind::kMismatchedBracket, RangeAt(close), Text(close), Text(open), expected)
        .Related(RangeAt(open), "the bracket opened here")
        .Fix(absl::StrCat("change to `", expected, "`"), RangeAt(close), std::string(expected));
  }

  void ReportMissingComma() {
    const uint32_t at = tokens_.end(pos_ - 1);
    sink_.Report(DiagnosticKind::kMissingComma, RangeAt(pos_), Found(pos_))
        .Fix("insert a comma", SourceRange{at, at}, ",");
  }
  void ReportSurplusComma(TokenIndex comma) {
    sink_.Report(DiagnosticKind::kSurplusComma, RangeAt(comma)).Fix("remove the comma", RangeAt(comma), "");
  }

  // [shape]; leaves `range` empty if there is none.
  bool Shape(TokenRange& range) {
    range.begin = range.end = pos_;
    if (At(Kind::kPrimitiveType)) {
      ++pos_;
      if (!At(Kind::kLeftBracket)) {
        const uint32_t at = tokens_.end(pos_ - 1);
        sink_.Report(DiagnosticKind::kMissingDimensions, RangeAt(pos_ - 1), Text(pos_ - 1))
            .Fix("add `[]`", SourceRange{at, at}, "[]");
        return false;
      }
      if (!SkipGroup(GroupOf::kShape)) return false;
      if (At(Kind::kLeftBrace) && (Peek(1) == Kind::kInteger || Peek(1) == Kind::kColon)) {
        if (!SkipGroup(GroupOf::kShape)) return false;
      }
    } else if (At(Kind::kLeftParen)) {
      if (!SkipGroup(GroupOf::kShape)) return false;
    } else if (At(Kind::kIdentifier) && Peek(1) == Kind::kLeftParen && Text(pos_) == "b") {
      ++pos_;
      if (!SkipGroup(GroupOf::kShape)) return false;
    } else if (At(Kind::kIdentifier) && Peek(1) == Kind::kLeftBracket) {
      return FailElementType();
    }
    range.end = pos_;
    return true;
  }

  // At a word in front of a bracket, where an element type must stand.
  bool FailElementType() {
    const absl::string_view nearest = NearestElementType(Text(pos_));
    FixSpelling(sink_.Report(DiagnosticKind::kUnknownElementType, RangeAt(pos_), Text(pos_), DidYouMean(nearest)),
                RangeAt(pos_), nearest);
    return false;
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
    Tables();
  }

  void Tables() {
    static constexpr Kind kHeadings[] = {Kind::kFileNames, Kind::kFunctionNames, Kind::kFileLocations,
                                         Kind::kStackFrames};
    TokenRange* const rows[] = {&tree_.file_names, &tree_.function_names, &tree_.file_locations, &tree_.stack_frames};
    size_t expected = 0;
    bool reported = false;
    TokenIndex last = kNoToken;
    while (IsHeadingWord(tokens_.kind(pos_))) {
      last = pos_;
      const size_t index = static_cast<size_t>(
          std::find(std::begin(kHeadings), std::end(kHeadings), tokens_.kind(pos_)) - std::begin(kHeadings));
      if (index != expected && !reported) {
        reported = true;
        sink_.Report(
            DiagnosticKind::kIncompleteFrameTables, RangeAt(pos_),
            absl::StrCat("expected ", expected < 4 ? TokenDescription(kHeadings[expected]) : "a computation", " here"));
      }
      if (!Table(*rows[index])) return SkipToComputation();
      expected = index + 1;
    }
    if (last != kNoToken && expected != 4 && !reported) {
      sink_.Report(DiagnosticKind::kIncompleteFrameTables, RangeAt(last),
                   absl::StrCat(TokenDescription(kHeadings[expected]), " is missing behind this table"));
    }
  }

  // False after a finding.
  bool Table(TokenRange& rows) {
    ++pos_;
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
    while (true) {
      if (!Eat(Kind::kComma)) {
        // An attribute that lacks its comma; a computation's name does not end in `=`.
        if (!At(Kind::kAttributeName)) break;
        ReportMissingComma();
      }
      if (At(Kind::kComma) || At(Kind::kEndOfFile) || IsComputationStart(pos_) || IsHeadingWord(tokens_.kind(pos_))) {
        ReportSurplusComma(pos_ - 1);
        continue;
      }
      AttributeSyntax attribute;
      if (At(Kind::kIdentifier) && Peek(1) == Kind::kEquals) {
        ReportAttributeApart();
        attribute.name = pos_++;
      } else if (!At(Kind::kAttributeName)) {
        Fail(DiagnosticKind::kExpectedAttribute, Found(pos_));
        SkipToComputation();
        break;
      } else {
        attribute.name = pos_;
      }
      attribute.value.begin = ++pos_;
      if (IsOpeningBracket(tokens_.kind(pos_))) {
        if (!SkipGroup()) break;
      } else if (!At(Kind::kComma) && !At(Kind::kEndOfFile) && !At(Kind::kAttributeName) && !IsComputationStart(pos_)) {
        ++pos_;
      }
      attribute.value.end = pos_;
      tree_.attributes.push_back(attribute);
      ++count;
    }
    return count;
  }

  void ReportAttributeApart() {
    const SourceRange gap = {tokens_.end(pos_), tokens_.begin(pos_ + 1)};
    sink_.Report(DiagnosticKind::kAttributeApart, RangeAt(pos_), Text(pos_)).Fix("remove the blank", gap, "");
  }

  void SkipToComputation() {
    while (!At(Kind::kEndOfFile) && !IsComputationStart(pos_)) {
      // Braces of a lost computation are skipped with it.
      if (!IsOpeningBracket(tokens_.kind(pos_)) || !SkipGroupQuietly()) ++pos_;
    }
  }
  bool SkipGroupQuietly() {
    tree_.looked_far = tree_.looked_far || !stack_.empty();
    if (group_unclosed_) return false;  // looking for the end of every group again would take quadratic time
    int64_t depth = 0;
    const TokenIndex start = pos_;
    for (; !At(Kind::kEndOfFile) && !At(Kind::kEntry); ++pos_) {
      if (IsOpeningBracket(tokens_.kind(pos_))) ++depth;
      if (IsClosingBracket(tokens_.kind(pos_)) && --depth == 0) {
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
        Fail(DiagnosticKind::kSecondModule);
        return;
      }
      if (!IsComputationStart(pos_)) {
        if (!reported) Fail(DiagnosticKind::kExpectedName, "a computation", Found(pos_));
        reported = true;
        if (!IsOpeningBracket(tokens_.kind(pos_)) || !SkipGroupQuietly()) ++pos_;
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
        good = Eat(Kind::kArrow) || Fail(DiagnosticKind::kMissingResultShape, Found(pos_));
      }
      if (good) {
        good = Shape(computation.signature_result);
        if (good && computation.signature_result.empty()) {
          good = Fail(DiagnosticKind::kMissingResultShape, Found(pos_));
        }
      }
      // A broken signature is decoration: the body is still read.
      while (!good && !At(Kind::kLeftBrace) && !At(Kind::kEndOfFile) && !IsStatementStart(pos_)) ++pos_;
    }
    if (At(Kind::kLeftBrace)) {
      computation.open_brace = pos_++;
    } else {
      if (good && !At(Kind::kError)) {
        Diagnostic& d = sink_.Report(DiagnosticKind::kMissingBody, RangeAt(pos_), Found(pos_));
        const uint32_t at = tokens_.end(pos_ - 1);
        if (IsStatementStart(pos_)) d.Fix("insert `{`", SourceRange{at, at}, " {");
      }
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
    // Behind an instruction that is broken anyway, what follows may belong to it.
    if (!At(Kind::kEndOfFile) && sink_.error_count() == 0) {
      Fail(DiagnosticKind::kTrailingInput, Found(pos_), "instruction",
           IsStatementStart(pos_) ? "; several instructions stand in a computation, `ENTRY e { ... }`" : "");
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

  // Where a body ends although its closing brace is missing.
  bool AtUnclosedBodyEnd() {
    return At(Kind::kEndOfFile) || At(Kind::kEntry) || At(Kind::kHloModule) ||
           (IsComputationStart(pos_) && IsTopLevelComputation(pos_));
  }

  void StepBody() {
    Open& body = stack_.back();
    if (At(Kind::kRightBrace)) {
      body.computation.close_brace = pos_++;
      return FinishBody();
    }
    if (AtUnclosedBodyEnd()) {
      if (!TakeBraceFromLastValue(body.computation)) ReportUnclosedComputation(body.computation);
      return FinishBody();
    }
    StartInstruction(/*has_name=*/true);
  }

  void ReportUnclosedComputation(const ComputationSyntax& computation) {
    const uint32_t end = tokens_.end(pos_ - 1);
    Diagnostic& d = sink_.Report(DiagnosticKind::kUnclosedComputation, RangeAt(pos_), Found(pos_))
                        .Fix("insert `}`", SourceRange{end, end}, "\n}");
    if (computation.open_brace != kNoToken) d.Related(RangeAt(computation.open_brace), "the brace opened here");
  }

  // If a value that was not closed took the brace of its computation: a brace that is the first on its line and closes
  // one from a line before. The value is reported, and its instruction is lost instead of the computation's end.
  bool TakeBraceFromLastValue(ComputationSyntax& computation) {
    const TokenIndex brace = pos_ - 1;
    if (!At(Kind::kEndOfFile) && !At(Kind::kEntry) && !IsComputationStart(pos_)) return false;
    if (lists_.size() <= stack_.back().list_base || tokens_.kind(brace) != Kind::kRightBrace) return false;
    InstructionSyntax& last = tree_.instructions[lists_.back().index()];
    if (last.broken || last.tokens.end != pos_ || last.attribute_count == 0) return false;
    if (tree_.attributes[last.first_attribute + last.attribute_count - 1].inline_computation_count > 0) return false;
    int64_t depth = 0;
    TokenIndex open = pos_;
    do {
      --open;
      if (IsClosingBracket(tokens_.kind(open))) ++depth;
      if (IsOpeningBracket(tokens_.kind(open))) --depth;
    } while (depth > 0 && open > last.tokens.begin);
    const auto line = [&](uint32_t offset) { return source_.LineColumnAt(offset).line; };
    if (line(tokens_.begin(brace)) == line(tokens_.end(brace - 1) - 1) ||
        line(tokens_.begin(brace)) == line(tokens_.begin(open))) {
      return false;
    }
    const uint32_t at = tokens_.end(brace - 1);
    const absl::string_view close = BracketText(ClosingBracketOf(tokens_.kind(open)));
    sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(open), Text(open))
        .Fix(absl::StrCat("insert `", close, "`"), SourceRange{at, at}, std::string(close));
    last.broken = true;
    computation.close_brace = brace;
    return true;
  }

  // Inside a body, `name (` or `name {` may be an instruction that lacks its `=`. A computation has a signature with an
  // arrow, or its brace is followed by a statement.
  bool IsTopLevelComputation(TokenIndex i) {
    TokenIndex j = i + 1;
    if (tokens_.kind(j) == Kind::kLeftParen) {
      int64_t depth = 0;
      for (; j + 1 < tokens_.size(); ++j) {
        if (IsOpeningBracket(tokens_.kind(j))) ++depth;
        if (IsClosingBracket(tokens_.kind(j)) && --depth == 0) break;
        if (tokens_.kind(j) == Kind::kEquals) return false;
      }
      tree_.looked_far = tree_.looked_far || j > i + 64 || j + kLookahead >= tokens_.size();
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
    sink_.SetSource(CheckStage::kSyntax, static_cast<uint32_t>(tree_.instructions.size()));
    Open open;
    open.phase = Open::Phase::kOperands;
    open.operand_base = operands_.size();
    open.attribute_base = attributes_.size();
    open.inline_base = inlines_.size();
    InstructionSyntax& node = open.instruction;
    node.tokens.begin = pos_;
    bool good = true;
    if (has_name) {
      if (At(Kind::kRoot) && Peek(1) != Kind::kEquals) {
        node.is_root = true;
        ++pos_;
      }
      good = InstructionName(node);
    }
    good = good && Shape(node.shape);
    if (good && !node.shape.empty() && At(Kind::kLeftBrace) && Peek(1) == Kind::kRightBrace) {
      const SourceRange braces = {tokens_.begin(pos_), tokens_.end(pos_ + 1)};
      sink_.Report(DiagnosticKind::kEmptyLayout, braces).Fix("remove the braces", braces, "");
      pos_ += 2;
    }
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

  // `name =`, and what people write instead of it.
  bool InstructionName(InstructionSyntax& node) {
    // Before a right-hand side.
    if (At(Kind::kAttributeName) && (Peek(1) == Kind::kPrimitiveType || Peek(1) == Kind::kLeftParen ||
                                     (Peek(1) == Kind::kIdentifier && Peek(2) == Kind::kLeftParen))) {
      const uint32_t at = tokens_.end(pos_) - 1;
      sink_.Report(DiagnosticKind::kNameTouchesEquals, RangeAt(pos_), Text(pos_))
          .Fix("insert a blank", SourceRange{at, at}, " ");
      node.name = pos_++;
      return true;
    }
    if (At(Kind::kName) || At(Kind::kIdentifier)) {
      node.name = pos_++;
    } else if (At(Kind::kPrimitiveType) && Peek(1) == Kind::kEquals) {
      node.name = pos_++;  // an illegal name, reported with the other rules for names
    } else if (tokens_.kind(pos_) >= Kind::kTrue && Peek(1) == Kind::kEquals && !At(Kind::kNegativeInf)) {
      const uint32_t at = tokens_.begin(pos_);
      sink_.Report(DiagnosticKind::kKeywordAsName, RangeAt(pos_), Text(pos_))
          .Fix(absl::StrCat("write `%", Text(pos_), "`"), SourceRange{at, at}, "%");
      node.name = pos_++;
    } else {
      return Fail(DiagnosticKind::kExpectedName, "the name of an instruction", Found(pos_));
    }
    if (Eat(Kind::kEquals)) return true;
    if (At(Kind::kError)) return false;
    const uint32_t at = tokens_.end(pos_ - 1);
    Diagnostic& d = sink_.Report(DiagnosticKind::kMissingEquals, RangeAt(pos_),
                                 TokenName(tokens_.kind(node.name), Text(node.name)), Found(pos_));
    // What follows reads as the right-hand side.
    if (!At(Kind::kPrimitiveType) && !(At(Kind::kIdentifier) && Peek(1) == Kind::kLeftParen)) return false;
    d.Fix("insert `=`", SourceRange{at, at}, " =");
    return true;
  }

  // Stands behind the opcode: `(`, and for parameter and constant the whole argument.
  bool OpenArguments(Open& open) {
    InstructionSyntax& node = open.instruction;
    const absl::string_view opcode = Text(node.opcode);
    if (!At(Kind::kLeftParen)) return Fail(DiagnosticKind::kMissingOperandList, opcode, Found(pos_));
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
      if (IsStatementStart(pos_)) break;
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
        if (tokens_.kind(pos_ - 1) == Kind::kComma && EndsOperands()) {
          if (At(Kind::kAttributeName)) --pos_;  // the comma belongs to the attribute behind the missing parenthesis
          if (At(Kind::kRightParen)) ReportSurplusComma(pos_ - 1);
          break;
        }
        FailOperand();
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
      if (!NextOperand()) break;
    }
    if (!CloseOperands()) return Break();
    StepAttributes();
  }

  // Where an operand must stand: the list ends here, with or without its parenthesis.
  bool EndsOperands() const {
    return At(Kind::kRightParen) || At(Kind::kRightBrace) || At(Kind::kEndOfFile) || IsKnownAttribute(pos_) ||
           IsStatementStart(pos_);
  }
  bool IsKnownAttribute(TokenIndex i) const {
    return tokens_.kind(i) == Kind::kAttributeName && IsAttributeName(TokenName(Kind::kAttributeName, Text(i)));
  }

  // Not at an operand.
  void FailOperand() {
    const Kind kind = tokens_.kind(pos_);
    const bool is_number = kind == Kind::kInteger || kind == Kind::kDecimal || kind == Kind::kTrue ||
                           kind == Kind::kFalse || kind == Kind::kInf || kind == Kind::kNegativeInf;
    if (kind == Kind::kComma) {
      ReportSurplusComma(pos_);
    } else {
      Fail(DiagnosticKind::kExpectedName,
           is_number ? "an operand (a number is an instruction, `f32[] constant(1)`)" : "an operand", Found(pos_));
    }
  }

  // Behind an operand: whether another one follows. A comma that is missing is reported and taken as written.
  bool NextOperand() {
    if (Eat(Kind::kComma)) return true;
    const bool at_operand =
        At(Kind::kName) || At(Kind::kIdentifier) || At(Kind::kPrimitiveType) || At(Kind::kLeftParen);
    if (!at_operand || IsStatementStart(pos_)) return false;
    ReportMissingComma();
    return true;
  }

  // At the parenthesis behind the operands. One that is missing or of another kind is reported and taken as written.
  bool CloseOperands() {
    Open& open = stack_.back();
    open.instruction.arguments.end = pos_;
    open.phase = Open::Phase::kAttributes;
    if (Eat(Kind::kRightParen)) return true;
    const TokenIndex paren = open.instruction.arguments.begin - 1;
    if (At(Kind::kRightBracket) || (At(Kind::kRightBrace) && Peek(1) == Kind::kComma)) {
      ReportMismatch(pos_++, paren);
      return true;
    }
    const bool before_attribute = At(Kind::kComma) && IsKnownAttribute(pos_ + 1);
    if (before_attribute || (EndsOperands() && !open.is_nested_operand)) {
      // A comma that nothing follows makes place for the parenthesis.
      const SourceRange last = RangeAt(pos_ - 1);
      const bool replaces_comma = tokens_.kind(pos_ - 1) == Kind::kComma;
      sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(paren), Text(paren))
          .Fix("insert `)`", replaces_comma ? last : SourceRange{last.end, last.end}, ")");
      // Behind a comma or the opening parenthesis operands are missing, too.
      return !replaces_comma && pos_ != open.instruction.arguments.begin;
    }
    return Fail(DiagnosticKind::kExpectedToken, "`,` or `)` after an operand", Found(pos_));
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
    while (true) {
      if (!Eat(Kind::kComma)) {
        if (!IsAttributeWithoutComma()) break;
        ReportMissingComma();
      }
      if (At(Kind::kComma) || At(Kind::kRightBrace) || At(Kind::kEndOfFile) || IsNextStatement()) {
        ReportSurplusComma(pos_ - 1);
        continue;
      }
      AttributeSyntax attribute;
      attribute.name = pos_;
      if (IsAttributeApart()) {
        // Without a value, that is what is reported.
        if (!IsStatementStart(pos_ + 2)) ReportAttributeApart();
        ++pos_;
      } else if (!At(Kind::kAttributeName)) {
        Fail(DiagnosticKind::kExpectedAttribute, Found(pos_));
        return Break();
      }
      attribute.value.begin = ++pos_;
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
      if (!SkipValue(attribute.name)) return Break();
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

  // `name =` where an attribute is meant, not the next instruction: a known attribute, not followed by a right-hand
  // side.
  bool IsAttributeApart() const {
    return At(Kind::kIdentifier) && Peek(1) == Kind::kEquals && IsAttributeName(Text(pos_)) &&
           Peek(2) != Kind::kPrimitiveType && Peek(2) != Kind::kLeftParen &&
           (Peek(2) != Kind::kIdentifier || IsStatementStart(pos_ + 2));
  }
  bool IsNextStatement() const { return IsStatementStart(pos_) && !IsAttributeApart(); }

  // `name=` of an attribute without a comma before it, and not an instruction's name that touches its `=`.
  bool IsAttributeWithoutComma() const {
    return At(Kind::kAttributeName) && Peek(1) != Kind::kPrimitiveType && Peek(1) != Kind::kLeftParen &&
           IsAttributeName(TokenName(Kind::kAttributeName, Text(pos_)));
  }

  // The brace at the current token opens a body (and is not, say, the empty braces of a slice attribute).
  bool IsInlineBody() const {
    return IsStatementStart(pos_ + 1) || Peek(1) == Kind::kName || Peek(1) == Kind::kIdentifier;
  }

  // Attributes whose value certainly holds no fields `name=value`; a misspelt name may stand for any attribute.
  static bool HasNoFields(absl::string_view attribute) {
    static constexpr absl::string_view kWithFields[] = {"sharding",        "metadata",       "frontend_attributes",
                                                        "window",          "statistics",     "domain",
                                                        "result_accuracy", "sparsity_config"};
    return IsAttributeName(attribute) &&
           std::find(std::begin(kWithFields), std::end(kWithFields), attribute) == std::end(kWithFields);
  }

  // Stands behind the `name=` at `name`.
  bool SkipValue(TokenIndex name) {
    const GroupOf group =
        HasNoFields(TokenName(Kind::kAttributeName, Text(name))) ? GroupOf::kPlainValue : GroupOf::kAnything;
    const bool is_mesh = At(Kind::kIdentifier) && Text(pos_) == "mesh";
    while (true) {
      const Kind kind = tokens_.kind(pos_);
      if (IsOpeningBracket(kind)) {
        if (!SkipGroup(group)) return false;
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
      if (kind == Kind::kEndOfFile || kind == Kind::kEntry || kind == Kind::kAttributeName || IsClosingBracket(kind) ||
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
    if (!nested) {
      sink_.SetSource(CheckStage::kSyntax);
      return;
    }
    // Hand the nested instruction to the operand list that waits for it.
    Open& outer = stack_.back();
    outer.operand.nested = id;
    outer.operand.tokens.end = pos_;
    outer.operand.path_begin = pos_;
    operands_.push_back(outer.operand);
    if (!NextOperand() && !CloseOperands()) Break();
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

std::optional<SyntaxTree> ParseStatements(const SourceText& source, const TokenBuffer& tokens,
                                          absl::FunctionRef<bool(uint32_t offset)> is_end, DiagnosticSink& sink,
                                          bool* tokens_ended) {
  return SyntaxParser(source, tokens, sink).RunStatements(is_end, tokens_ended);
}

size_t SyntaxTree::MemoryUsage() const {
  return computations.capacity() * sizeof(ComputationSyntax) + instructions.capacity() * sizeof(InstructionSyntax) +
         instruction_lists.capacity() * sizeof(SyntaxId) + operands.capacity() * sizeof(OperandSyntax) +
         attributes.capacity() * sizeof(AttributeSyntax) + inline_computations.capacity() * sizeof(uint32_t);
}

}  // namespace hloscope
