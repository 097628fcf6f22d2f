// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/hlo_writer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ir/element_type.h"
#include "core/print/string_printer.h"

namespace hloscope::stablehlo {
namespace {

// Words that are no names in HLO, with or without %.
bool IsReserved(absl::string_view name) {
  return ElementTypeFromName(name).has_value() || name == "tuple" || name == "token" || name == "opaque";
}

// What a line takes: its text, in which a shape has some ten bytes for each leaf and dimension, and what is kept of it.
size_t SizeOf(const Shape& shape, size_t texts, absl::Span<const HloRef> operands) {
  constexpr size_t kLine = 100, kLeaf = 50, kDimension = 10;
  size_t size =
      kLine + texts + kLeaf * static_cast<size_t>(shape.LeafCount()) + kDimension * static_cast<size_t>(shape.rank());
  for (const HloRef operand : operands) size += operand->name.size();
  return size;
}

}  // namespace

std::string HloNames::Unique(absl::string_view base) {
  std::string clean;
  for (const char c : base.substr(0, 200)) {
    clean.push_back(absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '.' ? c : '_');
  }
  if (clean.empty() || !(absl::ascii_isalpha(clean[0]) || clean[0] == '_')) clean.insert(0, "_");
  if (IsReserved(clean) && (style_ == NameStyle::kReadable || clean != "tuple")) clean.push_back('_');
  return style_ == NameStyle::kReadable ? UniqueReadable(std::move(clean)) : UniqueXla(std::move(clean));
}

std::string HloNames::UniqueReadable(std::string clean) {
  if (taken_.insert(clean).second) return clean;
  uint32_t& number = next_[clean];
  std::string name;
  do {
    name = absl::StrCat(clean, ".", ++number);
  } while (!taken_.insert(name).second);
  return name;
}

std::string HloNames::UniqueXla(std::string clean) {
  uint64_t wanted = 0;
  const size_t dot = clean.rfind('.');
  const bool has_number = dot != std::string::npos && dot > 0 && absl::SimpleAtoi(clean.substr(dot + 1), &wanted);
  if (has_number) clean.resize(dot);
  Numbers& numbers = numbers_[clean];
  if (!numbers.taken.insert(wanted).second) {
    while (!numbers.taken.insert(numbers.next).second) ++numbers.next;
    wanted = numbers.next++;
  }
  if (wanted == 0 && !has_number) return clean;
  return absl::StrCat(clean, ".", wanted);
}

HloRef HloBody::AddLine(const HloPlace& place, absl::string_view base_name, const Shape& shape, Line line) {
  budget_.Spend(SizeOf(shape, line.inside.size() + line.attributes.size() + place.attributes.size(), line.operands));
  HloValue& value = values_.emplace_back();
  value.name = names_.Unique(base_name);
  value.shape = shape;
  value.line = lines_.size();
  if (budget_.IsSpent()) {
    line.inside.clear();
    line.attributes.clear();
  } else {
    line.attributes.append(place.attributes);
  }
  line.original = place.original;
  line.role = place.role;
  lines_.push_back(std::move(line));
  return &value;
}

HloRef HloBody::Add(const HloPlace& place, absl::string_view base_name, absl::string_view opcode, const Shape& shape,
                    absl::Span<const HloRef> operands, absl::string_view attributes) {
  Line line;
  line.opcode = std::string(opcode);
  line.operands.assign(operands.begin(), operands.end());
  line.attributes = std::string(attributes);
  return AddLine(place, base_name, shape, std::move(line));
}

HloRef HloBody::AddWithText(const HloPlace& place, absl::string_view base_name, absl::string_view opcode,
                            const Shape& shape, absl::string_view inside, absl::string_view attributes) {
  Line line;
  line.opcode = std::string(opcode);
  line.inside = std::string(inside);
  line.attributes = std::string(attributes);
  return AddLine(place, base_name, shape, std::move(line));
}

void HloBody::GiveResult(HloRef result, size_t first, absl::string_view base_name) {
  const auto gives = [](const Line& line) { return line.role == TextOrigin::Role::kResult; };
  if (result->line < first || std::any_of(lines_.begin() + static_cast<std::ptrdiff_t>(first), lines_.end(), gives)) {
    return;
  }
  lines_[result->line].role = TextOrigin::Role::kResult;
  HloValue& value = values_.back();
  if (&value == result && !base_name.empty()) value.name = names_.Unique(base_name);
}

void HloBody::NumberAsXla() {
  for (HloValue& value : values_) value.name = names_.Unique(value.name);
}

void HloBody::Finish(absl::string_view name, bool is_entry, HloRef root, absl::string_view attributes,
                     HloText& out) const {
  absl::StrAppend(&out.text, is_entry ? "ENTRY %" : "%", name, " {\n");
  for (size_t k = 0; k < lines_.size(); ++k) {
    const Line& line = lines_[k];
    const HloValue& value = values_[k];
    out.text.append("  ");
    const uint32_t begin = static_cast<uint32_t>(out.text.size());
    absl::StrAppend(&out.text, root == &value ? "ROOT %" : "%", value.name, " = ",
                    value.shape.ToStringWithDefaultLayouts(), " ");
    absl::StrAppend(&out.text, line.opcode, "(", line.inside);
    for (size_t i = 0; i < line.operands.size(); ++i) {
      absl::StrAppend(&out.text, i == 0 ? "%" : ", %", line.operands[i]->name);
    }
    absl::StrAppend(&out.text, ")", line.attributes);
    out.parts.push_back({{begin, static_cast<uint32_t>(out.text.size())}, line.original, line.role});
    out.text.push_back('\n');
  }
  absl::StrAppend(&out.text, "}", attributes, "\n\n");
}

std::string BracedList(absl::Span<const int64_t> list) { return absl::StrCat("{", absl::StrJoin(list, ","), "}"); }

std::string Quoted(absl::string_view text) {
  std::string out;
  AppendQuoted(text, &out);
  return out;
}

}  // namespace hloscope::stablehlo
