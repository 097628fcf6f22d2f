// Fourier transforms of moderate lengths with small prime factors, by a library.
#ifndef HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_
#define HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_

#include <complex>
#include <cstdint>
#include <memory>

namespace hloscope::numerics {

// Immutable and safe to use from several threads.
class SmoothTransform {
 public:
  virtual ~SmoothTransform() = default;
  // to[k] = sum over t of from[t] e^(-2 pi i k t / length). The arrays must not overlap.
  virtual void Forward(const std::complex<double>* from, std::complex<double>* to) const = 0;
};

// Null for lengths that the library does not take. A null function: there is no library.
using CreateSmoothTransform = std::unique_ptr<SmoothTransform> (*)(int64_t length);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_FOURIER_SMOOTH_TRANSFORM_H_
