// SPDX-License-Identifier: Apache-2.0
// Arrays of numbers that are computed in blocks when they are read, so that no step of an expression needs memory of
// its own: `any(isnan(x))` reads x once.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_EXPRESSION_LANES_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_EXPRESSION_LANES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"
#include "evaluator/debugger/question_limit.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// Elements that are read at once.
constexpr int64_t kLaneBlock = 512;

// An array of numbers, in row-major order.
class Lanes {
 public:
  virtual ~Lanes() = default;
  // Writes the elements [first, first + count); at most kLaneBlock.
  virtual void Read(int64_t first, int64_t count, double* out) const = 0;
};

std::shared_ptr<const Lanes> ConstantLanes(double value);

enum class NumberPart : uint8_t { kReal, kImaginary, kMagnitude };
// Of complex numbers the part; of others the number. Requires a contiguous tensor.
std::shared_ptr<const Lanes> TensorLanes(Tensor tensor, NumberPart part);

struct UnaryFunction {
  absl::string_view name;
  double (*function)(double);
  bool is_pred;  // gives 0 or 1
};
// A function of one operand, or a prefix operator; null if there is none of the name.
const UnaryFunction* FindUnaryFunction(absl::string_view name);
std::shared_ptr<const Lanes> UnaryLanes(const UnaryFunction& function, std::shared_ptr<const Lanes> operand);

struct BinaryFunction {
  absl::string_view name;
  double (*function)(double, double);
  bool is_pred;
};
const BinaryFunction* FindBinaryFunction(absl::string_view name);
// A side that is a scalar beside an array is read as its only element.
std::shared_ptr<const Lanes> BinaryLanes(const BinaryFunction& function, std::shared_ptr<const Lanes> left,
                                         bool left_is_scalar, std::shared_ptr<const Lanes> right, bool right_is_scalar);

// Calls `visit` with each element's place and number until it returns false or the limit is over.
template <typename Visit>
void ForEachLane(const Lanes& lanes, int64_t count, QuestionLimit& limit, Visit&& visit) {
  std::array<double, kLaneBlock> block;
  for (int64_t first = 0; first < count && !limit.Look(); first += kLaneBlock) {
    const int64_t size = std::min(kLaneBlock, count - first);
    lanes.Read(first, size, block.data());
    for (int64_t i = 0; i < size; ++i) {
      if (!visit(first + i, block[static_cast<size_t>(i)])) return;
    }
  }
}

// One number of many.
struct ReducedLanes {
  double value = 0;
  bool is_pred = false;
};
// `name`: any, all, count, sum, norm, mean, std, argmax, argmin, max, min. `with_nans`: one NaN makes a maximum or
// minimum NaN. When the limit is over, the number is of no use.
ReducedLanes ReduceLanes(absl::string_view name, const Lanes& lanes, int64_t count, bool with_nans,
                         QuestionLimit& limit);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_EXPRESSION_LANES_H_
