// SPDX-License-Identifier: Apache-2.0
#include "gui/models/group_summary.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace hloscope::gui {
namespace {

int64_t ByteSize(const Module& module, InstructionId id) {
  const Shape& shape = module.shape(id);
  return shape.IsValid() && !shape.HasUnboundedDimension() ? shape.ByteSize() : 0;
}

}  // namespace

std::vector<double> SecondsWithCalled(const Module& module,
                                      absl::Span<const evaluator::InstructionStatistics> statistics) {
  if (statistics.size() < module.instruction_count()) return {};
  std::vector<double> of(module.instruction_count(), 0);
  std::vector<double> of_computation(module.computations().size(), 0);
  // How many instructions call a computation: each has its share of the time, which the run does not tell apart.
  std::vector<int> callers(module.computations().size(), 0);
  const auto for_each_called = [&](InstructionId id, auto visit) {
    module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId called) {
      if (called.has_value() && called.index() < of_computation.size()) visit(called.index());
    });
  };
  for (uint32_t i = 0; i < of.size(); ++i) {
    if (statistics[i].runs > 0) for_each_called(InstructionId(i), [&](size_t called) { ++callers[called]; });
  }
  // Callees come before their callers.
  for (uint32_t i = 0; i < of.size(); ++i) {
    const InstructionId id(i);
    of[i] = statistics[i].seconds;
    if (statistics[i].runs > 0) {
      for_each_called(id, [&](size_t called) { of[i] += of_computation[called] / std::max(1, callers[called]); });
    }
    of_computation[module.instruction(id).computation.index()] += of[i];
  }
  return of;
}

GroupSummary SummarizeGroup(const Module& module, const UserIndex& users, const CostAnalysis& costs,
                            absl::Span<const evaluator::InstructionStatistics> statistics,
                            absl::Span<const InstructionId> members) {
  GroupSummary summary;
  const absl::flat_hash_set<InstructionId> inside(members.begin(), members.end());
  absl::flat_hash_set<InstructionId> seen;
  absl::flat_hash_map<Opcode, int64_t> counts;
  const std::vector<double> seconds = SecondsWithCalled(module, statistics);
  for (InstructionId id : members) {
    ++counts[module.opcode(id)];
    const Cost& cost = costs.Of(id);
    summary.flops += cost.flops;
    summary.bytes += cost.bytes();
    if (!seconds.empty()) {
      summary.seconds += seconds[id.index()];
      summary.runs += statistics[id.index()].runs;
    }
    if (module.opcode(id) == Opcode::kParameter) {
      summary.parameters.push_back(id);
      summary.parameter_bytes += ByteSize(module, id);
    }
    for (InstructionId operand : module.operands(id)) {
      if (!operand.has_value() || inside.contains(operand) || !seen.insert(operand).second) continue;
      summary.inputs.push_back(operand);
      summary.input_bytes += ByteSize(module, operand);
    }
    const absl::Span<const InstructionId> used_by = users.users(id);
    const bool leaves =
        std::any_of(used_by.begin(), used_by.end(), [&](InstructionId user) { return !inside.contains(user); }) ||
        module.computation(module.instruction(id).computation).root == id;
    if (!leaves) continue;
    summary.outputs.push_back(id);
    summary.output_bytes += ByteSize(module, id);
  }
  summary.opcodes.assign(counts.begin(), counts.end());
  std::sort(summary.opcodes.begin(), summary.opcodes.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : OpcodeName(a.first) < OpcodeName(b.first);
  });
  return summary;
}

}  // namespace hloscope::gui
