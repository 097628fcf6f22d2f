// SPDX-License-Identifier: Apache-2.0
#include "gui/models/element_reader.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/print/number_printer.h"
#include "evaluator/compare/tensor_difference.h"
#include "evaluator/tensor/summary.h"
#include "numerics/elements/numeric.h"

namespace hloscope::gui {
namespace {

template <typename T, typename Decode>
void DecodeRun(const uint8_t* from, int64_t step, int64_t count, Decode decode, double* out) {
  for (int64_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, from + i * step, sizeof(T));
    out[i] = static_cast<double>(decode(element));
  }
}

// `step` in bytes. The types of large arrays have loops of their own: the general one decides again for every element.
void ReadNumbers(ElementType type, const uint8_t* from, int64_t step, int64_t count, double* out) {
  const auto same = [](auto x) { return x; };
  switch (type) {
    case ElementType::kF32:
      return DecodeRun<float>(from, step, count, same, out);
    case ElementType::kF64:
      return DecodeRun<double>(from, step, count, same, out);
    case ElementType::kBF16:
      return DecodeRun<uint16_t>(from, step, count, numerics::Bf16ToFloat, out);
    case ElementType::kF16:
      return DecodeRun<uint16_t>(from, step, count, numerics::F16ToFloat, out);
    case ElementType::kS32:
      return DecodeRun<int32_t>(from, step, count, same, out);
    case ElementType::kS8:
      return DecodeRun<int8_t>(from, step, count, same, out);
    case ElementType::kU8:
    case ElementType::kPred:
      return DecodeRun<uint8_t>(from, step, count, same, out);
    default:
      for (int64_t i = 0; i < count; ++i) out[i] = evaluator::ElementAsDouble(type, from + i * step);
  }
}

class TensorReader : public ElementReader {
 public:
  explicit TensorReader(evaluator::Tensor tensor) : tensor_(std::move(tensor)) {
    if (tensor_.has_buffer()) {
      dimensions_.assign(tensor_.dimensions().begin(), tensor_.dimensions().end());
    } else {
      dimensions_.assign(1, 0);
    }
  }
  absl::Span<const int64_t> dimensions() const override { return dimensions_; }
  ElementType element_type() const override { return tensor_.element_type(); }
  void Read(absl::Span<const int64_t> begin, int64_t axis, int64_t count, double* out) const override {
    const int64_t step = axis < 0 ? 0 : tensor_.strides()[static_cast<size_t>(axis)] * tensor_.element_bytes();
    ReadNumbers(tensor_.element_type(), tensor_.At(begin), step, axis < 0 ? 1 : count, out);
  }
  std::string TextOf(absl::Span<const int64_t> index) const override {
    std::string text;
    AppendElement(tensor_.element_type(), tensor_.At(index), &text);
    return text;
  }

 private:
  evaluator::Tensor tensor_;
  evaluator::DimensionVector dimensions_;
};

// Equal elements (also NaN and NaN) differ by 0.
double DifferenceAt(ElementType type, const uint8_t* a, const uint8_t* b, DifferenceKind kind) {
  if (kind == DifferenceKind::kUlps) {
    const uint64_t ulps = evaluator::UlpDistance(type, a, b);
    return ulps == std::numeric_limits<uint64_t>::max() ? std::numeric_limits<double>::infinity()
                                                        : static_cast<double>(ulps);
  }
  const std::complex<double> x = ReadComplex(type, a), y = ReadComplex(type, b);
  const bool x_is_nan = std::isnan(x.real()) || std::isnan(x.imag());
  const bool y_is_nan = std::isnan(y.real()) || std::isnan(y.imag());
  if (x == y || (x_is_nan && y_is_nan)) return 0;
  const double distance = std::abs(x - y);
  if (kind == DifferenceKind::kRelative) return distance / std::abs(x);
  return IsComplex(type) ? distance : x.real() - y.real();
}

class DifferenceReader : public ElementReader {
 public:
  DifferenceReader(evaluator::Tensor first, evaluator::Tensor second, DifferenceKind kind)
      : first_(std::move(first)), second_(std::move(second)), kind_(kind) {}
  absl::Span<const int64_t> dimensions() const override { return first_.dimensions(); }
  ElementType element_type() const override { return ElementType::kF64; }
  void Read(absl::Span<const int64_t> begin, int64_t axis, int64_t count, double* out) const override {
    const ElementType type = first_.element_type();
    const int64_t bytes = first_.element_bytes();
    const auto step = [&](const evaluator::Tensor& t) {
      return axis < 0 ? 0 : t.strides()[static_cast<size_t>(axis)] * bytes;
    };
    const uint8_t *a = first_.At(begin), *b = second_.At(begin);
    const int64_t step_a = step(first_), step_b = step(second_);
    for (int64_t i = 0; i < (axis < 0 ? 1 : count); ++i) {
      out[i] = DifferenceAt(type, a + i * step_a, b + i * step_b, kind_);
    }
  }
  std::string TextOf(absl::Span<const int64_t> index) const override {
    if (kind_ == DifferenceKind::kUlps) {
      const uint64_t ulps = evaluator::UlpDistance(first_.element_type(), first_.At(index), second_.At(index));
      return ulps == std::numeric_limits<uint64_t>::max() ? "inf" : absl::StrCat(ulps);
    }
    std::string text;
    AppendPlainFloat(DifferenceAt(first_.element_type(), first_.At(index), second_.At(index), kind_), &text);
    return text;
  }

 private:
  evaluator::Tensor first_, second_;
  DifferenceKind kind_;
};

}  // namespace

int64_t ElementReader::element_count() const {
  int64_t count = 1;
  for (int64_t size : dimensions()) count *= size;
  return count;
}

std::shared_ptr<const ElementReader> ReaderOf(evaluator::Tensor tensor) {
  return std::make_shared<TensorReader>(std::move(tensor));
}

absl::StatusOr<std::shared_ptr<const ElementReader>> DifferenceReaderOf(const evaluator::Tensor& first,
                                                                        const evaluator::Tensor& second,
                                                                        DifferenceKind kind) {
  if (!first.has_buffer() || !second.has_buffer() || first.element_type() != second.element_type() ||
      first.dimensions() != second.dimensions()) {
    return absl::InvalidArgumentError(absl::StrCat("cannot compare ", first.shape().ToString(), " with ",
                                                   second.shape().ToString(), ": they need the same type and sizes"));
  }
  return std::make_shared<DifferenceReader>(first, second, kind);
}

}  // namespace hloscope::gui
