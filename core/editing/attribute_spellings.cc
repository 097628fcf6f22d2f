// SPDX-License-Identifier: Apache-2.0
// Attributes whose names, separators or values are not written as in HLO.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/editing/line_attributes.h"
#include "core/editing/repair_line.h"
#include "core/ir/opcode.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

// `"GT"`, `greater`, `>`, `#stablehlo<comparison_direction GT>`.
void AddDirections(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  static constexpr std::pair<absl::string_view, absl::string_view> kWords[] = {{"GREATER_EQUAL", "GE"},
                                                                               {"GREATER_OR_EQUAL", "GE"},
                                                                               {"LESS_EQUAL", "LE"},
                                                                               {"LESS_OR_EQUAL", "LE"},
                                                                               {"NOT_EQUAL", "NE"},
                                                                               {">=", "GE"},
                                                                               {"<=", "LE"},
                                                                               {"==", "EQ"},
                                                                               {"!=", "NE"},
                                                                               {"GREATER", "GT"},
                                                                               {"LESS", "LT"},
                                                                               {"EQUAL", "EQ"}};
  static constexpr absl::string_view kDirections[] = {"GT", "GE", "LT", "LE", "EQ", "NE"};
  const bool is_quoted = value.size() > 2 && (value[0] == '"' || value[0] == '\'');
  const std::string upper = absl::AsciiStrToUpper(is_quoted ? value.substr(1, value.size() - 2) : value);
  for (const auto& [word, direction] : kWords) {
    if (!absl::StrContains(upper, word)) continue;
    WriteValue(line, attribute, std::string(direction));
    break;  // the longer words come first: `EQUAL` is in `LESS_EQUAL`
  }
  for (const absl::string_view direction : kDirections) {
    if (absl::StrContains(value, absl::StrCat(" ", direction)) || absl::StartsWith(upper, direction) ||
        absl::StrContains(upper, absl::StrCat("'", direction)) ||
        absl::StrContains(upper, absl::StrCat("\"", direction))) {
      WriteValue(line, attribute, std::string(direction));
    }
  }
  if (upper == ">") WriteValue(line, attribute, "GT");
  if (upper == "<") WriteValue(line, attribute, "LT");
}

// `slice=[0:2, 0:4]`, `{[0,2], [0,4]}`, `{[:2], [:]}`.
void AddRanges(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  const auto write = [&](const std::vector<std::string>& ranges) {
    line.Write(line.At(attribute.name), line.End(attribute.last),
               absl::StrCat("slice={", absl::StrJoin(ranges, ", "), "}"));
  };
  const std::vector<int64_t> numbers = NumbersIn(value), sizes = line.WrittenDimensions();
  std::vector<std::string> ranges, turned;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
    ranges.push_back(absl::StrCat("[", numbers[i], ":", numbers[i + 1], "]"));
    turned.push_back(
        absl::StrCat("[", std::min(numbers[i], numbers[i + 1]), ":", std::max(numbers[i], numbers[i + 1]), "]"));
  }
  if (!ranges.empty()) write(ranges);
  if (!turned.empty()) write(turned);
  // Each bracket is a range, whatever separates its numbers.
  ranges.clear();
  for (size_t open = value.find('['); open != absl::string_view::npos; open = value.find('[', open + 1)) {
    const size_t close = std::min(value.find(']', open), value.size());
    const std::vector<int64_t> bounds = NumbersIn(value.substr(open, close - open));
    if (bounds.size() == 1) ranges.push_back(absl::StrCat("[0:", bounds[0], "]"));
    if (bounds.size() > 1) ranges.push_back(absl::StrCat("[", absl::StrJoin(bounds, ":"), "]"));
  }
  if (!ranges.empty()) write(ranges);
  // From the start, as long as the result.
  ranges.clear();
  for (const int64_t size : sizes) ranges.push_back(absl::StrCat("[0:", size, "]"));
  if (!ranges.empty()) write(ranges);
}

// `padding={1,1,2,2}`, `((1,1),(2,2))`, `1x2`.
void AddPaddings(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  const std::vector<int64_t> numbers = NumbersIn(absl::StrReplaceAll(value, {{"_", ","}, {"x", ","}, {"-", ","}}));
  const size_t rank = line.WrittenDimensions().size();
  if (numbers.empty() || rank == 0) return;
  std::vector<std::string> pads;
  for (size_t i = 0; i < rank; ++i) {
    if (numbers.size() == 2 * rank) pads.push_back(absl::StrCat(numbers[2 * i], "_", numbers[2 * i + 1]));
    if (numbers.size() == rank) pads.push_back(absl::StrCat(numbers[i], "_", numbers[i]));
  }
  // `0_0x1`: on both sides.
  std::vector<std::string> items = absl::StrSplit(value, 'x');
  for (std::string& item : items) {
    if (!item.empty() && item.find('_') == std::string::npos) item = absl::StrCat(item, "_", item);
  }
  WriteValue(line, attribute, absl::StrJoin(items, "x"));
  if (items.size() < rank) {
    const std::string none = absl::StrJoin(std::vector<absl::string_view>(rank - items.size(), "0_0"), "x");
    WriteValue(line, attribute, absl::StrCat(absl::StrJoin(items, "x"), "x", none));
    WriteValue(line, attribute, absl::StrCat(none, "x", absl::StrJoin(items, "x")));
  }
  if (!pads.empty()) WriteValue(line, attribute, absl::StrJoin(pads, "x"));
}

// `NHWC_HWIO->NHWC`, `b01f,01io->b01f`, two groups of three.
void AddDimLabels(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  std::vector<std::string> groups;
  bool in_group = false;
  for (const char c : value) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '?') {
      in_group = false;
      continue;
    }
    if (!in_group) groups.emplace_back();
    in_group = true;
    const bool is_kernel = groups.size() == 2;
    static constexpr std::pair<char, char> kLetters[] = {{'N', 'b'}, {'C', 'f'}, {'H', '0'}, {'W', '1'}, {'D', '2'}};
    const auto* const letter = std::find_if(std::begin(kLetters), std::end(kLetters),
                                            [&](const std::pair<char, char>& l) { return l.first == c; });
    const bool is_feature = is_kernel && (c == 'I' || c == 'O');
    groups.back() += letter != std::end(kLetters) ? letter->second
                     : is_feature                 ? absl::ascii_tolower(static_cast<unsigned char>(c))
                                                  : c;
  }
  if (groups.size() == 2) groups.push_back(groups[0]);
  if (groups.size() == 3) {
    line.Write(line.At(attribute.name), line.End(attribute.last),
               absl::StrCat("dim_labels=", groups[0], "_", groups[1], "->", groups[2]));
  }
  for (const absl::string_view usual : {"b01f_01io->b01f", "b01f_01oi->b01f", "bf01_oi01->bf01", "bf01_io01->bf01"}) {
    WriteValue(line, attribute, std::string(usual));
  }
}

// `"sum"`, `@sum`, `{%sum}`, `%sum()`: the name inside.
void AddComputationName(RepairLine& line, const WrittenAttribute& attribute) {
  for (size_t i = attribute.value; i <= attribute.last && i < line.size(); ++i) {
    absl::string_view name = line.word(i);
    if (line.kind(i) == TokenKind::kString && name.size() > 2) name = name.substr(1, name.size() - 2);
    if (line.kind(i) != TokenKind::kString && !line.IsName(i)) continue;
    absl::ConsumePrefix(&name, "%");
    WriteValue(line, attribute, line.Named(name));
    return;
  }
}

// `loop`, `"kLoop"`.
void AddFusionKinds(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  for (const absl::string_view kind : {"kLoop", "kInput", "kOutput", "kCustom"}) {
    if (absl::StrContains(absl::AsciiStrToLower(value), absl::AsciiStrToLower(kind.substr(1)))) {
      WriteValue(line, attribute, std::string(kind));
    }
  }
}

// `metadata="relu"`, `{op_name: "relu"}`, a quote that is missing.
void AddMetadata(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  if (line.kind(attribute.value) == TokenKind::kString) {
    WriteValue(line, attribute, absl::StrCat("{op_name=", value, "}"));
  }
  WriteValue(line, attribute, absl::StrReplaceAll(value, {{": ", "="}, {":\"", "=\""}}));
  const size_t open = value.find('"');
  if (open == absl::string_view::npos || value.find('"', open + 1) != absl::string_view::npos) return;
  const size_t end = value.find_first_of(" ,}", open + 1);
  if (end != absl::string_view::npos) {
    WriteValue(line, attribute, absl::StrCat(value.substr(0, end), "\"", value.substr(end)));
  }
}

// Lists, single numbers and words in the wrong brackets or quotes.
void AddValues(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  std::vector<int64_t> numbers = NumbersIn(value);
  const bool is_nested = absl::StrContains(value, "{{") || absl::StrContains(value, "[[");
  if (!numbers.empty() && !is_nested) {
    WriteValue(line, attribute, absl::StrCat("{", JoinNumbers(numbers), "}"));
    // Counted from the end, as Python does.
    if (absl::StrContains(value, "-")) {
      const int64_t rank = static_cast<int64_t>(std::max(numbers.size(), line.WrittenDimensions().size()));
      for (int64_t& number : numbers) {
        if (absl::StrContains(value, absl::StrCat("-", number))) number = rank - number;
      }
      WriteValue(line, attribute, absl::StrCat("{", JoinNumbers(numbers), "}"));
    }
    if (numbers.size() == 1) WriteValue(line, attribute, absl::StrCat(numbers[0]));
    if (numbers.size() == 1) WriteValue(line, attribute, "0");
  }
  if (line.kind(attribute.value) == TokenKind::kString && value.size() > 2) {
    const absl::string_view plain = value.substr(1, value.size() - 2);
    WriteValue(line, attribute, std::string(plain));
    WriteValue(line, attribute, absl::StrCat("{", plain, "}"));
    WriteValue(line, attribute, absl::AsciiStrToUpper(plain));
  }
  if (absl::StrContains(attribute.key, "replica_groups")) {
    std::string braced = absl::StrReplaceAll(value, {{"[", "{"}, {"]", "}"}, {"(", "{"}, {")", "}"}});
    WriteValue(line, attribute, braced);
    WriteValue(line, attribute, absl::StrCat("{", braced, "}"));
    WriteValue(line, attribute, "{}");
  }
  if (IsComputationAttributeName(attribute.key)) AddComputationName(line, attribute);
  if (attribute.last > attribute.value) {  // the first word alone
    WriteValue(line, attribute, std::string(line.word(attribute.value)));
  }
}

// What the product of two arrays needs, from whatever numbers are given.
void AddContractions(RepairLine& line, size_t opcode) {
  if (line.word(opcode) != "dot" || line.kind(opcode + 1) != TokenKind::kLeftParen) return;
  const size_t close = line.CloseOf(opcode + 1);
  const std::vector<int64_t> numbers = NumbersIn(line.Between(line.End(close), line.line_end()));
  const int64_t lhs = numbers.empty() ? 1 : numbers[0];
  for (const int64_t rhs : {numbers.size() > 1 ? numbers[1] : 0, int64_t{0}, int64_t{1}}) {
    line.Write(line.End(close), line.line_end(),
               absl::StrCat(", lhs_contracting_dims={", lhs, "}, rhs_contracting_dims={", rhs, "}"));
  }
}

// `transpose(x), {1,0}`; `lower`: what is true.
void AddMissingNames(RepairLine& line) {
  const std::optional<size_t> opcode = line.Opcode();
  const std::optional<Opcode> known = opcode ? OpcodeFromName(line.word(*opcode)) : std::nullopt;
  if (!known) return;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line.kind(i - 1) == TokenKind::kComma && line.kind(i) == TokenKind::kIdentifier) {
      const std::optional<AttributeKind> kind = AttributeFromName(*known, line.word(i));
      if (kind && InfoOf(*kind).type == AttributeType::kBool) line.Write(line.End(i), line.End(i), "=true");
    }
    if (line.kind(i) != TokenKind::kLeftBrace || line.kind(i - 1) != TokenKind::kComma) continue;
    for (const AttributeKind kind : InfoOf(*known).required) {
      line.Write(line.At(i), line.At(i), absl::StrCat(AttributeName(kind), "="));
    }
  }
}

}  // namespace

void AddAttributeSpellings(RepairLine& line) {
  const std::vector<WrittenAttribute> attributes = AttributesOf(line);
  for (const WrittenAttribute& attribute : attributes) {
    const absl::string_view value = line.Slice(attribute.value, std::min(attribute.last, line.size() - 1));
    if (absl::StrContains(attribute.key, "direction")) AddDirections(line, attribute, value);
    if (absl::StartsWith(attribute.key, "slice") || absl::StartsWith(attribute.key, "start_ind")) {
      AddRanges(line, attribute, value);
    }
    if (absl::StartsWith(attribute.key, "pad")) AddPaddings(line, attribute, value);
    if (absl::EndsWith(attribute.key, "_labels")) AddDimLabels(line, attribute, value);
    if (attribute.key == "kind") AddFusionKinds(line, attribute, value);
    if (attribute.key == "metadata") AddMetadata(line, attribute, value);
    AddValues(line, attribute, value);
  }
  if (const std::optional<size_t> opcode = line.Opcode()) AddContractions(line, *opcode);
  AddMissingNames(line);
  // `start_indices={0,0}, limit_indices={2,4}`.
  if (attributes.size() == 2 && absl::StartsWith(attributes[0].key, "start")) {
    const std::vector<int64_t> starts = NumbersIn(line.Slice(attributes[0].value, attributes[0].last));
    const std::vector<int64_t> limits = NumbersIn(line.Slice(attributes[1].value, attributes[1].last));
    std::vector<std::string> ranges;
    for (size_t i = 0; i < std::min(starts.size(), limits.size()); ++i) {
      ranges.push_back(absl::StrCat("[", starts[i], ":", limits[i], "]"));
    }
    line.Write(line.At(attributes[0].name), line.End(attributes[1].last),
               absl::StrCat("slice={", absl::StrJoin(ranges, ", "), "}"));
  }
  // One that does not belong here.
  for (const WrittenAttribute& attribute : attributes) {
    if (attribute.name == 0 || line.kind(attribute.name - 1) != TokenKind::kComma) continue;
    line.ReplaceBetween(absl::StrCat("remove `", attribute.key, "`"), line.At(attribute.name - 1),
                        line.End(attribute.last), "");
    line.MarkAsGuess();
  }
}

}  // namespace hloscope
