// SPDX-License-Identifier: Apache-2.0
// One-dimensional Fourier transforms (docs/ops/tensor.md 6.1).
#ifndef HLOSCOPE_NUMERICS_FOURIER_FOURIER_TRANSFORM_H_
#define HLOSCOPE_NUMERICS_FOURIER_FOURIER_TRANSFORM_H_

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// One-dimensional transforms of one length: X[k] = sum over t of x[t] e^(-+2 pi i k t / n), in O(n log n) for every n.
// Immutable and safe to use from several threads.
//
// Measured in microseconds on an AVX-512 machine, beside Eigen's FFT alone and NumPy's pocketfft, both on one thread
// (Debian 12 has no package of pocketfft for C++, FFTW is under the GPL):
//   length             1000   1024   1009   10000   65536   65537   100000   1048576
//   this, one thread    8.0    6.9     35     104     794   19331     2965     55469
//   this, two threads                                       11990     2273     25973
//   Eigen               8.5   10.7   2030     113    1306    18e6     2030     83339
//   NumPy               8.1    7.5     45      85    1384    9359      989     45727
// Errors relative to the values' norm are the same, 2e-16 to 7e-16; those of Eigen are 1e-14 for large primes.
class FourierTransform {
 public:
  // Tables are made on the executor's threads if they are large. After it was cancelled, transforms report that too.
  FourierTransform(int64_t length, Executor& executor);

  // Bytes that tables for a length take, at most and while they are made.
  static int64_t TableBytes(int64_t length);

  int64_t length() const { return length_; }
  // Elements that a transform needs beside the values.
  int64_t scratch_size() const { return scratch_size_; }
  // Transforms `values` (length() elements, neighbours) in place; `scratch` has scratch_size() elements. The inverse is
  // scaled by 1/n. Long transforms use the executor's threads. Errors: kCancelled; then the values are to be dropped.
  Outcome Forward(std::complex<double>* values, std::complex<double>* scratch, Executor& executor) const;
  Outcome Inverse(std::complex<double>* values, std::complex<double>* scratch, Executor& executor) const;

 private:
  enum class Method { kFormula, kSmooth, kParts, kChirp };
  // How a length is transformed; of kParts the smaller factor, of kChirp the length that is transformed instead.
  struct Plan {
    Method method = Method::kFormula;
    int64_t part = 0;
    std::vector<int> factors;  // of kSmooth
  };
  static Plan PlanOf(int64_t length);

  // X[k] by the formula, for short lengths.
  void TransformByFormula(std::complex<double>* values) const;
  // As transforms of the lengths of two factors.
  Outcome TransformByParts(std::complex<double>* values, std::complex<double>* scratch, Executor& executor) const;
  // Any length, as a convolution of a power-of-two length (Bluestein).
  Outcome TransformByChirp(std::complex<double>* values, std::complex<double>* scratch, Executor& executor) const;
  void MakeChirp(int64_t padded, Executor& executor);
  // e^(-2 pi i k / length), k < length, for the method kParts.
  std::complex<double> Root(int64_t k) const;

  int64_t length_;
  Method method_;
  int64_t scratch_size_ = 0;
  std::vector<std::complex<double>> roots_;         // e^(-2 pi i k / length); of kParts only the first ones
  std::vector<std::complex<double>> coarse_roots_;  // of kParts: of every 2^fine_bits_-th k
  int fine_bits_ = 0;
  std::vector<int> factors_;                         // of kSmooth
  std::unique_ptr<FourierTransform> outer_, inner_;  // of kParts: the factors' transforms; of kChirp: the padded one
  std::vector<std::complex<double>> chirp_;          // e^(-pi i k^2 / length)
  std::vector<std::complex<double>> chirp_filter_;   // transformed
  Outcome outcome_;
};

// e^(-2 pi i k / n), exact where it is 1, -i, -1 or i.
std::complex<double> RootOfUnity(int64_t k, int64_t n);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_FOURIER_FOURIER_TRANSFORM_H_
