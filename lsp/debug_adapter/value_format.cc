// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/value_format.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "evaluator/tensor/summary.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

constexpr int64_t kMostElements = 16;

// The lowest `bits` bits of what begins at `bytes`, highest first.
std::string BitsText(const uint8_t* bytes, int bits, ValueFormat format) {
  const int digit_bits = format == ValueFormat::kHex ? 4 : 1;
  std::string text = format == ValueFormat::kHex ? "0x" : "0b";
  for (int digit = (bits + digit_bits - 1) / digit_bits; digit-- > 0;) {
    const int low = digit * digit_bits;
    const int width = std::min(digit_bits, bits - low);
    const int value = (bytes[low / 8] >> (low % 8)) & ((1 << width) - 1);
    text.push_back("0123456789abcdef"[value]);
  }
  return text;
}

class Writer {
 public:
  Writer(const evaluator::Tensor& tensor, ValueFormat format)
      : tensor_(tensor), format_(format), index_(static_cast<size_t>(tensor.rank()), 0) {}

  std::string Write(size_t dimension = 0) {
    if (dimension == index_.size()) return Element();
    std::string text = "{";
    for (int64_t i = 0; i < tensor_.dimension(static_cast<int64_t>(dimension)); ++i) {
      if (i > 0) text += ", ";
      if (written_ >= kMostElements) return text + "...}";
      index_[dimension] = i;
      text += Write(dimension + 1);
    }
    return text + "}";
  }

 private:
  std::string Element() {
    ++written_;
    const uint8_t* const at = tensor_.At(index_);
    const ElementType type = tensor_.element_type();
    if (!IsComplex(type)) return Part(at, type);
    const ElementType part = ComplexComponent(type);
    return absl::StrCat("(", Part(at, part), ", ", Part(at + StorageBytes(part), part), ")");
  }
  std::string Part(const uint8_t* at, ElementType type) const {
    if (format_ != ValueFormat::kScientific) return BitsText(at, BitWidth(type), format_);
    return absl::StrFormat("%.6e", evaluator::ElementAsDouble(type, at));
  }

  const evaluator::Tensor& tensor_;
  const ValueFormat format_;
  std::vector<int64_t> index_;
  int64_t written_ = 0;
};

}  // namespace

ValueFormat FormatOf(const nlohmann::json& arguments) {
  const nlohmann::json* const format = Member(arguments, "format");
  if (format == nullptr || !format->is_object()) return ValueFormat::kUsual;
  if (BoolOr(*format, "hex", false)) return ValueFormat::kHex;
  if (BoolOr(*format, "binary", false)) return ValueFormat::kBinary;
  return BoolOr(*format, "scientific", false) ? ValueFormat::kScientific : ValueFormat::kUsual;
}

ValueFormat TakeFormat(absl::string_view* expression) {
  const size_t comma = expression->rfind(',');
  if (comma == absl::string_view::npos) return ValueFormat::kUsual;
  const absl::string_view word = absl::StripAsciiWhitespace(expression->substr(comma + 1));
  ValueFormat format = ValueFormat::kUsual;
  if (word == "h" || word == "hex" || word == "x") format = ValueFormat::kHex;
  if (word == "b" || word == "binary") format = ValueFormat::kBinary;
  if (word == "e" || word == "scientific") format = ValueFormat::kScientific;
  if (format != ValueFormat::kUsual) *expression = absl::StripAsciiWhitespace(expression->substr(0, comma));
  return format;
}

std::string FormattedValue(const evaluator::Value& value, ValueFormat format) {
  if (value.IsToken()) return "token";
  if (!value.has_value()) return "nothing";
  if (value.IsTuple()) {
    std::vector<std::string> parts;
    for (const evaluator::Value& element : value.elements()) {
      if (static_cast<int64_t>(parts.size()) == kMostElements) {
        parts.push_back("...");
        break;
      }
      parts.push_back(FormattedValue(element, format));
    }
    std::string text = "(";
    for (size_t i = 0; i < parts.size(); ++i) absl::StrAppend(&text, i > 0 ? ", " : "", parts[i]);
    return text + ")";
  }
  const evaluator::Tensor tensor = value.tensor().WithRunTimeSizes();
  const std::string elements = Writer(tensor, format).Write();
  return tensor.rank() == 0 ? elements : absl::StrCat(tensor.shape().ToString(false), " ", elements);
}

}  // namespace hloscope::dap
