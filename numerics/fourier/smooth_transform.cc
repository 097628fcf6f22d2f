// SPDX-License-Identifier: Apache-2.0
#include "numerics/fourier/smooth_transform.h"

#include <utility>

#include "numerics/elements/complex_product.h"
#include "numerics/fourier/complex_vectors.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

using Complex = std::complex<double>;

// For any processor.
namespace plain {

// -i z, a quarter turn clockwise.
[[gnu::always_inline]] inline Complex Turned(Complex z) { return {z.imag(), -z.real()}; }

#define HLOSCOPE_SHORT_TRANSFORM [[gnu::always_inline]] inline
#include "numerics/fourier/short_transforms.def"

// `stride` transforms of length kRadix * parts, whose elements alternate, become kRadix times as many of length
// `parts`: of the sums over every parts-th element, turned. Writes in the order in which the last pass leaves the
// result. Each element is that of `lines` lines, one after the other.
template <int kRadix>
[[gnu::always_inline]] inline void Pass(const Complex* from, int64_t parts, int64_t stride, int64_t lines,
                                        const Complex* roots, Complex* to) {
  const int64_t width = stride * lines;
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t turn = part * stride;
    const Complex* const read = from + part * width;
    Complex* const write = to + part * kRadix * width;
    for (int64_t q = 0; q < width; ++q) {
      Complex line[kRadix];
      for (int64_t i = 0; i < kRadix; ++i) line[i] = read[q + i * parts * width];
      TransformShort(line);
      write[q] = line[0];
      for (int64_t k = 1; k < kRadix; ++k) write[q + k * width] = PlainProduct(line[k], roots[turn * k]);
    }
  }
}

// A function that is cloned for instruction sets cannot be a template's.
#define HLOSCOPE_FOURIER_PASS(kRadix)                                                                           \
  HLOSCOPE_VECTOR_CLONES void PassBy##kRadix(const Complex* from, int64_t parts, int64_t stride, int64_t lines, \
                                             const Complex* roots, Complex* to) {                               \
    Pass<kRadix>(from, parts, stride, lines, roots, to);                                                        \
  }
HLOSCOPE_FOURIER_PASS(2)
HLOSCOPE_FOURIER_PASS(3)
HLOSCOPE_FOURIER_PASS(4)
HLOSCOPE_FOURIER_PASS(5)
#undef HLOSCOPE_FOURIER_PASS

}  // namespace plain

using PassFunction = void (*)(const Complex* from, int64_t parts, int64_t stride, int64_t lines, const Complex* roots,
                              Complex* to);

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace passes512 {
using namespace complex512;  // NOLINT: the vocabulary of these loops
#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX512_FUNCTION
#include "numerics/fourier/vector_passes.def"
}  // namespace passes512
#endif
#ifdef HLOSCOPE_AVX2_FUNCTION
namespace passes256 {
using namespace complex256;  // NOLINT: the vocabulary of these loops
#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX2_FUNCTION
#include "numerics/fourier/vector_passes.def"
}  // namespace passes256
#endif

PassFunction PassBy(int factor, int64_t width) {
  if (width % kComplexLanes == 0) {
#ifdef HLOSCOPE_AVX512_FUNCTION
    if (BestCpuLevel() == CpuLevel::kAvx512) return passes512::PassOf(factor);
#endif
#ifdef HLOSCOPE_AVX2_FUNCTION
    if (BestCpuLevel() == CpuLevel::kAvx2) return passes256::PassOf(factor);
#endif
  }
  return factor == 2 ? plain::PassBy2 : factor == 3 ? plain::PassBy3 : factor == 4 ? plain::PassBy4 : plain::PassBy5;
}

}  // namespace

std::vector<int> SmallFactors(int64_t length) {
  std::vector<int> factors;
  for (const int factor : {5, 3, 4, 2}) {
    for (; length % factor == 0; length /= factor) factors.push_back(factor);
  }
  return length == 1 ? factors : std::vector<int>();
}

std::complex<double>* TransformBySmallFactors(const std::vector<int>& factors, const Complex* roots, int64_t length,
                                              int64_t lines, Complex* values, Complex* scratch) {
  Complex* from = values;
  Complex* to = scratch;
  int64_t stride = 1;
  for (const int factor : factors) {
    const int64_t parts = length / stride / factor;
    PassBy(factor, stride * lines)(from, parts, stride, lines, roots, to);
    stride *= factor;
    std::swap(from, to);
  }
  return from;
}

}  // namespace hloscope::numerics
