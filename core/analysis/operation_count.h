// SPDX-License-Identifier: Apache-2.0
// How many operations an instruction takes by itself; cost.h has the formulas.
#ifndef HLOSCOPE_CORE_ANALYSIS_OPERATION_COUNT_H_
#define HLOSCOPE_CORE_ANALYSIS_OPERATION_COUNT_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "core/ir/module.h"

namespace hloscope {

// `applied`: the operations of one application of the computation that the attribute names. What whole computations
// take that the instruction calls is not counted.
int64_t CountOperations(const Module& module, InstructionId id, absl::FunctionRef<int64_t(AttributeKind)> applied);

// Elements of an array, or of all arrays of a tuple of arrays.
int64_t ArrayElements(const Shape& shape);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_OPERATION_COUNT_H_
