// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/type_hierarchy.h"

#include "absl/strings/str_cat.h"
#include "lsp/features/call_hierarchy.h"

namespace hloscope::lsp {
namespace {

TypeItem OfComputation(const DocumentView& view, ComputationId id) {
  const protocol::CallHierarchyItem item = ComputationItem(view, id);
  return {item.name, item.detail, item.range, item.selection_range, false, item.computation};
}

// What the instruction calls the computation for: "body of while", "to_apply of reduce".
TypeItem OfCall(const DocumentView& view, InstructionId id, AttributeKind attribute) {
  const Module& module = view.module();
  TypeItem item;
  item.name = absl::StrCat(AttributeName(attribute), " of ", OpcodeName(module.opcode(id)));
  item.detail =
      absl::StrCat(module.InstructionName(id), " in ", module.ComputationName(module.instruction(id).computation));
  item.range = view.ToRange(view.document.InstructionRange(id));
  const SourceRange name = view.document.NameRange(id);
  item.selection_range = name.empty() ? item.range : view.ToRange(name);
  item.is_call = true;
  item.number = static_cast<uint32_t>(id.index());
  return item;
}

bool IsThere(const Module& module, bool is_call, uint32_t number) {
  return number < (is_call ? module.instruction_count() : module.computations().size());
}

}  // namespace

std::optional<TypeItem> PrepareTypeHierarchy(const DocumentView& view, protocol::Position position) {
  const SymbolAtPosition symbol = view.SymbolAt(position);
  if (!symbol.computation.has_value()) return std::nullopt;
  return OfComputation(view, symbol.computation);
}

std::vector<TypeItem> FindSupertypes(const DocumentView& view, bool is_call, uint32_t number) {
  const Module& module = view.module();
  if (!IsThere(module, is_call, number)) return {};
  if (is_call) return {OfComputation(view, module.instruction(InstructionId(number)).computation)};
  std::vector<TypeItem> items;
  for (InstructionId caller : view.document.users().callers(ComputationId(number))) {
    module.ForEachCalledComputation(caller, [&](AttributeKind attribute, ComputationId callee) {
      if (callee == ComputationId(number)) items.push_back(OfCall(view, caller, attribute));
    });
  }
  return items;
}

std::vector<TypeItem> FindSubtypes(const DocumentView& view, bool is_call, uint32_t number) {
  const Module& module = view.module();
  if (!IsThere(module, is_call, number)) return {};
  std::vector<TypeItem> items;
  if (is_call) {
    module.ForEachCalledComputation(InstructionId(number), [&](AttributeKind, ComputationId callee) {
      if (callee.has_value()) items.push_back(OfComputation(view, callee));
    });
    return items;
  }
  for (InstructionId caller : module.computation(ComputationId(number)).instructions) {
    module.ForEachCalledComputation(caller, [&](AttributeKind attribute, ComputationId callee) {
      if (callee.has_value()) items.push_back(OfCall(view, caller, attribute));
    });
  }
  return items;
}

}  // namespace hloscope::lsp
