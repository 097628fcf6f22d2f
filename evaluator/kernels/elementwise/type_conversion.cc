// SPDX-License-Identifier: Apache-2.0
// convert, bitcast-convert, reduce-precision and stochastic-convert (docs/ops/elementwise.md 9).
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/array_lanes.h"
#include "evaluator/kernels/lanes/narrow_lanes.h"

namespace hloscope::evaluator {
namespace {

// Bits of one element in the stream that bitcast-convert reads (1.1: pred and the 6-bit floats take a byte).
int StreamWidth(ElementType type) {
  const int width = BitWidth(type);
  return width == 6 || type == ElementType::kPred ? 8 : width;
}

// Elements below a byte lie in the stream from the low end of each byte on. In memory each takes a byte of its own, so
// a stored byte of the larger elements carries `unit_width` bits of the stream: 8, or the larger width if that is
// below.
void Unpack(const uint8_t* in, int unit_width, uint8_t* out, int width, int64_t count) {
  const int mask = (1 << width) - 1;
  const int per_unit = unit_width / width;
  for (int64_t i = 0; i < count; ++i) {
    out[i] = static_cast<uint8_t>((in[i / per_unit] >> (i % per_unit * width)) & mask);
  }
}
void Pack(const uint8_t* in, int width, uint8_t* out, int unit_width, int64_t count) {
  const int mask = (1 << width) - 1;
  const int per_unit = unit_width / width;
  for (int64_t i = 0; i < count; ++i) {
    const int bits = (in[i] & mask) << (i % per_unit * width);
    out[i / per_unit] = static_cast<uint8_t>(i % per_unit == 0 ? bits : out[i / per_unit] | bits);
  }
}

// Elements of different widths: the last dimension is added or consumed.
absl::StatusOr<Value> BitcastWithNewWidth(const KernelContext& context) {
  const Shape& shape = context.shape();
  if (!context.tensor(0).dynamic_sizes().empty()) {
    return absl::InvalidArgumentError("bitcast-convert: an array with dynamic sizes cannot change its element width");
  }
  absl::StatusOr<Tensor> operand = DenseElements(context.tensor(0), context.runtime);
  if (!operand.ok()) return operand.status();
  absl::StatusOr<Tensor> result = Tensor::Allocate(shape.element_type(), shape.dimensions());
  if (!result.ok()) return result.status();

  const int in_width = StreamWidth(operand->element_type());
  const int out_width = StreamWidth(shape.element_type());
  const uint8_t* in = operand->data();
  uint8_t* out = result->mutable_data();
  if (std::min(in_width, out_width) >= 8) {
    std::memcpy(out, in, static_cast<size_t>(std::min(operand->byte_size(), result->byte_size())));
  } else if (out_width < in_width) {
    Unpack(in, std::min(in_width, 8), out, out_width, result->element_count());
  } else {
    Pack(in, in_width, out, std::min(out_width, 8), operand->element_count());
  }
  if (shape.element_type() == ElementType::kPred) {
    for (int64_t i = 0; i < result->element_count(); ++i) out[i] = out[i] != 0;
  } else if (LaneConversion canonicalize = CanonicalizeLanes(shape.element_type())) {
    canonicalize(out, out, result->element_count());
  }
  return Value(*std::move(result));
}

}  // namespace

absl::StatusOr<Value> EvaluateTypeConversion(const KernelContext& context) {
  if (context.opcode() == Opcode::kBitcastConvert &&
      StreamWidth(context.tensor(0).element_type()) != StreamWidth(context.shape().element_type())) {
    return BitcastWithNewWidth(context);
  }
  return EvaluateLanes(context);
}

}  // namespace hloscope::evaluator
