// SPDX-License-Identifier: Apache-2.0
// The wire format of protocol buffers without types, and what is odd in it.
#ifndef HLOSCOPE_INTEROP_WIRE_WIRE_H_
#define HLOSCOPE_INTEROP_WIRE_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"

namespace hloscope::interop {

enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kGroupStart = 3, kGroupEnd = 4, kFixed32 = 5 };

struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t value = 0;       // of kVarint
  absl::string_view bytes;  // of kBytes, kFixed32, kFixed64
  size_t offset = 0;        // of its tag in the message
};

class WireReader {
 public:
  // If `lenient`, a field that is cut off has the bytes that are there.
  explicit WireReader(absl::string_view message, bool lenient = false) : message_(message), lenient_(lenient) {}

  // False at the end and at a fault.
  bool Next(WireField* field) {
    if (at_ == message_.size() || has_fault_) return false;
    offset_ = at_;
    return NextShort(field) || NextAny(field);
  }
  // Nothing after a good end. Else what is wrong, and where: offset() is that of the field that is faulty.
  const std::optional<std::string>& fault() const { return fault_; }
  bool has_fault() const { return has_fault_; }
  size_t offset() const { return offset_; }
  // After the field that was read last.
  size_t end() const { return at_; }
  // If lenient: the last field is cut off.
  bool was_cut() const { return cut_; }

 private:
  // Fields whose tag and value, or length, take one byte each, as nearly all do; false if this is none.
  bool NextShort(WireField* field) {
    if (message_.size() - at_ < 2) return false;
    const uint8_t tag = static_cast<uint8_t>(message_[at_]), second = static_cast<uint8_t>(message_[at_ + 1]);
    if (tag >= 0x80 || tag < 8 || second >= 0x80) return false;
    const WireType type = static_cast<WireType>(tag & 7);
    if (type == WireType::kVarint) {
      *field = {static_cast<uint32_t>(tag >> 3), type, second, {}, at_};
      at_ += 2;
      return true;
    }
    if (type != WireType::kBytes || message_.size() - at_ - 2 < second) return false;
    *field = {static_cast<uint32_t>(tag >> 3), type, 0, message_.substr(at_ + 2, second), at_};
    at_ += 2 + size_t{second};
    return true;
  }
  bool NextAny(WireField* field);
  bool Fail(std::string what);

  absl::string_view message_;
  bool lenient_;
  bool cut_ = false;
  bool has_fault_ = false;
  size_t at_ = 0, offset_ = 0;
  std::optional<std::string> fault_;
};

// A varint at the start of `bytes`, which then go on after it.
inline std::optional<uint64_t> TakeVarint(absl::string_view* bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < 10 && i < bytes->size(); ++i) {
    const uint8_t byte = static_cast<uint8_t>((*bytes)[i]);
    value |= static_cast<uint64_t>(byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      bytes->remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

// Adds the numbers of a repeated field, packed or single. False if they are damaged; nothing is said of other types.
template <typename List>
bool TakeNumbers(const WireField& field, List* numbers) {
  if (field.type == WireType::kVarint) {
    numbers->push_back(static_cast<int64_t>(field.value));
    return true;
  }
  for (absl::string_view rest = field.bytes; !rest.empty();) {
    const std::optional<uint64_t> number = TakeVarint(&rest);
    if (!number) return false;
    numbers->push_back(static_cast<int64_t>(*number));
  }
  return true;
}

// What WalkMessage reports.
struct WireProblem {
  enum class Kind : uint8_t { kUnknownField, kWrongType, kFault };
  Kind kind = Kind::kUnknownField;
  std::string path;     // `hlo_module.computations[3].instructions[7]`
  uint32_t number = 0;  // of the field
  size_t offset = 0;    // in the file
  std::string message;  // one line that names path, field and offset
};

// Walks all of a message of the given type. Stops when `visit` returns false.
void WalkMessage(absl::string_view message, const google::protobuf::Descriptor& type,
                 absl::FunctionRef<bool(const WireProblem&)> visit);

// The message of the first fault, with its byte in `whole`, of which `message` is a part; a general one if there is
// none.
std::string FirstFault(absl::string_view message, const google::protobuf::Descriptor& type, absl::string_view whole);

// Where a part is: field numbers and which of its repetitions, from the outside. Nothing if it is not there.
std::optional<size_t> OffsetOf(absl::string_view message, const std::vector<std::pair<uint32_t, int>>& path);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_WIRE_WIRE_H_
