// SPDX-License-Identifier: Apache-2.0
#include "interop/wire/wire.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace hloscope::interop {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr int kMaxDepth = 100;

WireType TypeOf(const FieldDescriptor& field) {
  switch (field.type()) {
    case FieldDescriptor::TYPE_DOUBLE:
    case FieldDescriptor::TYPE_FIXED64:
    case FieldDescriptor::TYPE_SFIXED64:
      return WireType::kFixed64;
    case FieldDescriptor::TYPE_FLOAT:
    case FieldDescriptor::TYPE_FIXED32:
    case FieldDescriptor::TYPE_SFIXED32:
      return WireType::kFixed32;
    case FieldDescriptor::TYPE_STRING:
    case FieldDescriptor::TYPE_BYTES:
    case FieldDescriptor::TYPE_MESSAGE:
      return WireType::kBytes;
    default:
      return WireType::kVarint;
  }
}

// Numbers that are counted and not kept.
struct NumberCount {
  size_t count = 0;
  void push_back(int64_t) { ++count; }
};

class Walker {
 public:
  Walker(absl::string_view whole, absl::FunctionRef<bool(const WireProblem&)> visit) : whole_(whole), visit_(visit) {}

  bool Walk(absl::string_view message, const Descriptor& type, const std::string& path, int depth) {
    const size_t base = static_cast<size_t>(message.data() - whole_.data());
    WireReader reader(message);
    WireField field;
    absl::flat_hash_map<uint32_t, int> counts;
    while (reader.Next(&field)) {
      const FieldDescriptor* known = type.FindFieldByNumber(static_cast<int>(field.number));
      const size_t offset = base + field.offset;
      if (known == nullptr) {
        const bool is_old = type.IsReservedNumber(static_cast<int>(field.number));
        if (!Report(WireProblem::Kind::kUnknownField, path, field.number, offset,
                    absl::StrCat(is_old ? "field of old versions " : "unknown field ", field.number))) {
          return false;
        }
        continue;
      }
      std::string inner = absl::StrCat(path, path.empty() ? "" : ".", known->name());
      if (known->is_repeated()) absl::StrAppend(&inner, "[", counts[field.number]++, "]");
      const bool is_packed = known->is_repeated() && known->is_packable() && field.type == WireType::kBytes;
      if (field.type != TypeOf(*known) && !is_packed) {
        if (!Report(WireProblem::Kind::kWrongType, inner, field.number, offset,
                    absl::StrCat("wire type ", static_cast<int>(field.type), " instead of ",
                                 static_cast<int>(TypeOf(*known))))) {
          return false;
        }
        continue;
      }
      NumberCount numbers;
      if (is_packed && TypeOf(*known) == WireType::kVarint && !TakeNumbers(field, &numbers)) {
        return Report(WireProblem::Kind::kFault, inner, field.number, offset,
                      absl::StrCat("truncated or overlong number ", numbers.count, " of the list"));
      }
      if (known->type() != FieldDescriptor::TYPE_MESSAGE) continue;
      if (depth == kMaxDepth) {
        return Report(WireProblem::Kind::kFault, inner, field.number, offset,
                      absl::StrCat("messages are nested more than ", kMaxDepth, " deep"));
      }
      if (!Walk(field.bytes, *known->message_type(), inner, depth + 1)) return false;
    }
    if (!reader.fault()) return true;
    return Report(WireProblem::Kind::kFault, path, 0, base + reader.offset(), *reader.fault());
  }

 private:
  bool Report(WireProblem::Kind kind, const std::string& path, uint32_t number, size_t offset,
              const std::string& what) {
    return visit_({kind, path, number, offset,
                   absl::StrCat(path.empty() ? "the message" : path, ": ", what, ", at byte ", offset)});
  }

  absl::string_view whole_;
  absl::FunctionRef<bool(const WireProblem&)> visit_;
};

}  // namespace

bool WireReader::Fail(std::string what) {
  fault_ = std::move(what);
  has_fault_ = true;
  return false;
}

bool WireReader::NextAny(WireField* field) {
  absl::string_view rest = message_.substr(at_);
  const std::optional<uint64_t> tag = TakeVarint(&rest);
  if (!tag) return Fail("truncated or overlong tag");
  const uint64_t number = *tag >> 3;
  if (number == 0 || number >= (uint64_t{1} << 29)) return Fail(absl::StrCat("field number ", number));
  *field = {static_cast<uint32_t>(number), static_cast<WireType>(*tag & 7), 0, {}, offset_};
  const auto take = [&](uint64_t size) {
    if (lenient_ && size > rest.size()) {
      size = rest.size();
      cut_ = true;
    }
    if (size > rest.size()) {
      return Fail(absl::StrCat("truncated: field ", number, " needs ", size, " bytes, ", rest.size(), " left"));
    }
    field->bytes = rest.substr(0, size);
    rest.remove_prefix(size);
    return true;
  };
  const auto unknown = [&] {
    return Fail(absl::StrCat("wire type ", *tag & 7, " of field ", number, ", which these files do not have"));
  };
  if ((*tag & 7) > static_cast<uint64_t>(WireType::kFixed32)) return unknown();
  switch (field->type) {
    case WireType::kVarint: {
      const std::optional<uint64_t> value = TakeVarint(&rest);
      if (!value) return Fail(absl::StrCat("truncated or overlong varint in field ", number));
      field->value = *value;
      break;
    }
    case WireType::kFixed64:
      if (!take(8)) return false;
      break;
    case WireType::kFixed32:
      if (!take(4)) return false;
      break;
    case WireType::kBytes: {
      const std::optional<uint64_t> size = TakeVarint(&rest);
      if (!size) return Fail(absl::StrCat("truncated or overlong length of field ", number));
      if (!take(*size)) return false;
      break;
    }
    case WireType::kGroupStart:
    case WireType::kGroupEnd:
      return unknown();
  }
  at_ = message_.size() - rest.size();
  return true;
}

void WalkMessage(absl::string_view message, const Descriptor& type, absl::FunctionRef<bool(const WireProblem&)> visit) {
  Walker(message, visit).Walk(message, type, "", 0);
}

std::string FirstFault(absl::string_view message, const Descriptor& type, absl::string_view whole) {
  std::string found = "the message is damaged";
  const auto visit = [&](const WireProblem& problem) {
    if (problem.kind != WireProblem::Kind::kFault) return true;
    found = problem.message;
    return false;
  };
  Walker(whole, visit).Walk(message, type, "", 0);
  return found;
}

std::optional<size_t> OffsetOf(absl::string_view message, const std::vector<std::pair<uint32_t, int>>& path) {
  absl::string_view at = message;
  size_t offset = 0;
  for (const auto& [number, which] : path) {
    WireReader reader(at);
    WireField field;
    int count = 0;
    bool found = false;
    while (!found && reader.Next(&field)) {
      found = field.number == number && field.type == WireType::kBytes && count++ == which;
    }
    if (!found) return std::nullopt;
    offset = static_cast<size_t>(at.data() - message.data()) + field.offset;
    at = field.bytes;
  }
  return offset;
}

}  // namespace hloscope::interop
