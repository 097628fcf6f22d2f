// SPDX-License-Identifier: Apache-2.0
// Made-up argument values (`hloscope run --fill`).
#ifndef HLOSCOPE_EVALUATOR_TENSOR_FILL_H_
#define HLOSCOPE_EVALUATOR_TENSOR_FILL_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/shape.h"
#include "evaluator/tensor/value.h"
#include "numerics/parallel/executor.h"

namespace hloscope::evaluator {

enum class FillKind : uint8_t { kZeros, kOnes, kIota, kRandom, kNormal, kPositive, kUniform };
std::optional<FillKind> FillKindFromName(absl::string_view name);

// What made-up values are like. Random: uniform in [-1, 1) for floats, in [0, 8) for integers, 0 or 1 for pred. Normal:
// the sum of twelve uniform numbers less 6, which is nearly normal and equal on every machine; integers and pred as
// random. Positive: uniform in [0.5, 1.5), integers in [1, 8), pred 1. Uniform: in [low, high), integers from the
// ceiling of `low` on.
struct FillRule {
  FillRule() = default;
  FillRule(FillKind kind) : kind(kind) {}  // NOLINT: meant to convert
  static FillRule Uniform(double low, double high) {
    FillRule rule(FillKind::kUniform);
    rule.low = low;
    rule.high = high;
    return rule;
  }
  friend bool operator==(const FillRule&, const FillRule&) = default;

  FillKind kind = FillKind::kRandom;
  double low = -1, high = 1;  // of kUniform
};
// "zeros", ..., "uniform:LO:HI" with finite LO < HI; nothing if the text is none of them.
std::optional<FillRule> FillRuleFromText(absl::string_view text);

// A value of `shape`: a pure function of (rule, seed, stream, leaf number, element number), equal on every machine and
// for any number of threads. Parameters have their number as stream. Runs on the threads of `executor` and polls it;
// null: in the calling thread alone. Errors: InvalidArgument for a shape that no values can be made up for,
// ResourceExhausted, Cancelled.
absl::StatusOr<Value> FillValue(const Shape& shape, const FillRule& rule, uint64_t seed, int64_t stream,
                                numerics::Executor* executor = nullptr);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_FILL_H_
