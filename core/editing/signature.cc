// SPDX-License-Identifier: Apache-2.0
#include "core/editing/signature.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/builder/builder_calls.h"
#include "core/editing/completion.h"
#include "core/editing/cursor_context.h"
#include "core/ops/operand_roles.h"

namespace hloscope {
namespace {

// More operands than these are not written out.
constexpr size_t kMaxOperands = 12;

class Label {
 public:
  explicit Label(Signature* signature) : signature_(signature) {}
  void Text(absl::string_view text) { absl::StrAppend(&signature_->label, text); }
  uint32_t Parameter(absl::string_view text, absl::string_view doc) {
    const uint32_t begin = static_cast<uint32_t>(signature_->label.size());
    Text(text);
    signature_->parameters.emplace_back(begin, static_cast<uint32_t>(signature_->label.size()));
    signature_->parameter_docs.emplace_back(doc);
    return static_cast<uint32_t>(signature_->parameters.size() - 1);
  }

 private:
  Signature* signature_;
};

// Of a call of the builder interface whose operand number `operand` is being written.
Signature SignatureOfCall(const BuilderCall& call, size_t operand) {
  Signature signature;
  Label label(&signature);
  label.Text(absl::StrCat(call.name, "("));
  absl::string_view separator;
  for (size_t k = 0; k < call.operands.size(); ++k) {
    label.Text(separator);
    const uint32_t number = label.Parameter(call.operands[k].name, "");
    if (k == operand) signature.active_parameter = number;
    separator = ", ";
  }
  if (call.takes_more) label.Text(", ...");
  for (const BuilderParameter& parameter : call.parameters) {
    label.Text(separator);
    label.Parameter(absl::StrCat(parameter.name, "="), parameter.meaning);
  }
  label.Text(")");
  signature.documentation = absl::StrCat(call.meaning, "; a fix on the call expands it into HLO");
  return signature;
}

}  // namespace

std::optional<Signature> SignatureAt(const Document& document, uint32_t offset) {
  using Place = CursorContext::Place;
  const CursorContext context = CursorContextAt(document, offset);
  const bool in_operands = offset >= context.arguments.begin && offset <= context.arguments.end &&
                           context.arguments.begin > 0 && context.place != Place::kOpcode;
  const bool in_attributes = context.place == Place::kAttributeName || context.place == Place::kAttributeValue;
  if (!in_operands && !in_attributes) return std::nullopt;
  if (context.opcode == Opcode::kInvalid) {
    const BuilderCall* const call = WrittenBuilderCall(context.unknown_opcode);
    return call != nullptr ? std::optional(SignatureOfCall(*call, context.operand)) : std::nullopt;
  }

  const OpcodeInfo& info = InfoOf(context.opcode);
  const PartialInstruction partial = PartialInstructionAt(document, context);
  Signature signature;
  Label label(&signature);
  label.Text(absl::StrCat(info.name, "("));
  const size_t written = std::max(context.operand_names.size(), in_operands ? context.operand + 1 : 0);
  const size_t least = LeastOperandCount(context.opcode);
  const size_t count = least == 0 ? 0 : std::max(written, least);
  for (size_t k = 0; k < std::min(count, kMaxOperands); ++k) {
    if (k > 0) label.Text(", ");
    std::string text = OperandRole(context.opcode, k, count);
    if (k < partial.operands.size() && partial.operands[k].IsValid())
      absl::StrAppend(&text, ": ", partial.operands[k].ToString(false).substr(0, 80));
    const uint32_t number = label.Parameter(text, "");
    if (in_operands && !in_attributes && k == context.operand) signature.active_parameter = number;
  }
  if (count > kMaxOperands) label.Text(", ...");
  if (info.arity < 0 && count <= kMaxOperands) label.Text(count == 0 ? "..." : ", ...");
  label.Text(")");
  std::vector<AttributeKind> shown(info.required.begin(), info.required.end());
  if (context.place == Place::kAttributeValue &&
      std::find(shown.begin(), shown.end(), context.attribute) == shown.end()) {
    shown.push_back(context.attribute);
  }
  for (AttributeKind attribute : shown) {
    label.Text(", ");
    const uint32_t number = label.Parameter(absl::StrCat(AttributeName(attribute), "="), InfoOf(attribute).doc);
    if (context.place == Place::kAttributeValue && attribute == context.attribute) signature.active_parameter = number;
  }
  if (partial.result && partial.result->IsValid())
    label.Text(absl::StrCat(" -> ", partial.result->ToString(false).substr(0, 80)));
  return signature;
}

}  // namespace hloscope
