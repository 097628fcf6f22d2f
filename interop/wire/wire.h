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
  // Fields whose tag and value, or length, take at most two bytes each, as nearly all do; false if this is none.
  bool NextShort(WireField* field) {
    const char* at = message_.data() + at_;
    const char* const end = message_.data() + message_.size();
    uint32_t tag = 0, second = 0;
    if (!TakeShort(&at, end, &tag) || tag < 8 || !TakeShort(&at, end, &second)) return false;
    const WireType type = static_cast<WireType>(tag & 7);
    const size_t bytes = type == WireType::kBytes ? second : 0;
    if ((type != WireType::kVarint && type != WireType::kBytes) || static_cast<size_t>(end - at) < bytes) return false;
    *field = {tag >> 3, type, type == WireType::kVarint ? second : 0, absl::string_view(at, bytes), at_};
    at_ = static_cast<size_t>(at - message_.data()) + bytes;
    return true;
  }
  static bool TakeShort(const char** at, const char* end, uint32_t* value) {
    if (*at == end) return false;
    *value = static_cast<uint8_t>(*(*at)++);
    if (*value < 0x80) return true;
    if (*at == end || static_cast<uint8_t>(**at) >= 0x80) return false;
    *value = (*value & 0x7F) | static_cast<uint32_t>(static_cast<uint8_t>(*(*at)++)) << 7;
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
