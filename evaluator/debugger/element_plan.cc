// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/element_plan.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/debugger/dependences.h"
#include "evaluator/debugger/window_elements.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/scalar_program.h"

namespace hloscope::evaluator {
namespace {

constexpr size_t kMaxApplications = 100000;

// The element as a scalar that shares the array's memory.
Value ScalarAt(const Value& value, const std::vector<int64_t>& index) {
  const Tensor& tensor = value.tensor();
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * tensor.strides()[d];
  return Value(tensor.View({}, {}, offset));
}

absl::Status TooMany() {
  return absl::ResourceExhaustedError(
      absl::StrCat("the element is made by more than ", kMaxApplications, " applications"));
}

// Runs programs on single elements, in this thread.
class PlainRuntime final : public KernelRuntime {
 public:
  absl::Status CheckCancelled() override { return absl::OkStatus(); }
  absl::StatusOr<Value> Call(ComputationId, absl::Span<const Value>) override {
    return absl::UnimplementedError("the computation that selects is not made of elementwise instructions");
  }
  void ParallelFor(int64_t count, int64_t, numerics::FunctionRef<void(int64_t, int64_t)> body) override {
    body(0, count);
  }
};

// For each window that covers the element, in row-major order: the comparisons that select one of its elements; where
// they select this one, the source of the window is scattered to it.
absl::StatusOr<AppliedPlan> SelectAndScatterPlan(const Module& module, InstructionId id,
                                                 const std::vector<int64_t>& index, absl::Span<const Value> operands,
                                                 QuestionLimit& limit) {
  const Window* const window = module.WindowAttribute(id);
  const ComputationId select = module.ComputationAttribute(id, AttributeKind::kSelect);
  const ComputationId scatter = module.ComputationAttribute(id, AttributeKind::kScatter);
  if (window == nullptr || !select.has_value() || !scatter.has_value() || operands.size() != 3) {
    return absl::InvalidArgumentError("the instruction lacks its window or its computations");
  }
  const absl::StatusOr<std::unique_ptr<ScalarProgram>> program = ScalarProgram::Compile(module, select);
  if (!program.ok()) return program.status();
  const Tensor& array = operands[0].tensor();
  if ((*program)->input_count() != 2 || (*program)->input_type(0) != array.element_type() ||
      (*program)->output_count() != 1) {
    return absl::UnimplementedError("the computation that selects takes other elements than the operand has");
  }
  PlainRuntime runtime;
  const auto selects = [&](const std::vector<int64_t>& a, const std::vector<int64_t>& b) -> absl::StatusOr<bool> {
    const LaneOperand lanes[] = {{array.At(a), false}, {array.At(b), false}};
    uint8_t chosen = 0;
    uint8_t* const outputs[] = {&chosen};
    if (absl::Status status = (*program)->Run(lanes, outputs, 1, runtime); !status.ok()) return status;
    return chosen != 0;
  };
  AppliedPlan plan;
  plan.initial = {operands[2]};
  std::vector<std::vector<int64_t>> sources;
  const auto add_source = [&](size_t k, const Element& element) {
    if (k == 1) sources.push_back(element.index);
    return sources.size() <= kMaxApplications;
  };
  ForEachDependence(module, id, {{}, index}, operands, add_source, limit);
  for (const std::vector<int64_t>& source : sources) {
    std::vector<int64_t> selected;
    bool covers = false, any = false;
    absl::Status status;
    std::vector<AppliedPlan::Application> comparisons;
    const auto compare = [&](const std::vector<int64_t>& candidate) {
      covers |= candidate == index;
      if (!std::exchange(any, true)) {
        selected = candidate;
        return true;
      }
      comparisons.push_back({select, {ScalarAt(operands[0], selected), ScalarAt(operands[0], candidate)}, false});
      const absl::StatusOr<bool> stays = selects(selected, candidate);
      if (!stays.ok()) status = stays.status();
      if (stays.ok() && !*stays) selected = candidate;
      return status.ok() && comparisons.size() <= kMaxApplications;
    };
    ForEachInWindow(*window, array.dimensions(), source, compare, limit);
    if (!status.ok()) return status;
    if (comparisons.size() > kMaxApplications) return TooMany();
    if (!covers) continue;
    for (AppliedPlan::Application& comparison : comparisons) plan.applications.push_back(std::move(comparison));
    if (selected == index) plan.applications.push_back({scatter, {ScalarAt(operands[1], source)}, true});
    if (plan.applications.size() > kMaxApplications) return TooMany();
  }
  if (absl::Status status = limit.status(); !status.ok()) return status;
  return plan;
}

}  // namespace

absl::StatusOr<AppliedPlan> ElementPlan(const Module& module, InstructionId id, const std::vector<int64_t>& index,
                                        absl::Span<const Value> operands, QuestionLimit& limit) {
  const Opcode opcode = module.opcode(id);
  const ComputationId computation = module.ComputationAttribute(id, AttributeKind::kToApply);
  const bool is_reduction = opcode == Opcode::kReduce || opcode == Opcode::kReduceWindow;
  const bool selects = opcode == Opcode::kSelectAndScatter;
  if (!selects && (!computation.has_value() || !(is_reduction || opcode == Opcode::kMap || opcode == Opcode::kScatter ||
                                                 opcode == Opcode::kSort))) {
    if (InfoOf(opcode).family == OpFamily::kCollective && computation.has_value()) {
      return absl::UnimplementedError(absl::StrCat(
          OpcodeName(opcode), " applies ", module.ComputationName(computation),
          " to the values of several devices: it cannot be entered; `operands` shows those of each `device`"));
    }
    return absl::UnimplementedError(absl::StrCat(
        OpcodeName(opcode), " applies no computation to scalars that can be entered; `step` enters calls and loops"));
  }
  const Shape& shape = module.shape(id).IsTuple() ? module.shape(id).element(0) : module.shape(id);
  bool inside = shape.dimensions().size() == index.size();
  for (size_t d = 0; inside && d < index.size(); ++d) inside = index[d] >= 0 && index[d] < shape.dimensions()[d];
  if (!inside) {
    return absl::InvalidArgumentError(
        absl::StrCat("[", absl::StrJoin(index, ","), "] is no element of ", shape.ToString(false)));
  }
  AppliedPlan plan;
  if (selects) {
    absl::StatusOr<AppliedPlan> selecting = SelectAndScatterPlan(module, id, index, operands, limit);
    if (!selecting.ok()) return selecting.status();
    plan = *std::move(selecting);
  }
  // The elements that count, by operand, in order.
  std::vector<std::vector<std::vector<int64_t>>> elements(operands.size());
  bool too_many = false;
  const auto collect = [&](size_t k, const Element& element) {
    elements[k].push_back(element.index);
    too_many = elements[k].size() > kMaxApplications;
    return !too_many;
  };
  if (!selects) ForEachDependence(module, id, {{}, index}, operands, collect, limit);
  if (absl::Status status = limit.status(); !status.ok()) return status;
  if (too_many) return TooMany();
  // Application i takes element i of each operand in [first, last).
  const auto apply = [&](size_t first, size_t last, absl::Span<const std::vector<int64_t>> places) {
    for (const std::vector<int64_t>& place : places) {
      AppliedPlan::Application application{computation, {}, true};
      for (size_t k = first; k < last; ++k) application.arguments.push_back(ScalarAt(operands[k], place));
      plan.applications.push_back(std::move(application));
    }
  };
  if (selects) {
    // The plan is there.
  } else if (is_reduction) {
    for (size_t k = operands.size() / 2; k < operands.size(); ++k) plan.initial.push_back(operands[k]);
    apply(0, operands.size() / 2, elements[0]);
  } else if (opcode == Opcode::kMap) {
    apply(0, operands.size(), {index});
  } else if (opcode == Opcode::kScatter) {
    const size_t count = (operands.size() - 1) / 2;
    for (size_t k = 0; k < count; ++k) plan.initial.push_back(ScalarAt(operands[k], index));
    apply(count + 1, operands.size(), elements[count + 1]);
  } else {
    for (const std::vector<int64_t>& other : elements[0]) {
      if (other == index) continue;
      AppliedPlan::Application application{computation, {}, true};
      for (const Value& operand : operands) {
        application.arguments.push_back(ScalarAt(operand, index));
        application.arguments.push_back(ScalarAt(operand, other));
      }
      plan.applications.push_back(std::move(application));
    }
  }
  if (plan.applications.empty()) {
    return absl::FailedPreconditionError("the computation is not applied for this element");
  }
  return plan;
}

}  // namespace hloscope::evaluator
