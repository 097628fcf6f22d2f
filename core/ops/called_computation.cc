#include "core/ops/called_computation.h"

#include "core/ops/element_type_rules.h"

namespace hloscope {

bool CheckParameterCount(RuleContext& context, const CalledComputation& computation, size_t expected) {
  if (computation.parameter_count() == expected) return true;
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
