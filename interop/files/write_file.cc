// SPDX-License-Identifier: Apache-2.0
#include "interop/files/write_file.h"

#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/print/printer.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "interop/hlo_proto/literals.h"
#include "interop/hlo_proto/module_writer.h"

namespace hloscope::interop {
namespace {

absl::StatusOr<std::string> Serialized(const google::protobuf::Message& message) {
  const size_t size = message.ByteSizeLong();
  if (size > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return absl::ResourceExhaustedError(absl::StrCat("a message holds at most 2 GiB, this one takes ", size, " bytes"));
  }
  std::string bytes;
  bytes.reserve(size);
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeWithCachedSizes(&coded);
  coded.Trim();
  return bytes;
}

absl::StatusOr<std::string> Printed(const google::protobuf::Message& message) {
  std::string text;
  google::protobuf::TextFormat::Printer printer;
  if (!printer.PrintToString(message, &text)) return absl::InternalError("the message cannot be printed");
  return text;
}

}  // namespace

std::optional<OutputForm> OutputFormOf(absl::string_view path) {
  static constexpr struct {
    absl::string_view suffix;
    OutputForm form;
  } kSuffixes[] = {{".hlo_snapshot.pb", OutputForm::kSnapshot},
                   {".pb", OutputForm::kProto},
                   {".pbtxt", OutputForm::kTextProto},
                   {".textproto", OutputForm::kTextProto},
                   {".txtpb", OutputForm::kTextProto},
                   {".hlo", OutputForm::kText},
                   {".txt", OutputForm::kText}};
  absl::ConsumeSuffix(&path, ".gz");
  for (const auto& row : kSuffixes) {
    if (absl::EndsWith(path, row.suffix)) return row.form;
  }
  return std::nullopt;
}

bool IsCompressedName(absl::string_view path) { return absl::EndsWith(path, ".gz"); }

PrintOptions MadeTextStyle() {
  PrintOptions options = PrintOptions::Dump();
  options.large_constants = options.keep_written_digits = true;
  options.keep_written_tuple_access = true;
  options.keep_written_async_sugar = true;
  return options;
}

absl::StatusOr<std::string> EncodeModule(const Module& module, OutputForm form, const RecordedValues& values) {
  if (form == OutputForm::kText) return PrintModule(module, MadeTextStyle());
  google::protobuf::Arena arena;
  auto* snapshot = google::protobuf::Arena::CreateMessage<proto::HloSnapshot>(&arena);
  proto::HloProto* hlo = snapshot->mutable_hlo();
  if (const absl::Status status = WriteHloModule(module, hlo->mutable_hlo_module()); !status.ok()) return status;
  if (form == OutputForm::kProto) return Serialized(*hlo);
  if (form == OutputForm::kTextProto) return Printed(*hlo);
  for (const Literal& argument : values.arguments) {
    if (const absl::Status s = LiteralToProto(argument, snapshot->add_arguments()); !s.ok()) return s;
  }
  if (values.result) {
    if (const absl::Status s = LiteralToProto(*values.result, snapshot->mutable_result()); !s.ok()) return s;
  }
  return Serialized(*snapshot);
}

}  // namespace hloscope::interop
