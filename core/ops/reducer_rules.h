// SPDX-License-Identifier: Apache-2.0
// The contract of a computation that combines values: to_apply of reduce, reduce-window and scatter, and the `scatter`
// computation of select-and-scatter (RED, docs/ops/tensor.md 0.5).
#ifndef HLOSCOPE_CORE_OPS_REDUCER_RULES_H_
#define HLOSCOPE_CORE_OPS_REDUCER_RULES_H_

#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/ir/element_type.h"
#include "core/ops/rule_context.h"

namespace hloscope {

using ElementTypes = absl::InlinedVector<ElementType, 4>;

// What a valid reducer returns.
struct ReducerResult {
  ElementTypes types;  // one per input
  bool is_tuple = false;
};

// Checks the computation of `attribute` against N inputs and N initial values of these element types and reports every
// violation of RED-1..9. With `exact_parameters` (reduce, reduce-window) parameters must also have exactly the types of
// the operands unless mixed precision is allowed (RED-10). Nothing if it is in error or could not be read.
std::optional<ReducerResult> CheckReducer(RuleContext& context, AttributeKind attribute,
                                          absl::Span<const ElementType> inputs, absl::Span<const ElementType> inits,
                                          bool exact_parameters);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_REDUCER_RULES_H_
