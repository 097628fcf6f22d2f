#include "stablehlo/hlo_writer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
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

}  // namespace

std::string HloNames::Unique(absl::string_view base) {
  std::string clean;
  for (const char c : base.substr(0, 200)) {
    clean.push_back(absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '.' ? c : '_');
  }
  if (clean.empty() || !(absl::ascii_isalpha(clean[0]) || clean[0] == '_')) clean.insert(0, "_");
  if (IsReserved(clean)) clean.push_back('_');
  if (taken_.insert(clean).second) return clean;
  uint32_t& number = next_[clean];
  std::string name;
  do {
    name = absl::StrCat(clean, ".", ++number);
  } while (!taken_.insert(name).second);
  return name;
}

HloRef HloBody::Add(const HloPlace& place, absl::string_view base_name, absl::string_view opcode, const Shape& shape,
                    absl::Span<const HloRef> operands, absl::string_view attributes) {
  std::string inside;
  for (const HloRef operand : operands) absl::StrAppend(&inside, inside.empty() ? "%" : ", %", operand->name);
  return AddWithText(place, base_name, opcode, shape, inside, attributes);
}

HloRef HloBody::AddWithText(const HloPlace& place, absl::string_view base_name, absl::string_view opcode,
                            const Shape& shape, absl::string_view inside, absl::string_view attributes) {
  HloValue& value = values_.emplace_back();
  value.name = names_.Unique(base_name);
  value.shape = shape;
  value.line = lines_.size();
  lines_.push_back({absl::StrCat("%", value.name, " = ", shape.ToStringWithDefaultLayouts(), " ", opcode, "(", inside,
                                 ")", attributes, place.attributes),
                    place.original, place.role});
  return &value;
}

void HloBody::GiveResult(HloRef result, size_t first, absl::string_view base_name) {
  const auto gives = [](const Line& line) { return line.role == TextOrigin::Role::kResult; };
  if (result->line < first || std::any_of(lines_.begin() + static_cast<std::ptrdiff_t>(first), lines_.end(), gives)) {
    return;
  }
  Line& line = lines_[result->line];
  line.role = TextOrigin::Role::kResult;
  HloValue& value = values_.back();
  if (&value != result || base_name.empty()) return;
  const size_t old_size = value.name.size();
  value.name = names_.Unique(base_name);
  line.text.replace(1, old_size, value.name);
}

void HloBody::Finish(absl::string_view name, bool is_entry, HloRef root, absl::string_view attributes,
                     HloText& out) const {
  absl::StrAppend(&out.text, is_entry ? "ENTRY %" : "%", name, " {\n");
  for (size_t k = 0; k < lines_.size(); ++k) {
    const Line& line = lines_[k];
    out.text.append("  ");
    const uint32_t begin = static_cast<uint32_t>(out.text.size());
    absl::StrAppend(&out.text, root != nullptr && root->line == k ? "ROOT " : "", line.text);
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
