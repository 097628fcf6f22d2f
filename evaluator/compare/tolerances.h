// SPDX-License-Identifier: Apache-2.0
// By how much values may differ that two compilers or two machines compute of the same: by what computes them.
#ifndef HLOSCOPE_EVALUATOR_COMPARE_TOLERANCES_H_
#define HLOSCOPE_EVALUATOR_COMPARE_TOLERANCES_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/analysis/value_flow.h"
#include "evaluator/compare/tensor_difference.h"

namespace hloscope::evaluator {

// What a user allows for arrays of a type that an opcode computes; without either, for all.
struct ToleranceRule {
  std::optional<ElementType> type;
  std::optional<Opcode> opcode;
  Tolerance tolerance;
};

// "[TYPE:][OPCODE:]rtol=X,atol=Y,ulp=N", at least one of the three. Error InvalidArgument, for the user.
absl::StatusOr<ToleranceRule> ParseToleranceRule(absl::string_view text);

// The tolerance of every value of a module. Of the rules that fit, one that names type and opcode goes before one that
// names the opcode, that before one that names the type, and a later one before an earlier one. Without a rule it is
// what computes the value that counts: what only moves parameters and constants about must be equal; one rounding,
// functions that libraries approximate, and sums, which grow with the root of their number of terms, may differ by a
// share of the element and of the largest element (operation_errors.def); and no value is more exact than those that
// it is computed from, in bf16 for instance.
class ValueTolerances {
 public:
  // `flow` outlives the object.
  ValueTolerances(const ValueFlow& flow, std::vector<ToleranceRule> rules);

  // Of an array of this type in the value of a carrier.
  Tolerance Of(InstructionId carrier, ElementType type) const;
  // Of each array of an instruction's value, in order.
  std::vector<Tolerance> OfArrays(InstructionId id) const;

 private:
  // The part of its size by which an array of this type may differ.
  double ShareOf(InstructionId carrier, ElementType type) const;
  double OwnShare(InstructionId carrier, ElementType type) const;
  bool Inherit(InstructionId carrier, absl::Span<const InstructionId> from);

  const ValueFlow& flow_;
  const std::vector<ToleranceRule> rules_;
  std::vector<double> inherited_;  // by instruction: the largest share of what it is computed from
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_COMPARE_TOLERANCES_H_
