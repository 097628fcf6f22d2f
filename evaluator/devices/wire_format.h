// SPDX-License-Identifier: Apache-2.0
// Numbers, texts and the form of values as bytes that processes of one run send each other. Both ends are the same
// program on machines of one byte order.
#ifndef HLOSCOPE_EVALUATOR_DEVICES_WIRE_FORMAT_H_
#define HLOSCOPE_EVALUATOR_DEVICES_WIRE_FORMAT_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

class WireWriter {
 public:
  void Int(int64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value)); }
  void Text(absl::string_view text) {
    Int(static_cast<int64_t>(text.size()));
    bytes_.append(text.data(), text.size());
  }
  void Ints(absl::Span<const int64_t> values) {
    Int(static_cast<int64_t>(values.size()));
    for (int64_t value : values) Int(value);
  }
  // Types, sizes and structure of a value; its tensors are appended to `tensors`, whose elements travel apart.
  void Form(const Value& value, std::vector<Tensor>* tensors);

  void Append(const WireWriter& other) { bytes_ += other.bytes_; }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reading beyond the end, or what was not written so, gives zeros and makes ok() false.
class WireReader {
 public:
  explicit WireReader(absl::string_view bytes) : bytes_(bytes) {}

  int64_t Int();
  // A count of things of which each has at least `least_bytes` bytes.
  int64_t Count(int64_t least_bytes);
  std::string Text();
  std::vector<int64_t> Ints();
  // The value, with tensors whose elements are still to come, appended to `tensors`. Errors: those of Tensor::Allocate;
  // InvalidArgument for bytes that are no value.
  absl::StatusOr<Value> Form(std::vector<Tensor>* tensors, int depth = 0);

  bool ok() const { return is_good_; }

 private:
  absl::string_view bytes_;
  bool is_good_ = true;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_WIRE_FORMAT_H_
