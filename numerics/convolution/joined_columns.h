// SPDX-License-Identifier: Apache-2.0
// Convolutions of few input features, as the first ones of images are: the columns of the window become features, so
// that products run over a whole row of the window.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_JOINED_COLUMNS_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_JOINED_COLUMNS_H_

#include <cstdint>
#include <memory>

#include "numerics/convolution/convolution.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// True if that is worth it. The input has no padding or holes in the last spatial dimension afterwards: elements of the
// kernel that met any are multiplied by zeros instead, so they must be finite.
bool SuitsJoinedColumns(const ConvolutionProblem& problem);

// The same convolution with a window of one column. Neighbouring positions of the input overlap: they are
// `problem.input_pitch` elements apart, which ConvolvePacked respects; strides are not those of the array.
struct JoinedColumns {
  ConvolutionProblem problem;
  // What of the arrays had to be copied.
  std::unique_ptr<uint8_t[]> lhs, kernel;
};

// Of arrays whose elements take the bytes of `problem.lhs.type`. The number of features, and the distance of positions,
// are multiples of `unit`; features that there are not are zeros. Requires SuitsJoinedColumns. Errors: kCancelled,
// kNoMemory.
Outcome JoinColumns(const ConvolutionProblem& problem, int64_t unit, JoinedColumns& joined, Executor& executor);

// Bytes that the copies take, at most.
int64_t JoinedColumnsBytes(const ConvolutionProblem& problem);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_JOINED_COLUMNS_H_
