// SPDX-License-Identifier: Apache-2.0
// Reading and writing .npy files (docs/cli.md, docs/ops/elementwise.md 1.5). Types that .npy lacks are raw bits in
// an unsigned integer array of the next whole byte width, one element per array element, high bits zero.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_NPY_H_
#define HLOSCOPE_EVALUATOR_TENSOR_NPY_H_

#include <atomic>
#include <iosfwd>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/ir/shape.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// The file's array as it is, as an array of a type that .npy has. C and Fortran order, both byte orders, versions 1-3.
// Errors: NotFound, InvalidArgument (not an .npy file, truncated, unsupported dtype), each naming the file.
absl::StatusOr<Tensor> ReadNpy(const std::string& path);
// The file's array as a value of `shape`. Types that .npy lacks may have any one- or two-byte code; bits above a
// narrow type's width are ignored. Floating-point types among them may also be f32 or f64 of the same values. A bounded
// dynamic dimension may be smaller than its bound. Error InvalidArgument with both types or shapes if they do not
// agree, or with the number of elements that the type does not have.
absl::StatusOr<Tensor> ReadNpy(const std::string& path, const Shape& shape);
// Whether the file announces such an array and holds as many bytes, without reading them. Errors: those of ReadNpy.
absl::Status CheckNpy(const std::string& path, const Shape& shape);
// ReadNpy from a stream that ends with the array; `name` is what errors call it.
absl::StatusOr<Tensor> ReadNpy(std::istream& stream, const std::string& name, const Shape& shape);

// Writes through a temporary file and renames it: a failure leaves no partial file. Dynamic dimensions have their
// run-time sizes in the file. Error Cancelled once `cancelled` (which may be null) is true.
absl::Status WriteNpy(const std::string& path, const Tensor& tensor, const std::atomic<bool>* cancelled = nullptr);
// Bytes of such a file. The caller looks at the stream's state.
absl::Status WriteNpy(std::ostream& stream, const Tensor& tensor, const std::atomic<bool>* cancelled = nullptr);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_NPY_H_
