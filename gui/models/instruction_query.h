// SPDX-License-Identifier: Apache-2.0
// Searching instructions: by name, opcode, shape, op_name, source, attribute, or the value that a run has computed;
// plain text or a regular expression.
#ifndef HLOSCOPE_GUI_MODELS_INSTRUCTION_QUERY_H_
#define HLOSCOPE_GUI_MODELS_INSTRUCTION_QUERY_H_

#include <QRegularExpression>
#include <QString>
#include <functional>
#include <vector>

#include "core/document/document.h"
#include "core/ir/module.h"
#include "evaluator/engine/non_finite.h"

namespace hloscope::gui {

// What is known besides the module; without it, some fields match nothing.
struct QueryKnowledge {
  const Document* document = nullptr;
  std::function<evaluator::NonFinite(InstructionId)> health;
  std::function<bool(InstructionId)> executed;
};

class InstructionQuery {
 public:
  using Knowledge = QueryKnowledge;
  enum class Field { kAny, kName, kOpcode, kShape, kOpName, kSource, kAttribute, kHas };

  // "dot.3" (anywhere in name, opcode, shape or op_name), "opcode:dot", "shape:f32[8", "op_name:layer_3", "name:x";
  // "source:train.py:12", "attribute:dimensions={1}" (as the text has it); "has:nan" (or "has NaN"), "has:inf" and
  // "has:value" ask what the run has computed. "/pattern/" in place of the text is a regular expression. An opcode
  // without a pattern is meant whole. Capitals do not matter.
  static InstructionQuery Parse(const QString& text);
  InstructionQuery(Field field, const QString& text, bool is_pattern);

  bool is_empty() const { return text_.isEmpty(); }
  Field field() const { return field_; }
  bool is_pattern() const { return is_pattern_; }
  // Whether it asks for NaNs or infinities in values.
  bool needs_health() const { return field_ == Field::kHas && (AsksNan() || AsksInfinity()); }
  // What is wrong with the pattern; empty if nothing.
  QString error() const;
  bool Matches(const Module& module, InstructionId id, const Knowledge& knowledge = {}) const;
  // Matching instructions in text order, at most `limit`. O(instructions).
  std::vector<InstructionId> Find(const Module& module, size_t limit, const Knowledge& knowledge = {}) const;
  // The same in one computation.
  std::vector<InstructionId> Find(const Module& module, ComputationId computation, size_t limit,
                                  const Knowledge& knowledge = {}) const;

 private:
  bool AsksNan() const { return lower_ == "nan"; }
  bool AsksInfinity() const { return lower_ == "inf" || lower_ == "infinity"; }
  bool MatchesText(absl::string_view text, bool whole) const;
  bool MatchesSource(const Module& module, InstructionId id) const;
  bool MatchesAttribute(const Document& document, InstructionId id) const;
  bool MatchesValue(InstructionId id, const Knowledge& knowledge) const;

  Field field_ = Field::kAny;
  QString text_;
  std::string lower_;
  bool is_pattern_ = false;
  QRegularExpression pattern_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_INSTRUCTION_QUERY_H_
