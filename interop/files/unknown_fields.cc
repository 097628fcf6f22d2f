// SPDX-License-Identifier: Apache-2.0
#include "interop/files/unknown_fields.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/unknown_field_set.h"
#include "interop/files/file_kind.h"
#include "interop/proto/containers.pb.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

int64_t CountOf(const Message& message);

// Messages in `from` that have no counterpart in what is written.
int64_t CountOfField(const Message& from, const FieldDescriptor* field) {
  const google::protobuf::Reflection& reflection = *from.GetReflection();
  if (!field->is_repeated()) return CountOf(reflection.GetMessage(from, field));
  int64_t count = 0;
  for (int i = 0; i < reflection.FieldSize(from, field); ++i) {
    count += CountOf(reflection.GetRepeatedMessage(from, field, i));
  }
  return count;
}

std::vector<const FieldDescriptor*> MessageFieldsOf(const Message& message) {
  std::vector<const FieldDescriptor*> all, messages;
  message.GetReflection()->ListFields(message, &all);
  for (const FieldDescriptor* field : all) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) messages.push_back(field);
  }
  return messages;
}

int64_t CountOf(const Message& message) {
  int64_t count = message.GetReflection()->GetUnknownFields(message).field_count();
  for (const FieldDescriptor* field : MessageFieldsOf(message)) count += CountOfField(message, field);
  return count;
}

int64_t CopyRepeated(const Message& from, const FieldDescriptor* field, Message* to) {
  const google::protobuf::Reflection &of_from = *from.GetReflection(), &of_to = *to->GetReflection();
  const int count = of_from.FieldSize(from, field), places = of_to.FieldSize(*to, field);
  const FieldDescriptor* const name = field->message_type()->FindFieldByName("name");
  int64_t lost = 0;
  if (name == nullptr || name->is_repeated() || name->cpp_type() != FieldDescriptor::CPPTYPE_STRING) {
    if (count != places) return CountOfField(from, field);
    for (int i = 0; i < count; ++i) {
      lost += CopyUnknownFields(of_from.GetRepeatedMessage(from, field, i), of_to.MutableRepeatedMessage(to, field, i));
    }
    return lost;
  }
  absl::flat_hash_map<std::string, int> place_of;
  for (int i = 0; i < places; ++i) {
    const Message& message = of_to.GetRepeatedMessage(*to, field, i);
    place_of.emplace(message.GetReflection()->GetString(message, name), i);
  }
  for (int i = 0; i < count; ++i) {
    const Message& message = of_from.GetRepeatedMessage(from, field, i);
    const auto place = place_of.find(message.GetReflection()->GetString(message, name));
    lost += place == place_of.end()
                ? CountOf(message)
                : CopyUnknownFields(message, of_to.MutableRepeatedMessage(to, field, place->second));
  }
  return lost;
}

template <typename File, typename Copy>
int64_t CopyFrom(absl::string_view bytes, const Copy& copy) {
  bool has_unknown = false;
  WalkMessage(bytes, *File::descriptor(), [&](const WireProblem& problem) {
    has_unknown = problem.kind == WireProblem::Kind::kUnknownField;
    return !has_unknown;
  });
  if (!has_unknown || bytes.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) return 0;
  google::protobuf::Arena arena;
  auto* const file = google::protobuf::Arena::CreateMessage<File>(&arena);
  file->ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size()));  // false: cut off; who reads it says so
  return copy(*file);
}

}  // namespace

int64_t CopyUnknownFields(const Message& from, Message* to) {
  const google::protobuf::Reflection &of_from = *from.GetReflection(), &of_to = *to->GetReflection();
  const google::protobuf::UnknownFieldSet& unknown = of_from.GetUnknownFields(from);
  if (!unknown.empty()) of_to.MutableUnknownFields(to)->MergeFrom(unknown);
  int64_t lost = 0;
  for (const FieldDescriptor* field : MessageFieldsOf(from)) {
    if (field->is_repeated()) {
      lost += CopyRepeated(from, field, to);
    } else if (of_to.HasField(*to, field)) {
      lost += CopyUnknownFields(of_from.GetMessage(from, field), of_to.MutableMessage(to, field));
    } else {
      lost += CountOfField(from, field);
    }
  }
  return lost;
}

int64_t CopyUnknownFields(absl::string_view file, proto::HloSnapshot* to) {
  const DetectedFile detected = DetectFile(file);
  if (detected.is_text) return 0;
  proto::HloModuleProto* const module = to->mutable_hlo()->mutable_hlo_module();
  switch (detected.kind) {
    case FileKind::kModule:
      return CopyFrom<proto::HloModuleProto>(file, [&](const auto& m) { return CopyUnknownFields(m, module); });
    case FileKind::kHloProto:
      return CopyFrom<proto::HloProto>(file, [&](const auto& m) { return CopyUnknownFields(m, to->mutable_hlo()); });
    case FileKind::kModuleWithConfig:
      return CopyFrom<proto::HloModuleProtoWithConfig>(
          file, [&](const auto& m) { return CopyUnknownFields(m.hlo_module(), module); });
    case FileKind::kSnapshot:
      return CopyFrom<proto::HloSnapshot>(file, [&](const auto& m) { return CopyUnknownFields(m, to); });
    case FileKind::kUnoptimizedSnapshot:
      return CopyFrom<proto::HloUnoptimizedSnapshot>(
          file, [&](const auto& m) { return CopyUnknownFields(m.hlo_module(), module); });
    case FileKind::kDelimitedSnapshot:
    case FileKind::kHloText:
    case FileKind::kExecutable:
    case FileKind::kLiterals:
    case FileKind::kLiteralsList:
    case FileKind::kAutotuneResults:
    case FileKind::kPassMetadata:
    case FileKind::kMemoryReport:
    case FileKind::kProfile:
    case FileKind::kUnknown:
      break;
  }
  return 0;
}

}  // namespace hloscope::interop
