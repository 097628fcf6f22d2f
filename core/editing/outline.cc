// SPDX-License-Identifier: Apache-2.0
// Refactoring: selected instructions become a computation of their own.
#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/editing/instruction_text.h"
#include "core/editing/occurrences.h"
#include "core/editing/refactorings.h"
#include "core/editing/statement_edits.h"
#include "core/source/line_text.h"

namespace hloscope {
namespace {

class Outliner {
 public:
  Outliner(const Document& document, std::vector<InstructionId> moved, absl::string_view name)
      : document_(document),
        module_(document.module()),
        moved_(std::move(moved)),
        computation_(module_.instruction(moved_[0]).computation),
        name_(FreeName(module_, name)),
        percent_(WritesPercent(document, computation_) ? "%" : "") {}

  EditsOr Run() {
    if (module_.computation(computation_).is_anonymous)
      return absl::FailedPreconditionError("the computation around it is written in place: give it a name first");
    CollectMembers();
    if (const absl::Status status = CollectInputs(); !status.ok()) return status;
    CollectOutputs();
    if (outputs_.empty()) return absl::FailedPreconditionError("nothing uses these instructions");
    const absl::StatusOr<uint32_t> place = PlaceOfCall();
    if (!place.ok()) return place.status();
    absl::StatusOr<std::string> body = ComputationText();
    if (!body.ok()) return body.status();
    std::vector<TextEdit> edits = RemoveStatements(document_, moved_);
    const uint32_t before = document_.ComputationRange(computation_).begin;
    // Before the line of the computation, and where the first instruction was or after the last input.
    edits.push_back({{before, before}, *body});
    AddCall(*place, &edits);
    std::stable_sort(edits.begin(), edits.end(),
                     [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
    return CheckedEdits(document_, std::move(edits), "outlining");
  }

 private:
  // Everything whose text lies in the moved statements.
  void CollectMembers() {
    for (InstructionId id : module_.computation(computation_).instructions) {
      const SourceRange range = document_.InstructionRange(id);
      for (InstructionId statement : moved_) {
        const SourceRange whole = document_.InstructionRange(statement);
        if (id == statement || (range.begin >= whole.begin && range.end <= whole.end)) {
          members_.insert(id);
          break;
        }
      }
    }
  }

  absl::Status CollectInputs() {
    for (InstructionId id : module_.computation(computation_).instructions) {
      if (!members_.contains(id)) continue;
      for (InstructionId operand : module_.operands(id)) {
        if (!operand.has_value()) return absl::FailedPreconditionError("an operand could not be read");
        if (members_.contains(operand)) continue;
        const InstructionId named = NamedInstruction(module_, operand);
        if (members_.contains(named)) continue;
        if (std::find(inputs_.begin(), inputs_.end(), named) == inputs_.end()) inputs_.push_back(named);
      }
      for (InstructionId other : module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
        if (other.has_value() && !members_.contains(other))
          return absl::FailedPreconditionError(
              "one of them must run after an instruction outside (control-predecessors)");
      }
    }
    // What comes out of the selection must not go in again.
    absl::flat_hash_set<InstructionId> after;
    for (InstructionId id : module_.computation(computation_).instructions) {
      if (members_.contains(id)) continue;
      for (InstructionId operand : module_.operands(id)) {
        if (members_.contains(operand) || after.contains(operand)) after.insert(id);
      }
    }
    for (InstructionId input : inputs_) {
      if (after.contains(input)) {
        return absl::FailedPreconditionError(absl::StrCat("`", module_.InstructionName(input),
                                                          "` uses some of them and is used by others: select it too"));
      }
    }
    return absl::OkStatus();
  }

  void CollectOutputs() {
    const InstructionId root = module_.computation(computation_).root;
    for (InstructionId id : moved_) {
      bool is_output = id == root;
      for (InstructionId user : document_.users().users(id)) is_output = is_output || !members_.contains(user);
      if (is_output) outputs_.push_back(id);
    }
    returns_root_ = members_.contains(root);
  }

  // An offset after all inputs and before all users.
  absl::StatusOr<uint32_t> PlaceOfCall() const {
    uint32_t place = document_.InstructionRange(moved_[0]).begin;
    for (InstructionId input : inputs_) {
      const SourceRange range = document_.InstructionRange(input);
      if (range.begin > place) place = range.end;
    }
    for (InstructionId id : module_.computation(computation_).instructions) {
      if (members_.contains(id) || !module_.instruction(id).syntax.has_value()) continue;
      bool uses = false;
      for (InstructionId operand : module_.operands(id)) uses = uses || members_.contains(operand);
      if (uses && document_.InstructionRange(id).begin < place) {
        return absl::FailedPreconditionError(absl::StrCat("`", module_.InstructionName(id),
                                                          "` uses them before everything they need is there: move it "
                                                          "down first"));
      }
    }
    return place;
  }

  std::string ShapeOf(InstructionId id) const { return module_.shape(id).ToString(); }

  absl::StatusOr<std::string> ComputationText() const {
    std::string text = absl::StrCat(percent_, name_, " {\n");
    for (size_t i = 0; i < inputs_.size(); ++i) {
      absl::StrAppend(&text, "  ", percent_, module_.InstructionName(inputs_[i]), " = ", ShapeOf(inputs_[i]),
                      " parameter(", i, ")\n");
    }
    for (InstructionId id : moved_) {
      const auto statement = StatementText(document_, id, {});
      if (!statement.ok()) return statement.status();
      const bool is_result = outputs_.size() == 1 && id == outputs_[0];
      absl::StrAppend(&text, "  ", is_result ? "ROOT " : "", *statement, "\n");
    }
    if (outputs_.size() > 1) {
      absl::StrAppend(&text, "  ROOT ", percent_, ResultName(), " = ", TupleShape(), " tuple(",
                      absl::StrJoin(outputs_, ", ",
                                    [&](std::string* out, InstructionId id) {
                                      absl::StrAppend(out, percent_, module_.InstructionName(id));
                                    }),
                      ")\n");
    }
    return absl::StrCat(text, "}\n\n");
  }
  std::string ResultName() const { return FreeName(module_, absl::StrCat(name_, "_results")); }
  std::string TupleShape() const {
    return absl::StrCat(
        "(",
        absl::StrJoin(outputs_, ", ", [&](std::string* out, InstructionId id) { absl::StrAppend(out, ShapeOf(id)); }),
        ")");
  }

  void AddCall(uint32_t place, std::vector<TextEdit>* edits) const {
    const std::string indentation(IndentationOf(document_.source(), document_.InstructionRange(moved_[0]).begin));
    const std::string call = absl::StrCat(" call(",
                                          absl::StrJoin(inputs_, ", ",
                                                        [&](std::string* out, InstructionId id) {
                                                          absl::StrAppend(out, percent_, module_.InstructionName(id));
                                                        }),
                                          "), to_apply=", percent_, name_);
    const InstructionId root = module_.computation(computation_).root;
    std::vector<std::string> lines;
    const auto result = [&](InstructionId id) {
      return absl::StrCat(
          id == root && returns_root_ && module_.computation(computation_).root_is_marked ? "ROOT " : "", percent_,
          module_.InstructionName(id), " = ", ShapeOf(id));
    };
    if (outputs_.size() == 1) {
      lines.push_back(absl::StrCat(result(outputs_[0]), call));
    } else {
      lines.push_back(absl::StrCat(percent_, ResultName(), " = ", TupleShape(), call));
      for (size_t i = 0; i < outputs_.size(); ++i) {
        lines.push_back(
            absl::StrCat(result(outputs_[i]), " get-tuple-element(", percent_, ResultName(), "), index=", i));
      }
    }
    // In place of the first instruction, or after the input that comes last.
    if (place == document_.InstructionRange(moved_[0]).begin) {
      for (TextEdit& edit : *edits) {
        if (edit.range.begin > place || edit.range.end <= place) continue;
        const bool whole_line = edit.range.begin < place || edit.range != document_.InstructionRange(moved_[0]);
        edit.replacement = absl::StrCat(whole_line ? indentation : "",
                                        absl::StrJoin(lines, absl::StrCat("\n", indentation)), whole_line ? "\n" : "");
        return;
      }
    }
    edits->push_back(
        {{place, place}, absl::StrCat("\n", indentation, absl::StrJoin(lines, absl::StrCat("\n", indentation)))});
  }

  const Document& document_;
  const Module& module_;
  const std::vector<InstructionId> moved_;  // statements, in text order
  const ComputationId computation_;
  const std::string name_;
  const std::string percent_;
  absl::flat_hash_set<InstructionId> members_;
  std::vector<InstructionId> inputs_, outputs_;
  bool returns_root_ = false;
};

}  // namespace

std::vector<InstructionId> OutlinedInstructions(const Document& document, SourceRange selection) {
  const Module& module = document.module();
  const ComputationId computation = document.ComputationAt(selection.begin);
  std::vector<InstructionId> result;
  if (!computation.has_value() || selection.empty()) return result;
  for (InstructionId id : StatementsOf(document, computation)) {
    const SourceRange range = document.InstructionRange(id);
    if (range.end <= selection.begin || range.begin >= selection.end) continue;
    if (module.opcode(id) != Opcode::kParameter) result.push_back(id);
  }
  return result;
}

EditsOr OutlineSelection(const Document& document, SourceRange selection, absl::string_view name) {
  std::vector<InstructionId> moved = OutlinedInstructions(document, selection);
  if (moved.empty()) return absl::FailedPreconditionError("no instructions are selected");
  return Outliner(document, std::move(moved), name).Run();
}

}  // namespace hloscope
