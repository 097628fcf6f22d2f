// SPDX-License-Identifier: Apache-2.0
#include "core/editing/completion.h"

#include <optional>
#include <string>

#include "core/editing/completion_parts.h"
#include "core/semantics/shape_reader.h"

namespace hloscope {
namespace {

using Place = CursorContext::Place;

}  // namespace

std::optional<Shape> ReadShapeAt(const Document& document, SourceRange range) {
  if (range.empty()) return std::nullopt;
  DiagnosticSink sink;
  const auto source = SourceText::FromString("", std::string(document.source().Slice(range)));
  return ReadShapeText(*source, sink);
}

PartialInstruction PartialInstructionAt(const Document& document, const CursorContext& context) {
  const Module& module = document.module();
  PartialInstruction partial;
  partial.opcode = context.opcode;
  partial.result = ReadShapeAt(document, context.shape);
  if (!context.computation.has_value()) return partial;
  for (absl::string_view name : context.operand_names) {
    const InstructionId id = name.empty() ? InstructionId::None() : module.FindInstruction(context.computation, name);
    partial.operands.push_back(id.has_value() ? module.shape(id) : Shape());
  }
  return partial;
}

CompletionChoices Complete(const Document& document, uint32_t offset, const CompletionOptions& options) {
  Completion c(document, offset, options);
  switch (c.context.place) {
    case Place::kNone:
      break;
    case Place::kTopLevel:
      AddTopLevel(c);
      break;
    case Place::kHeaderAttribute:
      AddHeaderAttributes(c);
      break;
    case Place::kHeaderValue:
      AddHeaderValue(c);
      break;
    case Place::kThreadAttribute:
      c.list.AddWord(ChoiceKind::kAttribute, "execution_thread", "execution_thread=\"main\"", "of the computation", 0,
                     CompletionList::kNoIndex);
      break;
    case Place::kInstructionStart:
      c.list.AddWord(ChoiceKind::kKeyword, "ROOT", "ROOT ", "the result of the computation", 1);
      AddNewInstructions(c);
      break;
    case Place::kShapeOrOpcode:
      AddOpcodes(c);
      AddShapes(c);
      AddElementTypes(c);
      break;
    case Place::kOpcode:
      AddOpcodes(c);
      break;
    case Place::kElementType:
      AddElementTypes(c);
      break;
    case Place::kLayout:
      AddLayouts(c);
      break;
    case Place::kOperand:
      AddOperands(c, c.context.operand);
      AddBuilderParameters(c);
      break;
    case Place::kAttributeName:
      AddAttributes(c);
      break;
    case Place::kAttributeValue:
      AddAttributeValues(c);
      break;
  }
  return c.list.Finish(c.context.word);
}

}  // namespace hloscope
