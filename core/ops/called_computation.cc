// SPDX-License-Identifier: Apache-2.0
#include "core/ops/called_computation.h"

#include "absl/algorithm/container.h"
#include "core/ops/element_type_rules.h"

namespace hloscope {

// False if an instruction of the computation could not be read: then it may have more parameters than are known.
bool WasReadWhole(const Module& module, ComputationId id) {
  return absl::c_none_of(module.computation(id).instructions, [&](InstructionId i) {
    return module.opcode(i) == Opcode::kInvalid || module.instruction(i).has_reading_errors;
  });
}

bool CheckParameterCount(RuleContext& context, const CalledComputation& computation, size_t expected) {
  if (computation.parameter_count() == expected) return true;
  if (!WasReadWhole(context.module(), context.Called(computation.attribute()))) return false;
  context.Report(DiagnosticKind::kCalledParameterCount, computation.anchor(), context.opcode_name(),
                 computation.attribute_name(), CountOf(expected, "parameter", "parameters"),
                 computation.parameter_count());
  return false;
}

void ReportParameter(RuleContext& context, const CalledComputation& computation, size_t k,
                     absl::string_view expectation) {
  context
      .Report(DiagnosticKind::kCalledParameter, computation.anchor(), context.opcode_name(), k,
              computation.attribute_name(), computation.parameter_shape(k).ToString(false), expectation)
      .Related(context.RangeOf(computation.parameter(k), Anchor::Instruction()), "the parameter");
}

void ReportResult(RuleContext& context, const CalledComputation& computation, absl::string_view expectation) {
  context
      .Report(DiagnosticKind::kCalledResult, computation.anchor(), context.opcode_name(), computation.attribute_name(),
              expectation, computation.result().ToString(false))
      .Related(context.RangeOf(computation.root(), Anchor::Instruction()), "the result");
}

}  // namespace hloscope
