// SPDX-License-Identifier: Apache-2.0
// The elements of an array, or of the difference of two, as numbers: what pictures and statistics are made from.
#ifndef HLOSCOPE_GUI_MODELS_ELEMENT_READER_H_
#define HLOSCOPE_GUI_MODELS_ELEMENT_READER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::gui {

enum class DifferenceKind : uint8_t {
  kAbsolute,  // first - second
  kRelative,  // |first - second| / |first|
  kUlps,      // representable values between them
};

// Immutable: many threads may read at once.
class ElementReader {
 public:
  virtual ~ElementReader() = default;

  virtual absl::Span<const int64_t> dimensions() const = 0;
  // Of the elements; f64 for differences.
  virtual ElementType element_type() const = 0;
  // The numbers (ElementAsDouble) of `count` elements from `begin` on along `axis`. An axis below 0 stands for a run of
  // one element. Requires that all of them exist.
  virtual void Read(absl::Span<const int64_t> begin, int64_t axis, int64_t count, double* out) const = 0;
  // One element as text: exactly, as a literal has it; of a difference six digits, ulps exactly.
  virtual std::string TextOf(absl::Span<const int64_t> index) const = 0;

  int64_t element_count() const;
};

// A tensor without buffer has no elements.
std::shared_ptr<const ElementReader> ReaderOf(evaluator::Tensor tensor);

// Error InvalidArgument, with both shapes, if element types or sizes differ.
absl::StatusOr<std::shared_ptr<const ElementReader>> DifferenceReaderOf(const evaluator::Tensor& first,
                                                                        const evaluator::Tensor& second,
                                                                        DifferenceKind kind);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_ELEMENT_READER_H_
