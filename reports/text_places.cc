// SPDX-License-Identifier: Apache-2.0
#include "reports/text_places.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace hloscope::reports {
namespace {

// The instruction that was made of what is at the offset of the program, the one that gives its value first.
InstructionId InstructionMadeAt(const Document& document, const TextOrigin& origin, uint32_t offset) {
  const TextOrigin::Part* found = nullptr;
  for (const TextOrigin::Part& part : origin.parts) {
    if (part.role == TextOrigin::Role::kImplied || offset < part.original.begin || offset >= part.original.end)
      continue;
    // Of nested operations the innermost.
    if (found == nullptr || part.original.size() < found->original.size()) found = &part;
  }
  return found == nullptr ? InstructionId() : document.InstructionAt(found->made.begin);
}

// The instruction whose text begins first at or after the offset.
InstructionId FirstInstructionFrom(const Document& document, uint32_t offset) {
  InstructionId best;
  uint32_t best_begin = 0;
  for (size_t i = 0; i < document.module().instruction_count(); ++i) {
    const SourceRange range = document.InstructionRange(InstructionId(i));
    if (range.size() == 0 || range.begin < offset) continue;
    if (!best.has_value() || range.begin < best_begin) {
      best = InstructionId(i);
      best_begin = range.begin;
    }
  }
  return best;
}

}  // namespace

const SourceText& KnownText(const Document& document) {
  const TextOrigin* const origin = document.source().origin();
  return origin != nullptr ? *origin->source : document.source();
}

SourceRange KnownRange(const Document& document, InstructionId id) {
  const TextOrigin* const origin = document.source().origin();
  const SourceRange range = document.InstructionRange(id);
  return origin != nullptr ? origin->OriginalRange(range) : range;
}

bool IsWholeOperation(const Document& document, InstructionId id) {
  const TextOrigin* const origin = document.source().origin();
  if (origin == nullptr) return true;
  const TextOrigin::Part* const part = origin->PartAt(document.InstructionRange(id).begin);
  return part == nullptr || part->role == TextOrigin::Role::kResult;
}

InstructionId InstructionAtLine(const Document& document, int64_t line, int64_t column) {
  const SourceText& text = KnownText(document);
  if (line < 0 || line >= static_cast<int64_t>(text.line_count())) return InstructionId();
  const auto row = static_cast<uint32_t>(line);
  const uint32_t offset =
      column < 0 ? text.LineStart(row) : text.OffsetAt({row, static_cast<uint32_t>(column)}, ColumnUnit::kUtf16);
  const TextOrigin* const origin = document.source().origin();
  if (column >= 0) {
    // Inside of the text of one, that one is meant.
    const InstructionId at =
        origin != nullptr ? InstructionMadeAt(document, *origin, offset) : document.InstructionAt(offset);
    if (at.has_value()) return at;
  }
  if (origin == nullptr) return FirstInstructionFrom(document, offset);
  const TextOrigin::Part* const part = origin->FirstPartFrom(offset);
  return part == nullptr ? InstructionId() : document.InstructionAt(part->made.begin);
}

absl::StatusOr<std::optional<InstructionId>> InstructionOfPlace(const Document& document, absl::string_view place) {
  const absl::string_view name = KnownText(document).name();
  const size_t colon = place.rfind(':');
  const absl::string_view file = colon == absl::string_view::npos ? "" : place.substr(0, colon);
  int64_t line = 0;
  if (!absl::SimpleAtoi(colon == absl::string_view::npos ? place : place.substr(colon + 1), &line)) return std::nullopt;
  if (!file.empty() && file != name && !absl::EndsWith(name, absl::StrCat("/", file))) return std::nullopt;
  const InstructionId id = InstructionAtLine(document, line - 1, -1);
  if (id.has_value()) return id;
  return absl::NotFoundError(absl::StrCat("there is no instruction at or below line ", line, " of ", name));
}

}  // namespace hloscope::reports
