// SPDX-License-Identifier: Apache-2.0
// Comparing results with expected values under the rules of the shared vectors (their README).
#ifndef HLOSCOPE_TESTS_SUPPORT_COMPARE_VALUES_H_
#define HLOSCOPE_TESTS_SUPPORT_COMPARE_VALUES_H_

#include <cstdint>
#include <string>

#include "evaluator/tensor/tensor.h"

namespace hloscope {

// NaN agrees with NaN, infinities must be equal, under every rule. Complex numbers are judged part by part.
struct ComparisonRule {
  enum class Check : uint8_t {
    kEqual,        // equal values; 0 equals -0
    kClose,        // min_ulp to max_ulp representable values apart, in the result's own type; 0 and -0 are 0 apart
    kAlmostEqual,  // at most `tolerance` apart
  };
  Check check = Check::kEqual;
  uint64_t min_ulp = 0, max_ulp = 0;
  double tolerance = 0;
};

// Empty if the arrays agree, else what differs first and how many elements differ.
std::string CompareTensors(const evaluator::Tensor& expected, const evaluator::Tensor& actual,
                           const ComparisonRule& rule);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_COMPARE_VALUES_H_
