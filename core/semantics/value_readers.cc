// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/value_readers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

template <typename Item>
bool ReadBraceList(TokenCursor& c, bool trailing_comma, Item item) {
  return c.ReadList(Kind::kLeftBrace, Kind::kRightBrace, trailing_comma, item);
}

// Numbers joined by `x`: an Integer or a DxD token.
std::optional<std::vector<int64_t>> ReadDxD(TokenCursor& c) {
  if (!c.At(Kind::kDxD) && !c.At(Kind::kInteger)) {
    c.FailExpected("numbers joined by `x`");
    return std::nullopt;
  }
  std::vector<int64_t> numbers;
  for (const absl::string_view part : absl::StrSplit(c.text(), 'x')) {
    const auto number = DecodeInteger(part);
    if (!number) {
      c.Fail(DiagnosticKind::kIntegerOutOfRange, part);
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  c.Advance();
  return numbers;
}

// A Pad token as a list of its dimensions' parts.
std::optional<std::vector<std::vector<int64_t>>> ReadPadToken(TokenCursor& c) {
  if (!c.At(Kind::kPad)) {
    c.FailExpected("a padding such as `0_1x2_2`");
    return std::nullopt;
  }
  std::vector<std::vector<int64_t>> dimensions;
  for (const absl::string_view dimension : absl::StrSplit(c.text(), 'x')) {
    dimensions.emplace_back();
    for (const absl::string_view part : absl::StrSplit(dimension, '_')) {
      const auto number = DecodeInteger(part);
      if (!number) {
        c.Fail(DiagnosticKind::kIntegerOutOfRange, part);
        return std::nullopt;
      }
      dimensions.back().push_back(*number);
    }
  }
  c.Advance();
  return dimensions;
}

struct LabelPart {
  int64_t first = 0, second = 0;  // positions of the two letters; 0 if absent
  std::vector<int64_t> spatial;
};

// One part of dim_labels. `letters` are its two roles.
std::optional<LabelPart> ReadLabelPart(TokenCursor& c, absl::string_view text, absl::string_view letters) {
  LabelPart part;
  std::array<int64_t, 10> digit_at;
  digit_at.fill(-1);
  std::array<bool, 2> seen = {};
  size_t digits = 0;
  const uint32_t part_begin = c.range().begin + static_cast<uint32_t>(text.data() - c.text().data());
  const auto symbol_range = [part_begin](size_t i) {
    const uint32_t begin = part_begin + static_cast<uint32_t>(i);
    return SourceRange{begin, begin + 1};
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char symbol = text[i];
    if (symbol == '?') continue;
    bool repeated = false;
    if (symbol >= '0' && symbol <= '9') {
      int64_t& at = digit_at[static_cast<size_t>(symbol - '0')];
      repeated = at >= 0;
      at = static_cast<int64_t>(i);
      ++digits;
    } else {
      const size_t role = letters.find(symbol);
      if (role == absl::string_view::npos) {
        c.Report(DiagnosticKind::kDimLabelSymbol, symbol_range(i), text, letters.substr(0, 1), letters.substr(1, 1),
                 text.substr(i, 1));
        return std::nullopt;
      }
      repeated = seen[role];
      seen[role] = true;
      (role == 0 ? part.first : part.second) = static_cast<int64_t>(i);
    }
    if (repeated) {
      c.Report(DiagnosticKind::kDimLabelRepeated, symbol_range(i), text.substr(i, 1), text);
      return std::nullopt;
    }
  }
  for (size_t d = 0; d < digit_at.size(); ++d) {
    if (digit_at[d] < 0) continue;
    if (d >= digits) {
      c.Report(DiagnosticKind::kDimLabelRange, symbol_range(static_cast<size_t>(digit_at[d])), text,
               absl::StrCat(digits, digits == 1 ? " spatial dimension" : " spatial dimensions"), digits, d);
      return std::nullopt;
    }
    part.spatial.push_back(digit_at[d]);
  }
  return part;
}

}  // namespace

std::optional<std::vector<int64_t>> ReadInts(TokenCursor& c) {
  std::vector<int64_t> values;
  values.reserve(8);
  const bool good = ReadBraceList(c, false, [&] {
    const auto value = c.Int();
    if (value) values.push_back(*value);
    return value.has_value();
  });
  if (!good) return std::nullopt;
  return values;
}

std::optional<std::vector<std::vector<int64_t>>> ReadIntLists(TokenCursor& c) {
  std::vector<std::vector<int64_t>> lists;
  const bool good = ReadBraceList(c, false, [&] {
    auto list = ReadInts(c);
    if (list) lists.push_back(*std::move(list));
    return list.has_value();
  });
  if (!good) return std::nullopt;
  return lists;
}

std::optional<std::vector<int64_t>> ReadBools(TokenCursor& c) {
  std::vector<int64_t> values;
  const bool good = ReadBraceList(c, false, [&] {
    const auto value = c.Bool();
    if (value) values.push_back(*value ? 1 : 0);
    return value.has_value();
  });
  if (!good) return std::nullopt;
  return values;
}

std::optional<ShapeIndex> ReadShapeIndex(TokenCursor& c) {
  ShapeIndex index;
  const bool good = ReadBraceList(c, true, [&] {
    const auto value = c.Int();
    if (value) index.push_back(*value);
    return value.has_value();
  });
  if (!good) return std::nullopt;
  return index;
}

std::optional<std::vector<AliasEntry>> ReadAliasing(TokenCursor& c, bool with_kind) {
  std::vector<AliasEntry> entries;
  absl::flat_hash_set<ShapeIndex> outputs;
  const bool good = ReadBraceList(c, true, [&] {
    AliasEntry entry;
    const TokenIndex first = c.position();
    auto output = ReadShapeIndex(c);
    if (!output || !c.Expect(Kind::kColon) || !c.Expect(Kind::kLeftParen)) return false;
    entry.output_index = *std::move(output);
    // Of operands, the verifier knows how many there are.
    const auto operand = with_kind ? c.IntIn(0, std::numeric_limits<int64_t>::max()) : c.Int();
    if (!operand || !c.Expect(Kind::kComma)) return false;
    entry.operand = *operand;
    auto index = ReadShapeIndex(c);
    if (!index) return false;
    entry.operand_index = *std::move(index);
    if (with_kind && c.Eat(Kind::kComma)) {
      static constexpr absl::string_view kKinds[] = {"may-alias", "must-alias"};
      if (!c.AtWord("may-alias") && !c.AtWord("must-alias")) return c.FailUnknownWord("input_output_alias", kKinds);
      entry.must_alias = c.AtWord("must-alias");
      c.Advance();
    }
    if (!c.Expect(Kind::kRightParen)) return false;
    // A repeated output index is ignored after the first (2.4).
    if (!outputs.insert(entry.output_index).second) {
      c.Report(DiagnosticKind::kRepeatedAlias, c.RangeFrom(first),
               absl::StrCat("{", absl::StrJoin(entry.output_index, ","), "}"));
    } else {
      entries.push_back(std::move(entry));
    }
    return true;
  });
  if (!good) return std::nullopt;
  return entries;
}

std::optional<std::vector<DonorEntry>> ReadDonors(TokenCursor& c) {
  std::vector<DonorEntry> donors;
  const bool good = ReadBraceList(c, true, [&] {
    DonorEntry donor;
    if (!c.Expect(Kind::kLeftParen)) return false;
    const auto parameter = c.IntIn(0, std::numeric_limits<int64_t>::max());
    if (!parameter || !c.Expect(Kind::kComma)) return false;
    donor.parameter = *parameter;
    auto index = ReadShapeIndex(c);
    if (!index) return false;
    donor.index = *std::move(index);
    donors.push_back(std::move(donor));
    return c.Expect(Kind::kRightParen);
  });
  if (!good) return std::nullopt;
  return donors;
}

namespace {

// At a comma between the fields of a window; the fix replaces all of its commas.
void FailWindowComma(TokenCursor& c) {
  FixIt fix{"write blanks", {}};
  const SourceRange first = c.range();
  for (TokenIndex i = c.position(); i < c.end(); ++i) {
    if (c.tokens().kind(i) != Kind::kComma) continue;
    const SourceRange comma = c.tokens().range(i);
    // A blank follows already in most cases.
    const bool blank_follows = i + 1 < c.end() && c.tokens().begin(i + 1) > comma.end;
    fix.edits.push_back({comma, blank_follows ? "" : " "});
  }
  c.Report(DiagnosticKind::kWindowCommas, first).fixes.push_back(std::move(fix));
}

}  // namespace

std::optional<Window> ReadWindow(TokenCursor& c) {
  static constexpr absl::string_view kFields[] = {"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  std::array<std::optional<std::vector<int64_t>>, 6> fields;
  std::array<SourceRange, 6> ranges;
  std::vector<std::vector<int64_t>> pads;
  while (c.At(Kind::kAttributeName)) {
    const auto it = std::find(std::begin(kFields), std::end(kFields), c.name());
    if (it == std::end(kFields)) {
      c.FailUnknownField("window", kFields);
      return std::nullopt;
    }
    const size_t field = static_cast<size_t>(it - std::begin(kFields));
    if (fields[field]) {
      c.FailDuplicateField();
      return std::nullopt;
    }
    const TokenIndex first = c.position();
    c.Advance();
    if (*it == "pad") {
      auto read = ReadPadToken(c);
      if (!read) return std::nullopt;
      pads = *std::move(read);
      fields[field].emplace(pads.size());
    } else {
      fields[field] = ReadDxD(c);
      if (!fields[field]) return std::nullopt;
    }
    ranges[field] = c.RangeFrom(first);
  }
  if (c.At(Kind::kComma)) {
    FailWindowComma(c);
    return std::nullopt;
  }
  if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  Window window;
  window.dimensions.resize(fields[0] ? fields[0]->size() : 0);
  for (size_t field = 0; field < 6; ++field) {
    if (!fields[field]) continue;
    if (fields[field]->size() != window.dimensions.size()) {
      const size_t entries = fields[field]->size();
      c.Report(DiagnosticKind::kWindowFieldLength, ranges[field], kFields[field],
               absl::StrCat(entries, entries == 1 ? " entry" : " entries"), window.dimensions.size());
      return std::nullopt;
    }
    for (size_t d = 0; d < window.dimensions.size(); ++d) {
      WindowDimension& dimension = window.dimensions[d];
      const int64_t value = (*fields[field])[d];
      switch (field) {
        case 0:
          dimension.size = value;
          break;
        case 1:
          dimension.stride = value;
          break;
        case 2:
          if (pads[d].size() != 2) {
            c.Report(DiagnosticKind::kWindowPaddingParts, ranges[field]);
            return std::nullopt;
          }
          dimension.padding_low = pads[d][0];
          dimension.padding_high = pads[d][1];
          break;
        case 3:
          dimension.base_dilation = value;
          break;
        case 4:
          dimension.window_dilation = value;
          break;
        default:
          dimension.reversal = value == 1;
          break;
      }
    }
  }
  return window;
}

std::optional<ConvolutionDimensionNumbers> ReadDimLabels(TokenCursor& c) {
  if (!c.At(Kind::kDimLabels)) {
    c.FailExpected("dimension labels such as `b01f_01io->b01f`");
    return std::nullopt;
  }
  const absl::string_view text = c.text();
  const size_t underscore = text.find('_'), arrow = text.find("->");
  const absl::string_view parts[3] = {text.substr(0, underscore), text.substr(underscore + 1, arrow - underscore - 1),
                                      text.substr(arrow + 2)};
  const auto input = ReadLabelPart(c, parts[0], "bf");
  if (!input) return std::nullopt;
  const auto kernel = ReadLabelPart(c, parts[1], "io");
  if (!kernel) return std::nullopt;
  const auto output = ReadLabelPart(c, parts[2], "bf");
  if (!output) return std::nullopt;
  if (input->spatial.size() != kernel->spatial.size() || input->spatial.size() != output->spatial.size()) {
    c.Fail(DiagnosticKind::kDimLabelSpatial, input->spatial.size(), kernel->spatial.size(), output->spatial.size());
    return std::nullopt;
  }
  const uint32_t end = c.range().end;
  c.Advance();
  if (!c.AtEnd() && c.range().begin == end) {
    // The lexer ends the labels before a letter that has no role in them.
    c.Report(DiagnosticKind::kDimLabelSymbol, SourceRange{end, end + 1}, parts[2], "b", "f", c.text().substr(0, 1));
    return std::nullopt;
  }
  ConvolutionDimensionNumbers numbers;
  numbers.input_batch = input->first;
  numbers.input_feature = input->second;
  numbers.input_spatial = input->spatial;
  numbers.kernel_input_feature = kernel->first;
  numbers.kernel_output_feature = kernel->second;
  numbers.kernel_spatial = kernel->spatial;
  numbers.output_batch = output->first;
  numbers.output_feature = output->second;
  numbers.output_spatial = output->spatial;
  for (size_t i = 0; i < 3; ++i) numbers.labels[i] = std::string(parts[i]);
  return numbers;
}

std::optional<PaddingConfig> ReadPadding(TokenCursor& c) {
  PaddingConfig config;
  const uint32_t end = c.range().end;
  const auto dimensions = ReadPadToken(c);
  if (!dimensions) return std::nullopt;
  // `0_0_-1`: the third part of a token has no sign, so that the lexer ends it before.
  if (!c.AtEnd() && c.range().begin == end && dimensions->back().size() == 2 && absl::StartsWith(c.text(), "_-")) {
    const absl::string_view interior = c.text().substr(1, c.text().find_first_not_of("0123456789", 2) - 1);
    c.Report(DiagnosticKind::kInteriorPadding, c.range(), dimensions->size() - 1, interior);
    return std::nullopt;
  }
  for (const auto& parts : *dimensions) config.push_back({parts[0], parts[1], parts.size() > 2 ? parts[2] : 0});
  return config;
}

std::optional<std::vector<SliceRange>> ReadSliceRanges(TokenCursor& c) {
  std::vector<SliceRange> ranges;
  const bool good = ReadBraceList(c, false, [&] {
    SliceRange range;
    if (!c.Expect(Kind::kLeftBracket)) return false;
    const auto start = c.Int();
    if (!start || !c.Expect(Kind::kColon)) return false;
    const auto limit = c.Int();
    if (!limit) return false;
    range.start = *start;
    range.limit = *limit;
    if (c.Eat(Kind::kColon)) {
      const auto stride = c.Int();
      if (!stride) return false;
      range.stride = *stride;
    }
    ranges.push_back(range);
    return c.Expect(Kind::kRightBracket);
  });
  if (!good) return std::nullopt;
  return ranges;
}

// `{lhs={...} rhs={...}}`, fields of the sides without commas; `read(field, numbers, side)` fails for numbers that do
// not fit.
template <typename Config, typename Side>
std::optional<Config> ReadSides(TokenCursor& c, absl::string_view attribute, absl::Span<const absl::string_view> fields,
                                bool (*read)(TokenCursor&, absl::string_view, const std::vector<int64_t>&, Side&)) {
  Config config;
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  while (c.At(Kind::kAttributeName)) {
    static constexpr absl::string_view kSides[] = {"lhs", "rhs"};
    if (!c.AtAttribute("lhs") && !c.AtAttribute("rhs")) {
      c.FailUnknownField(attribute, kSides);
      return std::nullopt;
    }
    std::optional<Side>& side = c.AtAttribute("lhs") ? config.lhs : config.rhs;
    if (side) {
      c.FailDuplicateField();
      return std::nullopt;
    }
    side.emplace();
    c.Advance();
    if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
    while (c.At(Kind::kAttributeName)) {
      const absl::string_view field = c.name();
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) {
        c.FailUnknownField(attribute, fields);
        return std::nullopt;
      }
      c.Advance();
      const auto numbers = ReadDxD(c);
      if (!numbers || !read(c, field, *numbers, *side)) return std::nullopt;
    }
    if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  }
  if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  return config;
}

bool HasCount(TokenCursor& c, const std::vector<int64_t>& numbers, size_t count) {
  return numbers.size() == count || c.FailExpected(count == 1 ? "one number" : "two numbers joined by `x`");
}

std::optional<SparsityConfig> ReadSparsity(TokenCursor& c) {
  static constexpr absl::string_view kFields[] = {"sparsity", "dimension", "stride", "idx"};
  return ReadSides<SparsityConfig, SparsitySide>(
      c, "sparsity_config", kFields,
      [](TokenCursor& cursor, absl::string_view field, const std::vector<int64_t>& numbers, SparsitySide& side) {
        if (!HasCount(cursor, numbers, field == "sparsity" ? 2 : 1)) return false;
        if (field == "sparsity") {
          side.nonzeros = numbers[0];
          side.block = numbers[1];
        } else {
          (field == "dimension" ? side.dimension : field == "stride" ? side.stride : side.idx) = numbers[0];
        }
        return true;
      });
}

std::optional<BlockScalingConfig> ReadBlockScaling(TokenCursor& c) {
  static constexpr absl::string_view kFields[] = {"scale_idx", "zero_idx", "strides", "steps"};
  return ReadSides<BlockScalingConfig, BlockScalingSide>(
      c, "block_scaling_config", kFields,
      [](TokenCursor& cursor, absl::string_view field, const std::vector<int64_t>& numbers, BlockScalingSide& side) {
        if (field == "strides" || field == "steps") {
          (field == "strides" ? side.strides : side.steps) = numbers;
          return true;
        }
        if (!HasCount(cursor, numbers, 1)) return false;
        if (field == "scale_idx") {
          side.scale_idx = numbers[0];
        } else {
          side.zero_idx = numbers[0];
        }
        return true;
      });
}

std::optional<RawValue> ReadRaw(TokenCursor& c) {
  if (c.At(Kind::kRawBlock)) {
    RawValue value{std::string(c.text())};
    c.Advance();
    return value;
  }
  if (!c.At(Kind::kString)) {
    c.FailExpected("a string or a brace block");
    return std::nullopt;
  }
  auto text = c.String();
  if (!text) return std::nullopt;
  return RawValue{*std::move(text)};
}

std::optional<FrontendAttributes> ReadFrontendAttributes(TokenCursor& c) {
  FrontendAttributes attributes;
  const bool good = ReadBraceList(c, false, [&] {
    if (!c.At(Kind::kAttributeName)) return c.FailExpected("`key=value`");
    std::string key(c.name());
    const SourceRange key_range = {c.range().begin, c.range().end - 1};
    c.Advance();
    auto value = ReadRaw(c);
    if (!value) return false;
    // A repeated key overwrites; keys are kept sorted.
    const auto it = std::lower_bound(attributes.begin(), attributes.end(), key,
                                     [](const auto& entry, const std::string& k) { return entry.first < k; });
    if (it != attributes.end() && it->first == key) {
      c.Report(DiagnosticKind::kRepeatedKey, key_range, key);
      it->second = *std::move(value);
    } else {
      attributes.insert(it, {std::move(key), *std::move(value)});
    }
    return true;
  });
  if (!good) return std::nullopt;
  return attributes;
}

std::optional<Statistics> ReadStatistics(TokenCursor& c) {
  Statistics statistics;
  bool first = true;
  const bool good = ReadBraceList(c, false, [&] {
    if (!c.At(Kind::kAttributeName)) return c.FailExpected("`name=number`");
    std::string name(c.name());
    c.Advance();
    if (first) {
      first = false;
      const auto index = c.Int();
      if (index) statistics.visualizing_index = *index;
      return index.has_value();
    }
    const auto value = c.Double();
    if (value) statistics.values.emplace_back(std::move(name), *value);
    return value.has_value();
  });
  if (!good) return std::nullopt;
  return statistics;
}

namespace {

// A number, or an infinity of either sign.
std::optional<double> ReadTolerance(TokenCursor& c) {
  if (c.Eat(Kind::kInf)) return HUGE_VAL;
  if (c.Eat(Kind::kNegativeInf)) return -HUGE_VAL;
  return c.Double();
}

}  // namespace

std::optional<ResultAccuracy> ReadResultAccuracy(TokenCursor& c) {
  ResultAccuracy accuracy;
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  if (c.AtAttribute("mode")) {
    c.Advance();
    const absl::string_view word = c.text();
    if (!absl::EqualsIgnoreCase(word, "default") && !absl::EqualsIgnoreCase(word, "highest")) {
      static constexpr absl::string_view kModes[] = {"default", "highest"};
      c.FailUnknownWord("mode", kModes);
      return std::nullopt;
    }
    accuracy.highest = absl::EqualsIgnoreCase(word, "highest");
    c.Advance();
  } else if (c.AtAttribute("tolerance")) {
    c.Advance();
    accuracy.is_tolerance = true;
    const bool good = ReadBraceList(c, false, [&] {
      const absl::string_view field = c.name();
      static constexpr absl::string_view kFields[] = {"atol", "rtol", "ulps"};
      if (!c.At(Kind::kAttributeName)) return c.FailExpected("`atol=`, `rtol=` or `ulps=`");
      if (std::find(std::begin(kFields), std::end(kFields), field) == std::end(kFields)) {
        return c.FailUnknownField("tolerance", kFields);
      }
      c.Advance();
      const auto value = ReadTolerance(c);
      if (!value) return false;
      if (field != "ulps") {
        (field == "atol" ? accuracy.atol : accuracy.rtol) = *value;
        return true;
      }
      // A whole number, which may be written as a decimal; what follows its point is dropped.
      constexpr double kLimit = 0x1p63;
      if (!(*value >= -kLimit && *value < kLimit)) return c.FailExpected("a whole number of 64 bits");
      accuracy.ulps = static_cast<int64_t>(*value);
      return true;
    });
    if (!good) return std::nullopt;
  } else {
    static constexpr absl::string_view kFields[] = {"mode", "tolerance"};
    c.At(Kind::kAttributeName) ? c.FailUnknownField("result_accuracy", kFields)
                               : c.FailExpected("`mode=` or `tolerance=`");
    return std::nullopt;
  }
  if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  return accuracy;
}

}  // namespace hloscope
