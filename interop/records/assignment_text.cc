// SPDX-License-Identifier: Apache-2.0
// `BufferAssignment:` of a dump.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/ir/checked_math.h"
#include "interop/records/records.h"

namespace hloscope::interop {
namespace {

constexpr size_t kMaxContradictions = 100;

// "0,1" or "" to an index.
std::optional<std::vector<int64_t>> IndexOf(absl::string_view text) {
  std::vector<int64_t> index;
  if (text.empty()) return index;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(part, &number) || number < 0) return std::nullopt;
    index.push_back(number);
  }
  return index;
}

// allocation 3: size 272, color 1, parameter 0, shape |f32[4]| at ShapeIndex {1}, output shape is |(f32[4], s32[])|,
// maybe-live-out, preallocated-temp:
std::optional<AssignedAllocation> AllocationLine(absl::string_view line) {
  AssignedAllocation allocation;
  if (!absl::ConsumePrefix(&line, "allocation ")) return std::nullopt;
  const size_t colon = line.find(':');
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(line.substr(0, colon), &allocation.index)) {
    return std::nullopt;
  }
  line.remove_prefix(colon + 1);
  absl::ConsumeSuffix(&line, ":");
  // Shapes hold commas: what is between bars is left out.
  std::string words;
  bool in_shape = false;
  for (char c : line) {
    if (c == '|')
      in_shape = !in_shape;
    else if (!in_shape)
      words.push_back(c);
  }
  const size_t at = words.find("ShapeIndex {");
  if (at != std::string::npos) {
    const size_t begin = at + 12, end = words.find('}', begin);
    if (end == std::string::npos) return std::nullopt;
    const auto index = IndexOf(absl::string_view(words).substr(begin, end - begin));
    if (!index) return std::nullopt;
    allocation.parameter_shape_index = *index;
    words.erase(at, end + 1 - at);
  }
  bool has_size = false;
  for (absl::string_view part : absl::StrSplit(words, ',')) {
    part = absl::StripAsciiWhitespace(part);
    if (absl::ConsumePrefix(&part, "size "))
      has_size = absl::SimpleAtoi(part, &allocation.size);
    else if (absl::ConsumePrefix(&part, "color "))
      (void)absl::SimpleAtoi(part, &allocation.color);
    else if (absl::ConsumePrefix(&part, "parameter "))
      (void)absl::SimpleAtoi(part, &allocation.parameter_number);
    else if (part == "constant")
      allocation.is_constant = true;
    else if (part == "thread-local")
      allocation.is_thread_local = true;
    else if (part == "maybe-live-out")
      allocation.maybe_live_out = true;
  }
  if (!has_size) return std::nullopt;
  allocation.is_aliased_with_output = allocation.parameter_number >= 0 && allocation.maybe_live_out;
  return allocation;
}

// value: <5 add.2{0} (phi) @1> (size=16,offset=0): f32[4]{0}
std::optional<AssignedValue> ValueLine(absl::string_view line) {
  AssignedValue value;
  if (!absl::ConsumePrefix(&line, "value: <")) return std::nullopt;
  const size_t close = line.find('>');
  if (close == absl::string_view::npos) return std::nullopt;
  absl::string_view name = line.substr(0, close), rest = line.substr(close + 1);
  const size_t space = name.find(' ');
  if (space == absl::string_view::npos || !absl::SimpleAtoi(name.substr(0, space), &value.id)) return std::nullopt;
  name.remove_prefix(space + 1);
  const size_t color = name.rfind(" @");
  if (color != absl::string_view::npos) {
    (void)absl::SimpleAtoi(name.substr(color + 2), &value.color);
    name = name.substr(0, color);
  }
  absl::ConsumeSuffix(&name, " (phi)");
  const size_t brace = name.find('{');
  if (brace != absl::string_view::npos && absl::EndsWith(name, "}")) {
    const auto index = IndexOf(name.substr(brace + 1, name.size() - brace - 2));
    if (!index) return std::nullopt;
    value.shape_index = *index;
    name = name.substr(0, brace);
  }
  value.instruction_name = std::string(absl::StripPrefix(absl::StripAsciiWhitespace(name), "%"));
  const size_t size = rest.find("(size="), offset = rest.find(",offset=");
  if (size == absl::string_view::npos || offset == absl::string_view::npos || offset < size) return std::nullopt;
  const size_t end = rest.find(')', offset);
  if (end == absl::string_view::npos || !absl::SimpleAtoi(rest.substr(size + 6, offset - size - 6), &value.size) ||
      !absl::SimpleAtoi(rest.substr(offset + 8, end - offset - 8), &value.offset)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

absl::StatusOr<BufferAssignment> ReadBufferAssignmentText(absl::string_view text) {
  BufferAssignment assignment;
  const auto contradict = [&](auto... what) {
    if (assignment.contradictions.size() < kMaxContradictions)
      assignment.contradictions.push_back(absl::StrCat(what...));
  };
  int64_t number = 0;
  bool has_end = false;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (absl::StartsWith(line, "allocation ")) {
      std::optional<AssignedAllocation> allocation = AllocationLine(line);
      if (!allocation || allocation->size < 0) {
        contradict("line ", number, " is no allocation");
        continue;
      }
      if (allocation->index != static_cast<int64_t>(assignment.allocations.size())) {
        contradict("line ", number, ": allocation ", allocation->index, " is number ", assignment.allocations.size());
      }
      if (!allocation->is_thread_local) {
        assignment.total_bytes = SaturatingSum(assignment.total_bytes, allocation->size);
      }
      assignment.allocations.push_back(*std::move(allocation));
    } else if (absl::StartsWith(line, "value: <") && absl::StrContains(line, "(size=")) {
      std::optional<AssignedValue> value = ValueLine(line);
      if (!value || assignment.allocations.empty()) {
        contradict("line ", number, " is no value of an allocation");
        continue;
      }
      AssignedAllocation& allocation = assignment.allocations.back();
      if (value->offset < 0 || value->size < 0 || value->offset > allocation.size - value->size) {
        contradict("allocation ", allocation.index, ": value ", value->id, " lies outside of it");
      }
      allocation.values.push_back(*std::move(value));
    } else if (absl::StartsWith(line, "Total bytes") || absl::StartsWith(line, "Used values:") ||
               absl::StartsWith(line, "HloLiveRange")) {
      has_end = true;
      if (!absl::StartsWith(line, "Total")) break;
    }
  }
  if (assignment.allocations.empty()) {
    return absl::InvalidArgumentError("this is no buffer assignment: it has no line `allocation N: size BYTES`");
  }
  if (!has_end) contradict("the text ends before `Total bytes used`: it may be cut off");
  return assignment;
}

}  // namespace hloscope::interop
