// SPDX-License-Identifier: Apache-2.0
// Convolution of images whose planes lie in one piece, one feature after the other (dim_labels like bf01_oi01->bf01),
// without bringing the features together first: which way it goes, and the loops of depthwise convolution.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PLANAR_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PLANAR_H_

#include "numerics/convolution/convolution.h"
#include "numerics/parallel/function_ref.h"

namespace hloscope::numerics {

// Writes `count` elements of another type to `to`. `scratch` has room for as many of the accumulator type.
using ConvertElements = FunctionRef<void(const uint8_t* from, uint8_t* scratch, uint8_t* to, int64_t count)>;

// What elements of a plane become before they are multiplied, and what their sums become.
struct PlaneConversions {
  const ConvertElements* decode = nullptr;  // elements of lhs; null: they have the accumulator's type
  const ConvertElements* encode = nullptr;  // sums; null: they are the elements of the result
  int64_t result_bytes;                     // of an element
  bool widens_bf16 = false;                 // lhs is bf16, and decoding does nothing but widen it to f32
  bool narrows_to_bf16 = false;             // encoding does nothing but round f32 to bf16
};

// Runs `body`, which takes so many bytes of memory, and returns true; or does not, if there is not so much.
using WithMemory = FunctionRef<bool(int64_t bytes, FunctionRef<void()> body)>;

// True if ConvolvePlanes applies. Of `problem`, lhs may have any strides and element type.
bool SuitsPlanes(const ConvolutionProblem& problem, ElementType result_type);
// True if the kernel, too, may be as it is.
bool PlanesTakeKernel(const ConvolutionProblem& problem, ElementType result_type);

// Writes the result dense [batch, feature, output spatial...]. Sums are those of problem.type, of depthwise convolution
// in the order of the formula. Errors: kCancelled, kNoMemory.
Outcome ConvolvePlanes(const ConvolutionProblem& problem, const PlaneConversions& conversions, uint8_t* result,
                       WithMemory with_memory, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PLANAR_H_
