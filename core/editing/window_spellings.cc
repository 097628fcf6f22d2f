// SPDX-License-Identifier: Apache-2.0
// Windows of convolutions and reductions that are not written as in HLO: `{size=3,3, padding=1x1}`.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/editing/repair_line.h"

namespace hloscope {
namespace {

// The field that is meant by a word; empty for others.
absl::string_view MeantField(absl::string_view word) {
  static constexpr std::pair<absl::string_view, absl::string_view> kFields[] = {
      {"size", "size"},     {"kernel", "size"},         {"window", "size"},           {"kernel_size", "size"},
      {"stride", "stride"}, {"strides", "stride"},      {"window_strides", "stride"}, {"pad", "pad"},
      {"padding", "pad"},   {"dilation", "rhs_dilate"}, {"lhs_dilate", "lhs_dilate"}, {"rhs_dilate", "rhs_dilate"}};
  for (const auto& [written, field] : kFields) {
    if (word == written) return field;
  }
  return {};
}

struct WindowField {
  absl::string_view name, value;
};

// `name=` or `name:` and what follows up to the next one.
std::vector<WindowField> FieldsOfWindow(absl::string_view text) {
  std::vector<WindowField> fields;
  size_t begin = 0, named = text.size();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=' && text[i] != ':') continue;
    size_t word = i;
    while (word > 0 && (absl::ascii_isalpha(static_cast<unsigned char>(text[word - 1])) || text[word - 1] == '_'))
      --word;
    if (word == i) continue;
    named = std::min(named, word);
    if (!fields.empty()) fields.back().value = text.substr(begin, word - begin);
    fields.push_back({text.substr(word, i - word), {}});
    begin = i + 1;
  }
  if (!fields.empty()) fields.back().value = text.substr(begin);
  // What nothing names is the size.
  const absl::string_view first = text.substr(0, named);
  if (first.find_first_of("0123456789") != absl::string_view::npos) fields.insert(fields.begin(), {"size", first});
  return fields;
}

std::string WrittenPads(const std::vector<int64_t>& numbers, size_t rank) {
  std::vector<std::string> pads;
  for (size_t i = 0; i < rank; ++i) {
    pads.push_back(numbers.size() == 2 * rank
                       ? absl::StrCat(numbers[2 * i], "_", numbers[2 * i + 1])
                       : absl::StrCat(numbers[i % numbers.size()], "_", numbers[i % numbers.size()]));
  }
  return absl::StrJoin(pads, "x");
}

// The window keeps the sizes of what it goes over, as SAME says.
std::string SamePads(const std::vector<int64_t>& sizes) {
  std::vector<std::string> pads;
  for (const int64_t size : sizes) pads.push_back(absl::StrCat((size - 1) / 2, "_", size / 2));
  return absl::StrJoin(pads, "x");
}

// Where a field has fewer numbers than there are sizes: one is for all dimensions in which the window is wider than 1,
// or they are those of the last dimensions.
enum class Fill : uint8_t { kSame, kFront };
std::vector<std::string> Filled(const std::vector<std::string>& fields, const std::vector<int64_t>& sizes, Fill fill) {
  std::vector<std::string> filled;
  for (const std::string& field : fields) {
    const size_t equals = field.find('=');
    const std::vector<int64_t> numbers = NumbersIn(absl::StrReplaceAll(field.substr(equals + 1), {{"x", ","}}));
    if (absl::StartsWith(field, "pad") || numbers.empty() || numbers.size() >= sizes.size()) {
      filled.push_back(field);
      continue;
    }
    std::vector<int64_t> all(sizes.size(), 1);
    for (size_t d = 0; d < sizes.size(); ++d) {
      const size_t from_end = sizes.size() - d;
      if (fill == Fill::kSame && sizes[d] > 1) all[d] = numbers[0];
      if (fill == Fill::kFront && from_end <= numbers.size()) all[d] = numbers[numbers.size() - from_end];
    }
    filled.push_back(absl::StrCat(field.substr(0, equals + 1), JoinNumbers(all, "x")));
  }
  return filled;
}

}  // namespace

void AddWindowSpellings(RepairLine& line) {
  const std::optional<size_t> name = line.Find("window=");
  if (!name || *name + 1 >= line.size()) return;
  const size_t value = *name + 1;
  size_t last = value;
  if (IsOpeningBracket(line.kind(value))) last = line.CloseOf(value);
  std::string inside(line.Slice(value, last));
  inside.erase(std::remove_if(inside.begin(), inside.end(), [](char c) { return c == '"' || c == '\''; }),
               inside.end());
  std::vector<int64_t> sizes;
  std::vector<std::string> fields;
  bool has_pad = false, short_fields = false;
  for (const WindowField& field : FieldsOfWindow(inside)) {
    const absl::string_view meant = MeantField(field.name);
    const std::vector<int64_t> numbers =
        NumbersIn(absl::StrReplaceAll(field.value, {{"_", ","}, {"x", ","}, {"*", ","}}));
    if (meant.empty()) continue;
    if (meant == "size") sizes = numbers;
    if (meant == "pad") {
      has_pad = true;
      const bool is_same = numbers.empty() && absl::StrContains(absl::AsciiStrToUpper(field.value), "SAME");
      if (is_same) fields.push_back(absl::StrCat("pad=", SamePads(sizes)));
      if (!numbers.empty())
        fields.push_back(absl::StrCat("pad=", WrittenPads(numbers, std::max<size_t>(sizes.size(), 1))));
    } else if (!numbers.empty()) {
      short_fields |= numbers.size() < sizes.size();
      fields.push_back(absl::StrCat(meant, "=", JoinNumbers(numbers, "x")));
    }
  }
  if (sizes.empty()) return;
  const auto write = [&](const std::string& text) {
    line.Write(line.At(value), line.End(last), absl::StrCat("{", text, "}"));
  };
  write(absl::StrJoin(fields, " "));
  if (short_fields) {
    write(absl::StrJoin(Filled(fields, sizes, Fill::kSame), " "));
    write(absl::StrJoin(Filled(fields, sizes, Fill::kFront), " "));
  }
  if (!has_pad) write(absl::StrCat(absl::StrJoin(fields, " "), " pad=", SamePads(sizes)));
  // Of images, batch and features are not in the window.
  if (sizes.size() == 2) {
    std::vector<std::string> wider;
    for (const std::string& field : fields) {
      const size_t equals = field.find('=');
      const bool is_pad = absl::StartsWith(field, "pad");
      wider.push_back(absl::StrCat(field.substr(0, equals + 1), is_pad ? "0_0x" : "1x", field.substr(equals + 1),
                                   is_pad ? "x0_0" : "x1"));
    }
    write(absl::StrJoin(wider, " "));
  }
}

}  // namespace hloscope
