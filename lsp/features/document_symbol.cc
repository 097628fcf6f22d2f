// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/document_symbol.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"

namespace hloscope::lsp {
namespace {

class SymbolBuilder {
 public:
  explicit SymbolBuilder(const DocumentView& view) : view_(view), module_(view.module()) {
    for (size_t i = 0; i < module_.instruction_count(); ++i) {
      const InstructionId caller(i);
      module_.ForEachCalledComputation(caller, [&](AttributeKind, ComputationId callee) {
        if (module_.computation(callee).is_anonymous) inline_computations_[caller].push_back(callee);
      });
    }
  }

  std::vector<protocol::DocumentSymbol> Build() {
    ShareOut();
    std::vector<std::pair<uint32_t, protocol::DocumentSymbol>> by_position;
    for (size_t i = 0; i < module_.computations().size(); ++i) {
      const ComputationId id(i);
      if (module_.computation(id).is_anonymous || is_left_out_[i]) continue;
      const SourceRange range = view_.document.ComputationRange(id);
      if (!range.empty()) by_position.emplace_back(range.begin, ComputationSymbol(id, range, 0));
    }
    std::stable_sort(by_position.begin(), by_position.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<protocol::DocumentSymbol> symbols;
    symbols.reserve(by_position.size() + 1);
    for (auto& entry : by_position) symbols.push_back(std::move(entry.second));
    const auto left_out = std::count(is_left_out_.begin(), is_left_out_.end(), true);
    if (left_out > 0) {
      const uint32_t end = view_.document.source().size();
      protocol::DocumentSymbol& note = symbols.emplace_back();
      note.name =
          absl::StrCat("(", CountOf(left_out, "small computation is", "small computations are"), " not listed)");
      note.kind = protocol::SymbolKind::kFunction;
      note.range = note.selection_range = view_.ToRange({end, end});
    }
    return symbols;
  }

 private:
  // Inline computations can nest as deep as the text says; outlines need not.
  static constexpr int kMaxDepth = 64;

  // Editors demand that the selection lies inside the range.
  static SourceRange Inside(SourceRange selection, SourceRange range) {
    const bool inside = !selection.empty() && selection.begin >= range.begin && selection.end <= range.end;
    return inside ? selection : SourceRange{range.begin, range.begin};
  }

  // Editors ask for the whole outline after each pause in typing. Instructions are in it as far as there is room: those
  // of the entry computation first, then those of small computations.
  void ShareOut() {
    std::vector<ComputationId> order;
    for (size_t c = 0; c < module_.computations().size(); ++c) order.emplace_back(c);
    const auto size_of = [&](ComputationId id) {
      return id == module_.entry() ? 0 : module_.computation(id).instructions.size();
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](ComputationId a, ComputationId b) { return size_of(a) < size_of(b); });
    shows_instructions_.resize(order.size());
    is_left_out_.resize(order.size());
    // The smallest, such as fusions and reducers, are of least use in a list.
    size_t too_many = order.size() > kMaxOutlineComputations ? order.size() - kMaxOutlineComputations : 0;
    for (ComputationId id : order) {
      if (too_many == 0) break;
      if (id == module_.entry()) continue;
      is_left_out_[id.index()] = true;
      --too_many;
    }
    size_t left = kMaxOutlineInstructions;
    for (ComputationId id : order) {
      const size_t size = module_.computation(id).instructions.size();
      if (size > left || is_left_out_[id.index()]) continue;
      left -= size;
      shows_instructions_[id.index()] = true;
    }
  }

  bool IsNamedInText(InstructionId id) const {
    const Instruction& instruction = module_.instruction(id);
    return instruction.syntax.has_value() && !instruction.synthesized && instruction.is_named;
  }

  protocol::DocumentSymbol ComputationSymbol(ComputationId id, SourceRange range, int depth) const {
    const Computation& computation = module_.computation(id);
    protocol::DocumentSymbol symbol;
    symbol.name = computation.is_anonymous ? "(inline computation)" : std::string(module_.ComputationName(id));
    if (symbol.name.empty()) symbol.name = "(computation)";
    if (id == module_.entry()) symbol.detail = "ENTRY";
    symbol.kind = protocol::SymbolKind::kFunction;
    symbol.range = view_.ToRange(range);
    symbol.selection_range = view_.ToRange(Inside(view_.document.ComputationNameRange(id), range));
    if (!computation.is_anonymous && !shows_instructions_[id.index()]) {
      absl::StrAppend(&symbol.detail, symbol.detail.empty() ? "" : ", ",
                      CountOf(computation.instructions.size(), "instruction"));
      return symbol;
    }
    for (InstructionId instruction : computation.instructions) {
      if (!IsNamedInText(instruction)) continue;
      const SourceRange instruction_range = view_.document.InstructionRange(instruction);
      if (instruction_range.empty()) continue;
      symbol.children.push_back(InstructionSymbol(instruction, instruction_range, depth));
    }
    return symbol;
  }

  protocol::DocumentSymbol InstructionSymbol(InstructionId id, SourceRange range, int depth) const {
    const Opcode opcode = module_.opcode(id);
    protocol::DocumentSymbol symbol;
    symbol.name = std::string(module_.InstructionName(id));
    if (symbol.name.empty()) symbol.name = "(instruction)";
    const Shape& shape = module_.shape(id);
    symbol.detail = opcode == Opcode::kInvalid ? "" : std::string(OpcodeName(opcode));
    if (shape.IsValid()) absl::StrAppend(&symbol.detail, symbol.detail.empty() ? "" : " ", shape.ToString(false));
    symbol.kind = opcode == Opcode::kConstant ? protocol::SymbolKind::kConstant : protocol::SymbolKind::kVariable;
    symbol.range = view_.ToRange(range);
    symbol.selection_range = view_.ToRange(Inside(view_.document.NameRange(id), range));
    const auto inlined = inline_computations_.find(id);
    if (inlined == inline_computations_.end() || depth >= kMaxDepth) return symbol;
    for (ComputationId computation : inlined->second) {
      const SourceRange computation_range = view_.document.ComputationRange(computation);
      if (computation_range.empty()) continue;
      symbol.children.push_back(ComputationSymbol(computation, computation_range, depth + 1));
    }
    return symbol;
  }

  const DocumentView& view_;
  const Module& module_;
  std::vector<bool> shows_instructions_, is_left_out_;  // by computation
  absl::flat_hash_map<InstructionId, std::vector<ComputationId>> inline_computations_;
};

}  // namespace

std::vector<protocol::DocumentSymbol> ComputeDocumentSymbols(const DocumentView& view) {
  return SymbolBuilder(view).Build();
}

}  // namespace hloscope::lsp
