// SPDX-License-Identifier: Apache-2.0
// Arrays as SVG: heat maps of their planes, with the elements where they are few.
#ifndef HLOSCOPE_REPORTS_TENSOR_DRAWING_H_
#define HLOSCOPE_REPORTS_TENSOR_DRAWING_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "evaluator/tensor/value.h"

namespace hloscope::reports {

struct NamedTensor {
  std::string name;
  evaluator::Tensor tensor;  // its valid elements
};

// Arrays of a value that are drawn: a tuple may have any number of them.
inline constexpr size_t kMostDrawnArrays = 256;

// The arrays of a value, depth first: `name`, or `name{1}` and the like of a tuple. At most one more than is drawn.
std::vector<NamedTensor> TensorsOf(const std::string& name, const evaluator::Value& value);

// "min -1 max 3 mean 0.5", and how many are NaN or infinite; empty without elements.
std::string TensorFacts(const evaluator::Tensor& tensor);

// The first planes of each array (the last two dimensions) below one another. Points of large planes are means. Beyond
// kMostDrawnArrays it says that there are more.
std::string TensorsSvg(absl::Span<const NamedTensor> tensors);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_TENSOR_DRAWING_H_
