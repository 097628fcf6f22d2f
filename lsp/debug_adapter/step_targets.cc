// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/step_targets.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/debugger/dependences.h"

namespace hloscope::dap {

std::vector<StepTarget> StepTargetsOf(const Module& module, InstructionId id) {
  std::vector<StepTarget> targets;
  const auto add = [&](absl::string_view what, ComputationId computation) {
    if (!computation.has_value() || module.computation(computation).instructions.empty()) return;
    targets.push_back({absl::StrCat(what, " ", module.ComputationName(computation)), computation, std::nullopt});
  };
  const auto attribute = [&](AttributeKind kind) { return module.ComputationAttribute(id, kind); };
  // The first and the last element of the result.
  const auto add_elements = [&](ComputationId computation) {
    const Shape* shape = &module.shape(id);
    if (shape->IsTuple() && shape->tuple_size() > 0) shape = &shape->element(0);
    if (!shape->IsArray() || !computation.has_value()) return;
    std::vector<int64_t> first, last;
    for (int64_t size : shape->dimensions()) {
      if (size < 1) return;
      first.push_back(0);
      last.push_back(size - 1);
    }
    for (const std::vector<int64_t>& index : {first, last}) {
      if (!targets.empty() && index == *targets.back().element) break;
      targets.push_back({absl::StrCat(module.ComputationName(computation), " at ",
                                      evaluator::ElementName(module.InstructionName(id), {{}, index})),
                         computation, index});
    }
  };
  switch (module.opcode(id)) {
    case Opcode::kCall:
      add("call", attribute(AttributeKind::kToApply));
      break;
    case Opcode::kFusion:
      add("fusion", attribute(AttributeKind::kCalls));
      break;
    case Opcode::kWhile:
      add("condition", attribute(AttributeKind::kCondition));
      add("body", attribute(AttributeKind::kBody));
      break;
    case Opcode::kConditional:
      add("true branch", attribute(AttributeKind::kTrueComputation));
      add("false branch", attribute(AttributeKind::kFalseComputation));
      for (ComputationId branch : module.ComputationsAttribute(id, AttributeKind::kBranchComputations)) {
        add("branch", branch);
      }
      break;
    case Opcode::kMap:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kScatter:
    case Opcode::kSort:
      add_elements(attribute(AttributeKind::kToApply));
      break;
    case Opcode::kSelectAndScatter:
      add_elements(attribute(AttributeKind::kScatter));
      break;
    default:
      break;
  }
  return targets;
}

}  // namespace hloscope::dap
