// SPDX-License-Identifier: Apache-2.0
#include "core/editing/refactorings.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/dead_code.h"
#include "core/analysis/side_effects.h"
#include "core/editing/fitting.h"
#include "core/editing/instruction_text.h"
#include "core/editing/snippet_writer.h"
#include "core/editing/statement_edits.h"
#include "core/ops/operand_roles.h"
#include "core/print/print_order.h"
#include "core/source/line_text.h"

namespace hloscope {
namespace {

// Top-level computations in text order.
std::vector<ComputationId> TopLevel(const Document& document) {
  const TextMap& map = document.text_map();
  std::vector<ComputationId> result;
  for (size_t node = 0; node < map.computations.size(); ++node) {
    const ComputationId id = document.ComputationOfNode(node);
    if (map.computations[node].is_top_level && id.has_value()) result.push_back(id);
  }
  std::sort(result.begin(), result.end(), [&](ComputationId a, ComputationId b) {
    return document.ComputationRange(a).begin < document.ComputationRange(b).begin;
  });
  return result;
}

std::vector<ComputationId> SortedTopLevel(const Document& document) {
  const std::vector<ComputationId> present = TopLevel(document);
  std::vector<ComputationId> sorted;
  for (ComputationId id : ComputationPrintOrder(document.module())) {
    if (std::find(present.begin(), present.end(), id) != present.end()) sorted.push_back(id);
  }
  return sorted.size() == present.size() ? sorted : present;
}

// The computation together with the comment lines right above it.
SourceRange WithComments(const Document& document, ComputationId id) {
  SourceRange range = document.ComputationRange(id);
  range.begin = BeginOfCommentsAbove(document.source(), range.begin);
  return range;
}

PartialInstruction PartialOf(const Module& module, InstructionId id) {
  PartialInstruction partial;
  partial.opcode = module.opcode(id);
  if (module.instruction(id).shape_declared && module.shape(id).IsValid()) partial.result = module.shape(id);
  for (InstructionId operand : module.operands(id)) {
    partial.operands.push_back(operand.has_value() ? module.shape(operand) : Shape());
  }
  return partial;
}

}  // namespace

std::vector<TextEdit> ReplaceText(const Document& document, absl::string_view text) {
  const absl::string_view old_text = document.source().text();
  const size_t shorter = std::min(old_text.size(), text.size());
  size_t prefix = 0, suffix = 0;
  while (prefix < shorter && old_text[prefix] == text[prefix]) ++prefix;
  if (prefix == old_text.size() && prefix == text.size()) return {};
  while (suffix < shorter - prefix && old_text[old_text.size() - 1 - suffix] == text[text.size() - 1 - suffix])
    ++suffix;
  return {{{static_cast<uint32_t>(prefix), static_cast<uint32_t>(old_text.size() - suffix)},
           std::string(text.substr(prefix, text.size() - suffix - prefix))}};
}

EditsOr RemoveDeadCode(const Document& document) {
  const Module& module = document.module();
  if (document.has_errors()) return absl::FailedPreconditionError("the module has errors: what is dead is not certain");
  const CallGraph calls(module);
  const SideEffects effects(module, calls);
  std::vector<TextEdit> edits;
  std::vector<SourceRange> gone;
  for (ComputationId id : FindUnreachableComputations(module, calls)) {
    if (module.computation(id).is_anonymous) continue;
    SourceRange range = WithLines(document.source(), document.ComputationRange(id));
    // With the empty line after it.
    const absl::string_view text = document.source().text();
    if (range.end < text.size() && text[range.end] == '\n' && range.begin > 0 && text[range.begin - 1] == '\n')
      ++range.end;
    gone.push_back(range);
    edits.push_back({range, ""});
  }
  for (const DeadGroup& group : FindDeadCode(module, document.users(), effects)) {
    for (TextEdit& edit : RemoveStatements(document, group.instructions)) {
      const bool inside = std::any_of(gone.begin(), gone.end(), [&](SourceRange range) {
        return edit.range.begin >= range.begin && edit.range.end <= range.end;
      });
      if (!inside) edits.push_back(std::move(edit));
    }
  }
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
  // Nested instructions lie inside those that they feed.
  std::vector<TextEdit> disjoint;
  for (TextEdit& edit : edits) {
    if (disjoint.empty() || edit.range.begin >= disjoint.back().range.end) disjoint.push_back(std::move(edit));
  }
  if (disjoint.empty()) return absl::FailedPreconditionError("there is no dead code");
  return CheckedEdits(document, std::move(disjoint), "removing dead code");
}

EditsOr MoveComputation(const Document& document, ComputationId computation, bool up) {
  const std::vector<ComputationId> order = TopLevel(document);
  const auto at = std::find(order.begin(), order.end(), computation);
  if (at == order.end()) return absl::FailedPreconditionError("a computation that is written in place cannot be moved");
  if (up ? at == order.begin() : at + 1 == order.end())
    return absl::FailedPreconditionError(up ? "it is the first computation" : "it is the last computation");
  const SourceRange a = WithComments(document, computation);
  const SourceRange b = WithComments(document, up ? *(at - 1) : *(at + 1));
  std::vector<TextEdit> edits = {{a, std::string(document.source().Slice(b))},
                                 {b, std::string(document.source().Slice(a))}};
  if (up) std::swap(edits[0], edits[1]);
  return CheckedEdits(document, std::move(edits), "moving the computation");
}

bool ComputationsAreSorted(const Document& document) { return TopLevel(document) == SortedTopLevel(document); }

EditsOr SortComputations(const Document& document) {
  const std::vector<ComputationId> present = TopLevel(document), sorted = SortedTopLevel(document);
  std::vector<TextEdit> edits;
  for (size_t i = 0; i < present.size(); ++i) {
    if (present[i] == sorted[i]) continue;
    edits.push_back(
        {WithComments(document, present[i]), std::string(document.source().Slice(WithComments(document, sorted[i])))});
  }
  if (edits.empty()) return absl::FailedPreconditionError("the computations are sorted already");
  return CheckedEdits(document, std::move(edits), "sorting the computations");
}

EditsOr WriteInferredShape(const Document& document, InstructionId id) {
  const Module& module = document.module();
  if (!module.shape(id).IsValid()) return absl::FailedPreconditionError("its shape could not be inferred");
  const SourceRange opcode = document.OpcodeRange(id);
  if (opcode.empty() || module.instruction(id).shape_declared)
    return absl::FailedPreconditionError("its shape is written already");
  return std::vector<TextEdit>{{{opcode.begin, opcode.begin}, absl::StrCat(module.shape(id).ToString(), " ")}};
}

std::vector<AttributeKind> MissingAttributes(const Module& module, InstructionId id) {
  std::vector<AttributeKind> missing;
  if (module.opcode(id) == Opcode::kInvalid) return missing;
  for (AttributeKind kind : InfoOf(module.opcode(id)).required) {
    if (!module.HasAttribute(id, kind)) missing.push_back(kind);
  }
  return missing;
}

EditsOr AddMissingAttributes(const Document& document, InstructionId id) {
  const Module& module = document.module();
  const PartialInstruction partial = PartialOf(module, id);
  const uint32_t end = document.InstructionRange(id).end;
  const std::string percent = WritesPercent(document, module.instruction(id).computation) ? "%" : "";
  SnippetText text(false);
  for (AttributeKind kind : MissingAttributes(module, id)) {
    ComputationId best;
    Fit best_fit = Fit::kWrong;
    const AttributeType type = InfoOf(kind).type;
    if (type == AttributeType::kComputation || type == AttributeType::kComputations) {
      for (size_t c = 0; c < module.computations().size(); ++c) {
        const SourceRange range = document.ComputationRange(ComputationId(c));
        if (module.computations()[c].is_anonymous || range.end > document.InstructionRange(id).begin) continue;
        const Fit fit = FitOfComputation(module, partial, kind, ComputationId(c));
        if (fit > best_fit) {
          best = ComputationId(c);
          best_fit = fit;
        }
      }
    }
    text.Text(absl::StrCat(", ", AttributeName(kind), "="));
    WriteAttributeValue(partial, kind,
                        best.has_value() ? absl::StrCat(percent, module.ComputationName(best)) : "computation", text);
  }
  if (text.text().empty()) return absl::FailedPreconditionError("no attribute is missing");
  return std::vector<TextEdit>{{{end, end}, text.text()}};
}

size_t MissingOperandCount(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  if (opcode == Opcode::kInvalid || opcode == Opcode::kParameter || opcode == Opcode::kConstant) return 0;
  const size_t least =
      InfoOf(opcode).arity >= 0 ? static_cast<size_t>(InfoOf(opcode).arity) : LeastOperandCount(opcode);
  const size_t present = module.operands(id).size();
  return present < least ? least - present : 0;
}

EditsOr AddMissingOperands(const Document& document, InstructionId id) {
  const Module& module = document.module();
  const size_t missing = MissingOperandCount(module, id);
  if (missing == 0 || !module.instruction(id).syntax.has_value())
    return absl::FailedPreconditionError("no operand is missing");
  const InstructionText text(document, id);
  if (text.node().opcode == kNoToken) return absl::FailedPreconditionError("no opcode is written");
  const TokenIndex open = text.node().opcode + 1;
  if (open >= text.tokens().size() || text.tokens().kind(open) != TokenKind::kLeftParen)
    return absl::FailedPreconditionError("no operands are written");
  PartialInstruction partial = PartialOf(module, id);
  const ComputationId computation = module.instruction(id).computation;
  const std::string percent = WritesPercent(document, computation) ? "%" : "";
  const size_t present = partial.operands.size();
  const uint32_t at = text.node().arguments.empty() ? text.tokens().end(open) : text.RangeOf(text.node().arguments).end;
  std::string added;
  for (size_t k = present; k < present + missing; ++k) {
    InstructionId best;
    Fit best_fit = Fit::kWrong;
    for (InstructionId other : module.computation(computation).instructions) {
      if (module.instruction(other).synthesized || !module.instruction(other).is_named) continue;
      if (document.InstructionRange(other).begin >= document.InstructionRange(id).begin) continue;
      const Fit fit = FitOfOperand(partial, k, module.shape(other));
      // The last of the best.
      if (fit == Fit::kWrong || (best.has_value() && fit < best_fit)) continue;
      best = other;
      best_fit = fit;
    }
    if (!best.has_value()) {
      return absl::FailedPreconditionError(
          absl::StrCat("nothing before it fits as `", OperandRole(module.opcode(id), k, present + missing), "`"));
    }
    partial.operands.push_back(module.shape(best));
    absl::StrAppend(&added, k > 0 ? ", " : "", percent, module.InstructionName(best));
  }
  return std::vector<TextEdit>{{{at, at}, added}};
}

std::vector<TextEdit> FixAll(const Document& document) {
  std::vector<TextEdit> edits;
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (diagnostic.fixes.size() != 1) continue;
    const std::vector<FixIt::Edit>& fix = diagnostic.fixes[0].edits;
    const bool overlaps = std::any_of(fix.begin(), fix.end(), [&](const FixIt::Edit& edit) {
      return std::any_of(edits.begin(), edits.end(), [&](const TextEdit& other) {
        return edit.range.begin <= other.range.end && other.range.begin <= edit.range.end;
      });
    });
    if (overlaps) continue;
    for (const FixIt::Edit& edit : fix) edits.push_back({edit.range, edit.replacement});
  }
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
  return edits;
}

}  // namespace hloscope
