// SPDX-License-Identifier: Apache-2.0
// The inputs that neighbouring outputs of a convolution meet, copied into the lines of a packed panel.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_PATCH_RUNS_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_PATCH_RUNS_H_

#include <cstdint>

namespace hloscope::numerics {

// Line k of [begin, end) is for element k % element_count of the window and input feature k / element_count. All sizes
// are in bytes.
struct PatchRun {
  const uint8_t* inputs;    // what the first output meets
  int64_t feature_stride;   // of the inputs
  const int64_t* elements;  // where those of the window are, element_count of them
  int64_t element_count;
  int64_t begin, end;
  int64_t size;  // of what the outputs meet with one element: 4 to 128, all of a panel of gemm_micro.h
};

// Copies `size` bytes of each line to `to`, whose lines are `line_size` apart.
void CopyPatchRun(const PatchRun& run, int64_t line_size, uint8_t* to);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_PATCH_RUNS_H_
