#include "evaluator/kernels/linear_algebra/smooth_transform.h"

#include <limits>

#include "unsupported/Eigen/FFT"

namespace hloscope::evaluator {
namespace {

class EigenTransform final : public numerics::SmoothTransform {
 public:
  explicit EigenTransform(int length) {
    plan_.make_twiddles(length, /*inverse=*/false);
    plan_.factorize(length);
  }
  void Forward(const std::complex<double>* from, std::complex<double>* to) const override {
    // Writes to its scratch memory only for factors beyond 5.
    const_cast<Plan&>(plan_).work(0, to, from, 1, 1);
  }

 private:
  using Plan = Eigen::internal::kiss_cpx_fft<double>;
  Plan plan_;
};

}  // namespace

std::unique_ptr<numerics::SmoothTransform> EigenSmoothTransform(int64_t length) {
  if (length < 1 || length > std::numeric_limits<int>::max() / 8) return nullptr;
  int64_t rest = length;
  for (const int64_t prime : {2, 3, 5}) {
    while (rest % prime == 0) rest /= prime;
  }
  return rest == 1 ? std::make_unique<EigenTransform>(static_cast<int>(length)) : nullptr;
}

}  // namespace hloscope::evaluator
