// One-dimensional Fourier transforms (spec/ops-b-tensor.md 6.1).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_FOURIER_TRANSFORM_H_
#define HLOSCOPE_EVALUATOR_KERNELS_FOURIER_TRANSFORM_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "evaluator/kernels/parallel_loop.h"

namespace hloscope {

// One-dimensional transforms of one length: X[k] = sum over t of x[t] e^(-+2 pi i k t / n), in O(n log n) for every n.
// Immutable and safe to use from several threads.
class FourierTransform {
 public:
  // A `poll` that says so ends the constructor and the transforms early: then nothing they give is to be used.
  explicit FourierTransform(int64_t length, CancellationPoll* poll = nullptr);

  int64_t length() const { return length_; }
  // Transforms `values` (length() elements, neighbours) in place. The inverse is scaled by 1/n.
  void Forward(std::complex<double>* values, CancellationPoll* poll = nullptr) const;
  void Inverse(std::complex<double>* values, CancellationPoll* poll = nullptr) const;

 private:
  // X[k] by the formula, for short lengths.
  void TransformByFormula(std::complex<double>* values) const;
  // Lengths that are powers of two.
  void TransformByHalves(std::complex<double>* values, CancellationPoll* poll) const;
  // Any length, as a convolution of a power-of-two length (Bluestein).
  void TransformByChirp(std::complex<double>* values, CancellationPoll* poll) const;

  int64_t length_;
  std::vector<std::complex<double>> roots_;  // e^(-2 pi i k / length)
  // Of the chirp algorithm:
  std::vector<std::complex<double>> chirp_;         // e^(-pi i k^2 / length)
  std::vector<std::complex<double>> chirp_filter_;  // transformed
  std::vector<FourierTransform> padded_;            // one transform of the padded length
};

// e^(-2 pi i k / n), exact where it is 1, -i, -1 or i.
std::complex<double> RootOfUnity(int64_t k, int64_t n);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_FOURIER_TRANSFORM_H_
