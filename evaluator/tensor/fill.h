// Made-up argument values (`hloscope run --fill`).
#ifndef HLOSCOPE_EVALUATOR_TENSOR_FILL_H_
#define HLOSCOPE_EVALUATOR_TENSOR_FILL_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/shape.h"
#include "evaluator/tensor/value.h"

namespace hloscope {

enum class FillKind : uint8_t { kZeros, kOnes, kIota, kRandom };
std::optional<FillKind> FillKindFromName(absl::string_view name);

// A value of `shape` for parameter `parameter_number`. Random: uniform in [-1, 1) for floats, small non-negative
// integers, 0/1 for pred; a pure function of (seed, parameter number, leaf number, element number), equal on every
// machine.
absl::StatusOr<Value> FillValue(const Shape& shape, FillKind kind, uint64_t seed, int64_t parameter_number);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_TENSOR_FILL_H_
