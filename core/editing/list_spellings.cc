// SPDX-License-Identifier: Apache-2.0
// Lists of attributes with brackets, items or fields that are missing or too many.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/editing/line_attributes.h"
#include "core/editing/repair_line.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

absl::string_view ClosingOf(absl::string_view open) { return open == "(" ? ")" : open == "[" ? "]" : "}"; }

// Brackets that nothing closes: closed before the next attribute, or at the end. Closing ones that nothing opens.
void AddBrackets(RepairLine& line) {
  constexpr size_t kMaxPlaces = 4;
  std::vector<size_t> open, surplus;
  for (size_t i = 0; i < line.size(); ++i) {
    if (IsOpeningBracket(line.kind(i))) open.push_back(i);
    if (!IsClosingBracket(line.kind(i))) continue;
    if (!open.empty() && ClosingOf(line.word(open.back())) == line.word(i)) {
      open.pop_back();
    } else {
      surplus.push_back(i);
    }
  }
  for (const size_t i : surplus) line.Replace(absl::StrCat("remove this `", line.word(i), "`"), i, i, "");
  // The brace of a body is closed further down.
  if (!open.empty() && open.back() + 1 == line.size() && line.word(open.back()) == "{") open.pop_back();
  if (open.empty()) return;
  std::string missing;
  for (size_t k = open.size(); k-- > 0;) absl::StrAppend(&missing, ClosingOf(line.word(open[k])));
  size_t places = 0;
  for (size_t i = open.back() + 1; i + 1 < line.size() && places < kMaxPlaces; ++i) {
    if (line.kind(i) != TokenKind::kComma || line.kind(i + 1) != TokenKind::kAttributeName) continue;
    ++places;
    line.ReplaceBetween(absl::StrCat("insert `", missing, "`"), line.End(i - 1), line.End(i - 1), missing);
  }
  line.ReplaceBetween(absl::StrCat("insert `", missing, "`"), line.End(line.size() - 1), line.End(line.size() - 1),
                      missing);
}

// `dimensions={0,2,1}` of four: with the number that is missing, or the sizes of the result.
void AddItems(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  const std::vector<int64_t> numbers = NumbersIn(value), sizes = line.WrittenDimensions();
  if (numbers.empty() || value.find_first_not_of("{}0123456789, ") != absl::string_view::npos) return;
  if (numbers.size() + 1 == sizes.size()) {
    for (size_t d = 0; d < sizes.size(); ++d) {
      const int64_t dimension = static_cast<int64_t>(d);
      if (std::find(numbers.begin(), numbers.end(), dimension) != numbers.end()) continue;
      std::vector<int64_t> more = numbers;
      more.push_back(dimension);
      WriteValue(line, attribute, absl::StrCat("{", JoinNumbers(more), "}"));
      break;
    }
  }
  if (absl::EndsWith(attribute.key, "sizes")) WriteValue(line, attribute, absl::StrCat("{", JoinNumbers(sizes), "}"));
}

// `pairs={0,1},{1,0}`, `pairs={{0,1,1,0}}`: lists of lists.
void AddOuterBraces(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  if (absl::StrContains(value, "},") && !absl::StartsWith(value, "{{")) {
    WriteValue(line, attribute, absl::StrCat("{", value, "}"));
  }
  const std::vector<int64_t> numbers = NumbersIn(value);
  if (!absl::EndsWith(attribute.key, "pairs") || numbers.empty() || numbers.size() % 2 != 0) return;
  std::vector<std::string> pairs;
  for (size_t i = 0; i < numbers.size(); i += 2)
    pairs.push_back(absl::StrCat("{", numbers[i], ",", numbers[i + 1], "}"));
  WriteValue(line, attribute, absl::StrCat("{", absl::StrJoin(pairs, ","), "}"));
}

// `sharding=replicated`, `devices=[4,1]`, `devices=[4,1]<=4`.
void AddShardings(RepairLine& line, const WrittenAttribute& attribute, absl::string_view value) {
  const bool is_braced = absl::StartsWith(value, "{");
  if (!is_braced) WriteValue(line, attribute, absl::StrCat("{", value, "}"));
  const absl::string_view inside = is_braced ? value.substr(1, value.size() - 2) : value;
  const size_t tiles = inside.find("devices=["), close = inside.find(']', std::min(tiles, inside.size()));
  if (tiles == absl::string_view::npos || close == absl::string_view::npos) return;
  int64_t count = 1;
  constexpr int64_t kMaxDevices = int64_t{1} << 20;
  for (const int64_t tile : NumbersIn(inside.substr(tiles, close - tiles))) {
    if (tile <= 0 || tile > kMaxDevices || (count *= tile) > kMaxDevices) return;
  }
  const absl::string_view rest = inside.substr(close + 1);
  const size_t arrow = rest.find("<=");
  const size_t after = arrow == absl::string_view::npos ? 0 : rest.find_first_not_of("0123456789", arrow + 2);
  const absl::string_view kept = after == absl::string_view::npos ? absl::string_view() : rest.substr(after);
  WriteValue(line, attribute, absl::StrCat("{", inside.substr(0, close + 1), "<=[", count, "]", kept, "}"));
}

// `branch_computations={no, yes}` on pred[], as JAX writes a `cond`.
void AddBranches(RepairLine& line, const WrittenAttribute& attribute) {
  std::vector<std::string> names;
  for (size_t i = attribute.value; i <= attribute.last; ++i) {
    if (line.IsName(i)) names.emplace_back(line.word(i));
  }
  if (names.size() != 2) return;
  line.Write(line.At(attribute.name), line.End(attribute.last),
             absl::StrCat("true_computation=", names[1], ", false_computation=", names[0]));
}

// `low={0,1}, high={0,1}`, `edge_padding_low=[0,1], ...`.
void AddPaddingOfEdges(RepairLine& line, const std::vector<WrittenAttribute>& attributes) {
  std::vector<int64_t> low, high, interior;
  std::optional<size_t> first, last;
  for (size_t a = 0; a < attributes.size(); ++a) {
    const std::string& key = attributes[a].key;
    std::vector<int64_t>* const list = absl::EndsWith(key, "low")           ? &low
                                       : absl::EndsWith(key, "high")        ? &high
                                       : absl::StrContains(key, "interior") ? &interior
                                                                            : nullptr;
    if (list == nullptr) continue;
    *list = NumbersIn(line.Slice(attributes[a].value, std::min(attributes[a].last, line.size() - 1)));
    if (!first) first = a;
    last = a;
  }
  if (low.empty() || low.size() != high.size()) return;
  std::vector<std::string> pads;
  for (size_t i = 0; i < low.size(); ++i) {
    const bool has_interior = i < interior.size() && interior[i] != 0;
    pads.push_back(absl::StrCat(low[i], "_", high[i], has_interior ? absl::StrCat("_", interior[i]) : ""));
  }
  line.Write(line.At(attributes[*first].name), line.End(attributes[*last].last),
             absl::StrCat("padding=", absl::StrJoin(pads, "x")));
}

// `reduce(x, y), dimensions={0}, add`, `, kLoop`: a value whose name is missing.
void AddNamesOfValues(RepairLine& line) {
  for (size_t i = 1; i < line.size(); ++i) {
    if (!line.IsName(i) || line.kind(i - 1) != TokenKind::kComma) continue;
    if (i + 1 < line.size() && line.kind(i + 1) != TokenKind::kComma) continue;
    for (const char* name : {"to_apply=", "calls=", "body=", "condition=", "kind=", "direction="}) {
      line.Write(line.At(i), line.At(i), name);
    }
  }
}

}  // namespace

void AddListSpellings(RepairLine& line) {
  AddBrackets(line);
  const std::vector<WrittenAttribute> attributes = AttributesOf(line);
  for (const WrittenAttribute& attribute : attributes) {
    const absl::string_view value = line.Slice(attribute.value, std::min(attribute.last, line.size() - 1));
    if (absl::StrContains(attribute.key, "sharding")) AddShardings(line, attribute, value);
    if (attribute.key == "branch_computations") AddBranches(line, attribute);
    AddItems(line, attribute, value);
  }
  for (const WrittenAttribute& attribute : attributes) {
    AddOuterBraces(line, attribute, line.Slice(attribute.value, std::min(attribute.last, line.size() - 1)));
  }
  AddPaddingOfEdges(line, attributes);
  AddNamesOfValues(line);
}

}  // namespace hloscope
