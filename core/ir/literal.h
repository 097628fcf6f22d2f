// SPDX-License-Identifier: Apache-2.0
// Literals: the values written in `constant(...)` and `literal=(...)` (docs/text-format.md 5).
#ifndef HLOSCOPE_CORE_IR_LITERAL_H_
#define HLOSCOPE_CORE_IR_LITERAL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/shape.h"

namespace hloscope {

// An array or tuple value. Array elements are stored in logical row-major order, StorageBytes(type) each,
// little-endian; types narrower than a byte take one byte: integers sign- or zero-extended, floats in the low bits.
//
// `bytes()` may hold fewer elements than the shape has: the rest is zero. So `f32[1000000000] constant(0)` costs
// nothing until somebody asks for the elements.
class Literal {
 public:
  Literal() = default;
  // All zero.
  explicit Literal(Shape shape) : shape_(std::move(shape)) {}
  static Literal Tuple(Shape shape, std::vector<Literal> elements);

  const Shape& shape() const { return shape_; }
  Shape& mutable_shape() { return shape_; }

  // True if the text says `{...}`: the value is unknown and must never be evaluated as if it were zeros. For a tuple:
  // true if any element is elided.
  bool IsElided() const;
  void set_elided() { elided_ = true; }

  absl::Span<const uint8_t> bytes() const { return bytes_; }
  std::vector<uint8_t>& mutable_bytes() { return bytes_; }
  // Number of leading elements that bytes() holds.
  int64_t StoredElementCount() const;

  absl::Span<const Literal> elements() const { return elements_; }

  // Pointer to the StorageBytes(type) bytes of element `linear_index` in row-major order (a zero element beyond the
  // stored ones).
  const uint8_t* ElementBytes(int64_t linear_index) const;

  // Same shape (layout ignored), same bits, same elision.
  friend bool operator==(const Literal& a, const Literal& b);

 private:
  Shape shape_;
  bool elided_ = false;
  std::vector<uint8_t> bytes_;
  std::vector<Literal> elements_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_LITERAL_H_
