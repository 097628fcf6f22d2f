// Searching instructions: by name, opcode, shape, op_name, or all of them; plain text or a regular expression.
#ifndef HLOSCOPE_GUI_MODELS_INSTRUCTION_QUERY_H_
#define HLOSCOPE_GUI_MODELS_INSTRUCTION_QUERY_H_

#include <QRegularExpression>
#include <QString>
#include <vector>

#include "core/ir/module.h"

namespace hloscope::gui {

class InstructionQuery {
 public:
  enum class Field { kAny, kName, kOpcode, kShape, kOpName };

  // "dot.3" (anywhere in name, opcode, shape or op_name), "opcode:dot", "shape:f32[8", "op_name:layer_3", "name:x";
  // "/pattern/" in place of the text is a regular expression. An opcode without a pattern is meant whole. Capitals do
  // not matter.
  static InstructionQuery Parse(const QString& text);
  InstructionQuery(Field field, const QString& text, bool is_pattern);

  bool is_empty() const { return text_.isEmpty(); }
  // What is wrong with the pattern; empty if nothing.
  QString error() const;
  bool Matches(const Module& module, InstructionId id) const;
  // Matching instructions in text order, at most `limit`. O(instructions).
  std::vector<InstructionId> Find(const Module& module, size_t limit) const;
  // The same in one computation.
  std::vector<InstructionId> Find(const Module& module, ComputationId computation, size_t limit) const;

 private:
  bool MatchesText(absl::string_view text, bool whole) const;

  Field field_ = Field::kAny;
  QString text_;
  std::string lower_;
  bool is_pattern_ = false;
  QRegularExpression pattern_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_INSTRUCTION_QUERY_H_
