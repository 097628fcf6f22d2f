// SPDX-License-Identifier: Apache-2.0
#include "hlo_normalization.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "numerics/normalization/batch_norm_arrays.h"
#include "numerics/parallel/parallel_loop.h"

namespace hlo {

template <typename T>
void NormalizeBatch(numerics::BatchNorm kind, const numerics::FeatureExtent& extent, float epsilon,
                    const T* const* operands, T* const* results) {
  std::conditional_t<std::is_same_v<T, double>, numerics::BatchNormFeatures<T>, numerics::BatchNormArrays<T>> batch;
  batch.extent = extent;
  batch.epsilon = epsilon;
  std::copy_n(operands, kind == numerics::BatchNorm::kTraining ? 3 : 5, batch.operands.begin());
  std::copy_n(results, kind == numerics::BatchNorm::kInference ? 1 : 3, batch.results.begin());
  if constexpr (std::is_same_v<T, double>) {
    const double nanoseconds = 4 * static_cast<double>(extent.per_feature()) + 10;
    CheckDone(numerics::ParallelLoop(ProgramThreads(), extent.features, nanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) batch.Compute(kind, c);
    }));
  } else {
    std::vector<double> scratch(static_cast<size_t>(numerics::BatchNormScratch(kind, extent)));
    CheckDone(numerics::NormalizeArrays(kind, batch, scratch.data(), ProgramThreads()));
  }
}
template void NormalizeBatch<float>(numerics::BatchNorm, const numerics::FeatureExtent&, float, const float* const*,
                                    float* const*);
template void NormalizeBatch<double>(numerics::BatchNorm, const numerics::FeatureExtent&, float, const double* const*,
                                     double* const*);
template void NormalizeBatch<numerics::Bf16>(numerics::BatchNorm, const numerics::FeatureExtent&, float,
                                             const numerics::Bf16* const*, numerics::Bf16* const*);

}  // namespace hlo
