// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/metadata.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

using Proto = proto::OpMetadata;

class MetadataReader {
 public:
  MetadataReader(const proto::HloModuleProto& owner, Module& module) : owner_(owner), module_(module) {}

  absl::StatusOr<Metadata> Read(absl::string_view from) {
    WireReader reader(from);
    WireField field;
    bool is_good = true;
    while (is_good && reader.Next(&field)) {
      if (field.type == WireType::kBytes) {
        is_good = TakeBytes(field);
      } else if (field.type == WireType::kVarint) {
        TakeNumber(field);
      }
    }
    if (!is_good || reader.has_fault()) return absl::DataLossError("the metadata is damaged");
    if (!problem_.ok()) return problem_;
    return std::move(metadata_);
  }

 private:
  StringId Intern(absl::string_view text) const { return text.empty() ? StringId() : module_.InternString(text); }

  bool TakeBytes(const WireField& field) {
    switch (field.number) {
      case Proto::kOpTypeFieldNumber:
        metadata_.op_type = Intern(field.bytes);
        return true;
      case Proto::kOpNameFieldNumber:
        metadata_.op_name = Intern(field.bytes);
        return true;
      case Proto::kSourceFileFieldNumber:
        metadata_.source_file = Intern(field.bytes);
        return true;
      case Proto::kDeduplicatedNameFieldNumber:
        metadata_.deduplicated_name = Intern(field.bytes);
        return true;
      case Proto::kSchedulingNameFieldNumber:
        metadata_.scheduling_name = Intern(field.bytes);
        return true;
      case Proto::kProfileTypeFieldNumber:
        return TakeNumbers(field, &metadata_.profile_type);
      case Proto::kMetadataPayloadFieldNumber:
        return TakePayload(field.bytes);
      default:
        return true;
    }
  }

  void TakeNumber(const WireField& field) {
    const int32_t number = static_cast<int32_t>(field.value);
    switch (field.number) {
      case Proto::kSourceLineFieldNumber:
        metadata_.source_line = number;
        return;
      case Proto::kSourceEndLineFieldNumber:
        metadata_.source_end_line = number;
        return;
      case Proto::kSourceColumnFieldNumber:
        metadata_.source_column = number;
        return;
      case Proto::kSourceEndColumnFieldNumber:
        metadata_.source_end_column = number;
        return;
      case Proto::kStackFrameIdFieldNumber:
        metadata_.stack_frame_id = number;
        return;
      case Proto::kProfileTypeFieldNumber:
        metadata_.profile_type.push_back(number);
        return;
      default:
        return;
    }
  }

  bool TakePayload(absl::string_view bytes) {
    proto::Payload payload;
    if (!payload.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
    if (payload.payload_source_case() == proto::Payload::kValue) {
      metadata_.metadata_payload = Intern(payload.value());
    } else if (payload.payload_source_case() == proto::Payload::kId) {
      if (payload.id() >= 0 && payload.id() < owner_.payloads_size()) {
        metadata_.metadata_payload = Intern(owner_.payloads(static_cast<int>(payload.id())));
      } else {
        problem_ =
            absl::InvalidArgumentError(absl::StrCat("metadata payload ", payload.id(), " of ", owner_.payloads_size()));
      }
    }
    return true;
  }

  const proto::HloModuleProto& owner_;
  Module& module_;
  Metadata metadata_;
  absl::Status problem_;
};

}  // namespace

absl::StatusOr<Metadata> MetadataFromBytes(absl::string_view from, const proto::HloModuleProto& owner, Module& module) {
  return MetadataReader(owner, module).Read(from);
}

void MetadataToProto(const Module& module, const Metadata& from, proto::OpMetadata* to) {
  const auto text = [&](StringId id) { return std::string(module.string(id)); };
  to->set_op_type(text(from.op_type));
  to->set_op_name(text(from.op_name));
  to->set_source_file(text(from.source_file));
  to->set_deduplicated_name(text(from.deduplicated_name));
  to->set_scheduling_name(text(from.scheduling_name));
  to->set_source_line(from.source_line);
  to->set_source_end_line(from.source_end_line);
  to->set_source_column(from.source_column);
  to->set_source_end_column(from.source_end_column);
  to->set_stack_frame_id(from.stack_frame_id);
  for (int64_t type : from.profile_type) to->add_profile_type(static_cast<proto::ProfileType>(type));
  if (from.metadata_payload.has_value()) to->mutable_metadata_payload()->set_value(text(from.metadata_payload));
}

}  // namespace hloscope::interop
