// SPDX-License-Identifier: Apache-2.0
// What a reader wants to know about a tensor before its elements: range, mean, and whether anything went wrong.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_SUMMARY_H_
#define HLOSCOPE_EVALUATOR_TENSOR_SUMMARY_H_

#include <atomic>
#include <cstdint>
#include <limits>

#include "absl/functional/function_ref.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// The number an element stands for: pred as 0 or 1, the magnitude of a complex number. `element` points to
// StorageBytes(type) bytes as a Tensor holds them. Requires IsArrayElement(type).
double ElementAsDouble(ElementType type, const uint8_t* element);

struct TensorSummary {
  int64_t count = 0;
  int64_t nan_count = 0;
  int64_t infinity_count = 0;
  int64_t zero_count = 0;
  // Of the elements that are not NaN; NaN if there are none. Of the magnitudes for complex types.
  double min = 0, max = 0;
  // Of the finite elements; NaN if there are none.
  double mean = 0;
  double standard_deviation = 0;
  // Not all elements were read: the reading was ended, or there were too many. The rest of this is of the first
  // `count`.
  bool incomplete = false;
};

// As many elements as are read in a few hundredths of a second: for what is shown beside something else.
inline constexpr int64_t kBriefSummary = int64_t{1} << 22;

// Reads every element once, but one that is repeated along a dimension (stride 0) once for all of it; ends after
// `max_elements`. `cancelled` may be null; it is polled every few thousand elements, as `is_over` is.
TensorSummary Summarize(const Tensor& tensor, const std::atomic<bool>* cancelled = nullptr,
                        int64_t max_elements = std::numeric_limits<int64_t>::max());
TensorSummary Summarize(const Tensor& tensor, absl::FunctionRef<bool()> is_over,
                        int64_t max_elements = std::numeric_limits<int64_t>::max());

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_SUMMARY_H_
