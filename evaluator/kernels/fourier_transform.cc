#include "evaluator/kernels/fourier_transform.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace hloscope {
namespace {

using Complex = std::complex<double>;

constexpr double kPi = 3.14159265358979323846;
// Up to this length the formula is as fast as anything else.
constexpr int64_t kFormulaLength = 8;
// What is done between two looks at the cancellation flag, and rough costs.
constexpr uint64_t kPolledElements = 4096;
constexpr double kRootNanoseconds = 40, kButterflyNanoseconds = 8;

bool IsPowerOfTwo(int64_t n) { return std::has_single_bit(static_cast<uint64_t>(n)); }

// Multiplication without the special treatment of infinities that std::complex has.
Complex Times(Complex a, Complex b) {
  return Complex(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
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

FourierTransform::FourierTransform(int64_t length, CancellationPoll* poll)
    : length_(length), roots_(static_cast<size_t>(length)) {
  for (int64_t k = 0; k < length; ++k) {
    if (poll != nullptr && poll->Cancelled(kRootNanoseconds)) return;
    roots_[static_cast<size_t>(k)] = RootOfUnity(k, length);
  }
  if (length <= kFormulaLength || IsPowerOfTwo(length)) return;
  const int64_t padded = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * length - 1)));
  padded_.emplace_back(padded, poll);
  chirp_filter_.resize(static_cast<size_t>(padded));
  chirp_.resize(static_cast<size_t>(length));
  int64_t square = 0;  // k^2 modulo 2n
  for (int64_t k = 0; k < length; ++k) {
    if (poll != nullptr && poll->Cancelled(kRootNanoseconds)) return;
    const Complex root = RootOfUnity(square, 2 * length);
    chirp_[static_cast<size_t>(k)] = root;
    chirp_filter_[static_cast<size_t>(k)] = std::conj(root);
    if (k > 0) chirp_filter_[static_cast<size_t>(padded - k)] = std::conj(root);
    square = (square + 2 * k + 1) % (2 * length);
  }
  padded_[0].Forward(chirp_filter_.data(), poll);
}

void FourierTransform::Forward(Complex* values, CancellationPoll* poll) const {
  if (length_ <= kFormulaLength) {
    TransformByFormula(values);
  } else if (IsPowerOfTwo(length_)) {
    TransformByHalves(values, poll);
  } else {
    TransformByChirp(values, poll);
  }
}

void FourierTransform::Inverse(Complex* values, CancellationPoll* poll) const {
  // x = conj(F(conj(X))) / n.
  for (int64_t k = 0; k < length_; ++k) values[k] = std::conj(values[k]);
  Forward(values, poll);
  const double scale = 1.0 / static_cast<double>(std::max<int64_t>(length_, 1));
  for (int64_t k = 0; k < length_; ++k) values[k] = std::conj(values[k]) * scale;
}

void FourierTransform::TransformByFormula(Complex* values) const {
  std::array<Complex, kFormulaLength> result{};
  for (int64_t k = 0; k < length_; ++k) {
    for (int64_t t = 0; t < length_; ++t) {
      result[static_cast<size_t>(k)] += Times(values[t], roots_[static_cast<size_t>(k * t % length_)]);
    }
  }
  std::copy_n(result.begin(), length_, values);
}

void FourierTransform::TransformByHalves(Complex* values, CancellationPoll* poll) const {
  const auto n = static_cast<uint64_t>(length_);
  for (uint64_t i = 1, j = 0; i < n; ++i) {
    uint64_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
    if (i % kPolledElements == 0 && poll != nullptr && poll->Cancelled(10 * kPolledElements)) return;
  }
  for (uint64_t size = 2; size <= n; size *= 2) {
    const uint64_t half = size / 2, step = n / size;
    for (uint64_t block = 0; block < n; block += size) {
      for (uint64_t first = 0; first < half; first += kPolledElements) {
        const uint64_t end = std::min(half, first + kPolledElements);
        for (uint64_t k = first; k < end; ++k) {
          const Complex even = values[block + k];
          const Complex odd = Times(values[block + k + half], roots_[k * step]);
          values[block + k] = even + odd;
          values[block + k + half] = even - odd;
        }
        if (poll != nullptr && poll->Cancelled(kButterflyNanoseconds * static_cast<double>(end - first))) return;
      }
    }
  }
}

void FourierTransform::TransformByChirp(Complex* values, CancellationPoll* poll) const {
  std::vector<Complex> work(chirp_filter_.size());
  for (int64_t t = 0; t < length_; ++t) work[static_cast<size_t>(t)] = Times(values[t], chirp_[static_cast<size_t>(t)]);
  padded_[0].Forward(work.data(), poll);
  for (size_t k = 0; k < work.size(); ++k) work[k] = Times(work[k], chirp_filter_[k]);
  padded_[0].Inverse(work.data(), poll);
  for (int64_t k = 0; k < length_; ++k) {
    values[k] = Times(work[static_cast<size_t>(k)], chirp_[static_cast<size_t>(k)]);
  }
}

}  // namespace hloscope
