// SPDX-License-Identifier: Apache-2.0
// Signed 64-bit size arithmetic that detects overflow (docs/ops/tensor.md 0.1): sizes come from the user's text and
// may be anything.
#ifndef HLOSCOPE_CORE_IR_CHECKED_MATH_H_
#define HLOSCOPE_CORE_IR_CHECKED_MATH_H_

#include <cstdint>
#include <limits>

namespace hloscope {

// An int64 that remembers whether any operation on the way to it overflowed. Converts from int64_t so that a size
// formula reads as in docs/ops/tensor.md: `CheckedInt64(n) + low + high`.
class CheckedInt64 {
 public:
  constexpr CheckedInt64(int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  constexpr bool ok() const { return ok_; }
  // Meaningless unless ok().
  constexpr int64_t value() const { return value_; }

  friend constexpr CheckedInt64 operator+(CheckedInt64 a, CheckedInt64 b) {
    CheckedInt64 result(0);
    result.ok_ = !__builtin_add_overflow(a.value_, b.value_, &result.value_) && a.ok_ && b.ok_;
    return result;
  }
  friend constexpr CheckedInt64 operator-(CheckedInt64 a, CheckedInt64 b) {
    CheckedInt64 result(0);
    result.ok_ = !__builtin_sub_overflow(a.value_, b.value_, &result.value_) && a.ok_ && b.ok_;
    return result;
  }
  friend constexpr CheckedInt64 operator*(CheckedInt64 a, CheckedInt64 b) {
    CheckedInt64 result(0);
    result.ok_ = !__builtin_mul_overflow(a.value_, b.value_, &result.value_) && a.ok_ && b.ok_;
    return result;
  }

 private:
  int64_t value_;
  bool ok_ = true;
};

// The product of two sizes, or the largest int64 if it is greater. Requires a, b >= 0.
constexpr int64_t SaturatingProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

// The sum of two sizes, or the largest int64 if it is greater. Requires a, b >= 0.
constexpr int64_t SaturatingSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

// The smallest integer that is not less than a / b. Requires a >= 0 and b > 0.
constexpr int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_CHECKED_MATH_H_
