// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/refactoring_action.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/extract.h"
#include "core/editing/module_edits.h"
#include "core/editing/refactorings.h"
#include "core/transform/transform.h"
#include "lsp/features/code_lens.h"
#include "lsp/features/markdown.h"

namespace hloscope::lsp {
namespace {

constexpr absl::string_view kQuickFix = "quickfix";
constexpr absl::string_view kExtract = "refactor.extract";
constexpr absl::string_view kInline = "refactor.inline";
constexpr absl::string_view kMove = "refactor.move";
constexpr absl::string_view kRewrite = "refactor.rewrite";
constexpr absl::string_view kFixAll = "source.fixAll";
constexpr absl::string_view kSource = "source";
constexpr absl::string_view kKinds[] = {kQuickFix, kExtract, kInline, kMove, kRewrite, kFixAll, kSource};

class Offer {
 public:
  Offer(const DocumentView& view, protocol::Range range, const std::function<bool(absl::string_view)>& wants)
      : view_(view), range_(range), wants_(wants) {}

  void Add(absl::string_view kind, std::string title, absl::string_view refactoring, uint32_t target = 0,
           std::string argument = "") {
    if (!wants_(kind)) return;
    protocol::CodeAction action;
    action.title = std::move(title);
    action.kind = std::string(kind);
    action.uri = view_.uri;
    action.refactoring = std::string(refactoring);
    action.target = target;
    action.selection = range_;
    action.argument = std::move(argument);
    actions_.push_back(std::move(action));
  }
  bool Wants(absl::string_view kind) const { return wants_(kind); }
  std::vector<protocol::CodeAction> Take() { return std::move(actions_); }

 private:
  const DocumentView& view_;
  const protocol::Range range_;
  const std::function<bool(absl::string_view)>& wants_;
  std::vector<protocol::CodeAction> actions_;
};

void OfferForInstruction(const DocumentView& view, InstructionId id, bool can_create_files, Offer* offer) {
  const Module& module = view.module();
  const uint32_t index = static_cast<uint32_t>(id.index());
  const std::string name(module.InstructionName(id));
  const Opcode opcode = module.opcode(id);
  if (opcode == Opcode::kCall || opcode == Opcode::kFusion) {
    const ComputationId callee =
        module.ComputationAttribute(id, opcode == Opcode::kCall ? AttributeKind::kToApply : AttributeKind::kCalls);
    if (callee.has_value() && !module.computation(callee).is_anonymous)
      offer->Add(kInline, absl::StrCat("Inline `", module.ComputationName(callee), "` into this ", OpcodeName(opcode)),
                 "inline", index);
  }
  if (!module.instruction(id).shape_declared && module.shape(id).IsValid() && module.instruction(id).is_named)
    offer->Add(kRewrite, absl::StrCat("Write the inferred shape ", ShortenText(module.shape(id).ToString(), 60)),
               "write-shape", index);
  const std::vector<AttributeKind> missing = MissingAttributes(module, id);
  if (!missing.empty()) {
    std::string names;
    for (AttributeKind kind : missing)
      absl::StrAppend(&names, names.empty() ? "" : ", ", "`", AttributeName(kind), "`");
    offer->Add(kQuickFix, absl::StrCat("Add ", names), "add-attributes", index);
  }
  if (const size_t count = MissingOperandCount(module, id); count > 0)
    offer->Add(kQuickFix, count == 1 ? "Add the missing operand" : absl::StrCat("Add the ", count, " missing operands"),
               "add-operands", index);
  if (can_create_files && !view.document.has_errors() && module.instruction(id).is_named)
    offer->Add(kExtract, absl::StrCat("Extract `", name, "` into a module of its own"), "extract-module", index);
}

void OfferRewrites(const DocumentView& view, InstructionId id, Offer* offer) {
  TransformOptions options;
  options.only_instruction = std::string(view.module().InstructionName(id));
  for (const PassInfo& pass : AllPasses()) {
    const std::string name(pass.name);
    const auto applications = FindApplications(view.module(), {&name, 1}, options);
    if (!applications.ok() || applications->empty()) continue;
    const Application& first = applications->front();
    const int64_t saved = first.before.moved_bytes() - first.after.moved_bytes();
    std::string title = absl::StrCat("Rewrite `", options.only_instruction, "`: ", pass.name);
    if (!first.pattern.empty()) absl::StrAppend(&title, " (", first.pattern, ")");
    if (saved > 0) absl::StrAppend(&title, ", moves ", ShortBytes(saved), " less");
    offer->Add(kRewrite, std::move(title), "rewrite", static_cast<uint32_t>(id.index()), name);
  }
}

EditsOr Rewrite(const Document& document, absl::Span<const std::string> passes, const TransformOptions& options) {
  if (document.has_errors()) return absl::FailedPreconditionError("the module has errors");
  const auto result = TransformModule(document.module(), passes, options);
  if (!result.ok()) return result.status();
  if (!result->changed) return absl::FailedPreconditionError("there is nothing to rewrite any more");
  return EditsToModule(document, result->module);
}

EditsOr Edits(const DocumentView& view, const protocol::CodeAction& action, InstructionId id,
              ComputationId computation) {
  const Document& document = view.document;
  const std::string& name = action.refactoring;
  if (name == "outline") return OutlineSelection(document, view.positions.ToSourceRange(action.selection));
  if (name == "fix-all") return FixAll(document);
  if (name == "dead-code") return RemoveDeadCode(document);
  if (name == "sort") return SortComputations(document);
  if (name == "style") return Restyle(document, action.argument);
  if (computation.has_value()) {
    if (name == "move-up") return MoveComputation(document, computation, true);
    if (name == "move-down") return MoveComputation(document, computation, false);
    if (name == "rewrite-computation")
      return RewriteComputation(document, std::string(view.module().ComputationName(computation)));
  }
  if (id.has_value()) {
    if (name == "inline") return InlineCall(document, id);
    if (name == "write-shape") return WriteInferredShape(document, id);
    if (name == "add-attributes") return AddMissingAttributes(document, id);
    if (name == "add-operands") return AddMissingOperands(document, id);
    if (name == "rewrite") {
      TransformOptions options;
      options.only_instruction = std::string(view.module().InstructionName(id));
      return Rewrite(document, {&action.argument, 1}, options);
    }
  }
  return absl::InvalidArgumentError("this is no action of this text");
}

}  // namespace

absl::Span<const absl::string_view> RefactoringKinds() { return kKinds; }

EditsOr RewriteComputation(const Document& document, const std::string& computation) {
  TransformOptions options;
  options.only_computation = computation;
  return Rewrite(document, DefaultPasses(), options);
}

std::vector<protocol::CodeAction> OfferRefactorings(const DocumentView& view, protocol::Range range,
                                                    const std::function<bool(absl::string_view)>& wants, bool thorough,
                                                    bool can_create_files) {
  const Document& document = view.document;
  const Module& module = view.module();
  const SourceRange selection = view.positions.ToSourceRange(range);
  Offer offer(view, range, wants);
  const InstructionId instruction = document.InstructionAt(selection.begin);
  if (instruction.has_value()) {
    OfferForInstruction(view, instruction, can_create_files, &offer);
    if (thorough && !document.has_errors() && offer.Wants(kRewrite)) OfferRewrites(view, instruction, &offer);
  }
  if (offer.Wants(kExtract) && !selection.empty()) {
    const size_t count = OutlinedInstructions(document, selection).size();
    if (count > 0)
      offer.Add(kExtract,
                absl::StrCat("Outline ", count, count == 1 ? " instruction" : " instructions", " into a computation"),
                "outline");
  }
  const SymbolAtPosition symbol = document.SymbolAt(selection.begin);
  if (symbol.kind == SymbolAtPosition::Kind::kComputationName && symbol.computation.has_value()) {
    const std::string name(module.ComputationName(symbol.computation));
    const uint32_t index = static_cast<uint32_t>(symbol.computation.index());
    offer.Add(kMove, absl::StrCat("Move `", name, "` up"), "move-up", index);
    offer.Add(kMove, absl::StrCat("Move `", name, "` down"), "move-down", index);
    if (thorough && offer.Wants(kRewrite)) {
      const ComputationFacts::Savings savings = ComputationFacts().SavingsOf(document, symbol.computation);
      if (savings.rewrites > 0)
        offer.Add(kRewrite, absl::StrCat("Rewrite `", name, "`: ", SavingsText(savings)), "rewrite-computation", index);
    }
  }
  if (offer.Wants(kFixAll) && !FixAll(document).empty())
    offer.Add(kFixAll, "Fix everything that has one fix", "fix-all");
  if (!document.has_errors()) {
    const bool has_dead_code =
        std::any_of(document.diagnostics().begin(), document.diagnostics().end(), [](const Diagnostic& diagnostic) {
          return diagnostic.kind == DiagnosticKind::kDeadCode ||
                 diagnostic.kind == DiagnosticKind::kUncalledComputation ||
                 diagnostic.kind == DiagnosticKind::kUnreachableComputation;
        });
    if (has_dead_code) offer.Add(kSource, "Remove dead code", "dead-code");
    if (offer.Wants(kSource) && !ComputationsAreSorted(document))
      offer.Add(kSource, "Sort computations: callees before callers", "sort");
    for (absl::string_view style : {"short", "long", "dump"})
      offer.Add(kSource, absl::StrCat("Convert to the ", style, " style"), "style", 0, std::string(style));
  }
  return offer.Take();
}

absl::Status CompleteRefactoring(const DocumentView& view, protocol::CodeAction* action) {
  const Module& module = view.module();
  const InstructionId instruction =
      action->target < module.instruction_count() ? InstructionId(action->target) : InstructionId::None();
  const ComputationId computation =
      action->target < module.computations().size() ? ComputationId(action->target) : ComputationId::None();
  if (action->refactoring == "extract-module") {
    if (!instruction.has_value() || view.document.has_errors())
      return absl::FailedPreconditionError("the module has errors: only what is right can be extracted");
    // Beside the file, under the instruction's name.
    const size_t slash = action->uri.rfind('/');
    action->new_file = absl::StrCat(action->uri.substr(0, slash == std::string::npos ? 0 : slash + 1),
                                    module.InstructionName(instruction), ".hlo");
    action->new_file_text = ExtractModule(module, view.document.users(), instruction);
    return absl::OkStatus();
  }
  const EditsOr edits = Edits(view, *action, instruction, computation);
  if (!edits.ok()) return edits.status();
  for (const TextEdit& edit : *edits) action->edits.push_back({view.ToRange(edit.range), edit.replacement});
  return absl::OkStatus();
}

}  // namespace hloscope::lsp
