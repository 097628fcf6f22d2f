// SPDX-License-Identifier: Apache-2.0
// Images whose planes lie one feature after the other, as convolutions read them: where they are, or copied with zeros
// around the planes, so that neighbouring outputs meet neighbouring elements.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_PADDED_PLANES_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_PADDED_PLANES_H_

#include <cstdint>
#include <span>

#include "numerics/convolution/convolution.h"
#include "numerics/parallel/small_vector.h"

namespace hloscope::numerics {

// How the inputs of some convolutions without holes lie, which differ in window size, padding and outputs alone. Of a
// copy, the inputs of each remainder of a stride are neighbours: those that neighbouring outputs meet. It leaves out
// what no window meets because strides are longer. Rows of `features` planes that are copied lie side by side: products
// read them together.
class PaddedPlanes {
 public:
  // A copy has what so many outputs along the first dimension meet.
  PaddedPlanes(std::span<const ConvolutionProblem> problems, int64_t features, int64_t outputs);

  // False: what outputs meet is all in the array, and neighbours in it.
  bool is_copied() const { return is_copied_; }
  // Elements of a copied plane, with what so many outputs along the first dimension need.
  int64_t PlaneSize(int64_t outputs) const;
  int64_t PlaneSize() const { return PlaneSize(outputs_); }
  // From an element of one feature to that of the next.
  int64_t FeatureStride() const {
    return !is_copied_ ? feature_stride_ : features_ > 1 ? segments_.back() : PlaneSize();
  }
  // Elements from what output 0 of all dimensions meets first to what offset `offset` of the window of `problem` meets,
  // without dilation, in dimension `j`.
  int64_t OffsetOf(const ConvolutionProblem& problem, size_t j, int64_t offset) const;
  // Elements from what an output meets to what the next one along dimension `j` meets.
  int64_t OutputStride(size_t j) const { return is_copied_ ? strides_[j] : steps_[j] * strides_[j]; }

  // Of arrays that are not copied: elements from the first one of a plane to the first that output `first` of the
  // first dimension, and the first ones of the others, meet.
  int64_t Start(int64_t first) const;

  // Copies what the outputs from `first` of the first dimension on need of one plane; the rows between belong to other
  // features. T: float or double.
  template <typename T>
  void Copy(const T* plane, int64_t first, T* to) const;

 private:
  template <typename T>
  void CopyRow(const T* from, T* to) const;
  // Inputs of one remainder along a dimension.
  int64_t SegmentOf(size_t j, int64_t outputs) const { return outputs - 1 + (extents_[j] - 1) / kept_[j] + 1; }

  DimensionVector inputs_, input_strides_;  // of the array
  DimensionVector low_;                     // zeros before the inputs; negative: inputs that are left out
  DimensionVector steps_;                   // strides of the windows
  DimensionVector extents_;                 // elements that one output of all problems meets
  DimensionVector kept_;                    // elements of a stride that any output meets
  DimensionVector segments_;                // of a remainder, with zeros
  DimensionVector strides_;                 // of what is read; of the last dimension 1
  int64_t remainder_stride_ = 0;            // from a remainder of the last stride to the next
  int64_t outputs_ = 0;                     // along the first dimension
  int64_t features_ = 1;                    // whose rows are side by side
  int64_t feature_stride_ = 0;              // of the array
  bool is_copied_ = false;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_PADDED_PLANES_H_
