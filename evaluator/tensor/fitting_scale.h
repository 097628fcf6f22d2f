// SPDX-License-Identifier: Apache-2.0
// Squares and magnitudes of the largest and of the smallest numbers without overflow and underflow.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_FITTING_SCALE_H_
#define HLOSCOPE_EVALUATOR_TENSOR_FITTING_SCALE_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

namespace hloscope::evaluator {

// The absolute value. Of a number whose parts are finite it is finite too: the largest double, if it is beyond that.
inline double MagnitudeOf(const std::complex<double>& number) {
  const double magnitude = std::abs(number);
  const bool is_finite = std::isfinite(number.real()) && std::isfinite(number.imag());
  return is_finite ? std::min(magnitude, std::numeric_limits<double>::max()) : magnitude;
}

// A power of two by which numbers are multiplied: what they are is not changed, but their squares, and 2^60 of them
// added, are in range. Numbers so much smaller than the largest that they vanish do not count beside it either.
class FittingScale {
 public:
  // Makes room for a finite number of this magnitude. What was scaled before is to be multiplied by the result.
  double Fit(double magnitude) {
    constexpr double kMost = 0x1p400;
    constexpr int kMostExponent = 1000;  // its inverse is a normal number
    if (magnitude == 0 || (scale_ > 0 && magnitude * scale_ < kMost)) return 1;
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const double before = scale_;
    scale_ = std::ldexp(1.0, -std::clamp(exponent, -kMostExponent, kMostExponent));
    return before > 0 ? scale_ / before : 1;
  }

  // 0 before the first number that is not 0.
  double scale() const { return scale_; }
  // The number that was scaled to this; the largest one of its sign instead of an infinity that rounding made.
  double Unscaled(double scaled) const {
    constexpr double kLargest = std::numeric_limits<double>::max();
    return scale_ > 0 ? std::clamp(scaled / scale_, -kLargest, kLargest) : scaled;
  }

 private:
  double scale_ = 0;
};

// The root of a sum of squares of finite numbers.
class RootOfSquares {
 public:
  void Add(double value) {
    const double factor = scale_.Fit(std::abs(value)), scaled = value * scale_.scale();
    sum_ = sum_ * factor * factor + scaled * scaled;
  }
  // Of their mean over so many.
  double OfMean(int64_t count) const { return scale_.Unscaled(std::sqrt(sum_ / static_cast<double>(count))); }
  // Infinite if it is larger than any number.
  double OfSum() const { return scale_.scale() > 0 ? std::sqrt(sum_) / scale_.scale() : 0; }

 private:
  FittingScale scale_;
  double sum_ = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_FITTING_SCALE_H_
