// SPDX-License-Identifier: Apache-2.0
// Values of dense<...> and dense_resource<...> (docs/stablehlo.md 1).
#ifndef HLOSCOPE_STABLEHLO_CONSTANTS_H_
#define HLOSCOPE_STABLEHLO_CONSTANTS_H_

#include <optional>
#include <string>
#include <vector>

#include "stablehlo/program.h"

namespace hloscope::stablehlo {

struct ConstantText {
  std::string text;       // as HLO writes the value of the shape, or of one element if `is_splat`; "{...}" if elided
  bool is_splat = false;  // every element is the same
};

// The value as HLO text. `value` is a kDense or kDenseResource with a tensor type, or a number, which is a splat of
// `shape`. Reports to `sink` and returns nullopt if it is not a value of the shape.
std::optional<ConstantText> HloTextOfConstant(const Program& program, const AttributeValue& value, const Shape& shape,
                                              DiagnosticSink& sink);

// The elements of an integer or boolean constant of at most 2^20 elements; nullopt for others.
std::optional<std::vector<int64_t>> IntegersOfConstant(const Program& program, const AttributeValue& value);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_CONSTANTS_H_
