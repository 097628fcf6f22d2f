// SPDX-License-Identifier: Apache-2.0
#include "lsp/protocol/position_mapper.h"

#include <utility>

namespace hloscope::lsp {

absl::string_view PositionEncodingName(ColumnUnit unit) {
  switch (unit) {
    case ColumnUnit::kUtf8:
      return "utf-8";
    case ColumnUnit::kUtf16:
      return "utf-16";
    case ColumnUnit::kUtf32:
      return "utf-32";
  }
  return "utf-16";
}

std::optional<ColumnUnit> PositionEncodingFromName(absl::string_view name) {
  for (ColumnUnit unit : {ColumnUnit::kUtf8, ColumnUnit::kUtf16, ColumnUnit::kUtf32}) {
    if (PositionEncodingName(unit) == name) return unit;
  }
  return std::nullopt;
}

protocol::Position PositionMapper::ToPosition(uint32_t offset) const {
  const LineColumn at = text_->LineColumnAt(offset, unit_);
  return {at.line, at.column};
}

protocol::Range PositionMapper::ToRange(SourceRange range) const {
  return {ToPosition(range.begin), ToPosition(range.end)};
}

uint32_t PositionMapper::ToOffset(protocol::Position position) const {
  return text_->OffsetAt({position.line, position.character}, unit_);
}

SourceRange PositionMapper::ToSourceRange(protocol::Range range) const {
  SourceRange result = {ToOffset(range.start), ToOffset(range.end)};
  if (result.end < result.begin) std::swap(result.begin, result.end);
  return result;
}

}  // namespace hloscope::lsp
