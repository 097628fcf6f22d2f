// The wire format of protocol buffers without types, and what is odd in it.
#ifndef HLOSCOPE_INTEROP_FILES_WIRE_H_
#define HLOSCOPE_INTEROP_FILES_WIRE_H_

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
  bool Next(WireField* field);
  // Nothing after a good end. Else what is wrong, and where: offset() is that of the field that is faulty.
  const std::optional<std::string>& fault() const { return fault_; }
  size_t offset() const { return offset_; }
  // If lenient: the last field is cut off.
  bool was_cut() const { return cut_; }

 private:
  bool Fail(std::string what);

  absl::string_view message_;
  bool lenient_;
  bool cut_ = false;
  size_t at_ = 0, offset_ = 0;
  std::optional<std::string> fault_;
};

// A varint at the start of `bytes`, which then go on after it.
std::optional<uint64_t> TakeVarint(absl::string_view* bytes);

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

// Where a part is: field numbers and which of its repetitions, from the outside. Nothing if it is not there.
std::optional<size_t> OffsetOf(absl::string_view message, const std::vector<std::pair<uint32_t, int>>& path);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_WIRE_H_
