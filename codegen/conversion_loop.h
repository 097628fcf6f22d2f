// SPDX-License-Identifier: Apache-2.0
// Copies between arrays that are not values of instructions: in another order, in another type.
#ifndef HLOSCOPE_CODEGEN_CONVERSION_LOOP_H_
#define HLOSCOPE_CODEGEN_CONVERSION_LOOP_H_

#include <functional>
#include <string>
#include <vector>

#include "codegen/computation_writer.h"

namespace hloscope::codegen {

struct StridedArray {
  std::string name;  // of a variable
  ElementType type;
  std::vector<int64_t> strides;  // by loop
};

// Adds a loop over `sizes` that copies every element, with the number that `convert` makes of it. Without `convert`: by
// `convert` instructions through the types of `through`.
void WriteConversionLoop(ComputationWriter& writer, InstructionId owner, std::vector<int64_t> sizes,
                         const StridedArray& from, const StridedArray& to, const std::vector<ElementType>& through = {},
                         const std::function<std::string(const std::string& number)>& convert = nullptr);

// The name of a variable with the elements of an operand, dense, its dimensions in the given order, converted through
// the types: a new array, or the operand's own if that is what it is.
std::string WriteArranged(ComputationWriter& writer, InstructionId owner, InstructionId operand,
                          const std::vector<int64_t>& order, const std::vector<ElementType>& through);

// A new variable with room for `count` elements, which the instruction at hand alone needs.
std::string WriteAllocation(ComputationWriter& writer, const std::string& wish, ElementType type, int64_t count);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_CONVERSION_LOOP_H_
