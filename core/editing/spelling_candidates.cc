// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/diagnostics/familiar_names.h"
#include "core/editing/repair_candidates.h"
#include "core/editing/statement_edits.h"
#include "core/ir/element_type.h"
#include "core/ir/opcode.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

// The tokens of one line, with offsets of the document.
class Line {
 public:
  Line(const Document& document, SourceRange range)
      : document_(document),
        begin_(range.begin),
        text_(document.source().Slice(range)),
        source_(SourceText::FromString("", std::string(text_))) {
    DiagnosticSink sink;
    tokens_ = Lex(*source_, sink);
  }

  void AddCandidates(std::vector<Repair>* candidates) {
    candidates_ = candidates;
    if (size() == 0) return;
    Separators();
    ShapeBrackets();
    OtherLanguages();
    PythonLines();
    TupleShape();
    OperandList();
    Literals();
    Parameters();
    Attributes();
    if (word(0) == "ROOT") Add("remove this `ROOT`", {{{At(0), size() > 1 ? At(1) : End(0)}, ""}});
  }

 private:
  size_t size() const { return tokens_.size() - 1; }
  Kind kind(size_t i) const { return i < size() ? tokens_.kind(static_cast<TokenIndex>(i)) : Kind::kEndOfFile; }
  absl::string_view word(size_t i) const {
    return i < size() ? source_->Slice(tokens_.range(static_cast<TokenIndex>(i))) : absl::string_view();
  }
  uint32_t At(size_t i) const { return begin_ + tokens_.begin(static_cast<TokenIndex>(i)); }
  uint32_t End(size_t i) const { return begin_ + tokens_.end(static_cast<TokenIndex>(i)); }
  absl::string_view Slice(size_t first, size_t last) const {  // both included
    return source_->Slice({tokens_.begin(static_cast<TokenIndex>(first)), tokens_.end(static_cast<TokenIndex>(last))});
  }
  void Add(std::string title, std::vector<TextEdit> edits) {
    candidates_->push_back({std::move(title), std::move(edits)});
  }
  void Replace(std::string title, size_t first, size_t last, std::string replacement) {
    Add(std::move(title), {{{At(first), End(last)}, std::move(replacement)}});
  }
  bool IsNumber(size_t i) const { return kind(i) == Kind::kInteger; }

  // The token that closes the bracket, or the last one of the line.
  size_t CloseOf(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < size(); ++i) {
      if (IsOpeningBracket(kind(i))) ++depth;
      if (IsClosingBracket(kind(i)) && --depth == 0) return i;
    }
    return size() - 1;
  }
  std::optional<size_t> Find(absl::string_view wanted, size_t from = 0) const {
    for (size_t i = from; i < size(); ++i) {
      if (word(i) == wanted) return i;
    }
    return std::nullopt;
  }

  void Separators() {
    for (size_t i = 1; i + 1 < size(); ++i) {
      if ((word(i) == ";" || word(i) == "x" || word(i) == ":") && IsNumber(i - 1) && IsNumber(i + 1)) {
        Replace("separate dimensions by `,`", i, i, ",");
      }
    }
  }

  void ShapeBrackets() {
    for (size_t i = 1; i < size(); ++i) {
      if (kind(i) != Kind::kLeftBracket || kind(i - 1) != Kind::kPrimitiveType) continue;
      size_t end = i + 1;
      while (IsNumber(end) || (kind(end) == Kind::kComma && IsNumber(end + 1))) ++end;
      if (kind(end) != Kind::kRightBracket && end > i + 1) Add("insert `]`", {{{End(end - 1), End(end - 1)}, "]"}});
      for (size_t k = i + 1; k < end; ++k) {
        if (absl::StartsWith(word(k), "-")) Replace("make the size positive", k, k, std::string(word(k).substr(1)));
      }
    }
    for (size_t i = 0; i + 1 < size(); ++i) {
      if (kind(i) != Kind::kRightBracket || kind(i + 1) != Kind::kLeftBrace) continue;
      const size_t close = CloseOf(i + 1);
      std::vector<size_t> dimensions;
      for (size_t k = i + 2; k < close; ++k) {
        if (IsNumber(k)) dimensions.push_back(dimensions.size());
      }
      std::reverse(dimensions.begin(), dimensions.end());
      const std::string layout = absl::StrCat("{", absl::StrJoin(dimensions, ","), "}");
      Replace(absl::StrCat("change the layout to ", layout), i + 1, close, layout);
      Replace("remove the layout", i + 1, close, "");
    }
  }

  // `tensor<8x16xf32>`, `stablehlo.add`.
  void OtherLanguages() {
    const size_t tensor = text_.find("tensor<");
    const size_t close = tensor == absl::string_view::npos ? tensor : text_.find('>', tensor);
    if (close != absl::string_view::npos) {
      std::vector<std::string> parts = absl::StrSplit(std::string(text_.substr(tensor + 7, close - tensor - 7)), 'x');
      std::string type = parts.back();
      parts.pop_back();
      if (const absl::string_view meant = NearestElementType(type); !meant.empty()) type = std::string(meant);
      const std::string shape = absl::StrCat(type, "[", absl::StrJoin(parts, ","), "]");
      const uint32_t from = begin_ + static_cast<uint32_t>(tensor);
      Add(absl::StrCat("write the shape as `", shape, "`"),
          {{{from, begin_ + static_cast<uint32_t>(close) + 1}, shape}});
    }
    for (size_t i = 0; i < size(); ++i) {
      if (kind(i) != Kind::kIdentifier || kind(i + 1) != Kind::kLeftParen || OpcodeFromName(word(i))) continue;
      std::string plain(word(i));
      if (const size_t dot = plain.rfind('.'); dot != std::string::npos) plain = plain.substr(dot + 1);
      const absl::string_view meant = OpcodeFromName(plain) ? absl::string_view(plain) : NearestOpcode(plain);
      if (!meant.empty()) Replace(absl::StrCat("change to `", meant, "`"), i, i, std::string(meant));
      // Two names in one: `bitcast_reshape`.
      for (const std::string& part : std::vector<std::string>(absl::StrSplit(plain, '_'))) {
        if (part != plain && OpcodeFromName(part)) Replace(absl::StrCat("change to `", part, "`"), i, i, part);
      }
    }
  }

  // `y = a + b`, `y: f32[4] = add(a, b)`.
  void PythonLines() {
    const std::optional<size_t> equals = Find("=");
    if (!equals || *equals + 1 >= size()) return;
    const size_t colon = text_.find(':');
    if (colon != absl::string_view::npos && begin_ + colon < At(*equals) && kind(*equals - 1) == Kind::kRightBracket) {
      const std::string shape(absl::StripAsciiWhitespace(
          text_.substr(colon + 1, tokens_.begin(static_cast<TokenIndex>(*equals)) - colon - 1)));
      const uint32_t from = begin_ + static_cast<uint32_t>(colon);
      Add("write the shape after `=`", {{{from, End(*equals)}, absl::StrCat(" = ", shape)}});
    }
    static constexpr std::pair<char, absl::string_view> kOperators[] = {
        {'+', "add"}, {'-', "subtract"}, {'*', "multiply"}, {'/', "divide"}, {'@', "dot"}};
    const uint32_t after = At(*equals + 1) - begin_;
    const absl::string_view right = absl::StripTrailingAsciiWhitespace(text_.substr(after));
    for (const auto& [sign, opcode] : kOperators) {
      const size_t at = right.find(sign);
      if (at == absl::string_view::npos || at == 0) continue;
      const absl::string_view first = absl::StripAsciiWhitespace(right.substr(0, at));
      const absl::string_view second = absl::StripAsciiWhitespace(right.substr(at + 1));
      // A shape may come before the first operand.
      const size_t blank = first.rfind(' ');
      const absl::string_view shape = blank == absl::string_view::npos ? "" : first.substr(0, blank + 1);
      const absl::string_view dimensions = sign == '@' ? ", lhs_contracting_dims={1}, rhs_contracting_dims={0}" : "";
      const std::string call = absl::StrCat(opcode, "(", first.substr(shape.size()), ", ", second, ")");
      Add(absl::StrCat("write `", call, "`"), {{{begin_ + after, begin_ + after + static_cast<uint32_t>(right.size())},
                                                absl::StrCat(shape, call, dimensions)}});
    }
  }

  void TupleShape() {
    const std::optional<size_t> equals = Find("=");
    if (equals && kind(*equals + 1) == Kind::kLeftBracket) {
      for (const char* type : {"f32", "s32", "pred", "bf16", "f64", "s64"}) {
        Add(absl::StrCat("make it `", type, "`"), {{{At(*equals + 1), At(*equals + 1)}, type}});
      }
    }
    if (!equals || kind(*equals + 1) != Kind::kLeftBrace) return;
    const size_t close = CloseOf(*equals + 1);
    Add("write the tuple in parentheses", {{{At(*equals + 1), End(*equals + 1)}, "("}, {{At(close), End(close)}, ")"}});
  }

  // `add a, b`; numbers among operands.
  void OperandList() {
    const std::optional<size_t> equals = Find("=");
    for (size_t i = equals ? *equals + 1 : size(); i + 1 < size(); ++i) {
      if (kind(i) != Kind::kIdentifier || !OpcodeFromName(word(i))) continue;
      if (kind(i + 1) != Kind::kLeftParen) {
        size_t last = i + 1;
        while (last + 1 < size() && kind(last + 1) != Kind::kAttributeName) ++last;
        if (kind(last) == Kind::kComma) --last;
        Add("write the operands in parentheses", {{{End(i), At(i + 1)}, "("}, {{End(last), End(last)}, ")"}});
      } else if (word(i) != "constant" && word(i) != "parameter") {
        NumbersAsOperands(i + 1);
      }
      break;
    }
  }

  void NumbersAsOperands(size_t open) {
    const size_t close = CloseOf(open);
    for (size_t i = open + 1; i < close; ++i) {
      if ((!IsNumber(i) && kind(i) != Kind::kDecimal) || (i != open + 1 && kind(i - 1) != Kind::kComma)) continue;
      const std::string name = FreeName(document_.module(), "constant");
      const ComputationId computation = document_.ComputationAt(At(i));
      const bool percent = computation.has_value() && WritesPercent(document_, computation);
      const size_t blanks = std::min(text_.find_first_not_of(" \t"), text_.size());
      for (const char* type : {"f32", "s32", "bf16", "f16", "f64", "s64", "u32"}) {
        Add(absl::StrCat("make a constant of it, `", type, "[] constant(", word(i), ")`"),
            {{{begin_, begin_},
              absl::StrCat(text_.substr(0, blanks), percent ? "%" : "", name, " = ", type, "[] constant(", word(i),
                           ")\n")},
             {{At(i), End(i)}, absl::StrCat(percent ? "%" : "", name)}});
      }
    }
  }

  void Literals() {
    const std::optional<size_t> opcode = Find("constant");
    if (!opcode || kind(*opcode + 1) != Kind::kLeftParen) return;
    const size_t open = *opcode + 1, close = CloseOf(open);
    if (close == open + 1) return Add("write 0", {{{End(open), End(open)}, "0"}});
    if (close <= open + 1) return;
    std::string inner(Slice(open + 1, close - 1));
    if (absl::StrContains(inner, "[")) {
      std::replace(inner.begin(), inner.end(), '[', '{');
      std::replace(inner.begin(), inner.end(), ']', '}');
      return Replace("write the value in braces", open + 1, close - 1, inner);
    }
    if (kind(open + 1) != Kind::kLeftBrace) {
      return Replace("write the value in braces", open + 1, close - 1, absl::StrCat("{", inner, "}"));
    }
    // Another number of items than the shape has.
    size_t count = 0;
    for (size_t i = open + 2; i + 1 < close; ++i) count += kind(i) == Kind::kComma ? 1 : 0;
    if (kind(close - 2) != Kind::kRightBrace && kind(close - 3) == Kind::kComma) {
      Add("remove the last item", {{{At(close - 3), End(close - 2)}, ""}});
    }
    for (size_t i = 0; i < *opcode; ++i) {
      if (kind(i) == Kind::kLeftBracket && IsNumber(i + 1)) {
        Replace(absl::StrCat("change the size to ", count + 1), i + 1, i + 1, absl::StrCat(count + 1));
        break;
      }
    }
  }

  // The lowest number that no other parameter of the computation has.
  void Parameters() {
    const std::optional<size_t> opcode = Find("parameter");
    const ComputationId computation = document_.ComputationAt(begin_ + static_cast<uint32_t>(text_.size()));
    if (!opcode || kind(*opcode + 1) != Kind::kLeftParen || !computation.has_value()) return;
    std::vector<size_t> taken;
    for (InstructionId id : StatementsOf(document_, computation)) {
      const SourceRange place = document_.InstructionRange(id);
      if (document_.module().opcode(id) != Opcode::kParameter ||
          (place.begin >= begin_ && place.begin <= End(size() - 1)))
        continue;
      taken.push_back(document_.module().instruction(id).parameter_number);
    }
    size_t number = 0;
    while (std::find(taken.begin(), taken.end(), number) != taken.end()) ++number;
    const size_t open = *opcode + 1, close = CloseOf(open);
    Add(absl::StrCat("number it ", number), {{{End(open), At(close)}, absl::StrCat(number)}});
  }

  void Attributes() {
    for (size_t i = 0; i + 1 < size(); ++i) {
      if (kind(i) != Kind::kAttributeName) continue;
      const size_t value = i + 1;
      if (kind(value) == Kind::kString) {
        static constexpr std::pair<absl::string_view, absl::string_view> kSigns[] = {
            {">", "GT"}, {">=", "GE"}, {"<", "LT"}, {"<=", "LE"}, {"==", "EQ"}, {"!=", "NE"}};
        std::string plain(word(value).substr(1, word(value).size() - 2));
        for (const auto& [sign, name] : kSigns) {
          if (plain == sign) plain = std::string(name);
        }
        Replace(absl::StrCat("write ", plain), value, value, plain);
        Replace("remove the quotes", value, value, absl::AsciiStrToUpper(plain));
      }
      if (!IsOpeningBracket(kind(value))) continue;
      const size_t close = CloseOf(value);
      if (close <= value + 1) continue;
      const std::string inner(Slice(value + 1, close - 1));
      const std::vector<std::string> items = absl::StrSplit(inner, ',');
      if (absl::StrContains(inner, ":") && !absl::StrContains(inner, "[")) {  // slice=[0:2, 0:4]
        std::vector<std::string> ranges;
        for (const std::string& item : items)
          ranges.push_back(absl::StrCat("[", absl::StripAsciiWhitespace(item), "]"));
        Replace("write each range in brackets", value, close, absl::StrCat("{", absl::StrJoin(ranges, ", "), "}"));
      }
      if (absl::StartsWith(word(i), "padding") && items.size() % 2 == 0) {
        std::string padding;
        for (size_t k = 0; k + 1 < items.size(); k += 2) {
          absl::StrAppend(&padding, k > 0 ? "x" : "", absl::StripAsciiWhitespace(items[k]), "_",
                          absl::StripAsciiWhitespace(items[k + 1]));
        }
        Replace(absl::StrCat("write `", padding, "`"), value, close, padding);
      }
    }
  }

  const Document& document_;
  const uint32_t begin_;
  const absl::string_view text_;
  const std::shared_ptr<const SourceText> source_;
  TokenBuffer tokens_;
  std::vector<Repair>* candidates_ = nullptr;
};

}  // namespace

void AddSpellingCandidates(const Document& document, SourceRange line, std::vector<Repair>* candidates) {
  // Nobody writes by hand what is longer.
  constexpr uint32_t kMaxLine = 10000;
  if (line.size() <= kMaxLine) Line(document, line).AddCandidates(candidates);
}

}  // namespace hloscope
