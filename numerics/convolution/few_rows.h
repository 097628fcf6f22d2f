// SPDX-License-Identifier: Apache-2.0
// Convolutions to few output positions: most of their time would go into packing the kernel and reading it from memory.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_FEW_ROWS_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_FEW_ROWS_H_

#include <cstdint>
#include <span>

#include "numerics/contraction/gemm_micro.h"
#include "numerics/convolution/convolution_geometry.h"
#include "numerics/convolution/input_lines.h"
#include "numerics/convolution/kernel_matrix.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// Whether ConvolveFewRows is the faster one for `rows` output positions, `kernel_count` elements of the kernel and so
// many panels of output features.
constexpr bool HasFewRows(int64_t rows, int64_t kernel_count, int64_t panels) {
  constexpr int64_t kMostRows = 256, kLeastPanels = 8, kMostLines = int64_t{1} << 16;
  return rows <= kMostRows && panels >= kLeastPanels && rows * kernel_count <= kMostLines;
}

// The output features that `kernel` has columns for, of all output positions, which `lines` has found. Threads
// share the panels of columns; each packs pieces of a panel that stay in its first cache level, and asks for the next
// piece meanwhile. Output position n is row
// places[n] of `result`, whose rows are `stride` elements apart. The bits are those of ConvolvePacked. Errors:
// kCancelled, kNoMemory.
template <typename T, typename Packed, typename Result>
Outcome ConvolveFewRows(const ConvolutionGeometry& geometry, const MicroKernel<T, Packed>& micro,
                        const InputLines<Packed>& lines, const KernelMatrix<Packed>& kernel,
                        std::span<const int64_t> places, Result* result, int64_t stride, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_FEW_ROWS_H_
