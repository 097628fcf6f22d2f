// SPDX-License-Identifier: Apache-2.0
// The pass `canonicalize`: modules that differ only in names, order, metadata and spelled-out defaults become equal
// texts.
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/ops/sugared_opcodes.h"
#include "core/print/async_sugar.h"
#include "core/print/print_order.h"
#include "core/transform/pass.h"

namespace hloscope {
namespace {

// The order in which a search along operands meets the instructions: it does not depend on how the text was written,
// unless it is a schedule.
std::vector<InstructionId> SearchOrder(PassContext& context, ComputationId computation) {
  const Module& module = context.module;
  std::vector<InstructionId> order;
  if (module.header().is_scheduled) {
    for (InstructionId id = context.editor.first(computation); id.has_value(); id = context.editor.next(id)) {
      order.push_back(id);
    }
    return order;
  }
  enum State : uint8_t { kNew, kOpen, kDone };
  absl::flat_hash_map<InstructionId, State> state;
  std::vector<InstructionId> stack;
  const auto search_from = [&](InstructionId start) {
    stack.push_back(start);
    while (!stack.empty()) {
      const InstructionId id = stack.back();
      State& at = state[id];
      if (at != kNew) {
        stack.pop_back();
        if (at == kOpen) {
          at = kDone;
          order.push_back(id);
        }
        continue;
      }
      at = kOpen;
      const absl::Span<const InstructionId> operands = module.operands(id);
      for (size_t k = operands.size(); k-- > 0;) {
        if (operands[k].has_value() && state[operands[k]] == kNew) stack.push_back(operands[k]);
      }
      for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
        if (state[before] == kNew) stack.push_back(before);
      }
    }
  };
  // As when printing, from what nothing uses: parameters, the root, and what only has effects in the order of the text.
  const auto is_start = [&](InstructionId id) { return id.has_value() && context.editor.use_count(id) == 0; };
  for (InstructionId parameter : module.computation(computation).parameters) {
    if (is_start(parameter)) search_from(parameter);
  }
  if (is_start(module.computation(computation).root)) search_from(module.computation(computation).root);
  for (InstructionId id = context.editor.first(computation); id.has_value(); id = context.editor.next(id)) {
    if (is_start(id) && state[id] == kNew) search_from(id);
  }
  return order;
}

// The entry computation and what it leads to, callees in front of their callers, in the order of the calls.
std::vector<ComputationId> CalleesFirst(const Module& module, const std::vector<std::vector<InstructionId>>& orders) {
  std::vector<ComputationId> result;
  if (!module.entry().has_value()) return result;
  std::vector<bool> seen(orders.size(), false);
  struct Visit {
    ComputationId computation;
    std::vector<ComputationId> callees;
    size_t next = 0;
  };
  std::vector<Visit> stack;
  const auto enter = [&](ComputationId id) {
    if (seen[id.index()]) return;
    seen[id.index()] = true;
    Visit visit{id, {}, 0};
    for (InstructionId instruction : orders[id.index()]) {
      ForEachCalleeInOrder(module, instruction, /*body_before_condition=*/true,
                           [&](ComputationId callee) { visit.callees.push_back(callee); });
    }
    stack.push_back(std::move(visit));
  };
  enter(module.entry());
  while (!stack.empty()) {
    Visit& top = stack.back();
    if (top.next < top.callees.size()) {
      enter(top.callees[top.next++]);
      continue;
    }
    result.push_back(top.computation);
    stack.pop_back();
  }
  return result;
}

// The names that reading `X-start` gives what it stands for, which has none in the text.
void NameAsyncWrapper(PassContext& context, ComputationId id) {
  Module& module = context.editor.mutable_module();
  const auto set_name = [&](InstructionId instruction, absl::string_view name) {
    const StringId interned = module.InternString(name);
    if (module.instruction(instruction).name != interned) context.editor.SetName(instruction, interned);
  };
  const std::vector<InstructionId> parameters = module.computation(id).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) set_name(parameters[k], AsyncParameterName(k));
  set_name(module.computation(id).root, kAsyncOperationName);
  const StringId name = module.InternString(kAsyncComputationName);
  if (module.computation(id).name == name && module.computation(id).is_anonymous) return;
  module.mutable_computation(id).name = name;
  module.mutable_computation(id).is_anonymous = true;
  context.editor.NoteChange();
}

}  // namespace

void Canonicalize(PassContext& context) {
  if (context.dry_run) return;
  EliminateDeadCode(context);
  StripMetadata(context);
  Module& module = context.editor.mutable_module();
  const size_t n = module.computations().size();
  std::vector<std::vector<InstructionId>> orders(n);
  for (uint32_t c = 0; c < n; ++c) orders[c] = SearchOrder(context, ComputationId(c));
  absl::flat_hash_map<absl::string_view, int64_t> count;
  int64_t computations = 0;
  const SugaredChains sugar(module, PrintOptions::Short(),
                            [&](InstructionId id, AttributeKind kind) { return module.HasAttribute(id, kind); });
  for (ComputationId computation : CalleesFirst(module, orders)) {
    if (sugar.IsHidden(computation)) {
      context.editor.SetOrder(computation, orders[computation.index()]);
      NameAsyncWrapper(context, computation);
      continue;
    }
    for (InstructionId id : orders[computation.index()]) {
      const absl::string_view opcode = OpcodeName(module.opcode(id));
      const StringId name = module.InternString(absl::StrCat(opcode, ".", ++count[opcode]));
      if (module.instruction(id).name != name) context.editor.SetName(id, name);
    }
    context.editor.SetOrder(computation, orders[computation.index()]);
    const StringId name = module.InternString(
        computation == module.entry() ? std::string("main") : absl::StrCat("computation.", ++computations));
    if (module.computation(computation).name == name) continue;
    module.mutable_computation(computation).name = name;
    context.editor.NoteChange();
  }
  if (module.header().name == "module") return;
  module.mutable_header().name = "module";
  context.editor.NoteChange();
}

}  // namespace hloscope
