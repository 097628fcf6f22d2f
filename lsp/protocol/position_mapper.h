// SPDX-License-Identifier: Apache-2.0
// The one place where byte offsets and LSP positions are converted into each other.
#ifndef HLOSCOPE_LSP_PROTOCOL_POSITION_MAPPER_H_
#define HLOSCOPE_LSP_PROTOCOL_POSITION_MAPPER_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "core/source/source_text.h"
#include "lsp/protocol/types.h"

namespace hloscope::lsp {

// "utf-8", "utf-16" or "utf-32".
absl::string_view PositionEncodingName(ColumnUnit unit);
std::optional<ColumnUnit> PositionEncodingFromName(absl::string_view name);

// Cheap to make and copy; must not outlive the text.
class PositionMapper {
 public:
  PositionMapper(const SourceText& text, ColumnUnit unit) : text_(&text), unit_(unit) {}

  protocol::Position ToPosition(uint32_t offset) const;
  protocol::Range ToRange(SourceRange range) const;
  // Positions beyond the end of a line or of the text mean the end of that line or of the text.
  uint32_t ToOffset(protocol::Position position) const;
  // A range whose end lies before its start is turned round.
  SourceRange ToSourceRange(protocol::Range range) const;

  const SourceText& text() const { return *text_; }
  ColumnUnit unit() const { return unit_; }

 private:
  const SourceText* text_;
  ColumnUnit unit_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_PROTOCOL_POSITION_MAPPER_H_
