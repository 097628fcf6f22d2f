// SPDX-License-Identifier: Apache-2.0
// Looking for NaNs and infinities in values (docs/ops/control.md 7.5).
#ifndef HLOSCOPE_EVALUATOR_ENGINE_NON_FINITE_H_
#define HLOSCOPE_EVALUATOR_ENGINE_NON_FINITE_H_

#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

struct NonFinite {
  bool nan = false;
  bool infinity = false;
};

// Whether any element of any floating or complex tensor below `value` is a NaN or an infinity.
NonFinite FindNonFinite(const Value& value);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_NON_FINITE_H_
