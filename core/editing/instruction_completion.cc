// SPDX-License-Identifier: Apache-2.0
// Completion of opcodes, calls of the builder interface and operands.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/editing/builder_call_snippet.h"
#include "core/editing/completion_parts.h"
#include "core/editing/snippet_writer.h"
#include "core/editing/statement_edits.h"
#include "core/ops/operand_roles.h"

namespace hloscope {
namespace {

// Longer shapes are not written into holes.
constexpr size_t kMaxHole = 200;

// The operands that a new instruction of that opcode might take: one for each, all different as far as possible.
std::vector<std::string> GuessOperands(const Completion& c, PartialInstruction* partial) {
  const std::vector<InstructionId>& values = c.scope.values();
  std::vector<std::string> names;
  std::vector<InstructionId> used;
  const size_t count = LeastOperandCount(partial->opcode);
  for (size_t k = 0; k < count; ++k) {
    InstructionId best;
    int64_t best_value = 0;
    for (size_t i = 0; i < std::min(values.size(), kRecentValues); ++i) {
      if (FitOfOperand(*partial, k, c.module.shape(values[i])) == Fit::kWrong) continue;
      int64_t value = c.scope.ValueOfOperand(*partial, k, values[i], i);
      if (std::find(used.begin(), used.end(), values[i]) != used.end()) value -= int64_t{1} << 38;
      if (best.has_value() && value <= best_value) continue;
      best = values[i];
      best_value = value;
    }
    partial->operands.push_back(best.has_value() ? c.module.shape(best) : Shape());
    names.push_back(best.has_value() ? c.scope.Spelled(c.module.InstructionName(best))
                                     : OperandRole(partial->opcode, k, count));
    used.push_back(best);
  }
  return names;
}

int64_t NextParameter(const Completion& c) {
  if (!c.context.computation.has_value()) return 0;
  return static_cast<int64_t>(c.module.computation(c.context.computation).parameters.size());
}

// `shape opcode(operands), attributes`, with what must be there.
void WriteInstruction(const Completion& c, Opcode opcode, bool with_shape, SnippetText* out) {
  PartialInstruction partial;
  partial.opcode = opcode;
  partial.result = c.partial.result;
  const std::vector<std::string> operands = GuessOperands(c, &partial);
  if (with_shape && !InfoOf(opcode).shape_can_be_omitted) {
    const bool known = !partial.operands.empty() && partial.operands[0].IsValid();
    const std::string shape = known ? partial.operands[0].ToString(false) : "f32[]";
    out->Hole(shape.size() > kMaxHole ? "f32[]" : shape).Text(" ");
  }
  out->Text(absl::StrCat(OpcodeName(opcode), "("));
  if (opcode == Opcode::kParameter) out->Hole(absl::StrCat(NextParameter(c)));
  if (opcode == Opcode::kConstant) out->Hole("0");
  for (size_t k = 0; k < operands.size(); ++k) {
    if (k > 0) out->Text(", ");
    out->Hole(operands[k]);
  }
  out->Text(")");
  std::vector<AttributeKind> wanted(InfoOf(opcode).required.begin(), InfoOf(opcode).required.end());
  // What hardly ever works without.
  if (opcode == Opcode::kDot) wanted = {AttributeKind::kLhsContractingDims, AttributeKind::kRhsContractingDims};
  if (opcode == Opcode::kBroadcast) wanted = {AttributeKind::kDimensions};
  if (opcode == Opcode::kConvolution || opcode == Opcode::kReduceWindow)
    wanted.insert(wanted.begin(), AttributeKind::kWindow);
  for (AttributeKind attribute : wanted) {
    out->Text(absl::StrCat(", ", AttributeName(attribute), "="));
    WriteAttributeValue(partial, attribute, c.scope.BestComputation(partial, attribute), *out);
  }
}

// A call of the builder interface with operands that fit, as far as there are any.
void WriteCall(const Completion& c, const BuilderCall& call, SnippetText* out) {
  const std::vector<InstructionId>& values = c.scope.values();
  std::vector<std::string> names;
  std::vector<Shape> shapes;
  std::vector<size_t> used;
  for (size_t k = 0; k < call.operands.size() + (call.takes_more ? 1 : 0); ++k) {
    std::optional<size_t> best;
    int64_t best_value = 0;
    for (size_t i = 0; i < std::min(values.size(), kRecentValues); ++i) {
      if (!FitsBuilderOperand(call, shapes, c.module.shape(values[i]))) continue;
      int64_t value = c.scope.ValueOfOperand({}, k, values[i], i);
      if (std::find(used.begin(), used.end(), i) != used.end()) value -= int64_t{1} << 38;
      // An input is larger than its kernel.
      if (k == 0 && call.operands[0].role == BuilderOperand::Role::kImage)
        value += std::min<int64_t>(c.module.shape(values[i]).dimension(2), 1 << 10) << 36;
      // Masks are rarely what is meant.
      if (c.module.shape(values[i]).element_type() == ElementType::kPred) value -= int64_t{1} << 37;
      if (best && value <= best_value) continue;
      best = i;
      best_value = value;
    }
    names.push_back(best ? c.scope.Spelled(c.module.InstructionName(values[*best]))
                         : std::string(call.operands[std::min(k, call.operands.size() - 1)].name));
    shapes.push_back(best ? c.module.shape(values[*best]) : Shape());
    if (best) used.push_back(*best);
  }
  WriteBuilderCall(call, names, shapes, out);
}

}  // namespace

void AddOperands(Completion& c, size_t k) {
  const std::vector<InstructionId>& values = c.scope.values();
  // Of many, only the best become choices.
  std::vector<std::pair<int64_t, InstructionId>> scored;
  for (size_t i = 0; i < values.size(); ++i) {
    const int match = c.list.Match(c.module.InstructionName(values[i]));
    if (match == 0) continue;
    scored.emplace_back(CompletionList::ScoreOf(match) + c.scope.ValueOfOperand(c.partial, k, values[i], i), values[i]);
  }
  if (scored.size() > c.options.max_choices) {
    std::nth_element(scored.begin(), scored.begin() + static_cast<ptrdiff_t>(c.options.max_choices), scored.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    scored.resize(c.options.max_choices);
    c.list.SetIncomplete();
  }
  for (const auto& [score, id] : scored) {
    CompletionChoice choice;
    choice.kind = ChoiceKind::kValue;
    choice.label = std::string(c.module.InstructionName(id));
    choice.insert = c.scope.Spelled(choice.label);
    choice.detail = Shorten(c.module.shape(id).IsValid() ? c.module.shape(id).ToString(false) : std::string());
    choice.index = static_cast<uint32_t>(id.index());
    c.list.AddScored(score, std::move(choice));
  }
}

void AddOpcodes(Completion& c) {
  const bool with_shape = c.context.place == CursorContext::Place::kShapeOrOpcode;
  const bool has_paren = c.document.source().text().substr(c.context.word.end, 1) == "(";
  for (Opcode opcode : AllOpcodes()) {
    if (c.list.Match(OpcodeName(opcode)) == 0) continue;
    const std::string detail = absl::StrCat("(", OperandSignature(opcode), ")");
    const int64_t value = int64_t{2} << 40;
    if (has_paren) {
      c.list.AddWord(ChoiceKind::kOpcode, OpcodeName(opcode), OpcodeName(opcode), detail, value,
                     static_cast<uint32_t>(opcode));
      continue;
    }
    SnippetText snippet(c.options.snippets);
    WriteInstruction(c, opcode, with_shape, &snippet);
    c.list.AddSnippet(ChoiceKind::kOpcode, OpcodeName(opcode), snippet, detail, value, static_cast<uint32_t>(opcode));
  }
  for (const BuilderCall& call : AllBuilderCalls()) {
    if (c.list.Match(call.name) == 0) continue;
    SnippetText snippet(c.options.snippets);
    if (has_paren) {
      snippet.Text(call.name);
    } else {
      WriteCall(c, call, &snippet);
    }
    c.list.AddSnippet(ChoiceKind::kBuilderCall, call.name, snippet, BuilderSignature(call), int64_t{1} << 40);
  }
}

// The arguments of a call of the builder interface that have names.
void AddBuilderParameters(Completion& c) {
  const BuilderCall* const call = WrittenBuilderCall(c.context.unknown_opcode);
  if (call == nullptr) return;
  // The operands come first.
  const bool is_next = c.context.operand >= call->operands.size();
  for (const BuilderParameter& parameter : call->parameters) {
    c.list.AddWord(ChoiceKind::kWord, parameter.name, absl::StrCat(parameter.name, "="), parameter.meaning,
                   is_next ? int64_t{1} << 45 : -1);
  }
}

// Whole instructions, under a name that is free.
void AddNewInstructions(Completion& c) {
  for (Opcode opcode : AllOpcodes()) {
    if (c.list.Match(OpcodeName(opcode)) == 0) continue;
    SnippetText snippet(c.options.snippets);
    snippet.Text(c.scope.percent() ? "%" : "").Hole(FreeName(c.module, OpcodeName(opcode))).Text(" = ");
    WriteInstruction(c, opcode, true, &snippet);
    c.list.AddSnippet(ChoiceKind::kOpcode, OpcodeName(opcode), snippet,
                      absl::StrCat("(", OperandSignature(opcode), ")"), 0, static_cast<uint32_t>(opcode));
  }
  for (const BuilderCall& call : AllBuilderCalls()) {
    if (c.list.Match(call.name) == 0) continue;
    SnippetText snippet(c.options.snippets);
    snippet.Text(c.scope.percent() ? "%" : "").Hole(FreeName(c.module, absl::AsciiStrToLower(call.name))).Text(" = ");
    WriteCall(c, call, &snippet);
    c.list.AddSnippet(ChoiceKind::kBuilderCall, call.name, snippet, BuilderSignature(call), -1);
  }
}

}  // namespace hloscope
