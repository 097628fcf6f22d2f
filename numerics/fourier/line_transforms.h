// SPDX-License-Identifier: Apache-2.0
// Fourier transforms along one axis of an array, four lines at a time: vectors hold an element of each.
#ifndef HLOSCOPE_NUMERICS_FOURIER_LINE_TRANSFORMS_H_
#define HLOSCOPE_NUMERICS_FOURIER_LINE_TRANSFORMS_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// Of what type the elements are, and which way they go. The inverse is scaled by 1/n. Of the n elements that a real
// line becomes, the first n / 2 + 1 are kept; from those the inverse makes a real line, whatever the imaginary parts of
// the first one, and of the last one if n is even.
enum class FourierKind { kForward, kInverse, kForwardReal, kInverseReal };

// Immutable and safe to use from several threads. Computes in f64; the bits of a line do not depend on what lies beside
// it. Real lines of even length are transformed as complex ones of half that length.
class LineTransforms {
 public:
  // True for lengths with small prime factors of which four lines stay in the second cache level.
  static bool Handles(int64_t length);

  // Requires Handles(length): of the line that is transformed, whatever is kept of it.
  LineTransforms(FourierKind kind, int64_t length);

  // From [outer, n, inner] to [outer, m, inner], both dense, for one of the types below; `to` may be `from` if n == m
  // and the types are the same. Errors: kCancelled; then the elements of `to` are to be dropped.
  //   kForward, kInverse  complex to complex, n = m = length
  //   kForwardReal        real to complex, n = length, m = length / 2 + 1
  //   kInverseReal        complex to real, n = length / 2 + 1, m = length
  template <typename From, typename To>
  Outcome Run(const From* from, To* to, int64_t outer, int64_t inner, Executor& executor) const;

 private:
  struct Lines;

  void Transform(Lines& lines) const;

  FourierKind kind_;
  int64_t length_;
  bool is_halved_;
  int64_t complex_length_;                   // that is transformed
  std::vector<int> factors_;                 // of complex_length_
  std::vector<std::complex<double>> roots_;  // e^(-2 pi i k / complex_length_)
  std::vector<std::complex<double>> turns_;  // if is_halved_: e^(-2 pi i k / length), k <= length / 2
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_FOURIER_LINE_TRANSFORMS_H_
