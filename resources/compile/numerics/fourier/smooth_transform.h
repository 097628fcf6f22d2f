// Stands for the evaluator's header in compiled programs, which have no library for transforms: all lengths are split
// into factors or padded.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_SMOOTH_TRANSFORM_H_
#define HLOSCOPE_EVALUATOR_KERNELS_SMOOTH_TRANSFORM_H_

#include <complex>
#include <cstdint>
#include <memory>

namespace hloscope {

class SmoothTransform {
 public:
  static std::unique_ptr<SmoothTransform> Create(int64_t) { return nullptr; }
  void Forward(const std::complex<double>*, std::complex<double>*) const {}
};

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_SMOOTH_TRANSFORM_H_
