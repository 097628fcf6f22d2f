// SPDX-License-Identifier: Apache-2.0
// How the debugger shows values, statistics and text.
#ifndef HLOSCOPE_REPORTS_DEBUG_VIEW_H_
#define HLOSCOPE_REPORTS_DEBUG_VIEW_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "evaluator/debugger/question_limit.h"
#include "evaluator/tensor/value.h"

namespace hloscope::reports {

struct DebugLook {
  bool color = false;
  int width = 100;           // columns
  bool interactive = false;  // somebody reads along
};

enum class Paint : unsigned char { kBold, kDim, kName, kOpcode, kNumber, kBad, kGood };
// The text in a colour, if colours are wanted.
std::string Painted(const DebugLook& look, Paint paint, absl::string_view text);

// The name if it is short, else its ends: "very.long...name.12".
std::string ShortName(absl::string_view name, size_t width);

// Rows in columns as wide as their widest cell (the last column is cut at the width), two spaces apart and two in
// front.
std::string AlignedTable(const DebugLook& look, const std::vector<std::vector<std::string>>& rows);

// "NAME = f32[2,3]" and the elements as rows of aligned columns; the middle of long dimensions is left out.
std::string ValueText(const DebugLook& look, absl::string_view name, const evaluator::Value& value);

// Count, range, mean, NaNs, and a histogram of the finite elements.
// Ends early, with what is no use, when the limit is over.
std::string StatisticsTextOf(const DebugLook& look, absl::string_view name, const evaluator::Value& value,
                             evaluator::QuestionLimit& limit);

// The lines of the source around an instruction, with `=>` before its own. Attributes that fill lines without saying
// what is computed (metadata, backend_config, frontend_attributes) are left out.
std::string SourceListing(const DebugLook& look, const Document& document, InstructionId at, int context);

// The line of the program that the instruction was made from, with its place; empty if the module is the program.
std::string OperationLine(const DebugLook& look, const Document& document, InstructionId id);

// An instruction in one line: name, shape, opcode and operands.
std::string InstructionLine(const DebugLook& look, const Module& module, InstructionId id);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_DEBUG_VIEW_H_
