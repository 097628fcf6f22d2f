// SPDX-License-Identifier: Apache-2.0
// Places in the text that people know: the module's own, or the program that it was made from.
#ifndef HLOSCOPE_REPORTS_TEXT_PLACES_H_
#define HLOSCOPE_REPORTS_TEXT_PLACES_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"

namespace hloscope::reports {

// The text that people know, and where the instruction is in it.
const SourceText& KnownText(const Document& document);
SourceRange KnownRange(const Document& document, InstructionId id);

// Whether the instruction gives what an operation of the program gives; the others of the operation only prepare it.
// Always true of a module that was not made from a program.
bool IsWholeOperation(const Document& document, InstructionId id);

// Where a breakpoint in a line of the known text stops: the first instruction that begins in the line (from 0), at or
// after the column (in UTF-16 units; -1: the line's start), else the first one below. Nothing after the last one.
InstructionId InstructionAtLine(const Document& document, int64_t line, int64_t column);

// The instruction of LINE or FILE:LINE (from 1), where FILE is the known text with or without its folders; nothing if
// `place` is no such line. Error NotFound if no instruction is there.
absl::StatusOr<std::optional<InstructionId>> InstructionOfPlace(const Document& document, absl::string_view place);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_TEXT_PLACES_H_
