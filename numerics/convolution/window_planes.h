// SPDX-License-Identifier: Apache-2.0
// What products of wide windows (convolution_wide.h) multiply, packed from images and kernels whose planes lie in one
// piece, one feature after the other.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_WINDOW_PLANES_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_WINDOW_PLANES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "numerics/convolution/convolution.h"
#include "numerics/convolution/padded_planes.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// True if the array is of the type of the sums and can be read as it lies, the inputs perhaps from a copy of about
// their size; the kernel is in one piece then.
bool WindowInputsSuit(const ConvolutionProblem& problem);
bool WindowKernelSuits(const ConvolutionProblem& problem);

// The left operand: rows are pairs of output position and batch, positions outermost, and what is summed over are the
// elements of the window for one input feature after the other. Where a window element meets no input is a zero.
template <typename T>
class WindowInputs {
 public:
  explicit WindowInputs(const ConvolutionProblem& problem);

  int64_t CopiedBytes() const;
  // Puts zeros around the planes, where windows reach beyond them. Before anything is packed. Errors: kCancelled,
  // kNoMemory.
  Outcome Copy(Executor& executor);
  // As PackPanel of packed_gemm.h says.
  void Pack(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) const;

 private:
  const ConvolutionProblem& problem_;
  const PaddedPlanes planes_;
  std::unique_ptr<T[]> copy_;
  const T* inputs_ = nullptr;
  int64_t batch_, feature_count_, plane_size_;
  int64_t batch_stride_, feature_stride_;
  int64_t element_count_ = 1, run_ = 1;    // elements of the window: in all, and that lie side by side
  std::vector<int64_t> positions_, runs_;  // where what they meet starts in a plane
};

// The right operand, whose columns are output features.
template <typename T>
class WindowKernel {
 public:
  explicit WindowKernel(const ConvolutionProblem& problem);

  void Pack(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) const;

 private:
  const T* const kernel_;
  int64_t element_count_ = 1, feature_stride_, column_stride_;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_WINDOW_PLANES_H_
