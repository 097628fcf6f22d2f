// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/cost.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "core/analysis/memory.h"
#include "core/analysis/operation_count.h"
#include "core/analysis/traffic.h"
#include "core/ir/checked_math.h"
#include "core/ir/elementwise_table.h"
#include "core/layout/byte_size.h"

namespace hloscope {

int64_t Cost::bytes() const { return SaturatingSum(bytes_read, bytes_written); }

Cost& Cost::operator+=(const Cost& other) {
  flops = SaturatingSum(flops, other.flops);
  transcendentals = SaturatingSum(transcendentals, other.transcendentals);
  bytes_read = SaturatingSum(bytes_read, other.bytes_read);
  bytes_written = SaturatingSum(bytes_written, other.bytes_written);
  return *this;
}

Cost Cost::Times(int64_t n) const {
  return {SaturatingProduct(flops, n), SaturatingProduct(transcendentals, n), SaturatingProduct(bytes_read, n),
          SaturatingProduct(bytes_written, n)};
}

bool IsTranscendental(Opcode opcode) {
  const std::optional<ElementwiseInfo> info = ElementwiseInfoOf(opcode);
  return info && info->is_transcendental;
}

CostAnalysis::CostAnalysis(const Module& module, const CallGraph& calls) : module_(module) {
  shape_bytes_.reserve(module.shape_count());
  for (size_t s = 0; s < module.shape_count(); ++s) shape_bytes_.push_back(PhysicalBytes(module.shape(ShapeId(s))));
  instructions_.resize(module.instruction_count());
  computations_.resize(module.computations().size());
  for (ComputationId computation : calls.callees_first()) {
    for (InstructionId id : module.computation(computation).instructions) {
      instructions_[id.index()] = OwnCost(id);
      computations_[computation.index()] += instructions_[id.index()];
    }
  }
  runs_.assign(module.computations().size(), 0);
  if (module.entry().has_value()) runs_[module.entry().index()] = 1;
  for (size_t c = calls.callees_first().size(); c-- > 0;) {
    const ComputationId caller = calls.callees_first()[c];
    if (runs_[caller.index()] == 0) continue;
    for (const CallGraph::Call& call : calls.calls(caller)) {
      const Opcode opcode = module.opcode(call.caller);
      if (!RunsAsFrame(opcode)) continue;
      int64_t times = 1;
      if (opcode == Opcode::kWhile) {
        const std::optional<int64_t> trips = TripCount(module, call.caller);
        times = trips.value_or(1);
        if (!trips && call.attribute == AttributeKind::kBody) ++unknown_trip_counts_;
        if (call.attribute == AttributeKind::kCondition) times = SaturatingSum(times, 1);  // that says that it ends
      }
      int64_t& runs = runs_[call.callee.index()];
      runs = SaturatingSum(runs, SaturatingProduct(runs_[caller.index()], times));
    }
  }
}

std::optional<Cost> CostAnalysis::OfOne(const Module& module, InstructionId id, size_t limit) {
  CostAnalysis analysis(module);
  // Callees are mentioned after their callers, each time again; summed at their last mention, from the end.
  std::vector<ComputationId> found;
  absl::flat_hash_map<ComputationId, size_t> last_mention;
  size_t instructions = 0;
  const auto add_callees = [&](InstructionId caller) {
    module.ForEachCalledComputation(caller, [&](AttributeKind, ComputationId callee) {
      if (!callee.has_value()) return;
      last_mention[callee] = found.size();
      found.push_back(callee);
    });
  };
  add_callees(id);
  for (size_t i = 0; i < found.size(); ++i) {
    const std::vector<InstructionId>& body = module.computation(found[i]).instructions;
    instructions += body.size();
    if (instructions > limit || found.size() > limit) return std::nullopt;
    for (InstructionId inner : body) add_callees(inner);
  }
  for (size_t i = found.size(); i-- > 0;) {
    if (last_mention[found[i]] != i) continue;
    for (InstructionId inner : module.computation(found[i]).instructions)
      analysis.computations_[found[i].index()] += analysis.OwnCost(inner);
  }
  return analysis.OwnCost(id);
}

int64_t CostAnalysis::ShapeBytes(ShapeId id) const {
  return shape_bytes_.empty() ? PhysicalBytes(module_.shape(id)) : shape_bytes_[id.index()];
}

int64_t CostAnalysis::BytesOf(InstructionId id) const { return ShapeBytes(module_.instruction(id).shape); }

int64_t CostAnalysis::Applied(InstructionId id, AttributeKind attribute) const {
  const ComputationId callee = module_.ComputationAttribute(id, attribute);
  return callee.has_value() ? std::max<int64_t>(computations_[callee.index()].flops, 1) : 1;
}

Cost CostAnalysis::OwnCost(InstructionId id) const {
  const Opcode opcode = module_.opcode(id);
  const auto called = [&](AttributeKind attribute) {
    const ComputationId callee = module_.ComputationAttribute(id, attribute);
    return callee.has_value() ? computations_[callee.index()] : Cost();
  };
  const auto measure = [&] { return MeasureTraffic(module_, id, [&](InstructionId value) { return BytesOf(value); }); };
  for (InstructionId operand : module_.operands(id)) {
    if (!operand.has_value()) return {};
  }
  switch (opcode) {
    case Opcode::kCall:
      return called(AttributeKind::kToApply);
    case Opcode::kAsyncStart:
      return called(AttributeKind::kCalls);
    case Opcode::kFusion: {
      Cost cost = called(AttributeKind::kCalls);
      const Traffic traffic = measure();
      cost.bytes_read = traffic.bytes_read;
      cost.bytes_written = traffic.bytes_written;
      return cost;
    }
    case Opcode::kWhile: {
      const int64_t trips = TripCount(module_, id).value_or(1);
      Cost cost = called(AttributeKind::kBody).Times(trips);
      cost += called(AttributeKind::kCondition).Times(SaturatingSum(trips, 1));
      return cost;
    }
    case Opcode::kConditional: {
      Cost most;
      module_.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
        if (!callee.has_value()) return;
        const Cost& cost = computations_[callee.index()];
        if (std::make_pair(cost.flops, cost.bytes()) > std::make_pair(most.flops, most.bytes())) most = cost;
      });
      return most;
    }
    default:  // calls no computation as a whole
      break;
  }
  const Traffic traffic = measure();
  Cost cost;
  cost.bytes_read = traffic.bytes_read;
  cost.bytes_written = traffic.bytes_written;
  cost.flops = CountOperations(module_, id, [&](AttributeKind attribute) { return Applied(id, attribute); });
  if (IsTranscendental(opcode)) cost.transcendentals = ArrayElements(module_.shape(id));
  // Those of a computation that is applied, as often as it is.
  bool applies = false;
  const int64_t functions = CountOperations(module_, id, [&](AttributeKind attribute) {
    applies = true;
    return called(attribute).transcendentals;
  });
  if (applies) cost.transcendentals = functions;
  return cost;
}

}  // namespace hloscope
