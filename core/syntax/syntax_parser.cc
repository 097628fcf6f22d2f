// SPDX-License-Identifier: Apache-2.0
#include "core/syntax/syntax_parser.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/diagnostics/familiar_names.h"
#include "core/diagnostics/suggestions.h"
#include "core/source/memory_hooks.h"
#include "core/syntax/statement_parser.h"

namespace hloscope {
namespace {

class SyntaxParser final : StatementParser {
 public:
  SyntaxParser(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink)
      : StatementParser(source, tokens, sink) {
    sink.SetSource(CheckStage::kSyntax);
  }

  SyntaxTree Run() {
    Reserve();
    if (At(Kind::kEndOfFile)) {
      // A text of invalid bytes only has been reported by the lexer.
      if (sink_.error_count() == 0) sink_.Report(DiagnosticKind::kEmptyText, SourceRange{0, 0});
      return std::move(tree_);
    }
    if (const absl::string_view format = OtherFormat(); !format.empty()) {
      // What the lexer says about the letters of another language helps nobody.
      sink_ = DiagnosticSink();
      sink_.SetSource(CheckStage::kSyntax);
      sink_.Report(DiagnosticKind::kOtherFormat, RangeAt(pos_), format);
      return std::move(tree_);
    }
    const bool is_misspelt = IsMisspelt("HloModule") || IsOtherHeader();
    if (is_misspelt) ReportMisspelt("HloModule");
    if (At(Kind::kHloModule) || is_misspelt) {
      tree_.kind = SyntaxTree::TextKind::kModule;
      Header();
      Computations();
    } else if (At(Kind::kEntry) || Peek(1) == Kind::kLeftBrace || IsMisspelt("ENTRY")) {
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

  SyntaxTree RunComputations() {
    Reserve();
    Computations();
    return std::move(tree_);
  }

  std::optional<SyntaxTree> RunStatements(absl::FunctionRef<bool(uint32_t offset)> is_end, bool* tokens_ended) {
    constexpr size_t kManyTokens = 4096;  // of many statements
    if (tokens_.size() > kManyTokens) Reserve();
    *tokens_ended = false;
    Open body;
    body.phase = Open::Phase::kBody;
    stack_.push_back(body);
    const bool text_ends = tokens_.begin(static_cast<TokenIndex>(tokens_.size()) - 1) >= source_.size();
    while (!is_end(tokens_.begin(pos_))) {
      if ((At(Kind::kRightBrace) && !IsSurplusBrace()) || AtUnclosedBodyEnd()) {
        *tokens_ended = !text_ends && At(Kind::kEndOfFile);
        return std::nullopt;
      }
      do {
        Step();
      } while (stack_.size() > 1);
      // What a statement looks at after its end must be there, unless the text ends.
      *tokens_ended = !text_ends && pos_ + kLookahead >= tokens_.size();
      if (stack_.empty() || *tokens_ended) return std::nullopt;
    }
    return std::move(tree_);
  }

 private:
  // Tables that grow are copied and leave holes: a look at some of the tokens says how large they become.
  void Reserve() {
    constexpr size_t kSmall = 1 << 14;
    const bool is_small = tokens_.size() <= kSmall;
    size_t looks = 0, equals = 0, names = 0, attributes = 0;
    // Steps of 4 to 11 tokens that follow no pattern, as the tokens of instructions that are much alike do.
    uint32_t noise = 1;
    const auto step = [&]() -> size_t {
      noise = noise * 1664525 + 1013904223;
      return is_small ? 1 : 4 + (noise >> 29);
    };
    for (size_t i = 0; i < tokens_.size(); i += step()) {
      ++looks;
      const Kind kind = tokens_.kind(static_cast<TokenIndex>(i));
      equals += kind == Kind::kEquals ? 1 : 0;
      names += kind == Kind::kName || kind == Kind::kIdentifier ? 1 : 0;
      attributes += kind == Kind::kAttributeName ? 1 : 0;
    }
    const auto in_all = [&](size_t count) {
      if (is_small) return count;
      const double all = static_cast<double>(count) * static_cast<double>(tokens_.size()) / static_cast<double>(looks);
      return static_cast<size_t>(all * 1.03) + 64;
    };
    tree_.instructions.reserve(in_all(equals));
    tree_.instruction_lists.reserve(in_all(equals));
    tree_.attributes.reserve(in_all(attributes));
    // Of what is left, a name and an opcode per instruction taken off, most are operands.
    tree_.operands.reserve(std::min(in_all(names - std::min(names, 2 * equals)), tokens_.size() / 10 + 1));
    const auto report = [](auto& table) { ReportFreshBlock(table.data(), table.capacity() * sizeof(table[0])); };
    report(tree_.instructions);
    report(tree_.instruction_lists);
    report(tree_.attributes);
    report(tree_.operands);
  }

  // Whether the current token must be the keyword, which a name and what else begins a header or a computation follow.
  bool IsMisspelt(absl::string_view keyword) const {
    if (!At(Kind::kIdentifier) || NearestName(Text(pos_), {keyword}).empty()) return false;
    if (Peek(1) != Kind::kName && Peek(1) != Kind::kIdentifier) return false;
    if (keyword == "HloModule") return Peek(2) != Kind::kLeftParen && Peek(2) != Kind::kEquals;
    return Peek(2) == Kind::kLeftParen || Peek(2) == Kind::kLeftBrace;
  }

  // `Module m, ...`, `HloModule: m`.
  bool IsOtherHeader() const {
    const absl::string_view word = Text(pos_);
    const bool is_word = word == "Module" || word == "module" || word == "HLO" || word == "HloModule:";
    if (!is_word || (Peek(1) != Kind::kName && Peek(1) != Kind::kIdentifier)) return false;
    return Peek(2) == Kind::kComma || Peek(2) == Kind::kEntry || IsComputationStart(pos_ + 2);
  }

  void ReportMisspelt(absl::string_view keyword) {
    sink_.Report(DiagnosticKind::kExpectedToken, RangeAt(pos_), absl::StrCat("`", keyword, "`"), Found(pos_))
        .Fix(absl::StrCat("change to `", keyword, "`"), RangeAt(pos_), std::string(keyword));
  }

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

  void Header() {
    ++pos_;  // HloModule
    if (At(Kind::kName) || At(Kind::kIdentifier)) {
      tree_.module_name = pos_++;
      if (IsOneMoreWord()) ReportNameWithBlanks();
    } else {
      Fail(DiagnosticKind::kExpectedName, "the name of the module", Found(pos_));
      SkipToComputation();
      return;
    }
    tree_.first_header_attribute = static_cast<uint32_t>(tree_.attributes.size());
    tree_.header_attribute_count = SimpleAttributes();
    Tables();
  }

  // On the line of the one before.
  bool IsOneMoreWord() const {
    if (!At(Kind::kIdentifier) || IsComputationStart(pos_)) return false;
    const SourceRange gap = {tokens_.end(pos_ - 1), tokens_.begin(pos_)};
    return source_.Slice(gap).find_first_of("\r\n") == absl::string_view::npos;
  }

  // `HloModule my model, ...`: the words up to the attributes or the end of the line.
  void ReportNameWithBlanks() {
    const TokenIndex first = tree_.module_name;
    while (IsOneMoreWord()) ++pos_;
    const SourceRange words = {tokens_.begin(first), tokens_.end(pos_ - 1)};
    const std::string joined = absl::StrReplaceAll(source_.Slice(words), {{" ", "_"}});
    sink_
        .Report(DiagnosticKind::kExpectedToken, words, "a name without blanks",
                absl::StrCat("`", source_.Slice(words), "`"))
        .Fix(absl::StrCat("write `", joined, "`"), words, joined);
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
                   absl::StrCat(TokenDescription(kHeadings[expected]), " is missing after this table"));
    }
  }

  // False after a diagnostic.
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

  void SkipToComputation() {
    while (!At(Kind::kEndOfFile) && !IsComputationStart(pos_)) {
      // Braces of a lost computation are skipped with it.
      if (!IsOpeningBracket(tokens_.kind(pos_)) || !SkipGroupUnreported()) ++pos_;
    }
  }

  void Computations() {
    bool reported = false;  // one diagnostic per run of garbage
    while (!At(Kind::kEndOfFile)) {
      if (At(Kind::kHloModule)) {
        Fail(DiagnosticKind::kSecondModule);
        return;
      }
      if (IsMisspelt("ENTRY")) {
        ReportMisspelt("ENTRY");
      } else if (!IsComputationStart(pos_)) {
        if (!reported) Fail(DiagnosticKind::kExpectedName, "a computation", Found(pos_));
        reported = true;
        if (!IsOpeningBracket(tokens_.kind(pos_)) || !SkipGroupUnreported()) ++pos_;
        SkipToComputation();
        continue;
      }
      reported = false;
      Computation();
    }
  }

  bool FailMissingResultShape() {
    if (At(Kind::kError)) return false;
    const absl::string_view type = At(Kind::kIdentifier) ? NearestElementType(Text(pos_)) : absl::string_view();
    if (type.empty()) {
      sink_.Report(DiagnosticKind::kMissingResultShape, RangeBehind(pos_ - 1), Found(pos_));
      return false;
    }
    const std::string shape = absl::StrCat(type, "[]");
    sink_
        .Report(DiagnosticKind::kMissingResultShape, RangeAt(pos_),
                absl::StrCat(Found(pos_), "; a scalar is written `", shape, "`"))
        .Fix(absl::StrCat("change to `", shape, "`"), RangeAt(pos_), shape);
    return false;
  }

  void Computation() {
    Open open;
    open.phase = Open::Phase::kBody;
    ComputationSyntax& computation = open.computation;
    computation.tokens.begin = pos_;
    if (At(Kind::kEntry) || IsMisspelt("ENTRY")) computation.entry = pos_++;
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
      good = SkipGroup(GroupOf::kSignature);
      if (good) {
        computation.signature_parameters = {begin, pos_ - 1};
        good = Eat(Kind::kArrow) || FailMissingResultShape();
      }
      if (good) {
        good = Shape(computation.signature_result);
        if (good && computation.signature_result.empty()) {
          good = FailMissingResultShape();
        }
      }
      // A broken signature is decoration: the body is still read. Its brace is before an instruction.
      while (!good && !(At(Kind::kLeftBrace) && Peek(1) != Kind::kInteger) && !At(Kind::kEndOfFile) &&
             !IsStatementStart(pos_))
        ++pos_;
    }
    if (At(Kind::kLeftBrace)) {
      computation.open_brace = pos_++;
    } else {
      if (good && !At(Kind::kError)) {
        Diagnostic& d = sink_.Report(DiagnosticKind::kMissingBody, RangeBehind(pos_ - 1), Found(pos_));
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
    // After an instruction that is broken anyway, what follows may belong to it.
    if (!At(Kind::kEndOfFile) && sink_.error_count() == 0) {
      Fail(DiagnosticKind::kTrailingInput, Found(pos_), "instruction",
           IsStatementStart(pos_) ? "; several instructions belong in a computation, `ENTRY e { ... }`" : "");
    }
    FinishBody();
  }
};

}  // namespace

SyntaxTree ParseSyntax(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink) {
  return SyntaxParser(source, tokens, sink).Run();
}

SyntaxTree ParseComputations(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink) {
  return SyntaxParser(source, tokens, sink).RunComputations();
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
