// SPDX-License-Identifier: Apache-2.0
// Expressions of other languages after `=`: `a + b`, `a > b`, `c ? a : b`, `p[0]`, `x.astype(f32)`, `relu(x)`.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/familiar_names.h"
#include "core/editing/repair_line.h"
#include "core/editing/statement_edits.h"
#include "core/ir/opcode.h"

namespace hloscope {
namespace {

struct WrittenComparison {
  absl::string_view sign, word, direction;
};
constexpr WrittenComparison kWrittenComparisons[] = {
    {">=", "ge", "GE"}, {"<=", "le", "LE"},       {"==", "eq", "EQ"},    {"!=", "ne", "NE"},
    {">", "gt", "GT"},  {"<", "lt", "LT"},        {"", "greater", "GT"}, {"", "greater_equal", "GE"},
    {"", "less", "LT"}, {"", "less_equal", "LE"}, {"", "equal", "EQ"},   {"", "not_equal", "NE"}};

// The right-hand side of the line in its two parts.
struct RightHandSide {
  uint32_t begin = 0, end = 0;
  absl::string_view shape, value;  // the shape with the blank after it
};

std::optional<RightHandSide> RightHandSideOf(const RepairLine& line) {
  const std::optional<size_t> equals = line.Equals();
  if (!equals || *equals + 1 >= line.size()) return std::nullopt;
  RightHandSide side;
  side.begin = line.At(*equals + 1);
  const absl::string_view whole = absl::StripTrailingAsciiWhitespace(line.Between(side.begin, line.line_end()));
  side.end = side.begin + static_cast<uint32_t>(whole.size());
  size_t first = *equals + 1;
  if (line.kind(first) == TokenKind::kPrimitiveType && line.kind(first + 1) == TokenKind::kLeftBracket) {
    first = line.CloseOf(first + 1) + 1;
    if (line.kind(first) == TokenKind::kLeftBrace) first = line.CloseOf(first) + 1;
  } else if (line.kind(first) == TokenKind::kLeftParen &&
             line.kind(line.CloseOf(first) + 1) == TokenKind::kIdentifier) {
    first = line.CloseOf(first) + 1;
  }
  if (first >= line.size() || line.At(first) > side.end) return std::nullopt;
  side.shape = line.Between(side.begin, line.At(first));
  side.value = line.Between(line.At(first), side.end);
  return side;
}

void AddCallsOfSigns(RepairLine& line, const RightHandSide& side) {
  const auto write = [&](absl::string_view call) { line.Write(side.begin, side.end, absl::StrCat(side.shape, call)); };
  const absl::string_view value = side.value;
  if (const size_t question = value.find('?'), colon = value.find(':', question);
      question != absl::string_view::npos && colon != absl::string_view::npos) {
    write(absl::StrCat("select(", absl::StripAsciiWhitespace(value.substr(0, question)), ", ",
                       absl::StripAsciiWhitespace(value.substr(question + 1, colon - question - 1)), ", ",
                       absl::StripAsciiWhitespace(value.substr(colon + 1)), ")"));
  }
  for (const absl::string_view sign : {"&&", "||", ">>", "<<", "**", "//", ">=", "<=", "==", "!=", ">",
                                       "<",  "+",  "-",  "*",  "/",  "@",  "&",  "|",  "^",  "%"}) {
    const size_t at = value.find(sign);
    if (at == absl::string_view::npos || at == 0) continue;
    const absl::string_view first = absl::StripAsciiWhitespace(value.substr(0, at));
    const absl::string_view second = absl::StripAsciiWhitespace(value.substr(at + sign.size()));
    if (first.empty() || second.empty()) continue;
    const WrittenComparison* const comparison =
        std::find_if(std::begin(kWrittenComparisons), std::end(kWrittenComparisons),
                     [&](const WrittenComparison& c) { return c.sign == sign; });
    const std::string attributes = comparison != std::end(kWrittenComparisons)
                                       ? absl::StrCat(", direction=", comparison->direction)
                                   : sign == "@" ? ", lhs_contracting_dims={1}, rhs_contracting_dims={0}"
                                                 : "";
    write(absl::StrCat(OpcodeOfSign(sign), "(", first, ", ", second, ")", attributes));
    // Inside the parentheses of a call.
    const size_t close = second.find(')');
    if (!absl::StrContains(first, "(") || close == absl::string_view::npos) continue;
    const std::string call = absl::StrCat(first, ", ", second.substr(0, close + 1));
    write(absl::StrCat(call, second.substr(close + 1)));
    if (comparison != std::end(kWrittenComparisons)) write(absl::StrCat(call, attributes));
    break;
  }
}

// Of the shape that is written, 0 without one; layouts do not count.
size_t RankOf(const RightHandSide& side) {
  const size_t open = std::min(side.shape.find('['), side.shape.size());
  return NumbersIn(side.shape.substr(open, std::min(side.shape.find(']'), side.shape.size()) - open)).size();
}

std::vector<int64_t> Reversed(size_t rank) {
  std::vector<int64_t> dimensions;
  for (size_t d = rank; d-- > 0;) dimensions.push_back(static_cast<int64_t>(d));
  return dimensions;
}

// `x.abs()`, `x.add(y)`, `x.transpose(0, 1)`, `x.sum(axis=1)`.
void AddMethods(RepairLine& line, const RightHandSide& side) {
  const size_t open = side.value.find('('), close = side.value.rfind(')');
  if (open == absl::string_view::npos || close == absl::string_view::npos || close < open) return;
  const size_t dot = side.value.substr(0, open).rfind('.');
  if (dot == absl::string_view::npos || dot == 0) return;
  const absl::string_view object = side.value.substr(0, dot), word = side.value.substr(dot + 1, open - dot - 1);
  absl::string_view plain = object;
  absl::ConsumePrefix(&plain, "%");
  const absl::string_view opcode = OpcodeFromName(word) ? word : NearestOpcode(word);
  if (opcode.empty() || !line.IsDefinedAbove(plain)) return;
  const absl::string_view arguments = absl::StripAsciiWhitespace(side.value.substr(open + 1, close - open - 1));
  const absl::string_view rest = side.value.substr(close + 1);
  const auto write = [&](absl::string_view operands, absl::string_view attributes) {
    line.Write(side.begin, side.end, absl::StrCat(side.shape, opcode, "(", operands, ")", attributes, rest));
  };
  write(arguments.empty() ? std::string(object) : absl::StrCat(object, ", ", arguments), "");
  const std::vector<int64_t> numbers = NumbersIn(arguments);
  if (!numbers.empty()) write(object, absl::StrCat(", dimensions={", JoinNumbers(numbers), "}"));
  if (opcode == "transpose" && numbers.empty()) {
    write(object, absl::StrCat(", dimensions={", JoinNumbers(Reversed(RankOf(side))), "}"));
  }
  write(object, "");
}

// `x.T`, `p.1`: a part of a value that is defined.
void AddFields(RepairLine& line, const RightHandSide& side) {
  const size_t dot = side.value.rfind('.');
  if (dot == absl::string_view::npos || dot == 0 || side.value.find_first_of("( ,") != absl::string_view::npos) return;
  const absl::string_view object = side.value.substr(0, dot), field = side.value.substr(dot + 1);
  absl::string_view plain = object;
  absl::ConsumePrefix(&plain, "%");
  int64_t number = 0;
  if (!line.IsDefinedAbove(plain)) return;
  const auto write = [&](absl::string_view call) { line.Write(side.begin, side.end, absl::StrCat(side.shape, call)); };
  if (absl::SimpleAtoi(field, &number)) write(absl::StrCat("get-tuple-element(", object, "), index=", number));
  if (field != "T") return;
  write(absl::StrCat("transpose(", object, "), dimensions={", JoinNumbers(Reversed(RankOf(side))), "}"));
}

// `p[0]`, `p#0`, `w[0:2, 0:4]`, `x.astype(f32)`, a name or a number alone.
void AddSelections(RepairLine& line, const RightHandSide& side) {
  const auto write = [&](absl::string_view call) { line.Write(side.begin, side.end, absl::StrCat(side.shape, call)); };
  const absl::string_view value = side.value;
  const size_t open = value.find_first_of("[#");
  const absl::string_view name = absl::StripAsciiWhitespace(value.substr(0, open));
  if (open != absl::string_view::npos && open > 0) {
    const absl::string_view inside = value.substr(open + 1);
    const std::vector<int64_t> numbers = NumbersIn(inside);
    if (numbers.size() == 1 && !absl::StrContains(inside, ":")) {
      write(absl::StrCat("get-tuple-element(", name, "), index=", numbers[0]));
    } else if (!numbers.empty() && numbers.size() % 2 == 0) {
      std::vector<std::string> ranges;
      for (size_t i = 0; i < numbers.size(); i += 2) {
        ranges.push_back(absl::StrCat("[", numbers[i], ":", numbers[i + 1], "]"));
      }
      write(absl::StrCat("slice(", name, "), slice={", absl::StrJoin(ranges, ", "), "}"));
    }
  }
  AddMethods(line, side);
  AddFields(line, side);
  if (const size_t method = value.find(".astype("); method != absl::string_view::npos) {
    write(value.substr(0, method));
    write(absl::StrCat("convert(", value.substr(0, method), ")"));
  }
  if (value.empty() || value.find_first_of("()[]{} ,=") != absl::string_view::npos) return;
  const bool is_number = absl::ascii_isdigit(static_cast<unsigned char>(value[0])) || value[0] == '-';
  write(absl::StrCat(is_number ? "constant(" : "copy(", value, ")"));
  if (!is_number || !side.shape.empty()) return;
  const bool is_whole = value.find_first_not_of("0123456789-") == absl::string_view::npos;
  for (const char* type : {is_whole ? "s32" : "f32", is_whole ? "f32" : "bf16", is_whole ? "u32" : "f64"}) {
    line.Write(side.begin, side.end, absl::StrCat(type, "[] constant(", value, ")"));
  }
}

// A constant of the shape of the line, with what makes it: the lines to insert, and its name.
std::pair<std::string, std::string> FilledArray(const RepairLine& line, const RightHandSide& side,
                                                absl::string_view number) {
  const absl::string_view type = side.shape.substr(0, side.shape.find('['));
  const std::string scalar = line.Named(FreeName(line.document().module(), "scalar"));
  const std::string name = line.Named(FreeName(line.document().module(), "filled"));
  return {absl::StrCat(line.Indentation(), scalar, " = ", type, "[] constant(", number, ")\n", line.Indentation(), name,
                       " = ", side.shape, "broadcast(", scalar, "), dimensions={}\n"),
          name};
}

// Functions that are no instructions of their own.
void AddFunctions(RepairLine& line, const RightHandSide& side) {
  const size_t open = side.value.find('('), close = side.value.rfind(')');
  if (open == absl::string_view::npos || close == absl::string_view::npos || close < open) return;
  absl::string_view name = side.value.substr(0, open);
  if (const size_t dot = name.rfind('.'); dot != absl::string_view::npos) name.remove_prefix(dot + 1);
  const std::string lower = absl::AsciiStrToLower(name);
  const absl::string_view x = side.value.substr(open + 1, close - open - 1);
  const auto write = [&](absl::string_view call) { line.Write(side.begin, side.end, absl::StrCat(side.shape, call)); };
  for (const WrittenComparison& comparison : kWrittenComparisons) {
    if (lower == comparison.word || (lower == "greater_than" && comparison.word == "gt") ||
        (lower == "less_than" && comparison.word == "lt")) {
      write(absl::StrCat("compare(", x, "), direction=", comparison.direction));
    }
  }
  if (lower == "if" || lower == "cond") write(absl::StrCat("select(", x, ")"));
  if (lower == "square") write(absl::StrCat("multiply(", x, ", ", x, ")"));
  if (absl::StrContains(x, ",") || !absl::StrContains(side.shape, "[")) return;
  const auto write_with = [&](absl::string_view number, absl::string_view opcode, bool is_first) {
    const auto [lines, filled] = FilledArray(line, side, number);
    const std::string call =
        is_first ? absl::StrCat(opcode, "(", filled, ", ", x, ")") : absl::StrCat(opcode, "(", x, ", ", filled, ")");
    line.Add(absl::StrCat("write it as `", call, "`"),
             {{{line.begin(), line.begin()}, lines}, {{side.begin, side.end}, absl::StrCat(side.shape, call)}});
  };
  if (lower == "relu") write_with("0", "maximum", false);
  if (lower == "reciprocal") write_with("1", "divide", true);
  if (lower == "exp2") write_with("2", "power", true);
}

// `compare(GT, a, b)`: the word is an attribute.
void AddMovedDirections(RepairLine& line, const RightHandSide& side) {
  if (!absl::StrContains(side.value, "compare(")) return;
  for (const WrittenComparison& comparison : kWrittenComparisons) {
    for (const std::string& word :
         {absl::StrCat("(", comparison.direction, ", "), absl::StrCat(", ", comparison.direction, ")")}) {
      const size_t at = side.value.find(word);
      if (at == absl::string_view::npos) continue;
      const absl::string_view bracket = word[0] == '(' ? "(" : ")";
      line.Write(side.begin, side.end,
                 absl::StrCat(side.shape, side.value.substr(0, at), bracket, side.value.substr(at + word.size()),
                              ", direction=", comparison.direction));
      return;
    }
  }
}

}  // namespace

void AddExpressionSpellings(RepairLine& line) {
  const std::optional<RightHandSide> side = RightHandSideOf(line);
  if (!side) return;
  AddFunctions(line, *side);
  AddMovedDirections(line, *side);
  AddCallsOfSigns(line, *side);
  AddSelections(line, *side);
}

}  // namespace hloscope
