// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/call_hierarchy.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace hloscope::lsp {
namespace {

// Where the instruction calls: its name, or its whole text if it has none.
protocol::Range CallRange(const DocumentView& view, InstructionId id) {
  const SourceRange name = view.document.OpcodeRange(id);
  return view.ToRange(name.empty() ? view.document.InstructionRange(id) : name);
}

// Entries by computation, in the order of their first call.
class Calls {
 public:
  explicit Calls(const DocumentView& view) : view_(view) {}
  void Add(ComputationId other, InstructionId caller) {
    auto found = std::find(order_.begin(), order_.end(), other);
    if (found == order_.end()) {
      order_.push_back(other);
      calls_.push_back({ComputationItem(view_, other), {}});
      found = order_.end() - 1;
    }
    calls_[static_cast<size_t>(found - order_.begin())].from_ranges.push_back(CallRange(view_, caller));
  }
  std::vector<protocol::CallHierarchyCall> Take() { return std::move(calls_); }

 private:
  const DocumentView& view_;
  std::vector<ComputationId> order_;
  std::vector<protocol::CallHierarchyCall> calls_;
};

}  // namespace

protocol::CallHierarchyItem ComputationItem(const DocumentView& view, ComputationId id) {
  const Module& module = view.module();
  protocol::CallHierarchyItem item;
  item.name = module.computation(id).is_anonymous ? "(inline computation)" : std::string(module.ComputationName(id));
  if (item.name.empty()) item.name = "(computation)";
  item.detail =
      absl::StrCat(id == module.entry() ? "ENTRY, " : "", module.computation(id).instructions.size(), " instructions");
  const SourceRange whole = view.document.ComputationRange(id);
  SourceRange name = view.document.ComputationNameRange(id);
  if (name.begin < whole.begin || name.end > whole.end) name = {whole.begin, whole.begin};
  item.range = view.ToRange(whole);
  item.selection_range = view.ToRange(name);
  item.computation = static_cast<uint32_t>(id.index());
  return item;
}

std::optional<protocol::CallHierarchyItem> PrepareCallHierarchy(const DocumentView& view, protocol::Position position) {
  const uint32_t offset = view.ToOffset(position);
  const SymbolAtPosition symbol = view.document.SymbolAt(offset);
  const ComputationId id = symbol.computation.has_value() ? symbol.computation : view.document.ComputationAt(offset);
  if (!id.has_value()) return std::nullopt;
  return ComputationItem(view, id);
}

ComputationId ComputationOfItem(const DocumentView& view, uint32_t computation, const std::string& name) {
  const Module& module = view.module();
  if (computation < module.computations().size()) {
    const ComputationId id(computation);
    if (ComputationItem(view, id).name == name) return id;
  }
  return module.FindComputation(name);
}

std::vector<protocol::CallHierarchyCall> FindIncomingCalls(const DocumentView& view, ComputationId id) {
  Calls calls(view);
  for (InstructionId caller : view.document.users().callers(id))
    calls.Add(view.module().instruction(caller).computation, caller);
  return calls.Take();
}

std::vector<protocol::CallHierarchyCall> FindOutgoingCalls(const DocumentView& view, ComputationId id) {
  Calls calls(view);
  for (InstructionId caller : view.module().computation(id).instructions) {
    view.module().ForEachCalledComputation(caller, [&](AttributeKind, ComputationId callee) {
      if (callee.has_value()) calls.Add(callee, caller);
    });
  }
  return calls.Take();
}

}  // namespace hloscope::lsp
