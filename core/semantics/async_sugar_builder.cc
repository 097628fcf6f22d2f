// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/async_sugar_builder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ops/asynchronous.h"

namespace hloscope {
namespace {

void DescribeParameter(Module& module, InstructionId id, size_t number) {
  Instruction& instruction = module.mutable_instruction(id);
  instruction.synthesized = true;
  instruction.shape_declared = true;
  instruction.parameter_number = static_cast<uint32_t>(number);
}

}  // namespace

ComputationId AsyncSugarBuilder::Wrap(SyntaxId syntax_id, Opcode opcode, const Shape& shape) {
  const InstructionSyntax& node = text_.node(syntax_id);
  const SourceRange at = text_.nodes().Resolve(node, Anchor::Shape(), kNoSyntaxNode);
  if (!shape.IsTuple() || shape.tuple_size() < 2 || !shape.element(0).IsTuple()) {
    text_.sink().Report(DiagnosticKind::kAsyncLink, at,
                        absl::StrCat("the shape of an asynchronous start is ((operands...), result, ...), not ",
                                     shape.ToString(false)));
    return ComputationId::None();
  }
  const ComputationId wrapped = module_.AddComputation(kAsyncComputationName);
  module_.mutable_computation(wrapped).is_anonymous = true;
  std::vector<InstructionId> parameters;
  for (const Shape& element : shape.element(0).elements()) {
    const InstructionId parameter =
        module_.AddInstruction(wrapped, Opcode::kParameter, AsyncParameterName(parameters.size()), element, {});
    DescribeParameter(module_, parameter, parameters.size());
    parameters.push_back(parameter);
  }
  const InstructionId root = module_.AddInstruction(wrapped, opcode, kAsyncOperationName, shape.element(1), parameters);
  {
    Instruction& instruction = module_.mutable_instruction(root);
    instruction.synthesized = true;
    instruction.shape_declared = true;
    instruction.syntax = progress_.NodeOfText(syntax_id);  // where diagnostics about it are shown
  }
  Computation& computation = module_.mutable_computation(wrapped);
  computation.parameters = parameters;
  computation.root = root;
  for (uint32_t i = 0; i < node.attribute_count; ++i) {
    const AttributeSyntax& attribute = text_.attribute(node, i);
    const absl::string_view name = text_.NameOf(attribute.name);
    const auto kind = AttributeFromName(opcode, name);
    if (!kind || !(BelongsToWrapped(*kind, opcode) || IsCopiedToWrapped(*kind))) continue;
    if (attributes_.IsDuplicate(node, i)) continue;
    attributes_.Read(attribute, i, *kind, root);
  }
  attributes_.CheckRequired(node, root, opcode, {});
  signatures_.insert_or_assign(wrapped, WrappedSignature(module_, root, shape));
  SetSignature(wrapped);
  return wrapped;
}

void AsyncSugarBuilder::SetSignature(ComputationId wrapped) {
  const WrappedSignature& signature = signatures_.at(wrapped);
  std::vector<InstructionId> parameters = module_.computation(wrapped).parameters;
  InstructionId root = module_.computation(wrapped).root;
  if (signature.parameters().size() > parameters.size()) {
    // Operands are stored before their users: the root becomes the next parameter, and a new one follows.
    const Instruction old_root = module_.instruction(root);
    const absl::Span<const Attribute> listed = module_.attributes(root);
    const std::vector<Attribute> attributes(listed.begin(), listed.end());
    const ShapeId shape = module_.InternShape(Shape::Tuple({}));
    const StringId name = module_.InternString(AsyncParameterName(parameters.size()));
    module_.ReplaceInstruction(root, Opcode::kParameter, name, shape, {});
    DescribeParameter(module_, root, parameters.size());
    parameters.push_back(root);
    while (parameters.size() < signature.parameters().size()) {
      const std::string next_name = AsyncParameterName(parameters.size());
      parameters.push_back(module_.AddInstruction(wrapped, Opcode::kParameter, next_name, Shape::Tuple({}), {}));
      DescribeParameter(module_, parameters.back(), parameters.size() - 1);
    }
    root = module_.AddInstruction(wrapped, old_root.opcode, old_root.name, old_root.shape, parameters);
    Instruction& instruction = module_.mutable_instruction(root);
    instruction.synthesized = instruction.shape_declared = true;
    instruction.syntax = old_root.syntax;
    for (const Attribute& attribute : attributes) module_.AddShared(root, attribute, attribute.syntax);
    Computation& computation = module_.mutable_computation(wrapped);
    computation.parameters = parameters;
    computation.root = root;
  }
  for (size_t k = 0; k < std::min(parameters.size(), signature.parameters().size()); ++k) {
    if (module_.shape(parameters[k]) != signature.parameters()[k]) {
      module_.SetShape(parameters[k], signature.parameters()[k]);
    }
  }
  if (module_.shape(root) != signature.result()) module_.SetShape(root, signature.result());
}

void AsyncSugarBuilder::CheckLink(InstructionId id, Opcode wrapped) {
  const InstructionId link = FindAsyncStart(module_, id);
  if (!link.has_value() || module_.opcode(link) != Opcode::kAsyncStart) return;
  const ComputationId callee = module_.ComputationAttribute(link, AttributeKind::kCalls);
  if (!callee.has_value()) return;
  const InstructionId root = module_.computation(callee).root;
  if (!root.has_value() || module_.opcode(root) == Opcode::kInvalid) return;
  if (module_.opcode(root) == wrapped) {
    const auto signature = signatures_.find(callee);
    if (signature == signatures_.end()) return;
    signature->second.Bind(module_.opcode(id), module_.shape(id));
    SetSignature(callee);
    return;
  }
  text_.sink()
      .Report(DiagnosticKind::kAsyncLink, text_.ids().Resolve(id, Anchor::Opcode()),
              absl::StrCat("this continues `", module_.InstructionName(link), "`, which wraps `",
                           OpcodeName(module_.opcode(root)), "`, not `", OpcodeName(wrapped), "`"))
      .Related(text_.ids().Resolve(link, Anchor::Opcode()), "the start is here");
}

}  // namespace hloscope
