#include "evaluator/debugger/element_plan.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/debugger/dependences.h"

namespace hloscope {
namespace {

constexpr size_t kMaxApplications = 100000;

// The element as a scalar that shares the array's memory.
Value ScalarAt(const Value& value, const std::vector<int64_t>& index) {
  const Tensor& tensor = value.tensor();
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * tensor.strides()[d];
  return Value(tensor.View({}, {}, offset));
}

}  // namespace

absl::StatusOr<AppliedPlan> ElementPlan(const Module& module, InstructionId id, const std::vector<int64_t>& index,
                                        absl::Span<const Value> operands) {
  const Opcode opcode = module.opcode(id);
  const ComputationId computation = module.ComputationAttribute(id, AttributeKind::kToApply);
  const bool is_reduction = opcode == Opcode::kReduce || opcode == Opcode::kReduceWindow;
  if (!computation.has_value() ||
      !(is_reduction || opcode == Opcode::kMap || opcode == Opcode::kScatter || opcode == Opcode::kSort)) {
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
  // The elements that count, by operand, in order.
  std::vector<std::vector<std::vector<int64_t>>> elements(operands.size());
  bool too_many = false;
  ForEachDependence(module, id, {{}, index}, operands, [&](size_t k, const Element& element) {
    elements[k].push_back(element.index);
    too_many = elements[k].size() > kMaxApplications;
    return !too_many;
  });
  if (too_many) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the element is made by more than ", kMaxApplications, " applications"));
  }
  AppliedPlan plan;
  // Application i takes element i of each operand in [first, last).
  const auto apply = [&](size_t first, size_t last, absl::Span<const std::vector<int64_t>> places) {
    for (const std::vector<int64_t>& place : places) {
      AppliedPlan::Application application{computation, {}};
      for (size_t k = first; k < last; ++k) application.arguments.push_back(ScalarAt(operands[k], place));
      plan.applications.push_back(std::move(application));
    }
  };
  if (is_reduction) {
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
      AppliedPlan::Application application{computation, {}};
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

}  // namespace hloscope
