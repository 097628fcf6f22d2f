// Fourier transforms of moderate lengths with small prime factors, by Eigen's FFT.
#ifndef HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_
#define HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_

#include <complex>
#include <cstdint>
#include <memory>

namespace hloscope {

// Immutable and safe to use from several threads.
class SmoothTransform {
 public:
  // Null unless `length` is a product of 2, 3 and 5, which the library transforms without memory of its own.
  static std::unique_ptr<SmoothTransform> Create(int64_t length);
  virtual ~SmoothTransform() = default;
  // to[k] = sum over t of from[t] e^(-2 pi i k t / length). The arrays must not overlap.
  virtual void Forward(const std::complex<double>* from, std::complex<double>* to) const = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_
