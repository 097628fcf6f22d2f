// SPDX-License-Identifier: Apache-2.0
#include "numerics/fourier/line_transforms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>

#include "numerics/elements/complex_product.h"
#include "numerics/fourier/complex_vectors.h"
#include "numerics/fourier/fourier_transform.h"
#include "numerics/fourier/smooth_transform.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

using Complex = std::complex<double>;

constexpr int64_t kMaxLineLength = 4096;
constexpr int64_t kLinesAtOnce = kComplexLanes;

std::vector<Complex> RootsOfUnity(int64_t count, int64_t n) {
  std::vector<Complex> roots;
  for (int64_t k = 0; k < count; ++k) roots.push_back(RootOfUnity(k, n));
  return roots;
}

// For any processor.
namespace plain {

// The spectrum of x from that of z[t] = x[2 t] + i x[2 t + 1], four lines each: with `half` elements
//   X[k] = (Z[k] + Z*[half - k]) / 2 - i/2 w^k (Z[k] - Z*[half - k]), k <= half, Z[half] = Z[0].
void SplitSpectrum(const Complex* z, int64_t half, const Complex* turns, Complex* to) {
  for (int64_t k = 0; k <= half; ++k) {
    for (int64_t l = 0; l < kLinesAtOnce; ++l) {
      const Complex a = z[(k < half ? k : 0) * kLinesAtOnce + l];
      const Complex b = std::conj(z[(k > 0 ? half - k : 0) * kLinesAtOnce + l]);
      const Complex difference = (a - b) * 0.5, odd(difference.imag(), -difference.real());
      to[k * kLinesAtOnce + l] = (a + b) * 0.5 + PlainProduct(odd, turns[k]);
    }
  }
}

// The other way round, conjugate and twice as large:
//   Z[k] = X[k] + X*[half - k] + i w^-k (X[k] - X*[half - k]), k < half.
void JoinSpectrum(const Complex* x, int64_t half, const Complex* turns, Complex* to) {
  for (int64_t k = 0; k < half; ++k) {
    for (int64_t l = 0; l < kLinesAtOnce; ++l) {
      const Complex a = x[k * kLinesAtOnce + l], b = std::conj(x[(half - k) * kLinesAtOnce + l]);
      const Complex difference = PlainProduct(std::conj(a - b), turns[k]);  // conjugate
      to[k * kLinesAtOnce + l] = std::conj(a + b) + Complex(difference.imag(), -difference.real());
    }
  }
}

}  // namespace plain

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace spectra512 {
using namespace complex512;  // NOLINT: the vocabulary of these loops
#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX512_FUNCTION
#include "numerics/fourier/vector_spectra.def"
}  // namespace spectra512
#define HLOSCOPE_SPECTRUM_512(Name) \
  if (BestCpuLevel() == CpuLevel::kAvx512) return spectra512::Name(from, half, turns, to)
#else
#define HLOSCOPE_SPECTRUM_512(Name)
#endif
#ifdef HLOSCOPE_AVX2_FUNCTION
namespace spectra256 {
using namespace complex256;  // NOLINT: the vocabulary of these loops
#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX2_FUNCTION
#include "numerics/fourier/vector_spectra.def"
}  // namespace spectra256
#define HLOSCOPE_SPECTRUM_256(Name) \
  if (BestCpuLevel() == CpuLevel::kAvx2) return spectra256::Name(from, half, turns, to)
#else
#define HLOSCOPE_SPECTRUM_256(Name)
#endif

void SplitSpectrum(const Complex* from, int64_t half, const Complex* turns, Complex* to) {
  HLOSCOPE_SPECTRUM_512(SplitSpectrum);
  HLOSCOPE_SPECTRUM_256(SplitSpectrum);
  plain::SplitSpectrum(from, half, turns, to);
}
void JoinSpectrum(const Complex* from, int64_t half, const Complex* turns, Complex* to) {
  HLOSCOPE_SPECTRUM_512(JoinSpectrum);
  HLOSCOPE_SPECTRUM_256(JoinSpectrum);
  plain::JoinSpectrum(from, half, turns, to);
}
#undef HLOSCOPE_SPECTRUM_512
#undef HLOSCOPE_SPECTRUM_256

}  // namespace

// Elements of four lines, alternating; where a transform leaves them is swapped.
struct LineTransforms::Lines {
  struct alignas(64) Element {
    double parts[2 * kLinesAtOnce];
  };

  explicit Lines(int64_t count) : memory(new Element[static_cast<size_t>(2 * count)]) {
    values = reinterpret_cast<Complex*>(memory.get());
    scratch = values + count * kLinesAtOnce;
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  std::unique_ptr<Element[]> memory;
  Complex *values, *scratch;
};

bool LineTransforms::Handles(int64_t length) {
  return length > 1 && length <= kMaxLineLength && !SmallFactors(length).empty();
}

LineTransforms::LineTransforms(FourierKind kind, int64_t length) : kind_(kind), length_(length) {
  const bool is_real = kind == FourierKind::kForwardReal || kind == FourierKind::kInverseReal;
  is_halved_ = is_real && length % 2 == 0;
  complex_length_ = is_halved_ ? length / 2 : length;
  factors_ = SmallFactors(complex_length_);
  roots_ = RootsOfUnity(complex_length_, complex_length_);
  if (is_halved_) turns_ = RootsOfUnity(length / 2 + 1, length);
}

void LineTransforms::Transform(Lines& lines) const {
  const Complex* const result =
      TransformBySmallFactors(factors_, roots_.data(), complex_length_, kLinesAtOnce, lines.values, lines.scratch);
  if (result != lines.values) std::swap(lines.values, lines.scratch);
}

template <typename From, typename To>
Outcome LineTransforms::Run(const From* from, To* to, int64_t outer, int64_t inner, Executor& executor) const {
  constexpr bool kFromReal = std::is_floating_point_v<From>, kToReal = std::is_floating_point_v<To>;
  const bool is_inverse = kind_ == FourierKind::kInverse || kind_ == FourierKind::kInverseReal;
  const int64_t kept = length_ / 2 + 1, from_length = kToReal ? kept : length_, to_length = kFromReal ? kept : length_;
  // The inverse is the conjugate of the transform of the conjugate. What is joined from halves has twice the size.
  const double scale = 1 / static_cast<double>(length_);
  const int64_t count = outer * inner;
  const double points = static_cast<double>(kLinesAtOnce * complex_length_);
  const auto body = [&](int64_t begin, int64_t end) {
    Lines lines(std::max(complex_length_, length_ / 2 + 1));
    for (int64_t block = begin; block < end; ++block) {
      // Lines that there are not repeat the last one.
      std::array<const From*, kLinesAtOnce> read{};
      std::array<To*, kLinesAtOnce> write{};
      const int64_t first = block * kLinesAtOnce, some = std::min(kLinesAtOnce, count - first);
      for (int64_t l = 0; l < kLinesAtOnce; ++l) {
        const int64_t line = first + std::min(l, some - 1), o = line / inner, i = line - o * inner;
        read[static_cast<size_t>(l)] = from + o * from_length * inner + i;
        write[static_cast<size_t>(l)] = to + o * to_length * inner + i;
      }
      const auto load = [&](int64_t t, const auto& visit) {
        for (int64_t l = 0; l < kLinesAtOnce; ++l) visit(l, read[static_cast<size_t>(l)] + t * inner);
      };
      Complex* values = lines.values;
      if constexpr (kFromReal) {
        if (is_halved_) {
          for (int64_t t = 0; t < complex_length_; ++t) {
            load(2 * t, [&](int64_t l, const From* x) {
              values[t * kLinesAtOnce + l] = {static_cast<double>(x[0]), static_cast<double>(x[inner])};
            });
          }
        } else {
          for (int64_t t = 0; t < length_; ++t) {
            load(t, [&](int64_t l, const From* x) { values[t * kLinesAtOnce + l] = static_cast<double>(*x); });
          }
        }
      } else {
        const double sign = is_inverse && !is_halved_ ? -1 : 1;
        for (int64_t t = 0; t < from_length; ++t) {
          load(t, [&](int64_t l, const From* x) {
            values[t * kLinesAtOnce + l] = {static_cast<double>(x->real()), sign * static_cast<double>(x->imag())};
          });
        }
      }
      if constexpr (kToReal) {
        // The spectrum of a real signal: the imaginary parts of its ends have no effect.
        for (int64_t l = 0; l < kLinesAtOnce; ++l) {
          values[l] = values[l].real();
          Complex& last = values[length_ / 2 * kLinesAtOnce + l];
          if (length_ % 2 == 0) last = last.real();
        }
        if (is_halved_) {
          JoinSpectrum(values, complex_length_, turns_.data(), lines.scratch);
          std::swap(lines.values, lines.scratch);
        } else {
          for (int64_t k = 1; k < length_ - length_ / 2; ++k) {
            for (int64_t l = 0; l < kLinesAtOnce; ++l) {
              values[(length_ - k) * kLinesAtOnce + l] = std::conj(values[k * kLinesAtOnce + l]);
            }
          }
        }
      }
      Transform(lines);
      values = lines.values;
      if (kFromReal && is_halved_) {
        SplitSpectrum(values, complex_length_, turns_.data(), lines.scratch);
        values = lines.scratch;
      }
      const auto store = [&](int64_t t, const auto& visit) {
        for (int64_t l = 0; l < some; ++l) visit(l, write[static_cast<size_t>(l)] + t * inner);
      };
      if constexpr (kToReal) {
        const int64_t steps = is_halved_ ? 2 : 1;
        for (int64_t t = 0; t < complex_length_; ++t) {
          store(t * steps, [&](int64_t l, To* x) {
            const Complex value = values[t * kLinesAtOnce + l];
            x[0] = static_cast<To>(value.real() * scale);
            if (steps == 2) x[inner] = static_cast<To>(-value.imag() * scale);
          });
        }
      } else {
        using Part = typename To::value_type;
        for (int64_t t = 0; t < to_length; ++t) {
          store(t, [&](int64_t l, To* x) {
            const Complex value = values[t * kLinesAtOnce + l];
            *x = is_inverse ? To(static_cast<Part>(value.real() * scale), static_cast<Part>(-value.imag() * scale))
                            : To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
          });
        }
      }
    }
  };
  return ParallelLoop(executor, (count + kLinesAtOnce - 1) / kLinesAtOnce, points * (2 + std::log2(points) / 4), body);
}

#define HLOSCOPE_LINE_TRANSFORMS(From, To) \
  template Outcome LineTransforms::Run<From, To>(const From*, To*, int64_t, int64_t, Executor&) const;
HLOSCOPE_LINE_TRANSFORMS(std::complex<float>, std::complex<float>)
HLOSCOPE_LINE_TRANSFORMS(std::complex<float>, std::complex<double>)
HLOSCOPE_LINE_TRANSFORMS(std::complex<double>, std::complex<float>)
HLOSCOPE_LINE_TRANSFORMS(std::complex<double>, std::complex<double>)
HLOSCOPE_LINE_TRANSFORMS(float, std::complex<float>)
HLOSCOPE_LINE_TRANSFORMS(float, std::complex<double>)
HLOSCOPE_LINE_TRANSFORMS(double, std::complex<double>)
HLOSCOPE_LINE_TRANSFORMS(std::complex<float>, float)
HLOSCOPE_LINE_TRANSFORMS(std::complex<double>, float)
HLOSCOPE_LINE_TRANSFORMS(std::complex<double>, double)
#undef HLOSCOPE_LINE_TRANSFORMS

}  // namespace hloscope::numerics
