// SPDX-License-Identifier: Apache-2.0
// Products of complex numbers, and of the numbers that become parts of them, with the roundings of their formula.
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_COMPLEX_PRODUCT_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_COMPLEX_PRODUCT_H_

#include <complex>

namespace hloscope::numerics {

// A product that is rounded before anything is added to it. Where a - b and c + d become neighbours in memory, GCC 12
// makes one fused instruction of them and of the products before them, in spite of -ffp-contract=off: results would
// depend on the processor that a program is built for.
template <typename T>
[[gnu::always_inline]] inline T Rounded(T product) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_assoc_barrier)
  return __builtin_assoc_barrier(product);
#else
  return product;
#endif
#else
  return product;
#endif
}

// Without the special treatment of infinities that std::complex has.
template <typename T>
[[gnu::always_inline]] inline T PlainProduct(T a, T b) {
  return a * b;
}
template <typename T>
[[gnu::always_inline]] inline std::complex<T> PlainProduct(std::complex<T> a, std::complex<T> b) {
  return {Rounded(a.real() * b.real()) - Rounded(a.imag() * b.imag()),
          Rounded(a.real() * b.imag()) + Rounded(a.imag() * b.real())};
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_COMPLEX_PRODUCT_H_
