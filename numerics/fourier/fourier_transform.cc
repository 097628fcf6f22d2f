// SPDX-License-Identifier: Apache-2.0
#include "numerics/fourier/fourier_transform.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "numerics/elements/complex_product.h"
#include "numerics/fourier/smooth_transform.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {
namespace {

using Complex = std::complex<double>;

constexpr double kPi = 3.14159265358979323846;
// Up to this length the formula is as fast as anything else.
constexpr int64_t kFormulaLength = 8;
// Up to this length, values, roots and all stay in the caches, and nobody notices a wait for the end.
constexpr int64_t kWholeLength = 1 << 16;
// Rough costs of an element.
constexpr double kRootNanoseconds = 40, kPointNanoseconds = 3;
// At most so many lines, and elements of them, are transformed one after the other: what is read and written at a time
// in the other direction.
constexpr int64_t kLines = 8, kLineElements = 1 << 17;

// The largest divisor of n that is at most its square root.
int64_t MiddleDivisor(int64_t n) {
  int64_t d = static_cast<int64_t>(std::sqrt(static_cast<double>(n)));
  while (n % d != 0) --d;
  return d;
}

double TransformNanoseconds(int64_t length) {
  return 2 * static_cast<double>(length) * std::log2(static_cast<double>(length) + 2);
}

// Memory that is touched when it is used.
class Elements {
 public:
  explicit Elements(int64_t count) : data_(new double[static_cast<size_t>(2 * count)]) {}
  Complex* data() { return reinterpret_cast<Complex*>(data_.get()); }

 private:
  std::unique_ptr<double[]> data_;
};

// A table of large size whose memory is touched bit by bit.
Outcome AppendRoots(int64_t count, int64_t step, int64_t n, std::vector<Complex>& roots, Executor& executor) {
  roots.reserve(static_cast<size_t>(count));
  return SerialLoop(executor, count, kRootNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) roots.push_back(RootOfUnity(k * step, n));
  });
}

}  // namespace

Complex RootOfUnity(int64_t k, int64_t n) {
  k %= n;
  // Reduce to the first eighth of the circle, where sine and cosine are exact at both ends.
  const int64_t eighths = 8 * k;
  const int64_t octant = eighths / n;
  const int64_t rest = octant % 2 == 0 ? eighths - octant * n : (octant + 1) * n - eighths;  // in eighths of n
  const double angle = kPi / 4 * (static_cast<double>(rest) / static_cast<double>(n));
  double c = std::cos(angle), s = std::sin(angle);
  if (octant % 4 == 1 || octant % 4 == 2) std::swap(c, s);
  // cos is negative in octants 2..5, sin in octants 4..7; the root turns clockwise.
  if (octant >= 2 && octant <= 5) c = -c;
  if (octant >= 4) s = -s;
  return Complex(c, -s);
}

FourierTransform::Plan FourierTransform::PlanOf(int64_t length) {
  if (length <= kFormulaLength) return {Method::kFormula, 0, {}};
  if (length <= kWholeLength) {
    if (std::vector<int> factors = SmallFactors(length); !factors.empty())
      return {Method::kSmooth, 0, std::move(factors)};
  } else if (const int64_t divisor = MiddleDivisor(length); divisor > 1) {
    return {Method::kParts, divisor, {}};
  }
  return {Method::kChirp, static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * length - 1))), {}};
}

int64_t FourierTransform::TableBytes(int64_t length) {
  constexpr int64_t kBytes = sizeof(Complex);
  const Plan plan = PlanOf(length);
  if (plan.method == Method::kParts) {
    // Two tables of roots, each of about the square root of the length.
    const int64_t roots = 4 * static_cast<int64_t>(std::sqrt(static_cast<double>(length))) + 4;
    return TableBytes(plan.part) + TableBytes(length / plan.part) + kBytes * roots;
  }
  // The chirp, its filter, and what transforming that takes.
  if (plan.method == Method::kChirp) return TableBytes(plan.part) + kBytes * (length + 2 * plan.part);
  return kBytes * length;
}

FourierTransform::FourierTransform(int64_t length, Executor& executor) : length_(length) {
  Plan plan = PlanOf(length);
  method_ = plan.method;
  switch (method_) {
    case Method::kSmooth:
      factors_ = std::move(plan.factors);
      scratch_size_ = length;
      [[fallthrough]];
    case Method::kFormula:
      outcome_ = AppendRoots(length, 1, length, roots_, executor);
      break;
    case Method::kParts: {
      outer_ = std::make_unique<FourierTransform>(plan.part, executor);
      inner_ = std::make_unique<FourierTransform>(length / plan.part, executor);
      scratch_size_ = length;
      while (int64_t{1} << (2 * fine_bits_) < length) ++fine_bits_;
      const int64_t fine = int64_t{1} << fine_bits_;
      outcome_ = AppendRoots(fine, 1, length, roots_, executor);
      if (outcome_.ok()) outcome_ = AppendRoots(length / fine + 1, fine, length, coarse_roots_, executor);
      if (outcome_.ok()) outcome_ = outer_->outcome_;
      if (outcome_.ok()) outcome_ = inner_->outcome_;
      break;
    }
    case Method::kChirp:
      MakeChirp(plan.part, executor);
  }
}

void FourierTransform::MakeChirp(int64_t padded, Executor& executor) {
  inner_ = std::make_unique<FourierTransform>(padded, executor);
  scratch_size_ = padded + inner_->scratch_size_;
  outcome_ = inner_->outcome_;
  if (!outcome_.ok()) return;
  chirp_.reserve(static_cast<size_t>(length_));
  int64_t square = 0;  // k^2 modulo 2n
  outcome_ = SerialLoop(executor, length_, kRootNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      chirp_.push_back(RootOfUnity(square, 2 * length_));
      square = (square + 2 * k + 1) % (2 * length_);
    }
  });
  if (!outcome_.ok()) return;
  chirp_filter_.reserve(static_cast<size_t>(padded));
  outcome_ = SerialLoop(executor, padded, kPointNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t distance = std::min(k, padded - k);
      chirp_filter_.push_back(distance < length_ ? std::conj(chirp_[static_cast<size_t>(distance)]) : Complex());
    }
  });
  if (!outcome_.ok()) return;
  Elements scratch(inner_->scratch_size_);
  outcome_ = inner_->Forward(chirp_filter_.data(), scratch.data(), executor);
}

Outcome FourierTransform::Forward(Complex* values, Complex* scratch, Executor& executor) const {
  if (!outcome_.ok()) return outcome_;
  switch (method_) {
    case Method::kFormula:
      TransformByFormula(values);
      break;
    case Method::kSmooth:
      if (TransformBySmallFactors(factors_, roots_.data(), length_, 1, values, scratch) != values) {
        std::copy_n(scratch, length_, values);
      }
      break;
    case Method::kParts:
      return TransformByParts(values, scratch, executor);
    case Method::kChirp:
      return TransformByChirp(values, scratch, executor);
  }
  return Outcome::kDone;
}

Outcome FourierTransform::Inverse(Complex* values, Complex* scratch, Executor& executor) const {
  // x = conj(F(conj(X))) / n.
  Outcome outcome = ParallelLoop(executor, length_, kPointNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) values[k] = std::conj(values[k]);
  });
  if (outcome.ok()) outcome = Forward(values, scratch, executor);
  if (!outcome.ok()) return outcome;
  const double scale = 1.0 / static_cast<double>(std::max<int64_t>(length_, 1));
  return ParallelLoop(executor, length_, kPointNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) values[k] = std::conj(values[k]) * scale;
  });
}

void FourierTransform::TransformByFormula(Complex* values) const {
  std::array<Complex, kFormulaLength> result{};
  for (int64_t k = 0; k < length_; ++k) {
    for (int64_t t = 0; t < length_; ++t) {
      result[static_cast<size_t>(k)] += PlainProduct(values[t], roots_[static_cast<size_t>(k * t % length_)]);
    }
  }
  std::copy_n(result.begin(), length_, values);
}

Complex FourierTransform::Root(int64_t k) const {
  const auto place = static_cast<uint64_t>(k);
  return PlainProduct(coarse_roots_[place >> fine_bits_], roots_[place & ((uint64_t{1} << fine_bits_) - 1)]);
}

// With n = outer * inner, t = inner * t1 + t2 and k = k1 + outer * k2:
// X[k] = sum over t2 of w_n^(t2 k1) (sum over t1 of x[t] w_outer^(t1 k1)) w_inner^(t2 k2).
Outcome FourierTransform::TransformByParts(Complex* values, Complex* scratch, Executor& executor) const {
  const int64_t outer = outer_->length_, inner = inner_->length_;
  const auto transform_lines = [&](const FourierTransform& transform, int64_t count, const auto& read,
                                   const auto& write) {
    const int64_t length = transform.length_;
    const int64_t step = std::clamp<int64_t>(kLineElements / length, 1, kLines);
    const double nanoseconds = static_cast<double>(step) * (TransformNanoseconds(length) + 20);
    return ParallelLoop(executor, (count - 1) / step + 1, nanoseconds, [&](int64_t begin, int64_t end) {
      Elements tile(step * length + transform.scratch_size_);
      for (int64_t first = begin * step; first < std::min(count, end * step); first += step) {
        const int64_t lines = std::min(step, count - first);
        read(first, lines, tile.data());
        for (int64_t line = 0; line < lines; ++line) {
          // Cancelled: the loop around it notices by itself.
          transform.Forward(tile.data() + line * length, tile.data() + step * length, executor).Ignore();
        }
        write(first, lines, tile.data());
      }
    });
  };
  Outcome outcome = transform_lines(
      *outer_, inner,
      [&](int64_t first, int64_t lines, Complex* tile) {
        for (int64_t t1 = 0; t1 < outer; ++t1) {
          for (int64_t line = 0; line < lines; ++line) tile[line * outer + t1] = values[t1 * inner + first + line];
        }
      },
      [&](int64_t first, int64_t lines, const Complex* tile) {
        for (int64_t k1 = 0; k1 < outer; ++k1) {
          for (int64_t line = 0; line < lines; ++line) {
            scratch[k1 * inner + first + line] = PlainProduct(tile[line * outer + k1], Root(k1 * (first + line)));
          }
        }
      });
  if (!outcome.ok()) return outcome;
  outcome = transform_lines(
      *inner_, outer,
      [&](int64_t first, int64_t lines, Complex* tile) { std::copy_n(scratch + first * inner, lines * inner, tile); },
      [&](int64_t first, int64_t lines, const Complex* tile) {
        for (int64_t k2 = 0; k2 < inner; ++k2) {
          for (int64_t line = 0; line < lines; ++line) values[k2 * outer + first + line] = tile[line * inner + k2];
        }
      });
  return outcome.ok() ? executor.CheckCancelled() : outcome;
}

Outcome FourierTransform::TransformByChirp(Complex* values, Complex* scratch, Executor& executor) const {
  const int64_t padded = inner_->length_;
  Complex* const work = scratch;
  Outcome outcome = ParallelLoop(executor, padded, kPointNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      work[t] = t < length_ ? PlainProduct(values[t], chirp_[static_cast<size_t>(t)]) : Complex();
    }
  });
  if (outcome.ok()) outcome = inner_->Forward(work, scratch + padded, executor);
  if (!outcome.ok()) return outcome;
  outcome = ParallelLoop(executor, padded, kPointNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) work[k] = PlainProduct(work[k], chirp_filter_[static_cast<size_t>(k)]);
  });
  if (outcome.ok()) outcome = inner_->Inverse(work, scratch + padded, executor);
  if (!outcome.ok()) return outcome;
  return ParallelLoop(executor, length_, kPointNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) values[k] = PlainProduct(work[k], chirp_[static_cast<size_t>(k)]);
  });
}

}  // namespace hloscope::numerics
