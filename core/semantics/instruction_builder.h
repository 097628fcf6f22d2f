// SPDX-License-Identifier: Apache-2.0
// Instructions: their names, shapes, operands and arguments (docs/text-format.md 6.1, 6.2, 6.17). Internal to
// core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_INSTRUCTION_BUILDER_H_
#define HLOSCOPE_CORE_SEMANTICS_INSTRUCTION_BUILDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/builder/builder_calls.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"
#include "core/ops/sugared_opcodes.h"
#include "core/semantics/async_sugar_builder.h"
#include "core/semantics/attribute_builder.h"
#include "core/semantics/builder_call_reader.h"
#include "core/semantics/name_scopes.h"
#include "core/semantics/parameter_numbers.h"
#include "core/semantics/read_text.h"
#include "core/semantics/reading_progress.h"
#include "core/semantics/shape_cache.h"

namespace hloscope {

class InstructionBuilder {
 public:
  // What the instructions of a module have in common, or the instructions of the computation that is read.
  struct Parts {
    InstructionScope& scope;
    ParameterNumbers& parameters;
    ShapeCache& shapes;
    AttributeBuilder& attributes;
    AsyncSugarBuilder& sugar;
  };
  InstructionBuilder(ReadText& text, ReadingProgress& progress, Module& module, const VerifyOptions& options,
                     const Parts& parts)
      : text_(text),
        progress_(progress),
        module_(module),
        options_(options),
        scope_(parts.scope),
        parameters_(parts.parameters),
        shapes_(parts.shapes),
        attributes_(parts.attributes),
        sugar_(parts.sugar) {}

  void StartComputation() { tuple_elements_.clear(); }
  // Adds the instruction of the node to the computation, or makes it the one that is updated. What cannot be read has
  // the opcode kInvalid.
  void Build(SyntaxId syntax_id);

 private:
  // The name that is written, or one that is made up.
  StringId NameFor(SyntaxId syntax_id);
  bool IsOutermost(SyntaxId id) const { return id.index() + 1 == text_.tree().instructions.size(); }

  struct WrittenOpcode {
    Opcode opcode;
    std::optional<AsyncSugar> sugar;  // of `all-reduce-start` and the like: `opcode` is then its link
  };
  // Nothing, and no diagnostic, if the word is no opcode.
  std::optional<WrittenOpcode> ReadOpcode(const InstructionSyntax& node);

  // Asks for the memory that instructions a little after this one will be read from.
  void FetchAhead(SyntaxId syntax_id) const;

  InstructionId Place(Opcode opcode, StringId name, ShapeId shape, absl::Span<const InstructionId> operands);
  // Keeps the name and, if it is readable, the shape, so that users are neither reported nor left unanalysed.
  // `shape` is used if none is written.
  void AddUnreadable(SyntaxId syntax_id, StringId name, const Shape& shape = Shape());
  // A call of the builder interface.
  void AddBuilderCall(SyntaxId syntax_id, StringId name, const BuilderCall& call);
  void DeclareInstruction(const InstructionSyntax& node, StringId name, InstructionId id);

  void ReadOperands(const InstructionSyntax& node);
  InstructionId ReadReference(const OperandSyntax& operand, uint32_t k);
  // In a text of one instruction, unknown operands are its parameters (docs/text-format.md 2.1).
  InstructionId AddImpliedParameter(absl::string_view name, ShapeId shape);
  // `t#2#0`: one get-tuple-element per distinct path and computation (docs/text-format.md 6.2).
  InstructionId ReadTupleAccess(const OperandSyntax& operand, InstructionId base);

  void ReadConstant(const InstructionSyntax& node, InstructionId id);

  ReadText& text_;
  ReadingProgress& progress_;
  Module& module_;
  const VerifyOptions& options_;
  InstructionScope& scope_;
  ParameterNumbers& parameters_;
  ShapeCache& shapes_;
  AttributeBuilder& attributes_;
  AsyncSugarBuilder& sugar_;
  absl::flat_hash_map<std::string, int> anonymous_count_;  // by opcode
  std::optional<SnippetNames> snippet_names_;  // of the whole text, once a call of the builder interface is read
  absl::flat_hash_map<std::pair<InstructionId, int64_t>, InstructionId> tuple_elements_;  // of the computation
  std::vector<InstructionId> operands_;  // of the instruction, while its node is read
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_INSTRUCTION_BUILDER_H_
