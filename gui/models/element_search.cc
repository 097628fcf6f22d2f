// SPDX-License-Identifier: Apache-2.0
#include "gui/models/element_search.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace hloscope::gui {
namespace {

using Kind = ElementCondition::Kind;

constexpr int64_t kSearchBlock = 8192;

bool ReadNumber(absl::string_view text, double* number) {
  return absl::SimpleAtod(absl::StripAsciiWhitespace(text), number) && !std::isnan(*number);
}

absl::StatusOr<ElementCondition> ReadIndex(absl::string_view text) {
  ElementCondition condition;
  condition.kind = Kind::kIndex;
  absl::string_view list = text;
  if (!absl::ConsumePrefix(&list, "[") || !absl::ConsumeSuffix(&list, "]")) {
    return absl::InvalidArgumentError("an index is written [3, 5]");
  }
  if (absl::StripAsciiWhitespace(list).empty()) return condition;
  for (absl::string_view word : absl::StrSplit(list, ',')) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(absl::StripAsciiWhitespace(word), &number)) {
      return absl::InvalidArgumentError(absl::StrCat("`", word, "` is not a whole number"));
    }
    condition.index.push_back(number);
  }
  return condition;
}

void SetIndex(absl::Span<const int64_t> sizes, int64_t linear, std::vector<int64_t>* index) {
  for (size_t d = sizes.size(); d-- > 0;) {
    (*index)[d] = linear % sizes[d];
    linear /= sizes[d];
  }
}

// The first (last) accepted element of [begin, end), numbered row-major.
std::optional<int64_t> FindIn(const ElementReader& reader, const ElementCondition& condition, int64_t begin,
                              int64_t end, bool backwards, const std::atomic<bool>& cancelled) {
  const absl::Span<const int64_t> sizes = reader.dimensions();
  const int64_t row = sizes.empty() ? 1 : sizes.back();
  const int64_t axis = static_cast<int64_t>(sizes.size()) - 1;
  double values[kSearchBlock];
  std::vector<int64_t> index(sizes.size(), 0);
  while (begin < end && !cancelled.load(std::memory_order_relaxed)) {
    // A run within one row, from the front or from the back.
    int64_t from = begin, to = std::min({end, begin - begin % row + row, begin + kSearchBlock});
    if (backwards) {
      to = end;
      from = std::max({begin, (end - 1) - (end - 1) % row, end - kSearchBlock});
    }
    SetIndex(sizes, from, &index);
    reader.Read(index, axis, to - from, values);
    for (int64_t i = 0; i < to - from; ++i) {
      const int64_t k = backwards ? to - from - 1 - i : i;
      if (condition.Accepts(values[k])) return from + k;
    }
    (backwards ? end : begin) = backwards ? from : to;
  }
  return std::nullopt;
}

}  // namespace

bool ElementCondition::Accepts(double value) const {
  const double x = of_magnitude ? std::abs(value) : value;
  switch (kind) {
    case Kind::kEqual:
      return x == number;
    case Kind::kNotEqual:
      return x != number;
    case Kind::kLess:
      return x < number;
    case Kind::kLessEqual:
      return x <= number;
    case Kind::kGreater:
      return x > number;
    case Kind::kGreaterEqual:
      return x >= number;
    case Kind::kNan:
      return x != x;
    case Kind::kInfinity:
      return std::isinf(x);
    case Kind::kIndex:
      return false;
  }
  return false;
}

absl::StatusOr<ElementCondition> ReadElementCondition(const QString& text) {
  const std::string bytes = text.trimmed().toLower().toStdString();
  absl::string_view rest = bytes;
  if (rest.empty()) return absl::InvalidArgumentError("what to look for: nan, inf, 0.5, > 3, |x| > 100 or [3, 5]");
  if (rest[0] == '[') return ReadIndex(rest);
  ElementCondition condition;
  if (rest == "nan") {
    condition.kind = Kind::kNan;
    return condition;
  }
  if (rest == "inf") {
    condition.kind = Kind::kInfinity;
    return condition;
  }
  if (absl::ConsumePrefix(&rest, "|x|")) {
    condition.of_magnitude = true;
  } else if (rest[0] == 'x') {
    rest.remove_prefix(1);
  }
  rest = absl::StripAsciiWhitespace(rest);
  static constexpr struct {
    absl::string_view sign;
    Kind kind;
  } kSigns[] = {{"<=", Kind::kLessEqual}, {">=", Kind::kGreaterEqual}, {"==", Kind::kEqual}, {"!=", Kind::kNotEqual},
                {"<", Kind::kLess},       {">", Kind::kGreater},       {"=", Kind::kEqual}};
  for (const auto& [sign, kind] : kSigns) {
    if (!absl::ConsumePrefix(&rest, sign)) continue;
    condition.kind = kind;
    break;
  }
  if (!ReadNumber(rest, &condition.number)) {
    return absl::InvalidArgumentError(absl::StrCat("`", bytes,
                                                   "` is no condition; write nan, inf, 0.5, > 3, |x| > 100 "
                                                   "or an index such as [3, 5]"));
  }
  return condition;
}

std::optional<std::vector<int64_t>> FindElement(const ElementReader& reader, const ElementCondition& condition,
                                                const std::optional<std::vector<int64_t>>& after, bool backwards,
                                                const std::atomic<bool>& cancelled) {
  const absl::Span<const int64_t> sizes = reader.dimensions();
  const int64_t count = reader.element_count();
  int64_t start = backwards ? count : -1;
  if (after.has_value() && after->size() == sizes.size()) {
    start = 0;
    for (size_t d = 0; d < sizes.size(); ++d) start = start * sizes[d] + (*after)[d];
    start = std::clamp<int64_t>(start, 0, std::max<int64_t>(count - 1, 0));
  }
  std::optional<int64_t> found;
  if (backwards) {
    found = FindIn(reader, condition, 0, start, true, cancelled);
    if (!found) found = FindIn(reader, condition, start, count, true, cancelled);
  } else {
    found = FindIn(reader, condition, start + 1, count, false, cancelled);
    if (!found) found = FindIn(reader, condition, 0, std::min(count, start + 1), false, cancelled);
  }
  if (!found) return std::nullopt;
  std::vector<int64_t> index(sizes.size(), 0);
  SetIndex(sizes, *found, &index);
  return index;
}

}  // namespace hloscope::gui
