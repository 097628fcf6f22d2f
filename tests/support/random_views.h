// SPDX-License-Identifier: Apache-2.0
// Random tensors, and views of them in any strides.
#ifndef HLOSCOPE_TESTS_SUPPORT_RANDOM_VIEWS_H_
#define HLOSCOPE_TESTS_SUPPORT_RANDOM_VIEWS_H_

#include <cstdint>
#include <random>

#include "absl/types/span.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope {

// Floats from a small range, so that most results are ordinary numbers; other types get all their bits.
evaluator::Tensor RandomTensor(ElementType type, absl::Span<const int64_t> dimensions, std::mt19937& random);

// A tensor of `dimensions` that reads a random buffer with random strides: permuted, reversed, spread out, repeating.
evaluator::Tensor RandomView(ElementType type, absl::Span<const int64_t> dimensions, std::mt19937& random);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_RANDOM_VIEWS_H_
