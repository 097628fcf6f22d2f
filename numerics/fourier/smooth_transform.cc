// SPDX-License-Identifier: Apache-2.0
#include "numerics/fourier/smooth_transform.h"

#include <algorithm>
#include <array>
#include <utility>

#include "numerics/elements/complex_product.h"

namespace hloscope::numerics {
namespace {

using Complex = std::complex<double>;

// -i z, a quarter turn clockwise.
Complex Turned(Complex z) { return Complex(z.imag(), -z.real()); }

template <size_t kRadix>
using Line = std::array<Complex, kRadix>;

// Transforms of the length of a factor, in place.
void Transform(Line<2>& a) { a = {a[0] + a[1], a[0] - a[1]}; }

void Transform(Line<3>& a) {
  constexpr double kSine = 0.86602540378443864676;  // of a third of the circle
  const Complex sum = a[1] + a[2], turned = Turned(a[1] - a[2]) * kSine, middle = a[0] - sum * 0.5;
  a = {a[0] + sum, middle + turned, middle - turned};
}

void Transform(Line<4>& a) {
  const Complex even_sum = a[0] + a[2], even = a[0] - a[2], odd_sum = a[1] + a[3], odd = Turned(a[1] - a[3]);
  a = {even_sum + odd_sum, even + odd, even_sum - odd_sum, even - odd};
}

void Transform(Line<5>& a) {
  // Of one and two fifths of the circle.
  constexpr double kCosine1 = 0.30901699437494742410, kCosine2 = -0.80901699437494742410;
  constexpr double kSine1 = 0.95105651629515357212, kSine2 = 0.58778525229247312917;
  const Complex outer = a[1] + a[4], inner = a[2] + a[3];
  const Complex outer_turned = Turned(a[1] - a[4]), inner_turned = Turned(a[2] - a[3]);
  const Complex real1 = a[0] + outer * kCosine1 + inner * kCosine2;
  const Complex real2 = a[0] + outer * kCosine2 + inner * kCosine1;
  const Complex turned1 = outer_turned * kSine1 + inner_turned * kSine2;
  const Complex turned2 = outer_turned * kSine2 - inner_turned * kSine1;
  a = {a[0] + outer + inner, real1 + turned1, real2 + turned2, real2 - turned2, real1 - turned1};
}

// `stride` transforms of length kRadix * parts, whose elements alternate, become kRadix times as many of length
// `parts`: of the sums over every parts-th element, turned. Writes in the order in which the last pass leaves the
// result.
template <size_t kRadix>
void Pass(const Complex* from, int64_t parts, int64_t stride, const Complex* roots, Complex* to) {
  constexpr auto kCount = static_cast<int64_t>(kRadix);
  for (int64_t part = 0; part < parts; ++part) {
    Line<kRadix> turns;
    for (int64_t k = 0; k < kCount; ++k) turns[static_cast<size_t>(k)] = roots[part * k * stride];
    const Complex* const read = from + part * stride;
    Complex* const write = to + part * kCount * stride;
    for (int64_t q = 0; q < stride; ++q) {
      Line<kRadix> line;
      for (int64_t i = 0; i < kCount; ++i) line[static_cast<size_t>(i)] = read[q + i * parts * stride];
      Transform(line);
      write[q] = line[0];
      for (int64_t k = 1; k < kCount; ++k) {
        write[q + k * stride] = PlainProduct(line[static_cast<size_t>(k)], turns[static_cast<size_t>(k)]);
      }
    }
  }
}

}  // namespace

std::vector<int> SmallFactors(int64_t length) {
  std::vector<int> factors;
  for (const int factor : {5, 3, 4, 2}) {
    for (; length % factor == 0; length /= factor) factors.push_back(factor);
  }
  return length == 1 ? factors : std::vector<int>();
}

void TransformBySmallFactors(const std::vector<int>& factors, const Complex* roots, int64_t length, Complex* values,
                             Complex* scratch) {
  Complex* from = values;
  Complex* to = scratch;
  int64_t stride = 1;
  for (const int factor : factors) {
    const int64_t parts = length / stride / factor;
    switch (factor) {
      case 2:
        Pass<2>(from, parts, stride, roots, to);
        break;
      case 3:
        Pass<3>(from, parts, stride, roots, to);
        break;
      case 4:
        Pass<4>(from, parts, stride, roots, to);
        break;
      default:
        Pass<5>(from, parts, stride, roots, to);
        break;
    }
    stride *= factor;
    std::swap(from, to);
  }
  if (from != values) std::copy_n(from, length, values);
}

}  // namespace hloscope::numerics
