// SPDX-License-Identifier: Apache-2.0
// Attributes of instructions: which they may have, once each (docs/text-format.md 6.6, 9). Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_ATTRIBUTE_BUILDER_H_
#define HLOSCOPE_CORE_SEMANTICS_ATTRIBUTE_BUILDER_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/ir/opcode.h"
#include "core/ops/sugared_opcodes.h"
#include "core/semantics/name_scopes.h"
#include "core/semantics/read_text.h"
#include "core/semantics/reading_progress.h"
#include "core/semantics/recent_attributes.h"

namespace hloscope {

class AttributeBuilder {
 public:
  AttributeBuilder(ReadText& text, ReadingProgress& progress, Module& module, const InstructionScope& instructions,
                   const ComputationScope& computations)
      : text_(text), progress_(progress), module_(module), instructions_(instructions), computations_(computations) {}

  // All attributes of the node. `wrapped`: the computation that the sugar of a start stands for.
  void ReadAll(const InstructionSyntax& node, InstructionId id, Opcode opcode, const std::optional<AsyncSugar>& sugar,
               ComputationId wrapped);
  // Many instructions have attributes that are spelt the same: such a value is read and stored once.
  void Read(const AttributeSyntax& attribute, uint32_t number, AttributeKind kind, InstructionId id);
  // Whether an earlier attribute of the node has the name of attribute `i`; reports that.
  bool IsDuplicate(const InstructionSyntax& node, uint32_t i);
  // `meant`: attributes that are there under misspelt names.
  void CheckRequired(const InstructionSyntax& node, InstructionId id, Opcode opcode,
                     absl::Span<const absl::string_view> meant);

 private:
  // `order` of a comparison, which is a type here; false if it is none.
  bool ReadOrder(const InstructionSyntax& node, uint32_t i, Opcode opcode, InstructionId id);
  // An attribute of earlier versions (docs/text-format.md 9); false if it is none.
  bool ReadOld(const InstructionSyntax& node, uint32_t i, Opcode opcode, InstructionId id);
  // Returns the attribute that is probably meant.
  absl::string_view ReportUnknown(const AttributeSyntax& attribute, Opcode opcode,
                                  const std::optional<AsyncSugar>& sugar);
  // What the names in values mean; unknown ones are reported.
  InstructionId FindInstruction(absl::string_view name, SourceRange range);
  ComputationId FindComputation(absl::string_view name, SourceRange range);

  ReadText& text_;
  ReadingProgress& progress_;
  Module& module_;
  const InstructionScope& instructions_;
  const ComputationScope& computations_;
  RecentAttributes recent_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_ATTRIBUTE_BUILDER_H_
