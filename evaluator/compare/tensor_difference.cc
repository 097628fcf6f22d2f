// SPDX-License-Identifier: Apache-2.0
#include "evaluator/compare/tensor_difference.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/fitting_scale.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

constexpr uint64_t kFar = std::numeric_limits<uint64_t>::max();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLarge = 1e300, kPart = 0x1p-10;  // larger numbers are compared by such parts of them
constexpr int64_t kBlock = 1024;                   // elements that are skipped together if all bytes are equal

bool IsFloatingPoint(ElementType type) { return IsFloat(type) || IsComplex(type); }

std::vector<int64_t> IndexOf(int64_t linear, absl::Span<const int64_t> dimensions) {
  std::vector<int64_t> index(dimensions.size());
  for (size_t k = dimensions.size(); k-- > 0;) {
    index[k] = linear % dimensions[k];
    linear /= dimensions[k];
  }
  return index;
}

// Compares dense arrays of one type element by element.
class Comparer {
 public:
  Comparer(ElementType type, const uint8_t* a, const uint8_t* b, int64_t count)
      : type_(type), bytes_(StorageBytes(type)), a_(a), b_(b), count_(count) {}

  void Run(const Tolerance& tolerance, const std::atomic<bool>* cancelled) {
    allowed_ = tolerance.absolute;
    if (tolerance.of_largest > 0 && std::memcmp(a_, b_, static_cast<size_t>(count_ * bytes_)) != 0) {
      allowed_ += tolerance.of_largest * LargestOfFirst();
    }
    for (int64_t begin = 0; begin < count_; begin += kBlock) {
      if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) {
        difference.incomplete = true;
        difference.count = begin;
        Count();
        return;
      }
      const int64_t end = std::min(count_, begin + kBlock);
      const int64_t offset = begin * bytes_;
      if (std::memcmp(a_ + offset, b_ + offset, static_cast<size_t>((end - begin) * bytes_)) == 0) continue;
      for (int64_t i = begin; i < end; ++i) Compare(i, tolerance);
    }
    difference.count = count_;
    Count();
  }

  TensorDifference difference;
  int64_t first_beyond = -1, worst = -1;

 private:
  // The distribution of the differences, from what Compare gathered.
  void Count() {
    std::vector<int64_t>& list = difference.by_ulps;
    list.assign(apart_.begin(), apart_.end());
    list[0] = difference.count - difference.different;
    while (list.size() > 1 && list.back() == 0) list.pop_back();
    const int64_t finite = difference.count - difference.not_finite;
    if (finite > 0) difference.root_mean_square = squares_.OfMean(finite);
  }

  double LargestOfFirst() const {
    double largest = 0;
    for (int64_t i = 0; i < count_; ++i) {
      const double size = MagnitudeOf(ReadComplex(type_, a_ + i * bytes_));
      if (std::isfinite(size)) largest = std::max(largest, size);
    }
    return largest;
  }

  void Compare(int64_t i, const Tolerance& tolerance) {
    const uint8_t *x = a_ + i * bytes_, *y = b_ + i * bytes_;
    if (std::memcmp(x, y, static_cast<size_t>(bytes_)) == 0) return;
    const uint64_t ulps = Ulps(x, y);
    if (ulps == 0) return;  // 0 and -0, or NaNs
    ++difference.different;
    const std::complex<double> first = ReadComplex(type_, x), second = ReadComplex(type_, y);
    const bool is_integer = !IsFloatingPoint(type_);
    // Large numbers of other signs are further apart than any number is, and so may be what is allowed.
    const double part = std::max(MagnitudeOf(first), MagnitudeOf(second)) > kLarge ? kPart : 1;
    const double size = MagnitudeOf(first * part);
    // 64-bit integers next to one another are one double.
    const double distance = is_integer ? static_cast<double>(ulps) * part : std::abs(first * part - second * part);
    const double apart = std::min(distance / part, kLargest);
    const bool comparable = is_integer || ulps != kFar;
    difference.max_ulps = std::max(difference.max_ulps, ulps);
    if (comparable) {
      ++apart_[static_cast<size_t>(std::bit_width(ulps))];
      squares_.Add(apart);
      if (worst < 0 || (difference.not_finite == 0 && apart > difference.max_absolute)) worst = i;
      difference.max_absolute = std::max(difference.max_absolute, apart);
      if (size > 0) difference.max_relative = std::max(difference.max_relative, std::min(distance / size, kLargest));
      if (distance <= allowed_ * part + tolerance.relative * size || ulps <= tolerance.ulps) return;
    } else {
      if (difference.not_finite == 0) worst = i;
      ++difference.not_finite;
    }
    ++difference.beyond;
    if (first_beyond < 0) first_beyond = i;
  }

  uint64_t Ulps(const uint8_t* x, const uint8_t* y) const {
    if (!IsComplex(type_)) return UlpDistance(type_, x, y);
    const ElementType part = ComplexComponent(type_);
    const int64_t half = StorageBytes(part);
    return std::max(UlpDistance(part, x, y), UlpDistance(part, x + half, y + half));
  }

  const ElementType type_;
  const int64_t bytes_;
  const uint8_t* const a_;
  const uint8_t* const b_;
  const int64_t count_;
  double allowed_ = 0;
  RootOfSquares squares_;
  std::array<int64_t, 65> apart_{};
};

}  // namespace

Tolerance UsualTolerance(ElementType type) {
  if (!IsFloatingPoint(type)) return {};
  const ElementType part = IsComplex(type) ? ComplexComponent(type) : type;
  const int width = BitWidth(part);
  const double share = width >= 64                 ? 1e-12
                       : width >= 32               ? 2e-5
                       : part == ElementType::kF16 ? 1e-2
                       : width >= 16               ? 4e-2
                                                   : 0.25;
  return {.relative = share, .of_largest = share};
}

uint64_t UlpDistance(ElementType type, const uint8_t* a, const uint8_t* b) {
  const uint64_t a_bits = ReadBits(type, a), b_bits = ReadBits(type, b);
  if (a_bits == b_bits) return 0;
  if (!IsFloat(type)) {
    const bool less = IsSigned(type) ? ReadInteger(type, a) < ReadInteger(type, b) : a_bits < b_bits;
    const uint64_t x = IsSigned(type) ? static_cast<uint64_t>(ReadInteger(type, a)) : a_bits;
    const uint64_t y = IsSigned(type) ? static_cast<uint64_t>(ReadInteger(type, b)) : b_bits;
    return less ? y - x : x - y;
  }
  const double x = ReadReal(type, a), y = ReadReal(type, b);
  if (std::isnan(x) && std::isnan(y)) return 0;
  if (!std::isfinite(x) || !std::isfinite(y)) return kFar;
  const uint64_t sign = FloatFormatOf(type).has_sign ? uint64_t{1} << (BitWidth(type) - 1) : 0;
  const uint64_t x_size = a_bits & ~sign, y_size = b_bits & ~sign;
  if ((a_bits & sign) != (b_bits & sign)) return x_size + y_size;
  return x_size > y_size ? x_size - y_size : y_size - x_size;
}

absl::StatusOr<TensorDifference> DifferenceOf(const Tensor& first, const Tensor& second, const Tolerance& tolerance,
                                              const std::atomic<bool>* cancelled) {
  const Tensor a_view = first.WithRunTimeSizes(), b_view = second.WithRunTimeSizes();
  if (a_view.element_type() != b_view.element_type() || a_view.dimensions() != b_view.dimensions()) {
    return absl::InvalidArgumentError(
        absl::StrCat("one is ", a_view.shape().ToString(false), ", the other ", b_view.shape().ToString(false)));
  }
  const absl::StatusOr<Tensor> a = a_view.Contiguous(), b = b_view.Contiguous();
  if (!a.ok()) return a.status();
  if (!b.ok()) return b.status();
  if (a->element_count() == 0) return TensorDifference();
  Comparer comparer(a->element_type(), a->data(), b->data(), a->element_count());
  comparer.Run(tolerance, cancelled);
  TensorDifference difference = comparer.difference;
  if (comparer.first_beyond >= 0) difference.first_beyond = IndexOf(comparer.first_beyond, a->dimensions());
  if (comparer.worst >= 0) difference.worst = IndexOf(comparer.worst, a->dimensions());
  return difference;
}

}  // namespace hloscope::evaluator
