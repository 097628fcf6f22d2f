// SPDX-License-Identifier: Apache-2.0
// What made-up values should be like, as far as the module shows what they are for.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_PLAUSIBLE_FILLS_H_
#define HLOSCOPE_EVALUATOR_ENGINE_PLAUSIBLE_FILLS_H_

#include "absl/container/flat_hash_map.h"
#include "core/ir/module.h"
#include "evaluator/tensor/fill.h"

namespace hloscope::evaluator {

// Rules for parameters of the entry computation and for elided constants, where their uses say more than
// FillKind::kRandom; of arrays only. Uses are followed through what keeps values (reshapes, broadcasts, converts,
// slices), into fusions, calls, branches and loops, and, for the first rule, through sums and products with scalars:
// * variances, denominators, what a logarithm or a root is taken of: positive;
// * indices of gather, scatter, dynamic-slice and dynamic-update-slice: within the array;
// * weights of products and convolutions: uniform in +-sqrt(3 / n), n products for each element of the result, so that
//   activations neither grow nor vanish from layer to layer.
// O(instructions) for each parameter, with a bound of some hundred uses.
absl::flat_hash_map<InstructionId, FillRule> PlausibleFills(const Module& module);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_PLAUSIBLE_FILLS_H_
